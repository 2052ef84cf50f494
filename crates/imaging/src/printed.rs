//! Blocks told by their columns of printed numbers: tables with rules across alone, or with faint ones down.
//!
//! Numbers stand one below another in every row, and the rules under the moves end beside them. So the columns of numbers are
//! looked for at every place, the rules across say where something is written, and the two together which is whose.

use image::GrayImage;

use crate::bundle::{Bundle, Level};
use crate::columns::BlockColumns;
use crate::ends::presence;

/// Left and right side of a column, on the flat page.
pub(crate) type Span = (f32, f32);

/// Narrowest column of moves, in row heights.
const LEAST_WIDTH: f32 = 1.4;

/// The stretches of the flat page over which most rows have their rule, from left to right.
///
/// `pitch` is the height of a row.
pub(crate) fn ruled_spans(
    darkness: &GrayImage,
    across: &Bundle,
    down: &Bundle,
    rows: &[Level],
    pitch: f32,
) -> Vec<Span> {
    /// Share of the rows, of the most that show their rule anywhere, from which a place is ruled.
    const RULED: f32 = 0.5;
    /// Longest break that writing and dots make, in row heights.
    const BREAK: f32 = 0.2;
    let width = darkness.width() as usize;
    let mut share = vec![0.0f32; width];
    let seen: Vec<Level> = rows
        .iter()
        .copied()
        .filter(|row| row.line.is_some())
        .collect();
    for &row in &seen {
        let shown = presence(darkness, across, row);
        let middle = across.offset(row, width as f32 / 2.0);
        for (level, share) in share.iter_mut().enumerate() {
            let place = Level {
                level: level as f32,
                line: None,
            };
            let x = down.offset(place, middle).round();
            if x >= 0.0 && shown.get(x as usize) == Some(&true) {
                *share += 1.0 / seen.len() as f32;
            }
        }
    }
    let mut sorted = share.clone();
    sorted.sort_by(f32::total_cmp);
    let most = sorted.get(sorted.len() * 4 / 5).copied().unwrap_or(0.0);
    let mut spans: Vec<Span> = Vec::new();
    for level in (0..width).filter(|&level| share[level] > RULED * most) {
        let level = level as f32;
        match spans.last_mut() {
            Some(span) if level - span.1 <= BREAK * pitch => span.1 = level,
            _ => spans.push((level, level)),
        }
    }
    spans.retain(|span| span.1 - span.0 >= LEAST_WIDTH * pitch);
    spans
}

/// The blocks that ruled stretches and columns of numbers make: numbers left of, between or right of the moves of every block.
///
/// Nothing where they do not fit.
pub(crate) fn printed_blocks(spans: &[Span], numbers: &[Span]) -> Option<Vec<BlockColumns>> {
    let numbers = &with_repeats(spans, numbers);
    let moves = columns_of_moves(spans, numbers)?;
    let before = |number: &Span| moves.iter().filter(|span| span.0 < number.0).count();
    // How many columns of moves stand left of the first column of numbers tells the layout.
    let lead = before(numbers.first()?);
    let blocks = numbers.iter().zip(moves.chunks(2)).enumerate();
    let level = |level: f32| Level { level, line: None };
    let span = |span: Span| (level(span.0), level(span.1));
    blocks
        .map(|(index, (number, pair))| {
            let fits = lead <= 2 && before(number) == 2 * index + lead;
            (fits && pair.len() == 2).then(|| BlockColumns {
                number: Some(span(*number)),
                white: span(pair[0]),
                black: span(pair[1]),
            })
        })
        .collect()
}

/// Numbers that stand beside every pair of ruled stretches where some do so beside one pair.
///
/// Blotted numbers of one block do not hide that the form has them.
fn with_repeats(spans: &[Span], numbers: &[Span]) -> Vec<Span> {
    let Some(&first) = numbers.first() else {
        return Vec::new();
    };
    if !spans.len().is_multiple_of(2) || numbers.len() * 2 >= spans.len() {
        return numbers.to_vec();
    }
    let middle = |span: Span| (span.0 + span.1) / 2.0;
    let lead = spans
        .iter()
        .filter(|span| middle(**span) < middle(first))
        .count();
    // The number is as far from one side of the same stretch in every pair.
    let (place, side): (usize, fn(Span) -> f32) = match lead {
        0 => (0, |span| span.0),
        lead if lead % 2 == 1 => (0, |span| span.1),
        lead if lead < spans.len() && spans[lead].0 - first.1 < first.0 - spans[lead - 1].1 => {
            (0, |span| span.0)
        }
        _ => (1, |span| span.1),
    };
    let own = match lead {
        lead if lead % 2 == 1 => lead - 1,
        lead if place == 0 => lead,
        lead => lead - 1,
    };
    let pairs = spans.chunks(2);
    pairs
        .map(|pair| {
            let shift = side(pair[place]) - side(spans[own]);
            let expected = (first.0 + shift, first.1 + shift);
            let is_here = |number: &&Span| number.0 < expected.1 && number.1 > expected.0;
            numbers.iter().find(is_here).copied().unwrap_or(expected)
        })
        .collect()
}

