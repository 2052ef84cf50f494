//! What stands around a move: its number before it; check, mate, en passant, comment signs and draw offers after it.

use std::sync::LazyLock;

use crate::Language;

/// A written move between its number and its marks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Marked<'a> {
    /// The move itself.
    pub body: &'a str,
    /// The strongest word or sign for check.
    pub check: CheckMark,
    /// Whether en passant is written.
    pub en_passant: bool,
}

/// A sign or word for check.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CheckMark {
    /// Nothing.
    Unmarked,
    /// `+`, `ch`.
    Check,
    /// `++`: mate (FIDE Laws of Chess, C.13), or double check.
    DoublePlus,
    /// `#`, `mate`.
    Mate,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mark {
    Comment,
    EnPassant,
    Check,
    Mate,
}

/// Signs after a move (C.12 and C.13), and the comment signs of chess literature.
const SIGNS: [(&str, Mark); 12] = [
    ("(=)", Mark::Comment),
    ("!", Mark::Comment),
    ("?", Mark::Comment),
    ("□", Mark::Comment),
    ("e.p", Mark::EnPassant),
    ("ep", Mark::EnPassant),
    ("(e.p.)", Mark::EnPassant),
    ("(ep)", Mark::EnPassant),
    ("+", Mark::Check),
    ("†", Mark::Check),
    ("#", Mark::Mate),
    ("‡", Mark::Mate),
];

/// English words of descriptive notation besides those of the table of languages. Which kind of check it is, is not told apart.
const WORDS: [(&str, Mark); 9] = [
    ("dbl. ch", Mark::Check),
    ("dbl ch", Mark::Check),
    ("dblch", Mark::Check),
    ("double check", Mark::Check),
    ("dis. ch", Mark::Check),
    ("dis ch", Mark::Check),
    ("disch", Mark::Check),
    ("discovered check", Mark::Check),
    ("and mate", Mark::Mate),
];

/// All words for check and mate, the long ones before those that they end with.
static ALL_WORDS: LazyLock<Vec<(&'static str, Mark)>> = LazyLock::new(|| {
    let mut words: Vec<(&str, Mark)> = WORDS.to_vec();
    for language in Language::all() {
        words.extend(language.check.iter().map(|&word| (word, Mark::Check)));
        words.extend(language.mate.iter().map(|&word| (word, Mark::Mate)));
    }
    words.sort_unstable_by_key(|&(word, _)| (std::cmp::Reverse(word.len()), word));
    words.dedup_by_key(|&mut (word, _)| word);
    words
});

impl<'a> Marked<'a> {
    /// Takes number and marks off a text.
    pub(crate) fn new(text: &'a str) -> Self {
        let mut body = strip_number(text.trim());
        let (mut checks, mut mate, mut en_passant) = (0, false, false);
        loop {
            // A point after a word belongs to the word.
            let trimmed = body.trim_end_matches([' ', '.', ',', ';']);
            let Some((shorter, mark)) = strip_mark(body).or_else(|| strip_mark(trimmed)) else {
                body = trimmed;
                break;
            };
            match mark {
                Mark::Comment => {}
                Mark::EnPassant => en_passant = true,
                Mark::Check => checks += 1,
                Mark::Mate => mate = true,
            }
            body = shorter;
        }
        let check = match (mate, checks) {
            (true, _) => CheckMark::Mate,
            (false, 0) => CheckMark::Unmarked,
            (false, 1) => CheckMark::Check,
            (false, _) => CheckMark::DoublePlus,
        };
        Self {
            body: body.trim(),
            check,
            en_passant,
        }
    }
}

/// Takes one mark off the end.
fn strip_mark(text: &str) -> Option<(&str, Mark)> {
    let sign = SIGNS
        .iter()
        .find_map(|&(sign, mark)| Some((text.strip_suffix(sign)?, mark)));
    // Words end with a letter, moves mostly do not.
    let wordy = || text.ends_with(char::is_alphabetic);
    sign.or_else(|| {
        ALL_WORDS
            .iter()
            .filter(|_| wordy())
            .find_map(|&(word, mark)| Some((strip_word(text, word)?, mark)))
    })
}

/// Takes a word in small or capital letters off the end of a text that has more in it than the word.
fn strip_word<'a>(text: &'a str, word: &str) -> Option<&'a str> {
    let mut rest = text;
    for expected in word.chars().rev() {
        let last = rest.chars().next_back()?;
        if !last.to_lowercase().eq(std::iter::once(expected)) {
            return None;
        }
        rest = &rest[..rest.len() - last.len_utf8()];
    }
    // A word may follow `NxN`, but not another word, except these.
    let ended = |last: char| !last.is_lowercase() && last != '-';
    let words = ["Castles", "Kt", "Kn"];
    let after_word = words.iter().any(|word| rest.ends_with(word));
    (after_word || rest.ends_with(ended)).then_some(rest)
}

/// Leaves out `12.`, `12...`, `12)`, `12 ` and `...` before a move. No move begins with a digit but castling with zeros.
fn strip_number(text: &str) -> &str {
    let stops = ['.', '…', ')', ' '];
    let rest = text.trim_start_matches(|character: char| character.is_ascii_digit());
    let bare = rest.trim_start_matches(stops);
    let number = !text.starts_with('0') && !bare.starts_with('-');
    if number { bare } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_marks_come_off() {
        use CheckMark::{Check, DoublePlus, Mate, Unmarked};
        let cases = [
            ("e4", "e4", Unmarked, false),
            ("12. Nf3!?", "Nf3", Unmarked, false),
            ("12 Nf3??", "Nf3", Unmarked, false),
            ("12... Nf3", "Nf3", Unmarked, false),
            ("12Nf3", "Nf3", Unmarked, false),
            ("12. 0-0", "0-0", Unmarked, false),
            ("12 00", "00", Unmarked, false),
            ("1-0", "1-0", Unmarked, false),
            ("12 ... Nf3", "Nf3", Unmarked, false),
            ("...Nf3", "Nf3", Unmarked, false),
            ("…Nf3", "Nf3", Unmarked, false),
            ("12.Kb1(=)", "Kb1", Unmarked, false),
            ("exd6 e.p.", "exd6", Unmarked, true),
            ("exd6ep+", "exd6", Check, true),
            ("PxP (e.p.) ch.", "PxP", Check, true),
            ("Sc3-d5 mat", "Sc3-d5", Mate, false),
            ("Sc3-d5 MAT!", "Sc3-d5", Mate, false),
            ("Кс3-д5 мат", "Кс3-д5", Mate, false),
            ("Q×B7 mate", "Q×B7", Mate, false),
            ("B-N5 dis. ch.", "B-N5", Check, false),
            ("B-N5 dbl ch", "B-N5", Check, false),
            ("NxNch", "NxN", Check, false),
            ("QxKtch", "QxKt", Check, false),
            ("Castlesch", "Castles", Check, false),
            ("Db5 schach", "Db5", Check, false),
            ("Qh7++", "Qh7", DoublePlus, false),
            ("Qh7#", "Qh7", Mate, false),
            ("mat", "mat", Unmarked, false),
            ("ch", "ch", Unmarked, false),
            ("00", "00", Unmarked, false),
            ("0 0", "0 0", Unmarked, false),
            ("0-0", "0-0", Unmarked, false),
            ("", "", Unmarked, false),
            ("1.", "", Unmarked, false),
        ];
        for (text, body, check, en_passant) in cases {
            let expected = Marked {
                body,
                check,
                en_passant,
            };
            assert_eq!(Marked::new(text), expected, "{text:?}");
        }
    }
}
