//! Score sheets drawn for tests: rules, strokes like writing, and printed numbers.

use image::{GrayImage, Luma};
use imageproc::geometric_transformations::{Border, Interpolation, Projection, warp};

/// Which rules are printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Rules {
    /// Across and down.
    Grid,
    /// Across only, broken between the columns.
    Rows,
    /// Across in dots, down in full.
    Dotted,
    /// A box of its own for each move and clock time, and none for numbers.
    Boxes,
}

/// What to draw.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Drawing {
    /// Columns of a block from the left: `n`umbers, `w`hite, `b`lack, `c`lock. Without `n` the numbers stand in White's column.
    pub(crate) columns: &'static str,
    /// Pairs of White and Black columns.
    pub(crate) blocks: usize,
    /// Rows of each block.
    pub(crate) rows: usize,
    /// Row height in pixels.
    pub(crate) pitch: f32,
    /// Number of the first row.
    pub(crate) first_number: u32,
    /// Blocks after which the numbers begin again.
    pub(crate) together: usize,
    /// Space between two blocks, in row heights.
    pub(crate) gap: f32,
    /// Which rules are printed.
    pub(crate) rules: Rules,
    /// Boxes for single characters in each column of moves.
    pub(crate) boxes: usize,
    /// Every so many rows a rule is thick; 0 for none.
    pub(crate) thick: usize,
    /// Whether Black's columns are shaded.
    pub(crate) shaded: bool,
    /// Height of the bow of the rules across, in pixels.
    pub(crate) bend: f32,
    /// Fall of the rules across, in pixels per pixel.
    pub(crate) slope: f32,
    /// A rule across that is not printed.
    pub(crate) missing_rule: Option<usize>,
    /// Rows, from the first, whose cells are written in.
    pub(crate) written: usize,
    /// Greatest change of a pixel's grey by noise.
    pub(crate) noise: u8,
    /// How far the upper corners of the picture lie further in than the lower ones, and the right ones lower than the left ones, as shares of
    /// its width and height.
    pub(crate) tilt: [f32; 2],
}

const LEFT: f32 = 50.0;
const TOP: f32 = 90.0;
/// Widths of the number column, for each digit more, of the clock and of the move columns in row heights.
const NUMBER: f32 = 0.4;
const DIGIT: f32 = 0.4;
const CLOCK: f32 = 1.8;
const MOVE: f32 = 4.5;
const PAPER: u8 = 225;
const SHADE: u8 = 200;
const INK: u8 = 60;
/// How far a cell's own box lies within its row and column, in row heights.
const INSET: f32 = 0.06;

/// Digits as lines of a round pen, 6 wide and 10 high from the top left.
const DIGITS: [&[[u8; 2]]; 10] = [
    &[
        [3, 0],
        [5, 1],
        [6, 3],
        [6, 7],
        [5, 9],
        [3, 10],
        [1, 9],
        [0, 7],
        [0, 3],
        [1, 1],
        [3, 0],
    ],
    &[[1, 2], [3, 0], [3, 10]],
    &[
        [0, 3],
        [1, 1],
        [3, 0],
        [5, 1],
        [6, 3],
        [5, 5],
        [0, 10],
        [6, 10],
    ],
    &[
        [0, 1],
        [2, 0],
        [4, 0],
        [6, 2],
        [6, 3],
        [4, 5],
        [2, 5],
        [4, 5],
        [6, 7],
        [6, 8],
        [4, 10],
        [2, 10],
        [0, 9],
    ],
    &[[4, 10], [4, 0], [0, 7], [6, 7]],
    &[
        [6, 0],
        [1, 0],
        [0, 5],
        [3, 4],
        [5, 5],
        [6, 7],
        [5, 9],
        [3, 10],
        [0, 9],
    ],
    &[
        [5, 0],
        [2, 2],
        [0, 5],
        [0, 7],
        [1, 9],
        [3, 10],
        [5, 9],
        [6, 7],
        [5, 5],
        [3, 4],
        [1, 5],
        [0, 7],
    ],
    &[[0, 0], [6, 0], [2, 10]],
    &[
        [3, 5],
        [5, 4],
        [6, 2],
        [5, 1],
        [3, 0],
        [1, 1],
        [0, 2],
        [1, 4],
        [5, 6],
        [6, 8],
        [5, 9],
        [3, 10],
        [1, 9],
        [0, 8],
        [1, 6],
        [3, 5],
    ],
    &[
        [1, 10],
        [4, 8],
        [6, 5],
        [6, 3],
        [5, 1],
        [3, 0],
        [1, 1],
        [0, 3],
        [1, 5],
        [3, 6],
        [5, 5],
        [6, 3],
    ],
];
const DIGIT_HEIGHT: f32 = 10.0;
/// From one digit to the next, and the width of the pen, in the units of the digits.
const DIGIT_STEP: f32 = 8.5;
const DIGIT_PEN: f32 = 1.5;

