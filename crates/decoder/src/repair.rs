//! Searching again, wider, around the places where the best game and the ink disagree.
//!
//! Clear ink that cannot be played mostly means that the thread was lost some moves before: an earlier cell shows a move that was not played (a slip, a crossed-out move, a misreading),
//! and the true line fell out of the beam at once, because all other moves of that position look as bad. Only the cells after it tell the true line.

use crate::evidence::Examiner;
use crate::search::{Layers, Search, Step, Width};

/// Cells before a trouble from which on the search is wide.
const BACK: usize = 16;
/// Cells after a trouble up to which the search is wide.
const AHEAD: usize = 8;
/// Cells after those in which it is half as wide.
const FADING: usize = 16;
/// Troubles that are no further apart than this belong together: the search starts again before the first of them.
const TOGETHER: usize = 24;
/// Troubles looked into.
const MOST_TROUBLES: usize = 6;
/// How much wider the search is around a trouble alone, around several, and after them; and how far below the best a position may be.
const ALONE_FACTOR: usize = 4;
const FACTOR: usize = 24;
const FADING_FACTOR: usize = 5;
const FAR: f64 = 45.0;
/// Positions before which a move may have been left out.
const GAPS: usize = 6;

/// Searches again around each trouble of the best game, in order, and keeps what is better.
pub(crate) fn repair(
    search: &Search<'_>,
    layers: &mut Layers,
    examiner: &mut Examiner<'_>,
    width: Width,
) {
    let wider = |factor: usize, gaps| Width {
        beam: width.beam * factor,
        wide: (width.beam * factor).max(width.wide),
        far: FAR,
        gaps,
    };
    let (alone, inside, fading) = (
        wider(ALONE_FACTOR, GAPS),
        wider(FACTOR, GAPS),
        wider(FADING_FACTOR, 0),
    );
    // The first and the last trouble of those that belong together.
    let mut known: Option<(usize, usize)> = None;
    for _ in 0..MOST_TROUBLES {
        let after = known.map_or(0, |(_, last)| last + 1);
        let Some(trouble) = first_trouble(search, layers, after) else {
            return;
        };
        let first = match known {
            Some((first, last)) if trouble - last <= TOGETHER => first,
            _ => trouble,
        };
        // One slip explains a trouble alone as well as another slip before it would.
        let is_alone = first == trouble
            && first_trouble(search, layers, trouble + 1)
                .is_none_or(|next| next - trouble > TOGETHER);
        let (inside, fading) = if is_alone {
            (alone, width)
        } else {
            (inside, fading)
        };
        let from = first.saturating_sub(BACK);
        search.run_again(layers, from, examiner, |place| {
            if place < trouble + AHEAD {
                inside
            } else if place < trouble + AHEAD + FADING {
                fading
            } else {
                width
            }
        });
        known = Some((first, trouble));
    }
}

/// The first place from `from` on where the best game does not account for the ink: the slot's index.
fn first_trouble(search: &Search<'_>, layers: &Layers, from: usize) -> Option<usize> {
    let path = layers.best_path();
    let end = path.len() - 1;
    let ink = |place: usize| !search.slots[place].lattices.is_empty();
    (from..search.slots.len())
        .filter(|&place| ink(place))
        .find(|&place| {
            if place >= end {
                return place == end;
            }
            let edge = &layers.layers[place + 1][path[place + 1]].edges[0];
            !(edge.shown && matches!(edge.step, Step::Played(_)))
        })
}
