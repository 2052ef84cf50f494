//! What the prior sees of a position and of a move in it, as lists of numbers.
//!
//! Everything is seen from the side to move: squares are counted from its own first rank, so that one table serves both colours.

use cozy_chess::{
    BitBoard, Board, Color, Piece, Rank, Square, get_bishop_moves, get_king_moves,
    get_knight_moves, get_pawn_attacks, get_rook_moves,
};
use scoresheet_notation::{Castling, Effect, LegalMove};

const SQUARES: usize = Square::NUM;
const PIECES: usize = Piece::NUM;
/// Worth of what attacks a square: nothing, pawn, minor piece, rook, queen, king.
const RANKS_OF_ATTACKERS: usize = 6;

/// Numbers of features that a position can have: pieces on squares, then facts.
pub const POSITION_FEATURES: usize = FACTS + 7 + 2 * PIECES;
/// Castling rights (4), check (1), side to move (2), own and other pieces that can be taken at a gain (12).
const FACTS: usize = 2 * PIECES * SQUARES;

/// Numbers of features that a move can have, group by group.
pub const MOVE_FEATURES: usize = DEFENCE + PIECES;
const TO: usize = 0;
const FROM: usize = TO + PIECES * SQUARES;
const SAFETY: usize = FROM + PIECES * SQUARES;
const CAPTURE: usize = SAFETY + PIECES * RANKS_OF_ATTACKERS * 2;
const FLIGHT: usize = CAPTURE + PIECES * PIECES * 3;
const CHECK: usize = FLIGHT + PIECES * RANKS_OF_ATTACKERS * 2;
const MATE: usize = CHECK + PIECES * 2;
const SPECIAL: usize = MATE + 1;
const THREAT: usize = SPECIAL + 3 + PIECES;
const ANSWER: usize = THREAT + PIECES * PIECES;
const LOOSE: usize = ANSWER + 3;
const DISTANCE: usize = LOOSE + PIECES * 3;
const PASSED: usize = DISTANCE + PIECES * 8;
const FILE: usize = PASSED + Rank::NUM;
const DEFENCE: usize = FILE + 3;

/// The attacks of one side.
#[derive(Clone, Copy)]
struct Attacks {
    /// By the worth of the attacker: pawns, minor pieces, rooks, queens, king.
    by_rank: [BitBoard; RANKS_OF_ATTACKERS - 1],
    once: BitBoard,
    twice: BitBoard,
}

impl Attacks {
    fn new(board: &Board, side: Color) -> Self {
        let mut attacks = Self {
            by_rank: [BitBoard::EMPTY; RANKS_OF_ATTACKERS - 1],
            once: BitBoard::EMPTY,
            twice: BitBoard::EMPTY,
        };
        for piece in Piece::ALL {
            for square in board.colored_pieces(side, piece) {
                let squares = reach(piece, square, side, board.occupied());
                attacks.by_rank[rank_of_attacker(piece) - 1] |= squares;
                attacks.twice |= attacks.once & squares;
                attacks.once |= squares;
            }
        }
        attacks
    }

    /// Worth of the least attacker of a square; 0 for none.
    fn least(&self, square: Square) -> usize {
        self.by_rank
            .iter()
            .position(|squares| squares.has(square))
            .map_or(0, |rank| rank + 1)
    }
}

/// Squares that a piece attacks.
fn reach(piece: Piece, square: Square, side: Color, occupied: BitBoard) -> BitBoard {
    match piece {
        Piece::Pawn => get_pawn_attacks(square, side),
        Piece::Knight => get_knight_moves(square),
        Piece::Bishop => get_bishop_moves(square, occupied),
        Piece::Rook => get_rook_moves(square, occupied),
        Piece::Queen => get_bishop_moves(square, occupied) | get_rook_moves(square, occupied),
        Piece::King => get_king_moves(square),
    }
}

fn rank_of_attacker(piece: Piece) -> usize {
    match piece {
        Piece::Pawn => 1,
        Piece::Knight | Piece::Bishop => 2,
        Piece::Rook => 3,
        Piece::Queen => 4,
        Piece::King => 5,
    }
}

