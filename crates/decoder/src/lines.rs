//! Lines beside the best one that get past a trouble.
//!
//! Each other step from the best line, some moves before the trouble, is played on quickly, one line each, past the trouble; the best of these lines guide another search.

use cozy_chess::{Board, Move};

use crate::copies::{DETOURS, Heads, MOST_COPIES, Way, Ways};
use crate::evidence::Examiner;
use crate::search::{Edge, Guide, Layers, Search};

/// Moves after a trouble up to which lines are played on.
pub(crate) const AHEAD: usize = 6;
/// Moves before a trouble from which on other steps are tried.
const BACK: usize = 16;
/// Moves before a trouble from which on detours are tried.
const DETOURS_BACK: usize = 6;
/// Guides of one search.
const MOST_GUIDES: usize = 8;
/// What a move loses at most that the ink shows as usual.
const USUAL_LOSS: f64 = 2.0;
/// A line may lose so much less than usual.
const LUCK: f64 = 2.0;
/// Least fit of ink that clearly shows a move.
const CLEAR: f64 = -1.0;

/// What another line has to surpass: the score of the best game after some moves. Before that a line has to be the better, the more it is going to lose by usual moves.
pub(crate) struct Bar {
    /// After the last of the moves, or at the end of the game.
    score: f64,
    /// After each number of moves: what the best game loses by usual moves from there on.
    losses: Vec<f64>,
}

impl Bar {
    /// The bar after `until` moves.
    pub(crate) fn new(layers: &Layers, until: usize) -> Self {
        let path = layers.best_path();
        let reached = until.min(path.len() - 1);
        let node = &layers.layers[reached][path[reached]];
        let mut losses = vec![0.0; until + 1];
        for (depth, edge) in layers.best_path_edges().enumerate().take(until) {
            losses[depth] = match edge.shown && edge.is_usual() {
                true => (-edge.weight).min(USUAL_LOSS),
                false => 0.0,
            };
        }
        for depth in (0..until).rev() {
            losses[depth] += losses[depth + 1];
        }
        Self {
            score: node.score + if reached < until { node.end } else { 0.0 },
            losses,
        }
    }

    /// What is to be surpassed after a number of moves; none behind the bar.
    pub(crate) fn after(&self, moves: usize) -> Option<f64> {
        Some(self.score + self.losses.get(moves)?)
    }

    /// What a line with some luck is going to lose by usual moves after a number of them.
    fn least_loss_after(&self, moves: usize) -> f64 {
        let loss = self.losses.get(moves).copied().unwrap_or(0.0);
        (loss - LUCK).max(0.0)
    }
}

/// The lines beside the best one that get past the trouble best.
pub(crate) fn guides(
    search: &Search<'_>,
    layers: &Layers,
    trouble: usize,
    examiner: &mut Examiner<'_>,
) -> Vec<Guide> {
    let path = layers.best_path();
    let best_line: Vec<&Edge> = layers.best_path_edges().collect();
    let until = trouble + AHEAD;
    let bar = Bar::new(layers, until);
    let best_heads: Vec<Heads> = path
        .iter()
        .zip(&layers.layers)
        .map(|(&index, layer)| layer[index].heads)
        .collect();
    let track = Track {
        edges: &best_line,
        heads: &best_heads,
        bar: &bar,
    };
    let mut lines: Vec<Line> = Vec::new();
    let first = trouble.saturating_sub(BACK);
    for (layer, &index) in path.iter().enumerate().take(trouble + 1).skip(first) {
        let node = &layers.layers[layer][index];
        if search.is_done(&node.heads) {
            continue;
        }
        let start = Line {
            layer,
            board: node.board.clone(),
            heads: node.heads,
            score: node.score,
            steps: Vec::new(),
        };
        let usual = search.usual_ways(&node.heads);
        let mut ways = vec![usual];
        if layer + DETOURS_BACK >= trouble {
            for copy in (0..search.copies.len()).filter(|&copy| usual[copy] != Way::Absent) {
                ways.extend(DETOURS.map(|way| {
                    let mut ways = usual;
                    ways[copy] = way;
                    ways
                }));
            }
        }
        for ways in ways {
            let Some(plan) = search.plan(&node.heads, node.board.side_to_move(), &ways) else {
                continue;
            };
            let loss = bar.least_loss_after(layer + 1);
            let least = to_surpass(&lines, &bar) + loss - node.score;
            if plan.weight <= least {
                continue;
            }
            let position = examiner.position(&node.board);
            for choice in search.weigh(&plan, &node.board, &position, least, examiner) {
                let is_best = best_line
                    .get(layer)
                    .is_some_and(|edge| edge.played == choice.played && edge.ways == ways);
                let least = to_surpass(&lines, &bar);
                let score = node.score + choice.weight;
                if is_best && layer < trouble || score <= least + loss {
                    continue;
                }
                let mut line = start.clone();
                line.step(choice.played, ways, plan.heads, choice.weight);
                if line.play_on(search, &track, until, least, examiner) {
                    keep(&mut lines, line);
                }
            }
        }
    }
    // All start from one node, along the best line.
    let Some(from) = lines.iter().map(|line| line.layer).min() else {
        return Vec::new();
    };
    lines
        .into_iter()
        .map(|line| {
            let along = best_line[from..line.layer].iter();
            let along = along.map(|edge| (edge.played, edge.ways));
            Guide {
                layer: from,
                node: path[from],
                steps: along.chain(line.steps).collect(),
            }
        })
        .collect()
}

