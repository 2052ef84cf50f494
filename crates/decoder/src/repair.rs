//! Searching again with guides to lines that the beam has lost.
//!
//! Clear ink that cannot be played mostly means that the thread was lost some moves before: an earlier cell shows a move that was not played (a slip, a crossed-out move, a misreading), or
//! cells and moves are out of step. The true line fell out of the beam at once, because there all other moves of that position look as bad. Only the cells after it tell the true line.
//! So lines from other steps some moves before the trouble guide another search; where that does not help, a wide one is made around the trouble.

use crate::evidence::Examiner;
use crate::lines::{AHEAD, Bar, guides};
use crate::search::{Layers, Search, Width};

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
/// Searches again drop what is going to weigh less than the best game by more than this.
const MARGIN: f64 = 4.0;
/// Moves after the end of a search's width or guides after which it must have come to something better to go on.
const SETTLED: usize = 12;
/// Weight of the end with ink like moves after it, from which on it is a trouble.
const LEAST_LOSS: f64 = 0.5;

/// Searches again for each trouble of the best game, in order, and keeps what is better. Returns whether anything was.
pub(crate) fn repair(
    search: &Search<'_>,
    layers: &mut Layers,
    examiner: &mut Examiner<'_>,
    width: Width,
) -> bool {
    let mut any = false;
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
            break;
        };
        next = trouble + 1;
        let guides = guides(search, layers, trouble, examiner);
        if let Some(from) = guides.iter().map(|guide| guide.layer).min() {
            let until = trouble + AHEAD + SETTLED;
            let bar = Bar::new(layers, until);
            let width_of = |layer| bounded(width, &bar, layer);
            if search.run_again(layers, from, examiner, width_of, &guides, until) {
                // The better game may have troubles of its own before this one.
                next = from;
                searched = 0;
                any = true;
            }
        }
        let troubles = troubles_from(search, layers, trouble);
        if troubles > 0 && trouble >= searched {
            let wider = wider(if troubles < LOST { FACTOR } else { LOST_FACTOR });
            let from = trouble.saturating_sub(WIDE_BACK);
            let end = trouble + WIDE_AHEAD;
            let until = end + SETTLED;
            let bar = Bar::new(layers, until);
            let width_of = |layer| bounded(if layer < end { wider } else { width }, &bar, layer);
            searched = end;
            if search.run_again(layers, from, examiner, width_of, &[], until) {
                next = next.min(from);
                searched = 0;
                any = true;
            }
        }
    }
    any
}

/// A width that leaves out what is not going to get over a bar; beyond it everything counts.
fn bounded(width: Width, bar: &Bar, layer: usize) -> Width {
    let least = bar.after(layer + 1).map(|bar| bar - MARGIN);
    Width {
        least: least.unwrap_or(width.least),
        ..width
    }
}

/// Troubles of the best game in the moves around one.
fn troubles_from(search: &Search<'_>, layers: &Layers, trouble: usize) -> usize {
    let path = layers.best_path();
    let end = path.len() - 1;
    let until = (trouble + TOGETHER).min(end);
    let troubled = (trouble.min(end)..until)
        .filter(|&layer| is_troubled(search, layers, &path, layer))
        .count();
    let lost = until == end && is_lost(search, layers, &path);
    troubled + if lost { LOST } else { 0 }
}

/// Whether no ink shows the move after a layer, or the ink of one of two copies shows another.
fn is_troubled(search: &Search<'_>, layers: &Layers, path: &[usize], layer: usize) -> bool {
    let edge = &layers.layers[layer + 1][path[layer + 1]].edges[0];
    !edge.shown || edge.fit < search.costs.contrary
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
    (from..end)
        .find(|&layer| is_troubled(search, layers, &path, layer))
        .or_else(|| (end >= from && is_lost(search, layers, &path)).then_some(end))
}
