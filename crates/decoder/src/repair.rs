//! Searching again with guides to lines that the beam has lost.
//!
//! Clear ink that cannot be played mostly means that the thread was lost some moves before: an earlier cell shows a move that was not played (a slip, a crossed-out move, a misreading), or
//! cells and moves are out of step. The true line fell out of the beam at once, because there all other moves of that position look as bad. Only the cells after it tell the true line.
//! So each other step from the best line, some moves before the trouble, is played on quickly, one line each, past the trouble; the best of these lines guide another search.

use cozy_chess::{Board, Move};

use crate::copies::{DETOURS, Heads, MOST_COPIES, Way, Ways};
use crate::evidence::Examiner;
use crate::search::{Edge, Guide, Layers, Search, Width};

/// Moves before a trouble from which on other steps are tried.
const BACK: usize = 16;
/// Moves before a trouble from which on detours are tried.
const DETOURS_BACK: usize = 6;
/// Moves after a trouble up to which lines are played on.
const AHEAD: usize = 6;
/// Guides of one search.
const MOST_GUIDES: usize = 8;
/// Troubles looked into.
const MOST_TROUBLES: usize = 12;
/// Moves within which troubles belong together, and how many of them mean that the thread is lost.
const TOGETHER: usize = 20;
const LOST: usize = 3;
/// Moves before and after a trouble between which the search is wide where the thread is lost; how much wider it is, and how far below the best a position may be.
const WIDE_BACK: usize = 12;
const WIDE_AHEAD: usize = 8;
const FACTOR: usize = 8;
const LOST_FACTOR: usize = 20;
const WIDE_DETOURS: usize = 6;
const FAR: f64 = 30.0;
/// Wide searches drop what weighs less than the best game does at the end of the width, by more than this.
const MARGIN: f64 = 8.0;
/// Moves after the end of a search's width or guides after which it must have come to something better to go on.
const SETTLED: usize = 12;
/// Least fit of ink that clearly shows a move.
const CLEAR: f64 = -1.0;
/// Weight of the end with ink like moves after it, from which on it is a trouble.
const LEAST_LOSS: f64 = 0.5;

/// Searches again for each trouble of the best game, in order, and keeps what is better.
pub(crate) fn repair(
    search: &Search<'_>,
    layers: &mut Layers,
    examiner: &mut Examiner<'_>,
    width: Width,
) {
    let wider = |factor: usize| Width {
        beam: width.beam * factor,
        wide: (width.beam * factor).max(width.wide),
        far: FAR,
        least: f64::NEG_INFINITY,
        detours: WIDE_DETOURS,
    };
    let mut next = 0;
    // Wide searches that found nothing better cover the troubles close behind theirs.
    let mut searched = 0;
    for _ in 0..MOST_TROUBLES {
        let Some(trouble) = first_trouble(search, layers, next) else {
            return;
        };
        let guides = guides(search, layers, trouble, examiner);
        if let Some(from) = guides.iter().map(|guide| guide.layer).min() {
            let until = trouble + AHEAD + SETTLED;
            if search.run_again(layers, from, examiner, |_| width, &guides, until) {
                searched = 0;
            }
        }
        let troubles = troubles_from(search, layers, trouble);
        if troubles > 0 && trouble >= searched {
            let end = trouble + WIDE_AHEAD;
            let wider = Width {
                least: score_after(layers, end) - MARGIN,
                ..wider(if troubles < LOST { FACTOR } else { LOST_FACTOR })
            };
            let from = trouble.saturating_sub(WIDE_BACK);
            let inside = |layer| if layer < end { wider } else { width };
            let better = search.run_again(layers, from, examiner, inside, &[], end + SETTLED);
            searched = if better { 0 } else { end };
        }
        next = trouble + 1;
    }
}

/// What has to be surpassed: the score of the best game after as many moves, or with its end.
fn score_after(layers: &Layers, moves: usize) -> f64 {
    let path = layers.best_path();
    let reached = moves.min(path.len() - 1);
    let node = &layers.layers[reached][path[reached]];
    node.score + if reached < moves { node.end } else { 0.0 }
}

