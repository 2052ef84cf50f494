//! Paper flattening: what is ink and what is only shadow, stain or shading.

use image::GrayImage;
use image::imageops;

use crate::rules::median;

/// A page with its paper made even: 0 is bare paper, 255 is the blackest ink. Same size and coordinates as the page.
///
/// What is no paper, such as the grain of a dark table under the sheet, is taken for bare paper too; paper in deep shadow is not.
#[derive(Debug, Clone)]
pub struct Paper {
    /// Darkness of each pixel relative to the paper around it.
    pub darkness: GrayImage,
}

/// Side of the squares over which the paper's brightness is taken, as a share of the page's longer side.
const SQUARE_SHARE: f32 = 1.0 / 90.0;

/// Brightness below which nothing is paper, as a share of that of the page's bright parts: a black cloth, the frame of a scan.
const LEAST_PAPER: f32 = 0.1;

impl Paper {
    /// Divides a grey page by the brightness of its paper.
    ///
    /// The paper's brightness is a high percentile of each small square, grown over the squares beside it (so that a
    /// square full of ink takes the paper of its neighbours) and smoothed.
    pub fn new(gray: &GrayImage) -> Self {
        let (width, height) = gray.dimensions();
        let square = ((width.max(height) as f32 * SQUARE_SHARE) as u32).max(6);
        let (columns, rows) = (width.div_ceil(square), height.div_ceil(square));
        let squares: Vec<Square> = (0..columns * rows)
            .map(|place| {
                let (column, row) = (place % columns, place / columns);
                Square::of(gray, column * square, row * square, square)
            })
            .collect();
        let light = bright_part(&squares);
        let bright = GrayImage::from_fn(columns, rows, |x, y| {
            image::Luma([squares[(y * columns + x) as usize].bright])
        });
        let mut bright = imageops::blur(&brightest_neighbour(&bright), 1.0);
        for (bright, table) in bright
            .iter_mut()
            .zip(tables(&squares, columns as usize, light))
        {
            if table && f32::from(*bright) < DIM * light {
                *bright = 0;
            }
        }
        let least = light * LEAST_PAPER;
        let mut darkness = gray.clone();
        let across: Vec<(usize, usize, f32)> =
            (0..width).map(|x| between(x, square, columns)).collect();
        let mut squares = vec![0.0; columns as usize];
        let mut paper = vec![0.0; width as usize];
        let lines = darkness.chunks_exact_mut(width.max(1) as usize);
        for (y, line) in (0u32..).zip(lines) {
            let (upper, lower, part) = between(y, square, rows);
            let row = |row: usize| {
                bright.as_raw()[row * columns as usize..]
                    .iter()
                    .copied()
                    .map(f32::from)
            };
            for (value, (above, below)) in squares.iter_mut().zip(row(upper).zip(row(lower))) {
                *value = above * (1.0 - part) + below * part;
            }
            for (paper, &(left, right, part)) in paper.iter_mut().zip(&across) {
                *paper = squares[left] * (1.0 - part) + squares[right] * part;
            }
            for (pixel, &paper) in line.iter_mut().zip(&paper) {
                let dark = (paper - f32::from(*pixel)) * (255.0 / paper.max(1.0));
                let dark = if paper > least { dark } else { 0.0 };
                *pixel = dark.clamp(0.0, 255.0) as u8;
            }
        }
        Self { darkness }
    }
}

/// The two squares whose middles a pixel lies between, and how far it is on the way from the first to the second.
fn between(place: u32, square: u32, count: u32) -> (usize, usize, f32) {
    let at = ((place as f32 + 0.5) / square as f32 - 0.5).clamp(0.0, (count - 1) as f32);
    let first = at as usize;
    (
        first,
        (first + 1).min(count as usize - 1),
        at - first as f32,
    )
}

/// What a small square of the page is like.
#[derive(Debug, Clone, Copy)]
struct Square {
    /// Brightness that four fifths of its pixels stay below: its paper.
    bright: u8,
    /// How far its middle pixel is darker, as a share of that: little on paper, whatever light falls on it.
    uneven: f32,
}

impl Square {
    /// The square of a page with this corner; squares at the right and lower edges may be smaller.
    fn of(gray: &GrayImage, left: u32, top: u32, side: u32) -> Self {
        let mut histogram = [0u32; 256];
        let (width, pixels) = (gray.width() as usize, gray.as_raw());
        let right = (left + side).min(gray.width()) as usize;
        let mut count = 0;
        for y in top..(top + side).min(gray.height()) {
            let start = y as usize * width;
            for &value in &pixels[start + left as usize..start + right] {
                histogram[usize::from(value)] += 1;
                count += 1;
            }
        }
        let reached = |tenths: u32| {
            let mut above = 0;
            let level = (0u8..=255).rev().find(|&value| {
                above += histogram[usize::from(value)];
                above * 10 >= count * tenths
            });
            level.unwrap_or(0)
        };
        let (bright, middle) = (reached(2), reached(5));
        Self {
            bright,
            uneven: f32::from(bright - middle) / f32::from(bright.max(1)),
        }
    }
}

