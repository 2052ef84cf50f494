//! Counting how a writer writes, from moves and the texts that the writer chose for them.

use cozy_chess::{Piece, Rank};

use crate::Language;
use crate::descriptive::{Form, OriginForm, TargetForm, has_twin};
use crate::descriptive_reading::DescriptiveStep;
use crate::habits::{DescriptiveHabits, Habits, System};
use crate::interpret::step_fits;
use crate::legal_move::{Effect, LegalMove, Origin};
use crate::lexicon::Lexicon;
use crate::marks::{CheckMark, Marked};
use crate::reading::{ParsedStep, Step, algebraic_steps, parse_castling};
use crate::reason::Reason;

/// How often a writer has used each way of writing, in the layout of [`Habits`].
///
/// ```
/// use cozy_chess::Board;
/// use scoresheet_notation::{HabitCounts, Habits, Language, System, parse_move};
///
/// let board = Board::from_fen("4k3/8/8/3p4/8/4N3/8/4K3 w - - 0 1", false).unwrap();
/// let capture = parse_move(&board, "Nxd5", Language::ENGLISH).unwrap();
/// let mut counts = HabitCounts::new(Language::ENGLISH, System::ShortAlgebraic);
/// for _ in 0..20 {
///     counts.add(&capture, "Nd5", 1.0);
/// }
/// let habits = counts.habits(&Habits::default(), 10.0);
/// assert!(habits.piece_capture[1] > habits.piece_capture[0]);
/// ```
#[derive(Debug, Clone)]
pub struct HabitCounts {
    system: System,
    lexicon: Lexicon,
    /// Counts where [`Habits`] has shares. Of the single shares the second number counts the cases in which it was otherwise.
    piece_capture: [f32; 6],
    pawn_capture: [f32; 9],
    check: [f32; 4],
    mate: [f32; 5],
    false_check: [f32; 2],
    plain_origin: [f32; 4],
    needed_origin: [f32; 4],
    square_origin: [f32; 4],
    promotion: [f32; 5],
    castling: [f32; 6],
    small_letter: [f32; 2],
    other_letter: [f32; 2],
    missing_letter: [f32; 2],
    long_quiet: [f32; 2],
    knight: [f32; 3],
    /// Destination in short and in full where the short one tells.
    target: [f32; 2],
    first_rank_omitted: [f32; 2],
    descriptive_check: [f32; 4],
    descriptive_mate: [f32; 5],
    descriptive_castling: [f32; 3],
}

impl HabitCounts {
    /// Nothing counted yet, of a writer in one language and system.
    pub fn new(language: &'static Language, system: System) -> Self {
        let language = match system {
            System::Descriptive => Language::ENGLISH,
            System::ShortAlgebraic | System::LongAlgebraic => language,
        };
        Self {
            system,
            lexicon: Lexicon::tolerant(language, true),
            piece_capture: [0.0; 6],
            pawn_capture: [0.0; 9],
            check: [0.0; 4],
            mate: [0.0; 5],
            false_check: [0.0; 2],
            plain_origin: [0.0; 4],
            needed_origin: [0.0; 4],
            square_origin: [0.0; 4],
            promotion: [0.0; 5],
            castling: [0.0; 6],
            small_letter: [0.0; 2],
            other_letter: [0.0; 2],
            missing_letter: [0.0; 2],
            long_quiet: [0.0; 2],
            knight: [0.0; 3],
            target: [0.0; 2],
            first_rank_omitted: [0.0; 2],
            descriptive_check: [0.0; 4],
            descriptive_mate: [0.0; 5],
            descriptive_castling: [0.0; 3],
        }
    }

