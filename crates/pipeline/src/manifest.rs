//! The manifest: which files make one game.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};

use csv::StringRecord;
use scoresheet_decoder::Lock;
use scoresheet_imaging::{Limits, LoadError};

use crate::input::ImagePage;
use crate::pgn::tag_name;
use crate::table::{syntax, table_reader};

/// Columns that a manifest must have.
const REQUIRED: [&str; 2] = ["game", "file"];

/// Results that PGN knows.
pub(crate) const RESULTS: [&str; 4] = ["1-0", "0-1", "1/2-1/2", "*"];

/// Why a manifest cannot be used. Every message names the file, the line and the remedy.
#[derive(Debug, thiserror::Error)]
#[error("{}: {problem}", path.display())]
pub struct ManifestError {
    /// The manifest.
    pub path: PathBuf,
    /// What is wrong.
    pub problem: Box<ManifestProblem>,
}

/// What is wrong with a manifest.
#[derive(Debug, thiserror::Error)]
pub enum ManifestProblem {
    /// The file cannot be opened.
    #[error("cannot be read ({0}); check the name and its permissions")]
    Unreadable(std::io::Error),
    /// The file is no CSV.
    #[error(
        "line {line}: {message}; save it as CSV in UTF-8, the same number of fields on each line"
    )]
    Syntax {
        /// Line, from 1.
        line: u64,
        /// What the CSV reader said.
        message: String,
    },
    /// The header lacks a column.
    #[error(
        "line 1: no column \"{0}\"; the header must be game,file,copy,page (more columns may follow)"
    )]
    MissingColumn(&'static str),
    /// The header has a column twice.
    #[error("line 1: column \"{0}\" stands twice; rename or remove one")]
    DoubleColumn(String),
    /// The header of a further column is no name of a PGN tag.
    #[error("line 1: column \"{0}\" is no name of a PGN tag; use letters, digits and _ only")]
    TagName(String),
    /// There is a header only.
    #[error("no sheet is listed; add a line for each image file")]
    Empty,
    /// A field has a value that is not allowed.
    #[error("line {line}: {column} is \"{value}\"; {remedy}")]
    Value {
        /// Line, from 1.
        line: u64,
        /// Header of the column.
        column: &'static str,
        /// What stands there.
        value: String,
        /// What should.
        remedy: &'static str,
    },
    /// No such image file.
    #[error("line {line}: there is no file {}; paths are relative to the folder of the manifest", file.display())]
    MissingFile {
        /// Line, from 1.
        line: u64,
        /// The file as named.
        file: PathBuf,
    },
    /// Several input files have this name.
    #[error("line {line}: several inputs are called {}; write more of the path", file.display())]
    AmbiguousFile {
        /// Line, from 1.
        line: u64,
        /// The file as named.
        file: PathBuf,
    },
    /// Two lines stand for the same sheet.
    #[error(
        "line {line}: page {page} of copy {copy} of game \"{game}\" is on line {earlier} already; correct copy or page"
    )]
    DoubleSheet {
        /// Line, from 1.
        line: u64,
        /// The line before.
        earlier: u64,
        /// The game.
        game: String,
        /// `A` or `B`.
        copy: char,
        /// Page of the copy.
        page: u32,
    },
    /// The file has too many pages.
    #[error("line {line}: {source}")]
    Pages {
        /// Line, from 1.
        line: u64,
        /// How many there are.
        source: LoadError,
    },
    /// One file stands on two lines.
    #[error("line {line}: {} is on line {earlier} already; a file belongs to one sheet", file.display())]
    DoubleFile {
        /// Line, from 1.
        line: u64,
        /// The line before.
        earlier: u64,
        /// The file.
        file: PathBuf,
    },
    /// Two lines of a game have different values for a tag.
    #[error(
        "line {line}: {tag} of game \"{game}\" is \"{value}\", but \"{other}\" above; make them the same or leave one empty"
    )]
    TagConflict {
        /// Line, from 1.
        line: u64,
        /// The game.
        game: String,
        /// Name of the tag.
        tag: String,
        /// Value on this line.
        value: String,
        /// Value above.
        other: String,
    },
}

/// One image file and its place in a game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SheetInput {
    /// The page of an image file.
    pub image: ImagePage,
    /// Which player's copy: `A` or `B`.
    pub copy: char,
    /// Page of the copy, from 1.
    pub page: u32,
}

