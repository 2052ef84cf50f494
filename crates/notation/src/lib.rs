//! Text of chess moves: how people write them.
//!
//! [`Alphabet`] and [`Lattice`] are the plain data in which a handwriting model hands over what it sees.
//! [`Reading`] is what was written, [`LegalMove`] what can be played; [`Speller`] lists the texts of a position's legal moves for a search.
//!
//! Whole games go `split_games -> GameText -> GameReader -> GameReading -> write_game`.

mod alphabet;
mod descriptive;
mod descriptive_reading;
mod game_reading;
mod game_remarks;
mod game_text;
mod game_tokens;
mod game_writing;
mod habit_counts;
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
mod reason;
mod render;
mod spellings;
mod style;
mod trie;
mod words;

pub use alphabet::{Alphabet, AlphabetError, Class};
pub use descriptive::{DescriptiveFacts, Wing};
pub use descriptive_reading::{DescriptiveStep, Named};
pub use game_reading::{GameError, GameReader, GameReading, Place, ReadMove};
pub use game_remarks::remarks;
pub use game_text::{GameText, WrittenMove, split_games};
pub use game_writing::{GameForm, write_game};
pub use habit_counts::HabitCounts;
pub use habits::{DescriptiveHabits, Habits, System};
pub use interpret::{Expectations, Interpretation, Interpreter, interpret};
pub use language::{Language, Script};
pub use lattice::{Lattice, LatticeError};
pub use legal_move::{Castling, Effect, LegalMove, Origin};
pub use pgn::{Movetext, number_mark, write_tags};
pub use reading::{Reading, ReadingError, Step, parse_move};
pub use reason::Reason;
pub use render::render;
pub use spellings::{Speller, Spelling};
pub use style::{CaptureStyle, CastlingStyle, PromotionStyle, Style};
pub use trie::{TextNode, TextTrie};
