//! Score sheets drawn for tests: rules, and bars for the digits of printed numbers.

use image::{GrayImage, Luma};

/// What to draw.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Drawing {
    /// Pairs of White and Black columns.
    pub(crate) blocks: usize,
    /// Rows of each block.
    pub(crate) rows: usize,
    /// Row height in pixels.
    pub(crate) pitch: f32,
    /// Number of the first row.
    pub(crate) first_number: u32,
    /// Whether a rule parts the numbers from White's moves.
    pub(crate) number_rule: bool,
    /// Height of the bow of the rules across, in pixels.
    pub(crate) bend: f32,
    /// Fall of the rules across, in pixels per pixel.
    pub(crate) slope: f32,
    /// A rule across that is not printed.
    pub(crate) missing_rule: Option<usize>,
}

const LEFT: f32 = 50.0;
const TOP: f32 = 90.0;
/// Widths of the number, White and Black columns in row heights.
const NUMBER: f32 = 1.2;
const MOVE: f32 = 4.5;

impl Drawing {
    pub(crate) const PLAIN: Self = Self {
        blocks: 2,
        rows: 30,
        pitch: 40.0,
        first_number: 1,
        number_rule: true,
        bend: 0.0,
        slope: 0.0,
        missing_rule: None,
    };

    fn block_width(&self) -> f32 {
        // Without a rule the number stands in White's column, which is then as wide as Black's.
        self.pitch
            * if self.number_rule {
                NUMBER + 2.0 * MOVE
            } else {
                2.0 * MOVE
            }
    }

    fn size(&self) -> (u32, u32) {
        let width = 2.0 * LEFT + self.blocks as f32 * self.block_width();
        let height = 2.0 * TOP + self.rows as f32 * self.pitch + self.bend + self.slope * width;
        (width as u32, height as u32)
    }

    /// Left sides of the number, White and Black columns of a block, and its right side.
    fn columns(&self, block: usize) -> [f32; 4] {
        let left = LEFT + block as f32 * self.block_width();
        let right = left + self.block_width();
        [
            left,
            left + NUMBER * self.pitch,
            right - MOVE * self.pitch,
            right,
        ]
    }

    fn rule(&self, row: f32, x: f32) -> f32 {
        let share = x / self.size().0 as f32;
        TOP + row * self.pitch + self.slope * x + self.bend * (share * std::f32::consts::PI).sin()
    }

    /// Where the rule between White and Black crosses the top of a row.
    pub(crate) fn black_corner(&self, block: usize, row: usize) -> [f32; 2] {
        let x = self.columns(block)[2];
        [x, self.rule(row as f32, x)]
    }

    /// The page, dark grey ink on light grey paper.
    pub(crate) fn page(&self) -> GrayImage {
        let (width, height) = self.size();
        let mut page = GrayImage::from_pixel(width, height, Luma([225]));
        let mut dot = |x: f32, y: f32| {
            if x >= 0.0 && y >= 0.0 && (x as u32) < width && (y as u32) < height {
                page.put_pixel(x as u32, y as u32, Luma([60]));
            }
        };
        let right = self.columns(self.blocks - 1)[3];
        for row in 0..=self.rows {
            if self.missing_rule == Some(row) {
                continue;
            }
            for x in LEFT as u32..=right as u32 {
                let y = self.rule(row as f32, x as f32);
                dot(x as f32, y);
                dot(x as f32, y + 1.0);
            }
        }
        for block in 0..self.blocks {
            let columns = self.columns(block);
            let ruled = if self.number_rule {
                vec![0, 1, 2, 3]
            } else {
                vec![0, 2, 3]
            };
            for column in ruled {
                let x = columns[column];
                for y in self.rule(0.0, x) as u32..=self.rule(self.rows as f32, x) as u32 {
                    dot(x, y as f32);
                    dot(x + 1.0, y as f32);
                }
            }
            for row in 0..self.rows {
                let number = self.first_number as usize + block * self.rows + row;
                let digits = number.to_string().len();
                let middle = (columns[0] + columns[1]) / 2.0;
                for digit in 0..digits {
                    // A digit is a box a quarter of a row wide and half a row high.
                    let wide = 0.22 * self.pitch;
                    let left = middle + (digit as f32 - digits as f32 / 2.0) * 1.2 * wide;
                    for step_y in 0..(0.5 * self.pitch) as u32 {
                        for step_x in 0..wide as u32 {
                            let x = left + step_x as f32;
                            dot(
                                x,
                                self.rule(row as f32, x) + 0.27 * self.pitch + step_y as f32,
                            );
                        }
                    }
                }
            }
        }
        page
    }
}
