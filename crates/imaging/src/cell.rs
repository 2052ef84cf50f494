//! Cells cut out of a page: rectified, with room for strokes that leave the cell.

use image::{GrayImage, Luma};

use crate::form::{CellPlace, NumberPlace};
use crate::paper::Paper;
use crate::rectify::{ROW, rectify};
use crate::strokes::{Stroke, Strokes};

/// Height of a cell image in pixels: the row and a quarter of a row above and below it.
pub const CELL_HEIGHT: u32 = (ROW * (1.0 + 2.0 * PAD)) as u32;

/// Share of the row's height that is kept around the cell on every side.
const PAD: f32 = 0.25;

/// Whether something is written in a cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CellState {
    /// There is writing.
    Ink,
    /// There is none, or only specks and the ends of neighbours' strokes.
    Blank,
}

/// A cell cut out of its page.
#[derive(Debug, Clone)]
pub struct CellImage {
    /// Whether there is writing in it.
    pub state: CellState,
    /// Dark ink on white paper, [`CELL_HEIGHT`] high; the contrast of faint ink is raised.
    pub image: GrayImage,
}

/// Cuts a cell out of a flattened page.
///
/// The cell's four corners become a rectangle; a quarter of the row's height is kept on every side, since strokes leave
/// their cell. Where the page ends there is white paper.
pub fn cut_cell(paper: &Paper, place: &CellPlace) -> CellImage {
    cut_quad(paper, &place.quad)
}

/// Cuts a printed move number out of a flattened page, as [`cut_cell`] does with a move.
pub fn cut_number(paper: &Paper, place: &NumberPlace) -> CellImage {
    cut_quad(paper, &place.quad)
}

pub(crate) fn cut_quad(paper: &Paper, quad: &[[f32; 2]; 4]) -> CellImage {
    let mut image = rectify(&paper.darkness, quad, PAD);
    let Some(ink) = InkLevel::of(&image) else {
        invert(&mut image, 1.0);
        return CellImage {
            state: CellState::Blank,
            image,
        };
    };
    let state = if written_area(&image, &ink) >= LEAST_AREA {
        CellState::Ink
    } else {
        CellState::Blank
    };
    invert(&mut image, ink.gain);
    CellImage { state, image }
}

/// Darkness to dark ink on white paper, with faint ink made darker.
fn invert(image: &mut GrayImage, gain: f32) {
    for pixel in image.pixels_mut() {
        pixel.0[0] = 255 - (f32::from(pixel.0[0]) * gain).min(255.0) as u8;
    }
}

/// Pixels at the sides of a cell image within which rules run: the padding and half a rule.
const RULES: u32 = 15;

/// How dark the writing of a cell is.
struct InkLevel {
    /// Inner pixel rows that no rule or box fills from side to side.
    rows: Vec<u32>,
    /// What makes the writing nearly black.
    gain: f32,
    /// Darkness above which a pixel is writing.
    threshold: u8,
}

impl InkLevel {
    /// Measures the inner part of a cell; nothing where no inner part is left.
    fn of(image: &GrayImage) -> Option<Self> {
        const FILLED: u8 = 55;
        const FAINTEST: f32 = 22.0;
        let (width, height) = image.dimensions();
        let columns = RULES..width.checked_sub(RULES)?;
        if columns.len() < 10 {
            return None;
        }
        let rows: Vec<u32> = (RULES..height.checked_sub(RULES)?)
            .filter(|&y| {
                let dark = columns
                    .clone()
                    .filter(|&x| image.get_pixel(x, y).0[0] > FILLED);
                dark.count() * 10 < columns.len() * 6
            })
            .collect();
        if rows.len() < 8 {
            return None;
        }
        let mut values: Vec<u8> = rows
            .iter()
            .flat_map(|&y| columns.clone().map(move |x| image.get_pixel(x, y).0[0]))
            .collect();
        // A short move in thin pencil darkens little more than one pixel in a hundred.
        let rank = values.len() - 1 - values.len() * 12 / 1000;
        let level = f32::from(*values.select_nth_unstable(rank).1).max(1.0);
        let gain = (235.0 / level).clamp(1.0, 4.0);
        Some(Self {
            rows,
            gain,
            threshold: (level / 2.0).max(FAINTEST) as u8,
        })
    }
}

/// Least number of written pixels of a cell with writing.
const LEAST_AREA: u32 = 45;

