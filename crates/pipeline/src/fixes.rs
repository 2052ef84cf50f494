//! Corrections of moves by a person, kept from run to run.
//!
//! A table of corrections is CSV. Either it has the columns `game` and `fix` (`board 7,23b=Bg7`), as the report page and `fixes.csv` do; or it is an edited
//! `report.csv`, with the move in the column `correction`.

use std::collections::{BTreeMap, HashMap};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use csv::StringRecord;
use scoresheet_decoder::{Lock, LockError, ply_of};

use crate::game_names::{GameNames, GamePlace};
use crate::manifest::GameInput;
use crate::output::OutputError;
use crate::report_csv::FIXED;
use crate::table::{harmless, original, syntax, table_reader, write_table};

/// In place of a move: what is read is right.
const RIGHT: &str = "ok";
/// In place of a move: the correction made earlier is taken back.
const TAKEN_BACK: &str = "-";

/// Why a table of corrections cannot be used. The message names the file, the line and the remedy.
#[derive(Debug, thiserror::Error)]
#[error("{}: {}{problem}", path.display(), of_line(*line))]
pub struct FixError {
    /// The table.
    pub path: PathBuf,
    /// Line, from 1; 0 where it is about the whole file.
    pub line: u64,
    /// What is wrong.
    pub problem: FixProblem,
}

fn of_line(line: u64) -> String {
    match line {
        0 => String::new(),
        line => format!("line {line}: "),
    }
}

/// What is wrong with a table of corrections.
#[derive(Debug, thiserror::Error)]
pub enum FixProblem {
    /// The file cannot be opened.
    #[error("cannot be read ({0}); check the name and its permissions")]
    Unreadable(std::io::Error),
    /// The file is no CSV.
    #[error("{0}; save it as CSV in UTF-8, the same number of fields on each line")]
    Syntax(String),
    /// The header is another.
    #[error(
        "no column \"{0}\"; a table of corrections has the header game,fix, or is an edited report.csv"
    )]
    MissingColumn(&'static str),
    /// A place that is none.
    #[error("number \"{number}\" and colour \"{colour}\" name no move; write such as 23 and black")]
    Place {
        /// Number of the move.
        number: String,
        /// Its colour.
        colour: String,
    },
    /// What is written is no move.
    #[error(transparent)]
    Move(#[from] LockError),
    /// Nothing was read that could be right.
    #[error("no move is read there that could be right; write the move itself")]
    NothingRead,
    /// No game of this name is read.
    #[error(
        "no game is called \"{0}\"; write the name that its files in the output folder have, or leave the line out"
    )]
    UnknownGame(String),
    /// Two lines tell different moves.
    #[error("{fix} is for the same move as line {earlier}; leave one of them out")]
    Twice {
        /// What this line says.
        fix: Lock,
        /// The line before.
        earlier: u64,
    },
}

/// What a line asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Change {
    Fix(Lock),
    TakeBack { ply: u32 },
}

impl Change {
    fn ply(&self) -> u32 {
        match self {
            Self::Fix(fix) => fix.ply(),
            Self::TakeBack { ply } => *ply,
        }
    }
}

/// One line of a table that asks for something.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Line {
    number: u64,
    game: String,
    /// The file of the sheet as the report names it, where the line does. A spreadsheet may have made another number of the game's name, but not of this.
    file: String,
    change: Change,
}

/// A table of corrections as it was written.
#[derive(Debug)]
pub struct FixTable {
    path: PathBuf,
    lines: Vec<Line>,
}

impl FixTable {
    /// Reads a table; comma, semicolon or tab stands between its fields.
    ///
    /// # Errors
    /// All that is wrong with it.
    pub fn read(path: &Path) -> Result<Self, Vec<FixError>> {
        let with_path = |(line, problem)| FixError {
            path: path.to_path_buf(),
            line,
            problem,
        };
        let bytes = std::fs::read(path)
            .map_err(|error| vec![with_path((0, FixProblem::Unreadable(error)))])?;
        match parse(&bytes) {
            Ok(lines) => Ok(Self {
                path: path.to_path_buf(),
                lines,
            }),
            Err(problems) => Err(problems.into_iter().map(with_path).collect()),
        }
    }

    /// The same, where a file that is not there has no lines.
    ///
    /// # Errors
    /// As for [`Self::read`].
    pub fn read_if_there(path: &Path) -> Result<Self, Vec<FixError>> {
        match std::fs::metadata(path) {
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(Self {
                path: path.to_path_buf(),
                lines: Vec::new(),
            }),
            _ => Self::read(path),
        }
    }
}

type Problem = (u64, FixProblem);

/// Places of the columns.
struct Columns {
    game: Option<usize>,
    file: Option<usize>,
    status: Option<usize>,
    reading: Option<usize>,
    what: What,
}

