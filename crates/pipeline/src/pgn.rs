//! A game document as PGN, after the PGN standard of 1994 (export format), in UTF-8.

use scoresheet_notation::{Movetext, number_mark, write_tags};

use crate::document::{Colour, GameDocument, MoveRecord, MoveStatus};

/// Most alternatives that are told in the comment of a doubtful move.
const ALTERNATIVES: usize = 3;

/// Writes one game, with the empty line that ends it.
///
/// `tags` replace the values of the Seven Tag Roster or follow it; a `Result` among them is left out in
/// favour of the document's. The movetext has legal moves only: the main line ends before the first move
/// that the document does not claim, and a comment tells what the sheet has from there on.
pub fn write_pgn(document: &GameDocument, tags: &[(String, String)]) -> String {
    let mut text = String::new();
    write_tags(&mut text, tags, &document.result);
    text.push('\n');
    text.push_str(&movetext(document));
    text.push_str("\n\n");
    text
}

/// Name of a PGN tag, made from a column header: letters, digits and `_`, the first letter capital.
/// `None` where no name can be made.
pub fn tag_name(header: &str) -> Option<String> {
    let header = header.trim();
    let allowed = |character: char| character.is_ascii_alphanumeric() || character == '_';
    let name: String = header
        .chars()
        .map(|character| {
            if " -.".contains(character) {
                '_'
            } else {
                character
            }
        })
        .collect();
    let first = name.chars().next()?;
    if !first.is_ascii_alphabetic() || !name.chars().all(allowed) {
        return None;
    }
    Some(first.to_ascii_uppercase().to_string() + &name[1..])
}

fn movetext(document: &GameDocument) -> String {
    let mut movetext = Movetext::new();
    let claimed = document
        .moves
        .iter()
        .position(|record| record.san.is_none())
        .unwrap_or(document.moves.len());
    let (main_line, rest) = document.moves.split_at(claimed);
    for record in main_line {
        let san = record.san.as_deref().unwrap_or_default();
        movetext.play(record.number, record.colour.into(), san);
        if let Some(comment) = doubt(record) {
            movetext.comment(&comment);
        }
    }
    if let Some(first) = rest.first() {
        movetext.comment(&unclaimed(first, &rest[1..]));
    }
    for remark in &document.remarks {
        movetext.comment(remark);
    }
    movetext.end(&document.result)
}

/// What a person should know about a move of the main line.
fn doubt(record: &MoveRecord) -> Option<String> {
    let mut comment = match record.status {
        MoveStatus::Sure => return None,
        MoveStatus::Doubtful if record.written.is_empty() => {
            "doubtful: nothing is written".to_owned()
        }
        MoveStatus::Doubtful => format!("doubtful: written \"{}\"", record.written),
        MoveStatus::Illegal => format!("written \"{}\", which is illegal", record.written),
        MoveStatus::Unread if record.written.is_empty() => {
            "supplied: nothing is written".to_owned()
        }
        MoveStatus::Unread => format!("supplied: \"{}\" cannot be read", record.written),
    };
    let alternatives: Vec<String> = record
        .alternatives
        .iter()
        .take(ALTERNATIVES)
        .map(|other| format!("{} {:.0}%", other.san, other.probability * 100.0))
        .collect();
    if !alternatives.is_empty() {
        comment.push_str("; or ");
        comment.push_str(&alternatives.join(", "));
    }
    Some(comment)
}

/// The comment that ends a main line: the first move that is not claimed, and what follows it.
fn unclaimed(first: &MoveRecord, following: &[MoveRecord]) -> String {
    let reason = match first.status {
        MoveStatus::Illegal => "is illegal",
        _ => "cannot be read",
    };
    let mut comment = format!(
        "{} \"{}\" {reason}",
        number_mark(first.number, first.colour.into()),
        first.written
    );
    if !following.is_empty() {
        comment.push_str("; the sheet goes on:");
    }
    let mut number_needed = true;
    for record in following {
        if record.colour == Colour::White || number_needed {
            comment.push(' ');
            comment.push_str(&number_mark(record.number, record.colour.into()));
        }
        number_needed = false;
        comment.push(' ');
        match &record.san {
            Some(san) => comment.push_str(san),
            None if record.written.is_empty() => comment.push('?'),
            None => {
                comment.push_str(&record.written);
                comment.push('?');
            }
        }
    }
    comment
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::AlternativeRecord;

    fn record(ply: u32, san: Option<&str>, written: &str, status: MoveStatus) -> MoveRecord {
        MoveRecord {
            ply,
            number: ply.div_ceil(2),
            colour: if ply % 2 == 1 {
                Colour::White
            } else {
                Colour::Black
            },
            san: san.map(str::to_owned),
            uci: san.map(|_| "a1a2".to_owned()),
            written: written.to_owned(),
            confidence: 0.5,
            status,
            alternatives: Vec::new(),
            cells: Vec::new(),
        }
    }

    fn document(moves: Vec<MoveRecord>, result: &str) -> GameDocument {
        let example = include_str!("../schema/example.json");
        let mut document: GameDocument = serde_json::from_str(example).unwrap();
        document.moves = moves;
        document.result = result.to_owned();
        document
    }

    #[test]
    fn doubts_and_illegal_ink_are_comments() {
        use MoveStatus::{Doubtful, Illegal, Sure, Unread};
        let mut doubtful = record(3, Some("Nf3"), "Nf3", Doubtful);
        doubtful.alternatives.push(AlternativeRecord {
            san: "Nc3".to_owned(),
            probability: 0.314,
        });
        let sure = |ply, san| record(ply, Some(san), san, Sure);
        let table = [
            (vec![], "*"),
            (vec![sure(1, "e4"), sure(2, "e5")], "1. e4 e5 *"),
            (
                vec![sure(1, "e4"), sure(2, "e5"), doubtful, sure(4, "Nc6")],
                "1. e4 e5 2. Nf3 {doubtful: written \"Nf3\"; or Nc3 31%} 2... Nc6 *",
            ),
            (
                vec![
                    sure(1, "e4"),
                    record(2, None, "Kd}", Illegal),
                    sure(3, "d4"),
                    record(4, None, "", Unread),
                ],
                "1. e4 {1... \"Kd)\" is illegal; the sheet goes on: 2. d4 ?} *",
            ),
            (
                vec![record(1, Some("e4"), "e9", Illegal), sure(2, "e5")],
                "1. e4 {written \"e9\", which is illegal} 1... e5 *",
            ),
        ];
        for (moves, expected) in table {
            let text = movetext(&document(moves, "*"));
            assert_eq!(text.replace('\n', " "), expected);
        }
    }

    #[test]
    fn remarks_stand_before_the_result() {
        let mut document = document(vec![record(1, Some("e4"), "e4", MoveStatus::Sure)], "1-0");
        document.remarks = vec!["one".to_owned(), "two {2}".to_owned()];
        assert_eq!(movetext(&document), "1. e4 {one} {two (2)} 1-0");
    }

    #[test]
    fn the_result_is_the_documents() {
        let tags = [("Result".to_owned(), "0-1".to_owned())];
        let text = write_pgn(&document(vec![], "1-0"), &tags);
        assert!(text.ends_with("[Result \"1-0\"]\n\n1-0\n\n"), "{text}");
    }

    #[test]
    fn headers_become_tag_names() {
        let table = [
            ("white", Some("White")),
            ("WhiteElo", Some("WhiteElo")),
            ("time control", Some("Time_control")),
            ("Böard", None),
            ("1st", None),
            ("", None),
        ];
        for (header, name) in table {
            assert_eq!(tag_name(header).as_deref(), name, "{header}");
        }
    }
}
