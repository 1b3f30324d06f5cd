//! One run of a command that takes a change from a request or from two revisions.

use std::path::{Path, PathBuf};

use super::args::ReviewArgs;
use super::scene::Scene;
use crate::change::git::Repo;
use crate::forge::{Reference, Secrets};
use crate::output::Ui;
use crate::settings::Settings;
use crate::warning::Warning;

/// What every step needs.
pub struct Run<'a> {
    /// What was typed, up to REF.
    pub command: &'static str,
    pub args: ReviewArgs,
    pub dir: &'a Path,
    /// `-C`, as typed.
    pub directory: &'a [PathBuf],
    pub ui: &'a Ui,
    pub settings: Settings,
    pub repo: Repo,
    /// What neither the output nor a posted text may hold.
    pub secrets: Secrets,
    pub reference: Option<Reference>,
    /// The warnings that a person has read already.
    pub told: Vec<Warning>,
}

impl Run<'_> {
    /// REF as it is repeated in a printed command.
    pub fn reference_to_print(&self, scene: &Scene) -> String {
        match (&self.args.reference, &scene.place) {
            (Some(typed), _) => typed.clone(),
            (None, Some(place)) => format!("{}{}{}", place.site.project, scene.kind.sigil(), place.number),
            (None, None) => String::new(),
        }
    }
}
