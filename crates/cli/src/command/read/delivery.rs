//! From games as they are read to where they go: stdout, or a folder.

use anyhow::{Context, Result};
use scoresheet_pipeline::{
    Failure, GameDocument, GameFiles, GameInput, GameKey, GameKeys, GameNames, GameReader,
    KeptGame, NameRegistry, Notice, Outcome, OutputFolder, ReadPages, Settings, Sheet, SheetInput,
    SheetsKey, Stage, Timings, all_lattices, file_digest, render_part, write_pgn_marked,
    write_report,
};
use scoresheet_reader::Reader;

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
        let settings = Settings {
            reading: format!(
                "{} {} {:?} {:?}",
                program_digest(),
                reader.sha256(),
                config.batch.limits,
                config.batch.forms,
            ),
            game: format!(
                "{:?} {:?} {}",
                config.batch.decode, config.marks, config.report
            ),
        };
        let folder = OutputFolder::open(path, &config.games, settings)?;
        Ok(Self::Folder(Box::new(folder)))
    }

    /// The names of all games, which no two share.
    pub fn game_names(&self, games: &[GameInput]) -> GameNames {
        match self {
            Self::Folder(folder) => folder.game_names(games),
            Self::Stdout(_) => {
                let mut names = NameRegistry::default();
                let names = games.iter().map(|game| names.claim(&game.name)).collect();
                GameNames::new(names, games)
            }
        }
    }
}

/// SHA-256 of the program itself, so that no other build takes its results for its own; empty where it cannot be read.
fn program_digest() -> String {
    let program = std::env::current_exe();
    program
        .and_then(|path| file_digest(&path))
        .unwrap_or_default()
}

/// The game of an input, or the games that its picture shows, ready to be delivered.
pub enum Prepared {
    /// They are in the folder already.
    Kept(Vec<KeptGame>),
    /// They were read.
    Read(Vec<ReadGame>),
}

/// A game that was read.
pub struct ReadGame {
    name: String,
    /// Number of its sheet, where its picture shows several games.
    sheet: Option<u32>,
    /// None where no sheet of it could be read.
    files: Option<GameFiles>,
    /// None for a game that the next run is to try again.
    key: Option<GameKey>,
    failures: Vec<Notice>,
    warnings: Vec<String>,
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
    pub fn prepare(&self, index: usize) -> Result<Prepared> {
        let game = &self.config.games[index];
        let keys = match self.target {
            Target::Folder(folder) => self
                .timings
                .measure(Stage::Digest, || folder.keys(index, game)),
            Target::Stdout(_) => None,
        };
        let mut pages = None;
        if let (Target::Folder(folder), Some(keys), false) = (self.target, &keys, self.config.redo)
        {
            let done = folder.kept(index, &keys.game);
            let saves_lattices = self.reader.saves_lattices(game);
            if done.is_none() || saves_lattices {
                pages = self.kept_pages(folder, index, &keys.sheets);
            }
            if let Some(done) = done
                && (pages.is_some() || !saves_lattices)
            {
                self.advance(game);
                return Ok(Prepared::Kept(done));
            }
            pages = pages.and_then(|pages| self.with_pictures(game, pages));
        }
        let pages = match pages {
            Some(pages) => {
                self.advance(game);
                pages.into_iter().map(Ok).collect()
            }
            None => self.read_pages(index, keys.as_ref())?,
        };
        let read = self.reader.search(game, pages);
        let several = read.len() > 1;
        let render = |(game, outcome): &(GameInput, Outcome)| {
            let part = several.then_some(game);
            let name = self.name(index, part)?;
            let files = outcome
                .document
                .as_ref()
                .map(|document| self.render(&name, game, document, outcome));
            Ok(ReadGame {
                name,
                sheet: part.and_then(|part| part.sheets.first()?.image.sheet),
                files,
                // A game of which a sheet failed is tried again by the next run.
                key: keys
                    .as_ref()
                    .map(|keys| keys.game.clone())
                    .filter(|_| outcome.failures.is_empty()),
                failures: outcome.failures.iter().map(Notice::from).collect(),
                warnings: outcome.document.as_ref().map_or_else(Vec::new, warnings),
            })
        };
        let games: Result<Vec<ReadGame>> = self
            .timings
            .measure(Stage::Rendering, || read.iter().map(render).collect());
        Ok(Prepared::Read(games?))
    }

