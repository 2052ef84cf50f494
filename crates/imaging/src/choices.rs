//! Words beside a table that a person has marked: a ring drawn around them, or the box beside them ticked.

use std::ops::Range;

use image::GrayImage;

use crate::areas::AreaPlace;
use crate::cell::cut_quad;
use crate::form::Form;
use crate::paper::Paper;
use crate::ring::ring_share;
use crate::strip::Strip;
use crate::words::{Line, Print, TickBox};

/// A printed word, and what is drawn on it.
#[derive(Debug, Clone)]
pub struct PrintedWord {
    /// Line of print, counted from the top; one for all words beside one another.
    pub line: usize,
    /// Corners in page pixels: top left, top right, bottom right, bottom left.
    pub quad: [[f32; 2]; 4],
    /// Its picture, cut out as a cell is.
    pub image: GrayImage,
    /// What is drawn around it and in its box.
    pub marks: Marks,
}

/// What may be marks of a person on a printed word.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Marks {
    /// Share of the way around the word on which a line is drawn, in [0, 1]; below a half it may be too large.
    pub ring: f32,
    /// Share of the inner part of its box that is ink, in [0, 1]; nothing where it has no box.
    pub tick: Option<f32>,
}

impl Marks {
    /// Whether the word is ringed.
    pub fn are_ringed(&self) -> bool {
        /// Least share of the way around: handwriting, rules and print seldom come to more than 0.7.
        const RINGED: f32 = 0.78;
        self.ring >= RINGED
    }

    /// Whether the word is ringed or its box ticked.
    pub fn are_clear(&self) -> bool {
        /// Least ink of a tick.
        const TICKED: f32 = 0.1;
        self.are_ringed() || self.tick.is_some_and(|ink| ink >= TICKED)
    }

    /// Whether there is no ring around it and nothing in its box.
    pub fn are_absent(&self) -> bool {
        const UNRINGED: f32 = 0.7;
        const UNTICKED: f32 = 0.05;
        self.ring <= UNRINGED && self.tick.is_none_or(|ink| ink <= UNTICKED)
    }
}

/// The words above and below a form, where one of them is marked: those of the lines next to a marked word, from top to bottom and from
/// left to right. `forms` are all forms of the page.
///
/// Words may be printed or written; what they say is not known here.
pub fn find_marked_words(paper: &Paper, form: &Form, forms: &[Form]) -> Vec<Vec<PrintedWord>> {
    let places = [AreaPlace::Above, AreaPlace::Below].into_iter();
    let strips = places.filter_map(|place| Strip::beside(paper, form, forms, place));
    strips
        .map(|strip| marked_words_of(paper, &strip))
        .filter(|words| !words.is_empty())
        .collect()
}

fn marked_words_of(paper: &Paper, strip: &Strip) -> Vec<PrintedWord> {
    /// Lines above and below a marked word that are given with it: choices may stand one below another.
    const NEAR: usize = 2;
    /// Room above and below the letters that makes them as high in the picture as handwriting is in a cell, as a share of their height.
    const ROOM: f32 = 0.26;
    let Some(print) = Print::find(&strip.picture) else {
        return Vec::new();
    };
    let drawing = print.taken_from(&strip.picture);
    let dark = stroke_darkness(&drawing);
    let lines: Vec<(Line, Vec<Marks>)> = print
        .lines(&strip.outside)
        .into_iter()
        .map(|line| {
            let marks = marks(&line, &drawing, dark);
            (line, marks)
        })
        .collect();
    let marked: Vec<usize> = (0..lines.len())
        .filter(|&line| lines[line].1.iter().any(Marks::are_clear))
        .collect();
    let is_near = |line: usize| marked.iter().any(|other| other.abs_diff(line) <= NEAR);
    let near = (0..).zip(&lines).filter(|(line, _)| is_near(*line));
    near.flat_map(|(place, (line, marks))| {
        let words = line.words.iter().zip(marks);
        words.map(move |(word, marks)| {
            let [top, bottom] = [line.height.start, line.height.end].map(|y| y as f32);
            let [left, right] = [word.start, word.end].map(|x| x as f32);
            let room = ROOM * (bottom - top);
            let quad = strip.to_page([left, top - room, right, bottom + room]);
            PrintedWord {
                line: place,
                image: cut_quad(paper, &quad).image,
                quad: strip.to_page([left, top, right, bottom]),
                marks: *marks,
            }
        })
    })
    .collect()
}

