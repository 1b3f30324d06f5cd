//! Which review file is read, and why another one is not.

use std::io;
use std::path::Path;

use crate::change::git::Repo;
use crate::change::patch::Patch;
use crate::change::{CommitId, Commits};
use crate::cli::{Failure, seen_from};
use crate::exit::Exit;
use crate::output::Written;
use crate::review::{self, Document, Format, Review};
use crate::text::marker::ReviewId;

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
    /// What the places as in the file count in, where they were carried from it.
    pub reviewed: Option<Reviewed>,
    /// What an exchange's numbers count in.
    pub patch: Option<Patch>,
    origin: Origin,
    /// Which review of the request it is, where it names no reviewer.
    by_file: ReviewId,
}

/// An older commit that a review is of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reviewed {
    pub commit: CommitId,
    /// What its diff started from; found only for findings on LEFT.
    pub merge_base: Option<CommitId>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Origin {
    /// `--from`: the user's word.
    Named,
    /// A default, by its names below the root, the plain one first: the branch under review must not
    /// bring it.
    Default(Vec<String>),
    /// Orchestra's file, by its names, instead of this default.
    Orchestra { names: Vec<String>, instead_of: String },
}

/// Reads `--from`, or the default of this request.
///
/// # Errors
///
/// Exit 3: no file, one that cannot be read, every fault of one at once; a default that git tracks or
/// that a link leads out of the repository.
pub fn read(
    from: Option<&Path>,
    format: Option<Format>,
    dir: &Path,
    repo: &Repo,
    number: Option<u64>,
) -> Result<ReviewFile, Failure> {
    let parsed = |bytes: &[u8], shown, origin| parsed(bytes, (shown, format), origin, repo);
    if let Some(from) = from {
        let (bytes, shown) = if from == Path::new("-") {
            (review::load::stream(&mut io::stdin().lock())?, "stdin".to_owned())
        } else {
            (review::load::file(&seen_from(dir, from))?, from.display().to_string())
        };
        return Ok(ReviewFile { by_file: named(from, number), ..parsed(&bytes, shown, Origin::Named)? });
    }
    let Some(number) = number else {
        return Err(Failure::usage("no review file is named", "name it with --from, or give REF for its default"));
    };
    let default = format!(".dai/reviews/{number}.json");
    let path = repo.root().join(&default);
    let orchestra = repo.root().join(ORCHESTRA);
    if path.symlink_metadata().is_ok() {
        let names = own(repo, &default, &path)?;
        return parsed(&review::load::file(&path)?, default, Origin::Default(names));
    }
    if orchestra.symlink_metadata().is_ok() {
        let names = own(repo, ORCHESTRA, &orchestra)?;
        let bytes = review::load::file(&orchestra)?;
        return parsed(&bytes, ORCHESTRA.to_owned(), Origin::Orchestra { names, instead_of: default });
    }
    Err(Failure::new(Exit::Review, format!("there is no review file {default} at the repository's root"))
        .help("let the reviewer write it there, or name another with --from (`-` is stdin)"))
}

/// By the name of the file, wherever it is; `-` is that of stdin. The default's own name is the default.
fn named(from: &Path, number: Option<u64>) -> ReviewId {
    let name = from.file_name().unwrap_or(from.as_os_str()).to_string_lossy();
    let default = number.map(|number| format!("{number}.json"));
    if default.is_some_and(|default| name == default) { ReviewId::Default } else { ReviewId::of_file(&name) }
}

impl ReviewFile {
    /// Which review of the request it is.
    pub fn id(&self) -> ReviewId {
        self.review.heading.reviewer.as_deref().map_or(self.by_file, ReviewId::of_reviewer)
    }

    /// What can only be told once the head is known.
    ///
    /// # Errors
    ///
    /// Exit 3: a default file that the head commit contains; Orchestra's where it is bound to another
    /// commit, and so is no default.
    pub fn check_against(&self, repo: &Repo, commits: &Commits) -> Result<(), Failure> {
        let head = &commits.head;
        let names = match &self.origin {
            Origin::Named => return Ok(()),
            Origin::Default(names) => names,
            Origin::Orchestra { names, instead_of } => {
                if self.review.head.as_deref() != Some(head.as_str()) {
                    let bound = self.review.head.as_deref().unwrap_or("no commit");
                    return Err(Failure::new(Exit::Review, format!("there is no review file {instead_of}"))
                        .cause(format!("{ORCHESTRA} is bound to {bound}, and the head is {head}"))
                        .help("name the file that is meant with --from"));
                }
                names
            }
        };
        for name in names {
            if repo.commit_has_path(head, name, &commits.merge_base)? {
                return Err(brought(&names[0], "the head commit contains it"));
            }
        }
        Ok(())
    }
}

fn parsed(
    bytes: &[u8],
    (shown, format): (String, Option<Format>),
    origin: Origin,
    repo: &Repo,
) -> Result<ReviewFile, Failure> {
    let (mut review, document) = review::read_as(bytes, &shown, format)?;
    review.below(Some(repo.root()), |path| path.canonicalize().ok());
    Ok(ReviewFile {
        patch: embedded(&review, &document),
        review,
        shown,
        written: Written::default(),
        reviewed: None,
        origin,
        by_file: ReviewId::Default,
    })
}

/// The patch of an exchange; `None` of any other format.
pub fn embedded(review: &Review, document: &Document) -> Option<Patch> {
    let exchange = (review.format == Format::Exchange).then(|| review::exchange::read(document).ok());
    exchange.flatten().map(|(exchange, _)| exchange.diff())
}

/// A default is only ever a file of this clone's owner: gives where it really is, below the root. A
/// link on the way to it may be the branch's own.
fn own(repo: &Repo, relative: &str, path: &Path) -> Result<Vec<String>, Failure> {
    let mut names = vec![relative.to_owned()];
    // A link to nowhere has no other name: reading it says so.
    if let (Ok(root), Ok(real)) = (repo.root().canonicalize(), path.canonicalize()) {
        let Ok(below) = real.strip_prefix(&root) else {
            return Err(Failure::new(Exit::Review, format!("{relative} leads out of the repository, and is not read"))
                .help(format!("if it is what you mean, say so: --from {relative}")));
        };
        let parts: Vec<_> = below.iter().map(|part| part.to_string_lossy()).collect();
        names.push(parts.join("/"));
        names.dedup();
    }
    if names.iter().any(|name| repo.is_tracked(name)) {
        return Err(brought(relative, "git tracks it"));
    }
    Ok(names)
}

fn brought(path: &str, why: &str) -> Failure {
    Failure::new(Exit::Review, format!("{path} is not read: {why}, and a branch must not bring its own review"))
        .help(format!("if it is what you mean, say so: --from {path}"))
}
