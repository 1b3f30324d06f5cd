//! A snapshot of the process environment, so that everything after it is decided from values.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::fmt;

/// The environment as it stood when the run began.
///
/// An empty variable counts as unset, as it does to `git` and `gh`: a CI job that passes on a
/// secret it does not have sets the variable to nothing.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Env {
    values: BTreeMap<String, OsString>,
}

/// A variable that is set, to something other than UTF-8.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the environment variable {name} is not UTF-8")]
pub struct NotUtf8 {
    pub name: String,
}

impl Env {
    /// This process's environment. The only place that reads it.
    pub fn from_process() -> Self {
        Self::of(std::env::vars_os().filter_map(|(name, value)| Some((name.into_string().ok()?, value))))
    }

    /// An environment of these variables, and no others.
    pub fn of<N: Into<String>, V: Into<OsString>>(values: impl IntoIterator<Item = (N, V)>) -> Self {
        let values = values.into_iter().map(|(name, value)| (name.into(), value.into()));
        Self { values: values.filter(|(_, value): &(String, OsString)| !value.is_empty()).collect() }
    }

    /// The same without this program's own settings, for a run that is not the user's.
    #[must_use]
    pub fn without_settings(&self) -> Self {
        let others = self.values.iter().filter(|(name, _)| !name.starts_with("DAI_"));
        Self { values: others.map(|(name, value)| (name.clone(), value.clone())).collect() }
    }

    /// A variable's text; `None` where it is unset or empty.
    pub fn text(&self, name: &str) -> Result<Option<&str>, NotUtf8> {
        self.bytes(name).map(|value| value.to_str().ok_or_else(|| NotUtf8 { name: name.to_owned() })).transpose()
    }

    /// A variable as the system holds it, for paths.
    pub fn bytes(&self, name: &str) -> Option<&OsStr> {
        self.values.get(name).map(OsString::as_os_str)
    }

    /// The names of all that is set, in their order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.values.keys().map(String::as_str)
    }

    pub fn is_set(&self, name: &str) -> bool {
        self.values.contains_key(name)
    }

    /// Whether a variable has exactly this value, as CI systems mark themselves with `true`.
    pub fn is(&self, name: &str, value: &str) -> bool {
        self.bytes(name).is_some_and(|set| set == value)
    }
}

/// Names only: the values hold tokens.
impl fmt::Debug for Env {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Env").field(&self.values.keys().collect::<Vec<_>>()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_empty_variable_is_unset() {
        let env = Env::of([("A", ""), ("B", "b")]);
        assert_eq!(env.text("A"), Ok(None));
        assert!(!env.is_set("A"));
        assert_eq!(env.text("B"), Ok(Some("b")));
        assert_eq!(env.text("C"), Ok(None));
    }

    #[cfg(unix)]
    #[test]
    fn a_value_that_is_not_utf8_is_an_error_of_that_variable_alone() {
        use std::os::unix::ffi::OsStringExt;
        let env = Env::of([("A", OsString::from_vec(vec![b'x', 0xff])), ("B", OsString::from("b"))]);
        assert_eq!(env.text("A"), Err(NotUtf8 { name: "A".to_owned() }));
        assert_eq!(env.text("B"), Ok(Some("b")));
        assert!(env.is_set("A"));
    }

    #[test]
    fn debug_shows_names_and_never_values() {
        let shown = format!("{:?}", Env::of([("GH_TOKEN", "ghp_secret")]));
        assert!(shown.contains("GH_TOKEN") && !shown.contains("ghp_secret"), "{shown}");
    }
}
