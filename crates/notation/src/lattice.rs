//! The output of a handwriting model for one cell, as plain data.

use std::sync::Arc;

use thiserror::Error;

use crate::Alphabet;

/// Time steps by classes of natural-log probabilities; in each step the probabilities sum to one.
#[derive(Debug, Clone, PartialEq)]
pub struct Lattice {
    steps: usize,
    alphabet: Arc<Alphabet>,
    values: Vec<f32>,
}

/// Why numbers are no lattice.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum LatticeError {
    /// The number of values is not steps times classes, or there is no step.
    #[error("{values} values are not {steps} steps of {classes} classes")]
    Shape {
        /// Number of values.
        values: usize,
        /// Number of time steps.
        steps: usize,
        /// Classes of the alphabet.
        classes: usize,
    },
    /// A value is not a number, is above zero (with some room for rounding), or a whole step has no probability.
    #[error("step {step} holds no log probabilities")]
    Value {
        /// The time step, from 0.
        step: usize,
    },
}

impl Lattice {
    /// A lattice of `steps` rows, row-major, one row of `alphabet.len()` log probabilities per step.
    pub fn new(
        steps: usize,
        alphabet: Arc<Alphabet>,
        values: Vec<f32>,
    ) -> Result<Self, LatticeError> {
        let classes = alphabet.len();
        if steps == 0 || steps.checked_mul(classes) != Some(values.len()) {
            return Err(LatticeError::Shape {
                values: values.len(),
                steps,
                classes,
            });
        }
        for (step, row) in values.chunks_exact(classes).enumerate() {
            let sound = row.iter().all(|&value| value <= 1e-3)
                && row.iter().any(|&value| value > f32::NEG_INFINITY);
            if !sound {
                return Err(LatticeError::Value { step });
            }
        }
        Ok(Self {
            steps,
            alphabet,
            values,
        })
    }

    /// The lattice of a text in which each written character is a set of possible characters with probabilities.
    ///
    /// Each character takes one step, followed by one step of blank; what the given probabilities leave below one is spread evenly over all classes,
    /// and each blank step is as sure as `blank`. For fake readers and tests. Characters outside the alphabet are left out.
    pub fn from_characters(
        alphabet: Arc<Alphabet>,
        characters: &[&[(char, f32)]],
        blank: f32,
    ) -> Self {
        let classes = alphabet.len();
        let mut values = Vec::with_capacity((2 * characters.len() + 1) * classes);
        let mut push_step = |sure: &[(usize, f32)]| {
            let left = 1.0
                - sure
                    .iter()
                    .map(|&(_, probability)| probability)
                    .sum::<f32>();
            let floor = left.max(1e-4) / classes as f32;
            let mut row = vec![floor; classes];
            for &(class, probability) in sure {
                row[class] += probability;
            }
            let total: f32 = row.iter().sum();
            values.extend(row.iter().map(|&probability| (probability / total).ln()));
        };
        push_step(&[(0, blank)]);
        for choices in characters {
            let sure: Vec<(usize, f32)> = choices
                .iter()
                .filter_map(|&(character, probability)| {
                    Some((usize::from(alphabet.class(character)?), probability))
                })
                .collect();
            push_step(&sure);
            push_step(&[(0, blank)]);
        }
        Self {
            steps: 2 * characters.len() + 1,
            alphabet,
            values,
        }
    }

    /// Number of time steps.
    pub fn steps(&self) -> usize {
        self.steps
    }

    /// Number of classes, the blank included.
    pub fn classes(&self) -> usize {
        self.alphabet.len()
    }

    /// The classes' meaning.
    pub fn alphabet(&self) -> &Arc<Alphabet> {
        &self.alphabet
    }

    /// Log probabilities of one step, by class. Panics where `step` is not below [`Self::steps`].
    pub fn row(&self, step: usize) -> &[f32] {
        let classes = self.classes();
        &self.values[step * classes..(step + 1) * classes]
    }

    /// All log probabilities, row-major.
    pub fn values(&self) -> &[f32] {
        &self.values
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn alphabet() -> Arc<Alphabet> {
        Arc::new(Alphabet::from_lines("_\na\nb").unwrap())
    }

    #[test]
    fn only_log_probabilities_of_the_right_shape_are_taken() {
        let sure = [0.0, f32::NEG_INFINITY, f32::NEG_INFINITY];
        let shape = |values, steps| LatticeError::Shape {
            values,
            steps,
            classes: 3,
        };
        let cases: [(usize, Vec<f32>, Result<(), LatticeError>); 6] = [
            (1, sure.to_vec(), Ok(())),
            (2, sure.to_vec(), Err(shape(3, 2))),
            (0, vec![], Err(shape(0, 0))),
            (
                1,
                vec![f32::NAN, -1.0, -1.0],
                Err(LatticeError::Value { step: 0 }),
            ),
            (
                1,
                vec![0.5, -1.0, -1.0],
                Err(LatticeError::Value { step: 0 }),
            ),
            (
                2,
                [sure, [f32::NEG_INFINITY; 3]].concat(),
                Err(LatticeError::Value { step: 1 }),
            ),
        ];
        for (steps, values, expected) in cases {
            let made = Lattice::new(steps, alphabet(), values.clone()).map(|_| ());
            assert_eq!(made, expected, "{steps} {values:?}");
        }
    }

    #[test]
    fn characters_make_a_row_each_between_blanks() {
        let lattice = Lattice::from_characters(
            alphabet(),
            &[&[('a', 0.75), ('b', 0.25)], &[('b', 0.7)]],
            1.0,
        );
        assert_eq!((lattice.steps(), lattice.classes()), (5, 3));
        for step in 0..lattice.steps() {
            let total: f32 = lattice.row(step).iter().map(|value| value.exp()).sum();
            assert!((total - 1.0).abs() < 1e-5, "step {step}: {total}");
        }
        assert!((lattice.row(1)[1].exp() - 0.75).abs() < 1e-3);
        assert!((lattice.row(3)[2].exp() - 0.8).abs() < 1e-3);
        assert!(lattice.row(2)[0] > -1e-3);
    }
}
