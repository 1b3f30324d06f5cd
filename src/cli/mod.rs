//! The command line: one file a command, its arguments beside it.

mod args;
mod child;
mod demo;
mod failure;
mod forge;
mod generate;
mod help;
mod init;
mod input_format;
mod interrupt;
mod review;
mod reviews;
mod schema;
mod topics;
mod variables;

use std::io::{self, IsTerminal as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Parser as _;

use crate::change::git::NamedBy;
use crate::exit::Exit;
use crate::forge::Secrets;
use crate::output::{ColorChoice, Console, Form, Paint, Ui, Verbosity, visible};
use crate::review::acts;
use crate::settings::{Env, Settings};

pub use args::{Cli, command};
use child::without_secrets;
pub use failure::Failure;

/// Runs the program on this process's arguments and environment.
pub fn main() -> ExitCode {
    let env = Env::from_process();
    let var = |name: &str| env.text(name).ok().flatten().map(str::to_owned);
    let console = Console::new(var);
    console.take_panics();
    // A command that finds more of them, in the repository, says so.
    console.hide(Secrets::of(&Settings::new(env.clone(), Vec::new()), []));
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        // Help and version are results (0, stdout); anything else is a usage error (2, stderr).
        Err(answer) => {
            print(&answer, &console, var);
            return if answer.use_stderr() { Exit::Usage.into() } else { Exit::Done.into() };
        }
    };
    let verbosity = match (cli.global.quiet, cli.global.verbose) {
        (true, _) => Verbosity::Quiet,
        (false, 0) => Verbosity::Normal,
        (false, 1) => Verbosity::Verbose,
        (false, _) => Verbosity::Calls,
    };
    let ui = Ui::new(console, verbosity, cli.global.color, cli.global.no_progress, var);
    match run(cli, &env, &ui) {
        Ok(exit) => exit.into(),
        Err(failure) => {
            failure.show(&ui);
            failure.exit.into()
        }
    }
}

/// What was typed may have been copied from a page that an attacker wrote, and the parser's message quotes it.
fn print(answer: &clap::Error, console: &Console, var: impl Fn(&str) -> Option<String>) {
    let meant = || help::meant(&std::env::args_os().collect::<Vec<_>>());
    let hint =
        answer.use_stderr().then(meant).flatten().map(|command| format!("\n  help: did you mean `{command}`?\n"));
    let hint = hint.unwrap_or_default();
    let plain = answer.render().to_string() + &hint;
    let hostile = answer.use_stderr() && plain.chars().any(|c| c != '\n' && acts(c));
    let is_terminal = if answer.use_stderr() { io::stderr().is_terminal() } else { io::stdout().is_terminal() };
    let text = match Paint::decide(ColorChoice::Auto, is_terminal, &var) {
        _ if hostile => plain.lines().map(|line| visible(line).into_owned() + "\n").collect(),
        Paint::Colour => answer.render().ansi().to_string() + &hint,
        Paint::Plain => plain,
    };
    if answer.use_stderr() {
        console.err(&text);
    } else {
        // Help that stdout does not take is nobody's.
        let _ = console.out(&text, Form::Text);
    }
}

/// Where the program works: `-C`, as it was typed and as a folder.
#[derive(Debug, Clone, Copy)]
struct Place<'a> {
    dir: &'a Path,
    named_by: NamedBy,
    typed: &'a [PathBuf],
}

/// A path as typed, seen from the folder to work in.
fn seen_from(dir: &Path, path: &Path) -> PathBuf {
    if dir == Path::new(".") { path.to_owned() } else { dir.join(path) }
}

fn run(cli: Cli, env: &Env, ui: &Ui) -> Result<Exit, Failure> {
    // What prints one of this program's own texts is no run that a setting could be meant for.
    if !matches!(
        cli.command,
        args::Command::Schema(_) | args::Command::Completions(_) | args::Command::Man | args::Command::Help(_)
    ) {
        variables::unknown(env).iter().for_each(|warning| ui.warn(warning));
    }
    let dir = cli.global.dir()?;
    let place = Place { dir: &dir, named_by: NamedBy::Caller, typed: &cli.global.directories };
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
        args::Command::Help(args) => help::run(&args, ui),
    }
}
