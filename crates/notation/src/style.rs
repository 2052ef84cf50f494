//! How a move is written out: the choices that the laws and conventions leave open.

use crate::habits::System;
use crate::language::Language;

/// A way of writing moves.
///
/// The defaults follow the FIDE Laws of Chess, appendix C (C.8 to C.13), and for PGN the PGN standard, section 8.2.3.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Style {
    /// Language of the piece letters; descriptive notation is English whatever it says.
    pub language: &'static Language,
    /// System of notation.
    pub system: System,
    /// How captures are marked.
    pub capture: CaptureStyle,
    /// Whether the rank of a pawn's capture is written where one file says enough: `exd5`, not `exd`. Short notation only.
    pub pawn_rank: bool,
    /// How the new piece follows a promotion.
    pub promotion: PromotionStyle,
    /// How castling is written.
    pub castling: CastlingStyle,
    /// What follows a move that gives check, with the space before it.
    pub check: &'static str,
    /// What follows a move that gives mate, with the space before it.
    pub mate: &'static str,
    /// What follows a capture en passant, with the space before it.
    pub en_passant: &'static str,
    /// The knight's letter in descriptive notation.
    pub knight: &'static str,
    /// Whether descriptive notation names both squares of every move and leaves nothing out.
    pub full: bool,
}

/// How a capture is marked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CaptureStyle {
    /// A sign before the square: `Bxf7`, `B:f7`, `B×f7`.
    Sign(&'static str),
    /// A sign after the square: `Bf7:`.
    After(&'static str),
    /// Nothing: `Bf7`, `ed5`.
    Unmarked,
}

/// How the new piece is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PromotionStyle {
    /// `d8=Q`, of the PGN standard.
    Equals,
    /// `d8Q`, of the laws (C.11).
    Plain,
    /// `d8(Q)`.
    Brackets,
    /// `d8/Q`.
    Slash,
}

/// How castling is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CastlingStyle {
    /// `O-O`, of the PGN standard.
    Letters,
    /// `0-0`, of the laws (C.13).
    Zeros,
    /// `Castles`, with `KR` or `QR` where both sides are possible.
    Word,
}

impl Style {
    /// Standard algebraic notation of PGN.
    pub const PGN: Self = Self {
        language: Language::ENGLISH,
        system: System::ShortAlgebraic,
        capture: CaptureStyle::Sign("x"),
        pawn_rank: true,
        promotion: PromotionStyle::Equals,
        castling: CastlingStyle::Letters,
        check: "+",
        mate: "#",
        en_passant: "",
        knight: "N",
        full: false,
    };

    /// The usual way of a language and system.
    pub fn usual(language: &'static Language, system: System) -> Self {
        match system {
            System::ShortAlgebraic | System::LongAlgebraic => Self {
                language,
                system,
                capture: CaptureStyle::Sign(language.captures[0]),
                promotion: PromotionStyle::Plain,
                castling: CastlingStyle::Zeros,
                ..Self::PGN
            },
            System::Descriptive => Self {
                system,
                promotion: PromotionStyle::Brackets,
                castling: CastlingStyle::Word,
                check: "ch",
                mate: " mate",
                en_passant: " e.p.",
                ..Self::PGN
            },
        }
    }
}
