//! A review file that is named on the command line, read, and kept as it is read for changes in place.

use std::io;
use std::path::{Path, PathBuf};

use crate::atomic::{self, Audience};
use crate::change::git::{Network, Repo};
use crate::cli::Failure;
use crate::exit::Exit;
use crate::output::visible;
use crate::review::load::{self, LoadError};
use crate::review::{self, Document, Edits, Format, Rename, Review, Source, quoted};

/// A file and what it says now.
pub struct Opened {
    dir: PathBuf,
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
        Self::read_as(dir, file, None)
    }

    /// [`Opened::read`], of a format that the user names.
    ///
    /// # Errors
    ///
    /// As there.
    pub fn read_as(dir: &Path, file: &Path, format: Option<Format>) -> Result<Self, Failure> {
        // Messages name the file as it was typed.
        let path = if dir == Path::new(".") || file == Path::new("-") { file.to_owned() } else { dir.join(file) };
        let (bytes, shown) = bytes(&path, file)?;
        let (mut review, document) = review::read_as(&bytes, &shown, format)?;
        place_paths(&mut review, dir);
        Ok(Self { dir: dir.to_owned(), path, shown, review, document })
    }

    /// Renames the misnamed fields that are sure, in the file itself, and gives a line on each. Before the
    /// file is read as a review: one that lacks a required field for it is none yet.
    ///
    /// # Errors
    ///
    /// As [`Opened::read`], and where the file cannot be written.
    pub fn rename_fields(dir: &Path, file: &Path) -> Result<Vec<String>, Failure> {
        let path = if dir == Path::new(".") { file.to_owned() } else { dir.join(file) };
        let (bytes, shown) = bytes(&path, file)?;
        // What is no JSON is told by the reading that follows.
        let Some(document) =
            std::str::from_utf8(&bytes).ok().and_then(|text| Document::parse(Source::new(&*shown, text)).ok())
        else {
            return Ok(Vec::new());
        };
        let renames = review::renames(&document);
        if renames.is_empty() {
            return Ok(Vec::new());
        }
        let mut edits = Edits::of(&document);
        for Rename { pointer, from, to } in &renames {
            edits.rename(pointer, from, to).map_err(|fault| {
                Failure::new(Exit::Review, "the file cannot be changed in place").cause(fault).help("run it again")
            })?;
        }
        replace(&path, &shown, document.source().text(), &edits.apply())?;
        let told = renames.iter().map(|Rename { pointer, from, to }| {
            let place = if pointer.is_empty() { "the file" } else { pointer };
            format!("{place}: the field {} is \"{to}\" now", quoted(from))
        });
        Ok(told.collect())
    }

    /// Refuses a command that writes into the file where it is another reviewer's, or stands in an envelope.
    ///
    /// # Errors
    ///
    /// Exit 2, with the command that makes a file of our own.
    pub fn writable(&self) -> Result<(), Failure> {
        let format = self.review.format;
        if !matches!(format, Format::Foreign(_)) && self.document.base().is_empty() {
            return Ok(());
        }
        let (shown, whose) = (visible(&self.shown), format.spec().whose);
        let envelope = if self.document.base().is_empty() { "" } else { ", in an envelope" };
        Err(Failure::usage(
            format!("{shown} is read as {whose}{envelope}, and such a file is not written to"),
            format!("make one that is: dai review convert {} --to dai -o OTHER.json", shown),
        ))
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
        let (mut review, document) = review::read(text.as_bytes(), &self.shown)?;
        place_paths(&mut review, &self.dir);
        replace(&self.path, &self.shown, self.document.source().text(), text)?;
        (self.review, self.document) = (review, document);
        Ok(())
    }
}

/// The file's bytes, and what it is called.
fn bytes(path: &Path, file: &Path) -> Result<(Vec<u8>, String), Failure> {
    let (bytes, shown) = match file == Path::new("-") {
        true => (load::stream(&mut io::stdin().lock()), "stdin".to_owned()),
        false => (load::file(path), file.display().to_string()),
    };
    Ok((bytes.map_err(|error| unread(error, &shown))?, shown))
}

/// Writes the file, provided it still is what was read.
fn replace(path: &Path, shown: &str, read: &str, text: &str) -> Result<(), Failure> {
    let there = load::file(path).map_err(|error| unread(error, shown))?;
    if there != read.as_bytes() {
        return Err(Failure::new(Exit::Review, format!("{} was changed meanwhile", visible(shown)))
            .cause("what it says now was not read, and is not overwritten")
            .help("run the same command again"));
    }
    atomic::write(path, text.as_bytes(), Audience::Everyone).map_err(|fault| {
        Failure::new(Exit::Review, format!("cannot write {}", visible(shown)))
            .cause(fault)
            .help("see whether the file and its folder can be written")
    })?;
    Ok(())
}

/// Absolute paths are compared with the root of the repository that the command runs in.
fn place_paths(review: &mut Review, dir: &Path) {
    if review.has_absolute_path() {
        let repo = Repo::discover(dir, Network::Forbidden).ok();
        review.below(repo.as_ref().map(Repo::root), |path| path.canonicalize().ok());
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