/// Where a line says what it asks for.
enum What {
    /// As `23b=Bg7`.
    Fix(usize),
    /// In three columns, as the report has it.
    Correction {
        number: usize,
        colour: usize,
        correction: usize,
    },
}

impl Columns {
    fn new(header: &StringRecord) -> Result<Self, FixProblem> {
        let place = |name: &'static str| {
            header
                .iter()
                .position(|other| other.eq_ignore_ascii_case(name))
        };
        let required = |name| place(name).ok_or(FixProblem::MissingColumn(name));
        let what = match (place("fix"), place("correction")) {
            (None, Some(correction)) => What::Correction {
                number: required("number")?,
                colour: required("colour")?,
                correction,
            },
            _ => What::Fix(required("fix")?),
        };
        let (game, file) = (place("game"), place("file"));
        if file.is_none() {
            required("game")?;
        }
        Ok(Self {
            game,
            file,
            status: place("status"),
            reading: place("reading"),
            what,
        })
    }
}

fn parse(bytes: &[u8]) -> Result<Vec<Line>, Vec<Problem>> {
    let wrong = |error: csv::Error| {
        let (line, message) = syntax(&error);
        (line, FixProblem::Syntax(message))
    };
    let mut reader = table_reader(bytes);
    let header = reader.headers().map_err(|error| vec![wrong(error)])?;
    let columns = Columns::new(header).map_err(|problem| vec![(1, problem)])?;
    let (mut lines, mut problems) = (Vec::new(), Vec::new());
    for record in reader.records() {
        let record = match record {
            Ok(record) => record,
            // What follows may be out of step.
            Err(error) => {
                problems.push(wrong(error));
                break;
            }
        };
        let number = record.position().map_or(0, csv::Position::line);
        let field = |place: Option<usize>| original(place.map_or("", |place| &record[place]));
        match change(&columns, field) {
            Ok(None) => {}
            Ok(Some(change)) => lines.push(Line {
                number,
                game: field(columns.game).to_owned(),
                file: field(columns.file).to_owned(),
                change,
            }),
            Err(problem) => problems.push((number, problem)),
        }
    }
    if problems.is_empty() {
        Ok(lines)
    } else {
        Err(problems)
    }
}

/// What a line asks for; nothing where the report was not edited.
fn change<'a>(
    columns: &Columns,
    field: impl Fn(Option<usize>) -> &'a str,
) -> Result<Option<Change>, FixProblem> {
    let reading = || match field(columns.reading) {
        "" => Err(FixProblem::NothingRead),
        reading => Ok(reading),
    };
    match columns.what {
        What::Fix(column) => {
            let text = field(Some(column));
            if text.is_empty() {
                return Ok(None);
            }
            let (place, written) = text
                .split_once('=')
                .ok_or_else(|| LockError::Syntax(text.to_owned()))?;
            let ply = ply_of(place).ok_or_else(|| LockError::Syntax(text.to_owned()))?;
            let written = written.trim();
            if written == TAKEN_BACK {
                return Ok(Some(Change::TakeBack { ply }));
            }
            Ok(Some(Change::Fix(Lock::new(ply, written)?)))
        }
        What::Correction {
            number,
            colour,
            correction,
        } => {
            let (number, colour) = (field(Some(number)), field(Some(colour)));
            let written = match field(Some(correction)) {
                "" if field(columns.status) == FIXED => TAKEN_BACK,
                "" => return Ok(None),
                written => written,
            };
            let side = colour.chars().next().unwrap_or(' ');
            let ply = ply_of(&format!("{number}{side}")).ok_or_else(|| FixProblem::Place {
                number: number.to_owned(),
                colour: colour.to_owned(),
            })?;
            if written == TAKEN_BACK {
                return Ok(Some(Change::TakeBack { ply }));
            }
            let written = if written.eq_ignore_ascii_case(RIGHT) {
                reading()?
            } else {
                written
            };
            Ok(Some(Change::Fix(Lock::new(ply, written)?)))
        }
    }
}

/// The corrections in force: of each game by its name, those of its half-moves.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Fixes {
    games: BTreeMap<String, BTreeMap<u32, Lock>>,
}

impl Fixes {
    /// The corrections that were kept as a table of names and moves, whether or not all their games are there.
    pub fn kept(table: &FixTable) -> Self {
        let mut fixes = Self::default();
        for line in &table.lines {
            fixes.make(&line.game, &line.change);
        }
        fixes
    }