/// A position as the prior sees it, for the features of its moves.
pub struct View<'a> {
    board: &'a Board,
    us: Color,
    ours: Attacks,
    theirs: Attacks,
    /// Own pieces that can be taken at a gain.
    loose: BitBoard,
    /// The dearest of them.
    dearest: Option<(Square, Piece)>,
    /// Other pieces that can be taken at a gain.
    prey: BitBoard,
    open_files: BitBoard,
    half_open_files: BitBoard,
}

impl<'a> View<'a> {
    /// Looks at a position.
    pub fn new(board: &'a Board) -> Self {
        let us = board.side_to_move();
        let (ours, theirs) = (Attacks::new(board, us), Attacks::new(board, !us));
        let loose = loose_pieces(board, us, &ours, &theirs);
        let (mut open_files, mut half_open_files) = (BitBoard::EMPTY, BitBoard::EMPTY);
        for file in cozy_chess::File::ALL {
            let squares = file.bitboard();
            if squares.is_disjoint(board.colored_pieces(us, Piece::Pawn)) {
                if squares.is_disjoint(board.pieces(Piece::Pawn)) {
                    open_files |= squares;
                } else {
                    half_open_files |= squares;
                }
            }
        }
        Self {
            board,
            us,
            ours,
            theirs,
            loose,
            dearest: dearest(board, loose),
            prey: loose_pieces(board, !us, &theirs, &ours),
            open_files,
            half_open_files,
        }
    }

    /// Adds the numbers of the position's features.
    pub fn position_features(&self, features: &mut Vec<u16>) {
        let board = self.board;
        let mut add = |feature: usize| features.push(feature as u16);
        for (side, offset) in [(self.us, 0), (!self.us, PIECES)] {
            for piece in Piece::ALL {
                for square in board.colored_pieces(side, piece) {
                    add((offset + piece as usize) * SQUARES + self.relative(square));
                }
            }
        }
        let rights = [self.us, !self.us].map(|side| board.castle_rights(side));
        let facts = [
            rights[0].short.is_some(),
            rights[0].long.is_some(),
            rights[1].short.is_some(),
            rights[1].long.is_some(),
            !board.checkers().is_empty(),
            self.us == Color::White,
            self.us == Color::Black,
        ];
        for (fact, holds) in facts.into_iter().enumerate() {
            if holds {
                add(FACTS + fact);
            }
        }
        for (pieces, offset) in [(self.loose, 0), (self.prey, PIECES)] {
            for piece in Piece::ALL {
                if !(pieces & board.pieces(piece)).is_empty() {
                    add(FACTS + 7 + offset + piece as usize);
                }
            }
        }
    }

