//! What the pictures of one form have in common.

use crate::form::{Column, Form};
use crate::rectify::distance;

/// The layout of a form, whatever its size on the picture: what the sheets of a stack have in common.
///
/// Two sides of a column are given in row heights from the left side of the first column, as seen from straight above.
#[derive(Debug, Clone, PartialEq)]
pub struct FormShape {
    /// Rows of each block.
    pub(crate) rows: usize,
    /// Move number of the first row of the first block.
    pub(crate) first_number: u32,
    /// From left to right.
    pub(crate) blocks: Vec<BlockShape>,
}

/// The columns of a block, each by its left and right side.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct BlockShape {
    /// The printed numbers, where there are any.
    pub(crate) number: Option<[f32; 2]>,
    /// White's moves.
    pub(crate) white: [f32; 2],
    /// Black's moves.
    pub(crate) black: [f32; 2],
}

impl BlockShape {
    pub(crate) fn sides(&self) -> impl Iterator<Item = f32> {
        let columns = [self.number, Some(self.white), Some(self.black)];
        columns.into_iter().flatten().flatten()
    }
}

/// Middle of the left and right side of a quadrilateral, and its height.
type Cut = [([f32; 2], f32); 2];

impl FormShape {
    /// The shape of a form whose printed numbers read on from one another; of others nobody knows that they were found right.
    pub fn of(form: &Form) -> Option<Self> {
        let of_row = |row: usize| row_shape(form, row);
        let rows = [form.rows / 4, form.rows / 2, form.rows * 3 / 4];
        let (count, cells) = (rows.len() as f32, 2 * form.blocks * form.rows);
        if !form.numbers_read || form.cells.len() != cells {
            return None;
        }
        let shapes: Vec<Vec<BlockShape>> = rows.into_iter().map(of_row).collect::<Option<_>>()?;
        let mean = |block: usize, side: fn(&BlockShape) -> Option<[f32; 2]>| {
            let mut sum = [0.0; 2];
            for shape in &shapes {
                let sides = side(&shape[block])?;
                sum = [sum[0] + sides[0] / count, sum[1] + sides[1] / count];
            }
            Some(sum)
        };
        let block = |block: usize| {
            Some(BlockShape {
                number: mean(block, |shape| shape.number),
                white: mean(block, |shape| Some(shape.white))?,
                black: mean(block, |shape| Some(shape.black))?,
            })
        };
        Some(Self {
            rows: form.rows,
            first_number: form.first_number,
            blocks: (0..form.blocks).map(block).collect::<Option<_>>()?,
        })
    }

    /// All sides of columns, each once, from left to right.
    pub(crate) fn sides(&self) -> Vec<f32> {
        /// Two columns may share a rule, in row heights.
        const SAME: f32 = 0.12;
        let mut sides: Vec<f32> = self.blocks.iter().flat_map(BlockShape::sides).collect();
        sides.sort_by(f32::total_cmp);
        sides.dedup_by(|next, before| *next - *before < SAME);
        sides
    }

    /// Width of the whole table, in row heights.
    fn width(&self) -> f32 {
        let sides = self.blocks.iter().flat_map(BlockShape::sides);
        sides.fold(0.0, f32::max)
    }

    /// Whether two shapes may be those of one form, photographed twice.
    pub fn is_like(&self, other: &Self) -> bool {
        /// Difference in the place of a side, as a share of the table's width; and in that width.
        const APART: f32 = 0.02;
        const WIDER: f32 = 0.15;
        let (own, of_other) = (self.sides(), other.sides());
        let (wide, other_wide) = (self.width().max(1.0), other.width().max(1.0));
        let near = |(a, b): (&f32, &f32)| (a / wide - b / other_wide).abs() < APART;
        let columns = |shape: &Self| {
            shape
                .blocks
                .iter()
                .map(|block| block.number.is_some())
                .collect::<Vec<_>>()
        };
        self.rows == other.rows
            && self.first_number == other.first_number
            && columns(self) == columns(other)
            && own.len() == of_other.len()
            && own.iter().zip(&of_other).all(near)
            && (wide / other_wide - 1.0).abs() < WIDER
    }
}

