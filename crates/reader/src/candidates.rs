//! The best texts of a lattice: CTC prefix beam search.
//!
//! Hannun, Maas, Jurafsky and Ng, "First-Pass Large Vocabulary Continuous Speech Recognition using Bi-Directional Recurrent
//! DNNs", 2014: the probability of a text is the sum over all its alignments, kept apart by whether they end in the blank.

use std::collections::HashMap;

use scoresheet_notation::Lattice;

/// A text that a cell may say.
#[derive(Debug, Clone, PartialEq)]
pub struct Candidate {
    /// The text; empty where the ink most likely says nothing.
    pub text: String,
    /// Natural log of its probability, over all alignments that the beam kept.
    pub log_probability: f32,
}

/// Prefixes kept from step to step.
const BEAM: usize = 24;

/// Classes less likely than this are not tried in a step.
const LEAST_LIKELY: f32 = -9.0;

/// Log probabilities of a prefix, by how its alignments end.
#[derive(Debug, Clone, Copy)]
struct Ends {
    blank: f32,
    character: f32,
}

const NEVER: Ends = Ends {
    blank: f32::NEG_INFINITY,
    character: f32::NEG_INFINITY,
};

impl Ends {
    fn total(self) -> f32 {
        log_add(self.blank, self.character)
    }
}

/// The most likely texts of a lattice, best first, `count` at most.
pub fn best_texts(lattice: &Lattice, count: usize) -> Vec<Candidate> {
    let classes = lattice.classes();
    let mut beam: Vec<(Vec<u16>, Ends)> = vec![(
        Vec::new(),
        Ends {
            blank: 0.0,
            character: f32::NEG_INFINITY,
        },
    )];
    for row in lattice.values().chunks_exact(classes) {
        let mut next: HashMap<Vec<u16>, Ends> = HashMap::with_capacity(beam.len() * 4);
        for (prefix, ends) in &beam {
            let total = ends.total();
            let same = next.entry(prefix.clone()).or_insert(NEVER);
            same.blank = log_add(same.blank, total + row[0]);
            if let Some(&last) = prefix.last() {
                same.character = log_add(same.character, ends.character + row[usize::from(last)]);
            }
            for (class, &value) in row.iter().enumerate().skip(1) {
                if value < LEAST_LIKELY {
                    continue;
                }
                let class = class as u16;
                // A repeated letter needs a blank between.
                let before = if prefix.last() == Some(&class) {
                    ends.blank
                } else {
                    total
                };
                if before == f32::NEG_INFINITY {
                    continue;
                }
                let mut longer = Vec::with_capacity(prefix.len() + 1);
                longer.extend_from_slice(prefix);
                longer.push(class);
                let entry = next.entry(longer).or_insert(NEVER);
                entry.character = log_add(entry.character, before + value);
            }
        }
        beam = next.into_iter().collect();
        sort_best_first(&mut beam);
        beam.truncate(BEAM);
    }
    beam.truncate(count);
    beam.into_iter()
        .map(|(prefix, ends)| Candidate {
            text: lattice.alphabet().decode(&prefix),
            log_probability: ends.total().min(0.0),
        })
        .collect()
}

/// Best first; ties by the prefix, so that the order never depends on hashing.
fn sort_best_first(beam: &mut [(Vec<u16>, Ends)]) {
    beam.sort_by(|a, b| {
        b.1.total()
            .total_cmp(&a.1.total())
            .then_with(|| a.0.cmp(&b.0))
    });
}

fn log_add(a: f32, b: f32) -> f32 {
    let (high, low) = if a > b { (a, b) } else { (b, a) };
    if low == f32::NEG_INFINITY {
        return high;
    }
    high + (low - high).exp().ln_1p()
}
