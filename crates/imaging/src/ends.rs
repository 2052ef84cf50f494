//! Where the rules across begin and end: tables without rules down show their columns by that alone.

use image::GrayImage;

use crate::bundle::{Bundle, Level};
use crate::rules::{Peaks, STRIP, median};

/// Strength of the end of a rule among the peaks of the rules down the page: a faint rule's.
const STRENGTH: f32 = 6.0;

/// Ends of the rows' rules in one row, at most: a dotted rule ends everywhere, which tells nothing.
const MOST_ENDS: usize = 24;

/// Adds the ends of the rows' rules to the peaks of the strips they lie in, where no ridge is near.
///
/// `pitch` is the usual row height in pixels; an end counts for all strips up to half a row above and below it.
pub(crate) fn add_row_ends(
    peaks: &mut Peaks,
    darkness: &GrayImage,
    across: &Bundle,
    rows: &[Level],
    pitch: f32,
) {
    const NEAR: f32 = 4.5;
    for &row in rows.iter().filter(|row| row.line.is_some()) {
        let ends = rule_ends(&presence(darkness, across, row), pitch);
        if ends.len() > MOST_ENDS {
            continue;
        }
        for x in ends {
            let y = across.offset(row, x);
            let first = ((y - 0.55 * pitch) / STRIP as f32).max(0.0) as usize;
            let last = ((y + 0.55 * pitch) / STRIP as f32).max(0.0) as usize;
            for strip in first..=last.min(peaks.len().saturating_sub(1)) {
                let found = &mut peaks[strip];
                let place = found.partition_point(|peak| peak.0 < x);
                let is_near = |peak: Option<&(f32, f32)>| {
                    peak.is_some_and(|&(other, _)| (other - x).abs() < NEAR)
                };
                if !is_near(found.get(place)) && !is_near(place.checked_sub(1).map(|p| &found[p])) {
                    found.insert(place, (x, STRENGTH));
                }
            }
        }
    }
}

/// Whether each pixel along a row's rule shows it: more than the grain of the paper beside it does.
pub(crate) fn presence(darkness: &GrayImage, across: &Bundle, row: Level) -> Vec<bool> {
    const FAINTEST: u8 = 9;
    const ABOVE_GRAIN: f32 = 2.5;
    /// Where the paper beside the rule is looked at, in pixels from it.
    const BESIDE: [i64; 2] = [-10, 10];
    let width = darkness.width();
    let along = |beside: i64| {
        (0..width).map(move |x| {
            let middle = across.offset(row, x as f32).round() as i64;
            ridge(darkness, x, middle + beside)
        })
    };
    let beside = BESIDE.into_iter().flat_map(along);
    let mut beside: Vec<f32> = beside.map(f32::from).collect();
    let grain = median(&mut beside).unwrap_or(0.0);
    let least = FAINTEST.max((ABOVE_GRAIN * grain) as u8);
    along(0).map(|ridge| ridge > least).collect()
}

/// How much darker a pixel near a height is than those above and below it.
fn ridge(darkness: &GrayImage, x: u32, middle: i64) -> u8 {
    const NEAR: i64 = 2;
    const REACH: i64 = 4;
    let at = |y: i64| match u32::try_from(y) {
        Ok(y) if y < darkness.height() => darkness.get_pixel(x, y).0[0],
        _ => 0,
    };
    (middle - NEAR..=middle + NEAR)
        .map(|y| at(y).saturating_sub(at(y - REACH).max(at(y + REACH))))
        .max()
        .unwrap_or(0)
}

/// Offsets at which a rule begins or ends: paper on one side, mostly rule on the other.
fn rule_ends(seen: &[bool], pitch: f32) -> Vec<f32> {
    let rule = (0.7 * pitch).max(8.0) as usize;
    let paper = (0.18 * pitch).max(4.0) as usize;
    let mut sums = vec![0usize; seen.len() + 1];
    for (x, &here) in seen.iter().enumerate() {
        sums[x + 1] = sums[x] + usize::from(here);
    }
    let share = |from: usize, to: usize| (sums[to] - sums[from]) as f32 / (to - from) as f32;
    let last = seen.len();
    let begins = |x: usize| {
        (x >= paper && x + rule <= last).then(|| share(x, x + rule) - share(x - paper, x))
    };
    let stops = |x: usize| {
        (x >= rule && x + paper <= last).then(|| share(x - rule, x) - share(x, x + paper))
    };
    let mut ends = clearest(last, begins);
    ends.extend(clearest(last, stops));
    ends.sort_by(f32::total_cmp);
    ends
}

/// The clearest place of each stretch that is clear enough.
fn clearest(last: usize, clear: impl Fn(usize) -> Option<f32>) -> Vec<f32> {
    const CLEAR: f32 = 0.6;
    let mut places = Vec::new();
    let mut best: Option<(f32, usize)> = None;
    for x in 0..=last {
        match clear(x).filter(|&clear| clear >= CLEAR) {
            Some(clear) if best.is_none_or(|(most, _)| clear > most) => best = Some((clear, x)),
            Some(_) => {}
            None => places.extend(best.take().map(|(_, x)| x as f32)),
        }
    }
    places.extend(best.map(|(_, x)| x as f32));
    places
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_end_at_gaps() {
        let rules = |parts: &[(usize, usize)]| -> Vec<bool> {
            (0..400)
                .map(|x| parts.iter().any(|part| (part.0..part.1).contains(&x)))
                .collect()
        };
        type Case = (&'static str, &'static [(usize, usize)], &'static [f32]);
        let cases: [Case; 4] = [
            ("nothing", &[], &[]),
            ("one rule", &[(50, 200)], &[50.0, 200.0]),
            (
                "a gap for the number",
                &[(50, 150), (180, 300)],
                &[50.0, 150.0, 180.0, 300.0],
            ),
            (
                "a rule down crosses",
                &[(50, 150), (153, 300)],
                &[50.0, 300.0],
            ),
        ];
        for (name, parts, expected) in cases {
            assert_eq!(rule_ends(&rules(parts), 40.0), expected, "{name}");
        }
    }
}
