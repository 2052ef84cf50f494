//! `scoresheet read`: sheets to games.

mod corrections;
mod delivery;

use std::collections::HashSet;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use clap::{Args, ValueEnum};
use scoresheet_decoder::{DecodeOptions, Lock, check_places};
use scoresheet_imaging::Limits;
use scoresheet_notation::System;
use scoresheet_pipeline::{
    BatchOptions, DoubtMarks, GameInput, GameReader, ImagePage, Notice, Pairings, Stage, Timings,
    expand_inputs, prepare_folder, read_each, read_manifest,
};
use scoresheet_reader::Reader;

use self::corrections::correct;
use self::delivery::{Desk, Tally, Target};
use super::{Work, language, warn_of_unused};
use crate::console::Listener;
use crate::signals::Signals;
use crate::status::Status;

/// Options of `scoresheet read`.
#[derive(Debug, Args)]
pub struct ReadArguments {
    /// Image files (JPEG, PNG, TIFF, PDF, HEIC, WebP, GIF, BMP; file.pdf#3 for one page, photo.jpg#1.2 for the second sheet on a picture), or folders of them; with a manifest none are needed
    #[arg(required_unless_present = "manifest", value_name = "INPUT")]
    inputs: Vec<PathBuf>,
    /// Write <name>.json and <name>.pgn for each game, games.pgn with all of them, and the report of doubts (report.html, report.csv) into this folder, and nothing on stdout. A run that was stopped is continued: what is done is not read again
    #[arg(short, long, value_name = "DIR")]
    output: Option<PathBuf>,
    /// CSV with header game,file,copy,page: which files make one game (copies A and B are the two players' sheets, pages continue a copy); further columns become PGN tags
    #[arg(long, value_name = "FILE")]
    manifest: Option<PathBuf>,
    /// Tournament report (TRF16, TRF26) or PGN with headers: names, ratings, date and result of each game, found by the players in the manifest, or by the board (column Board, or the number in the file name)
    #[arg(long, value_name = "FILE")]
    pairings: Option<PathBuf>,
    /// Take only this round from the pairings
    #[arg(long, value_name = "N", requires = "pairings")]
    round: Option<u32>,
    /// How moves that are not sure are marked in the PGN
    #[arg(long, value_enum, value_name = "HOW", default_value_t = Doubts::Comments)]
    doubts: Doubts,
    /// What to print on stdout: PGN, or JSON with one document a line
    #[arg(long, value_enum, default_value_t = Format::Pgn)]
    format: Format,
    /// Language of the piece letters: auto, or a code such as en, nl, pl, es, de
    #[arg(long, value_name = "CODE", default_value = "auto")]
    language: String,
    /// System of notation
    #[arg(long, value_enum, default_value_t = NotationChoice::Auto)]
    notation: NotationChoice,
    /// A move that is known, such as 23b=Bg7 (the number of the move in the game, w or b, and the move with English letters); the rest is found anew. Several may be given; for one game only
    #[arg(long, value_name = "MOVE")]
    fix: Vec<Lock>,
    /// Moves that are known, in a table: fixes.csv as saved from report.html, or report.csv with moves (or ok) written into its column "correction". Games with corrections are found anew; with -o they are kept in DIR/fixes.csv for the next runs
    #[arg(long, value_name = "FILE")]
    fixes: Vec<PathBuf>,
    /// Take all legal moves for equally likely before the ink is looked at
    #[arg(long)]
    no_prior: bool,
    /// Handwriting model (ONNX) instead of the built-in one
    #[arg(long, value_name = "FILE")]
    model: Option<PathBuf>,
    /// Also save what the model sees in each cell as DIR/<name of the sheet>.lattice; such files, or a folder of them, are taken as INPUT in place of images
    #[arg(long, value_name = "DIR")]
    save_lattices: Option<PathBuf>,
    /// Give up a sheet that is not read within so many seconds
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..))]
    time_limit: Option<u64>,
    /// Read all games again, also those that are done in the output folder from the same sheets with the same options
    #[arg(long, requires = "output")]
    redo: bool,
    /// Write no report.html and report.csv
    #[arg(long)]
    no_report: bool,
    /// At the end print CPU seconds and bytes of each stage on stderr
    #[arg(long)]
    timings: bool,
    #[command(flatten)]
    pub work: Work,
}

/// What to print.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Portable Game Notation
    Pgn,
    /// Documents of the schema scoresheet.game/1
    Json,
}

