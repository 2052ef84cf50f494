//! Printed move numbers: where they stand, which rows have one, and where one digit becomes two.

use image::{GrayImage, ImageBuffer, Luma};

use crate::rules::median;
use crate::sequence::Digits;
use crate::strokes::{Stroke, Strokes};

/// A printed number, in row heights from the top left corner of the strip it was looked for in.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Print {
    /// Where the print begins.
    pub(crate) start: f32,
    /// Where it ends.
    pub(crate) end: f32,
    /// Its upper end.
    pub(crate) top: f32,
    /// Its lower end.
    pub(crate) bottom: f32,
}

impl Print {
    fn centre(self) -> f32 {
        (self.start + self.end) / 2.0
    }

    /// The same print measured in another unit.
    fn scaled(self, factor: f32) -> Self {
        Self {
            start: self.start * factor,
            end: self.end * factor,
            top: self.top * factor,
            bottom: self.bottom * factor,
        }
    }

    pub(crate) fn width(self) -> f32 {
        self.end - self.start
    }

    fn height(self) -> f32 {
        self.bottom - self.top
    }
}

/// The printed numbers of a block, one for each strip that shows one.
#[derive(Debug, Clone, Default)]
pub(crate) struct Prints {
    /// In units of the usual row height.
    found: Vec<Option<Print>>,
    /// The prints alone, without rules and other marks.
    pictures: Vec<Option<GrayImage>>,
    usual: Option<Usual>,
}

impl Prints {
    /// Looks for a number in each strip: paper one row high (darkness, rectified, no padding), from rows of these heights.
    ///
    /// How dark print is, the strips tell themselves: faint copies have grey numbers. Of the marks in a strip the one counts
    /// that stands where the numbers usually stand.
    pub(crate) fn find(strips: &[GrayImage], heights: &[f32]) -> Self {
        let mut levels: Vec<f32> = strips
            .iter()
            .map(|strip| f32::from(dark_level(strip)))
            .collect();
        let level = median(&mut levels).unwrap_or(0.0);
        let threshold = (level * 0.5).max(22.0) as u8;
        let usual_height = median(&mut heights.to_vec()).unwrap_or(1.0).max(1.0);
        let seen: Vec<Marks> = strips
            .iter()
            .map(|strip| Marks::find(strip, threshold))
            .collect();
        let scaled = |(marks, height): (&Marks, &f32)| {
            let prints = marks.marks.iter().map(|mark| mark.print);
            prints
                .map(|print| print.scaled(height / usual_height))
                .collect()
        };
        let marks: Vec<Vec<Print>> = seen.iter().zip(heights).map(scaled).collect();
        let usual = Usual::of(&likely_prints(&marks));
        let chosen: Vec<Option<usize>> = marks
            .iter()
            .map(|marks| {
                let usual = usual?;
                let off = |mark: &Print| (mark.centre() - usual.centre()).abs();
                (0..marks.len())
                    .filter(|&mark| usual.admits(marks[mark]))
                    .min_by(|&a, &b| off(&marks[a]).total_cmp(&off(&marks[b])))
            })
            .collect();
        Self {
            found: chosen
                .iter()
                .zip(&marks)
                .map(|(&mark, marks)| Some(marks[mark?]))
                .collect(),
            pictures: chosen
                .iter()
                .zip(seen.iter().zip(strips))
                .map(|(&mark, (seen, strip))| Some(seen.picture(mark?, strip)))
                .collect(),
            usual,
        }
    }

    /// The number of each row, in usual row heights.
    pub(crate) fn rows(&self) -> &[Option<Print>] {
        &self.found
    }

    /// Where the numbers usually begin and end, in usual row heights from the left.
    pub(crate) fn span(&self) -> Option<(f32, f32)> {
        self.usual.map(|usual| (usual.start, usual.end))
    }

    /// Middle of the numbers, in usual row heights from the left.
    pub(crate) fn centre(&self) -> Option<f32> {
        self.usual.map(Usual::centre)
    }

    /// The digits of each number, to be compared.
    pub(crate) fn digits(&self) -> Vec<Option<Digits>> {
        let digits = |picture: &Option<GrayImage>| Digits::of(picture.as_ref()?);
        self.pictures.iter().map(digits).collect()
    }

