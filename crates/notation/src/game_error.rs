//! Why a text is no legal game to its end, and where.

use std::fmt;

use cozy_chess::Color;
use thiserror::Error;

use crate::pgn::number_mark;

/// Why a text is no legal game to its end.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum GameError {
    /// No legal move fits.
    #[error("{place} is not legal here; legal {}", instead(.near, *.others))]
    Illegal {
        /// Where.
        place: Place,
        /// The legal moves nearest to the text, in its language and system.
        near: Vec<String>,
        /// Number of the other legal moves.
        others: usize,
    },
    /// The game is over before.
    #[error("{place} comes after the end of the game by {end}")]
    AfterEnd {
        /// Where.
        place: Place,
        /// Checkmate or stalemate.
        end: &'static str,
    },
    /// The numbers tell that a move is left out.
    #[error("{place} is written for {}, but the move of {} before it is missing", side(*.colour), side(!*.colour))]
    Missing {
        /// The move after the missing one.
        place: Place,
        /// Whose move is written.
        colour: Color,
    },
    /// The text begins in the middle of a game.
    #[error(
        "{place} begins the text; without the moves before it, or a tag FEN, its position is not known"
    )]
    Beginning {
        /// The first move.
        place: Place,
    },
    /// The tag FEN has no legal position; those of Chess960 are not known.
    #[error("line {line}: the tag FEN {fen:?} is no legal position of standard chess")]
    Fen {
        /// Line of the game, from 1.
        line: usize,
        /// Its value.
        fen: String,
    },
}

/// Characters of a written move that a message repeats.
const LONGEST_SHOWN: usize = 40;

/// A place in a text: a written move with its number and line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// Line of the text, from 1.
    pub line: usize,
    /// Move number in the game.
    pub number: u32,
    /// The side whose move it is in the game.
    pub colour: Color,
    /// The move as it is written.
    pub written: String,
}

impl fmt::Display for Place {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mark = number_mark(self.number, self.colour);
        let mut written: String = self.written.chars().take(LONGEST_SHOWN).collect();
        if written.len() < self.written.len() {
            written.push('…');
        }
        write!(formatter, "line {}: {mark} {written:?}", self.line)
    }
}

fn side(colour: Color) -> &'static str {
    match colour {
        Color::White => "White",
        Color::Black => "Black",
    }
}

fn instead(near: &[String], others: usize) -> String {
    let named = near.join(", ");
    match (near.len() + others, others) {
        (1, _) => format!("is only {named}"),
        (_, 0) => format!("are {named}"),
        (_, 1) => format!("are {named} and one other move"),
        _ => format!("are {named} and {others} other moves"),
    }
}
