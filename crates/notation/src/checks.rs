//! Which moves may give check, told without playing them.

use cozy_chess::{
    BitBoard, Board, Move, Piece, get_between_rays, get_bishop_moves, get_knight_moves,
    get_pawn_attacks, get_rook_moves,
};

/// From where the side to move threatens the other king.
pub(crate) struct Checks {
    /// By piece: the squares from which it gives check.
    squares: [BitBoard; Piece::NUM],
    /// Own pieces that stand alone between the king and an own rook, bishop or queen.
    screens: BitBoard,
}

impl Checks {
    pub(crate) fn new(board: &Board) -> Self {
        let us = board.side_to_move();
        let (king, occupied) = (board.king(!us), board.occupied());
        let (own, queens) = (board.colors(us), board.pieces(Piece::Queen));
        let straight = get_rook_moves(king, occupied);
        let diagonal = get_bishop_moves(king, occupied);
        let behind_straight = get_rook_moves(king, occupied - (straight & own))
            & own
            & (queens | board.pieces(Piece::Rook));
        let behind_diagonal = get_bishop_moves(king, occupied - (diagonal & own))
            & own
            & (queens | board.pieces(Piece::Bishop));
        let screens = (behind_straight | behind_diagonal)
            .into_iter()
            .fold(BitBoard::EMPTY, |all, slider| {
                all | (get_between_rays(king, slider) & own)
            });
        let mut squares = [BitBoard::EMPTY; Piece::NUM];
        squares[Piece::Pawn as usize] = get_pawn_attacks(king, !us);
        squares[Piece::Knight as usize] = get_knight_moves(king);
        squares[Piece::Bishop as usize] = diagonal;
        squares[Piece::Rook as usize] = straight;
        squares[Piece::Queen as usize] = straight | diagonal;
        Self { squares, screens }
    }

    /// Whether a move that is neither castling, nor en passant, nor a promotion may give check. Seldom true where it does not, never false where it does.
    pub(crate) fn may_come(&self, piece: Piece, played: Move) -> bool {
        self.screens.has(played.from) || self.squares[piece as usize].has(played.to)
    }
}
