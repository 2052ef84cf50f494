//! A table in the working image: which of its columns hold moves, and what numbers its rows have.

use std::collections::BTreeMap;

use image::GrayImage;

use crate::bundle::{Bundle, Level};
use crate::columns::{BlockColumns, block_before, find_columns};
use crate::form::{Form, FormError, LEAST_ROWS};
use crate::grid::{Grid, Numbering};
use crate::numbers::{Print, Prints, numbered_rows, row_of_one, shares_with_number};
use crate::printed::{Span, printed_blocks, ruled_spans};
use crate::rules::Ridges;
use crate::sequence::{Digits, Guess, fit_numbers};
use crate::series::{MOST_BLOCKS, NumberLikeness};

/// Rows of one table, and the columns that it may have.
pub(crate) struct Table<'a> {
    grid: Grid<'a>,
    /// Series of blocks, the likeliest by its rules first.
    series: Vec<Vec<BlockColumns>>,
}

impl<'a> Table<'a> {
    /// Finds the columns that the table with these row lines may have.
    ///
    /// `ridges` are those of the strips down the page.
    pub(crate) fn find(
        working: &'a GrayImage,
        across: &'a Bundle,
        rows: Vec<Level>,
        ridges: &Ridges,
    ) -> Self {
        let (grid, lines) = Grid::new(working, across, rows, ridges);
        let mut numbers = SeenNumbers {
            grid: &grid,
            lines: &lines,
            known: BTreeMap::new(),
        };
        let series = find_columns(&lines, &grid.flat_places(&lines), grid.pitch, &mut numbers);
        Self { grid, series }
    }

    /// The forms of the table: one, or several where the numbers begin again.
    ///
    /// Of the series of columns whose printed numbers read on from one another the one of most blocks wins, the likeliest of equals. If
    /// none does, the blocks that columns of printed numbers make are tried too; they win if they read on, or show more numbers than the
    /// likeliest series, and are not fewer than clear rules part.
    ///
    /// # Errors
    /// [`FormError::NoColumns`] where neither numbers nor clear rules show that this is a table.
    pub(crate) fn forms(self) -> Result<Vec<Form>, FormError> {
        let Self { mut grid, series } = self;
        let mut chosen: Option<Numbered> = None;
        for blocks in series {
            // Some blocks of a form read on, too.
            let more = |read: &Numbered| !read.is_read() || blocks.len() > read.blocks.len();
            if !chosen.as_ref().is_none_or(more) {
                continue;
            }
            let numbered = Numbered::of(&grid, blocks, 0.0);
            if numbered.is_read() || chosen.is_none() {
                chosen = Some(numbered);
            }
        }
        while let Some(more) = chosen
            .as_ref()
            .and_then(|read| grid.with_block_before(read))
        {
            chosen = Some(more);
        }
        if !chosen.as_ref().is_some_and(Numbered::is_read) {
            chosen = grid.printed(chosen);
        }
        let Some(Numbered {
            blocks,
            prints,
            numbering,
        }) = chosen.filter(|best| best.numbering.first.is_some() || grid.is_ruled(&best.blocks))
        else {
            return Err(FormError::NoColumns {
                rows: grid.rows.len() - 1,
                vertical: grid.down.levels.len(),
            });
        };
        let range = numbering.rows.clone();
        grid.rows = grid.rows[range.start..=range.end].to_vec();
        Ok(blocks
            .chunks(numbering.together)
            .zip(prints.chunks(numbering.together))
            .map(|(blocks, prints)| grid.form(blocks, &numbering, prints))
            .collect())
    }
}

/// Blocks, with the numbers printed in them.
struct Numbered {
    blocks: Vec<BlockColumns>,
    prints: Vec<Prints>,
    numbering: Numbering,
}

impl Numbered {
    fn of(grid: &Grid<'_>, blocks: Vec<BlockColumns>, shift: f32) -> Self {
        let prints = grid.prints(&blocks, shift);
        let numbering = Numbering::of(grid, &blocks, &prints);
        Self {
            blocks,
            prints,
            numbering,
        }
    }

    fn is_read(&self) -> bool {
        self.numbering.read
    }

    /// Printed numbers that were seen, where they show the first one.
    fn seen(&self) -> f32 {
        let Numbering {
            rows,
            first,
            quality,
            ..
        } = &self.numbering;
        first.map_or(0.0, |_| quality * (rows.len() * self.blocks.len()) as f32)
    }
}

