//! Which of the rules across a page part the rows of the table, and what lies on those rows.

use crate::bundle::{Bundle, Level};
use crate::rules::{Rule, STRIP, median};

/// The longest series of row lines at one distance, with one row more at each end where the page has room.
///
/// Lines that were not seen are put in between their neighbours, two in a row at most. `seen` tells for each line in which
/// strips it was seen, and belongs to no table found before. Returns nothing where there are no rows.
pub(crate) fn find_rows(across: &Bundle, seen: &[Vec<bool>], height: f32) -> Vec<Level> {
    const SEEDS: usize = 6;
    /// A table has at least so many lines as long as its rows.
    const LIKE: usize = 10;
    let lengths: Vec<f32> = seen
        .iter()
        .map(|seen| seen.iter().filter(|&&here| here).count() as f32)
        .collect();
    let mut longest = lengths.clone();
    longest.sort_by(|a, b| b.total_cmp(a));
    let most = longest
        .get(LIKE)
        .or(longest.last())
        .map_or(1.0, |length| length.max(1.0));
    let weights: Vec<f32> = lengths
        .iter()
        .map(|length| (length / most).min(1.0).powi(2))
        .collect();
    let mut best: (f32, Vec<Level>) = (0.0, Vec::new());
    for start in (0..across.levels.len()).filter(|&line| weights[line] > LINE_COST) {
        // A line beside the first one, not above or below it, is another table's.
        let weights: Vec<f32> = weights
            .iter()
            .enumerate()
            .map(|(line, weight)| weight * above(&seen[start], &seen[line]))
            .collect();
        for next in start + 1..(start + 1 + SEEDS).min(across.levels.len()) {
            let pitch = across.levels[next] - across.levels[start];
            if !(height / 90.0..height / 9.0).contains(&pitch) {
                continue;
            }
            let mut up = walk(across, &weights, start, -pitch);
            up.1.reverse();
            let down = walk(across, &weights, start, pitch);
            let score = up.0 + down.0 + weights[start];
            if score > best.0 {
                let mut rows = up.1;
                rows.push(across.line(start));
                rows.extend(down.1);
                best = (score, rows);
            }
        }
    }
    let mut rows = best.1;
    if rows.len() >= 2 {
        let last = rows.len() - 1;
        let pitch_above = rows[1].level - rows[0].level;
        let pitch_below = rows[last].level - rows[last - 1].level;
        let before = end_line(across, &weights, rows[0].level - pitch_above, pitch_above);
        let after = end_line(
            across,
            &weights,
            rows[last].level + pitch_below,
            pitch_below,
        );
        if before.level > -4.0 {
            rows.insert(0, before);
        }
        if after.level < height + 4.0 {
            rows.push(after);
        }
    }
    rows
}

/// The part of the shorter of two lines that lies above or below the other one: 1 if most of it does.
fn above(a: &[bool], b: &[bool]) -> f32 {
    const MOST: f32 = 0.7;
    let count = |line: &[bool]| line.iter().filter(|&&here| here).count();
    let both = a.iter().zip(b).filter(|&(&a, &b)| a && b).count();
    (both as f32 / (MOST * count(a).min(count(b)).max(1) as f32)).min(1.0)
}

/// The line beyond the end of a series: a near one, though it be faint, or the expected level itself.
fn end_line(across: &Bundle, weights: &[f32], expected: f32, pitch: f32) -> Level {
    let distance = |line: usize| (across.levels[line] - expected).abs() / (0.25 * pitch);
    let fit = |line: usize| weights[line] - distance(line).powi(2);
    (0..across.levels.len())
        .filter(|&line| distance(line) <= 1.0)
        .max_by(|&a, &b| fit(a).total_cmp(&fit(b)))
        .map_or(
            Level {
                level: expected,
                line: None,
            },
            |line| across.line(line),
        )
}

/// What a line must weigh to count for a series: a series at half the distance gathers only strokes of writing.
const LINE_COST: f32 = 0.35;

/// What a line costs that lies as far off as it may from where the row before makes it expected.
const UNEVEN_COST: f32 = 0.35;

