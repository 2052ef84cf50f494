//! Beam search over positions: layer after layer of half-move cells.

use std::collections::HashMap;
use std::rc::Rc;

use cozy_chess::{Board, Color, Move};
use scoresheet_notation::Lattice;

use crate::costs::Costs;
use crate::decode::Lock;
use crate::evidence::{Examiner, Fit, Playable};

/// One place of the sheet in writing order, with or without ink.
pub(crate) struct Slot<'a> {
    pub colour: Color,
    pub lattices: &'a [Lattice],
}

/// How wide the search goes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Width {
    /// Positions kept in a layer.
    pub beam: usize,
    /// Positions kept where more than `beam` are about as good as the best: after ink that says nothing, the next cells have to tell.
    pub wide: usize,
    /// Weights lower than the best of their layer by more than this are dropped.
    pub far: f64,
    /// Positions, the best of a layer, before which a move may have been left out.
    pub gaps: usize,
}

/// What counts as about as good as the best.
const NEAR: f64 = 7.0;

/// What happened in a cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Step {
    /// A move was played.
    Played(Move),
    /// The cell stands for no move.
    Passed,
}

/// One way to reach a position from one of the layer before.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Edge {
    /// Index in the layer before.
    pub parent: usize,
    pub step: Step,
    /// A move that was played before it and has no cell.
    pub skipped: Option<Move>,
    /// Natural log weight.
    pub weight: f64,
    /// Whether the ink shows the move.
    pub shown: bool,
    /// Part of the ink in the weight.
    pub fit: f64,
}

/// A position after some cells.
pub(crate) struct Node {
    pub board: Board,
    /// Weight of the best way from the start.
    pub score: f64,
    /// Whether the last move stands in the column of the other colour.
    pub shifted: bool,
    /// All ways that survived, the best first. Empty for the start.
    pub edges: Vec<Edge>,
}

/// What a cell weighs besides the moves that it may show.
#[derive(Debug, Clone, Copy)]
struct Ground {
    ink: bool,
    /// Where it stands for no move.
    passed: f64,
    /// Where the game ended before it.
    after_end: f64,
}

/// The positions reached after each number of cells, from none to all.
pub(crate) struct Layers {
    pub layers: Vec<Vec<Node>>,
    /// Weight of the game's end after each number of cells.
    pub ends: Vec<f64>,
}

#[derive(Clone, Copy)]
struct Candidate {
    score: f64,
    shifted: bool,
    edge: Edge,
}

/// The cells of a sheet and what is charged for them.
pub(crate) struct Search<'a> {
    pub slots: &'a [Slot<'a>],
    pub locks: &'a [Lock],
    pub costs: &'a Costs,
}

