//! What was written in descriptive notation, before any board is asked.

use cozy_chess::{Board, Color, File, Piece, Square};

use crate::descriptive::{Wing, file_piece, piece_wing, wing};
use crate::legal_move::LegalMove;
use crate::reason::Reason;

/// A written move in English descriptive notation, taken apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DescriptiveStep {
    /// What moves.
    pub mover: Named,
    /// Whether a capture is written.
    pub capture: bool,
    /// The destination, or what is taken.
    pub target: Named,
    /// Piece that a pawn becomes.
    pub promotion: Option<Piece>,
    /// Whether a piece or file has a small letter.
    pub small_letter: bool,
    /// Whether neither dash nor capture sign is written.
    pub no_sign: bool,
}

/// A piece or a square as descriptive notation names it. What is not written is `None`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Named {
    /// The piece.
    pub piece: Option<Piece>,
    /// Whose piece it is, the king's or the queen's (`KR`).
    pub owner: Option<Wing>,
    /// Wing of the file (`KB3`).
    pub wing: Option<Wing>,
    /// The piece of the first array after which the file is named.
    pub file: Option<Piece>,
    /// Rank from the mover's side, 1 to 8.
    pub rank: Option<u8>,
}

/// A sign of descriptive notation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Token {
    Piece(Piece),
    Rank(u8),
    To,
    Takes,
    Open,
    Close,
    Slash,
    Equals,
}

impl DescriptiveStep {
    /// All ways to take a text without number and marks apart; none where it is not descriptive notation.
    pub(crate) fn parse(body: &str) -> Vec<Self> {
        let mut steps = Vec::new();
        if let Some((tokens, small_letter)) = tokens(body) {
            parse_tokens(&tokens, small_letter, &mut steps);
        }
        steps
    }

    /// What is unusual about the text for a legal move; none where the move does not fit.
    pub(crate) fn fits(&self, board: &Board, legal: &LegalMove) -> Option<Vec<Reason>> {
        let side = board.side_to_move();
        let (from, to) = (legal.played.from, legal.played.to);
        let piece = self.mover.piece.is_none_or(|piece| piece == legal.piece);
        let captured = self.target.piece.is_none() || self.target.piece == legal.captured;
        let promotion = self.promotion.is_none() || self.promotion == legal.played.promotion;
        if legal.castling.is_some() || !(piece && captured && promotion) {
            return None;
        }
        let mut reasons = Vec::new();
        if self.small_letter {
            reasons.push(Reason::SmallLetter);
        }
        if self.no_sign {
            reasons.push(Reason::MissingDash);
        }
        match (self.capture, legal.captured) {
            // `R-R6` where something is taken on R6.
            (false, Some(_)) => reasons.push(Reason::DashForCapture),
            (true, None) => reasons.push(Reason::FalseCapture),
            _ => {}
        }
        if self.target.misses(to, side) > 0 || !(legal.en_passant || self.target.owned(board, to)) {
            return None;
        }
        // Of an origin square one part may be wrong.
        let whole = self.mover.file.is_some() && self.mover.rank.is_some();
        match self.mover.misses(from, side) {
            0 => {}
            1 if whole && self.mover.piece.is_some_and(|piece| piece != Piece::Pawn) => {
                reasons.push(Reason::WrongOrigin);
            }
            _ => return None,
        }
        if !self.mover.owned(board, from) {
            reasons.push(Reason::WrongOwner);
        }
        Some(reasons)
    }
}

impl Named {
    /// Whether a piece of this owner stands on a square. Where there is one piece of its kind, anyone may be the owner.
    fn owned(&self, board: &Board, square: Square) -> bool {
        match (self.owner, piece_wing(board, square)) {
            (Some(owner), Some(wing)) => owner == wing,
            _ => true,
        }
    }

    /// How many of file and rank are not those of a square.
    fn misses(&self, square: Square, side: Color) -> u32 {
        let file: File = square.file();
        let same_piece = self.file.is_none_or(|piece| piece == file_piece(file));
        let same_wing = self.wing.is_none_or(|half| half == wing(file));
        let same_rank = self
            .rank
            .is_none_or(|rank| rank == square.rank().relative_to(side) as u8 + 1);
        u32::from(!(same_piece && same_wing)) + u32::from(!same_rank)
    }
}

