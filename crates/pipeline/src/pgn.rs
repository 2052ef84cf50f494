//! A game document as PGN, after the PGN standard of 1994 (export format), in UTF-8.

use scoresheet_notation::{Movetext, number_mark, write_tags};

use crate::document::{Colour, GameDocument, MoveRecord, MoveStatus};
use crate::doubt::alike;
use crate::input::page_mark;

/// Most alternatives that are told in the comment of a doubtful move.
const ALTERNATIVES: usize = 3;
/// Less likely ones are not told: they would be rounded to nothing.
const LEAST_ALTERNATIVE: f32 = 0.005;

/// Tag with the names of the image files.
const SHEET_TAG: &str = "Scoresheet";

/// How moves that are not sure are marked in the PGN.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum DoubtMarks {
    /// By comments that tell why and what else is possible.
    #[default]
    Comments,
    /// By a numeric annotation glyph: `$6` on doubtful moves, `$2` on moves whose ink is illegal or missing.
    Glyphs,
    /// By both.
    Both,
    /// Not at all.
    None,
}

/// Writes one game, with the empty line that ends it; doubts are comments.
///
/// `tags` replace the values of the Seven Tag Roster or follow it; a `Result` among them is left out in
/// favour of the document's, and `Scoresheet` names the files. The movetext has legal moves only: the main line ends before the first move
/// that the document does not claim, and a comment tells what the sheet has from there on.
pub fn write_pgn(document: &GameDocument, tags: &[(String, String)]) -> String {
    write_pgn_marked(document, tags, DoubtMarks::Comments)
}

/// The same with the doubts marked in another way. That a main line is not the whole game is always told.
pub fn write_pgn_marked(
    document: &GameDocument,
    tags: &[(String, String)],
    marks: DoubtMarks,
) -> String {
    let mut tags = tags.to_vec();
    if tags.iter().all(|(name, _)| name != SHEET_TAG) {
        tags.push((SHEET_TAG.to_owned(), sheet_names(document)));
    }
    let mut text = String::new();
    write_tags(&mut text, &tags, &document.result);
    text.push('\n');
    text.push_str(&movetext(document, marks));
    text.push_str("\n\n");
    text
}