/// One game to read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GameInput {
    /// Name of the game.
    pub name: String,
    /// Its sheets by copy and page.
    pub sheets: Vec<SheetInput>,
    /// PGN tags, the result among them.
    pub tags: Vec<(String, String)>,
    /// Whether several sheets on one picture are games of their own; else they are pages that follow one another.
    pub apart: bool,
    /// Moves that a person knows.
    pub fixes: Vec<Lock>,
    /// The same for each of several games that the picture shows, by the number of its sheet.
    pub sheet_fixes: BTreeMap<u32, Vec<Lock>>,
}

impl GameInput {
    /// The game of an image of which nothing else is known; where it shows several sheets, a game of each.
    pub fn single(name: String, image: impl Into<ImagePage>) -> Self {
        Self {
            name,
            sheets: vec![SheetInput {
                image: image.into(),
                copy: 'A',
                page: 1,
            }],
            tags: Vec::new(),
            apart: true,
            fixes: Vec::new(),
            sheet_fixes: BTreeMap::new(),
        }
    }

    /// The result by the tags, or `*`.
    pub fn result(&self) -> &str {
        let tag = self.tags.iter().find(|(name, _)| name == "Result");
        tag.map_or("*", |(_, value)| value)
    }
}

/// Reads a manifest: CSV with header `game,file,copy,page`; further columns become PGN tags.
///
/// Copy is `A` (also when empty) or `B`, page is counted from 1 (also when empty). A file is looked for
/// relative to the folder of the manifest, then among `inputs` by the end of its path. `file#3` is its third page and `file#3.2` the second sheet on that;
/// a file of several pages, or a page that shows several sheets, stands for as many pages of the copy, from `page` on. Games keep the order of their first lines.
///
/// # Errors
/// The first problem found, with its line.
pub fn read_manifest(
    path: &Path,
    inputs: &[PathBuf],
    limits: &Limits,
) -> Result<Vec<GameInput>, ManifestError> {
    let with_path = |problem| ManifestError {
        path: path.to_path_buf(),
        problem: Box::new(problem),
    };
    let bytes =
        std::fs::read(path).map_err(|error| with_path(ManifestProblem::Unreadable(error)))?;
    let folder = path.parent().unwrap_or(Path::new(""));
    parse_manifest(&bytes, |line, file| {
        resolve(folder, inputs, line, file)?
            .expand(limits)
            .map_err(|source| ManifestProblem::Pages { line, source })
    })
    .map_err(with_path)
}

fn resolve(
    folder: &Path,
    inputs: &[PathBuf],
    line: u64,
    file: &Path,
) -> Result<ImagePage, ManifestProblem> {
    let beside = folder.join(file);
    if let Some(image) = ImagePage::named(&beside).filter(|image| image.file.is_file()) {
        return Ok(image);
    }
    let numbered = ImagePage::numbered(file);
    let mut matching = inputs.iter().filter_map(|input| {
        if input.ends_with(file) {
            return Some(input.clone().into());
        }
        let numbered = numbered.as_ref()?;
        input.ends_with(&numbered.file).then(|| ImagePage {
            file: input.clone(),
            ..numbered.clone()
        })
    });
    match (matching.next(), matching.next()) {
        (Some(image), None) => Ok(image),
        (Some(_), Some(_)) => Err(ManifestProblem::AmbiguousFile {
            line,
            file: file.to_path_buf(),
        }),
        (None, _) => Err(ManifestProblem::MissingFile { line, file: beside }),
    }
}

/// The columns of a manifest.
struct Columns {
    game: usize,
    file: usize,
    copy: Option<usize>,
    page: Option<usize>,
    /// Index and tag name of the further columns.
    tags: Vec<(usize, String)>,
}

impl Columns {
    fn new(header: &StringRecord) -> Result<Self, ManifestProblem> {
        let names: Vec<String> = header
            .iter()
            .map(|name| name.trim_start_matches('\u{feff}').trim().to_lowercase())
            .collect();
        for (index, name) in names.iter().enumerate() {
            if names[..index].contains(name) {
                return Err(ManifestProblem::DoubleColumn(name.clone()));
            }
        }
        let place = |name: &str| names.iter().position(|other| other == name);
        let required = |name| place(name).ok_or(ManifestProblem::MissingColumn(name));
        let (game, file) = (required(REQUIRED[0])?, required(REQUIRED[1])?);
        let (copy, page) = (place("copy"), place("page"));
        let mut tags = Vec::new();
        for (index, name) in header.iter().enumerate() {
            if ![Some(game), Some(file), copy, page].contains(&Some(index)) {
                let tag =
                    tag_name(name).ok_or_else(|| ManifestProblem::TagName(name.to_owned()))?;
                tags.push((index, tag));
            }
        }
        Ok(Self {
            game,
            file,
            copy,
            page,
            tags,
        })
    }
}

/// Which sheet of a picture a line of the manifest names (all where it names none), and the line's number.
type SheetAndLine = (Option<u32>, u64);