/// How doubts are marked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Doubts {
    /// Why, and what else is possible
    Comments,
    /// $6 on doubtful moves, $2 where the ink is illegal or missing
    Nags,
    /// Comments and nags
    Both,
    /// Not at all
    None,
}

impl From<Doubts> for DoubtMarks {
    fn from(doubts: Doubts) -> Self {
        match doubts {
            Doubts::Comments => Self::Comments,
            Doubts::Nags => Self::Glyphs,
            Doubts::Both => Self::Both,
            Doubts::None => Self::None,
        }
    }
}

/// Systems of notation that can be asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum NotationChoice {
    /// Found out from the sheet
    Auto,
    /// Nf3, exd5
    Short,
    /// Ng1-f3, e4xd5
    Long,
    /// N-KB3, PxP; English
    Descriptive,
}

/// The validated options.
#[derive(Debug)]
struct ReadConfig {
    games: Vec<GameInput>,
    /// Inputs that are no files.
    unusable: Vec<Notice>,
    /// What is odd about the pairings.
    warnings: Vec<String>,
    /// Moves that are known of the only game.
    fix: Vec<Lock>,
    /// Tables of corrections.
    fixes: Vec<PathBuf>,
    marks: DoubtMarks,
    output: Option<PathBuf>,
    format: Format,
    batch: BatchOptions,
    model: Option<PathBuf>,
    report: bool,
    redo: bool,
    timings: bool,
}

impl ReadConfig {
    fn new(arguments: &ReadArguments) -> Result<Self> {
        let limits = arguments.work.limits();
        let (mut games, unusable) =
            gather(&arguments.inputs, arguments.manifest.as_deref(), &limits)?;
        let mut warnings = Vec::new();
        if let Some(path) = &arguments.pairings {
            let pairings = Pairings::read(path, arguments.round)?;
            warnings.extend(pairings.complete(&mut games));
        }
        if !arguments.fix.is_empty() && games.len() != 1 {
            bail!(
                "--fix: {} games would be read, and the moves are of one; give the sheets of that game alone",
                games.len()
            );
        }
        check_places(&arguments.fix).context("--fix")?;
        let mut decode = DecodeOptions {
            language: language("--language", &arguments.language)?,
            system: system(arguments.notation),
            ..DecodeOptions::default()
        };
        if arguments.no_prior {
            decode.prior = None;
        }
        Ok(Self {
            games,
            unusable,
            warnings,
            fix: arguments.fix.clone(),
            fixes: arguments.fixes.clone(),
            marks: arguments.doubts.into(),
            output: arguments.output.clone(),
            format: arguments.format,
            batch: BatchOptions {
                limits,
                forms: arguments.work.forms()?,
                decode,
                jobs: arguments.work.jobs,
                save_lattices: arguments.save_lattices.clone(),
                time_limit: arguments.time_limit.map(Duration::from_secs),
                pictures: arguments.output.is_some() && !arguments.no_report,
                ..BatchOptions::default()
            },
            model: arguments.model.clone(),
            report: !arguments.no_report,
            redo: arguments.redo,
            timings: arguments.timings,
        })
    }
}

/// The games of the manifest, then one game for each page of the input files that the manifest does not name; and what is wrong with inputs.
fn gather(
    inputs: &[PathBuf],
    manifest: Option<&Path>,
    limits: &Limits,
) -> Result<(Vec<GameInput>, Vec<Notice>)> {
    let (mut pages, mut unusable) = (Vec::new(), Vec::new());
    for input in expand_inputs(inputs, limits) {
        match input {
            Ok(page) => pages.push(page),
            Err(error) => unusable.push(Notice::from(&error)),
        }
    }
    let mut games = match manifest {
        Some(path) => {
            let mut named = HashSet::new();
            let files = pages.iter().map(|page| page.file.clone());
            let files: Vec<PathBuf> = files
                .filter(|file| named.insert(file.canonicalize().unwrap_or_else(|_| file.clone())))
                .collect();
            read_manifest(path, &files, limits)?
        }
        None => Vec::new(),
    };
    // The same file may be named in two ways, such as a.jpg and ./a.jpg.
    let identity = |page: &ImagePage| {
        let file = page.file.canonicalize();
        (file.unwrap_or_else(|_| page.file.clone()), page.number())
    };
    // A page of which the manifest names a single sheet is left to the manifest.
    let mut seen: HashSet<(PathBuf, u32)> = games
        .iter()
        .flat_map(|game| &game.sheets)
        .map(|sheet| identity(&sheet.image))
        .collect();
    let whole = pages.iter().filter(|page| page.sheet.is_none());
    let whole: HashSet<(PathBuf, u32)> = whole.map(identity).collect();
    let mut sheets = HashSet::new();
    for page in pages {
        let place = identity(&page);
        let new = match page.sheet {
            None => seen.insert(place),
            // A sheet whose whole page is read, too, is read with it.
            Some(_) if seen.contains(&place) || whole.contains(&place) => false,
            Some(sheet) => sheets.insert((place, sheet)),
        };
        if new {
            games.push(GameInput::single(page.name(), page));
        }
    }
    Ok((games, unusable))
}

