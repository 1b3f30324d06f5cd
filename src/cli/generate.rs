//! `dai completions` and `dai man`: both made from the tree of commands.

use std::io;

use clap::{Args, Command};
use clap_complete::Shell;
use clap_mangen::Man;
use clap_mangen::roff::{Roff, bold, roman};

use super::Failure;
use super::topics::{EXAMPLES, VARIABLES};
use crate::exit::Exit;
use crate::output::{Form, Ui};

#[derive(Debug, Args)]
pub struct CompletionsArgs {
    /// Which shell
    shell: Shell,
}

pub fn completions(args: &CompletionsArgs, ui: &Ui) -> Result<Exit, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut super::command(), "dai", &mut script);
    ui.result(&String::from_utf8_lossy(&script), Form::Text).map_err(|fault| Failure::stdout(&fault))?;
    Ok(Exit::Done)
}

pub fn man(ui: &Ui) -> Result<Exit, Failure> {
    let page = page(super::command()).map_err(|fault| Failure::stdout(&fault))?;
    ui.result(&page, Form::Text).map_err(|fault| Failure::stdout(&fault))?;
    Ok(Exit::Done)
}

/// One page for all commands, each with a section of its own: what is installed is one file, so a
/// page that sends its reader to others would send him nowhere.
fn page(root: Command) -> io::Result<String> {
    let mut root = root.override_usage("dai [OPTIONS] COMMAND");
    root.build();
    let man = Man::new(root.clone());
    let mut out = Vec::new();
    man.render_title(&mut out)?;
    man.render_name_section(&mut out)?;
    man.render_synopsis_section(&mut out)?;
    man.render_description_section(&mut out)?;
    man.render_extra_section(&mut out)?;
    man.render_options_section(&mut out)?;
    for command in leaves(&root) {
        section(command, &mut out)?;
    }
    let codes: Vec<(String, &str)> = Exit::ALL.iter().map(|exit| (exit.code().to_string(), exit.meaning())).collect();
    rows("EXIT STATUS", codes.iter().map(|(code, meaning)| (code.as_str(), *meaning)), &mut out)?;
    rows("ENVIRONMENT", VARIABLES, &mut out)?;
    rows("EXAMPLES", EXAMPLES, &mut out)?;
    // Each part begins with the same definition of an apostrophe; the headings of a command's parts
    // are that command's, not the page's.
    let (mut said, mut text) = (Vec::new(), String::new());
    for line in String::from_utf8_lossy(&out).lines() {
        let preamble = line.starts_with(".ie") || line.starts_with(".el");
        if preamble && said.contains(&line.to_owned()) {
            continue;
        }
        if preamble {
            said.push(line.to_owned());
        }
        let line = if matches!(line, ".SH OPTIONS" | ".SH EXTRA") { ".PP" } else { line };
        text.push_str(line);
        text.push('\n');
    }
    Ok(text)
}

/// A section that is a list of names and what they mean.
fn rows<'a>(title: &str, rows: impl IntoIterator<Item = (&'a str, &'a str)>, out: &mut Vec<u8>) -> io::Result<()> {
    let mut roff = Roff::new();
    roff.control("SH", [title]);
    for (name, meaning) in rows {
        roff.control("TP", []);
        roff.text([bold(name)]);
        roff.text([roman(meaning)]);
    }
    roff.to_writer(out)
}

/// The commands that do something, in the order of the help.
fn leaves(command: &Command) -> Vec<&Command> {
    let below = command.get_subcommands().filter(|sub| !sub.is_hide_set());
    below.flat_map(|sub| if sub.has_subcommands() { leaves(sub) } else { vec![sub] }).collect()
}

fn section(command: &Command, out: &mut Vec<u8>) -> io::Result<()> {
    let name = command.get_bin_name().unwrap_or_else(|| command.get_name()).to_owned();
    // What every command takes stands once, in a section of its own.
    let mut command = command
        .clone()
        .mut_args(|arg| if arg.is_global_set() || arg.get_id() == "help" { arg.hide(true) } else { arg });
    let usage = command.render_usage().to_string();
    let mut roff = Roff::new();
    roff.control("SH", [name.to_uppercase().as_str()]);
    roff.text([roman(usage.strip_prefix("Usage: ").unwrap_or(&usage))]);
    roff.control("PP", []);
    roff.text([roman(command.get_about().map(ToString::to_string).unwrap_or_default())]);
    roff.to_writer(out)?;
    let man = Man::new(command.clone());
    if command.get_arguments().any(|arg| !arg.is_hide_set()) {
        man.render_options_section(out)?;
    }
    if command.get_after_help().is_some() {
        man.render_extra_section(out)?;
    }
    Ok(())
}
