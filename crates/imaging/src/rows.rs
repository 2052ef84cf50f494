//! Which of the rules across a page part the rows of the table, and what lies on those rows.

use crate::bundle::{Bundle, Level};
use crate::rules::{Rule, STRIP, median};

/// The longest series of row lines at one distance, with one row more at each end where the page has room.
///
/// Lines that were not seen are put in between their neighbours, two in a row at most.
pub(crate) fn find_rows(across: &Bundle, width: f32, height: f32) -> Vec<Level> {
    const SEEDS: usize = 6;
    let seen: Vec<f32> = (0..across.levels.len())
        .map(|line| across.coverage(line, 0.0, width))
        .collect();
    let most = seen.iter().copied().fold(0.1, f32::max);
    let weights: Vec<f32> = seen.iter().map(|share| (share / most).powi(2)).collect();
    let mut best: (f32, Vec<Level>) = (0.0, Vec::new());
    for start in 0..across.levels.len() {
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

/// The line beyond the end of a series: a faint one near the expected level, or the level itself.
fn end_line(across: &Bundle, weights: &[f32], expected: f32, pitch: f32) -> Level {
    (0..across.levels.len())
        .filter(|&line| (across.levels[line] - expected).abs() <= 0.25 * pitch)
        .max_by(|&a, &b| weights[a].total_cmp(&weights[b]))
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

/// Steps from line to line at a slowly changing pitch; returns the score and the lines after `start`.
fn walk(across: &Bundle, weights: &[f32], start: usize, pitch: f32) -> (f32, Vec<Level>) {
    const MOST_MISSES: usize = 2;
    let mut lines: Vec<Level> = Vec::new();
    let (mut score, mut pitch) = (0.0, pitch);
    let (mut at, mut misses) = (across.levels[start], 0);
    loop {
        let expected = at + pitch * (misses + 1) as f32;
        let tolerance = 0.14 * pitch.abs() + 1.5;
        let found = (0..across.levels.len())
            .map(|line| (line, (across.levels[line] - expected).abs()))
            .filter(|&(_, distance)| distance <= tolerance)
            .min_by(|a, b| (a.1 - 3.0 * weights[a.0]).total_cmp(&(b.1 - 3.0 * weights[b.0])));
        match found {
            Some((line, _)) => {
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
                score += weights[line] - LINE_COST;
                pitch = pitch * 0.8 + step * 0.2;
                (at, misses) = (level, 0);
            }
            None if misses < MOST_MISSES => misses += 1,
            None => return (score, lines),
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
