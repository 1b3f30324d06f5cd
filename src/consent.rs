//! Consent to write to a forge: only the typed `--yes` makes it, and every writing call takes it.

use clap::Args;

/// The proof that `--yes` was typed. Its field is private, and [`TypedYes::consent`] is the only code
/// that makes one: neither an option nor a variable nor a digest can stand in for it.
#[derive(Debug, Clone, Copy)]
pub struct Consent(());

/// `--yes` as clap parsed it. Outside this module only a command line can set it.
#[derive(Debug, Clone, Default, Args)]
pub struct TypedYes {
    /// Post; nothing is ever posted without it
    #[arg(short, long, conflicts_with = "dry_run")]
    yes: bool,
}

impl TypedYes {
    /// `None` without `--yes`: nothing may be written then.
    pub fn consent(&self) -> Option<Consent> {
        self.yes.then_some(Consent(()))
    }

    pub fn is_given(&self) -> bool {
        self.yes
    }
}

/// What a test of a writing call passes, parsed from a command line like any other.
#[cfg(test)]
pub fn of_a_typed_yes() -> Consent {
    use clap::FromArgMatches;

    let command = clap::Command::new("test").arg(clap::Arg::new("dry_run").long("dry-run"));
    let matches = TypedYes::augment_args(command).get_matches_from(["test", "--yes"]);
    TypedYes::from_arg_matches(&matches).ok().and_then(|typed| typed.consent()).expect("--yes was typed")
}

#[cfg(test)]
mod tests {
    use super::TypedYes;

    #[test]
    fn nothing_but_a_typed_yes_is_consent() {
        assert!(TypedYes::default().consent().is_none());
        super::of_a_typed_yes();
    }
}
