//! What is wrong with one finding as it is written, found without the change: it is held back, and the
//! rest of the file is not.

use std::fmt;

use super::quote::quoted;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Defect {
    /// An unknown field that looks like a known one: a place or a state would be lost with it.
    UnclearField {
        field: String,
        known: &'static str,
        /// `check --fix` renames it.
        sure: bool,
    },
    /// The range begins on one side and ends on the other.
    TwoSides,
    /// An absolute path that is not below the repository's root; none where there is no repository.
    PathOutside { path: String, root: Option<String> },
}

impl fmt::Display for Defect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Defect::UnclearField { field, known, sure } => {
                write!(f, "the field {} is not read, and looks like \"{known}\"; ", quoted(field))?;
                f.write_str(if *sure {
                    "rename it, as `dai review check --fix` does"
                } else {
                    "rename it or remove it"
                })
            }
            Defect::TwoSides => f.write_str("\"start_side\" is another side than \"side\": a comment is on one side"),
            Defect::PathOutside { path, root: Some(root) } => {
                write!(f, "the path {} is not below the repository's root {}", quoted(path), quoted(root))
            }
            Defect::PathOutside { path, root: None } => {
                write!(f, "the path {} is absolute, and there is no repository to compare it with", quoted(path))
            }
        }
    }
}
