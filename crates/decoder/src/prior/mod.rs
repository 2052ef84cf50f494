//! What people play: the probability of each legal move of a position, before any ink is seen.
//!
//! A position's features (pieces on squares and a few facts) are summed up to a short vector, negative entries become zero; each move's features are summed up to a
//! vector and a bias. The score of a move is the product of the two vectors plus the bias, and the probabilities are proportional to the exponentials of the scores: a conditional
//! logit whose weights depend on the position. `examples/train_prior.rs` fits the weights; `models/README.md` tells on what, and how well they predict.

mod features;

use std::fmt;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Arc, LazyLock};

use cozy_chess::Board;
use scoresheet_notation::LegalMove;

pub use features::{MOVE_FEATURES, POSITION_FEATURES, View};

/// Entries of the vector of a position, and of a move.
pub const WIDTH: usize = 48;
/// The weights of one feature.
pub type Weights = [f32; WIDTH];

static EMBEDDED: &[u8] = include_bytes!("../../../../models/prior.bin");
const MAGIC: &[u8] = b"scoresheet.prior/1\n";

/// Why bytes are not a prior.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PriorError {
    /// The first line is another.
    #[error("not a prior of this version; train it again with scripts/train-prior")]
    Version,
    /// The tables have other sizes than the features of this version.
    #[error(
        "a prior of this version has {expected} bytes, not {found}; train it again with scripts/train-prior"
    )]
    Size {
        /// Bytes that it should have.
        expected: usize,
        /// Bytes that it has.
        found: usize,
    },
}

/// The weights as they are trained.
#[derive(Debug, Clone, PartialEq)]
pub struct Tables {
    /// Of each feature of a position.
    pub position: Vec<Weights>,
    /// Added to the position's sum.
    pub position_bias: Weights,
    /// Of each feature of a move.
    pub moves: Vec<Weights>,
    /// Of each feature of a move: added to its score whatever the position.
    pub move_bias: Vec<f32>,
}

impl Tables {
    /// Tables of this version's sizes, all zero.
    pub fn zero() -> Self {
        Self {
            position: vec![[0.0; WIDTH]; POSITION_FEATURES],
            position_bias: [0.0; WIDTH],
            moves: vec![[0.0; WIDTH]; MOVE_FEATURES],
            move_bias: vec![0.0; MOVE_FEATURES],
        }
    }

    /// The tables as flat slices, in the order of the file.
    pub fn parts(&self) -> [&[f32]; 4] {
        [
            self.position.as_flattened(),
            &self.position_bias,
            self.moves.as_flattened(),
            &self.move_bias,
        ]
    }

    /// The same, to be changed.
    pub fn parts_mut(&mut self) -> [&mut [f32]; 4] {
        [
            self.position.as_flattened_mut(),
            &mut self.position_bias,
            self.moves.as_flattened_mut(),
            &mut self.move_bias,
        ]
    }

    /// The tables in one byte a weight: after the first line, each table's largest absolute weight (f32, little-endian) and its weights in 127ths of it.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        for part in self.parts() {
            let largest = part
                .iter()
                .fold(f32::MIN_POSITIVE, |most, w| most.max(w.abs()));
            bytes.extend(largest.to_le_bytes());
            bytes.extend(
                part.iter()
                    .map(|w| (w / largest * 127.0).round() as i8 as u8),
            );
        }
        bytes
    }

    /// The tables of [`Self::to_bytes`].
    ///
    /// # Errors
    /// Where the bytes are of another version.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, PriorError> {
        let body = bytes.strip_prefix(MAGIC).ok_or(PriorError::Version)?;
        let mut tables = Self::zero();
        let sizes = tables.parts().map(<[f32]>::len);
        let expected = MAGIC.len() + sizes.iter().map(|size| size + 4).sum::<usize>();
        let size_error = PriorError::Size {
            expected,
            found: bytes.len(),
        };
        if bytes.len() != expected {
            return Err(size_error);
        }
        let mut rest = body;
        for part in tables.parts_mut() {
            let (largest, weights) = rest.split_first_chunk().ok_or(size_error.clone())?;
            let (weights, after) = weights.split_at(part.len());
            let unit = f32::from_le_bytes(*largest) / 127.0;
            for (to, &from) in part.iter_mut().zip(weights) {
                *to = f32::from(from as i8) * unit;
            }
            rest = after;
        }
        Ok(tables)
    }
}

