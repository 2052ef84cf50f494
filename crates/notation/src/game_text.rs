//! Whole games as text: what is written, before any board is asked.

use cozy_chess::Color;

use crate::game_tokens::{Placed, Token, tokens};
use crate::ink::Ink;

/// The text of one game, taken apart.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct GameText {
    /// PGN tags, in their order.
    pub tags: Vec<(String, String)>,
    /// Comments before the first move.
    pub comments: Vec<String>,
    /// The moves in playing order.
    pub moves: Vec<WrittenMove>,
    /// The result mark at the end: `1-0`, `0-1`, `1/2-1/2` or `*`.
    pub result: Option<&'static str>,
    /// Line on which the game begins, from 1.
    pub line: usize,
}

/// Columns of a page at most.
const MOST_COLUMNS: usize = 16;

/// One written move, or ink in the place of one.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct WrittenMove {
    /// As it stands in the text.
    pub written: String,
    /// The same in plain signs: `x`, `-`, `+`, `#`, Latin letters for files.
    pub plain: String,
    /// The move number that was written for it.
    pub number: Option<u32>,
    /// The side for which it was written, where number or dots tell.
    pub colour: Option<Color>,
    /// Numeric annotation glyphs of the PGN standard (1 to 6: `!`, `?`, `!!`, `??`, `!?`, `?!`).
    pub glyphs: Vec<u8>,
    /// Comments after it.
    pub comments: Vec<String>,
    /// Line of the text, from 1.
    pub line: usize,
}

/// Finds the games of a text: PGN, or moves in any system of notation with or without numbers, running or in columns.
///
/// A game ends with a result, before tags, and where the numbers begin again. Text in columns is put into the order of its numbers: two games side by side, or a game whose
/// later moves stand beside the earlier ones. Prose, variations and remarks in round brackets, clock times and signs that judge the position are passed over; other ink
/// stays in its place, even where it is no move.
pub fn split_games(text: &str) -> Vec<GameText> {
    let mut games = Vec::new();
    let mut part = Part::default();
    for placed in tokens(text) {
        match placed.token {
            Token::Tag { name, value } => {
                if part.has_moves() {
                    part.close(&mut games);
                }
                if part.tags.is_empty() {
                    part.line = placed.line;
                }
                part.tags.push((name, value));
            }
            Token::Result(result) => {
                part.result = Some(result);
                part.close(&mut games);
            }
            _ => part.take(placed),
        }
    }
    part.close(&mut games);
    games
}

/// The text between two results or groups of tags.
#[derive(Debug, Default)]
struct Part {
    tags: Vec<(String, String)>,
    comments: Vec<String>,
    entries: Vec<Entry>,
    result: Option<&'static str>,
    line: usize,
    /// Whether the next move is Black's by its dots.
    black: bool,
}

/// A move number and the moves after it.
#[derive(Debug, Clone, Default)]
struct Entry {
    /// None for moves before any number.
    number: Option<u32>,
    black: bool,
    moves: Vec<WrittenMove>,
}

impl Part {
    fn has_moves(&self) -> bool {
        self.entries.iter().any(|entry| !entry.moves.is_empty())
    }

    fn take(&mut self, placed: Placed) {
        let last_move = self
            .entries
            .last_mut()
            .and_then(|entry| entry.moves.last_mut());
        match placed.token {
            Token::Number { number, black } => {
                self.black = black;
                self.entries.push(Entry {
                    number: Some(number),
                    black,
                    moves: Vec::new(),
                });
            }
            Token::Ellipsis => self.black = true,
            Token::Ink(ink) => self.write(ink, placed.line),
            Token::Glyph(glyph) => {
                if let Some(last) = last_move {
                    last.glyphs.push(glyph);
                }
            }
            Token::Comment(comment) if comment.is_empty() => {}
            Token::Comment(comment) => match last_move {
                Some(last) => last.comments.push(comment),
                None => self.comments.push(comment),
            },
            Token::Tag { .. } | Token::Result(_) | Token::Prose => {}
        }
    }

