//! The legal moves that a written text can mean, each with what is unusual about it.

use std::fmt;

use cozy_chess::{Board, Piece};

use crate::Language;
use crate::descriptive_reading::DescriptiveStep;
use crate::habits::System;
use crate::legal_move::{Castling, Effect, LegalMove, Origin};
use crate::lexicon::Lexicon;
use crate::marks::{CheckMark, Marked};
use crate::reading::{ParsedStep, ReadingError, Step, algebraic_steps, parse_castling};

/// What the reader of a text expects of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Expectations {
    /// Language of the piece letters.
    pub language: &'static Language,
    /// Whether letters of other languages are understood, too, at a cost.
    pub other_languages: bool,
    /// The only system to be understood; none for all.
    pub system: Option<System>,
    /// Whether slips in letters and squares are understood, at a cost. Wrong signs of capture and check always are.
    pub slips: bool,
}

impl Expectations {
    /// Any system and, at a cost, any language; English is the expected one.
    pub const ANY: Self = Self::mostly(Language::ENGLISH);

    /// One language is expected; other languages, all systems and slips are understood.
    pub const fn mostly(language: &'static Language) -> Self {
        Self {
            language,
            other_languages: true,
            system: None,
            slips: true,
        }
    }

    /// Algebraic notation in one language, without slips.
    pub const fn algebraic(language: &'static Language) -> Self {
        Self::exactly(language, System::ShortAlgebraic)
    }

    /// One language and system, without slips. Short and long algebraic notation are understood alike.
    pub const fn exactly(language: &'static Language, system: System) -> Self {
        Self {
            language,
            other_languages: false,
            system: Some(system),
            slips: false,
        }
    }
}

/// A legal move that a text can mean.
#[derive(Debug, Clone, PartialEq)]
pub struct Interpretation {
    /// The move.
    pub legal: LegalMove,
    /// How unusual it would be to write the move so, from 0 for what laws and conventions have: the sum of the costs of the reasons.
    pub cost: f32,
    /// What is unusual.
    pub reasons: Vec<Reason>,
}

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
    /// The piece of a promotion is missing (against C.11).
    MissingPromotion,
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
    /// A dash where notation has none, or none where it has one.
    Dash,
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
            Self::SmallLetter | Self::CapitalFile | Self::DashForCapture | Self::WrongOwner => 1.5,
            Self::FalseCapture | Self::FalseCheck | Self::FalseEnPassant => 2.0,
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
    fn is_contradiction(self) -> bool {
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
    fn is_misspelling(self) -> bool {
        matches!(
            self,
            Self::WrongOrigin
                | Self::WrongOwner
                | Self::DashForCapture
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
            Self::MissingPromotion => "promotion without piece",
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
        };
        formatter.write_str(text)
    }
}

/// Two moves whose costs are no further apart than this are equally likely to be meant.
const CLEAR: f32 = 0.9;

/// The legal moves that a text can mean, the likeliest first. Nothing is guessed: where several moves fit, all of them are told.
///
/// For many texts make one [`Interpreter`].
pub fn interpret(board: &Board, text: &str, expectations: &Expectations) -> Vec<Interpretation> {
    Interpreter::new(expectations).interpret(board, text)
}

/// Interprets texts under one set of expectations.
#[derive(Debug, Clone)]
pub struct Interpreter {
    expectations: Expectations,
    lexicon: Lexicon,
}

impl Interpreter {
    /// Prepares the letters that are understood.
    pub fn new(expectations: &Expectations) -> Self {
        let language = expectations.language;
        let lexicon = if expectations.slips {
            Lexicon::tolerant(language, expectations.other_languages)
        } else {
            Lexicon::of(language)
        };
        Self {
            expectations: *expectations,
            lexicon,
        }
    }

    /// The legal moves that a text can mean, the likeliest first.
    pub fn interpret(&self, board: &Board, text: &str) -> Vec<Interpretation> {
        self.interpret_among(board, &LegalMove::all(board), text)
    }

