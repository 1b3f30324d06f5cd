//! `dai review brief`: the packet for an independent reviewer.

mod gate;
mod group;
mod handed_in;

use std::path::PathBuf;

use clap::builder::NonEmptyStringValueParser;
use clap::{Args, ValueEnum};

use crate::brief::{Facts, MAX_DIFF, Packet, brief, cut, numbered};
use crate::cli::forge::{ReviewArgs, Subject, forges};
use crate::cli::{Failure, Place};
use crate::exit::Exit;
use crate::forge::Kind;
use crate::output::{Form, Ui, Verbosity};
use crate::settings::Env;

#[derive(Debug, Clone, Args)]
#[command(after_help = "\
The packet holds the diff and what it is to be judged by. It holds no commit message, no title and no \
description: those are the author's claims.\n\
Exit codes: 0 done, 2 usage, 4 git (also: the gate's tree is not clean, or HEAD is not the result), 5 forge, 8 token, 130 interrupted.")]
pub struct BriefArgs {
    /// The request: 22, #22, !22, owner/repo#22, group/sub/project!22, or its page's URL
    #[arg(value_name = "REF")]
    pub reference: Option<String>,
    /// The project, for a REF without one
    #[arg(short = 'R', long, value_name = "PROJECT")]
    pub project: Option<String>,
    /// Take the change from this local revision; alone, the head comes by `git fetch`
    #[arg(long, value_name = "REV", value_hint = clap::ValueHint::Other, conflicts_with = "offline")]
    pub base: Option<String>,
    /// Take the change up to this local revision; no network at all
    #[arg(long, value_name = "REV", value_hint = clap::ValueHint::Other, requires = "base", conflicts_with = "offline")]
    pub head: Option<String>,
    /// No network: the commits that an earlier run fetched
    #[arg(long)]
    pub offline: bool,
    /// Run this through the shell at the repository's root, on a clean tree, and hand in what it said
    #[arg(long, value_name = "COMMAND", value_parser = NonEmptyStringValueParser::new())]
    pub gate: Option<String>,
    /// Hand in a text to judge by: the contract, the decisions, the accepted plan; repeatable
    #[arg(long, value_name = "FILE")]
    pub with: Vec<PathBuf>,
    /// Which forge the host is, where its name does not say it
    #[arg(long, value_name = "FORGE", value_parser = forges())]
    pub forge: Option<Kind>,
    /// The API's base, such as https://git.example.com/api/v4
    #[arg(long, value_name = "URL")]
    pub api_url: Option<String>,
    /// The git remote of the request's project
    #[arg(long, value_name = "NAME")]
    pub remote: Option<String>,
    /// For programs, or to read and to paste
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t)]
    pub format: Format,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub enum Format {
    #[default]
    Json,
    Markdown,
}

impl BriefArgs {
    fn change(&self) -> ReviewArgs {
        ReviewArgs {
            reference: self.reference.clone(),
            project: self.project.clone(),
            base: self.base.clone(),
            head: self.head.clone(),
            offline: self.offline,
            forge: self.forge,
            api_url: self.api_url.clone(),
            remote: self.remote.clone(),
            ..ReviewArgs::default()
        }
    }
}

/// # Errors
///
/// Exit 2 for a text that cannot be handed in; those of `dai forge review` on the way to the change; 4
/// where the gate would judge something else than the result.
pub fn run(args: &BriefArgs, place: &Place<'_>, env: &Env, ui: &Ui) -> Result<Exit, Failure> {
    let with = handed_in::read(&args.with, place.dir)?;
    let mut subject = Subject::find("dai review brief", &args.change(), place, env, ui)?;
    if let Some(origin) = &subject.origin {
        ui.trace(Verbosity::Verbose, origin);
    }
    let gate = match &args.gate {
        Some(command) => Some(gate::run(command, &mut subject, ui)?),
        None => None,
    };
    let commits = &subject.commits;
    let spinner = ui.spinner("reading the change");
    let (diff, told) = subject.repo.unified(commits, subject.kind.rename_threshold())?;
    drop(spinner);
    for warning in subject.warnings.iter().chain(&told) {
        ui.warn(warning);
    }
    let cut = cut(String::from_utf8_lossy(&diff).into_owned(), MAX_DIFF);
    let file = match subject.number {
        Some(number) => format!(".dai/reviews/{number}.json"),
        None => ".dai/reviews/review.json".to_owned(),
    };
    let names: Vec<&str> = with.keys().map(String::as_str).collect();
    let (base, result) = (commits.merge_base.as_str(), commits.head.as_str());
    let facts =
        Facts { file: &file, base, result, left_out: &cut.left_out, gate: gate.as_ref(), with: names.as_slice() };
    let text = brief(&facts);
    let (command, exit, output) = match gate {
        Some(gate) => (Some(gate.command), Some(gate.exit), Some(gate.output)),
        None => (None, None, None),
    };
    let packet = Packet {
        base_sha: base.to_owned(),
        result_sha: result.to_owned(),
        diff_numbered: numbered(&cut.text),
        diff: cut.text,
        diff_truncated: !cut.left_out.is_empty(),
        diff_left_out: cut.left_out,
        gate_command: command,
        gate_exit: exit,
        gate_output: output,
        brief: text,
        with,
    };
    let (text, form) = match args.format {
        Format::Json => (packet.to_json(), Form::Document),
        Format::Markdown => (packet.to_markdown(), Form::Page),
    };
    // With a gate, signals have lost their usual effect.
    if subject.is_interrupted() {
        return Err(gate::interrupted());
    }
    ui.result(&text, form).map_err(|fault| Failure::stdout(&fault))?;
    if packet.diff_truncated {
        let count = packet.diff_left_out.len();
        ui.note(&format!("the diff is cut to 256 KiB: {count} of its files are not in it, or not whole"));
    }
    Ok(Exit::Done)
}
