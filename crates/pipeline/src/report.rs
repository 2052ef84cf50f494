//! The report of a batch: first the moves to be checked, then every game beside its sheet.
//!
//! Each game's part is rendered when it is read and kept in the output folder, so that the pages are put together in little memory and a continued run
//! needs no picture again. A page is one self-contained HTML file; the template, its style and its script lie in `report/`.

use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::document::GameDocument;
use crate::doubt::doubts;
use crate::folder::OutputFolder;
use crate::output::{OutputError, WholeFile};
use crate::picture::SheetPicture;
use crate::report_csv::{Row, failure_row, game_rows, write_rows};
use crate::report_game::GameView;

const TEMPLATE: &str = include_str!("../report/page.html");
const STYLE: &str = include_str!("../report/style.css");
const SCRIPT: &str = include_str!("../report/script.js");

/// A page is closed when its games reach so many bytes; a single game is never divided.
const PAGE_BYTES: u64 = 12 << 20;

/// A sheet or input that could not be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// File name of its game, where it is part of one.
    pub game: Option<String>,
    /// What happened, and the remedy.
    pub message: String,
}

/// What a game adds to the report.
#[derive(Debug, Serialize, Deserialize)]
struct Part {
    name: String,
    moves: usize,
    doubts: usize,
    /// HTML of the doubts; empty where no report is wanted.
    doubts_html: String,
    /// HTML of the game beside its sheets.
    game_html: String,
    rows: Vec<Row>,
    /// What a person told of moves, as `23b=Bg7`, and whether it was refused.
    fixes: Vec<(String, bool)>,
}

/// Renders what a game adds to the report, for [`OutputFolder::store`].
///
/// `pictures` belong to the sources of the document. With `report` off only little is kept.
pub fn render_part(
    name: &str,
    document: &GameDocument,
    pictures: &[Option<SheetPicture>],
    report: bool,
) -> String {
    let found = doubts(document);
    let mut part = Part {
        name: name.to_owned(),
        moves: document.moves.len(),
        doubts: found.len(),
        doubts_html: String::new(),
        game_html: String::new(),
        rows: Vec::new(),
        fixes: Vec::new(),
    };
    if report {
        let game = GameView::new(name, document, pictures);
        part.doubts_html = found.iter().map(|doubt| game.doubt(doubt)).collect();
        part.game_html = game.section();
        part.rows = game_rows(name, document, &found);
        part.fixes = document
            .fixes
            .iter()
            .map(|fix| {
                let told = format!("{}{}={}", fix.number, fix.colour.letter(), fix.told);
                (told, fix.refused.is_some())
            })
            .collect();
    }
    // A structure of texts and numbers can always be written as JSON.
    serde_json::to_string(&part).unwrap_or_default()
}

/// Writes `report.html` (with `report-2.html` and so on for a large batch) and `report.csv` from the parts of the games that are on the disk.
///
/// `present` are file names of games, in order.
///
/// # Errors
/// Where a part cannot be read or a page not be written.
pub fn write_report(
    folder: &OutputFolder,
    present: &[String],
    failures: &[Failure],
) -> Result<(), OutputError> {
    let pages = divide(folder, present)?;
    let mut totals = Totals::default();
    let mut rows = Vec::new();
    for name in present {
        let part = load(folder, name)?;
        totals.games += 1;
        totals.moves += part.moves;
        totals.doubts += part.doubts;
        let fixes = part.fixes.into_iter();
        totals
            .fixes
            .extend(fixes.map(|(fix, refused)| (part.name.clone(), fix, refused)));
        rows.extend(part.rows);
    }
    rows.extend(failures.iter().map(failure_row));
    for (number, games) in pages.iter().enumerate() {
        let page = Page {
            folder,
            games,
            number,
            pages: pages.len(),
            failures: if number == 0 { failures } else { &[] },
            totals: &totals,
            failed: failures.len(),
        };
        page.write()?;
    }
    remove_further_pages(folder.path(), pages.len());
    folder.table().replace(|path| write_rows(path, &rows))
}

#[derive(Default)]
struct Totals {
    games: usize,
    moves: usize,
    doubts: usize,
    /// Game and move of all that a person told, and whether it was refused.
    fixes: Vec<(String, String, bool)>,
}

fn load(folder: &OutputFolder, name: &str) -> Result<Part, OutputError> {
    let path = folder.part_path(name);
    let read = || -> io::Result<Part> {
        serde_json::from_slice(&std::fs::read(&path)?)
            .map_err(|error| io::Error::new(ErrorKind::InvalidData, error))
    };
    read().map_err(OutputError::unreadable(&path))
}

