//! The command that a change must pass, run on exactly the commit that is judged.

use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};

use crate::brief::Gate;
use crate::change::git::TOKENS;
use crate::cli::Failure;
use crate::cli::forge::review::Subject;
use crate::exit::Exit;
use crate::output::{Ui, visible};

/// How much of what it said is kept, in bytes, from the end.
const KEPT: u64 = 8 << 10;

/// # Errors
///
/// Exit 4: HEAD is not the commit that is judged, the tree is not clean, or there is none. 2: the
/// command cannot be started.
pub fn run(command: &str, subject: &Subject, ui: &Ui) -> Result<Gate, Failure> {
    is_result(subject)?;
    let spinner = ui.spinner(format!("running the gate: {command}"));
    let ran = heard(command, subject.repo.root());
    drop(spinner);
    let (status, said) = ran.map_err(|fault| {
        Failure::usage("the gate cannot be run", "see whether the shell and the temporary folder are there")
            .cause(fault)
    })?;
    let exit = code(status);
    ui.note(&format!("the gate ended with {exit}"));
    Ok(Gate { command: command.to_owned(), exit, output: subject.secrets.redact(&said) })
}

/// Whether what the gate would see is the commit that is judged, and nothing else.
fn is_result(subject: &Subject) -> Result<(), Failure> {
    let (repo, result) = (&subject.repo, &subject.commits.head);
    if repo.is_bare() {
        return Err(Failure::new(Exit::Git, "a bare repository has no tree to run the gate in")
            .help(format!("make one: git worktree add --detach DIR {result}")));
    }
    let head = repo.resolve("HEAD")?;
    if head != *result {
        return Err(Failure::new(Exit::Git, format!("HEAD is {}, and the result is {}", head.short(), result.short()))
            .cause("the gate must run on the commit that is judged")
            .help(format!("check it out: git switch --detach {result}")));
    }
    let unclean = repo.unclean()?;
    let Some(first) = unclean.first() else { return Ok(()) };
    let more = match unclean.len() - 1 {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let help = match first.starts_with(".dai/") {
        true => "`dai init` lets git ignore reviews",
        false => "commit, stash or ignore what is there, or use a fresh one: git worktree add --detach DIR",
    };
    Err(Failure::new(Exit::Git, format!("the tree is not clean: {}{more}", visible(first)))
        .cause("the gate must run on the commit that is judged, and on nothing else")
        .help(help))
}

/// Runs it to its end, and gives the end of what it said on both streams, in the order in which it was
/// said. A file and not a pipe takes it in: what the command leaves running holds nobody up.
fn heard(command: &str, root: &Path) -> io::Result<(ExitStatus, String)> {
    let mut said = tempfile::tempfile()?;
    let mut shell = shell(command);
    for token in TOKENS {
        shell.env_remove(token);
    }
    let streams = (Stdio::from(said.try_clone()?), Stdio::from(said.try_clone()?));
    let status = shell.current_dir(root).stdin(Stdio::null()).stdout(streams.0).stderr(streams.1).status()?;
    let length = said.seek(SeekFrom::End(0))?;
    said.seek(SeekFrom::Start(length.saturating_sub(KEPT)))?;
    let mut end = Vec::new();
    said.take(KEPT).read_to_end(&mut end)?;
    Ok((status, text(&end, length > KEPT)))
}

#[cfg(unix)]
fn shell(command: &str) -> Command {
    let mut shell = Command::new("sh");
    shell.arg("-c").arg(command);
    shell
}

#[cfg(not(unix))]
fn shell(command: &str) -> Command {
    let mut shell = Command::new("cmd");
    shell.arg("/C").arg(command);
    shell
}

/// The bytes as text. Where something was cut off before them, the rest of a character goes with it.
fn text(end: &[u8], cut: bool) -> String {
    let rest = |byte: &&u8| **byte & 0xc0 == 0x80;
    let torn = if cut { end.iter().take(3).take_while(rest).count() } else { 0 };
    String::from_utf8_lossy(&end[torn..]).into_owned()
}

/// As shells count: 128 and the signal's number where one ended it.
fn code(status: ExitStatus) -> i32 {
    #[cfg(unix)]
    {
        use std::os::unix::process::ExitStatusExt as _;
        status.code().or_else(|| status.signal().map(|signal| 128 + signal)).unwrap_or(-1)
    }
    #[cfg(not(unix))]
    status.code().unwrap_or(-1)
}

#[cfg(test)]
mod tests {
    use super::{heard, text};

    fn said(command: &str) -> (Option<i32>, String) {
        let (status, said) = heard(command, std::env::temp_dir().as_path()).unwrap();
        (status.code(), said)
    }

    #[test]
    fn both_streams_are_heard_in_order_and_the_exit_code_is_its_own() {
        assert_eq!(said("echo one; echo two >&2; echo three; exit 7"), (Some(7), "one\ntwo\nthree\n".to_owned()));
        assert_eq!(said("true"), (Some(0), String::new()));
    }

    #[test]
    fn exactly_the_last_8_kib_are_kept() {
        let (_, all) = said("head -c 8192 /dev/zero | tr '\\0' a");
        assert_eq!(all, "a".repeat(8192));
        let (_, end) = said("printf b; head -c 8191 /dev/zero | tr '\\0' a; printf c");
        assert_eq!(end, format!("{}c", "a".repeat(8191)));
    }

    #[test]
    fn the_cut_falls_between_characters() {
        // 한 is three bytes: the cut falls behind its first, then behind its second.
        let (_, end) = said("printf '한'; head -c 8190 /dev/zero | tr '\\0' a");
        assert_eq!(end, "a".repeat(8190));
        let (_, end) = said("printf '한'; head -c 8191 /dev/zero | tr '\\0' a");
        assert_eq!(end, "a".repeat(8191));
        let (_, end) = said("printf '한'; head -c 8189 /dev/zero | tr '\\0' a");
        assert_eq!(end, format!("한{}", "a".repeat(8189)));
        assert_eq!(text(b"\x80x", false), "\u{fffd}x");
    }

    #[test]
    fn what_it_leaves_running_holds_nobody_up() {
        assert_eq!(said("sleep 5 & echo done"), (Some(0), "done\n".to_owned()));
    }
}
