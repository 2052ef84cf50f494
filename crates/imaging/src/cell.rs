//! Cells cut out of a page: rectified, with room for strokes that leave the cell.

use image::{GrayImage, Luma};

use crate::form::CellPlace;
use crate::paper::Paper;

/// Height of a cell image in pixels: the row and a quarter of a row above and below it.
pub const CELL_HEIGHT: u32 = 64;

/// Share of the row's height that is kept around the cell on every side.
const PAD: f32 = 0.25;

/// Pixels of a cell image that one row height takes.
const ROW: f32 = CELL_HEIGHT as f32 / (1.0 + 2.0 * PAD);

/// Widest cell image, in pixels.
const WIDEST: f32 = 480.0;

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
    let mut image = rectify(&paper.darkness, &place.quad, PAD);
    let pad = (ROW * PAD) as u32;
    let level = ink_level(&image, pad);
    let state = if written_area(&image, pad, level) >= LEAST_AREA {
        CellState::Ink
    } else {
        CellState::Blank
    };
    let gain = (235.0 / f32::from(level.max(1))).clamp(1.0, 3.0);
    for pixel in image.pixels_mut() {
        pixel.0[0] = 255 - (f32::from(pixel.0[0]) * gain).min(255.0) as u8;
    }
    CellImage { state, image }
}

/// Rectifies a quadrilateral of the darkness image to rows of [`ROW`] pixels, with `pad` row heights around it.
pub(crate) fn rectify(darkness: &GrayImage, quad: &[[f32; 2]; 4], pad: f32) -> GrayImage {
    let [top_left, top_right, bottom_right, bottom_left] = *quad;
    let high = (distance(top_left, bottom_left) + distance(top_right, bottom_right)) / 2.0;
    let wide = (distance(top_left, top_right) + distance(bottom_left, bottom_right)) / 2.0;
    let scale = ROW / high.max(1.0);
    let cell_width = (wide * scale).clamp(4.0, WIDEST);
    let margin = ROW * pad;
    let width = (cell_width + 2.0 * margin).round() as u32;
    let height = (ROW + 2.0 * margin).round() as u32;
    let samples = (1.0 / scale).ceil().clamp(1.0, 4.0) as u32;
    let share = 1.0 / samples as f32;
    GrayImage::from_fn(width, height, |x, y| {
        let mut sum = 0.0;
        for sub_y in 0..samples {
            let v = (y as f32 + (sub_y as f32 + 0.5) * share - margin) / ROW;
            for sub_x in 0..samples {
                let u = (x as f32 + (sub_x as f32 + 0.5) * share - margin) / cell_width;
                let at = |axis: usize| {
                    (top_left[axis] * (1.0 - u) + top_right[axis] * u) * (1.0 - v)
                        + (bottom_left[axis] * (1.0 - u) + bottom_right[axis] * u) * v
                };
                sum += bilinear(darkness, at(0), at(1));
            }
        }
        Luma([(sum * share * share).round() as u8])
    })
}

fn distance(a: [f32; 2], b: [f32; 2]) -> f32 {
    (a[0] - b[0]).hypot(a[1] - b[1])
}

/// Darkness between pixels; nothing is dark outside the page.
fn bilinear(image: &GrayImage, x: f32, y: f32) -> f32 {
    let (width, height) = image.dimensions();
    if !(x >= 0.0 && y >= 0.0 && x < (width - 1) as f32 && y < (height - 1) as f32) {
        return 0.0;
    }
    let (left, top) = (x as usize, y as usize);
    let (part_x, part_y) = (x - left as f32, y - top as f32);
    let row = width as usize;
    let pixels = image.as_raw();
    let start = top * row + left;
    let upper = f32::from(pixels[start]) * (1.0 - part_x) + f32::from(pixels[start + 1]) * part_x;
    let lower = f32::from(pixels[start + row]) * (1.0 - part_x)
        + f32::from(pixels[start + row + 1]) * part_x;
    upper * (1.0 - part_y) + lower * part_y
}

/// Darkness that the blackest three of a hundred inner pixels reach.
fn ink_level(image: &GrayImage, pad: u32) -> u8 {
    let mut histogram = [0u32; 256];
    let mut count = 0;
    for y in pad + 4..image.height() - pad - 4 {
        for x in (pad + 4).min(image.width())..image.width().saturating_sub(pad + 4) {
            histogram[usize::from(image.get_pixel(x, y).0[0])] += 1;
            count += 1;
        }
    }
    let mut above = 0;
    for value in (0..256).rev() {
        above += histogram[value];
        if above * 33 > count {
            return value as u8;
        }
    }
    0
}

/// Least number of written pixels of a cell with writing.
const LEAST_AREA: u32 = 30;

/// Number of inner pixels that are much darker than the paper.
fn written_area(image: &GrayImage, pad: u32, level: u8) -> u32 {
    let dark = (level / 2).max(28);
    let mut area = 0;
    for y in pad + 6..image.height() - pad - 6 {
        for x in (pad + 4).min(image.width())..image.width().saturating_sub(pad + 4) {
            area += u32::from(image.get_pixel(x, y).0[0] > dark);
        }
    }
    area
}
