//! English descriptive notation: names of files, ranks counted from the side that moves, and what of a move has to be written.
//!
//! The convention is that of English chess literature up to about 1980 (Wikipedia, "Descriptive notation"; Chessville, "Descriptive Notation"):
//! files are named after the pieces of the first array, ranks are counted from the mover's side, a capture names the piece taken, and what is not needed to tell the move from other legal moves may be left out.

use cozy_chess::{Board, Color, File, Piece, Rank, Square};

use crate::legal_move::LegalMove;

/// The two halves of the board, named after the piece of the first array that stands there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Wing {
    /// Files e to h.
    King,
    /// Files a to d.
    Queen,
}

/// The wing of a file.
pub(crate) fn wing(file: File) -> Wing {
    if file < File::E {
        Wing::Queen
    } else {
        Wing::King
    }
}

/// The piece of the first array after which a file is named; the wing tells the two files of rook, knight and bishop apart.
pub(crate) fn file_piece(file: File) -> Piece {
    match file {
        File::A | File::H => Piece::Rook,
        File::B | File::G => Piece::Knight,
        File::C | File::F => Piece::Bishop,
        File::D => Piece::Queen,
        File::E => Piece::King,
    }
}

/// What descriptive notation has to know of a move besides the move itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct DescriptiveFacts {
    /// The side that moves; its first rank is rank 1.
    pub side: Color,
    /// Whose piece moves, where there are two of its kind: the king's bishop runs on the colour of the king's bishop of the first array, the king's rook or knight stands nearer to the h file.
    pub wing: Option<Wing>,
    /// Set for each [`Form`] that fits another legal move, too.
    ambiguous: u32,
}

impl DescriptiveFacts {
    /// Whether a form fits no other legal move.
    pub(crate) fn tells(&self, form: Form) -> bool {
        self.ambiguous & form.bit() == 0
    }

    /// All facts in one number.
    pub(crate) fn packed(&self) -> u64 {
        let wing = match self.wing {
            None => 0,
            Some(Wing::King) => 1,
            Some(Wing::Queen) => 2,
        };
        u64::from(self.ambiguous)
            | wing << FORMS
            | u64::from(self.side == Color::Black) << (FORMS + 2)
    }
}

/// What is written of a move: of its origin and of its destination.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Form {
    pub origin: OriginForm,
    pub target: TargetForm,
}

/// How the piece that moves is named.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum OriginForm {
    /// `N`, `P`.
    Piece,
    /// `KN`; of a pawn `BP`.
    Side,
    /// `KBP`, of pawns only.
    PawnFile,
    /// `N(B3)`.
    Short,
    /// `N(KB3)`.
    Full,
    /// `N(3)`, of pieces only.
    Rank,
}

/// How the destination, or the piece taken, is named.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TargetForm {
    /// `xN`, `xP`.
    Piece,
    /// `xBP`.
    Side,
    /// `xKBP`.
    PawnFile,
    /// `B3`.
    Short,
    /// `KB3`.
    Full,
}

impl OriginForm {
    pub(crate) const ALL: [Self; 6] = [
        Self::Piece,
        Self::Side,
        Self::PawnFile,
        Self::Short,
        Self::Full,
        Self::Rank,
    ];

    /// Whether a move has this form, apart from forms that are the same as a shorter one.
    pub(crate) fn exists(self, legal: &LegalMove, facts: &DescriptiveFacts) -> bool {
        let pawn = legal.piece == Piece::Pawn;
        match self {
            Self::Piece | Self::Short => true,
            Self::Side => pawn || facts.wing.is_some(),
            Self::PawnFile => pawn && has_twin(legal.played.from.file()),
            Self::Full => has_twin(legal.played.from.file()),
            Self::Rank => !pawn && legal.piece != Piece::King,
        }
    }
}

impl TargetForm {
    pub(crate) const ALL: [Self; 5] = [
        Self::Piece,
        Self::Side,
        Self::PawnFile,
        Self::Short,
        Self::Full,
    ];

    /// Whether a move has this form, apart from forms that are the same as a shorter one.
    pub(crate) fn exists(self, legal: &LegalMove) -> bool {
        let pawn = legal.captured == Some(Piece::Pawn);
        match self {
            Self::Piece => legal.captured.is_some(),
            Self::Side => pawn,
            Self::PawnFile => pawn && has_twin(legal.played.to.file()),
            Self::Short => true,
            Self::Full => has_twin(legal.played.to.file()),
        }
    }
}

