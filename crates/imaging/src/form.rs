//! The form of a sheet: which rectangles of the page are the cells of which moves.

use image::GrayImage;
use image::imageops;

use crate::bundle::{Bundle, Level};
use crate::cell::rectify;
use crate::columns::{BlockColumns, NUMBER_PART, column_lines, find_columns};
use crate::numbers::{Print, Usual, find_prints, numbered_rows, row_of_one};
use crate::paper::Paper;
use crate::rows::{find_rows, row_ends, rules_within};
use crate::rules::{Direction, STRIP, find_rules, median};

/// Whose moves a column of cells holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Column {
    /// White's.
    White,
    /// Black's.
    Black,
}

/// Where a cell lies and which move belongs in it.
#[derive(Debug, Clone, PartialEq)]
pub struct CellPlace {
    /// Move number.
    pub number: u32,
    /// Whose move.
    pub column: Column,
    /// Block (pair of columns) of the cell, from the left, from 0.
    pub block: usize,
    /// Row of the cell within its block, from 0.
    pub row: usize,
    /// Corners in page pixels: top left, top right, bottom right, bottom left.
    pub quad: [[f32; 2]; 4],
}

/// Where a printed move number lies.
#[derive(Debug, Clone, PartialEq)]
pub struct NumberPlace {
    /// Block, from 0.
    pub block: usize,
    /// Row within the block, from 0.
    pub row: usize,
    /// Corners in page pixels: top left, top right, bottom right, bottom left.
    pub quad: [[f32; 2]; 4],
}

/// The table of a sheet.
#[derive(Debug, Clone, PartialEq)]
pub struct Form {
    /// Pairs of White and Black columns side by side.
    pub blocks: usize,
    /// Rows of each block.
    pub rows: usize,
    /// Move number of the first row of the first block.
    pub first_number: u32,
    /// Whether the page itself shows that first number (else it is taken to be 1).
    pub numbered: bool,
    /// Share of the rows whose printed number was found, in [0, 1].
    pub quality: f32,
    /// The cells, in the order of play.
    pub cells: Vec<CellPlace>,
    /// The printed numbers, block by block; empty where none are printed.
    pub numbers: Vec<NumberPlace>,
}

impl Form {
    /// Counts the moves from another first number.
    pub fn renumber(&mut self, first: u32) {
        for cell in &mut self.cells {
            cell.number = cell.number - self.first_number + first;
        }
        self.first_number = first;
        self.numbered = true;
    }
}

/// Why no form was found. The messages say what was found and what to do.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FormError {
    /// There are hardly any ruled lines.
    #[error(
        "no table found: {horizontal} ruled lines across and {vertical} down; is this a score sheet, sharp and whole?"
    )]
    NoRules {
        /// Long rules across the page.
        horizontal: usize,
        /// Long rules down the page.
        vertical: usize,
    },
    /// There are rules, but no rows of one height.
    #[error(
        "no table found: {horizontal} ruled lines across, but not {least} rows of equal height; photograph the sheet flat and from above"
    )]
    NoRows {
        /// Long rules across the page.
        horizontal: usize,
        /// Rows that a table must have.
        least: usize,
    },
    /// There are rows, but no White and Black columns.
    #[error(
        "no table found: {rows} rows, but no pairs of White and Black columns among {vertical} ruled lines down; is this a score sheet, sharp and whole?"
    )]
    NoColumns {
        /// Rows found.
        rows: usize,
        /// Rules down the rows.
        vertical: usize,
    },
}

/// Longer side of the image in which rules are looked for, in pixels.
const WORKING_SIDE: f32 = 1700.0;

/// Fewest rows of a table.
const LEAST_ROWS: usize = 10;

