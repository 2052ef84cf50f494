//! What was written: a move's text taken apart, before any board is asked.

use cozy_chess::{Board, File, Piece, Rank};
use thiserror::Error;

use crate::Language;
use crate::legal_move::{Castling, LegalMove};

/// A written move in algebraic notation, short or long, taken apart.
///
/// It says what the text says, whether or not a legal move fits; [`Reading::legal_moves`] asks a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reading {
    /// Castling.
    Castling(Castling),
    /// A piece goes to a square.
    Step(Step),
}

/// The parts of a written move that is not castling. What is not written is `None`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Step {
    /// The piece that moves; the pawn where no letter is written.
    pub piece: Piece,
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
}

/// Why a text cannot be taken as one legal move.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ReadingError {
    /// The text is not a move in algebraic notation.
    #[error("{0:?} is not a move in algebraic notation")]
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
    /// Takes a text apart. Move numbers before it and check signs, draw offers and comment signs after it are passed over.
    pub fn parse(text: &str, language: &Language) -> Result<Self, ReadingError> {
        let syntax = || ReadingError::Syntax(text.to_owned());
        let body = strip_marks(strip_number(text.trim()));
        if let Some(castling) = parse_castling(body) {
            return Ok(Self::Castling(castling));
        }
        parse_step(body, language)
            .map(Self::Step)
            .ok_or_else(syntax)
    }

    /// The legal moves that the reading can mean. A capture sign too many or too few excludes none; a promotion without a piece means all four.
    pub fn legal_moves(&self, board: &Board) -> Vec<LegalMove> {
        let mut moves = LegalMove::all(board);
        moves.retain(|legal| self.fits(legal));
        moves
    }

    fn fits(&self, legal: &LegalMove) -> bool {
        match self {
            Self::Castling(side) => legal.castling == Some(*side),
            Self::Step(step) => {
                let (from, to) = (legal.played.from, legal.destination());
                fn same<T: PartialEq>(written: Option<T>, actual: T) -> bool {
                    written.is_none_or(|written| written == actual)
                }
                legal.piece == step.piece
                    && legal.castling.is_none()
                    && same(step.from_file, from.file())
                    && same(step.from_rank, from.rank())
                    && same(step.to_file, to.file())
                    && same(step.to_rank, to.rank())
                    && (step.captured.is_none() || step.captured == legal.captured)
                    && (step.promotion.is_none() || step.promotion == legal.played.promotion)
                    // `ed` and `exd` are captures only.
                    && (step.to_rank.is_some() || legal.captured.is_some())
            }
        }
    }
}

/// The one legal move that a text means.
pub fn parse_move(
    board: &Board,
    text: &str,
    language: &Language,
) -> Result<LegalMove, ReadingError> {
    let moves = Reading::parse(text, language)?.legal_moves(board);
    match moves.as_slice() {
        [] => Err(ReadingError::NoLegalMove(text.to_owned())),
        [one] => Ok(*one),
        several => Err(ReadingError::Ambiguous {
            text: text.to_owned(),
            moves: several.iter().map(LegalMove::san).collect(),
        }),
    }
}

/// Leaves out `12.`, `12...` and `...`; digits without a dot are kept, for they may belong to the move.
fn strip_number(text: &str) -> &str {
    let rest = text.trim_start_matches(|character: char| character.is_ascii_digit());
    let dotless = rest.trim_start_matches(['.', '…']);
    if dotless.len() == rest.len() {
        text
    } else {
        dotless.trim_start()
    }
}

/// Leaves out what may follow a move: check, mate, comment signs, draw offers and en passant.
fn strip_marks(mut text: &str) -> &str {
    const MARKS: [&str; 12] = [
        "(=)", "e.p.", "e.p", "ep.", "ep", "mate", "mat", "+", "#", "!", "?", "†",
    ];
    loop {
        let shorter = MARKS
            .iter()
            .find_map(|mark| text.strip_suffix(mark))
            .unwrap_or(text)
            .trim_end();
        if shorter.len() == text.len() {
            return text;
        }
        text = shorter;
    }
}