    /// Counts a move and the text that it is written in; `weight` is how sure that is, 0 to 1. A text that is no form of the move counts for nothing. For descriptive notation the move has to have its facts ([`LegalMove::all_for`]).
    pub fn add(&mut self, legal: &LegalMove, text: &str, weight: f32) {
        let marked = Marked::new(text);
        if self.system == System::Descriptive {
            self.add_descriptive(legal, &marked, text, weight);
            return;
        }
        if legal.castling.is_some() {
            if !marked.body.starts_with(['O', '0', 'o']) || parse_castling(marked.body).is_none() {
                return;
            }
            self.add_rings(marked.body, weight);
        } else {
            let fitting = algebraic_steps(marked.body, &self.lexicon)
                .into_iter()
                .filter_map(|parsed| Some((step_fits(&parsed.step, legal)?, parsed)))
                .filter(|(reasons, _)| !reasons.contains(&Reason::WrongOrigin))
                .min_by(|(one, _), (other, _)| one.len().cmp(&other.len()));
            let Some((_, parsed)) = fitting else {
                return;
            };
            self.add_letters(&parsed, legal, weight);
            self.add_capture(&parsed.step, legal, marked.body, weight);
            self.add_origin(&parsed.step, legal, weight);
            if legal.played.promotion.is_some() {
                let way = match (parsed.step.promotion, marked.body) {
                    (None, _) => 4,
                    (_, body) if body.contains('=') => 0,
                    (_, body) if body.contains('(') => 2,
                    (_, body) if body.contains('/') => 3,
                    _ => 1,
                };
                self.promotion[way] += weight;
            }
        }
        self.add_effect(legal, &marked, text, weight);
    }

    /// The writer's habits: shares of the counts and of `prior` together, the prior as sure as `trust` observations.
    pub fn habits(&self, prior: &Habits, trust: f32) -> Habits {
        let single = |share: f32, counts: [f32; 2]| {
            let [mixed, _] = mix([share, 1.0 - share], counts, trust);
            mixed
        };
        let old = &prior.descriptive;
        let (short, full) = (TargetForm::Short as usize, TargetForm::Full as usize);
        let both = old.target[short] + old.target[full];
        let shares = [old.target[short] / both, old.target[full] / both];
        let mut target = old.target;
        [target[short], target[full]] = mix(shares, self.target, trust).map(|share| share * both);
        let [dash, nothing] = mix(
            [prior.long_sign[0], prior.long_sign[1]],
            self.long_quiet,
            trust,
        );
        Habits {
            piece_capture: mix(prior.piece_capture, self.piece_capture, trust),
            pawn_capture: mix(prior.pawn_capture, self.pawn_capture, trust),
            check: mix(prior.check, self.check, trust),
            mate: mix(prior.mate, self.mate, trust),
            false_check: single(prior.false_check, self.false_check),
            plain_origin: mix(prior.plain_origin, self.plain_origin, trust),
            needed_origin: mix(prior.needed_origin, self.needed_origin, trust),
            square_origin: mix(prior.square_origin, self.square_origin, trust),
            promotion: mix(prior.promotion, self.promotion, trust),
            castling: mix(prior.castling, self.castling, trust),
            small_letter: single(prior.small_letter, self.small_letter),
            other_letter: single(prior.other_letter, self.other_letter),
            missing_letter: single(prior.missing_letter, self.missing_letter),
            long_sign: [dash, nothing, prior.long_sign[2]],
            descriptive: DescriptiveHabits {
                knight: mix(old.knight, self.knight, trust),
                target,
                first_rank_omitted: single(old.first_rank_omitted, self.first_rank_omitted),
                check: mix(old.check, self.descriptive_check, trust),
                mate: mix(old.mate, self.descriptive_mate, trust),
                castling: mix(old.castling, self.descriptive_castling, trust),
                ..old.clone()
            },
            ..prior.clone()
        }
    }

    /// How much better the counted moves fit the habits `new` than `old`: natural log of the ratio of their probabilities.
    pub fn gain(&self, old: &Habits, new: &Habits) -> f32 {
        let table = |counts: &[f32], old: &[f32], new: &[f32]| -> f32 {
            let shares = counts.iter().zip(old).zip(new);
            shares
                .filter(|((count, _), _)| **count > 0.0)
                .map(|((count, old), new)| count * (new / old).ln())
                .sum()
        };
        let single = |counts: &[f32; 2], old: f32, new: f32| {
            table(counts, &[old, 1.0 - old], &[new, 1.0 - new])
        };
        let (was, is) = (&old.descriptive, &new.descriptive);
        table(&self.piece_capture, &old.piece_capture, &new.piece_capture)
            + table(&self.pawn_capture, &old.pawn_capture, &new.pawn_capture)
            + table(&self.check, &old.check, &new.check)
            + table(&self.mate, &old.mate, &new.mate)
            + single(&self.false_check, old.false_check, new.false_check)
            + table(&self.plain_origin, &old.plain_origin, &new.plain_origin)
            + table(&self.needed_origin, &old.needed_origin, &new.needed_origin)
            + table(&self.square_origin, &old.square_origin, &new.square_origin)
            + table(&self.promotion, &old.promotion, &new.promotion)
            + table(&self.castling, &old.castling, &new.castling)
            + single(&self.small_letter, old.small_letter, new.small_letter)
            + single(&self.other_letter, old.other_letter, new.other_letter)
            + single(&self.missing_letter, old.missing_letter, new.missing_letter)
            + table(&self.long_quiet, &old.long_sign, &new.long_sign)
            + table(&self.knight, &was.knight, &is.knight)
            + single(
                &self.first_rank_omitted,
                was.first_rank_omitted,
                is.first_rank_omitted,
            )
            + table(&self.descriptive_check, &was.check, &is.check)
            + table(&self.descriptive_mate, &was.mate, &is.mate)
            + table(&self.descriptive_castling, &was.castling, &is.castling)
    }