/// Finds the table of a page: blocks of number, White and Black columns, rows of one height, lines followed where the
/// paper bends.
///
/// The page must stand upright to within about eight degrees.
///
/// # Errors
/// A [`FormError`] that says how far the search came.
pub fn find_form(paper: &Paper) -> Result<Form, FormError> {
    let (width, height) = paper.darkness.dimensions();
    let scale = (WORKING_SIDE / width.max(height) as f32).min(1.0);
    let shrunk;
    let working = if scale < 0.95 {
        let to = |side: u32| ((side as f32 * scale).round() as u32).max(1);
        shrunk = imageops::thumbnail(&paper.darkness, to(width), to(height));
        &shrunk
    } else {
        &paper.darkness
    };
    let mut form = Table::find(working)?.form(working);
    let (across, down) = (
        width as f32 / working.width() as f32,
        height as f32 / working.height() as f32,
    );
    let to_page = |quad: &mut [[f32; 2]; 4]| {
        for corner in quad {
            *corner = [
                (corner[0] + 0.5) * across - 0.5,
                (corner[1] + 0.5) * down - 0.5,
            ];
        }
    };
    form.cells
        .iter_mut()
        .for_each(|cell| to_page(&mut cell.quad));
    form.numbers
        .iter_mut()
        .for_each(|number| to_page(&mut number.quad));
    Ok(form)
}

/// Rows and columns in the working image.
struct Table {
    across: Bundle,
    down: Bundle,
    rows: Vec<Level>,
    blocks: Vec<BlockColumns>,
}

impl Table {
    fn find(working: &GrayImage) -> Result<Self, FormError> {
        let (width, height) = (working.width() as usize, working.height() as usize);
        let horizontal = find_rules(working, Direction::Horizontal, 8);
        let vertical = find_rules(working, Direction::Vertical, 8);
        let nothing = FormError::NoRules {
            horizontal: horizontal.len(),
            vertical: vertical.len(),
        };
        let Some(across) = Bundle::fit(&horizontal, width / STRIP) else {
            return Err(nothing);
        };
        let rows = find_rows(&across, width as f32, height as f32);
        if rows.len() < LEAST_ROWS + 1 {
            return Err(FormError::NoRows {
                horizontal: horizontal.len(),
                least: LEAST_ROWS,
            });
        }
        let within = rules_within(&vertical, &row_ends(&across, &rows));
        let Some(down) = Bundle::fit(&within, height / STRIP) else {
            return Err(nothing);
        };
        let middle = width as f32 / 2.0;
        let top = across.offset(rows[0], middle);
        let bottom = across.offset(rows[rows.len() - 1], middle);
        let lines = column_lines(&down, top, bottom, width as f32);
        let blocks = find_columns(&lines);
        if blocks.is_empty() {
            return Err(FormError::NoColumns {
                rows: rows.len() - 1,
                vertical: lines.len(),
            });
        }
        Ok(Self {
            across,
            down,
            rows,
            blocks,
        })
    }

    /// Where a row line and a column line cross.
    fn corner(&self, row: Level, column: Level) -> [f32; 2] {
        let mut corner = [column.level, row.level];
        for _ in 0..4 {
            corner[0] = self.down.offset(column, corner[1]);
            corner[1] = self.across.offset(row, corner[0]);
        }
        corner
    }

    /// The part of a row between two columns.
    fn quad(&self, row: usize, left: Level, right: Level) -> [[f32; 2]; 4] {
        let (top, bottom) = (self.rows[row], self.rows[row + 1]);
        [
            self.corner(top, left),
            self.corner(top, right),
            self.corner(bottom, right),
            self.corner(bottom, left),
        ]
    }

