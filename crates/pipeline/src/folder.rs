//! The output folder of a batch: one run at a time, every file whole, done games kept.
//!
//! Beside the results lies `.scoresheet`: `lock`, `journal.jsonl`, and for each game its part of the report and its sheets as they were read. A game is done when its files are on the disk
//! and the journal says so, with the digests of what it was made from and of what was written; such a game is not read again.

use std::collections::HashMap;
use std::fs::{File, TryLockError};
use std::io::{Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::digest::digest;
use crate::document::{GameDocument, MoveStatus};
use crate::game_key::{GameKey, GameKeys, Settings, SheetsKey};
use crate::game_names::GameNames;
use crate::game_reader::ReadPages;
use crate::journal::{Divided, Done, Entry, Journal};
use crate::kept_sheets::{keep_sheets, kept_sheets};
use crate::manifest::GameInput;
use crate::output::{
    NameRegistry, OutputError, WholeFile, prepare_folder, remove_temporary_files, write_whole,
};
use crate::report_table::ReportTable;
use crate::sheet::Sheet;

/// Names that belong to the batch as a whole.
const RESERVED: [&str; 2] = ["games", "report"];
/// Folder of the journal.
const STATE: &str = ".scoresheet";

/// Why a folder cannot take the results of a run.
#[derive(Debug, thiserror::Error)]
pub enum FolderError {
    /// A file or the folder cannot be written.
    #[error(transparent)]
    Output(#[from] OutputError),
    /// Another run is at work.
    #[error("{}: another run{} writes into this folder; wait until it is done, or choose another folder", folder.display(), process(owner))]
    Locked {
        /// The folder.
        folder: PathBuf,
        /// Process number of the other run, where it is told.
        owner: String,
    },
}

fn process(owner: &str) -> String {
    if owner.is_empty() {
        String::new()
    } else {
        format!(" (process {owner})")
    }
}

/// What is written of one game.
#[derive(Debug, Default)]
pub struct GameFiles {
    /// The document, one line of JSON.
    pub json: String,
    /// The game as PGN.
    pub pgn: String,
    /// Its part of the report.
    pub part: String,
    /// Moves of the game.
    pub moves: usize,
    /// Moves that a person should look at.
    pub doubts: usize,
}

impl GameFiles {
    /// Counts the moves of a document, for files that are still to be made.
    pub fn counting(document: &GameDocument) -> Self {
        let unsure = |status| status != MoveStatus::Sure;
        Self {
            moves: document.moves.len(),
            doubts: document
                .moves
                .iter()
                .filter(|record| unsure(record.status))
                .count(),
            ..Self::default()
        }
    }
}

/// A game that is done from an earlier run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeptGame {
    /// File name without extension.
    pub name: String,
    /// Number of its sheet, where its picture gave several games.
    pub sheet: Option<u32>,
    /// Moves of the game.
    pub moves: usize,
    /// Moves that a person should look at.
    pub doubts: usize,
}

/// A folder with the results of a batch, locked for this run.
pub struct OutputFolder {
    path: PathBuf,
    state: PathBuf,
    /// File name of each game, in their order.
    names: Vec<String>,
    settings: Settings,
    book: Mutex<Book>,
    /// Held until the end; the system gives it back even when the run is killed.
    _lock: File,
}

impl OutputFolder {
    /// Makes or opens a folder, locks it and gives each game its name.
    ///
    /// A name that belongs to other sheets, or to a file that is not ours, is not used again.
    pub fn open(path: &Path, games: &[GameInput], settings: Settings) -> Result<Self, FolderError> {
        prepare_folder(path)?;
        let state = path.join(STATE);
        prepare_folder(&state)?;
        let lock = lock(path, &state.join("lock"))?;
        remove_temporary_files(path);
        remove_temporary_files(&state);
        let mut journal = Journal::open(&state.join("journal.jsonl"))?;
        let mut registry = taken_names(path, &journal);
        let names = claim_names(games, &mut journal, &mut registry)?;
        Ok(Self {
            path: path.to_path_buf(),
            state,
            names,
            settings,
            book: Mutex::new(Book { journal, registry }),
            _lock: lock,
        })
    }

    /// The folder.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// File name (without extension) of each game, in their order.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The names of all games, with those that several games of a picture got before.
    pub fn game_names(&self, games: &[GameInput]) -> GameNames {
        let mut names = GameNames::new(self.names.clone(), games);
        let book = self.book();
        for (game, name) in self.names.iter().enumerate() {
            let divided = book.journal.divided.get(name).into_iter();
            for (sheet, name) in divided.flat_map(|divided| &divided.games) {
                names.add_part(game, *sheet, name.clone());
            }
        }
        names
    }

    /// File name for one of the several games that the picture of a game shows: the name of the game with the number of the sheet.
    pub fn part_name(&self, index: usize, part: &GameInput) -> Result<String, OutputError> {
        let sheets = identity(part);
        let Book { journal, registry } = &mut *self.book();
        if let Some(name) = known_name(journal, &sheets) {
            return Ok(name.to_owned());
        }
        let sheet = part.sheets.first().and_then(|sheet| sheet.image.sheet);
        let name = registry.claim_sheet(&self.names[index], sheet);
        let entry = Entry::Named {
            name: name.clone(),
            sheets,
        };
        journal.append(std::slice::from_ref(&entry))?;
        if let Entry::Named { name, sheets } = entry {
            journal.names.insert(name, sheets);
        }
        Ok(name)
    }

    /// Where the corrections lie that were made so far.
    pub fn fixes_path(&self) -> PathBuf {
        self.path.join("fixes.csv")
    }

    /// The digests of a game; none where one of its sheets cannot be read.
    pub fn keys(&self, index: usize, game: &GameInput) -> Option<GameKeys> {
        GameKeys::new(&self.settings, &self.names[index], game)
    }

    /// The sheets of each page of a game as they were read by an earlier run.
    pub fn kept_sheets(&self, index: usize, key: &SheetsKey) -> Option<Vec<Vec<Sheet>>> {
        kept_sheets(&self.sheets_path(index), key)
    }

    /// Keeps the sheets of a game, if all its pages could be read, so that it can be searched again without reading them.
    pub fn keep_sheets(
        &self,
        index: usize,
        key: &SheetsKey,
        pages: &ReadPages,
    ) -> Result<(), OutputError> {
        keep_sheets(&self.sheets_path(index), key, pages)
    }

    fn sheets_path(&self, index: usize) -> PathBuf {
        self.state.join(format!("{}.sheets", self.names[index]))
    }

    /// The game, or the games of its picture, done already from the same sheets in the same way, whose files are still as they were written.
    pub fn kept(&self, index: usize, key: &GameKey) -> Option<Vec<KeptGame>> {
        let name = &self.names[index];
        let divided = self.book().journal.divided.get(name).cloned();
        match divided.filter(|divided| divided.key == key.0) {
            Some(divided) => divided
                .games
                .iter()
                .map(|(sheet, name)| self.kept_game(name, Some(*sheet), key))
                .collect(),
            None => Some(vec![self.kept_game(name, None, key)?]),
        }
    }

    fn kept_game(&self, name: &str, sheet: Option<u32>, key: &GameKey) -> Option<KeptGame> {
        let done = self.book().journal.done.get(name).cloned()?;
        if done.key != key.0 {
            return None;
        }
        for (path, expected) in self.files_of(name).iter().zip(&done.files) {
            if digest(&std::fs::read(path).ok()?) != *expected {
                return None;
            }
        }
        Some(KeptGame {
            name: done.name,
            sheet,
            moves: done.moves,
            doubts: done.doubts,
        })
    }

    /// Writes a game under its file name. With a key, which only a game whose sheets were all read may have, it counts as done.
    pub fn store(
        &self,
        name: &str,
        key: Option<&GameKey>,
        files: &GameFiles,
    ) -> Result<(), OutputError> {
        let contents = [&files.json, &files.pgn, &files.part];
        for (path, text) in self.files_of(name).iter().zip(contents) {
            write_whole(path, text.as_bytes())?;
        }
        let done = Done {
            name: name.to_owned(),
            key: key.map_or_else(String::new, |key| key.0.clone()),
            files: contents.map(|text| digest(text.as_bytes())).to_vec(),
            moves: files.moves,
            doubts: files.doubts,
        };
        self.book().journal.append(&[Entry::Done(done)])
    }

    /// Notes that a picture gave several games: number of the sheet and file name of each. All of them must be stored with this key.
    pub fn note_division(
        &self,
        index: usize,
        key: &GameKey,
        games: Vec<(u32, String)>,
    ) -> Result<(), OutputError> {
        let divided = Divided {
            name: self.names[index].clone(),
            key: key.0.clone(),
            games,
        };
        self.book().journal.append(&[Entry::Divided(divided)])
    }

    /// Writes `games.pgn` from the games of this run that are on the disk: `present`, their file names in order.
    pub fn write_games(&self, present: &[String]) -> Result<(), OutputError> {
        let mut file = WholeFile::create(&self.path.join("games.pgn"))?;
        for name in present {
            let path = self.path.join(format!("{name}.pgn"));
            let pgn = std::fs::read(&path).map_err(OutputError::unreadable(&path))?;
            file.write(&pgn)?;
        }
        file.commit()
    }

    /// The table of the report.
    pub fn table(&self) -> ReportTable {
        ReportTable::new(
            self.path.join("report.csv"),
            self.state.join("report.digest"),
        )
    }

    /// Where the part of a game in the report lies.
    pub(crate) fn part_path(&self, name: &str) -> PathBuf {
        self.state.join(format!("{name}.part"))
    }

    fn files_of(&self, name: &str) -> [PathBuf; 3] {
        [
            self.path.join(format!("{name}.json")),
            self.path.join(format!("{name}.pgn")),
            self.part_path(name),
        ]
    }

    fn book(&self) -> MutexGuard<'_, Book> {
        self.book.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What changes while games are read.
struct Book {
    journal: Journal,
    /// All names that are taken in the folder.
    registry: NameRegistry,
}

/// Takes the lock of a folder, which the system releases when the process ends in whatever way.
fn lock(folder: &Path, path: &Path) -> Result<File, FolderError> {
    let failed = OutputError::unwritable(path);
    let mut file = File::options()
        .read(true)
        .write(true)
        .create(true)
        .truncate(false)
        .open(path)
        .map_err(&failed)?;
    match file.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => {
            let mut owner = String::new();
            // Whoever it is: the folder is taken.
            let _ = file.read_to_string(&mut owner);
            return Err(FolderError::Locked {
                folder: folder.to_path_buf(),
                owner: owner.trim().to_owned(),
            });
        }
        // Some network folders know no locks; there the user must take care.
        Err(TryLockError::Error(error)) if error.kind() == std::io::ErrorKind::Unsupported => {}
        Err(TryLockError::Error(error)) => return Err(failed(error).into()),
    }
    let mut note = || {
        file.set_len(0)?;
        file.rewind()?;
        writeln!(file, "{}", std::process::id())
    };
    note().map_err(&failed)?;
    Ok(file)
}

/// The names that are taken in a folder: by the batch as a whole, by the journal, and by files that lie there.
fn taken_names(folder: &Path, journal: &Journal) -> NameRegistry {
    let mut registry = NameRegistry::with_reserved(&RESERVED);
    for name in journal.names.keys() {
        registry.reserve(name);
    }
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = PathBuf::from(entry.file_name());
        let ours = ["json", "pgn"]
            .iter()
            .any(|ending| path.extension().is_some_and(|is| is == *ending));
        if let (true, Some(stem)) = (ours, path.file_stem()) {
            registry.reserve(&stem.to_string_lossy());
        }
    }
    registry
}

