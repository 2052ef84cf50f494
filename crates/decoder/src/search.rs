//! Beam search over positions: layer after layer of half-move cells.

use std::collections::HashMap;

use cozy_chess::{Board, Color, Move};
use scoresheet_notation::{Lattice, LegalMove};

use crate::costs::Costs;
use crate::evidence::{Examiner, Fit};

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
}

/// Weights lower than the best of their layer by more than this are dropped.
const FAR: f64 = 22.0;
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
    /// Natural log weight.
    pub weight: f64,
    /// Whether the ink shows the move.
    pub shown: bool,
}

/// A position after some cells.
pub(crate) struct Node {
    pub board: Board,
    /// Weight of the best way from the start.
    pub score: f64,
    /// All ways that survived, the best first. Empty for the start.
    pub edges: Vec<Edge>,
}

/// The positions reached after each number of cells, from none to all.
pub(crate) struct Layers {
    pub layers: Vec<Vec<Node>>,
    /// Weight of the game's end after each number of cells.
    pub ends: Vec<f64>,
}

struct Candidate {
    score: f64,
    edge: Edge,
}

/// Searches all slots from the start position.
pub(crate) fn search(
    slots: &[Slot<'_>],
    examiner: &mut Examiner<'_>,
    costs: &Costs,
    width: Width,
) -> Layers {
    let mut layers = vec![vec![Node {
        board: Board::default(),
        score: 0.0,
        edges: Vec::new(),
    }]];
    let mut passing = Vec::with_capacity(slots.len());
    let blank = Fit {
        weight: costs.blank_move,
        shown: false,
    };
    for slot in slots {
        let ink = examiner.take(slot.lattices);
        let passed = match ink {
            false => costs.blank_passed,
            true if examiner.looks_like_a_move() => costs.ink_passed,
            true => costs.remark_passed,
        };
        passing.push((ink, passed));
        let mut candidates = Vec::new();
        let mut best = f64::NEG_INFINITY;
        let layer = layers.last().map_or(&[][..], Vec::as_slice);
        for (parent, node) in layer.iter().enumerate() {
            let mut offer = |step, weight: f64, shown| {
                let score = node.score + weight;
                best = best.max(score);
                if score >= best - FAR {
                    let edge = Edge {
                        parent,
                        step,
                        weight,
                        shown,
                    };
                    candidates.push(Candidate { score, edge });
                }
            };
            offer(Step::Passed, passed, false);
            let moves = LegalMove::all(&node.board);
            let mut common = -costs.choice * (moves.len().max(1) as f64).ln();
            if node.board.side_to_move() != slot.colour {
                common += costs.wrong_column;
            }
            for legal in &moves {
                let fit = if ink { examiner.judge(legal) } else { blank };
                offer(Step::Played(legal.played), fit.weight + common, fit.shown);
            }
        }
        let next = select(layer, candidates, best, width);
        layers.push(next);
    }
    Layers {
        ends: end_weights(&passing, costs),
        layers,
    }
}

/// Keeps the best positions; ways to the same position meet in one node.
fn select(layer: &[Node], mut candidates: Vec<Candidate>, best: f64, width: Width) -> Vec<Node> {
    candidates.retain(|candidate| candidate.score >= best - FAR);
    // The sort is stable and candidates come in a fixed order, so that equal scores always fall the same way.
    candidates.sort_by(|a, b| b.score.total_cmp(&a.score));
    let mut next: Vec<Node> = Vec::with_capacity(width.beam);
    let mut places: HashMap<u64, usize> = HashMap::new();
    for Candidate { score, edge } in candidates {
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
                    edges: vec![edge],
                });
            }
        }
    }
    next
}

/// Weight of the game's end before each cell and after the last one, given for each cell whether it has ink and the weight of passing it.
fn end_weights(passing: &[(bool, f64)], costs: &Costs) -> Vec<f64> {
    let mut ends = vec![0.0; passing.len() + 1];
    let mut after = 0.0;
    let mut ink_follows = false;
    for (place, &(ink, passed)) in passing.iter().enumerate().rev() {
        if ink {
            ink_follows = true;
            after += passed;
        }
        ends[place] = after
            + if ink_follows {
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
