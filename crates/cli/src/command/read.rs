//! `scoresheet read`: sheets to games.

use std::collections::HashSet;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use clap::{Args, ValueEnum};
use scoresheet_decoder::DecodeOptions;
use scoresheet_notation::System;
use scoresheet_pipeline::{
    BatchOptions, GameDocument, GameInput, MoveStatus, NameRegistry, OutputError, expand_inputs,
    file_stem, prepare_folder, read_games, read_manifest, write_pgn, write_whole,
};
use scoresheet_reader::Reader;

use super::{Work, language};
use crate::console::{Console, Listener, write_stdout};
use crate::status::Status;

/// Options of `scoresheet read`.
#[derive(Debug, Args)]
pub struct ReadArguments {
    /// Image files, or folders of them; with a manifest none are needed
    #[arg(required_unless_present = "manifest", value_name = "INPUT")]
    inputs: Vec<PathBuf>,
    /// Write <name>.json and <name>.pgn for each game and games.pgn into this folder, and nothing on stdout
    #[arg(short, long, value_name = "DIR")]
    output: Option<PathBuf>,
    /// CSV with header game,file,copy,page: which files make one game (copies A and B are the two players' sheets, pages continue a copy); further columns become PGN tags
    #[arg(long, value_name = "FILE")]
    manifest: Option<PathBuf>,
    /// What to print on stdout: PGN, or JSON with one document a line
    #[arg(long, value_enum, default_value_t = Format::Pgn)]
    format: Format,
    /// Language of the piece letters: auto, or a code such as en, nl, pl, es, de
    #[arg(long, value_name = "CODE", default_value = "auto")]
    language: String,
    /// System of notation
    #[arg(long, value_enum, default_value_t = NotationChoice::Auto)]
    notation: NotationChoice,
    /// Handwriting model (ONNX) instead of the built-in one
    #[arg(long, value_name = "FILE")]
    model: Option<PathBuf>,
    /// Also save what the model sees in each cell as DIR/<file stem>.lattice; such files are taken as INPUT in place of images
    #[arg(long, value_name = "DIR")]
    save_lattices: Option<PathBuf>,
    #[command(flatten)]
    work: Work,
}

/// What to print.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Portable Game Notation
    Pgn,
    /// Documents of the schema scoresheet.game/1
    Json,
}

/// Systems of notation that can be asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum NotationChoice {
    /// Short algebraic, the usual one
    Auto,
    /// Nf3, exd5
    Short,
    /// Ng1-f3, e4xd5
    Long,
    /// N-KB3, PxP (not read yet)
    Descriptive,
}

/// The validated options.
#[derive(Debug)]
struct ReadConfig {
    games: Vec<GameInput>,
    /// File name of each game, in the order of `games`.
    names: Vec<String>,
    /// Inputs that are no files.
    unusable: Vec<String>,
    output: Option<PathBuf>,
    format: Format,
    batch: BatchOptions,
    model: Option<PathBuf>,
    quiet: bool,
}

impl ReadConfig {
    fn new(arguments: &ReadArguments) -> Result<Self> {
        let (games, unusable) = gather(&arguments.inputs, arguments.manifest.as_deref())?;
        let mut registry = NameRegistry::with_reserved(&["games"]);
        let names = games
            .iter()
            .map(|game| registry.claim(&game.name))
            .collect();
        Ok(Self {
            games,
            names,
            unusable,
            output: arguments.output.clone(),
            format: arguments.format,
            batch: BatchOptions {
                decode: DecodeOptions {
                    language: language("--language", &arguments.language)?,
                    system: system(arguments.notation)?,
                    ..DecodeOptions::default()
                },
                jobs: arguments.work.jobs,
                save_lattices: arguments.save_lattices.clone(),
                ..BatchOptions::default()
            },
            model: arguments.model.clone(),
            quiet: arguments.work.quiet,
        })
    }
}

/// The games of the manifest, then one game for each input file that the manifest does not name; and what is wrong with inputs.
fn gather(inputs: &[PathBuf], manifest: Option<&Path>) -> Result<(Vec<GameInput>, Vec<String>)> {
    let (mut files, mut unusable) = (Vec::new(), Vec::new());
    for input in expand_inputs(inputs) {
        match input {
            Ok(file) => files.push(file),
            Err(error) => unusable.push(error.to_string()),
        }
    }
    let mut games = match manifest {
        Some(path) => read_manifest(path, &files)?,
        None => Vec::new(),
    };
    // The same file may be named in two ways, such as a.jpg and ./a.jpg.
    let identity = |file: &Path| file.canonicalize().unwrap_or_else(|_| file.to_path_buf());
    let mut seen: HashSet<PathBuf> = games
        .iter()
        .flat_map(|game| &game.sheets)
        .map(|sheet| identity(&sheet.file))
        .collect();
    for file in files {
        if seen.insert(identity(&file)) {
            games.push(GameInput::single(file_stem(&file), file));
        }
    }
    Ok((games, unusable))
}

