//! Beam search over positions: layer after layer of half-moves.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::hash::{BuildHasher, Hash, Hasher};

use cozy_chess::{Board, Color, Move};

use crate::copies::{Copies, DETOURS, Heads, MOST_COPIES, Passage, Way, Ways};
use crate::costs::Costs;
use crate::evidence::{Examiner, Fit, Part};
use crate::locks::Lock;
use crate::repertoire::{Mixing, Position};

/// How wide the search goes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Width {
    /// Positions kept in a layer.
    pub beam: usize,
    /// Positions kept where more are about as good as the best: after ink that says nothing, the next cells have to tell.
    pub wide: usize,
    /// Weights lower than the best of their layer by more than this are dropped.
    pub far: f64,
    /// Weights lower than this are dropped, too.
    pub least: f64,
    /// Positions, the best of a layer, from which detours are tried though the usual way fits.
    pub detours: usize,
}

impl Width {
    /// The width by which a game is looked for: up to so many positions.
    pub(crate) fn narrow(beam: usize) -> Self {
        Self {
            beam: beam.div_ceil(NARROWER),
            ..Self::full(beam)
        }
    }

    /// The width where the thread may be lost.
    pub(crate) fn full(beam: usize) -> Self {
        let beam = beam.max(1);
        Self {
            beam,
            wide: beam * 10,
            far: 17.0,
            least: f64::NEG_INFINITY,
            detours: 0,
        }
    }
}

/// How much fewer positions are kept as long as no trouble is known: those about as good as the best, and few others.
const NARROWER: usize = 4;

/// What counts as about as good as the best.
const NEAR: f64 = 7.0;

/// One way to reach a position from one of the layer before.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Edge {
    /// Index in the layer before.
    pub parent: usize,
    pub played: Move,
    /// How each copy accounts for the move.
    pub ways: Ways,
    /// Natural log weight.
    pub weight: f64,
    /// Whether the ink of any copy shows the move.
    pub shown: bool,
    /// Part of the ink in the weight.
    pub fit: f64,
}

impl Edge {
    /// Whether each copy that has a next cell accounts for the move by it.
    pub(crate) fn is_usual(&self) -> bool {
        let usual = |way: &Way| matches!(way, Way::Take | Way::Absent);
        self.ways.iter().all(usual)
    }
}

/// A position after some moves, and how far the copies are read.
pub(crate) struct Node {
    pub board: Board,
    pub heads: Heads,
    /// Weight of the best way from the start.
    pub score: f64,
    /// Weight of the game's end here.
    pub end: f64,
    /// Moves shown by the ink since the best way left the usual one.
    pub proof: u8,
    /// All ways that survived, the best first. Empty for the start.
    pub edges: Vec<Edge>,
}

/// The positions reached after each number of half-moves.
pub(crate) struct Layers {
    pub layers: Vec<Vec<Node>>,
}

/// Steps from a node on that are followed to their end, however bad they look at first.
pub(crate) struct Guide {
    /// The layer that it starts from, and the node there.
    pub layer: usize,
    pub node: usize,
    pub steps: Vec<(Move, Ways)>,
}

/// What the ways of all copies come to for a move from some heads.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Plan {
    pub heads: Heads,
    /// Cells with ink that the move is to stand in.
    cells: [Option<(usize, Part)>; MOST_COPIES],
    /// Natural log weight, ink and choice of the move not counted.
    pub weight: f64,
}

/// A move that can be played, weighed by a plan.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Choice {
    pub played: Move,
    /// Natural log weight of the step.
    pub weight: f64,
    pub fit: Fit,
}

/// The cells of the copies and what is charged for them.
pub(crate) struct Search<'a> {
    pub copies: &'a Copies<'a>,
    pub locks: &'a [Lock],
    pub costs: &'a Costs,
}

