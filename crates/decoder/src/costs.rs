//! What the search charges for what can happen on a sheet.

/// Natural logs of the shares with which things happen, and the thresholds of the answer.
///
/// All ink is judged against the likeliest free text of its cell: 0 is ink that shows a move as clearly as any text could.
#[derive(Debug, Clone, PartialEq)]
pub struct Costs {
    /// Weight of the ink of one lattice. Below one, for a network is surer than it is right.
    pub ink: f64,
    /// Any character looks like or was written for any other. It bounds how sure a network may be of a step, so that texts are ranked by how many characters differ.
    pub confusion: f64,
    /// Each character lost at the beginning of a text, where the ink is faint or the cell was cut badly.
    pub lost_first: f64,
    /// Other writing before or after the move in its cell.
    pub crowded: f64,
    /// The ink shows another text than any of the played move.
    pub slip: f64,
    /// Ink that fits a move worse than this shows something else, even where it fits all others worse still.
    pub contrary: f64,
    /// A move was played and its cell is blank.
    pub blank_move: f64,
    /// A blank cell that stands for no move.
    pub blank_passed: f64,
    /// Ink like a move that stands for no move.
    pub ink_passed: f64,
    /// Ink that repeats one of the two cells before it and stands for no move.
    pub doubled: f64,
    /// Other ink that stands for no move: a remark, a time, a result.
    pub remark_passed: f64,
    /// Moves stand in the column of the other colour, or one column lags, from here on.
    pub wrong_column: f64,
    /// Each further move of which the same is true.
    pub still_wrong_column: f64,
    /// From here on White's and Black's columns change places.
    pub swapped: f64,
    /// A cell holds two moves.
    pub two_in_cell: f64,
    /// A move was played and has no cell.
    pub left_out: f64,
    /// The game ends before a few moves have shown that a move without a cell, or a cell without a move, is real.
    pub unproved: f64,
    /// The game ends and the next cell has writing.
    pub end_before_ink: f64,
    /// Each cell after the end with ink like a move.
    pub move_after_end: f64,
    /// Each cell after the end with other ink.
    pub remark_after_end: f64,
    /// Weight of the probability that a human plays the move. Below one, for the prior knows less than it thinks.
    pub choice: f64,
    /// Divides all weights before probabilities of alternatives are computed.
    pub temperature: f64,
    /// Least probability of a move that is claimed against its ink or without ink.
    pub claim: f64,
    /// Least probability of a move with status sure.
    pub sure: f64,
}

impl Default for Costs {
    fn default() -> Self {
        Self {
            ink: 0.8,
            confusion: -8.0,
            lost_first: -6.0,
            crowded: -4.0,
            slip: -12.0,
            contrary: -5.5,
            blank_move: -5.0,
            blank_passed: -9.0,
            ink_passed: -15.0,
            doubled: -7.0,
            remark_passed: -11.0,
            wrong_column: -3.0,
            still_wrong_column: -0.05,
            swapped: -8.0,
            two_in_cell: -8.0,
            left_out: -10.0,
            unproved: -8.0,
            end_before_ink: -3.0,
            move_after_end: -8.0,
            remark_after_end: -3.0,
            choice: 0.3,
            temperature: 1.5,
            claim: 0.6,
            sure: 0.99,
        }
    }
}
