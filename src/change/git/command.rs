//! The one place where `git` is started.
//!
//! A child inherits no `GIT_*` variable that could redirect it and no secret of a forge or of a CI job. The
//! sealed ones see no configuration either.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use crate::settings::secret;

/// What a person sets so that their `git` reaches a server: kept for `fetch`. The numbered
/// `GIT_CONFIG_*` are configuration like a file's, and CI hands credentials over in them.
const OWNERS: [&str; 9] = [
    "GIT_SSH",
    "GIT_ASKPASS",
    "GIT_PROXY",
    "GIT_SSL_",
    "GIT_HTTP_",
    "GIT_CONFIG_GLOBAL",
    "GIT_CONFIG_SYSTEM",
    "GIT_CONFIG_NOSYSTEM",
    "GIT_CONFIG_COUNT",
];
const OWNERS_NUMBERED: [&str; 2] = ["GIT_CONFIG_KEY_", "GIT_CONFIG_VALUE_"];

/// What a caller sets to say which repository is meant; it is git that obeys it, once, when it is asked where the
/// repository is.
const CALLERS: [&str; 4] = ["GIT_DIR", "GIT_WORK_TREE", "GIT_CEILING_DIRECTORIES", "GIT_DISCOVERY_ACROSS_FILESYSTEM"];

/// How long a child may take that reads the repository, and one that speaks to a server.
pub const LOCAL: Duration = Duration::from_secs(120);
pub const NETWORK: Duration = Duration::from_secs(600);

/// How long one that is told to end may take to do so.
const GRACE: Duration = Duration::from_secs(2);

/// The most that is read of a child's output, in bytes. A raw diff takes some 150 bytes a file.
const STDOUT_LIMIT: u64 = 512 << 20;
const STDERR_LIMIT: u64 = 64 << 10;

/// A finished child.
pub(super) struct Output {
    pub status: ExitStatus,
    pub stdout: Vec<u8>,
    /// What git said, credentials in addresses taken out.
    pub words: String,
}

/// Why a child could not be run to its end.
#[derive(Debug)]
pub(super) enum NotRun {
    NoProgram,
    /// It was ended after this long.
    TooSlow(Duration),
    Io(io::Error),
}

/// `git` in `dir`, with its owner's configuration.
pub(super) fn owners(program: &OsStr, dir: &Path) -> Command {
    let mut command = bare(program, dir, is_owners);
    command.env("GIT_TRACE", "0");
    command
}

/// The same in the repository that the caller's variables name.
pub(super) fn callers(program: &OsStr, dir: &Path) -> Command {
    let named = |name: &str| CALLERS.contains(&name) && std::env::var_os(name).is_some_and(|value| !value.is_empty());
    let mut command = bare(program, dir, |name| is_owners(name) || named(name));
    command.env("GIT_TRACE", "0");
    command
}

fn is_owners(name: &str) -> bool {
    OWNERS.iter().chain(&OWNERS_NUMBERED).any(|kept| name.starts_with(kept)) || name == "GIT_EXEC_PATH"
}

/// The caller's variable that says which repository is meant, with its value.
pub(super) fn named_repository() -> Option<String> {
    ["GIT_DIR", "GIT_WORK_TREE"].iter().find_map(|name| {
        let value = std::env::var_os(name).filter(|value| !value.is_empty())?;
        Some(format!("{name}={}", value.to_string_lossy()))
    })
}

/// `git` in `dir`, with no configuration and no attributes but those that `dir` itself has.
pub(super) fn sealed(program: &OsStr, dir: &Path) -> Command {
    let mut command = bare(program, dir, |name| name == "GIT_EXEC_PATH");
    command
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .env("GIT_CONFIG_GLOBAL", null_device())
        .env("GIT_CONFIG_SYSTEM", null_device())
        .env("GIT_ATTR_NOSYSTEM", "1")
        .args(["-c", &format!("core.attributesFile={}", null_device())]);
    command
}

fn null_device() -> &'static str {
    if cfg!(windows) { "NUL" } else { "/dev/null" }
}

fn bare(program: &OsStr, dir: &Path, keep: impl Fn(&str) -> bool) -> Command {
    let mut command = Command::new(program);
    for (name, _) in std::env::vars_os() {
        let shown = name.to_string_lossy();
        if (shown.starts_with("GIT_") && !keep(&shown)) || secret::is_named(&shown) {
            command.env_remove(&name);
        }
    }
    command
        .env("GIT_TERMINAL_PROMPT", "0")
        .env("GIT_NO_REPLACE_OBJECTS", "1")
        .env("GIT_NO_LAZY_FETCH", "1")
        .env("GIT_OPTIONAL_LOCKS", "0")
        .env("GIT_PAGER", "cat")
        .env("LC_ALL", "C")
        .env_remove("LANGUAGE")
        .current_dir(dir)
        .arg("--no-pager")
        .stdin(Stdio::null());
    command
}