    /// Adds the corrections of a table; it has the last word where there is one already. A line that names a file is taken for the game of that sheet.
    ///
    /// # Errors
    /// All lines that are for no game or contradict each other; then nothing is added.
    pub fn add(&mut self, table: &FixTable, names: &GameNames) -> Result<(), Vec<FixError>> {
        let mut seen: HashMap<(GamePlace, u32), &Line> = HashMap::new();
        let mut problems = Vec::new();
        let mut wrong = |line: &Line, problem| {
            problems.push(FixError {
                path: table.path.clone(),
                line: line.number,
                problem,
            });
        };
        for line in &table.lines {
            let by_file = names.find_file(&line.file);
            let Some(game) = by_file.or_else(|| names.find(&line.game)) else {
                wrong(line, FixProblem::UnknownGame(line.game.clone()));
                continue;
            };
            match (seen.insert((game, line.change.ply()), line), &line.change) {
                (Some(earlier), Change::Fix(fix)) if earlier.change != line.change => {
                    let (fix, earlier) = (fix.clone(), earlier.number);
                    wrong(line, FixProblem::Twice { fix, earlier });
                }
                _ => {}
            }
        }
        if !problems.is_empty() {
            return Err(problems);
        }
        for ((game, _), line) in seen {
            self.make(&names.name(game), &line.change);
        }
        Ok(())
    }