/// The files without their folders, which are nobody's business when a game is published, with page and sheet where they have several.
fn sheet_names(document: &GameDocument) -> String {
    let names: Vec<String> = document
        .sources
        .iter()
        .map(|source| {
            let name = source.file.rsplit(['/', '\\']).next().unwrap_or_default();
            name.to_owned() + &page_mark(source.file_page, source.file_sheet)
        })
        .collect();
    names.join("; ")
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

fn movetext(document: &GameDocument, marks: DoubtMarks) -> String {
    let mut movetext = Movetext::new();
    let claimed = document
        .moves
        .iter()
        .position(|record| record.san.is_none())
        .unwrap_or(document.moves.len());
    let (main_line, rest) = document.moves.split_at(claimed);
    // Some readers take one comment in a place at most.
    let mut comments: Vec<String> = Vec::new();
    for record in main_line {
        if !comments.is_empty() {
            movetext.comment(&comments.join("; "));
            comments.clear();
        }
        let san = record.san.as_deref().unwrap_or_default();
        movetext.play(record.number, record.colour.into(), san);
        if let Some(glyph) = glyph(record.status)
            && matches!(marks, DoubtMarks::Glyphs | DoubtMarks::Both)
        {
            movetext.glyph(glyph);
        }
        if matches!(marks, DoubtMarks::Comments | DoubtMarks::Both) {
            comments.extend(doubt(record));
        }
    }
    if let Some(first) = rest.first() {
        comments.push(unclaimed(first, &rest[1..]));
    }
    let remarks = document.remarks.iter();
    comments.extend(remarks.map(|remark| remark.trim_end_matches('.').to_owned()));
    if !comments.is_empty() {
        movetext.comment(&comments.join("; "));
    }
    movetext.end(&document.result)
}

/// `?!` for what is doubtful and `?` for what is not on the sheet: PGN has no glyph for doubts about the reading itself.
fn glyph(status: MoveStatus) -> Option<u8> {
    match status {
        MoveStatus::Sure => None,
        MoveStatus::Doubtful => Some(6),
        MoveStatus::Illegal | MoveStatus::Unread => Some(2),
    }
}

/// What a person should know about a move of the main line.
fn doubt(record: &MoveRecord) -> Option<String> {
    let written = &record.written;
    let as_played = record.san.as_deref().is_some_and(|san| alike(san, written));
    let mut comment = match record.status {
        MoveStatus::Sure => return None,
        MoveStatus::Doubtful if as_played => "doubtful".to_owned(),
        MoveStatus::Doubtful if written.is_empty() => "doubtful: nothing can be read".to_owned(),
        MoveStatus::Doubtful => format!("doubtful: written \"{written}\""),
        MoveStatus::Illegal => format!("written \"{written}\", which is illegal"),
        MoveStatus::Unread if written.is_empty() => "supplied: no ink was found".to_owned(),
        MoveStatus::Unread => format!("supplied: \"{written}\" cannot be read"),
    };
    let alternatives: Vec<String> = record
        .alternatives
        .iter()
        .filter(|other| other.probability >= LEAST_ALTERNATIVE)
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
    let written = &first.written;
    let reason = match first.status {
        _ if written.is_empty() => "nothing can be read".to_owned(),
        MoveStatus::Illegal => format!("\"{written}\" is illegal"),
        _ => format!("\"{written}\" cannot be read"),
    };
    let mark = number_mark(first.number, first.colour.into());
    let mut comment = format!("{mark} {reason}");
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
        doubtful.alternatives = [("Nc3", 0.314), ("Nh3", 0.004)]
            .map(|(san, probability)| AlternativeRecord {
                san: san.to_owned(),
                probability,
            })
            .to_vec();
        let sure = |ply, san| record(ply, Some(san), san, Sure);
        let table = [
            (vec![], "*"),
            (vec![sure(1, "e4"), sure(2, "e5")], "1. e4 e5 *"),
            (
                vec![sure(1, "e4"), sure(2, "e5"), doubtful, sure(4, "Nc6")],
                "1. e4 e5 2. Nf3 {doubtful; or Nc3 31%} 2... Nc6 *",
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
                vec![sure(1, "e4"), record(2, None, "", Unread)],
                "1. e4 {1... nothing can be read} *",
            ),
            (
                vec![record(1, Some("e4"), "e9", Illegal), sure(2, "e5")],
                "1. e4 {written \"e9\", which is illegal} 1... e5 *",
            ),
        ];
        for (moves, expected) in table {
            let text = movetext(&document(moves, "*"), DoubtMarks::Comments);
            assert_eq!(text.replace('\n', " "), expected);
        }
    }

    #[test]
    fn remarks_stand_before_the_result() {
        let mut document = document(vec![record(1, Some("e4"), "e4", MoveStatus::Sure)], "1-0");
        document.remarks = vec!["one".to_owned(), "two {2}".to_owned()];
        assert_eq!(
            movetext(&document, DoubtMarks::Comments),
            "1. e4 {one; two (2)} 1-0"
        );
    }

    #[test]
    fn the_result_is_the_documents() {
        let tags = [("Result".to_owned(), "0-1".to_owned())];
        let text = write_pgn(&document(vec![], "1-0"), &tags);
        assert!(text.contains("[Result \"1-0\"]\n"), "{text}");
        assert!(text.ends_with("\n\n1-0\n\n"), "{text}");
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

    #[test]
    fn doubts_are_marked_as_asked() {
        let moves = vec![
            record(1, Some("e4"), "e4", MoveStatus::Sure),
            record(2, Some("e5"), "e6", MoveStatus::Doubtful),
            record(3, Some("Nf3"), "", MoveStatus::Unread),
        ];
        let document = document(moves, "*");
        let table = [
            (DoubtMarks::None, "1. e4 e5 2. Nf3 *"),
            (DoubtMarks::Glyphs, "1. e4 e5 $6 2. Nf3 $2 *"),
            (
                DoubtMarks::Both,
                "1. e4 e5 $6 {doubtful: written \"e6\"} 2. Nf3 $2 {supplied: no ink was found} *",
            ),
        ];
        for (marks, expected) in table {
            assert_eq!(movetext(&document, marks).replace('\n', " "), expected);
        }
    }

    #[test]
    fn files_are_named_without_their_folders() {
        let mut document = document(vec![], "*");
        document.sources.truncate(1);
        document.sources[0].file = "/home/doe/round 5/a.jpg".to_owned();
        let mut second = document.sources[0].clone();
        (second.file, second.file_page) = ("b.pdf".to_owned(), Some(2));
        document.sources.push(second);
        let text = write_pgn(&document, &[]);
        assert!(text.contains("[Scoresheet \"a.jpg; b.pdf#2\"]"), "{text}");
    }
}
