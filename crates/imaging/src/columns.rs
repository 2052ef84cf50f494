//! Which of the rules down a page bound the number, White and Black columns.

use crate::bundle::{Bundle, Level};

/// Columns of one block, each between two rules.
#[derive(Debug, Clone, Copy)]
pub(crate) struct BlockColumns {
    /// The column of printed numbers, where rules bound one.
    pub(crate) number: Option<(Level, Level)>,
    /// White's moves.
    pub(crate) white: (Level, Level),
    /// Black's moves.
    pub(crate) black: (Level, Level),
}

/// Widths that a block may have, as shares of White's column.
const NUMBER_SHARE: std::ops::Range<f32> = 0.08..0.62;
const EVEN: f32 = 0.16;

/// Largest part of White's column that a number printed in it takes.
pub(crate) const NUMBER_PART: f32 = 0.42;
const MOST_BLOCKS: usize = 5;

/// What a rule must weigh to count for the blocks that use it.
const RULE_COST: f32 = 0.3;

/// Most rules that are tried: the search grows with their fourth power, and a picture of something else has hundreds.
const MOST_LINES: usize = 64;

/// Lines that may bound columns between two heights, left to right, with the share of the height in which each was seen.
///
/// A side of the page with no line near it is among them, as a line that was not seen: a photograph may end within the
/// table's border.
pub(crate) fn column_lines(down: &Bundle, top: f32, bottom: f32, width: f32) -> Vec<(Level, f32)> {
    let mut lines: Vec<(Level, f32)> = (0..down.levels.len())
        .map(|line| (down.line(line), down.coverage(line, top, bottom)))
        .filter(|&(_, coverage)| coverage >= 0.5)
        .collect();
    let far = 0.15 * width;
    let side = |level: f32| (Level { level, line: None }, 0.0);
    let strong = |range: std::ops::Range<f32>| {
        lines
            .iter()
            .any(|(place, coverage)| *coverage > 0.8 && range.contains(&place.level))
    };
    let (left, right) = (strong(-far..far), strong(width - far..width + far));
    if !left {
        lines.insert(0, side(0.0));
    }
    if !right {
        lines.push(side(width - 1.0));
    }
    lines
}

/// Finds the blocks among `lines` (place, and share of the table's height in which the line was seen; left to right).
///
/// Tried are blocks with a ruled number column and blocks whose number stands in White's column. The series of equal
/// blocks that explains most of the rules wins.
pub(crate) fn find_columns(lines: &[(Level, f32)]) -> Vec<BlockColumns> {
    let at: Vec<f32> = lines.iter().map(|(place, _)| place.level).collect();
    let mut best: (f32, Vec<Vec<usize>>) = (0.0, Vec::new());
    let mut consider = |first: Vec<usize>| {
        let blocks = repeat(&at, first);
        let score = score(lines, &at, &blocks);
        if score > best.0 + 1e-3 {
            best = (score, blocks);
        }
    };
    let tried = strongest(lines);
    for (place, &left) in tried.iter().enumerate() {
        for (beside, &middle) in tried.iter().enumerate().skip(place + 1) {
            for &right in &tried[beside + 1..] {
                let (white, black) = (at[middle] - at[left], at[right] - at[middle]);
                if white < 20.0 || (black / white - 1.0).abs() > EVEN {
                    continue;
                }
                consider(vec![left, middle, right]);
                for &number in tried[..place].iter().rev() {
                    let share = (at[left] - at[number]) / white;
                    if NUMBER_SHARE.contains(&share) {
                        consider(vec![number, left, middle, right]);
                    }
                }
            }
        }
    }
    let level = |index: usize| lines[index].0;
    let mut blocks: Vec<BlockColumns> = best
        .1
        .iter()
        .map(|block| {
            let count = block.len();
            let moves = &block[count - 3..];
            BlockColumns {
                number: (count == 4).then(|| (level(block[0]), level(block[1]))),
                white: (level(moves[0]), level(moves[1])),
                black: (level(moves[1]), level(moves[2])),
            }
        })
        .collect();
    if let Some(block) = blocks.first().and_then(|first| cut_off_block(lines, first)) {
        blocks.insert(0, block);
    }
    blocks
}

/// The block before the first one, where the picture ends within its left border: all its other rules are there.
fn cut_off_block(lines: &[(Level, f32)], first: &BlockColumns) -> Option<BlockColumns> {
    let start = first.number.map_or(first.white.0, |(left, _)| left);
    let width = first.black.1.level - start.level;
    let before = |place: Level| {
        let expected = place.level - width;
        lines
            .iter()
            .filter(|(other, seen)| *seen > 0.7 && (other.level - expected).abs() < 0.07 * width)
            .min_by(|a, b| {
                let miss = |line: &(Level, f32)| (line.0.level - expected).abs();
                miss(a).total_cmp(&miss(b))
            })
            .map(|line| line.0)
    };
    let border = Level {
        level: start.level - width,
        line: None,
    };
    if border.level < -0.2 * width {
        return None;
    }
    let middle = before(first.black.0)?;
    let number = match first.number {
        Some((_, right)) => Some((border, before(right)?)),
        None => None,
    };
    Some(BlockColumns {
        number,
        white: (number.map_or(border, |(_, right)| right), middle),
        black: (middle, start),
    })
}