/// Number of forms.
const FORMS: u32 = (OriginForm::ALL.len() * TargetForm::ALL.len()) as u32;
/// A bit for each form.
const ALL_FORMS: u32 = (1 << FORMS) - 1;

impl Form {
    fn bit(self) -> u32 {
        1 << (5 * self.origin as u32 + self.target as u32)
    }
}

/// Whether the other wing has a file of the same piece.
pub(crate) fn has_twin(file: File) -> bool {
    !matches!(file, File::D | File::E)
}

/// Whose piece stands on a square, where the side has two of its kind.
pub(crate) fn piece_wing(board: &Board, square: Square) -> Option<Wing> {
    let (piece, side) = (board.piece_on(square)?, board.color_on(square)?);
    if !matches!(piece, Piece::Rook | Piece::Knight | Piece::Bishop) {
        return None;
    }
    let fellows = board.colored_pieces(side, piece);
    if fellows.len() != 2 {
        return None;
    }
    if piece == Piece::Bishop {
        let light = |square: Square| (square.file() as u8 + square.rank() as u8) % 2 == 1;
        let kings = Square::new(File::F, Rank::First.relative_to(side));
        return Some(if light(square) == light(kings) {
            Wing::King
        } else {
            Wing::Queen
        });
    }
    let other = fellows.into_iter().find(|&other| other != square)?.file();
    match square.file().cmp(&other) {
        std::cmp::Ordering::Less => Some(Wing::Queen),
        std::cmp::Ordering::Equal => None,
        std::cmp::Ordering::Greater => Some(Wing::King),
    }
}

/// What two moves have alike, as a set of [`OriginForm`]s or [`TargetForm`]s that do not tell them apart.
type Alike = u32;

fn alike_origins(one: &Described, other: &Described) -> Alike {
    let (a, b) = (one.legal.played.from, other.legal.played.from);
    let same_kind = file_piece(a.file()) == file_piece(b.file());
    let same_side = if one.legal.piece == Piece::Pawn {
        same_kind
    } else {
        one.facts.wing == other.facts.wing
    };
    1 | u32::from(same_side) << 1
        | u32::from(a.file() == b.file()) << 2
        | u32::from(same_kind && a.rank() == b.rank()) << 3
        | u32::from(a == b) << 4
        | u32::from(a.rank() == b.rank()) << 5
}

fn alike_targets(one: &LegalMove, other: &LegalMove) -> Alike {
    let (a, b) = (one.played.to, other.played.to);
    let same_piece = one.captured == other.captured;
    let same_kind = file_piece(a.file()) == file_piece(b.file());
    u32::from(same_piece)
        | u32::from(same_piece && same_kind) << 1
        | u32::from(same_piece && a.file() == b.file()) << 2
        | u32::from(same_kind && a.rank() == b.rank()) << 3
        | u32::from(a == b) << 4
}

struct Described {
    legal: LegalMove,
    facts: DescriptiveFacts,
}

/// Adds the facts of descriptive notation to all legal moves of a position.
pub(crate) fn describe(board: &Board, moves: &mut [LegalMove]) {
    let side = board.side_to_move();
    let mut described: Vec<Described> = moves
        .iter()
        .map(|&legal| Described {
            legal,
            facts: DescriptiveFacts {
                side,
                wing: piece_wing(board, legal.played.from).filter(|_| legal.castling.is_none()),
                ambiguous: 0,
            },
        })
        .collect();
    for first in 0..described.len() {
        for second in first + 1..described.len() {
            let (one, other) = (&described[first], &described[second]);
            if one.legal.castling.is_some() && other.legal.castling.is_some() {
                // `Castles` alone can be either.
                described[first].facts.ambiguous = ALL_FORMS;
                described[second].facts.ambiguous = ALL_FORMS;
                continue;
            }
            let comparable = one.legal.piece == other.legal.piece
                && one.legal.castling.is_none()
                && other.legal.castling.is_none()
                && one.legal.captured.is_some() == other.legal.captured.is_some()
                && one.legal.played.promotion == other.legal.played.promotion;
            if !comparable {
                continue;
            }
            let origins = alike_origins(one, other);
            let targets = alike_targets(&one.legal, &other.legal);
            let both = (0..OriginForm::ALL.len())
                .filter(|form| origins >> form & 1 == 1)
                .fold(0, |both, form| both | targets << (5 * form));
            described[first].facts.ambiguous |= both;
            described[second].facts.ambiguous |= both;
        }
    }
    for (legal, described) in moves.iter_mut().zip(described) {
        legal.descriptive = Some(described.facts);
    }
}
