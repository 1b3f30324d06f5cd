//! The formats that reviewers of other people write: each a reader of its own over one intermediate form.
//! They are read and never written to.

mod claude;
mod codex;
mod codex_plugin;
mod form;
mod github;
mod prose;
mod rdjson;
mod sarif;
mod sarif_paths;
mod security;
mod severity;
mod ultrareview;

pub(super) use claude::read as claude;
pub(super) use codex::read as codex;
pub(super) use codex_plugin::read as codex_plugin;
pub(super) use github::read as github;
pub(super) use rdjson::{read as rdjson, read_lines as rdjsonl};
pub(super) use sarif::read as sarif;
pub(super) use security::read as security;
pub(super) use ultrareview::read as ultrareview;
