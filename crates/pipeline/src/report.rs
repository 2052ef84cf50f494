//! The report of a batch: first the moves to be checked, then every game beside its sheet.
//!
//! Each game's part is rendered when it is read and kept in the output folder, so that the pages are put together in little memory and a continued run
//! needs no picture again. A page is one self-contained HTML file; the template, its style and its script lie in `report/`.

use std::fmt::Write as _;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::document::{CellContent, Colour, GameDocument, MoveRecord, MoveStatus, QualityRecord};
use crate::doubt::{Doubt, doubts, number_mark};
use crate::folder::OutputFolder;
use crate::journal::digest;
use crate::output::{OutputError, WholeFile};
use crate::picture::SheetPicture;
use crate::report_csv::{Row, failure_row, game_rows, write_rows};

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
        let game = GameView {
            id: format!("g{}", &digest(name.as_bytes())[..10]),
            name,
            document,
            pictures,
        };
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
    // A table without a digest, as a run that is killed here leaves it, is not taken for edited.
    folder.forget_table();
    write_rows(&folder.table_path(), &rows)?;
    folder.note_table()
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
    read().map_err(|source| OutputError { path, source })
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
            .map_err(|source| OutputError { path, source })?
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

fn status_class(status: MoveStatus) -> &'static str {
    match status {
        MoveStatus::Sure => "sure",
        MoveStatus::Doubtful => "doubtful",
        MoveStatus::Illegal => "illegal",
        MoveStatus::Unread => "unread",
    }
}

/// The move with a mark for its status, so that colour is not needed.
fn move_text(record: &MoveRecord) -> String {
    let san = record.san.as_deref();
    match record.status {
        MoveStatus::Sure => san.unwrap_or_default().to_owned(),
        MoveStatus::Doubtful => format!("{} ?", san.unwrap_or("–")),
        MoveStatus::Illegal => match san {
            Some(san) => format!("{san} (✗ {})", record.written),
            None => format!("✗ {}", record.written),
        },
        MoveStatus::Unread => match san {
            Some(san) => format!("({san})"),
            None => "…".to_owned(),
        },
    }
}

/// The place of a move as corrections name it, such as `23b`.
fn place(record: &MoveRecord) -> String {
    format!("{}{}", record.number, record.colour.letter())
}

fn percent(probability: f32) -> String {
    let percent = probability * 100.0;
    if percent > 0.0 && percent < 1.0 {
        "&lt; 1 %".to_owned()
    } else if percent < 100.0 && percent > 99.0 {
        "&gt; 99 %".to_owned()
    } else {
        format!("{percent:.0} %")
    }
}

/// A game with what it takes to show it.
struct GameView<'a> {
    /// Start of its identifiers in the page.
    id: String,
    name: &'a str,
    document: &'a GameDocument,
    pictures: &'a [Option<SheetPicture>],
}

