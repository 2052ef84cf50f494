//! Lines of printed words beside a table, and the boxes to be ticked among them.

use std::ops::Range;

use image::{GrayImage, Luma};

use crate::rectify::ROW;
use crate::strokes::{Stroke, Strokes};

/// Highest and widest letter, or letters that touch, in row heights; what is larger is drawn by hand.
const LETTER: [f32; 2] = [0.9, 1.5];

/// What is printed in a strip whose rows are [`ROW`] high.
pub(crate) struct Print {
    /// Ink without rules: 255.
    mask: GrayImage,
    /// The strokes of the mask.
    strokes: Strokes,
    /// Pixels that belong to a rule: 255.
    rules: GrayImage,
    /// Also faint ink without rules: 255.
    faint: GrayImage,
}

/// A line of print, in pixels of the strip.
pub(crate) struct Line {
    /// From the top of its letters to their feet.
    pub(crate) height: Range<u32>,
    /// Boxes to be ticked, from left to right.
    pub(crate) boxes: Vec<TickBox>,
    /// Words from left to right: letters without a wide gap.
    pub(crate) words: Vec<Range<u32>>,
}

/// A square with rules on its four sides.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct TickBox {
    /// Its left side.
    pub(crate) left: u32,
    /// Its upper side.
    pub(crate) top: u32,
    /// Length of its sides.
    pub(crate) side: u32,
    /// Share of its inner part that is ink, in [0, 1].
    pub(crate) ink: f32,
}

impl Print {
    /// What is printed; nothing where hardly anything is dark.
    pub(crate) fn find(darkness: &GrayImage) -> Option<Self> {
        let level = ink_level(darkness)?;
        let rules = find_rules(darkness, level);
        let darker_than = |level: u8| {
            let mut mask = GrayImage::new(darkness.width(), darkness.height());
            let pixels = darkness.pixels().zip(rules.pixels());
            for (ink, (dark, rule)) in mask.pixels_mut().zip(pixels) {
                if dark.0[0] > level && rule.0[0] == 0 {
                    *ink = Luma([255]);
                }
            }
            mask
        };
        let (mask, faint) = (darker_than(level), darker_than(level / 3));
        let strokes = Strokes::of(&mask);
        Some(Self {
            mask,
            strokes,
            rules,
            faint,
        })
    }

    /// The darkness without print and rules: what is drawn by hand, as far as it touches no letter.
    pub(crate) fn taken_from(&self, darkness: &GrayImage) -> GrayImage {
        let (width, height) = darkness.dimensions();
        let mut drawing = darkness.clone();
        for (x, y, label) in self.strokes.labels.enumerate_pixels() {
            if self.rules.get_pixel(x, y).0[0] > 0 {
                drawing.put_pixel(x, y, Luma([0]));
            }
            if label.0[0] == 0 || !is_letter(&self.strokes.all[label.0[0] as usize - 1]) {
                continue;
            }
            // With the soft edge of its ink.
            for y in y.saturating_sub(1)..(y + 2).min(height) {
                for x in x.saturating_sub(1)..(x + 2).min(width) {
                    drawing.put_pixel(x, y, Luma([0]));
                }
            }
        }
        drawing
    }

    /// The lines of print within some rows of pixels, from top to bottom.
    pub(crate) fn lines(&self, within: &Range<u32>) -> Vec<Line> {
        /// Least height of a letter, in row heights.
        const LEAST: f32 = 0.18;
        /// How much lower the middle of the next letter, and of any letter, of a line may be, in row heights.
        const NEXT: f32 = 0.12;
        const ANY: f32 = 0.6;
        /// Fewest letters of a line.
        const LETTERS: usize = 2;
        let fits = |stroke: &&Stroke| {
            let is_within = within.contains(&stroke.top) && within.contains(&stroke.bottom);
            is_within && is_letter(stroke) && stroke.height() as f32 >= LEAST * ROW
        };
        let mut letters: Vec<&Stroke> = self.strokes.all.iter().filter(fits).collect();
        let middle = |stroke: &Stroke| (stroke.top + stroke.bottom) as f32 / 2.0;
        letters.sort_by(|a, b| middle(a).total_cmp(&middle(b)));
        let is_next = |first: &Stroke, before: &Stroke, next: &Stroke| {
            middle(next) - middle(before) < NEXT * ROW && middle(next) - middle(first) < ANY * ROW
        };
        let mut groups: Vec<Vec<&Stroke>> = Vec::new();
        for letter in letters {
            match groups.last_mut() {
                Some(group) if is_next(group[0], group[group.len() - 1], letter) => {
                    group.push(letter);
                }
                _ => groups.push(vec![letter]),
            }
        }
        groups.retain(|group| group.len() >= LETTERS);
        // Parts of letters and of boxes may make lines across others.
        groups.sort_by_key(|group| std::cmp::Reverse(group.len()));
        let mut lines: Vec<Line> = Vec::new();
        for group in &groups {
            let line = self.line(group);
            let crosses = |other: &Line| {
                other.height.start < line.height.end && line.height.start < other.height.end
            };
            if !line.words.is_empty() && !lines.iter().any(crosses) {
                lines.push(line);
            }
        }
        lines.sort_by_key(|line| line.height.start);
        lines
    }

