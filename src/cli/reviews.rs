//! The folder of reviews, `.dai/reviews/`.

use std::fs;
use std::io;
use std::path::Path;

/// Makes it at a repository's root; says whether there was anything to make.
///
/// # Errors
///
/// Each part of it must be a real folder: a link may come with a branch and lead out of the repository.
pub fn make(root: &Path) -> io::Result<bool> {
    let mut made = false;
    let mut folder = root.to_path_buf();
    for part in [".dai", "reviews"] {
        folder.push(part);
        match fs::symlink_metadata(&folder) {
            Ok(meta) if meta.is_dir() => {}
            Ok(_) => return Err(io::Error::other(format!("{part} is not a folder"))),
            Err(fault) if fault.kind() == io::ErrorKind::NotFound => {
                fs::create_dir(&folder)?;
                made = true;
            }
            Err(fault) => return Err(fault),
        }
    }
    Ok(made)
}
