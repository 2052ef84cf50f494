//! Which of the rules down a page bound the number, White and Black columns.

use crate::bundle::{Bundle, Level};
use crate::series::{NumberLikeness, Shape, best_series};

/// Columns of one block, each between two rules.
#[derive(Debug, Clone, Copy)]
pub(crate) struct BlockColumns {
    /// The column of printed numbers, where rules bound one: left of, between or right of the moves.
    pub(crate) number: Option<(Level, Level)>,
    /// White's moves.
    pub(crate) white: (Level, Level),
    /// Black's moves.
    pub(crate) black: (Level, Level),
}

impl BlockColumns {
    fn left(&self) -> f32 {
        let moves = self.white.0.level;
        self.number.map_or(moves, |(left, _)| left.level.min(moves))
    }

    fn right(&self) -> f32 {
        let moves = self.black.1.level;
        self.number
            .map_or(moves, |(_, right)| right.level.max(moves))
    }
}

/// Lines that may bound columns between two heights, left to right, with the share of the height in which each was seen.
///
/// Among them are lines that were not seen: a side of the page with no line near it, since a photograph may end within the table's
/// border; and where numbers would end that stand beside the outermost rule, with none of their own. `pitch` is the height of a row.
pub(crate) fn column_lines(
    down: &Bundle,
    top: f32,
    bottom: f32,
    width: f32,
    pitch: f32,
) -> Vec<(Level, f32)> {
    /// Width of numbers without a rule, in row heights.
    const NUMBERS: f32 = 1.9;
    const CLEAR: f32 = 0.8;
    let mut lines: Vec<(Level, f32)> = (0..down.levels.len())
        .map(|line| (down.line(line), down.coverage(line, top, bottom)))
        .filter(|&(_, coverage)| coverage >= 0.5)
        .collect();
    let far = 0.03 * width;
    let side = |level: f32| (Level { level, line: None }, 0.0);
    let strong = |range: std::ops::Range<f32>| {
        lines
            .iter()
            .any(|(place, coverage)| *coverage > CLEAR && range.contains(&place.level))
    };
    let (left, right) = (strong(-far..far), strong(width - far..width + far));
    let clear = |line: &&(Level, f32)| line.1 > CLEAR;
    let first = lines.iter().find(clear).map(|line| line.0.level);
    let last = lines.iter().rfind(clear).map(|line| line.0.level);
    let beside = [
        first.map(|at| at - NUMBERS * pitch),
        last.map(|at| at + NUMBERS * pitch),
    ];
    let within = beside
        .into_iter()
        .flatten()
        .filter(|at| (far..width - far).contains(at));
    lines.extend(within.map(side));
    if !left {
        lines.push(side(0.0));
    }
    if !right {
        lines.push(side(width - 1.0));
    }
    lines.sort_by(|a, b| a.0.level.total_cmp(&b.0.level));
    lines
}

/// Leaves out the lines between boxes for single characters: of a run of even narrow columns the first and last line stay,
/// and the one in the middle of a run that is long enough for White's and Black's boxes.
///
/// `pitch` is the height of a row.
pub(crate) fn without_boxes(lines: Vec<(Level, f32)>, pitch: f32) -> Vec<(Level, f32)> {
    const WIDTHS: std::ops::Range<f32> = 0.3..1.35;
    const UNEVEN: f32 = 0.15;
    /// Boxes of one column, and of two side by side.
    const LEAST_BOXES: usize = 4;
    const TWO_COLUMNS: usize = 8;
    const CLEAR: f32 = 0.8;
    let clear: Vec<usize> = (0..lines.len())
        .filter(|&line| lines[line].1 >= CLEAR)
        .collect();
    let wide = |pair: usize| lines[clear[pair + 1]].0.level - lines[clear[pair]].0.level;
    let mut dropped = vec![false; lines.len()];
    let mut first = 0;
    while first + 1 < clear.len() {
        let size = wide(first);
        let mut end = first + 1;
        while end + 1 < clear.len() && (wide(end) / size - 1.0).abs() < UNEVEN {
            end += 1;
        }
        let boxes = end - first;
        if boxes >= LEAST_BOXES && WIDTHS.contains(&(size / pitch)) {
            let mut kept = vec![first, end];
            if boxes >= TWO_COLUMNS {
                // With an odd number of them the first or the last is the number's.
                let odd = boxes % 2;
                for (start, end) in [(first + odd, end), (first, end - odd)] {
                    kept.extend([start, (start + end) / 2, end]);
                }
            }
            let within = dropped.iter_mut().enumerate();
            for (line, dropped) in within.take(clear[end]).skip(clear[first]) {
                *dropped = !kept.iter().any(|&kept| clear[kept] == line);
            }
        }
        first = end;
    }
    let mut dropped = dropped.into_iter();
    lines
        .into_iter()
        .filter(|_| !dropped.next().unwrap_or(false))
        .collect()
}

