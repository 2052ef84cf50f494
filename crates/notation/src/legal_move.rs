//! A legal move with all that its text depends on: standard algebraic notation and UCI text.

use std::fmt::Write;
use std::hash::{Hash, Hasher};

use cozy_chess::{Board, File, Move, Piece, PieceMoves, Rank, Square};

use crate::checks::Checks;
use crate::descriptive::{self, DescriptiveFacts};
use crate::habits::System;

/// A legal move in a position, with the facts that its written forms depend on.
#[derive(Debug, Clone, Copy, Eq)]
pub struct LegalMove {
    /// The move as the rules library has it: castling is king takes own rook.
    pub played: Move,
    /// The piece that moves (the pawn for a promotion, the king for castling).
    pub piece: Piece,
    /// The piece taken.
    pub captured: Option<Piece>,
    /// Whether the capture is en passant.
    pub en_passant: bool,
    /// Whether the move is castling, and on which side.
    pub castling: Option<Castling>,
    /// What has to be written of the origin square so that the text means this move alone.
    pub origin: Origin,
    /// What the move does to the other king.
    pub effect: Effect,
    /// What only descriptive notation has to know; none where it was not asked for.
    pub descriptive: Option<DescriptiveFacts>,
}

/// The two sides of castling.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Castling {
    /// With the rook of the h file.
    Short,
    /// With the rook of the a file.
    Long,
}

/// What of a piece's origin square tells it from its fellows that could move to the same square.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Origin {
    /// Nothing: no fellow can move there.
    Plain,
    /// The file tells, and so does the rank.
    Either,
    /// Only the file tells.
    File,
    /// Only the rank tells.
    Rank,
    /// Only both together tell.
    Square,
}

/// What a move does to the other king.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Effect {
    /// No check.
    Quiet,
    /// Check.
    Check,
    /// Checkmate.
    Mate,
}

impl PartialEq for LegalMove {
    fn eq(&self, other: &Self) -> bool {
        self.key() == other.key()
    }
}

impl Hash for LegalMove {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.key());
    }
}

impl LegalMove {
    /// All facts in one number, another one for each set of facts: a key for tables of moves.
    pub fn key(&self) -> u64 {
        let piece = |piece: Option<Piece>| piece.map_or(0, |piece| piece as u32 + 1);
        let fields = [
            (self.played.from as u32, 6),
            (self.played.to as u32, 6),
            (piece(self.played.promotion), 3),
            (piece(Some(self.piece)), 3),
            (piece(self.captured), 3),
            (u32::from(self.en_passant), 1),
            (self.castling.map_or(0, |side| side as u32 + 1), 2),
            (self.origin as u32, 3),
            (self.effect as u32, 2),
        ];
        let packed = fields
            .iter()
            .fold(0, |packed, &(value, bits)| packed << bits | value);
        let descriptive = self.descriptive.map_or(0, |facts| facts.packed() << 1 | 1);
        u64::from(packed) << 34 | descriptive
    }

    /// All legal moves of a position, in the rules library's order.
    pub fn all(board: &Board) -> Vec<Self> {
        let mut groups: Vec<PieceMoves> = Vec::with_capacity(18);
        board.generate_moves(|group| {
            groups.push(group);
            false
        });
        let checks = Checks::new(board);
        let mut moves = Vec::with_capacity(48);
        for &group in &groups {
            moves.extend(
                group
                    .into_iter()
                    .map(|played| Self::describe(board, &groups, &checks, group.piece, played)),
            );
        }
        moves
    }

    /// All legal moves of a position, with the facts that a system of notation needs. Only descriptive notation needs more than [`LegalMove::all`] gives.
    pub fn all_for(board: &Board, system: System) -> Vec<Self> {
        let mut moves = Self::all(board);
        if system == System::Descriptive {
            descriptive::describe(board, &mut moves);
        }
        moves
    }

    /// The facts of one move that a system of notation needs; none where it is not legal.
    pub fn new_for(board: &Board, played: Move, system: System) -> Option<Self> {
        if system != System::Descriptive {
            return Self::new(board, played);
        }
        Self::all_for(board, system)
            .into_iter()
            .find(|legal| legal.played == played)
    }

