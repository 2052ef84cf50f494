//! The form of a sheet: which rectangles of the page are the cells of which moves.

use std::borrow::Cow;

use image::GrayImage;
use image::imageops::{self, FilterType};

use crate::bundle::Bundle;
use crate::paper::Paper;
use crate::rectify::bounds;
use crate::reduced::reduced;
use crate::rows::find_rows;
use crate::rules::{Direction, STRIP, chain_rules, find_ridges};
use crate::table::Table;

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
    /// Rows of each block; of the longest, where tables of two heights run on from one another.
    pub rows: usize,
    /// Move number of the first row of the first block.
    pub first_number: u32,
    /// Whether the page itself shows that first number (else it is taken to be 1).
    pub numbered: bool,
    /// Whether the printed numbers read on from one another, which hardly any other page shows, nor this one in a mirror.
    pub numbers_read: bool,
    /// Share of the rows whose printed number was found, in [0, 1].
    pub quality: f32,
    /// The cells, in the order of play.
    pub cells: Vec<CellPlace>,
    /// The printed numbers, block by block; empty where none are printed.
    pub numbers: Vec<NumberPlace>,
}

impl Form {
    /// Left, top, right and bottom of the table with its printed numbers, in page pixels.
    pub fn bounds(&self) -> [f32; 4] {
        bounds(self.corners())
    }

    /// The corners of all cells and printed numbers, in page pixels.
    pub(crate) fn corners(&self) -> impl Iterator<Item = [f32; 2]> {
        let numbers = self.numbers.iter().map(|number| number.quad);
        let cells = self.cells.iter().map(|cell| cell.quad);
        cells.chain(numbers).flatten()
    }
}

/// Why no form was found. The messages say what was found and what to do.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FormError {
    /// Most of the picture is as dark as ink.
    #[error(
        "no paper found: most of the picture is dark or speckled; photograph the sheet in even light"
    )]
    NoPaper,
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

/// Longer side of the image in which rules are looked for, in pixels: larger pages are shrunk to the most, smaller ones
/// enlarged to the least, so that a strip is never higher than a row or two.
const WORKING_SIDE: std::ops::RangeInclusive<f32> = 1300.0..=1700.0;

/// Share of a page that may be ink: beyond, there is no paper to write on.
const MOST_INK: f32 = 0.5;

/// Fewest rows of a table.
pub(crate) const LEAST_ROWS: usize = 10;

/// Most rows that are taken for a table, with lines of the header: in grain there are more.
pub(crate) const MOST_ROWS: usize = 75;

/// Most tables that are looked for on a page.
const MOST_TABLES: usize = 3;

/// Finds the forms of a page: blocks of number, White and Black columns, rows of one height, lines followed where the paper
/// bends. Several are given from left to right: two sheets on one picture, or two pages of a book.
///
/// The page must stand upright to within about eight degrees. Tables whose numbers run on from one to the other are one form. There is at least one form.
///
/// # Errors
/// A [`FormError`] that says how far the search came, if there is no table at all.
pub fn find_forms(paper: &Paper) -> Result<Vec<Form>, FormError> {
    let working = Working::of(paper);
    let mut forms = find_tables(working.picture())?;
    for form in &mut forms {
        working.to_page(form);
    }
    Ok(forms)
}

/// A page's paper at the size in which rules are looked for.
pub(crate) struct Working<'a> {
    picture: Cow<'a, GrayImage>,
    /// Size of the page.
    page: (u32, u32),
}

impl<'a> Working<'a> {
    /// The paper, made smaller or larger where it must be.
    pub(crate) fn of(paper: &'a Paper) -> Self {
        let page = paper.darkness.dimensions();
        let side = page.0.max(page.1) as f32;
        let scale = side.clamp(*WORKING_SIDE.start(), *WORKING_SIDE.end()) / side;
        let to = |side: u32| ((side as f32 * scale).round() as u32).max(1);
        let (width, height) = (to(page.0), to(page.1));
        let picture = if scale < 0.95 {
            Cow::Owned(reduced(&paper.darkness, width, height))
        } else if scale > 1.05 {
            let filter = FilterType::Triangle;
            Cow::Owned(imageops::resize(&paper.darkness, width, height, filter))
        } else {
            Cow::Borrowed(&paper.darkness)
        };
        Self { picture, page }
    }

    pub(crate) fn picture(&self) -> &GrayImage {
        &self.picture
    }

    /// Takes a form from pixels of the working image to those of the page.
    pub(crate) fn to_page(&self, form: &mut Form) {
        let (across, down) = (
            self.page.0 as f32 / self.picture.width() as f32,
            self.page.1 as f32 / self.picture.height() as f32,
        );
        let to_page = |quad: &mut [[f32; 2]; 4]| {
            for corner in quad {
                *corner = [
                    (corner[0] + 0.5) * across - 0.5,
                    (corner[1] + 0.5) * down - 0.5,
                ];
            }
        };
        let cells = form.cells.iter_mut().map(|cell| &mut cell.quad);
        let numbers = form.numbers.iter_mut().map(|number| &mut number.quad);
        cells.chain(numbers).for_each(to_page);
    }
}