impl Search<'_> {
    /// Searches all copies from the start position, as long as the best positions after some half-moves are not `hopeless`, which is told their number and weight.
    pub(crate) fn run(
        &self,
        examiner: &mut Examiner<'_>,
        width: Width,
        hopeless: impl Fn(usize, f64) -> bool,
    ) -> Layers {
        let mut layers = Layers {
            layers: vec![vec![self.node(
                Board::default(),
                Heads::default(),
                0.0,
                PROVED,
            )]],
        };
        let hopeless = |layers: &Layers| {
            let depth = layers.layers.len() - 1;
            hopeless(depth, best_of(&layers.layers[depth]))
        };
        self.go_on(&mut layers, examiner, |_| width, &[], hopeless);
        layers
    }

    /// Searches from the layer `from` on again with guides and the width that is given for each layer. Puts the old layers back where nothing better is found: in the end, or already
    /// after the layer `settled`.
    pub(crate) fn run_again(
        &self,
        layers: &mut Layers,
        from: usize,
        examiner: &mut Examiner<'_>,
        width: impl Fn(usize) -> Width,
        guides: &[Guide],
        settled: usize,
    ) -> bool {
        let before = layers.best_score();
        let old = layers.layers.split_off(from + 1);
        let hopeless = |layers: &Layers| {
            let depth = layers.layers.len() - 1;
            let known = depth.checked_sub(from + 1).and_then(|place| old.get(place));
            depth == settled
                && known.is_some_and(|known| {
                    best_of(&layers.layers[depth]) <= best_of(known) + LEAST_GAIN
                })
        };
        self.go_on(layers, examiner, width, guides, hopeless);
        let better = layers.best_score() > before + LEAST_GAIN;
        if !better {
            layers.layers.truncate(from + 1);
            layers.layers.extend(old);
        }
        better
    }

    /// Adds layers to the last one until all copies are read, or there is no hope.
    fn go_on(
        &self,
        layers: &mut Layers,
        examiner: &mut Examiner<'_>,
        width: impl Fn(usize) -> Width,
        guides: &[Guide],
        hopeless: impl Fn(&Layers) -> bool,
    ) {
        let mut guided: Vec<Option<usize>> = guides.iter().map(|guide| Some(guide.node)).collect();
        while layers.layers.len() <= self.copies.longest() + MOST_LEFT_OUT {
            let depth = layers.layers.len() - 1;
            let layer = &layers.layers[depth];
            let width = width(depth);
            let offers = self.offers(layer, examiner, width);
            let mut next = self.select(layer, offers, width);
            for (guide, at) in guides.iter().zip(&mut guided) {
                if let (Some(node), Some(step)) = (*at, depth.checked_sub(guide.layer)) {
                    *at = guide
                        .steps
                        .get(step)
                        .and_then(|&step| self.follow(layer, node, step, &mut next, examiner));
                }
            }
            if next.is_empty() {
                break;
            }
            layers.layers.push(next);
            if hopeless(layers) {
                break;
            }
        }
    }

    /// The steps from a layer that are worth looking at.
    fn offers(&self, layer: &[Node], examiner: &mut Examiner<'_>, width: Width) -> Offers {
        let mut offers = Offers {
            candidates: Vec::new(),
            best: f64::NEG_INFINITY,
            far: width.far,
            least: width.least,
        };
        let highest = layer.first().map_or(0.0, |node| node.score);
        for (parent, node) in layer.iter().enumerate() {
            if self.is_done(&node.heads) {
                continue;
            }
            let usual = self.usual_ways(&node.heads);
            let fit = self.offer(&mut offers, (parent, node), usual, examiner);
            let in_trouble =
                fit < self.costs.contrary && node.score >= highest - NEAR && parent < MOST_DETOURS;
            if !in_trouble && parent >= width.detours {
                continue;
            }
            for copy in 0..self.copies.len() {
                if usual[copy] == Way::Absent {
                    continue;
                }
                for way in DETOURS {
                    let mut ways = usual;
                    ways[copy] = way;
                    self.offer(&mut offers, (parent, node), ways, examiner);
                }
            }
        }
        offers
    }

    pub(crate) fn is_done(&self, heads: &Heads) -> bool {
        (0..self.copies.len()).all(|copy| self.copies.is_done(copy, &heads[copy]))
    }

    /// The ways that are tried for every move: the next cell of each copy that has one.
    pub(crate) fn usual_ways(&self, heads: &Heads) -> Ways {
        let mut ways = [Way::Absent; MOST_COPIES];
        for copy in 0..self.copies.len() {
            if !self.copies.is_done(copy, &heads[copy]) {
                ways[copy] = Way::Take;
            }
        }
        ways
    }

    /// Offers all moves of a node in one way for each copy. Returns the best fit; minus infinity where the ways are not possible or there is no ink.
    fn offer(
        &self,
        offers: &mut Offers,
        (parent, node): (usize, &Node),
        ways: Ways,
        examiner: &mut Examiner<'_>,
    ) -> f64 {
        let side = node.board.side_to_move();
        let Some(plan) = self.plan(&node.heads, side, &ways) else {
            return f64::NEG_INFINITY;
        };
        let least = offers.floor() - node.score;
        if plan.weight < least {
            return f64::NEG_INFINITY;
        }
        let position = examiner.position(&node.board);
        let mut best = f64::NEG_INFINITY;
        for choice in self.weigh(&plan, &node.board, &position, least, examiner) {
            best = best.max(choice.fit.weight);
            offers.push(
                node.score + choice.weight,
                Edge {
                    parent,
                    played: choice.played,
                    ways,
                    weight: choice.weight,
                    shown: choice.fit.shown,
                    fit: choice.fit.weight,
                },
            );
        }
        if plan.cells.iter().flatten().next().is_none() {
            return f64::NEG_INFINITY;
        }
        best
    }

    /// The legal moves of a position, or the one that is known, weighed by a plan. What people play is looked up only where the best of them may weigh `least`.
    pub(crate) fn weigh(
        &self,
        plan: &Plan,
        board: &Board,
        position: &Position,
        least: f64,
        examiner: &mut Examiner<'_>,
    ) -> Vec<Choice> {
        let mut choices = Vec::with_capacity(position.moves.len());
        let mut best = f64::NEG_INFINITY;
        for &playable in &position.moves {
            let mut fit = Fit {
                weight: 0.0,
                shown: false,
            };
            for &(place, part) in plan.cells.iter().flatten() {
                let of_copy = examiner.judge(place, part, playable);
                fit.weight += of_copy.weight;
                fit.shown |= of_copy.shown;
            }
            let weight = plan.weight + fit.weight;
            best = best.max(weight);
            choices.push(Choice {
                played: playable.played,
                weight,
                fit,
            });
        }
        if best >= least {
            let chances = examiner.chances(board, position);
            for (choice, &chance) in choices.iter_mut().zip(chances) {
                choice.weight += self.costs.choice * f64::from(chance);
            }
        }
        let ply = half_moves(board) + 1;
        if let Some(lock) = self.locks.iter().find(|lock| lock.ply() == ply) {
            let known = lock.moves(board);
            choices.retain(|choice| known.iter().any(|legal| legal.played == choice.played));
        }
        choices
    }

    /// What the ways of all copies come to; none where one of them is not possible.
    pub(crate) fn plan(&self, heads: &Heads, side: Color, ways: &Ways) -> Option<Plan> {
        let mut plan = Plan {
            heads: *heads,
            cells: [None; MOST_COPIES],
            weight: 0.0,
        };
        for copy in 0..self.copies.len() {
            let passage = self
                .copies
                .passage(copy, heads[copy], side, ways[copy], self.costs)?;
            plan.heads[copy] = passage.head;
            plan.weight += passage.weight;
            match passage.taken {
                Some((place, _)) if !self.copies.has_ink(place) => {
                    plan.weight += self.costs.blank_move;
                }
                taken => plan.cells[copy] = taken,
            }
        }
        Some(plan)
    }

    /// The ways of all copies, with the cells that they pass.
    pub(crate) fn passages(
        &self,
        heads: &Heads,
        side: Color,
        ways: &Ways,
    ) -> impl Iterator<Item = Passage> {
        (0..self.copies.len()).filter_map(move |copy| {
            self.copies
                .passage(copy, heads[copy], side, ways[copy], self.costs)
        })
    }

    /// Takes one step of a guide. Returns the node that it comes to.
    fn follow(
        &self,
        layer: &[Node],
        parent: usize,
        (played, ways): (Move, Ways),
        next: &mut Vec<Node>,
        examiner: &mut Examiner<'_>,
    ) -> Option<usize> {
        let node = &layer[parent];
        let plan = self.plan(&node.heads, node.board.side_to_move(), &ways)?;
        let position = examiner.position(&node.board);
        let choice = self
            .weigh(&plan, &node.board, &position, f64::NEG_INFINITY, examiner)
            .into_iter()
            .find(|choice| choice.played == played)?;
        let edge = Edge {
            parent,
            played,
            ways,
            weight: choice.weight,
            shown: choice.fit.shown,
            fit: choice.fit.weight,
        };
        let mut board = node.board.clone();
        board.play_unchecked(played);
        let child = self.child(node, edge, board, plan.heads);
        let same =
            |known: &Node| known.board.hash() == child.board.hash() && known.heads == child.heads;
        match next.iter().position(same) {
            // The way is there already, or is worse than those that are.
            Some(place) => Some(place),
            None => {
                next.push(child);
                Some(next.len() - 1)
            }
        }
    }

    /// The node that an edge leads to, with its position and heads.
    fn child(&self, parent: &Node, edge: Edge, board: Board, heads: Heads) -> Node {
        let proof = match (edge.is_usual(), edge.shown) {
            (false, shown) => u8::from(shown),
            (true, true) => parent.proof.saturating_add(1),
            (true, false) => parent.proof,
        };
        let mut node = self.node(board, heads, parent.score + edge.weight, proof);
        node.edges.push(edge);
        node
    }

    fn node(&self, board: Board, heads: Heads, score: f64, proof: u8) -> Node {
        let mut end = self.copies.end_weight(&heads, self.costs);
        if proof < PROVED {
            end += self.costs.unproved;
        }
        Node {
            board,
            heads,
            score,
            end,
            proof,
            edges: Vec::new(),
        }
    }

    /// Keeps the best positions; ways to the same position meet in one node.
    fn select(&self, layer: &[Node], offers: Offers, width: Width) -> Vec<Node> {
        let floor = offers.floor();
        let Offers {
            mut candidates,
            best,
            ..
        } = offers;
        candidates.retain(|candidate| candidate.score >= floor);
        // Equal scores always fall the same way, for candidates come in a fixed order.
        let mut order: Vec<(f64, usize)> = candidates
            .iter()
            .enumerate()
            .map(|(place, candidate)| (candidate.score, place))
            .collect();
        let descending =
            |a: &(f64, usize), b: &(f64, usize)| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1));
        let most = width.wide * CANDIDATES_PER_POSITION;
        if order.len() > most {
            order.select_nth_unstable_by(most, descending);
            order.truncate(most);
        }
        order.sort_unstable_by(descending);
        let mut next: Vec<Node> = Vec::with_capacity(width.beam);
        let mut places: HashMap<u64, usize, Mixing> = HashMap::default();
        for (score, place) in order {
            let edge = candidates[place].edge;
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
            let parent = &layer[edge.parent];
            let Some(plan) = self.plan(&parent.heads, parent.board.side_to_move(), &edge.ways)
            else {
                continue;
            };
            let mut board = parent.board.clone();
            board.play_unchecked(edge.played);
            match places.entry(node_key(&board, &plan.heads)) {
                Entry::Occupied(known) => next[*known.get()].edges.push(edge),
                Entry::Vacant(_) if full => {}
                Entry::Vacant(free) => {
                    free.insert(next.len());
                    next.push(self.child(parent, edge, board, plan.heads));
                }
            }
        }
        next
    }
}

