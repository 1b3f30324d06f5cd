use super::*;
use crate::settings::Env;

type Remotes<'a> = &'a [(&'a str, &'a str, Option<&'a str>)];

const FORK: (&str, &str, Option<&str>) = ("origin", "git@github.com:me/widgets.git", None);
const TARGET: (&str, &str, Option<&str>) = ("upstream", "https://github.com/acme/widgets.git", None);

#[derive(Default, Clone, Copy)]
struct Case<'a> {
    reference: Option<&'a str>,
    project: Option<&'a str>,
    remote: Option<&'a str>,
    ci: Option<(&'a str, &'a str)>,
    by_ci_alone: bool,
    gitlab_host: &'a str,
}

fn answer(remotes: Remotes<'_>, case: Case<'_>) -> Result<Choice, TargetError> {
    let remotes: Vec<_> = remotes.iter().map(|(name, url, mark)| Remote::new(*name, url, *mark)).collect();
    let reference: Option<Reference> = case.reference.map(|text| text.parse().unwrap());
    let hosts = Hosts::read(&Env::of([("GITLAB_HOST", case.gitlab_host)]), None).unwrap();
    let ci_host = case.ci.map(|(host, _)| Host::parse(host).unwrap());
    choose(&Asked {
        remotes: &remotes,
        reference: reference.as_ref(),
        project: case.project,
        remote: case.remote,
        ci: ci_host.as_ref().zip(case.ci).map(|(host, (_, project))| (host, Scheme::Https, project)),
        by_ci_alone: case.by_ci_alone,
        hosts: &hosts,
        api_path: "",
    })
}

/// `remote host/project` or what is asked.
fn chosen(remotes: Remotes<'_>, case: Case<'_>) -> (String, Option<Decision>) {
    match answer(remotes, case).unwrap() {
        Choice::Found(found, by) => (format!("{} {}/{}", found.remote(), found.host, found.project), Some(by)),
        Choice::Ask(candidates) => (candidates.iter().map(Candidate::remote).collect::<Vec<_>>().join(","), None),
    }
}

#[test]
fn c51_a_fork_s_clone() {
    let target = "upstream github.com/acme/widgets";
    let none = Case::default();
    let marked = |mark| [FORK, (TARGET.0, TARGET.1, Some(mark))];
    let fork_marked = [(FORK.0, FORK.1, Some("acme/widgets")), TARGET];
    for (remotes, case, expected, by) in [
        (&[FORK, TARGET][..], Case { reference: Some("acme/widgets#22"), ..none }, target, Some(Decision::Reference)),
        (&[FORK, TARGET], Case { reference: Some("ACME/Widgets#22"), ..none }, target, Some(Decision::Reference)),
        (
            &[FORK, TARGET],
            Case { reference: Some("https://github.com/acme/widgets/pull/22"), ..none },
            target,
            Some(Decision::Reference),
        ),
        (&[FORK, TARGET], Case { project: Some("acme/widgets"), ..none }, target, Some(Decision::Flag("-R"))),
        (
            &[FORK, TARGET],
            Case { project: Some("github.com/acme/widgets"), ..none },
            target,
            Some(Decision::Flag("-R")),
        ),
        (
            &[FORK, TARGET],
            Case { project: Some("git@github.com:acme/widgets"), reference: Some("22"), ..none },
            target,
            Some(Decision::Flag("-R")),
        ),
        (&[FORK, TARGET], Case { remote: Some("upstream"), ..none }, target, Some(Decision::Flag("--remote"))),
        (&[FORK, TARGET], Case { ci: Some(("github.com", "acme/widgets")), ..none }, target, Some(Decision::Ci)),
        (&marked("base"), none, target, Some(Decision::GhResolved)),
        (&fork_marked, none, target, Some(Decision::GhResolved)),
        (&marked("gone/away"), none, "origin,upstream", None),
        // Nothing says which: neither the names of the remotes nor their order decides.
        (&[FORK, TARGET], none, "origin,upstream", None),
        (&[TARGET, FORK], Case { reference: Some("22"), ..none }, "origin,upstream", None),
    ] {
        assert_eq!(chosen(remotes, case), (expected.to_owned(), by), "{remotes:?}");
    }
}

#[test]
fn the_order_of_what_decides() {
    let both_marked = [(FORK.0, FORK.1, Some("base")), TARGET];
    let only = [TARGET];
    let none = Case::default();
    let fork = "origin github.com/me/widgets";
    let target = "upstream github.com/acme/widgets";
    let ci = Some(("github.com", "acme/widgets"));
    for (remotes, case, expected) in [
        (&both_marked[..], none, fork),
        (&both_marked, Case { ci, ..none }, target),
        (&both_marked, Case { ci, reference: Some("me/widgets#1"), ..none }, fork),
        (&both_marked, Case { ci, remote: Some("origin"), ..none }, fork),
        (&only, none, target),
        (&only, Case { ci: Some(("github.com", "acme/other")), reference: Some("1"), ..none }, target),
        (&only, Case { ci: Some(("other.corp", "acme/widgets")), reference: Some("1"), ..none }, target),
    ] {
        assert_eq!(chosen(remotes, case).0, expected);
    }
    let contradicting = [(FORK.0, FORK.1, Some("base")), (TARGET.0, TARGET.1, Some("base"))];
    assert_eq!(chosen(&contradicting, none).1, None);
}

#[test]
fn c51_a_project_that_no_remote_is_of_is_never_replaced() {
    let none = Case::default();
    for case in [
        Case { reference: Some("acme/other#22"), ..none },
        Case { reference: Some("https://github.com/acme/other/pull/22"), ..none },
        Case { reference: Some("https://git.corp/acme/widgets/pull/22"), ..none },
        Case { project: Some("acme/other"), ..none },
        Case { project: Some("https://git.corp/acme/widgets"), ..none },
    ] {
        let error = answer(&[FORK, TARGET], case).unwrap_err();
        assert!(matches!(error, TargetError::NoSuchProject { .. }), "{error}");
        assert!(error.to_string().contains("me/widgets on github.com (origin); acme/widgets on github.com (upstream)"));
    }
    let ci = Some(("github.com", "acme/widgets"));
    let error = answer(&[FORK], Case { ci, by_ci_alone: true, ..none }).unwrap_err();
    assert!(matches!(error, TargetError::CiProject { .. }), "{error}");
    let error = answer(&[FORK, TARGET], Case { reference: Some("acme/widgets#1"), remote: Some("origin"), ..none });
    assert!(matches!(error, Err(TargetError::RemoteElsewhere { .. })), "{error:?}");
    let error =
        answer(&[FORK, TARGET], Case { reference: Some("acme/widgets#1"), project: Some("me/widgets"), ..none });
    assert!(matches!(error, Err(TargetError::ProjectTwice { .. })), "{error:?}");
}

#[test]
fn the_same_path_on_two_hosts_is_asked() {
    let mirror = ("mirror", "https://gitlab.com/acme/widgets", None);
    let none = Case::default();
    assert_eq!(chosen(&[TARGET, mirror], Case { reference: Some("acme/widgets!22"), ..none }).0, "upstream,mirror");
    let both = Case { reference: Some("acme/widgets#22"), project: Some("https://gitlab.com/acme/widgets"), ..none };
    assert_eq!(chosen(&[TARGET, mirror], both).0, "mirror gitlab.com/acme/widgets");
    let page = Some("https://gitlab.com/acme/widgets/-/merge_requests/22");
    assert_eq!(chosen(&[TARGET, mirror], Case { reference: page, ..none }).0, "mirror gitlab.com/acme/widgets");
}

#[test]
fn c39_an_ssh_alias_is_taken_for_a_host_only_by_a_double_word() {
    let alias = ("origin", "git@work:acme/widgets.git", None);
    let local = ("origin", "/srv/git/widgets.git", None);
    let none = Case::default();
    let page = Case { reference: Some("https://github.com/acme/widgets/pull/22"), ..none };
    assert!(matches!(answer(&[alias], page), Err(TargetError::NoSuchProject { .. })));
    for remotes in [[alias], [local]] {
        let said = Case { remote: Some("origin"), ..page };
        assert_eq!(chosen(&remotes, said).0, "origin github.com/acme/widgets");
    }
    let other = Case { reference: Some("https://github.com/acme/other/pull/22"), remote: Some("origin"), ..none };
    assert!(matches!(answer(&[alias], other), Err(TargetError::RemoteElsewhere { .. })));
    // A real host is never taken for another one.
    let evil = Case { reference: Some("https://evil.example/acme/widgets/pull/22"), remote: Some("upstream"), ..none };
    assert!(matches!(answer(&[TARGET], evil), Err(TargetError::RemoteElsewhere { .. })));
    assert_eq!(chosen(&[alias], none).0, "origin work/acme/widgets");
    assert!(matches!(
        answer(&[local], Case { remote: Some("origin"), ..none }),
        Err(TargetError::RemoteWithoutProject { .. })
    ));
}

#[test]
fn c39_a_page_gives_an_ssh_remote_its_port_and_a_known_sub_path_goes() {
    let ssh = [("origin", "ssh://git@git.corp:2222/g/p.git", None)];
    let none = Case::default();
    let page = Case { reference: Some("https://git.corp:8443/g/p/-/merge_requests/22"), ..none };
    assert_eq!(chosen(&ssh, page).0, "origin git.corp:8443/g/p");
    let below = Case { reference: Some("https://git.corp/gitlab/g/p/-/merge_requests/22"), ..none };
    assert!(answer(&ssh, below).is_err());
    assert_eq!(chosen(&ssh, Case { gitlab_host: "git.corp/gitlab", ..below }).0, "origin git.corp/g/p");
    let https = [("origin", "https://git.corp/gitlab/g/p.git", None)];
    let short = Case { reference: Some("g/p!22"), ..none };
    assert!(answer(&https, short).is_err());
    assert_eq!(chosen(&https, Case { gitlab_host: "git.corp/gitlab", ..short }).0, "origin git.corp/g/p");
}

#[test]
fn nothing_to_choose_from() {
    let none = Case::default();
    assert_eq!(answer(&[], none), Err(TargetError::NoRemotes));
    let local = [("origin", "/srv/git/widgets.git", None)];
    assert_eq!(answer(&local, none), Err(TargetError::NoProjects { remotes: vec!["origin".to_owned()] }));
    let error = answer(&[FORK, TARGET], Case { remote: Some("nope"), ..none }).unwrap_err();
    assert_eq!(error.to_string(), r#"there is no remote "nope" (there is origin, upstream)"#);
    for text in ["widgets", "../x/y", "", "https://u:s3cret@h/a/b?x"] {
        let error = answer(&[FORK], Case { project: Some(text), ..none }).unwrap_err();
        assert!(matches!(error, TargetError::Project { .. }) && !error.to_string().contains("s3cret"), "{error}");
    }
}
