//! The number of a sheet's first move, read from its printed numbers.

use image::GrayImage;
use scoresheet_notation::Lattice;
use scoresheet_reader::{ReaderError, Worker};

use crate::text_score::text_score;

/// Printed numbers read, evenly spread over the form.
const SAMPLES: usize = 16;

/// Largest first number of a page.
const LARGEST: u32 = 300;

/// By how much the best first number must be likelier than the next (natural log).
const MARGIN: f32 = 3.0;

/// How the model, which is trained on handwritten moves, may see each printed digit.
const DIGITS: [&str; 10] = [
    "0OoQD", "1Ili", "2Zz", "3", "4", "5Ss", "6bG", "7T", "8B", "9gq",
];

/// Reads printed numbers, each with its distance in moves from the first, and finds the first number that fits them all.
///
/// # Errors
/// Where the model does not run.
pub(crate) fn read_first_number(
    numbers: &[(u32, GrayImage)],
    worker: &mut Worker,
) -> Result<Option<u32>, ReaderError> {
    let step = numbers.len().div_ceil(SAMPLES).max(1);
    let lattices: Vec<(u32, Lattice)> = numbers
        .iter()
        .step_by(step)
        .map(|(distance, image)| Ok((*distance, worker.read(image)?)))
        .collect::<Result<_, ReaderError>>()?;
    Ok(fit_first_number(&lattices))
}

/// The first number under which the lattices are likeliest, if it is clearly likelier than any other.
fn fit_first_number(lattices: &[(u32, Lattice)]) -> Option<u32> {
    let mut best = (f32::NEG_INFINITY, None);
    let mut second = f32::NEG_INFINITY;
    for first in 1..=LARGEST {
        let fit = lattices
            .iter()
            .map(|(distance, lattice)| number_score(lattice, first + distance))
            .sum();
        if fit > best.0 {
            second = best.0;
            best = (fit, Some(first));
        } else if fit > second {
            second = fit;
        }
    }
    best.1.filter(|_| best.0 > second + MARGIN)
}

/// How well a lattice shows a number, with look-alikes as digits.
///
/// A blotted number says little: its score is bounded from below, so that it cannot outweigh the others.
fn number_score(lattice: &Lattice, number: u32) -> f32 {
    const LEAST: f32 = -9.0;
    let digits = number.to_string();
    let letters = digits
        .bytes()
        .map(|digit| DIGITS[usize::from(digit - b'0')]);
    text_score(lattice, letters).map_or(LEAST, |score| score.max(LEAST))
}

#[cfg(test)]
mod tests {
    use super::*;
    use scoresheet_notation::Alphabet;
    use std::sync::Arc;

    fn lattice(alphabet: &Arc<Alphabet>, text: &str) -> Lattice {
        let characters: Vec<[(char, f32); 1]> = text.chars().map(|c| [(c, 0.9)]).collect();
        let sure: Vec<&[(char, f32)]> = characters.iter().map(|one| &one[..]).collect();
        Lattice::from_characters(Arc::clone(alphabet), &sure, 0.9)
    }

    #[test]
    fn numbers_agree_on_the_first() {
        let classes = "<blank>\nO\n1\n2\n3\n4\n5\n6\n7\n8\n9\nS\nb\nN\nf\n";
        let alphabet = Arc::new(Alphabet::from_lines(classes).expect("an alphabet"));
        type Case = (&'static str, &'static [(u32, &'static str)], Option<u32>);
        let cases: [Case; 5] = [
            ("nothing", &[], None),
            ("all say 31", &[(0, "31"), (4, "35"), (9, "4O")], Some(31)),
            ("one misread", &[(0, "37"), (4, "35"), (9, "4O")], Some(31)),
            (
                "letters for digits",
                &[(0, "S1"), (2, "S3"), (14, "b4")],
                Some(51),
            ),
            (
                "a hundred and more",
                &[(0, "99"), (1, "1OO"), (12, "111")],
                Some(99),
            ),
        ];
        for (name, readings, expected) in cases {
            let lattices: Vec<(u32, Lattice)> = readings
                .iter()
                .map(|&(distance, text)| (distance, lattice(&alphabet, text)))
                .collect();
            assert_eq!(fit_first_number(&lattices), expected, "{name}");
        }
    }
}
