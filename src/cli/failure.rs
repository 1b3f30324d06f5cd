//! What ends a run: one value with what happened, why, what to do next, and the exit code.

use std::error::Error;

use crate::change::git::GitError;
use crate::exit::Exit;
use crate::forge::{ForgeError, TargetError, TokenError};
use crate::output::{Paint, Ui};
use crate::review::load::LoadError;
use crate::review::{Look, ReviewError};

/// A run that cannot go on.
#[derive(Debug)]
pub struct Failure {
    pub exit: Exit,
    pub message: String,
    pub causes: Vec<String>,
    pub help: Vec<String>,
    /// The faults of a review file, which are drawn before the message.
    pub review: Option<ReviewError>,
}

impl Failure {
    pub fn new(exit: Exit, message: impl Into<String>) -> Self {
        Self { exit, message: message.into(), causes: Vec::new(), help: Vec::new(), review: None }
    }

    pub fn usage(message: impl Into<String>, help: impl Into<String>) -> Self {
        Self::new(Exit::Usage, message).help(help)
    }

    /// stdout does not take the result, and not because its reader went away.
    pub fn stdout(fault: &std::io::Error) -> Self {
        Self::new(Exit::Usage, "cannot write to stdout").cause(fault).help("see whether the disk is full")
    }

    /// A layer's error with everything below it.
    pub fn of(exit: Exit, error: &dyn Error, help: impl IntoIterator<Item = String>) -> Self {
        let mut causes = Vec::new();
        let mut below = error.source();
        while let Some(cause) = below {
            causes.push(cause.to_string());
            below = cause.source();
        }
        Self { exit, message: error.to_string(), causes, help: help.into_iter().collect(), review: None }
    }

    pub fn is_interrupt(&self) -> bool {
        self.exit == Exit::Interrupted
    }

    #[must_use]
    pub fn help(mut self, line: impl Into<String>) -> Self {
        self.help.push(line.into());
        self
    }

    #[must_use]
    pub fn cause(mut self, cause: impl ToString) -> Self {
        self.causes.push(cause.to_string());
        self
    }

    pub fn show(&self, ui: &Ui) {
        if let Some(error) = &self.review {
            let look = Look { colour: ui.err == Paint::Colour, width: ui.width() };
            ui.err_block(&error.render(look));
            error.warnings().iter().for_each(|warning| ui.warn(warning));
        }
        ui.error(&self.message, &self.causes, &self.help);
    }
}

impl From<GitError> for Failure {
    fn from(error: GitError) -> Self {
        Self::of(error.exit(), &error, error.help())
    }
}

impl From<TargetError> for Failure {
    fn from(error: TargetError) -> Self {
        Self::of(error.exit(), &error, [error.help()])
    }
}

impl From<TokenError> for Failure {
    fn from(error: TokenError) -> Self {
        Self::of(error.exit(), &error, [error.help()])
    }
}

impl From<ForgeError> for Failure {
    fn from(error: ForgeError) -> Self {
        Self::of(error.exit(), &error, [error.help()])
    }
}

impl From<LoadError> for Failure {
    fn from(error: LoadError) -> Self {
        Self::from(ReviewError::from(error))
    }
}

impl From<ReviewError> for Failure {
    fn from(error: ReviewError) -> Self {
        let mut failure = Self::of(error.exit(), &error, error.help());
        failure.review = Some(error);
        failure
    }
}