    /// Adds the numbers of a legal move's features.
    pub fn move_features(&self, legal: &LegalMove, features: &mut Vec<u16>) {
        let board = self.board;
        let mut add = |feature: usize| features.push(feature as u16);
        let piece = legal.piece;
        let kind = piece as usize;
        let (from, to) = (legal.played.from, legal.destination());
        add(TO + kind * SQUARES + self.relative(to));
        add(FROM + kind * SQUARES + self.relative(from));

        // The piece itself attacks where it goes, but for pawns that step.
        let attacks_there = piece != Piece::Pawn || legal.captured.is_some();
        let supported = match attacks_there {
            true => self.ours.twice.has(to),
            false => self.ours.once.has(to),
        };
        let attacker = self.theirs.least(to);
        let safety = attacker * 2 + usize::from(supported);
        add(SAFETY + kind * RANKS_OF_ATTACKERS * 2 + safety);
        let flight = self.theirs.least(from) * 2 + usize::from(self.ours.once.has(from));
        add(FLIGHT + kind * RANKS_OF_ATTACKERS * 2 + flight);
        if let Some(captured) = legal.captured {
            add(CAPTURE + (kind * PIECES + captured as usize) * 3 + attacker.min(2));
        }
        if legal.effect != Effect::Quiet {
            add(CHECK + kind * 2 + usize::from(attacker > 0));
        }
        if legal.effect == Effect::Mate {
            add(MATE);
        }
        match legal.castling {
            Some(Castling::Short) => add(SPECIAL),
            Some(Castling::Long) => add(SPECIAL + 1),
            None if legal.en_passant => add(SPECIAL + 2),
            None => {}
        }
        if let Some(promotion) = legal.played.promotion {
            add(SPECIAL + 3 + promotion as usize);
        }

        let occupied = (board.occupied() - from.bitboard()) | to.bitboard();
        let seen = reach(
            legal.played.promotion.unwrap_or(piece),
            to,
            self.us,
            occupied,
        );
        let targets = seen & (board.colors(!self.us) - board.pieces(Piece::King));
        if let Some(target) = self.dearest_threatened(piece, targets) {
            add(THREAT + kind * PIECES + target as usize);
        }
        if !board.checkers().is_empty() {
            add(ANSWER
                + match piece {
                    Piece::King => 0,
                    _ if legal.captured.is_some() => 1,
                    _ => 2,
                });
        }
        if let Some((dearest, victim)) = self.dearest.filter(|&(square, _)| square != from) {
            let kind = match (legal.captured, legal.effect) {
                (Some(_), _) => 0,
                (None, Effect::Quiet) => 1,
                (None, _) => 2,
            };
            add(LOOSE + victim as usize * 3 + kind);
            if seen.has(dearest) {
                add(DEFENCE + victim as usize);
            }
        }
        let across = (from.file() as usize).abs_diff(to.file() as usize);
        let steps = across.max((from.rank() as usize).abs_diff(to.rank() as usize));
        add(DISTANCE + kind * 8 + steps);
        if piece == Piece::Pawn && self.is_passed(to) {
            add(PASSED + to.rank().relative_to(self.us) as usize);
        }
        if piece == Piece::Rook {
            add(FILE
                + match to {
                    _ if self.open_files.has(to) => 2,
                    _ if self.half_open_files.has(to) => 1,
                    _ => 0,
                });
        }
    }

    fn relative(&self, square: Square) -> usize {
        square.relative_to(self.us) as usize
    }

    /// The dearest of the targets that is worth more than the piece that attacks it, or that nobody guards.
    fn dearest_threatened(&self, piece: Piece, targets: BitBoard) -> Option<Piece> {
        let worth = rank_of_attacker(piece);
        targets
            .iter()
            .filter_map(|square| {
                let target = self.board.piece_on(square)?;
                let gain = rank_of_attacker(target) > worth || !self.theirs.once.has(square);
                gain.then_some(target)
            })
            .max()
    }

    /// Whether no pawn of the other side is before a pawn on this square, on its file or beside.
    fn is_passed(&self, square: Square) -> bool {
        let rank = square.rank() as usize;
        let below = (1u64 << (8 * rank)) - 1;
        let ahead = match self.us {
            Color::White => !(below << 8 | 0xff),
            Color::Black => below,
        };
        let span = square.file().adjacent() | square.file().bitboard();
        (BitBoard(ahead) & span).is_disjoint(self.board.colored_pieces(!self.us, Piece::Pawn))
    }
}

/// Pieces of a side, kings left out, that an attacker of less worth can take, or any attacker because nobody guards them.
fn loose_pieces(board: &Board, side: Color, own: &Attacks, other: &Attacks) -> BitBoard {
    let mut loose = board.colors(side) & (other.once - own.once);
    let mut lesser = BitBoard::EMPTY;
    for piece in [
        Piece::Pawn,
        Piece::Knight,
        Piece::Bishop,
        Piece::Rook,
        Piece::Queen,
    ] {
        let cheaper = &other.by_rank[..rank_of_attacker(piece) - 1];
        let attacked = cheaper
            .iter()
            .fold(BitBoard::EMPTY, |all, &squares| all | squares);
        lesser |= board.colored_pieces(side, piece) & attacked;
    }
    loose |= lesser;
    loose - board.pieces(Piece::King)
}

fn dearest(board: &Board, pieces: BitBoard) -> Option<(Square, Piece)> {
    pieces
        .iter()
        .filter_map(|square| Some((square, board.piece_on(square)?)))
        .max_by_key(|&(_, piece)| piece)
}