/// The tables of a working image, from left to right.
fn find_tables(working: &GrayImage) -> Result<Vec<Form>, FormError> {
    let (width, height) = (working.width() as usize, working.height() as usize);
    if inked_share(working) > MOST_INK {
        return Err(FormError::NoPaper);
    }
    let horizontal = chain_rules(&find_ridges(working, Direction::Horizontal), 8);
    let ridges = find_ridges(working, Direction::Vertical);
    let Some(across) = Bundle::fit(&horizontal, width / STRIP) else {
        return Err(FormError::NoRules {
            horizontal: horizontal.len(),
            vertical: chain_rules(&ridges, 8).len(),
        });
    };
    let mut seen = across.seen.clone();
    let mut failure = FormError::NoRows {
        horizontal: horizontal.len(),
        least: LEAST_ROWS,
    };
    let mut forms: Vec<Form> = Vec::new();
    for table in 0..MOST_TABLES {
        let rows = find_rows(&across, &seen, height as f32);
        if !(LEAST_ROWS..=MOST_ROWS).contains(&rows.len().saturating_sub(1)) {
            break;
        }
        let lines: Vec<usize> = rows.iter().filter_map(|row| row.line).collect();
        match Table::find(working, &across, rows, &ridges).forms() {
            Ok(found) => {
                if !forms.is_empty() && !found.iter().all(|form| is_another(form, &forms)) {
                    lines.iter().for_each(|&line| seen[line].fill(false));
                    continue;
                }
                // What lies on this table is no other table's.
                for form in &found {
                    take_lines(&mut seen, &across, form.bounds());
                }
                forms.extend(found);
                // Beside a table without its numbers nothing tells another one from a header.
                if forms.iter().any(|form| !form.numbered) {
                    break;
                }
            }
            Err(error) if table == 0 => {
                failure = error;
                break;
            }
            Err(_) => lines.iter().for_each(|&line| seen[line].fill(false)),
        }
    }
    if forms.is_empty() {
        return Err(failure);
    }
    let left = |form: &Form| form.cells.first().map_or(0.0, |cell| cell.quad[0][0]);
    forms.sort_by(|a, b| left(a).total_cmp(&left(b)));
    Ok(join_continued(forms))
}

/// Share of every tenth row's pixels that are as dark as ink.
fn inked_share(working: &GrayImage) -> f32 {
    const INK: u8 = 60;
    const STEP: usize = 10;
    let rows = working
        .as_raw()
        .chunks(working.width().max(1) as usize)
        .step_by(STEP);
    let (inked, all) = rows.fold((0, 0), |(inked, all), row| {
        let here = row.iter().filter(|&&dark| dark > INK).count();
        (inked + here, all + row.len())
    });
    inked as f32 / all.max(1) as f32
}

/// Makes one form of tables whose numbers run on from one to the other.
fn join_continued(mut forms: Vec<Form>) -> Vec<Form> {
    let mut joined: Vec<Form> = Vec::new();
    while !forms.is_empty() {
        let mut form = forms.remove(0);
        let next = |form: &Form| form.cells.last().map_or(0, |cell| cell.number + 1);
        while let Some(place) = forms
            .iter()
            .position(|other| form.numbered && other.numbered && other.first_number == next(&form))
        {
            let mut other = forms.remove(place);
            other
                .cells
                .iter_mut()
                .for_each(|cell| cell.block += form.blocks);
            other
                .numbers
                .iter_mut()
                .for_each(|number| number.block += form.blocks);
            form.cells.append(&mut other.cells);
            form.numbers.append(&mut other.numbers);
            form.blocks += other.blocks;
            form.rows = form.rows.max(other.rows);
            form.quality = form.quality.min(other.quality);
        }
        joined.push(form);
    }
    joined
}

/// Takes the parts of lines that lie within bounds out of what was seen.
fn take_lines(seen: &mut [Vec<bool>], across: &Bundle, [left, top, right, bottom]: [f32; 4]) {
    const ROOM: f32 = 8.0;
    for (line, strips) in seen.iter_mut().enumerate() {
        for (strip, here) in strips.iter_mut().enumerate() {
            let x = (strip as f32 + 0.5) * STRIP as f32;
            if *here && (left - ROOM..=right + ROOM).contains(&x) {
                let y = across.offset(across.line(line), x);
                *here = !(top - ROOM..=bottom + ROOM).contains(&y);
            }
        }
    }
}

/// Whether a form that was found after others is one of its own: numbered, and not on their cells.
fn is_another(form: &Form, others: &[Form]) -> bool {
    const ROOM: f32 = 8.0;
    let own = form.bounds();
    form.numbered
        && others.iter().map(Form::bounds).all(|other| {
            let apart = |axis: usize| {
                own[axis] > other[axis + 2] - ROOM || other[axis] > own[axis + 2] - ROOM
            };
            apart(0) || apart(1)
        })
}

