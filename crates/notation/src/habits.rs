//! How a writer writes: the shares of the ways in which one thing can be written.

/// Which system of notation a writer uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum System {
    /// `Nf3`, `exd5`.
    #[default]
    ShortAlgebraic,
    /// `Ng1-f3`, `e4xd5`.
    LongAlgebraic,
    /// `N-KB3`, `PxP`: English, ranks counted from the side that moves.
    Descriptive,
}

impl System {
    /// All systems, the usual one first.
    pub const ALL: [Self; 3] = [Self::ShortAlgebraic, Self::LongAlgebraic, Self::Descriptive];
}

/// Shares (0 to 1) with which a writer uses each way of writing. What a table leaves below one is for ways not listed.
///
/// The default was counted on transcribed club sheets in English: 874 of 903 captures by pieces and 316 of 342 by pawns carry the `x`, 239 of 302 checks the `+`.
#[derive(Debug, Clone, PartialEq)]
pub struct Habits {
    /// A capture by a piece: with `x`, with nothing, with `:`, with the captured piece's letter in place of the square (`NxB`), with both (`NxBf3`), and with `:` after the square.
    ///
    /// Where the usual sign of a language is `:`, as in Russian, it and `x` have equal shares of what both have here; so with pawns.
    pub piece_capture: [f32; 6],
    /// A capture by a pawn: `exd5`, `ed5`, `ed`, `exd`, `e:d5`, `PxP`, `Pxd5`, `ed5:`, `ed:`.
    pub pawn_capture: [f32; 9],
    /// A capture sign where nothing is captured.
    pub false_capture: f32,
    /// A check: `+`, nothing, `++`, `#`.
    pub check: [f32; 4],
    /// Mate: `#`, `+`, nothing, `++`, the word of the language.
    pub mate: [f32; 5],
    /// A check sign without check.
    pub false_check: f32,
    /// The origin where nothing of it is needed: nothing, file, rank, both.
    pub plain_origin: [f32; 4],
    /// The origin where a part of it is needed: the part that tells, nothing, the part that does not tell, both.
    pub needed_origin: [f32; 4],
    /// The origin where both file and rank are needed: both, file, rank, nothing.
    pub square_origin: [f32; 4],
    /// Promotion: `=Q`, `Q`, `(Q)`, `/Q`, and no piece for a queen.
    pub promotion: [f32; 5],
    /// Castling with capital O, zero or small o; each with and without dashes.
    pub castling: [f32; 6],
    /// A small letter for a piece.
    pub small_letter: f32,
    /// Another letter for a piece: a variant of the language, else the English letter where it is no letter of the language.
    pub other_letter: f32,
    /// Long notation: no letter for a piece (`g1-f3`).
    pub missing_letter: f32,
    /// Long notation, between the squares: a dash, nothing, and for captures the dash in place of the sign.
    pub long_sign: [f32; 3],
    /// A letter for the pawn (`Pe4`).
    pub pawn_letter: f32,
    /// En passant marked: `ep`, `e.p.`.
    pub en_passant: [f32; 2],
    /// Descriptive notation.
    pub descriptive: DescriptiveHabits,
    /// Spellings rarer than this share of their move are left out.
    pub least: f32,
}

/// Shares of the ways to write descriptive notation.
///
/// What is written of origin and destination is weighed, not shared out: the weights of the two are multiplied, forms that another legal move has as well are charged, and the products are brought to a sum of one.
#[derive(Debug, Clone, PartialEq)]
pub struct DescriptiveHabits {
    /// The knight: `N`, `Kt`, `Kn`.
    pub knight: [f32; 3],
    /// Weights of the moving piece alone, with its owner or a pawn's file (`KR`, `BP`), with a pawn's full file (`KBP`), with its square in short and in full, with its rank.
    pub origin: [f32; 6],
    /// Weights of the destination: the captured piece alone (`xP`), with a pawn's file (`xBP`), with a pawn's full file (`xKBP`); the square in short and in full.
    pub target: [f32; 5],
    /// A capture with a dash, as if the square were empty (`R-R6` for `RxP(R6)`).
    pub dash_for_capture: f32,
    /// Factor of a form that another legal move has as well.
    pub ambiguous: f32,
    /// The first rank left out (`R-B` for `R-B1`).
    pub first_rank_omitted: f32,
    /// The square of origin: in brackets, bare, after a stroke.
    pub origin_square: [f32; 3],
    /// A check: `+`, `ch`, nothing, `check`.
    pub check: [f32; 4],
    /// Mate: `mate`, `++`, `#`, `+`, nothing.
    pub mate: [f32; 5],
    /// Castling: the word alone, the word with the side, rings.
    pub castling: [f32; 3],
}

impl Default for DescriptiveHabits {
    fn default() -> Self {
        Self {
            knight: [0.5, 0.48, 0.02],
            origin: [1.0, 0.06, 0.01, 0.04, 0.005, 0.01],
            target: [1.0, 0.1, 0.02, 0.25, 0.08],
            dash_for_capture: 0.01,
            ambiguous: 0.04,
            first_rank_omitted: 0.4,
            origin_square: [0.6, 0.35, 0.05],
            check: [0.55, 0.25, 0.17, 0.03],
            mate: [0.4, 0.1, 0.2, 0.1, 0.2],
            castling: [0.3, 0.15, 0.55],
        }
    }
}

impl Default for Habits {
    fn default() -> Self {
        Self {
            piece_capture: [0.93, 0.035, 0.003, 0.02, 0.004, 0.002],
            pawn_capture: [0.84, 0.05, 0.04, 0.03, 0.003, 0.01, 0.004, 0.002, 0.001],
            false_capture: 0.004,
            check: [0.79, 0.195, 0.005, 0.005],
            mate: [0.45, 0.25, 0.2, 0.08, 0.02],
            false_check: 0.002,
            plain_origin: [0.986, 0.01, 0.002, 0.001],
            needed_origin: [0.84, 0.13, 0.01, 0.01],
            square_origin: [0.75, 0.1, 0.05, 0.05],
            promotion: [0.5, 0.35, 0.07, 0.02, 0.05],
            castling: [0.6, 0.02, 0.3, 0.02, 0.03, 0.005],
            small_letter: 0.003,
            other_letter: 0.004,
            missing_letter: 0.02,
            long_sign: [0.9, 0.09, 0.03],
            pawn_letter: 0.001,
            en_passant: [0.02, 0.05],
            descriptive: DescriptiveHabits::default(),
            least: 2e-4,
        }
    }
}
