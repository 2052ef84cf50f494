//! Forms drawn at random, each to be found as it was drawn; and the same form turned, mirrored and scaled.
//!
//! Not all are found yet: the first test allows for as many misses as there were when it was last tightened. The others are ignored until
//! they hold; `cargo test --release -p scoresheet-imaging --lib many_forms -- --ignored` tells what differs.

use image::GrayImage;
use image::imageops::{self, FilterType};

use crate::drawing::{Chance, Drawing, Rules};
use crate::form::{Column, Form};
use crate::page::Page;
use crate::upright::{UprightPage, find_upright_forms};

/// Forms drawn, and how many of them may be missed.
const FORMS: u64 = 64;
const MOST_MISSED: usize = 4;

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

/// The one form of a picture.
fn only_form(page: GrayImage) -> Result<UprightPage, String> {
    let found = find_upright_forms(Page { gray: page }).map_err(|error| error.to_string())?;
    match found.forms.len() {
        1 => Ok(found),
        forms => Err(format!("{forms} forms")),
    }
}

/// What is not as it was drawn: corners of cells may lie a quarter of a row's height off.
fn miss(form: &Form, drawing: &Drawing) -> Result<(), String> {
    let found = (form.blocks, form.rows, form.numbered, form.first_number);
    let drawn = (drawing.blocks, drawing.rows, true, drawing.first_number);
    if found != drawn {
        return Err(format!("{found:?}"));
    }
    let farthest = form
        .cells
        .iter()
        .map(|cell| {
            let (corner, kind) = match cell.column {
                Column::White => (cell.quad[1], 'w'),
                Column::Black => (cell.quad[0], 'b'),
            };
            distance(corner, drawing.inner_corner(cell.block, cell.row, kind))
        })
        .fold(0.0, f32::max);
    if farthest > 0.25 * drawing.pitch {
        return Err(format!("a corner {:.2} rows off", farthest / drawing.pitch));
    }
    Ok(())
}

fn distance(a: [f32; 2], b: [f32; 2]) -> f32 {
    (a[0] - b[0]).hypot(a[1] - b[1])
}

#[test]
fn forms_drawn_at_random_are_found() {
    let halves: Vec<Vec<String>> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..2)
            .map(|half| {
                scope.spawn(move || {
                    (0..FORMS)
                        .filter(|seed| seed % 2 == half)
                        .filter_map(|seed| {
                            let drawing = any_form(seed);
                            let found = only_form(drawing.page());
                            let error = found
                                .and_then(|page| miss(&page.forms[0], &drawing))
                                .err()?;
                            Some(format!("{seed}: {error}: {drawing:?}"))
                        })
                        .collect()
                })
            })
            .collect();
        workers
            .into_iter()
            .map(|worker| worker.join().expect("no panic"))
            .collect()
    });
    let missed: Vec<String> = halves.into_iter().flatten().collect();
    assert!(
        missed.len() <= MOST_MISSED,
        "{} of {FORMS}: {missed:#?}",
        missed.len()
    );
}

#[test]
#[ignore = "the finder does not yet see every such picture alike"]
fn turned_pictures_give_the_same_cells() {
    for seed in 0..6 {
        let page = any_form(seed).page();
        let right = only_form(page.clone()).expect("upright");
        for (turns, lying) in [
            (1, imageops::rotate270(&page)),
            (2, imageops::rotate180(&page)),
            (3, imageops::rotate90(&page)),
        ] {
            let found = only_form(lying).expect("lying");
            assert_eq!(found.quarter_turns, turns, "{seed}");
            assert_eq!(found.forms, right.forms, "{seed}: {turns} turns");
        }
    }
}

#[test]
#[ignore = "the finder does not yet see every such picture alike"]
fn scaled_pictures_give_the_same_cells() {
    for seed in 0..6 {
        let drawing = any_form(seed);
        let page = drawing.page();
        let right = only_form(page.clone()).expect("as drawn").forms;
        for scale in [0.8, 1.5, 2.5] {
            let to = |side: u32| (side as f32 * scale) as u32;
            let (width, height) = page.dimensions();
            let scaled = imageops::resize(&page, to(width), to(height), FilterType::Triangle);
            let found = only_form(scaled).expect("scaled").forms;
            assert_eq!(
                found[0].cells.len(),
                right[0].cells.len(),
                "{seed}: {scale}"
            );
            for (cell, other) in found[0].cells.iter().zip(&right[0].cells) {
                assert_eq!(cell.number, other.number, "{seed}: {scale}");
                for (corner, other) in cell.quad.iter().zip(&other.quad) {
                    let away = distance(corner.map(|side| side / scale), *other);
                    assert!(away < 0.2 * drawing.pitch, "{seed}: {scale}: {away}");
                }
            }
        }
    }
}

/// Numbers that are read in a mirror would put the moves in the wrong columns.
#[test]
#[ignore = "the finder does not yet see every such picture alike"]
fn mirrored_pictures_are_mirrored_back_or_have_no_numbers() {
    for seed in 0..6 {
        let mirrored = imageops::flip_horizontal(&any_form(seed).page());
        if let Ok(found) = only_form(mirrored) {
            assert!(found.mirrored || !found.forms[0].numbered, "{seed}");
        }
    }
}
