//! The token of a person goes to the forge it is for, in one header, and to nothing else.

use std::fs;
use std::io::{Read, Write};
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt;
use std::sync::{Arc, Mutex};
use std::thread;

use serde_json::json;

use super::scene::{HUB_PROJECT, Hub, LAB_PROJECT, Lab, ListeningGit, TOKEN, author, finding};
use crate::support::faults::Fault;
use crate::support::repo::Repo;
use crate::support::run::{Answer, Dai};
use crate::support::server::Response;

/// Of what base64 makes of a token, this many characters would tell it.
const TELLING: usize = 12;

/// How a secret may be written: as it is, in a URL, in base64 at any place of a triple, in hex.
fn spellings(secret: &str) -> Vec<String> {
    let escaped =
        secret.bytes().map(|b| if b.is_ascii_alphanumeric() { char::from(b).to_string() } else { format!("%{b:02X}") });
    let hexed = hex::encode(secret);
    vec![secret.to_owned(), escaped.collect(), hexed, secret[4..4 + TELLING].to_owned(), secret.chars().rev().collect()]
}

#[track_caller]
fn assert_absent(secret: &str, place: &str, text: &[u8]) {
    let text = String::from_utf8_lossy(text);
    for spelling in spellings(secret) {
        assert!(!text.contains(&spelling), "the token is in {place}:\n{text}");
    }
}

#[track_caller]
fn assert_silent(secret: &str, answer: &Answer) {
    assert_absent(secret, "stdout", &answer.stdout);
    assert_absent(secret, "stderr", &answer.stderr);
}

/// Every file below a repository, its git directory included.
fn assert_not_stored(secret: &str, repo: &Repo) {
    fn walk(secret: &str, dir: &std::path::Path) {
        for entry in fs::read_dir(dir).expect("a folder").flatten() {
            let path = entry.path();
            let meta = path.symlink_metadata().expect("an entry");
            if meta.is_dir() {
                walk(secret, &path);
            } else if meta.is_file() {
                assert_absent(secret, &path.display().to_string(), &fs::read(&path).expect("a file"));
            }
        }
    }
    walk(secret, repo.path());
}

#[test]
fn a_token_is_in_no_output_no_file_no_argument_no_environment_and_no_address() {
    let hub = Hub::of(author(|_| ()));
    hub.review(&[finding(5, "A fault.")]);
    for args in [&["-vv"][..], &["-vv", "--format", "json"], &["-vv", "--yes"], &["-vv", "--yes", "--format", "json"]] {
        let git = ListeningGit::new();
        // Every token variable there is, and those of CI that hold one.
        let run = [
            "GH_TOKEN",
            "GITHUB_TOKEN",
            "GITHUB_ENTERPRISE_TOKEN",
            "GITLAB_TOKEN",
            "GITLAB_ACCESS_TOKEN",
            "CI_JOB_TOKEN",
        ]
        .iter()
        .fold(hub.run(args), |run, name| run.env(*name, TOKEN));
        hub.clone.git(&["fetch", "--quiet", "origin", "main"]);
        hub.author.switch("topic");
        let head = hub.author.write("b.rs", args.join(" ")).commit("so that something is fetched");
        hub.forge.stage.push(22, &hub.author, &head);
        hub.clone.write(
            ".dai/reviews/22.json",
            json!({ "head": head, "findings": [finding(5, &args.join(" "))] }).to_string(),
        );
        let answer = run.env("PATH", git.path()).run().exits(0);
        assert_silent(TOKEN, &answer);
        let heard = git.heard();
        assert!(heard.contains("fetch"), "{heard}");
        assert_absent(TOKEN, "git's arguments or environment", heard.as_bytes());
        assert_not_stored(TOKEN, &hub.clone);
    }
    for recorded in hub.forge.requests() {
        assert_absent(TOKEN, "an address", format!("{}?{}", recorded.request.path, recorded.request.query).as_bytes());
        assert_absent(TOKEN, "a body", &recorded.request.body);
        let with: Vec<_> = recorded.request.headers.iter().filter(|(_, value)| value.contains(TOKEN)).collect();
        assert_eq!(with.len(), 1, "{with:?}");
    }
    for recorded in hub.forge.git_requests() {
        assert!(recorded.request.headers.iter().all(|(_, value)| !value.contains(TOKEN)));
    }
}