    /// Gives each game its corrections; the names of games that are not there come back.
    pub fn give<'a>(&'a self, games: &mut [GameInput], names: &GameNames) -> Vec<&'a str> {
        let mut absent = Vec::new();
        for (name, fixes) in self.games.iter().filter(|(_, fixes)| !fixes.is_empty()) {
            let fixes = fixes.values().cloned().collect();
            match names.find(name) {
                None => absent.push(name.as_str()),
                Some(GamePlace { game, sheet: None }) => games[game].fixes = fixes,
                Some(GamePlace {
                    game,
                    sheet: Some(sheet),
                }) => drop(games[game].sheet_fixes.insert(sheet, fixes)),
            }
        }
        absent
    }

    /// Adds corrections of a game by its name; they have the last word.
    pub fn tell(&mut self, game: &str, fixes: &[Lock]) {
        for fix in fixes {
            self.make(game, &Change::Fix(fix.clone()));
        }
    }

    fn make(&mut self, game: &str, change: &Change) {
        match change {
            Change::Fix(fix) => {
                let fixes = self.games.entry(game.to_owned()).or_default();
                fixes.insert(fix.ply(), fix.clone());
            }
            Change::TakeBack { ply } => {
                if let Some(fixes) = self.games.get_mut(game) {
                    fixes.remove(ply);
                }
            }
        }
    }

    /// The corrections of a game by its name, in the order of its moves.
    pub fn of(&self, game: &str) -> Vec<Lock> {
        let fixes = self.games.get(game).into_iter();
        fixes.flat_map(BTreeMap::values).cloned().collect()
    }

    /// Names of the games that have corrections.
    pub fn games(&self) -> impl Iterator<Item = &str> {
        let corrected = self.games.iter().filter(|(_, fixes)| !fixes.is_empty());
        corrected.map(|(name, _)| name.as_str())
    }

    /// Writes the table by which [`Self::kept`] finds them again.
    ///
    /// # Errors
    /// Where the file cannot be written.
    pub fn write(&self, path: &Path) -> Result<(), OutputError> {
        write_table(path, "", |writer| {
            writer.write_record(["game", "fix"])?;
            for (game, fixes) in &self.games {
                for fix in fixes.values() {
                    writer.write_record([harmless(game), fix.to_string()])?;
                }
            }
            Ok(())
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(text: &str) -> FixTable {
        FixTable {
            path: PathBuf::from("fixes.csv"),
            lines: parse(text.as_bytes()).unwrap(),
        }
    }

    fn names(names: &[&str], files: &[&str]) -> GameNames {
        let single = |file: &&str| GameInput::single("x".to_owned(), PathBuf::from(file));
        let games: Vec<GameInput> = files.iter().map(single).collect();
        GameNames::new(names.iter().map(|&name| name.to_owned()).collect(), &games)
    }

    fn told(fixes: &Fixes, game: &str) -> Vec<String> {
        fixes.of(game).iter().map(Lock::to_string).collect()
    }

    #[test]
    fn both_kinds_of_tables_say_the_same() {
        for text in [
            "game,fix\nboard 7,23b=Bg7\nboard 7,1w=e4\n",
            "Game;Fix\nboard 7;23B = Bg7\nboard 7;1w=e4\n;\n",
            "game,file,number,colour,status,reading,correction\n\
             board 7,,23,black,doubtful,Bf8,Bg7\n\
             board 7,,1,white,doubtful,e4,OK\n\
             board 7,,2,white,doubtful,Nf3,\n",
            "game\tnumber\tcolour\tcorrection\nboard 7\t23\tb\tBg7\nboard 7\t1\tW\te4\n",
        ] {
            let mut fixes = Fixes::default();
            fixes
                .add(&table(text), &names(&["board 7"], &["7.jpg"]))
                .unwrap();
            assert_eq!(told(&fixes, "board 7"), ["1w=e4", "23b=Bg7"], "{text}");
        }
    }

    #[test]
    fn the_last_table_counts_and_fixes_are_taken_back() {
        let names = names(&["a", "=b"], &["a.jpg", "b.jpg"]);
        let mut fixes = Fixes::default();
        for text in [
            "game,fix\na,1w=e4\na,1b=e5\n'=b,1w=d4\n",
            "game,fix\na,1w=d4\na,2w=c4\n",
            "game,fix\na,1b=-\n",
            "game,number,colour,status,correction\na,2,white,fixed,\n'=b,1,white,doubtful,\n",
        ] {
            fixes.add(&table(text), &names).unwrap();
        }
        assert_eq!(told(&fixes, "a"), ["1w=d4"]);
        assert_eq!(told(&fixes, "=b"), ["1w=d4"]);
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("fixes.csv");
        fixes.write(&path).unwrap();
        let again = Fixes::kept(&FixTable::read(&path).unwrap());
        assert_eq!(again.games().collect::<Vec<_>>(), ["=b", "a"]);
        assert_eq!(told(&again, "=b"), ["1w=d4"]);
    }

    #[test]
    fn each_game_of_a_picture_has_its_own() {
        let mut games = vec![GameInput::single("x".to_owned(), PathBuf::from("a.jpg"))];
        let names = GameNames::new(vec!["a".to_owned()], &games);
        let mut fixes = Fixes::default();
        let text = "game,file,fix\na-s2,,1w=e4\nx,a.jpg#1.1,1w=d4\n";
        fixes.add(&table(text), &names).unwrap();
        fixes.tell("b", &["1w=c4".parse().unwrap()]);
        assert_eq!(fixes.give(&mut games, &names), ["b"]);
        let given = games[0].sheet_fixes.iter();
        let given: Vec<String> = given
            .map(|(sheet, fixes)| format!("{sheet} {}", fixes[0]))
            .collect();
        assert_eq!(given, ["1 1w=d4", "2 1w=e4"]);
    }

    #[test]
    fn a_sheet_is_known_by_its_file_when_its_name_was_changed() {
        // Spreadsheets take 007 for a number.
        let text = "game,file,fix\n7,in/007.jpg,1w=e4\n7,,1w=d4\n";
        let names = names(&["007", "7"], &["in/007.jpg", "in/7.jpg"]);
        let mut fixes = Fixes::default();
        fixes.add(&table(text), &names).unwrap();
        assert_eq!(told(&fixes, "007"), ["1w=e4"]);
        assert_eq!(told(&fixes, "7"), ["1w=d4"]);
    }

    #[test]
    fn all_problems_are_told_with_line_and_remedy() {
        let cases: [(&str, &[&str]); 5] = [
            ("file,move\n", &["line 1: no column \"fix\""]),
            ("fix\n1w=e4\n", &["line 1: no column \"game\""]),
            (
                "game,fix\na\n",
                &["line 2: 1 fields where the header has 2"],
            ),
            (
                "game,fix\na,1w=e4\na,e4\na,0w=e4\na,1w=Bi9\n",
                &[
                    "line 3: \"e4\" fixes no move",
                    "line 4: \"0w=e4\" fixes no move",
                    "line 5: 1w: \"Bi9\" is not a move",
                ],
            ),
            (
                "game,number,colour,reading,correction\na,x,white,,e4\na,1,red,,e4\na,1,b,,ok\n",
                &[
                    "line 2: number \"x\" and colour \"white\"",
                    "line 3: number \"1\" and colour \"red\"",
                    "line 4: no move is read there",
                ],
            ),
        ];
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("t.csv");
        for (text, expected) in cases {
            std::fs::write(&path, text).unwrap();
            let problems = FixTable::read(&path).unwrap_err();
            assert_eq!(problems.len(), expected.len(), "{problems:?}");
            for (problem, expected) in problems.iter().zip(expected) {
                let told = problem.to_string();
                assert!(told.contains(expected) && told.contains("; "), "{told}");
            }
        }
        let mut fixes = Fixes::default();
        let text = "game,fix\nb,1w=e4\na,1w=e4\na,1w=d4\na,1w=d4\n";
        let problems = fixes.add(&table(text), &names(&["a"], &["a.jpg"]));
        let told: Vec<String> = problems
            .unwrap_err()
            .iter()
            .map(ToString::to_string)
            .collect();
        assert_eq!(told.len(), 2, "{told:?}");
        assert!(
            told[0].contains("line 2: no game is called \"b\""),
            "{told:?}"
        );
        assert!(
            told[1].contains("line 4: 1w=d4 is for the same move as line 3"),
            "{told:?}"
        );
        assert_eq!(fixes, Fixes::default());
    }
}
