//! The command that a change must pass, run on exactly the commit that is judged.

use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::path::Path;
use std::process::{ExitStatus, Stdio};
use std::thread;
use std::time::Duration;

use super::group;
use crate::brief::Gate;
use crate::cli::forge::Subject;
use crate::cli::{Failure, without_secrets};
use crate::exit::Exit;
use crate::output::{Ui, visible};

/// How much of what it said is handed over, in bytes, from the end.
const KEPT: usize = 8 << 10;

/// How much before that is read as well: a secret that the cut would tear must be known whole.
const BEFORE: usize = 64 << 10;

/// How often a signal is looked for while it runs.
const TICK: Duration = Duration::from_millis(20);

/// # Errors
///
/// Exit 4: HEAD is not the commit that is judged, the tree is not clean, or there is none. 2: the
/// command cannot be started, or asks at the terminal. 130: a signal ended it.
pub fn run(command: &str, subject: &mut Subject, ui: &Ui) -> Result<Gate, Failure> {
    is_result(subject)?;
    subject.listen_for_another(ui);
    let spinner = ui.spinner(format!("running the gate: {command}"));
    let ran = heard(command, subject.repo.root(), || subject.is_interrupted());
    drop(spinner);
    let ended = ran.map_err(|fault| {
        Failure::usage("the gate cannot be run", "see whether the shell and the temporary folder are there")
            .cause(fault)
    })?;
    let (status, said) = match ended {
        Ended::Itself(status, said) => (status, said),
        Ended::Interrupted => return Err(interrupted()),
        Ended::Asking => {
            return Err(Failure::usage(
                "the gate asked at the terminal, where nobody can answer it",
                "give it a command that asks nothing",
            ));
        }
    };
    let exit = code(status);
    ui.note(&format!("the gate ended with {exit}"));
    Ok(Gate { command: command.to_owned(), exit, output: end(&subject.secrets.redact(&said)).to_owned() })
}

/// What is said of a signal from the gate's start to the packet.
pub fn interrupted() -> Failure {
    Failure::new(Exit::Interrupted, "interrupted before the packet was made").help("run the same command again")
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
        false => {
            "commit, stash or ignore what is there, send this output to a file elsewhere, or use a fresh tree: git worktree add --detach DIR"
        }
    };
    Err(Failure::new(Exit::Git, format!("the tree is not clean: {}{more}", visible(first)))
        .cause("the gate must run on the commit that is judged, and on nothing else")
        .help(help))
}

/// What became of a gate.
enum Ended {
    /// By itself, and this is what it said last.
    Itself(ExitStatus, String),
    Interrupted,
    /// It asked at the terminal, where nobody can answer it.
    Asking,
}

/// Runs it to its end, and takes in what it said last on both streams, in the order in which it was
/// said. A file and not a pipe takes it in: what the command leaves running holds nobody up.
fn heard(command: &str, root: &Path, interrupted: impl Fn() -> bool) -> io::Result<Ended> {
    let mut said = tempfile::tempfile()?;
    let mut shell = group::shell(command);
    without_secrets(&mut shell);
    let streams = (Stdio::from(said.try_clone()?), Stdio::from(said.try_clone()?));
    let mut child = shell.current_dir(root).stdin(Stdio::null()).stdout(streams.0).stderr(streams.1).spawn()?;
    let status = loop {
        let ended = child.try_wait()?;
        if interrupted() {
            group::end(&mut child)?;
            return Ok(Ended::Interrupted);
        }
        if let Some(status) = ended {
            break status;
        }
        if group::is_asking(&child) {
            group::end(&mut child)?;
            return Ok(Ended::Asking);
        }
        thread::sleep(TICK);
    };
    let length = said.seek(SeekFrom::End(0))?;
    said.seek(SeekFrom::Start(length.saturating_sub((KEPT + BEFORE) as u64)))?;
    let mut bytes = Vec::new();
    said.take((KEPT + BEFORE) as u64).read_to_end(&mut bytes)?;
    Ok(Ended::Itself(status, String::from_utf8_lossy(&bytes).into_owned()))
}

/// The end of a text, cut between characters.
fn end(text: &str) -> &str {
    &text[text.ceil_char_boundary(text.len().saturating_sub(KEPT))..]
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
    use super::{Ended, end, heard};

    fn said(command: &str) -> (Option<i32>, String) {
        let ended = heard(command, std::env::temp_dir().as_path(), || false).unwrap();
        let Ended::Itself(status, said) = ended else { panic!("it did not end by itself") };
        (status.code(), said)
    }

    #[test]
    fn both_streams_are_heard_in_order_and_the_exit_code_is_its_own() {
        assert_eq!(said("echo one; echo two >&2; echo three; exit 7"), (Some(7), "one\ntwo\nthree\n".to_owned()));
        assert_eq!(said("true"), (Some(0), String::new()));
    }

    #[test]
    fn the_end_is_8_kib_to_the_byte_and_no_character_is_torn() {
        let all = "a".repeat(8192);
        assert_eq!(end(&all), all);
        assert_eq!(end(&format!("b{all}")), all);
        // 한 is three bytes: the cut falls before it, behind its first byte, and behind its second.
        assert_eq!(end(&format!("b한{}", "a".repeat(8189))), format!("한{}", "a".repeat(8189)));
        for rest in [8190, 8191] {
            assert_eq!(end(&format!("한{}", "a".repeat(rest))), "a".repeat(rest));
        }
        assert_eq!(end("한"), "한");
    }

    #[test]
    fn of_much_the_end_is_heard() {
        let (_, all) = said("head -c 200000 /dev/zero | tr '\\0' a; echo z");
        assert_eq!(end(&all), format!("{}z\n", "a".repeat(8190)));
    }

    #[test]
    fn what_it_leaves_running_holds_nobody_up_and_an_interrupt_ends_it() {
        assert_eq!(said("sleep 5 & echo done"), (Some(0), "done\n".to_owned()));
        let ended = heard("exec sleep 5", std::env::temp_dir().as_path(), || true).unwrap();
        assert!(matches!(ended, Ended::Interrupted));
    }
}
