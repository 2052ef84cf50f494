//! Series of like blocks of columns among the rules down a table, and how much speaks for each.

/// What tells how much the space between two lines looks like a column of printed numbers, in [0, 1].
///
/// The two lines are given by their places among the lines; with `inside`, the numbers stand at the left of moves.
pub(crate) trait NumberLikeness {
    /// Likeness of the column between two lines, or of the left part of White's column.
    fn likeness(&mut self, left: usize, right: usize, inside: bool) -> f32;
}

/// Difference in width of the two columns of moves, as a share of White's.
const EVEN: f32 = 0.16;
/// Widths of a column of moves, in row heights.
const MOVE_WIDTHS: std::ops::Range<f32> = 1.4..16.0;
/// Widths of a column of numbers, in row heights, and its greatest as a share of a column of moves.
const NUMBER_WIDTHS: std::ops::Range<f32> = 0.3..3.2;
const NUMBER_SHARE: f32 = 0.75;
/// Greatest distance between the two columns of moves, or between them and the numbers, as a share of White's width.
const APART: f32 = 0.85;
/// Greatest distance between two blocks, as a share of their width: two sheets may lie on one page.
const BLOCKS_APART: f32 = 1.1;
/// How far a rule of a block may lie from where the first block has it, as a share of a block's width.
const REPEAT: f32 = 0.06;

/// Largest part of White's column that a number printed in it takes.
pub(crate) const NUMBER_PART: f32 = 0.42;
/// Most blocks side by side.
pub(crate) const MOST_BLOCKS: usize = 8;

/// What a rule must weigh to count for the blocks that use it.
const RULE_COST: f32 = 0.3;
/// Width of the narrowest column, in row heights.
const LEAST_COLUMN: f32 = 1.1;
/// Width up to which a space is narrow: boxes stand a little apart, in row heights.
const NARROW: f32 = 0.25;
/// What a space between the columns of a block costs: else half a number would do for a number.
const SPACE_COST: f32 = 0.9;
/// Part of its weight that a rule costs which the blocks do not use, but have alike.
const REGULAR: f32 = 0.15;
/// What a column of printed numbers counts for its block, in rules.
const NUMBERS_WORTH: f32 = 2.5;

/// Score and mean weight of lines below which they are a chance meeting of strokes.
const LEAST_SCORE: f32 = 0.6;
const LEAST_WEIGHT: f32 = 0.2;

/// The most that numbers add to the score of a block: their own worth, two rules, and two that no longer count against it.
const MOST_GAIN: f32 = NUMBERS_WORTH + 2.0 * (1.0 - RULE_COST) + 2.0;

/// How far below the best score a series is still worth reading its numbers, and how many are read at most.
const NEAR_BEST: f32 = 2.0;
const MOST_SERIES: usize = 8;

/// How many of the rules are tried, in rounds: a picture of something else has hundreds.
const ROUNDS: [usize; 4] = [12, 20, 32, 48];

/// Series that are looked at, at most: a bound on the time that a picture of something else takes.
const MOST_TRIES: usize = 40_000;

/// The columns of a block, as places among the lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Shape {
    /// The column of printed numbers, where rules bound one.
    pub(crate) number: Option<(usize, usize)>,
    /// White's moves.
    pub(crate) white: (usize, usize),
    /// Black's moves.
    pub(crate) black: (usize, usize),
}

impl Shape {
    /// All its lines, from left to right.
    fn edges(&self) -> Edges {
        let (number_left, number_right) = self.number.unwrap_or(self.white);
        let mut all = [
            number_left,
            number_right,
            self.white.0,
            self.white.1,
            self.black.0,
            self.black.1,
        ];
        all.sort_unstable();
        let mut edges = Edges {
            lines: all,
            count: 1,
        };
        for line in &all[1..] {
            if *line != edges.last() {
                edges.lines[edges.count] = *line;
                edges.count += 1;
            }
        }
        edges
    }

    fn map(&self, line: impl Fn(usize) -> Option<usize>) -> Option<Self> {
        let pair = |(left, right): (usize, usize)| Some((line(left)?, line(right)?));
        Some(Self {
            number: match self.number {
                Some(number) => Some(pair(number)?),
                None => None,
            },
            white: pair(self.white)?,
            black: pair(self.black)?,
        })
    }
}

/// The lines of a block, each once, ascending.
#[derive(Debug, Clone, Copy)]
struct Edges {
    lines: [usize; 6],
    count: usize,
}

impl Edges {
    fn first(&self) -> usize {
        self.lines[0]
    }