fn system(choice: NotationChoice) -> Option<System> {
    match choice {
        NotationChoice::Auto => None,
        NotationChoice::Short => Some(System::ShortAlgebraic),
        NotationChoice::Long => Some(System::LongAlgebraic),
        NotationChoice::Descriptive => Some(System::Descriptive),
    }
}

/// Reads the sheets and delivers each game as soon as it is done.
pub fn run(arguments: &ReadArguments) -> Result<Status> {
    let mut config = ReadConfig::new(arguments)?;
    if let Some(folder) = &config.batch.save_lattices {
        prepare_folder(folder)?;
    }
    let reader = match &config.model {
        Some(file) => {
            Reader::from_file(file).with_context(|| format!("--model {}", file.display()))?
        }
        None => Reader::embedded()?,
    };
    let console = arguments.work.console(0);
    if config.games.is_empty() && arguments.output.is_some() {
        // What an earlier run wrote stays.
        for problem in &config.unusable {
            console.error(problem.clone());
        }
        console.finish("no sheet was found; nothing is written");
        return Ok(Status::SomeFailed);
    }
    let target = Target::open(&config, &reader)?;
    let Some(warnings) = correct(&mut config, &target, &console)? else {
        return Ok(Status::WrongUse);
    };
    config.warnings.extend(warnings);
    let sheets = config.games.iter().map(|game| game.sheets.len()).sum();
    let console = arguments.work.console(sheets);
    for problem in &config.unusable {
        console.error(problem.clone());
    }
    for warning in &config.warnings {
        console.warning(warning);
    }
    if let Some(forms) = &config.batch.forms {
        let sheets = config.games.iter().flat_map(|game| &game.sheets);
        warn_of_unused(forms, sheets.map(|sheet| &sheet.image), &console);
    }
    let signals =
        Signals::watch(&config.batch.cancellation).context("signals cannot be watched")?;
    let timings = Timings::default();
    let desk = Desk {
        reader: GameReader::new(&config.games, &reader, &config.batch, &timings),
        config: &config,
        target: &target,
        timings: &timings,
        console: &console,
    };
    let mut tally = Tally::new(&config.unusable);
    let mut broken = None;
    let mut delivered = 0;
    read_each(
        config.games.len(),
        &config.batch,
        |index| desk.prepare(index),
        |index, prepared| match prepared.and_then(|games| desk.deliver(index, games, &mut tally)) {
            Ok(Listener::Listening) => {
                delivered = index + 1;
                ControlFlow::Continue(())
            }
            Ok(Listener::Gone) => ControlFlow::Break(()),
            Err(error) => {
                broken = Some(error);
                ControlFlow::Break(())
            }
        },
    )?;
    if let Some(error) = broken {
        return Err(error);
    }
    desk.keep_undelivered(delivered, &mut tally);
    desk.close(&tally)?;
    console.finish(tally.summary(config.games.len()) + &desk.advice(&tally));
    if config.timings {
        console.table("timings", &timing_table(&timings));
    }
    Ok(signals
        .status()
        .unwrap_or_else(|| Status::from_failures(tally.failed())))
}

/// CPU seconds, their share, and the bytes of each stage.
fn timing_table(timings: &Timings) -> String {
    let total: f64 = Stage::ALL
        .iter()
        .map(|&stage| timings.spent(stage).as_secs_f64())
        .sum();
    let mut table = String::from("stage\tcpu_seconds\tshare\tbytes\n");
    for stage in Stage::ALL {
        let seconds = timings.spent(stage).as_secs_f64();
        table += &format!(
            "{}\t{seconds:.3}\t{:.3}\t{}\n",
            stage.name(),
            seconds / total.max(f64::MIN_POSITIVE),
            timings.bytes(stage)
        );
    }
    table
}