    fn line(&self, letters: &[&Stroke]) -> Line {
        /// Widest gap within a word, and least width of a word, as shares of the letters' height.
        const GAP: f32 = 0.6;
        const LEAST: f32 = 0.9;
        let usual = |side: fn(&Stroke) -> u32| {
            let mut values: Vec<u32> = letters.iter().map(|letter| side(letter)).collect();
            let place = values.len() / 2;
            *values.select_nth_unstable(place).1
        };
        let height = usual(|letter| letter.top)..usual(|letter| letter.bottom) + 1;
        let high = height.len() as f32;
        let boxes = self.boxes(&height);
        let mut inked = vec![false; self.mask.width() as usize];
        for y in height.clone() {
            for (x, inked) in (0..).zip(&mut inked) {
                let label = self.strokes.labels.get_pixel(x, y).0[0] as usize;
                *inked |= label > 0 && is_letter(&self.strokes.all[label - 1]);
            }
        }
        for found in &boxes {
            let around = found.left.saturating_sub(2)..found.left + found.side + 2;
            let width = inked.len();
            inked[around.start as usize..(around.end as usize).min(width)].fill(false);
        }
        let mut words: Vec<Range<u32>> = Vec::new();
        for x in (0..)
            .zip(&inked)
            .filter(|(_, inked)| **inked)
            .map(|(x, _)| x)
        {
            let parted = |word: &Range<u32>| {
                let gap = (x - word.end) as f32 > GAP * high;
                gap || boxes
                    .iter()
                    .any(|found| (word.end..x).contains(&found.left))
            };
            match words.last_mut() {
                Some(word) if !parted(word) => word.end = x + 1,
                _ => words.push(x..x + 1),
            }
        }
        words.retain(|word| word.len() as f32 >= LEAST * high);
        Line {
            height,
            boxes,
            words,
        }
    }

    /// Boxes in a line whose letters have this height: squares of one size side by side, somewhat higher than the letters, of which at least two
    /// are empty and stand apart.
    ///
    /// Their sides may be broken, and crossed by ticks.
    fn boxes(&self, letters: &Range<u32>) -> Vec<TickBox> {
        /// Sides, and how far the middle may lie from that of the letters, in letter heights: letters draw parts of squares, but none so much higher
        /// than they are.
        const SIDES: [f32; 2] = [1.3, 2.5];
        const MIDDLE: f32 = 0.35;
        let high = letters.len() as f32;
        let middle = (letters.start + letters.end) as f32 / 2.0;
        let sides = (SIDES[0] * high).ceil() as u32..=(SIDES[1] * high) as u32;
        let reach = (*sides.end() as f32 / 2.0 + MIDDLE * high).ceil();
        let rows = (middle - reach).max(0.0) as u32..(middle + reach) as u32;
        let frames = FrameSides::new(&self.faint, rows.start..rows.end.min(self.faint.height()));
        let mut best: (f32, Vec<TickBox>) = (0.0, Vec::new());
        for side in sides {
            for top in rows.clone() {
                let off = (top + side / 2) as f32 - middle;
                if off.abs() > MIDDLE * high {
                    continue;
                }
                let (score, boxes) = self.boxes_along(&frames.along(top, side), top, side);
                if score > best.0 {
                    best = (score, boxes);
                }
            }
        }
        best.1
    }