/// Finds the blocks among `lines` (place, and share of the table's height in which the line was seen; left to right).
///
/// A block is two columns of one width, White's left of Black's, with the numbers left of, between or right of them, or at
/// the left of White's own column; narrow columns for the clock may stand between. The series of like blocks wins that
/// explains most of the rules and of the printed numbers; those that come near it follow. `flat` tells where the lines lie on a page seen
/// from straight above, and `pitch` is the height of a row.
pub(crate) fn find_columns(
    lines: &[(Level, f32)],
    flat: &[f32],
    pitch: f32,
    numbers: &mut impl NumberLikeness,
) -> Vec<Vec<BlockColumns>> {
    let level = |index: usize| lines[index].0;
    let span = |(left, right): (usize, usize)| (level(left), level(right));
    let placed = |blocks: &Vec<Shape>| {
        let mut blocks: Vec<BlockColumns> = blocks
            .iter()
            .map(|block| BlockColumns {
                number: block.number.map(span),
                white: span(block.white),
                black: span(block.black),
            })
            .collect();
        if let Some(block) = blocks.first().and_then(|first| cut_off_block(lines, first)) {
            blocks.insert(0, block);
        }
        blocks
    };
    let seen = lines.iter().map(|(_, seen)| *seen);
    let flat: Vec<(f32, f32)> = flat.iter().copied().zip(seen).collect();
    best_series(&flat, pitch, numbers)
        .iter()
        .map(placed)
        .collect()
}

