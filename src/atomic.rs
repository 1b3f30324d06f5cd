//! Files are written beside and renamed: a run that is cut off leaves the old file or the new one,
//! never a part.

use std::fs;
use std::io::{self, Write as _};
use std::path::Path;

/// Who may read a file that is made anew. An existing file keeps its permissions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Audience {
    /// As the umask says.
    Everyone,
    /// The owner only.
    Owner,
}

/// Replaces or makes `path`. A symbolic link is refused rather than followed or replaced: it may
/// come with a branch and point anywhere.
pub fn write(path: &Path, bytes: &[u8], audience: Audience) -> io::Result<()> {
    let old = match fs::symlink_metadata(path) {
        Ok(meta) if meta.is_file() => Some(meta.permissions()),
        Ok(_) => return Err(io::Error::new(io::ErrorKind::InvalidInput, "is not a regular file")),
        Err(fault) if fault.kind() == io::ErrorKind::NotFound => None,
        Err(fault) => return Err(fault),
    };
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let mut builder = tempfile::Builder::new();
    builder.prefix(".dai-").suffix(".tmp");
    #[cfg(unix)]
    if audience == Audience::Everyone {
        use std::os::unix::fs::PermissionsExt as _;
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    let mut beside = builder.tempfile_in(folder)?;
    beside.write_all(bytes)?;
    if let Some(permissions) = old {
        beside.as_file().set_permissions(permissions)?;
    }
    beside.as_file().sync_all()?;
    beside.persist(path).map_err(|fault| fault.error)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{Audience, write};

    #[test]
    fn a_new_file_is_made_and_an_old_one_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("f");
        write(&path, b"one", Audience::Everyone).unwrap();
        write(&path, b"two", Audience::Everyone).unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"two");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "nothing is left beside it");
    }

    #[cfg(unix)]
    #[test]
    fn a_link_is_refused_and_its_target_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("target");
        std::fs::write(&target, "kept").unwrap();
        let link = folder.path().join("link");
        std::os::unix::fs::symlink(&target, &link).unwrap();
        assert!(write(&link, b"new", Audience::Everyone).is_err());
        assert_eq!(std::fs::read(&target).unwrap(), b"kept");
    }

    #[cfg(unix)]
    #[test]
    fn permissions_are_kept_and_the_owner_is_alone_when_asked() {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = tempfile::tempdir().unwrap();
        let mode = |path: &std::path::Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
        let shared = folder.path().join("shared");
        std::fs::write(&shared, "").unwrap();
        std::fs::set_permissions(&shared, std::fs::Permissions::from_mode(0o640)).unwrap();
        write(&shared, b"x", Audience::Everyone).unwrap();
        assert_eq!(mode(&shared), 0o640);
        let private = folder.path().join("private");
        write(&private, b"x", Audience::Owner).unwrap();
        assert_eq!(mode(&private), 0o600);
    }
}
