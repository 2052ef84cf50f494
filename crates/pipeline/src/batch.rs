//! Many games: read side by side, delivered in order.

use std::collections::{BTreeMap, HashMap};
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError, mpsc};

use scoresheet_decoder::DecodeOptions;
use scoresheet_imaging::Limits;
use scoresheet_reader::{Reader, Worker};

use crate::SheetError;
use crate::document::{GameDocument, Generator};
use crate::error::catching;
use crate::game::{PlacedSheet, decode_game};
use crate::input::file_stem;
use crate::lattice_file::{LATTICE_EXTENSION, load_lattices, save_lattices};
use crate::manifest::{GameInput, SheetInput};
use crate::output::NameRegistry;
use crate::sheet::{Sheet, read_sheet};

/// How a batch is read.
#[derive(Debug, Clone, Default)]
pub struct BatchOptions {
    /// What an image may cost.
    pub limits: Limits,
    /// What is known of the hand.
    pub decode: DecodeOptions,
    /// Games at work at the same time; the number of processor cores if not given.
    pub jobs: Option<NonZeroUsize>,
    /// Folder in which the lattices of every sheet are saved, under its file stem; equal stems get `-2`, `-3`, ….
    pub save_lattices: Option<PathBuf>,
}

/// What became of one game.
#[derive(Debug)]
pub struct Outcome {
    /// The game; none where no sheet of it could be read.
    pub document: Option<GameDocument>,
    /// The sheets that could not be read, and why.
    pub failures: Vec<SheetError>,
}

/// The threads could not be started.
#[derive(Debug, thiserror::Error)]
#[error("the worker threads cannot be started ({0}); try fewer jobs")]
pub struct BatchError(#[from] rayon::ThreadPoolBuildError);

/// Reads all games with `jobs` threads.
///
/// `on_sheet` is called from any thread when a sheet is done. `deliver` gets the games in their order, on
/// the thread of the caller, each as soon as it and all before it are done; it may break off the batch.
/// A sheet that fails ends neither its game nor the batch.
///
/// # Errors
/// Where the threads cannot be started.
pub fn read_games(
    games: &[GameInput],
    reader: &Reader,
    options: &BatchOptions,
    on_sheet: impl Fn(&SheetInput) + Sync,
    mut deliver: impl FnMut(&GameInput, Outcome) -> ControlFlow<()>,
) -> Result<(), BatchError> {
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(options.jobs.map_or(0, NonZeroUsize::get))
        .build()?;
    let generator = Generator {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        model: format!("sha256:{}", reader.sha256()),
    };
    let workers = WorkerStore::new(reader);
    let lattice_paths = lattice_paths(games, options);
    let stopped = AtomicBool::new(false);
    let (sender, receiver) = mpsc::channel();
    pool.in_place_scope_fifo(|scope| {
        for (index, game) in games.iter().enumerate() {
            let sender = sender.clone();
            let (stopped, on_sheet) = (&stopped, &on_sheet);
            let source = SheetSource {
                workers: &workers,
                lattice_paths: &lattice_paths,
                options,
            };
            let generator = &generator;
            scope.spawn_fifo(move |_| {
                if !stopped.load(Ordering::Relaxed) {
                    let outcome = read_game(game, &source, generator, on_sheet);
                    // The receiver is gone only after a break, when nobody wants the outcome.
                    let _ = sender.send((index, outcome));
                }
            });
        }
        drop(sender);
        let mut waiting = BTreeMap::new();
        let mut next = 0;
        for (index, outcome) in receiver {
            waiting.insert(index, outcome);
            while let Some(outcome) = waiting.remove(&next) {
                if deliver(&games[next], outcome).is_break() {
                    stopped.store(true, Ordering::Relaxed);
                    return;
                }
                next += 1;
            }
        }
    });
    Ok(())
}

fn read_game(
    game: &GameInput,
    source: &SheetSource<'_>,
    generator: &Generator,
    on_sheet: &(impl Fn(&SheetInput) + Sync),
) -> Outcome {
    let mut failures = Vec::new();
    let mut sheets: Vec<PlacedSheet> = Vec::new();
    for input in &game.sheets {
        sheets.push(match source.obtain(&input.file) {
            Ok(sheet) => (input.clone(), Some(sheet)),
            Err(error) => {
                failures.push(error);
                (input.clone(), None)
            }
        });
        on_sheet(input);
    }
    let read = || {
        sheets
            .iter()
            .filter_map(|(input, sheet)| Some((input, sheet.as_ref()?)))
    };
    let Some((first, _)) = read().next() else {
        return Outcome {
            document: None,
            failures,
        };
    };
    let path = first.file.clone();
    let document = if read().any(|(_, sheet)| sheet.has_ink()) {
        catching(&path, || {
            Ok(decode_game(game, sheets, generator, &source.options.decode))
        })
    } else {
        Err(SheetError::NoInk(path))
    };
    match document {
        Ok(document) => Outcome {
            document: Some(document),
            failures,
        },
        Err(error) => {
            failures.push(error);
            Outcome {
                document: None,
                failures,
            }
        }
    }
}

/// Where the lattices of each image are to be saved.
fn lattice_paths<'a>(games: &'a [GameInput], options: &BatchOptions) -> HashMap<&'a Path, PathBuf> {
    let Some(folder) = &options.save_lattices else {
        return HashMap::new();
    };
    let mut names = NameRegistry::default();
    let sheets = games.iter().flat_map(|game| &game.sheets);
    sheets
        .filter(|sheet| !holds_lattices(&sheet.file))
        .map(|sheet| {
            let name = names.claim(&file_stem(&sheet.file));
            let path = folder.join(format!("{name}.{LATTICE_EXTENSION}"));
            (sheet.file.as_path(), path)
        })
        .collect()
}

fn holds_lattices(file: &Path) -> bool {
    file.extension()
        .is_some_and(|extension| extension == LATTICE_EXTENSION)
}

/// What it takes to obtain sheets.
struct SheetSource<'a> {
    workers: &'a WorkerStore<'a>,
    lattice_paths: &'a HashMap<&'a Path, PathBuf>,
    options: &'a BatchOptions,
}

impl SheetSource<'_> {
    /// A sheet from its image or, with that extension, from saved lattices.
    fn obtain(&self, file: &Path) -> Result<Sheet, SheetError> {
        if holds_lattices(file) {
            return Ok(load_lattices(file)?);
        }
        let limits = &self.options.limits;
        let sheet = self
            .workers
            .with(|worker| read_sheet(file, limits, worker))?;
        if let Some(path) = self.lattice_paths.get(file) {
            save_lattices(&sheet, path)?;
        }
        Ok(sheet)
    }
}

/// States of the model that are not at work; at most one a thread is ever made, but for those lost to a panic.
struct WorkerStore<'a> {
    reader: &'a Reader,
    idle: Mutex<Vec<Worker<'a>>>,
}

impl<'a> WorkerStore<'a> {
    fn new(reader: &'a Reader) -> Self {
        Self {
            reader,
            idle: Mutex::new(Vec::new()),
        }
    }

    fn with<T>(
        &self,
        task: impl FnOnce(&mut Worker<'a>) -> Result<T, SheetError>,
    ) -> Result<T, SheetError> {
        let idle = || self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        let taken = idle().pop();
        let mut worker = taken.unwrap_or_else(|| self.reader.worker());
        let outcome = task(&mut worker);
        // After a panic the state may be half changed.
        if !matches!(outcome, Err(SheetError::Internal { .. })) {
            idle().push(worker);
        }
        outcome
    }
}