    /// The squares of one size at one height as boxes, and how well the empty ones among them are drawn; no boxes where fewer than two are empty.
    fn boxes_along(&self, found: &[(f32, u32)], top: u32, side: u32) -> (f32, Vec<TickBox>) {
        /// Most that may be ink, and faint ink, within an empty box: grain and shading draw frames everywhere.
        const EMPTY: [f32; 2] = [0.04, 0.1];
        /// More are no boxes, but grain or handwriting.
        const MOST: usize = 6;
        const NONE: (f32, Vec<TickBox>) = (0.0, Vec::new());
        if !(2..=MOST).contains(&found.len()) {
            return NONE;
        }
        let boxes = found.iter().map(|&(_, left)| TickBox {
            left,
            top,
            side,
            ink: inner_ink(&self.mask, left, top, side),
        });
        let boxes: Vec<TickBox> = boxes.collect();
        let is_empty = |found: &TickBox| {
            found.ink <= EMPTY[0]
                && inner_ink(&self.faint, found.left, top, side) <= EMPTY[1]
                && self.stands_apart(found)
        };
        let empty = found
            .iter()
            .zip(&boxes)
            .filter(|(_, found)| is_empty(found));
        let drawn: Vec<f32> = empty.map(|((drawn, _), _)| *drawn).collect();
        if drawn.len() < 2 {
            return NONE;
        }
        (drawn.iter().sum(), boxes)
    }

    /// Whether there is no ink left and right of a box.
    fn stands_apart(&self, found: &TickBox) -> bool {
        /// How far, as a share of the side.
        const ROOM: f32 = 0.2;
        let room = (ROOM * found.side as f32) as u32;
        // The side itself may lie a pixel out of the square.
        let before = found.left.saturating_sub(room)..found.left.saturating_sub(1);
        let after = found.left + found.side + 1..found.left + found.side + room;
        before
            .chain(after)
            .filter(|&x| x < self.mask.width())
            .all(|x| {
                (found.top..found.top + found.side).all(|y| self.mask.get_pixel(x, y).0[0] == 0)
            })
    }
}

/// Share of the inner half of a square that is ink.
fn inner_ink(ink: &GrayImage, left: u32, top: u32, side: u32) -> f32 {
    let (right, bottom) = (left + side - side / 4, top + side - side / 4);
    let (left, top) = (left + side / 4, top + side / 4);
    let inner = || (top..bottom).flat_map(|y| (left..right).map(move |x| (x, y)));
    let dark = inner().filter(|&(x, y)| ink.get_pixel(x, y).0[0] > 0);
    dark.count() as f32 / inner().count().max(1) as f32
}

/// Where the sides of squares are drawn in some rows of a picture.
struct FrameSides {
    rows: Range<u32>,
    width: usize,
    /// For each row, how many columns before each have ink in the row or the [`MARGIN`](Self::MARGIN) rows from it on.
    along: Vec<Vec<u32>>,
    /// For each column, how many rows before each have ink in the column or those from it on.
    down: Vec<Vec<u32>>,
}

impl FrameSides {
    /// Thickness within which a side is looked for, in pixels.
    const MARGIN: u32 = 3;

    fn new(ink: &GrayImage, rows: Range<u32>) -> Self {
        let width = ink.width();
        let is_ink = |x: u32, y: u32| ink.get_pixel(x, y).0[0] > 0;
        let counted = |marks: &mut dyn Iterator<Item = bool>| {
            let mut count = 0;
            let mut counts = vec![0];
            counts.extend(marks.map(|mark| {
                count += u32::from(mark);
                count
            }));
            counts
        };
        let along = rows.clone().map(|top| {
            let thick = top..(top + Self::MARGIN).min(rows.end);
            counted(&mut (0..width).map(|x| thick.clone().any(|y| is_ink(x, y))))
        });
        let down = (0..width).map(|left| {
            let thick = left..(left + Self::MARGIN).min(width);
            counted(&mut rows.clone().map(|y| thick.clone().any(|x| is_ink(x, y))))
        });
        Self {
            along: along.collect(),
            down: down.collect(),
            width: width as usize,
            rows,
        }
    }

    /// Share of the sides drawn and left side of each square of one size at one height.
    fn along(&self, top: u32, side: u32) -> Vec<(f32, u32)> {
        /// Share of each side, and of all four, that must be ink: scans leave little of thin sides.
        const EACH: f32 = 0.25;
        const ALL: f32 = 0.45;
        let side = side as usize;
        let upper = (top - self.rows.start) as usize;
        let lower = upper + side - Self::MARGIN as usize;
        let mut found: Vec<(f32, u32)> = Vec::new();
        if upper + side > self.along.len() {
            return found;
        }
        for left in 0..self.width.saturating_sub(side) {
            let across = |row: usize| self.along[row][left + side] - self.along[row][left];
            let down = |column: usize| self.down[column][upper + side] - self.down[column][upper];
            let drawn = [
                across(upper),
                across(lower),
                down(left),
                down(left + side - Self::MARGIN as usize),
            ];
            let least = drawn.iter().copied().min().unwrap_or(0) as f32;
            let all = drawn.iter().sum::<u32>() as f32 / (4 * side) as f32;
            if least < EACH * side as f32 || all < ALL {
                continue;
            }
            match found.last_mut() {
                Some((most, last)) if left < *last as usize + side => {
                    if all > *most {
                        (*most, *last) = (all, left as u32);
                    }
                }
                _ => found.push((all, left as u32)),
            }
        }
        found
    }
}