/// Steps from line to line at a slowly changing pitch; returns the score and the lines after `start`, up to where going on
/// no longer pays.
fn walk(across: &Bundle, weights: &[f32], start: usize, pitch: f32) -> (f32, Vec<Level>) {
    const MOST_MISSES: usize = 2;
    let mut lines: Vec<Level> = Vec::new();
    let (mut score, mut pitch) = (0.0, pitch);
    let (mut best, mut kept) = (0.0, 0);
    let (mut at, mut misses) = (across.levels[start], 0);
    loop {
        let expected = at + pitch * (misses + 1) as f32;
        let tolerance = 0.14 * pitch.abs() + 1.5;
        let first = across
            .levels
            .partition_point(|&level| level < expected - tolerance);
        let found = (first..across.levels.len())
            .take_while(|&line| across.levels[line] <= expected + tolerance)
            .filter(|&line| weights[line] > 0.0)
            .map(|line| (line, (across.levels[line] - expected).abs()))
            .min_by(|a, b| (a.1 - 3.0 * weights[a.0]).total_cmp(&(b.1 - 3.0 * weights[b.0])));
        match found {
            Some((line, distance)) => {
                let level = across.levels[line];
                let step = (level - at) / (misses + 1) as f32;
                for miss in 1..=misses {
                    score -= 0.8;
                    lines.push(Level {
                        level: at + step * miss as f32,
                        line: None,
                    });
                }
                lines.push(across.line(line));
                score += weights[line] - LINE_COST - UNEVEN_COST * (distance / tolerance).powi(2);
                if score >= best {
                    (best, kept) = (score, lines.len());
                }
                pitch = pitch * 0.8 + step * 0.2;
                (at, misses) = (level, 0);
            }
            None if misses < MOST_MISSES => misses += 1,
            None => {
                lines.truncate(kept);
                return (best, lines);
            }
        }
    }
}

/// Where each seen row line begins and ends: `(y, left, right)`, steadied over its neighbours, from the top.
pub(crate) fn row_ends(across: &Bundle, rows: &[Level]) -> Vec<(f32, f32, f32)> {
    const NEAR: usize = 3;
    let ends: Vec<(f32, f32, f32)> = rows
        .iter()
        .filter_map(|&row| {
            let seen = &across.seen[row.line?];
            let first = seen.iter().position(|&here| here)?;
            let last = seen.iter().rposition(|&here| here)?;
            let (left, right) = ((first * STRIP) as f32, ((last + 1) * STRIP) as f32);
            Some((across.offset(row, (left + right) / 2.0), left, right))
        })
        .collect();
    (0..ends.len())
        .map(|index| {
            let near = &ends[index.saturating_sub(NEAR)..(index + NEAR + 1).min(ends.len())];
            let middle = |value: fn(&(f32, f32, f32)) -> f32| {
                median(&mut near.iter().map(value).collect::<Vec<f32>>()).unwrap_or(0.0)
            };
            (ends[index].0, middle(|end| end.1), middle(|end| end.2))
        })
        .collect()
}

/// The parts of rules down the page that lie on the rows: not in the header, on the paper's edge or on the table under it.
pub(crate) fn rules_within(vertical: &[Rule], ends: &[(f32, f32, f32)]) -> Vec<Rule> {
    const ROOM: f32 = 1.5 * STRIP as f32;
    let (Some(first), Some(last)) = (ends.first(), ends.last()) else {
        return Vec::new();
    };
    let is_within = |strip: usize, x: f32| {
        let y = (strip as f32 + 0.5) * STRIP as f32;
        let next = ends.partition_point(|end| end.0 < y).min(ends.len() - 1);
        let (_, left, right) = ends[next];
        (first.0 - 4.0 * ROOM..=last.0 + 4.0 * ROOM).contains(&y)
            && (left - ROOM..=right + ROOM).contains(&x)
    };
    vertical
        .iter()
        .map(|rule| Rule {
            points: rule
                .points
                .iter()
                .filter(|&&(strip, x, _)| is_within(strip, x))
                .copied()
                .collect(),
        })
        .filter(|rule| rule.length() >= 5)
        .collect()
}
