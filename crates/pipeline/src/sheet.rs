//! One image file to what its cells say: page, form, cells, lattices.

use std::path::Path;

use scoresheet_imaging::{CellPlace, CellState, Limits};
use scoresheet_notation::Lattice;
use scoresheet_reader::{Candidate, Worker, best_texts};

use crate::SheetError;
use crate::cells::cut_page;
use crate::error::catching;
use crate::numbering::read_first_number;

/// Readings kept of each cell.
pub(crate) const CANDIDATES: usize = 5;

/// What one sheet says, before any chess.
#[derive(Debug, Clone)]
pub struct Sheet {
    /// Width of the upright image in pixels.
    pub width: u32,
    /// Height of the upright image in pixels.
    pub height: u32,
    /// Pairs of columns of the form.
    pub blocks: usize,
    /// Moves in each block.
    pub rows: usize,
    /// The cells in ply order.
    pub cells: Vec<SheetCell>,
}

/// One cell and its readings.
#[derive(Debug, Clone)]
pub struct SheetCell {
    /// Where the cell is, and its move number.
    pub place: CellPlace,
    /// What is in it.
    pub state: CellState,
    /// Output of the handwriting model; none where the cell has no ink.
    pub lattice: Option<Lattice>,
    /// The likeliest texts, best first; none where the cell has no ink.
    pub candidates: Vec<Candidate>,
}

/// Reads one sheet: loads the image, finds the form, cuts the cells and reads those with ink.
///
/// # Errors
/// A [`SheetError`] that names the file and the remedy; also a panic of a stage becomes one.
pub fn read_sheet(
    path: &Path,
    limits: &Limits,
    worker: &mut Worker<'_>,
) -> Result<Sheet, SheetError> {
    catching(path, || {
        let page = cut_page(path, limits)?;
        let (width, height) = page.gray.dimensions();
        let unread = |source| SheetError::Reader {
            path: path.to_path_buf(),
            source,
        };
        let first = read_first_number(&page.numbers, worker).map_err(unread)?;
        let mut cells = Vec::with_capacity(page.cells.len());
        for cell in page.cells {
            let lattice = match cell.state {
                CellState::Ink => Some(worker.read(&cell.image).map_err(unread)?),
                CellState::Blank => None,
            };
            let candidates = lattice
                .as_ref()
                .map_or_else(Vec::new, |lattice| best_texts(lattice, CANDIDATES));
            cells.push(SheetCell {
                place: cell.place,
                state: cell.state,
                lattice,
                candidates,
            });
        }
        let mut sheet = Sheet {
            width,
            height,
            blocks: page.form.blocks,
            rows: page.form.rows,
            cells,
        };
        if let Some(first) = first {
            sheet.shift_numbers(first - page.form.first_number);
        }
        Ok(sheet)
    })
}

impl Sheet {
    /// Whether any cell has ink.
    pub fn has_ink(&self) -> bool {
        self.cells.iter().any(|cell| cell.lattice.is_some())
    }

    /// Lowest and highest move number of the form.
    pub fn numbers(&self) -> Option<(u32, u32)> {
        let numbers = || self.cells.iter().map(|cell| cell.place.number);
        Some((numbers().min()?, numbers().max()?))
    }

    /// Adds to all move numbers.
    pub fn shift_numbers(&mut self, shift: u32) {
        for cell in &mut self.cells {
            cell.place.number += shift;
        }
    }
}