    fn add_rings(&mut self, body: &str, weight: f32) {
        let ring = match body.chars().next() {
            Some('0') => 1,
            Some('o') => 2,
            _ => 0,
        };
        let dashes = body.contains(['-', '–', '=']);
        self.castling[2 * ring + usize::from(!dashes)] += weight;
    }

    fn add_letters(&mut self, parsed: &ParsedStep, legal: &LegalMove, weight: f32) {
        if legal.piece == Piece::Pawn {
            return;
        }
        if self.system == System::LongAlgebraic {
            count_case(&mut self.missing_letter, !parsed.step.lettered, weight);
        }
        let [Some(mover), ..] = parsed.entries else {
            return;
        };
        let reason = self.lexicon.reason(mover);
        let small = reason == Some(Reason::SmallLetter);
        let other = matches!(reason, Some(Reason::OtherLanguage(_)));
        count_case(&mut self.small_letter, small, weight);
        count_case(&mut self.other_letter, other, weight);
    }

    fn add_capture(&mut self, step: &Step, legal: &LegalMove, body: &str, weight: f32) {
        if legal.captured.is_none() {
            if self.system == System::LongAlgebraic {
                self.long_quiet[usize::from(!step.dash)] += weight;
            }
            return;
        }
        let rankless = step.to_rank.is_none();
        let colon = body.contains(':');
        // After the destination: nothing but a promotion may follow.
        let after = colon
            && body
                .rsplit(':')
                .next()
                .is_some_and(|rest| !rest.contains(|one: char| ('a'..='h').contains(&one)));
        let named = step.captured.is_some();
        if legal.piece != Piece::Pawn || self.system == System::LongAlgebraic {
            let way = match (step.capture, named) {
                (_, true) => 3 + usize::from(!rankless),
                (false, _) => 1,
                _ if after => 5,
                _ if colon => 2,
                _ => 0,
            };
            self.piece_capture[way] += weight;
            return;
        }
        let way = match (step.capture, rankless) {
            (true, _) if named => 5,
            (true, _) if step.lettered => 6,
            (false, false) => 1,
            (false, true) => 2,
            (true, true) if after => 8,
            (true, true) => 3,
            (true, false) if after => 7,
            (true, false) if colon => 4,
            (true, false) => 0,
        };
        self.pawn_capture[way] += weight;
    }

    fn add_origin(&mut self, step: &Step, legal: &LegalMove, weight: f32) {
        if self.system == System::LongAlgebraic || matches!(legal.piece, Piece::Pawn | Piece::King)
        {
            return;
        }
        let (file, rank) = (step.from_file.is_some(), step.from_rank.is_some());
        let written = usize::from(file) + 2 * usize::from(rank);
        match legal.origin {
            Origin::Plain => self.plain_origin[written] += weight,
            // The part that tells, nothing, the part that does not tell, both.
            Origin::Either | Origin::File => {
                self.needed_origin[[1, 0, 2, 3][written]] += weight;
            }
            Origin::Rank => self.needed_origin[[1, 2, 0, 3][written]] += weight,
            Origin::Square => self.square_origin[[3, 1, 2, 0][written]] += weight,
        }
    }

