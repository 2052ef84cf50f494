//! Several looks at one cell: when they are worth their time, and what they come to.

use std::sync::Arc;

use scoresheet_notation::{Lattice, LatticeError};

use crate::candidates::best_texts;

/// Probability of the best text from which on one look is enough; of the cells of `val` one in sixteen is below.
const SURE: f32 = 0.7;

/// Whether the best text of a lattice is not sure enough.
pub(crate) fn is_doubtful(lattice: &Lattice) -> bool {
    let best = best_texts(lattice, 1);
    best.first()
        .is_none_or(|text| text.log_probability < SURE.ln())
}

/// The mean of the log probabilities of lattices of the same shape, with every step summing to 1 again: a letter must be possible in all of them.
///
/// # Errors
/// [`LatticeError`] where a step has no class that all of them have.
pub(crate) fn mean(lattices: &[Lattice]) -> Result<Lattice, LatticeError> {
    let first = &lattices[0];
    let classes = first.classes();
    let mut values = vec![0.0; first.values().len()];
    for lattice in lattices {
        for (sum, value) in values.iter_mut().zip(lattice.values()) {
            *sum += value / lattices.len() as f32;
        }
    }
    for row in values.chunks_exact_mut(classes) {
        let total = row.iter().map(|value| value.exp()).sum::<f32>().ln();
        row.iter_mut().for_each(|value| *value -= total);
    }
    Lattice::new(first.steps(), Arc::clone(first.alphabet()), values)
}

#[cfg(test)]
mod tests {
    use super::*;
    use scoresheet_notation::Alphabet;

    fn lattice(letters: &[&[(char, f32)]]) -> Lattice {
        let lines = include_str!("../../../models/alphabet.txt");
        let alphabet = Arc::new(Alphabet::from_lines(lines).unwrap());
        Lattice::from_characters(alphabet, letters, 0.999)
    }

    #[test]
    fn a_second_look_decides_between_two_letters() {
        let in_doubt = lattice(&[&[('N', 0.5), ('K', 0.49)], &[('f', 0.99)], &[('3', 0.99)]]);
        let other = lattice(&[&[('N', 0.2), ('K', 0.79)], &[('f', 0.99)], &[('3', 0.99)]]);
        assert!(is_doubtful(&in_doubt) && !is_doubtful(&other));
        let both = mean(&[in_doubt, other]).unwrap();
        assert_eq!(best_texts(&both, 1)[0].text, "Kf3");
        for row in both.values().chunks_exact(both.classes()) {
            let total: f32 = row.iter().map(|value| value.exp()).sum();
            assert!((total - 1.0).abs() < 1e-4);
        }
    }

    #[test]
    fn the_mean_of_like_lattices_is_each_of_them() {
        let one = lattice(&[&[('e', 0.7), ('c', 0.3)], &[('4', 0.9)]]);
        let both = mean(&[one.clone(), one.clone()]).unwrap();
        for (a, b) in both.values().iter().zip(one.values()) {
            assert!((a - b).abs() < 1e-4);
        }
    }
}
