//! Which printed numbers run on from which, told without knowing the shape of any digit.
//!
//! A guess at the first number says which digit each printed glyph is. Under the right guess glyphs that are said to be the
//! same digit look alike, and tens look like units; under a wrong one they do not. So a page's own print is all that is
//! learned from, whatever its typeface.

use image::GrayImage;

/// Size of a glyph that is compared, in pixels.
const WIDE: usize = 10;
const HIGH: usize = 12;

/// A digit as it is compared: darkness over a box of [`WIDE`] x [`HIGH`], of unit length.
type Shape = [f32; WIDE * HIGH];

/// A digit as it was cut out.
#[derive(Debug, Clone)]
struct Glyph {
    shape: Shape,
    /// Width as a share of the height.
    width: f32,
}

/// A printed number, taken as one, two and three digits.
#[derive(Debug, Clone)]
pub(crate) struct Digits {
    taken_as: [Vec<Glyph>; 3],
}

impl Digits {
    /// Cuts the picture of a number (darkness, its own bounds or a little more) into digits.
    ///
    /// Nothing where there is no ink.
    pub(crate) fn of(print: &GrayImage) -> Option<Self> {
        /// How far a gap may lie from even parts, as a share of a part, and what that costs.
        const ROOM: f32 = 0.65;
        const OFF_COST: f32 = 0.25;
        let (width, height) = print.dimensions();
        if width < 2 || height < 4 {
            return None;
        }
        let ink: Vec<f32> = (0..width)
            .map(|x| {
                (0..height)
                    .map(|y| f32::from(print.get_pixel(x, y).0[0]))
                    .sum()
            })
            .collect();
        let most = ink.iter().copied().fold(1.0, f32::max);
        let cut = |count: usize| {
            let mut parts = Vec::with_capacity(count);
            let mut from = 0;
            for part in 1..=count {
                let to = if part == count {
                    width as usize
                } else {
                    // The gap between two digits is clear, and lies near where equal digits would part.
                    let even = (width as usize * part) as f32 / count as f32;
                    let room = (width as f32 / count as f32 * ROOM).max(1.0);
                    let off = |x: usize| (x as f32 - even).abs() / room;
                    let miss = |x: usize| ink[x] / most + off(x) * OFF_COST;
                    (from + 1..width as usize)
                        .filter(|&x| off(x) <= 1.0)
                        .min_by(|&a, &b| miss(a).total_cmp(&miss(b)))
                        .unwrap_or(even as usize)
                };
                parts.push(glyph(print, from as u32, to as u32)?);
                from = to;
            }
            Some(parts)
        };
        Some(Self {
            taken_as: [
                cut(1)?,
                cut(2).unwrap_or_default(),
                cut(3).unwrap_or_default(),
            ],
        })
    }
}

/// The ink between two columns, trimmed to its bounds and scaled to the height of a glyph.
fn glyph(print: &GrayImage, from: u32, to: u32) -> Option<Glyph> {
    let at = |x: u32, y: u32| f32::from(print.get_pixel(x, y).0[0]);
    let most = (from..to)
        .flat_map(|x| (0..print.height()).map(move |y| (x, y)))
        .map(|(x, y)| at(x, y))
        .fold(0.0, f32::max);
    let dark = |x: u32, y: u32| at(x, y) > 0.4 * most;
    let columns: Vec<u32> = (from..to)
        .filter(|&x| (0..print.height()).any(|y| dark(x, y)))
        .collect();
    let rows: Vec<u32> = (0..print.height())
        .filter(|&y| (from..to).any(|x| dark(x, y)))
        .collect();
    let (&left, &right) = (columns.first()?, columns.last()?);
    let (&top, &bottom) = (rows.first()?, rows.last()?);
    let (wide, high) = ((right - left + 1) as f32, (bottom - top + 1) as f32);
    let step = (high / HIGH as f32).max(wide / WIDE as f32);
    let shift = (WIDE as f32 - wide / step) / 2.0;
    let mut shape = [0.0; WIDE * HIGH];
    for (index, value) in shape.iter_mut().enumerate() {
        let (x, y) = ((index % WIDE) as f32, (index / WIDE) as f32);
        // Four samples a pixel.
        for (part_x, part_y) in [(0.25, 0.25), (0.75, 0.25), (0.25, 0.75), (0.75, 0.75)] {
            let place_x = left as f32 + (x + part_x - shift) * step;
            let place_y = top as f32 + (y + part_y) * step;
            if place_x >= left as f32
                && place_x < (right + 1) as f32
                && place_y < (bottom + 1) as f32
            {
                *value += at(place_x as u32, place_y as u32);
            }
        }
    }
    let shape = blurred(&shape);
    let length = shape.iter().map(|value| value * value).sum::<f32>().sqrt();
    (length > 0.0).then(|| Glyph {
        shape: shape.map(|value| value / length),
        width: wide / high,
    })
}

