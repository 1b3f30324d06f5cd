//! Which review file is read, and why another one is not.

use std::io;
use std::path::Path;

use crate::change::CommitId;
use crate::change::git::Repo;
use crate::cli::Failure;
use crate::exit::Exit;
use crate::output::Written;
use crate::review::{self, Review};

/// Orchestra's file, where there is no other and it is bound to the request's head.
const ORCHESTRA: &str = ".orchestra/review.json";

/// A review and where it came from.
#[derive(Debug)]
pub struct ReviewFile {
    pub review: Review,
    /// For people: the path, or `stdin`.
    pub shown: String,
    /// The places as in the file, of findings that were carried elsewhere.
    pub written: Written,
    origin: Origin,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Origin {
    /// `--from`: the user's word.
    Named,
    /// A default, by its path below the root: the branch under review must not bring it.
    Default(String),
    /// Orchestra's file instead of this default.
    Orchestra { instead_of: String },
}

/// Reads `--from`, or the default of this request.
///
/// # Errors
///
/// Exit 3: no file, one that cannot be read, every fault of one at once; a default that git tracks or
/// that a link leads out of the repository.
pub fn read(from: Option<&Path>, dir: &Path, repo: &Repo, number: Option<u64>) -> Result<ReviewFile, Failure> {
    if let Some(from) = from {
        let (bytes, shown) = if from == Path::new("-") {
            (review::load::stream(&mut io::stdin().lock())?, "stdin".to_owned())
        } else {
            (review::load::file(&dir.join(from))?, from.display().to_string())
        };
        return parsed(&bytes, shown, Origin::Named);
    }
    let Some(number) = number else {
        return Err(Failure::usage("no review file is named", "name it with --from, or give REF for its default"));
    };
    let default = format!(".dai/reviews/{number}.json");
    let path = repo.root().join(&default);
    let orchestra = repo.root().join(ORCHESTRA);
    if path.symlink_metadata().is_ok() {
        own(repo, &default, &path)?;
        return parsed(&review::load::file(&path)?, default.clone(), Origin::Default(default));
    }
    if orchestra.symlink_metadata().is_ok() {
        own(repo, ORCHESTRA, &orchestra)?;
        let bytes = review::load::file(&orchestra)?;
        return parsed(&bytes, ORCHESTRA.to_owned(), Origin::Orchestra { instead_of: default });
    }
    Err(Failure::new(Exit::Review, format!("there is no review file {default} at the repository's root"))
        .help("let the reviewer write it there, or name another with --from (`-` is stdin)"))
}

impl ReviewFile {
    /// What can only be told once the head is known.
    ///
    /// # Errors
    ///
    /// Exit 3: a default file that the head commit contains; Orchestra's where it is bound to another
    /// commit, and so is no default.
    pub fn check_against(&self, repo: &Repo, head: &CommitId) -> Result<(), Failure> {
        let path = match &self.origin {
            Origin::Named => return Ok(()),
            Origin::Default(path) => path.as_str(),
            Origin::Orchestra { instead_of } => {
                if self.review.head.as_deref() != Some(head.as_str()) {
                    let bound = self.review.head.as_deref().unwrap_or("no commit");
                    return Err(Failure::new(Exit::Review, format!("there is no review file {instead_of}"))
                        .cause(format!("{ORCHESTRA} is bound to {bound}, and the head is {head}"))
                        .help("name the file that is meant with --from"));
                }
                ORCHESTRA
            }
        };
        if repo.commit_has_path(head, path)? { Err(brought(path, "the head commit contains it")) } else { Ok(()) }
    }
}

fn parsed(bytes: &[u8], shown: String, origin: Origin) -> Result<ReviewFile, Failure> {
    let (review, _) = review::read(bytes, &shown)?;
    Ok(ReviewFile { review, shown, written: Written::default(), origin })
}

/// A default is only ever a file of this clone's owner.
fn own(repo: &Repo, relative: &str, path: &Path) -> Result<(), Failure> {
    if repo.is_tracked(relative) {
        return Err(brought(relative, "git tracks it"));
    }
    let inside = match (repo.root().canonicalize(), path.canonicalize()) {
        (Ok(root), Ok(real)) => real.starts_with(root),
        // A link to nowhere: reading it says so.
        _ => true,
    };
    if inside {
        return Ok(());
    }
    Err(Failure::new(Exit::Review, format!("{relative} leads out of the repository, and is not read"))
        .help(format!("if it is what you mean, say so: --from {relative}")))
}

fn brought(path: &str, why: &str) -> Failure {
    Failure::new(Exit::Review, format!("{path} is not read: {why}, and a branch must not bring its own review"))
        .help(format!("if it is what you mean, say so: --from {path}"))
}
