//! Single games of a batch: their pages read, or kept from before, and searched for the game.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use scoresheet_reader::{Reader, Worker};

use crate::batch::{BatchOptions, Outcome};
use crate::cut_page::PageOptions;
use crate::document::Generator;
use crate::error::{SheetError, catching};
use crate::game::{PlacedSheet, decode_game};
use crate::input::ImagePage;
use crate::lattice_file::{LATTICE_EXTENSION, load_lattices, save_lattices};
use crate::manifest::{GameInput, SheetInput};
use crate::outcome::settle_result;
use crate::output::NameRegistry;
use crate::sheet::{Deadline, Sheet, SheetTask, add_picture, read_sheets_for};
use crate::stack_forms::StackForms;
use crate::timing::{Stage, Timings};

/// The sheets of each page of a game, in the order of its inputs, or why a page could not be read.
pub type ReadPages = Vec<Result<Vec<Sheet>, SheetError>>;

/// Reads single games of a batch; shared by its threads.
pub struct GameReader<'a> {
    workers: WorkerStore<'a>,
    lattice_paths: Option<LatticePaths>,
    stack: StackForms,
    options: &'a BatchOptions,
    generator: Generator,
    timings: &'a Timings,
}

impl<'a> GameReader<'a> {
    /// What reads these games with a model.
    pub fn new(
        games: &[GameInput],
        reader: &'a Reader,
        options: &'a BatchOptions,
        timings: &'a Timings,
    ) -> Self {
        Self {
            workers: WorkerStore::new(reader),
            lattice_paths: options
                .save_lattices
                .as_ref()
                .map(|folder| LatticePaths::new(folder, games)),
            stack: StackForms::new(
                games
                    .iter()
                    .flat_map(|game| &game.sheets)
                    .map(|sheet| &sheet.image)
                    .filter(|image| !holds_lattices(&image.file)),
                options.limits,
            ),
            options,
            generator: Generator {
                version: env!("CARGO_PKG_VERSION").to_owned(),
                model: format!("sha256:{}", reader.sha256()),
            },
            timings,
        }
    }

    /// Reads one game, or the several that its picture shows. `on_sheet` is called as each page is done.
    pub fn read(
        &self,
        game: &GameInput,
        on_sheet: &impl Fn(&SheetInput),
    ) -> Vec<(GameInput, Outcome)> {
        self.search(game, self.read_pages(game, on_sheet))
    }

    /// Reads the pages of a game, before any chess. `on_sheet` is called as each is done.
    pub fn read_pages(&self, game: &GameInput, on_sheet: &impl Fn(&SheetInput)) -> ReadPages {
        let read = |input: &SheetInput| {
            let read = self.obtain(&input.image);
            on_sheet(input);
            read
        };
        game.sheets.iter().map(read).collect()
    }

    /// Saves the files of lattices that are wanted of a game, from its pages as an earlier run read them.
    ///
    /// # Errors
    /// Where a file cannot be written.
    pub fn save_missing(&self, game: &GameInput, pages: &[Vec<Sheet>]) -> Result<(), SheetError> {
        for (input, sheets) in game.sheets.iter().zip(pages) {
            self.save(&input.image, sheets)?;
        }
        Ok(())
    }

    /// Gives the pages of a game that an earlier run read the pictures for a report, where one is wanted: they are not kept, and taken from the image files.
    ///
    /// # Errors
    /// Where an image fails; then the pages are better read again.
    pub fn add_pictures(
        &self,
        game: &GameInput,
        pages: &mut [Vec<Sheet>],
    ) -> Result<(), SheetError> {
        for (input, sheets) in game.sheets.iter().zip(pages) {
            if self.options.pictures && !holds_lattices(&input.image.file) {
                add_picture(&self.task(), &input.image, sheets)?;
            }
        }
        Ok(())
    }

    /// Whether files of lattices are to be saved of a game.
    pub fn saves_lattices(&self, game: &GameInput) -> bool {
        self.lattice_paths.is_some() && !all_lattices(game)
    }