fn parse_castling(text: &str) -> Option<Castling> {
    let mut rings = 0;
    for character in text.chars() {
        match character {
            'O' | '0' | 'o' | 'О' => rings += 1,
            '-' | '=' | '–' | ' ' => {}
            _ => return None,
        }
    }
    match rings {
        2 => Some(Castling::Short),
        3 => Some(Castling::Long),
        _ => None,
    }
}

fn parse_step(text: &str, language: &Language) -> Option<Step> {
    let (piece, rest) = match language.strip_piece(text) {
        Some((piece, rest)) => (piece, rest),
        None => (Piece::Pawn, text),
    };
    let (rest, promotion) = parse_promotion(rest, language);
    let mut step = Step {
        piece,
        from_file: None,
        from_rank: None,
        capture: false,
        captured: None,
        to_file: None,
        to_rank: None,
        promotion,
    };
    let (origin, destination) = match rest.find(['x', 'X', ':', '×', '-', '–']) {
        // The trailing colon of `Df7:` is a capture sign, too.
        Some(position) if rest.ends_with(':') && position + 1 == rest.len() => {
            step.capture = true;
            split_coordinates(&rest[..position])?
        }
        Some(position) => {
            let sign = rest[position..].chars().next()?;
            step.capture = !matches!(sign, '-' | '–');
            (&rest[..position], &rest[position + sign.len_utf8()..])
        }
        None => split_coordinates(rest)?,
    };
    (step.from_file, step.from_rank) = parse_coordinates(origin)?;
    let destination = match language.strip_piece(destination).filter(|_| step.capture) {
        Some((captured, rest)) => {
            step.captured = Some(captured);
            rest
        }
        None => destination,
    };
    (step.to_file, step.to_rank) = parse_coordinates(destination)?;
    if step.captured.is_some() && destination.is_empty() {
        return Some(step);
    }
    // A destination needs its file; only a pawn's capture may lack the rank.
    let whole = step.to_rank.is_some()
        || (piece == Piece::Pawn && step.from_file.is_some() && step.from_rank.is_none());
    (step.to_file.is_some() && whole).then_some(step)
}

/// Cuts `bd7` into `b` and `d7`, `ed` into `e` and `d`.
fn split_coordinates(text: &str) -> Option<(&str, &str)> {
    if !text.is_ascii() {
        return None;
    }
    let length = if text.ends_with(|last: char| last.is_ascii_digit()) {
        2
    } else {
        1
    };
    text.len()
        .checked_sub(length)
        .map(|position| text.split_at(position))
}

/// An optional file and an optional rank, in this order and nothing else.
fn parse_coordinates(text: &str) -> Option<(Option<File>, Option<Rank>)> {
    let mut characters = text.chars().peekable();
    let file = characters
        .next_if(|character| ('a'..='h').contains(character))
        .map(|character| File::index(character as usize - 'a' as usize));
    let rank = characters
        .next_if(|character| ('1'..='8').contains(character))
        .map(|character| Rank::index(character as usize - '1' as usize));
    characters.next().is_none().then_some((file, rank))
}

/// Cuts a promotion off: `=Q`, `(Q)`, `/Q` or `Q` after the rank.
fn parse_promotion<'a>(text: &'a str, language: &Language) -> (&'a str, Option<Piece>) {
    for piece in [Piece::Queen, Piece::Rook, Piece::Bishop, Piece::Knight] {
        let Some(letter) = language.letter(piece) else {
            continue;
        };
        let closed = text.strip_suffix(')');
        let Some(before) = closed.unwrap_or(text).strip_suffix(letter) else {
            continue;
        };
        let body = match closed {
            Some(_) => before.strip_suffix('('),
            None => Some(before.trim_end_matches(['=', '/'])),
        };
        if let Some(body) = body.filter(|body| body.ends_with(['1', '8'])) {
            return (body, Some(piece));
        }
    }
    (text, None)
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
            ("é4", syntax("é4")),
            ("12:45", syntax("12:45")),
        ];
        for (text, error) in cases {
            assert_eq!(means(KNIGHTS, text, "en"), Err(error), "{text:?}");
        }
    }
}
