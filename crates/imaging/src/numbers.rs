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
    fn centre(self) -> f32 {
        (self.start + self.end) / 2.0
    }

    /// The same print measured in another unit.
    pub(crate) fn scaled(self, factor: f32) -> Self {
        Self {
            start: self.start * factor,
            end: self.end * factor,
        }
    }

    pub(crate) fn width(self) -> f32 {
        self.end - self.start
    }
}

/// The print in each strip of a block: paper one row high (darkness, rectified, no padding).
///
/// How dark print is, the strips tell themselves: faint copies have grey numbers.
pub(crate) fn find_prints(strips: &[GrayImage]) -> Vec<Option<Print>> {
    let mut levels: Vec<f32> = strips
        .iter()
        .map(|strip| f32::from(dark_level(strip)))
        .collect();
    let level = median(&mut levels).unwrap_or(0.0);
    let threshold = (level * 0.5).max(22.0) as u8;
    strips
        .iter()
        .map(|strip| find_print(strip, threshold))
        .collect()
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
    let dark = |x: u32, y: u32| strip.get_pixel(x, y).0[0] > threshold;
    // A pixel row that is dark from side to side is a rule that dips into the strip.
    let reach = (edge + height).min(width);
    let lines: Vec<u32> = (edge..height - edge)
        .filter(|&y| {
            let count = (edge..reach).filter(|&x| dark(x, y)).count() as u32;
            count * 10 < (reach - edge.min(reach)) * 6
        })
        .collect();
    let inked = |x: u32| lines.iter().filter(|&&y| dark(x, y)).count() >= 3;
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

/// Where the numbers of a block usually stand, in row heights.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Usual {
    start: f32,
    end: f32,
    width: f32,
}

impl Usual {
    /// The medians of the prints of a block.
    pub(crate) fn of(prints: &[Option<Print>]) -> Option<Self> {
        let middle = |value: fn(&Print) -> f32| {
            median(&mut prints.iter().flatten().map(value).collect::<Vec<f32>>())
        };
        Some(Self {
            start: middle(|print| print.start)?,
            end: middle(|print| print.end)?,
            width: middle(|print| print.width())?,
        })
    }

    pub(crate) fn centre(self) -> f32 {
        (self.start + self.end) / 2.0
    }

    /// Whether a print may be a number of the block: set flush left, flush right or centred, and not wider than numbers.
    pub(crate) fn admits(self, print: Print) -> bool {
        const NEAR: f32 = 0.13;
        print.width() < 1.35 * self.width + 0.1
            && ((print.start - self.start).abs() < NEAR
                || (print.end - self.end).abs() < NEAR
                || (print.centre() - self.centre()).abs() < NEAR)
    }
}

/// The longest stretch of rows that have their number: `evidence[row]` in [0, 1] is the share of blocks that show one.
///
/// A row that shows no number costs as much as one with all of them gives: a stretch may bridge a few blotted numbers, but
/// does not reach into the header.
pub(crate) fn numbered_rows(evidence: &[f32]) -> Option<std::ops::Range<usize>> {
    let (mut best, mut best_range) = (0.0, None);
    let (mut sum, mut start) = (0.0, 0);
    for (row, &share) in evidence.iter().enumerate() {
        if sum <= 0.0 {
            (sum, start) = (0.0, row);
        }
        sum += share * 2.0 - 1.02;
        if sum > best {
            (best, best_range) = (sum, Some(start..row + 1));
        }
    }
    best_range
}

/// The row of move 1, nine rows above the one where the numbers become two digits wide.
///
/// `widths` are those of the prints of the first block, top to bottom; `evidence` is as for [`numbered_rows`], which found
/// `rows`.
pub(crate) fn row_of_one(
    widths: &[Option<f32>],
    evidence: &[f32],
    rows: std::ops::Range<usize>,
) -> Option<usize> {
    let mut best: Option<(f32, usize)> = None;
    for split in 9..widths.len().min(rows.start + 10) {
        let mut narrow: Vec<f32> = widths[split - 9..split].iter().flatten().copied().collect();
        let mut wide: Vec<f32> = widths[split..rows.end.max(split)]
            .iter()
            .flatten()
            .copied()
            .collect();
        if narrow.len() < 4 || wide.len() < 4 {
            continue;
        }
        let (Some(one), Some(two)) = (median(&mut narrow), median(&mut wide)) else {
            continue;
        };
        if two < one * 1.3 {
            continue;
        }
        // A row without print is half an error, since one digit is missed more easily than two; and the stretch of
        // rows that have their number speaks for its own start.
        let limit = (one + two) / 2.0;
        let wrong = narrow.iter().filter(|&&width| width > limit).count()
            + wide.iter().filter(|&&width| width < limit).count();
        let missed = (9 - narrow.len()) as f32 * 0.5;
        let start = split - 9;
        let added: f32 = (start..rows.start).map(|row| 1.0 - evidence[row]).sum();
        let dropped: f32 = (rows.start..start).map(|row| evidence[row]).sum();
        let apart = (added + dropped) * 0.6;
        let share = (wrong as f32 * 1.3 + missed + apart) / (9 + wide.len()) as f32;
        if best.is_none_or(|(least, _)| share < least) {
            best = Some((share, split));
        }
    }
    let (share, split) = best?;
    (share < 0.25).then_some(split - 9)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_with_numbers_are_one_stretch() {
        type Case = (&'static str, &'static [f32], Option<std::ops::Range<usize>>);
        let cases: [Case; 5] = [
            ("none", &[0.0, 0.0, 0.0], None),
            ("all", &[1.0, 1.0, 1.0], Some(0..3)),
            ("header and footer", &[0.0, 1.0, 1.0, 1.0, 0.0], Some(1..4)),
            ("a blot", &[0.0, 1.0, 1.0, 0.0, 1.0, 1.0], Some(1..6)),
            ("half a header", &[0.5, 1.0, 1.0, 1.0], Some(1..4)),
        ];
        for (name, evidence, expected) in cases {
            assert_eq!(numbered_rows(evidence), expected, "{name}");
        }
    }

    #[test]
    fn two_digits_tell_the_first_row() {
        let numbers = |first: u32, header: usize, lost: &[usize]| -> Vec<Option<f32>> {
            let rows = (0..30).map(|row| Some(if first + row < 10 { 0.3 } else { 0.6 }));
            let mut widths: Vec<Option<f32>> =
                std::iter::repeat_n(None, header).chain(rows).collect();
            lost.iter().for_each(|&row| widths[row] = None);
            widths
        };
        let cases = [
            ("from the top", numbers(1, 0, &[]), Some(0)),
            ("after a header", numbers(1, 2, &[]), Some(2)),
            ("the first number lost", numbers(1, 2, &[2]), Some(2)),
            ("a second page", numbers(31, 2, &[]), None),
        ];
        for (name, widths, expected) in cases {
            let evidence: Vec<f32> = widths
                .iter()
                .map(|width| width.map_or(0.0, |_| 1.0))
                .collect();
            let rows = numbered_rows(&evidence).expect(name);
            assert_eq!(row_of_one(&widths, &evidence, rows), expected, "{name}");
        }
    }
}
