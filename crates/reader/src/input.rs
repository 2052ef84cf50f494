//! From a grey cell to the network's input. `scripts/train/cells.py` does the same for training: keep the two alike.

use image::GrayImage;

/// Height of the input in pixels.
pub const INPUT_HEIGHT: usize = 48;

/// Widths that an input may have, in pixels.
pub const BUCKETS: [usize; 6] = [48, 64, 80, 96, 128, 176];

/// Widest writing that goes into each bucket but the last, in pixels at the input's height, before it is squeezed.
const WIDEST: [f32; BUCKETS.len() - 1] = [56.0, 92.0, 118.0, 142.0, 190.0];

/// Writing of just that width goes into the bucket however its width was rounded.
const ROUNDING: f32 = 0.01;

/// Pixels of the input kept left and right of the ink.
const MARGIN: f32 = 4.0;

/// Narrow writing is widened by this at most to fill its bucket.
const STRETCH: f32 = 1.2;

/// Pixels of the cell image at every side where rules may run.
const EDGE: u32 = 15;

/// One pixel in this many tells how dark the ink of a cell is.
const INK_SHARE: usize = 33;

/// Darkness beyond which a pixel is ink in any cell, and below which it is none.
const DARKEST: u32 = 110;
const FAINTEST: u32 = 40;

/// Columns without ink that part two runs of writing.
const JOIN: u32 = 7;

/// Dark pixels that a run of writing has at least; less is a speck.
const SPECK: u32 = 12;

/// How a cell is held before the network: a hand that is read wrongly from one side is often read rightly from another.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Look {
    /// Times as high as it is, about the middle of the cell.
    taller: f32,
    /// Pixels of the input by which it is raised.
    raised: f32,
    /// Columns by which each row is moved right for each row that it lies below the middle: writing that leans to the right is set upright.
    unslanted: f32,
}

impl Look {
    /// As it is.
    pub const STRAIGHT: Self = Self {
        taller: 1.0,
        raised: 0.0,
        unslanted: 0.0,
    };

    /// The looks that a cell in doubt gets besides.
    pub const OTHERS: [Self; 2] = [
        Self {
            taller: 1.1,
            raised: 2.0,
            unslanted: 0.0,
        },
        Self {
            taller: 1.1,
            raised: 0.0,
            unslanted: 0.16,
        },
    ];
}

/// What the network sees of a cell: ink = 1, paper = 0, row-major, [`INPUT_HEIGHT`] by `BUCKETS[bucket]`.
#[derive(Debug, Clone, PartialEq)]
pub struct NetworkInput {
    /// Index into [`BUCKETS`].
    pub bucket: usize,
    /// `INPUT_HEIGHT * BUCKETS[bucket]` values in [0, 1].
    pub values: Vec<f32>,
}

/// Cuts a cell to its ink from left to right and scales it to the height of the network's input.
///
/// The width of the writing chooses the bucket, into which it is squeezed or a little stretched: a hand is wider than the network needs, and every
/// column costs time. It stands at the left, with paper right of it. All looks at a cell have the same width, and each column the same letters.
pub fn network_input(cell: &GrayImage, look: Look) -> NetworkInput {
    let scale = INPUT_HEIGHT as f32 / cell.height().max(1) as f32;
    let (left, right) = ink_columns(cell);
    let left = (left as f32 - MARGIN / scale).max(0.0);
    let right = (right as f32 + MARGIN / scale).min(cell.width() as f32);
    let width = ((right - left) * scale).max(1.0);
    let bucket = WIDEST
        .iter()
        .position(|&widest| width <= widest + ROUNDING)
        .unwrap_or(BUCKETS.len() - 1);
    let columns = BUCKETS[bucket];
    let factor = STRETCH.min(columns as f32 / width);
    let used = ((width * factor).ceil() as usize).min(columns);
    let mut values = vec![0.0; INPUT_HEIGHT * columns];
    let middle = cell.height() as f32 / 2.0;
    for y in 0..INPUT_HEIGHT {
        let below = (y as f32 + look.raised - INPUT_HEIGHT as f32 / 2.0) / (scale * look.taller);
        let source_y = middle + below;
        let left = left - look.unslanted * below;
        for x in 0..used {
            let source_x = left + x as f32 / (scale * factor);
            values[y * columns + x] = ink_at(cell, source_x, source_y);
        }
    }
    NetworkInput { bucket, values }
}

/// Ink between pixels, in [0, 1]; none outside the cell.
fn ink_at(cell: &GrayImage, x: f32, y: f32) -> f32 {
    let (left, top) = (x.floor(), y.floor());
    let (part_x, part_y) = (x - left, y - top);
    let at = |dx: f32, dy: f32| {
        let (x, y) = (left + dx, top + dy);
        if x < 0.0 || y < 0.0 || x >= cell.width() as f32 || y >= cell.height() as f32 {
            return 0.0;
        }
        f32::from(255 - cell.get_pixel(x as u32, y as u32).0[0]) / 255.0
    };
    let upper = at(0.0, 0.0) * (1.0 - part_x) + at(1.0, 0.0) * part_x;
    let lower = at(0.0, 1.0) * (1.0 - part_x) + at(1.0, 1.0) * part_x;
    upper * (1.0 - part_y) + lower * part_y
}