/// Names for all games: those that the journal has for their sheets, else free ones.
fn claim_names(
    games: &[GameInput],
    journal: &mut Journal,
    registry: &mut NameRegistry,
) -> Result<Vec<String>, OutputError> {
    let known: HashMap<&str, &str> = journal
        .names
        .iter()
        .map(|(name, sheets)| (sheets.as_str(), name.as_str()))
        .collect();
    let mut entries = Vec::new();
    let mut names = Vec::with_capacity(games.len());
    for game in games {
        let sheets = identity(game);
        names.push(match known.get(sheets.as_str()) {
            Some(name) => (*name).to_owned(),
            None => {
                let name = registry.claim(&game.name);
                entries.push(Entry::Named {
                    name: name.clone(),
                    sheets,
                });
                name
            }
        });
    }
    journal.append(&entries)?;
    for entry in entries {
        if let Entry::Named { name, sheets } = entry {
            journal.names.insert(name, sheets);
        }
    }
    Ok(names)
}

/// The name that belongs to these sheets.
fn known_name<'a>(journal: &'a Journal, sheets: &str) -> Option<&'a str> {
    let mut names = journal.names.iter();
    let (name, _) = names.find(|(_, other)| *other == sheets)?;
    Some(name)
}

/// What makes a game the same in two runs: its name and its sheets, wherever the runs were started.
fn identity(game: &GameInput) -> String {
    let mut sheets = game.sheets.clone();
    for sheet in &mut sheets {
        if let Ok(path) = sheet.image.file.canonicalize() {
            sheet.image.file = path;
        }
    }
    format!("{:?} {sheets:?}", game.name)
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Scratch {
        folder: tempfile::TempDir,
    }

    impl Scratch {
        fn new() -> Self {
            let folder = tempfile::tempdir().unwrap();
            for part in ["a", "b"] {
                std::fs::create_dir(folder.path().join(part)).unwrap();
                std::fs::write(folder.path().join(part).join("x.jpg"), part).unwrap();
            }
            Self { folder }
        }

        fn game(&self, part: &str) -> GameInput {
            GameInput::single("x".to_owned(), self.folder.path().join(part).join("x.jpg"))
        }

        fn open(&self, games: &[GameInput], settings: &str) -> Result<OutputFolder, FolderError> {
            let settings = Settings {
                reading: String::new(),
                game: settings.to_owned(),
            };
            OutputFolder::open(&self.folder.path().join("out"), games, settings)
        }
    }

    fn files(text: &str) -> GameFiles {
        GameFiles {
            json: format!("{text} json"),
            pgn: format!("{text} pgn\n"),
            part: "part".to_owned(),
            moves: 4,
            doubts: 2,
        }
    }

    #[test]
    fn a_done_game_is_kept_until_something_changes() {
        let scratch = Scratch::new();
        let games = [scratch.game("a")];
        let out = scratch.folder.path().join("out");
        let kept = |settings: &str| {
            let folder = scratch.open(&games, settings).unwrap();
            let key = folder.keys(0, &games[0]).unwrap().game;
            let kept = folder.kept(0, &key);
            folder.store("x", Some(&key), &files("a")).unwrap();
            kept.map(|games| (games[0].moves, games[0].doubts))
        };
        assert_eq!(kept("1"), None);
        assert_eq!(kept("1"), Some((4, 2)));
        assert_eq!(kept("2"), None, "other settings");
        assert_eq!(kept("2"), Some((4, 2)));
        std::fs::write(&games[0].sheets[0].image.file, "other").unwrap();
        assert_eq!(kept("2"), None, "another sheet");
        std::fs::write(out.join("x.pgn"), "edited").unwrap();
        assert_eq!(kept("2"), None, "a result that was changed");
        std::fs::remove_file(out.join(".scoresheet/x.part")).unwrap();
        assert_eq!(kept("2"), None, "a result that is gone");
        std::fs::write(out.join(".scoresheet/journal.jsonl"), "nonsense\n").unwrap();
        // Without a journal nobody knows whose x.pgn is.
        let folder = scratch.open(&games, "2").unwrap();
        assert_eq!(folder.names(), ["x-2"]);
    }

    #[test]
    fn a_game_without_key_is_read_again() {
        let scratch = Scratch::new();
        let games = [scratch.game("a")];
        let folder = scratch.open(&games, "").unwrap();
        folder.store("x", None, &files("a")).unwrap();
        drop(folder);
        let folder = scratch.open(&games, "").unwrap();
        let key = folder.keys(0, &games[0]).unwrap().game;
        assert_eq!(folder.kept(0, &key), None);
    }

    #[test]
    fn names_stay_with_their_sheets_over_runs() {
        let scratch = Scratch::new();
        let (a, b) = (scratch.game("a"), scratch.game("b"));
        let names = |games: &[GameInput]| scratch.open(games, "").unwrap().names().to_vec();
        assert_eq!(names(std::slice::from_ref(&a)), ["x"]);
        assert_eq!(names(&[b.clone(), a.clone()]), ["x-2", "x"]);
        assert_eq!(names(&[a, b]), ["x", "x-2"]);
    }

    #[test]
    fn the_games_of_a_picture_are_kept_together() {
        let scratch = Scratch::new();
        let games = [scratch.game("a"), scratch.game("b")];
        let parts = [2, 3].map(|sheet| {
            let image = games[0].sheets[0].image.with_sheet(Some(sheet));
            GameInput::single(image.name(), image)
        });
        // A file of somebody else's.
        let out = scratch.folder.path().join("out");
        std::fs::create_dir(&out).unwrap();
        std::fs::write(out.join("x-s2.pgn"), "").unwrap();
        let folder = scratch.open(&games, "").unwrap();
        let names = parts
            .clone()
            .map(|part| folder.part_name(0, &part).unwrap());
        assert_eq!(names, ["x-s2-2", "x-s3"]);
        let key = folder.keys(0, &games[0]).unwrap().game;
        let numbered: Vec<(u32, String)> = [2, 3].into_iter().zip(names.clone()).collect();
        for (name, text) in names.iter().zip(["second", "third"]) {
            folder.store(name, Some(&key), &files(text)).unwrap();
        }
        drop(folder);
        // Killed before the division was noted: nothing is kept, and the names stay.
        let folder = scratch.open(&games, "").unwrap();
        assert_eq!(folder.kept(0, &key), None);
        assert_eq!(folder.part_name(0, &parts[0]).unwrap(), names[0]);
        folder.note_division(0, &key, numbered).unwrap();
        drop(folder);
        let folder = scratch.open(&games, "").unwrap();
        let kept = folder.kept(0, &key).unwrap();
        let told: Vec<_> = kept
            .iter()
            .map(|game| (game.sheet, game.name.as_str()))
            .collect();
        assert_eq!(told, [(Some(2), "x-s2-2"), (Some(3), "x-s3")]);
        std::fs::remove_file(out.join("x-s3.json")).unwrap();
        assert_eq!(folder.kept(0, &key), None);
    }

    #[test]
    fn two_runs_do_not_share_a_folder() {
        let scratch = Scratch::new();
        let first = scratch.open(&[], "").unwrap();
        let Err(error) = scratch.open(&[], "") else {
            panic!("locked twice");
        };
        let text = error.to_string();
        assert!(text.contains("another run (process "), "{text}");
        drop(first);
        scratch.open(&[], "").unwrap();
    }

    #[test]
    fn all_games_stand_in_one_file_in_order() {
        let scratch = Scratch::new();
        let games = [scratch.game("a"), scratch.game("b")];
        let folder = scratch.open(&games, "").unwrap();
        let names = folder.names();
        for (index, text) in [(1, "second"), (0, "first")] {
            folder.store(&names[index], None, &files(text)).unwrap();
        }
        folder.write_games(names).unwrap();
        let path = folder.path().join("games.pgn");
        assert_eq!(
            std::fs::read_to_string(path).unwrap(),
            "first pgn\nsecond pgn\n"
        );
    }
}
