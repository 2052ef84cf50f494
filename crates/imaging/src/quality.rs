//! How good the picture of a sheet is, measured on its form.

use image::GrayImage;

use crate::form::{CellPlace, Form};
use crate::page::Page;
use crate::paper::Paper;

/// What the picture of a sheet is like. All lengths are in pixels of the page or in heights of a row.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Quality {
    /// Height of a row in pixels: the median of the cells.
    pub row_height: f32,
    /// Width of the edge from ink or print to paper, in pixels; about 2 in a sharp picture.
    pub blur: f32,
    /// How much darker than the paper the darkest strokes are, from 0 to 1 (all black).
    pub contrast: f32,
    /// Brightness of the paper of the table, from 0 (black) to 1.
    pub brightness: f32,
    /// Slope of the rows of the upright page in degrees, clockwise.
    pub angle: f32,
    /// Height of the lowest cells as a share of the highest: 1 where the sheet was seen from straight above.
    pub evenness: f32,
    /// How far rows bend away from straight lines, in row heights: the median of the rows.
    pub bend: f32,
}

/// Cells that are looked at, evenly spread over the form.
const MOST_CELLS: usize = 60;

impl Quality {
    /// Measures a form of a page. `written` are the cells with ink; where there are none, the print is measured.
    pub fn measure(page: &Page, paper: &Paper, form: &Form, written: &[&CellPlace]) -> Self {
        let all: Vec<&CellPlace> = form.cells.iter().collect();
        let mut heights: Vec<f32> = all.iter().map(|cell| height(cell)).collect();
        let row_height = at_share(&mut heights, 0.5);
        let (lowest, highest) = (at_share(&mut heights, 0.03), at_share(&mut heights, 0.97));
        let mut angles: Vec<f32> = all
            .iter()
            .map(|cell| {
                let ([x0, y0], [x1, y1]) = (cell.quad[0], cell.quad[1]);
                (y1 - y0).atan2(x1 - x0).to_degrees()
            })
            .collect();
        let seen = if written.is_empty() { &all } else { written };
        let (mut edges, mut inks, mut papers) = (Vec::new(), Vec::new(), Vec::new());
        for cell in seen.iter().step_by(seen.len().div_ceil(MOST_CELLS).max(1)) {
            let Some(strokes) = Strokes::of(&paper.darkness, &page.gray, cell) else {
                continue;
            };
            edges.push(strokes.edge);
            inks.push(strokes.darkness);
            papers.push(strokes.paper);
        }
        Self {
            row_height,
            blur: at_share(&mut edges, 0.5),
            contrast: at_share(&mut inks, 0.5) / 255.0,
            brightness: at_share(&mut papers, 0.5) / 255.0,
            angle: at_share(&mut angles, 0.5),
            evenness: lowest / highest.max(1.0),
            bend: bend(form) / row_height.max(1.0),
        }
    }
}

/// What is measured in one cell.
struct Strokes {
    /// Width of an edge in pixels.
    edge: f32,
    /// Darkness of the strokes.
    darkness: f32,
    /// Brightness of the paper.
    paper: f32,
}

impl Strokes {
    /// The box around a cell; none where nothing of it lies on the page.
    fn of(darkness: &GrayImage, gray: &GrayImage, cell: &CellPlace) -> Option<Self> {
        /// Share of the pixels that are darker or steeper.
        const STROKES: f32 = 0.98;
        let along = |axis: usize, limit: u32| {
            let values = || cell.quad.iter().map(move |corner| corner[axis]);
            let first = values().fold(f32::MAX, f32::min).max(1.0) as u32;
            let last = values().fold(0.0, f32::max).min(limit as f32 - 2.0) as u32;
            first..last
        };
        let (columns, rows) = (along(0, darkness.width()), along(1, darkness.height()));
        let (mut dark, mut steep, mut bright) = ([0u32; 256], [0u32; 256], [0u32; 256]);
        let at = |x: u32, y: u32| darkness.get_pixel(x, y).0[0];
        for y in rows.clone() {
            for x in columns.clone() {
                let across = at(x + 1, y).abs_diff(at(x - 1, y));
                let down = at(x, y + 1).abs_diff(at(x, y - 1));
                dark[usize::from(at(x, y))] += 1;
                steep[usize::from(across.max(down))] += 1;
                bright[usize::from(gray.get_pixel(x, y).0[0])] += 1;
            }
        }
        if columns.is_empty() || rows.is_empty() {
            return None;
        }
        let darkness = rank(&dark, STROKES);
        // The steepness is over two pixels.
        let edge = 2.0 * darkness / rank(&steep, STROKES).max(1.0);
        Some(Self {
            edge,
            darkness,
            paper: rank(&bright, 0.8),
        })
    }
}