fn is_letter(stroke: &Stroke) -> bool {
    stroke.height() as f32 <= LETTER[0] * ROW && stroke.width() as f32 <= LETTER[1] * ROW
}

/// Darkness above which a pixel is ink: somewhat less than half that of print.
fn ink_level(darkness: &GrayImage) -> Option<u8> {
    /// Print is at least so dark.
    const PRINT: u8 = 70;
    /// Share of the mean darkness of print.
    const SHARE: f32 = 0.45;
    /// Fewest pixels of print.
    const LEAST: u32 = 50;
    let print = darkness
        .pixels()
        .map(|pixel| pixel.0[0])
        .filter(|&dark| dark > PRINT);
    let (sum, count) = print.fold((0u64, 0u32), |(sum, count), dark| {
        (sum + u64::from(dark), count + 1)
    });
    (count >= LEAST).then(|| (sum as f32 / count as f32 * SHARE).clamp(45.0, 90.0) as u8)
}

/// The pixels of rules: long dark runs along and down, and what is next to them; not where something drawn crosses them.
fn find_rules(darkness: &GrayImage, level: u8) -> GrayImage {
    /// Least length of a rule along and down, in row heights.
    const ALONG: f32 = 3.0;
    const DOWN: f32 = 2.5;
    let faint = level / 3 * 2;
    let (width, height) = darkness.dimensions();
    let is_dark = |x: u32, y: u32| darkness.get_pixel(x, y).0[0] > faint;
    let mut rules = GrayImage::new(width, height);
    for y in 0..height {
        for columns in long_runs(width, |x| is_dark(x, y), (ALONG * ROW) as u32) {
            for (x, rows) in thin_parts(columns, |x| dark_around(y, height, |y| is_dark(x, y))) {
                let rows = rows.start..rows.end.min(height);
                rows.for_each(|y| rules.put_pixel(x, y, Luma([255])));
            }
        }
    }
    for x in 0..width {
        for rows in long_runs(height, |y| is_dark(x, y), (DOWN * ROW) as u32) {
            for (y, columns) in thin_parts(rows, |y| dark_around(x, width, |x| is_dark(x, y))) {
                let columns = columns.start..columns.end.min(width);
                columns.for_each(|x| rules.put_pixel(x, y, Luma([255])));
            }
        }
    }
    rules
}

/// Thickest rule, in pixels.
const THICKEST: u32 = 7;

/// The dark places around one, as far as they can belong to a rule.
fn dark_around(place: u32, end: u32, is_dark: impl Fn(u32) -> bool) -> Range<u32> {
    let first = place.saturating_sub(THICKEST)..place;
    let first = first.rev().take_while(|&at| is_dark(at)).last();
    let last = (place..(place + THICKEST).min(end))
        .take_while(|&at| is_dark(at))
        .last();
    first.unwrap_or(place)..last.map_or(place, |last| last + 1)
}

/// Where a long run is about as thick as in most of its places, what is dark across it there, and what is next to that.
fn thin_parts(
    run: Range<u32>,
    across: impl Fn(u32) -> Range<u32>,
) -> impl Iterator<Item = (u32, Range<u32>)> {
    /// By how much a rule may be thicker than in most places, in pixels.
    const MORE: usize = 2;
    /// Pixels next to a run that are taken with it.
    const EDGE: u32 = 2;
    let dark: Vec<Range<u32>> = run.clone().map(across).collect();
    let mut thickness: Vec<usize> = dark.iter().map(Range::len).collect();
    let middle = thickness.len() / 2;
    let most = *thickness.select_nth_unstable(middle).1 + MORE;
    run.zip(dark)
        .filter(move |(_, dark)| dark.len() <= most.min(THICKEST as usize))
        .map(|(place, dark)| (place, dark.start.saturating_sub(EDGE)..dark.end + EDGE))
}

/// The runs of places below `end` that are at least so long.
fn long_runs(end: u32, is_dark: impl Fn(u32) -> bool, least: u32) -> Vec<Range<u32>> {
    let mut runs = Vec::new();
    let mut start = 0;
    for place in 0..=end {
        if place == end || !is_dark(place) {
            if place - start >= least {
                runs.push(start..place);
            }
            start = place + 1;
        }
    }
    runs
}
