//! Why there is no review.

use super::load::LoadError;
use super::problems::{Look, Problems};
use crate::exit::Exit;
use crate::warning::Warning;

/// A review file that is missing, unreadable or invalid.
#[derive(Debug, thiserror::Error)]
pub enum ReviewError {
    #[error(transparent)]
    Load(#[from] LoadError),
    /// Every fault of the file at once.
    #[error(transparent)]
    Invalid(#[from] Box<Problems>),
}

impl ReviewError {
    pub fn exit(&self) -> Exit {
        Exit::Review
    }

    /// What to do next.
    pub fn help(&self) -> Option<String> {
        match self {
            ReviewError::Load(error) => Some(error.help().to_owned()),
            ReviewError::Invalid(problems) => {
                let places = if problems.list().len() == 1 { "place" } else { "places" };
                Some(format!("mend the {places} above, and run again"))
            }
        }
    }

    /// What else is to be said of the file.
    pub fn warnings(&self) -> &[Warning] {
        match self {
            ReviewError::Load(_) => &[],
            ReviewError::Invalid(problems) => problems.warnings(),
        }
    }

    /// The picture of every fault, for stderr; empty where there is no file to draw.
    pub fn render(&self, look: Look) -> String {
        match self {
            ReviewError::Load(_) => String::new(),
            ReviewError::Invalid(problems) => problems.render(look),
        }
    }
}