fn parse_manifest(
    bytes: &[u8],
    resolve: impl Fn(u64, &Path) -> Result<Vec<ImagePage>, ManifestProblem>,
) -> Result<Vec<GameInput>, ManifestProblem> {
    let syntax = |error: csv::Error| {
        let (line, message) = syntax(&error);
        ManifestProblem::Syntax { line, message }
    };
    let mut reader = table_reader(bytes);
    let columns = Columns::new(reader.headers().map_err(syntax)?)?;
    let mut games: Vec<GameInput> = Vec::new();
    let mut places: HashMap<String, usize> = HashMap::new();
    let mut sheets: HashMap<(usize, char, u32), u64> = HashMap::new();
    let mut files: HashMap<(PathBuf, u32), Vec<SheetAndLine>> = HashMap::new();
    for record in reader.records() {
        let record = record.map_err(syntax)?;
        let line = record.position().map_or(0, csv::Position::line);
        let (name, of_line) = parse_line(&record, line, &columns, &resolve)?;
        let place = *places.entry(name.clone()).or_insert_with(|| {
            games.push(GameInput {
                name: name.clone(),
                sheets: Vec::new(),
                tags: Vec::new(),
                apart: false,
                fixes: Vec::new(),
                sheet_fixes: BTreeMap::new(),
            });
            games.len() - 1
        });
        for sheet in of_line {
            if let Some(earlier) = sheets.insert((place, sheet.copy, sheet.page), line) {
                return Err(ManifestProblem::DoubleSheet {
                    line,
                    earlier,
                    game: name,
                    copy: sheet.copy,
                    page: sheet.page,
                });
            }
            let image = &sheet.image;
            let of_page = files
                .entry((image.file.clone(), image.number()))
                .or_default();
            let same = |other: &Option<u32>| {
                other.is_none_or(|other| image.sheet.is_none_or(|sheet| sheet == other))
            };
            if let Some(&(_, earlier)) = of_page.iter().find(|(other, _)| same(other)) {
                return Err(ManifestProblem::DoubleFile {
                    line,
                    earlier,
                    file: image.label(),
                });
            }
            of_page.push((image.sheet, line));
            games[place].sheets.push(sheet);
        }
        add_tags(&mut games[place], &record, line, &columns)?;
    }
    if games.is_empty() {
        return Err(ManifestProblem::Empty);
    }
    for game in &mut games {
        game.sheets.sort_by_key(|sheet| (sheet.copy, sheet.page));
    }
    Ok(games)
}

fn parse_line(
    record: &StringRecord,
    line: u64,
    columns: &Columns,
    resolve: impl Fn(u64, &Path) -> Result<Vec<ImagePage>, ManifestProblem>,
) -> Result<(String, Vec<SheetInput>), ManifestProblem> {
    let wrong = |column, value: &str, remedy| ManifestProblem::Value {
        line,
        column,
        value: value.to_owned(),
        remedy,
    };
    let field = |index: Option<usize>| index.and_then(|index| record.get(index)).unwrap_or("");
    let name = field(Some(columns.game));
    if name.is_empty() {
        return Err(wrong("game", name, "give each sheet the name of its game"));
    }
    let file = field(Some(columns.file));
    if file.is_empty() {
        return Err(wrong("file", file, "name the image file"));
    }
    let copy = match field(columns.copy) {
        "" | "A" | "a" => 'A',
        "B" | "b" => 'B',
        other => {
            return Err(wrong(
                "copy",
                other,
                "write A or B, the two players' sheets",
            ));
        }
    };
    let page = match field(columns.page) {
        "" => 1,
        text => match text.parse() {
            Ok(page @ 1..=99) => page,
            _ => return Err(wrong("page", text, "write a number from 1 to 99")),
        },
    };
    let sheets = resolve(line, Path::new(file))?
        .into_iter()
        .zip(page..)
        .map(|(image, page)| SheetInput { image, copy, page })
        .collect();
    Ok((name.to_owned(), sheets))
}

