//! What was written: a move's text taken apart, before any board is asked. What a text may say is told by the FIDE Laws of Chess, appendix C, and what people leave out by [`Reason`](crate::Reason).

use cozy_chess::{Board, File, Piece, Rank};
use thiserror::Error;

use crate::Language;
use crate::descriptive_reading::DescriptiveStep;
use crate::habits::System;
use crate::interpret::{Expectations, Interpreter};
use crate::legal_move::{Castling, LegalMove};
use crate::lexicon::Lexicon;
use crate::marks::Marked;

/// A written move, taken apart.
///
/// It says what the text says, whether or not a legal move fits; an [`Interpreter`] asks a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reading {
    /// Castling; the side is not written in `Castles` alone.
    Castling(Option<Castling>),
    /// A move in algebraic notation, short or long.
    Step(Step),
    /// A move in English descriptive notation.
    Descriptive(DescriptiveStep),
}

/// The parts of a move in algebraic notation that is not castling. What is not written is `None`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Step {
    /// The piece that moves; the pawn where no letter is written.
    pub piece: Piece,
    /// Whether the piece is written.
    pub lettered: bool,
    /// Written origin file.
    pub from_file: Option<File>,
    /// Written origin rank.
    pub from_rank: Option<Rank>,
    /// Whether a capture sign is written.
    pub capture: bool,
    /// The captured piece where its letter is written (`NxB`, `NxBd5`).
    pub captured: Option<Piece>,
    /// Destination file.
    pub to_file: Option<File>,
    /// Destination rank; missing in `exd` and `ed`.
    pub to_rank: Option<Rank>,
    /// Piece that a pawn becomes.
    pub promotion: Option<Piece>,
    /// Whether a file is a capital letter.
    pub capital_file: bool,
    /// Whether a dash is written.
    pub dash: bool,
}

/// Why a text cannot be taken as one legal move.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ReadingError {
    /// The text is no move in the notation that was asked for.
    #[error("{0:?} is not a move in chess notation")]
    Syntax(String),
    /// No legal move fits the text.
    #[error("{0:?} is no legal move here")]
    NoLegalMove(String),
    /// Several legal moves fit the text.
    #[error("{text:?} can be {}", .moves.join(" or "))]
    Ambiguous {
        /// The text.
        text: String,
        /// Standard algebraic notation of the moves that fit.
        moves: Vec<String>,
    },
}

impl Reading {
    /// Takes a text in algebraic notation apart. Move numbers before it and check signs, draw offers and comment signs after it are passed over.
    pub fn parse(text: &str, language: &Language) -> Result<Self, ReadingError> {
        Self::parse_in(text, language, System::ShortAlgebraic)
    }

    /// Takes a text in a system of notation apart; the two algebraic ones are read alike.
    pub fn parse_in(text: &str, language: &Language, system: System) -> Result<Self, ReadingError> {
        let body = Marked::new(text).body;
        if let Some(side) = parse_castling(body) {
            return Ok(Self::Castling(side));
        }
        let reading = if system == System::Descriptive {
            DescriptiveStep::parse(body)
                .first()
                .map(|&step| Self::Descriptive(step))
        } else {
            algebraic_steps(body, &Lexicon::of(language))
                .first()
                .map(|parsed| Self::Step(parsed.step))
        };
        reading.ok_or_else(|| ReadingError::Syntax(text.to_owned()))
    }
}

/// The one legal move that a text in algebraic notation means. Slips are not forgiven.
pub fn parse_move(
    board: &Board,
    text: &str,
    language: &'static Language,
) -> Result<LegalMove, ReadingError> {
    Reading::parse(text, language)?;
    Interpreter::new(&Expectations::algebraic(language)).one_move(board, text)
}