    fn last(&self) -> usize {
        self.lines[self.count - 1]
    }

    fn iter(&self) -> impl Iterator<Item = &usize> {
        self.lines[..self.count].iter()
    }
}

/// Series of like blocks among `lines` (place, and share of the table's height in which the line was seen; left to right), best first: the
/// one that explains most of the rules and of the printed numbers, and those that come near it. `pitch` is the height of a row.
pub(crate) fn best_series(
    lines: &[(f32, f32)],
    pitch: f32,
    numbers: &mut impl NumberLikeness,
) -> Vec<Vec<Shape>> {
    let search = Search {
        at: lines.iter().map(|(place, _)| *place).collect(),
        weights: lines.iter().map(|(_, seen)| seen.powi(4)).collect(),
        pitch,
    };
    search.best(&surest(lines), numbers)
}

/// What a search has found so far.
struct Found {
    /// Series of blocks with their scores.
    series: Vec<(f32, Vec<Shape>)>,
    /// Score that a series must reach to be kept.
    least: f32,
    /// Series that were looked at.
    tries: usize,
}

/// The search for the best series of blocks.
struct Search {
    /// Place of each line.
    at: Vec<f32>,
    /// How surely each line is a rule: handwriting and printed numbers one below another leave broken ridges, which the
    /// fourth power of what was seen tells from rules.
    weights: Vec<f32>,
    pitch: f32,
}