impl GameView<'_> {
    fn move_id(&self, index: usize) -> String {
        format!("{}-{index}", self.id)
    }

    /// One card: picture, reading, alternatives, reason.
    fn doubt(&self, doubt: &Doubt<'_>) -> String {
        let record = doubt.record;
        let id = self.move_id(doubt.index);
        let name = escape(self.name);
        let colour = match record.colour {
            Colour::White => "White",
            Colour::Black => "Black",
        };
        let mut html = format!(
            "<article class=\"doubt {}\" tabindex=\"0\" data-move=\"{id}\" data-game=\"{name}\" data-at=\"{}\">\n<div class=\"ink\">{}</div>\n<div>\n\
             <h3><a href=\"#{id}\" data-move=\"{id}\">{name}, move {} {colour}</a></h3>\n",
            status_class(record.status),
            place(record),
            self.cell_pictures(record),
            record.number,
        );
        // Writing to a string cannot fail.
        let _ = match &record.san {
            Some(san) => writeln!(
                html,
                "<p class=\"reading\" data-san=\"{san}\"><b>{san}</b> <small>{}</small></p>",
                percent(record.confidence),
                san = escape(san)
            ),
            None if record.written.is_empty() => writeln!(
                html,
                "<p class=\"reading\" data-san=\"\"><b>–</b> <small>nothing can be read</small></p>"
            ),
            None => writeln!(
                html,
                "<p class=\"reading\" data-san=\"\"><b>“{}”</b> <small>as written</small></p>",
                escape(&record.written)
            ),
        };
        html += "<ol class=\"others\">";
        for other in &record.alternatives {
            let san = escape(&other.san);
            let _ = write!(
                html,
                "<li><button type=\"button\" data-san=\"{san}\"><b>{san}</b> <small>{}</small></button></li>",
                percent(other.probability)
            );
        }
        html += "<li><button type=\"button\" class=\"another\">another move…</button></li></ol>\n";
        let _ = write!(
            html,
            "<p class=\"why\">{}</p>\n</div>\n</article>\n",
            escape(&doubt.reason)
        );
        html
    }

    /// The cells of a move, one picture each.
    fn cell_pictures(&self, record: &MoveRecord) -> String {
        let mut html = String::new();
        for cell in record
            .cells
            .iter()
            .filter_map(|&cell| self.document.cells.get(cell))
        {
            let picture = self.pictures.get(cell.source).and_then(Option::as_ref);
            if let Some(uri) = picture.and_then(|picture| picture.cell_uri(&cell.quad)) {
                let _ = write!(
                    html,
                    "<img src=\"{uri}\" alt=\"The cell; the bare ink reads: {}\">",
                    escape(&cell.text)
                );
            }
        }
        if html.is_empty() {
            html += "<span class=\"place\">no picture</span>";
        }
        html
    }

    /// The sheets beside the moves.
    fn section(&self) -> String {
        let sheets: String = (0..self.document.sources.len())
            .map(|source| self.sheet(source))
            .collect();
        let remarks: String = self
            .document
            .remarks
            .iter()
            .chain(
                self.document
                    .sources
                    .iter()
                    .flat_map(|source| &source.warnings),
            )
            .map(|remark| format!("<p class=\"remarks\">{}</p>\n", escape(remark)))
            .collect();
        format!(
            "<article class=\"game\" id=\"{}\" data-game=\"{name}\">\n<h3>{name}</h3>\n{remarks}<div>\n<div>{sheets}</div>\n<div class=\"moves\">{}<p>{}</p></div>\n</div>\n</article>\n",
            self.id,
            self.moves(),
            escape(&self.document.result),
            name = escape(self.name),
        )
    }

    /// One sheet with its cells in the colours of the moves that they carry.
    fn sheet(&self, index: usize) -> String {
        let source = &self.document.sources[index];
        let caption = format!(
            "{}, copy {}, page {}",
            source.label(),
            source.copy,
            source.page
        );
        let picture = self.pictures.get(index).and_then(Option::as_ref);
        let Some(uri) = picture.and_then(SheetPicture::sheet_uri) else {
            return format!(
                "<figure><figcaption>{} (no picture)</figcaption></figure>\n",
                escape(&caption)
            );
        };
        let mut html = format!(
            "<figure><svg viewBox=\"0 0 {width} {height}\" role=\"img\" aria-label=\"{}\"><image href=\"{uri}\" width=\"{width}\" height=\"{height}\" preserveAspectRatio=\"none\"/>\n",
            escape(&caption),
            width = source.width,
            height = source.height,
        );
        let mut used = vec![false; self.document.cells.len()];
        for (place, record) in self.document.moves.iter().enumerate() {
            for &cell in &record.cells {
                let Some(found) = self
                    .document
                    .cells
                    .get(cell)
                    .filter(|found| found.source == index)
                else {
                    continue;
                };
                used[cell] = true;
                let _ = writeln!(
                    html,
                    "<polygon class=\"{}\" data-move=\"{}\" points=\"{}\"><title>{} {}</title></polygon>",
                    status_class(record.status),
                    self.move_id(place),
                    points(&found.quad),
                    number_mark(record),
                    escape(&move_text(record)),
                );
            }
        }
        for (cell, used) in self.document.cells.iter().zip(used) {
            if cell.source == index && !used && cell.state != CellContent::Blank {
                let _ = writeln!(
                    html,
                    "<polygon class=\"unused\" points=\"{}\"><title>{}</title></polygon>",
                    points(&cell.quad),
                    escape(&cell.text),
                );
            }
        }
        let _ = writeln!(
            html,
            "</svg><figcaption>{}{}</figcaption></figure>",
            escape(&caption),
            source.quality.map_or_else(String::new, quality_text),
        );
        html + &self.areas(index)
    }

    /// What is written above and below the table of a sheet.
    fn areas(&self, index: usize) -> String {
        let source = &self.document.sources[index];
        let picture = self.pictures.get(index).and_then(Option::as_ref);
        let areas = source.areas.iter();
        areas
            .filter_map(|area| {
                let uri = picture?.area_uri(area.bounds)?;
                Some(format!(
                    "<details class=\"area\"><summary>{place} the table</summary><img src=\"{uri}\" alt=\"What is written {place} the table\"></details>\n",
                    place = escape(&area.place),
                ))
            })
            .collect()
    }

    /// The moves in two columns.
    fn moves(&self) -> String {
        let mut html = String::from("<table>");
        let mut open = None;
        for (index, record) in self.document.moves.iter().enumerate() {
            // A row is begun for White, and wherever a move does not follow White's in the same row.
            if open.take() != Some((record.number, record.colour)) {
                let _ = write!(html, "\n<tr><th>{}.</th>", record.number);
                if record.colour == Colour::Black {
                    html += "<td></td>";
                }
            }
            let fix = self.document.fix(record.number, record.colour);
            let fixed = fix.is_some_and(|fix| fix.refused.is_none());
            let _ = write!(
                html,
                "<td id=\"{}\" class=\"{}{}\" data-at=\"{}\">{}</td>",
                self.move_id(index),
                status_class(record.status),
                if fixed { " fixed" } else { "" },
                place(record),
                escape(&move_text(record))
            );
            if record.colour == Colour::White {
                open = Some((record.number, Colour::Black));
            }
        }
        html + "\n</table>\n"
    }
}

/// The figures of a picture, for its caption.
fn quality_text(quality: QualityRecord) -> String {
    format!(
        "; rows of {:.0} pixels, edges of {:.1}, contrast {:.2}",
        quality.row_height, quality.blur, quality.contrast
    )
}

fn points(quad: &[[f32; 2]; 4]) -> String {
    let corners: Vec<String> = quad.iter().map(|[x, y]| format!("{x:.0},{y:.0}")).collect();
    corners.join(" ")
}
