//! What the configuration says, by git's own reading of it.
//!
//! `git config --list` follows `include`, `GIT_CONFIG_GLOBAL`, `GIT_CONFIG_SYSTEM` and `GIT_CONFIG_COUNT`; `git
//! remote -v` applies `insteadOf` and knows which of several URLs is fetched from. Both are asked at once, and once.

use std::thread;

use git2::Repository;

use super::command::{self, LOCAL, NotRun, Output};
use super::error::GitError;
use super::remote::Remote;
use super::repo::Repo;

/// Keys and values in the order in which they are read: the last one of a key counts.
#[derive(Debug, Default)]
pub(super) struct Config {
    /// `None` is a key without `=`, which means true.
    entries: Vec<(String, Option<String>)>,
    /// In the order of their names.
    pub remotes: Vec<Remote>,
}

impl Config {
    pub fn last(&self, key: &str) -> Option<&str> {
        self.entries.iter().rfind(|(known, _)| known == key)?.1.as_deref()
    }

    /// The remote that has promised what is missing here.
    pub fn promisor(&self) -> Option<&str> {
        let mut marked = self.entries.iter().rev().filter_map(|(key, value)| {
            let name = key.strip_prefix("remote.")?.strip_suffix(".promisor")?;
            is_true(value.as_deref()).then_some(name)
        });
        // Before git 2.27 it was marked by this.
        self.last("extensions.partialclone").or_else(|| marked.next())
    }

    fn of(entries: Vec<(String, Option<String>)>, urls: impl IntoIterator<Item = (String, String)>) -> Self {
        let mut config = Self { entries, remotes: Vec::new() };
        let mut remotes: Vec<Remote> = urls
            .into_iter()
            .map(|(name, url)| {
                let gh_resolved = config.last(&format!("remote.{name}.gh-resolved")).map(str::to_owned);
                Remote { name, url, gh_resolved }
            })
            .collect();
        remotes.sort_by(|a, b| a.name.cmp(&b.name));
        config.remotes = remotes;
        config
    }
}

fn is_true(value: Option<&str>) -> bool {
    let Some(value) = value else { return true };
    let word = value.to_ascii_lowercase();
    matches!(word.as_str(), "true" | "yes" | "on") || word.parse::<i64>().is_ok_and(|number| number != 0)
}

impl Repo {
    /// Read when it is first asked for.
    pub(super) fn config(&self) -> Result<&Config, GitError> {
        if let Some(known) = self.config.get() {
            return Ok(known);
        }
        let read = self.read_config()?;
        Ok(self.config.get_or_init(|| read))
    }

    fn read_config(&self) -> Result<Config, GitError> {
        let asked = |words: &[&str]| {
            let mut git = self.owners_git();
            git.args(words);
            git
        };
        let (list, urls) = (asked(&["config", "--list", "-z"]), asked(&["remote", "-v"]));
        let (list, urls) = thread::scope(|scope| {
            let list = scope.spawn(|| command::run(list, None, LOCAL));
            let urls = command::run(urls, None, LOCAL);
            (list.join(), urls)
        });
        let list = list.unwrap_or(Err(NotRun::NoProgram));
        let (list, urls) = match (list, urls) {
            (Err(NotRun::NoProgram), _) | (_, Err(NotRun::NoProgram)) => {
                return without_git(&self.inner).map_err(|error| GitError::object("the configuration", &error));
            }
            (list, urls) => (succeeded("git config --list", list)?, succeeded("git remote -v", urls)?),
        };
        let entries = entries(&list.stdout);
        let named = urls.stdout.split(|byte| *byte == b'\n').filter_map(fetched_from);
        // git from 2.46 on lists one without a URL as if its name were one.
        Ok(Config::of(entries, named.filter(|(name, url)| name != url)))
    }
}

fn succeeded(command: &str, ended: Result<Output, NotRun>) -> Result<Output, GitError> {
    let said = ended.map_err(|fault| GitError::not_run(command, fault))?;
    if said.status.success() {
        return Ok(said);
    }
    Err(GitError::Child { command: command.to_owned(), words: said.words })
}

/// `key LF value NUL`, or `key NUL`.
fn entries(list: &[u8]) -> Vec<(String, Option<String>)> {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let listed = list.split(|byte| *byte == 0).filter(|entry| !entry.is_empty());
    let listed = listed.map(|entry| match entry.iter().position(|byte| *byte == b'\n') {
        Some(at) => (text(&entry[..at]), Some(text(&entry[at + 1..]))),
        None => (text(entry), None),
    });
    listed.collect()
}

/// `NAME TAB URL (fetch)`, and behind it the filter of a partial clone.
fn fetched_from(line: &[u8]) -> Option<(String, String)> {
    let (name, rest) = std::str::from_utf8(line).ok()?.split_once('\t')?;
    let (url, _) = rest.rsplit_once(" (fetch)")?;
    Some((name.to_owned(), url.to_owned()))
}

/// libgit2's reading of it, for a machine without git: nothing is fetched there.
fn without_git(repo: &Repository) -> Result<Config, git2::Error> {
    let mut entries = Vec::new();
    let config = repo.config()?;
    let mut listed = config.entries(None)?;
    while let Some(entry) = listed.next() {
        let entry = entry?;
        if let Ok(name) = entry.name() {
            entries.push((name.to_owned(), entry.value().ok().map(str::to_owned)));
        }
    }
    let mut urls: Vec<(String, String)> = Vec::new();
    for (key, value) in &entries {
        let Some(name) = key.strip_prefix("remote.").and_then(|rest| rest.strip_suffix(".url")) else { continue };
        // git fetches from the first one.
        let (Some(url), false) = (value, urls.iter().any(|(known, _)| known == name)) else { continue };
        let rewritten = repo.remote_anonymous(url).ok().and_then(|remote| remote.url().ok().map(str::to_owned));
        urls.push((name.to_owned(), rewritten.unwrap_or_else(|| url.clone())));
    }
    Ok(Config::of(entries, urls))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_git_lists_is_read_as_git_documents_it() {
        let list = b"core.bare\nfalse\0remote.a.b.promisor\0remote.c.promisor\nno\0x.y\none\ntwo\0core.bare\ntrue\0";
        let config = Config::of(entries(list), []);
        assert_eq!((config.last("core.bare"), config.last("x.y")), (Some("true"), Some("one\ntwo")));
        assert_eq!((config.last("none"), config.promisor()), (None, Some("a.b")));
        for (value, expected) in
            [(None, true), (Some("On"), true), (Some("2"), true), (Some("0"), false), (Some(""), false)]
        {
            assert_eq!(is_true(value), expected, "{value:?}");
        }
    }

    #[test]
    fn the_url_that_is_fetched_from() {
        let url = |line: &str| fetched_from(line.as_bytes()).map(|(name, url)| format!("{name}={url}"));
        assert_eq!(url("origin\thttps://h/a b (fetch)").as_deref(), Some("origin=https://h/a b"));
        assert_eq!(url("origin\thttps://h/a (fetch) [blob:none]").as_deref(), Some("origin=https://h/a"));
        assert_eq!((url("origin\thttps://h/a (push)"), url("origin"), url("")), (None, None, None));
    }
}
