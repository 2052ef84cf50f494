//! The row lines and column lines of one table, and the quadrilaterals between them.

use image::GrayImage;

use crate::bundle::{Bundle, Level};
use crate::columns::{BlockColumns, column_lines, without_boxes};
use crate::ends::add_row_ends;
use crate::form::{CellPlace, Column, Form, NumberPlace};
use crate::numbers::Prints;
use crate::rectify::{between, rectify};
use crate::rows::{row_ends, rules_within};
use crate::rules::{Ridges, STRIP, chain_rules, median};
use crate::series::NUMBER_PART;

/// Corners: top left, top right, bottom right, bottom left.
type Quad = [[f32; 2]; 4];

/// Row lines and column lines of one table.
pub(crate) struct Grid<'a> {
    pub(crate) working: &'a GrayImage,
    pub(crate) across: &'a Bundle,
    pub(crate) down: Bundle,
    pub(crate) rows: Vec<Level>,
    /// Usual height of a row.
    pub(crate) pitch: f32,
}

/// Which rows have numbers, and which.
pub(crate) struct Numbering {
    pub(crate) rows: std::ops::Range<usize>,
    /// Number of the first row, where the page shows it.
    pub(crate) first: Option<u32>,
    /// Whether the printed numbers read on from one another in every block.
    pub(crate) read: bool,
    /// Whether numbers are printed at all.
    pub(crate) printed: bool,
    /// Blocks after which the numbers begin again.
    pub(crate) together: usize,
    /// Share of the rows whose number was found.
    pub(crate) quality: f32,
}

/// How far left of White's column a number printed in it may begin, in row heights.
const BEFORE: f32 = 0.3;

impl<'a> Grid<'a> {
    /// The grid with these row lines, and the lines down that may bound columns, left to right, with the share of the table's height in which each was seen.
    ///
    /// `ridges` are those of the strips down the page.
    pub(crate) fn new(
        working: &'a GrayImage,
        across: &'a Bundle,
        rows: Vec<Level>,
        ridges: &Ridges,
    ) -> (Self, Vec<(Level, f32)>) {
        let (width, height) = (working.width() as f32, working.height() as usize);
        let mut pitches: Vec<f32> = rows
            .windows(2)
            .map(|pair| pair[1].level - pair[0].level)
            .collect();
        let pitch = median(&mut pitches).unwrap_or(1.0);
        let mut ridges = ridges.clone();
        add_row_ends(&mut ridges.peaks, working, across, &rows, pitch);
        let vertical = chain_rules(&ridges, 8);
        let within = rules_within(&vertical, &row_ends(across, &rows));
        let down = Bundle::fit(&within, height / STRIP)
            .unwrap_or_else(|| Bundle::flat(width, height / STRIP));
        let middle = width / 2.0;
        let top = across.offset(rows[0], middle);
        let bottom = across.offset(rows[rows.len() - 1], middle);
        let lines = without_boxes(column_lines(&down, top, bottom, width, pitch), pitch);
        let grid = Self {
            working,
            across,
            down,
            rows,
            pitch,
        };
        (grid, lines)
    }

    /// The form of some blocks.
    pub(crate) fn form(
        &self,
        blocks: &[BlockColumns],
        numbering: &Numbering,
        prints: &[Prints],
    ) -> Form {
        let rows = self.rows.len() - 1;
        let mut form = Form {
            blocks: blocks.len(),
            rows,
            first_number: numbering.first.unwrap_or(1),
            numbered: numbering.first.is_some(),
            numbers_read: numbering.read,
            quality: numbering.quality,
            cells: Vec::new(),
            numbers: Vec::new(),
        };
        for (index, columns) in blocks.iter().enumerate() {
            for row in 0..rows {
                let number = form.first_number + (index * rows + row) as u32;
                let mut white = self.quad(row, columns.white.0, columns.white.1);
                let mut number_quad = columns
                    .number
                    .map(|(left, right)| self.quad(row, left, right));
                if columns.number.is_none() && numbering.printed {
                    // The number stands in the middle of its own strip at the left of White's column.
                    let high = (white[3][1] - white[0][1]).max(1.0);
                    let wide = (white[1][0] - white[0][0]).max(1.0);
                    let centre = prints[index].centre().map_or(0.0, |centre| centre - BEFORE);
                    let share = (2.0 * centre * high / wide).clamp(0.0, NUMBER_PART);
                    number_quad = Some(part_of(&white, 0.0, share));
                    white = part_of(&white, share, 1.0);
                }
                if numbering.printed
                    && let Some(quad) = number_quad
                {
                    form.numbers.push(NumberPlace {
                        block: index,
                        row,
                        quad,
                    });
                }
                let black = self.quad(row, columns.black.0, columns.black.1);
                for (column, quad) in [(Column::White, white), (Column::Black, black)] {
                    form.cells.push(CellPlace {
                        number,
                        column,
                        block: index,
                        row,
                        quad,
                    });
                }
            }
        }
        form
    }

