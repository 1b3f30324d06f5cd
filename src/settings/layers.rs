//! One setting from several places: the environment first, then `.env.dai`, then `.env`.

use std::fmt;

use super::{DotEnv, Env};
use crate::warning::{Code, Warning};

/// What a dot-env file may give besides tokens. Nothing in it chooses a host or a forge.
pub const DOTENV_SETTINGS: [&str; 3] = ["DAI_MIN_SEVERITY", "DAI_MIN_CONFIDENCE", "DAI_MAX_COMMENTS"];

/// Where a setting came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Origin {
    Environment,
    /// A dot-env file, by its name at the repository's root.
    DotEnv(&'static str),
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Origin::Environment => f.write_str("the environment"),
            Origin::DotEnv(file) => f.write_str(file),
        }
    }
}

/// A setting's value with its origin. The value may be a secret, so `Debug` leaves it out.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Setting<'a> {
    /// `None` where the variable is set, but not to UTF-8.
    pub text: Option<&'a str>,
    pub origin: Origin,
}

impl fmt::Debug for Setting<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Setting").field("origin", &self.origin).finish_non_exhaustive()
    }
}

/// The environment and the dot-env files under it.
#[derive(Debug, Clone, Default)]
pub struct Settings {
    env: Env,
    files: Vec<DotEnv>,
}

impl Settings {
    /// `files` in the order in which they are asked.
    pub fn new(env: Env, files: Vec<DotEnv>) -> Self {
        Self { env, files }
    }

    /// The real environment alone: all that may choose a host, a forge or an API base.
    pub fn env(&self) -> &Env {
        &self.env
    }

    /// The value of a variable in the first place that sets it. Dot-env files know only
    /// [`TOKEN_VARIABLES`](super::TOKEN_VARIABLES) and [`DOTENV_SETTINGS`], whatever else they say.
    pub fn get(&self, name: &str) -> Option<Setting<'_>> {
        self.first_of(&[name]).map(|(_, setting)| setting)
    }

    /// The first of several names for one setting. A place is asked for every name before the next
    /// place is, so that what is typed for this run outranks a file under whichever name.
    pub fn first_of<'n>(&self, names: &[&'n str]) -> Option<(&'n str, Setting<'_>)> {
        let environment = names.iter().find_map(|name| {
            let text = self.env.bytes(name)?.to_str();
            let blank = text.is_some_and(|text| text.trim().is_empty());
            (!blank).then_some((*name, Setting { text, origin: Origin::Environment }))
        });
        environment.or_else(|| {
            self.files.iter().find_map(|file| {
                names.iter().find_map(|name| {
                    let text = file.get(name)?;
                    let setting = Setting { text: Some(text), origin: Origin::DotEnv(file.name()) };
                    (!text.trim().is_empty()).then_some((*name, setting))
                })
            })
        })
    }

    /// The names of all that is set anywhere.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.env.names().chain(self.files.iter().flat_map(DotEnv::names))
    }

    /// Every value of a variable in every place, the overruled ones too: what must never be shown.
    pub fn everywhere<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> {
        let environment = self.env.bytes(name).and_then(|value| value.to_str());
        environment.into_iter().chain(self.files.iter().filter_map(move |file| file.get(name)))
    }
}

/// The warnings for variables that would give consent: that is typed, for one run, and never set.
pub fn refused_consent(env: &Env) -> Vec<Warning> {
    let refused = [("DAI_YES", "--yes"), ("DAI_AGAIN", "--again")].into_iter().filter(|(name, _)| env.is_set(name));
    refused
        .map(|(name, flag)| {
            Warning::run(Code::EnvIgnored, format!("{name} is ignored: consent is typed for each run, as {flag}"))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(env: &[(&str, &str)], dai: &[(&str, &str)], plain: &[(&str, &str)]) -> Settings {
        let file = |name, values: &[(&str, &str)]| DotEnv::of(name, values.iter().copied());
        Settings::new(Env::of(env.iter().copied()), vec![file(".env.dai", dai), file(".env", plain)])
    }

    #[test]
    fn the_environment_outranks_env_dai_which_outranks_env() {
        let (a, b, c) = ([("GH_TOKEN", "a")], [("GH_TOKEN", "b")], [("GH_TOKEN", "c")]);
        let blank = [("GH_TOKEN", " ")];
        for (env, dai, plain, expected) in [
            (&a[..], &b[..], &c[..], Some(("a", Origin::Environment))),
            (&[], &b, &c, Some(("b", Origin::DotEnv(".env.dai")))),
            (&[], &[], &c, Some(("c", Origin::DotEnv(".env")))),
            (&blank, &[], &c, Some(("c", Origin::DotEnv(".env")))),
            (&[], &blank, &c, Some(("c", Origin::DotEnv(".env")))),
            (&[], &[], &[], None),
        ] {
            let settings = settings(env, dai, plain);
            let found = settings.get("GH_TOKEN").map(|found| (found.text.unwrap(), found.origin));
            assert_eq!(found, expected);
        }
    }

    #[test]
    fn a_second_name_typed_for_this_run_outranks_a_first_name_in_a_file() {
        let settings = settings(&[("GITHUB_TOKEN", "typed")], &[("GH_TOKEN", "filed")], &[]);
        let (name, found) = settings.first_of(&["GH_TOKEN", "GITHUB_TOKEN"]).unwrap();
        assert_eq!((name, found.text), ("GITHUB_TOKEN", Some("typed")));
        let (name, _) = settings.first_of(&["GH_TOKEN"]).unwrap();
        assert_eq!(name, "GH_TOKEN");
    }

    #[test]
    fn overruled_values_are_secrets_too() {
        let settings = settings(&[("GH_TOKEN", "a")], &[("GH_TOKEN", "b")], &[("GH_TOKEN", "c")]);
        assert_eq!(settings.everywhere("GH_TOKEN").collect::<Vec<_>>(), ["a", "b", "c"]);
    }

    #[test]
    fn c45_consent_in_the_environment_is_a_warning() {
        let warned = refused_consent(&Env::of([("DAI_YES", "1"), ("DAI_AGAIN", "0"), ("DAI_MIN_SEVERITY", "high")]));
        assert!(warned.iter().all(|warning| warning.code == Code::EnvIgnored));
        let messages: Vec<_> = warned.iter().map(|warning| warning.message.as_str()).collect();
        assert!(messages[0].starts_with("DAI_YES") && messages[1].starts_with("DAI_AGAIN"), "{messages:?}");
        assert_eq!(messages.len(), 2);
        assert_eq!(refused_consent(&Env::of([("DAI_YES", "")])), []);
    }
}
