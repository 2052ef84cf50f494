//! Ruled lines, followed strip by strip across a page that may be bent.
//!
//! A rule is a thin dark ridge. The page is cut into narrow strips across the rules; the ridges of each strip are the
//! peaks of its profile; peaks of neighbouring strips that continue one another are chained to a [`Rule`].

use image::GrayImage;

use crate::drift::Drift;

/// Width of a strip in pixels of the working image.
pub(crate) const STRIP: usize = 20;

/// Which way the rules run that are looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Direction {
    /// Rules from left to right; strips stand side by side.
    Horizontal,
    /// Rules from top to bottom; strips lie one below another.
    Vertical,
}

/// A ruled line: where it lies in each strip that shows it.
#[derive(Debug, Clone)]
pub(crate) struct Rule {
    /// `(strip, offset, strength)`, strips ascending; the offset runs across the rule, in pixels.
    pub(crate) points: Vec<(usize, f32, f32)>,
}

impl Rule {
    pub(crate) fn first(&self) -> (usize, f32) {
        let (strip, offset, _) = self.points[0];
        (strip, offset)
    }

    pub(crate) fn last(&self) -> (usize, f32) {
        let (strip, offset, _) = self.points[self.points.len() - 1];
        (strip, offset)
    }

    /// Offset change per strip over up to ten points at one end, shrunk towards `usual` where points are few.
    fn slope(&self, at_end: bool, usual: f32) -> f32 {
        let count = self.points.len();
        let part = if at_end {
            &self.points[count.saturating_sub(10)..]
        } else {
            &self.points[..count.min(10)]
        };
        let (mut sxx, mut sxy) = (20.0, 20.0 * usual);
        let n = part.len() as f32;
        let mx = part.iter().map(|p| p.0 as f32).sum::<f32>() / n;
        let my = part.iter().map(|p| p.1).sum::<f32>() / n;
        for &(strip, offset, _) in part {
            let dx = strip as f32 - mx;
            sxx += dx * dx;
            sxy += dx * (offset - my);
        }
        sxy / sxx
    }

    /// Number of points: the length of what was seen, in strips.
    pub(crate) fn length(&self) -> usize {
        self.points.len()
    }
}

/// Peaks of each strip: `(offset, strength)`, by offset.
pub(crate) type Peaks = Vec<Vec<(f32, f32)>>;

/// The ridges of one direction, and how they fall.
#[derive(Debug, Clone)]
pub(crate) struct Ridges {
    /// The peaks of each strip.
    pub(crate) peaks: Peaks,
    drift: Drift,
}

/// The ridges of each strip of one direction.
pub(crate) fn find_ridges(darkness: &GrayImage, direction: Direction) -> Ridges {
    let profiles = strip_profiles(darkness, direction);
    let peaks: Peaks = profiles
        .iter()
        .map(|profile| find_peaks(profile, weakest_peak(profile)))
        .collect();
    let across = profiles.first().map_or(0, Vec::len);
    let drift = Drift::of(&peaks, across as f32);
    Ridges { peaks, drift }
}

/// Strength that a peak of a profile must have: that of a faint rule, and more than the grain of the paper and the noise of the camera,
/// which show themselves by the usual response.
fn weakest_peak(profile: &[f32]) -> f32 {
    const FAINT: f32 = 3.5;
    const ABOVE_NOISE: f32 = 2.0;
    let usual = median(&mut profile.to_vec()).unwrap_or(0.0);
    FAINT.max(ABOVE_NOISE * usual)
}

/// The rules that the peaks of successive strips make, of at least `shortest` strips.
pub(crate) fn chain_rules(ridges: &Ridges, shortest: usize) -> Vec<Rule> {
    let mut rules = chain(ridges);
    join_ends(&mut rules, &ridges.drift);
    rules.retain(|rule| rule.length() >= shortest);
    rules
}

/// How far from a rule there must be paper on both sides, in pixels: a thin rule alone, and two rules side by side or a thick one.
const REACHES: [usize; 2] = [4, 7];

/// Mean ridge response along each strip: `profiles[strip][offset]`.
fn strip_profiles(darkness: &GrayImage, direction: Direction) -> Vec<Vec<f32>> {
    let (width, height) = (darkness.width() as usize, darkness.height() as usize);
    let pixels = darkness.as_raw();
    let (along, across) = match direction {
        Direction::Horizontal => (width, height),
        Direction::Vertical => (height, width),
    };
    let reach = REACHES[1];
    let strips = along / STRIP;
    let mut sums = vec![vec![0u32; across]; strips];
    if across <= 2 * reach {
        return Vec::new();
    }
    match direction {
        Direction::Horizontal => {
            let mut line = vec![0; strips * STRIP];
            for y in reach..height - reach {
                rises(pixels, y * width, width, &mut line);
                for (sum, part) in sums.iter_mut().zip(line.chunks_exact(STRIP)) {
                    sum[y] = part.iter().copied().map(u32::from).sum();
                }
            }
        }
        Direction::Vertical => {
            let mut line = vec![0; width - 2 * reach];
            for (strip, sum) in sums.iter_mut().enumerate() {
                for y in strip * STRIP..(strip + 1) * STRIP {
                    rises(pixels, y * width + reach, 1, &mut line);
                    for (value, &rise) in sum[reach..].iter_mut().zip(&line) {
                        *value += u32::from(rise);
                    }
                }
            }
        }
    }
    sums.into_iter()
        .map(|sum| {
            // A rule is two or three pixels thick and may slope within the strip: three offsets together.
            let mut profile = vec![0.0; across];
            for offset in 1..across - 1 {
                profile[offset] =
                    (sum[offset - 1] + sum[offset] + sum[offset + 1]) as f32 / (STRIP as f32 * 2.0);
            }
            profile
        })
        .collect()
}