    /// The facts of one move; none where it is not legal.
    pub fn new(board: &Board, played: Move) -> Option<Self> {
        if !board.is_legal(played) {
            return None;
        }
        let piece = board.piece_on(played.from)?;
        let mut groups: Vec<PieceMoves> = Vec::with_capacity(18);
        board.generate_moves_for(board.colored_pieces(board.side_to_move(), piece), |group| {
            groups.push(group);
            false
        });
        let checks = Checks::new(board);
        Some(Self::describe(board, &groups, &checks, piece, played))
    }

    fn describe(
        board: &Board,
        groups: &[PieceMoves],
        checks: &Checks,
        piece: Piece,
        played: Move,
    ) -> Self {
        let us = board.side_to_move();
        let castling = (piece == Piece::King && board.colors(us).has(played.to)).then(|| {
            if played.from.file() < played.to.file() {
                Castling::Short
            } else {
                Castling::Long
            }
        });
        let victim = board.piece_on(played.to).filter(|_| castling.is_none());
        let en_passant =
            piece == Piece::Pawn && victim.is_none() && played.from.file() != played.to.file();
        let unusual = castling.is_some() || en_passant || played.promotion.is_some();
        let effect = if unusual || checks.may_come(piece, played) {
            effect(board, played)
        } else {
            Effect::Quiet
        };
        Self {
            played,
            piece,
            captured: victim.or(en_passant.then_some(Piece::Pawn)),
            en_passant,
            castling,
            origin: origin(groups, piece, played),
            effect,
            descriptive: None,
        }
    }

    /// The square on which the moving piece comes to stand (castling: the king's).
    pub fn destination(&self) -> Square {
        let rank = self.played.from.rank();
        match self.castling {
            None => self.played.to,
            Some(Castling::Short) => Square::new(File::G, rank),
            Some(Castling::Long) => Square::new(File::C, rank),
        }
    }

    /// Standard algebraic notation of the PGN standard (section 8.2.3), with `+` and `#`.
    pub fn san(&self) -> String {
        let mut text = String::with_capacity(8);
        self.write_san(&mut text);
        text
    }

    fn write_san(&self, text: &mut String) {
        match self.castling {
            Some(Castling::Short) => text.push_str("O-O"),
            Some(Castling::Long) => text.push_str("O-O-O"),
            None => {
                let from = self.played.from;
                if self.piece == Piece::Pawn {
                    if self.captured.is_some() {
                        text.push(file_character(from.file()));
                    }
                } else {
                    text.push(piece_character(self.piece));
                    if matches!(self.origin, Origin::Either | Origin::File | Origin::Square) {
                        text.push(file_character(from.file()));
                    }
                    if matches!(self.origin, Origin::Rank | Origin::Square) {
                        text.push(rank_character(from.rank()));
                    }
                }
                if self.captured.is_some() {
                    text.push('x');
                }
                text.push(file_character(self.played.to.file()));
                text.push(rank_character(self.played.to.rank()));
                if let Some(promotion) = self.played.promotion {
                    text.push('=');
                    text.push(piece_character(promotion));
                }
            }
        }
        match self.effect {
            Effect::Quiet => {}
            Effect::Check => text.push('+'),
            Effect::Mate => text.push('#'),
        }
    }

    /// The move as a chess program's protocol writes it: origin, destination, promotion (castling by the king's squares).
    pub fn uci(&self) -> String {
        let mut text = String::with_capacity(5);
        // Writing to a string does not fail.
        let _ = write!(text, "{}{}", self.played.from, self.destination());
        if let Some(promotion) = self.played.promotion {
            text.push(piece_character(promotion).to_ascii_lowercase());
        }
        text
    }
}

fn effect(board: &Board, played: Move) -> Effect {
    let mut after = board.clone();
    after.play_unchecked(played);
    if after.checkers().is_empty() {
        Effect::Quiet
    } else if after.generate_moves(|_| true) {
        Effect::Check
    } else {
        Effect::Mate
    }
}

/// What of the origin tells a move from those of the other pieces of its kind, the pinned ones not counted.
fn origin(groups: &[PieceMoves], piece: Piece, played: Move) -> Origin {
    if matches!(piece, Piece::Pawn | Piece::King) {
        return Origin::Plain;
    }
    let (mut rivals, mut same_file, mut same_rank) = (false, false, false);
    for group in groups {
        if group.piece == piece && group.from != played.from && group.to.has(played.to) {
            rivals = true;
            same_file |= group.from.file() == played.from.file();
            same_rank |= group.from.rank() == played.from.rank();
        }
    }
    match (rivals, same_file, same_rank) {
        (false, ..) => Origin::Plain,
        (true, false, false) => Origin::Either,
        (true, false, true) => Origin::File,
        (true, true, false) => Origin::Rank,
        (true, true, true) => Origin::Square,
    }
}

