use super::*;
use crate::forge::remote_url;

fn base(kind: Kind, remote: &str, flag: Option<&str>, env: &[(&str, &str)]) -> Result<(String, Decision), TargetError> {
    let address = remote_url::parse(remote).unwrap();
    let env = Env::of(env.iter().copied());
    let ci = Ci::of(&env).unwrap();
    let hosts = Hosts::read(&env, ci.as_ref()).unwrap();
    let found = api_base(kind, &address.host, address.scheme, flag, &env, ci.as_ref(), &hosts);
    found.map(|(url, by)| (url.to_string(), by))
}

#[test]
fn c39_the_base_follows_from_the_host() {
    for (kind, remote, gitlab_host, expected) in [
        (Kind::GitHub, "https://github.com/a/b", "", "https://api.github.com/"),
        (Kind::GitHub, "git@github.com:a/b", "", "https://api.github.com/"),
        (Kind::GitHub, "ssh://git@ssh.github.com:443/a/b", "", "https://api.github.com/"),
        (Kind::GitHub, "git@acme.ghe.com:a/b", "", "https://api.acme.ghe.com/"),
        (Kind::GitHub, "https://ghes.corp:8443/a/b", "", "https://ghes.corp:8443/api/v3/"),
        (Kind::GitHub, "ssh://git@ghes.corp:2222/a/b", "", "https://ghes.corp/api/v3/"),
        (Kind::GitHub, "http://127.0.0.1:8080/a/b", "", "http://127.0.0.1:8080/api/v3/"),
        (Kind::GitLab, "https://gitlab.com/a/b", "", "https://gitlab.com/api/v4/"),
        (Kind::GitLab, "ssh://git@altssh.gitlab.com:443/a/b", "", "https://gitlab.com/api/v4/"),
        (Kind::GitLab, "https://git.corp:8443/a/b", "", "https://git.corp:8443/api/v4/"),
        (Kind::GitLab, "http://git.corp/a/b", "", "https://git.corp/api/v4/"),
        (Kind::GitLab, "http://[::1]:8080/a/b", "", "http://[::1]:8080/api/v4/"),
        (Kind::GitLab, "http://localhost:8080/x/a/b", "localhost:8080/x", "http://localhost:8080/x/api/v4/"),
        (Kind::GitLab, "git@git.corp:a/b", "git.corp:8443/gitlab", "https://git.corp:8443/gitlab/api/v4/"),
        (Kind::GitLab, "https://git.corp/gitlab/a/b", "https://git.corp/gitlab/", "https://git.corp/gitlab/api/v4/"),
        (Kind::GitLab, "https://git.corp:9443/a/b", "git.corp:8443/gitlab", "https://git.corp:9443/api/v4/"),
        (Kind::GitLab, "https://bücher.example/a/b", "", "https://xn--bcher-kva.example/api/v4/"),
    ] {
        let found = base(kind, remote, None, &[("GITLAB_HOST", gitlab_host)]);
        assert_eq!(found, Ok((expected.to_owned(), Decision::Host)), "{remote}");
    }
}

#[test]
fn a_flag_outranks_the_environment_which_outranks_the_host() {
    let env = [("GITHUB_API_URL", "https://env.corp/api/v3"), ("CI_API_V4_URL", "https://env.corp/api/v4")];
    let flag = Some("http://127.0.0.1:9/x");
    for (kind, flag, env, expected) in [
        (Kind::GitHub, flag, &env[..], ("http://127.0.0.1:9/x/", Decision::Flag("--api-url"))),
        (Kind::GitHub, None, &env, ("https://env.corp/api/v3/", Decision::Variable("GITHUB_API_URL"))),
        (Kind::GitLab, None, &env, ("https://env.corp/api/v4/", Decision::Variable("CI_API_V4_URL"))),
        (Kind::GitHub, None, &env[1..], ("https://git.corp/api/v3/", Decision::Host)),
    ] {
        let found = base(kind, "https://git.corp/a/b", flag, env).unwrap();
        assert_eq!((found.0.as_str(), found.1), expected);
    }
}