impl Search<'_> {
    /// Searches all slots from the start position.
    pub(crate) fn run(&self, examiner: &mut Examiner<'_>, width: Width) -> Layers {
        let mut layers = vec![vec![Node {
            board: Board::default(),
            score: 0.0,
            shifted: false,
            edges: Vec::new(),
        }]];
        let mut grounds = Vec::with_capacity(self.slots.len());
        for (place, slot) in self.slots.iter().enumerate() {
            let ground = self.take(place, slot, examiner);
            let layer = layers.last().map_or(&[][..], Vec::as_slice);
            let next = self.advance(layer, slot, ground, examiner, width);
            grounds.push(ground);
            layers.push(next);
        }
        Layers {
            ends: end_weights(&grounds, self.costs),
            layers,
        }
    }

    /// Searches the slots from `from` on again, with the width that is given for each slot. Puts the old layers back where nothing better is found.
    pub(crate) fn run_again(
        &self,
        layers: &mut Layers,
        from: usize,
        examiner: &mut Examiner<'_>,
        width: impl Fn(usize) -> Width,
    ) -> bool {
        let before = layers.best_score();
        let old = layers.layers.split_off(from + 1);
        for (place, slot) in self.slots.iter().enumerate().skip(from) {
            let ground = self.take(place, slot, examiner);
            let layer = layers.layers.last().map_or(&[][..], Vec::as_slice);
            let next = self.advance(layer, slot, ground, examiner, width(place));
            layers.layers.push(next);
        }
        let better = layers.best_score() > before + LEAST_GAIN;
        if !better {
            layers.layers.truncate(from + 1);
            layers.layers.extend(old);
        }
        better
    }

    fn take(&self, place: usize, slot: &Slot<'_>, examiner: &mut Examiner<'_>) -> Ground {
        let costs = self.costs;
        let ink = examiner.take(place, slot.lattices);
        let passed = match ink {
            false => costs.blank_passed,
            true if examiner.is_a_move() => costs.ink_passed,
            true => costs.remark_passed,
        };
        let after_end = match ink {
            false => 0.0,
            true if examiner.looks_like_a_move() => costs.move_after_end,
            true if examiner.looks_like_a_scribble() => costs.scribble_after_end,
            true => costs.remark_after_end,
        };
        Ground {
            ink,
            passed,
            after_end,
        }
    }

    /// The layer after one more slot, which the examiner has taken.
    fn advance(
        &self,
        layer: &[Node],
        slot: &Slot<'_>,
        ground: Ground,
        examiner: &mut Examiner<'_>,
        width: Width,
    ) -> Vec<Node> {
        let mut offers = Offers {
            candidates: Vec::new(),
            best: f64::NEG_INFINITY,
            far: width.far,
        };
        for (parent, node) in layer.iter().enumerate() {
            let from = From {
                parent,
                skipped: None,
                score: node.score,
                weight: 0.0,
                shifted: node.shifted,
            };
            offers.push(from, Step::Passed, ground.passed, PASSED, node.shifted);
            let (moves, choice) = self.moves(&node.board, examiner);
            self.offer_moves(
                &mut offers,
                from,
                &node.board,
                (&moves, choice),
                slot,
                ground,
                examiner,
            );
            if !ground.ink || parent >= width.gaps {
                continue;
            }
            let left_out = self.costs.left_out + choice;
            for playable in moves.iter() {
                let mut board = node.board.clone();
                board.play_unchecked(playable.played);
                let from = From {
                    skipped: Some(playable.played),
                    weight: left_out,
                    ..from
                };
                let (replies, choice) = self.moves(&board, examiner);
                self.offer_moves(
                    &mut offers,
                    from,
                    &board,
                    (&replies, choice),
                    slot,
                    ground,
                    examiner,
                );
            }
        }
        select(layer, offers, width)
    }

    /// The legal moves of a position, or the one that is known, and the weight of choosing any.
    fn moves(&self, board: &Board, examiner: &mut Examiner<'_>) -> (Rc<[Playable]>, f64) {
        let moves = examiner.playable(board);
        let choice = -self.costs.choice * (moves.len().max(1) as f64).ln();
        let ply = half_moves(board) + 1;
        match self.locks.iter().find(|lock| lock.ply == ply) {
            Some(lock) => {
                let locked = |&&playable: &&Playable| examiner.legal(playable).san() == lock.san;
                (moves.iter().filter(locked).copied().collect(), choice)
            }
            None => (moves, choice),
        }
    }

    #[expect(clippy::too_many_arguments, reason = "the inner loop of the search")]
    fn offer_moves(
        &self,
        offers: &mut Offers,
        from: From,
        board: &Board,
        (moves, choice): (&[Playable], f64),
        slot: &Slot<'_>,
        ground: Ground,
        examiner: &mut Examiner<'_>,
    ) {
        let costs = self.costs;
        let blank = Fit {
            weight: costs.blank_move,
            shown: false,
        };
        let shifted = board.side_to_move() != slot.colour;
        let column = match (shifted, from.shifted) {
            (false, _) => 0.0,
            (true, false) => costs.wrong_column,
            (true, true) => costs.still_wrong_column,
        };
        let common = column + choice;
        for &playable in moves {
            let fit = if ground.ink {
                examiner.judge(playable)
            } else {
                blank
            };
            offers.push(
                from,
                Step::Played(playable.played),
                fit.weight + common,
                fit,
                shifted,
            );
        }
    }
}

/// The fit of a cell that stands for no move.
const PASSED: Fit = Fit {
    weight: 0.0,
    shown: false,
};

/// A search again has to gain this much to count.
const LEAST_GAIN: f64 = 1e-6;

/// Where a step starts from.
#[derive(Debug, Clone, Copy)]
struct From {
    parent: usize,
    skipped: Option<Move>,
    /// Of the parent.
    score: f64,
    /// Of the skipped move.
    weight: f64,
    shifted: bool,
}

/// The steps from one layer to the next that are not hopeless.
struct Offers {
    candidates: Vec<Candidate>,
    best: f64,
    far: f64,
}

