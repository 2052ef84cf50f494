//! How far each move of a decoded game can be relied on.
//!
//! The search knows only the lines that it kept; where the true line fell out of it, the wrong one stands alone and looks certain. So the posterior of a move is
//! weighed with what its neighbourhood tells: ink that does not fit, there or in the cells around, says that the thread may be lost.
//! A logistic regression on the moves of the sheets of `train` turns these signs into a probability: `scripts/fit-confidence` fits the weights below and says what they are
//! worth on `val`.

use crate::game::{DecodedMove, Status};

/// What tells how far a move can be relied on.
pub const SIGNS: [&str; 8] = [
    "one",
    "log odds of the search's own posterior",
    "fit",
    "troubles before",
    "troubles after",
    "average fit before",
    "average fit after",
    "share of troubles in the game",
];

/// Weights of the signs, from `scripts/fit-confidence`.
const WEIGHTS: [f64; SIGNS.len()] = [2.129, 0.382, 0.477, -0.093, 0.0, 0.546, 0.141, -2.199];
/// Moves on each side in which troubles count.
const NEIGHBOURHOOD: usize = 16;
/// Moves on each side over which the fit is averaged.
const AROUND: usize = 8;
/// Worst fit that counts for a move, and for the average of others.
const WORST_FIT: f32 = -12.0;
const WORST_AVERAGE: f32 = -4.0;
/// The fit that a move without ink counts for.
const NO_INK: f32 = -5.0;

/// Replaces the posteriors of all moves by calibrated probabilities, and settles which moves are sure.
///
/// `contrary` is the fit below which ink shows something else, `sure` the least probability of a sure move.
pub(crate) fn calibrate(moves: &mut [DecodedMove], contrary: f64, sure: f64) {
    let all: Vec<[f64; SIGNS.len()]> = (0..moves.len())
        .map(|place| signs(moves, place, contrary))
        .collect();
    for (decoded, signs) in moves.iter_mut().zip(all) {
        let sum: f64 = signs
            .iter()
            .zip(WEIGHTS)
            .map(|(sign, weight)| sign * weight)
            .sum();
        let confidence = (1.0 / (1.0 + (-sum).exp())) as f32;
        decoded.signs = signs.map(|sign| sign as f32);
        if decoded.played.is_some() {
            decoded.confidence = confidence;
            rescale(decoded);
        }
        if matches!(decoded.status, Status::Sure | Status::Doubtful) {
            let shown = decoded.fit.is_some_and(|fit| f64::from(fit) >= contrary);
            decoded.status = if shown && f64::from(confidence) >= sure {
                Status::Sure
            } else {
                Status::Doubtful
            };
        }
    }
}

/// The [`SIGNS`] of a move whose confidence is still the posterior.
fn signs(moves: &[DecodedMove], place: usize, contrary: f64) -> [f64; SIGNS.len()] {
    let posterior = f64::from(moves[place].confidence).clamp(1e-6, 1.0 - 1e-6);
    let trouble = |decoded: &&DecodedMove| decoded.fit.is_none_or(|fit| f64::from(fit) < contrary);
    let troubles = |part: &[DecodedMove]| part.iter().filter(trouble).count().min(3) as f64;
    let share = moves.iter().filter(trouble).count() as f64 / moves.len() as f64;
    let average = |part: &[DecodedMove]| {
        let sum: f32 = part
            .iter()
            .map(|decoded| decoded.fit.unwrap_or(NO_INK).max(WORST_FIT))
            .sum();
        f64::from((sum / part.len().max(1) as f32).max(WORST_AVERAGE))
    };
    let (before, after) = (&moves[..place], &moves[place + 1..]);
    let before = |count: usize| &before[before.len() - count.min(before.len())..];
    let after = |count: usize| &after[..count.min(after.len())];
    [
        1.0,
        (posterior / (1.0 - posterior)).ln().clamp(-8.0, 9.0),
        f64::from(moves[place].fit.unwrap_or(WORST_FIT).max(WORST_FIT)),
        troubles(before(NEIGHBOURHOOD)),
        troubles(after(NEIGHBOURHOOD)),
        average(before(AROUND)),
        average(after(AROUND)),
        share,
    ]
}

/// Alternatives share at most what the move leaves.
fn rescale(decoded: &mut DecodedMove) {
    let left = 1.0 - decoded.confidence;
    let total: f32 = decoded
        .alternatives
        .iter()
        .map(|other| other.probability)
        .sum();
    if total > left {
        for other in &mut decoded.alternatives {
            other.probability *= left / total;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Alternative, PlayedMove};
    use cozy_chess::Color;

    fn decoded(fit: f32) -> DecodedMove {
        DecodedMove {
            ply: 1,
            number: 1,
            colour: Color::White,
            played: Some(PlayedMove {
                legal: "e2e4".parse().unwrap(),
                san: "e4".to_owned(),
                uci: "e2e4".to_owned(),
            }),
            written: "e4".to_owned(),
            confidence: 0.9999,
            fit: Some(fit),
            signs: [0.0; SIGNS.len()],
            status: Status::Doubtful,
            alternatives: vec![Alternative {
                san: "e3".to_owned(),
                probability: 0.0001,
            }],
            cells: Vec::new(),
        }
    }

    #[test]
    fn trouble_nearby_makes_doubtful() {
        let cases: [(&[f32], Status); 4] = [
            (&[0.0, -0.1, 0.0, -0.2, 0.0], Status::Sure),
            (&[0.0, -1.0, -5.4, 0.0, -1.0], Status::Doubtful),
            (&[-9.0, -11.0, 0.0, 0.0, -12.0], Status::Doubtful),
            (&[0.0, -1.0, -2.0, -12.0, -12.0], Status::Doubtful),
        ];
        for (fits, expected) in cases {
            let mut moves: Vec<DecodedMove> = fits.iter().map(|&fit| decoded(fit)).collect();
            calibrate(&mut moves, -5.5, 0.99);
            let middle = &moves[2];
            assert_eq!(middle.status, expected, "{fits:?}: {}", middle.confidence);
            let others: f32 = middle
                .alternatives
                .iter()
                .map(|other| other.probability)
                .sum();
            assert!(middle.confidence + others < 1.0001);
        }
    }
}
