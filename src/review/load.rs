//! The bytes of a review file, from a path or from standard input. Bounded, and never from anything
//! that could hang.

use std::fs::{File, Metadata};
use std::io::{self, Read};
use std::path::Path;

use super::quote::quoted;

/// The largest review file, in bytes.
pub const MAX_BYTES: usize = 8 << 20;

/// Why there are no bytes.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    #[error("there is no review file {}", quoted(.name))]
    Missing { name: String },
    #[error("{} is a folder, not a review file", quoted(.name))]
    Folder { name: String },
    /// A pipe, a device, a socket.
    #[error("{} is not a regular file", quoted(.name))]
    NotRegular { name: String },
    #[error("cannot read {}: {source}", quoted(.name))]
    Unreadable { name: String, source: io::Error },
    #[error("{} is larger than {} MiB, the limit", quoted(.name), MAX_BYTES >> 20)]
    TooLarge { name: String },
    #[error("{} was changed while it was read", quoted(.name))]
    Changed { name: String },
}

impl LoadError {
    pub fn help(&self) -> &'static str {
        match self {
            LoadError::Missing { .. } => {
                "check the path of --from: it is taken from the current folder, or from -C DIR"
            }
            LoadError::Folder { .. } => "name a file in it with --from",
            LoadError::NotRegular { .. } => "use --from - to read a pipe",
            LoadError::Unreadable { .. } => "check the file's permissions, or name another with --from",
            LoadError::TooLarge { .. } => "split the review into several files",
            LoadError::Changed { .. } => "run again when nothing writes to it",
        }
    }
}

/// Reads a regular file of at most [`MAX_BYTES`].
///
/// # Errors
///
/// Everything else than a regular file is refused without being read; so is a file that another
/// program writes to at the same moment, since half of a review is not a review.
pub fn file(path: &Path) -> Result<Vec<u8>, LoadError> {
    let name = path.display().to_string();
    let unreadable = |source: io::Error| match source.kind() {
        io::ErrorKind::NotFound => LoadError::Missing { name: name.clone() },
        _ => LoadError::Unreadable { name: name.clone(), source },
    };
    let mut file = open(path).map_err(unreadable)?;
    let before = file.metadata().map_err(unreadable)?;
    if before.is_dir() {
        return Err(LoadError::Folder { name });
    }
    if !before.is_file() {
        return Err(LoadError::NotRegular { name });
    }
    let bytes = bounded(&mut file, &name)?;
    let after = file.metadata().map_err(unreadable)?;
    if is_steady(&before, bytes.len(), &after) { Ok(bytes) } else { Err(LoadError::Changed { name }) }
}

/// Whether what was read is one state of the file: same time, and the same length three times.
fn is_steady(before: &Metadata, read: usize, after: &Metadata) -> bool {
    let same_time = before.modified().ok() == after.modified().ok();
    same_time && before.len() == after.len() && after.len() == read as u64
}

/// Reads standard input, or whatever is handed in for it, to its end.
///
/// # Errors
///
/// More than [`MAX_BYTES`], or a failed read.
pub fn stream(input: &mut impl Read) -> Result<Vec<u8>, LoadError> {
    bounded(input, "stdin")
}

fn bounded(input: &mut impl Read, name: &str) -> Result<Vec<u8>, LoadError> {
    let mut bytes = Vec::new();
    let read = input.take(MAX_BYTES as u64 + 1).read_to_end(&mut bytes);
    read.map_err(|source| LoadError::Unreadable { name: name.to_owned(), source })?;
    if bytes.len() > MAX_BYTES {
        return Err(LoadError::TooLarge { name: name.to_owned() });
    }
    Ok(bytes)
}

/// Opens without waiting: a pipe that nobody writes to would block even the opening.
#[cfg(unix)]
fn open(path: &Path) -> io::Result<File> {
    use std::os::unix::fs::OpenOptionsExt as _;
    File::options().read(true).custom_flags(libc::O_NONBLOCK | libc::O_NOCTTY).open(path)
}

#[cfg(not(unix))]
fn open(path: &Path) -> io::Result<File> {
    // Opening a folder is refused here with a word about permissions.
    if path.is_dir() { Err(io::ErrorKind::IsADirectory.into()) } else { File::open(path) }
}

#[cfg(test)]
mod tests {
    use std::io::{self, Read};

    use super::{LoadError, MAX_BYTES, file, is_steady, stream};

    #[test]
    fn a_file_is_read_whole_up_to_the_limit() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("22.json");
        std::fs::write(&path, vec![b' '; MAX_BYTES]).unwrap();
        assert_eq!(file(&path).unwrap().len(), MAX_BYTES);
        std::fs::write(&path, vec![b' '; MAX_BYTES + 1]).unwrap();
        assert!(matches!(file(&path), Err(LoadError::TooLarge { .. })));
    }

    #[test]
    fn what_is_no_file_is_refused_by_kind() {
        let folder = tempfile::tempdir().unwrap();
        assert!(matches!(file(&folder.path().join("none")), Err(LoadError::Missing { .. })));
        assert!(matches!(file(folder.path()), Err(LoadError::Folder { .. })));
        std::fs::write(folder.path().join("a"), "{}").unwrap();
        assert!(matches!(file(&folder.path().join("a/b")), Err(LoadError::Unreadable { .. })));
    }

    #[cfg(unix)]
    #[test]
    fn a_pipe_or_a_device_is_refused_at_once_and_not_read() {
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("pipe");
        let made = std::process::Command::new("mkfifo").arg(&pipe).status().unwrap();
        assert!(made.success());
        assert!(matches!(file(&pipe), Err(LoadError::NotRegular { .. })));
        assert!(matches!(file("/dev/zero".as_ref()), Err(LoadError::NotRegular { .. })));
    }

    #[test]
    fn a_file_that_changes_under_the_reading_is_told_by_length_or_time() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("22.json");
        std::fs::write(&path, "{}").unwrap();
        let before = path.metadata().unwrap();
        assert!(is_steady(&before, 2, &before));
        assert!(!is_steady(&before, 1, &before));
        std::fs::write(&path, "{ }").unwrap();
        assert!(!is_steady(&before, 3, &path.metadata().unwrap()));
        std::fs::write(&path, "[]").unwrap();
        let later = std::time::SystemTime::now() + std::time::Duration::from_secs(9);
        std::fs::File::options().write(true).open(&path).unwrap().set_modified(later).unwrap();
        assert!(!is_steady(&before, 2, &path.metadata().unwrap()));
    }

    #[test]
    fn a_stream_is_bounded_even_without_an_end() {
        assert_eq!(stream(&mut "{}".as_bytes()).unwrap(), b"{}");
        assert!(matches!(stream(&mut io::repeat(b' ')), Err(LoadError::TooLarge { .. })));
        let mut broken = io::empty().chain(Broken);
        assert!(matches!(stream(&mut broken), Err(LoadError::Unreadable { .. })));
    }

    struct Broken;

    impl Read for Broken {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::ErrorKind::ConnectionReset.into())
        }
    }
}