#[test]
fn a_token_that_a_forge_echoes_is_not_shown() {
    let hub = Hub::new();
    hub.review(&[finding(5, "A fault.")]);
    let basic = format!("x-access-token:{TOKEN}");
    let message = json!({
        "message": format!("Bad credentials: {TOKEN} ({basic})"),
        "errors": [format!("token {TOKEN}"), { "message": TOKEN, "field": TOKEN }],
        "documentation_url": format!("https://x.example/?t={TOKEN}"),
    });
    for (method, path, statuses) in [
        ("GET", "/repos/*/*/pulls/22", &[401, 403, 404][..]),
        ("GET", "/user", &[403]),
        ("GET", "/repos/*/*/pulls/22/files", &[422]),
        ("GET", "/repos/*/*/pulls/22/reviews", &[400]),
        ("POST", "/repos/*/*/pulls/22/reviews", &[400, 401, 403, 404, 422]),
    ] {
        for status in statuses {
            hub.forge.clear_faults();
            let response = Response::json(*status, &message)
                .header("x-github-sso", format!("required; url=https://x.example/{TOKEN}"))
                .header("x-accepted-github-permissions", TOKEN);
            hub.forge.fault(Fault::on(method, path).every().instead(response));
            assert_silent(TOKEN, &hub.run(&["-vv", "--yes", "--format", "json"]).run());
        }
    }
    assert_not_stored(TOKEN, &hub.clone);
    hub.forge.clear_faults();
    let lab = Lab::new();
    lab.review(&[finding(5, "A fault.")]);
    let message = json!({ "message": { "note": [format!("PRIVATE-TOKEN: {TOKEN}")] }, "error": TOKEN });
    for (method, path) in
        [("GET", "/projects/*/merge_requests/22"), ("POST", "/projects/*/merge_requests/22/discussions")]
    {
        for status in [400, 401, 403, 404, 422] {
            lab.forge.clear_faults();
            lab.forge.fault(Fault::on(method, path).every().instead(Response::json(status, &message)));
            assert_silent(TOKEN, &lab.run(&["-vv", "--yes", "--format", "json"]).run());
        }
    }
    assert_not_stored(TOKEN, &lab.clone);
}

/// A success may echo it too: as a login, an address, a title, a patch.
#[test]
fn a_token_in_an_answer_that_is_well_is_not_shown() {
    let hub = Hub::new();
    hub.review(&[finding(5, "A fault.")]);
    hub.forge.stage.account(TOKEN, crate::support::github::Account::person(TOKEN));
    let review = json!({
        "id": 1, "html_url": format!("https://x.example/{TOKEN}"), "body": TOKEN, "state": "COMMENTED",
        "user": { "login": TOKEN, "id": 1 },
    });
    hub.forge.fault(Fault::on("POST", "/repos/*/*/pulls/22/reviews").after_write(Response::json(200, &review)));
    for args in [&["-vv", "--yes"][..], &["-vv", "--format", "json"], &["--yes", "--format", "json"]] {
        assert_silent(TOKEN, &hub.run(args).run());
    }
    assert_not_stored(TOKEN, &hub.clone);
}

/// A model that has seen the token and writes it down must not publish it.
#[test]
fn a_token_in_the_review_is_neither_shown_nor_posted() {
    let lab = Lab::new();
    lab.write(&json!({
        "head": lab.head, "summary": format!("I found {TOKEN}."), "good": [TOKEN], "us": TOKEN,
        "findings": [
            { "path": "a.rs", "line": 5, "severity": "high", "body": format!("The token is {TOKEN}, `{TOKEN}`.\n\n```\n{TOKEN}\n```"), "id": TOKEN },
            { "path": format!("{TOKEN}.rs"), "severity": "high", "body": TOKEN },
            { "path": "a.rs", "line": 30, "severity": "high", "body": TOKEN, "snippet": TOKEN },
        ],
    }));
    for args in [&["-vv"][..], &["--format", "json"], &["--format", "markdown"], &["--yes"]] {
        assert_silent(TOKEN, &lab.run(args).run().exits(0));
    }
    assert_eq!(lab.bodies().len(), 2);
    for body in lab.bodies() {
        assert_absent(TOKEN, "a posted text", body.as_bytes());
    }
    assert!(
        !lab.clone.path().join(".dai/reviews/22.posted.json").exists() || {
            assert_absent(
                TOKEN,
                "the receipt",
                &fs::read(lab.clone.path().join(".dai/reviews/22.posted.json")).expect("it"),
            );
            true
        }
    );
}