/// The score that a further line has to surpass.
fn to_surpass(lines: &[Line], bar: &Bar) -> f64 {
    match lines.first() {
        Some(worst) if lines.len() == MOST_GUIDES => worst.score.max(bar.score),
        _ => bar.score,
    }
}

/// The best line, from the start.
struct Track<'a> {
    edges: &'a [&'a Edge],
    /// Before each move, and at the end.
    heads: &'a [Heads],
    bar: &'a Bar,
}

impl Track<'_> {
    /// The move of the best line after as many moves, where the same cell comes next and clearly shows it.
    fn clear_move(&self, depth: usize, heads: &Heads) -> Option<&Edge> {
        let edge = *self.edges.get(depth)?;
        (self.heads[depth] == *heads && edge.shown && edge.fit >= CLEAR).then_some(edge)
    }
}

/// One game from a node of the best line on.
#[derive(Clone)]
struct Line {
    layer: usize,
    board: Board,
    heads: Heads,
    score: f64,
    steps: Vec<(Move, Ways)>,
}

impl Line {
    fn step(&mut self, played: Move, ways: [Way; MOST_COPIES], heads: Heads, weight: f64) {
        self.board.play_unchecked(played);
        self.heads = heads;
        self.score += weight;
        self.steps.push((played, ways));
    }

    /// Plays the best-fitting moves up to a depth, as long as the score may stay above `least` there; returns whether it does. Cells that clearly show a move of the best line are not asked again where it is legal.
    fn play_on(
        &mut self,
        search: &Search<'_>,
        track: &Track<'_>,
        until: usize,
        least: f64,
        examiner: &mut Examiner<'_>,
    ) -> bool {
        loop {
            let depth = self.layer + self.steps.len();
            if self.score <= least + track.bar.least_loss_after(depth) {
                return false;
            }
            if depth >= until || search.is_done(&self.heads) {
                return true;
            }
            let ways = search.usual_ways(&self.heads);
            let side = self.board.side_to_move();
            if let Some(edge) = track
                .clear_move(depth, &self.heads)
                .filter(|edge| edge.ways == ways && self.board.is_legal(edge.played))
            {
                self.step(edge.played, ways, track.heads[depth + 1], edge.weight);
                continue;
            }
            let Some(plan) = search.plan(&self.heads, side, &ways) else {
                self.score += search.copies.end_weight(&self.heads, search.costs);
                return self.score > least;
            };
            let least_step = least + track.bar.least_loss_after(depth + 1) - self.score;
            if plan.weight <= least_step {
                return false;
            }
            let position = examiner.position(&self.board);
            let best = search
                .weigh(&plan, &self.board, &position, least_step, examiner)
                .into_iter()
                .max_by(|a, b| a.weight.total_cmp(&b.weight));
            match best {
                Some(best) => self.step(best.played, ways, plan.heads, best.weight),
                None => {
                    self.score += search.copies.end_weight(&self.heads, search.costs);
                    return self.score > least;
                }
            }
        }
    }
}

/// Keeps the best lines, the worst of them first.
fn keep(lines: &mut Vec<Line>, line: Line) {
    if lines.len() == MOST_GUIDES {
        lines.remove(0);
    }
    let place = lines.partition_point(|known| known.score < line.score);
    lines.insert(place, line);
}
