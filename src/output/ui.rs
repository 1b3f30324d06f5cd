//! The two streams and the spinner. Everything the program prints goes through one [`Ui`].

use std::io::{self, IsTerminal as _};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::{ColorChoice, Console, Form, Paint, visible};
use crate::forge::Secrets;
use crate::warning::Warning;

/// How much is said on stderr.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verbosity {
    /// Errors only.
    Quiet,
    Normal,
    /// What was decided and how.
    Verbose,
    /// Every call as well.
    Calls,
}

/// Where results, remarks and progress go.
///
/// stdout carries the result and nothing else; a reader that closes it is not an error, and never
/// stops a post.
#[derive(Debug, Clone)]
pub struct Ui {
    pub verbosity: Verbosity,
    pub out: Paint,
    pub err: Paint,
    spinners: bool,
    prompts: bool,
    console: Console,
}

impl Ui {
    /// `var` gives a non-empty environment variable.
    pub fn new(
        console: Console,
        verbosity: Verbosity,
        color: ColorChoice,
        no_progress: bool,
        var: impl Fn(&str) -> Option<String>,
    ) -> Self {
        let (out, err) = (io::stdout().is_terminal(), io::stderr().is_terminal());
        // What asks and what draws writes by itself: nobody is there to be asked where a runner reads.
        let in_ci = var("CI").is_some() || console.is_watched();
        Self {
            verbosity,
            out: Paint::decide(color, out, &var),
            err: Paint::decide(color, err, &var),
            spinners: err && !no_progress && !in_ci && verbosity > Verbosity::Quiet,
            prompts: err && !in_ci && io::stdin().is_terminal(),
            console,
        }
    }

    /// From now on these are not printed, in the place of those that were hidden before.
    pub fn hide(&self, secrets: Secrets) {
        self.console.hide(secrets);
    }

    /// Whether a person is there to be asked.
    pub fn can_ask(&self) -> bool {
        self.prompts
    }

    /// The same, where nobody is to be asked and nothing is said.
    #[must_use]
    pub fn unasking(&self) -> Self {
        Self { verbosity: Verbosity::Quiet, prompts: false, spinners: false, ..self.clone() }
    }

    /// Columns of the terminal on stderr; 100 where there is none.
    pub fn width(&self) -> usize {
        terminal_size::terminal_size_of(io::stderr()).map_or(100, |(columns, _)| columns.0.into())
    }

    /// Columns of the terminal on stdout; `None` where it is none.
    pub fn result_columns(&self) -> Option<usize> {
        terminal_size::terminal_size_of(io::stdout()).map(|(columns, _)| columns.0.into())
    }

    /// The result, on stdout. A closed pipe is quiet; any other fault of stdout is returned.
    pub fn result(&self, text: &str, form: Form) -> io::Result<()> {
        self.console.out(text, form)
    }

    /// Prepared text for stderr, such as a picture of a place in a file. Its foreign parts must
    /// already be visible.
    pub fn err_block(&self, text: &str) {
        self.console.err(text);
    }

    pub fn error(&self, message: &str, causes: &[String], help: &[String]) {
        let mut text = format!("{} {}\n", self.err.error("error:"), visible(message));
        for cause in causes {
            for (at, line) in cause.lines().enumerate() {
                let lead = if at == 0 { self.err.dim("  cause:") } else { "        ".to_owned() };
                text += &format!("{lead} {}\n", visible(line));
            }
        }
        for line in help {
            text += &format!("{} {}\n", self.err.good("  help:"), visible(line));
        }
        self.err_block(&text);
    }

    pub fn warn(&self, warning: &Warning) {
        let finding = warning.finding.map(|at| format!("finding {at} (counted from 0)"));
        self.warn_of(warning, finding.as_deref());
    }

    /// A warning whose finding, if it is about one, goes by this name elsewhere in the output.
    pub fn warn_of(&self, warning: &Warning, finding: Option<&str>) {
        if self.verbosity > Verbosity::Quiet {
            let about = finding.map(|name| format!("{}: ", visible(name))).unwrap_or_default();
            self.err_block(&format!("{} {about}{}\n", self.err.warning("warning:"), visible(&warning.message)));
        }
    }

    /// A remark of a run that goes well.
    pub fn note(&self, message: &str) {
        if self.verbosity > Verbosity::Quiet {
            self.err_block(&format!("{}\n", visible(message)));
        }
    }

    /// Said under `-v`, `-vv`.
    pub fn trace(&self, from: Verbosity, message: &str) {
        if self.verbosity >= from {
            self.err_block(&format!("{} {}\n", self.err.dim("dai:"), visible(message)));
        }
    }

    /// A spinner while something is waited for; it clears itself when dropped.
    pub fn spinner(&self, message: impl Into<String>) -> Spinner {
        let bar = ProgressBar::with_draw_target(None, self.target()).with_style(ProgressStyle::default_spinner());
        if self.spinners {
            bar.set_message(self.console.clean(&visible(&message.into())));
            bar.enable_steady_tick(Duration::from_millis(100));
        }
        Spinner(bar)
    }

    /// A bar that counts items.
    pub fn bar(&self, count: usize, message: impl Into<String>) -> Spinner {
        let bar = ProgressBar::with_draw_target(Some(count as u64), self.target());
        if let Ok(style) = ProgressStyle::with_template("{msg} {bar:30} {pos}/{len}") {
            bar.set_style(style);
        }
        bar.set_message(self.console.clean(&visible(&message.into())));
        Spinner(bar)
    }

    fn target(&self) -> ProgressDrawTarget {
        if self.spinners { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() }
    }
}

/// Something that shows the program is at work.
#[derive(Debug)]
pub struct Spinner(ProgressBar);

impl Spinner {
    pub fn at(&self, done: usize) {
        self.0.set_position(done as u64);
    }

    /// Prints without tearing what is shown.
    pub fn aside(&self, print: impl FnOnce()) {
        self.0.suspend(print);
    }
}

impl Drop for Spinner {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}