    fn add_effect(&mut self, legal: &LegalMove, marked: &Marked<'_>, text: &str, weight: f32) {
        let hash = text.contains('#');
        match legal.effect {
            Effect::Quiet => self.add_false_check(marked, weight),
            Effect::Check => {
                let way = match marked.check {
                    CheckMark::Check => 0,
                    CheckMark::Unmarked => 1,
                    CheckMark::DoublePlus => 2,
                    CheckMark::Mate => 3,
                };
                self.check[way] += weight;
            }
            Effect::Mate => {
                let way = match marked.check {
                    CheckMark::Mate if hash => 0,
                    CheckMark::Check => 1,
                    CheckMark::Unmarked => 2,
                    CheckMark::DoublePlus => 3,
                    CheckMark::Mate => 4,
                };
                self.mate[way] += weight;
            }
        }
    }

    fn add_false_check(&mut self, marked: &Marked<'_>, weight: f32) {
        let marked = marked.check != CheckMark::Unmarked;
        count_case(&mut self.false_check, marked, weight);
    }

    fn add_descriptive(&mut self, legal: &LegalMove, marked: &Marked<'_>, text: &str, weight: f32) {
        let Some(facts) = legal.descriptive else {
            return;
        };
        let body = marked.body;
        if legal.castling.is_some() {
            let words = body.starts_with(['C', 'c']);
            match parse_castling(body) {
                Some(_) if !words => {
                    self.add_rings(body, weight);
                    self.descriptive_castling[2] += weight;
                }
                Some(side) => {
                    self.descriptive_castling[usize::from(side.is_some())] += weight;
                }
                None => return,
            }
        } else {
            if DescriptiveStep::parse(body).is_empty() {
                return;
            }
            if body.contains("Kt") || body.contains("KT") {
                self.knight[1] += weight;
            } else if body.contains("Kn") {
                self.knight[2] += weight;
            } else if body.contains('N') {
                self.knight[0] += weight;
            }
            let square = body
                .rsplit('-')
                .next()
                .filter(|rest| rest.len() < body.len());
            if let (Some(square), None) = (square, legal.captured) {
                let to = legal.played.to;
                if to.rank().relative_to(facts.side) == Rank::First {
                    let digit = square.contains(|one: char| one.is_ascii_digit());
                    count_case(&mut self.first_rank_omitted, !digit, weight);
                }
                let short = Form {
                    origin: OriginForm::Piece,
                    target: TargetForm::Short,
                };
                if has_twin(to.file()) && facts.tells(short) {
                    let name = square.trim_start_matches("Kt").trim_start_matches("Kn");
                    let full = name.starts_with(['K', 'Q']) || square.starts_with("KK");
                    self.target[usize::from(full)] += weight;
                }
            }
        }
        let word = |word: &str| text.contains(word);
        match legal.effect {
            Effect::Quiet => self.add_false_check(marked, weight),
            Effect::Check => {
                let way = match marked.check {
                    CheckMark::Unmarked => 2,
                    _ if word("check") => 3,
                    _ if word("ch") => 1,
                    _ => 0,
                };
                self.descriptive_check[way] += weight;
            }
            Effect::Mate => {
                let way = match marked.check {
                    CheckMark::Unmarked => 4,
                    CheckMark::Check => 3,
                    CheckMark::DoublePlus => 1,
                    CheckMark::Mate if word("#") => 2,
                    CheckMark::Mate => 0,
                };
                self.descriptive_mate[way] += weight;
            }
        }
    }
}

/// Counts a case in which something was so, or was not.
fn count_case(counts: &mut [f32; 2], so: bool, weight: f32) {
    counts[usize::from(!so)] += weight;
}

