//! Scans and photos of handwritten chess scoresheets to the most likely legal game.

mod command;
mod console;
mod signals;
mod status;

use std::process::ExitCode;

use clap::{CommandFactory, Parser, Subcommand};

use command::{cells, convert, doctor, forms, manual, read};
use console::Console;
use scoresheet_pipeline::{
    FolderError, FormFileError, ManifestError, Notice, OutputError, PairingsError,
};
use status::Status;

// The model runner and the search ask for much memory and soon give it back: a tenth of the time goes where the system's allocator does that.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Reads scans and photos of handwritten chess scoresheets.
///
/// Everything happens on this machine; no form template and no network is needed.
#[derive(Debug, Parser)]
#[command(name = "scoresheet", version, after_help = HELP)]
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
    /// Show version, processor and model, and whether reading works here
    Doctor(doctor::DoctorArguments),
    /// Print a script by which a shell completes commands and options
    Completions(manual::CompletionsArguments),
    /// Print the man page
    Man(manual::ManArguments),
}

const HELP: &str = "\
Examples:
  scoresheet read sheet.jpg                          one game as PGN on the screen
  scoresheet read scans/ -o games/                   a folder of sheets; look at games/report.html, then take games/games.pgn
  scoresheet read --manifest round.csv -o games/     several files a game, names of players as tags
  scoresheet read scans/ -o games/ --pairings r5.pgn names and results by the board numbers in the file names
  scoresheet forms scans/ --overlay overlays/        which table was found on each page

Exit status:
  0    all sheets were read
  1    some failed, each is named on stderr with the remedy; the others are written
  2    wrong use: an option, a manifest, a model, or no place to write to
  130  stopped by Ctrl-C (SIGINT): sheets at work were finished; the same command goes on where it was
  143  the same by SIGTERM";

fn main() -> ExitCode {
    // Wrong arguments end here with status 2, `--help` and `--version` with 0.
    let arguments = Arguments::parse();
    let outcome = match &arguments.command {
        Command::Read(arguments) => read::run(arguments),
        Command::Cells(arguments) => cells::run(arguments),
        Command::Forms(arguments) => forms::run(arguments),
        Command::Convert(arguments) => convert::run(arguments),
        Command::Doctor(arguments) => doctor::run(arguments),
        Command::Completions(arguments) => manual::completions(arguments, Arguments::command()),
        Command::Man(arguments) => manual::man(arguments, Arguments::command()),
    };
    match outcome {
        Ok(status) => status.into(),
        Err(error) => {
            arguments.command.console().error(notice(&error));
            Status::WrongUse.into()
        }
    }
}

impl Command {
    /// Where an error is told that ends the command.
    fn console(&self) -> Console {
        match self {
            Self::Read(arguments) => arguments.work.console(0),
            Self::Cells(arguments) => arguments.work.console(0),
            Self::Forms(arguments) => arguments.work.console(0),
            Self::Convert(_) | Self::Doctor(_) | Self::Completions(_) | Self::Man(_) => {
                Console::plain(true)
            }
        }
    }
}

/// The error as a failure: of the kind that its innermost known cause has.
fn notice(error: &anyhow::Error) -> Notice {
    let known = error.chain().find_map(|cause| {
        let output = |error: &OutputError| ("output", error.path.clone());
        let manifest = |error: &ManifestError| ("manifest", error.path.clone());
        let pairings = |error: &PairingsError| ("pairings", error.path.clone());
        let form = |error: &FormFileError| ("form", error.path.clone());
        cause
            .downcast_ref()
            .map(output)
            .or_else(|| cause.downcast_ref().map(manifest))
            .or_else(|| cause.downcast_ref().map(pairings))
            .or_else(|| cause.downcast_ref().map(form))
            .or_else(|| match cause.downcast_ref()? {
                FolderError::Output(error) => Some(output(error)),
                FolderError::Locked { folder, .. } => Some(("output", folder.clone())),
            })
    });
    let (kind, file) = match &known {
        Some((kind, file)) => (*kind, Some(file.as_path())),
        None => ("usage", None),
    };
    Notice::new(kind, file, message(error))
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
