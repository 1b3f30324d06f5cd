//! The questions, and what may be answered.

use std::io;

use dialoguer::Input;
use dialoguer::theme::SimpleTheme;

use crate::cli::Failure;
use crate::exit::Exit;
use crate::output::Ui;
use crate::review::{Format, Severity};

/// What a person said.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Said {
    Keep,
    Dismiss,
    Severity,
    Edit,
    Accept,
    Quit,
}

/// What follows an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Whole {
    /// The next finding.
    Next,
    /// The same one, as it is now.
    Again,
    Quit,
}

impl Said {
    const ALL: [Said; 6] = [Said::Keep, Said::Dismiss, Said::Severity, Said::Edit, Said::Accept, Said::Quit];

    /// The word, of which the first letter is enough.
    fn word(self) -> &'static str {
        match self {
            Said::Keep => "keep",
            Said::Dismiss => "dismiss",
            Said::Severity => "severity",
            Said::Edit => "edit",
            Said::Accept => "accept",
            Said::Quit => "quit",
        }
    }

    fn shown(self) -> &'static str {
        match self {
            Said::Keep => "[k]eep",
            Said::Dismiss => "[d]ismiss",
            Said::Severity => "[s]everity",
            Said::Edit => "[e]dit the text",
            Said::Accept => "[a]ccept the proposed place",
            Said::Quit => "[q]uit",
        }
    }

    fn parse(text: &str, offered: &[Said]) -> Option<Self> {
        let text = text.trim().to_ascii_lowercase();
        let means = |said: &&Said| !text.is_empty() && (text == said.word() || text == said.word()[..1]);
        offered.iter().find(means).copied()
    }
}

/// What a finding of this format can be answered with.
fn offered(format: Format, proposal: bool) -> Vec<Said> {
    let holds = |said: &Said| match said {
        Said::Dismiss => format.has_dismissal(),
        Said::Severity => format.has_severity(),
        Said::Accept => proposal,
        Said::Keep | Said::Edit | Said::Quit => true,
    };
    Said::ALL.into_iter().filter(holds).collect()
}

/// Asks until the answer is one that is offered.
pub fn ask(format: Format, proposal: bool, ui: &Ui) -> Result<Said, Failure> {
    let offered = offered(format, proposal);
    // On a line of its own: a prompt that wraps cannot be drawn anew.
    ui.err_block(&format!("{}\n", offered.iter().map(|said| said.shown()).collect::<Vec<_>>().join(", ")));
    let words = offered.iter().map(|said| said.word()).collect::<Vec<_>>().join(", ");
    loop {
        let text = line("What becomes of it", |text| match Said::parse(text, &offered) {
            Some(_) => Ok(()),
            None => Err(format!("answer with one of: {words}")),
        })?;
        if let Some(said) = Said::parse(&text, &offered) {
            return Ok(said);
        }
    }
}

/// `None` where the person would rather not say.
pub fn severity() -> Result<Option<Severity>, Failure> {
    let of = |text: &str| {
        let text = text.trim().to_ascii_lowercase();
        let means = |severity: &Severity| text == severity.as_str() || text == severity.as_str()[..1];
        Severity::ALL.into_iter().find(means)
    };
    let text = line("[l]ow, [m]edium, [h]igh, or nothing: as it is", |text| match of(text) {
        None if !text.trim().is_empty() => Err("answer with one of: low, medium, high".to_owned()),
        _ => Ok(()),
    })?;
    Ok(of(&text))
}

fn line(prompt: &str, valid: impl Fn(&str) -> Result<(), String>) -> Result<String, Failure> {
    let asked = Input::<String>::with_theme(&SimpleTheme)
        .with_prompt(prompt)
        .allow_empty(true)
        .validate_with(|text: &String| valid(text))
        .interact_text();
    asked.map_err(|dialoguer::Error::IO(fault)| match fault.kind() {
        io::ErrorKind::Interrupted => {
            Failure::new(Exit::Interrupted, "interrupted; every answer before is in the file")
                .help("run the same command again to go on")
        }
        _ => Failure::usage("the question was not answered", "every answer before is in the file").cause(fault),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_or_its_first_letter_answers_and_nothing_else_does() {
        let all = offered(Format::Dai, true);
        assert_eq!(all, Said::ALL);
        for (text, said) in [("k", Said::Keep), (" Dismiss ", Said::Dismiss), ("A", Said::Accept), ("quit", Said::Quit)]
        {
            assert_eq!(Said::parse(text, &all), Some(said), "{text:?}");
        }
        for text in ["", " ", "ke", "keeps", "y", "kd"] {
            assert_eq!(Said::parse(text, &all), None, "{text:?}");
        }
    }

    #[test]
    fn only_what_the_format_can_hold_is_offered() {
        use Said::{Accept, Dismiss, Edit, Keep, Quit, Severity};
        assert_eq!(offered(Format::Dai, false), [Keep, Dismiss, Severity, Edit, Quit]);
        assert_eq!(offered(Format::Orchestra, true), [Keep, Severity, Edit, Accept, Quit]);
        assert_eq!(offered(Format::Exchange, true), [Keep, Dismiss, Edit, Accept, Quit]);
    }
}
