//! Starting the built program with nothing of the caller's environment in it.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::io::{Read, Write};
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use crate::support::repo::{Repo, Scratch, environment};

/// How long a run may take before it is killed and the test fails.
const PATIENCE: Duration = Duration::from_secs(60);

/// What a second of the program's waiting takes, in seconds: it is obeyed for a loopback forge only, and shortens nothing but
/// waits and time-outs. `.env("DAI_TEST_HURRY", "1")` takes it off.
const HURRY: &str = "0.005";

/// A run of the program that is about to start.
#[derive(Debug)]
pub struct Dai {
    pub(super) binary: PathBuf,
    pub(super) cwd: PathBuf,
    pub(super) args: Vec<OsString>,
    pub(super) environment: BTreeMap<OsString, OsString>,
    stdin: Vec<u8>,
    pub(super) patience: Duration,
    _home: Scratch,
}

impl Dai {
    /// In this directory, with an empty home.
    pub fn at(cwd: impl AsRef<Path>) -> Self {
        Self::program(env!("CARGO_BIN_EXE_dai"), cwd)
    }

    /// In this repository, with the home that the repository's git sees.
    pub fn in_repo(repo: &Repo) -> Self {
        Self::at(repo.path()).env("HOME", repo.home()).env("XDG_CONFIG_HOME", repo.home().join(".config"))
    }

    /// Any program, in the same scrubbed environment.
    pub fn program(binary: impl Into<PathBuf>, cwd: impl AsRef<Path>) -> Self {
        let home = Scratch::new();
        let mut environment: BTreeMap<_, _> = environment(&home.home()).into_iter().collect();
        environment.insert("DAI_TEST_HURRY".into(), HURRY.into());
        Self {
            binary: binary.into(),
            cwd: cwd.as_ref().to_owned(),
            args: Vec::new(),
            environment,
            stdin: Vec::new(),
            patience: PATIENCE,
            _home: home,
        }
    }

    pub fn arg(mut self, arg: impl Into<OsString>) -> Self {
        self.args.push(arg.into());
        self
    }

    pub fn args<A: Into<OsString>>(mut self, args: impl IntoIterator<Item = A>) -> Self {
        self.args.extend(args.into_iter().map(Into::into));
        self
    }

    pub fn env(mut self, name: impl Into<OsString>, value: impl Into<OsString>) -> Self {
        self.environment.insert(name.into(), value.into());
        self
    }

    pub fn env_remove(mut self, name: impl AsRef<OsStr>) -> Self {
        self.environment.remove(name.as_ref());
        self
    }

    /// What the program reads; without it stdin is empty, never a terminal.
    pub fn stdin(mut self, bytes: impl Into<Vec<u8>>) -> Self {
        self.stdin = bytes.into();
        self
    }

    /// Another time limit than 60 seconds.
    pub fn patience(mut self, patience: Duration) -> Self {
        self.patience = patience;
        self
    }

    /// Runs to the end.
    #[track_caller]
    pub fn run(self) -> Answer {
        self.spawn().wait()
    }

    /// Starts it and comes back at once, to be signalled or waited for.
    #[track_caller]
    pub fn spawn(self) -> Running {
        let mut command = Command::new(&self.binary);
        command.args(&self.args).env_clear().envs(&self.environment).current_dir(&self.cwd);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        super::signals::have_their_usual_effect_in_children();
        let mut child = command.spawn().expect("the program starts");
        let mut pipe = child.stdin.take().expect("stdin is a pipe");
        let input = self.stdin.clone();
        // A program that does not read its input closes the pipe: no fault of the test.
        thread::spawn(move || pipe.write_all(&input).ok());
        let stdout = drain(child.stdout.take().expect("stdout is a pipe"));
        let stderr = drain(child.stderr.take().expect("stderr is a pipe"));
        Running { child, stdout, stderr, until: Instant::now() + self.patience, plan: self }
    }
}

fn drain(mut pipe: impl Read + Send + 'static) -> JoinHandle<Vec<u8>> {
    thread::spawn(move || {
        let mut all = Vec::new();
        pipe.read_to_end(&mut all).expect("the program's output can be read");
        all
    })
}

/// What a person or CI sends to stop a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Signal {
    Interrupt,
    Terminate,
    HangUp,
    Kill,
}

/// A run that has started.
#[derive(Debug)]
pub struct Running {
    child: Child,
    stdout: JoinHandle<Vec<u8>>,
    stderr: JoinHandle<Vec<u8>>,
    until: Instant,
    plan: Dai,
}

