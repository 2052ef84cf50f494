//! Printed move numbers: where they stand, which rows have one, and where one digit becomes two.

use image::GrayImage;

use crate::rules::median;

/// A printed number, in row heights from the left edge of the strip it was looked for in.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Print {
    /// Where the print begins.
    pub(crate) start: f32,
    /// Where it ends.
    pub(crate) end: f32,
}

impl Print {
    pub(crate) fn centre(self) -> f32 {
        (self.start + self.end) / 2.0
    }

    pub(crate) fn width(self) -> f32 {
        self.end - self.start
    }
}

/// The print in each strip of a block: paper one row high (darkness, rectified, no padding).
///
/// How dark print is, the strips tell themselves: faint copies have grey numbers.
pub(crate) fn find_prints(strips: &[GrayImage]) -> Vec<Option<Print>> {
    let mut levels: Vec<f32> = strips.iter().map(|strip| f32::from(dark_level(strip))).collect();
    let level = median(&mut levels).unwrap_or(0.0);
    let threshold = (level * 0.5).max(22.0) as u8;
    strips.iter().map(|strip| find_print(strip, threshold)).collect()
}

/// Share of a row's height at its top, bottom and left that the rules may darken.
const EDGE: f32 = 0.16;

/// Darkness that the blackest two of a hundred pixels of a strip reach.
fn dark_level(strip: &GrayImage) -> u8 {
    let (width, height) = strip.dimensions();
    let edge = (height as f32 * EDGE) as u32;
    let mut values: Vec<u8> = Vec::new();
    for y in edge..height - edge {
        values.extend((edge..width).map(|x| strip.get_pixel(x, y).0[0]));
    }
    if values.is_empty() {
        return 0;
    }
    let rank = values.len() - 1 - values.len() / 50;
    *values.select_nth_unstable(rank).1
}

/// The first print of a strip: a run of inked columns as wide as one to three digits.
fn find_print(strip: &GrayImage, threshold: u8) -> Option<Print> {
    let (width, height) = strip.dimensions();
    let row = height as f32;
    let edge = (row * EDGE) as u32;
    let gap_limit = (row * 0.22) as u32;
    let inked = |x: u32| {
        (edge..height - edge)
            .filter(|&y| strip.get_pixel(x, y).0[0] > threshold)
            .count()
            >= 3
    };
    let mut run: Option<(u32, u32)> = None;
    let mut prints = Vec::new();
    for x in edge..width {
        if !inked(x) {
            continue;
        }
        run = match run {
            Some((start, end)) if x - end <= gap_limit => Some((start, x)),
            Some(done) => {
                prints.push(done);
                Some((x, x))
            }
            None => Some((x, x)),
        };
    }
    prints.extend(run);
    prints
        .into_iter()
        .map(|(start, end)| Print {
            start: start as f32 / row,
            end: (end + 1) as f32 / row,
        })
        .find(|print| (0.04..1.5).contains(&print.width()))
}

/// The usual centre of the prints of a block, in row heights.
pub(crate) fn usual_centre(prints: &[Option<Print>]) -> Option<f32> {
    let mut centres: Vec<f32> = prints
        .iter()
        .flatten()
        .map(|print| print.centre())
        .collect();
    median(&mut centres)
}

/// The longest stretch of rows that have their number: `evidence[row]` in [0, 1] is the share of blocks that show one.
///
/// A row without evidence costs as much as two rows with it give, so that a stretch may bridge a blotted number, but does
/// not reach into the header.
pub(crate) fn numbered_rows(evidence: &[f32]) -> Option<std::ops::Range<usize>> {
    let (mut best, mut best_range) = (0.0, None);
    let (mut sum, mut start) = (0.0, 0);
    for (row, &share) in evidence.iter().enumerate() {
        if sum <= 0.0 {
            (sum, start) = (0.0, row);
        }
        sum += share * 2.0 - 1.1;
        if sum > best {
            (best, best_range) = (sum, Some(start..row + 1));
        }
    }
    best_range
}

/// The row of move 1, nine rows above the one where the numbers become two digits wide.
///
/// `widths` are those of the prints of the first block, top to bottom; `rows` those that have a number.
pub(crate) fn row_of_one(widths: &[Option<f32>], rows: std::ops::Range<usize>) -> Option<usize> {
    let mut best: Option<(f32, usize)> = None;
    for split in 9..widths.len().min(rows.start + 10) {
        let mut narrow: Vec<f32> = widths[split - 9..split].iter().flatten().copied().collect();
        let mut wide: Vec<f32> = widths[split..rows.end.max(split)].iter().flatten().copied().collect();
        if narrow.len() < 4 || wide.len() < 4 {
            continue;
        }
        let (Some(one), Some(two)) = (median(&mut narrow), median(&mut wide)) else {
            continue;
        };
        if two < one * 1.3 {
            continue;
        }
        // A row without print is half an error: where one digit is missed, two are not.
        let limit = (one + two) / 2.0;
        let wrong = narrow.iter().filter(|&&width| width > limit).count()
            + wide.iter().filter(|&&width| width < limit).count();
        let missed = (9 - narrow.len()) as f32 * 0.5;
        let share = (wrong as f32 + missed) / (9 + wide.len()) as f32;
        if best.is_none_or(|(least, _)| share < least) {
            best = Some((share, split));
        }
    }
    let (share, split) = best?;
    (share < 0.2).then_some(split - 9)
}