    fn write(&mut self, ink: Ink, line: usize) {
        if self.entries.is_empty() {
            self.entries.push(Entry::default());
        }
        let Some(entry) = self.entries.last_mut() else {
            return;
        };
        let colour = match (entry.number, entry.moves.as_slice()) {
            _ if self.black => Some(Color::Black),
            (None, _) => None,
            (Some(_), []) => Some(Color::White),
            (Some(_), [first]) if first.colour == Some(Color::White) => Some(Color::Black),
            (Some(_), _) => None,
        };
        if entry.moves.is_empty() {
            entry.black = self.black;
        }
        self.black = false;
        entry.moves.push(WrittenMove {
            written: ink.written,
            plain: ink.plain,
            number: entry.number.filter(|_| colour.is_some()),
            colour,
            line,
            ..WrittenMove::default()
        });
    }

    /// Ends the part and appends its games.
    fn close(&mut self, games: &mut Vec<GameText>) {
        let mut part = std::mem::take(self);
        part.drop_heading();
        part.entries.retain(|entry| !entry.moves.is_empty());
        let mut sequences = sequences(part.entries);
        if sequences.is_empty() {
            if part.tags.is_empty() {
                return;
            }
            sequences.push(Vec::new());
        }
        for (index, entries) in sequences.into_iter().enumerate() {
            let moves: Vec<WrittenMove> =
                entries.into_iter().flat_map(|entry| entry.moves).collect();
            let first = index == 0;
            games.push(GameText {
                line: match moves.first() {
                    Some(written) if part.line == 0 || !first => written.line,
                    _ => part.line,
                },
                tags: if first {
                    std::mem::take(&mut part.tags)
                } else {
                    Vec::new()
                },
                comments: if first {
                    std::mem::take(&mut part.comments)
                } else {
                    Vec::new()
                },
                moves,
                result: part.result,
            });
        }
    }

    /// Leaves out what stands before the first number 1, such as names and places.
    fn drop_heading(&mut self) {
        if let Some(start) = self
            .entries
            .iter()
            .position(|entry| entry.number == Some(1))
        {
            self.entries.drain(..start);
        }
    }
}

/// Puts the entries of a part into playing order, a sequence for each game.
fn sequences(entries: Vec<Entry>) -> Vec<Vec<Entry>> {
    let in_order = by_restarts(entries);
    if in_order.iter().all(|entries| is_consecutive(entries)) {
        return in_order;
    }
    let Some(columns) = by_columns(in_order.iter().flatten().cloned()) else {
        return in_order;
    };
    let whole = |entries: &Vec<Entry>| entries[0].number == Some(1) && is_consecutive(entries);
    if columns.iter().all(whole) {
        return columns;
    }
    in_order
}

/// Reading order; a game begins wherever White's first move stands.
fn by_restarts(entries: Vec<Entry>) -> Vec<Vec<Entry>> {
    let mut games: Vec<Vec<Entry>> = Vec::new();
    for entry in entries {
        let starts = entry.number == Some(1) && !entry.black;
        match games.last_mut() {
            Some(game) if !starts => game.push(entry),
            _ => games.push(vec![entry]),
        }
    }
    games
}

/// Whether each entry has the number after the one before, or continues it with Black's move.
fn is_consecutive(entries: &[Entry]) -> bool {
    entries
        .windows(2)
        .all(|pair| match (pair[0].number, pair[1].number) {
            (Some(before), Some(after)) => follows(before, &pair[0], after, &pair[1]),
            _ => true,
        })
}

fn follows(before: u32, earlier: &Entry, after: u32, later: &Entry) -> bool {
    if later.black && !earlier.black && earlier.moves.len() == 1 {
        after == before
    } else {
        after == before + 1
    }
}

/// Columns: each entry goes below the one that it follows; of several such columns below the one that was used longest ago. A column that begins where another ends continues it. None where there are too many for a page.
fn by_columns(entries: impl Iterator<Item = Entry>) -> Option<Vec<Vec<Entry>>> {
    let mut columns: Vec<(usize, Vec<Entry>)> = Vec::new();
    for (time, entry) in entries.enumerate() {
        let full = columns.len() == MOST_COLUMNS;
        let fitting = columns
            .iter_mut()
            .filter(|(_, column)| can_follow(column, &entry))
            .min_by_key(|(used, _)| *used);
        match fitting {
            Some((used, column)) => {
                *used = time;
                column.push(entry);
            }
            None if full => return None,
            None => columns.push((time, vec![entry])),
        }
    }
    let mut games: Vec<Vec<Entry>> = Vec::new();
    for (_, column) in columns {
        let before = games.iter_mut().find(|game| can_follow(game, &column[0]));
        match before {
            Some(game) => game.extend(column),
            None => games.push(column),
        }
    }
    Some(games)
}

