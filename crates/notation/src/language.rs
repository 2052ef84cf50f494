//! Languages: the letters and words with which people write moves.

use cozy_chess::Piece;

use crate::languages::LANGUAGES;
use crate::{Alphabet, Class};

/// How moves are written in one language: a row of the table of languages.
///
/// After the FIDE Laws of Chess, appendix C.2 and C.3: each piece has the letter that its name has in the player's language.
#[derive(Debug, PartialEq, Eq)]
pub struct Language {
    /// ISO 639-1 code, lower case, with the script after a dash where the language has two (`sr-cyrl`); `figurine` for the signs that are no language's.
    pub code: &'static str,
    /// English name.
    pub name: &'static str,
    /// Script of the letters.
    pub script: Script,
    /// Letters of king, queen, rook, bishop and knight, as printed.
    pub pieces: [&'static str; 5],
    /// Letter of the pawn, where one is sometimes written and is no other piece's letter.
    pub pawn: Option<&'static str>,
    /// Other letters that people write, none of them a piece's letter in this language.
    pub variants: &'static [(Piece, &'static str)],
    /// Signs of capture, the usual one first.
    pub captures: &'static [&'static str],
    /// Words and their abbreviations for check, lower case, as far as the source has them.
    pub check: &'static [&'static str],
    /// Words for mate, lower case, as far as the source has them.
    pub mate: &'static [&'static str],
    /// Words for castling on the king's side and on the queen's, lower case, as far as the source has them.
    pub castling: [&'static [&'static str]; 2],
    /// Where the row was checked.
    pub source: &'static str,
}

/// The script of a language's piece letters. Squares are written in Latin letters in all of them, in Greece in Greek ones too.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Script {
    /// Latin letters.
    Latin,
    /// Cyrillic letters; many look like Latin ones.
    Cyrillic,
    /// Greek letters; many look like Latin ones.
    Greek,
    /// Little pictures of the pieces, the same in all languages.
    Figurine,
}

impl Language {
    /// English.
    pub const ENGLISH: &'static Language = &LANGUAGES[0];

    /// All known languages, English first; of languages with the same letters the one with more players first.
    pub fn all() -> &'static [Language] {
        LANGUAGES
    }

    /// The language of a code, in small or capital letters.
    pub fn by_code(code: &str) -> Option<&'static Language> {
        LANGUAGES
            .iter()
            .find(|language| language.code.eq_ignore_ascii_case(code))
    }

    /// The languages that can be told apart by what is written in an alphabet: those whose letters the alphabet has, and of several with the same letters the first.
    pub fn distinct(alphabet: &Alphabet) -> Vec<&'static Language> {
        let mut distinct: Vec<(Vec<Vec<Class>>, &'static Language)> = Vec::new();
        for language in LANGUAGES {
            let spelled = language.pieces.iter().map(|letter| alphabet.encode(letter));
            let Some(letters) = spelled.collect::<Option<Vec<Vec<Class>>>>() else {
                continue;
            };
            if distinct.iter().all(|(known, _)| *known != letters) {
                distinct.push((letters, language));
            }
        }
        distinct.into_iter().map(|(_, language)| language).collect()
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

    /// All letters of all pieces: the printed ones, then the variants.
    pub fn letters(&self) -> impl Iterator<Item = (Piece, &'static str)> + '_ {
        Piece::ALL
            .into_iter()
            .filter_map(|piece| Some((piece, self.letter(piece)?)))
            .chain(self.variants.iter().copied())
    }

    /// The piece whose letter or variant begins `text`, and the text after it. Longer letters come first.
    pub fn strip_piece<'a>(&self, text: &'a str) -> Option<(Piece, &'a str)> {
        self.letters()
            .filter_map(|(piece, letter)| Some((letter.len(), piece, text.strip_prefix(letter)?)))
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
            let letters: Vec<&str> = language.letters().map(|(_, letter)| letter).collect();
            let distinct: HashSet<&str> = letters.iter().copied().collect();
            assert_eq!(distinct.len(), letters.len(), "{}", language.name);
        }
        assert_eq!(
            Language::by_code("SR-Cyrl").unwrap().script,
            Script::Cyrillic
        );
        assert_eq!(Language::by_code("xx"), None);
    }

    #[test]
    fn every_row_is_whole() {
        for language in Language::all() {
            let code = language.code;
            assert!(!language.source.is_empty(), "{code}");
            assert!(!language.captures.is_empty(), "{code}");
            let castling = language.castling.into_iter().flatten();
            for word in language.check.iter().chain(language.mate).chain(castling) {
                assert_eq!(&word.to_lowercase(), word, "{code}");
            }
            for (_, letter) in language.letters() {
                let first = letter.chars().next().unwrap();
                let fitting = match language.script {
                    Script::Latin => first.is_alphabetic() && first < '\u{250}',
                    // Variants are letters of the Latin keyboard with the same look.
                    Script::Cyrillic => first.is_ascii() || ('А'..='я').contains(&first),
                    Script::Greek => first.is_ascii() || ('Α'..='ω').contains(&first),
                    Script::Figurine => ('♔'..='♟').contains(&first),
                };
                assert!(fitting, "{code} {letter}");
            }
        }
    }

    #[test]
    fn letters_are_stripped_per_language() {
        use Piece::{Bishop, King, Knight, Queen, Rook};
        let cases = [
            ("en", "Nf3", Some((Knight, "f3"))),
            ("en", "Kt(R3)-B4", Some((Knight, "(R3)-B4"))),
            ("en", "Kf1", Some((King, "f1"))),
            ("nl", "Pf3", Some((Knight, "f3"))),
            ("pl", "Hd8", Some((Queen, "d8"))),
            ("es", "Rg1", Some((King, "g1"))),
            ("ru", "Крg1", Some((King, "g1"))),
            ("ru", "Кf3", Some((Knight, "f3"))),
            ("ru", "Kf3", Some((Knight, "f3"))),
            ("bg", "Кf3", Some((Knight, "f3"))),
            ("sr-cyrl", "Кg1", Some((King, "g1"))),
            ("sr-cyrl", "Л:f7+", Some((Bishop, ":f7+"))),
            ("uk", "Тd1", Some((Rook, "d1"))),
            ("tr", "Şg1", Some((King, "g1"))),
            ("figurine", "♘f3", Some((Knight, "f3"))),
            ("figurine", "♞f6", Some((Knight, "f6"))),
            ("en", "e4", None),
            ("de", "Nf3", None),
        ];
        for (code, text, expected) in cases {
            let language = Language::by_code(code).unwrap();
            assert_eq!(language.strip_piece(text), expected, "{code} {text}");
        }
    }

    #[test]
    fn languages_that_look_the_same_are_one() {
        let codes = |lines: &str| -> Vec<&str> {
            let alphabet = Alphabet::from_lines(lines).unwrap();
            Language::distinct(&alphabet)
                .into_iter()
                .map(|language| language.code)
                .collect()
        };
        assert_eq!(codes("_\nK\nD\nT\nL\nS"), ["de"]);
        assert_eq!(codes("_\nК\nр\nФ\nЛ\nС\nТ"), ["ru", "uk"]);
        let latin: String = ('A'..='Z').map(|letter| format!("\n{letter}")).collect();
        assert_eq!(
            codes(&format!("_{latin}")),
            [
                "en", "nl", "pl", "es", "de", "fr", "pt", "ro", "hu", "cs", "fi", "et", "lv", "is"
            ]
        );
    }
}
