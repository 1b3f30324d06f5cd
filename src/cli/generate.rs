//! `dai completions` and `dai man`: both made from the tree of commands.

use clap::Args;
use clap_complete::Shell;

use super::Failure;
use crate::exit::Exit;
use crate::output::Ui;

#[derive(Debug, Args)]
pub struct CompletionsArgs {
    /// Which shell
    shell: Shell,
}

pub fn completions(args: &CompletionsArgs, ui: &Ui) -> Result<Exit, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut super::command(), "dai", &mut script);
    ui.result(&String::from_utf8_lossy(&script)).map_err(|fault| Failure::stdout(&fault))?;
    Ok(Exit::Done)
}

pub fn man(ui: &Ui) -> Result<Exit, Failure> {
    let mut page = Vec::new();
    clap_mangen::Man::new(super::command()).render(&mut page).map_err(|fault| Failure::stdout(&fault))?;
    ui.result(&String::from_utf8_lossy(&page)).map_err(|fault| Failure::stdout(&fault))?;
    Ok(Exit::Done)
}
