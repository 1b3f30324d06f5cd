//! The program at a pseudo-terminal, for what it asks and draws only there.

use std::io::{Read, Write};
use std::process::Child;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::Instant;

use pty_process::Size;
use pty_process::blocking::{Command, Pty, open};
use rustix::termios::{LocalModes, OptionalActions, tcgetattr, tcsetattr};

use super::program::{Dai, Signal, send};

impl Dai {
    /// Starts it with stdin, stdout and stderr at a terminal of 40 rows and 120 columns.
    #[track_caller]
    pub fn at_terminal(self) -> Terminal {
        self.at_terminal_of(120)
    }

    /// The same with another number of columns.
    #[track_caller]
    pub fn at_terminal_of(self, columns: u16) -> Terminal {
        let (pty, end) = open().expect("a pseudo-terminal");
        pty.resize(Size::new(40, columns)).expect("a size for the terminal");
        silence(&pty);
        let command = Command::new(&self.binary).args(&self.args).env_clear().envs(&self.environment);
        let command = command.env("TERM", "xterm-256color").current_dir(&self.cwd);
        super::signals::have_their_usual_effect_in_children();
        let child = command.spawn(end).expect("the program starts");
        let pty = Arc::new(pty);
        let (sender, drawn) = channel();
        thread::spawn({
            let pty = Arc::clone(&pty);
            move || {
                let mut chunk = [0; 4096];
                // Reading fails once nobody holds the terminal's other end.
                while let Ok(count) = (&*pty).read(&mut chunk) {
                    if count == 0 || sender.send(chunk[..count].to_vec()).is_err() {
                        return;
                    }
                }
            }
        });
        Terminal { child, pty, drawn, raw: Vec::new(), read: 0, until: Instant::now() + self.patience, _plan: self }
    }
}

/// Turns the terminal's own echo off: keys that arrive between a question and the program's reading would be drawn by the
/// terminal as well, on a busy machine only, and no two runs would draw the same.
fn silence(pty: &Pty) {
    let mut modes = tcgetattr(pty).expect("the terminal's modes");
    modes.local_modes.remove(LocalModes::ECHO | LocalModes::ECHONL);
    tcsetattr(pty, OptionalActions::Now, &modes).expect("the terminal takes modes");
}

/// A run at a terminal.
pub struct Terminal {
    child: Child,
    pty: Arc<Pty>,
    drawn: Receiver<Vec<u8>>,
    raw: Vec<u8>,
    /// How much of the plain text was matched.
    read: usize,
    until: Instant,
    _plan: Dai,
}

impl Terminal {
    /// Everything drawn so far, without escape sequences and with `\n` at the ends of lines.
    pub fn plain(&self) -> String {
        let text = String::from_utf8_lossy(&self.raw).replace("\r\n", "\n");
        anstream::adapter::strip_str(&text).to_string()
    }

    /// Everything drawn so far, escape sequences and all.
    pub fn raw(&self) -> &[u8] {
        &self.raw
    }

    /// Waits until this text is drawn after what was matched before; panics with all that was drawn when it is not.
    #[track_caller]
    pub fn expect(&mut self, text: &str) -> &mut Self {
        loop {
            let plain = self.plain();
            let rest = plain.get(self.read..).unwrap_or_default();
            if let Some(at) = rest.find(text) {
                self.read += at + text.len();
                return self;
            }
            assert!(self.more(), "{text:?} was never drawn; this was:\n{plain}");
        }
    }

    /// Types.
    #[track_caller]
    pub fn send(&mut self, keys: &str) -> &mut Self {
        (&*self.pty).write_all(keys.as_bytes()).expect("the terminal takes keys");
        self
    }

    /// Types a line and Enter.
    #[track_caller]
    pub fn line(&mut self, text: &str) -> &mut Self {
        self.send(&format!("{text}\r"))
    }

    /// Presses Ctrl-C.
    #[track_caller]
    pub fn interrupt(&mut self) -> &mut Self {
        self.send("\u{3}")
    }

    /// What the system tells a program whose terminal is closed.
    pub fn hang_up(&self) {
        send(Signal::HangUp, self.child.id());
    }

    /// Waits for the end; gives the exit code (`128 + n` for signal `n`) and the plain text of everything drawn.
    #[track_caller]
    pub fn wait(mut self) -> (i32, String) {
        let code = self.end();
        (code, self.plain())
    }

    /// The same with every escape that was drawn.
    #[track_caller]
    pub fn wait_raw(mut self) -> (i32, String) {
        let code = self.end();
        (code, String::from_utf8_lossy(&self.raw).into_owned())
    }

    #[track_caller]
    fn end(&mut self) -> i32 {
        while self.more() {}
        if Instant::now() >= self.until {
            self.child.kill().expect("the child can be killed");
            self.child.wait().expect("the child can be waited for");
            panic!("still running at the terminal; this was drawn:\n{}", self.plain());
        }
        let status = self.child.wait().expect("the child can be waited for");
        let signal = std::os::unix::process::ExitStatusExt::signal(&status);
        status.code().or(signal.map(|n| 128 + n)).expect("an ended run")
    }

    /// Takes in what comes next; false when nothing more comes, or the time is up.
    fn more(&mut self) -> bool {
        match self.drawn.recv_timeout(self.until.saturating_duration_since(Instant::now())) {
            Ok(bytes) => {
                self.raw.extend(bytes);
                true
            }
            Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => false,
        }
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        // A test that failed half-way leaves nobody waiting for keys.
        self.child.kill().ok();
        self.child.wait().ok();
    }
}
