//! `scoresheet man` and `scoresheet completions`: what packagers and shells want, made from the options themselves.

use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::{Args, Command};
use clap_complete::{Shell, generate};
use scoresheet_pipeline::{prepare_folder, write_whole};

use crate::console::write_stdout;
use crate::status::Status;

/// Options of `scoresheet completions`.
#[derive(Debug, Args)]
pub struct CompletionsArguments {
    /// Shell to complete commands and options in
    #[arg(value_enum)]
    shell: Shell,
}

/// Options of `scoresheet man`.
#[derive(Debug, Args)]
pub struct ManArguments {
    /// Write a page for each command into this folder, instead of the main page on stdout
    #[arg(short, long, value_name = "DIR")]
    output: Option<PathBuf>,
}

/// Prints a completion script.
pub fn completions(arguments: &CompletionsArguments, mut command: Command) -> Result<Status> {
    let mut script = Vec::new();
    generate(arguments.shell, &mut command, "scoresheet", &mut script);
    print(script)
}

/// Prints or writes man pages.
pub fn man(arguments: &ManArguments, mut command: Command) -> Result<Status> {
    // Gives each command its full name, such as `scoresheet read`.
    command.build();
    let Some(folder) = &arguments.output else {
        return print(page(command)?);
    };
    prepare_folder(folder)?;
    write_whole(&folder.join("scoresheet.1"), &page(command.clone())?)?;
    for sub in command.get_subcommands() {
        let file = folder.join(format!("scoresheet-{}.1", sub.get_name()));
        let sub = sub.clone().version(env!("CARGO_PKG_VERSION"));
        write_whole(&file, &page(sub)?)?;
    }
    Ok(Status::Success)
}

fn page(command: Command) -> Result<Vec<u8>> {
    let mut page = Vec::new();
    clap_mangen::Man::new(command)
        .render(&mut page)
        .context("a man page cannot be made")?;
    Ok(page)
}

fn print(bytes: Vec<u8>) -> Result<Status> {
    let text = String::from_utf8(bytes).context("the text is not UTF-8")?;
    write_stdout(&text).context("stdout cannot be written")?;
    Ok(Status::Success)
}
