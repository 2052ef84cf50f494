//! Probabilities of the ways through the layers: forward-backward over the hypotheses that the search kept.

use crate::evidence::log_add;
use crate::search::Layers;

/// Probability of each edge, by layer (that it leads to), node and edge, in the layout of [`Layers`].
pub(crate) struct Posterior {
    pub edges: Vec<Vec<Vec<f64>>>,
}

/// Computes the probabilities at a temperature that divides all weights.
pub(crate) fn posterior(layers: &Layers, temperature: f64) -> Posterior {
    let depth = layers.layers.len();
    let mut forward: Vec<Vec<f64>> = Vec::with_capacity(depth);
    for (place, layer) in layers.layers.iter().enumerate() {
        let values = layer
            .iter()
            .map(|node| match place.checked_sub(1) {
                None => 0.0,
                Some(before) => log_sum(
                    node.edges
                        .iter()
                        .map(|edge| forward[before][edge.parent] + edge.weight / temperature),
                ),
            })
            .collect();
        forward.push(values);
    }
    let total = log_sum(
        forward
            .iter()
            .zip(&layers.layers)
            .flat_map(|(values, layer)| {
                values
                    .iter()
                    .zip(layer)
                    .map(|(value, node)| value + node.end / temperature)
            }),
    );
    let mut edges: Vec<Vec<Vec<f64>>> = vec![Vec::new(); depth];
    let mut backward: Vec<f64> = Vec::new();
    for place in (0..depth).rev() {
        let layer = &layers.layers[place];
        let mut here: Vec<f64> = layer.iter().map(|node| node.end / temperature).collect();
        if let Some(next) = layers.layers.get(place + 1) {
            let mut probabilities = Vec::with_capacity(next.len());
            for (node, &after) in next.iter().zip(&backward) {
                let mut of_node = Vec::with_capacity(node.edges.len());
                for edge in &node.edges {
                    let onward = edge.weight / temperature + after;
                    here[edge.parent] = log_add(here[edge.parent], onward);
                    of_node.push((forward[place][edge.parent] + onward - total).exp());
                }
                probabilities.push(of_node);
            }
            edges[place + 1] = probabilities;
        }
        backward = here;
    }
    Posterior { edges }
}

fn log_sum(values: impl Iterator<Item = f64>) -> f64 {
    values.fold(f64::NEG_INFINITY, log_add)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::copies::{Heads, MOST_COPIES, Way};
    use crate::search::{Edge, Node};
    use cozy_chess::Board;

    /// A node with its edges (parent, share) and the share of the games that end there.
    fn node(edges: &[(usize, f64)], end: f64) -> Node {
        Node {
            board: Board::default(),
            heads: Heads::default(),
            score: 0.0,
            end: end.ln(),
            proof: 0,
            edges: edges
                .iter()
                .map(|&(parent, share)| Edge {
                    parent,
                    played: "e2e4".parse().unwrap(),
                    ways: [Way::Take; MOST_COPIES],
                    weight: share.ln(),
                    shown: false,
                    fit: 0.0,
                })
                .collect(),
        }
    }

    #[test]
    fn edge_probabilities_are_shares_of_all_whole_ways() {
        // Start -> a (0.5), b (0.25); a -> c (0.2) ; b -> c (0.4), d (0.4); the game may end at the last layer only.
        let layers = Layers {
            layers: vec![
                vec![node(&[], 0.0)],
                vec![node(&[(0, 0.5)], 0.0), node(&[(0, 0.25)], 0.0)],
                vec![node(&[(0, 0.2), (1, 0.4)], 1.0), node(&[(1, 0.4)], 1.0)],
            ],
        };
        let posterior = posterior(&layers, 1.0);
        let expected = [
            vec![],
            vec![vec![1.0 / 3.0], vec![2.0 / 3.0]],
            vec![vec![1.0 / 3.0, 1.0 / 3.0], vec![1.0 / 3.0]],
        ];
        for (place, (computed, expected)) in posterior.edges.iter().zip(&expected).enumerate() {
            let computed: Vec<f64> = computed.iter().flatten().copied().collect();
            let expected: Vec<f64> = expected.iter().flatten().copied().collect();
            assert_eq!(computed.len(), expected.len(), "layer {place}");
            for (a, b) in computed.iter().zip(&expected) {
                assert!((a - b).abs() < 1e-9, "layer {place}: {a} for {b}");
            }
        }
    }

    #[test]
    fn an_early_end_takes_its_share() {
        let layers = Layers {
            layers: vec![vec![node(&[], 0.25)], vec![node(&[(0, 0.5)], 1.0)]],
        };
        let edges = posterior(&layers, 1.0).edges;
        assert!((edges[1][0][0] - 2.0 / 3.0).abs() < 1e-9);
    }
}