/// Indexes of the lines seen best, from left to right.
fn strongest(lines: &[(Level, f32)]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..lines.len()).collect();
    order.sort_by(|&a, &b| lines[b].1.total_cmp(&lines[a].1));
    order.truncate(MOST_LINES);
    order.sort_unstable();
    order
}

/// The first block and all that follow it with the same widths.
fn repeat(at: &[f32], first: Vec<usize>) -> Vec<Vec<usize>> {
    let offsets: Vec<f32> = first
        .iter()
        .map(|&index| at[index] - at[first[0]])
        .collect();
    let width = offsets[offsets.len() - 1];
    let mut blocks = vec![first];
    while blocks.len() < MOST_BLOCKS {
        let last = blocks[blocks.len() - 1][offsets.len() - 1];
        // The next block begins on the rule that ends this one, or after a small gap.
        let next = (last..at.len())
            .take_while(|&start| at[start] - at[last] < 0.4 * width)
            .find_map(|start| {
                offsets
                    .iter()
                    .map(|offset| nearest(at, at[start] + offset, 0.07 * width))
                    .collect::<Option<Vec<usize>>>()
                    .filter(|block| block.windows(2).all(|pair| pair[0] < pair[1]))
            });
        match next {
            Some(block) => blocks.push(block),
            None => break,
        }
    }
    blocks
}

fn nearest(at: &[f32], place: f32, tolerance: f32) -> Option<usize> {
    (0..at.len())
        .map(|index| (index, (at[index] - place).abs()))
        .filter(|&(_, distance)| distance <= tolerance)
        .min_by(|a, b| a.1.total_cmp(&b.1))
        .map(|(index, _)| index)
}

/// Rules that the blocks explain, less the strong rules inside them that they do not.
///
/// Where numbers stand, shading and the digits one below another may look like rules: they count neither way.
fn score(lines: &[(Level, f32)], at: &[f32], blocks: &[Vec<usize>]) -> f32 {
    let mut used: Vec<usize> = blocks.iter().flatten().copied().collect();
    used.sort_unstable();
    used.dedup();
    let (Some(&first), Some(&last)) = (used.first(), used.last()) else {
        return 0.0;
    };
    let beside_number = |index: usize| {
        blocks.iter().any(|block| {
            let left = at[block[0]];
            let right = match block[..] {
                [_, right, _, _] => at[right],
                _ => left + NUMBER_PART * (at[block[1]] - left),
            };
            (left..right).contains(&at[index])
        })
    };
    // Handwriting and printed numbers one below another leave broken ridges; the fourth power tells them from rules.
    let weight = |index: usize| lines[index].1.powi(4);
    let explained: f32 = used.iter().map(|&index| weight(index) - RULE_COST).sum();
    let unexplained: f32 = (first..=last)
        .filter(|&index| used.binary_search(&index).is_err() && !beside_number(index))
        .map(weight)
        .sum();
    explained - unexplained
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_told_from_the_rules() {
        type Case = (
            &'static str,
            &'static [(f32, f32)],
            &'static [(Option<f32>, f32, f32, f32)],
        );
        let cases: [Case; 4] = [
            (
                "two blocks with number columns",
                &[
                    (0.0, 1.0),
                    (40.0, 1.0),
                    (190.0, 1.0),
                    (340.0, 1.0),
                    (380.0, 1.0),
                    (530.0, 1.0),
                    (680.0, 1.0),
                ],
                &[
                    (Some(0.0), 40.0, 190.0, 340.0),
                    (Some(340.0), 380.0, 530.0, 680.0),
                ],
            ),
            (
                "numbers inside White's column, with digits like a broken rule",
                &[
                    (0.0, 1.0),
                    (30.0, 0.7),
                    (200.0, 1.0),
                    (400.0, 1.0),
                    (430.0, 0.8),
                    (600.0, 1.0),
                    (800.0, 1.0),
                ],
                &[(None, 0.0, 200.0, 400.0), (None, 400.0, 600.0, 800.0)],
            ),
            (
                "handwriting between",
                &[
                    (0.0, 1.0),
                    (40.0, 1.0),
                    (90.0, 0.55),
                    (190.0, 1.0),
                    (230.0, 0.6),
                    (340.0, 1.0),
                ],
                &[(Some(0.0), 40.0, 190.0, 340.0)],
            ),
            (
                "no pair of even columns",
                &[(0.0, 1.0), (100.0, 1.0), (350.0, 1.0)],
                &[],
            ),
        ];
        for (name, rules, expected) in cases {
            let lines: Vec<(Level, f32)> = rules
                .iter()
                .map(|&(level, seen)| (Level { level, line: None }, seen))
                .collect();
            let found: Vec<(Option<f32>, f32, f32, f32)> = find_columns(&lines)
                .iter()
                .map(|block| {
                    let number = block.number.map(|(left, _)| left.level);
                    (
                        number,
                        block.white.0.level,
                        block.black.0.level,
                        block.black.1.level,
                    )
                })
                .collect();
            assert_eq!(found, expected, "{name}");
        }
    }
}