/// Credentials that a person put into a remote's URL are git's business and nobody else's.
#[test]
fn credentials_in_a_remotes_address_are_not_shown() {
    let hub = Hub::new();
    hub.review(&[finding(5, "A fault.")]);
    let url = hub.forge.clone_url(HUB_PROJECT);
    for user in
        [format!("ann:{TOKEN}"), TOKEN.to_owned(), format!("x-access-token:{TOKEN}"), format!("{TOKEN}:x-oauth-basic")]
    {
        hub.clone.config("remote.origin.url", &url.replace("http://", &format!("http://{user}@")));
        for args in [
            &["-vv"][..],
            &["-vv", "--base", "main"],
            &["-vv", "--base", "nowhere"],
            &["-vv", "--remote", "nothing"],
            &["-vv", "-R", "other/project"],
            &["-vv", "--offline"],
        ] {
            let run = hub.run(args).env("GH_ENTERPRISE_TOKEN", "another-token-entirely");
            assert_silent(TOKEN, &run.run());
        }
        // A server that cannot be reached: git quotes the address.
        hub.clone.config("remote.origin.url", &format!("http://{user}@127.0.0.1:9/acme/widgets.git"));
        assert_silent(TOKEN, &hub.run(&["-vv", "--base", "main"]).run().exits(4));
    }
    // Nor is one that was typed, or set, where no address belongs.
    let typed = format!("https://ann:{TOKEN}@github.com/acme/widgets");
    for args in [&["--remote", &typed][..], &["-R", &typed], &["--api-url", &typed], &["--from", "none", &typed]] {
        let run = hub.dai().args(["forge", "review"]).args(args.iter().copied());
        let run = if args[0] == "--from" { run } else { run.arg("22") };
        let answer = run.env("GH_ENTERPRISE_TOKEN", "another-token-entirely").run();
        assert!(matches!(answer.code(), 2 | 5), "{answer}");
        assert_silent(TOKEN, &answer);
    }
    let run = hub.run(&[]).env("GH_ENTERPRISE_TOKEN", "another-token-entirely").env("DAI_REMOTE", &typed);
    assert_silent(TOKEN, &run.run().exits(2));
    // What the server answers to git comes out of git's mouth.
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = listener.local_addr().expect("an address").port();
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let mut stream = stream;
            let mut seen = [0; 4096];
            let _ = stream.read(&mut seen).expect("a request");
            let body = format!("your password {TOKEN} is wrong");
            let head = format!(
                "HTTP/1.1 403 No\r\ncontent-type: text/plain\r\nconnection: close\r\ncontent-length: {}\r\n\r\n",
                body.len()
            );
            stream.write_all((head + &body).as_bytes()).ok();
        }
    });
    hub.clone.config("remote.origin.url", &format!("http://ann:{TOKEN}@127.0.0.1:{port}/acme/widgets.git"));
    let answer =
        hub.run(&["-vv", "--base", "main"]).env("GH_ENTERPRISE_TOKEN", "another-token-entirely").run().exits(4);
    assert!(answer.err().contains("your password"), "{answer}");
    assert_silent(TOKEN, &answer);
}

/// Everything that somebody else's server was sent.
fn thief() -> (u16, Arc<Mutex<Vec<u8>>>) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = listener.local_addr().expect("an address").port();
    let seen: Arc<Mutex<Vec<u8>>> = Arc::default();
    let log = Arc::clone(&seen);
    thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            let mut bytes = [0; 8192];
            let count = stream.read(&mut bytes).unwrap_or(0);
            log.lock().expect("the log").extend(&bytes[..count]);
            stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}").ok();
        }
    });
    (port, seen)
}