/// Signals a process that this test started, by its id, and comes back when a killed one is gone.
pub fn send(signal: Signal, process: u32) {
    let name = match signal {
        Signal::Interrupt => "INT",
        Signal::Terminate => "TERM",
        Signal::HangUp => "HUP",
        Signal::Kill => "KILL",
    };
    // The shell's own `kill`: the standard library can only send SIGKILL.
    let script = format!("kill -{name} {process}");
    Command::new("sh").args(["-c", &script]).stderr(Stdio::null()).status().expect("a shell is there");
    let state = || std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    let lives = |stat: String| stat.rsplit(") ").next().is_some_and(|rest| !rest.is_empty() && !rest.starts_with('Z'));
    while signal == Signal::Kill && lives(state()) {
        thread::sleep(Duration::from_millis(1));
    }
}

impl Running {
    pub fn signal(&self, signal: Signal) {
        send(signal, self.id());
    }

    /// The process's id, for [`send`].
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Waits for the end; panics, with what was said so far, when the time limit passes.
    #[track_caller]
    pub fn wait(mut self) -> Answer {
        let mut peak = 0;
        let status = loop {
            peak = peak.max(resident(self.child.id()));
            if let Some(status) = self.child.try_wait().expect("the child can be waited for") {
                break Some(status);
            }
            if Instant::now() >= self.until {
                self.child.kill().expect("the child can be killed");
                self.child.wait().expect("the child can be waited for");
                break None;
            }
            thread::sleep(Duration::from_millis(3));
        };
        let text = |pipe: JoinHandle<Vec<u8>>| pipe.join().expect("the reader ends");
        let (stdout, stderr) = (text(self.stdout), text(self.stderr));
        let Some(status) = status else {
            panic!(
                "still running after {:?}: {:?} {:?}\n--- stdout\n{}\n--- stderr\n{}",
                self.plan.patience,
                self.plan.binary,
                self.plan.args,
                String::from_utf8_lossy(&stdout),
                String::from_utf8_lossy(&stderr)
            );
        };
        Answer { status, stdout, stderr, peak, args: self.plan.args }
    }
}

/// The most memory that a running process has held so far, in KiB; 0 where the system does not say.
fn resident(process: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    peak.and_then(|rest| rest.split_whitespace().next()?.parse().ok()).unwrap_or(0)
}

/// A finished run.
#[derive(Debug, Clone)]
pub struct Answer {
    pub status: ExitStatus,
    pub stdout: Vec<u8>,
    pub stderr: Vec<u8>,
    /// The most memory it held, in KiB, looked at every few milliseconds; 0 where the system does not say.
    pub peak: u64,
    args: Vec<OsString>,
}

impl Answer {
    /// The exit code; `128 + n` when signal `n` ended the run, as shells count.
    pub fn code(&self) -> i32 {
        self.status.code().or_else(|| self.status.signal().map(|n| 128 + n)).expect("an ended run")
    }

    /// stdout, which must be UTF-8.
    #[track_caller]
    pub fn out(&self) -> &str {
        std::str::from_utf8(&self.stdout).expect("stdout is UTF-8")
    }

    /// stderr, which must be UTF-8.
    #[track_caller]
    pub fn err(&self) -> &str {
        std::str::from_utf8(&self.stderr).expect("stderr is UTF-8")
    }

    /// stdout as JSON: nothing but one document may stand there.
    #[track_caller]
    pub fn json(&self) -> serde_json::Value {
        match serde_json::from_slice(&self.stdout) {
            Ok(value) => value,
            Err(why) => panic!("stdout is no JSON document: {why}\n{self}"),
        }
    }

    /// Panics with everything that was said when the exit code is another one; gives the answer back.
    #[track_caller]
    pub fn exits(self, code: i32) -> Self {
        assert_eq!(self.code(), code, "another exit code than expected\n{self}");
        self
    }

    /// Panics when stderr does not have this text in it.
    #[track_caller]
    pub fn says(self, text: &str) -> Self {
        assert!(self.err().contains(text), "stderr lacks {text:?}\n{self}");
        self
    }
}

impl std::fmt::Display for Answer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        writeln!(f, "--- args {:?}, exit code {}", self.args, self.code())?;
        writeln!(f, "--- stdout\n{}", String::from_utf8_lossy(&self.stdout))?;
        write!(f, "--- stderr\n{}", String::from_utf8_lossy(&self.stderr))
    }
}
