//! The answer: the game that a sheet most likely tells, move by move, with doubts.

use crate::confidence::SIGNS;
use cozy_chess::{Color, Move};
use scoresheet_notation::System;

/// A whole game as decoded.
#[derive(Debug, Clone, PartialEq)]
pub struct Game {
    /// The moves in playing order. Cells that stand for no move have none.
    pub moves: Vec<DecodedMove>,
    /// What happened on the sheet besides plain moves, in words.
    pub remarks: Vec<String>,
    /// ISO 639-1 code of the language of the piece letters.
    pub language: &'static str,
    /// System of notation.
    pub system: System,
    /// Natural log weight of the game among all that the search could tell; higher is better.
    pub log_weight: f64,
}

/// One move of the game.
#[derive(Debug, Clone, PartialEq)]
pub struct DecodedMove {
    /// Half-move number from 1.
    pub ply: u32,
    /// Move number from 1.
    pub number: u32,
    /// Who moved.
    pub colour: Color,
    /// The move that is claimed to have been played; none where the ink is no legal move or there is none and later cells do not tell.
    pub played: Option<PlayedMove>,
    /// What the ink most likely says; empty where there is none.
    pub written: String,
    /// Probability that the most likely move (claimed or not) was played.
    pub confidence: f32,
    /// How well the ink shows the most likely move: natural log of its probability against that of the likeliest free text, averaged over the copies; none without ink.
    pub fit: Option<f32>,
    /// What the confidence was computed from (see [`SIGNS`](crate::SIGNS)).
    pub signs: [f32; SIGNS.len()],
    /// How far the move can be relied on.
    pub status: Status,
    /// Other moves that may have been played, the most likely first. Where no move is claimed, the most likely one is among them.
    pub alternatives: Vec<Alternative>,
    /// The caller's numbers of the cells in which the move stands.
    pub cells: Vec<usize>,
}

/// A legal move in three forms.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlayedMove {
    /// As the rules library has it.
    pub legal: Move,
    /// Standard algebraic notation.
    pub san: String,
    /// Origin and destination.
    pub uci: String,
}

/// How far a move can be relied on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    /// Legal, shown by the ink, and hardly anything else is possible.
    Sure,
    /// Legal, but something else is possible, or the ink shows something else and later cells bear the move out.
    Doubtful,
    /// The ink is no legal move; it is kept as written.
    Illegal,
    /// The cell is blank.
    Unread,
}

/// A move that may have been played.
#[derive(Debug, Clone, PartialEq)]
pub struct Alternative {
    /// Standard algebraic notation.
    pub san: String,
    /// Probability, 0 to 1.
    pub probability: f32,
}
