use secrecy::ExposeSecret;

use super::*;
use crate::forge::target::{Number, Question, Resolution, resolve};
use crate::forge::{Reference, Remote};
use crate::settings::{DotEnv, Env};

type Vars<'a> = &'a [(&'a str, &'a str)];

/// The site as it is decided from a remote and the environment, so that both halves are held together.
fn site(remote: &str, forge: Option<Kind>, env: Vars<'_>) -> Site {
    let reference = Reference::Number(22);
    let question = Question {
        reference: Some(&reference),
        project: None,
        remote: None,
        forge,
        api_url: None,
        remotes: &[Remote::new("origin", remote, None)],
        env: &Env::of(env.iter().copied()),
    };
    match resolve(&question, |_| Ok(Vec::new())) {
        Ok(Resolution::Found(site, Number::Given(22))) => *site,
        other => panic!("{remote}: {other:?}"),
    }
}

fn look(remote: &str, forge: Option<Kind>, env: Vars<'_>, file: Vars<'_>) -> Result<Option<Token>, TokenError> {
    let files = vec![DotEnv::of(".env.dai", file.iter().copied())];
    find(&Settings::new(Env::of(env.iter().copied()), files), &site(remote, forge, env))
}

/// The variable and the token that go to a remote's host.
fn goes(remote: &str, forge: Option<Kind>, env: Vars<'_>) -> Option<(&'static str, String)> {
    look(remote, forge, env, &[]).unwrap().map(|token| (token.variable, token.secret.expose_secret().to_owned()))
}

const ALL_GITHUB: [(&str, &str); 4] = [
    ("GH_TOKEN", "gh"),
    ("GITHUB_TOKEN", "github"),
    ("GH_ENTERPRISE_TOKEN", "ghe"),
    ("GITHUB_ENTERPRISE_TOKEN", "githube"),
];

#[test]
fn c39_github_s_names_in_their_order_and_each_for_its_hosts() {
    let cloud = "https://github.com/a/b";
    let ghes = "https://git.corp/a/b";
    let github = Some(Kind::GitHub);
    for (remote, env, expected) in [
        (cloud, &ALL_GITHUB[..], Some("GH_TOKEN")),
        (cloud, &ALL_GITHUB[1..], Some("GITHUB_TOKEN")),
        (cloud, &ALL_GITHUB[2..], None),
        ("git@acme.ghe.com:a/b", &ALL_GITHUB, Some("GH_TOKEN")),
        ("ssh://git@ssh.github.com:443/a/b", &ALL_GITHUB, Some("GH_TOKEN")),
        (ghes, &ALL_GITHUB, Some("GH_ENTERPRISE_TOKEN")),
        (ghes, &ALL_GITHUB[3..], Some("GITHUB_ENTERPRISE_TOKEN")),
        (ghes, &ALL_GITHUB[..2], None),
        ("https://evilghe.com/a/b", &ALL_GITHUB[..2], None),
        ("https://github.com.evil.example/a/b", &ALL_GITHUB[..2], None),
        ("https://notgithub.com/a/b", &ALL_GITHUB[..2], None),
    ] {
        assert_eq!(goes(remote, github, env).map(|(name, _)| name), expected, "{remote} {env:?}");
    }
}

#[test]
fn c39_what_a_host_speaks_makes_no_token_one_for_it() {
    let github = Some(Kind::GitHub);
    let enterprise = ("GH_ENTERPRISE_TOKEN", "ghe");
    // gitlab.com is no GitHub, whatever is said of it.
    assert_eq!(goes("https://gitlab.com/a/b", github, &[enterprise]), None);
    assert_eq!(goes("https://git.corp/a/b", github, &[enterprise, ("GITLAB_HOST", "git.corp")]), None);
    // GH_HOST says which server the token is for.
    assert_eq!(goes("https://other.corp/a/b", github, &[enterprise, ("GH_HOST", "git.corp")]), None);
    assert!(goes("https://git.corp/a/b", None, &[enterprise, ("GH_HOST", "git.corp")]).is_some());
    assert!(goes("https://git.corp/a/b", github, &[enterprise, ("GH_HOST", "github.com")]).is_some());
    // A GitLab token is not for github.com.
    let error = look("https://github.com/a/b", Some(Kind::GitLab), &[("GITLAB_TOKEN", "gl")], &[]).unwrap_err();
    assert!(matches!(error, TokenError::OtherHost { .. }));
}

