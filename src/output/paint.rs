//! Colour: decided once for each stream, then asked for by meaning.

use anstyle::{AnsiColor, Style};

/// What `--color` says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, clap::ValueEnum)]
pub enum ColorChoice {
    #[default]
    Auto,
    Always,
    Never,
}

/// Whether a stream is painted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Paint {
    Colour,
    Plain,
}

impl Paint {
    /// The usual order: the flag, `NO_COLOR`, `CLICOLOR_FORCE`, then only a terminal that is neither
    /// dumb, nor told off by `CLICOLOR=0`, nor a CI's. `var` gives a non-empty environment variable.
    pub fn decide(choice: ColorChoice, is_terminal: bool, var: impl Fn(&str) -> Option<String>) -> Self {
        let on = match choice {
            ColorChoice::Always => true,
            ColorChoice::Never => false,
            ColorChoice::Auto if var("NO_COLOR").is_some() => false,
            ColorChoice::Auto if var("CLICOLOR_FORCE").is_some_and(|v| v != "0") => true,
            ColorChoice::Auto => {
                let told_off = var("CLICOLOR").is_some_and(|v| v == "0") || var("CI").is_some();
                is_terminal && !told_off && var("TERM").is_none_or(|term| term != "dumb")
            }
        };
        if on { Paint::Colour } else { Paint::Plain }
    }

    fn with(self, style: Style, text: &str) -> String {
        match self {
            Paint::Colour => format!("{style}{text}{style:#}"),
            Paint::Plain => text.to_owned(),
        }
    }

    fn colour(self, colour: AnsiColor, text: &str) -> String {
        self.with(colour.on_default(), text)
    }

    pub fn bold(self, text: &str) -> String {
        self.with(Style::new().bold(), text)
    }

    pub fn dim(self, text: &str) -> String {
        self.with(Style::new().dimmed(), text)
    }

    pub fn error(self, text: &str) -> String {
        self.with(AnsiColor::Red.on_default().bold(), text)
    }

    pub fn warning(self, text: &str) -> String {
        self.with(AnsiColor::Yellow.on_default().bold(), text)
    }

    pub fn good(self, text: &str) -> String {
        self.colour(AnsiColor::Green, text)
    }

    pub fn removed(self, text: &str) -> String {
        self.colour(AnsiColor::Red, text)
    }

    pub fn place(self, text: &str) -> String {
        self.colour(AnsiColor::Cyan, text)
    }
}

#[cfg(test)]
mod tests {
    use super::{ColorChoice, Paint};

    #[test]
    fn the_flag_beats_the_environment_and_the_environment_beats_the_terminal() {
        use ColorChoice::{Always, Auto, Never};
        type Case<'a> = (ColorChoice, bool, &'a [(&'a str, &'a str)], Paint);
        let cases: &[Case] = &[
            (Auto, true, &[], Paint::Colour),
            (Auto, false, &[], Paint::Plain),
            (Auto, true, &[("NO_COLOR", "1")], Paint::Plain),
            (Auto, false, &[("CLICOLOR_FORCE", "1")], Paint::Colour),
            (Auto, false, &[("CLICOLOR_FORCE", "0")], Paint::Plain),
            (Auto, true, &[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")], Paint::Plain),
            (Auto, true, &[("CLICOLOR", "0")], Paint::Plain),
            (Auto, true, &[("CI", "true")], Paint::Plain),
            (Auto, true, &[("TERM", "dumb")], Paint::Plain),
            (Always, false, &[("NO_COLOR", "1")], Paint::Colour),
            (Never, true, &[("CLICOLOR_FORCE", "1")], Paint::Plain),
        ];
        for (choice, terminal, vars, expected) in cases {
            let var = |name: &str| vars.iter().find(|(n, _)| *n == name).map(|(_, v)| (*v).to_owned());
            assert_eq!(Paint::decide(*choice, *terminal, var), *expected, "{choice:?} {terminal} {vars:?}");
        }
    }
}
