//! `report.csv`: what is to be checked, for spreadsheets.

use std::path::Path;

use crate::document::{Colour, GameDocument, MoveStatus, Source};
use crate::doubt::Doubt;
use crate::output::{OutputError, write_whole};
use crate::report::Failure;

/// The columns.
const HEADER: [&str; 12] = [
    "game",
    "file",
    "page",
    "copy",
    "number",
    "colour",
    "status",
    "reading",
    "written",
    "confidence",
    "alternatives",
    "reason",
];

/// One line, in the order of the header.
pub(crate) type Row = Vec<String>;

/// A line for each doubt, remark and warning of a game.
pub(crate) fn doubt_rows(name: &str, document: &GameDocument, doubts: &[Doubt<'_>]) -> Vec<Row> {
    let mut rows = Vec::new();
    for remark in &document.remarks {
        rows.push(note(name, "", "remark", remark));
    }
    for source in &document.sources {
        for warning in &source.warnings {
            rows.push(note(name, &source.label(), "warning", warning));
        }
    }
    for doubt in doubts {
        let record = doubt.record;
        let cell = record
            .cells
            .first()
            .and_then(|&cell| document.cells.get(cell));
        let source = cell.and_then(|cell| document.sources.get(cell.source));
        let alternatives: Vec<String> = record
            .alternatives
            .iter()
            .map(|other| format!("{} {:.1}%", other.san, other.probability * 100.0))
            .collect();
        rows.push(vec![
            name.to_owned(),
            source.map_or_else(String::new, Source::label),
            source.map_or_else(String::new, |source| source.page.to_string()),
            source.map_or_else(String::new, |source| source.copy.clone()),
            record.number.to_string(),
            match record.colour {
                Colour::White => "white",
                Colour::Black => "black",
            }
            .to_owned(),
            match record.status {
                MoveStatus::Sure => "sure",
                MoveStatus::Doubtful => "doubtful",
                MoveStatus::Illegal => "illegal",
                MoveStatus::Unread => "unread",
            }
            .to_owned(),
            record.san.clone().unwrap_or_default(),
            record.written.clone(),
            format!("{:.3}", record.confidence),
            alternatives.join(", "),
            doubt.reason.clone(),
        ]);
    }
    rows
}

/// The line of a sheet that could not be read.
pub(crate) fn failure_row(failure: &Failure) -> Row {
    note(
        failure.game.as_deref().unwrap_or_default(),
        "",
        "failed",
        &failure.message,
    )
}

fn note(game: &str, file: &str, status: &str, text: &str) -> Row {
    let mut row = vec![String::new(); HEADER.len()];
    for (column, value) in [
        ("game", game),
        ("file", file),
        ("status", status),
        ("reason", text),
    ] {
        if let Some(place) = HEADER.iter().position(|name| *name == column) {
            row[place] = value.to_owned();
        }
    }
    row
}

/// Writes the table: UTF-8 with a byte order mark, by which spreadsheets know it.
pub(crate) fn write_rows(path: &Path, rows: &[Row]) -> Result<(), OutputError> {
    let mut writer = csv::Writer::from_writer("\u{feff}".as_bytes().to_vec());
    let mut write = || -> csv::Result<()> {
        writer.write_record(HEADER)?;
        for row in rows {
            writer.write_record(row.iter().map(|field| harmless(field)))?;
        }
        Ok(())
    };
    let bytes = write()
        .map_err(std::io::Error::from)
        .and_then(|()| writer.into_inner().map_err(|error| error.into_error()))
        .map_err(|source| OutputError {
            path: path.to_path_buf(),
            source,
        })?;
    write_whole(path, &bytes)
}

/// A field that no spreadsheet takes for a formula.
fn harmless(field: &str) -> String {
    if field.starts_with(['=', '+', '-', '@', '\t', '\r']) {
        format!("'{field}")
    } else {
        field.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::doubt::doubts;

    #[test]
    fn doubts_remarks_and_failures_have_a_line_each() {
        let mut document: GameDocument =
            serde_json::from_str(include_str!("../schema/example.json")).unwrap();
        document.remarks = vec!["=cmd, \"quoted\"\nand broken".to_owned()];
        document.sources[0].warnings = vec!["blurred".to_owned()];
        document.moves.truncate(1);
        document.moves[0].status = MoveStatus::Doubtful;
        let found = doubts(&document);
        let mut rows = doubt_rows("=game", &document, &found);
        rows.push(failure_row(&Failure {
            game: Some("b".to_owned()),
            message: "x.jpg: no table".to_owned(),
        }));
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("report.csv");
        write_rows(&path, &rows).unwrap();
        let text = std::fs::read_to_string(&path).unwrap();
        let mut reader =
            csv::Reader::from_reader(text.strip_prefix('\u{feff}').unwrap().as_bytes());
        let lines: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
        let column = |line: usize, name: &str| {
            let place = HEADER.iter().position(|header| *header == name).unwrap();
            lines[line][place].to_owned()
        };
        let statuses: Vec<String> = (0..lines.len())
            .map(|line| column(line, "status"))
            .collect();
        assert_eq!(statuses, ["remark", "warning", "doubtful", "failed"]);
        assert_eq!(column(0, "reason"), "'=cmd, \"quoted\"\nand broken");
        assert_eq!(column(0, "game"), "'=game");
        assert_eq!(column(2, "number"), document.moves[0].number.to_string());
        assert_eq!(column(3, "reason"), "x.jpg: no table");
    }
}