    /// As [`Interpreter::interpret`], with the legal moves of the position at hand.
    pub fn interpret_among(
        &self,
        board: &Board,
        moves: &[LegalMove],
        text: &str,
    ) -> Vec<Interpretation> {
        let marked = Marked::new(text);
        let mut found = Found {
            marked,
            slips: self.expectations.slips,
            interpretations: Vec::new(),
        };
        if let Some(side) = parse_castling(marked.body) {
            found.add_reading(moves, |legal| castling_fits(side, legal));
            return found.finish();
        }
        if self.expectations.system != Some(System::Descriptive) {
            for parsed in algebraic_steps(marked.body, &self.lexicon) {
                let letters = self.letter_reasons(&parsed);
                found.add_reading(moves, |legal| {
                    let mut reasons = step_fits(&parsed.step, legal)?;
                    reasons.extend(letters.iter().copied());
                    Some(reasons)
                });
            }
        }
        if matches!(self.expectations.system, None | Some(System::Descriptive)) {
            for step in DescriptiveStep::parse(marked.body) {
                found.add_reading(moves, |legal| descriptive_fits(&step, board, legal));
            }
        }
        found.finish()
    }

    /// The one legal move that a text means, or why there is none.
    pub fn one_move(&self, board: &Board, text: &str) -> Result<LegalMove, ReadingError> {
        let found = self.interpret(board, text);
        let Some(best) = found.first() else {
            return Err(ReadingError::NoLegalMove(text.to_owned()));
        };
        let close: Vec<&Interpretation> = found
            .iter()
            .filter(|other| other.cost < best.cost + CLEAR)
            .collect();
        if close.len() == 1 {
            return Ok(best.legal);
        }
        Err(ReadingError::Ambiguous {
            text: text.to_owned(),
            moves: close.iter().map(|one| one.legal.san()).collect(),
        })
    }

    fn letter_reasons(&self, parsed: &ParsedStep) -> Vec<Reason> {
        let mut reasons: Vec<Reason> = Vec::new();
        for entry in parsed.entries.iter().flatten() {
            if let Some(reason) = self.lexicon.reason(*entry)
                && !reasons.contains(&reason)
            {
                reasons.push(reason);
            }
        }
        reasons
    }
}

/// Interpretations so far, one for each move.
struct Found<'a> {
    marked: Marked<'a>,
    slips: bool,
    interpretations: Vec<Interpretation>,
}

impl Found<'_> {
    /// Adds the moves that fit one way to take the text apart.
    fn add_reading(
        &mut self,
        moves: &[LegalMove],
        fits: impl Fn(&LegalMove) -> Option<Vec<Reason>>,
    ) {
        let mut fitting: Vec<(&LegalMove, Vec<Reason>)> = Vec::new();
        for legal in moves {
            if let Some(mut reasons) = fits(legal) {
                reasons.extend(mark_reasons(&self.marked, legal));
                fitting.push((legal, reasons));
            }
        }
        let exact = |reasons: &[Reason]| !reasons.iter().any(|reason| reason.is_contradiction());
        let mut exact_moves = fitting.iter().filter(|(_, reasons)| exact(reasons));
        // Promotions of one pawn on one square differ by the new piece only, which has a reason of its own.
        let several = exact_moves.next().is_some_and(|(first, _)| {
            let squares = |legal: &LegalMove| (legal.played.from, legal.played.to);
            exact_moves.any(|(other, _)| squares(first) != squares(other))
        });
        for (legal, mut reasons) in fitting {
            if several && exact(&reasons) {
                reasons.push(Reason::MissingOrigin);
            }
            self.add(legal, reasons);
        }
    }

    /// Adds a move, or keeps the cheaper way to come to it.
    fn add(&mut self, legal: &LegalMove, reasons: Vec<Reason>) {
        if !self.slips && reasons.iter().any(|reason| reason.is_misspelling()) {
            return;
        }
        let cost = reasons.iter().fold(0.0, |sum, reason| sum + reason.cost());
        let interpretation = Interpretation {
            legal: *legal,
            cost,
            reasons,
        };
        match self
            .interpretations
            .iter_mut()
            .find(|known| known.legal == *legal)
        {
            Some(known) if known.cost <= cost => {}
            Some(known) => *known = interpretation,
            None => self.interpretations.push(interpretation),
        }
    }

    fn finish(mut self) -> Vec<Interpretation> {
        self.interpretations
            .sort_by(|one, other| one.cost.total_cmp(&other.cost));
        self.interpretations
    }
}

