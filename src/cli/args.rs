//! The tree of commands. Parsing gives plain values; what the environment adds is resolved later, so
//! that this step is pure.

use std::path::PathBuf;

use clap::{Args, CommandFactory as _, Parser, Subcommand};

use super::{Failure, demo, forge, generate, help, review, schema};
use crate::output::ColorChoice;

/// Checks a model's review against the change itself, and posts to GitHub or GitLab only what lands.
#[derive(Debug, Parser)]
#[command(name = "dai", version, propagate_version = false, disable_help_subcommand = true)]
#[command(after_help = "Nothing is ever posted without --yes. Start with `dai demo`.")]
pub struct Cli {
    #[command(flatten)]
    pub global: Global,
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Options of every command")]
pub struct Global {
    /// Run as if started in DIR; given again, each is taken from the one before
    #[arg(short = 'C', value_name = "DIR", global = true, action = clap::ArgAction::Append)]
    pub directories: Vec<PathBuf>,
    /// Only errors on stderr
    #[arg(short, long, global = true)]
    pub quiet: bool,
    /// Say what was decided and how; twice: every call as well
    #[arg(short, long, global = true, action = clap::ArgAction::Count, conflicts_with = "quiet")]
    pub verbose: u8,
    /// When to use colour
    #[arg(long, value_enum, value_name = "WHEN", default_value_t, global = true, hide_default_value = true)]
    pub color: ColorChoice,
    /// No spinners and no bars
    #[arg(long, global = true)]
    pub no_progress: bool,
}

impl Global {
    /// The folder to work in.
    pub fn dir(&self) -> Result<PathBuf, Failure> {
        let mut given = self.directories.iter();
        let first = given.next().cloned().unwrap_or_else(|| PathBuf::from("."));
        let dir = given.fold(first, |dir, next| dir.join(next));
        if dir.is_dir() {
            return Ok(dir);
        }
        Err(Failure::usage(format!("-C {}: there is no such folder", dir.display()), "name an existing folder"))
    }
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Work with a pull or merge request
    #[command(subcommand, disable_help_subcommand = true)]
    Forge(Forge),
    /// Work with a review file
    #[command(subcommand, disable_help_subcommand = true)]
    Review(Review),
    /// Make .dai/reviews/, ignore it in .gitignore, write .env.example
    Init,
    /// Make a scratch repository with a change and a review, and preview the review, offline
    Demo(demo::DemoArgs),
    /// Print the JSON Schema of a format
    Schema(schema::SchemaArgs),
    /// Print the completions of a shell
    Completions(generate::CompletionsArgs),
    /// Print the man page
    Man,
    /// Print the help of a command, or a page about exit codes or the environment
    Help(help::HelpArgs),
}

#[derive(Debug, Subcommand)]
pub enum Forge {
    /// Check a review against the change of a request, show what would be posted, post it with --yes
    Review(Box<forge::ReviewArgs>),
}

#[derive(Debug, Subcommand)]
pub enum Review {
    /// Read a review file of any format and hold its places against the change, without network
    Check(Box<review::check::CheckArgs>),
    /// Write a review file in another format
    Convert(Box<review::convert::ConvertArgs>),
    /// Write the reviewed commit into a review file
    Bind(review::bind::BindArgs),
    /// Print the packet for an independent reviewer: the change, the gate's output, what to judge
    Brief(Box<review::brief::BriefArgs>),
    /// Ask about one finding after another, and write each answer into the file
    Triage(review::triage::TriageArgs),
    /// Say whether a blocking finding stands: 0 accepted, 1 blocked
    Verdict(review::verdict::VerdictArgs),
}

/// The whole tree, for completions and the man page.
pub fn command() -> clap::Command {
    Cli::command()
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_tree_of_commands_is_sound() {
        super::command().debug_assert();
    }
}
