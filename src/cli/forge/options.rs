//! The second step: what was typed, then the environment, then the dot-env files.

use std::path::PathBuf;

use super::args::{self, Format, ReviewArgs};
use crate::cli::Failure;
use crate::cli::input_format::input_format;
use crate::settings::Settings;

/// Fills what was not typed from `DAI_…`, except `--yes` and `--again`: consent is typed.
pub fn resolve(typed: &ReviewArgs, settings: &Settings) -> Result<ReviewArgs, Failure> {
    let mut all = typed.clone();
    let mut faults = Vec::new();
    {
        let mut from = Source { settings, faults: &mut faults };
        from.fill(&mut all.project, "DAI_PROJECT", text);
        from.fill(&mut all.from, "DAI_FROM", |word| Ok(PathBuf::from(word)));
        from.fill(&mut all.expect_head, "DAI_EXPECT_HEAD", args::commit);
        from.fill(&mut all.input.input_format, "DAI_INPUT_FORMAT", input_format);
        from.fill(&mut all.expect, "DAI_EXPECT", args::digest);
        from.fill(&mut all.min_severity, "DAI_MIN_SEVERITY", args::severity);
        from.fill(&mut all.min_confidence, "DAI_MIN_CONFIDENCE", args::confidence);
        from.fill(&mut all.max_comments, "DAI_MAX_COMMENTS", args::count);
        from.fill(&mut all.fail_on, "DAI_FAIL_ON", args::severity);
        from.fill(&mut all.forge, "DAI_FORGE", args::forge);
        from.fill(&mut all.api_url, "DAI_API_URL", text);
        from.fill(&mut all.remote, "DAI_REMOTE", text);
        from.fill(&mut all.base, "DAI_BASE", text);
        from.fill(&mut all.head, "DAI_HEAD", text);
        from.fill(&mut all.format, "DAI_FORMAT", format);
        for (flag, name) in [
            (&mut all.dry_run, "DAI_DRY_RUN"),
            (&mut all.relocate, "DAI_RELOCATE"),
            (&mut all.trace, "DAI_TRACE"),
            (&mut all.strict, "DAI_STRICT"),
            (&mut all.offline, "DAI_OFFLINE"),
        ] {
            let mut value = flag.then_some(true);
            from.fill(&mut value, name, switch);
            *flag = value.unwrap_or(false);
        }
    }
    faults.extend(conflicts(&all));
    if let Some((first, rest)) = faults.split_first() {
        let mut failure = Failure::usage(first.clone(), "see `dai forge review --help`");
        failure.causes = rest.to_vec();
        return Err(failure);
    }
    Ok(all)
}

struct Source<'a> {
    settings: &'a Settings,
    faults: &'a mut Vec<String>,
}

impl Source<'_> {
    fn fill<T>(&mut self, slot: &mut Option<T>, name: &str, parse: impl Fn(&str) -> Result<T, String>) {
        if slot.is_some() {
            return;
        }
        let Some(found) = self.settings.get(name) else { return };
        let Some(text) = found.text else {
            self.faults.push(format!("{name}: the value is not UTF-8 (from {})", found.origin));
            return;
        };
        match parse(text) {
            Ok(value) => *slot = Some(value),
            Err(what) => self.faults.push(format!("{name}={text}: {what} (from {})", found.origin)),
        }
    }
}

/// The combinations that clap refuses when they are typed, for those that come from the environment.
fn conflicts(all: &ReviewArgs) -> Vec<String> {
    let local = all.base.is_some() || all.head.is_some();
    let pairs = [
        (all.head.is_some() && all.base.is_none(), "--head needs --base"),
        (all.yes.is_given() && all.dry_run, "--yes and --dry-run cannot be used together"),
        (all.yes.is_given() && all.offline, "--yes and --offline cannot be used together"),
        (all.yes.is_given() && local, "--yes cannot be used with --base or --head: such a change is only previewed"),
        (all.offline && local, "--offline cannot be used with --base or --head"),
    ];
    pairs.into_iter().filter(|(wrong, _)| *wrong).map(|(_, what)| what.to_owned()).collect()
}

fn text(word: &str) -> Result<String, String> {
    Ok(word.to_owned())
}

fn format(word: &str) -> Result<Format, String> {
    clap::ValueEnum::from_str(word, false).map_err(|_: String| "expected text, json or markdown".to_owned())
}

fn switch(word: &str) -> Result<bool, String> {
    match word.to_ascii_lowercase().as_str() {
        "1" | "true" | "yes" | "on" => Ok(true),
        "0" | "false" | "no" | "off" => Ok(false),
        _ => Err("expected 1 or 0".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::{ReviewArgs, resolve};
    use crate::cli::variables::{known, unknown};
    use crate::settings::{Env, Settings};

    /// What is taken for known is heeded here: each changes what is resolved, or is refused by name.
    #[test]
    fn every_known_variable_is_heeded_and_warned_of_by_nobody() {
        let without = format!("{:?}", ReviewArgs::default());
        let known = known();
        assert!(known.len() > 15 && known.contains(&"MAX_COMMENTS".to_owned()), "{known:?}");
        for name in known {
            let name = format!("DAI_{name}");
            let env = Env::of([(name.as_str(), "1")]);
            assert!(unknown(&env).is_empty(), "{name}");
            let heeded = resolve(&ReviewArgs::default(), &Settings::new(env, Vec::new()));
            assert!(heeded.map_or(true, |args| format!("{args:?}") != without), "{name}");
        }
    }
}