/// Moves beyond the length of the sheet, at most.
const MOST_LEFT_OUT: usize = 40;

/// A search again has to gain this much to count.
const LEAST_GAIN: f64 = 1e-6;

/// Positions of a layer from which detours are tried, at most.
const MOST_DETOURS: usize = 32;

/// Moves that the ink has to show after a detour before it counts as proved.
const PROVED: u8 = 4;

/// The steps from one layer to the next that are not hopeless.
struct Offers {
    candidates: Vec<Candidate>,
    best: f64,
    far: f64,
    least: f64,
}

#[derive(Clone, Copy)]
struct Candidate {
    score: f64,
    edge: Edge,
}

impl Offers {
    /// The least score that counts.
    fn floor(&self) -> f64 {
        (self.best - self.far).max(self.least)
    }

    fn push(&mut self, score: f64, edge: Edge) {
        self.best = self.best.max(score);
        if score >= self.floor() {
            self.candidates.push(Candidate { score, edge });
        }
    }
}

/// Ways looked at for each position kept, at most.
const CANDIDATES_PER_POSITION: usize = 4;

/// Half-moves played up to a position.
fn half_moves(board: &Board) -> u32 {
    u32::from(board.fullmove_number()) * 2 - 2 + u32::from(board.side_to_move() == Color::Black)
}

