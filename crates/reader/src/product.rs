//! A constant matrix times others, as fast as the processor's vectors allow.
//!
//! The constant matrix is laid out once in blocks of six rows. A block stays in the first cache while it meets all columns of all matrices, so that the
//! weights, which are more than the caches hold, come from memory once. In the innermost loop six rows by two or three vectors of columns stay in
//! registers: Goto and van de Geijn, "Anatomy of High-Performance Matrix Multiplication", 2008. `fearless_simd` picks the instructions at run time.

use fearless_simd::prelude::*;
use fearless_simd::{Level, dispatch};

/// Rows of a block.
const ROWS: usize = 6;

/// Numbers in the longest vector.
const LONGEST: usize = 16;

/// A matrix that multiplies others from the left, with a value to add to each row of the product.
#[derive(Debug, Clone, PartialEq)]
pub struct LeftMatrix {
    /// Blocks of [`ROWS`] rows, each column by column; the last is filled up with zeros.
    blocks: Vec<f32>,
    /// Columns of the matrix.
    depth: usize,
    bias: Vec<f32>,
}

impl LeftMatrix {
    /// A matrix of as many rows as there are biases, from its values row by row.
    pub fn new(values: &[f32], bias: &[f32]) -> Self {
        let depth = values.len() / bias.len();
        let mut blocks = vec![0.0; bias.len().next_multiple_of(ROWS) * depth];
        for (row, values) in values.chunks_exact(depth).enumerate() {
            let places = blocks[row / ROWS * ROWS * depth + row % ROWS..]
                .iter_mut()
                .step_by(ROWS);
            places.zip(values).for_each(|(to, &from)| *to = from);
        }
        Self {
            blocks,
            depth,
            bias: bias.to_vec(),
        }
    }

    /// The products with some matrices of so many columns, which stand one after another as the products will, all row by row.
    pub fn times(&self, matrices: &[f32], columns: usize, products: &mut [f32]) {
        debug_assert_eq!(
            matrices.len() * self.bias.len(),
            products.len() * self.depth
        );
        let times = Times {
            left: self,
            matrices,
            columns,
            products,
        };
        dispatch!(Level::new(), simd => times.run_with(simd));
    }
}

struct Times<'a> {
    left: &'a LeftMatrix,
    matrices: &'a [f32],
    columns: usize,
    products: &'a mut [f32],
}

impl Times<'_> {
    #[inline(always)]
    fn run_with<S: Simd>(self, simd: S) {
        // Eighteen sums need more than the sixteen registers that there are of the smaller vectors.
        if S::f32s::LEN >= 16 {
            self.run::<S, 3>(simd);
        } else {
            self.run::<S, 2>(simd);
        }
    }

    /// Tiles of `WIDE` vectors of columns.
    #[inline(always)]
    fn run<S: Simd, const WIDE: usize>(self, simd: S) {
        let LeftMatrix {
            blocks,
            depth,
            bias,
        } = self.left;
        let (depth, columns) = (*depth, self.columns);
        let tile = WIDE * S::f32s::LEN;
        let whole = columns / tile * tile;
        let rest = columns - whole;
        let vectors = rest.div_ceil(S::f32s::LEN);
        let filled = vectors * S::f32s::LEN;
        // The last columns of each matrix, filled up with zeros.
        let rows = self.matrices.len() / columns;
        let mut last = vec![0.0; rows * filled];
        if rest > 0 {
            let lines = self.matrices.chunks_exact(columns);
            for (to, from) in last.chunks_exact_mut(filled).zip(lines) {
                to[..rest].copy_from_slice(&from[whole..]);
            }
        }
        let blocks = blocks.chunks_exact(ROWS * depth).zip(bias.chunks(ROWS));
        for (number, (block, bias)) in blocks.enumerate() {
            let matrices = self.matrices.chunks_exact(depth * columns);
            let products = self
                .products
                .chunks_exact_mut(self.left.bias.len() * columns);
            for (image, (matrix, product)) in matrices.zip(products).enumerate() {
                let lines = &mut product[number * ROWS * columns..];
                for column in (0..whole).step_by(tile) {
                    let sums = tile_sums::<S, WIDE>(simd, block, &matrix[column..], columns);
                    write_tile(simd, &sums, bias, &mut lines[column..], columns, tile);
                }
                let last = &last[image * depth * filled..];
                let lines = &mut lines[whole..];
                match vectors {
                    0 => {}
                    1 => {
                        let sums = tile_sums::<S, 1>(simd, block, last, filled);
                        write_tile(simd, &sums, bias, lines, columns, rest);
                    }
                    2 => {
                        let sums = tile_sums::<S, 2>(simd, block, last, filled);
                        write_tile(simd, &sums, bias, lines, columns, rest);
                    }
                    _ => {
                        let sums = tile_sums::<S, 3>(simd, block, last, filled);
                        write_tile(simd, &sums, bias, lines, columns, rest);
                    }
                }
            }
        }
    }
}

