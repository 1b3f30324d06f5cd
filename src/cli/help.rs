//! `dai help`, and what is added to a usage error where the words show what was meant.

use std::ffi::OsString;

use clap::Args;

use super::topics::Topic;
use super::{Failure, args};
use crate::exit::Exit;
use crate::output::{Form, Ui};
use crate::review::nearest;

#[derive(Debug, Args)]
pub struct HelpArgs {
    /// A command, such as `forge review`, or one of exit-codes, environment, reasons
    #[arg(value_name = "COMMAND|TOPIC")]
    words: Vec<String>,
}

/// # Errors
///
/// Exit 2 where the words are no command and no topic.
pub fn run(typed: &HelpArgs, ui: &Ui) -> Result<Exit, Failure> {
    let page = page(&typed.words)?;
    ui.result(&page, Form::Text).map_err(|fault| Failure::stdout(&fault))?;
    Ok(Exit::Done)
}

fn page(words: &[String]) -> Result<String, Failure> {
    if let [word] = words
        && let Some(topic) = Topic::ALL.into_iter().find(|topic| topic.name() == word)
    {
        return Ok(topic.page());
    }
    let mut root = args::command();
    root.build();
    let mut command = root;
    for word in words {
        let Some(next) = command.find_subcommand(word) else {
            let commands = command.get_subcommands().map(|sub| sub.get_name().to_owned());
            let topics = Topic::ALL.into_iter().map(|topic| topic.name().to_owned());
            let known: Vec<String> = commands.chain(topics).collect();
            let known: Vec<&str> = known.iter().map(String::as_str).collect();
            let near = nearest(word, &known).map(|near| format!("did you mean {near}? "));
            let list = known.join(", ");
            return Err(Failure::usage(
                format!("{word:?} is no command and no topic"),
                format!("{}there are: {list}", near.unwrap_or_default()),
            ));
        };
        command = next.clone();
    }
    Ok(command.render_help().to_string())
}

/// The command that was meant by words that name none: `dai check`, `dai review 22`, `dai 22`.
pub fn meant(typed: &[OsString]) -> Option<String> {
    let words: Vec<&str> = typed.iter().skip(1).filter_map(|word| word.to_str()).collect();
    let is_request = |word: &str| {
        let number = word.trim_start_matches(['#', '!']);
        let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        digits(number) || word.rsplit_once(['#', '!']).is_some_and(|(_, number)| digits(number)) || word.contains("://")
    };
    let root = args::command();
    let below =
        |name: &str, word: &str| root.find_subcommand(name).is_some_and(|group| group.find_subcommand(word).is_some());
    match words.as_slice() {
        ["review", word, ..] | [word, ..] if is_request(word) => Some(format!("dai forge review {word}")),
        ["forge", word, ..] if below("review", word) => Some(format!("dai review {word}")),
        ["review", word, ..] if below("forge", word) => Some(format!("dai forge {word}")),
        [word, ..] if root.find_subcommand(word).is_some() => None,
        [word, ..] if below("review", word) => Some(format!("dai review {word}")),
        [word, ..] if below("forge", word) => Some(format!("dai forge {word}")),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use std::ffi::OsString;

    use super::meant;

    fn of(line: &str) -> Option<String> {
        meant(&line.split(' ').map(OsString::from).collect::<Vec<_>>())
    }

    #[test]
    fn words_that_name_no_command_show_what_was_meant() {
        for (typed, command) in [
            ("dai review 22", "dai forge review 22"),
            ("dai 22", "dai forge review 22"),
            ("dai review !7", "dai forge review !7"),
            ("dai acme/widgets#22 --yes", "dai forge review acme/widgets#22"),
            ("dai check", "dai review check"),
            ("dai triage a.json", "dai review triage"),
            ("dai forge check", "dai review check"),
        ] {
            assert_eq!(of(typed).as_deref(), Some(command), "{typed}");
        }
        for typed in ["dai", "dai nonsense", "dai review", "dai --yes", "dai forge review a b"] {
            assert_eq!(of(typed), None, "{typed}");
        }
    }
}