/// How far the pixels from `start` on rise above those at both sides, which lie `step` apart in memory.
fn rises(pixels: &[u8], start: usize, step: usize, rises: &mut [u8]) {
    const MOST: u8 = 120;
    let from = |start: usize| &pixels[start..start + rises.len()];
    let [near, far] = REACHES.map(|reach| {
        let sides = [from(start - reach * step), from(start + reach * step)];
        sides[0].iter().zip(sides[1])
    });
    let sides = near.zip(far);
    let middle = from(start);
    for ((rise, &pixel), ((&a, &b), (&c, &d))) in rises.iter_mut().zip(middle).zip(sides) {
        *rise = pixel.saturating_sub(a.max(b).min(c.max(d))).min(MOST);
    }
}

/// Peaks `(offset, strength)` of a profile that are not weaker than `weakest`, at sub-pixel offsets.
fn find_peaks(profile: &[f32], weakest: f32) -> Vec<(f32, f32)> {
    let mut peaks = Vec::new();
    for offset in 2..profile.len().saturating_sub(2) {
        let value = profile[offset];
        if value < weakest
            || value < profile[offset - 1]
            || value <= profile[offset + 1]
            || value < profile[offset - 2]
            || value < profile[offset + 2]
        {
            continue;
        }
        let (mut mass, mut moment) = (0.0, 0.0);
        for (near, &weight) in profile.iter().enumerate().take(offset + 3).skip(offset - 2) {
            mass += weight;
            moment += weight * near as f32;
        }
        peaks.push((moment / mass, value));
    }
    peaks
}

/// Chains the peaks of successive strips.
fn chain(ridges: &Ridges) -> Vec<Rule> {
    const GAP: usize = 6;
    let mut rules: Vec<Rule> = Vec::new();
    let mut active: Vec<usize> = Vec::new();
    for (strip, found) in ridges.peaks.iter().enumerate() {
        active.retain(|&rule| strip - rules[rule].last().0 <= GAP);
        let mut pairs = Vec::new();
        for &rule in &active {
            let (last_strip, last_offset) = rules[rule].last();
            let run = (strip - last_strip) as f32;
            let usual = ridges.drift.at(last_strip, last_offset);
            let expected = last_offset + run * rules[rule].slope(true, usual);
            let tolerance = 2.2 + 0.5 * run + 4.0 / rules[rule].length() as f32;
            let start = found.partition_point(|peak| peak.0 < expected - tolerance);
            for (index, &(offset, strength)) in found.iter().enumerate().skip(start) {
                let distance = (offset - expected).abs();
                if distance > tolerance {
                    break;
                }
                // Long rules choose first; then the nearer and stronger peak.
                let length = rules[rule].length().min(30) as f32;
                pairs.push((
                    distance / tolerance - strength.min(40.0) / 80.0 - length / 10.0,
                    rule,
                    index,
                ));
            }
        }
        pairs.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)).then(a.2.cmp(&b.2)));
        let mut taken = vec![false; found.len()];
        for (_, rule, index) in pairs {
            if taken[index] || rules[rule].last().0 == strip {
                continue;
            }
            taken[index] = true;
            let (offset, strength) = found[index];
            rules[rule].points.push((strip, offset, strength));
        }
        for (index, &(offset, strength)) in found.iter().enumerate() {
            if !taken[index] {
                active.push(rules.len());
                rules.push(Rule {
                    points: vec![(strip, offset, strength)],
                });
            }
        }
    }
    rules.retain(|rule| rule.length() >= 5);
    rules
}

/// Joins rules whose ends point at each other across a gap (writing, a fold, a shadow).
fn join_ends(rules: &mut Vec<Rule>, drift: &Drift) {
    const FARTHEST: usize = 30;
    let usual = |(strip, offset)| drift.at(strip, offset);
    let ends: Vec<(f32, f32)> = rules
        .iter()
        .map(|rule| {
            let first = rule.slope(false, usual(rule.first()));
            (first, rule.slope(true, usual(rule.last())))
        })
        .collect();
    let mut pairs = Vec::new();
    for (left, a) in rules.iter().enumerate() {
        let (end_strip, end_offset) = a.last();
        for (right, b) in rules.iter().enumerate() {
            let (start_strip, start_offset) = b.first();
            if start_strip <= end_strip || start_strip - end_strip > FARTHEST {
                continue;
            }
            let run = (start_strip - end_strip) as f32;
            let forth = (end_offset + run * ends[left].1 - start_offset).abs();
            let back = (start_offset - run * ends[right].0 - end_offset).abs();
            let miss = forth.min(back);
            if miss <= 2.5 + 0.12 * run {
                pairs.push((miss + 0.3 * run, left, right));
            }
        }
    }
    pairs.sort_by(|a, b| a.0.total_cmp(&b.0).then((a.1, a.2).cmp(&(b.1, b.2))));
    let mut next = vec![None; rules.len()];
    let mut joined = vec![false; rules.len()];
    for (_, left, right) in pairs {
        if next[left].is_none() && !joined[right] {
            next[left] = Some(right);
            joined[right] = true;
        }
    }
    let whole = (0..rules.len())
        .filter(|&head| !joined[head])
        .map(|head| {
            let mut points = rules[head].points.clone();
            let mut here = head;
            while let Some(after) = next[here] {
                points.extend_from_slice(&rules[after].points);
                here = after;
            }
            Rule { points }
        })
        .collect();
    *rules = whole;
}

/// The middle value, if there is one.
pub(crate) fn median(values: &mut [f32]) -> Option<f32> {
    if values.is_empty() {
        return None;
    }
    let middle = values.len() / 2;
    Some(*values.select_nth_unstable_by(middle, f32::total_cmp).1)
}