    /// How much the marks look like printed numbers, in [0, 1]: one in nearly every row, at one height and of one size.
    ///
    /// Marks that the sides of a column cut off do not count.
    pub(crate) fn likeness(&self, sides: Option<[f32; 2]>) -> f32 {
        const LOW: f32 = 0.5;
        const HIGH: f32 = 0.9;
        /// Paper beside a number, in row heights.
        const ROOM: f32 = 0.035;
        let middle = |value: fn(&Print) -> f32| {
            median(&mut self.found.iter().flatten().map(value).collect::<Vec<f32>>())
        };
        let (Some(height), Some(top)) = (middle(|print| print.height()), middle(|print| print.top))
        else {
            return 0.0;
        };
        let even: Vec<f32> = self
            .found
            .iter()
            .map(|print| {
                let even = print.is_some_and(|print| {
                    let whole = sides.is_none_or(|[left, right]| {
                        print.start > left + ROOM && print.end < right - ROOM
                    });
                    whole
                        && (print.height() / height - 1.0).abs() < 0.25
                        && (print.top - top).abs() < 0.15
                });
                if even { 1.0 } else { 0.0 }
            })
            .collect();
        // A header above the table has none.
        let Some(rows) = numbered_rows(&even).filter(|rows| rows.len() * 2 >= even.len()) else {
            return 0.0;
        };
        let share = even[rows.clone()].iter().sum::<f32>() / rows.len() as f32;
        ((share - LOW) / (HIGH - LOW)).clamp(0.0, 1.0)
    }
}

/// Share of a row's height at its top and bottom that the rules may darken.
const EDGE: f32 = 0.14;

/// Darkness that the blackest two of a hundred pixels of a strip reach.
fn dark_level(strip: &GrayImage) -> u8 {
    let (width, height) = strip.dimensions();
    let edge = (height as f32 * EDGE) as u32;
    let mut counts = [0u32; 256];
    for y in edge..height - edge {
        for x in edge.min(width)..width {
            counts[usize::from(strip.get_pixel(x, y).0[0])] += 1;
        }
    }
    let blackest = counts.iter().sum::<u32>() / 50;
    let mut above = 0;
    let level = (0u8..=255).rev().find(|&value| {
        above += counts[usize::from(value)];
        above > blackest
    });
    level.unwrap_or(0)
}

/// The marks of a strip that may be numbers.
struct Marks {
    /// From the left, each as wide as one to three digits.
    marks: Vec<Mark>,
    /// The connected ink that each pixel of the strip belongs to; 0 is paper.
    labels: ImageBuffer<Luma<u32>, Vec<u32>>,
}

/// A mark, and the ink it is made of.
struct Mark {
    print: Print,
    bits: Vec<Stroke>,
}

impl Marks {
    /// Finds them; rules beside, above and below are left out, and full stops.
    fn find(strip: &GrayImage, threshold: u8) -> Self {
        const WIDTHS: std::ops::Range<f32> = 0.04..1.5;
        const LEAST_HEIGHT: f32 = 0.18;
        /// Space between two digits at most, in row heights; and as a share of their height, if they are tall: a 1 is narrow.
        const GAP: f32 = 0.26;
        const TALL_GAP: f32 = 0.5;
        let (width, height) = strip.dimensions();
        let row = height as f32;
        let edge = (row * EDGE) as u32;
        let dark = |x: u32, y: u32| strip.get_pixel(x, y).0[0] > threshold;
        let mut mask = GrayImage::new(width, height);
        for y in edge..height - edge {
            // A row of pixels that is dark from side to side is a rule that dips into the strip.
            let reach = width.min(height);
            let count = (0..reach).filter(|&x| dark(x, y)).count() as u32;
            if count * 10 < reach * 7 {
                for x in (0..width).filter(|&x| dark(x, y)) {
                    mask.put_pixel(x, y, Luma([255]));
                }
            }
        }
        let Strokes {
            labels,
            all: mut bits,
        } = Strokes::of(&mask);
        // What is dark from the upper rule to the lower one is a rule down; specks are nothing.
        let inner = (height - 2 * edge) as f32;
        bits.retain(|bit| {
            let is_rule = bit.height() as f32 > 0.9 * inner && (bit.width() as f32) < 0.2 * row;
            !is_rule && bit.height().max(bit.width()) as f32 > 0.05 * row
        });
        bits.sort_by_key(|bit| bit.left);
        let mut marks: Vec<Vec<Stroke>> = Vec::new();
        let mut end = 0;
        for bit in bits {
            let gap = |before: &Stroke| {
                let tall = bit.height().min(before.height()) as f32;
                (GAP * row).max(TALL_GAP * tall)
            };
            match marks.last_mut() {
                Some(mark) if bit.left as f32 <= end as f32 + mark.last().map_or(0.0, gap) => {
                    mark.push(bit);
                }
                _ => {
                    end = 0;
                    marks.push(vec![bit]);
                }
            }
            end = end.max(bit.right);
        }
        let marks = marks.into_iter().filter_map(|mut bits| {
            drop_stops(&mut bits);
            let [left, top, right, bottom] = bounds(&bits)?;
            let print = Print {
                start: left as f32 / row,
                end: right as f32 / row,
                top: top as f32 / row,
                bottom: bottom as f32 / row,
            };
            let fits = WIDTHS.contains(&print.width()) && print.height() >= LEAST_HEIGHT;
            fits.then_some(Mark { print, bits })
        });
        Self {
            marks: marks.collect(),
            labels,
        }
    }