    /// Whether rules part number, White and Black in every block of a row.
    fn is_divided(&self, row: usize) -> bool {
        let inner = |block: &BlockColumns| {
            let number = block.number.map(|(_, right)| right);
            [Some(block.black.0), number]
        };
        self.blocks.iter().flat_map(inner).flatten().all(|column| {
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

    /// Prints of the number column of each row of a block, in row heights of the block's usual row.
    fn prints(&self, working: &GrayImage, block: &BlockColumns) -> Vec<Option<Print>> {
        let quads: Vec<[[f32; 2]; 4]> = (0..self.rows.len() - 1)
            .map(|row| match block.number {
                Some((left, right)) => self.quad(row, left, right),
                None => {
                    let white = self.quad(row, block.white.0, block.white.1);
                    part_of(&white, 0.0, NUMBER_PART)
                }
            })
            .collect();
        let heights: Vec<f32> = quads.iter().map(|quad| quad[3][1] - quad[0][1]).collect();
        let usual = median(&mut heights.clone()).unwrap_or(1.0).max(1.0);
        let strips: Vec<GrayImage> = quads
            .iter()
            .map(|quad| rectify(working, quad, 0.0))
            .collect();
        find_prints(&strips)
            .into_iter()
            .zip(heights)
            .map(|(print, height)| print.map(|print| print.scaled(height / usual)))
            .collect()
    }

    fn form(mut self, working: &GrayImage) -> Form {
        let prints: Vec<Vec<Option<Print>>> = self
            .blocks
            .iter()
            .map(|block| self.prints(working, block))
            .collect();
        let usual: Vec<Option<Usual>> = prints.iter().map(|prints| Usual::of(prints)).collect();
        let here = |block: usize, row: usize| {
            prints[block][row]
                .filter(|&print| usual[block].is_some_and(|usual| usual.admits(print)))
        };
        let blocks = self.blocks.len();
        let evidence: Vec<f32> = (0..self.rows.len() - 1)
            .map(|row| {
                let found = (0..blocks)
                    .filter(|&block| here(block, row).is_some())
                    .count();
                found as f32 / blocks as f32
            })
            .collect();
        let widths: Vec<Option<f32>> = (0..evidence.len())
            .map(|row| here(0, row).map(Print::width))
            .collect();
        let seen = numbered_rows(&evidence).filter(|rows| rows.len() >= LEAST_ROWS);
        let first_row = seen
            .clone()
            .and_then(|rows| row_of_one(&widths, &evidence, rows));
        let numbered = seen.map(|rows| {
            // A page whose digits get wider after nine rows has its first row there, whatever hides it.
            let start = first_row.unwrap_or(rows.start);
            // The last row may have lost a number to a signature, but it has its rules down.
            let mut end = rows.end;
            while end < evidence.len() && evidence[end] > 0.4 && self.is_divided(end) {
                end += 1;
            }
            start..end
        });
        let range = numbered.clone().unwrap_or(1..self.rows.len() - 2);
        let quality = if numbered.is_some() {
            evidence[range.clone()].iter().sum::<f32>() / range.len() as f32
        } else {
            0.0
        };
        self.rows = self.rows[range.start..=range.end].to_vec();
        let mut form = Form {
            blocks,
            rows: self.rows.len() - 1,
            first_number: 1,
            numbered: first_row.is_some(),
            quality,
            cells: Vec::new(),
            numbers: Vec::new(),
        };
        for (index, block) in self.blocks.iter().enumerate() {
            for row in 0..form.rows {
                let number = form.first_number + (index * form.rows + row) as u32;
                let mut white = self.quad(row, block.white.0, block.white.1);
                let mut number_quad = block
                    .number
                    .map(|(left, right)| self.quad(row, left, right));
                if block.number.is_none() && numbered.is_some() {
                    // The number stands in the middle of its own strip at the left of White's column.
                    let high = (white[3][1] - white[0][1]).max(1.0);
                    let wide = (white[1][0] - white[0][0]).max(1.0);
                    let share =
                        usual[index].map_or(0.0, |usual| 2.0 * usual.centre() * high / wide);
                    let share = share.min(NUMBER_PART);
                    number_quad = Some(part_of(&white, 0.0, share));
                    white = part_of(&white, share, 1.0);
                }
                if numbered.is_some()
                    && let Some(quad) = number_quad
                {
                    form.numbers.push(NumberPlace {
                        block: index,
                        row,
                        quad,
                    });
                }
                let black = self.quad(row, block.black.0, block.black.1);
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
}

/// The part of a quadrilateral between two shares of its width.
fn part_of(quad: &[[f32; 2]; 4], from: f32, to: f32) -> [[f32; 2]; 4] {
    let [top_left, top_right, bottom_right, bottom_left] = *quad;
    let between = |a: [f32; 2], b: [f32; 2], share: f32| {
        [a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share]
    };
    [
        between(top_left, top_right, from),
        between(top_left, top_right, to),
        between(bottom_left, bottom_right, to),
        between(bottom_left, bottom_right, from),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::drawing::Drawing;

    const PLAIN: Drawing = Drawing::PLAIN;

    #[test]
    fn drawn_forms_are_found() {
        let cases = [
            ("two blocks of 30", PLAIN),
            (
                "numbers without a rule",
                Drawing {
                    number_rule: false,
                    ..PLAIN
                },
            ),
            (
                "one block of 20",
                Drawing {
                    blocks: 1,
                    rows: 20,
                    ..PLAIN
                },
            ),
            (
                "three blocks of 20",
                Drawing {
                    blocks: 3,
                    rows: 20,
                    ..PLAIN
                },
            ),
            (
                "bent paper",
                Drawing {
                    bend: 12.0,
                    ..PLAIN
                },
            ),
            (
                "askew",
                Drawing {
                    slope: 0.05,
                    ..PLAIN
                },
            ),
            (
                "a rule missing",
                Drawing {
                    missing_rule: Some(7),
                    ..PLAIN
                },
            ),
            (
                "small",
                Drawing {
                    pitch: 24.0,
                    ..PLAIN
                },
            ),
            (
                "large",
                Drawing {
                    pitch: 70.0,
                    ..PLAIN
                },
            ),
        ];
        for (name, drawing) in cases {
            let form = find_form(&Paper::new(&drawing.page())).expect(name);
            assert_eq!(
                (form.blocks, form.rows),
                (drawing.blocks, drawing.rows),
                "{name}"
            );
            assert_eq!(form.first_number, 1, "{name}");
            assert!(form.numbered, "{name}");
            assert_eq!(
                form.cells.len(),
                2 * drawing.blocks * drawing.rows,
                "{name}"
            );
            for (index, cell) in form.cells.iter().enumerate() {
                assert_eq!(cell.number as usize, index / 2 + 1, "{name}: order of play");
                let expected = drawing.black_corner(cell.block, cell.row);
                let corner = match cell.column {
                    Column::White => cell.quad[1],
                    Column::Black => cell.quad[0],
                };
                let away = (corner[0] - expected[0]).hypot(corner[1] - expected[1]);
                assert!(
                    away < 0.12 * drawing.pitch,
                    "{name}: cell {index} off by {away}"
                );
            }
        }
    }

    #[test]
    fn numbers_may_go_on_from_another_page() {
        let drawing = Drawing {
            first_number: 31,
            ..PLAIN
        };
        let mut form = find_form(&Paper::new(&drawing.page())).expect("a form");
        assert!(!form.numbered, "two digits everywhere tell nothing");
        form.renumber(31);
        let numbers: Vec<u32> = form.cells.iter().map(|cell| cell.number).collect();
        assert_eq!((numbers[0], numbers[numbers.len() - 1]), (31, 90));
    }

    #[test]
    fn pages_without_a_table_are_refused() {
        let blank = GrayImage::from_pixel(800, 1000, image::Luma([230]));
        let stripes = GrayImage::from_fn(800, 1000, |_, y| {
            image::Luma([if y % 40 < 2 { 0 } else { 230 }])
        });
        let noise = GrayImage::from_fn(800, 1000, |x, y| {
            image::Luma([((x * 7919 + y * 104_729 + x * y * 31) % 251) as u8])
        });
        for (name, page) in [
            ("blank", blank),
            ("only rules across", stripes),
            ("noise", noise),
        ] {
            assert!(find_form(&Paper::new(&page)).is_err(), "{name}");
        }
    }
}