/// Troubles of the best game in the moves around one.
fn troubles_from(search: &Search<'_>, layers: &Layers, trouble: usize) -> usize {
    let path = layers.best_path();
    let end = path.len() - 1;
    let until = (trouble + TOGETHER).min(end);
    let unshown = (trouble.min(end)..until)
        .filter(|&layer| !layers.layers[layer + 1][path[layer + 1]].edges[0].shown)
        .count();
    let lost = until == end && is_lost(search, layers, &path);
    unshown + if lost { LOST } else { 0 }
}

/// Whether ink like moves is left after the end.
fn is_lost(search: &Search<'_>, layers: &Layers, path: &[usize]) -> bool {
    let end = path.len() - 1;
    layers.layers[end][path[end]].end
        < search.costs.end_before_ink + search.costs.move_after_end + LEAST_LOSS
}

/// The first layer from `from` on after which the best game does not account for the ink.
fn first_trouble(search: &Search<'_>, layers: &Layers, from: usize) -> Option<usize> {
    let path = layers.best_path();
    let end = path.len() - 1;
    let unshown = |&layer: &usize| !layers.layers[layer + 1][path[layer + 1]].edges[0].shown;
    (from..end)
        .find(unshown)
        .or_else(|| (end >= from && is_lost(search, layers, &path)).then_some(end))
}

/// The lines beside the best one that get past the trouble best.
fn guides(
    search: &Search<'_>,
    layers: &Layers,
    trouble: usize,
    examiner: &mut Examiner<'_>,
) -> Vec<Guide> {
    let path = layers.best_path();
    let best_line: Vec<&Edge> = layers.best_path_edges().collect();
    let until = trouble + AHEAD;
    let reference = score_after(layers, until);
    let best_heads: Vec<Heads> = path
        .iter()
        .zip(&layers.layers)
        .map(|(&index, layer)| layer[index].heads)
        .collect();
    let track = Track {
        edges: &best_line,
        heads: &best_heads,
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
            let position = examiner.position(&node.board);
            let least = to_surpass(&lines, reference) - node.score;
            for choice in search.weigh(&plan, &node.board, &position, least, examiner) {
                let is_best = best_line
                    .get(layer)
                    .is_some_and(|edge| edge.played == choice.played && edge.ways == ways);
                let least = to_surpass(&lines, reference);
                if is_best && layer < trouble || node.score + choice.weight <= least {
                    continue;
                }
                let mut line = start.clone();
                line.step(choice.played, ways, plan.heads, choice.weight);
                line.play_on(search, &track, until, least, examiner);
                if line.score > least {
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
fn to_surpass(lines: &[Line], reference: f64) -> f64 {
    match lines.first() {
        Some(worst) if lines.len() == MOST_GUIDES => worst.score.max(reference),
        _ => reference,
    }
}

/// The best line, from the start.
struct Track<'a> {
    edges: &'a [&'a Edge],
    /// Before each move, and at the end.
    heads: &'a [Heads],
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

    /// Plays the best-fitting moves up to a depth, or until the score is below `least`. Cells that clearly show a move of the best line are not asked again where it is legal.
    fn play_on(
        &mut self,
        search: &Search<'_>,
        track: &Track<'_>,
        until: usize,
        least: f64,
        examiner: &mut Examiner<'_>,
    ) {
        while self.layer + self.steps.len() < until && self.score > least {
            if search.is_done(&self.heads) {
                return;
            }
            let ways = search.usual_ways(&self.heads);
            let side = self.board.side_to_move();
            if let Some(edge) = track
                .clear_move(self.layer + self.steps.len(), &self.heads)
                .filter(|edge| edge.ways == ways && self.board.is_legal(edge.played))
            {
                let depth = self.layer + self.steps.len();
                self.step(edge.played, ways, track.heads[depth + 1], edge.weight);
                continue;
            }
            let Some(plan) = search.plan(&self.heads, side, &ways) else {
                self.score += search.copies.end_weight(&self.heads, search.costs);
                return;
            };
            let position = examiner.position(&self.board);
            let least = least - self.score;
            let best = search
                .weigh(&plan, &self.board, &position, least, examiner)
                .into_iter()
                .max_by(|a, b| a.weight.total_cmp(&b.weight));
            match best {
                Some(best) => self.step(best.played, ways, plan.heads, best.weight),
                None => {
                    self.score += search.copies.end_weight(&self.heads, search.costs);
                    return;
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
