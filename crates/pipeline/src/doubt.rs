//! Why a person should look at a move, in words.

use crate::document::{GameDocument, MoveRecord, MoveStatus};

/// A move that is not sure, with the reason.
#[derive(Debug, Clone, PartialEq)]
pub struct Doubt<'a> {
    /// Index in [`GameDocument::moves`].
    pub index: usize,
    /// The move.
    pub record: &'a MoveRecord,
    /// The reason, as one or two sentences.
    pub reason: String,
}

/// The doubts of a game, in the order of its moves.
pub fn doubts(document: &GameDocument) -> Vec<Doubt<'_>> {
    let moves = document.moves.iter().enumerate();
    moves
        .filter(|(_, record)| record.status != MoveStatus::Sure)
        .map(|(index, record)| Doubt {
            index,
            record,
            reason: reason(document, record),
        })
        .collect()
}

fn reason(document: &GameDocument, record: &MoveRecord) -> String {
    let written = &record.written;
    let mut text = match (record.status, &record.san) {
        (MoveStatus::Sure, _) => String::new(),
        (MoveStatus::Unread, Some(_)) if written.is_empty() => {
            "No ink was found here; the moves after it need this one.".to_owned()
        }
        (MoveStatus::Unread, None) if written.is_empty() => {
            "No ink was found here, and the moves after it do not tell what was played.".to_owned()
        }
        (MoveStatus::Unread, _) => format!("The ink (perhaps “{written}”) cannot be read."),
        (MoveStatus::Illegal, Some(san)) => {
            format!(
                "The ink says “{written}”, which is illegal here; {san} fits the moves after it."
            )
        }
        (MoveStatus::Illegal, None) if written.is_empty() => {
            "The ink cannot be read, and the moves after it do not tell what was played.".to_owned()
        }
        (MoveStatus::Illegal, None) => {
            format!("The ink says “{written}”, which is no legal move here.")
        }
        (MoveStatus::Doubtful, _) if written.is_empty() => {
            "Nothing can be read in this place.".to_owned()
        }
        (MoveStatus::Doubtful, san) => match record.alternatives.first() {
            _ if san.as_deref().is_some_and(|san| !alike(san, written)) => {
                format!("The ink looks like “{written}”; the game speaks for another move.")
            }
            Some(other) if other.probability > 0.0 => format!("{} is possible too.", other.san),
            _ => "The ink is hard to read.".to_owned(),
        },
    };
    let mut readings: Vec<(&str, &str)> = Vec::new();
    for cell in record
        .cells
        .iter()
        .filter_map(|&cell| document.cells.get(cell))
    {
        if let Some(source) = document.sources.get(cell.source)
            && !cell.text.is_empty()
        {
            readings.push((&source.copy, &cell.text));
        }
    }
    if let [(first, one), (second, other), ..] = readings[..]
        && first != second
        && !alike(one, other)
    {
        text += &format!(" The copies differ: {first} has “{one}”, {second} “{other}”.");
    }
    text
}

/// Whether two texts differ in nothing but marks.
pub(crate) fn alike(one: &str, other: &str) -> bool {
    let core = |text: &str| -> String {
        text.chars()
            .filter(|character| character.is_alphanumeric())
            .filter(|character| *character != 'x')
            .collect()
    };
    core(one) == core(other)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::AlternativeRecord;

    fn document() -> GameDocument {
        serde_json::from_str(include_str!("../schema/example.json")).unwrap()
    }

    #[test]
    fn each_status_has_its_reason() {
        use MoveStatus::{Doubtful, Illegal, Sure, Unread};
        let mut document = document();
        let table = [
            (Sure, Some("Nf3"), "Nf3", None),
            (
                Unread,
                Some("Nf3"),
                "",
                Some("the moves after it need this one"),
            ),
            (Unread, None, "", Some("do not tell what was played")),
            (Unread, None, "?f", Some("(perhaps “?f”) cannot be read")),
            (
                Illegal,
                Some("Nf3"),
                "Nf9",
                Some("“Nf9”, which is illegal here; Nf3 fits"),
            ),
            (Illegal, None, "Kd9", Some("“Kd9”, which is no legal move")),
            (Doubtful, Some("Nf3"), "", Some("Nothing can be read")),
            (Illegal, None, "", Some("The ink cannot be read")),
            (Doubtful, Some("Nxf3+"), "Nf3", Some("Nc3 is possible too")),
            (
                Doubtful,
                Some("Nf3"),
                "Ng3",
                Some("looks like “Ng3”; the game speaks"),
            ),
        ];
        let pattern = document.moves[0].clone();
        document.moves = table
            .iter()
            .map(|&(status, san, written, _)| MoveRecord {
                san: san.map(str::to_owned),
                written: written.to_owned(),
                status,
                alternatives: vec![AlternativeRecord {
                    san: "Nc3".to_owned(),
                    probability: 0.3,
                }],
                cells: Vec::new(),
                ..pattern.clone()
            })
            .collect();
        let found = doubts(&document);
        assert_eq!(found.len(), table.len() - 1);
        for doubt in found {
            let expected = table[doubt.index].3.unwrap();
            assert!(doubt.reason.contains(expected), "{}", doubt.reason);
        }
    }

    #[test]
    fn copies_that_differ_are_both_told() {
        let mut document = document();
        document.sources.truncate(1);
        let mut second = document.sources[0].clone();
        second.copy = "B".to_owned();
        document.sources.push(second);
        let mut cell = document.cells[0].clone();
        cell.text = "Nf3".to_owned();
        document.cells = vec![cell.clone(), cell.clone()];
        document.cells[1].source = 1;
        let mut record = document.moves[0].clone();
        record.status = MoveStatus::Doubtful;
        record.cells = vec![0, 1];
        document.moves = vec![record];
        for (text, differs) in [("Nf3+", false), ("Ng3", true)] {
            document.cells[1].text = text.to_owned();
            let reason = &doubts(&document)[0].reason;
            assert_eq!(reason.contains("copies differ"), differs, "{reason}");
        }
    }
}
