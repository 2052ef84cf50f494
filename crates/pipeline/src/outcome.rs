//! How a game ended, when the board itself tells.

use cozy_chess::{Board, Color, GameStatus, util::parse_uci_move};

use crate::document::{GameDocument, MoveStatus};

/// The result that the last position shows: checkmate or stalemate. None where the game is not told to its end, or its last move is not sure.
fn shown_result(document: &GameDocument) -> Option<&'static str> {
    let mut board = Board::default();
    for record in &document.moves {
        let played = parse_uci_move(&board, record.uci.as_deref()?).ok()?;
        board.try_play(played).ok()?;
    }
    if document.moves.last()?.status != MoveStatus::Sure {
        return None;
    }
    match (
        board.status(),
        board.checkers().is_empty(),
        board.side_to_move(),
    ) {
        (GameStatus::Won, false, Color::Black) => Some("1-0"),
        (GameStatus::Won, false, Color::White) => Some("0-1"),
        // No legal move and no check; the fifty moves are another matter.
        (GameStatus::Drawn, true, _) if board.halfmove_clock() < 100 => Some("1/2-1/2"),
        _ => None,
    }
}

/// The results that are marked on the sheets, each once.
fn marked_results(document: &GameDocument) -> Vec<String> {
    let marked = document
        .sources
        .iter()
        .filter_map(|source| source.marked_result.as_ref());
    let mut results: Vec<String> = marked.map(|marked| marked.result.clone()).collect();
    results.sort();
    results.dedup();
    results
}

/// Takes the result where none was given from the last position, or else from what is marked on the sheets; remarks on those that contradict one another.
pub(crate) fn settle_result(document: &mut GameDocument) {
    let shown = shown_result(document);
    let marked = marked_results(document);
    let given = document.result != "*";
    if let Some(shown) = shown {
        let end = if shown == "1/2-1/2" {
            "stalemate"
        } else {
            "checkmate"
        };
        if given && document.result != shown {
            document.remarks.push(format!(
                "The result given is {}, but the game as read ends with {end} ({shown}).",
                document.result,
            ));
        }
        if !given {
            shown.clone_into(&mut document.result);
        }
    }
    match &marked[..] {
        [] => {}
        [one] if document.result == "*" => document.result.clone_from(one),
        [one] if *one == document.result => {}
        [one] => document.remarks.push(format!(
            "{one} is marked on the sheet, but the result {} is {}.",
            if given {
                "given"
            } else {
                "of the game as read"
            },
            document.result,
        )),
        several => document.remarks.push(format!(
            "The sheets are marked with different results: {}.",
            several.join(", ")
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::{MarkedResultRecord, Source};

    #[test]
    fn a_marked_result_is_taken_where_none_is_known() {
        let mate = "f2f3 e7e5 g2g4 d8h4";
        let cases: [(&str, &str, &[&str], &str, bool); 6] = [
            ("e2e4 e7e5", "*", &["1-0"], "1-0", false),
            ("e2e4 e7e5", "*", &["1-0", "1-0"], "1-0", false),
            ("e2e4 e7e5", "*", &["1-0", "0-1"], "*", true),
            ("e2e4 e7e5", "0-1", &["1-0"], "0-1", true),
            (mate, "*", &["0-1"], "0-1", false),
            (mate, "*", &["1-0"], "0-1", true),
        ];
        for (moves, given, marked, result, remarked) in cases {
            let mut document = document(moves, given, MoveStatus::Sure);
            let source = document.sources[0].clone();
            document.sources = marked
                .iter()
                .map(|result| Source {
                    marked_result: Some(MarkedResultRecord {
                        result: (*result).to_owned(),
                        quad: [[0.0; 2]; 4],
                    }),
                    ..source.clone()
                })
                .collect();
            settle_result(&mut document);
            assert_eq!(document.result, result, "{moves} {given} {marked:?}");
            assert_eq!(
                !document.remarks.is_empty(),
                remarked,
                "{moves} {given} {marked:?}"
            );
        }
    }

    fn document(moves: &str, given: &str, status: MoveStatus) -> GameDocument {
        let mut document: GameDocument =
            serde_json::from_str(include_str!("../schema/example.json")).unwrap();
        let pattern = document.moves[0].clone();
        document.remarks.clear();
        document.result = given.to_owned();
        document.moves = moves
            .split(' ')
            .map(|uci| {
                let mut record = pattern.clone();
                record.uci = (uci != "?").then(|| uci.to_owned());
                record.status = status;
                record
            })
            .collect();
        document
    }

    #[test]
    fn mate_and_stalemate_tell_the_result() {
        let mate = "f2f3 e7e5 g2g4 d8h4";
        // Sam Loyd's shortest stalemate.
        let stalemate = "e2e3 a7a5 d1h5 a8a6 h5a5 h7h5 h2h4 a6h6 a5c7 f7f6 c7d7 e8f7 d7b7 d8d3 b7b8 d3h7 b8c8 f7g6 c8e6";
        let table = [
            (mate, "*", MoveStatus::Sure, "0-1", false),
            (mate, "1-0", MoveStatus::Sure, "1-0", true),
            (mate, "0-1", MoveStatus::Sure, "0-1", false),
            (mate, "*", MoveStatus::Doubtful, "*", false),
            (stalemate, "*", MoveStatus::Sure, "1/2-1/2", false),
            ("e2e4 e7e5", "*", MoveStatus::Sure, "*", false),
            ("e2e4 ?", "*", MoveStatus::Sure, "*", false),
        ];
        for (moves, given, status, result, remarked) in table {
            let mut document = document(moves, given, status);
            settle_result(&mut document);
            assert_eq!(document.result, result, "{moves} {given}");
            assert_eq!(
                document.remarks.len(),
                usize::from(remarked),
                "{moves} {given}"
            );
        }
    }
}
