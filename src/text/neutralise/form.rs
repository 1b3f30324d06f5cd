//! How the parts of a text are written: as Markdown, or in the forms that cannot act.

use super::edit::Clean;
use super::{line, pass, strong};
use crate::text::Dialect;

/// The pass over the parts of one text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Pass {
    pub dialect: Dialect,
    pub form: Form,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// Markdown without what acts.
    Written,
    /// Code and entities: for a text whose parts are fine by themselves and together are not.
    Strong,
}

impl Pass {
    /// A field of Markdown.
    pub(crate) fn block(self, text: &str) -> Clean {
        match self.form {
            Form::Strong if !text.trim().is_empty() => strong::block(text),
            _ => pass::block(text, self.dialect),
        }
    }

    /// A field of one line.
    pub(crate) fn inline(self, text: &str) -> Clean {
        match self.form {
            Form::Written => line::inline(text, self.dialect),
            Form::Strong => strong::line(text),
        }
    }

    /// The beginning of a longer text as a field of one line.
    pub(crate) fn short(self, text: &str, limit: usize) -> Clean {
        match self.form {
            Form::Written => line::short(text, limit, self.dialect),
            Form::Strong => strong::short(text, limit),
        }
    }

    /// A path or another word to be shown as it is.
    pub(crate) fn code(self, text: &str) -> Clean {
        match self.form {
            Form::Written => line::code(text),
            Form::Strong => strong::line(text),
        }
    }
}