/// First and last-plus-one column of the writing; the whole cell where none is found.
///
/// Ink is what is darker than about half of the cell's ink level, so that faint pencil counts. Only what lies inside of the
/// rules counts. Rows that are dark along most of the cell are a rule, small runs are specks.
/// Writing that touches the side of this window goes on to the side of the cell.
fn ink_columns(cell: &GrayImage) -> (u32, u32) {
    let (width, height) = cell.dimensions();
    let whole = (0, width);
    if width < 2 * EDGE + 8 || height < 2 * EDGE + 8 {
        return whole;
    }
    let inner = width - 2 * EDGE;
    let limit = ink_limit(cell);
    let mut counts = vec![0u32; inner as usize];
    for y in EDGE..height - EDGE {
        let dark: Vec<usize> = (0..inner)
            .filter(|&x| 255 - u32::from(cell.get_pixel(x + EDGE, y).0[0]) > limit)
            .map(|x| x as usize)
            .collect();
        if (dark.len() as f32) < 0.7 * inner as f32 {
            dark.into_iter().for_each(|x| counts[x] += 1);
        }
    }
    let mut writing: Option<(u32, u32)> = None;
    let mut run: Option<(u32, u32, u32)> = None;
    for x in 0..inner + JOIN {
        let count = counts.get(x as usize).copied().unwrap_or(0);
        run = match run {
            Some((start, _, area)) if count > 0 => Some((start, x + 1, area + count)),
            Some((start, end, area)) if x + 1 - end >= JOIN => {
                if area >= SPECK {
                    writing = Some((writing.map_or(start, |(first, _)| first), end));
                }
                None
            }
            None if count > 0 => Some((x, x + 1, count)),
            other => other,
        };
    }
    let Some((first, last)) = writing else {
        return whole;
    };
    (
        if first <= 2 { 0 } else { first + EDGE },
        if last + 2 >= inner {
            width
        } else {
            last + EDGE
        },
    )
}

/// Darkness above which a pixel of the cell is ink.
fn ink_limit(cell: &GrayImage) -> u32 {
    let mut darkness: Vec<u8> = (EDGE..cell.height() - EDGE)
        .flat_map(|y| (EDGE..cell.width() - EDGE).map(move |x| (x, y)))
        .map(|(x, y)| 255 - cell.get_pixel(x, y).0[0])
        .collect();
    let rank = darkness.len() - (darkness.len() / INK_SHARE).max(1);
    let level = u32::from(*darkness.select_nth_unstable(rank).1);
    DARKEST.min(FAINTEST.max(level * 47 / 100))
}

#[cfg(test)]
mod tests {
    use super::*;
    use image::Luma;

    /// A white cell with black boxes `(left, right, top, bottom)`.
    fn cell(width: u32, boxes: &[(u32, u32, u32, u32)]) -> GrayImage {
        GrayImage::from_fn(width, 64, |x, y| {
            let ink = boxes
                .iter()
                .any(|&(l, r, t, b)| (l..r).contains(&x) && (t..b).contains(&y));
            Luma([if ink { 0 } else { 255 }])
        })
    }

    #[test]
    fn writing_is_found_between_rules_and_specks() {
        type Case = (&'static str, &'static [(u32, u32, u32, u32)], (u32, u32));
        let cases: [Case; 6] = [
            ("nothing", &[], (0, 200)),
            ("one word", &[(60, 90, 20, 40)], (60, 90)),
            (
                "two words",
                &[(60, 70, 20, 40), (100, 120, 20, 40)],
                (60, 120),
            ),
            (
                "a speck beside",
                &[(60, 90, 20, 40), (150, 153, 30, 33)],
                (60, 90),
            ),
            (
                "a rule across",
                &[(0, 200, 30, 32), (60, 90, 20, 40)],
                (60, 90),
            ),
            ("out at the left", &[(0, 40, 20, 40)], (0, 40)),
        ];
        for (name, boxes, expected) in cases {
            assert_eq!(ink_columns(&cell(200, boxes)), expected, "{name}");
        }
    }

    #[test]
    fn the_bucket_fits_the_writing() {
        for (right, bucket) in [(60, 0), (120, 1), (160, 2), (190, 3), (250, 4), (400, 5)] {
            let input = network_input(&cell(440, &[(20, right, 20, 44)]), Look::STRAIGHT);
            assert_eq!(input.bucket, bucket, "ink from 20 to {right}");
            assert_eq!(input.values.len(), INPUT_HEIGHT * BUCKETS[bucket]);
            assert!(input.values.iter().all(|value| (0.0..=1.0).contains(value)));
        }
    }
    #[test]
    fn other_looks_move_what_is_above_and_below_the_middle() {
        // Rows of a bar across the middle, by how much a bar down leans to the right.
        let rows = |input: &NetworkInput| -> Vec<usize> {
            let columns = BUCKETS[input.bucket];
            let inked = |y: &usize| input.values[y * columns + columns / 2] > 0.5;
            (0..INPUT_HEIGHT).filter(inked).collect()
        };
        let flat = cell(120, &[(20, 100, 24, 40)]);
        let heights =
            [Look::STRAIGHT, Look::OTHERS[0]].map(|look| rows(&network_input(&flat, look)));
        assert_eq!(
            heights,
            [(18..30).collect(), (15..29).collect::<Vec<usize>>()]
        );
        let leaning: Vec<(u32, u32, u32, u32)> = (0..64)
            .map(|y| (60 - y * 16 / 100, 64 - y * 16 / 100, y, y + 1))
            .collect();
        let lean = |look| {
            let input = network_input(&cell(120, &leaning), look);
            let columns = BUCKETS[input.bucket];
            let middle = |y: usize| {
                let row = &input.values[y * columns..(y + 1) * columns];
                let (sum, weighted) = (0..)
                    .zip(row)
                    .fold((0.0, 0.0), |(sum, weighted), (x, ink)| {
                        (sum + ink, weighted + x as f32 * ink)
                    });
                weighted / sum
            };
            middle(8) - middle(40)
        };
        assert!(lean(Look::STRAIGHT) > 4.0);
        assert!(lean(Look::OTHERS[1]).abs() < 1.0);
    }
}
