//! Addresses and short names that leave a trace in somebody's tracker.
//!
//! Issues, requests, epics and commits note where they were mentioned (GitLab: the `Mentionable`
//! concern; GitHub: timeline events). Snippets (`$12`), milestones (`%5`) and labels (`~bug`) do not,
//! and a bare commit id is only looked up in the request's own project: these stay.

use percent_encoding::percent_decode_str;

/// Path segments before the number of something that notes its mentions.
const NUMBERED: [&str; 8] =
    ["issues", "pull", "pulls", "merge_requests", "work_items", "epics", "discussions", "incident"];

/// Whether a URL is the page of an issue, a request, an epic or a commit, on whatever host.
pub(super) fn is_request_url(url: &str) -> bool {
    let url = percent_decode_str(url).decode_utf8_lossy();
    let Some(rest) = after_scheme(&url) else { return false };
    let path = rest.split(['?', '#']).next().unwrap_or_default();
    let segments: Vec<&str> = path.split('/').collect();
    segments.windows(2).skip(1).any(|pair| {
        let kind = pair[0].to_ascii_lowercase();
        (NUMBERED.contains(&kind.as_str()) && number(pair[1])) || (kind == "commit" && commit(pair[1]))
    })
}

/// Whether a link's target is a plain page or a mail address, which does nothing until somebody follows it.
pub(super) fn is_plain(target: &str) -> bool {
    let rest = ["http://", "https://", "mailto:"].iter().find_map(|scheme| {
        let start = target.get(..scheme.len())?;
        start.eq_ignore_ascii_case(scheme).then(|| &target[scheme.len()..])
    });
    rest.is_some_and(|rest| rest.starts_with(|c: char| c.is_alphanumeric() || matches!(c, '[' | '_')))
}

/// Whether a link's text is an address, and of another host than its target.
pub(super) fn is_disguised(text: &str, target: &str) -> bool {
    let text = text.trim();
    let Some(shown) = host(text) else { return false };
    host(target).is_none_or(|host| host != shown)
}

/// The host of an address in lower case, `www.` off.
fn host(url: &str) -> Option<String> {
    let named = after_scheme(url).filter(|_| !url.starts_with("//"))?;
    let authority = named.split(['/', '?', '#', ' ', '\\']).next().unwrap_or_default();
    let host = authority.rsplit('@').next().unwrap_or_default().to_ascii_lowercase();
    Some(host.strip_prefix("www.").unwrap_or(&host).to_owned())
}

/// Whether an address is that of one comment, which a summary may link to: it is on the summary's own page, and nothing
/// else notes the mention. GitHub: `discussion_r`, `issuecomment-`, `pullrequestreview-`; GitLab: `note_`.
pub(crate) fn is_comment_page(url: &str) -> bool {
    let Some((page, fragment)) = url.split_once('#') else { return false };
    let number = ["discussion_r", "issuecomment-", "pullrequestreview-", "note_"]
        .iter()
        .find_map(|lead| fragment.strip_prefix(lead));
    let plain = |b: u8| b.is_ascii_graphic() && !b"<>`\\\"[]|$*~@".contains(&b);
    is_plain(page)
        && page.bytes().all(plain)
        && number.is_some_and(|number| !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit()))
}

fn after_scheme(url: &str) -> Option<&str> {
    ["https://", "http://", "//", "www."].iter().find_map(|scheme| {
        let start = url.get(..scheme.len())?;
        start.eq_ignore_ascii_case(scheme).then(|| &url[scheme.len()..])
    })
}

/// Whether the page of an issue, a request, an epic or a commit is named anywhere in a text.
pub(super) fn names_request(text: &str) -> bool {
    const LONGEST: usize = 1024;
    let inside = |c: char| c.is_ascii_graphic() && !matches!(c, '<' | '>' | '"');
    let urls = text.match_indices("://").map(|(at, _)| at).chain(text.match_indices("www.").map(|(at, _)| at));
    urls.take(LONGEST).any(|at| {
        let start = if text[at..].starts_with("www.") { at } else { at + 1 };
        let url = &text[start..];
        let end = url.find(|c| !inside(c)).unwrap_or(url.len()).min(LONGEST);
        is_request_url(&url[..end])
    })
}

fn number(segment: &str) -> bool {
    let digits = segment.bytes().take_while(u8::is_ascii_digit).count();
    digits > 0 && !segment[digits..].starts_with(|c: char| c.is_ascii_alphanumeric())
}

fn commit(segment: &str) -> bool {
    segment.bytes().take_while(u8::is_ascii_hexdigit).count() >= 7
}

/// Whether a link's target is a short name that GitLab resolves although it stands in a link:
/// `[see](#12)`, `[ann](@ann)`, `[x](group/project!3)` (GitLab: `Banzai::Filter::References`).
pub(super) fn is_short_reference(target: &str) -> bool {
    let target = target.trim();
    if target.strip_prefix('@').is_some_and(|rest| rest.starts_with(|c: char| c.is_alphanumeric() || c == '_')) {
        return true;
    }
    let project = |text: &str| text.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '-' | '/'));
    if let Some((before, after)) = target.split_once(['#', '!', '&']) {
        return project(before) && number(after);
    }
    if let Some((before, after)) = target.split_once('@') {
        return before.contains('/') && project(before) && commit(after);
    }
    let prefix = target.get(..3).unwrap_or_default();
    (prefix.eq_ignore_ascii_case("gh-") || prefix.eq_ignore_ascii_case("gl-")) && number(&target[3..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_that_note_their_mentions_are_known_by_their_path() {
        for (url, expected) in [
            ("https://github.com/o/r/issues/12", true),
            ("https://github.com/o/r/pull/12/files#diff-1", true),
            ("HTTPS://github.com/o/r/pull/12?x=1", true),
            ("https://gitlab.example.com/sub/g/p/-/merge_requests/3", true),
            ("https://gitlab.com/g/p/-/work_items/3", true),
            ("https://gitlab.com/groups/g/-/epics/3", true),
            ("https://gitlab.com/g/p/-/issues/incident/3", true),
            ("https://github.com/o/r/discussions/3", true),
            ("https://gitlab.com/g/p/-/commit/0123abc", true),
            ("www.github.com/o/r/issues/1", true),
            ("https://github.com/o/r/%69ssues/1", true),
            ("https://github.com/o/r/issues", false),
            ("https://github.com/o/r/issues/new", false),
            ("https://github.com/o/r/blob/main/issues/1a.md", false),
            ("https://doc.rust-lang.org/std/#12", false),
            ("https://github.com/o/r/commits/main", false),
            ("docs/issues/12", false),
        ] {
            assert_eq!(is_request_url(url), expected, "{url}");
        }
    }

    #[test]
    fn short_names_in_links_are_known() {
        for (target, expected) in [
            ("#12", true),
            ("!3", true),
            ("&4", true),
            ("group/sub/project#12", true),
            ("@ann", true),
            ("@group/team", true),
            ("GH-12", true),
            ("o/r@0123abc", true),
            ("#section", false),
            ("#12-steps", true),
            ("a@b.c", false),
            ("docs/a.md", false),
            ("https://x.example/#12", false),
            ("ab", false),
            ("é", false),
        ] {
            assert_eq!(is_short_reference(target), expected, "{target}");
        }
    }
}