    /// Searches the game of these pages, or the several games of a picture.
    pub fn search(&self, game: &GameInput, pages: ReadPages) -> Vec<(GameInput, Outcome)> {
        let mut failures = Vec::new();
        let mut sheets: Vec<PlacedSheet> = Vec::new();
        for (input, read) in game.sheets.iter().zip(pages) {
            match read {
                Ok(read) => place_sheets(input, read, &mut sheets),
                Err(error) => {
                    failures.push(error);
                    sheets.push((follow(input, &sheets), None));
                }
            }
        }
        if !game.apart || sheets.len() < 2 {
            let number = |(input, sheet): &PlacedSheet| {
                let shown = sheet.as_ref().and_then(|sheet| sheet.number);
                input.image.sheet.or(shown)
            };
            let shown: Vec<u32> = sheets.iter().filter_map(number).collect();
            failures.extend(fixed_of_none(game, &shown));
            // Corrections that name a sheet on the picture are those of the one game that it gives.
            let mut game = game.clone();
            for (sheet, fixes) in std::mem::take(&mut game.sheet_fixes) {
                if shown.contains(&sheet) {
                    game.fixes.extend(fixes);
                }
            }
            let outcome = self.play(&game, sheets, failures);
            return vec![(game, outcome)];
        }
        let shown: Vec<u32> = sheets
            .iter()
            .filter_map(|(input, _)| input.image.sheet)
            .collect();
        // What is wrong with the page as a whole is told with its first game.
        failures.extend(fixed_of_none(game, &shown));
        failures.extend(fixed_of_several(game));
        let mut failures = Some(failures);
        sheets
            .into_iter()
            .map(|(input, sheet)| {
                let part = part_of(game, &input.image);
                let failures = failures.take().unwrap_or_default();
                let outcome = self.play_part(&part, (input, sheet), failures);
                (part, outcome)
            })
            .collect()
    }

    /// One of several games of a picture.
    fn play_part(
        &self,
        game: &GameInput,
        (input, sheet): PlacedSheet,
        failures: Vec<SheetError>,
    ) -> Outcome {
        let input = SheetInput { page: 1, ..input };
        let mut outcome = self.play(game, vec![(input, sheet)], failures);
        if let Some(document) = outcome.document.as_mut().filter(|_| !game.tags.is_empty()) {
            document.remarks.push(
                "The picture shows several sheets, and all of them have got its tags; a manifest gives each its own."
                    .to_owned(),
            );
        }
        outcome
    }

    /// A game from its sheets.
    fn play(
        &self,
        game: &GameInput,
        mut sheets: Vec<PlacedSheet>,
        mut failures: Vec<SheetError>,
    ) -> Outcome {
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
            catching(&path, || Ok(self.timings.measure(Stage::Game, decode)))
        } else {
            Err(SheetError::NoInk(path.clone()))
        };
        match document {
            Ok((mut document, refused)) => {
                failures.extend(refused.into_iter().map(|source| SheetError::Fixed {
                    path: path.clone(),
                    source,
                }));
                settle_result(&mut document);
                outcome(Some(document), failures)
            }
            Err(error) => {
                failures.push(error);
                outcome(None, failures)
            }
        }
    }

    /// The sheets of a page from its image or, with that extension, one from saved lattices.
    fn obtain(&self, image: &ImagePage) -> Result<Vec<Sheet>, SheetError> {
        if holds_lattices(&image.file) {
            return Ok(vec![load_lattices(&image.file)?]);
        }
        let task = self.task();
        let sheets = self
            .workers
            .with(|worker| read_sheets_for(&task, image, worker))?;
        self.save(image, &sheets)?;
        Ok(sheets)
    }

    fn task(&self) -> SheetTask<'_> {
        SheetTask {
            page: PageOptions {
                limits: self.options.limits,
                forms: self.options.forms.as_ref(),
                stack: Some(&self.stack),
            },
            deadline: self.options.time_limit.map(|limit| Deadline {
                end: Instant::now() + limit,
                limit,
            }),
            keep_picture: self.options.pictures,
            timings: self.timings,
        }
    }

    /// Saves the lattices of a page, where that is wanted.
    fn save(&self, image: &ImagePage, sheets: &[Sheet]) -> Result<(), SheetError> {
        let Some(paths) = &self.lattice_paths else {
            return Ok(());
        };
        for sheet in sheets {
            // The only written sheet of a page goes by the name of the page.
            let number = sheet.number.filter(|_| sheets.len() > 1);
            let path = paths.of(&image.with_sheet(number));
            if let Some(path) = path {
                save_lattices(sheet, &path)?;
            }
        }
        Ok(())
    }
}

