//! A game document as PGN, after the PGN standard of 1994 (export format), in UTF-8.

use crate::document::{Colour, GameDocument, MoveRecord, MoveStatus};

/// Longest line in characters.
const LINE_LENGTH: usize = 79;

/// The Seven Tag Roster with the values of what is unknown.
const ROSTER: [(&str, &str); 7] = [
    ("Event", "?"),
    ("Site", "?"),
    ("Date", "????.??.??"),
    ("Round", "?"),
    ("White", "?"),
    ("Black", "?"),
    ("Result", "*"),
];

/// Most alternatives that are told in the comment of a doubtful move.
const ALTERNATIVES: usize = 3;

/// Writes one game, with the empty line that ends it.
///
/// `tags` replace the values of the Seven Tag Roster or follow it; a `Result` among them is left out in
/// favour of the document's. The movetext has legal moves only: the main line ends before the first move
/// that the document does not claim, and a comment tells what the sheet has from there on.
pub fn write_pgn(document: &GameDocument, tags: &[(String, String)]) -> String {
    let mut text = String::new();
    for (name, unknown) in ROSTER {
        let value = if name == "Result" {
            &document.result
        } else {
            let tag = tags.iter().find(|(tag, _)| tag == name);
            tag.map_or(unknown, |(_, value)| value.as_str())
        };
        push_tag(&mut text, name, value);
    }
    for (name, value) in tags {
        if ROSTER.iter().all(|(roster, _)| roster != name) {
            push_tag(&mut text, name, value);
        }
    }
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

fn push_tag(text: &mut String, name: &str, value: &str) {
    text.push('[');
    text.push_str(name);
    text.push_str(" \"");
    for character in value.chars() {
        match character {
            '"' | '\\' => text.extend(['\\', character]),
            character if character.is_control() => text.push(' '),
            character => text.push(character),
        }
    }
    text.push_str("\"]\n");
}

fn movetext(document: &GameDocument) -> String {
    let mut lines = Lines::default();
    let mut number_needed = true;
    let claimed = document
        .moves
        .iter()
        .position(|record| record.san.is_none())
        .unwrap_or(document.moves.len());
    let (main_line, rest) = document.moves.split_at(claimed);
    for record in main_line {
        if record.colour == Colour::White || number_needed {
            lines.token(&number_mark(record));
        }
        lines.token(record.san.as_deref().unwrap_or_default());
        let comment = doubt(record);
        number_needed = comment.is_some();
        if let Some(comment) = comment {
            lines.comment(&comment);
        }
    }
    if let Some(first) = rest.first() {
        lines.comment(&unclaimed(first, &rest[1..]));
    }
    for remark in &document.remarks {
        lines.comment(remark);
    }
    lines.token(&document.result);
    lines.text
}

fn number_mark(record: &MoveRecord) -> String {
    let dots = match record.colour {
        Colour::White => ".",
        Colour::Black => "...",
    };
    format!("{}{dots}", record.number)
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
    let mut comment = format!("{} \"{}\" {reason}", number_mark(first), first.written);
    if !following.is_empty() {
        comment.push_str("; the sheet goes on:");
    }
    let mut number_needed = true;
    for record in following {
        if record.colour == Colour::White || number_needed {
            comment.push(' ');
            comment.push_str(&number_mark(record));
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

/// Movetext wrapped between tokens.
#[derive(Default)]
struct Lines {
    text: String,
    length: usize,
}

impl Lines {
    fn token(&mut self, token: &str) {
        let length = token.chars().count();
        if self.length > 0 {
            // A line that starts with `%` would be an escape, so such a word stays on its line.
            if self.length + 1 + length > LINE_LENGTH && !token.starts_with('%') {
                self.text.push('\n');
                self.length = 0;
            } else {
                self.text.push(' ');
                self.length += 1;
            }
        }
        self.text.push_str(token);
        self.length += length;
    }

    /// A comment in braces; comments do not nest, so braces inside become parentheses.
    fn comment(&mut self, comment: &str) {
        let comment = comment.replace('{', "(").replace('}', ")");
        let comment = format!("{{{}}}", comment.trim());
        for word in
            comment.split(|character: char| character.is_whitespace() || character.is_control())
        {
            if !word.is_empty() {
                self.token(word);
            }
        }
    }
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
    fn tags_are_in_order_and_escaped() {
        let tags = [
            ("Board".to_owned(), "3".to_owned()),
            ("White".to_owned(), "O\"Neil \\ Jr\n".to_owned()),
            ("Result".to_owned(), "0-1".to_owned()),
        ];
        let text = write_pgn(&document(vec![], "1-0"), &tags);
        assert_eq!(
            text,
            "[Event \"?\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n\
             [White \"O\\\"Neil \\\\ Jr \"]\n[Black \"?\"]\n[Result \"1-0\"]\n[Board \"3\"]\n\n1-0\n\n"
        );
    }

    #[test]
    fn lines_stay_below_eighty_characters() {
        let moves = (1..400)
            .map(|ply| record(ply, Some("Qa1xb2+"), "", MoveStatus::Sure))
            .collect();
        let text = movetext(&document(moves, "*"));
        assert!(text.lines().count() > 40);
        assert!(text.lines().all(|line| line.chars().count() < 80));
        assert!(text.lines().all(|line| !line.ends_with(' ')));
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