#[test]
fn no_redirect_and_no_next_page_takes_a_call_to_another_server() {
    let (port, seen) = thief();
    let hub = Hub::new();
    hub.review(&[finding(5, "A fault.")]);
    for target in [
        format!("http://127.0.0.1:{port}/x"),
        format!("http://localhost:{port}/x"),
        format!("//127.0.0.1:{port}/x"),
        format!("https://127.0.0.1:{port}/x"),
        format!("http://ann@127.0.0.1:{port}/x"),
        format!("\\\\127.0.0.1:{port}\\x"),
    ] {
        let statuses: &[u16] =
            if target == format!("http://127.0.0.1:{port}/x") { &[301, 302, 303, 307, 308] } else { &[307] };
        for status in statuses.iter().copied() {
            for (method, path) in
                [("GET", "/repos/*/*/pulls/22"), ("GET", "/user"), ("POST", "/repos/*/*/pulls/22/reviews")]
            {
                hub.forge.clear_faults();
                hub.forge.forget_requests();
                hub.forge.fault(Fault::on(method, path).every().redirect(status, &target));
                let answer = hub.run(&["--yes", "-vv"]).run();
                assert_ne!(answer.code(), 0, "{target} {status}\n{answer}");
                assert!(seen.lock().expect("the log").is_empty(), "{target} {status}");
            }
        }
        hub.forge.clear_faults();
        let pages = Response::json(200, &json!([])).header("link", format!("<{target}>; rel=\"next\""));
        hub.forge.fault(Fault::on("GET", "/repos/*/*/pulls/22/files").every().instead(pages));
        hub.run(&["-vv"]).run();
        assert!(seen.lock().expect("the log").is_empty(), "{target}");
    }
    assert_eq!(hub.bodies(), [""; 0], "nothing was posted");
}

#[test]
fn a_token_is_for_one_host_and_a_change_cannot_choose_another() {
    let (port, seen) = thief();
    let hub = Hub::new();
    hub.review(&[finding(5, "A fault.")]);
    // The remote is one server; the variables are for another.
    hub.clone.config("remote.origin.url", &format!("http://127.0.0.1:{port}/acme/widgets.git"));
    for (name, forge) in [
        ("GH_TOKEN", "github"),
        ("GITHUB_TOKEN", "github"),
        ("GITLAB_TOKEN", "gitlab"),
        ("GITLAB_ACCESS_TOKEN", "gitlab"),
    ] {
        let run = Dai::in_repo(&hub.clone).env(name, TOKEN).env("DAI_FORGE", forge);
        assert_silent(TOKEN, &run.args(["forge", "review", "22", "-vv", "--yes"]).run());
        let text = seen.lock().expect("the log").clone();
        assert_absent(TOKEN, "somebody else's server", &text);
    }
    // GITLAB_HOST on another port, another scheme, another name for the same address.
    let lab = Lab::new();
    lab.review(&[finding(5, "A fault.")]);
    lab.clone.config("remote.origin.url", &format!("http://127.0.0.1:{port}/{LAB_PROJECT}.git"));
    assert_silent(TOKEN, &lab.run(&["--yes", "--forge", "gitlab"]).run());
    assert_absent(TOKEN, "somebody else's server", &seen.lock().expect("the log").clone());
}

#[test]
fn plain_http_is_for_loopback_alone() {
    let hub = Hub::new();
    hub.review(&[finding(5, "A fault.")]);
    for url in [
        "http://api.example.org/",
        "http://192.0.2.1/api/v3",
        "http://127.0.0.1.example.org/",
        "http://127.0.0.1@example.org/",
        "http://0x7f000001.example.org/",
        "http://10.0.0.1/",
        "ftp://127.0.0.1/",
        "file:///etc/passwd",
        "http://[::ffff:192.0.2.1]/",
        "http://0.0.0.0/",
        "http://localhost.example.org/",
        "javascript:1",
    ] {
        let answer = hub.run(&["--api-url", url]).run().exits(2);
        assert_silent(TOKEN, &answer);
        let answer = hub.run(&[]).env("GITHUB_API_URL", url).run().exits(2);
        assert_silent(TOKEN, &answer);
    }
    assert_eq!(hub.forge.requests(), []);
}

