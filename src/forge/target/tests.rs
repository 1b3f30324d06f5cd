use super::*;
use crate::exit::Exit;

#[derive(Default, Clone, Copy)]
struct Case<'a> {
    reference: Option<&'a str>,
    project: Option<&'a str>,
    remote: Option<&'a str>,
    forge: Option<Kind>,
    api_url: Option<&'a str>,
    env: &'a [(&'a str, &'a str)],
    event: &'a str,
}

fn answer(remotes: &[(&str, &str)], case: Case<'_>) -> Result<Resolution, TargetError> {
    let remotes: Vec<_> = remotes.iter().map(|(name, url)| Remote::new(*name, url, None)).collect();
    let reference: Option<Reference> = case.reference.map(|text| text.parse().unwrap());
    let question = Question {
        reference: reference.as_ref(),
        project: case.project,
        remote: case.remote,
        forge: case.forge,
        api_url: case.api_url,
        remotes: &remotes,
        env: &Env::of(case.env.iter().copied()),
    };
    resolve(&question, |_| Ok(case.event.as_bytes().to_vec()))
}

fn found(remotes: &[(&str, &str)], case: Case<'_>) -> (Site, Number) {
    match answer(remotes, case) {
        Ok(Resolution::Found(site, number)) => (*site, number),
        other => panic!("{other:?}"),
    }
}

fn refused(remotes: &[(&str, &str)], case: Case<'_>) -> TargetError {
    let error = answer(remotes, case).unwrap_err();
    assert_eq!(error.exit(), Exit::Usage);
    assert!(!error.help().is_empty());
    error
}

const GITHUB: [(&str, &str); 1] = [("origin", "https://github.com/acme/widgets.git")];

#[test]
fn a_plain_number_in_a_plain_clone() {
    let (site, number) = found(&GITHUB, Case { reference: Some("#22"), ..Case::default() });
    assert_eq!(
        site,
        Site {
            kind: Kind::GitHub,
            host: Host::named("github.com").unwrap(),
            scheme: Scheme::Https,
            project: "acme/widgets".to_owned(),
            project_id: None,
            api: Url::parse("https://api.github.com/").unwrap(),
            remote: "origin".to_owned(),
            decided: Decided { remote: Decision::OnlyProject, kind: Decision::KnownHost, api: Decision::Host },
        }
    );
    assert!(matches!(number, Number::Given(22)));
}

#[test]
fn c39_a_gitlab_under_a_sub_path_on_a_port() {
    let expected = ("group/proj", "https://git.corp:8443/gitlab/api/v4/");
    let https = ("origin", "https://git.corp:8443/gitlab/group/proj.git");
    let ssh = ("origin", "ssh://git@git.corp:2222/group/proj.git");
    let api_url = Some("https://git.corp:8443/gitlab/api/v4");
    let named = [("GITLAB_HOST", "git.corp:8443/gitlab")];
    let as_url = [("GITLAB_HOST", "https://git.corp:8443/gitlab/")];
    let base = Case { reference: Some("22"), ..Case::default() };
    for (remote, case) in [
        (https, Case { env: &named, ..base }),
        (https, Case { env: &as_url, ..base }),
        (https, Case { forge: Some(Kind::GitLab), api_url, ..base }),
        (ssh, Case { env: &named, ..base }),
        (ssh, Case { forge: Some(Kind::GitLab), api_url, ..base }),
        (
            https,
            Case {
                env: &named,
                reference: Some("https://git.corp:8443/gitlab/group/proj/-/merge_requests/22/diffs"),
                ..base
            },
        ),
    ] {
        let (site, _) = found(&[remote], case);
        assert_eq!((site.project.as_str(), site.api.as_str()), expected, "{remote:?}");
        assert_eq!(site.kind, Kind::GitLab);
    }
}

#[test]
fn c39_an_unknown_host_is_asked_for_and_never_guessed() {
    let base = Case { reference: Some("22"), ..Case::default() };
    for url in ["https://git.company.com/g/p", "https://gitlab.company.com/g/p", "git@github.company.com:g/p"] {
        let error = refused(&[("origin", url)], base);
        assert!(matches!(error, TargetError::UnknownForge { alias: false, .. }), "{error}");
        let help = error.help();
        assert!(help.contains("--forge") && help.contains("GITLAB_HOST=") && help.contains("GH_HOST="), "{help}");
    }
    let page = Case { reference: Some("https://git.company.com/g/p/-/merge_requests/22"), ..base };
    assert!(matches!(refused(&[("origin", "https://git.company.com/g/p")], page), TargetError::UnknownForge { .. }));
    let alias = refused(&[("origin", "git@alias:g/p.git")], base);
    assert!(matches!(alias, TargetError::UnknownForge { alias: true, .. }) && alias.help().contains("--remote origin"));
    let alias = refused(&[("origin", "git@alias:g/p.git")], Case { forge: Some(Kind::GitLab), ..base });
    assert!(matches!(alias, TargetError::AliasWithoutApi { .. }));
}