/// What is unusual about the signs after a move.
fn mark_reasons(marked: &Marked<'_>, legal: &LegalMove) -> Option<Reason> {
    if marked.en_passant && !legal.en_passant {
        return Some(Reason::FalseEnPassant);
    }
    match (marked.check, legal.effect) {
        (CheckMark::Unmarked, Effect::Quiet) => None,
        (CheckMark::Unmarked, _) | (CheckMark::Check, Effect::Mate) => Some(Reason::UnmarkedCheck),
        (CheckMark::Check | CheckMark::DoublePlus, Effect::Check) => None,
        (CheckMark::DoublePlus | CheckMark::Mate, Effect::Mate) => None,
        (_, Effect::Quiet) | (CheckMark::Mate, Effect::Check) => Some(Reason::FalseCheck),
    }
}

fn castling_fits(side: Option<Castling>, legal: &LegalMove) -> Option<Vec<Reason>> {
    let played = legal.castling?;
    side.is_none_or(|side| side == played).then(Vec::new)
}

fn step_fits(step: &Step, legal: &LegalMove) -> Option<Vec<Reason>> {
    fn same<T: PartialEq>(written: Option<T>, actual: T) -> bool {
        written.is_none_or(|written| written == actual)
    }
    let (from, to) = (legal.played.from, legal.destination());
    let both = step.from_file.is_some() && step.from_rank.is_some();
    let mut reasons = Vec::new();
    if step.piece != legal.piece {
        // `g1-f3`: the square tells the piece.
        if step.lettered || !both {
            return None;
        }
        if legal.castling.is_none() {
            reasons.push(Reason::MissingLetter);
        }
    }
    if !same(step.to_file, to.file()) || !same(step.to_rank, to.rank()) {
        return None;
    }
    if legal.castling.is_some() {
        let fits = same(step.from_file, from.file()) && same(step.from_rank, from.rank());
        return (fits && !step.capture).then(|| vec![Reason::CastlingAsKingMove]);
    }
    let pawn = legal.piece == Piece::Pawn;
    if !same(step.from_file, from.file()) || !same(step.from_rank, from.rank()) {
        if pawn || legal.piece == Piece::King || both {
            return None;
        }
        reasons.push(Reason::WrongOrigin);
    } else if !pawn
        && legal.origin == Origin::Plain
        && !both
        && (step.from_file.is_some() || step.from_rank.is_some())
    {
        reasons.push(Reason::SuperfluousOrigin);
    }
    if step.captured.is_some() && step.captured != legal.captured {
        return None;
    }
    let files_alone = step.to_file.is_some() && step.to_rank.is_none();
    match (step.capture, legal.captured) {
        (false, Some(_)) => reasons.push(Reason::UnmarkedCapture),
        (true, None) => reasons.push(Reason::FalseCapture),
        _ => {}
    }
    if files_alone && !(pawn && legal.captured.is_some()) {
        return None;
    }
    if files_alone || step.captured.is_some() {
        reasons.push(Reason::ShortCapture);
    }
    if pawn {
        if step.lettered && step.captured.is_none() {
            reasons.push(Reason::PawnLetter);
        }
        if legal.captured.is_some() && step.from_file.is_none() && !step.capture {
            reasons.push(Reason::MissingOrigin);
        }
        if legal.captured.is_none() && step.from_file.is_some() && !both {
            reasons.push(Reason::SuperfluousOrigin);
        }
    }
    match (step.promotion, legal.played.promotion) {
        (Some(written), Some(played)) if written == played => {}
        (None, None) => {}
        (None, Some(_)) => reasons.push(Reason::MissingPromotion),
        _ => return None,
    }
    if step.capital_file {
        reasons.push(Reason::CapitalFile);
    }
    Some(reasons)
}

fn descriptive_fits(
    step: &DescriptiveStep,
    board: &Board,
    legal: &LegalMove,
) -> Option<Vec<Reason>> {
    let mut reasons = step.fits(board, legal)?;
    if step.promotion.is_none() && legal.played.promotion.is_some() {
        reasons.push(Reason::MissingPromotion);
    }
    Some(reasons)
}