/// The brightness that one square in ten exceeds: the sheet may be a small part of the picture.
fn bright_part(squares: &[Square]) -> f32 {
    let mut values: Vec<u8> = squares.iter().map(|square| square.bright).collect();
    let rank = values.len() * 9 / 10;
    f32::from(*values.select_nth_unstable(rank).1)
}

/// Brightness below which squares are looked at for what they are, as a share of that of the page's bright parts.
const DIM: f32 = 0.5;

/// Which squares are no paper: dim, and uneven with the dim squares around them. Writing makes single squares of paper uneven.
fn tables(squares: &[Square], columns: usize, light: f32) -> Vec<bool> {
    /// Unevenness of the grain of a table.
    const GRAIN: f32 = 0.06;
    /// Squares to each side that are looked at.
    const NEAR: usize = 3;
    let is_dim = |square: &Square| f32::from(square.bright) < DIM * light;
    let rows = squares.len() / columns;
    let mut near = Vec::new();
    (0..squares.len())
        .map(|place| {
            let (column, row) = (place % columns, place / columns);
            near.clear();
            if is_dim(&squares[place]) {
                for line in row.saturating_sub(NEAR)..=(row + NEAR).min(rows - 1) {
                    let first = line * columns + column.saturating_sub(NEAR);
                    let last = line * columns + (column + NEAR).min(columns - 1);
                    let dim = squares[first..=last].iter().filter(|square| is_dim(square));
                    near.extend(dim.map(|square| square.uneven));
                }
            }
            median(&mut near).is_some_and(|uneven| uneven > GRAIN)
        })
        .collect()
}

/// The second brightest of the nine squares around each (the brightest may be a glint).
fn brightest_neighbour(squares: &GrayImage) -> GrayImage {
    let (width, height) = squares.dimensions();
    GrayImage::from_fn(width, height, |x, y| {
        let (mut first, mut second) = (0, 0);
        for ny in y.saturating_sub(1)..=(y + 1).min(height - 1) {
            for nx in x.saturating_sub(1)..=(x + 1).min(width - 1) {
                let value = squares.get_pixel(nx, ny).0[0];
                if value > first {
                    (first, second) = (value, first);
                } else if value > second {
                    second = value;
                }
            }
        }
        image::Luma([second.max(squares.get_pixel(x, y).0[0])])
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use image::Luma;

    #[test]
    fn shadow_goes_and_ink_stays() {
        // Paper that falls from 240 to 90 across the page, with ink that halves it.
        let page = GrayImage::from_fn(900, 600, |x, y| {
            let paper = 240 - x / 6;
            let ink = x % 150 < 3 && y % 200 > 100;
            Luma([(if ink { paper / 2 } else { paper }) as u8])
        });
        let paper = Paper::new(&page);
        for x in [75u32, 375, 675, 825] {
            let blank = paper.darkness.get_pixel(x, 50).0[0];
            assert!(blank < 12, "bare paper at {x} has darkness {blank}");
        }
        for x in [151u32, 451, 751] {
            let ink = paper.darkness.get_pixel(x, 150).0[0];
            assert!((110..=145).contains(&ink), "ink at {x} has darkness {ink}");
        }
    }

    #[test]
    fn paper_in_deep_shadow_stays_and_the_grain_of_a_table_goes() {
        // A sheet of brightness 240, its lower half in a shadow that takes three quarters of the light; around it a table as dark as
        // that half, whose grain runs across, and then the black frame of a scanner.
        let page = GrayImage::from_fn(900, 900, |x, y| {
            let sheet = (200..700).contains(&x) && (200..700).contains(&y);
            let ink = x % 50 < 3;
            let light = if y < 450 { 240 } else { 60 };
            let grain = x / 40 + y / 3 * 7;
            let value = match (sheet, ink) {
                (true, true) => light / 2,
                (true, false) => light,
                _ if y > 850 => 4 + y % 2,
                _ => 40 + grain % 5 * 9,
            };
            Luma([value as u8])
        });
        let darkness = Paper::new(&page).darkness;
        for (place, (x, y), expected) in [
            ("ink in the light", (351, 320), 110..=145),
            ("ink in the shadow", (351, 580), 110..=145),
            ("paper in the light", (375, 320), 0..=12),
            ("paper in the shadow", (375, 580), 0..=12),
            ("frame", (375, 880), 0..=0),
        ] {
            let found = darkness.get_pixel(x, y).0[0];
            assert!(expected.contains(&found), "{place}: {found}");
        }
        let table = imageops::crop_imm(&darkness, 30, 30, 120, 780).to_image();
        let dark = table.iter().filter(|&&dark| dark > 12).count();
        assert_eq!(dark, 0, "dark pixels of the table");
    }
}
