//! Forms drawn at random, each to be found as it was drawn: upright, turned, mirrored and scaled.
//!
//! A few are missed; each test allows for as many as were missed when it was last tightened.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

use image::GrayImage;
use image::imageops::{self, FilterType};

use crate::drawing::{Chance, Drawing, Rules};
use crate::form::Column;
use crate::page::Page;
use crate::upright::find_upright_forms;

/// A form as federations and clubs print them, photographed a little askew.
fn any_form(seed: u64) -> Drawing {
    let mut chance = Chance::new(seed);
    let rules = chance.one_of(&[
        Rules::Grid,
        Rules::Grid,
        Rules::Grid,
        Rules::Rows,
        Rules::Dotted,
        Rules::Boxes,
    ]);
    let rows = 15 + chance.below(46) as usize;
    let blocks = 1 + chance.below(if rows > 40 { 2 } else { 4 }) as usize;
    // Where rules across alone part the columns, there must be gaps to part them.
    let columns = match rules {
        Rules::Rows => "wnb",
        Rules::Boxes => chance.one_of(&["nwb", "wnb", "nwbc"]),
        _ => chance.one_of(&["nwb", "nwb", "wnb", "wbn", "wb", "nwcbc", "cwnbc"]),
    };
    let wide = columns.len() as f32 * 3.5 * blocks as f32;
    Drawing {
        columns,
        blocks,
        rows,
        pitch: (1700.0 / wide.max(rows as f32)).min(26.0 + chance.below(22) as f32),
        first_number: chance.one_of(&[1, 1, 1, 1, 31, 41, 61]),
        gap: if rules == Rules::Rows {
            1.0
        } else {
            chance.one_of(&[0.0, 0.0, 0.5, 1.0])
        },
        rules,
        // A number has a column of its own there.
        boxes: if rules == Rules::Grid && columns.contains('n') {
            chance.one_of(&[1, 1, 1, 1, 6])
        } else {
            1
        },
        thick: chance.one_of(&[0, 0, 5, 10]),
        shaded: chance.below(5) == 0,
        bend: chance.below(10) as f32,
        slope: 0.005 * chance.below(9) as f32 - 0.02,
        written: chance.below(rows as u32 + 1) as usize,
        noise: chance.below(24) as u8,
        tilt: [0.01 * chance.below(5) as f32, 0.01 * chance.below(3) as f32],
        ..Drawing::PLAIN
    }
}

/// What is done to the picture of a form.
#[derive(Debug, Clone, Copy)]
enum Change {
    Nothing,
    /// Turned by quarters against the clock.
    Turned(u8),
    Mirrored,
    /// Made larger or smaller.
    Scaled(f32),
}

impl Change {
    fn of(self, page: GrayImage) -> GrayImage {
        match self {
            Self::Nothing => page,
            Self::Turned(1) => imageops::rotate270(&page),
            Self::Turned(2) => imageops::rotate180(&page),
            Self::Turned(_) => imageops::rotate90(&page),
            Self::Mirrored => imageops::flip_horizontal(&page),
            Self::Scaled(scale) => {
                let [width, height] =
                    [page.width(), page.height()].map(|side| (side as f32 * scale) as u32);
                imageops::resize(&page, width, height, FilterType::Triangle)
            }
        }
    }

    /// Quarter turns that make the picture upright, whether it must be mirrored, and how large its form is.
    fn expected(self) -> (u8, bool, f32) {
        match self {
            Self::Nothing => (0, false, 1.0),
            Self::Turned(turns) => (turns, false, 1.0),
            Self::Mirrored => (0, true, 1.0),
            Self::Scaled(scale) => (0, false, scale),
        }
    }
}

/// What is not found as it was drawn: corners of cells may lie a quarter of a row's height off.
fn miss(drawing: &Drawing, change: Change) -> Result<(), String> {
    let page = change.of(drawing.page());
    let found = find_upright_forms(Page { gray: page }).map_err(|error| error.to_string())?;
    let (turns, mirrored, scale) = change.expected();
    if (found.quarter_turns, found.mirrored) != (turns, mirrored) {
        return Err(format!(
            "{} turns, mirrored {}",
            found.quarter_turns, found.mirrored
        ));
    }
    let [form] = &found.forms[..] else {
        return Err(format!("{} forms", found.forms.len()));
    };
    let figures = (form.blocks, form.rows, form.numbered, form.first_number);
    if figures != (drawing.blocks, drawing.rows, true, drawing.first_number) {
        return Err(format!("{figures:?}"));
    }
    let farthest = form
        .cells
        .iter()
        .map(|cell| {
            let (corner, kind) = match cell.column {
                Column::White => (cell.quad[1], 'w'),
                Column::Black => (cell.quad[0], 'b'),
            };
            let [x, y] = drawing.inner_corner(cell.block, cell.row, kind);
            (corner[0] / scale - x).hypot(corner[1] / scale - y)
        })
        .fold(0.0, f32::max);
    if farthest > 0.25 * drawing.pitch {
        return Err(format!("a corner {:.2} rows off", farthest / drawing.pitch));
    }
    Ok(())
}

/// Looks for the forms of some seeds on two threads and tells what is missed, if that is more than `most`.
fn check(seeds: Range<u64>, most: usize, change: impl Fn(u64) -> Change + Sync) {
    let next = AtomicU64::new(seeds.start);
    let look = || {
        let mut missed = Vec::new();
        loop {
            let seed = next.fetch_add(1, Ordering::Relaxed);
            if seed >= seeds.end {
                return missed;
            }
            let (drawing, change) = (any_form(seed), change(seed));
            if let Err(error) = miss(&drawing, change) {
                missed.push(format!("{seed}, {change:?}: {error}: {drawing:?}"));
            }
        }
    };
    let missed: Vec<String> = std::thread::scope(|scope| {
        let workers = [scope.spawn(look), scope.spawn(look)];
        let missed = workers.map(|worker| worker.join().expect("no panic"));
        missed.into_iter().flatten().collect()
    });
    assert!(
        missed.len() <= most,
        "{} of {seeds:?}: {missed:#?}",
        missed.len()
    );
}

#[test]
fn forms_drawn_at_random_are_found() {
    check(0..64, 1, |_| Change::Nothing);
}

#[test]
fn turned_forms_are_found() {
    check(0..10, 1, |seed| Change::Turned(1 + (seed % 3) as u8));
}

#[test]
fn mirrored_forms_are_found() {
    check(0..10, 2, |_| Change::Mirrored);
}

#[test]
fn scaled_forms_are_found() {
    const SCALES: [f32; 3] = [0.8, 1.5, 2.5];
    check(0..10, 1, |seed| Change::Scaled(SCALES[(seed % 3) as usize]));
}