/// Tells nodes of one layer apart.
fn node_key(board: &Board, heads: &Heads) -> u64 {
    let mut hasher = Mixing::default().build_hasher();
    hasher.write_u64(board.hash());
    heads.hash(&mut hasher);
    hasher.finish()
}

/// The best score of a layer.
fn best_of(layer: &[Node]) -> f64 {
    let scores = layer.iter().map(|node| node.score);
    scores.fold(f64::NEG_INFINITY, f64::max)
}

impl Layers {
    /// The best whole game: one node's index per layer, from the start to the layer after which the game ends.
    pub(crate) fn best_path(&self) -> Vec<usize> {
        let mut best = (f64::NEG_INFINITY, 0, 0);
        for (depth, layer) in self.layers.iter().enumerate() {
            for (index, node) in layer.iter().enumerate() {
                // The later end wins where two are equal.
                if node.score + node.end >= best.0 {
                    best = (node.score + node.end, depth, index);
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

    /// Weight of the best position after each number of half-moves.
    pub(crate) fn best_scores(&self) -> impl Iterator<Item = f64> {
        self.layers.iter().map(|layer| best_of(layer))
    }

    /// Weight of the best whole game.
    pub(crate) fn best_score(&self) -> f64 {
        self.layers
            .iter()
            .flatten()
            .map(|node| node.score + node.end)
            .fold(f64::NEG_INFINITY, f64::max)
    }
}