/// The letter of a file.
pub(crate) fn file_character(file: File) -> char {
    char::from(b'a' + file as u8)
}

/// The digit of a rank.
pub(crate) fn rank_character(rank: Rank) -> char {
    char::from(b'1' + rank as u8)
}

fn piece_character(piece: Piece) -> char {
    match piece {
        Piece::Pawn => 'P',
        Piece::Knight => 'N',
        Piece::Bishop => 'B',
        Piece::Rook => 'R',
        Piece::Queen => 'Q',
        Piece::King => 'K',
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn board(fen: &str) -> Board {
        Board::from_fen(fen, false).unwrap()
    }

    #[test]
    fn san_and_uci() {
        let cases = [
            (
                "rnbqkb1r/ppp2ppp/4pn2/3p4/8/5NP1/PPPPPPBP/RNBQK2R w KQkq - 0 4",
                "e1g1",
                "O-O",
            ),
            ("r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1", "e8c8", "O-O-O"),
            ("5k2/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", "O-O+"),
            // Two knights, neither file nor rank shared: the file is written.
            ("4k3/8/8/8/8/5N2/8/1N2K3 w - - 0 1", "b1d2", "Nbd2"),
            // Two rooks on one file: the rank is written.
            ("4k3/8/8/R7/8/8/8/R3K3 w - - 0 1", "a1a3", "R1a3"),
            // Three queens: file and rank are written.
            ("6k1/8/8/8/4Q2Q/8/8/K6Q w - - 0 1", "h4e1", "Qh4e1"),
            // The other knight is pinned and does not count.
            ("4k3/4r3/8/8/8/4N3/8/N3K3 w - - 0 1", "a1c2", "Nc2"),
            ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", "exd6"),
            ("3k2n1/7P/8/8/8/8/8/4K3 w - - 0 1", "h7g8q", "hxg8=Q+"),
            ("3k4/7P/8/8/8/8/8/4K3 w - - 0 1", "h7h8n", "h8=N"),
            (
                "rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq g3 0 2",
                "d8h4",
                "Qh4#",
            ),
        ];
        for (fen, uci, san) in cases {
            let found: Vec<LegalMove> = LegalMove::all(&board(fen))
                .into_iter()
                .filter(|legal| legal.uci() == uci)
                .collect();
            assert_eq!(found.len(), 1, "{fen} {uci}");
            assert_eq!(found[0].san(), san, "{fen} {uci}");
            assert_eq!(LegalMove::new(&board(fen), found[0].played), Some(found[0]));
        }
    }

    #[test]
    fn an_illegal_move_has_no_facts() {
        let played: Move = "e2e5".parse().unwrap();
        assert_eq!(LegalMove::new(&Board::default(), played), None);
    }

    /// Number of move paths of a depth (perft), by the moves that this module lists.
    fn paths(board: &Board, depth: u32) -> u64 {
        let moves = LegalMove::all(board);
        if depth == 1 {
            return moves.len() as u64;
        }
        moves
            .iter()
            .map(|legal| {
                assert_eq!(
                    legal.effect,
                    effect(board, legal.played),
                    "{board} {}",
                    legal.san()
                );
                let mut after = board.clone();
                after.play_unchecked(legal.played);
                paths(&after, depth - 1)
            })
            .sum()
    }

    /// The figures are those of the Chess Programming Wiki, "Perft Results".
    #[test]
    fn path_counts_are_the_published_ones() {
        let cases = [
            (
                "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
                4,
                197_281,
            ),
            (
                "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
                3,
                97_862,
            ),
            ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 5, 674_624),
            (
                "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
                4,
                422_333,
            ),
            (
                "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
                3,
                62_379,
            ),
            (
                "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
                3,
                89_890,
            ),
        ];
        for (fen, depth, count) in cases {
            assert_eq!(paths(&board(fen), depth), count, "{fen} depth {depth}");
        }
    }
}