fn can_follow(column: &[Entry], entry: &Entry) -> bool {
    match (column.last(), entry.number) {
        (Some(last), Some(after)) => last
            .number
            .is_some_and(|before| follows(before, last, after, entry)),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Games as one text: moves apart by spaces, Black's move after a missing White's with dots, games apart by bars.
    fn told(text: &str) -> String {
        let games: Vec<String> = split_games(text)
            .iter()
            .map(|game| {
                let mut words: Vec<String> = Vec::new();
                for written in &game.moves {
                    words.push(written.plain.clone());
                    words.extend(written.glyphs.iter().map(|glyph| format!("${glyph}")));
                    words.extend(
                        written
                            .comments
                            .iter()
                            .map(|comment| format!("{{{comment}}}")),
                    );
                }
                words.extend(game.result.map(str::to_owned));
                words.join(" ")
            })
            .collect();
        games.join(" | ")
    }

    #[test]
    fn texts_are_taken_apart() {
        let cases = [
            // Numbers in all their forms.
            ("1. e4 e5 2. Nf3 Nc6", "e4 e5 Nf3 Nc6"),
            ("1.e4 e5 2.Nf3 Nc6", "e4 e5 Nf3 Nc6"),
            ("1 e4 e5 2 Nf3 Nc6", "e4 e5 Nf3 Nc6"),
            ("1) e4 e5 2) Nf3, Nc6;", "e4 e5 Nf3 Nc6"),
            ("1e4 e5 2Nf3", "e4 e5 Nf3"),
            ("\"1\",\"e4\",\"e5\"\n2,Nf3,Nc6", "e4 e5 Nf3 Nc6"),
            ("1.- e4 e5 2.- Nf3", "e4 e5 Nf3"),
            ("e4 e5 Nf3 Nc6", "e4 e5 Nf3 Nc6"),
            ("1. e4\n1... e5 2. Nf3 2... Nc6", "e4 e5 Nf3 Nc6"),
            ("1. e4 ...e5 2. Nf3 ... Nc6", "e4 e5 Nf3 Nc6"),
            ("1. e4 1. ... e5 2. Nf3 2. … Nc6", "e4 e5 Nf3 Nc6"),
            // Castling begins with a digit, too.
            ("8.0-0 0-0-0 9 00 o-o", "0-0 0-0-0 00 o-o"),
            ("8. O - O 0 – 0 – 0", "O-O 0-0-0"),
            ("6. Castles Castles QR", "Castles O-O-O"),
            ("6. Castles ch Castlesch.", "Castles+ Castles+"),
            ("6.Castles KR", "O-O"),
            ("10.krótka roszada Długa roszada", "O-O O-O-O"),
            // Marks.
            (
                "1. e4! e5?? 2. Nf3 !? Nc6 $14",
                "e4 $1 e5 $4 Nf3 $5 Nc6 $14",
            ),
            ("7. Sc3-d5 mat.", "Sc3-d5#"),
            ("4. Q × B7 mate", "QxB7#"),
            ("Q-R5 ch. K-B1 dis. ch.", "Q-R5+ K-B1+"),
            ("6. exd6 e.p. Pxd6", "exd6e.p. Pxd6"),
            ("11. Kb1(=) (=) Kd8 ( = )", "Kb1(=)(=) Kd8(=)"),
            ("Qh5 + Ke7 #", "Qh5+ Ke7#"),
            ("NxKBPch Sd5mat Q-R5ch.", "NxKBP+ Sd5# Q-R5+"),
            ("PxP e.p.ch exd6 e.p.+ ed ep", "PxPe.p.+ exd6e.p.+ ede.p."),
            (
                "1. P to K4 Kt to QB3, and now to Black 2. R to K sq. R to Ksq. B-K. sq",
                "P-K4 Kt-QB3 R-K1 R-K1 B-K1",
            ),
            ("3. Df7: Lg3: 4. f x g3 N takes B", "Df7: Lg3: fxg3 NxB"),
            (
                "d8 (D) P-K8(Q) e8=D Kt(R3)-B4",
                "d8(D) P-K8(Q) e8=D Kt(R3)-B4",
            ),
            ("1. е4 е5 2. Сс4 с:d5", "e4 e5 Сc4 c:d5"),
            ("1. ε4 γ5 2. Ιζ3", "e4 c5 Ιf3"),
            ("1. é4 e5 2. N\u{fe0f}f3", "e4 e5 Nf3"),
            // Comments, variations, remarks, clocks.
            (
                "1. e4 {best by\n test} e5 ; the end\n2. Nf3",
                "e4 {best by test} e5 {the end} Nf3",
            ),
            ("1. e4 (1. d4 d5 (1... Nf6) 2. c4) e5", "e4 e5"),
            ("1. e4 0:05 e5 0:07:12 [note 3]", "e4 e5"),
            ("% 1. d4\n1. e4 +- e5 =", "e4 e5"),
            ("1. e4 and now Black plays e5 after all", "e4 e5"),
            ("17. a5 ... itd.", "a5"),
            ("Moscow, 1945\nA. Name - B. Other 1. e4 e5", "e4 e5"),
            // Ink that is no move stays.
            ("1. e4 Kd} 2. Nf Nc6", "e4 Kd Nf Nc6"),
            // Results and several games.
            ("1. e4 e5 1-0 1. d4 d5 1/2-1/2", "e4 e5 1-0 | d4 d5 1/2-1/2"),
            ("e4 e5 ½-½ d4 d5 0 - 1", "e4 e5 1/2-1/2 | d4 d5 0-1"),
            ("1. e4 e5 2. d4 1. d4 d5 *", "e4 e5 d4 * | d4 d5 *"),
            ("1. e4 1 : 0", "e4 1-0"),
            ("", ""),
            ("nothing to see here", ""),
        ];
        for (text, expected) in cases {
            assert_eq!(told(text), expected, "{text:?}");
        }
    }

    #[test]
    fn columns_are_put_in_order() {
        let cases = [
            // Two games side by side.
            (
                "1. P-K4 P-K4 | 1. e4 e5\n2. B-B4 B-B4 | 2. Lc4 Lc5\n3. Q-R5 | 3. Dh5 |",
                "P-K4 P-K4 B-B4 B-B4 Q-R5 | e4 e5 Lc4 Lc5 Dh5",
            ),
            // A scoresheet of two blocks.
            (
                "1 e4 e5   4 Ba4 Nf6\n2 Nf3 Nc6  5 O-O Be7\n3 Bb5 a6   6 Re1",
                "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7 Re1",
            ),
            // A number written wrong makes no columns.
            ("1. e4 e5 2. Nf3 Nc6 4. Bb5 a6", "e4 e5 Nf3 Nc6 Bb5 a6"),
        ];
        for (text, expected) in cases {
            assert_eq!(told(text), expected, "{text:?}");
        }
    }

    #[test]
    fn tags_numbers_and_lines_are_kept() {
        let text = "\n[White \"O\\\"Neil \\\\ Jr\"]\n[Event \"The \"Open\"\"]\n\n1. e4 {so}\n1... e5 2. Nf3\n1-0\n\n[White \"B\"]\n*";
        let games = split_games(text);
        let tag = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        assert_eq!(games.len(), 2);
        assert_eq!(
            games[0].tags,
            [tag("White", "O\"Neil \\ Jr"), tag("Event", "The \"Open\"")]
        );
        assert_eq!(games[0].line, 2);
        let places: Vec<_> = games[0]
            .moves
            .iter()
            .map(|written| (written.number, written.colour, written.line))
            .collect();
        assert_eq!(
            places,
            [
                (Some(1), Some(Color::White), 5),
                (Some(1), Some(Color::Black), 6),
                (Some(2), Some(Color::White), 6)
            ]
        );
        assert_eq!(games[1].tags, [tag("White", "B")]);
        assert_eq!((games[1].moves.len(), games[1].result), (0, Some("*")));
    }
}