/// The side of castling; none within where it is not written. `O-O`, `0-0`, `o-o`, with any dashes or none, and the words of descriptive notation.
pub(crate) fn parse_castling(text: &str) -> Option<Option<Castling>> {
    if text
        .chars()
        .filter(|character| character.is_alphabetic())
        .count()
        >= 4
    {
        return parse_castling_words(text);
    }
    let mut rings = 0;
    for character in text.chars() {
        match character {
            'O' | '0' | 'o' | 'О' | 'о' | 'Ο' | 'ο' => rings += 1,
            '-' | '=' | '–' | '—' | ' ' => {}
            _ => return None,
        }
    }
    match rings {
        2 => Some(Some(Castling::Short)),
        3 => Some(Some(Castling::Long)),
        _ => None,
    }
}

fn parse_castling_words(text: &str) -> Option<Option<Castling>> {
    let lower = text.to_lowercase();
    if let Some(side) = ["castles", "castle", "castled", "cast.", "cast"]
        .iter()
        .find_map(|word| lower.strip_prefix(word))
    {
        return match side.trim_matches([' ', '(', ')', '.', '-', ',']) {
            "" => Some(None),
            "k" | "kr" | "k side" | "k-side" | "ks" | "king's side" | "short" => {
                Some(Some(Castling::Short))
            }
            "q" | "qr" | "q side" | "q-side" | "qs" | "queen's side" | "long" => {
                Some(Some(Castling::Long))
            }
            _ => None,
        };
    }
    Language::all().iter().find_map(|language| {
        let [short, long] = language.castling.map(|words| words.contains(&&*lower));
        match (short, long) {
            (true, _) => Some(Some(Castling::Short)),
            (_, true) => Some(Some(Castling::Long)),
            _ => None,
        }
    })
}

/// A way to take a text apart, and the places in the lexicon of the letters that it took.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ParsedStep {
    pub step: Step,
    /// Places in the lexicon of the moving piece, the promotion and the captured piece.
    pub entries: [Option<usize>; 3],
}

/// All ways to take a text without number and marks apart as algebraic notation.
pub(crate) fn algebraic_steps(body: &str, lexicon: &Lexicon) -> Vec<ParsedStep> {
    let mut parsed = Vec::new();
    if body.len() > LONGEST {
        return parsed;
    }
    for (entry, rest) in lexicon.prefixes(body) {
        add_steps(Some(entry), rest, lexicon, &mut parsed);
    }
    add_steps(None, body, lexicon, &mut parsed);
    parsed
}

/// Longest text, in bytes, that can be a move.
const LONGEST: usize = 40;

fn add_steps(mover: Option<usize>, rest: &str, lexicon: &Lexicon, parsed: &mut Vec<ParsedStep>) {
    // A piece does not promote, but `Pe8=Q` does.
    let piece = mover.map_or(Piece::Pawn, |entry| lexicon.piece(entry));
    let mut add = |rest: &str, promotion: Option<usize>| {
        for (squares, captured) in parse_squares(rest, lexicon).into_iter().flatten() {
            parsed.push(ParsedStep {
                step: Step {
                    piece,
                    lettered: mover.is_some(),
                    promotion: promotion.map(|entry| lexicon.piece(entry)),
                    ..squares
                },
                entries: [mover, promotion, captured],
            });
        }
    };
    add(rest, None);
    if piece == Piece::Pawn {
        for (entry, before) in lexicon.promotions(rest) {
            add(before, Some(entry));
        }
    }
}

/// Signs of capture, and what hands and keyboards make of them.
const CAPTURES: [char; 5] = ['x', 'X', 'х', '×', ':'];
/// Signs between the squares of long notation.
const DASHES: [char; 3] = ['-', '–', '—'];

/// Squares of a step, and the place in the lexicon of the captured piece.
type Squares = (Step, Option<usize>);

