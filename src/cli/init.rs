//! `dai init`: a place for reviews that git does not see.

use std::fs;
use std::io;
use std::path::Path;

use super::{Failure, reviews};
use crate::atomic::{self, Audience};
use crate::change::git::{Network, Repo};
use crate::exit::Exit;
use crate::output::Ui;
use crate::settings::dotenv;

/// What a repository needs to ignore: reviews are drafts, and a dot-env file holds a token.
const IGNORED: [&str; 2] = ["/.dai/reviews/", "/.env.dai"];

pub fn run(dir: &Path, ui: &Ui) -> Result<Exit, Failure> {
    let repo = Repo::discover(dir, Network::Forbidden)?;
    if repo.is_bare() {
        return Err(Failure::usage("a bare repository has no work tree to prepare", "run it in a clone with one"));
    }
    let root = repo.root();
    let done = prepare(root).map_err(|fault| refused(root, &fault))?;
    if done.is_empty() {
        ui.note("nothing to do: this repository is ready");
    }
    for step in done {
        ui.note(step);
    }
    Ok(Exit::Done)
}

/// Does what is still missing, and says what that was.
pub fn prepare(root: &Path) -> io::Result<Vec<&'static str>> {
    let about = |what: &'static str| move |fault: io::Error| io::Error::new(fault.kind(), format!("{what}: {fault}"));
    let mut done = Vec::new();
    if reviews::make(root).map_err(about(".dai/reviews/"))? {
        done.push("made .dai/reviews/");
    }
    if ignore(root).map_err(about(".gitignore"))? {
        done.push("added .dai/reviews/ and .env.dai to .gitignore");
    }
    if example(root).map_err(about(".env.example"))? {
        done.push("wrote .env.example");
    }
    Ok(done)
}

fn refused(root: &Path, fault: &io::Error) -> Failure {
    Failure::new(Exit::Usage, format!("cannot prepare {}", root.display()))
        .cause(fault)
        .help("see what stands in the way there, and run `dai init` again: it does only what is missing")
}

fn ignore(root: &Path) -> io::Result<bool> {
    let path = root.join(".gitignore");
    // A link may come with a branch: what it leads to is neither read nor replaced, and a device has no end.
    let old = match fs::symlink_metadata(&path) {
        Ok(meta) if meta.is_file() => fs::read(&path)?,
        Ok(_) => return Err(io::Error::new(io::ErrorKind::InvalidInput, "is not a regular file")),
        Err(fault) if fault.kind() == io::ErrorKind::NotFound => Vec::new(),
        Err(fault) => return Err(fault),
    };
    // Bytes, not text: a .gitignore may name files that are not UTF-8.
    let has = |wanted: &str| {
        let bare = wanted.trim_start_matches('/');
        let spellings = [wanted, bare, wanted.trim_end_matches('/'), bare.trim_end_matches('/'), "/.dai/", ".dai/"];
        let spellings = if wanted.contains(".dai/") { &spellings[..] } else { &spellings[..4] };
        old.split(|b| *b == b'\n').any(|line| spellings.iter().any(|s| line.trim_ascii_end() == s.as_bytes()))
    };
    let missing: Vec<_> = IGNORED.into_iter().filter(|line| !has(line)).collect();
    if missing.is_empty() {
        return Ok(false);
    }
    let ending: &str = if old.windows(2).any(|pair| pair == b"\r\n") { "\r\n" } else { "\n" };
    let mut new = old.clone();
    if !new.is_empty() && !new.ends_with(b"\n") {
        new.extend_from_slice(ending.as_bytes());
    }
    for line in missing {
        new.extend_from_slice(line.as_bytes());
        new.extend_from_slice(ending.as_bytes());
    }
    atomic::write(&path, &new, Audience::Everyone)?;
    Ok(true)
}

fn example(root: &Path) -> io::Result<bool> {
    let path = root.join(".env.example");
    match fs::symlink_metadata(&path) {
        Ok(_) => Ok(false),
        Err(fault) if fault.kind() == io::ErrorKind::NotFound => {
            atomic::write(&path, dotenv::EXAMPLE.as_bytes(), Audience::Everyone)?;
            Ok(true)
        }
        Err(fault) => Err(fault),
    }
}
