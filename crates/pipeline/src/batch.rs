//! Many games: read side by side, delivered in order.

use std::collections::HashMap;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use scoresheet_decoder::DecodeOptions;
use scoresheet_imaging::Limits;
use scoresheet_reader::{Reader, Worker};

use crate::cancellation::Cancellation;
use crate::document::{GameDocument, Generator};
use crate::error::{SheetError, catching};
use crate::game::{PlacedSheet, decode_game};
use crate::in_order::in_order;
use crate::input::ImagePage;
use crate::lattice_file::{LATTICE_EXTENSION, load_lattices, save_lattices};
use crate::manifest::{GameInput, SheetInput};
use crate::outcome::settle_result;
use crate::output::NameRegistry;
use crate::picture::SheetPicture;
use crate::sheet::{Deadline, Sheet, SheetTask, read_sheet_for};
use crate::timing::{Stage, Timings};

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
    /// Longest time that one sheet may take until its cells are read.
    pub time_limit: Option<Duration>,
    /// Whether pictures of the sheets are kept for a report.
    pub pictures: bool,
    /// By which the batch is asked to stop.
    pub cancellation: Cancellation,
}

impl BatchOptions {
    /// Games at work at the same time.
    pub fn threads(&self) -> NonZeroUsize {
        self.jobs
            .unwrap_or_else(|| std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN))
    }
}

/// What became of one game.
#[derive(Debug)]
pub struct Outcome {
    /// The game; none where no sheet of it could be read.
    pub document: Option<GameDocument>,
    /// The sheets that could not be read, and why.
    pub failures: Vec<SheetError>,
    /// Pictures of the document's sources, where [`BatchOptions::pictures`] asks for them and the sheet was no lattice file.
    pub pictures: Vec<Option<SheetPicture>>,
}

/// The threads could not be started.
#[derive(Debug, thiserror::Error)]
#[error("the worker threads cannot be started ({0}); try fewer jobs")]
pub struct BatchError(#[from] std::io::Error);

/// Reads all games with `jobs` threads.
///
/// `on_sheet` is called from any thread when a sheet is done. `deliver` gets the games in their order, on
/// the thread of the caller, each as soon as it and all before it are done; it may break off the batch.
/// A sheet that fails ends neither its game nor the batch.
///
/// # Errors
/// Where the threads cannot be started.
///
/// # Examples
/// ```no_run
/// use std::ops::ControlFlow;
/// use std::path::PathBuf;
/// use scoresheet_pipeline::{BatchOptions, GameInput, read_games, write_pgn};
/// use scoresheet_reader::Reader;
///
/// let reader = Reader::embedded()?;
/// let options = BatchOptions::default();
/// let games = [GameInput::single("board 1".to_owned(), PathBuf::from("sheet.jpg"))];
/// read_games(&games, &reader, &options, |sheet| eprintln!("{} is read", sheet.image.file.display()), |game, outcome| {
///     match outcome.document {
///         Some(document) => print!("{}", write_pgn(&document, &game.tags)),
///         None => eprintln!("{:?}", outcome.failures),
///     }
///     ControlFlow::Continue(())
/// })?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn read_games(
    games: &[GameInput],
    reader: &Reader,
    options: &BatchOptions,
    on_sheet: impl Fn(&SheetInput) + Sync,
    mut deliver: impl FnMut(&GameInput, Outcome) -> ControlFlow<()>,
) -> Result<(), BatchError> {
    let timings = Timings::default();
    let game_reader = GameReader::new(games, reader, options, &timings);
    read_each(
        games.len(),
        options,
        |index| game_reader.read(&games[index], &on_sheet),
        |index, outcome| deliver(&games[index], outcome),
    )
}

/// Runs `work` for each game by its index with the threads and the cancellation of the options; `deliver` gets the results in order, as in [`read_games`].
///
/// # Errors
/// Where the threads cannot be started.
pub fn read_each<T: Send>(
    count: usize,
    options: &BatchOptions,
    work: impl Fn(usize) -> T + Sync,
    deliver: impl FnMut(usize, T) -> ControlFlow<()>,
) -> Result<(), BatchError> {
    let jobs = options.threads();
    Ok(in_order(count, jobs, &options.cancellation, work, deliver)?)
}

