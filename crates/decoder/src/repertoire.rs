//! The positions that a search meets and the legal moves in them, whatever the ink: they stay when the same sheet is searched again by another hand.

use std::cell::OnceCell;
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::rc::Rc;
use std::sync::Arc;

use cozy_chess::{Board, Move};
use scoresheet_notation::{LegalMove, System};

use crate::prior::Prior;

/// Positions met, and the moves met in them.
///
/// Moves with the same facts have the same texts in any position, so that each is numbered once.
pub(crate) struct Repertoire {
    /// What people play; without it all legal moves are alike.
    prior: Option<Arc<Prior>>,
    /// Index in `moves` of each move, by its key.
    numbers: HashMap<u64, u32, Mixing>,
    moves: Vec<LegalMove>,
    /// By the system that the facts of the moves are for and the hash of the position.
    positions: HashMap<(bool, u64), Rc<Position>, Mixing>,
}

/// A legal move, and its number in the repertoire.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Playable {
    pub played: Move,
    pub number: u32,
}

/// The legal moves of a position.
pub(crate) struct Position {
    pub moves: Vec<Playable>,
    /// Natural log of the probability that each is played, once it is asked for.
    chances: OnceCell<Vec<f32>>,
}

impl Repertoire {
    pub(crate) fn new(prior: Option<Arc<Prior>>) -> Self {
        Self {
            prior,
            numbers: HashMap::default(),
            moves: Vec::new(),
            positions: HashMap::default(),
        }
    }

    /// All legal moves of a position, with the facts that a system needs.
    pub(crate) fn position(&mut self, board: &Board, facts: System) -> Rc<Position> {
        let key = (facts == System::Descriptive, board.hash());
        if let Some(known) = self.positions.get(&key) {
            return Rc::clone(known);
        }
        let moves = LegalMove::all_for(board, facts)
            .iter()
            .map(|legal| Playable {
                played: legal.played,
                number: self.number(legal),
            })
            .collect();
        let position = Rc::new(Position {
            moves,
            chances: OnceCell::new(),
        });
        self.positions.insert(key, Rc::clone(&position));
        position
    }

    /// Natural log of the probability that each of a position's moves is played.
    pub(crate) fn chances<'p>(&self, board: &Board, position: &'p Position) -> &'p [f32] {
        position.chances.get_or_init(|| {
            let moves = &position.moves;
            match &self.prior {
                Some(prior) => {
                    let legal = |playable: &Playable| self.legal(playable.number);
                    prior.log_probabilities(board, moves.iter().map(legal))
                }
                None => vec![-(moves.len().max(1) as f32).ln(); moves.len()],
            }
        })
    }

    /// The number of a move.
    pub(crate) fn number(&mut self, legal: &LegalMove) -> u32 {
        *self.numbers.entry(legal.key()).or_insert_with(|| {
            self.moves.push(*legal);
            self.moves.len() as u32 - 1
        })
    }

    /// The move with a number.
    pub(crate) fn legal(&self, number: u32) -> &LegalMove {
        &self.moves[number as usize]
    }

    /// Numbers given so far.
    pub(crate) fn len(&self) -> usize {
        self.moves.len()
    }
}

/// Hashes numbers that are well mixed already, or nearly so.
#[derive(Default, Clone)]
pub(crate) struct Mixer(u64);

pub(crate) type Mixing = BuildHasherDefault<Mixer>;

impl Hasher for Mixer {
    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u64(u64::from(byte));
        }
    }

    fn write_u32(&mut self, value: u32) {
        self.write_u64(u64::from(value));
    }

    fn write_u64(&mut self, value: u64) {
        // Both halves of the product by an odd constant near 2^64 / golden ratio (Knuth): each bit of the value gets into the low bits, also of keys that end in zeros.
        let product = u128::from(self.0.rotate_left(23) ^ value) * 0x9E37_79B9_7F4A_7C15;
        self.0 = (product >> 64) as u64 ^ product as u64;
    }

    fn finish(&self) -> u64 {
        self.0
    }
}