/// The value below which a share of the counted pixels lies.
fn rank(histogram: &[u32; 256], share: f32) -> f32 {
    let all: u32 = histogram.iter().sum();
    let mut below = 0;
    for (value, count) in histogram.iter().enumerate() {
        below += count;
        if below as f32 >= all as f32 * share {
            return value as f32;
        }
    }
    255.0
}

/// The value below which a share of all lies; 0 where there are none.
fn at_share(values: &mut [f32], share: f32) -> f32 {
    if values.is_empty() {
        return 0.0;
    }
    let rank = ((values.len() - 1) as f32 * share).round() as usize;
    *values.select_nth_unstable_by(rank, f32::total_cmp).1
}

fn height(cell: &CellPlace) -> f32 {
    let side = |a: usize, b: usize| {
        let ([x0, y0], [x1, y1]) = (cell.quad[a], cell.quad[b]);
        (x1 - x0).hypot(y1 - y0)
    };
    (side(0, 3) + side(1, 2)) / 2.0
}

/// How far the upper corners of a row of cells lie off the line through its ends, in pixels: the median of the rows.
fn bend(form: &Form) -> f32 {
    let mut rows = vec![Vec::new(); form.rows];
    for cell in &form.cells {
        if let Some(row) = rows.get_mut(cell.row) {
            row.extend([cell.quad[0], cell.quad[1]]);
        }
    }
    let mut bends: Vec<f32> = rows
        .iter_mut()
        .filter(|row| row.len() > 2)
        .map(|row| {
            row.sort_by(|a, b| a[0].total_cmp(&b[0]));
            let ([x0, y0], [x1, y1]) = (row[0], row[row.len() - 1]);
            let off = |[x, y]: &[f32; 2]| {
                let line = y0 + (y1 - y0) * (x - x0) / (x1 - x0).max(1.0);
                (y - line).abs()
            };
            row.iter().map(off).fold(0.0, f32::max)
        })
        .collect();
    at_share(&mut bends, 0.5)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::drawing::Drawing;
    use crate::form::find_forms;
    use image::{Luma, imageops};

    fn of(gray: GrayImage) -> Quality {
        let paper = Paper::new(&gray);
        let form = find_forms(&paper).expect("a form").remove(0);
        Quality::measure(&Page { gray }, &paper, &form, &[])
    }

    #[test]
    fn each_fault_shows_in_its_own_figure() {
        const PLAIN: Drawing = Drawing::PLAIN;
        let page = PLAIN.page();
        let plain = of(page.clone());
        let near = |value: f32, expected: f32, room: f32| (value - expected).abs() < room;
        assert!(near(plain.row_height, PLAIN.pitch, 1.0), "{plain:?}");
        assert!(plain.blur < 2.5 && plain.contrast > 0.5, "{plain:?}");
        assert!(near(plain.angle, 0.0, 0.1), "{plain:?}");
        assert!(plain.evenness > 0.9 && plain.bend < 0.05, "{plain:?}");
        let blurred = of(imageops::blur(&page, 2.0));
        assert!(blurred.blur > 1.5 * plain.blur, "{blurred:?}");
        let mut faint = page.clone();
        for pixel in faint.pixels_mut() {
            *pixel = Luma([240 - (240 - pixel.0[0].min(240)) / 3]);
        }
        let faint = of(faint);
        assert!(faint.contrast < 0.5 * plain.contrast, "{faint:?}");
        assert!(near(faint.brightness, plain.brightness, 0.1), "{faint:?}");
        let mut dark = page;
        for pixel in dark.pixels_mut() {
            pixel.0[0] /= 4;
        }
        let dark = of(dark);
        assert!(
            near(dark.brightness, plain.brightness / 4.0, 0.05),
            "{dark:?}"
        );
        let askew = of(Drawing {
            slope: 0.05,
            ..PLAIN
        }
        .page());
        assert!(near(askew.angle.abs(), 2.86, 0.3), "{askew:?}");
        let bent = of(Drawing {
            bend: 12.0,
            ..PLAIN
        }
        .page());
        assert!(bent.bend > 4.0 * plain.bend.max(0.02), "{bent:?}");
    }
}