#[test]
fn a_forge_and_what_contradicts_it() {
    let base = Case::default();
    let gitlab = [("origin", "https://gitlab.com/g/s/p")];
    let pull = Case { reference: Some("https://gitlab.com/g/p/pull/22"), ..base };
    assert!(matches!(refused(&[("o", "https://gitlab.com/g/p")], pull), TargetError::OtherForge { .. }));
    let forced = Case { reference: Some("22"), forge: Some(Kind::GitHub), ..base };
    assert!(matches!(refused(&gitlab, forced), TargetError::NotOwnerAndRepo { .. }));
    let (site, _) = found(&gitlab, Case { reference: Some("22"), ..base });
    assert_eq!(site.decided.kind, Decision::KnownHost);
    let (site, _) = found(&[("o", "https://git.corp/g/p")], Case { env: &[("GH_HOST", "git.corp")], ..forced });
    assert_eq!(site.decided.kind, Decision::Flag("--forge"));
}

const ACTIONS: [(&str, &str); 5] = [
    ("GITHUB_ACTIONS", "true"),
    ("GITHUB_SERVER_URL", "https://github.com"),
    ("GITHUB_API_URL", "https://api.github.com"),
    ("GITHUB_REPOSITORY", "acme/widgets"),
    ("GITHUB_EVENT_PATH", "event.json"),
];
const PULL: &str = r#"{"pull_request":{"number":22}}"#;

#[test]
fn in_ci_the_request_is_ci_s() {
    let fork_too = [("fork", "https://github.com/me/widgets"), GITHUB[0]];
    let case = Case { env: &ACTIONS, event: PULL, ..Case::default() };
    let (site, number) = found(&fork_too, case);
    assert_eq!((site.remote.as_str(), site.decided.remote), ("origin", Decision::Ci));
    assert_eq!(site.decided.api, Decision::Variable("GITHUB_API_URL"));
    assert!(matches!(number, Number::Given(22)));
    // The number is one of CI's project alone.
    let error = refused(&fork_too, Case { remote: Some("fork"), ..case });
    assert!(matches!(error, TargetError::CiElsewhere { number: 22, .. }), "{error}");
    assert!(matches!(refused(&fork_too[..1], case), TargetError::CiProject { .. }));
    let (_, number) = found(&fork_too[..1], Case { reference: Some("7"), ..case });
    assert!(matches!(number, Number::Given(7)));
}

#[test]
fn in_ci_without_a_request() {
    let case = Case { env: &ACTIONS, event: r#"{"ref":"refs/heads/main","after":"x"}"#, ..Case::default() };
    let (_, number) = found(&GITHUB, case);
    assert!(matches!(number, Number::OfBranch { pushed: true }), "{number:?}");
    assert!(matches!(refused(&GITHUB, Case { event: r#"{"schedule":"x"}"#, ..case }), TargetError::Ci(_)));
    assert!(matches!(refused(&GITHUB, Case { event: "broken", ..case }), TargetError::Ci(_)));
    let (_, number) = found(&GITHUB, Case::default());
    assert!(matches!(number, Number::OfBranch { pushed: false }));
}

#[test]
fn in_gitlab_ci_the_project_has_a_number_and_the_job_s_token_is_not_in_the_url() {
    let env = [
        ("GITLAB_CI", "true"),
        ("CI_SERVER_URL", "https://git.corp"),
        ("CI_API_V4_URL", "https://git.corp/api/v4"),
        ("CI_MERGE_REQUEST_IID", "22"),
        ("CI_MERGE_REQUEST_PROJECT_ID", "7"),
        ("CI_MERGE_REQUEST_PROJECT_PATH", "g/p"),
    ];
    let remotes = [("origin", "https://gitlab-ci-token:s3cret@git.corp/g/p.git")];
    let (site, number) = found(&remotes, Case { env: &env, ..Case::default() });
    assert_eq!((site.kind, site.project_id, site.decided.kind), (Kind::GitLab, Some(7), Decision::Ci));
    assert!(!format!("{site:?}").contains("s3cret"));
    assert!(matches!(number, Number::Given(22)));
    let fork = [remotes[0], ("fork", "https://git.corp/me/p.git")];
    let (site, _) = found(&fork, Case { env: &env, remote: Some("fork"), reference: Some("3"), ..Case::default() });
    assert_eq!(site.project_id, None, "the number is the target project's");
}

#[test]
fn several_projects_are_asked_and_the_answer_settles_it() {
    let remotes = [("origin", "git@github.com:me/widgets"), ("upstream", "git@github.com:acme/widgets")];
    let case = Case { reference: Some("22"), ..Case::default() };
    let Ok(Resolution::Ask(candidates)) = answer(&remotes, case) else { panic!("not asked") };
    let error = TargetError::Ambiguous { candidates: candidates.clone() };
    assert!(error.to_string().contains("acme/widgets on github.com (upstream)") && error.help().contains("--remote"));
    let (site, _) = found(&remotes, Case { remote: Some(candidates[1].remote()), ..case });
    assert_eq!(site.project, "acme/widgets");
}