impl Drawing {
    pub(crate) const PLAIN: Self = Self {
        columns: "nwb",
        blocks: 2,
        rows: 30,
        pitch: 40.0,
        first_number: 1,
        together: usize::MAX,
        gap: 0.0,
        rules: Rules::Grid,
        boxes: 1,
        thick: 0,
        shaded: false,
        bend: 0.0,
        slope: 0.0,
        missing_rule: None,
        written: 0,
        noise: 0,
        tilt: [0.0, 0.0],
    };

    fn width_of(&self, kind: char) -> f32 {
        match kind {
            'n' => self.number_width(),
            'c' => CLOCK,
            _ => MOVE,
        }
    }

    /// Width of the column of numbers, or of the part of White's column in which they stand, in row heights.
    fn number_width(&self) -> f32 {
        let last = self.first_number as usize + self.rows * self.together.min(self.blocks) - 1;
        NUMBER + DIGIT * last.to_string().len() as f32
    }

    fn block_width(&self) -> f32 {
        let widths = self.columns.chars().map(|kind| self.width_of(kind));
        self.pitch * widths.sum::<f32>()
    }

    fn size(&self) -> (u32, u32) {
        let blocks = self.blocks as f32;
        let width =
            2.0 * LEFT + blocks * self.block_width() + (blocks - 1.0) * self.gap * self.pitch;
        let height = 2.0 * TOP + self.rows as f32 * self.pitch + self.bend + self.slope * width;
        (width as u32, height as u32)
    }

    /// The columns of a block: kind, left and right side.
    fn columns(&self, block: usize) -> Vec<(char, f32, f32)> {
        let mut left = LEFT + block as f32 * (self.block_width() + self.gap * self.pitch);
        self.columns
            .chars()
            .map(|kind| {
                let right = left + self.width_of(kind) * self.pitch;
                let column = (kind, left, right);
                left = right;
                column
            })
            .collect()
    }

    fn rule(&self, row: f32, x: f32) -> f32 {
        let share = x / self.size().0 as f32;
        TOP + row * self.pitch + self.slope * x + self.bend * (share * std::f32::consts::PI).sin()
    }

    /// Where White's column ends, or Black's begins, at the top of a row.
    pub(crate) fn inner_corner(&self, block: usize, row: usize, kind: char) -> [f32; 2] {
        let columns = self.columns(block);
        let column = columns.iter().find(|column| column.0 == kind);
        let x = column.map_or(
            0.0,
            |&(_, left, right)| if kind == 'w' { right } else { left },
        );
        let (x, y) = self.projection() * (x, self.rule(row as f32, x));
        [x, y]
    }

    /// From the flat page to the picture.
    fn projection(&self) -> Projection {
        let (width, height) = self.size();
        let (right, bottom) = (width as f32, height as f32);
        let (narrow, low) = (self.tilt[0] * right, self.tilt[1] * bottom);
        let flat = [(0.0, 0.0), (right, 0.0), (right, bottom), (0.0, bottom)];
        let seen = [
            (narrow, 0.0),
            (right - narrow, low),
            (right, bottom),
            (0.0, bottom - low),
        ];
        Projection::from_control_points(flat, seen).expect("corners of a page")
    }