#[test]
fn c39_the_runner_s_base_is_about_the_runner_s_server_only() {
    let actions = [
        ("GITHUB_ACTIONS", "true"),
        ("GITHUB_SERVER_URL", "https://ghes.corp"),
        ("GITHUB_API_URL", "https://ghes.corp/api/v3"),
    ];
    let of = |remote| base(Kind::GitHub, remote, None, &actions).unwrap().0;
    assert_eq!(of("https://ghes.corp/a/b"), "https://ghes.corp/api/v3/");
    assert_eq!(of("https://github.com/a/b"), "https://api.github.com/");
    let gitlab = [
        ("GITLAB_CI", "true"),
        ("CI_SERVER_URL", "https://git.corp/gitlab"),
        ("CI_API_V4_URL", "https://git.corp/gitlab/api/v4"),
    ];
    let of = |remote| base(Kind::GitLab, remote, None, &gitlab).unwrap().0;
    assert_eq!(of("https://git.corp/gitlab/a/b"), "https://git.corp/gitlab/api/v4/");
    assert_eq!(of("https://gitlab.com/a/b"), "https://gitlab.com/api/v4/");
}

#[test]
fn http_goes_to_this_machine_only() {
    use ApiBaseFault::*;
    for (flag, expected) in [
        ("http://127.0.0.1:8080", None),
        ("http://127.9.9.9", None),
        ("http://localhost/api/v3", None),
        ("http://[::1]:1/", None),
        ("https://anywhere.example/api/v4", None),
        ("http://anywhere.example", Some(Insecure)),
        ("http://128.0.0.1", Some(Insecure)),
        ("http://0.0.0.0", Some(Insecure)),
        ("http://localhost.evil.example", Some(Insecure)),
        ("http://127.0.0.1.evil.example", Some(Insecure)),
        ("http://127.0.0.1@evil.example", Some(Credentials)),
        ("https://user:pw@git.corp", Some(Credentials)),
        ("https://git.corp/?a=b", Some(Query)),
        ("https://git.corp/#x", Some(Query)),
        ("ftp://git.corp", Some(Scheme)),
        ("git.corp", Some(NotAUrl)),
        ("", Some(NotAUrl)),
        ("https://git.corp\\@evil.example", Some(NotAUrl)),
        ("https://git.co\nrp", Some(NotAUrl)),
    ] {
        let found = base(Kind::GitHub, "https://github.com/a/b", Some(flag), &[]).err();
        let expected = expected.map(|fault| TargetError::ApiBase { said_by: "--api-url", fault });
        assert_eq!(found, expected, "{flag}");
    }
    let found = base(Kind::GitLab, "git@git.corp:a/b", None, &[("GITLAB_HOST", "http://git.corp")]);
    assert_eq!(found, Err(TargetError::ApiBase { said_by: "GITLAB_HOST", fault: Insecure }));
    let found = base(Kind::GitLab, "http://git.corp:8080/a/b", None, &[]);
    assert!(matches!(found, Err(TargetError::HttpPort { .. })), "{found:?}");
}

#[test]
fn c39_an_alias_has_no_api() {
    let found = base(Kind::GitLab, "git@work:a/b", None, &[]);
    assert!(matches!(found, Err(TargetError::AliasWithoutApi { .. })), "{found:?}");
    assert!(base(Kind::GitLab, "git@work:a/b", Some("https://git.corp/api/v4"), &[]).is_ok());
    // A name without a dot that somebody says is a host is one.
    assert!(base(Kind::GitLab, "git@gitlab:a/b", None, &[("GITLAB_HOST", "gitlab")]).is_ok());
}

#[test]
fn the_sub_path_of_a_base() {
    for (flag, expected) in [
        ("https://git.corp/gitlab/api/v4", "gitlab"),
        ("https://git.corp/a/b/api/v4/", "a/b"),
        ("https://git.corp/api/v4", ""),
        ("https://api.github.com", ""),
        ("http://127.0.0.1:9/gitlab", ""),
    ] {
        assert_eq!(sub_path(Some(flag), &Env::default(), None).as_deref(), Ok(expected), "{flag}");
        let env = Env::of([("CI_API_V4_URL", flag)]);
        assert_eq!(sub_path(None, &env, None).as_deref(), Ok(expected), "{flag}");
        // In CI it is that of CI's own server, which says it itself, and of no other.
        let ci = Ci::of(&Env::of([("GITLAB_CI", "true"), ("CI_SERVER_URL", "https://git.corp/gitlab")])).unwrap();
        assert_eq!(sub_path(None, &env, ci.as_ref()).as_deref(), Ok(""), "{flag}");
    }
}
