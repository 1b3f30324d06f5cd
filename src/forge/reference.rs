//! `REF`: which request is meant, in the shapes that people paste.

use std::fmt;
use std::str::FromStr;

use super::Kind;
use super::host::{Host, Scheme};
use super::remote_url::is_project_path;

/// A request as it is named on the command line.
///
/// `#` and `!` are read alike: they say how a forge writes numbers, not which forge is meant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reference {
    /// `22`, `#22`, `!22`.
    Number(u64),
    /// `owner/repo#22`, `group/sub/project!22`.
    InProject { project: String, number: u64 },
    /// The page's URL.
    Page(Page),
}

/// A request's page, by its URL.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page {
    /// The forge whose pages have this shape. It does not decide what the host is.
    pub shape: Kind,
    pub scheme: Scheme,
    pub host: Host,
    /// The project, behind the sub-path that the forge may be installed under.
    pub path: String,
    pub number: u64,
}

impl Reference {
    pub fn number(&self) -> u64 {
        match self {
            Reference::Number(number) | Reference::InProject { number, .. } => *number,
            Reference::Page(page) => page.number,
        }
    }
}

/// Why a text names no request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ReferenceError {
    #[error("it begins with `-`")]
    Dash,
    #[error("requests are numbered from 1")]
    Zero,
    #[error("the number is beyond what a forge can count")]
    TooLarge,
    #[error("the project's path has a character or a part that no project has")]
    Project,
    #[error("it is a URL, but not that of a pull request's or merge request's page")]
    NotAPage,
    #[error("it is a page of Gitea or Forgejo, which are not supported")]
    Gitea,
    #[error("it is neither a number, nor a project with a number, nor the URL of a page")]
    Shape,
}

impl ReferenceError {
    /// What to write instead.
    pub fn help(self) -> &'static str {
        if self == ReferenceError::Gitea {
            return super::gitea::WITHOUT_A_FORGE;
        }
        "write `22`, `owner/repo#22`, `group/project!22`, or the page's URL: https://HOST/OWNER/REPO/pull/22, \
         https://HOST/GROUP/PROJECT/-/merge_requests/22"
    }
}

impl FromStr for Reference {
    type Err = ReferenceError;

    fn from_str(text: &str) -> Result<Self, ReferenceError> {
        let text = text.trim();
        if text.starts_with('-') {
            return Err(ReferenceError::Dash);
        }
        if let Some((scheme, rest)) = text.split_once("://") {
            return page(scheme, rest).map(Reference::Page);
        }
        let Some((project, digits)) = text.rsplit_once(['#', '!']) else {
            return number(text).map(Reference::Number);
        };
        let number = number(digits)?;
        if project.is_empty() {
            return Ok(Reference::Number(number));
        }
        let project = project.trim_matches('/');
        if !project.contains('/') || !is_project_path(project) {
            return Err(ReferenceError::Project);
        }
        Ok(Reference::InProject { project: project.to_owned(), number })
    }
}

fn number(digits: &str) -> Result<u64, ReferenceError> {
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(ReferenceError::Shape);
    }
    // Both forges count in signed 64-bit numbers.
    match digits.parse::<i64>() {
        Ok(0) => Err(ReferenceError::Zero),
        Ok(number) => u64::try_from(number).map_err(|_| ReferenceError::Shape),
        Err(_) => Err(ReferenceError::TooLarge),
    }
}

