//! From games as they are read to where they go: stdout, or a folder.

use std::fs::File;
use std::io;

use anyhow::{Context, Result};
use scoresheet_pipeline::{
    Failure, GameFiles, GameInput, GameKey, GameReader, Outcome, OutputFolder, Stage, Timings,
    render_part, write_pgn_marked, write_report,
};
use scoresheet_reader::Reader;
use sha2::{Digest, Sha256};

use super::{Format, ReadConfig};
use crate::console::{Console, GameNote, Listener, write_stdout};

/// Where games go.
pub enum Target {
    /// One after another to stdout.
    Stdout(Format),
    /// A folder, which keeps what is done.
    Folder(Box<OutputFolder>),
}

impl Target {
    pub fn open(config: &ReadConfig, reader: &Reader) -> Result<Self> {
        let Some(path) = &config.output else {
            return Ok(Self::Stdout(config.format));
        };
        // Whatever changes a result: program, model, options.
        let settings = format!(
            "{} {} {:?} {:?} {:?} {}",
            program_digest(),
            reader.sha256(),
            config.batch.limits,
            config.batch.decode,
            config.marks,
            config.report,
        );
        let folder = OutputFolder::open(path, &config.games, &settings)?;
        Ok(Self::Folder(Box::new(folder)))
    }
}

/// SHA-256 of the program itself, so that no other build takes its results for its own; empty where it cannot be read.
fn program_digest() -> String {
    let digest = || -> io::Result<String> {
        let mut sum = Sha256::new();
        io::copy(&mut File::open(std::env::current_exe()?)?, &mut sum)?;
        Ok(sum
            .finalize()
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect())
    };
    digest().unwrap_or_default()
}

/// A game that is ready to be delivered.
pub enum Prepared {
    /// It is in the folder already.
    Kept { moves: usize, doubts: usize },
    /// It was read; without files where no sheet of it could be.
    Read {
        files: Option<GameFiles>,
        key: Option<GameKey>,
        failures: Vec<String>,
        warnings: Vec<String>,
    },
}

/// What all games of a run are read and delivered with.
pub struct Desk<'a> {
    pub reader: GameReader<'a>,
    pub config: &'a ReadConfig,
    pub target: &'a Target,
    pub timings: &'a Timings,
    pub console: &'a Console,
}

