use std::fs;

use super::*;

fn values(text: &str) -> Vec<(String, String)> {
    let (file, bad) = parse(".env", text);
    assert_eq!(bad, Vec::<usize>::new(), "{text:?}");
    file.values.into_iter().collect()
}

#[test]
fn the_shapes_that_people_write() {
    for (text, expected) in [
        ("GH_TOKEN=abc", "abc"),
        ("GH_TOKEN=abc ", "abc"),
        ("export GH_TOKEN=abc\n", "abc"),
        ("GH_TOKEN=\"abc\"\r\n", "abc"),
        ("GH_TOKEN='a b' # why", "a b"),
        ("# first\n\n  GH_TOKEN = abc\n", "abc"),
        ("\u{feff}GH_TOKEN=abc", "abc"),
        ("GH_TOKEN=one\nGH_TOKEN=two\n", "two"),
        ("GH_TOKEN=a#b", "a#b"),
    ] {
        assert_eq!(values(text), [("GH_TOKEN".to_owned(), expected.to_owned())], "{text:?}");
    }
}

#[test]
fn a_dollar_is_a_dollar_and_the_process_is_not_asked() {
    // PATH is set in every process that runs this test.
    for (text, expected) in [
        ("GH_TOKEN=a$PATH", "a$PATH"),
        ("GH_TOKEN=\"${PATH}\"", "${PATH}"),
        ("GH_TOKEN=a\\$PATH", "a$PATH"),
        ("GH_TOKEN=a\\\\$PATH", "a\\$PATH"),
        ("GH_TOKEN='$PATH'", "$PATH"),
    ] {
        assert_eq!(values(text), [("GH_TOKEN".to_owned(), expected.to_owned())], "{text:?}");
    }
}

#[test]
fn only_tokens_and_three_filters_are_taken() {
    let text = "GITHUB_API_URL=http://evil\nGITLAB_HOST=evil\nGH_HOST=evil\nDAI_YES=1\nDAI_FROM=x\nDAI_MIN_SEVERITY=high\n\
                DAI_MIN_CONFIDENCE=0.5\nDAI_MAX_COMMENTS=3\nGITLAB_ACCESS_TOKEN=t\nCI_JOB_TOKEN=j\nHTTPS_PROXY=http://evil\n";
    let names: Vec<_> = values(text).into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["DAI_MAX_COMMENTS", "DAI_MIN_CONFIDENCE", "DAI_MIN_SEVERITY", "GITLAB_ACCESS_TOKEN"]);
}

#[test]
fn the_template_sets_nothing_and_names_only_what_is_read() {
    assert_eq!(values(EXAMPLE), []);
    let offered = EXAMPLE.lines().filter_map(|line| line.strip_prefix('#')?.split_once('='));
    let names: Vec<_> = offered.map(|(name, _)| name).filter(|name| !name.contains(' ')).collect();
    assert!(names.len() >= 5, "{names:?}");
    assert!(names.iter().all(|name| is_known(name)), "{names:?}");
}

#[test]
fn a_setting_that_a_file_does_not_give_is_named() {
    let warned = |text: &str| {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join(".env.dai"), text).unwrap();
        load(dir.path(), |_| false).1.into_iter().map(|warning| warning.message).collect::<Vec<_>>()
    };
    assert_eq!(warned("FOO=1\nGH_TOKEN=a\nDAI_MAX_COMMENTS=3\n"), Vec::<String>::new());
    let told = warned("DAI_FORGE=gitlab\nDAI_MIN_SEVERTY=high\n");
    assert_eq!(told.len(), 1, "{told:?}");
    for part in [".env.dai: DAI_FORGE, DAI_MIN_SEVERTY are not taken", "DAI_MIN_SEVERITY", "in the environment"] {
        assert!(told[0].contains(part), "{told:?}");
    }
    assert!(!told[0].contains("gitlab"), "{told:?}");
}

#[test]
fn bad_lines_are_numbered_and_the_rest_is_read() {
    for (text, bad) in [
        ("nonsense\nGH_TOKEN=t\n", vec![1]),
        ("GH_TOKEN=t\n\n# x\nA=b c d\n", vec![4]),
        ("A=ok\r\n?=1\r\nGH_TOKEN=t\r\nB=x y\r\n", vec![2, 4]),
        ("GH_TOKEN=t\nA=\"open\nmore\nmore\n", vec![2]),
    ] {
        let (file, found) = parse(".env", text);
        assert_eq!(found, bad, "{text:?}");
        assert_eq!(file.get("GH_TOKEN"), Some("t"), "{text:?}");
    }
}