fn system(choice: NotationChoice) -> Result<System> {
    match choice {
        NotationChoice::Auto | NotationChoice::Short => Ok(System::ShortAlgebraic),
        NotationChoice::Long => Ok(System::LongAlgebraic),
        NotationChoice::Descriptive => {
            bail!(
                "--notation descriptive: descriptive notation cannot be read yet; use auto, short or long"
            )
        }
    }
}

/// Reads the sheets and delivers each game as soon as it is done.
pub fn run(arguments: &ReadArguments) -> Result<Status> {
    let config = ReadConfig::new(arguments)?;
    for folder in [&config.output, &config.batch.save_lattices]
        .into_iter()
        .flatten()
    {
        prepare_folder(folder)?;
    }
    let sheets = config.games.iter().map(|game| game.sheets.len()).sum();
    let console = Console::new(sheets, config.quiet);
    for problem in &config.unusable {
        console.error(problem);
    }
    let mut failed = config.unusable.len();
    if config.games.is_empty() {
        return Ok(Status::from_failures(failed));
    }
    let reader = match &config.model {
        Some(file) => {
            Reader::from_file(file).with_context(|| format!("--model {}", file.display()))?
        }
        None => Reader::embedded()?,
    };
    let mut delivery = Delivery::new(&config);
    let mut broken = None;
    read_games(
        &config.games,
        &reader,
        &config.batch,
        |sheet| console.advance(&file_stem(&sheet.file)),
        |game, outcome| {
            for failure in &outcome.failures {
                console.error(failure);
            }
            failed += outcome.failures.len();
            for source in outcome
                .document
                .iter()
                .flat_map(|document| &document.sources)
            {
                for warning in &source.warnings {
                    console.warning(format!("{}: {warning}", source.file));
                }
            }
            match delivery.deliver(game, outcome.document.as_ref()) {
                Ok(Listener::Listening) => ControlFlow::Continue(()),
                Ok(Listener::Gone) => ControlFlow::Break(()),
                Err(error) => {
                    broken = Some(error);
                    ControlFlow::Break(())
                }
            }
        },
    )?;
    if let Some(error) = broken {
        return Err(error);
    }
    delivery.close()?;
    console.finish(delivery.summary(failed));
    Ok(Status::from_failures(failed))
}

/// Where games go, and what is told about them at the end.
struct Delivery<'a> {
    config: &'a ReadConfig,
    next: usize,
    games: usize,
    moves: usize,
    doubts: usize,
    /// All games so far, for `games.pgn`.
    pgn: String,
}

impl<'a> Delivery<'a> {
    fn new(config: &'a ReadConfig) -> Self {
        Self {
            config,
            next: 0,
            games: 0,
            moves: 0,
            doubts: 0,
            pgn: String::new(),
        }
    }

    /// Takes the next game in order; a game that could not be read has no document.
    fn deliver(&mut self, game: &GameInput, document: Option<&GameDocument>) -> Result<Listener> {
        let name = &self.config.names[self.next];
        self.next += 1;
        let Some(document) = document else {
            return Ok(Listener::Listening);
        };
        self.games += 1;
        self.moves += document.moves.len();
        let unsure = |status| status != MoveStatus::Sure;
        self.doubts += document
            .moves
            .iter()
            .filter(|record| unsure(record.status))
            .count();
        let pgn = write_pgn(document, &game.tags);
        let json = document
            .to_json_line()
            .context("a document cannot be written as JSON")?;
        match &self.config.output {
            Some(folder) => {
                write_whole(&folder.join(format!("{name}.json")), json.as_bytes())?;
                write_whole(&folder.join(format!("{name}.pgn")), pgn.as_bytes())?;
                self.pgn.push_str(&pgn);
                Ok(Listener::Listening)
            }
            None => {
                let text = match self.config.format {
                    Format::Pgn => pgn,
                    Format::Json => json,
                };
                write_stdout(&text).context("stdout cannot be written")
            }
        }
    }

    /// Writes what belongs to all games.
    fn close(&self) -> Result<(), OutputError> {
        match &self.config.output {
            Some(folder) => write_whole(&folder.join("games.pgn"), self.pgn.as_bytes()),
            None => Ok(()),
        }
    }

    fn summary(&self, failed: usize) -> String {
        format!(
            "{} of {} games read, {} moves, {} of them to be checked; {failed} failures",
            self.games,
            self.config.games.len(),
            self.moves,
            self.doubts
        )
    }
}