impl Grid<'_> {
    /// Blocks whose numbers begin later than a block has rows, with the one before them, if its numbers lead to theirs: whatever hides its rules.
    fn with_block_before(&self, read: &Numbered) -> Option<Numbered> {
        let Numbering {
            rows,
            first: Some(first),
            read: true,
            together,
            ..
        } = &read.numbering
        else {
            return None;
        };
        let first = first
            .checked_sub(rows.len() as u32)
            .filter(|&first| first > 0)?;
        if *together < read.blocks.len() {
            return None;
        }
        let mut blocks = vec![block_before(&self.down, &read.blocks)?];
        blocks.extend_from_slice(&read.blocks);
        let more = Numbered::of(self, blocks, 0.0);
        (more.is_read() && more.numbering.first == Some(first)).then_some(more)
    }

    /// The blocks that columns of printed numbers make, if their numbers read on or are more than those of `other`.
    fn printed(&self, other: Option<Numbered>) -> Option<Numbered> {
        /// Numbers may stand on the rules or hang from them: shifts of their strips, in row heights.
        const SHIFTS: [f32; 3] = [0.0, 0.25, -0.25];
        /// Numbers that must be read where others were seen: those of one block alone are hardly those of the form.
        const MOST_PART: f32 = 0.6;
        // Where clear rules part the columns, numbers do not tell of fewer blocks.
        let ruled = other
            .as_ref()
            .map(|other| &other.blocks)
            .filter(|blocks| self.is_ruled(blocks))
            .map_or(0, Vec::len);
        let mut best = other;
        for shift in SHIFTS {
            let Some(blocks) = self.printed_blocks(shift) else {
                continue;
            };
            let printed = Numbered::of(self, blocks, shift);
            let most = best.as_ref().map_or(0.0, Numbered::seen);
            if printed.blocks.len() < ruled {
                continue;
            }
            if printed.is_read() && printed.seen() >= MOST_PART * most {
                return Some(printed);
            }
            if printed.seen() > most {
                best = Some(printed);
            }
        }
        best
    }

    /// The blocks that columns of printed numbers and the rules of the rows make.
    fn printed_blocks(&self, shift: f32) -> Option<Vec<BlockColumns>> {
        let spans = ruled_spans(
            self.working,
            self.across,
            &self.down,
            &self.rows,
            self.pitch,
        );
        if spans.is_empty() || spans.len() > 2 * MOST_BLOCKS {
            return None;
        }
        // Rules mostly end beside the numbers; the whole width is searched only if they do not.
        let within = |window: Span| {
            let mut spans = spans.iter();
            spans.any(|span| span.0 <= window.0 && window.1 <= span.1)
        };
        let mut numbers = self.number_columns(shift, |window| !within(window));
        if numbers.is_empty() && shift == 0.0 {
            numbers = self.number_columns(shift, within);
        }
        printed_blocks(&spans, &numbers)
    }

    /// Columns of printed numbers from left to right, looked for in the stretches that are `tried`.
    fn number_columns(&self, shift: f32, tried: impl Fn(Span) -> bool) -> Vec<Span> {
        /// Width of the stretch that is looked at, and its step, in row heights.
        const WIDTH: f32 = 2.0;
        const STEP: f32 = 0.5;
        /// Rows that are looked at.
        const SAMPLES: usize = 24;
        const LIKE: f32 = 0.5;
        /// Paper beside the numbers, in row heights.
        const ROOM: f32 = 0.12;
        let pitch = self.pitch;
        let level = |level: f32| Level { level, line: None };
        let step = (self.rows.len() / SAMPLES).max(1);
        let places = (self.working.width() as f32 / (STEP * pitch)) as usize;
        let mut columns: Vec<(f32, Span)> = Vec::new();
        for place in 0..places {
            let left = place as f32 * STEP * pitch;
            let right = left + WIDTH * pitch;
            if !tried((left, right)) {
                continue;
            }
            let span = (level(left), level(right));
            let block = BlockColumns {
                number: Some(span),
                white: span,
                black: span,
            };
            let (strips, heights) = self.number_strips(&block, step, shift);
            let prints = Prints::find(&strips, &heights);
            let Some((start, end)) = prints.span() else {
                continue;
            };
            let like = prints.likeness(Some([0.0, WIDTH]));
            let found = (left + (start - ROOM) * pitch, left + (end + ROOM) * pitch);
            match columns.last_mut() {
                _ if like < LIKE => {}
                // The same numbers again.
                Some(last) if found.0 < last.1.1 => {
                    if like > last.0 {
                        *last = (like, found);
                    }
                }
                _ => columns.push((like, found)),
            }
        }
        columns.into_iter().map(|(_, span)| span).collect()
    }
}