#[test]
fn a_warning_about_a_line_never_shows_the_line() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join(".env.dai"), "A=1\nGH_TOKEN=ghp_secret and more\nghp_secret\n").unwrap();
    let (files, warnings) = load(dir.path(), |_| false);
    assert_eq!(files.len(), 1);
    assert_eq!(warnings.len(), 1);
    assert_eq!(warnings[0].code, Code::DotenvIgnored);
    assert!(warnings[0].message.contains(".env.dai: lines 2, 3 "), "{}", warnings[0].message);
    assert!(!format!("{warnings:?}{files:?}").contains("secret"));
}

/// The one warning of a root where nothing is read.
fn refusal(root: &Path, is_tracked: impl Fn(&str) -> bool) -> String {
    let (files, mut warnings) = load(root, is_tracked);
    assert_eq!(files, []);
    assert_eq!(warnings.len(), 1, "{warnings:?}");
    assert_eq!(warnings[0].code, Code::DotenvIgnored);
    warnings.remove(0).message
}

#[test]
fn c45_a_tracked_file_is_not_read() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join(".env"), "GH_TOKEN=t\n").unwrap();
    let message = refusal(dir.path(), |path| path == ".env");
    assert!(message.contains(".env is not read: git tracks it"), "{message}");
    let (files, warnings) = load(dir.path(), |_| false);
    assert_eq!((files[0].get("GH_TOKEN"), warnings), (Some("t"), vec![]));
}

#[test]
fn neither_a_missing_file_nor_a_folder_is_worth_a_word() {
    let dir = tempfile::tempdir().unwrap();
    fs::create_dir(dir.path().join(".env")).unwrap();
    assert_eq!(load(dir.path(), |_| true), (vec![], vec![]));
}

#[test]
fn a_file_over_the_limit_or_of_other_bytes_is_not_read() {
    let dir = tempfile::tempdir().unwrap();
    let at_limit = format!("GH_TOKEN=t\n{}", "#".repeat(64 * 1024 - 11));
    fs::write(dir.path().join(".env"), &at_limit).unwrap();
    assert_eq!(load(dir.path(), |_| false).1, []);
    fs::write(dir.path().join(".env"), at_limit + "#").unwrap();
    assert!(refusal(dir.path(), |_| false).contains("longer than 64 KiB"));
    fs::write(dir.path().join(".env"), b"GH_TOKEN=\xff\n").unwrap();
    assert!(refusal(dir.path(), |_| false).contains("not UTF-8"));
}

#[cfg(unix)]
mod links {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn a_link_is_followed_inside_the_repository_only() {
        let outside = tempfile::tempdir().unwrap();
        fs::write(outside.path().join("env"), "GH_TOKEN=t\n").unwrap();
        let dir = tempfile::tempdir().unwrap();
        fs::create_dir(dir.path().join("config")).unwrap();
        fs::write(dir.path().join("config/env"), "GH_TOKEN=t\n").unwrap();
        let link = dir.path().join(".env");

        symlink("config/env", &link).unwrap();
        assert_eq!(load(dir.path(), |_| false).0[0].get("GH_TOKEN"), Some("t"));
        assert!(refusal(dir.path(), |path| path == "config/env").contains("git tracks it"));

        fs::remove_file(&link).unwrap();
        symlink(outside.path().join("env"), &link).unwrap();
        assert!(refusal(dir.path(), |_| false).contains("outside the repository"));

        fs::remove_file(&link).unwrap();
        symlink("/dev/zero", &link).unwrap();
        assert!(refusal(dir.path(), |_| false).contains("outside the repository"));
    }

    #[test]
    fn a_socket_is_not_read() {
        let dir = tempfile::tempdir().unwrap();
        let _held = std::os::unix::net::UnixListener::bind(dir.path().join(".env")).unwrap();
        assert!(refusal(dir.path(), |_| false).contains("not a regular file"));
    }

    #[test]
    fn a_fifo_is_not_waited_for() {
        let dir = tempfile::tempdir().unwrap();
        let made = std::process::Command::new("mkfifo").arg(dir.path().join(".env")).status().unwrap();
        assert!(made.success());
        assert!(refusal(dir.path(), |_| false).contains("not a regular file"));
    }
}