/// A model of what people play.
#[derive(Clone, PartialEq)]
pub struct Prior {
    tables: Tables,
}

/// Short, but not the same for other weights.
impl fmt::Debug for Prior {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut hasher = DefaultHasher::new();
        self.tables.to_bytes().hash(&mut hasher);
        write!(formatter, "Prior({:016x})", hasher.finish())
    }
}

impl Prior {
    /// The prior that comes with the program.
    pub fn embedded() -> Arc<Self> {
        static PRIOR: LazyLock<Arc<Prior>> = LazyLock::new(|| {
            let tables = Tables::from_bytes(EMBEDDED).expect("the prior that is built in is whole");
            Arc::new(Prior::new(tables))
        });
        Arc::clone(&PRIOR)
    }

    /// A prior with these weights.
    pub fn new(tables: Tables) -> Self {
        Self { tables }
    }

    /// Natural log of the probability of each of a position's legal moves, in their order.
    pub fn log_probabilities<'a>(
        &self,
        board: &Board,
        moves: impl IntoIterator<Item = &'a LegalMove>,
    ) -> Vec<f32> {
        let view = View::new(board);
        let mut features = Vec::with_capacity(48);
        view.position_features(&mut features);
        let state = self.state(&features);
        // The moves of a position share most of their features.
        let mut of_features = [f32::NAN; MOVE_FEATURES];
        let mut scores: Vec<f32> = moves
            .into_iter()
            .map(|legal| {
                features.clear();
                view.move_features(legal, &mut features);
                let of_feature = |&feature: &u16| {
                    let feature = usize::from(feature);
                    let known = &mut of_features[feature];
                    if known.is_nan() {
                        *known = self.score(&state, feature);
                    }
                    *known
                };
                features.iter().map(of_feature).sum()
            })
            .collect();
        let most = scores.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let total: f32 = scores.iter().map(|score| (score - most).exp()).sum();
        let log_total = most + total.ln();
        for score in &mut scores {
            *score -= log_total;
        }
        scores
    }

    /// The vector of a position.
    fn state(&self, features: &[u16]) -> Weights {
        let mut state = self.tables.position_bias;
        for &feature in features {
            add(&mut state, &self.tables.position[usize::from(feature)]);
        }
        state.map(|entry| entry.max(0.0))
    }

    /// What a feature adds to the score of a move.
    fn score(&self, state: &Weights, feature: usize) -> f32 {
        self.tables.move_bias[feature] + product(state, &self.tables.moves[feature])
    }
}

fn add(sum: &mut Weights, other: &Weights) {
    for (entry, more) in sum.iter_mut().zip(other) {
        *entry += more;
    }
}

