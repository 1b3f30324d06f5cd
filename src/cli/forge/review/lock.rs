//! One post at a time on one machine: an advisory lock under the git directory, which the system
//! gives back whatever becomes of the process.

use std::fs::{self, File, TryLockError};
use std::path::Path;
use std::time::{Duration, Instant};

use crate::cli::Failure;
use crate::exit::Exit;
use crate::output::{Ui, human};

/// How long another run is waited for, outside tests.
pub const PATIENCE: Duration = Duration::from_secs(60);
/// How often it is looked whether the other run is done.
const EVERY: Duration = Duration::from_millis(200);

/// Held until it is dropped.
#[derive(Debug)]
pub struct Lock {
    _file: File,
}

/// Waits for another run that posts from the same repository.
///
/// # Errors
///
/// Exit 5 when patience ends, or where the lock cannot be made.
pub fn acquire(
    common_dir: &Path,
    patience: Duration,
    ui: &Ui,
    stopped: impl Fn() -> Result<(), Failure>,
) -> Result<Lock, Failure> {
    let folder = common_dir.join("dai");
    let path = folder.join("lock");
    let refuse = |fault: &dyn std::fmt::Display| {
        Failure::new(Exit::Forge, format!("cannot lock {}", path.display()))
            .cause(fault)
            .help("a post needs it so that two runs cannot post the same: see whether the git directory can be written")
    };
    fs::create_dir_all(&folder).map_err(|fault| refuse(&fault))?;
    let file = File::options().create(true).truncate(false).write(true).open(&path).map_err(|fault| refuse(&fault))?;
    let since = Instant::now();
    let mut said = false;
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(Lock { _file: file }),
            Err(TryLockError::Error(fault)) => return Err(refuse(&fault)),
            Err(TryLockError::WouldBlock) if since.elapsed() >= patience => {
                return Err(Failure::new(Exit::Forge, "another run posts from this repository, and is not done yet")
                    .cause(format!("waited {} for {}", human(patience), path.display()))
                    .help("wait for it to end, then run the same command again"));
            }
            Err(TryLockError::WouldBlock) => {
                if !said {
                    ui.note(&format!(
                        "another run posts from this repository: waiting for it, {} at most",
                        human(patience)
                    ));
                    said = true;
                }
                stopped()?;
                std::thread::sleep(EVERY);
            }
        }
    }
}