/// Reads single games of a batch; shared by its threads.
pub struct GameReader<'a> {
    workers: WorkerStore<'a>,
    lattice_paths: HashMap<&'a ImagePage, PathBuf>,
    options: &'a BatchOptions,
    generator: Generator,
    timings: &'a Timings,
}

impl<'a> GameReader<'a> {
    /// What reads these games with a model.
    pub fn new(
        games: &'a [GameInput],
        reader: &'a Reader,
        options: &'a BatchOptions,
        timings: &'a Timings,
    ) -> Self {
        Self {
            workers: WorkerStore::new(reader),
            lattice_paths: lattice_paths(games, options),
            options,
            generator: Generator {
                version: env!("CARGO_PKG_VERSION").to_owned(),
                model: format!("sha256:{}", reader.sha256()),
            },
            timings,
        }
    }

    /// Whether the lattices of a game that are to be saved are there already.
    pub fn has_lattices(&self, game: &GameInput) -> bool {
        let mut paths = game
            .sheets
            .iter()
            .filter_map(|sheet| self.lattice_paths.get(&sheet.image));
        paths.all(|path| path.exists())
    }

    /// Reads one game. `on_sheet` is called as each sheet is done.
    pub fn read(&self, game: &GameInput, on_sheet: &impl Fn(&SheetInput)) -> Outcome {
        let mut failures = Vec::new();
        let mut sheets: Vec<PlacedSheet> = Vec::new();
        for input in &game.sheets {
            sheets.push(match self.obtain(&input.image) {
                Ok(sheet) => (input.clone(), Some(sheet)),
                Err(error) => {
                    failures.push(error);
                    (input.clone(), None)
                }
            });
            on_sheet(input);
        }
        let pictures = sheets
            .iter_mut()
            .filter_map(|(_, sheet)| Some(sheet.as_mut()?.picture.take()))
            .collect();
        let outcome = |document, failures| Outcome {
            document,
            failures,
            pictures,
        };
        let read = || {
            sheets
                .iter()
                .filter_map(|(input, sheet)| Some((input, sheet.as_ref()?)))
        };
        let Some((first, _)) = read().next() else {
            return outcome(None, failures);
        };
        let path = first.image.label();
        let document = if read().any(|(_, sheet)| sheet.has_ink()) {
            let decode = || decode_game(game, sheets, &self.generator, &self.options.decode);
            catching(&path, || {
                let document = self.timings.measure(Stage::Game, decode);
                document.map_err(|source| SheetError::Fixed {
                    path: path.clone(),
                    source,
                })
            })
        } else {
            Err(SheetError::NoInk(path))
        };
        match document {
            Ok(mut document) => {
                settle_result(&mut document);
                outcome(Some(document), failures)
            }
            Err(error) => {
                failures.push(error);
                outcome(None, failures)
            }
        }
    }

    /// A sheet from its image or, with that extension, from saved lattices.
    fn obtain(&self, image: &ImagePage) -> Result<Sheet, SheetError> {
        if holds_lattices(&image.file) {
            return Ok(load_lattices(&image.file)?);
        }
        let task = SheetTask {
            limits: &self.options.limits,
            deadline: self.options.time_limit.map(|limit| Deadline {
                end: Instant::now() + limit,
                limit,
            }),
            keep_picture: self.options.pictures,
            timings: self.timings,
        };
        let sheet = self
            .workers
            .with(|worker| read_sheet_for(&task, image, worker))?;
        if let Some(path) = self.lattice_paths.get(image) {
            save_lattices(&sheet, path)?;
        }
        Ok(sheet)
    }
}

/// Where the lattices of each image are to be saved.
fn lattice_paths<'a>(
    games: &'a [GameInput],
    options: &BatchOptions,
) -> HashMap<&'a ImagePage, PathBuf> {
    let Some(folder) = &options.save_lattices else {
        return HashMap::new();
    };
    let mut names = NameRegistry::default();
    let sheets = games.iter().flat_map(|game| &game.sheets);
    sheets
        .filter(|sheet| !holds_lattices(&sheet.image.file))
        .map(|sheet| {
            let name = names.claim(&sheet.image.name());
            let path = folder.join(format!("{name}.{LATTICE_EXTENSION}"));
            (&sheet.image, path)
        })
        .collect()
}

fn holds_lattices(file: &Path) -> bool {
    file.extension()
        .is_some_and(|extension| extension == LATTICE_EXTENSION)
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
