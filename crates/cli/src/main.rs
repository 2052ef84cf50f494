//! Scans and photos of handwritten chess scoresheets to the most likely legal game.

mod command;
mod console;
mod status;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

use command::{cells, forms, read};
use status::Status;

/// Reads scans and photos of handwritten chess scoresheets.
///
/// Exit status: 0 all sheets read; 1 some failed, each named on stderr; 2 wrong use.
#[derive(Debug, Parser)]
#[command(name = "scoresheet", version)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Read sheets and print their games as PGN or JSON
    Read(read::ReadArguments),
    /// Cut the cells of sheets into pictures: <page>.png has the cells one under another, 64 pixels each; cells.tsv says what each is
    Cells(cells::CellsArguments),
    /// Show which table of moves is found on each page
    Forms(forms::FormsArguments),
}

fn main() -> ExitCode {
    // Wrong arguments end here with status 2, `--help` and `--version` with 0.
    let arguments = Arguments::parse();
    let outcome = match &arguments.command {
        Command::Read(arguments) => read::run(arguments),
        Command::Cells(arguments) => cells::run(arguments),
        Command::Forms(arguments) => forms::run(arguments),
    };
    match outcome {
        Ok(status) => status.into(),
        Err(error) => {
            console::Console::new(0, true).error(format!("{error:#}"));
            Status::WrongUse.into()
        }
    }
}
