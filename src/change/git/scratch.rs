//! A private git directory over the repository's objects.
//!
//! `git diff-tree` reads attributes and configuration, and both change which files it pairs as a
//! rename. Run in here it finds neither: no work tree, no index, no `info/attributes`, a
//! configuration of two lines. The objects are the repository's own, alternates included.

use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::Path;
use std::process::Command;

use git2::ObjectFormat;
use tempfile::TempDir;

use super::command;

pub(super) struct Scratch {
    dir: TempDir,
}

impl Scratch {
    /// `common_dir` is the repository's; its shallow boundary is copied as it is now.
    pub fn new(common_dir: &Path, format: ObjectFormat) -> io::Result<Self> {
        let dir = tempfile::Builder::new().prefix("dai-").tempdir()?;
        fs::create_dir(dir.path().join("objects"))?;
        fs::create_dir(dir.path().join("refs"))?;
        fs::write(dir.path().join("HEAD"), "ref: refs/heads/none\n")?;
        let (version, extension) = match format {
            ObjectFormat::Sha1 => (0, ""),
            _ => (1, "[extensions]\n\tobjectformat = sha256\n"),
        };
        let config = format!("[core]\n\trepositoryformatversion = {version}\n\tbare = true\n{extension}");
        fs::write(dir.path().join("config"), config)?;
        let shallow = common_dir.join("shallow");
        if shallow.is_file() {
            fs::copy(shallow, dir.path().join("shallow"))?;
        }
        Ok(Self { dir })
    }

    pub fn git(&self, program: &OsStr, common_dir: &Path) -> Command {
        let mut command = command::sealed(program, self.dir.path());
        command.env("GIT_DIR", self.dir.path()).env("GIT_OBJECT_DIRECTORY", common_dir.join("objects"));
        command
    }
}