/// A soft glyph forgives a pixel's shift.
fn blurred(shape: &Shape) -> Shape {
    std::array::from_fn(|index| {
        let (x, y) = (index % WIDE, index / WIDE);
        let mut sum = 0.0;
        for near_y in y.saturating_sub(1)..(y + 2).min(HIGH) {
            for near_x in x.saturating_sub(1)..(x + 2).min(WIDE) {
                let weight =
                    if near_x == x { 2.0 } else { 1.0 } * if near_y == y { 2.0 } else { 1.0 };
                sum += weight * shape[near_y * WIDE + near_x];
            }
        }
        sum
    })
}

/// A guess at the numbers of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Guess {
    /// Row of the first number of each block.
    pub(crate) start: usize,
    /// Rows of each block.
    pub(crate) rows: usize,
    /// The first number.
    pub(crate) first: u32,
    /// Blocks after which the numbers begin again: fewer than all where several sheets lie on one page.
    pub(crate) together: usize,
}

impl Guess {
    fn number(&self, block: usize, row: usize) -> u32 {
        (self.first + (block % self.together * self.rows + row) as u32)
            .saturating_sub(self.start as u32)
    }
}

/// How well a guess fits.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Fit {
    /// Numbers whose digits look like other digits of their kind, less those that do not and a part of those not seen.
    pub(crate) score: f32,
    /// Share of the numbers seen whose digits all look right, over the whole table.
    pub(crate) agreement: f32,
    /// The same share in the block that has the least.
    pub(crate) least: f32,
    /// Numbers that were compared.
    pub(crate) compared: usize,
    /// Whether 1 is the narrowest digit, as in any typeface. Numbers that stand on their heads in a mirror count up, too, as if 0 were 9.
    pub(crate) upright: bool,
}

/// The best guess at the numbers of a table, and the next best.
///
/// `digits` are the prints of each block, row by row; `near` the rows that seem to have numbers.
pub(crate) fn fit_numbers(
    digits: &[Vec<Option<Digits>>],
    near: std::ops::Range<usize>,
) -> Option<(Guess, Fit, Option<Fit>)> {
    const ROOM: usize = 2;
    /// A signature, a result or a shadow may hide several of the last numbers.
    const ROOM_BELOW: usize = 3;
    /// Agreement from which a page that starts at one is taken for it without trying second pages.
    const CLEAR: f32 = 0.9;
    const LARGEST: u32 = 121;
    /// What a likely first number is worth, in numbers.
    const LIKELY_FIRST: f32 = 1.5;
    /// What a row costs that seems to have a number and is left out.
    const LEFT_OUT: f32 = 1.2;
    let total = digits.first()?.len();
    let blocks = digits.len();
    let likeness = Likeness::of(digits);
    let spans = |room: usize| {
        let starts = near.start.saturating_sub(room)..=(near.start + room).min(total);
        starts.flat_map(move |start| {
            let ends = near.end.saturating_sub(room)..=(near.end + room + ROOM_BELOW).min(total);
            ends.filter(move |&end| end >= start + 8)
                .map(move |end| (start, end - start))
        })
    };
    let mut ranked: Vec<(Guess, Fit)> = Vec::new();
    let mut try_guess = |guess: Guess| ranked.push((guess, likeness.fit(&guess)));
    for together in (1..=blocks)
        .rev()
        .filter(|&size| blocks.is_multiple_of(size))
    {
        for (start, rows) in spans(ROOM) {
            let first = 1;
            try_guess(Guess {
                start,
                rows,
                first,
                together,
            });
        }
    }
    // Pages mostly begin with a number like 1, 26, 31 or 41; and one number that looks wrong does not end them.
    let score = |(guess, fit): &(Guess, Fit)| {
        let end = guess.start + guess.rows;
        let left_out = guess.start.saturating_sub(near.start) + near.end.saturating_sub(end);
        let likely = if guess.first % 5 == 1 {
            LIKELY_FIRST
        } else {
            0.0
        };
        fit.score + likely - LEFT_OUT * left_out as f32
    };
    let rank = |ranked: &mut Vec<(Guess, Fit)>| {
        ranked.sort_by(|a, b| score(b).total_cmp(&score(a)));
    };
    rank(&mut ranked);
    let clear = |fit: &Fit| fit.agreement >= CLEAR && fit.compared >= 10;
    if !ranked.first().is_some_and(|(_, fit)| clear(fit)) {
        for (start, rows) in spans(1) {
            ranked.extend((2..=LARGEST).map(|first| {
                let guess = Guess {
                    start,
                    rows,
                    first,
                    together: blocks,
                };
                (guess, likeness.fit(&guess))
            }));
        }
        rank(&mut ranked);
        // The numbers of a second page may begin earlier than it seems, as those of a first one.
        let &(best, _) = ranked.first()?;
        ranked.extend(spans(ROOM).map(|(start, rows)| {
            let first = best.number(0, start).max(1);
            let guess = Guess {
                start,
                rows,
                first,
                ..best
            };
            (guess, likeness.fit(&guess))
        }));
        rank(&mut ranked);
    }
    let &(guess, fit) = ranked.first()?;
    // Another start or end of the same numbers is no rival.
    let rival = ranked
        .iter()
        .find(|(other, _)| {
            guess.number(0, other.start) != other.first || other.together != guess.together
        })
        .map(|&(_, fit)| fit);
    Some((guess, fit, rival))
}