#[test]
fn what_is_no_token_is_refused_and_not_shown() {
    let hub = Hub::new();
    hub.review(&[finding(5, "A fault.")]);
    let broken: [&[u8]; 8] = [
        b"Zq7-canary_token\nX-Evil: 1",
        b"Zq7-canary_token\r\nHost: evil",
        b"Zq7-canary_token\x1b[2J",
        b"Zq7-canary token",
        b"Zq7-canary_token\x7f",
        b"Zq7-canary_\xc3\xa9",
        b"Zq7-canary_\xff\xfe",
        b"Zq7-canary_\xe2\x80\xae",
    ];
    for bytes in broken {
        let value: std::ffi::OsString = std::os::unix::ffi::OsStringExt::from_vec(bytes.to_vec());
        for args in [&["-vv"][..], &["--yes", "-vv"], &["--format", "json"]] {
            let answer = hub.run(args).env("GH_ENTERPRISE_TOKEN", &value).run();
            assert_eq!(answer.code(), 8, "{answer}");
            assert!(answer.err().contains("GH_ENTERPRISE_TOKEN") && !answer.err().contains("panicked"), "{answer}");
            assert!(!answer.to_string().contains("Zq7-canary"), "{answer}");
        }
        hub.clone.write(".env.dai", [b"GH_ENTERPRISE_TOKEN='", bytes, b"'\n"].concat());
        let answer = hub.run(&["-vv"]).env_remove("GH_ENTERPRISE_TOKEN").run();
        assert!(!answer.to_string().contains("Zq7-canary"), "{answer}");
        hub.clone.remove(".env.dai");
    }
    let huge = "x".repeat(100_000);
    let answer = hub.run(&["-vv"]).env("GH_ENTERPRISE_TOKEN", &huge).run();
    assert!(!answer.to_string().contains(&huge[..50]) && !answer.err().contains("panicked"), "{answer}");
    for recorded in hub.forge.requests() {
        assert!(
            recorded.request.headers.iter().all(|(_, value)| !value.contains("Zq7-canary")),
            "a broken token was sent"
        );
    }
}

#[test]
fn a_dot_env_file_is_the_owners_and_its_token_is_not_shown() {
    let hub = Hub::new();
    hub.review(&[finding(5, "A fault.")]);
    hub.clone
        .write(".env.dai", format!("GH_ENTERPRISE_TOKEN={TOKEN}\nGITHUB_API_URL=http://127.0.0.1:9/\nPATH=/nowhere\n"));
    let git = ListeningGit::new();
    hub.author.switch("topic");
    let head = hub.author.write("b.rs", "one\n").commit("so that something is fetched");
    hub.forge.stage.push(22, &hub.author, &head);
    hub.clone.write(".dai/reviews/22.json", json!({ "head": head, "findings": [finding(5, "A fault.")] }).to_string());
    let run = hub.run(&["-vv", "--yes"]).env_remove("GH_ENTERPRISE_TOKEN").env("PATH", git.path());
    let answer = run.run().exits(0);
    assert_silent(TOKEN, &answer);
    assert_absent(TOKEN, "git's environment", git.heard().as_bytes());
    // Tracked, it is not read.
    hub.clone.git(&["add", "-f", ".env.dai"]);
    let answer = hub.run(&["-vv", "--yes"]).env_remove("GH_ENTERPRISE_TOKEN").run().exits(8);
    assert!(answer.err().contains(".env.dai is not read"), "{answer}");
    assert_silent(TOKEN, &answer);
}

#[test]
fn what_the_program_makes_is_not_for_everyone() {
    let hub = Hub::new();
    hub.review(&[finding(5, "A fault.")]);
    hub.run(&["--yes"]).run().exits(0);
    let mode = |path: &str| fs::metadata(hub.clone.path().join(path)).expect(path).permissions().mode() & 0o777;
    assert_eq!(mode(".dai/reviews/22.posted.json"), 0o600);
    assert_eq!(mode(".git/dai/lock") & 0o022, 0);
}
