//! A form that a person describes: for pictures on which none is found.

use imageproc::geometric_transformations::Projection;

use crate::form::{CellPlace, Column, Form, NumberPlace};

/// What a column of a block holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Holds {
    /// Printed move numbers.
    Number,
    /// The moves of a side.
    Moves(Column),
    /// Something else: times, or a gap between the blocks.
    Other,
}

/// The table of a sheet by its corners: blocks of equal width, rows of equal height.
#[derive(Debug, Clone, PartialEq)]
pub struct Layout {
    /// Pairs of White and Black columns side by side.
    pub blocks: usize,
    /// Rows of each block.
    pub rows: usize,
    /// Move number of the first row.
    pub first_number: u32,
    /// The columns of a block from the left, with their widths in any unit.
    pub columns: Vec<(Holds, f32)>,
    /// Corners of the rows of moves, without a heading: top left, top right, bottom right, bottom left as the sheet is read, in page pixels.
    pub corners: [[f32; 2]; 4],
}

/// Why a layout makes no form.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum LayoutError {
    /// No blocks, no rows, or too many.
    #[error("{blocks} blocks of {rows} rows; there are 1 to 10 blocks of 1 to 200 rows")]
    Size {
        /// Blocks given.
        blocks: usize,
        /// Rows given.
        rows: usize,
    },
    /// No move has this number.
    #[error("first number {0}; it must be 1 to 1000")]
    FirstNumber(u32),
    /// The columns are not one of White's and one of Black's with positive widths.
    #[error("the columns are not one w and one b with widths above 0; n or - stand for others")]
    Columns,
    /// The corners are not those of a rectangle seen from some side.
    #[error(
        "the corners do not go around the table; give top left, top right, bottom right, bottom left"
    )]
    Corners,
}

impl Layout {
    /// The form, its cells in the order of play.
    ///
    /// # Errors
    /// Where the layout is none of a table.
    pub fn form(&self) -> Result<Form, LayoutError> {
        let (blocks, rows) = (self.blocks, self.rows);
        if !(1..=10).contains(&blocks) || !(1..=200).contains(&rows) {
            return Err(LayoutError::Size { blocks, rows });
        }
        if !(1..=1000).contains(&self.first_number) {
            return Err(LayoutError::FirstNumber(self.first_number));
        }
        let count = |wanted| {
            let columns = self.columns.iter();
            columns.filter(|(holds, _)| *holds == wanted).count()
        };
        let once = [Column::White, Column::Black]
            .iter()
            .all(|&side| count(Holds::Moves(side)) == 1);
        let positive = |&(_, width): &(Holds, f32)| width > 0.0 && width.is_finite();
        if !once || count(Holds::Number) > 1 || !self.columns.iter().all(positive) {
            return Err(LayoutError::Columns);
        }
        if !is_convex(&self.corners) {
            return Err(LayoutError::Corners);
        }
        let unit = [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)];
        let projection = Projection::from_control_points(unit, self.corners.map(|[x, y]| (x, y)))
            .ok_or(LayoutError::Corners)?;
        let whole: f32 = self.columns.iter().map(|(_, width)| width).sum();
        let mut form = Form {
            blocks,
            rows,
            first_number: self.first_number,
            numbered: true,
            numbers_read: true,
            quality: 1.0,
            cells: Vec::with_capacity(2 * blocks * rows),
            numbers: Vec::new(),
        };
        for (block, row) in (0..blocks).flat_map(|block| (0..rows).map(move |row| (block, row))) {
            let mut from = block as f32 / blocks as f32;
            let mut cells = Vec::with_capacity(2);
            for &(holds, width) in &self.columns {
                let to = from + width / whole / blocks as f32;
                let (top, bottom) = (row as f32 / rows as f32, (row + 1) as f32 / rows as f32);
                let quad = [(from, top), (to, top), (to, bottom), (from, bottom)]
                    .map(|corner| projection * corner)
                    .map(|(x, y)| [x, y]);
                from = to;
                match holds {
                    Holds::Number => form.numbers.push(NumberPlace { block, row, quad }),
                    Holds::Moves(column) => cells.push(CellPlace {
                        number: self.first_number + (block * rows + row) as u32,
                        column,
                        block,
                        row,
                        quad,
                    }),
                    Holds::Other => {}
                }
            }
            cells.sort_by_key(|cell| cell.column == Column::Black);
            form.cells.append(&mut cells);
        }
        Ok(form)
    }
}

/// Whether corners go around clockwise (y down) and each lies outside of the triangle of the others.
fn is_convex(corners: &[[f32; 2]; 4]) -> bool {
    (0..4).all(|index| {
        let [a, b, c] = [0, 1, 2].map(|step| corners[(index + step) % 4]);
        (b[0] - a[0]) * (c[1] - b[1]) - (b[1] - a[1]) * (c[0] - b[0]) > 1.0
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn layout() -> Layout {
        Layout {
            blocks: 2,
            rows: 10,
            first_number: 41,
            columns: vec![
                (Holds::Number, 1.0),
                (Holds::Moves(Column::White), 2.0),
                (Holds::Moves(Column::Black), 2.0),
            ],
            corners: [[0.0, 0.0], [1000.0, 0.0], [1000.0, 400.0], [0.0, 400.0]],
        }
    }

    #[test]
    fn cells_lie_where_the_layout_says_in_the_order_of_play() {
        let form = layout().form().unwrap();
        assert_eq!((form.cells.len(), form.numbers.len()), (40, 20));
        let cases = [
            (0, 41, Column::White, [100.0, 0.0, 300.0, 40.0]),
            (1, 41, Column::Black, [300.0, 0.0, 500.0, 40.0]),
            (38, 60, Column::White, [600.0, 360.0, 800.0, 400.0]),
        ];
        for (index, number, column, [left, top, right, bottom]) in cases {
            let cell = &form.cells[index];
            assert_eq!((cell.number, cell.column), (number, column));
            let expected = [[left, top], [right, top], [right, bottom], [left, bottom]];
            for (corner, expected) in cell.quad.iter().zip(expected) {
                let away = (corner[0] - expected[0]).hypot(corner[1] - expected[1]);
                assert!(away < 0.1, "{index}: {corner:?} for {expected:?}");
            }
        }
    }

    #[test]
    fn what_is_no_table_is_refused() {
        let [a, b, c, d] = layout().corners;
        for corners in [[a, b, d, c], [d, c, b, a], [a, a, a, a], [a, b, c, b]] {
            let wrong = Layout {
                corners,
                ..layout()
            };
            assert_eq!(wrong.form(), Err(LayoutError::Corners), "{corners:?}");
        }
        let none = Layout {
            rows: 0,
            ..layout()
        };
        assert!(matches!(none.form(), Err(LayoutError::Size { .. })));
        let number = Layout {
            first_number: 0,
            ..layout()
        };
        assert_eq!(number.form(), Err(LayoutError::FirstNumber(0)));
        let mut one = layout();
        one.columns.pop();
        assert_eq!(one.form(), Err(LayoutError::Columns));
    }
}