impl Search {
    /// The best series of blocks, and those that come near it, best first.
    ///
    /// `surest` are the places of the lines, the surest first. Few of them are tried first, since a good series found early spares the
    /// search most of the others; a picture of something else, where no series is good, ends it by the number of its tries.
    fn best(&self, surest: &[usize], numbers: &mut impl NumberLikeness) -> Vec<Vec<Shape>> {
        let mut found = Found {
            series: Vec::new(),
            least: LEAST_SCORE,
            tries: 0,
        };
        for count in ROUNDS {
            let mut tried = surest[..count.min(surest.len())].to_vec();
            tried.sort_unstable();
            self.search(&tried, numbers, &mut found);
            if count >= surest.len() || found.tries > MOST_TRIES {
                break;
            }
        }
        // Of equals the first that was tried.
        let mut series = found.series;
        series.sort_by(|a, b| b.0.total_cmp(&a.0));
        series.dedup_by(|a, b| a.1 == b.1);
        series.retain(|(score, _)| *score > found.least);
        series.truncate(MOST_SERIES);
        match series.first() {
            Some((_, blocks)) if self.mean_weight(blocks) >= LEAST_WEIGHT => {
                series.into_iter().map(|(_, blocks)| blocks).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Adds the series to `found` whose first block has its lines among those tried.
    fn search(&self, tried: &[usize], numbers: &mut impl NumberLikeness, found: &mut Found) {
        for (place, &left) in tried.iter().enumerate() {
            for (beside, &middle) in tried.iter().enumerate().skip(place + 1) {
                let white = self.at[middle] - self.at[left];
                if !MOVE_WIDTHS.contains(&(white / self.pitch)) {
                    continue;
                }
                for (after, &next) in tried.iter().enumerate().skip(beside) {
                    if self.at[next] - self.at[middle] > APART * white {
                        break;
                    }
                    for &right in &tried[after + 1..] {
                        let share = (self.at[right] - self.at[next]) / white;
                        if share > 1.0 + EVEN {
                            break;
                        }
                        if share < 1.0 - EVEN {
                            continue;
                        }
                        if found.tries > MOST_TRIES {
                            return;
                        }
                        let moves = Shape {
                            number: None,
                            white: (left, middle),
                            black: (next, right),
                        };
                        self.place_numbers(tried, moves, numbers, found);
                    }
                }
            }
        }
    }

    /// Adds the series to `found` that begin with these columns of moves, by where their numbers may stand.
    fn place_numbers(
        &self,
        tried: &[usize],
        moves: Shape,
        numbers: &mut impl NumberLikeness,
        found: &mut Found,
    ) {
        // Numbers add two rules and their own worth to each block, at most.
        let plain = self.repeat(moves);
        let most = self.score(&plain) + MOST_GAIN * plain.len() as f32;
        found.tries += 1;
        if most <= found.least {
            return;
        }
        let white = self.at[moves.white.1] - self.at[moves.white.0];
        for number in self.number_places(tried, &moves, white) {
            let blocks = self.repeat(Shape { number, ..moves });
            // The printed numbers are looked at only where they could decide.
            let score = self.score(&blocks);
            found.tries += 1;
            if score + NUMBERS_WORTH * blocks.len() as f32 <= found.least {
                continue;
            }
            let score = score + NUMBERS_WORTH * likeness(&blocks, numbers);
            if score > found.least {
                found.series.push((score, blocks));
                found.least = found.least.max(score - NEAR_BEST);
            }
        }
    }

    /// How surely the lines of the blocks are rules, on average.
    fn mean_weight(&self, blocks: &[Shape]) -> f32 {
        let used = lines_of(blocks);
        let sum: f32 = used.iter().map(|&line| self.weights[line]).sum();
        sum / used.len().max(1) as f32
    }

    /// Where the numbers of a block may stand: in no column of their own, left of, between or right of the moves.
    fn number_places(
        &self,
        tried: &[usize],
        moves: &Shape,
        white: f32,
    ) -> Vec<Option<(usize, usize)>> {
        /// Lines that may lie within a column of numbers: digits one below another look like one.
        const WITHIN: usize = 7;
        let (first, last) = (self.at[moves.white.0], self.at[moves.black.1]);
        let mut places = vec![None];
        for (place, &left) in tried.iter().enumerate() {
            if self.at[left] < first - APART * white || self.at[left] > last + APART * white {
                continue;
            }
            for &right in tried.iter().skip(place + 1).take(WITHIN) {
                let wide = self.at[right] - self.at[left];
                let is_free = right <= moves.white.0
                    || (moves.white.1 <= left && right <= moves.black.0)
                    || (moves.black.1 <= left && self.at[right] <= last + APART * white);
                if is_free
                    && NUMBER_WIDTHS.contains(&(wide / self.pitch))
                    && wide < NUMBER_SHARE * white
                {
                    places.push(Some((left, right)));
                }
            }
        }
        places
    }

    /// The first block and all that follow it with the same widths.
    fn repeat(&self, first: Shape) -> Vec<Shape> {
        let edges = first.edges();
        let (start, end) = (edges.first(), edges.last());
        let width = self.at[end] - self.at[start];
        let mut blocks = vec![first];
        let mut last = end;
        while blocks.len() < MOST_BLOCKS {
            // The next block begins on the rule that ends this one, or after a gap.
            let next = (last..self.at.len())
                .take_while(|&from| self.at[from] - self.at[last] < BLOCKS_APART * width)
                .filter_map(|from| {
                    let shift = self.at[from] - self.at[start];
                    let tolerance = REPEAT * width;
                    let block = first.map(|line| {
                        if line == start {
                            Some(from)
                        } else {
                            self.nearest(self.at[line] + shift, tolerance)
                        }
                    })?;
                    let here = block.edges();
                    if here.count != edges.count || here.first() != from {
                        return None;
                    }
                    let fit: f32 = here
                        .iter()
                        .zip(edges.iter())
                        .map(|(&here, &there)| {
                            let miss = (self.at[here] - self.at[there] - shift).abs() / tolerance;
                            self.weights[here] - 0.5 * miss
                        })
                        .sum();
                    // A gap is less likely than none, and a rule that two blocks share counts but once.
                    let gap = (self.at[from] - self.at[last]) / width;
                    let shared = if from == last {
                        self.weights[from]
                    } else {
                        0.0
                    };
                    Some((fit - gap - 0.5 * shared, block))
                })
                .max_by(|a, b| a.0.total_cmp(&b.0))
                .map(|(_, block)| block);
            match next {
                Some(block) => {
                    last = block.edges().last();
                    blocks.push(block);
                }
                None => break,
            }
        }
        blocks
    }

    /// The line near a place that is nearest and surest.
    fn nearest(&self, place: f32, tolerance: f32) -> Option<usize> {
        let first = self.at.partition_point(|&at| at < place - tolerance);
        let miss = |index: usize| (self.at[index] - place).abs() / tolerance - self.weights[index];
        (first..self.at.len())
            .take_while(|&index| self.at[index] <= place + tolerance)
            .min_by(|&a, &b| miss(a).total_cmp(&miss(b)))
    }

    /// Rules that the blocks explain, less the strong rules inside them that they do not.
    ///
    /// Lines that every block has in the same place (a clock's column), or both columns of moves (a box for each
    /// character), hardly count; nor do those where numbers stand: shading and the digits one below another may look
    /// like rules.
    fn score(&self, blocks: &[Shape]) -> f32 {
        let used = lines_of(blocks);
        let (Some(&first), Some(&last)) = (used.first(), used.last()) else {
            return 0.0;
        };
        let explained: f32 = used
            .iter()
            .map(|&index| self.weights[index] - RULE_COST)
            .sum();
        let unexplained: f32 = (first..=last)
            .filter(|index| used.binary_search(index).is_err())
            .filter(|&index| !self.is_beside_number(blocks, index))
            .map(|index| {
                let share = if self.is_regular(blocks, index) {
                    REGULAR
                } else {
                    1.0
                };
                self.weights[index] * share
            })
            .sum();
        let uneven: f32 = blocks
            .iter()
            .map(|block| {
                let wide = |(left, right): (usize, usize)| self.at[right] - self.at[left];
                (wide(block.black) / wide(block.white) - 1.0).abs()
            })
            .sum();
        let spaces: f32 = blocks.iter().map(|block| self.spaces(block)).sum();
        explained - unexplained - uneven - SPACE_COST * spaces
    }

    /// Spaces within a block that are in no column; those wide enough for a column (of clock times) do not count.
    fn spaces(&self, block: &Shape) -> f32 {
        let mut columns = vec![block.white, block.black];
        columns.extend(block.number);
        columns.sort_unstable();
        columns
            .windows(2)
            .map(|pair| (self.at[pair[1].0] - self.at[pair[0].1]) / self.pitch)
            .map(|space| {
                if space < LEAST_COLUMN {
                    (space / NARROW).clamp(0.0, 1.0)
                } else {
                    0.0
                }
            })
            .sum()
    }

    fn is_beside_number(&self, blocks: &[Shape], index: usize) -> bool {
        blocks.iter().any(|block| {
            let (left, right) = match block.number {
                Some((left, right)) => (self.at[left], self.at[right]),
                None => {
                    let (left, right) = (self.at[block.white.0], self.at[block.white.1]);
                    (left, left + NUMBER_PART * (right - left))
                }
            };
            (left..right).contains(&self.at[index])
        })
    }

    fn is_regular(&self, blocks: &[Shape], index: usize) -> bool {
        let place = self.at[index];
        let start = |block: &Shape| self.at[block.edges().first()];
        let edges = blocks[0].edges();
        let width = self.at[edges.last()] - self.at[edges.first()];
        let here = blocks.iter().rev().find(|block| start(block) <= place);
        if blocks.len() > 1
            && let Some(here) = here
        {
            let offset = place - start(here);
            let end = self.at[blocks[blocks.len() - 1].edges().last()];
            let all = blocks.iter().all(|block| {
                let expected = start(block) + offset;
                expected > end || self.nearest(expected, 0.5 * REPEAT * width).is_some()
            });
            if all {
                return true;
            }
        }
        // The same line in the other column of moves.
        blocks.iter().any(|block| {
            let columns =
                [block.white, block.black].map(|(left, right)| (self.at[left], self.at[right]));
            columns
                .iter()
                .zip(columns.iter().rev())
                .any(|(own, other)| {
                    own.0 < place
                        && place < own.1
                        && self
                            .nearest(
                                other.0 + (place - own.0) / (own.1 - own.0) * (other.1 - other.0),
                                0.04 * (other.1 - other.0),
                            )
                            .is_some()
                })
        })
    }
}

/// The lines of some blocks, each once, ascending.
fn lines_of(blocks: &[Shape]) -> Vec<usize> {
    let mut lines = Vec::with_capacity(6 * blocks.len());
    blocks
        .iter()
        .for_each(|block| lines.extend(block.edges().iter()));
    lines.sort_unstable();
    lines.dedup();
    lines
}

/// How much the blocks' numbers look like numbers, summed over the blocks. Numbers are printed for every block or for none, so
/// that the one which looks least like them counts as much as all together.
fn likeness(blocks: &[Shape], numbers: &mut impl NumberLikeness) -> f32 {
    let each: Vec<f32> = blocks
        .iter()
        .map(|block| match block.number {
            Some((left, right)) => numbers.likeness(left, right, false),
            None => numbers.likeness(block.white.0, block.white.1, true),
        })
        .collect();
    let least = each.iter().copied().fold(1.0, f32::min);
    (each.iter().sum::<f32>() + least * each.len() as f32) / 2.0
}

/// Places of the lines, those seen best first.
fn surest(lines: &[(f32, f32)]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..lines.len()).collect();
    order.sort_by(|&a, &b| lines[b].1.total_cmp(&lines[a].1));
    order.truncate(ROUNDS[ROUNDS.len() - 1]);
    order
}