/// Adds the tags of a line to its game; an empty field says nothing.
fn add_tags(
    game: &mut GameInput,
    record: &StringRecord,
    line: u64,
    columns: &Columns,
) -> Result<(), ManifestProblem> {
    for (index, tag) in &columns.tags {
        let value = record.get(*index).unwrap_or("");
        if value.is_empty() {
            continue;
        }
        if tag == "Result" && !RESULTS.contains(&value) {
            return Err(ManifestProblem::Value {
                line,
                column: "Result",
                value: value.to_owned(),
                remedy: "write 1-0, 0-1, 1/2-1/2 or *",
            });
        }
        match game.tags.iter().find(|(name, _)| name == tag) {
            Some((_, other)) if other != value => {
                return Err(ManifestProblem::TagConflict {
                    line,
                    game: game.name.clone(),
                    tag: tag.clone(),
                    value: value.to_owned(),
                    other: other.clone(),
                });
            }
            Some(_) => {}
            None => game.tags.push((tag.clone(), value.to_owned())),
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Vec<GameInput>, ManifestProblem> {
        parse_manifest(text.as_bytes(), |_, file| {
            Ok(vec![file.to_path_buf().into()])
        })
    }

    #[test]
    fn sheets_are_gathered_into_games() {
        let text = "\u{feff}game,file,copy,page,white,Result\n\
                    x,2.jpg,b,1,,\n\
                    y,\"3,a.jpg\",,,\"Doe, J\",1-0\n\
                    x,1b.jpg,A,2,Roe,\n\
                    x,1a.jpg,A,1,Roe,0-1\n";
        let games = parse(text).unwrap();
        let sheets: Vec<_> = games[0]
            .sheets
            .iter()
            .map(|sheet| (sheet.image.file.to_str().unwrap(), sheet.copy, sheet.page))
            .collect();
        assert_eq!(
            sheets,
            [("1a.jpg", 'A', 1), ("1b.jpg", 'A', 2), ("2.jpg", 'B', 1)]
        );
        assert_eq!((games[0].name.as_str(), games[0].result()), ("x", "0-1"));
        assert_eq!(games[1].sheets[0].image.file, Path::new("3,a.jpg"));
        assert_eq!(games[1].tags[0], ("White".to_owned(), "Doe, J".to_owned()));
    }

    #[test]
    fn problems_name_line_and_remedy() {
        let table: [(&[u8], &str); 13] = [
            (b"", "line 1: no column \"game\""),
            (b"game,copy\n", "line 1: no column \"file\""),
            (b"game,file,copy,page\n", "no sheet is listed"),
            (
                b"game,file,Copy,copy\n",
                "line 1: column \"copy\" stands twice",
            ),
            (
                b"game,file,b\xc3\xb6ard\nx,a,1\n",
                "is no name of a PGN tag",
            ),
            (b"game,file\nx\n", "line 2: 1 fields where the header has 2"),
            (b"game,file\nx,\xff\n", "line 2: letters that are not UTF-8"),
            (b"game,file\n,a.jpg\n", "line 2: game is \"\""),
            (
                b"game,file,copy\nx,a.jpg,C\n",
                "line 2: copy is \"C\"; write A or B",
            ),
            (
                b"game,file,page\nx,a.jpg,1\nx,b.jpg,0\n",
                "line 3: page is \"0\"",
            ),
            (
                b"game,file,copy\nx,a,A\nx,b,\n",
                "line 3: page 1 of copy A of game \"x\" is on line 2",
            ),
            (b"game,file\nx,a\ny,a\n", "line 3: a is on line 2 already"),
            (
                b"game,file,Result\nx,a,2-0\n",
                "write 1-0, 0-1, 1/2-1/2 or *",
            ),
        ];
        for (bytes, message) in table {
            let problem =
                parse_manifest(bytes, |_, file| Ok(vec![file.to_path_buf().into()])).unwrap_err();
            let problem = problem.to_string();
            assert!(problem.contains(message), "{problem} should say {message}");
        }
        let conflict = parse("game,file,copy,White\nx,a,A,Doe\nx,b,B,Roe\n").unwrap_err();
        assert!(
            conflict
                .to_string()
                .contains("line 3: White of game \"x\" is \"Roe\", but \"Doe\"")
        );
    }

    #[test]
    fn files_are_found_beside_the_manifest_or_among_the_inputs() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("1.jpg"), b"").unwrap();
        let inputs: Vec<PathBuf> = ["in/2.jpg", "in/a/3.jpg", "in/b/3.jpg"]
            .map(PathBuf::from)
            .into();
        let table = [
            ("1.jpg", Some(folder.path().join("1.jpg"))),
            ("2.jpg", Some(PathBuf::from("in/2.jpg"))),
            ("b/3.jpg", Some(PathBuf::from("in/b/3.jpg"))),
            ("3.jpg", None),
            ("4.jpg", None),
        ];
        for (file, expected) in table {
            let path = folder.path().join("manifest.csv");
            std::fs::write(&path, format!("game,file\nx,{file}\n")).unwrap();
            let found = read_manifest(&path, &inputs, &Limits::default()).ok();
            assert_eq!(
                found.map(|games| games[0].sheets[0].image.file.clone()),
                expected,
                "{file}"
            );
        }
    }
}
