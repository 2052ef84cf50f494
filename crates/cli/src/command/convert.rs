//! `scoresheet convert`: games as text from any notation into any other.

use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use clap::{Args, ValueEnum};
use scoresheet_notation::{
    GameForm, GameReader, GameReading, Language, Style, System, remarks, split_games, write_game,
};

use super::language;
use scoresheet_pipeline::Notice;

use crate::console::{Console, write_stdout};
use crate::status::Status;

/// Options of `scoresheet convert`.
#[derive(Debug, Args)]
pub struct ConvertArguments {
    /// Text with one or more games, UTF-8; - for stdin
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Language of the text: auto, or a code such as en, nl, pl, sr-cyrl, figurine
    #[arg(long, value_name = "CODE", default_value = "auto")]
    from: String,
    /// System of the text
    #[arg(long, value_enum, default_value_t = FromNotation::Auto)]
    notation: FromNotation,
    /// What to write: pgn, figurine, or the code of a language [default: pgn]
    #[arg(long, value_name = "CODE")]
    to: Option<String>,
    /// System to write: with a language short is usual; without --to the text keeps its language
    #[arg(long, value_enum)]
    to_notation: Option<ToNotation>,
    /// Print nothing but games and errors
    #[arg(short, long)]
    quiet: bool,
}

/// Systems in which a text can be written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum FromNotation {
    /// Found out from the text
    Auto,
    /// Nf3, exd5
    Short,
    /// Ng1-f3, e4xd5
    Long,
    /// N-KB3, PxP
    Descriptive,
}

/// Systems that can be written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ToNotation {
    /// Nf3, exd5
    Short,
    /// Ng1-f3, e4xd5
    Long,
    /// N-KB3, PxP
    Descriptive,
}

impl From<ToNotation> for System {
    fn from(notation: ToNotation) -> Self {
        match notation {
            ToNotation::Short => Self::ShortAlgebraic,
            ToNotation::Long => Self::LongAlgebraic,
            ToNotation::Descriptive => Self::Descriptive,
        }
    }
}

/// What is to be written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Target {
    Pgn,
    /// None for the language of the text.
    Notation(Option<&'static Language>, System),
}

impl Target {
    fn new(to: Option<&str>, notation: Option<ToNotation>) -> Result<Self> {
        let system = notation.map(System::from);
        match (to, system) {
            (None, None) | (Some("pgn"), None | Some(System::ShortAlgebraic)) => Ok(Self::Pgn),
            (Some("pgn"), Some(_)) => {
                bail!("--to pgn is short notation; name a language, such as --to en")
            }
            (None, Some(system)) => Ok(Self::Notation(None, system)),
            (Some(code), system) => {
                let Some(language) = language("--to", code)? else {
                    bail!("--to auto: name pgn, figurine or a language");
                };
                let system = system.unwrap_or_default();
                if system == System::Descriptive && language != Language::ENGLISH {
                    bail!("--to {code} --to-notation descriptive: descriptive notation is English");
                }
                Ok(Self::Notation(Some(language), system))
            }
        }
    }

    fn form(self, reading: &GameReading) -> GameForm {
        match self {
            Self::Pgn => GameForm::Pgn,
            Self::Notation(language, system) => {
                GameForm::Text(Style::usual(language.unwrap_or(reading.language), system))
            }
        }
    }
}

/// Reads the games of a text and writes them; what is no legal game to its end is written as far as it is, and named.
pub fn run(arguments: &ConvertArguments) -> Result<Status> {
    let from = language("--from", &arguments.from)?;
    let system = match arguments.notation {
        FromNotation::Auto => None,
        FromNotation::Short => Some(System::ShortAlgebraic),
        FromNotation::Long => Some(System::LongAlgebraic),
        FromNotation::Descriptive => Some(System::Descriptive),
    };
    if system == Some(System::Descriptive) && from.is_some_and(|from| from != Language::ENGLISH) {
        bail!(
            "--from {} --notation descriptive: descriptive notation is English",
            arguments.from
        );
    }
    let target = Target::new(arguments.to.as_deref(), arguments.to_notation)?;
    let console = Console::plain(arguments.quiet);
    let name = if arguments.file == Path::new("-") {
        "stdin".to_owned()
    } else {
        arguments.file.display().to_string()
    };
    let text = match read_text(&arguments.file) {
        Ok(text) => text,
        Err(error) => {
            console.error(text_failure(format!("{name}: {error}")));
            return Ok(Status::SomeFailed);
        }
    };
    let games = split_games(&text);
    if games.is_empty() {
        console.error(text_failure(format!(
            "{name}: there are no chess moves in this text; see --from for the language and --notation for the system"
        )));
        return Ok(Status::SomeFailed);
    }
    let readings = GameReader::new(from, system).read(&games);
    let mut written = String::new();
    for (game, reading) in games.iter().zip(&readings) {
        written.push_str(&write_game(game, reading, &target.form(reading)));
    }
    write_stdout(&written).context("stdout cannot be written")?;
    let mut failed = 0;
    for (game, reading) in games.iter().zip(&readings) {
        for remark in remarks(game, reading) {
            console.warning(format!("{name}, {remark}"));
        }
        if let Some(failure) = &reading.failure {
            failed += 1;
            console.error(text_failure(format!("{name}, {failure}")));
        }
    }
    Ok(Status::from_failures(failed))
}

fn text_failure(message: String) -> Notice {
    Notice::new("text", None, message)
}

/// The text of a file or of stdin.
fn read_text(file: &Path) -> Result<String> {
    let bytes = if file == Path::new("-") {
        let mut bytes = Vec::new();
        io::stdin().lock().read_to_end(&mut bytes)?;
        bytes
    } else {
        fs::read(file).map_err(|error| {
            anyhow::anyhow!("cannot be read ({error}); check the name and its permissions")
        })?
    };
    if bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]) {
        bail!("the text is UTF-16; save it as UTF-8");
    }
    String::from_utf8(bytes).map_err(|error| {
        let valid = error.utf8_error().valid_up_to();
        let before = &error.as_bytes()[..valid];
        let line = before.iter().filter(|&&byte| byte == b'\n').count() + 1;
        anyhow::anyhow!("line {line} is not UTF-8 (byte {valid}); save the text as UTF-8")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets_of_the_options() {
        use System::{Descriptive, LongAlgebraic, ShortAlgebraic};
        let dutch = Language::by_code("nl");
        let cases = [
            (None, None, Some(Target::Pgn)),
            (Some("pgn"), Some(ToNotation::Short), Some(Target::Pgn)),
            (Some("pgn"), Some(ToNotation::Long), None),
            (
                None,
                Some(ToNotation::Long),
                Some(Target::Notation(None, LongAlgebraic)),
            ),
            (
                Some("nl"),
                None,
                Some(Target::Notation(dutch, ShortAlgebraic)),
            ),
            (
                Some("en"),
                Some(ToNotation::Descriptive),
                Some(Target::Notation(Some(Language::ENGLISH), Descriptive)),
            ),
            (Some("nl"), Some(ToNotation::Descriptive), None),
            (Some("auto"), None, None),
            (Some("xx"), None, None),
        ];
        for (to, notation, target) in cases {
            assert_eq!(
                Target::new(to, notation).ok(),
                target,
                "{to:?} {notation:?}"
            );
        }
    }
}