    /// The picture of the page, dark grey ink on light grey paper.
    pub(crate) fn page(&self) -> GrayImage {
        let mut page = self.flat_page();
        if self.tilt != [0.0, 0.0] {
            let paper = Border::Constant(Luma([PAPER]));
            page = warp(&page, self.projection(), Interpolation::Bilinear, paper);
        }
        if self.noise > 0 {
            let mut chance = Chance::new(u64::from(page.width()));
            for pixel in page.iter_mut() {
                let change = chance.below(2 * u32::from(self.noise) + 1) as i32;
                *pixel = (i32::from(*pixel) + change - i32::from(self.noise)).clamp(0, 255) as u8;
            }
        }
        page
    }

    fn flat_page(&self) -> GrayImage {
        let (width, height) = self.size();
        let mut page = GrayImage::from_pixel(width, height, Luma([PAPER]));
        let mut chance = Chance::new(7);
        for block in 0..self.blocks {
            let columns = self.columns(block);
            for &(kind, left, right) in &columns {
                if kind == 'b' && self.shaded {
                    for x in left as u32..right as u32 {
                        let (top, bottom) = (
                            self.rule(0.0, x as f32),
                            self.rule(self.rows as f32, x as f32),
                        );
                        (top as u32..bottom as u32)
                            .for_each(|y| page.put_pixel(x, y, Luma([SHADE])));
                    }
                }
                self.draw_rules(&mut page, kind, left, right);
                if kind == 'w' || kind == 'b' {
                    let rows = 0..self.written.min(self.rows);
                    rows.for_each(|row| self.scribble(&mut page, &mut chance, left, right, row));
                }
            }
            for row in 0..self.rows {
                let group = self.together.min(self.blocks);
                let number = self.first_number as usize + block % group * self.rows + row;
                let place = columns.iter().find(|column| column.0 == 'n');
                let middle = match place {
                    Some(&(_, left, right)) => (left + right) / 2.0,
                    None => columns[0].1 + self.number_width() * self.pitch / 2.0,
                };
                self.draw_number(&mut page, number, middle, row);
            }
        }
        page
    }

    fn draw_rules(&self, page: &mut GrayImage, kind: char, left: f32, right: f32) {
        if self.rules == Rules::Boxes {
            if kind != 'n' {
                (0..self.rows).for_each(|row| self.draw_box(page, left, right, row));
            }
            return;
        }
        let down = |page: &mut GrayImage, x: f32| {
            for y in self.rule(0.0, x) as u32..=self.rule(self.rows as f32, x) as u32 {
                dot(page, x, y as f32);
                dot(page, x + 1.0, y as f32);
            }
        };
        if self.rules != Rules::Rows {
            down(page, left);
            down(page, right);
            if kind == 'w' || kind == 'b' {
                let step = (right - left) / self.boxes as f32;
                (1..self.boxes).for_each(|part| down(page, left + part as f32 * step));
            }
        }
        // Where rules across alone bound the columns, numbers and clocks have none.
        if self.rules == Rules::Rows && kind != 'w' && kind != 'b' {
            return;
        }
        for row in (0..=self.rows).filter(|&row| self.missing_rule != Some(row)) {
            let thick = self.thick > 0 && row % self.thick == 0;
            for x in left as u32..=right as u32 {
                if self.rules == Rules::Dotted && x % 6 > 2 {
                    continue;
                }
                let y = self.rule(row as f32, x as f32);
                for line in 0..if thick { 5 } else { 2 } {
                    dot(page, x as f32, y + line as f32);
                }
            }
        }
    }

    /// A box for one move.
    fn draw_box(&self, page: &mut GrayImage, left: f32, right: f32, row: usize) {
        let inset = INSET * self.pitch;
        let (left, right) = (left + inset, right - inset);
        let top = |x: f32| self.rule(row as f32 + INSET, x);
        let bottom = |x: f32| self.rule(row as f32 + 1.0 - INSET, x);
        for x in left as u32..=right as u32 {
            for y in [top(x as f32), bottom(x as f32)] {
                dot(page, x as f32, y);
                dot(page, x as f32, y + 1.0);
            }
        }
        for x in [left, right] {
            for y in top(x) as u32..=bottom(x) as u32 {
                dot(page, x, y as f32);
                dot(page, x + 1.0, y as f32);
            }
        }
    }