    /// The pages of a game as an earlier run read them, their lattices saved where that is wanted.
    fn kept_pages(
        &self,
        folder: &OutputFolder,
        index: usize,
        key: &SheetsKey,
    ) -> Option<Vec<Vec<Sheet>>> {
        let pages = folder.kept_sheets(index, key)?;
        let saved = self.reader.save_missing(&self.config.games[index], &pages);
        // What failed is tried again from the image, and then told.
        saved.ok().map(|()| pages)
    }

    /// Kept pages with the pictures for the report; none where an image fails, which is told when it is read.
    fn with_pictures(
        &self,
        game: &GameInput,
        mut pages: Vec<Vec<Sheet>>,
    ) -> Option<Vec<Vec<Sheet>>> {
        let added = self.reader.add_pictures(game, &mut pages);
        added.ok().map(|()| pages)
    }

    /// Reads the pages of a game, and keeps what they say.
    fn read_pages(&self, index: usize, keys: Option<&GameKeys>) -> Result<ReadPages> {
        let game = &self.config.games[index];
        let advance = |sheet: &SheetInput| self.console.advance(&sheet.image.name());
        let pages = self.reader.read_pages(game, &advance);
        if let (Target::Folder(folder), Some(keys), false) = (self.target, keys, all_lattices(game))
        {
            folder.keep_sheets(index, &keys.sheets, &pages)?;
        }
        Ok(pages)
    }

    /// Tells that the pages of a game are done.
    fn advance(&self, game: &GameInput) {
        for sheet in &game.sheets {
            self.console.advance(&sheet.image.name());
        }
    }

    /// The name of a game, or of one of several games on its picture.
    fn name(&self, index: usize, part: Option<&GameInput>) -> Result<String> {
        Ok(match (self.target, part) {
            (Target::Folder(folder), Some(part)) => folder.part_name(index, part)?,
            (Target::Folder(folder), None) => folder.names()[index].clone(),
            (Target::Stdout(_), Some(part)) => part.name.clone(),
            (Target::Stdout(_), None) => self.config.games[index].name.clone(),
        })
    }

    fn render(
        &self,
        name: &str,
        game: &GameInput,
        document: &GameDocument,
        outcome: &Outcome,
    ) -> GameFiles {
        let part = match self.target {
            Target::Folder(_) => render_part(name, document, &outcome.pictures, self.config.report),
            Target::Stdout(_) => String::new(),
        };
        let files = GameFiles {
            // Documents of this program can always be written as JSON.
            json: document.to_json_line().unwrap_or_default(),
            pgn: write_pgn_marked(document, &game.tags, self.config.marks),
            part,
            ..GameFiles::counting(document)
        };
        for text in [&files.json, &files.pgn, &files.part] {
            self.timings.add_bytes(Stage::Rendering, text.len());
        }
        files
    }

    /// Writes the next game in order, or those of the next picture, and tells about them.
    pub fn deliver(&self, index: usize, prepared: Prepared, tally: &mut Tally) -> Result<Listener> {
        let note = |name, moves, doubts, kept| GameNote {
            name,
            place: (index + 1, self.config.games.len()),
            moves,
            doubts,
            kept,
        };
        match prepared {
            Prepared::Kept(games) => {
                tally.add_games(games.len() - 1);
                for game in &games {
                    let note = note(&game.name, game.moves, game.doubts, true);
                    tally.count(&note);
                    self.console.game(&note);
                }
                Ok(Listener::Listening)
            }
            Prepared::Read(games) => {
                tally.add_games(games.len() - 1);
                for game in &games {
                    for warning in &game.warnings {
                        self.console.warning(warning);
                    }
                    for failure in &game.failures {
                        self.console.error(failure.clone());
                        tally.fail(Some(&game.name), failure.to_string());
                    }
                    let Some(files) = &game.files else {
                        continue;
                    };
                    let listener = self.write(&game.name, game.key.as_ref(), files)?;
                    let note = note(&game.name, files.moves, files.doubts, false);
                    tally.count(&note);
                    self.console.game(&note);
                    if listener == Listener::Gone {
                        return Ok(listener);
                    }
                }
                self.note_division(index, &games)?;
                Ok(Listener::Listening)
            }
        }
    }