/// Origin, sign and destination, the text after the piece and before the promotion: without and with the letter of the captured piece.
fn parse_squares(rest: &str, lexicon: &Lexicon) -> [Option<Squares>; 2] {
    // The trailing colon of `Df7:` is a capture sign, too.
    let (rest, after) = match rest.strip_suffix(':') {
        Some(before) => (before, true),
        None => (rest, false),
    };
    let sign = rest
        .char_indices()
        .find(|(_, sign)| CAPTURES.contains(sign) || DASHES.contains(sign));
    let (origin, destination) = match sign {
        Some((place, sign)) => (&rest[..place], &rest[place + sign.len_utf8()..]),
        None => split_coordinates(rest),
    };
    let dash = sign.is_some_and(|(_, sign)| DASHES.contains(&sign));
    let capture = after || (sign.is_some() && !dash);
    let Some(origin) = Coordinates::parse(origin.trim()) else {
        return [None, None];
    };
    let destination = destination.trim();
    let squares = |target: Coordinates, captured: Option<usize>| {
        let nameless = captured.is_some() && target.file.is_none() && target.rank.is_none();
        // A destination needs its file; only a pawn's capture may lack the rank.
        let files_alone = origin.file.is_some() && origin.rank.is_none();
        let square = target.file.is_some() && (target.rank.is_some() || files_alone);
        let step = Step {
            piece: Piece::Pawn,
            lettered: false,
            from_file: origin.file,
            from_rank: origin.rank,
            capture,
            captured: captured.map(|entry| lexicon.piece(entry)),
            to_file: target.file,
            to_rank: target.rank,
            promotion: None,
            capital_file: origin.capital || target.capital,
            dash,
        };
        (nameless || square).then_some((step, captured))
    };
    let plain = Coordinates::parse(destination).and_then(|target| squares(target, None));
    let named = || {
        let (entry, rest) = lexicon
            .prefixes(destination)
            .find(|(_, rest)| Coordinates::parse(rest).is_some())?;
        squares(Coordinates::parse(rest)?, Some(entry))
    };
    [plain, if capture { named() } else { None }]
}

/// Cuts `bd7` into `b` and `d7`, `ed` into `e` and `d`.
fn split_coordinates(text: &str) -> (&str, &str) {
    let mut backwards = text.char_indices().rev();
    let last = backwards.next();
    let cut = match last {
        Some((_, digit)) if digit.is_ascii_digit() => backwards.next().map(|(place, _)| place),
        Some((place, _)) => Some(place),
        None => None,
    };
    text.split_at(cut.unwrap_or(0))
}

/// An optional file and an optional rank.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Coordinates {
    file: Option<File>,
    rank: Option<Rank>,
    /// Whether the file is a capital letter.
    capital: bool,
}

impl Coordinates {
    /// An optional file and an optional rank, in this order and nothing else.
    fn parse(text: &str) -> Option<Self> {
        let mut characters = text.chars().peekable();
        let written = characters.peek().copied().and_then(file_of);
        if written.is_some() {
            characters.next();
        }
        let rank = characters
            .next_if(|character| ('1'..='8').contains(character))
            .map(|character| Rank::index(character as usize - '1' as usize));
        characters.next().is_none().then_some(Self {
            file: written.map(|(file, _)| file),
            rank,
            capital: written.is_some_and(|(_, capital)| capital),
        })
    }
}

