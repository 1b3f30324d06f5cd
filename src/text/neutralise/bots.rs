//! Commands of bots that read a comment's raw text, code included.
//!
//! Prow and its kin take a line by `(?m)^/([^\s]+)` (prow: `pkg/plugins`), Dependabot, Mergify and bors by
//! their own name at a line's beginning. A path such as `/usr/bin/env` is none of these.

/// Commands of Prow, of Tide, Lighthouse and the bots that follow them, and GitLab's quick actions of one word.
const SLASH: &[&str] = &[
    "approve",
    "assign",
    "auto-cc",
    "backport",
    "bot",
    "build",
    "bypass",
    "cc",
    "check-cla",
    "check-dco",
    "check-required-labels",
    "cherry-pick",
    "cherrypick",
    "clone",
    "close",
    "confidential",
    "cp",
    "create_merge_request",
    "deploy",
    "done",
    "draft",
    "due",
    "duplicate",
    "easycla",
    "epic",
    "estimate",
    "fix",
    "format",
    "good-first-issue",
    "help",
    "hold",
    "honk",
    "iteration",
    "joke",
    "kind",
    "label",
    "lgtm",
    "lifecycle",
    "lint-ready",
    "lock",
    "meow",
    "merge",
    "milestone",
    "move",
    "ok-to-test",
    "override",
    "pony",
    "priority",
    "promote",
    "publish",
    "ready",
    "reassign",
    "rebase",
    "recheck",
    "reject",
    "relabel",
    "release",
    "remove-approve",
    "remove-area",
    "remove-help",
    "remove-hold",
    "remove-kind",
    "remove-label",
    "remove-lgtm",
    "remove-lifecycle",
    "remove-priority",
    "remove-sig",
    "reopen",
    "request_review",
    "rerun",
    "retest",
    "retest-required",
    "retitle",
    "review",
    "run",
    "run-e2e",
    "shrug",
    "sig",
    "skip",
    "spend",
    "squash",
    "status",
    "submit_review",
    "subscribe",
    "tableflip",
    "target_branch",
    "test",
    "title",
    "triage",
    "trigger",
    "unapprove",
    "unassign",
    "uncc",
    "unhold",
    "unlabel",
    "unlock",
    "unsubscribe",
    "verify",
    "verify-owners",
    "weight",
    "wip",
    "woof",
    "area",
    "hold-cancel",
];

/// Bots that are spoken to by their name at a line's beginning.
const NAMES: &[&str] = &[
    "@bors",
    "@claude",
    "@codecov",
    "@coderabbitai",
    "@codex",
    "@copilot",
    "@cursor",
    "@cursoragent",
    "@dependabot",
    "@dependabot-preview",
    "@gemini-cli",
    "@github-actions",
    "@greptileai",
    "@homu",
    "@jenkins",
    "@k8s-ci-robot",
    "@mergifyio",
    "@mergify",
    "@openshift-bot",
    "@openshift-ci-robot",
    "@pullrequest",
    "@renovate",
    "@renovatebot",
    "@rust-highfive",
    "@rust-timer",
    "@rustbot",
    "@sourcery-ai",
    "@sweep",
    "@triagebot",
];

/// Whether a line is a command that a bot would take from code too.
pub(super) fn is_command(line: &str) -> bool {
    let line = line.trim_end();
    let word = line.split(char::is_whitespace).next().unwrap_or_default();
    if let Some(name) = word.strip_prefix('/') {
        return SLASH.iter().any(|known| name.eq_ignore_ascii_case(known));
    }
    if word.starts_with('@') {
        return NAMES.iter().any(|known| word.eq_ignore_ascii_case(known));
    }
    let rest = line[word.len()..].trim_start();
    word.eq_ignore_ascii_case("bors")
        && ["r+", "r-", "r=", "try", "merge", "delegate", "d+", "d=", "ping", "p=", "retry", "cancel", "single"]
            .iter()
            .any(|verb| rest.get(..verb.len()).is_some_and(|lead| lead.eq_ignore_ascii_case(verb)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_lines_that_are_commands_are_commands() {
        for line in [
            "/approve",
            "/LGTM",
            "/hold cancel",
            "/cherry-pick release-1.2",
            "/test all ",
            "bors r+",
            "bors r=ann",
            "@dependabot rebase",
            "@mergifyio queue",
        ] {
            assert!(is_command(line), "{line}");
        }
        for line in [
            "/usr/bin/env python",
            "/approved",
            "/approve/x",
            "/",
            "// approve",
            " /approve",
            "@Override",
            "@babel/core@7",
            "bors",
            "borsalino r+",
            "a /approve",
            "@decorator",
            "/api/v1",
        ] {
            assert!(!is_command(line), "{line}");
        }
    }
}
