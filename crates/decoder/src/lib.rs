//! Lattices to the most likely legal game.
//!
//! [`decode`] plays half-move after half-move and keeps the most likely positions, each with how far every copy of the sheet is read. Every legal move of a position
//! is scored by the probability that the next cells' ink is one of its spellings; ink that is no legal move, blank cells, moves without a cell, cells without a move,
//! columns out of step and text after the game's end are hypotheses with their own costs.

mod confidence;
mod copies;
mod costs;
mod ctc;
mod decode;
mod dialect;
mod evidence;
mod game;
mod hand;
mod lines;
mod locks;
mod posterior;
pub mod prior;
mod repair;
mod repertoire;
mod rivals;
mod search;
mod tell;

pub use confidence::SIGNS;
pub use costs::Costs;
pub use decode::{DecodeOptions, decode};
pub use evidence::{CellEvidence, LEAST_MOVE};
pub use game::{Alternative, DecodedMove, Game, PlayedMove, Status};
pub use locks::{Lock, LockError, check_places, decode_checked, ply_of};