impl Desk<'_> {
    /// Reads a game and makes its files, or finds them done. Called from any thread.
    pub fn prepare(&self, index: usize) -> Prepared {
        let game = &self.config.games[index];
        let mut key = None;
        if let Target::Folder(folder) = self.target {
            key = self
                .timings
                .measure(Stage::Digest, || folder.key(index, game));
            let kept = key.as_ref().and_then(|key| folder.kept(index, key));
            if let Some((moves, doubts)) = kept
                && !self.config.redo
                && self.reader.has_lattices(game)
            {
                for sheet in &game.sheets {
                    self.console.advance(&sheet.image.name());
                }
                return Prepared::Kept { moves, doubts };
            }
        }
        let outcome = self
            .reader
            .read(game, &|sheet| self.console.advance(&sheet.image.name()));
        self.timings
            .measure(Stage::Rendering, || self.render(index, game, key, &outcome))
    }

    fn render(
        &self,
        index: usize,
        game: &GameInput,
        key: Option<GameKey>,
        outcome: &Outcome,
    ) -> Prepared {
        let mut warnings = Vec::new();
        let files = outcome.document.as_ref().map(|document| {
            for source in &document.sources {
                let of_source = |warning| format!("{}: {warning}", source.file);
                warnings.extend(source.warnings.iter().map(of_source));
            }
            let part = match self.target {
                Target::Folder(folder) => {
                    let name = &folder.names()[index];
                    render_part(name, document, &outcome.pictures, self.config.report)
                }
                Target::Stdout(_) => String::new(),
            };
            GameFiles {
                // Documents of this program can always be written as JSON.
                json: document.to_json_line().unwrap_or_default(),
                pgn: write_pgn_marked(document, &game.tags, self.config.marks),
                part,
                ..GameFiles::counting(document)
            }
        });
        for text in files
            .iter()
            .flat_map(|files| [&files.json, &files.pgn, &files.part])
        {
            self.timings.add_bytes(Stage::Rendering, text.len());
        }
        Prepared::Read {
            files,
            // A game of which a sheet failed is tried again by the next run.
            key: key.filter(|_| outcome.failures.is_empty()),
            failures: outcome.failures.iter().map(ToString::to_string).collect(),
            warnings,
        }
    }

    /// Writes the next game in order and tells about it.
    pub fn deliver(&self, index: usize, prepared: Prepared, tally: &mut Tally) -> Result<Listener> {
        let game = &self.config.games[index];
        let mut note = GameNote {
            name: match self.target {
                Target::Folder(folder) => &folder.names()[index],
                Target::Stdout(_) => &game.name,
            },
            place: (index + 1, self.config.games.len()),
            moves: 0,
            doubts: 0,
            kept: false,
        };
        let mut listener = Listener::Listening;
        match prepared {
            Prepared::Kept { moves, doubts } => {
                (note.moves, note.doubts, note.kept) = (moves, doubts, true);
            }
            Prepared::Read {
                files,
                key,
                failures,
                warnings,
            } => {
                for warning in warnings {
                    self.console.warning(warning);
                }
                for failure in failures {
                    self.console.error(&failure);
                    tally.fail(Some(note.name), failure);
                }
                let Some(files) = files else {
                    return Ok(listener);
                };
                (note.moves, note.doubts) = (files.moves, files.doubts);
                listener = self.write(index, key.as_ref(), &files)?;
            }
        }
        tally.count(index, &note);
        self.console.game(&note);
        Ok(listener)
    }

    fn write(&self, index: usize, key: Option<&GameKey>, files: &GameFiles) -> Result<Listener> {
        match self.target {
            Target::Folder(folder) => {
                folder.store(index, key, files)?;
                Ok(Listener::Listening)
            }
            Target::Stdout(format) => {
                let text = match format {
                    Format::Pgn => &files.pgn,
                    Format::Json => &files.json,
                };
                write_stdout(text).context("stdout cannot be written")
            }
        }
    }

    /// Writes what belongs to all games.
    pub fn close(&self, tally: &Tally) -> Result<()> {
        if let Target::Folder(folder) = self.target {
            folder.write_games(&tally.present)?;
            if self.config.report {
                write_report(folder, &tally.present, &tally.failures)?;
            }
        }
        Ok(())
    }
}

/// What is told about all games at the end.
pub struct Tally {
    /// Indexes of the games that are there, in order.
    present: Vec<usize>,
    moves: usize,
    doubts: usize,
    kept: usize,
    failures: Vec<Failure>,
}

impl Tally {
    /// Begins with the inputs that are no files.
    pub fn new(unusable: &[String]) -> Self {
        let mut tally = Self {
            present: Vec::new(),
            moves: 0,
            doubts: 0,
            kept: 0,
            failures: Vec::new(),
        };
        for problem in unusable {
            tally.fail(None, problem.clone());
        }
        tally
    }

    fn fail(&mut self, game: Option<&str>, message: String) {
        self.failures.push(Failure {
            game: game.map(str::to_owned),
            message,
        });
    }

    fn count(&mut self, index: usize, note: &GameNote<'_>) {
        self.present.push(index);
        self.moves += note.moves;
        self.doubts += note.doubts;
        self.kept += usize::from(note.kept);
    }

    /// Number of failures.
    pub fn failed(&self) -> usize {
        self.failures.len()
    }

    /// The closing line of a batch of `games`.
    pub fn summary(&self, games: usize) -> String {
        let kept = match self.kept {
            0 => String::new(),
            kept => format!(" ({kept} of them kept from an earlier run)"),
        };
        format!(
            "{} of {games} games read{kept}, {} moves, {} of them to be checked; {} failures",
            self.present.len(),
            self.moves,
            self.doubts,
            self.failed()
        )
    }
}
