//! Which token goes where, and what is said without one.

use crate::local::{at, fates};
use crate::support::github::{Access, Account};
use crate::widgets::{PROJECT, TOKEN, Widgets};

fn ready() -> Widgets {
    let widgets = Widgets::new();
    widgets.findings(&[at("a.rs", 5)]);
    widgets
}

#[test]
fn a_preview_tries_without_a_token_and_a_post_does_not() {
    let widgets = ready();
    let run = widgets.run(&["--format", "json"]).env_remove("GH_ENTERPRISE_TOKEN").run().exits(0);
    run.clone().says("there is no token");
    let codes: Vec<_> =
        run.json()["warnings"].as_array().expect("warnings").iter().map(|w| w["code"].clone()).collect();
    assert_eq!((codes, fates(&run.json())), (vec!["not_compared".into()], vec!["ready"]));
    assert!(widgets.forge.requests().iter().all(|r| r.request.header("authorization").is_none()));
    let run = widgets.run(&["--yes"]).env_remove("GH_ENTERPRISE_TOKEN").run().exits(8);
    run.says("GH_ENTERPRISE_TOKEN").says("gh auth token");
    widgets.forge.stage.project(PROJECT, |project| project.private = true);
    widgets.run(&[]).env_remove("GH_ENTERPRISE_TOKEN").run().exits(8).says("GH_ENTERPRISE_TOKEN");
    assert_eq!(widgets.forge.writes(), []);
}

#[test]
fn a_token_of_github_com_never_goes_to_another_host() {
    let widgets = ready();
    for name in ["GH_TOKEN", "GITHUB_TOKEN"] {
        let run = widgets.run(&["--yes"]).env_remove("GH_ENTERPRISE_TOKEN").env(name, TOKEN).run().exits(8);
        assert!(!run.err().contains(TOKEN), "{run}");
        run.says(name);
    }
    assert!(widgets.forge.requests().iter().all(|r| r.request.header("authorization").is_none()));
}

#[test]
fn a_refused_token_is_8_with_the_variable_and_the_scope() {
    for (account, scope) in [
        (None, "GH_ENTERPRISE_TOKEN"),
        (Some(Account::person("ann").with(Access::Read)), "pull_requests=write"),
        (Some(Account::person("ann").with(Access::SingleSignOn)), "single sign-on"),
    ] {
        let widgets = ready();
        if let Some(account) = account {
            widgets.forge.stage.account("other-token", account);
        }
        let run = widgets.run(&["--yes", "-v"]).env("GH_ENTERPRISE_TOKEN", "other-token").run().exits(8);
        assert!(!run.err().contains("other-token"), "{run}");
        run.says(scope).says("GH_ENTERPRISE_TOKEN");
        assert_eq!(widgets.stored(), (0, 0));
    }
}

#[test]
fn a_token_that_can_be_none_is_8_and_never_shown() {
    let widgets = ready();
    for token in ["with blank", "line\nbreak", "tab\tinside", "ключ"] {
        let run = widgets.run(&[]).env("GH_ENTERPRISE_TOKEN", token).run().exits(8).says("GH_ENTERPRISE_TOKEN");
        assert!(!run.err().contains(token), "{run}");
    }
    assert_eq!(widgets.forge.requests(), []);
}

#[test]
fn dot_env_files_give_a_token_unless_git_tracks_them() {
    let widgets = ready();
    widgets
        .clone
        .write(".env.dai", format!("GH_ENTERPRISE_TOKEN={TOKEN}\n"))
        .write(".env", "GH_ENTERPRISE_TOKEN=wrong\n");
    widgets.run(&["--yes"]).env_remove("GH_ENTERPRISE_TOKEN").run().exits(0);
    widgets.clone.git(&["add", "--force", ".env.dai"]);
    let run = widgets.run(&[]).env_remove("GH_ENTERPRISE_TOKEN").run().exits(8);
    run.says(".env.dai is not read: git tracks it");
}

#[test]
fn the_token_is_nowhere_but_in_the_header() {
    let widgets = ready();
    let run = widgets.run(&["--yes", "-vv", "--format", "json"]).run().exits(0);
    assert!(!run.err().contains(TOKEN) && !run.out().contains(TOKEN), "{run}");
    for request in widgets.forge.requests() {
        let request = request.request;
        assert!(!request.path.contains(TOKEN) && !request.query.contains(TOKEN));
        assert_eq!(request.header("authorization"), Some(format!("Bearer {TOKEN}").as_str()));
    }
    assert!(widgets.forge.git_requests().iter().all(|r| r.request.header("authorization").is_none()));
    for entry in ["config", "FETCH_HEAD", "dai/lock"] {
        let text = std::fs::read_to_string(widgets.clone.path().join(".git").join(entry)).unwrap_or_default();
        assert!(!text.contains(TOKEN), "{entry}");
    }
    let receipt = std::fs::read_to_string(widgets.clone.path().join(".dai/reviews/22.posted.json")).expect("a receipt");
    assert!(!receipt.contains(TOKEN));
}