/// `host[:port]/owner/repo/pull/22…`, `host[:port]/[sub-path/]group/project/[-/]merge_requests/22…`.
fn page(scheme: &str, rest: &str) -> Result<Page, ReferenceError> {
    let scheme = Scheme::parse(scheme).filter(|scheme| scheme.is_web()).ok_or(ReferenceError::NotAPage)?;
    let rest = rest.split(['?', '#']).next().unwrap_or(rest);
    let (authority, path) = rest.split_once('/').ok_or(ReferenceError::NotAPage)?;
    let host = Host::parse(authority).ok_or(ReferenceError::NotAPage)?.of_scheme(scheme);

    let parts: Vec<_> = path.split('/').collect();
    let (shape, project, digits) = match parts.iter().position(|part| *part == "merge_requests") {
        Some(at) => {
            let end = if at > 0 && parts[at - 1] == "-" { at - 1 } else { at };
            (Kind::GitLab, &parts[..end], parts.get(at + 1))
        }
        None if parts.get(2) == Some(&"pull") => (Kind::GitHub, &parts[..2], parts.get(3)),
        None if is_gitea(&host, &parts) => return Err(ReferenceError::Gitea),
        None => return Err(ReferenceError::NotAPage),
    };
    let number = number(digits.ok_or(ReferenceError::NotAPage)?).map_err(|error| match error {
        ReferenceError::Shape => ReferenceError::NotAPage,
        other => other,
    })?;
    let path = project.join("/");
    if project.len() < 2 || !is_project_path(&path) {
        return Err(ReferenceError::Project);
    }
    Ok(Page { shape, scheme, host, path, number })
}

/// Theirs are called `/pulls/22`, and may be below a sub-path; GitHub has `/pulls` for the list, and in its API.
fn is_gitea(host: &Host, parts: &[&str]) -> bool {
    if parts.first() == Some(&"repos") || parts.contains(&"api") {
        return false;
    }
    let at = parts.iter().position(|part| *part == "pulls").filter(|at| *at >= 2);
    !host.is_github_cloud() && at.and_then(|at| parts.get(at + 1)).is_some_and(|digits| number(digits).is_ok())
}

impl fmt::Display for Reference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reference::Number(number) => write!(f, "{number}"),
            Reference::InProject { project, number } => write!(f, "{project}#{number}"),
            Reference::Page(page) => page.fmt(f),
        }
    }
}

impl fmt::Display for Page {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Page { scheme, host, path, number, .. } = self;
        let between = match self.shape {
            Kind::GitHub => "pull",
            Kind::GitLab => "-/merge_requests",
        };
        write!(f, "{}://{host}/{path}/{between}/{number}", scheme.as_str())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn every_shape() {
        for (written, shown) in [
            ("22", "22"),
            ("#22", "22"),
            ("!22", "22"),
            (" 22\n", "22"),
            ("acme/widgets#22", "acme/widgets#22"),
            ("group/sub/project!22", "group/sub/project#22"),
            ("https://github.com/acme/widgets/pull/22", "https://github.com/acme/widgets/pull/22"),
            ("https://github.com/acme/widgets/pull/22/", "https://github.com/acme/widgets/pull/22"),
            ("https://github.com/acme/widgets/pull/22/files?w=1", "https://github.com/acme/widgets/pull/22"),
            ("https://github.com/acme/widgets/pull/22/commits/abc", "https://github.com/acme/widgets/pull/22"),
            ("https://github.com/acme/widgets/pull/22#discussion_r9", "https://github.com/acme/widgets/pull/22"),
            ("https://www.github.com/acme/widgets/pull/22", "https://github.com/acme/widgets/pull/22"),
            ("https://acme.ghe.com/acme/widgets/pull/22", "https://acme.ghe.com/acme/widgets/pull/22"),
            ("https://github.corp:8443/acme/widgets/pull/22", "https://github.corp:8443/acme/widgets/pull/22"),
            ("http://127.0.0.1:9/acme/widgets/pull/22", "http://127.0.0.1:9/acme/widgets/pull/22"),
            ("https://gitlab.com/a/b/-/merge_requests/22", "https://gitlab.com/a/b/-/merge_requests/22"),
            ("https://gitlab.com/a/b/merge_requests/22", "https://gitlab.com/a/b/-/merge_requests/22"),
            (
                "https://GitLab.com:443/a/b/c/-/merge_requests/22/diffs#x",
                "https://gitlab.com/a/b/c/-/merge_requests/22",
            ),
            (
                "https://git.corp:8443/gitlab/a/b/-/merge_requests/22?tab=x",
                "https://git.corp:8443/gitlab/a/b/-/merge_requests/22",
            ),
            ("9223372036854775807", "9223372036854775807"),
        ] {
            let reference: Reference = written.parse().unwrap_or_else(|error| panic!("{written}: {error}"));
            assert_eq!(reference.to_string(), shown, "{written}");
        }
    }

