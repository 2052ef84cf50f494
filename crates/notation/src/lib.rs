//! Text of chess moves: how people write them.
//!
//! [`Alphabet`] and [`Lattice`] are the plain data in which a handwriting model hands over what it sees.
//!
//! [`LegalMove`] is what can be played. Three ways lead from it to text and back:
//! [`render`] writes one text in a [`Style`]; an [`Interpreter`] tells all legal moves that a text can mean, each with what is unusual about it ([`Reason`]);
//! a [`Speller`] lists all texts of a position's moves, with the shares of a writer's [`Habits`], for a search. [`HabitCounts`] learns the habits.
//! All three know short and long algebraic notation in every [`Language`], and English descriptive notation ([`System`]).
//!
//! ```
//! use cozy_chess::Board;
//! use scoresheet_notation::{Expectations, Language, Style, System, interpret, render};
//!
//! let board = Board::default();
//! let found = interpret(&board, "Kt-KB3", &Expectations::ANY);
//! assert_eq!(found.len(), 1);
//! let dutch = Language::by_code("nl").unwrap();
//! let style = Style::usual(dutch, System::LongAlgebraic);
//! assert_eq!(render(&board, &found[0].legal, &style), "Pg1-f3");
//! // Nothing is guessed: the other knight can go to a B3, too.
//! assert_eq!(interpret(&board, "Kt-B3", &Expectations::ANY).len(), 2);
//! ```
//!
//! Whole games go `split_games -> GameText -> GameReader -> GameReading -> write_game`.

mod alphabet;
mod checks;
mod closing;
mod descriptive;
mod descriptive_reading;
mod game_error;
mod game_reading;
mod game_remarks;
mod game_text;
mod game_tokens;
mod game_trace;
mod game_writing;
mod habit_counts;
mod habits;
mod ink;
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
mod results;
mod spellings;
mod style;
mod trie;
mod words;

pub use alphabet::{Alphabet, AlphabetError, Class};
pub use closing::CLOSING_WORDS;
pub use descriptive::{DescriptiveFacts, Wing};
pub use descriptive_reading::{DescriptiveStep, Named};
pub use game_error::{GameError, Place};
pub use game_reading::{GameReader, GameReading};
pub use game_remarks::remarks;
pub use game_text::{GameText, WrittenMove, split_games};
pub use game_trace::ReadMove;
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
pub use results::GameResult;
pub use spellings::{Speller, Spelling};
pub use style::{CaptureStyle, CastlingStyle, PromotionStyle, Style};
pub use trie::{TextNode, TextTrie};
