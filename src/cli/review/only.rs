//! The only review of a repository, for a command that names none.

use std::fs;
use std::path::{Path, PathBuf};

use crate::change::git::{Network, Repo};
use crate::cli::{Failure, Place};
use crate::exit::Exit;
use crate::output::visible;

/// The folder as a person in `dir` would name it, since messages name the file: `../.dai/reviews`.
fn seen_from(dir: &Path, folder: &Path) -> PathBuf {
    let root = folder.ancestors().nth(2).and_then(|root| root.canonicalize().ok());
    let here = dir.canonicalize().ok();
    let below = here.as_deref().zip(root.as_deref()).and_then(|(here, root)| here.strip_prefix(root).ok());
    match below {
        Some(below) => below.iter().map(|_| "..").chain([".dai", "reviews"]).collect(),
        None => folder.to_owned(),
    }
}

/// The one file in `.dai/reviews/`, receipts aside.
///
/// # Errors
///
/// Exit 2 where there is none, or several, with the list; 3 where a link, which may come with a branch,
/// leads to it out of the repository; 4 outside a repository.
pub fn review(place: &Place<'_>) -> Result<PathBuf, Failure> {
    let root = Repo::discover(place.dir, Network::Forbidden)?.root().to_path_buf();
    let folder = root.join(".dai/reviews");
    let entries = fs::read_dir(&folder).into_iter().flatten().flatten();
    let mut names: Vec<String> = entries
        .filter(|entry| entry.path().is_file())
        .filter_map(|entry| entry.file_name().into_string().ok())
        .filter(|name| name.ends_with(".json") && !name.ends_with(".posted.json"))
        .collect();
    names.sort_unstable();
    match &names[..] {
        [one] => {
            let path = folder.join(one);
            let inside = match (root.canonicalize(), path.canonicalize()) {
                (Ok(root), Ok(path)) => path.starts_with(root),
                _ => false,
            };
            match inside {
                true => Ok(seen_from(place.dir, &folder).join(one)),
                false => {
                    let name = format!(".dai/reviews/{}", visible(one));
                    let failure = format!("{name} leads out of the repository, and is not read");
                    Err(Failure::new(Exit::Review, failure)
                        .help(format!("if it is what you mean, say so: dai review check {name}")))
                }
            }
        }
        [] => Err(Failure::usage("there is no review in .dai/reviews/", "name the file: dai review check FILE")),
        several => {
            let mut failure = Failure::usage(
                format!("there are {} reviews in .dai/reviews/", several.len()),
                "name the one that is meant: dai review check FILE",
            );
            failure.causes.extend(several.iter().map(|name| visible(name).into_owned()));
            Err(failure)
        }
    }
}
