//! Variables of git that lead it elsewhere.

use super::scene::{Canary, Hub, author, finding, numbered};
use crate::support::repo::Repo;

#[test]
fn variables_of_git_neither_redirect_nor_run_anything() {
    let hub = Hub::new();
    hub.review(&[finding(5, "A fault.")]);
    let canary = Canary::new();
    let program = canary.program();
    let other = Repo::new();
    other.write("a.rs", numbered(40)).commit("another history");
    let elsewhere = |path: &str| other.path().join(path).display().to_string();
    let plain = hub.run(&["--format", "json"]).run().exits(0);
    let (before, before_there) = (hub.clone.fingerprint(), other.fingerprint());
    for variables in [
        vec![("GIT_COMMON_DIR", elsewhere(".git"))],
        vec![("GIT_INDEX_FILE", elsewhere(".git/index"))],
        vec![("GIT_OBJECT_DIRECTORY", elsewhere(".git/objects"))],
        vec![("GIT_ALTERNATE_OBJECT_DIRECTORIES", elsewhere(".git/objects"))],
        vec![("GIT_NAMESPACE", "evil".to_owned())],
        vec![("GIT_REPLACE_REF_BASE", "refs/heads/".to_owned())],
        vec![("GIT_GRAFT_FILE", elsewhere(".git/HEAD"))],
        vec![("GIT_SHALLOW_FILE", elsewhere(".git/HEAD"))],
        vec![("GIT_CEILING_DIRECTORIES", hub.clone.path().display().to_string())],
        vec![("GIT_EXTERNAL_DIFF", program.clone())],
        vec![("GIT_PAGER", program.clone()), ("PAGER", program.clone())],
        vec![("GIT_EDITOR", program.clone()), ("EDITOR", program.clone()), ("VISUAL", program.clone())],
        vec![("GIT_DIFF_OPTS", "-U0".to_owned())],
        vec![("GIT_ATTR_SOURCE", "HEAD".to_owned())],
        vec![("GIT_LITERAL_PATHSPECS", "1".to_owned()), ("GIT_ICASE_PATHSPECS", "1".to_owned())],
        vec![("GIT_TRACE", elsewhere("trace")), ("GIT_TRACE2_EVENT", elsewhere("trace"))],
        vec![("GIT_TRACE_CURL", elsewhere("trace")), ("GIT_TRACE_REDACT", "0".to_owned())],
        vec![("GIT_DEFAULT_HASH", "sha256".to_owned()), ("GIT_DEFAULT_REF_FORMAT", "reftable".to_owned())],
        vec![("GIT_CONFIG", elsewhere(".git/config"))],
        vec![("GIT_CONFIG_PARAMETERS", format!("'core.fsmonitor'='{program}' 'diff.external'='{program}'"))],
        vec![
            ("GIT_CONFIG_COUNT", "2".to_owned()),
            ("GIT_CONFIG_KEY_0", "core.fsmonitor".to_owned()),
            ("GIT_CONFIG_VALUE_0", program.clone()),
            ("GIT_CONFIG_KEY_1", "diff.external".to_owned()),
            ("GIT_CONFIG_VALUE_1", program.clone()),
        ],
    ] {
        let run = variables.iter().fold(hub.run(&["--format", "json"]), |run, (name, value)| run.env(*name, value));
        let answer = run.run().exits(0);
        assert_eq!(answer.out(), plain.out(), "{variables:?}");
        canary.assert_asleep();
        before.assert_same_but(&hub.clone.fingerprint(), &["ref refs/dai/"]);
        before_there.assert_same_but(&other.fingerprint(), &[]);
    }
}

/// Replacement refs and grafts would show another change than the forge sees.
#[test]
fn replaced_objects_are_shown_as_they_are() {
    let hub = Hub::of(author(|_| ()));
    hub.clone.git(&["fetch", "--quiet", "origin", "topic"]);
    let other = {
        hub.clone.git(&["switch", "--quiet", "-c", "mine", "main"]);
        hub.clone.write("a.rs", numbered(40).replace("line 30\n", "line thirty\n")).commit("another change")
    };
    hub.clone.switch("main");
    hub.clone.git(&["replace", &hub.head, &other]);
    hub.review(&[finding(5, "A fault.")]);
    let local = hub.run(&["--base", "main", "--head", &hub.head, "--format", "json"]).run().exits(0).json();
    assert_eq!(local["counts"]["ready"], 1, "{local:#}");
    let online = hub.run(&["--format", "json"]).run().exits(0).json();
    assert_eq!(online["counts"]["ready"], 1, "{online:#}");
}
