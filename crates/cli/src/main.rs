//! Scans and photos of handwritten chess scoresheets to the most likely legal game.

mod command;
mod console;
mod signals;
mod status;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

use command::{cells, convert, forms, read};
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
    /// Turn games that are written as text, in any language and system of notation, into PGN or another notation
    Convert(convert::ConvertArguments),
}

fn main() -> ExitCode {
    // Wrong arguments end here with status 2, `--help` and `--version` with 0.
    let arguments = Arguments::parse();
    let outcome = match &arguments.command {
        Command::Read(arguments) => read::run(arguments),
        Command::Cells(arguments) => cells::run(arguments),
        Command::Forms(arguments) => forms::run(arguments),
        Command::Convert(arguments) => convert::run(arguments),
    };
    match outcome {
        Ok(status) => status.into(),
        Err(error) => {
            console::Console::plain(true).error(message(&error));
            Status::WrongUse.into()
        }
    }
}

/// The error and its causes. Our own errors tell their causes themselves; those are not told twice.
fn message(error: &anyhow::Error) -> String {
    error.chain().fold(String::new(), |told, cause| {
        let cause = cause.to_string();
        if told.is_empty() {
            cause
        } else if told.contains(&cause) {
            told
        } else {
            format!("{told}: {cause}")
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use anyhow::anyhow;

    #[test]
    fn each_cause_is_told_once() {
        for (error, expected) in [
            (anyhow!("a"), "a"),
            (anyhow!("b").context("a"), "a: b"),
            (
                anyhow!("no room").context("x: no room; make some"),
                "x: no room; make some",
            ),
        ] {
            assert_eq!(message(&error), expected);
        }
    }
}
