//! Paper flattening: what is ink and what is only shadow, stain or shading.

use image::GrayImage;
use image::imageops;

/// A page with its paper made even: 0 is bare paper, 255 is the blackest ink. Same size and coordinates as the page.
///
/// What is much darker than the sheet, such as the table under it, is taken for bare paper too.
#[derive(Debug, Clone)]
pub struct Paper {
    /// Darkness of each pixel relative to the paper around it.
    pub darkness: GrayImage,
}

/// Side of the squares over which the paper's brightness is taken, as a share of the page's longer side.
const SQUARE_SHARE: f32 = 1.0 / 90.0;

/// Brightness below which nothing is paper, as a share of the page's usual brightness: the table under the sheet.
const LEAST_PAPER: f32 = 0.3;

impl Paper {
    /// Divides a grey page by the brightness of its paper.
    ///
    /// The paper's brightness is a high percentile of each small square, grown over the squares beside it (so that a
    /// square full of ink takes the paper of its neighbours) and smoothed.
    pub fn new(gray: &GrayImage) -> Self {
        let (width, height) = gray.dimensions();
        let square = ((width.max(height) as f32 * SQUARE_SHARE) as u32).max(6);
        let (columns, rows) = (width.div_ceil(square), height.div_ceil(square));
        let mut bright = GrayImage::new(columns, rows);
        for row in 0..rows {
            for column in 0..columns {
                bright.put_pixel(
                    column,
                    row,
                    image::Luma([percentile(gray, column * square, row * square, square)]),
                );
            }
        }
        let bright = imageops::blur(&brightest_neighbour(&bright), 1.0);
        let least = usual_brightness(&bright) * LEAST_PAPER;
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

/// The brightness that one square in four exceeds.
fn usual_brightness(squares: &GrayImage) -> f32 {
    let mut values = squares.as_raw().clone();
    let rank = values.len() * 3 / 4;
    f32::from(*values.select_nth_unstable(rank).1)
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

/// The brightness that four fifths of a square's pixels stay below.
fn percentile(gray: &GrayImage, left: u32, top: u32, square: u32) -> u8 {
    let mut histogram = [0u32; 256];
    let (width, pixels) = (gray.width() as usize, gray.as_raw());
    let right = (left + square).min(gray.width()) as usize;
    let mut count = 0;
    for y in top..(top + square).min(gray.height()) {
        let start = y as usize * width;
        for &value in &pixels[start + left as usize..start + right] {
            histogram[usize::from(value)] += 1;
            count += 1;
        }
    }
    let mut above = 0;
    for value in (0..256).rev() {
        above += histogram[value];
        if above * 5 >= count {
            return value as u8;
        }
    }
    0
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
}
