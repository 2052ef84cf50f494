//! The way of a text through the positions that it can mean, in one language and system.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use cozy_chess::{Board, Color, File};

use crate::LegalMove;
use crate::game_text::GameText;
use crate::interpret::Interpreter;
use crate::reason::Reason;

/// Positions kept after each move, for texts that several moves fit.
const BEAM_WIDTH: usize = 24;
/// Other ways through a text that are told.
const MOST_WAYS: usize = 64;
/// Two games whose costs are no further apart are equally likely to be meant.
pub(crate) const CLEAR: f32 = 0.9;

/// A legal move and what is unusual about its text.
#[derive(Debug, Clone, PartialEq)]
pub struct ReadMove {
    /// The move.
    pub legal: LegalMove,
    /// What is unusual about the text; see [`Reason::is_slip`].
    pub reasons: Vec<Reason>,
    /// Other legal moves that the text can mean as well, and with which the rest of the text is as good a game.
    pub others: Vec<LegalMove>,
}

/// The legal moves of a text in one language.
#[derive(Debug, Clone)]
pub(crate) struct Trace {
    pub path: Vec<ReadMove>,
    pub cost: f32,
    /// Why it ends before the text does; the move after the path.
    pub stop: Option<Stop>,
}

#[derive(Debug, Clone)]
pub(crate) enum Stop {
    NoMove,
    Missing(Color),
}

impl Trace {
    /// Whole games first, then longer ones, then cheaper ones.
    pub(crate) fn rank(&self, other: &Self) -> std::cmp::Ordering {
        let key = |trace: &Self| (trace.stop.is_some(), std::cmp::Reverse(trace.path.len()));
        key(self)
            .cmp(&key(other))
            .then(self.cost.total_cmp(&other.cost))
    }

    pub(crate) fn same_game(&self, other: &Self) -> bool {
        self.path.len() == other.path.len()
            && self
                .path
                .iter()
                .zip(&other.path)
                .all(|(a, b)| a.legal == b.legal)
    }
}

/// A position on the way through a text.
struct Node {
    board: Board,
    cost: f32,
    parent: usize,
    /// None for the start.
    last: Option<ReadMove>,
    /// Another way to the same position that costs about the same.
    twin: Option<usize>,
}

/// Follows a text through all positions that it can mean. Where several moves fit, the moves after them decide.
pub(crate) fn trace(game: &GameText, start: &Board, interpreter: &Interpreter) -> Trace {
    let mut nodes = vec![Node {
        board: start.clone(),
        cost: 0.0,
        parent: 0,
        last: None,
        twin: None,
    }];
    let mut layer = vec![0];
    let mut stop = None;
    for written in &game.moves {
        let side = nodes[layer[0]].board.side_to_move();
        if let Some(colour) = written.colour.filter(|&colour| colour != side) {
            stop = Some(Stop::Missing(colour));
            break;
        }
        let next = next_layer(&mut nodes, &layer, &written.plain, interpreter);
        if next.is_empty() {
            stop = Some(Stop::NoMove);
            break;
        }
        layer = next;
    }
    let best = layer[0];
    let mut path: Vec<ReadMove> = path_to(&nodes, best)
        .into_iter()
        .filter_map(|node| nodes[node].last.clone())
        .collect();
    tell_others(&nodes, &layer, &mut path);
    Trace {
        path,
        cost: nodes[best].cost,
        stop,
    }
}

/// The positions after one more move, the cheapest first.
fn next_layer(
    nodes: &mut Vec<Node>,
    layer: &[usize],
    text: &str,
    interpreter: &Interpreter,
) -> Vec<usize> {
    let mut reached: HashMap<u64, usize> = HashMap::new();
    for &parent in layer {
        let moves = LegalMove::all(&nodes[parent].board);
        let mut meant = interpreter.interpret_among(&nodes[parent].board, &moves, text);
        // Where nothing else decides, the king's side is meant.
        let queenside = |legal: &LegalMove| {
            [legal.played.to, legal.played.from].map(|square| square.file() < File::E)
        };
        meant.sort_by(|a, b| {
            a.cost
                .total_cmp(&b.cost)
                .then_with(|| queenside(&a.legal).cmp(&queenside(&b.legal)))
        });
        for interpretation in meant {
            let mut board = nodes[parent].board.clone();
            board.play_unchecked(interpretation.legal.played);
            let cost = nodes[parent].cost + interpretation.cost;
            let hash = board.hash();
            let made = nodes.len();
            nodes.push(Node {
                board,
                cost,
                parent,
                last: Some(ReadMove {
                    legal: interpretation.legal,
                    reasons: interpretation.reasons,
                    others: Vec::new(),
                }),
                twin: None,
            });
            match reached.entry(hash) {
                Entry::Vacant(place) => {
                    place.insert(made);
                }
                Entry::Occupied(mut place) => {
                    let known = *place.get();
                    let (kept, other) = if cost < nodes[known].cost {
                        (made, known)
                    } else {
                        (known, made)
                    };
                    if nodes[other].cost < nodes[kept].cost + CLEAR {
                        nodes[kept].twin = Some(other);
                    }
                    place.insert(kept);
                }
            }
        }
    }
    let mut next: Vec<usize> = reached.into_values().collect();
    next.sort_by(|&a, &b| nodes[a].cost.total_cmp(&nodes[b].cost).then(a.cmp(&b)));
    next.truncate(BEAM_WIDTH);
    next
}

/// The nodes after the start on the way to a node.
fn path_to(nodes: &[Node], mut node: usize) -> Vec<usize> {
    let mut path = Vec::new();
    while nodes[node].last.is_some() {
        path.push(node);
        node = nodes[node].parent;
    }
    path.reverse();
    path
}

/// Adds to the moves of the best way what other ways through the text, which cost about the same, have in their place.
fn tell_others(nodes: &[Node], layer: &[usize], path: &mut [ReadMove]) {
    let best = path_to(nodes, layer[0]);
    let beside = layer[1..]
        .iter()
        .copied()
        .filter(|&other| nodes[other].cost < nodes[layer[0]].cost + CLEAR);
    let twins = best.iter().filter_map(|&node| nodes[node].twin);
    for other in twins.chain(beside).take(MOST_WAYS) {
        let way = path_to(nodes, other);
        let parting = way
            .iter()
            .zip(path.iter_mut())
            .filter_map(|(&node, read)| Some((nodes[node].last.as_ref()?.legal, read)))
            .find(|(legal, read)| *legal != read.legal);
        if let Some((legal, read)) = parting
            && !read.others.contains(&legal)
        {
            read.others.push(legal);
        }
    }
}