/// The file of a letter, and whether it is a capital: Latin letters, the Cyrillic ones that look like them, and Greek ones in their order.
fn file_of(character: char) -> Option<(File, bool)> {
    let index = match character {
        'a'..='h' => character as usize - 'a' as usize,
        'A'..='H' => return Some((File::index(character as usize - 'A' as usize), true)),
        'а' | 'α' => 0,
        // French writers put the accent of the alphabet's name on the letter.
        'é' | 'è' => 4,
        'β' => 1,
        'с' | 'γ' => 2,
        'δ' => 3,
        'е' | 'ε' => 4,
        'ζ' => 5,
        'η' => 6,
        'θ' => 7,
        _ => return None,
    };
    Some((File::index(index), false))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn means(fen: &str, text: &str, code: &str) -> Result<String, ReadingError> {
        let board = Board::from_fen(fen, false).unwrap();
        parse_move(&board, text, Language::by_code(code).unwrap()).map(|legal| legal.san())
    }

    #[test]
    fn written_forms_find_their_move() {
        const CAPTURE: &str = "rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2";
        const KNIGHTS: &str = "4k3/8/8/8/8/5N2/8/1N2K3 w - - 0 1";
        const PROMOTION: &str = "3k2n1/7P/8/8/8/8/8/4K3 w - - 0 1";
        const CASTLING: &str = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
        const TAKES: &str = "4k3/8/8/3b4/8/4N3/8/4K3 w - - 0 1";
        let cases = [
            (CAPTURE, "exd5", "en", "exd5"),
            (CAPTURE, "ed5", "en", "exd5"),
            (CAPTURE, "e:d5", "en", "exd5"),
            (CAPTURE, "ed", "en", "exd5"),
            (CAPTURE, "exd", "en", "exd5"),
            (CAPTURE, "PxP", "en", "exd5"),
            (CAPTURE, "e4xd5", "en", "exd5"),
            (CAPTURE, "e5", "en", "e5"),
            (CAPTURE, "2. Nf3!?", "en", "Nf3"),
            (CAPTURE, "Pf3", "nl", "Nf3"),
            (CAPTURE, "Sg1-f3", "de", "Nf3"),
            (KNIGHTS, "Nbd2", "en", "Nbd2"),
            (KNIGHTS, "N1d2", "en", "Nbd2"),
            (KNIGHTS, "Nb1d2", "en", "Nbd2"),
            (KNIGHTS, "Sfd2", "pl", "Nfd2"),
            (PROMOTION, "h8=Q", "en", "h8=Q"),
            (PROMOTION, "h8Q", "en", "h8=Q"),
            (PROMOTION, "h8(N)", "en", "h8=N"),
            (PROMOTION, "hxg8/R+", "en", "hxg8=R+"),
            (PROMOTION, "hg8D+", "nl", "hxg8=Q+"),
            (CASTLING, "0-0", "en", "O-O"),
            (CASTLING, "ooo+", "en", "O-O-O"),
            (CASTLING, "O=O", "en", "O-O"),
            (CASTLING, "Rxh8+", "en", "Rxh8+"),
            (TAKES, "NxB", "en", "Nxd5"),
            (TAKES, "NxBd5", "en", "Nxd5"),
            (TAKES, "Nd5:", "en", "Nxd5"),
            (TAKES, "Nd5", "en", "Nxd5"),
        ];
        for (fen, text, code, san) in cases {
            assert_eq!(means(fen, text, code).as_deref(), Ok(san), "{code} {text}");
        }
    }

    #[test]
    fn what_is_no_single_move_is_an_error() {
        const KNIGHTS: &str = "4k3/8/8/8/8/5N2/8/1N2K3 w - - 0 1";
        let syntax = |text: &str| ReadingError::Syntax(text.to_owned());
        let cases = [
            (
                "Nd2",
                ReadingError::Ambiguous {
                    text: "Nd2".into(),
                    moves: vec!["Nbd2".into(), "Nfd2".into()],
                },
            ),
            ("Nd6", ReadingError::NoLegalMove("Nd6".into())),
            ("O-O", ReadingError::NoLegalMove("O-O".into())),
            ("", syntax("")),
            ("1-0", syntax("1-0")),
            ("resigns", syntax("resigns")),
            ("N", syntax("N")),
            ("Ne", syntax("Ne")),
            ("e9", syntax("e9")),
            ("ö4", syntax("ö4")),
            ("12:45", syntax("12:45")),
        ];
        for (text, error) in cases {
            assert_eq!(means(KNIGHTS, text, "en"), Err(error), "{text:?}");
        }
    }
}