    /// A stroke that wanders from the left of a cell towards its right, about as a move is written.
    fn scribble(
        &self,
        page: &mut GrayImage,
        chance: &mut Chance,
        left: f32,
        right: f32,
        row: usize,
    ) {
        let start = match self.columns.contains('n') {
            true => left + 0.3 * self.pitch,
            false => left + (self.number_width() + 0.5) * self.pitch,
        };
        let (mut x, mut height) = (start, 0.5);
        let end = x + (right - x) * (0.4 + 0.01 * chance.below(40) as f32);
        while x < end {
            let next = (height + 0.01 * (chance.below(61) as f32 - 30.0)).clamp(0.15, 0.95);
            let steps = (0.25 * self.pitch).max(2.0) as u32;
            for step in 0..steps {
                let share = step as f32 / steps as f32;
                x += 0.07 * self.pitch * share;
                let y = self.rule(row as f32 + height + (next - height) * share, x);
                (0..4).for_each(|part| dot(page, x + (part % 2) as f32, y + (part / 2) as f32));
            }
            height = next;
        }
    }

    /// A number half a row high around `middle`.
    fn draw_number(&self, page: &mut GrayImage, number: usize, middle: f32, row: usize) {
        let unit = 0.5 * self.pitch / DIGIT_HEIGHT;
        let pen = (DIGIT_PEN * unit).max(1.0);
        let text = number.to_string();
        let wide = ((text.len() - 1) as f32 * DIGIT_STEP + 6.0) * unit;
        let top = self.rule(row as f32, middle) + 0.26 * self.pitch;
        for (place, digit) in text.bytes().enumerate() {
            let left = middle - wide / 2.0 + place as f32 * DIGIT_STEP * unit;
            let points: Vec<[f32; 2]> = DIGITS[usize::from(digit - b'0')]
                .iter()
                .map(|&[x, y]| [left + f32::from(x) * unit, top + f32::from(y) * unit])
                .collect();
            draw_line(page, &points, pen);
        }
    }
}

/// A line through some points with soft edges, as wide as the pen.
fn draw_line(page: &mut GrayImage, points: &[[f32; 2]], pen: f32) {
    let reach = pen / 2.0 + 1.0;
    let bounds = |axis: usize, size: u32| {
        let along = points.iter().map(|point| point[axis]);
        let (least, most) = along.fold((f32::MAX, f32::MIN), |(a, b), at| (a.min(at), b.max(at)));
        (least - reach).max(0.0) as u32..((most + reach).max(0.0) as u32 + 1).min(size)
    };
    for y in bounds(1, page.height()) {
        for x in bounds(0, page.width()) {
            let away = points
                .windows(2)
                .map(|ends| distance_to([x as f32, y as f32], ends[0], ends[1]))
                .fold(f32::MAX, f32::min);
            let ink = (pen / 2.0 + 0.5 - away).clamp(0.0, 1.0);
            let pixel = page.get_pixel_mut(x, y);
            pixel.0[0] = (f32::from(pixel.0[0]) * (1.0 - ink) + f32::from(INK) * ink) as u8;
        }
    }
}

/// Distance of a point from the line between two others.
fn distance_to([x, y]: [f32; 2], from: [f32; 2], to: [f32; 2]) -> f32 {
    let (dx, dy) = (to[0] - from[0], to[1] - from[1]);
    let along = ((x - from[0]) * dx + (y - from[1]) * dy) / (dx * dx + dy * dy).max(f32::EPSILON);
    let share = along.clamp(0.0, 1.0);
    (x - from[0] - share * dx).hypot(y - from[1] - share * dy)
}

fn dot(page: &mut GrayImage, x: f32, y: f32) {
    if x >= 0.0 && y >= 0.0 && (x as u32) < page.width() && (y as u32) < page.height() {
        page.put_pixel(x as u32, y as u32, Luma([INK]));
    }
}

/// Numbers by chance, the same every time (xorshift).
#[derive(Debug, Clone)]
pub(crate) struct Chance(u64);

impl Chance {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    /// A number from 0 to one less than `end`.
    pub(crate) fn below(&mut self, end: u32) -> u32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        ((self.0 >> 33) % u64::from(end)) as u32
    }

    pub(crate) fn one_of<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len() as u32) as usize]
    }
}