    #[test]
    fn what_is_none() {
        use ReferenceError::*;
        for (written, expected) in [
            ("", Shape),
            ("#", Shape),
            ("+22", Shape),
            ("2 2", Shape),
            ("２２", Shape),
            ("main", Shape),
            ("acme/widgets", Shape),
            ("acme/widgets#", Shape),
            ("acme/widgets#x", Shape),
            ("-22", Dash),
            ("--yes", Dash),
            ("-R/x#22", Dash),
            ("0", Zero),
            ("!000", Zero),
            ("acme/widgets#0", Zero),
            ("https://github.com/acme/widgets/pull/0", Zero),
            ("9223372036854775808", TooLarge),
            ("99999999999999999999999", TooLarge),
            ("widgets#22", Project),
            ("acme/../widgets#22", Project),
            ("acme//widgets#22", Project),
            ("acme/-x#22", Project),
            ("acme/wid gets#22", Project),
            ("https://github.com/acme/widgets", NotAPage),
            ("https://github.com/acme/widgets/pull", NotAPage),
            ("https://github.com/acme/widgets/pull/x", NotAPage),
            ("https://github.com/acme/widgets/pull/22.diff", NotAPage),
            ("https://github.com/acme/widgets/issues/22", NotAPage),
            ("https://api.github.com/repos/acme/widgets/pulls/22", NotAPage),
            ("https://github.com", NotAPage),
            ("https://user@github.com/acme/widgets/pull/22", NotAPage),
            ("https://evil.example\\@github.com/acme/widgets/pull/22", NotAPage),
            ("ssh://github.com/acme/widgets/pull/22", NotAPage),
            ("file:///acme/widgets/pull/22", NotAPage),
            ("https://gitlab.com/b/-/merge_requests/22", Project),
            ("https://gitlab.com/a/%2e%2e/-/merge_requests/22", Project),
        ] {
            assert_eq!(written.parse::<Reference>(), Err(expected), "{written:?}");
        }
    }

    fn part() -> impl Strategy<Value = String> {
        "[A-Za-z0-9_][A-Za-z0-9_.-]{0,8}"
            .prop_filter("no page's own word", |part| !matches!(part.as_str(), "merge_requests"))
    }

    proptest! {
        #[test]
        fn any_text_is_a_reference_or_none(text in "\\PC{0,40}|[a-z:/#!.0-9-]{0,40}") {
            if let Ok(reference) = text.parse::<Reference>() {
                prop_assert_eq!(reference.to_string().parse(), Ok(reference));
            }
        }

        #[test]
        fn what_is_written_is_what_is_read(
            parts in prop::collection::vec(part(), 2..5), number in 1..=i64::MAX as u64, port in prop::option::of(1u16..),
        ) {
            let project = parts.join("/");
            let port = port.map(|port| format!(":{port}")).unwrap_or_default();
            for sigil in ['#', '!'] {
                let read: Reference = format!("{project}{sigil}{number}").parse().unwrap();
                prop_assert_eq!(read, Reference::InProject { project: project.clone(), number });
            }
            let read: Reference = format!("https://git.corp{port}/{project}/-/merge_requests/{number}").parse().unwrap();
            let Reference::Page(page) = read else { return Err(TestCaseError::fail("no page")) };
            prop_assert_eq!((page.shape, page.path, page.number), (Kind::GitLab, project, number));
            prop_assert_eq!(page.host.name(), "git.corp");
        }
    }
}
