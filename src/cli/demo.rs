//! `dai demo`: a scratch repository with a change and a review of it, and the real preview of both.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use clap::Args;

use super::{Failure, forge, init, seen_from};
use crate::change::git::quoted;
use crate::exit::Exit;
use crate::output::Ui;
use crate::settings::Env;

#[derive(Debug, Args)]
pub struct DemoArgs {
    /// Where to make the repository; a new folder among the temporary files when left out
    dir: Option<PathBuf>,
}

/// A small shop before and after a change that renames one module and deletes another.
const BEFORE: [(&str, &str); 3] = [
    ("src/checkout.ts", include_str!("../../fixtures/demo/before/src/checkout.ts")),
    ("src/price.ts", include_str!("../../fixtures/demo/before/src/price.ts")),
    ("src/legacy-audit.ts", include_str!("../../fixtures/demo/before/src/legacy-audit.ts")),
];
const AFTER: [(&str, &str); 2] = [
    ("src/checkout.ts", include_str!("../../fixtures/demo/after/src/checkout.ts")),
    ("src/pricing.ts", include_str!("../../fixtures/demo/after/src/pricing.ts")),
];
/// A review of it, with a line that a model made up.
const REVIEW: &str = include_str!("../../fixtures/demo/review.json");
const REVIEW_FILE: &str = ".dai/reviews/1.json";
/// The words of the preview that the demo runs.
const PREVIEW: &str = "forge review --base main --head coupon --from .dai/reviews/1.json";

pub fn run(args: &DemoArgs, dir: &Path, env: &Env, ui: &Ui) -> Result<Exit, Failure> {
    let place =
        match &args.dir {
            Some(wanted) => empty_folder(&seen_from(dir, wanted))?,
            None => tempfile::Builder::new().prefix("dai-demo-").tempdir().map(tempfile::TempDir::keep).map_err(
                |fault| Failure::usage("cannot make a temporary folder", "name a folder: dai demo DIR").cause(fault),
            )?,
        };
    build(&place).map_err(|fault| {
        Failure::new(Exit::Git, format!("cannot make the demo repository in {}", place.display()))
            .cause(fault)
            .help("name a folder that can be written: dai demo DIR")
    })?;
    let shown = quoted(&place.display().to_string());
    let dai = format!("{} -C {shown}", program(env));
    ui.note(&format!("made a repository with a change (main..coupon) and a review of it in {}", place.display()));
    ui.note(&format!("$ {dai} {PREVIEW} --min-severity medium"));
    let exit = forge::review::preview_demo(&place, env, ui)?;
    ui.note("to go on:");
    for (what, command) in [
        ("the change itself", format!("git -C {shown} diff main...coupon")),
        ("what of the review does not hold, and why", format!("{dai} review check --base main")),
        ("the sure corrections, written into the file", format!("{dai} review check --base main --fix")),
        ("one finding after another: keep, dismiss, edit", format!("{dai} review triage {REVIEW_FILE} --base main")),
        ("what would be posted now", format!("{dai} {PREVIEW}")),
        ("the same for programs", format!("{dai} {PREVIEW} --format json")),
    ] {
        ui.note(&format!("  {what}:"));
        ui.note(&format!("      {command}"));
    }
    // Nobody looks for it where nobody named it.
    if args.dir.is_none() {
        ui.note(&format!("to remove it: rm -rf {shown}"));
    }
    Ok(exit)
}

/// How a shell in the caller's folder starts this very program: by its name where the PATH leads to it, else by its
/// path, as after `cargo run`.
fn program(env: &Env) -> String {
    let Ok(running) = std::env::current_exe().and_then(fs::canonicalize) else { return "dai".to_owned() };
    let path = env.bytes("PATH").unwrap_or_default();
    let first = std::env::split_paths(path).map(|dir| dir.join("dai")).find(|file| file.is_file());
    if first.and_then(|file| fs::canonicalize(file).ok()).is_some_and(|file| file == running) {
        return "dai".to_owned();
    }
    let here = std::env::current_dir().and_then(fs::canonicalize).unwrap_or_default();
    match running.strip_prefix(here) {
        Ok(below) => quoted(&Path::new(".").join(below).display().to_string()),
        Err(_) => quoted(&running.display().to_string()),
    }
}

fn empty_folder(path: &Path) -> Result<PathBuf, Failure> {
    let refuse = |what: &str| {
        Failure::usage(format!("{} {what}", path.display()), "name a folder that is empty or not there yet")
    };
    match fs::read_dir(path) {
        Ok(mut entries) => match entries.next() {
            Some(_) => Err(refuse("is not empty")),
            None => Ok(path.to_owned()),
        },
        Err(fault) if fault.kind() == io::ErrorKind::NotFound => {
            fs::create_dir_all(path).map_err(|fault| refuse("cannot be made").cause(fault))?;
            Ok(path.to_owned())
        }
        Err(fault) => Err(refuse("cannot be read").cause(fault)),
    }
}

/// What goes wrong while the repository is made.
#[derive(Debug, thiserror::Error)]
enum Building {
    #[error(transparent)]
    Io(#[from] io::Error),
    #[error(transparent)]
    Git(#[from] git2::Error),
}

fn build(place: &Path) -> Result<(), Building> {
    let mut options = git2::RepositoryInitOptions::new();
    options.initial_head("main").external_template(false);
    let repo = git2::Repository::init_opts(place, &options)?;
    init::prepare(place)?;
    for (path, text) in BEFORE {
        put(place, path, text)?;
    }
    let main = commit(&repo, "HEAD", "The shop", &[])?;
    for (path, _) in BEFORE {
        fs::remove_file(place.join(path))?;
    }
    for (path, text) in AFTER {
        put(place, path, text)?;
    }
    let parent = repo.find_commit(main)?;
    commit(&repo, "refs/heads/coupon", "Take coupons at the checkout", &[&parent])?;
    repo.set_head("refs/heads/coupon")?;
    put(place, REVIEW_FILE, REVIEW)?;
    Ok(())
}

fn put(place: &Path, path: &str, text: &str) -> io::Result<()> {
    let path = place.join(path);
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::write(path, text)
}

fn commit(
    repo: &git2::Repository,
    branch: &str,
    message: &str,
    parents: &[&git2::Commit<'_>],
) -> Result<git2::Oid, git2::Error> {
    let mut index = repo.index()?;
    index.add_all(["*"], git2::IndexAddOption::DEFAULT, None)?;
    index.update_all(["*"], None)?;
    index.write()?;
    let tree = repo.find_tree(index.write_tree()?)?;
    let author = git2::Signature::now("dai demo", "demo@example.invalid")?;
    repo.commit(Some(branch), &author, &author, message, &tree, parents)
}
