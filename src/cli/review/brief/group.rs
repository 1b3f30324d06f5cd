//! A shell and everything that it starts, as one process group, which ends as a whole.

use std::io;
use std::process::{Child, Command};

#[cfg(unix)]
pub use unix::{end, is_asking, shell};

#[cfg(unix)]
mod unix {
    use super::{Child, Command, io};

    use std::os::unix::process::CommandExt as _;
    use std::thread;
    use std::time::{Duration, Instant};

    use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, test_kill_process_group, waitid};

    /// How long a group has to end by itself when it is told to.
    const GRACE: Duration = Duration::from_secs(2);

    /// How often it is looked whether it has.
    const TICK: Duration = Duration::from_millis(10);

    /// The command in a group of its own. A terminal's Ctrl-C does not reach it there, and has to be
    /// passed on.
    pub fn shell(command: &str) -> Command {
        let mut shell = Command::new("sh");
        shell.arg("-c").arg(command).process_group(0);
        shell
    }

    /// Whether the terminal has stopped the group, since something in it wants to be told something
    /// there: it would wait for ever.
    pub fn is_asking(shell: &Child) -> bool {
        let stopped = waitid(WaitId::Pid(Pid::from_child(shell)), WaitIdOptions::STOPPED | WaitIdOptions::NOHANG);
        let signal = stopped.ok().flatten().and_then(|status| status.stopping_signal());
        signal.is_some_and(|signal| [Signal::TTIN, Signal::TTOU].iter().any(|asks| asks.as_raw() == signal))
    }

    /// Ends the whole group, the shell gone before or not.
    pub fn end(shell: &mut Child) -> io::Result<()> {
        let group = Pid::from_child(shell);
        // One that is gone cannot be told. What is stopped hears nothing before it goes on.
        let _ = kill_process_group(group, Signal::TERM);
        let _ = kill_process_group(group, Signal::CONT);
        let until = Instant::now() + GRACE;
        while Instant::now() < until {
            // The shell belongs to its group for as long as nobody has asked how it ended.
            shell.try_wait()?;
            if test_kill_process_group(group).is_err() {
                return Ok(());
            }
            thread::sleep(TICK);
        }
        let _ = kill_process_group(group, Signal::KILL);
        shell.wait().map(drop)
    }
}

#[cfg(not(unix))]
pub fn shell(command: &str) -> Command {
    let mut shell = Command::new("cmd");
    shell.arg("/C").arg(command);
    shell
}

#[cfg(not(unix))]
pub fn is_asking(_: &Child) -> bool {
    false
}

#[cfg(not(unix))]
pub fn end(shell: &mut Child) -> io::Result<()> {
    // It may be gone already: a terminal's Ctrl-C reaches it as well.
    let _ = shell.kill();
    shell.wait().map(drop)
}
