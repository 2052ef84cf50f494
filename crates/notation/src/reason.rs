//! What can be unusual about a text for a move, and how unusual it is.

use std::fmt;

/// What is unusual about a text for a move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reason {
    /// A capture without a sign, which the laws allow (FIDE, C.9 and C.13).
    UnmarkedCapture,
    /// A check or mate without a sign, which the laws allow (C.13), or mate with the sign of check.
    UnmarkedCheck,
    /// The captured piece is named instead of its square, or a pawn's destination has no rank.
    ShortCapture,
    /// More of the origin is written than is needed (C.10).
    SuperfluousOrigin,
    /// The pawn has a letter (against C.4).
    PawnLetter,
    /// A piece has no letter, but its origin square is written.
    MissingLetter,
    /// Castling is written as a move of the king.
    CastlingAsKingMove,
    /// The queen of a promotion is missing (against C.11).
    MissingPromotion,
    /// The piece of a promotion is missing, and it is not a queen (against C.11).
    MissingUnderpromotion,
    /// Other legal moves fit the text as well (against C.10, or an abbreviation that goes too far).
    MissingOrigin,
    /// A dash for a capture in descriptive notation.
    DashForCapture,
    /// The king's piece is named where the queen's moves, or the other way round, as they stand on the board; in the game before they may have changed places.
    WrongOwner,
    /// A sign of capture where nothing is taken.
    FalseCapture,
    /// A sign of check where there is none.
    FalseCheck,
    /// A mark of en passant where there is none.
    FalseEnPassant,
    /// File or rank of the origin are not those of the move.
    WrongOrigin,
    /// A small letter for a piece.
    SmallLetter,
    /// A capital letter for a file.
    CapitalFile,
    /// A letter of another language, the first one of the table that has it, by its code.
    OtherLanguage(&'static str),
    /// A dash in short algebraic notation.
    Dash,
    /// No dash in descriptive notation.
    MissingDash,
}

impl Reason {
    /// The cost of a reason, about a natural log of how rare it is among writers. What costs 1 or more is a slip.
    pub fn cost(self) -> f32 {
        match self {
            Self::UnmarkedCapture | Self::UnmarkedCheck | Self::SuperfluousOrigin => 0.1,
            Self::ShortCapture => 0.2,
            Self::PawnLetter | Self::MissingLetter | Self::CastlingAsKingMove => 0.3,
            Self::Dash => 0.5,
            Self::MissingPromotion | Self::MissingOrigin => 1.0,
            Self::SmallLetter
            | Self::CapitalFile
            | Self::MissingDash
            | Self::DashForCapture
            | Self::WrongOwner => 1.5,
            Self::FalseCapture | Self::FalseCheck | Self::FalseEnPassant => 2.0,
            Self::MissingUnderpromotion => 3.0,
            Self::OtherLanguage("en") => 2.0,
            Self::OtherLanguage(_) => 3.0,
            Self::WrongOrigin => 4.0,
        }
    }

    /// Whether neither laws nor conventions allow it.
    pub fn is_slip(self) -> bool {
        self.cost() >= 1.0
    }

    /// Whether the text says something that is not so, and means another move that fits without.
    pub(crate) fn is_contradiction(self) -> bool {
        matches!(
            self,
            Self::WrongOrigin
                | Self::WrongOwner
                | Self::DashForCapture
                | Self::FalseCheck
                | Self::FalseEnPassant
        )
    }

    /// Whether letters or squares have to be taken for others to come to the move.
    pub(crate) fn is_misspelling(self) -> bool {
        matches!(
            self,
            Self::WrongOrigin
                | Self::WrongOwner
                | Self::DashForCapture
                | Self::MissingDash
                | Self::SmallLetter
                | Self::CapitalFile
                | Self::OtherLanguage(_)
        )
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = match self {
            Self::UnmarkedCapture => "capture without sign",
            Self::UnmarkedCheck => "check or mate without sign",
            Self::ShortCapture => "capture by letters alone",
            Self::SuperfluousOrigin => "more of the origin than needed",
            Self::PawnLetter => "letter for a pawn",
            Self::MissingLetter => "piece without letter",
            Self::CastlingAsKingMove => "castling as a move of the king",
            Self::MissingPromotion | Self::MissingUnderpromotion => "promotion without piece",
            Self::MissingOrigin => "several moves fit",
            Self::DashForCapture => "dash for a capture",
            Self::WrongOwner => "the other side's piece",
            Self::FalseCapture => "sign of capture where nothing is taken",
            Self::FalseCheck => "wrong sign of check",
            Self::FalseEnPassant => "not en passant",
            Self::WrongOrigin => "wrong file or rank of origin",
            Self::SmallLetter => "small letter for a piece",
            Self::CapitalFile => "capital letter for a file",
            Self::OtherLanguage(code) => {
                return write!(formatter, "letter of another language ({code})");
            }
            Self::Dash => "dash out of place",
            Self::MissingDash => "dash missing",
        };
        formatter.write_str(text)
    }
}
