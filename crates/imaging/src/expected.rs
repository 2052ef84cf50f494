//! The form that a page is expected to have, since other sheets of its stack have it, laid over the lines that the page shows.

use crate::bundle::{Bundle, Level};
use crate::columns::BlockColumns;
use crate::form::{Form, MOST_ROWS, Working};
use crate::grid::{Grid, Numbering};
use crate::numbers::{Prints, shares_with_number};
use crate::rows::find_rows;
use crate::rules::{Direction, STRIP, chain_rules, find_ridges};
use crate::sequence::{Digits, fit_of};
use crate::shape::{BlockShape, FormShape};

/// What digits that look alike count, beside numbers that are seen at all and rules: they are the first that a bad picture spoils.
const DIGITS: f32 = 0.3;

/// Rows beyond those that the shape has, at either end, among which its first one is looked for.
const ROOM: usize = 3;

/// Row lines that must be seen: fewer tell nothing of the height of a row.
const FEWEST_LINES: usize = 4;

/// What the columns and the rows come to, at least, and the lead over all other places of the first row.
const LEAST_COLUMNS: f32 = 0.5;
const LEAST_ROWS: f32 = 1.2;
const LEAST_LEAD: f32 = 0.035;

/// A form laid over a page, and how much speaks for it.
pub(crate) struct Laid {
    pub(crate) form: Form,
    pub(crate) score: f32,
}

/// The best of these shapes on an upright page, if one fits.
pub(crate) fn find_expected(working: &Working, shapes: &[FormShape]) -> Option<Laid> {
    let picture = working.picture();
    let (width, height) = picture.dimensions();
    let horizontal = chain_rules(&find_ridges(picture, Direction::Horizontal), 8);
    let across = Bundle::fit(&horizontal, width as usize / STRIP)?;
    let ridges = find_ridges(picture, Direction::Vertical);
    let rows = find_rows(&across, &across.seen, height as f32);
    if !(FEWEST_LINES..=MOST_ROWS + 1).contains(&rows.len()) {
        return None;
    }
    let laid = shapes.iter().filter_map(|shape| {
        let rows = lengthened(&across, rows.clone(), shape.rows + 2 * ROOM, height as f32);
        let (grid, lines) = Grid::new(picture, &across, rows, &ridges);
        let flat = grid.flat_places(&lines);
        let (columns, blocks) = lay_columns(shape, &lines, &flat, grid.pitch)?;
        lay_rows(shape, grid, columns, &blocks)
    });
    let mut best = laid.max_by(|a, b| a.score.total_cmp(&b.score))?;
    working.to_page(&mut best.form);
    Some(best)
}

/// The rows with so many more at either end as make `count` lines, as far as the page goes: on the lines near there, or where they would be.
fn lengthened(across: &Bundle, mut rows: Vec<Level>, count: usize, height: f32) -> Vec<Level> {
    /// How far a line may lie from where it is expected, in row heights.
    const NEAR: f32 = 0.2;
    let missing = count.saturating_sub(rows.len() - 1).max(ROOM);
    let next = |last: Level, before: Level| {
        let pitch = last.level - before.level;
        across.near(last.level + pitch, NEAR * pitch.abs())
    };
    for _ in 0..missing {
        let above = next(rows[0], rows[1]);
        if above.level < 0.0 {
            break;
        }
        rows.insert(0, above);
    }
    for _ in 0..missing {
        let below = next(rows[rows.len() - 1], rows[rows.len() - 2]);
        if below.level > height {
            break;
        }
        rows.push(below);
    }
    rows
}

