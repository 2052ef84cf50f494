//! What stands around a move: its number before it; check, mate, en passant, comment signs and draw offers after it.

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
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
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

/// Signs and words after a move, each before those that it ends with.
const MARKS: [(&str, Mark); 24] = [
    ("(=)", Mark::Comment),
    ("!", Mark::Comment),
    ("?", Mark::Comment),
    ("e.p", Mark::EnPassant),
    ("ep", Mark::EnPassant),
    ("dbl. ch", Mark::Check),
    ("dbl ch", Mark::Check),
    ("dis. ch", Mark::Check),
    ("dis ch", Mark::Check),
    ("dblch", Mark::Check),
    ("disch", Mark::Check),
    ("ch", Mark::Check),
    ("check", Mark::Check),
    ("šah", Mark::Check),
    ("шах", Mark::Check),
    ("+", Mark::Check),
    ("†", Mark::Check),
    ("#", Mark::Mate),
    ("‡", Mark::Mate),
    ("checkmate", Mark::Mate),
    ("mate", Mark::Mate),
    ("matt", Mark::Mate),
    ("mat", Mark::Mate),
    ("мат", Mark::Mate),
];

impl<'a> Marked<'a> {
    /// Takes number and marks off a text.
    pub(crate) fn new(text: &'a str) -> Self {
        let mut body = strip_number(text.trim());
        let mut checks = 0;
        let mut mate = false;
        let mut en_passant = false;
        loop {
            // A point after a word belongs to the word.
            let trimmed = body.trim_end_matches([' ', '.', ',', ';']);
            let found = MARKS
                .iter()
                .find_map(|&(mark, kind)| Some((trimmed.strip_suffix(mark)?, kind)));
            let Some((shorter, kind)) = found else {
                body = trimmed;
                break;
            };
            match kind {
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

/// Leaves out `12.`, `12...`, `12)`, `...` and `12 ` before a move; digits right before it are kept, for they may belong to it.
fn strip_number(text: &str) -> &str {
    let rest = text.trim_start_matches(|character: char| character.is_ascii_digit());
    let bare = rest.trim_start_matches(['.', '…', ')']);
    if bare.len() < rest.len() {
        return strip_number(bare.trim_start());
    }
    if rest.len() < text.len() && rest.starts_with(' ') && !rest.trim_start().starts_with('-') {
        return rest
            .trim_start()
            .trim_start_matches(['.', '…'])
            .trim_start();
    }
    text
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
            ("12... Nf3", "Nf3", Unmarked, false),
            ("12 ... Nf3", "Nf3", Unmarked, false),
            ("...Nf3", "Nf3", Unmarked, false),
            ("12.Kb1(=)", "Kb1", Unmarked, false),
            ("exd6 e.p.", "exd6", Unmarked, true),
            ("exd6ep+", "exd6", Check, true),
            ("Sc3-d5 mat", "Sc3-d5", Mate, false),
            ("Q×B7 mate", "Q×B7", Mate, false),
            ("B-N5 dis. ch.", "B-N5", Check, false),
            ("B-N5 dbl ch", "B-N5", Check, false),
            ("Qh7++", "Qh7", DoublePlus, false),
            ("Qh7#", "Qh7", Mate, false),
            ("00", "00", Unmarked, false),
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