    /// Where lines down would lie were the page seen from straight above: in perspective columns narrow as the square of the rows' height does.
    pub(crate) fn flat_places(&self, lines: &[(Level, f32)]) -> Vec<f32> {
        let (Some(&first), Some(&last)) = (self.rows.first(), self.rows.last()) else {
            return lines.iter().map(|(place, _)| place.level).collect();
        };
        let high = |x: f32| self.across.offset(last, x) - self.across.offset(first, x);
        let usual = high(self.working.width() as f32 / 2.0);
        let mut flat = 0.0;
        let mut before = 0.0;
        lines
            .iter()
            .map(|(place, _)| {
                let middle = (before + place.level) / 2.0;
                flat += (place.level - before) * (usual / high(middle).max(1.0)).powi(2);
                before = place.level;
                flat
            })
            .collect()
    }

    /// Whether the columns of moves lie between clear rules: handwriting, grain and edges of things are broken lines.
    pub(crate) fn is_ruled(&self, blocks: &[BlockColumns]) -> bool {
        const CLEAR: f32 = 0.85;
        let mut seen: Vec<f32> = blocks
            .iter()
            .flat_map(|block| [block.white.0, block.white.1, block.black.0, block.black.1])
            .map(|column| {
                let top = self.corner(self.rows[0], column)[1];
                let bottom = self.corner(self.rows[self.rows.len() - 1], column)[1];
                column
                    .line
                    .map_or(0.0, |line| self.down.coverage(line, top, bottom))
            })
            .collect();
        median(&mut seen).is_some_and(|seen| seen >= CLEAR)
    }

    /// Whether rules part number, White and Black in every block of a row.
    pub(crate) fn is_divided(&self, blocks: &[BlockColumns], row: usize) -> bool {
        let inner = |block: &BlockColumns| {
            let number = block.number.map(|(_, right)| right);
            [Some(block.black.0), number]
        };
        blocks.iter().flat_map(inner).flatten().all(|column| {
            let Some(line) = column.line else {
                return false;
            };
            let top = self.corner(self.rows[row], column)[1];
            let bottom = self.corner(self.rows[row + 1], column)[1];
            // The strip at the top may still show the rule of the row above.
            let inner = top + 0.35 * (bottom - top);
            self.down.coverage(line, inner, bottom) > 0.99
        })
    }

    /// Where a row line and a column line cross.
    pub(crate) fn corner(&self, row: Level, column: Level) -> [f32; 2] {
        let mut corner = [column.level, row.level];
        for _ in 0..4 {
            corner[0] = self.down.offset(column, corner[1]);
            corner[1] = self.across.offset(row, corner[0]);
        }
        corner
    }

    /// The part of a row between two columns.
    pub(crate) fn quad(&self, row: usize, left: Level, right: Level) -> Quad {
        let (top, bottom) = (self.rows[row], self.rows[row + 1]);
        [
            self.corner(top, left),
            self.corner(top, right),
            self.corner(bottom, right),
            self.corner(bottom, left),
        ]
    }

    /// How much some rows of a block show numbers.
    pub(crate) fn likeness(&self, block: &BlockColumns, samples: usize) -> f32 {
        let step = (self.rows.len() / samples).max(1);
        let (strips, heights) = self.number_strips(block, step, 0.0);
        let mut widths: Vec<f32> = strips
            .iter()
            .map(|strip| strip.width() as f32 / strip.height() as f32)
            .collect();
        let sides = median(&mut widths)
            .filter(|_| block.number.is_some())
            .map(|wide| [0.0, wide]);
        Prints::find(&strips, &heights).likeness(sides)
    }

    /// The numbers printed in each of some blocks, looked for `shift` row heights below each row.
    pub(crate) fn prints(&self, blocks: &[BlockColumns], shift: f32) -> Vec<Prints> {
        let of_block = |block| {
            let (strips, heights) = self.number_strips(block, 1, shift);
            Prints::find(&strips, &heights)
        };
        blocks.iter().map(of_block).collect()
    }

    /// Strips of paper in which the numbers of a block stand, of every `step`th row, and the heights of those rows; a strip lies
    /// `shift` row heights below its row.
    pub(crate) fn number_strips(
        &self,
        block: &BlockColumns,
        step: usize,
        shift: f32,
    ) -> (Vec<GrayImage>, Vec<f32>) {
        (0..self.rows.len() - 1)
            .step_by(step)
            .map(|row| {
                let quad = match block.number {
                    Some((left, right)) => self.quad(row, left, right),
                    None => {
                        let white = self.quad(row, block.white.0, block.white.1);
                        let high = white[3][1] - white[0][1];
                        let wide = (white[1][0] - white[0][0]).max(1.0);
                        part_of(&white, -BEFORE * high / wide, NUMBER_PART)
                    }
                };
                let high = quad[3][1] - quad[0][1];
                let lowered = quad.map(|[x, y]| [x, y + shift * high]);
                (rectify(self.working, &lowered, 0.0), high)
            })
            .unzip()
    }
}

/// The part of a quadrilateral between two shares of its width; a share below 0 lies left of it.
fn part_of(quad: &Quad, from: f32, to: f32) -> Quad {
    let [top_left, top_right, bottom_right, bottom_left] = *quad;
    [
        between(top_left, top_right, from),
        between(top_left, top_right, to),
        between(bottom_left, bottom_right, to),
        between(bottom_left, bottom_right, from),
    ]
}