/// The games of each page; at least one page.
fn divide<'a>(
    folder: &OutputFolder,
    present: &'a [String],
) -> Result<Vec<Vec<&'a str>>, OutputError> {
    let mut pages = vec![Vec::new()];
    let mut bytes = 0;
    for name in present {
        let path = folder.part_path(name);
        let size = std::fs::metadata(&path)
            .map_err(OutputError::unreadable(&path))?
            .len();
        if bytes > 0 && bytes + size > PAGE_BYTES {
            pages.push(Vec::new());
            bytes = 0;
        }
        bytes += size;
        if let Some(page) = pages.last_mut() {
            page.push(name.as_str());
        }
    }
    Ok(pages)
}

fn page_name(number: usize) -> String {
    match number {
        0 => "report.html".to_owned(),
        number => format!("report-{}.html", number + 1),
    }
}

/// Pages of an earlier, larger report.
fn remove_further_pages(folder: &Path, pages: usize) {
    for number in pages.. {
        if std::fs::remove_file(folder.join(page_name(number))).is_err() {
            break;
        }
    }
}

/// One page while it is written.
struct Page<'a> {
    folder: &'a OutputFolder,
    games: &'a [&'a str],
    number: usize,
    pages: usize,
    failures: &'a [Failure],
    totals: &'a Totals,
    failed: usize,
}

impl Page<'_> {
    /// Fills the template: what stands between `{{` and `}}` is the name of a piece.
    fn write(&self) -> Result<(), OutputError> {
        let path: PathBuf = self.folder.path().join(page_name(self.number));
        let mut file = WholeFile::create(&path)?;
        let mut pieces = TEMPLATE.split("{{");
        file.write(pieces.next().unwrap_or_default().as_bytes())?;
        for piece in pieces {
            let (name, rest) = piece.split_once("}}").unwrap_or((piece, ""));
            match name {
                "doubts" => self.write_parts(
                    &mut file,
                    |part| &part.doubts_html,
                    "<p>Nothing: all moves are sure.</p>\n",
                )?,
                "games" => self.write_parts(
                    &mut file,
                    |part| &part.game_html,
                    "<p>No game could be read.</p>\n",
                )?,
                _ => file.write(self.piece(name).as_bytes())?,
            }
            file.write(rest.as_bytes())?;
        }
        file.commit()
    }

    fn write_parts(
        &self,
        file: &mut WholeFile,
        html: impl Fn(&Part) -> &String,
        otherwise: &str,
    ) -> Result<(), OutputError> {
        let mut empty = true;
        for name in self.games {
            let part = load(self.folder, name)?;
            let html = html(&part);
            empty &= html.is_empty();
            file.write(html.as_bytes())?;
        }
        if empty {
            file.write(otherwise.as_bytes())?;
        }
        Ok(())
    }

    fn piece(&self, name: &str) -> String {
        match name {
            "style" => STYLE.to_owned(),
            "script" => SCRIPT.to_owned(),
            "title" => match self.pages {
                1 => "Scoresheets: report".to_owned(),
                pages => format!("Scoresheets: report, page {} of {pages}", self.number + 1),
            },
            "summary" => format!(
                "{}, {}, <b>{} to be checked</b>; {}.",
                counted(self.totals.games, "game"),
                counted(self.totals.moves, "move"),
                self.totals.doubts,
                match self.failed {
                    0 => "every sheet was read".to_owned(),
                    failed => counted(failed, "failure"),
                }
            ),
            "fixes" => {
                // A list of texts can always be written as JSON.
                let list = serde_json::to_string(&self.totals.fixes).unwrap_or_default();
                list.replace('<', "\\u003c")
            }
            "pages" if self.pages > 1 => self.navigation(),
            "failures" if !self.failures.is_empty() => {
                let items: String = self
                    .failures
                    .iter()
                    .map(|failure| format!("<li>{}</li>\n", escape(&failure.message)))
                    .collect();
                format!(
                    "<section class=\"failures\">\n<h2>Failures</h2>\n<ul>\n{items}</ul>\n</section>\n"
                )
            }
            _ => String::new(),
        }
    }

    fn navigation(&self) -> String {
        let links: String = (0..self.pages)
            .map(|number| {
                if number == self.number {
                    format!("<b>{}</b> ", number + 1)
                } else {
                    format!("<a href=\"{}\">{}</a> ", page_name(number), number + 1)
                }
            })
            .collect();
        format!("<nav>Pages: {links}</nav>\n")
    }
}

fn counted(count: usize, noun: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {noun}{plural}")
}

/// Text made safe for HTML, also inside attributes.
pub(crate) fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            character if character.is_control() => escaped.push(' '),
            character => escaped.push(character),
        }
    }
    escaped
}