/// The marks on each word of a line.
fn marks(line: &Line, drawing: &GrayImage, dark: u8) -> Vec<Marks> {
    let [top, bottom] = [line.height.start, line.height.end].map(|y| y as f32);
    let words = line.words.iter().zip(ticks(line));
    words
        .map(|(word, tick)| Marks {
            ring: ring_share(
                drawing,
                [word.start as f32, top, word.end as f32, bottom],
                dark,
            ),
            tick,
        })
        .collect()
}

/// The ink in the box of each word: boxes stand all left or all right of their words, on the side on which most are nearer to a word.
fn ticks(line: &Line) -> Vec<Option<f32>> {
    /// Widest gap between a box and its word, in sides of the box.
    const WIDEST: u32 = 2;
    let right = |found: &TickBox| found.left + found.side;
    let after = |found: &TickBox, word: &Range<u32>| gap(right(found), word.start, found.side);
    let before = |found: &TickBox, word: &Range<u32>| gap(word.end, found.left, found.side);
    let nearest = |found: &TickBox, gap: &dyn Fn(&TickBox, &Range<u32>) -> Option<u32>| {
        let gaps = line.words.iter().filter_map(|word| gap(found, word));
        gaps.min().unwrap_or(u32::MAX)
    };
    let is_before_its_word = |found: &&TickBox| nearest(found, &after) <= nearest(found, &before);
    let stand_before = line.boxes.iter().filter(is_before_its_word).count() * 2 >= line.boxes.len();
    let words = line.words.iter();
    words
        .map(|word| {
            let gaps = line.boxes.iter().filter_map(|found| {
                let gap = if stand_before {
                    after(found, word)
                } else {
                    before(found, word)
                };
                Some((gap?, found))
            });
            let (gap, found) = gaps.min_by_key(|(gap, _)| *gap)?;
            (gap <= WIDEST * found.side).then_some(found.ink)
        })
        .collect()
}

/// The gap from the end of one to the start of the next, where the next is not before; a ring may join it to the first by a little.
fn gap(end: u32, start: u32, side: u32) -> Option<u32> {
    (start + side / 4 >= end).then(|| start.saturating_sub(end))
}

/// Darkness of a stroke that stands out from the grain of the paper.
fn stroke_darkness(drawing: &GrayImage) -> u8 {
    /// Share of the pixels that are paper.
    const PAPER: usize = 97;
    /// How much darker than the darkest of the paper a stroke is, and the bounds.
    const TIMES: f32 = 2.5;
    const BOUNDS: [f32; 2] = [40.0, 70.0];
    let mut counts = [0usize; 256];
    drawing
        .pixels()
        .for_each(|pixel| counts[usize::from(pixel.0[0])] += 1);
    let all: usize = counts.iter().sum();
    let mut below = 0;
    let level = counts.iter().position(|count| {
        below += count;
        below * 100 >= all * PAPER
    });
    (level.unwrap_or(0) as f32 * TIMES).clamp(BOUNDS[0], BOUNDS[1]) as u8
}

#[cfg(test)]
mod tests {
    use super::*;
    use image::Luma;

    /// Left sides of three words, of the boxes before them, and the top of their letters; letters are 12 by 16.
    const WORDS: [i32; 3] = [220, 440, 660];
    const BOX: i32 = -40;
    const TOP: i32 = 940;
    const LETTERS: i32 = 5;

    struct Sheet {
        darkness: GrayImage,
    }

    impl Sheet {
        /// A table from 100 to 900 with twenty rows, and a line of words below it.
        fn new(with_boxes: bool) -> Self {
            let darkness = GrayImage::new(1000, 1200);
            let mut sheet = Self { darkness };
            sheet.fill([100, 899, 900, 902]);
            for word in WORDS {
                for letter in 0..LETTERS {
                    let left = word + letter * 16;
                    sheet.fill([left, TOP, left + 3, TOP + 16]);
                    sheet.fill([left + 9, TOP, left + 12, TOP + 16]);
                    sheet.fill([left, TOP + 7, left + 12, TOP + 10]);
                }
                if with_boxes {
                    let (left, top) = (word + BOX, TOP - 4);
                    for side in [
                        [0, 0, 24, 2],
                        [0, 22, 24, 24],
                        [0, 0, 2, 24],
                        [22, 0, 24, 24],
                    ] {
                        let [l, t, r, b] = side;
                        sheet.fill([left + l, top + t, left + r, top + b]);
                    }
                    // A side that the printer broke.
                    sheet.clear([left + 8, top, left + 13, top + 2]);
                }
            }
            sheet
        }

