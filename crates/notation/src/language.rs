//! Piece letters of the languages, one table row each.

use cozy_chess::Piece;

/// The piece letters of one language.
#[derive(Debug, PartialEq, Eq)]
pub struct Language {
    /// ISO 639-1 code, lower case.
    pub code: &'static str,
    /// English name.
    pub name: &'static str,
    /// Letters of king, queen, rook, bishop and knight, as printed.
    pub pieces: [&'static str; 5],
    /// Letter of the pawn, where one is sometimes written and is no other piece's letter.
    pub pawn: Option<&'static str>,
}

/// All languages, English first. Letters after the national columns of the FIDE Laws of Chess, appendix C, and the federations' translations of it.
const LANGUAGES: &[Language] = &[
    row("en", "English", ["K", "Q", "R", "B", "N"], Some("P")),
    row("nl", "Dutch", ["K", "D", "T", "L", "P"], None),
    row("pl", "Polish", ["K", "H", "W", "G", "S"], None),
    row("es", "Spanish", ["R", "D", "T", "A", "C"], Some("P")),
    row("de", "German", ["K", "D", "T", "L", "S"], Some("B")),
    row("fr", "French", ["R", "D", "T", "F", "C"], Some("P")),
    row("it", "Italian", ["R", "D", "T", "A", "C"], Some("P")),
    row("pt", "Portuguese", ["R", "D", "T", "B", "C"], Some("P")),
    row(
        "sr",
        "Serbian (Latin)",
        ["K", "D", "T", "L", "S"],
        Some("P"),
    ),
    row("cs", "Czech", ["K", "D", "V", "S", "J"], Some("P")),
    row("hu", "Hungarian", ["K", "V", "B", "F", "H"], None),
    row("ro", "Romanian", ["R", "D", "T", "N", "C"], Some("P")),
];

const fn row(
    code: &'static str,
    name: &'static str,
    pieces: [&'static str; 5],
    pawn: Option<&'static str>,
) -> Language {
    Language {
        code,
        name,
        pieces,
        pawn,
    }
}

impl Language {
    /// English.
    pub const ENGLISH: &'static Language = &LANGUAGES[0];

    /// All known languages, English first.
    pub fn all() -> &'static [Language] {
        LANGUAGES
    }

    /// The language of an ISO 639-1 code.
    pub fn by_code(code: &str) -> Option<&'static Language> {
        LANGUAGES.iter().find(|language| language.code == code)
    }

    /// The letter of a piece; none for the pawn where none is written.
    pub fn letter(&self, piece: Piece) -> Option<&'static str> {
        match piece {
            Piece::King => Some(self.pieces[0]),
            Piece::Queen => Some(self.pieces[1]),
            Piece::Rook => Some(self.pieces[2]),
            Piece::Bishop => Some(self.pieces[3]),
            Piece::Knight => Some(self.pieces[4]),
            Piece::Pawn => self.pawn,
        }
    }

    /// The piece whose letter begins `text`, and the text after it. Longer letters come first.
    pub fn strip_piece<'a>(&self, text: &'a str) -> Option<(Piece, &'a str)> {
        Piece::ALL
            .into_iter()
            .filter_map(|piece| {
                let letter = self.letter(piece)?;
                Some((letter.len(), piece, text.strip_prefix(letter)?))
            })
            .max_by_key(|&(length, ..)| length)
            .map(|(_, piece, rest)| (piece, rest))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn no_language_has_one_letter_for_two_pieces() {
        let mut codes = HashSet::new();
        for language in Language::all() {
            assert!(codes.insert(language.code), "{}", language.code);
            assert_eq!(Language::by_code(language.code), Some(language));
            let letters: Vec<&str> = Piece::ALL
                .into_iter()
                .filter_map(|piece| language.letter(piece))
                .collect();
            let distinct: HashSet<&str> = letters.iter().copied().collect();
            assert_eq!(distinct.len(), letters.len(), "{}", language.name);
        }
        assert_eq!(Language::by_code("xx"), None);
    }

    #[test]
    fn letters_are_stripped_per_language() {
        let cases = [
            ("en", "Nf3", Some((Piece::Knight, "f3"))),
            ("nl", "Pf3", Some((Piece::Knight, "f3"))),
            ("pl", "Hd8", Some((Piece::Queen, "d8"))),
            ("es", "Rg1", Some((Piece::King, "g1"))),
            ("en", "e4", None),
            ("de", "Nf3", None),
        ];
        for (code, text, expected) in cases {
            let language = Language::by_code(code).unwrap();
            assert_eq!(language.strip_piece(text), expected, "{code} {text}");
        }
    }
}
