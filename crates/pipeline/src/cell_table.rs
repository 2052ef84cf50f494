//! The cells of a page as one picture and a table, for training and for looking at.

use std::fmt::Write as _;

use image::{GrayImage, Luma};
use scoresheet_imaging::{CELL_HEIGHT, CellState, Column};

use crate::cut_page::Cell;

/// Header of the table of cells.
pub const CELLS_HEADER: &str = "page\tindex\tnumber\tcolumn\tstate\twidth\tquad\n";

/// The cell images one under another, left aligned, padded with white.
///
/// Cell `index` covers the rows from `64 * index` on; its own width stands in the table.
pub fn cell_strip(cells: &[Cell]) -> GrayImage {
    let width = cells.iter().map(|cell| cell.image.width()).max();
    let height = CELL_HEIGHT * u32::try_from(cells.len()).unwrap_or(0);
    let mut strip = GrayImage::from_pixel(width.unwrap_or(1).max(1), height.max(1), Luma([255]));
    let mut top = 0;
    for cell in cells {
        image::imageops::replace(&mut strip, &cell.image, 0, top);
        top += i64::from(CELL_HEIGHT);
    }
    strip
}

/// The rows of one page in the table of cells.
///
/// The quad is `x,y` of the corners top left, top right, bottom right, bottom left in pixels of the
/// upright source image, separated by blanks.
pub fn cell_rows(page: &str, cells: &[Cell]) -> String {
    let page = page.replace(['\t', '\n', '\r'], " ");
    let mut rows = String::new();
    for (index, cell) in cells.iter().enumerate() {
        let corners: Vec<String> = cell
            .place
            .quad
            .iter()
            .map(|[x, y]| format!("{x:.1},{y:.1}"))
            .collect();
        // Writing to a string cannot fail.
        let _ = writeln!(
            rows,
            "{page}\t{index}\t{}\t{}\t{}\t{}\t{}",
            cell.place.number,
            column_name(cell.place.column),
            state_name(cell.state),
            cell.image.width(),
            corners.join(" ")
        );
    }
    rows
}

/// `white` or `black`.
fn column_name(column: Column) -> &'static str {
    match column {
        Column::White => "white",
        Column::Black => "black",
    }
}

/// `ink` or `blank`.
fn state_name(state: CellState) -> &'static str {
    match state {
        CellState::Ink => "ink",
        CellState::Blank => "blank",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use scoresheet_imaging::CellPlace;

    fn cell(number: u32, column: Column, state: CellState, width: u32, shade: u8) -> Cell {
        Cell {
            place: CellPlace {
                number,
                column,
                block: 0,
                row: 0,
                quad: [[0.0, 1.0], [9.25, 1.0], [9.0, 5.0], [0.0, 5.0]],
            },
            state,
            image: GrayImage::from_pixel(width, CELL_HEIGHT, Luma([shade])),
        }
    }

    #[test]
    fn strip_and_table_agree() {
        let cells = [
            cell(1, Column::White, CellState::Ink, 3, 10),
            cell(1, Column::Black, CellState::Blank, 5, 20),
        ];
        let strip = cell_strip(&cells);
        assert_eq!(strip.dimensions(), (5, 128));
        for (x, y, shade) in [
            (0, 0, 10),
            (2, 63, 10),
            (3, 0, 255),
            (0, 64, 20),
            (4, 127, 20),
        ] {
            assert_eq!(strip.get_pixel(x, y).0, [shade], "{x},{y}");
        }
        assert_eq!(
            cell_rows("a\tb", &cells),
            "a b\t0\t1\twhite\tink\t3\t0.0,1.0 9.2,1.0 9.0,5.0 0.0,5.0\n\
             a b\t1\t1\tblack\tblank\t5\t0.0,1.0 9.2,1.0 9.0,5.0 0.0,5.0\n"
        );
    }

    #[test]
    fn a_page_without_cells_still_gives_a_picture() {
        assert_eq!(cell_strip(&[]).dimensions(), (1, 1));
    }
}
