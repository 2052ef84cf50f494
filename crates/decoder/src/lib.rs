//! Lattices to the most likely legal game.
//!
//! [`decode`] walks through the cells in playing order and keeps the most likely positions. Every legal move of a position is scored by the probability
//! that the cell's ink is one of its spellings; ink that is no legal move, blank cells and text after the game's end are hypotheses with their own costs.

mod confidence;
mod costs;
mod ctc;
mod decode;
mod evidence;
mod game;
mod posterior;
mod repair;
mod search;

pub use costs::Costs;
pub use decode::{DecodeOptions, Lock, decode};
pub use evidence::CellEvidence;
pub use game::{Alternative, DecodedMove, Game, PlayedMove, Status};
