//! A bundle of rules as one bent family of lines, so that a rule can be told where it was not seen.

use crate::rules::{Rule, STRIP, median};

/// Lines of one direction that bend together.
///
/// Line `k` lies at `level[k] + a + b u + c u²` in each strip, `u` being the level scaled to [-1, 1]: shift, stretch and
/// perspective of the strip. What a line does beyond that is kept as its own residual.
#[derive(Debug, Clone)]
pub(crate) struct Bundle {
    /// Offset of each line where the page is taken as flat, ascending.
    pub(crate) levels: Vec<f32>,
    /// Share of the strips in which the line was seen.
    pub(crate) seen: Vec<Vec<bool>>,
    strips: Vec<[f32; 3]>,
    residuals: Vec<Vec<f32>>,
    middle: f32,
    half: f32,
}

/// A place among the lines of a [`Bundle`].
#[derive(Debug, Clone, Copy)]
pub(crate) struct Level {
    /// Where the line lies on the flat page.
    pub(crate) level: f32,
    /// The line itself, where it was seen at all.
    pub(crate) line: Option<usize>,
}

const MODEL_PASSES: usize = 6;

impl Bundle {
    /// Fits the common bend of `rules`; `count` is the number of strips of the page.
    pub(crate) fn fit(rules: &[Rule], count: usize) -> Option<Self> {
        let long = count / 4;
        if rules.iter().filter(|rule| rule.length() >= long).count() < 2 || count < 4 {
            return None;
        }
        let centre = count as f32 / 2.0;
        let fan = Fan::of(rules, long, centre)?;
        let mut levels: Vec<f32> = rules
            .iter()
            .map(|rule| {
                let mut at: Vec<f32> = rule
                    .points
                    .iter()
                    .map(|&(strip, offset, _)| fan.level(offset, strip as f32 - centre))
                    .collect();
                median(&mut at).unwrap_or(0.0)
            })
            .collect();
        let (least, most) = levels
            .iter()
            .fold((f32::MAX, f32::MIN), |(a, b), &l| (a.min(l), b.max(l)));
        let middle = (least + most) / 2.0;
        let half = ((most - least) / 2.0).max(1.0);
        let mut strips: Vec<[f32; 3]> = (0..count)
            .map(|strip| {
                let run = strip as f32 - centre;
                [run * fan.slope(middle), run * fan.turn * half, 0.0]
            })
            .collect();
        for pass in 0..MODEL_PASSES {
            let tolerance = [14.0, 10.0, 7.0, 5.0, 4.0, 4.0][pass];
            fit_strips(rules, &levels, middle, half, tolerance, long, &mut strips);
            for (rule, level) in rules.iter().zip(&mut levels) {
                let u = (*level - middle) / half;
                let mut at: Vec<f32> = rule
                    .points
                    .iter()
                    .map(|&(strip, offset, _)| offset - bend(&strips[strip], u))
                    .collect();
                *level = median(&mut at).unwrap_or(*level);
            }
        }
        let mut bundle = Self {
            levels: Vec::new(),
            seen: Vec::new(),
            strips,
            residuals: Vec::new(),
            middle,
            half,
        };
        bundle.take_lines(rules, &levels);
        Some(bundle)
    }

    /// No lines on a flat page; `size` is its length across the lines, `count` the number of strips.
    pub(crate) fn flat(size: f32, count: usize) -> Self {
        Self {
            levels: Vec::new(),
            seen: Vec::new(),
            strips: vec![[0.0; 3]; count.max(1)],
            residuals: Vec::new(),
            middle: size / 2.0,
            half: (size / 2.0).max(1.0),
        }
    }

    /// Sorts the rules by level and makes one line of those that lie on one level.
    fn take_lines(&mut self, rules: &[Rule], levels: &[f32]) {
        let count = self.strips.len();
        let mut order: Vec<usize> = (0..rules.len()).collect();
        order.sort_by(|&a, &b| levels[a].total_cmp(&levels[b]));
        let mut groups: Vec<Vec<usize>> = Vec::new();
        for rule in order {
            match groups.last_mut() {
                Some(group)
                    if levels[rule] - levels[group[0]] < 5.0
                        && group
                            .iter()
                            .all(|&other| !overlap(&rules[other], &rules[rule])) =>
                {
                    group.push(rule);
                }
                _ => groups.push(vec![rule]),
            }
        }
        for group in groups {
            let weight: f32 = group.iter().map(|&rule| rules[rule].length() as f32).sum();
            let level = group
                .iter()
                .map(|&rule| levels[rule] * rules[rule].length() as f32)
                .sum::<f32>()
                / weight;
            let u = (level - self.middle) / self.half;
            let mut seen = vec![false; count];
            let mut known: Vec<Option<f32>> = vec![None; count];
            for &rule in &group {
                for &(strip, offset, _) in &rules[rule].points {
                    seen[strip] = true;
                    let residual = offset - level - bend(&self.strips[strip], u);
                    if residual.abs() < 7.0 {
                        known[strip] = Some(residual);
                    }
                }
            }
            self.levels.push(level);
            self.seen.push(seen);
            self.residuals.push(smooth_residual(&known));
        }
    }

