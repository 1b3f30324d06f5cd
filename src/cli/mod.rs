//! The command line: one file a command, its arguments beside it.

mod args;
mod demo;
mod failure;
mod forge;
mod generate;
mod init;
mod interrupt;
mod review;
mod reviews;
mod schema;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Parser as _;

use crate::exit::Exit;
use crate::output::{ColorChoice, Ui, Verbosity};
use crate::settings::Env;

pub use args::{Cli, command};
pub use failure::Failure;

/// Runs the program on this process's arguments and environment.
pub fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        // Help and version are results (0, stdout); anything else is a usage error (2, stderr).
        Err(answer) => {
            let _ = answer.print();
            return if answer.use_stderr() { Exit::Usage.into() } else { Exit::Done.into() };
        }
    };
    let env = Env::from_process();
    let verbosity = match (cli.global.quiet, cli.global.verbose) {
        (true, _) => Verbosity::Quiet,
        (false, 0) => Verbosity::Normal,
        (false, 1) => Verbosity::Verbose,
        (false, _) => Verbosity::Calls,
    };
    let color: ColorChoice = cli.global.color;
    let ui = Ui::new(verbosity, color, cli.global.no_progress, |name| env.text(name).ok().flatten().map(str::to_owned));
    match run(cli, &env, &ui) {
        Ok(exit) => exit.into(),
        Err(failure) => {
            failure.show(&ui);
            failure.exit.into()
        }
    }
}

/// Where the program works: `-C`, as it was typed and as a folder.
#[derive(Debug, Clone, Copy)]
struct Place<'a> {
    dir: &'a Path,
    typed: &'a [PathBuf],
}

/// A path as typed, seen from the folder to work in.
fn seen_from(dir: &Path, path: &Path) -> PathBuf {
    if dir == Path::new(".") { path.to_owned() } else { dir.join(path) }
}

fn run(cli: Cli, env: &Env, ui: &Ui) -> Result<Exit, Failure> {
    let dir = cli.global.dir()?;
    let place = Place { dir: &dir, typed: &cli.global.directories };
    match cli.command {
        args::Command::Forge(args::Forge::Review(args)) => forge::review::run(&args, &place, env, ui),
        args::Command::Review(args::Review::Bind(args)) => review::bind::run(&args, &dir, ui),
        args::Command::Review(args::Review::Brief(args)) => review::brief::run(&args, &place, env, ui),
        args::Command::Review(args::Review::Triage(args)) => review::triage::run(&args, &place, env, ui),
        args::Command::Review(args::Review::Verdict(args)) => review::verdict::run(&args, &dir, ui),
        args::Command::Review(args::Review::Check(args)) => review::check::run(&args, &place, env, ui),
        args::Command::Review(args::Review::Convert(args)) => review::convert::run(&args, &place, env, ui),
        args::Command::Init => init::run(&dir, ui),
        args::Command::Demo(args) => demo::run(&args, &dir, env, ui),
        args::Command::Schema(args) => schema::run(&args, ui),
        args::Command::Completions(args) => generate::completions(&args, ui),
        args::Command::Man => generate::man(ui),
    }
}
