//! Many games: read side by side, delivered in order.

use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::time::Duration;

use scoresheet_decoder::DecodeOptions;
use scoresheet_imaging::Limits;
use scoresheet_reader::Reader;

use crate::cancellation::Cancellation;
use crate::document::GameDocument;
use crate::error::SheetError;
use crate::form_file::GivenForms;
use crate::game_reader::GameReader;
use crate::in_order::in_order;
use crate::manifest::{GameInput, SheetInput};
use crate::picture::SheetPicture;
use crate::timing::Timings;

/// How a batch is read.
#[derive(Debug, Clone, Default)]
pub struct BatchOptions {
    /// What an image may cost.
    pub limits: Limits,
    /// Forms that a person has described.
    pub forms: Option<GivenForms>,
    /// What is known of the hand.
    pub decode: DecodeOptions,
    /// Games at work at the same time; the number of processor cores if not given.
    pub jobs: Option<NonZeroUsize>,
    /// Folder in which the lattices of every sheet are saved, under the name of its page and, where that shows several, `-s1`, `-s2`, …; equal names get `-2`, `-3`, ….
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
    /// The sheets that could not be read and the fixed moves that could not be kept, and why.
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
/// `on_sheet` is called from any thread when the sheets of a page are done. `deliver` gets the games in their order, on
/// the thread of the caller, each as soon as it and all before it are done; it may break off the batch. A picture that shows several sheets, of which
/// nobody said that they belong together, gives a game of each.
/// A sheet that fails ends neither its game nor the batch.
///
/// # Errors
/// Where the threads cannot be started.
///
/// # Examples
/// ```
/// use std::ops::ControlFlow;
/// use std::path::PathBuf;
/// use scoresheet_pipeline::{BatchOptions, GameInput, SheetInput, read_games, write_pgn};
/// use scoresheet_reader::Reader;
///
/// let sheet = PathBuf::from("../../datasets/samples/clean-scan.jpg");
/// let games = [GameInput::single("board 1".to_owned(), sheet)];
/// let options = BatchOptions::default();
/// let stop = options.cancellation.clone(); // From any thread: no further game is begun after `stop.cancel()`.
/// let progress = |sheet: &SheetInput| eprintln!("{} is read", sheet.image.file.display());
/// let mut pgn = String::new();
/// read_games(&games, &Reader::embedded()?, &options, progress, |game, outcome| {
///     match outcome.document {
///         Some(document) => pgn += &write_pgn(&document, &game.tags),
///         None => stop.cancel(), // `outcome.failures` tells why.
///     }
///     ControlFlow::Continue(())
/// })?;
/// assert!(pgn.contains("1. f4 d5 2. e3 Nf6"));
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
        |_, read| {
            for (game, outcome) in read {
                deliver(&game, outcome)?;
            }
            ControlFlow::Continue(())
        },
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