/// The signs of a text, and whether a letter is small; none where there is another sign.
fn tokens(body: &str) -> Option<(Vec<Token>, bool)> {
    if body.len() > LONGEST {
        return None;
    }
    let mut tokens = Vec::with_capacity(body.len());
    let mut rest = body;
    let mut small = false;
    /// Words before the letters that they begin with.
    const WORDS: [(&str, &[Token]); 42] = [
        ("Knight", &[Token::Piece(Piece::Knight)]),
        ("takes", &[Token::Takes]),
        ("to", &[Token::To]),
        ("sq.", &[Token::Rank(1)]),
        ("sq", &[Token::Rank(1)]),
        ("Kt", &[Token::Piece(Piece::Knight)]),
        ("KT", &[Token::Piece(Piece::Knight)]),
        ("kt", &[Token::Piece(Piece::Knight)]),
        ("Kn", &[Token::Piece(Piece::Knight)]),
        ("at", &[Token::Slash]),
        ("on", &[Token::Slash]),
        ("K", &[Token::Piece(Piece::King)]),
        ("Q", &[Token::Piece(Piece::Queen)]),
        ("R", &[Token::Piece(Piece::Rook)]),
        ("B", &[Token::Piece(Piece::Bishop)]),
        ("N", &[Token::Piece(Piece::Knight)]),
        ("P", &[Token::Piece(Piece::Pawn)]),
        ("x", &[Token::Takes]),
        ("X", &[Token::Takes]),
        ("×", &[Token::Takes]),
        (":", &[Token::Takes]),
        ("-", &[Token::To]),
        ("–", &[Token::To]),
        ("—", &[Token::To]),
        ("(", &[Token::Open]),
        (")", &[Token::Close]),
        ("/", &[Token::Slash]),
        ("=", &[Token::Equals]),
        ("st", &[]),
        ("nd", &[]),
        ("rd", &[]),
        ("th", &[]),
        (" ", &[]),
        (".", &[]),
        ("'s", &[]),
        ("’s", &[]),
        ("k", &[Token::Piece(Piece::King)]),
        ("q", &[Token::Piece(Piece::Queen)]),
        ("r", &[Token::Piece(Piece::Rook)]),
        ("b", &[Token::Piece(Piece::Bishop)]),
        ("n", &[Token::Piece(Piece::Knight)]),
        ("p", &[Token::Piece(Piece::Pawn)]),
    ];
    while let Some(first) = rest.chars().next() {
        if let Some(digit) = first.to_digit(10) {
            if !(1..=8).contains(&digit) {
                return None;
            }
            tokens.push(Token::Rank(digit as u8));
            rest = &rest[1..];
            continue;
        }
        let (word, found) = WORDS.iter().find(|(word, _)| rest.starts_with(word))?;
        small |= matches!(found, [Token::Piece(_)]) && first.is_lowercase();
        tokens.extend_from_slice(found);
        rest = &rest[word.len()..];
    }
    Some((tokens, small))
}

/// Longest text, in bytes, that can be a move.
const LONGEST: usize = 40;

fn parse_tokens(tokens: &[Token], small_letter: bool, steps: &mut Vec<DescriptiveStep>) {
    let sign = |token: &Token| matches!(token, Token::To | Token::Takes);
    // Without a sign the text may be cut anywhere: `PK4`.
    let cuts = match tokens.iter().position(sign) {
        Some(position) => vec![(position, position + 1)],
        None => (1..tokens.len()).map(|cut| (cut, cut)).collect(),
    };
    for (end, start) in cuts {
        let no_sign = end == start;
        let capture = tokens[end] == Token::Takes;
        let movers = places_or_pieces(&tokens[..end], true);
        for (target, promotion) in promotions(&tokens[start..]) {
            let targets = if capture {
                places_or_pieces(target, false)
            } else {
                square(target, !no_sign).into_iter().collect()
            };
            for &mover in &movers {
                for &target in &targets {
                    steps.push(DescriptiveStep {
                        mover,
                        capture,
                        target,
                        promotion,
                        small_letter,
                        no_sign,
                    });
                }
            }
        }
    }
}