/// The block before the first one, where the picture ends within its left border: all its other rules are there.
fn cut_off_block(lines: &[(Level, f32)], first: &BlockColumns) -> Option<BlockColumns> {
    let start = first.number.map_or(first.white.0, |(left, _)| left);
    if start.level > first.white.0.level {
        return None;
    }
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

/// The block before the first one, as far from it as the first from the second: between the lines near there, or where they would be.
///
/// Nothing where the page has no room for it.
pub(crate) fn block_before(down: &Bundle, blocks: &[BlockColumns]) -> Option<BlockColumns> {
    /// How far a line may lie from where the first block has it, as a share of the distance of two blocks.
    const NEAR: f32 = 0.06;
    let first = blocks.first()?;
    let width = match blocks.get(1) {
        Some(second) => second.left() - first.left(),
        None => first.right() - first.left(),
    };
    if first.left() < width * (1.0 - NEAR) {
        return None;
    }
    let before = |place: Level| down.near(place.level - width, NEAR * width);
    let span = |(left, right): (Level, Level)| (before(left), before(right));
    Some(BlockColumns {
        number: first.number.map(span),
        white: span(first.white),
        black: span(first.black),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Columns of numbers by their two levels; White's column where the numbers stand in it.
    struct Known<'a> {
        lines: &'a [(Level, f32)],
        numbers: &'a [(f32, f32)],
    }

    impl NumberLikeness for Known<'_> {
        fn likeness(&mut self, left: usize, right: usize, _inside: bool) -> f32 {
            let span = (self.lines[left].0.level, self.lines[right].0.level);
            if self.numbers.contains(&span) {
                1.0
            } else {
                0.0
            }
        }
    }

    /// Left and right side of a block's number column, White's and Black's.
    type Places = (Option<[f32; 2]>, [f32; 2], [f32; 2]);

    struct Case {
        name: &'static str,
        rules: &'static [(f32, f32)],
        numbers: &'static [(f32, f32)],
        /// Number, White and Black of each block.
        blocks: &'static [Places],
    }

    #[test]
    fn blocks_are_told_from_the_rules() {
        let cases = [
            Case {
                name: "two blocks with number columns",
                rules: &[
                    (0.0, 1.0),
                    (40.0, 1.0),
                    (190.0, 1.0),
                    (340.0, 1.0),
                    (380.0, 1.0),
                    (530.0, 1.0),
                    (680.0, 1.0),
                ],
                numbers: &[(0.0, 40.0), (340.0, 380.0)],
                blocks: &[
                    (Some([0.0, 40.0]), [40.0, 190.0], [190.0, 340.0]),
                    (Some([340.0, 380.0]), [380.0, 530.0], [530.0, 680.0]),
                ],
            },
            Case {
                name: "numbers inside White's column, with digits like a broken rule",
                rules: &[
                    (0.0, 1.0),
                    (30.0, 0.7),
                    (200.0, 1.0),
                    (400.0, 1.0),
                    (430.0, 0.8),
                    (600.0, 1.0),
                    (800.0, 1.0),
                ],
                numbers: &[(0.0, 200.0), (400.0, 600.0)],
                blocks: &[
                    (None, [0.0, 200.0], [200.0, 400.0]),
                    (None, [400.0, 600.0], [600.0, 800.0]),
                ],
            },
            Case {
                name: "numbers between, clocks outside",
                rules: &[
                    (0.0, 1.0),
                    (50.0, 1.0),
                    (190.0, 1.0),
                    (230.0, 1.0),
                    (370.0, 1.0),
                    (420.0, 1.0),
                    (470.0, 1.0),
                    (610.0, 1.0),
                    (650.0, 1.0),
                    (790.0, 1.0),
                    (840.0, 1.0),
                ],
                numbers: &[(190.0, 230.0), (610.0, 650.0)],
                blocks: &[
                    (Some([190.0, 230.0]), [50.0, 190.0], [230.0, 370.0]),
                    (Some([610.0, 650.0]), [470.0, 610.0], [650.0, 790.0]),
                ],
            },
            Case {
                name: "numbers at the right",
                rules: &[(0.0, 1.0), (150.0, 1.0), (300.0, 1.0), (340.0, 1.0)],
                numbers: &[(300.0, 340.0)],
                blocks: &[(Some([300.0, 340.0]), [0.0, 150.0], [150.0, 300.0])],
            },
            Case {
                name: "clocks behind both moves",
                rules: &[
                    (0.0, 1.0),
                    (40.0, 1.0),
                    (190.0, 1.0),
                    (250.0, 1.0),
                    (400.0, 1.0),
                    (460.0, 1.0),
                ],
                numbers: &[(0.0, 40.0)],
                blocks: &[(Some([0.0, 40.0]), [40.0, 190.0], [250.0, 400.0])],
            },
            Case {
                name: "handwriting between",
                rules: &[
                    (0.0, 1.0),
                    (40.0, 1.0),
                    (90.0, 0.55),
                    (190.0, 1.0),
                    (230.0, 0.6),
                    (340.0, 1.0),
                ],
                numbers: &[(0.0, 40.0)],
                blocks: &[(Some([0.0, 40.0]), [40.0, 190.0], [190.0, 340.0])],
            },
            Case {
                name: "no pair of even columns",
                rules: &[(0.0, 1.0), (100.0, 1.0), (350.0, 1.0)],
                numbers: &[],
                blocks: &[],
            },
        ];
        for case in cases {
            let lines: Vec<(Level, f32)> = case
                .rules
                .iter()
                .map(|&(level, seen)| (Level { level, line: None }, seen))
                .collect();
            let mut numbers = Known {
                lines: &lines,
                numbers: case.numbers,
            };
            let levels = |(left, right): (Level, Level)| [left.level, right.level];
            let flat: Vec<f32> = case.rules.iter().map(|rule| rule.0).collect();
            let found: Vec<Places> = find_columns(&lines, &flat, 40.0, &mut numbers)
                .first()
                .into_iter()
                .flatten()
                .map(|block| {
                    (
                        block.number.map(levels),
                        levels(block.white),
                        levels(block.black),
                    )
                })
                .collect();
            assert_eq!(found, case.blocks, "{}", case.name);
        }
    }
}