/// Two columns of moves for each column of numbers: the ruled stretches, parted where numbers stand in them and where two columns
/// have no gap between them.
fn columns_of_moves(spans: &[Span], numbers: &[Span]) -> Option<Vec<Span>> {
    /// Width from which a stretch is two columns, in usual widths; and width below which it is none.
    const TWO: f32 = 1.6;
    const NONE: f32 = 0.45;
    let mut parts: Vec<Span> = Vec::new();
    for &(left, right) in spans {
        let mut from = left;
        for number in numbers
            .iter()
            .filter(|number| number.1 > left && number.0 < right)
        {
            parts.push((from, number.0.min(right)));
            from = number.1;
        }
        parts.push((from, right));
    }
    parts.retain(|part| part.1 > part.0);
    let mut widths: Vec<f32> = parts.iter().map(|part| part.1 - part.0).collect();
    widths.sort_by(|a, b| b.total_cmp(a));
    let halves: Vec<f32> = widths.iter().map(|width| width / 2.0).collect();
    // The usual width is the first one under which there are as many columns as wanted; where none has a gap, half a stretch.
    widths.into_iter().chain(halves).find_map(|usual| {
        let mut moves: Vec<Span> = Vec::new();
        for &(left, right) in parts.iter().filter(|part| part.1 - part.0 > NONE * usual) {
            if right - left > TWO * usual {
                let middle = (left + right) / 2.0;
                moves.extend([(left, middle), (middle, right)]);
            } else {
                moves.push((left, right));
            }
        }
        (moves.len() == 2 * numbers.len()).then_some(moves)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_rules_make_blocks() {
        type Case = (
            &'static str,
            &'static [Span],
            &'static [Span],
            Option<&'static [(Span, Span)]>,
        );
        let cases: [Case; 8] = [
            (
                "numbers between, columns of uneven width",
                &[
                    (30.0, 115.0),
                    (135.0, 240.0),
                    (257.0, 355.0),
                    (372.0, 490.0),
                ],
                &[(118.0, 132.0), (357.0, 370.0)],
                Some(&[
                    ((30.0, 115.0), (135.0, 240.0)),
                    ((257.0, 355.0), (372.0, 490.0)),
                ]),
            ),
            (
                "numbers between, those of one block blotted",
                &[
                    (30.0, 115.0),
                    (135.0, 240.0),
                    (257.0, 355.0),
                    (372.0, 490.0),
                ],
                &[(357.0, 370.0)],
                Some(&[
                    ((30.0, 115.0), (135.0, 240.0)),
                    ((257.0, 355.0), (372.0, 490.0)),
                ]),
            ),
            (
                "numbers at the left",
                &[(30.0, 130.0), (140.0, 240.0)],
                &[(10.0, 28.0)],
                Some(&[((30.0, 130.0), (140.0, 240.0))]),
            ),
            (
                "numbers at the right",
                &[(30.0, 130.0), (140.0, 240.0)],
                &[(245.0, 265.0)],
                Some(&[((30.0, 130.0), (140.0, 240.0))]),
            ),
            (
                "rules that run on under the numbers and from block to block",
                &[(0.0, 480.0)],
                &[(100.0, 120.0), (340.0, 360.0)],
                Some(&[
                    ((0.0, 100.0), (120.0, 230.0)),
                    ((230.0, 340.0), (360.0, 480.0)),
                ]),
            ),
            (
                "numbers at the left, no gap between the moves",
                &[(20.0, 220.0), (240.0, 440.0)],
                &[(0.0, 18.0), (222.0, 238.0)],
                Some(&[
                    ((20.0, 120.0), (120.0, 220.0)),
                    ((240.0, 340.0), (340.0, 440.0)),
                ]),
            ),
            (
                "a narrow stretch outside",
                &[(0.0, 20.0), (30.0, 130.0), (150.0, 240.0)],
                &[(132.0, 148.0)],
                Some(&[((30.0, 130.0), (150.0, 240.0))]),
            ),
            ("no rules", &[], &[(132.0, 148.0)], None),
        ];
        for (name, spans, numbers, expected) in cases {
            let found = printed_blocks(spans, numbers).map(|blocks| {
                let levels = |(left, right): (Level, Level)| (left.level, right.level);
                blocks
                    .iter()
                    .map(|block| (levels(block.white), levels(block.black)))
                    .collect::<Vec<_>>()
            });
            assert_eq!(found.as_deref(), expected, "{name}");
        }
    }
}