/// Shares of counts and of prior shares together, the prior as sure as `trust` observations.
fn mix<const N: usize>(prior: [f32; N], counts: [f32; N], trust: f32) -> [f32; N] {
    let total: f32 = counts.iter().sum();
    let mut mixed = prior;
    for (share, count) in mixed.iter_mut().zip(counts) {
        *share = (*share * trust + count) / (trust + total);
    }
    mixed
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    use cozy_chess::Board;

    use crate::{Alphabet, Speller, TextTrie};

    const FENS: [&str; 5] = [
        "1n6/P6P/8/8/4k3/8/8/K7 w - - 0 1",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "r2q1rk1/pP1p2pp/Q4n2/bbp1p3/Np6/1B3NBn/pPPP1PPP/R3K2R b KQ - 0 1",
        "1k6/8/1K6/8/8/4pP2/3P4/R6R w - - 0 1",
        "rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2",
    ];

    /// The habits of a writer are found again in the texts that the speller makes of them.
    #[test]
    fn habits_are_learnt_from_their_own_texts() {
        let lines: String = ('!'..='~')
            .map(|character| format!("\n{character}"))
            .collect();
        let alphabet = Arc::new(Alphabet::from_lines(&format!("blank{lines}")).unwrap());
        let mut writer = Habits {
            piece_capture: [0.1, 0.2, 0.3, 0.1, 0.1, 0.2],
            pawn_capture: [0.1, 0.1, 0.2, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1],
            check: [0.2, 0.5, 0.2, 0.1],
            mate: [0.1, 0.2, 0.3, 0.1, 0.3],
            plain_origin: [0.7, 0.1, 0.1, 0.1],
            needed_origin: [0.4, 0.2, 0.2, 0.2],
            promotion: [0.12, 0.23, 0.3, 0.3, 0.05],
            castling: [0.1, 0.2, 0.3, 0.2, 0.1, 0.1],
            other_letter: 0.0,
            long_sign: [0.4, 0.6, 0.0],
            missing_letter: 0.3,
            ..Habits::default()
        };
        writer.descriptive.knight = [0.2, 0.7, 0.1];
        writer.descriptive.first_rank_omitted = 0.8;
        writer.descriptive.check = [0.1, 0.5, 0.2, 0.2];
        writer.descriptive.mate = [0.4, 0.1, 0.1, 0.2, 0.2];
        writer.descriptive.castling = [0.2, 0.5, 0.3];
        for system in System::ALL {
            let english = Language::ENGLISH;
            let speller = Speller::new(Arc::clone(&alphabet), english, system, writer.clone());
            let mut counts = HabitCounts::new(english, system);
            for fen in FENS {
                let board = Board::from_fen(fen, false).unwrap();
                let moves = LegalMove::all_for(&board, system);
                let (mut trie, mut spellings) = (TextTrie::new(), Vec::new());
                speller.spell(&moves, &mut trie, &mut spellings);
                for spelling in spellings {
                    let text = alphabet.decode(&trie.classes(spelling.node));
                    counts.add(&moves[spelling.move_index as usize], &text, spelling.share);
                }
            }
            let learnt = counts.habits(&Habits::default(), 0.0001);
            let near = |name: &str, learnt: &[f32], writer: &[f32]| {
                let total: f32 = writer.iter().sum();
                for (a, b) in learnt.iter().zip(writer) {
                    let message = format!("{system:?} {name}: {learnt:?} for {writer:?}");
                    assert!((a - b / total).abs() < 0.06, "{message}");
                }
            };
            if system == System::Descriptive {
                let (learnt, writer) = (&learnt.descriptive, &writer.descriptive);
                near("knight", &learnt.knight, &writer.knight);
                near("check", &learnt.check, &writer.check);
                near("mate", &learnt.mate, &writer.mate);
                near("castling", &learnt.castling, &writer.castling);
                let first = |habits: &DescriptiveHabits| {
                    [habits.first_rank_omitted, 1.0 - habits.first_rank_omitted]
                };
                near("first rank", &first(learnt), &first(writer));
                continue;
            }
            near("check", &learnt.check, &writer.check);
            near("mate", &learnt.mate, &writer.mate);
            near("castling", &learnt.castling, &writer.castling);
            near("promotion", &learnt.promotion, &writer.promotion);
            if system == System::ShortAlgebraic {
                near("capture", &learnt.piece_capture, &writer.piece_capture);
                near("pawns", &learnt.pawn_capture, &writer.pawn_capture);
                near("plain", &learnt.plain_origin, &writer.plain_origin);
                near("needed", &learnt.needed_origin, &writer.needed_origin);
            } else {
                near("sign", &learnt.long_sign[..2], &writer.long_sign[..2]);
                let letter = |habits: &Habits| [habits.missing_letter, 1.0 - habits.missing_letter];
                near("letter", &letter(&learnt), &letter(&writer));
            }
        }
    }

    #[test]
    fn what_is_no_form_of_the_move_counts_for_nothing() {
        let board = Board::from_fen(FENS[0], false).unwrap();
        let mut counts = HabitCounts::new(Language::ENGLISH, System::ShortAlgebraic);
        for legal in LegalMove::all(&board) {
            for text in ["", "1-0", "Ka8", "h", "???"] {
                counts.add(&legal, text, 1.0);
            }
        }
        // A power of two leaves the shares as they are to the last digit.
        let prior = Habits::default();
        assert_eq!(counts.habits(&prior, 8.0), prior);
    }
}