impl Offers {
    fn push(&mut self, from: From, step: Step, weight: f64, fit: Fit, shifted: bool) {
        let weight = from.weight + weight;
        let score = from.score + weight;
        self.best = self.best.max(score);
        if score >= self.best - self.far {
            let edge = Edge {
                parent: from.parent,
                step,
                skipped: from.skipped,
                weight,
                shown: fit.shown,
                fit: fit.weight,
            };
            self.candidates.push(Candidate {
                score,
                shifted,
                edge,
            });
        }
    }
}

/// Ways looked at for each position kept, at most.
const CANDIDATES_PER_POSITION: usize = 4;

/// Half-moves played up to a position.
fn half_moves(board: &Board) -> u32 {
    u32::from(board.fullmove_number()) * 2 - 2 + u32::from(board.side_to_move() == Color::Black)
}

/// Keeps the best positions; ways to the same position meet in one node.
fn select(layer: &[Node], offers: Offers, width: Width) -> Vec<Node> {
    let Offers {
        mut candidates,
        best,
        far,
    } = offers;
    candidates.retain(|candidate| candidate.score >= best - far);
    // Equal scores always fall the same way, for candidates come in a fixed order.
    let mut order: Vec<(f64, usize)> = candidates
        .iter()
        .enumerate()
        .map(|(place, candidate)| (candidate.score, place))
        .collect();
    let descending = |a: &(f64, usize), b: &(f64, usize)| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1));
    let most = width.wide * CANDIDATES_PER_POSITION;
    if order.len() > most {
        order.select_nth_unstable_by(most, descending);
        order.truncate(most);
    }
    order.sort_unstable_by(descending);
    let mut next: Vec<Node> = Vec::with_capacity(width.beam);
    let mut places: HashMap<u64, usize> = HashMap::new();
    for (score, place) in order {
        let Candidate { shifted, edge, .. } = candidates[place];
        let limit = if score >= best - NEAR {
            width.wide
        } else {
            width.beam
        };
        let full = next.len() >= limit;
        // Ways that only add to nodes already kept are worth playing out for the alternatives' probabilities, but not without end.
        if full && next.len() >= width.wide {
            break;
        }
        let mut board = layer[edge.parent].board.clone();
        if let Some(skipped) = edge.skipped {
            board.play_unchecked(skipped);
        }
        if let Step::Played(played) = edge.step {
            board.play_unchecked(played);
        }
        match places.get(&board.hash()) {
            Some(&place) => next[place].edges.push(edge),
            None if full => {}
            None => {
                places.insert(board.hash(), next.len());
                next.push(Node {
                    board,
                    score,
                    shifted,
                    edges: vec![edge],
                });
            }
        }
    }
    next
}

/// Weight of the game's end before each cell and after the last one.
fn end_weights(grounds: &[Ground], costs: &Costs) -> Vec<f64> {
    let mut ends = vec![0.0; grounds.len() + 1];
    let mut after = 0.0;
    for (place, ground) in grounds.iter().enumerate().rev() {
        after += ground.after_end;
        ends[place] = after
            + if ground.ink {
                costs.end_before_ink
            } else {
                0.0
            };
    }
    ends
}

impl Layers {
    /// The best whole game: one node's index per layer, from the start to the layer after which the game ends.
    pub(crate) fn best_path(&self) -> Vec<usize> {
        let mut best = (f64::NEG_INFINITY, 0, 0);
        for (depth, (layer, end)) in self.layers.iter().zip(&self.ends).enumerate() {
            for (index, node) in layer.iter().enumerate() {
                // The later end wins where two are equal.
                if node.score + end >= best.0 {
                    best = (node.score + end, depth, index);
                }
            }
        }
        let (_, depth, mut index) = best;
        let mut path = vec![index];
        for layer in self.layers[1..=depth].iter().rev() {
            index = layer[index].edges[0].parent;
            path.push(index);
        }
        path.reverse();
        path
    }

    /// The edges of the best whole game, in order.
    pub(crate) fn best_path_edges(&self) -> impl Iterator<Item = &Edge> {
        self.best_path()
            .into_iter()
            .enumerate()
            .skip(1)
            .map(|(depth, index)| &self.layers[depth][index].edges[0])
    }

    /// Weight of the best whole game.
    pub(crate) fn best_score(&self) -> f64 {
        self.layers
            .iter()
            .zip(&self.ends)
            .flat_map(|(layer, end)| layer.iter().map(move |node| node.score + end))
            .fold(f64::NEG_INFINITY, f64::max)
    }
}
