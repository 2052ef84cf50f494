//! Moves that would do as well as one that no ink shows.
//!
//! The search keeps few of many steps that look alike. Where the cells do not show a move, all others of the position have to be asked whether the game goes on
//! as well after them: a move that one of many would replace must not be claimed.

use cozy_chess::{Board, Move};

use crate::evidence::Examiner;
use crate::search::{Choice, Layers, Search};

/// Weights lower than that of the best game by more than this say that a move does not do.
const HOPELESS: f64 = 12.0;

/// The moves beside the `depth`th of the best game, by which the game goes on in the same cells: each with the weight of its game less that of the best one.
pub(crate) fn rivals(
    search: &Search<'_>,
    layers: &Layers,
    path: &[usize],
    depth: usize,
    examiner: &mut Examiner<'_>,
) -> Vec<(Move, f64)> {
    let start = &layers.layers[depth - 1][path[depth - 1]].board;
    let told = layers.layers[depth][path[depth]].edges[0].played;
    let game = Game {
        search,
        layers,
        path,
    };
    let mut rivals = Vec::new();
    for choice in game.choices(start, depth, examiner) {
        if choice.played == told {
            continue;
        }
        let mut board = start.clone();
        board.play_unchecked(choice.played);
        let lead = choice.weight - game.weight(depth);
        if let Some(lead) = game.play_on(board, depth + 1, lead, examiner) {
            rivals.push((choice.played, lead));
        }
    }
    rivals
}

/// The best game.
struct Game<'a> {
    search: &'a Search<'a>,
    layers: &'a Layers,
    path: &'a [usize],
}

impl Game<'_> {
    fn weight(&self, depth: usize) -> f64 {
        self.layers.layers[depth][self.path[depth]].edges[0].weight
    }

    /// The moves of a position, weighed by the cells in which the best game has its `depth`th.
    fn choices(&self, board: &Board, depth: usize, examiner: &mut Examiner<'_>) -> Vec<Choice> {
        let edge = &self.layers.layers[depth][self.path[depth]].edges[0];
        let heads = &self.layers.layers[depth - 1][edge.parent].heads;
        let Some(plan) = self.search.plan(heads, board.side_to_move(), &edge.ways) else {
            return Vec::new();
        };
        let position = examiner.position(board);
        self.search
            .weigh(&plan, board, &position, f64::NEG_INFINITY, examiner)
    }

    /// Plays the best-fitting moves from the `depth`th on to the end of the best game. Returns the lead over it in the end, if that is not hopeless.
    fn play_on(
        &self,
        mut board: Board,
        depth: usize,
        mut lead: f64,
        examiner: &mut Examiner<'_>,
    ) -> Option<f64> {
        for depth in depth..self.path.len() {
            let met = &self.layers.layers[depth - 1][self.path[depth - 1]].board;
            if lead < -HOPELESS || met.hash() == board.hash() {
                break;
            }
            let choices = self.choices(&board, depth, examiner);
            let best = choices
                .iter()
                .max_by(|a, b| a.weight.total_cmp(&b.weight))?;
            lead += best.weight - self.weight(depth);
            board.play_unchecked(best.played);
        }
        (lead >= -HOPELESS).then_some(lead)
    }
}
