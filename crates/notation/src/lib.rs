//! Text of chess moves: how people write them.
//!
//! [`Alphabet`] and [`Lattice`] are the plain data in which a handwriting model hands over what it sees.
//! [`Reading`] is what was written, [`LegalMove`] what can be played; [`Speller`] lists the texts of a position's legal moves for a search.

mod alphabet;
mod descriptive;
mod descriptive_reading;
mod habits;
mod interpret;
mod language;
mod languages;
mod lattice;
mod legal_move;
mod lexicon;
mod marks;
mod pgn;
mod reading;
mod render;
mod spellings;
mod style;
mod trie;

pub use alphabet::{Alphabet, AlphabetError, Class};
pub use descriptive::{DescriptiveFacts, Wing};
pub use descriptive_reading::{DescriptiveStep, Named};
pub use habits::{DescriptiveHabits, Habits, System};
pub use interpret::{Expectations, Interpretation, Interpreter, Reason, interpret};
pub use language::{Language, Script};
pub use lattice::{Lattice, LatticeError};
pub use legal_move::{Castling, Effect, LegalMove, Origin};
pub use pgn::{Movetext, number_mark, write_tags};
pub use reading::{Reading, ReadingError, Step, parse_move};
pub use render::render;
pub use spellings::{Speller, Spelling};
pub use style::{CaptureStyle, CastlingStyle, PromotionStyle, Style};
pub use trie::{TextNode, TextTrie};
