//! What needs no network starts none of it: no runtime, no socket.
//!
//! A run is held at its last step: its stdout is a pipe that is full already, so it blocks when it writes its result. What it has
//! opened by then stands in `/proc`.
#![cfg(target_os = "linux")]

use std::fs;
use std::io::{PipeReader, PipeWriter, Read as _, Write as _, pipe};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use serde_json::json;

use crate::local::{Local, at};
use crate::support::repo::{Repo, environment};
use crate::widgets::{TOKEN, Widgets};

/// What a pipe holds on Linux before its writer has to wait.
const FULL: usize = 64 * 1024;

struct Held {
    child: Child,
    reader: PipeReader,
    _writer: PipeWriter,
}

impl Held {
    fn start(args: &[&str], repo: &Repo, env: &[(&str, &str)]) -> Self {
        let (reader, mut writer) = pipe().expect("a pipe");
        writer.write_all(&vec![b' '; FULL]).expect("the pipe takes what it holds");
        let mut command = Command::new(env!("CARGO_BIN_EXE_dai"));
        command.args(args).env_clear().envs(environment(&repo.home())).envs(env.iter().copied());
        command.current_dir(repo.path()).stdin(Stdio::null()).stderr(Stdio::null());
        let child = command.stdout(writer.try_clone().expect("the pipe's other end")).spawn().expect("it starts");
        Self { child, reader, _writer: writer }
    }

    fn proc(&self, name: &str) -> String {
        format!("/proc/{}/{name}", self.child.id())
    }

    /// Waits until it has slept for a while without waking: it is at the pipe.
    fn blocked(self) -> Self {
        let until = Instant::now() + Duration::from_secs(60);
        let (mut last, mut same) = (String::new(), 0);
        while same < 15 {
            assert!(Instant::now() < until, "it never came to its result");
            let status = fs::read_to_string(self.proc("status")).expect("it runs");
            assert!(!status.contains("State:\tZ"), "it ended without writing to the full pipe");
            let asleep = status.contains("State:\tS");
            let switches: String = status.lines().filter(|line| line.contains("ctxt_switches")).collect();
            same = if asleep && switches == last { same + 1 } else { 0 };
            last = switches;
            sleep(Duration::from_millis(20));
        }
        self
    }

    /// Sockets and event queues among its open files, and how many threads it has.
    fn network(&self) -> (Vec<String>, usize) {
        let files = fs::read_dir(self.proc("fd")).expect("its files").flatten();
        let targets = files.filter_map(|entry| Some(fs::read_link(entry.path()).ok()?.display().to_string()));
        let network = targets.filter(|target| target.starts_with("socket:") || target.contains("eventpoll")).collect();
        (network, fs::read_dir(self.proc("task")).expect("its threads").count())
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        self.child.kill().ok();
        self.child.wait().ok();
        let _ = self.reader.read(&mut [0; 1]);
    }
}

#[test]
fn the_version_and_a_local_preview_start_no_runtime_and_open_no_socket() {
    let local = Local::two_hunks();
    local.repo.write("r.json", json!({ "findings": [at("a.rs", 5)] }).to_string());
    for args in [
        &["--version"][..],
        &["--help"],
        &["schema", "report"],
        &["forge", "review", "--base", "main", "--head", "topic", "--from", "r.json"],
        &["forge", "review", "--base", "main", "--head", "topic", "--from", "r.json", "--format", "json"],
    ] {
        let held =
            Held::start(args, &local.repo, &[("GH_TOKEN", TOKEN), ("HTTPS_PROXY", "http://127.0.0.1:1")]).blocked();
        assert_eq!(held.network(), (vec![], 1), "{args:?}");
    }
}

#[test]
fn a_preview_of_a_request_does_open_them_so_the_test_above_can_fail() {
    let widgets = Widgets::new();
    widgets.findings(&[at("a.rs", 5)]);
    let api = widgets.forge.api_url();
    let env = [("GH_ENTERPRISE_TOKEN", TOKEN), ("GITHUB_API_URL", api.as_str()), ("DAI_FORGE", "github")];
    let held = Held::start(&["forge", "review", "22"], &widgets.clone, &env).blocked();
    assert!(!held.network().0.is_empty());
}