/// Sums in four strands, which a processor adds side by side.
fn product(a: &Weights, b: &Weights) -> f32 {
    let mut strands = [0.0; 4];
    for (a, b) in a.chunks_exact(4).zip(b.chunks_exact(4)) {
        for ((strand, a), b) in strands.iter_mut().zip(a).zip(b) {
            *strand += a * b;
        }
    }
    strands.iter().sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use scoresheet_notation::{Language, parse_move};

    fn chances(fen: &str) -> Vec<(String, f32)> {
        let board = Board::from_fen(fen, false).unwrap();
        let moves = LegalMove::all(&board);
        let logs = Prior::embedded().log_probabilities(&board, &moves);
        let mut chances: Vec<(String, f32)> = moves
            .iter()
            .zip(logs)
            .map(|(legal, log)| (legal.san(), log.exp()))
            .collect();
        chances.sort_by(|a, b| b.1.total_cmp(&a.1));
        chances
    }

    #[test]
    fn people_play_what_people_play() {
        for (fen, expected) in [
            // Openings, taking back, getting out of check, taking a queen for nothing, castling, promotion.
            (
                "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
                &["e4", "d4"][..],
            ),
            (
                "r1bqkbnr/1ppp1ppp/p1B5/4p3/4P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 0 4",
                &["dxc6", "bxc6"],
            ),
            (
                "rnbqkb1r/pppp1ppp/8/4p2Q/4P1n1/8/PPPP1PPP/RNB1KBNR w KQkq - 0 4",
                &["Qxg4"],
            ),
            (
                "rnbqk2r/ppppppbp/5np1/8/2PP4/5NP1/PP2PPBP/RNBQK2R b KQkq - 0 5",
                &["O-O", "d6", "d5"],
            ),
            ("8/P4kp1/8/8/8/6K1/8/8 w - - 0 1", &["a8=Q"]),
        ] {
            let chances = chances(fen);
            let total: f32 = chances.iter().map(|(_, chance)| chance).sum();
            assert!((total - 1.0).abs() < 1e-4, "{fen}: {total}");
            let first = chances[0].0.as_str();
            assert!(expected.contains(&first), "{fen}: {:?}", &chances[..3]);
        }
    }

    #[test]
    fn bytes_of_another_version_are_refused() {
        assert_eq!(Tables::from_bytes(b"PK"), Err(PriorError::Version));
        let short = &EMBEDDED[..EMBEDDED.len() - 1];
        assert_eq!(
            Tables::from_bytes(short),
            Err(PriorError::Size {
                expected: EMBEDDED.len(),
                found: short.len()
            })
        );
    }

    #[test]
    fn tables_survive_rounding() {
        let tables = Tables::from_bytes(EMBEDDED).unwrap();
        assert_eq!(tables.to_bytes(), EMBEDDED);
    }

    /// The position with the colours exchanged.
    fn mirrored(fen: &str) -> String {
        let fields: Vec<&str> = fen.split(' ').collect();
        let exchange = |text: &str| -> String {
            let other = |letter: char| match letter.is_ascii_uppercase() {
                true => letter.to_ascii_lowercase(),
                false => letter.to_ascii_uppercase(),
            };
            text.chars().map(other).collect()
        };
        let ranks: Vec<String> = fields[0].split('/').rev().map(exchange).collect();
        let side = if fields[1] == "w" { "b" } else { "w" };
        let mut rights: Vec<char> = exchange(fields[2]).chars().collect();
        rights.sort_unstable();
        let rights: String = rights.into_iter().collect();
        format!("{} {side} {rights} - 0 1", ranks.join("/"))
    }

    #[test]
    fn colours_are_alike() {
        let fen = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
        let of = |fen: &str| {
            let board = Board::from_fen(fen, false).unwrap();
            let view = View::new(&board);
            let mut position = Vec::new();
            view.position_features(&mut position);
            position.sort_unstable();
            let mut moves: Vec<Vec<u16>> = LegalMove::all(&board)
                .iter()
                .map(|legal| {
                    let mut features = Vec::new();
                    view.move_features(legal, &mut features);
                    features
                })
                .collect();
            moves.sort_unstable();
            (position, moves)
        };
        let ((white, moves), (black, mirrored)) = (of(fen), of(&mirrored(fen)));
        assert_eq!(moves, mirrored);
        let differing = white.iter().filter(|feature| !black.contains(feature));
        assert_eq!(differing.count(), 1, "only whose move it is differs");
    }

    #[test]
    fn features_stay_within_the_tables() {
        let mut board = Board::default();
        let game = "e4 d5 exd5 c6 dxc6 a6 cxb7 a5 bxa8=N Bg4 Be2 Nc6 Nf3 Qa8 O-O e5 d4 exd4 b4 axb4 a4 bxa3";
        for san in game.split(' ') {
            let view = View::new(&board);
            let mut features = Vec::new();
            view.position_features(&mut features);
            assert!(features.iter().all(|&f| usize::from(f) < POSITION_FEATURES));
            for legal in LegalMove::all(&board) {
                features.clear();
                view.move_features(&legal, &mut features);
                assert!(features.iter().all(|&f| usize::from(f) < MOVE_FEATURES));
                let mut distinct = features.clone();
                distinct.sort_unstable();
                distinct.dedup();
                assert_eq!(distinct.len(), features.len(), "{}", legal.san());
            }
            let legal = parse_move(&board, san, Language::ENGLISH).unwrap();
            board.play_unchecked(legal.played);
        }
    }
}