/// The target with and without a promotion at its end: `(Q)`, `=Q`, `/Q`, `Q` after a rank.
fn promotions(tokens: &[Token]) -> Vec<(&[Token], Option<Piece>)> {
    use Token::{Close, Equals, Open, Rank, Slash};
    let mut found = vec![(tokens, None)];
    let officer = |piece: &Piece| !matches!(piece, Piece::Pawn | Piece::King);
    match tokens {
        [rest @ .., Open, Token::Piece(piece), Close]
        | [rest @ .., Equals, Open, Token::Piece(piece), Close]
        | [rest @ .., Equals | Slash, Token::Piece(piece)]
            if officer(piece) =>
        {
            found.push((rest, Some(*piece)));
        }
        [rest @ .., Token::Piece(piece)]
            if officer(piece) && matches!(rest.last(), Some(Rank(_))) =>
        {
            found.push((rest, Some(*piece)));
        }
        _ => {}
    }
    found
}

/// What may be meant by the part before the sign (`origin`), or by what is taken: a piece, or a square with its rank (`KN1-K2`).
fn places_or_pieces(tokens: &[Token], origin: bool) -> Vec<Named> {
    let mut found: Vec<Named> = piece_alone(tokens).into_iter().collect();
    found.extend(piece_on_place(tokens, origin));
    found.extend(square(tokens, false));
    found
}

/// A piece, with its owner (`KR`) or a pawn's file (`BP`).
fn piece_alone(tokens: &[Token]) -> Option<Named> {
    match tokens {
        [Token::Piece(piece)] => Some(Named {
            piece: Some(*piece),
            ..Named::default()
        }),
        [file @ .., Token::Piece(Piece::Pawn)] => Some(Named {
            piece: Some(Piece::Pawn),
            ..square_without_rank(file)?
        }),
        [
            Token::Piece(side),
            Token::Piece(piece @ (Piece::Rook | Piece::Knight | Piece::Bishop)),
        ] => Some(Named {
            piece: Some(*piece),
            owner: Some(side_of(*side)?),
            ..Named::default()
        }),
        _ => None,
    }
}

/// A piece on a square, file or rank, in brackets, after a stroke, or without; a pawn's file may stand before it, too (`RP(R6)`).
fn piece_on_place(tokens: &[Token], origin: bool) -> Vec<Named> {
    use Token::{Close, Open, Slash};
    let mut found = Vec::new();
    let pawn = tokens
        .iter()
        .position(|&token| token == Token::Piece(Piece::Pawn));
    let letter = pawn.unwrap_or(0);
    let Some(&Token::Piece(piece)) = tokens.get(letter) else {
        return found;
    };
    let (place, set_off) = match &tokens[letter + 1..] {
        [Open, place @ .., Close] => (place, true),
        [Slash, place @ ..] => (place, true),
        place => (place, false),
    };
    if letter > 0 && (!set_off || square_without_rank(&tokens[..letter]).is_none()) {
        return found;
    }
    // After a capture `Q5` is a square and no queen on a fifth rank.
    let letter_of_file = !origin && !set_off && piece != Piece::Pawn;
    if let ([Token::Rank(rank)], false) = (place, letter_of_file) {
        found.push(Named {
            rank: Some(*rank),
            ..Named::default()
        });
    }
    found.extend(square(place, false));
    // `N(QB)`; after a capture the new piece of a promotion would look the same.
    if set_off && origin {
        found.extend(square_without_rank(place));
    }
    for place in &mut found {
        place.piece = Some(piece);
    }
    found
}

/// A square; where `omitted`, its rank may be left out and is then the first (`R-K`).
fn square(tokens: &[Token], omitted: bool) -> Option<Named> {
    let (file, rank) = match tokens {
        [file @ .., Token::Rank(rank)] => (file, *rank),
        file if omitted => (file, 1),
        _ => return None,
    };
    Some(Named {
        rank: Some(rank),
        ..square_without_rank(file)?
    })
}

/// A file (`KB`, `B`).
fn square_without_rank(tokens: &[Token]) -> Option<Named> {
    let (wing, file) = match tokens {
        [Token::Piece(file)] if *file != Piece::Pawn => (None, *file),
        [
            Token::Piece(side),
            Token::Piece(file @ (Piece::Rook | Piece::Knight | Piece::Bishop)),
        ] => (Some(side_of(*side)?), *file),
        _ => return None,
    };
    Some(Named {
        wing,
        file: Some(file),
        ..Named::default()
    })
}

/// The wing that a letter before another one names.
fn side_of(piece: Piece) -> Option<Wing> {
    match piece {
        Piece::King => Some(Wing::King),
        Piece::Queen => Some(Wing::Queen),
        _ => None,
    }
}