/// How well the digits fit where the first number stands in each of some rows.
pub(crate) fn fit_of(
    digits: &[Vec<Option<Digits>>],
    starts: std::ops::Range<usize>,
    rows: usize,
    first: u32,
) -> Vec<f32> {
    let likeness = Likeness::of(digits);
    let guess = |start| Guess {
        start,
        rows,
        first,
        together: digits.len(),
    };
    starts
        .map(|start| likeness.fit(&guess(start)).score)
        .collect()
}

/// Glyphs less what all have in common, of unit length again: what is left tells one digit from another.
fn centred(glyphs: &[&Glyph]) -> Vec<Shape> {
    let count = glyphs.len().max(1) as f32;
    let mut mean = [0.0; WIDE * HIGH];
    for glyph in glyphs {
        for (mean, value) in mean.iter_mut().zip(&glyph.shape) {
            *mean += value / count;
        }
    }
    glyphs
        .iter()
        .map(|glyph| {
            let apart: Shape = std::array::from_fn(|index| glyph.shape[index] - mean[index]);
            let length = apart.iter().map(|value| value * value).sum::<f32>().sqrt();
            apart.map(|value| value / length.max(1e-6))
        })
        .collect()
}

/// How much each glyph looks like each other one.
struct Likeness {
    /// Place of the first glyph of each number taken as one, two and three digits, by block and row.
    places: Vec<Vec<[Option<usize>; 3]>>,
    glyphs: usize,
    widths: Vec<f32>,
    /// Cosine of each pair of glyphs, row by row.
    cosines: Vec<f32>,
}

impl Likeness {
    fn of(digits: &[Vec<Option<Digits>>]) -> Self {
        let mut glyphs: Vec<&Glyph> = Vec::new();
        let mut places = Vec::with_capacity(digits.len());
        for block in digits {
            let mut rows = Vec::with_capacity(block.len());
            for number in block {
                let mut place = [None; 3];
                for (count, place) in place.iter_mut().enumerate() {
                    let taken = number.as_ref().map(|number| &number.taken_as[count]);
                    if let Some(taken) = taken.filter(|taken| taken.len() == count + 1) {
                        *place = Some(glyphs.len());
                        glyphs.extend(taken);
                    }
                }
                rows.push(place);
            }
            places.push(rows);
        }
        let widths = glyphs.iter().map(|glyph| glyph.width).collect();
        let glyphs = centred(&glyphs);
        let count = glyphs.len();
        let mut cosines = vec![0.0; count * count];
        for (row, glyph) in glyphs.iter().enumerate() {
            for (column, other) in glyphs.iter().enumerate().take(row + 1) {
                let cosine = cosine(glyph, other);
                cosines[row * count + column] = cosine;
                cosines[column * count + row] = cosine;
            }
        }
        Self {
            places,
            glyphs: count,
            widths,
            cosines,
        }
    }

