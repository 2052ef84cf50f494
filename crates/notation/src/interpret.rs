//! The legal moves that a written text can mean, each with what is unusual about it.

use cozy_chess::{Board, Piece};

use crate::Language;
use crate::descriptive_reading::DescriptiveStep;
use crate::habits::System;
use crate::legal_move::{Castling, Effect, LegalMove, Origin};
use crate::lexicon::Lexicon;
use crate::marks::{CheckMark, Marked};
use crate::reading::{ParsedStep, ReadingError, Step, algebraic_steps, parse_castling};
use crate::reason::Reason;

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
            // The letters are English ones; where another language is expected, this is a reason, too.
            let foreign = self.expectations.system.is_none()
                && self.expectations.language != Language::ENGLISH;
            let foreign = foreign.then_some(Reason::OtherLanguage(Language::ENGLISH.code));
            for step in DescriptiveStep::parse(marked.body) {
                found.add_reading(moves, |legal| {
                    let mut reasons = descriptive_fits(&step, board, legal)?;
                    reasons.extend(foreign);
                    Some(reasons)
                });
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
        // Who does not look for slips does not take a queen for granted.
        let any_piece =
            !self.expectations.slips && best.reasons.contains(&Reason::MissingPromotion);
        let close: Vec<&Interpretation> = found
            .iter()
            .filter(|other| any_piece || other.cost < best.cost + CLEAR)
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

/// What is unusual about a text in algebraic notation for a legal move; none where the move does not fit.
pub(crate) fn step_fits(step: &Step, legal: &LegalMove) -> Option<Vec<Reason>> {
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
    let file_fits = same(step.from_file, from.file());
    let rank_fits = same(step.from_rank, from.rank());
    let single = step.from_file.is_some() != step.from_rank.is_some();
    if !(file_fits && rank_fits) {
        // Of a whole square one part may be wrong, and a single part if the move is that of a piece.
        if pawn || legal.piece == Piece::King || !(single || file_fits || rank_fits) {
            return None;
        }
        reasons.push(Reason::WrongOrigin);
    } else if !pawn && legal.origin == Origin::Plain && single {
        reasons.push(Reason::SuperfluousOrigin);
    }
    if step.dash && !both {
        reasons.push(Reason::Dash);
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
            // `Dd5` is a piece's move that cannot be played, and no pawn's.
            if step.capital_file {
                return None;
            }
            reasons.push(Reason::SuperfluousOrigin);
        }
    }
    match (step.promotion, legal.played.promotion) {
        (Some(written), Some(played)) if written == played => {}
        (None, None) => {}
        (None, Some(piece)) => reasons.push(missing_promotion(piece)),
        _ => return None,
    }
    if step.capital_file {
        reasons.push(Reason::CapitalFile);
    }
    Some(reasons)
}

fn missing_promotion(piece: Piece) -> Reason {
    if piece == Piece::Queen {
        Reason::MissingPromotion
    } else {
        Reason::MissingUnderpromotion
    }
}

fn descriptive_fits(
    step: &DescriptiveStep,
    board: &Board,
    legal: &LegalMove,
) -> Option<Vec<Reason>> {
    let mut reasons = step.fits(board, legal)?;
    if let (None, Some(piece)) = (step.promotion, legal.played.promotion) {
        reasons.push(missing_promotion(piece));
    }
    Some(reasons)
}