#[test]
fn c39_the_run_s_own_token_is_for_the_run_s_own_server() {
    let github = Some(Kind::GitHub);
    let actions = |server| [("GITHUB_ACTIONS", "true"), ("GITHUB_SERVER_URL", server), ("GITHUB_TOKEN", "run")];
    let on_ghes = actions("https://ghes.corp");
    let on_cloud = actions("https://github.com");
    let run = Some(("GITHUB_TOKEN", "run".to_owned()));
    assert_eq!(goes("https://ghes.corp/a/b", None, &on_ghes), run);
    assert_eq!(goes("https://github.com/a/b", None, &on_cloud), run);
    assert_eq!(goes("https://github.com/a/b", None, &on_ghes), None);
    assert_eq!(goes("https://other.corp/a/b", github, &on_ghes), None);
    assert_eq!(goes("https://ghes.corp:8443/a/b", github, &on_ghes), None);
    assert_eq!(goes("https://ghes.corp/a/b", github, &on_cloud), None);
    assert_eq!(goes("https://ghes.corp/a/b", github, &on_ghes[1..]), None);
    let named = [&on_ghes[..], &[("GH_ENTERPRISE_TOKEN", "named")]].concat();
    assert_eq!(goes("https://ghes.corp/a/b", None, &named), Some(("GH_ENTERPRISE_TOKEN", "named".to_owned())));
    // A file's GITHUB_TOKEN is not the run's.
    assert!(look("https://ghes.corp/a/b", None, &on_ghes[..2], &[("GITHUB_TOKEN", "file")]).unwrap().is_none());
}

#[test]
fn c39_gitlab_s_token_is_for_the_host_of_gitlab_host() {
    let gitlab = Some(Kind::GitLab);
    let ci = [("GITLAB_CI", "true"), ("CI_SERVER_URL", "https://git.corp:8443/gitlab")];
    let ci_named = [ci[0], ci[1], ("GITLAB_HOST", "git.corp")];
    let ci_elsewhere = [ci[0], ci[1], ("GITLAB_HOST", "git.corp:9443")];
    for (remote, env, goes_there) in [
        ("https://gitlab.com/g/p", &[][..], true),
        ("git@gitlab.com:g/p", &[], true),
        ("ssh://git@altssh.gitlab.com:443/g/p", &[], true),
        ("https://gitlab.com:8443/g/p", &[], false),
        ("https://git.corp/g/p", &[], false),
        ("https://gitlab.com.evil.example/g/p", &[], false),
        ("https://gitlab.com/g/p", &[("GITLAB_HOST", "git.corp")], false),
        ("https://git.corp/g/p", &[("GITLAB_HOST", "git.corp")], true),
        ("https://git.corp/g/p", &[("GITLAB_HOST", "GIT.corp:443/")], true),
        ("https://git.corp/gitlab/g/p", &[("GITLAB_HOST", "git.corp/gitlab")], true),
        ("https://git.corp/gitlab/g/p", &[("GITLAB_HOST", "https://git.corp/gitlab")], true),
        ("https://git.corp:8443/g/p", &[("GITLAB_HOST", "git.corp:8443")], true),
        ("https://git.corp:8443/g/p", &[("GITLAB_HOST", "git.corp")], false),
        ("https://git.corp:9443/g/p", &[("GITLAB_HOST", "git.corp:8443")], false),
        ("ssh://git@git.corp:2222/g/p", &[("GITLAB_HOST", "git.corp:8443")], true),
        ("https://sub.git.corp/g/p", &[("GITLAB_HOST", "git.corp")], false),
        ("https://git.corp:8443/gitlab/g/p", &ci, true),
        ("https://git.corp:8443/gitlab/g/p", &ci_named, true),
        ("https://git.corp:9443/gitlab/g/p", &ci_named, false),
        ("https://git.corp:9443/g/p", &ci_elsewhere, true),
        ("https://git.corp:8443/gitlab/g/p", &ci_elsewhere, false),
        ("https://gitlab.com/g/p", &ci, false),
        ("https://git.corp:8443/gitlab/g/p", &ci[1..], false),
    ] {
        for variable in ["GITLAB_TOKEN", "GITLAB_ACCESS_TOKEN"] {
            let env = [env, &[(variable, "glpat-s3cret")]].concat();
            match look(remote, gitlab, &env, &[]) {
                Ok(Some(token)) => assert!(goes_there && token.variable == variable, "{remote} {env:?}"),
                Err(error @ TokenError::OtherHost { .. }) => {
                    assert!(!goes_there, "{remote} {env:?}");
                    assert_eq!(error.exit(), Exit::Token);
                    assert!(error.help().contains("GITLAB_HOST=") && error.is_absence(), "{}", error.help());
                    assert!(!format!("{error}{error:?}{}", error.help()).contains("s3cret"));
                }
                other => panic!("{remote} {env:?}: {other:?}"),
            }
        }
    }
}

#[test]
fn the_help_for_another_host_makes_the_next_run_work() {
    let gitlab = Some(Kind::GitLab);
    for remote in ["https://git.corp:8443/g/p", "https://git.corp/g/p", "git@git.corp:g/p", "http://127.0.0.1:9/g/p"] {
        let token = ("GITLAB_TOKEN", "glpat-x");
        let TokenError::OtherHost { instance, .. } = look(remote, gitlab, &[token], &[]).unwrap_err() else {
            panic!("{remote}")
        };
        assert!(goes(remote, None, &[token, ("GITLAB_HOST", &instance)]).is_some(), "{remote} {instance}");
    }
}