/// Runs to the end, or for as long as `limit`; `input` becomes stdin.
pub(super) fn run(mut command: Command, input: Option<File>, limit: Duration) -> Result<Output, NotRun> {
    if let Some(input) = input {
        command.stdin(input);
    }
    let mut child =
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().map_err(|error| {
            if error.kind() == io::ErrorKind::NotFound { NotRun::NoProgram } else { NotRun::Io(error) }
        })?;
    let (stdout, stderr) = (child.stdout.take(), child.stderr.take());
    let words = thread::spawn(move || stderr.map(drained).unwrap_or_default());
    let (done, is_done) = mpsc::channel();
    // Not waited for where the child is too slow: what it has started may keep the pipe open.
    thread::spawn(move || {
        let mut bytes = Vec::new();
        let read = stdout.map_or(Ok(0), |pipe| pipe.take(STDOUT_LIMIT).read_to_end(&mut bytes));
        done.send(read.map(|_| bytes))
    });
    let Ok(read) = is_done.recv_timeout(limit) else {
        end(&mut child);
        return Err(NotRun::TooSlow(limit));
    };
    let cut = read.as_ref().is_ok_and(|bytes| bytes.len() as u64 >= STDOUT_LIMIT);
    if cut || read.is_err() {
        // It may wait for a reader that will not come.
        let _ = child.kill();
    }
    let status = child.wait().map_err(NotRun::Io)?;
    let bytes = read.map_err(NotRun::Io)?;
    if cut {
        return Err(NotRun::Io(io::Error::other("git said more than can be read")));
    }
    let words = words.join().unwrap_or_default();
    Ok(Output { status, stdout: bytes, words: without_credentials(String::from_utf8_lossy(&words).trim()) })
}

/// git ends what it has started when it is told to end, which it cannot when it is killed.
fn end(child: &mut Child) {
    #[cfg(unix)]
    if let Some(id) = i32::try_from(child.id()).ok().and_then(rustix::process::Pid::from_raw) {
        let _ = rustix::process::kill_process(id, rustix::process::Signal::TERM);
        let step = Duration::from_millis(20);
        for _ in 0..GRACE.as_millis() / step.as_millis() {
            if child.try_wait().is_ok_and(|ended| ended.is_some()) {
                return;
            }
            thread::sleep(step);
        }
    }
    let _ = child.kill();
    let _ = child.wait();
}

/// The first of what the pipe says; it is read to its end, so that the child can finish.
fn drained(mut pipe: impl Read) -> Vec<u8> {
    let mut bytes = Vec::new();
    let _ = pipe.by_ref().take(STDERR_LIMIT).read_to_end(&mut bytes);
    let _ = io::copy(&mut pipe, &mut io::sink());
    bytes
}

/// Bytes as a child's stdin: a file, so that neither side waits for the other.
pub(super) fn as_input(bytes: &[u8]) -> io::Result<File> {
    let mut file = tempfile::tempfile()?;
    file.write_all(bytes)?;
    file.seek(SeekFrom::Start(0))?;
    Ok(file)
}

/// The text without the user part of web addresses, which may be a token.
pub(super) fn without_credentials(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find("://") {
        let (before, after) = rest.split_at(at + 3);
        let end = after.find(|c: char| c == '/' || c.is_whitespace() || c == '\'' || c == '"').unwrap_or(after.len());
        let web = before.ends_with("http://") || before.ends_with("https://");
        out.push_str(before);
        rest = after;
        if let Some(user) = after[..end].rfind('@') {
            match after[..user].split_once(':') {
                _ if web => {}
                Some((name, _)) => out.extend([name, "@"]),
                None => out.push_str(&after[..=user]),
            }
            rest = &after[user + 1..];
        }
    }
    out + rest
}

/// One argument as a POSIX shell takes it.
pub(crate) fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./:=+@%,".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

/// A command line that a person can paste.
pub(super) fn pasted<'a>(words: impl IntoIterator<Item = &'a OsString>) -> String {
    let line: Vec<String> =
        words.into_iter().map(|word| quoted(&without_credentials(&word.to_string_lossy()))).collect();
    line.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn credentials_leave_web_addresses_and_users_stay_in_others() {
        for (text, clean) in [
            (
                "fatal: unable to access 'https://u:ghp_x@h.example/a/': 403",
                "fatal: unable to access 'https://h.example/a/': 403",
            ),
            ("https://ghp_x@h/a b http://x@y", "https://h/a b http://y"),
            ("ssh://git@h/a", "ssh://git@h/a"),
            ("ssh://git:pw@h/a", "ssh://git@h/a"),
            ("https://h/a@b", "https://h/a@b"),
            ("git@h:a/b", "git@h:a/b"),
            ("://", "://"),
        ] {
            assert_eq!(without_credentials(text), clean);
        }
    }

    #[test]
    fn a_pasted_command_is_one_that_a_shell_reads_back() {
        for word in ["plain", "two words", "it's", "$(id)", "", "a\nb", "*"] {
            let read = Command::new("sh").arg("-c").arg(format!("printf %s {}", quoted(word))).output().unwrap();
            assert_eq!(String::from_utf8(read.stdout).unwrap(), word);
        }
    }

    #[test]
    fn a_child_that_does_not_end_is_ended_with_what_it_started() {
        let mut slow = Command::new("sh");
        slow.args(["-c", "trap 'kill $!; exit' TERM; sleep 600 & wait"]);
        let limit = Duration::from_millis(50);
        assert!(matches!(run(slow, None, limit), Err(NotRun::TooSlow(told)) if told == limit));
    }

    #[test]
    fn a_program_that_is_not_there_is_told_apart() {
        let missing = sealed(OsStr::new("no-such-git-anywhere"), Path::new("."));
        assert!(matches!(run(missing, None, LOCAL), Err(NotRun::NoProgram)));
    }
}