    /// Compares every glyph with the others of its digit and of the nine other digits.
    fn fit(&self, guess: &Guess) -> Fit {
        /// What a number that is not seen costs.
        const MISSED: f32 = 0.5;
        /// Width of 1 as a share of that of another digit, at most: typewriters have them alike.
        const WIDEST_ONE: f32 = 1.2;
        // The digit and place of each glyph, number by number, with the number's block.
        let mut numbers: Vec<(usize, Vec<(usize, usize)>)> = Vec::new();
        let mut alike: [Vec<usize>; 10] = Default::default();
        let mut missed = 0;
        for (block, rows) in self.places.iter().enumerate() {
            for row in guess.start..guess.start + guess.rows {
                let text = guess.number(block, row).to_string();
                let place = rows.get(row).and_then(|place| place[text.len().min(3) - 1]);
                let Some(place) = place else {
                    missed += 1;
                    continue;
                };
                let digits = text.bytes().map(|digit| usize::from(digit - b'0'));
                let number: Vec<(usize, usize)> = digits.zip(place..).collect();
                number
                    .iter()
                    .for_each(|&(digit, glyph)| alike[digit].push(glyph));
                numbers.push((block, number));
            }
        }
        // Squared length of the sum of each digit's glyphs.
        let lengths: [f32; 10] = std::array::from_fn(|digit| {
            let own = &alike[digit];
            let sum = |&glyph: &usize| {
                let row = &self.cosines[glyph * self.glyphs..(glyph + 1) * self.glyphs];
                own.iter().map(|&other| row[other]).sum::<f32>()
            };
            own.iter().map(sum).sum()
        });
        let looks_right = |&(digit, glyph): &(usize, usize)| {
            let row = &self.cosines[glyph * self.glyphs..(glyph + 1) * self.glyphs];
            // Cosine of the glyph and the mean glyph of a digit.
            let like = |other: usize| {
                let sum: f32 = alike[other].iter().map(|&other| row[other]).sum();
                // A glyph does not speak for itself.
                let (sum, length) = if other == digit {
                    (sum - row[glyph], lengths[other] - 2.0 * sum + row[glyph])
                } else {
                    (sum, lengths[other])
                };
                sum / length.max(1e-6).sqrt()
            };
            let own = like(digit);
            (0..10).all(|other| other == digit || alike[other].is_empty() || like(other) < own)
        };
        // Numbers that look right and wrong, by block.
        let mut judgements = vec![(0, 0); self.places.len()];
        for (block, number) in &numbers {
            let mut judged = number
                .iter()
                .filter(|(digit, _)| alike[*digit].len() > 1)
                .peekable();
            if judged.peek().is_some() {
                let (right, wrong) = &mut judgements[*block];
                *(if judged.all(looks_right) {
                    right
                } else {
                    wrong
                }) += 1;
            }
        }
        let width = |digit: usize| {
            let widths = alike[digit].iter().map(|&glyph| self.widths[glyph]);
            let count = alike[digit].len();
            (count > 0).then(|| widths.sum::<f32>() / count as f32)
        };
        let one = width(1).unwrap_or(0.0);
        let share = |&(right, wrong): &(usize, usize)| right as f32 / (right + wrong).max(1) as f32;
        let all = judgements
            .iter()
            .fold((0, 0), |sum, block| (sum.0 + block.0, sum.1 + block.1));
        Fit {
            score: all.0 as f32 - all.1 as f32 - MISSED * missed as f32,
            agreement: share(&all),
            least: judgements.iter().map(share).fold(1.0, f32::min),
            compared: all.0 + all.1,
            upright: (0..10)
                .filter_map(width)
                .all(|other| one <= WIDEST_ONE * other),
        }
    }
}

/// Cosine of two glyphs of unit length, eight sums at a time.
fn cosine(a: &Shape, b: &Shape) -> f32 {
    let mut sums = [0.0f32; 8];
    for (a, b) in a.chunks_exact(8).zip(b.chunks_exact(8)) {
        for (sum, (a, b)) in sums.iter_mut().zip(a.iter().zip(b)) {
            *sum += a * b;
        }
    }
    sums.iter().sum()
}