/// Area of the strokes that belong to a cell, in pixels.
///
/// Specks do not count, nor do the ends of strokes that lie mostly in the row above or below.
fn written_area(image: &GrayImage, ink: &InkLevel) -> u32 {
    const SPECK_AREA: u32 = 18;
    const SPECK_SIDE: u32 = 8;
    const FOREIGN: f32 = 0.4;
    let (width, height) = (image.width() - 2 * RULES, image.height() - 2 * RULES);
    let mut mask = GrayImage::new(width, height);
    for &y in &ink.rows {
        for x in 0..width {
            if image.get_pixel(x + RULES, y).0[0] > ink.threshold {
                mask.put_pixel(x, y - RULES, Luma([255]));
            }
        }
    }
    let strokes = Strokes::of(&mask).all;
    // Ink beyond the rule above or below, in the columns of a stroke.
    let beyond = |stroke: &Stroke, rows: std::ops::Range<u32>| {
        rows.flat_map(|y| (stroke.left..=stroke.right).map(move |x| (x + RULES, y)))
            .filter(|&(x, y)| image.get_pixel(x, y).0[0] > ink.threshold)
            .count() as f32
    };
    let outside = RULES / 2 + 1;
    strokes
        .iter()
        .filter(|stroke| {
            if stroke.area < SPECK_AREA || stroke.width().max(stroke.height()) < SPECK_SIDE {
                return false;
            }
            let limit = stroke.area as f32 * FOREIGN;
            let from_above = stroke.top == 0 && stroke.bottom * 2 < height;
            let from_below = stroke.bottom + 1 == height && stroke.top * 2 > height;
            !(from_above && beyond(stroke, 0..outside) > limit
                || from_below && beyond(stroke, image.height() - outside..image.height()) > limit)
        })
        .map(|stroke| stroke.area)
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::form::Column;

    const HIGH: f32 = 60.0;

    /// A cell of 300 x 60 pixels at (100, 100) with dark boxes `(left, right, top, bottom)` measured from its corner.
    fn drawn(boxes: &[(i32, i32, i32, i32)], dark: u8) -> CellImage {
        let darkness = GrayImage::from_fn(500, 300, |x, y| {
            let (x, y) = (x as i32 - 100, y as i32 - 100);
            let rule =
                y.abs() < 2 || (y - HIGH as i32).abs() < 2 || x.abs() < 2 || (x - 300).abs() < 2;
            let ink = boxes
                .iter()
                .any(|&(l, r, t, b)| (l..r).contains(&x) && (t..b).contains(&y));
            Luma([if rule {
                200
            } else if ink {
                dark
            } else {
                4
            }])
        });
        let (left, right, top, bottom) = (100.0, 400.0, 100.0, 100.0 + HIGH);
        let place = CellPlace {
            number: 1,
            column: Column::White,
            block: 0,
            row: 0,
            quad: [[left, top], [right, top], [right, bottom], [left, bottom]],
        };
        cut_cell(&Paper { darkness }, &place)
    }

    #[test]
    fn blank_cells_are_told_from_written_ones() {
        type Case = (&'static str, &'static [(i32, i32, i32, i32)], u8, CellState);
        let cases: [Case; 7] = [
            ("nothing", &[], 0, CellState::Blank),
            ("a letter", &[(80, 86, 15, 45)], 180, CellState::Ink),
            ("a faint letter", &[(80, 86, 15, 45)], 40, CellState::Ink),
            ("a speck", &[(80, 86, 30, 35)], 180, CellState::Blank),
            (
                "a tail from the row above",
                &[(80, 90, -30, 18)],
                180,
                CellState::Blank,
            ),
            (
                "a head from the row below",
                &[(80, 90, 45, 90)],
                180,
                CellState::Blank,
            ),
            (
                "a letter across the upper rule",
                &[(80, 86, -6, 30)],
                180,
                CellState::Ink,
            ),
        ];
        for (name, boxes, dark, state) in cases {
            assert_eq!(drawn(boxes, dark).state, state, "{name}");
        }
    }

    #[test]
    fn faint_ink_is_made_darker_and_the_surroundings_are_kept() {
        let cell = drawn(&[(80, 90, -14, 45)], 60);
        assert_eq!(cell.image.height(), CELL_HEIGHT);
        let scale = ROW / HIGH;
        let at = |x: f32, y: f32| {
            let place = |value: f32| ((value * scale) + ROW * PAD) as u32;
            cell.image.get_pixel(place(x), place(y)).0[0]
        };
        assert!(at(85.0, 30.0) < 60, "ink in the cell");
        assert!(at(85.0, -9.0) < 60, "ink above the cell");
        assert!(at(150.0, 30.0) > 220, "paper");
    }
}