/// Forms of one cell, for the tests of what looks at the place of forms only.
#[cfg(test)]
impl Form {
    pub(crate) fn of_one_cell(first_number: u32, rows: usize, bounds: [f32; 4]) -> Self {
        let [left, top, right, bottom] = bounds;
        Self {
            blocks: 1,
            rows,
            first_number,
            numbered: true,
            numbers_read: true,
            quality: 1.0,
            cells: vec![CellPlace {
                number: first_number,
                column: Column::White,
                block: 0,
                row: 0,
                quad: [[left, top], [right, top], [right, bottom], [left, bottom]],
            }],
            numbers: Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::drawing::{Drawing, Rules};
    use image::GrayImage;

    const PLAIN: Drawing = Drawing::PLAIN;

    fn only_form(page: &GrayImage) -> Result<Form, FormError> {
        let mut forms = find_forms(&Paper::new(page))?;
        assert_eq!(forms.len(), 1, "forms");
        Ok(forms.remove(0))
    }

    #[test]
    fn drawn_forms_are_found() {
        let cases = [
            ("two blocks of 30", PLAIN),
            (
                "numbers in White's column",
                Drawing {
                    columns: "wb",
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
                "four blocks of 15",
                Drawing {
                    blocks: 4,
                    rows: 15,
                    ..PLAIN
                },
            ),
            (
                "sixty rows",
                Drawing {
                    blocks: 1,
                    rows: 60,
                    pitch: 28.0,
                    ..PLAIN
                },
            ),
            (
                "numbers between",
                Drawing {
                    columns: "wnb",
                    ..PLAIN
                },
            ),
            (
                "numbers at the right",
                Drawing {
                    columns: "wbn",
                    ..PLAIN
                },
            ),
            (
                "clocks",
                Drawing {
                    columns: "nwcbc",
                    ..PLAIN
                },
            ),
            (
                "clocks outside, numbers between",
                Drawing {
                    columns: "cwnbc",
                    ..PLAIN
                },
            ),
            (
                "blocks apart",
                Drawing {
                    gap: 0.8,
                    blocks: 3,
                    rows: 25,
                    ..PLAIN
                },
            ),
            (
                "rules across only",
                Drawing {
                    columns: "wnb",
                    rules: Rules::Rows,
                    gap: 1.0,
                    ..PLAIN
                },
            ),
            (
                "dotted rules",
                Drawing {
                    rules: Rules::Dotted,
                    ..PLAIN
                },
            ),
            ("a box for each character", Drawing { boxes: 6, ..PLAIN }),
            ("thick rules", Drawing { thick: 10, ..PLAIN }),
            (
                "shaded",
                Drawing {
                    shaded: true,
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
                "a second page",
                Drawing {
                    first_number: 31,
                    ..PLAIN
                },
            ),
            (
                "a second page of an odd form",
                Drawing {
                    first_number: 39,
                    rows: 21,
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
            let form = only_form(&drawing.page()).expect(name);
            check(name, &form, &drawing, 0);
        }
    }

    /// Whether a form has the cells of a drawing, from block `from` on.
    fn check(name: &str, form: &Form, drawing: &Drawing, from: usize) {
        let blocks = drawing.blocks.min(drawing.together);
        assert_eq!((form.blocks, form.rows), (blocks, drawing.rows), "{name}");
        assert!(form.numbered, "{name}");
        assert_eq!(form.first_number, drawing.first_number, "{name}");
        assert_eq!(form.cells.len(), 2 * blocks * drawing.rows, "{name}");
        for (index, cell) in form.cells.iter().enumerate() {
            let number = drawing.first_number as usize + index / 2;
            assert_eq!(cell.number as usize, number, "{name}: order of play");
            let (corner, kind) = match cell.column {
                Column::White => (cell.quad[1], 'w'),
                Column::Black => (cell.quad[0], 'b'),
            };
            let expected = drawing.inner_corner(from + cell.block, cell.row, kind);
            let away = (corner[0] - expected[0]).hypot(corner[1] - expected[1]);
            assert!(
                away < 0.12 * drawing.pitch,
                "{name}: cell {index} off by {away}"
            );
        }
    }

    #[test]
    fn sheets_side_by_side_are_forms_of_their_own() {
        for gap in [0.6, 4.0] {
            let drawing = Drawing {
                blocks: 4,
                rows: 20,
                together: 2,
                gap,
                ..PLAIN
            };
            let forms = find_forms(&Paper::new(&drawing.page())).expect("forms");
            assert_eq!(forms.len(), 2, "{gap}");
            for (sheet, form) in forms.iter().enumerate() {
                check("two sheets", form, &drawing, 2 * sheet);
            }
        }
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
            assert!(find_forms(&Paper::new(&page)).is_err(), "{name}");
        }
    }
}
