//! The variables of the environment that begin with this program's name, and those that nobody heeds.

use super::args;
use crate::review::nearest;
use crate::settings::Env;
use crate::warning::{Code, Warning};

/// What all of them begin with.
const PREFIX: &str = "DAI_";

/// Consent, which is typed: a warning of its own says so.
const CONSENT: [&str; 2] = ["YES", "AGAIN"];

/// What the tests of this program set for it and for each other.
const OF_TESTS: [&str; 3] = ["TEST_", "STORM_", "ORACLE_"];

/// The warnings for variables that no command knows: whoever misspelt one believes that it is obeyed.
pub fn unknown(env: &Env) -> Vec<Warning> {
    let set = env.names().filter_map(|name| Some((name, name.strip_prefix(PREFIX)?)));
    let mut set = set.peekable();
    // The tree of commands is built only where there is something to look up.
    if set.peek().is_none() {
        return Vec::new();
    }
    let known = known();
    let known: Vec<&str> = known.iter().map(String::as_str).collect();
    let strange = set.filter(|(_, rest)| {
        !known.contains(rest) && !CONSENT.contains(rest) && !OF_TESTS.iter().any(|prefix| rest.starts_with(prefix))
    });
    let warnings = strange.map(|(name, rest)| {
        let hint = match nearest(rest, &known) {
            Some(near) => format!("did you mean {PREFIX}{near}?"),
            None => "`dai forge review --help` names the options that have one".to_owned(),
        };
        Warning::run(Code::EnvIgnored, format!("{name} is set, and no command knows it; {hint}"))
    });
    warnings.collect()
}

/// The options of `dai forge review` as variables, without the prefix: only that command's have such a form.
pub fn known() -> Vec<String> {
    let root = args::command();
    let review = root.find_subcommand("forge").and_then(|forge| forge.find_subcommand("review"));
    let options = review.into_iter().flat_map(clap::Command::get_arguments).filter_map(clap::Arg::get_long);
    let names = options.map(|long| long.replace('-', "_").to_ascii_uppercase());
    names.filter(|name| !CONSENT.contains(&name.as_str())).collect()
}

#[cfg(test)]
mod tests {
    use super::unknown;
    use crate::settings::Env;

    fn said(names: &[&str]) -> Vec<String> {
        unknown(&Env::of(names.iter().map(|name| (*name, "1")))).into_iter().map(|warning| warning.message).collect()
    }

    #[test]
    fn each_unknown_one_is_told_with_the_nearest_known_one() {
        assert_eq!(
            said(&["DAI_MAX_COMENTS", "DAI_FOO", "DAI_", "DAI_GATE", "DAI_HELP", "DAI_COLOR"]),
            [
                "DAI_ is set, and no command knows it; `dai forge review --help` names the options that have one",
                "DAI_COLOR is set, and no command knows it; `dai forge review --help` names the options that have one",
                "DAI_FOO is set, and no command knows it; `dai forge review --help` names the options that have one",
                "DAI_GATE is set, and no command knows it; `dai forge review --help` names the options that have one",
                "DAI_HELP is set, and no command knows it; `dai forge review --help` names the options that have one",
                "DAI_MAX_COMENTS is set, and no command knows it; did you mean DAI_MAX_COMMENTS?",
            ]
        );
        let own = ["DAI_YES", "DAI_AGAIN", "DAI_TEST_HURRY", "DAI_STORM_SEED", "DAI_ORACLE_SEED", "DAISY_X", "PATH"];
        assert!(said(&own).is_empty(), "{:?}", said(&own));
    }
}