/// Whether a game comes from saved lattices alone.
pub fn all_lattices(game: &GameInput) -> bool {
    let mut sheets = game.sheets.iter();
    sheets.all(|sheet| holds_lattices(&sheet.image.file))
}

/// Adds the sheets of a page; several are as many pages of the copy, and further pages follow them.
fn place_sheets(input: &SheetInput, obtained: Vec<Sheet>, sheets: &mut Vec<PlacedSheet>) {
    let several = obtained.len() > 1;
    for sheet in obtained {
        let mut placed = follow(input, sheets);
        if several {
            placed.image = placed.image.with_sheet(sheet.number);
        }
        sheets.push((placed, Some(sheet)));
    }
}

/// The input with its page after all that are placed before it.
fn follow(input: &SheetInput, placed: &[PlacedSheet]) -> SheetInput {
    let mut of_copy = placed.iter().filter(|(other, _)| other.copy == input.copy);
    let after = of_copy.next_back().map_or(0, |(last, _)| last.page + 1);
    SheetInput {
        page: input.page.max(after),
        ..input.clone()
    }
}

/// The game of one of several sheets on a picture.
fn part_of(game: &GameInput, image: &ImagePage) -> GameInput {
    GameInput {
        name: image.name(),
        tags: game.tags.clone(),
        apart: false,
        fixes: image
            .sheet
            .and_then(|sheet| game.sheet_fixes.get(&sheet).cloned())
            .unwrap_or_default(),
        ..GameInput::single(String::new(), image.clone())
    }
}

/// Moves that are fixed of one game, where the picture shows several.
fn fixed_of_several(game: &GameInput) -> Option<SheetError> {
    let image = &game
        .sheets
        .first()
        .filter(|_| !game.fixes.is_empty())?
        .image;
    Some(SheetError::FixedOfSeveral {
        path: image.whole_page().label(),
        example: image.with_sheet(Some(1)).label(),
    })
}

/// Moves that are fixed of sheets that the picture does not show.
fn fixed_of_none(game: &GameInput, shown: &[u32]) -> Vec<SheetError> {
    let path = game.sheets.first().map(|sheet| sheet.image.label());
    let absent = game
        .sheet_fixes
        .keys()
        .filter(|sheet| !shown.contains(sheet));
    absent
        .map(|&sheet| SheetError::FixedOfNone {
            path: path.clone().unwrap_or_default(),
            sheet,
        })
        .collect()
}

/// Where the lattices of each sheet are to be saved.
struct LatticePaths {
    folder: PathBuf,
    claimed: Mutex<ClaimedNames>,
}

struct ClaimedNames {
    registry: NameRegistry,
    names: HashMap<ImagePage, String>,
}

impl LatticePaths {
    fn new(folder: &Path, games: &[GameInput]) -> Self {
        let mut registry = NameRegistry::default();
        let names = games
            .iter()
            .flat_map(|game| &game.sheets)
            .filter(|sheet| !holds_lattices(&sheet.image.file))
            .map(|sheet| (sheet.image.clone(), registry.claim(&sheet.image.name())))
            .collect();
        Self {
            folder: folder.to_path_buf(),
            claimed: Mutex::new(ClaimedNames { registry, names }),
        }
    }

    /// The path for an image of the batch, or for one of several sheets on it; none for an image that is saved lattices.
    fn of(&self, image: &ImagePage) -> Option<PathBuf> {
        let mut claimed: MutexGuard<'_, ClaimedNames> =
            self.claimed.lock().unwrap_or_else(PoisonError::into_inner);
        let ClaimedNames { registry, names } = &mut *claimed;
        let name = match names.get(image) {
            Some(name) => name.clone(),
            None => {
                let name = registry.claim_sheet(names.get(&image.whole_page())?, image.sheet);
                names.insert(image.clone(), name.clone());
                name
            }
        };
        Some(self.folder.join(format!("{name}.{LATTICE_EXTENSION}")))
    }
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