/// The columns in one row of a form.
fn row_shape(form: &Form, row: usize) -> Option<Vec<BlockShape>> {
    let cut = |quad: &[[f32; 2]; 4]| -> Cut {
        let [top_left, top_right, bottom_right, bottom_left] = *quad;
        let side = |top: [f32; 2], bottom: [f32; 2]| {
            let middle = [(top[0] + bottom[0]) / 2.0, (top[1] + bottom[1]) / 2.0];
            (middle, distance(top, bottom).max(1.0))
        };
        [side(top_left, bottom_left), side(top_right, bottom_right)]
    };
    let mut columns: Vec<(usize, Option<Column>, Cut)> = Vec::new();
    for number in form.numbers.iter().filter(|number| number.row == row) {
        columns.push((number.block, None, cut(&number.quad)));
    }
    for cell in form.cells.iter().filter(|cell| cell.row == row) {
        columns.push((cell.block, Some(cell.column), cut(&cell.quad)));
    }
    let left = |column: &(usize, Option<Column>, Cut)| column.2[0].0[0];
    columns.sort_by(|a, b| left(a).total_cmp(&left(b)));
    let heights = columns
        .iter()
        .flat_map(|(_, _, cut)| cut.map(|(_, height)| height));
    let usual = heights.sum::<f32>() / (2 * columns.len()).max(1) as f32;
    // In perspective columns narrow as the square of the rows' height does.
    let mut at = 0.0;
    let mut before = columns.first()?.2[0];
    let mut blocks: Vec<[Option<[f32; 2]>; 3]> = vec![[None; 3]; form.blocks];
    for (block, column, sides) in columns {
        let places = sides.map(|side| {
            let height = (side.1 + before.1) / 2.0;
            let step = side.0[0] - before.0[0];
            at += step.signum() * distance(side.0, before.0) * usual / (height * height);
            before = side;
            at
        });
        let place = match column {
            None => 0,
            Some(Column::White) => 1,
            Some(Column::Black) => 2,
        };
        blocks.get_mut(block)?[place] = Some(places);
    }
    blocks
        .into_iter()
        .map(|[number, white, black]| {
            Some(BlockShape {
                number,
                white: white?,
                black: black?,
            })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::drawing::Drawing;
    use crate::form::find_forms;
    use crate::paper::Paper;

    fn shape(drawing: Drawing) -> FormShape {
        let forms = find_forms(&Paper::new(&drawing.page())).expect("a form");
        FormShape::of(&forms[0]).expect("numbers that read on")
    }

    #[test]
    fn one_form_has_one_shape_in_all_its_pictures() {
        const PLAIN: Drawing = Drawing::PLAIN;
        let plain = shape(PLAIN);
        let like = [
            (
                "larger",
                Drawing {
                    pitch: 1.3 * PLAIN.pitch,
                    ..PLAIN
                },
            ),
            (
                "from below and from the side",
                Drawing {
                    tilt: [0.04, 0.02],
                    ..PLAIN
                },
            ),
            (
                "bent and sloping",
                Drawing {
                    bend: 8.0,
                    slope: 0.01,
                    ..PLAIN
                },
            ),
        ];
        for (name, drawing) in like {
            assert!(plain.is_like(&shape(drawing)), "{name}");
        }
        let others = [
            (
                "numbers between",
                Drawing {
                    columns: "wnb",
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
                "a row less",
                Drawing {
                    rows: PLAIN.rows - 1,
                    ..PLAIN
                },
            ),
            (
                "a second page",
                Drawing {
                    first_number: 61,
                    ..PLAIN
                },
            ),
        ];
        for (name, drawing) in others {
            assert!(!plain.is_like(&shape(drawing)), "{name}");
        }
    }
}