    /// Offset of a line at a position along it (pixels of the working image).
    pub(crate) fn offset(&self, place: Level, along: f32) -> f32 {
        let strip = (along / STRIP as f32 - 0.5).clamp(0.0, (self.strips.len() - 1) as f32);
        let (low, part) = (strip as usize, strip.fract());
        let high = (low + 1).min(self.strips.len() - 1);
        let u = (place.level - self.middle) / self.half;
        let at = |strip: usize| {
            let own = place.line.map_or(0.0, |line| self.residuals[line][strip]);
            bend(&self.strips[strip], u) + own
        };
        place.level + at(low) * (1.0 - part) + at(high) * part
    }

    /// A line that was seen.
    pub(crate) fn line(&self, line: usize) -> Level {
        Level {
            level: self.levels[line],
            line: Some(line),
        }
    }

    /// The line nearest to a level, if one lies within `room` of it; else the level itself.
    pub(crate) fn near(&self, level: f32, room: f32) -> Level {
        let miss = |line: &Level| (line.level - level).abs();
        (0..self.levels.len())
            .map(|line| self.line(line))
            .filter(|line| miss(line) < room)
            .min_by(|a, b| miss(a).total_cmp(&miss(b)))
            .unwrap_or(Level { level, line: None })
    }

    /// Share of the strips between two positions along the line in which it was seen.
    pub(crate) fn coverage(&self, line: usize, from: f32, to: f32) -> f32 {
        let last = self.strips.len();
        let start = ((from / STRIP as f32) as usize).min(last - 1);
        let end = ((to / STRIP as f32).ceil() as usize).clamp(start + 1, last);
        let seen = &self.seen[line][start..end];
        seen.iter().filter(|&&here| here).count() as f32 / seen.len() as f32
    }
}

/// Straight lines that fan out evenly, as parallel lines do in perspective: the start from which the bend is fitted.
struct Fan {
    /// Slope at offset 0, in pixels per strip.
    base: f32,
    /// Change of slope per pixel of offset.
    turn: f32,
}

impl Fan {
    /// The fan through two of the long rules that most of the others agree with, by length: neither stray strokes nor the
    /// grain of a table under the paper can turn it. Rules with many gaps count little: the steps of the pixels in a sloping rule
    /// make broken ones across it.
    fn of(rules: &[Rule], long: usize, centre: f32) -> Option<Self> {
        /// How far a rule's ends may lie off, in pixels.
        const AGREE: f32 = 5.0;
        const MOST: usize = 60;
        struct Line {
            /// Offset in the middle of the page, and its change from strip to strip.
            at: f32,
            slope: f32,
            /// Strips from end to end.
            run: f32,
            /// Strips in which it was seen, less where there are gaps.
            weight: f32,
        }
        let mut lines: Vec<Line> = rules
            .iter()
            .filter(|rule| rule.length() >= long)
            .map(|rule| {
                let ((first, from), (last, to)) = (rule.first(), rule.last());
                let run = (last - first).max(1) as f32;
                let slope = (to - from) / run;
                Line {
                    at: from + slope * (centre - first as f32),
                    slope,
                    run,
                    weight: (rule.length() as f32).powi(2) / run,
                }
            })
            .collect();
        lines.sort_by(|a, b| b.weight.total_cmp(&a.weight));
        lines.truncate(MOST);
        let mut best: Option<(f32, Self)> = None;
        for (index, near) in lines.iter().enumerate() {
            for far in &lines[index + 1..] {
                let apart = far.at - near.at;
                // Lines close together tell nothing but noise.
                if apart.abs() < 30.0 {
                    continue;
                }
                let turn = (far.slope - near.slope) / apart;
                let fan = Self {
                    base: near.slope - turn * near.at,
                    turn,
                };
                let agreed: f32 = lines
                    .iter()
                    .map(|line| {
                        let miss = (line.slope - fan.slope(line.at)) * line.run / (2.0 * AGREE);
                        line.weight * (1.0 - miss * miss).max(0.0)
                    })
                    .sum();
                if best.as_ref().is_none_or(|(most, _)| agreed > *most) {
                    best = Some((agreed, fan));
                }
            }
        }
        best.map(|(_, fan)| fan)
    }

    fn slope(&self, level: f32) -> f32 {
        self.base + self.turn * level
    }

    /// Level of the line through an offset, `run` strips after the middle of the page.
    fn level(&self, offset: f32, run: f32) -> f32 {
        (offset - self.base * run) / (1.0 + self.turn * run)
    }
}

fn bend(strip: &[f32; 3], u: f32) -> f32 {
    strip[0] + strip[1] * u + strip[2] * u * u
}

fn overlap(a: &Rule, b: &Rule) -> bool {
    let common = a
        .points
        .iter()
        .filter(|point| b.points.binary_search_by(|p| p.0.cmp(&point.0)).is_ok())
        .count();
    common * 4 > a.length().min(b.length())
}

