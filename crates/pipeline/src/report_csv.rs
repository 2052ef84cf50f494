//! `report.csv`: what is to be checked, for spreadsheets.

use std::path::Path;

use crate::document::{Colour, GameDocument, MoveRecord, Source};
use crate::doubt::Doubt;
use crate::output::OutputError;
use crate::report::Failure;
use crate::table::{harmless, write_table};

/// The columns.
const HEADER: [&str; 13] = [
    "game",
    "file",
    "page",
    "copy",
    "number",
    "colour",
    "status",
    "reading",
    "correction",
    "written",
    "confidence",
    "alternatives",
    "reason",
];

/// Status of a move that a person told.
pub(crate) const FIXED: &str = "fixed";
/// Status of a move that a person told and that the game cannot have, where nothing else is to be checked.
const REFUSED: &str = "refused";

/// One line, in the order of the header.
pub(crate) type Row = Vec<String>;

/// A line for each remark and warning of a game, then for each doubt and each move that a person told, in the order of the game.
pub(crate) fn game_rows(name: &str, document: &GameDocument, doubts: &[Doubt<'_>]) -> Vec<Row> {
    let mut rows = Vec::new();
    for remark in &document.remarks {
        rows.push(note(name, "", "remark", remark));
    }
    for source in &document.sources {
        for warning in &source.warnings {
            rows.push(note(name, &source.label(), "warning", warning));
        }
    }
    let mut of_moves: Vec<((u32, Colour), Row)> = Vec::new();
    for doubt in doubts {
        let record = doubt.record;
        let row = move_row(name, document, record, record.status.name(), &doubt.reason);
        of_moves.push(((record.number, record.colour), row));
    }
    for fix in &document.fixes {
        let at = (fix.number, fix.colour);
        let reason = fix.refused.as_deref().unwrap_or_default();
        if let Some((_, row)) = of_moves.iter_mut().find(|(other, _)| *other == at) {
            fill(row, "correction", &fix.told);
            fill(row, "reason", reason);
            continue;
        }
        let mut records = document.moves.iter();
        let record = records.find(|record| (record.number, record.colour) == at);
        let status = if fix.refused.is_some() {
            REFUSED
        } else {
            FIXED
        };
        let mut row = match record {
            Some(record) => move_row(name, document, record, status, reason),
            None => note(name, "", status, reason),
        };
        fill(&mut row, "number", &fix.number.to_string());
        fill(&mut row, "colour", fix.colour.name());
        fill(&mut row, "correction", &fix.told);
        of_moves.push((at, row));
    }
    of_moves.sort_by_key(|(at, _)| *at);
    rows.extend(of_moves.into_iter().map(|(_, row)| row));
    rows
}

/// A line about a move; nothing is corrected yet.
fn move_row(
    name: &str,
    document: &GameDocument,
    record: &MoveRecord,
    status: &str,
    reason: &str,
) -> Row {
    let cell = record.cells.first();
    let cell = cell.and_then(|&cell| document.cells.get(cell));
    let source = cell.and_then(|cell| document.sources.get(cell.source));
    let alternatives: Vec<String> = record
        .alternatives
        .iter()
        .map(|other| format!("{} {:.1}%", other.san, other.probability * 100.0))
        .collect();
    vec![
        name.to_owned(),
        source.map_or_else(String::new, Source::label),
        source.map_or_else(String::new, |source| source.page.to_string()),
        source.map_or_else(String::new, |source| source.copy.clone()),
        record.number.to_string(),
        record.colour.name().to_owned(),
        status.to_owned(),
        record.san.clone().unwrap_or_default(),
        String::new(),
        record.written.clone(),
        format!("{:.3}", record.confidence),
        alternatives.join(", "),
        reason.to_owned(),
    ]
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
        fill(&mut row, column, value);
    }
    row
}

fn fill(row: &mut Row, column: &str, value: &str) {
    if let Some(place) = HEADER.iter().position(|name| *name == column) {
        value.clone_into(&mut row[place]);
    }
}

/// Writes the table: UTF-8 with a byte order mark, by which spreadsheets know it.
pub(crate) fn write_rows(path: &Path, rows: &[Row]) -> Result<(), OutputError> {
    write_table(path, "\u{feff}", |writer| {
        writer.write_record(HEADER)?;
        for row in rows {
            writer.write_record(row.iter().map(|field| harmless(field)))?;
        }
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::FixRecord;
    use crate::document::MoveStatus;
    use crate::doubt::doubts;

    #[test]
    fn doubts_remarks_and_failures_have_a_line_each() {
        let mut document: GameDocument =
            serde_json::from_str(include_str!("../schema/example.json")).unwrap();
        document.remarks = vec!["=cmd, \"quoted\"\nand broken".to_owned()];
        document.sources[0].warnings = vec!["blurred".to_owned()];
        document.moves.truncate(2);
        document.moves[0].status = MoveStatus::Doubtful;
        document.moves[1].status = MoveStatus::Sure;
        let fix = |number, colour, told: &str, refused: Option<&str>| FixRecord {
            number,
            colour,
            told: told.to_owned(),
            refused: refused.map(str::to_owned),
        };
        document.fixes = vec![
            fix(1, Colour::White, "Ka1", Some("not legal there")),
            fix(1, Colour::Black, "e5", None),
            fix(99, Colour::White, "a3", Some("the game ends before")),
        ];
        let found = doubts(&document);
        let mut rows = game_rows("=game", &document, &found);
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
        let expected = [
            "remark", "warning", "doubtful", "fixed", "refused", "failed",
        ];
        assert_eq!(statuses, expected);
        let corrections = [2, 3, 4].map(|line| column(line, "correction"));
        assert_eq!(corrections, ["Ka1", "e5", "a3"]);
        assert_eq!(column(2, "reason"), "not legal there");
        assert_eq!(column(3, "written"), "Kd4");
        assert_eq!(column(4, "number"), "99");
        assert_eq!(column(0, "reason"), "'=cmd, \"quoted\"\nand broken");
        assert_eq!(column(0, "game"), "'=game");
        assert_eq!(column(2, "number"), document.moves[0].number.to_string());
        assert_eq!(column(5, "reason"), "x.jpg: no table");
    }
}
