//! A review file that is named on the command line, read, and kept as it is read for changes in place.

use std::io;
use std::path::{Path, PathBuf};

use crate::atomic::{self, Audience};
use crate::cli::Failure;
use crate::exit::Exit;
use crate::output::visible;
use crate::review::load::{self, LoadError};
use crate::review::{self, Document, Review};

/// A file and what it says now.
pub struct Opened {
    path: PathBuf,
    /// As it was named, for people.
    pub shown: String,
    pub review: Review,
    pub document: Document,
}

impl Opened {
    /// `-` is stdin, where nothing is to be written.
    ///
    /// # Errors
    ///
    /// Exit 3: no file, one that cannot be read, every fault of one at once.
    pub fn read(dir: &Path, file: &Path) -> Result<Self, Failure> {
        // Messages name the file as it was typed.
        let path = if dir == Path::new(".") || file == Path::new("-") { file.to_owned() } else { dir.join(file) };
        let shown = file.display().to_string();
        let bytes = match file == Path::new("-") {
            true => load::stream(&mut io::stdin().lock()),
            false => load::file(&path),
        };
        let shown = if file == Path::new("-") { "stdin".to_owned() } else { shown };
        let bytes = bytes.map_err(|error| unread(error, &shown))?;
        let (review, document) = review::read(&bytes, &shown)?;
        Ok(Self { path, shown, review, document })
    }

    pub fn is_stdin(&self) -> bool {
        self.path == Path::new("-")
    }

    /// Replaces the file by a text that reads as a review, and goes on with that.
    ///
    /// # Errors
    ///
    /// Exit 3, the file being as it was: the text is no review, somebody else wrote the file in between,
    /// or it cannot be written.
    pub fn save(&mut self, text: &str) -> Result<(), Failure> {
        let (review, document) = review::read(text.as_bytes(), &self.shown)?;
        let there = load::file(&self.path).map_err(|error| unread(error, &self.shown))?;
        if there != self.document.source().text().as_bytes() {
            return Err(Failure::new(Exit::Review, format!("{} was changed meanwhile", visible(&self.shown)))
                .cause("what it says now was not read, and is not overwritten")
                .help("run the same command again"));
        }
        atomic::write(&self.path, text.as_bytes(), Audience::Everyone).map_err(|fault| {
            Failure::new(Exit::Review, format!("cannot write {}", visible(&self.shown)))
                .cause(fault)
                .help("see whether the file and its folder can be written")
        })?;
        (self.review, self.document) = (review, document);
        Ok(())
    }
}

/// The file is an argument here, so nothing is said of `--from`.
fn unread(error: LoadError, shown: &str) -> Failure {
    let help = match &error {
        LoadError::Missing { .. } => "check the path: it is taken from the current folder, or from -C DIR",
        LoadError::Folder { .. } => "name a file in it",
        LoadError::NotRegular { .. } => "name a regular file",
        LoadError::Unreadable { .. } => "check the file's permissions",
        LoadError::TooLarge { .. } | LoadError::Changed { .. } => error.help(),
    };
    let mut failure = Failure::new(Exit::Review, error.to_string()).help(help);
    if shown == "stdin" {
        failure.help.clear();
        failure.help.push("hand in a whole review".to_owned());
    }
    failure
}