    fn write(&self, name: &str, key: Option<&GameKey>, files: &GameFiles) -> Result<Listener> {
        match self.target {
            Target::Folder(folder) => {
                folder.store(name, key, files)?;
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

    /// After a stop: the games from `index` on that an earlier run read stay in what belongs to all games.
    pub fn keep_undelivered(&self, index: usize, tally: &mut Tally) {
        let Target::Folder(folder) = self.target else {
            return;
        };
        for (index, game) in self.config.games.iter().enumerate().skip(index) {
            let keys = folder.keys(index, game);
            let kept = keys.and_then(|keys| folder.kept(index, &keys.game));
            for game in kept.into_iter().flatten() {
                tally.count(&GameNote {
                    name: &game.name,
                    place: (index + 1, self.config.games.len()),
                    moves: game.moves,
                    doubts: game.doubts,
                    kept: true,
                });
            }
        }
    }

    /// Notes the games of a picture that are to be kept together.
    fn note_division(&self, index: usize, games: &[ReadGame]) -> Result<()> {
        let Target::Folder(folder) = self.target else {
            return Ok(());
        };
        let of_game = |game: &ReadGame| Some((game.sheet?, game.name.clone()));
        let parts: Option<Vec<(u32, String)>> = games.iter().map(of_game).collect();
        let keys: Option<Vec<&GameKey>> = games.iter().map(|game| game.key.as_ref()).collect();
        if let (Some(parts), Some(keys)) = (parts, keys)
            && let Some(key) = keys.first()
        {
            folder.note_division(index, key, parts)?;
        }
        Ok(())
    }

    /// Where to go on when all is read: the report, if it has something to be checked.
    pub fn advice(&self, tally: &Tally) -> String {
        match self.target {
            Target::Folder(folder) if self.config.report && tally.doubts > 0 => {
                let report = folder.path().join("report.html");
                format!("; open {} to check them", report.display())
            }
            _ => String::new(),
        }
    }

    /// A table of the report that a person wrote corrections into, and that was not given to this run, is not written over.
    fn set_aside_changed_table(&self, folder: &OutputFolder) -> Result<()> {
        let table = folder.table();
        let path = table.path().canonicalize().ok();
        let mut given = self.config.fixes.iter();
        if given.any(|given| given.canonicalize().ok() == path) {
            return Ok(());
        }
        if let Some(path) = table.set_aside_if_changed()? {
            self.console.warning(format!(
                "report.csv was changed by hand and lies at {} now; give it with --fixes if it has corrections",
                path.display()
            ));
        }
        Ok(())
    }

    /// Writes what belongs to all games.
    pub fn close(&self, tally: &Tally) -> Result<()> {
        if let Target::Folder(folder) = self.target {
            folder.write_games(&tally.present)?;
            if self.config.report {
                self.set_aside_changed_table(folder)?;
                write_report(folder, &tally.present, &tally.failures)?;
            }
        }
        Ok(())
    }
}

/// The warnings of all sheets of a game.
fn warnings(document: &GameDocument) -> Vec<String> {
    let sources = document.sources.iter();
    sources
        .flat_map(|source| {
            let of_source = |warning| format!("{}: {warning}", source.label());
            source.warnings.iter().map(of_source)
        })
        .collect()
}

/// What is told about all games at the end.
pub struct Tally {
    /// File names of the games that are there, in order.
    present: Vec<String>,
    /// Games beyond the inputs: further sheets on pictures.
    further: usize,
    moves: usize,
    doubts: usize,
    kept: usize,
    failures: Vec<Failure>,
}

impl Tally {
    /// Begins with the inputs that are no files.
    pub fn new(unusable: &[Notice]) -> Self {
        let mut tally = Self {
            present: Vec::new(),
            further: 0,
            moves: 0,
            doubts: 0,
            kept: 0,
            failures: Vec::new(),
        };
        for problem in unusable {
            tally.fail(None, problem.to_string());
        }
        tally
    }

    fn fail(&mut self, game: Option<&str>, message: String) {
        self.failures.push(Failure {
            game: game.map(str::to_owned),
            message,
        });
    }

    fn add_games(&mut self, further: usize) {
        self.further += further;
    }

    fn count(&mut self, note: &GameNote<'_>) {
        self.present.push(note.name.to_owned());
        self.moves += note.moves;
        self.doubts += note.doubts;
        self.kept += usize::from(note.kept);
    }

    /// Number of failures.
    pub fn failed(&self) -> usize {
        self.failures.len()
    }

    /// The closing line of a batch of so many inputs.
    pub fn summary(&self, inputs: usize) -> String {
        let games = inputs + self.further;
        let kept = match self.kept {
            0 => String::new(),
            kept => format!(" ({kept} of them kept from an earlier run)"),
        };
        let failures = match self.failed() {
            0 => "no failures".to_owned(),
            1 => "1 failure".to_owned(),
            failed => format!("{failed} failures"),
        };
        format!(
            "{} of {games} games read{kept}, {} moves, {} of them to be checked; {failures}",
            self.present.len(),
            self.moves,
            self.doubts,
        )
    }
}