    /// A mark alone, with the soft edge of its ink, out of the strip it was found in.
    fn picture(&self, mark: usize, strip: &GrayImage) -> GrayImage {
        let bits = &self.marks[mark].bits;
        let [left, top, right, bottom] = bounds(bits).unwrap_or_default();
        let (width, height) = strip.dimensions();
        let own = |x: u32, y: u32| {
            let label = self.labels.get_pixel(x, y).0[0];
            label > 0 && bits.iter().any(|bit| bit.label == label)
        };
        GrayImage::from_fn(right - left + 2, bottom - top + 2, |x, y| {
            let (x, y) = (x + left, y + top);
            let near = (x.saturating_sub(2)..(x + 1).min(width))
                .any(|x| (y.saturating_sub(2)..(y + 1).min(height)).any(|y| own(x, y)));
            let inside = x > 0 && y > 0 && x <= width && y <= height;
            if near && inside {
                *strip.get_pixel(x - 1, y - 1)
            } else {
                Luma([0])
            }
        })
    }
}

/// Left, top, right and bottom of some connected ink, the ends beyond it.
fn bounds(bits: &[Stroke]) -> Option<[u32; 4]> {
    Some([
        bits.iter().map(|bit| bit.left).min()?,
        bits.iter().map(|bit| bit.top).min()?,
        bits.iter().map(|bit| bit.right).max()? + 1,
        bits.iter().map(|bit| bit.bottom).max()? + 1,
    ])
}

/// Leaves out full stops: small bits in the lower part of a mark.
fn drop_stops(mark: &mut Vec<Stroke>) {
    const SMALL: f32 = 0.45;
    let Some(tallest) = mark.iter().max_by_key(|bit| bit.height()).copied() else {
        return;
    };
    let small = SMALL * tallest.height() as f32;
    mark.retain(|bit| {
        let is_low = bit.top as f32 > tallest.bottom as f32 - small;
        !(is_low && (bit.height() as f32) < small && (bit.width() as f32) < small)
    });
}

/// The mark of each strip that has most like it in other strips: at the same place and of the same height.
fn likely_prints(marks: &[Vec<Print>]) -> Vec<Option<Print>> {
    const NEAR: f32 = 0.2;
    let is_like = |a: &Print, b: &Print| {
        (a.centre() - b.centre()).abs() < NEAR
            && (a.top - b.top).abs() < NEAR
            && (a.height() / b.height() - 1.0).abs() < NEAR
    };
    let followers = |mark: &Print| -> Vec<Option<Print>> {
        let like = |others: &Vec<Print>| others.iter().find(|other| is_like(mark, other)).copied();
        marks.iter().map(like).collect()
    };
    let all: Vec<&Print> = marks.iter().flatten().collect();
    all.into_iter()
        .rev()
        .map(followers)
        // The first of equals.
        .max_by_key(|found| found.iter().flatten().count())
        .unwrap_or_default()
}

/// Where the numbers of a block usually stand, in row heights.
#[derive(Debug, Clone, Copy)]
struct Usual {
    start: f32,
    end: f32,
    width: f32,
    height: f32,
}

impl Usual {
    /// The medians of the prints of a block.
    fn of(prints: &[Option<Print>]) -> Option<Self> {
        let middle = |value: fn(&Print) -> f32| {
            median(&mut prints.iter().flatten().map(value).collect::<Vec<f32>>())
        };
        Some(Self {
            start: middle(|print| print.start)?,
            end: middle(|print| print.end)?,
            width: middle(|print| print.width())?,
            height: middle(|print| print.height())?,
        })
    }

    fn centre(self) -> f32 {
        (self.start + self.end) / 2.0
    }

    /// Whether a print may be a number of the block: set flush left, flush right or centred, and at most a digit longer than most.
    fn admits(self, print: Print) -> bool {
        const NEAR: f32 = 0.13;
        /// Width of a digit and the space before it, as a share of its height.
        const DIGIT: f32 = 0.75;
        const ROOM: f32 = 0.1;
        print.width() < self.width + DIGIT * self.height + ROOM
            && ((print.start - self.start).abs() < NEAR
                || (print.end - self.end).abs() < NEAR
                || (print.centre() - self.centre()).abs() < NEAR)
    }
}

/// Share of the blocks that show a number, row by row; the blocks have as many rows, and there is one at least.
pub(crate) fn shares_with_number(prints: &[Prints]) -> Vec<f32> {
    let rows = prints.first().map_or(0, |prints| prints.rows().len());
    (0..rows)
        .map(|row| {
            let found = prints.iter().filter(|prints| prints.rows()[row].is_some());
            found.count() as f32 / prints.len() as f32
        })
        .collect()
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
    /// Lines of a header that may seem to have numbers.
    const HEADER: usize = 4;
    let mut best: Option<(f32, usize)> = None;
    for split in 9..widths.len().min(rows.start + HEADER + 10) {
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
            (
                "marks in the header",
                [vec![Some(0.4), Some(0.8), None], numbers(1, 0, &[])].concat(),
                Some(3),
            ),
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
