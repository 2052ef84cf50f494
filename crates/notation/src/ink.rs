//! What is written of one move, in plain signs, and whether it has the look of a move.

use crate::words::sign_of;

/// Longest text that is taken for a move.
const LONGEST_MOVE: usize = 16;

/// A written move.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Ink {
    /// As it stands in the text.
    pub written: String,
    /// The same in plain signs: `x`, `-`, `+`, `#` and Latin letters for files, words replaced by signs.
    pub plain: String,
}

impl Ink {
    /// Adds what belongs to the move.
    pub(crate) fn append(&mut self, written: &str, plain: &str) {
        self.written.push_str(written);
        self.plain.push_str(plain);
    }
}

/// Cuts off a word for a sign that is written at the end of a move (`NxBch`, `Sd5mat`, `Castlesch`): the rest, and the sign. `e.p.` before it stays.
pub(crate) fn split_sign(word: &str) -> (&str, &'static str) {
    let castling = word.strip_prefix("Castles").map(|_| "Castles");
    let stem =
        castling.unwrap_or(word.trim_end_matches(|character: char| character.is_lowercase()));
    let stands = stem.ends_with(|last: char| last.is_alphanumeric() || ").:".contains(last));
    match sign_of(std::iter::once(&word[stem.len()..])) {
        Some((sign, _)) if stands && ["+", "#", "1"].contains(&sign) => (stem, sign),
        _ => (word, ""),
    }
}

/// Whether a text goes on from the move before: a dash or capture sign and what may follow it.
pub(crate) fn begins_with_joiner(plain: &str) -> bool {
    match plain.strip_prefix(['-', ':', 'x']) {
        Some(rest) => rest.chars().next().is_some_and(char::is_alphanumeric) && may_be_target(rest),
        None => false,
    }
}

/// Whether a word can be a square after the word "to" of descriptive notation (`Kt to KB3`, `R to K sq.`), which is prose otherwise.
pub(crate) fn may_be_descriptive_square(word: &str) -> bool {
    let square = word.trim_end_matches(['.', ',', ';', '!', '?']);
    square.starts_with(['K', 'Q', 'R', 'B', 'N'])
        && square
            .chars()
            .all(|one| "KQRBN12345678.dhnqrst".contains(one))
}

/// A square or the letter of a captured piece.
fn may_be_target(text: &str) -> bool {
    text.chars().count() <= 6
        && text
            .chars()
            .any(|character| character.is_ascii_digit() || character.is_uppercase())
}

/// A move's text in plain signs.
pub(crate) fn plain(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        let next = characters.peek();
        let replacement = match character {
            '×' | '✕' | '✗' | 'х' | 'Х' | '*' => 'x',
            '–' | '—' | '‐' | '‑' | '‒' | '−' | '─' | '~' => '-',
            '∶' | '：' => ':',
            '†' => '+',
            '‡' | '≠' => '#',
            'é' | 'è' | 'ê' | 'ë' => 'e',
            'α' | 'а' => 'a',
            'β' => 'b',
            'γ' => 'c',
            // A small Cyrillic es before a rank or a capture sign is the file, else the bishop.
            'с' if next
                .is_some_and(|next| ('1'..='8').contains(next) || "x:хd×b".contains(*next)) =>
            {
                'c'
            }
            'δ' => 'd',
            'ε' | 'е' => 'e',
            'ζ' => 'f',
            'η' => 'g',
            'θ' => 'h',
            // Marks above and below letters, signs that choose a figurine's look.
            '\u{300}'..='\u{36f}' | '\u{fe0e}' | '\u{fe0f}' | '\u{200b}'..='\u{200f}' => continue,
            character => character,
        };
        plain.push(replacement);
    }
    plain
}

/// Whether a text has the look of a move in any system.
pub(crate) fn may_be_move(plain: &str) -> bool {
    let length = plain.chars().count();
    if !(2..=LONGEST_MOVE).contains(&length) {
        return false;
    }
    let ring = |character: char| "O0oОо".contains(character);
    if plain
        .chars()
        .all(|character| ring(character) || character == '-' || character == '=')
    {
        return (2..=3).contains(&plain.chars().filter(|&character| ring(character)).count());
    }
    let letters = |text: &str| {
        text.chars()
            .filter(|character| character.is_alphabetic())
            .count()
    };
    let runs = plain.split(|character: char| !character.is_alphabetic() || character == 'x');
    let short_runs = runs.clone().all(|run| letters(run) <= 4);
    let ranks = plain
        .chars()
        .any(|character| ('1'..='8').contains(&character));
    let sign = plain.trim_end_matches(['+', '#']).contains(['-', 'x', ':']);
    let files = length == 2
        && plain
            .chars()
            .all(|character| ('a'..='h').contains(&character));
    let begins = plain
        .chars()
        .next()
        .is_some_and(|first| first.is_alphabetic() || ('♔'..='♟').contains(&first));
    (begins && short_runs && (ranks || (sign && runs.count() > 1))) || files
}