#[test]
fn a_job_s_token_cannot_post() {
    let job = ("CI_JOB_TOKEN", "glcbt-s3cret");
    let error = look("https://gitlab.com/g/p", None, &[job], &[]).unwrap_err();
    assert!(matches!(error, TokenError::JobTokenOnly { .. }) && error.to_string().contains("CI_JOB_TOKEN cannot post"));
    assert!(error.help().contains("`api`"), "{}", error.help());
    assert!(goes("https://gitlab.com/g/p", None, &[job, ("GITLAB_TOKEN", "x")]).is_some());
    assert!(look("https://gitlab.com/g/p", None, &[job], &[("GITLAB_TOKEN", "x")]).unwrap().is_some());
}

#[test]
fn a_file_s_token_is_bound_like_any_other() {
    let file = [("GH_TOKEN", "file"), ("GITLAB_TOKEN", "file"), ("GITLAB_HOST", "git.corp")];
    let token = look("https://github.com/a/b", None, &[], &file).unwrap().unwrap();
    assert_eq!((token.secret.expose_secret(), token.origin), ("file", Origin::DotEnv(".env.dai")));
    let token = look("https://github.com/a/b", None, &[("GITHUB_TOKEN", "typed")], &file).unwrap().unwrap();
    assert_eq!((token.secret.expose_secret(), token.origin), ("typed", Origin::Environment));
    assert!(look("https://git.corp/g/p", Some(Kind::GitLab), &[], &file).is_err(), "a file chooses no host");
}

#[test]
fn a_pasted_token_is_trimmed_and_a_broken_one_is_said_without_its_text() {
    for (value, expected) in [
        ("  ghp_s3cret\r\n", Ok(Some("ghp_s3cret"))),
        ("", Ok(None)),
        (" \n", Ok(None)),
        ("ghp_s3cret more", Err(TokenFault::Blank)),
        ("ghp_s3cret\nX-Evil: 1", Err(TokenFault::Blank)),
        ("ghp_s3cret\u{a0}x", Err(TokenFault::Blank)),
        ("ghp_s3cret\u{1b}[0m", Err(TokenFault::Control)),
        ("ghp_s3cret\u{7f}", Err(TokenFault::Control)),
        ("ghp_s3crét", Err(TokenFault::NotAscii)),
        ("\u{feff}ghp_s3cret", Err(TokenFault::NotAscii)),
    ] {
        let found = look("https://github.com/a/b", None, &[("GH_TOKEN", value)], &[]);
        if let Err(error) = &found {
            let said = format!("{error} {error:?} {}", error.help());
            assert!(said.contains("GH_TOKEN") && !said.contains("s3c"), "{said}");
            assert!(!error.is_absence() && error.exit() == Exit::Token);
        }
        let found = match found {
            Ok(token) => Ok(token.map(|token| token.secret.expose_secret().to_owned())),
            Err(TokenError::Malformed { fault, .. }) => Err(fault),
            Err(other) => panic!("{other}"),
        };
        assert_eq!(found, expected.map(|token| token.map(str::to_owned)), "{value:?}");
    }
}

#[cfg(unix)]
#[test]
fn a_token_of_other_bytes_is_said() {
    use std::os::unix::ffi::OsStringExt;
    let env = Env::of([("GH_TOKEN", std::ffi::OsString::from_vec(vec![b'x', 0xff]))]);
    let found = find(&Settings::new(env, Vec::new()), &site("https://github.com/a/b", None, &[]));
    assert!(matches!(found, Err(TokenError::Malformed { fault: TokenFault::NotUtf8, .. })), "{found:?}");
}

#[test]
fn a_missing_token_names_variable_scope_and_the_quick_way() {
    let missing = |remote, forge, env: Vars<'_>| {
        let settings = Settings::new(Env::of(env.iter().copied()), Vec::new());
        let error = TokenError::missing(&settings, &site(remote, forge, env));
        assert!(error.is_absence() && error.exit() == Exit::Token);
        format!("{error}\n{}", error.help())
    };
    let said = missing("https://github.com/a/b", None, &[("GH_ENTERPRISE_TOKEN", "x")]);
    for part in [
        "none of GH_TOKEN, GITHUB_TOKEN is set (GH_ENTERPRISE_TOKEN is, and is for other hosts)",
        "GH_TOKEN=$(gh auth token) dai …",
        "Pull requests: read and write",
        "`repo`",
    ] {
        assert!(said.contains(part), "{said}");
    }
    let said = missing("https://git.corp/a/b", Some(Kind::GitHub), &[("GH_TOKEN", "x")]);
    assert!(said.contains("GH_ENTERPRISE_TOKEN=$(gh auth token --hostname git.corp) dai …"), "{said}");
    let said = missing("https://gitlab.com/g/p", None, &[]);
    assert!(said.contains("GITLAB_TOKEN=$(glab config get token --host gitlab.com) dai …"), "{said}");
    assert!(said.contains("scope `api`"), "{said}");
}

#[test]
fn debug_never_shows_a_token() {
    let token = look("https://github.com/a/b", None, &[("GH_TOKEN", "ghp_s3cret")], &[]).unwrap().unwrap();
    let shown = format!("{token:?}");
    assert!(shown.contains("GH_TOKEN") && !shown.contains("s3cret"), "{shown}");
}