/// Looks at the space between lines for printed numbers, once for each.
struct SeenNumbers<'a> {
    grid: &'a Grid<'a>,
    lines: &'a [(Level, f32)],
    known: BTreeMap<(usize, usize, bool), f32>,
}

impl NumberLikeness for SeenNumbers<'_> {
    fn likeness(&mut self, left: usize, right: usize, inside: bool) -> f32 {
        /// Rows that are looked at: few, and more where those may be numbers. A picture of something else has hundreds of columns.
        const SAMPLES: [usize; 2] = [6, 16];
        let span = (self.lines[left].0, self.lines[right].0);
        let grid = self.grid;
        *self.known.entry((left, right, inside)).or_insert_with(|| {
            let block = BlockColumns {
                number: (!inside).then_some(span),
                white: span,
                black: span,
            };
            let mut likeness = 0.0;
            for samples in SAMPLES {
                likeness = grid.likeness(&block, samples);
                if likeness == 0.0 {
                    break;
                }
            }
            likeness
        })
    }
}

impl Numbering {
    fn of(grid: &Grid<'_>, columns: &[BlockColumns], prints: &[Prints]) -> Self {
        /// Agreement and comparisons from which the digits are trusted.
        const AGREEMENT: f32 = 0.7;
        const LEAST_AGREEMENT: f32 = 0.45;
        const COMPARED: usize = 12;
        /// Lead over any other reading, in numbers, from which less agreement will do: the digits are blotted, not others.
        const LEAD: f32 = 15.0;
        const LED_AGREEMENT: f32 = 0.6;
        let blocks = columns.len();
        let rows = grid.rows.len() - 1;
        let evidence = shares_with_number(prints);
        let seen = numbered_rows(&evidence).filter(|rows| rows.len() >= LEAST_ROWS);
        let quality = |range: &std::ops::Range<usize>| {
            evidence[range.clone()].iter().sum::<f32>() / range.len().max(1) as f32
        };
        if let Some(near) = seen.clone() {
            let digits: Vec<Vec<Option<Digits>>> = prints.iter().map(Prints::digits).collect();
            if let Some((guess, fit, rival)) = fit_numbers(&digits, near)
                && let lead = rival.map_or(f32::MAX, |rival| fit.score - rival.score)
                && (fit.agreement >= AGREEMENT || fit.agreement >= LED_AGREEMENT && lead > LEAD)
                && fit.least >= LEAST_AGREEMENT
                && fit.compared >= COMPARED
                && fit.upright
                && lead > 2.0
            {
                let Guess {
                    start,
                    rows,
                    first,
                    together,
                } = guess;
                let rows = start..start + rows;
                return Self {
                    quality: quality(&rows),
                    rows,
                    first: Some(first),
                    read: true,
                    printed: true,
                    together,
                };
            }
        }
        let widths: Vec<Option<f32>> = prints[0]
            .rows()
            .iter()
            .map(|print| print.map(Print::width))
            .collect();
        let first_row = seen
            .clone()
            .and_then(|rows| row_of_one(&widths, &evidence, rows));
        let numbered = seen.map(|rows| {
            // A page whose digits get wider after nine rows has its first row there, whatever hides it.
            let start = first_row.unwrap_or(rows.start);
            // The last row may have lost a number to a signature, but it has its rules down.
            let mut end = rows.end;
            while end < evidence.len() && evidence[end] > 0.4 && grid.is_divided(columns, end) {
                end += 1;
            }
            start..end
        });
        let printed = numbered.is_some();
        let rows = numbered.unwrap_or(1..rows - 1);
        Self {
            quality: if printed { quality(&rows) } else { 0.0 },
            rows,
            first: first_row.map(|_| 1),
            read: false,
            printed,
            together: blocks,
        }
    }
}
