//! Text of chess moves: how people write them.
//!
//! [`Alphabet`] and [`Lattice`] are the plain data in which a handwriting model hands over what it sees.

mod alphabet;
mod lattice;

pub use alphabet::{Alphabet, AlphabetError, Class};
pub use lattice::{Lattice, LatticeError};