/// Least-squares bend of every strip, over the strip and two neighbours on each side.
fn fit_strips(
    rules: &[Rule],
    levels: &[f32],
    middle: f32,
    half: f32,
    tolerance: f32,
    long: usize,
    strips: &mut [[f32; 3]],
) {
    const NEAR: usize = 2;
    let count = strips.len();
    let mut sums = vec![[[0f64; 4]; 3]; count];
    for (rule, &level) in rules.iter().zip(levels) {
        if rule.length() < long {
            continue;
        }
        let u = f64::from((level - middle) / half);
        let is_near = |&(strip, offset, _): &(usize, f32, f32)| {
            (offset - level - bend(&strips[strip], u as f32)).abs() <= tolerance
        };
        // A rule that does not bend with the others is none of the table's.
        let near = rule.points.iter().filter(|point| is_near(point)).count();
        if near * 10 < rule.length() * 6 {
            continue;
        }
        for &(strip, offset, _) in rule.points.iter().filter(|point| is_near(point)) {
            let shift = offset - level;
            let terms = [1.0, u, u * u];
            let near = strip.saturating_sub(NEAR)..(strip + NEAR + 1).min(count);
            for sum in &mut sums[near] {
                for (row, term) in terms.iter().enumerate() {
                    for (column, other) in terms.iter().enumerate() {
                        sum[row][column] += term * other;
                    }
                    sum[row][3] += term * f64::from(shift);
                }
            }
        }
    }
    // Where little is seen the bend stays near that of the strip before: a weak pull keeps it solvable and smooth.
    let mut previous: Option<[f32; 3]> = None;
    let mut known = vec![false; count];
    for (strip, sum) in sums.iter().enumerate() {
        if sum[0][0] < 10.0 {
            continue;
        }
        let pull = previous.unwrap_or(strips[strip]);
        let mut system = *sum;
        for (index, strength) in [0.3, 1.0, 3.0].into_iter().enumerate() {
            system[index][index] += strength;
            system[index][3] += strength * f64::from(pull[index]);
        }
        if let Some(solution) = solve(system) {
            strips[strip] = solution;
            known[strip] = true;
            previous = Some(solution);
        }
    }
    fill_gaps(strips, &known);
}

/// Strips without evidence: straight between their neighbours, and straight on at the ends.
fn fill_gaps(strips: &mut [[f32; 3]], known: &[bool]) {
    let found: Vec<usize> = (0..strips.len()).filter(|&strip| known[strip]).collect();
    let (Some(&first), Some(&last)) = (found.first(), found.last()) else {
        return;
    };
    // Each unknown strip lies on the line through two known ones.
    let reach = (last - first).min(12);
    let mut lines: Vec<(std::ops::Range<usize>, usize, usize)> = found
        .windows(2)
        .map(|pair| (pair[0] + 1..pair[1], pair[0], pair[1]))
        .collect();
    lines.push((0..first, first, first + reach));
    lines.push((last + 1..strips.len(), last - reach, last));
    for (unknown, from, to) in lines {
        let (start, end) = (strips[from], strips[to]);
        for strip in unknown {
            let part = (strip as f32 - from as f32) / (to - from).max(1) as f32;
            strips[strip] =
                std::array::from_fn(|term| start[term] + (end[term] - start[term]) * part);
        }
    }
}

/// Solves three linear equations by Cramer's rule.
fn solve(system: [[f64; 4]; 3]) -> Option<[f32; 3]> {
    let determinant = |columns: [usize; 3]| {
        let [i, j, k] = columns;
        let m = &system;
        m[0][i] * (m[1][j] * m[2][k] - m[1][k] * m[2][j])
            - m[0][j] * (m[1][i] * m[2][k] - m[1][k] * m[2][i])
            + m[0][k] * (m[1][i] * m[2][j] - m[1][j] * m[2][i])
    };
    let whole = determinant([0, 1, 2]);
    if whole.abs() < 1e-9 {
        return None;
    }
    Some([
        (determinant([3, 1, 2]) / whole) as f32,
        (determinant([0, 3, 2]) / whole) as f32,
        (determinant([0, 1, 3]) / whole) as f32,
    ])
}

/// Residuals along one line: running medians where known, straight between, constant at the ends.
fn smooth_residual(known: &[Option<f32>]) -> Vec<f32> {
    let steady: Vec<Option<f32>> = (0..known.len())
        .map(|strip| {
            known[strip]?;
            let mut near: Vec<f32> = known[strip.saturating_sub(2)..(strip + 3).min(known.len())]
                .iter()
                .flatten()
                .copied()
                .collect();
            median(&mut near)
        })
        .collect();
    let mut residual = vec![0.0; known.len()];
    let mut last: Option<usize> = None;
    for strip in 0..known.len() {
        let Some(value) = steady[strip] else { continue };
        residual[strip] = value;
        let from = last.map_or(0, |last| last + 1);
        for between in from..strip {
            residual[between] = match last {
                Some(last) => {
                    let part = (between - last) as f32 / (strip - last) as f32;
                    residual[last] * (1.0 - part) + value * part
                }
                None => value,
            };
        }
        last = Some(strip);
    }
    if let Some(last) = last {
        let value = residual[last];
        residual[last + 1..].fill(value);
    }
    residual
}