/// A block times the first `WIDE` vectors of columns of a matrix whose rows are `stride` apart.
#[inline(always)]
fn tile_sums<S: Simd, const WIDE: usize>(
    simd: S,
    block: &[f32],
    matrix: &[f32],
    stride: usize,
) -> [[S::f32s; WIDE]; ROWS] {
    let mut sums = [[S::f32s::splat(simd, 0.0); WIDE]; ROWS];
    let mut start = 0;
    for factors in block.as_chunks::<ROWS>().0 {
        let row = &matrix[start..start + WIDE * S::f32s::LEN];
        start += stride;
        let values: [S::f32s; WIDE] = std::array::from_fn(|vector| {
            S::f32s::from_slice(simd, &row[vector * S::f32s::LEN..][..S::f32s::LEN])
        });
        for (sums, &factor) in sums.iter_mut().zip(factors) {
            let factor = S::f32s::splat(simd, factor);
            for (sum, &value) in sums.iter_mut().zip(&values) {
                *sum = value.mul_add(factor, *sum);
            }
        }
    }
    sums
}

/// Writes the first `used` columns of a tile, the bias added, into lines that are `stride` apart; there are as many as biases.
#[inline(always)]
fn write_tile<S: Simd, const WIDE: usize>(
    simd: S,
    sums: &[[S::f32s; WIDE]; ROWS],
    bias: &[f32],
    lines: &mut [f32],
    stride: usize,
    used: usize,
) {
    for ((sums, &bias), line) in sums.iter().zip(bias).zip(lines.chunks_mut(stride)) {
        let bias = S::f32s::splat(simd, bias);
        for (&sum, places) in sums.iter().zip(line[..used].chunks_mut(S::f32s::LEN)) {
            let sum = sum + bias;
            if places.len() == S::f32s::LEN {
                sum.store_slice(places);
            } else {
                let mut vector = [0.0; LONGEST];
                sum.store_slice(&mut vector[..S::f32s::LEN]);
                places.copy_from_slice(&vector[..places.len()]);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_of_all_sizes_are_right() {
        for (rows, depth, columns, count) in [
            (1, 1, 1, 1),
            (6, 3, 16, 2),
            (7, 5, 47, 1),
            (13, 9, 48, 3),
            (12, 4, 75, 2),
        ] {
            let values: Vec<f32> = (0..rows * depth).map(|i| (i % 7) as f32).collect();
            let bias: Vec<f32> = (0..rows).map(|i| i as f32).collect();
            let matrices: Vec<f32> = (0..count * depth * columns)
                .map(|i| (i % 5) as f32 - 2.0)
                .collect();
            let mut products = vec![0.0; count * rows * columns];
            LeftMatrix::new(&values, &bias).times(&matrices, columns, &mut products);
            for (at, &product) in products.iter().enumerate() {
                let (image, row, column) = (at / columns / rows, at / columns % rows, at % columns);
                let sum: f32 = (0..depth)
                    .map(|k| {
                        values[row * depth + k] * matrices[(image * depth + k) * columns + column]
                    })
                    .sum();
                assert_eq!(
                    product,
                    sum + bias[row],
                    "{rows} x {depth} x {columns}, place {at}"
                );
            }
        }
    }
}
