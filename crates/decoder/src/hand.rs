//! How the writer of a copy writes: language, system and habits, and how the habits are learnt from a game that is found.

use std::sync::Arc;

use scoresheet_notation::{Alphabet, HabitCounts, Habits, Language, Reading, Speller, System};

use crate::evidence::Examiner;
use crate::game::DecodedMove;
use crate::search::{Layers, Search};

/// The usual habits are as sure as so many moves that are seen.
const TRUST: f32 = 15.0;
/// Habits count as others where the moves seen fit them better by this natural log of their probability.
const LEAST_GAIN: f32 = 5.0;

/// Least probability of a move that is learnt from.
const LIKELY: f32 = 0.8;

/// In what language and system moves are written.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Dialect {
    pub language: &'static Language,
    pub system: System,
}

impl Dialect {
    /// Short algebraic notation in English.
    pub(crate) const USUAL: Self = Self {
        language: Language::ENGLISH,
        system: System::ShortAlgebraic,
    };
}

/// How one writer writes.
#[derive(Debug)]
pub(crate) struct Hand {
    pub dialect: Dialect,
    habits: Habits,
    speller: Speller,
}

impl Hand {
    pub(crate) fn new(alphabet: &Arc<Alphabet>, dialect: Dialect, habits: Habits) -> Self {
        let Dialect { language, system } = dialect;
        Self {
            dialect,
            speller: Speller::new(Arc::clone(alphabet), language, system, habits.clone()),
            habits,
        }
    }

    pub(crate) fn speller(&self) -> &Speller {
        &self.speller
    }

    /// Whether a text is a move.
    pub(crate) fn reads(&self, text: &str) -> bool {
        Reading::parse_in(text, self.dialect.language, self.dialect.system).is_ok()
    }

    /// Whether it is the same way of writing.
    pub(crate) fn is_like(&self, other: &Self) -> bool {
        self.dialect == other.dialect && self.habits == other.habits
    }
}

/// The hands of the copies of a game.
#[derive(Debug)]
pub(crate) struct Hands {
    /// Those that differ.
    pub distinct: Vec<Hand>,
    /// Index in `distinct` of each copy's hand.
    pub of_copies: Vec<usize>,
}

impl Hands {
    /// One hand for each copy.
    pub(crate) fn new(hands: impl IntoIterator<Item = Hand>) -> Self {
        let mut distinct: Vec<Hand> = Vec::new();
        let mut of_copies = Vec::new();
        for hand in hands {
            let known = distinct.iter().position(|known| known.is_like(&hand));
            of_copies.push(known.unwrap_or(distinct.len()));
            if known.is_none() {
                distinct.push(hand);
            }
        }
        Self {
            distinct,
            of_copies,
        }
    }

    /// The dialect of the first copy.
    pub(crate) fn dialect(&self) -> Dialect {
        let first = self.distinct.first();
        first.map_or(Dialect::USUAL, |hand| hand.dialect)
    }

    fn each(&self) -> impl Iterator<Item = &Hand> {
        self.of_copies.iter().map(|&hand| &self.distinct[hand])
    }
}

/// The hands of the copies as the likely moves of the best game show them; none where they are no others than before.
pub(crate) fn learn(
    search: &Search<'_>,
    layers: &Layers,
    moves: &[DecodedMove],
    examiner: &mut Examiner<'_>,
    hands: &Hands,
) -> Option<Hands> {
    let mut counts: Vec<HabitCounts> = hands
        .each()
        .map(|hand| HabitCounts::new(hand.dialect.language, hand.dialect.system))
        .collect();
    let path = layers.best_path();
    for (depth, &index) in path.iter().enumerate().skip(1) {
        // Unusual writing alone makes a move doubtful, so that the sure ones would tell too little.
        let Some(told) = moves
            .get(depth - 1)
            .filter(|told| told.confidence >= LIKELY)
        else {
            continue;
        };
        let edge = &layers.layers[depth][index].edges[0];
        let parent = &layers.layers[depth - 1][edge.parent];
        let Some(legal) = examiner.describe(&parent.board, edge.played) else {
            continue;
        };
        let side = parent.board.side_to_move();
        for passage in search.passages(&parent.heads, side, &edge.ways) {
            let Some((place, _)) = passage.taken.filter(|&(place, _)| examiner.has_ink(place))
            else {
                continue;
            };
            if let Some(text) = examiner.written(place, &legal) {
                counts[search.copies.copy_of(place)].add(&legal, &text, told.confidence);
            }
        }
    }
    let mut is_other = false;
    let learnt: Vec<Hand> = counts
        .iter()
        .zip(hands.each())
        .map(|(counts, hand)| {
            let seen = counts.habits(&hand.habits, TRUST);
            let other = counts.gain(&hand.habits, &seen) >= LEAST_GAIN;
            is_other |= other;
            let habits = if other { seen } else { hand.habits.clone() };
            Hand::new(hand.speller.alphabet(), hand.dialect, habits)
        })
        .collect();
    is_other.then(|| Hands::new(learnt))
}