        fn fill(&mut self, bounds: [i32; 4]) {
            self.paint(bounds, 200);
        }

        fn clear(&mut self, bounds: [i32; 4]) {
            self.paint(bounds, 0);
        }

        fn paint(&mut self, [left, top, right, bottom]: [i32; 4], dark: u8) {
            for y in top..bottom {
                for x in left..right {
                    self.darkness.put_pixel(x as u32, y as u32, Luma([dark]));
                }
            }
        }

        /// Draws an oval around a word over a share of the way.
        fn ring(&mut self, word: i32, half: [f32; 2], share: f32) {
            for step in 0..6000 {
                let angle = 0.3 + step as f32 / 6000.0 * share * std::f32::consts::TAU;
                let x = (word + LETTERS * 8) as f32 + half[0] * angle.cos();
                let y = (TOP + 8) as f32 + half[1] * angle.sin();
                self.paint([x as i32, y as i32, x as i32 + 3, y as i32 + 3], 120);
            }
        }

        fn words(self) -> Vec<PrintedWord> {
            let form = Form::of_one_cell(1, 20, [100.0, 100.0, 900.0, 900.0]);
            let paper = Paper {
                darkness: self.darkness,
            };
            find_marked_words(&paper, &form, std::slice::from_ref(&form)).concat()
        }
    }

    #[test]
    fn rings_are_seen_also_over_the_edge_of_the_table() {
        for (name, half, share, marked) in [
            ("nothing", [60.0, 24.0], 0.0, false),
            ("a ring", [60.0, 24.0], 1.0, true),
            (
                "a wide ring that crosses the table's lower rule",
                [75.0, 60.0],
                1.0,
                true,
            ),
            ("a ring not quite closed", [60.0, 24.0], 0.9, true),
            ("half a ring", [60.0, 24.0], 0.5, false),
        ] {
            let mut sheet = Sheet::new(false);
            sheet.ring(WORDS[1], half, share);
            let words = sheet.words();
            if !marked {
                assert!(words.is_empty(), "{name}: {words:?}");
                continue;
            }
            let clear: Vec<bool> = words.iter().map(|word| word.marks.are_clear()).collect();
            assert_eq!(clear, [false, true, false], "{name}");
            assert!(words[0].marks.are_absent() && words[2].marks.are_absent());
            for (word, left) in words.iter().zip(WORDS) {
                let [[x, y], ..] = word.quad;
                assert!(
                    (x - left as f32).abs() < 3.0 && (y - TOP as f32).abs() < 3.0,
                    "{name}"
                );
                assert_eq!(word.line, 0);
            }
        }
    }

    #[test]
    fn ticks_are_seen_in_boxes_with_broken_sides() {
        let cases: [(&str, &[[i32; 4]], bool); 4] = [
            ("nothing", &[], false),
            ("a speck", &[[11, 11, 13, 13]], false),
            ("a bar that leaves the box", &[[8, -6, 12, 20]], true),
            ("a blot", &[[2, 2, 22, 22]], true),
        ];
        for (name, marks, ticked) in cases {
            let mut sheet = Sheet::new(true);
            let (left, top) = (WORDS[2] + BOX, TOP - 4);
            for [l, t, r, b] in marks {
                sheet.fill([left + l, top + t, left + r, top + b]);
            }
            let words = sheet.words();
            assert_eq!(!words.is_empty(), ticked, "{name}: {words:?}");
            if ticked {
                let clear: Vec<bool> = words.iter().map(|word| word.marks.are_clear()).collect();
                assert_eq!(clear, [false, false, true], "{name}");
                assert!(words[0].marks.are_absent() && words[1].marks.are_absent());
            }
        }
    }
}