/// Lays the sides of the columns on the lines: how well they fit, in [0, 1], and the columns.
fn lay_columns(
    shape: &FormShape,
    lines: &[(Level, f32)],
    flat: &[f32],
    pitch: f32,
) -> Option<(f32, Vec<BlockColumns>)> {
    /// Height of a row on the page, as a share of that which the shape makes expected.
    const PITCHES: std::ops::Range<f32> = 0.85..1.18;
    /// Sides at either end of the table on which the search may begin.
    const ENDS: usize = 3;
    /// How far a line may lie from a side, in row heights.
    const NEAR: f32 = 0.22;
    /// What a strong line costs that is no side.
    const STRAY: f32 = 0.25;
    const STRONG: f32 = 0.9;
    let sides = shape.sides();
    let last = sides.len();
    let nearest = |place: f32| {
        let next = flat.partition_point(|&at| at < place);
        let near = next.saturating_sub(1)..(next + 1).min(flat.len());
        near.min_by(|&a, &b| (flat[a] - place).abs().total_cmp(&(flat[b] - place).abs()))
    };
    let fit = |unit: f32, start: f32| -> f32 {
        let mut used = 0.0;
        let of_side = |side: &f32| {
            let place = start + side * unit;
            let line = nearest(place)?;
            let miss = (flat[line] - place).abs() / (NEAR * unit);
            if lines[line].1 >= STRONG {
                used += if miss < 1.0 { 1.0 } else { 0.0 };
            }
            (miss < 1.0).then(|| lines[line].1 * (1.0 - miss * miss))
        };
        let sum: f32 = sides.iter().filter_map(of_side).sum();
        let within = start - NEAR * unit..start + (sides[last - 1] + NEAR) * unit;
        let strong = flat.iter().zip(lines);
        let strong = strong
            .filter(|(at, line)| within.contains(at) && line.1 >= STRONG)
            .count();
        (sum - STRAY * (strong as f32 - used).max(0.0)) / last as f32
    };
    let mut best: Option<(f32, f32, f32)> = None;
    for from in 0..lines.len() {
        for to in from + 1..lines.len() {
            for first in 0..ENDS.min(last) {
                for end in last.saturating_sub(ENDS).max(first + 1)..last {
                    let unit = (flat[to] - flat[from]) / (sides[end] - sides[first]);
                    if !PITCHES.contains(&(unit / pitch)) {
                        continue;
                    }
                    let start = flat[from] - sides[first] * unit;
                    let score = fit(unit, start);
                    if best.is_none_or(|(most, ..)| score > most) {
                        best = Some((score, unit, start));
                    }
                }
            }
        }
    }
    let (score, unit, start) = best?;
    let level = |side: f32| {
        let place = start + side * unit;
        let line = nearest(place).filter(|&line| (flat[line] - place).abs() < NEAR * unit);
        line.map_or_else(
            || Level {
                level: level_at(lines, flat, place),
                line: None,
            },
            |line| lines[line].0,
        )
    };
    let columns = |block: &BlockShape| {
        let both = |[left, right]: [f32; 2]| (level(left), level(right));
        BlockColumns {
            number: block.number.map(both),
            white: both(block.white),
            black: both(block.black),
        }
    };
    Some((score, shape.blocks.iter().map(columns).collect()))
}

/// The level of a place between lines, two at least, of which `flat` tells the places.
fn level_at(lines: &[(Level, f32)], flat: &[f32], place: f32) -> f32 {
    let next = flat
        .partition_point(|&at| at < place)
        .clamp(1, flat.len() - 1);
    let (before, after) = (next - 1, next);
    let (from, to) = (lines[before].0.level, lines[after].0.level);
    let step = flat[after] - flat[before];
    if step <= 0.0 {
        return from + place - flat[before];
    }
    from + (to - from) * (place - flat[before]) / step
}

/// Lays the rows: those where the numbers of the shape fit best.
fn lay_rows(
    shape: &FormShape,
    mut grid: Grid<'_>,
    columns: f32,
    blocks: &[BlockColumns],
) -> Option<Laid> {
    let prints = grid.prints(blocks, 0.0);
    let digits: Vec<Vec<Option<Digits>>> = prints.iter().map(Prints::digits).collect();
    let count = blocks.len() as f32;
    let evidence = shares_with_number(&prints);
    let starts = 0..grid.rows.len().saturating_sub(shape.rows);
    let fits = fit_of(&digits, starts.clone(), shape.rows, shape.first_number);
    let rows = shape.rows as f32;
    let mut ranked: Vec<(f32, usize)> = starts
        .zip(fits)
        .map(|(start, digits)| {
            let end = start + shape.rows;
            let seen: f32 = evidence[start..end].iter().sum();
            let around: f32 = evidence[..start].iter().chain(&evidence[end..]).sum();
            let lines = grid.rows[start..=end].iter();
            let lines = lines.filter(|row| row.line.is_some()).count() as f32;
            let numbers = DIGITS * digits / count + seen - around;
            (numbers / rows + lines / (rows + 1.0), start)
        })
        .collect();
    ranked.sort_by(|a, b| b.0.total_cmp(&a.0));
    let &(score, start) = ranked.first()?;
    let lead = ranked.get(1).map_or(f32::MAX, |next| score - next.0);
    if columns < LEAST_COLUMNS || score < LEAST_ROWS || lead < LEAST_LEAD {
        return None;
    }
    let end = start + shape.rows;
    let numbering = Numbering {
        rows: start..end,
        first: Some(shape.first_number),
        read: false,
        printed: true,
        together: blocks.len(),
        quality: evidence[start..end].iter().sum::<f32>() / rows,
    };
    grid.rows = grid.rows[start..=end].to_vec();
    let mut form = grid.form(blocks, &numbering, &prints);
    // What the shape says is expected, not seen.
    form.numbered = false;
    Some(Laid {
        form,
        score: columns + score,
    })
}
