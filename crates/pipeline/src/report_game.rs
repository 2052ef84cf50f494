//! A game in the report: its doubts, and its moves beside its sheets, as HTML.

use std::fmt::Write as _;

use scoresheet_notation::number_mark;

use crate::digest::digest;
use crate::document::{CellContent, Colour, GameDocument, MoveRecord, MoveStatus, QualityRecord};
use crate::doubt::Doubt;
use crate::picture::SheetPicture;
use crate::report::escape;

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
pub(crate) struct GameView<'a> {
    /// Start of its identifiers in the page.
    id: String,
    name: &'a str,
    document: &'a GameDocument,
    pictures: &'a [Option<SheetPicture>],
}

impl<'a> GameView<'a> {
    /// A view of a game; the pictures belong to the sources of the document.
    pub(crate) fn new(
        name: &'a str,
        document: &'a GameDocument,
        pictures: &'a [Option<SheetPicture>],
    ) -> Self {
        Self {
            id: format!("g{}", &digest(name.as_bytes())[..10]),
            name,
            document,
            pictures,
        }
    }

    fn move_id(&self, index: usize) -> String {
        format!("{}-{index}", self.id)
    }

    /// One card: picture, reading, alternatives, reason.
    pub(crate) fn doubt(&self, doubt: &Doubt<'_>) -> String {
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
            record.status.name(),
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
    pub(crate) fn section(&self) -> String {
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
                    record.status.name(),
                    self.move_id(place),
                    points(&found.quad),
                    number_mark(record.number, record.colour.into()),
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
        if let Some(marked) = &source.marked_result {
            let _ = write!(
                html,
                "<polygon class=\"result\" points=\"{}\"><title>Marked as the result: {}</title></polygon>",
                points(&marked.quad),
                escape(&marked.result),
            );
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
                record.status.name(),
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
