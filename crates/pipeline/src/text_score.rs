//! How well a picture shows a text whose letters may look like others.

use scoresheet_notation::Lattice;

/// Natural log probability that a lattice shows a text, by the forward sum of CTC (Graves et al., 2006); each letter is given by all characters as
/// which it may be read, of which those that the alphabet lacks do not count.
///
/// Nothing where the text is impossible: a letter of it is not in the alphabet at all, or there are more letters than steps.
pub(crate) fn text_score<'a>(
    lattice: &Lattice,
    letters: impl Iterator<Item = &'a str>,
) -> Option<f32> {
    let alphabet = lattice.alphabet();
    // The classes of each letter; the blank before, between and after the letters.
    let mut states: Vec<Vec<usize>> = vec![vec![0]];
    for letter in letters {
        let classes = letter.chars().filter_map(|one| alphabet.class(one));
        let mut classes: Vec<usize> = classes.map(usize::from).collect();
        classes.sort_unstable();
        classes.dedup();
        if classes.is_empty() {
            return None;
        }
        states.push(classes);
        states.push(vec![0]);
    }
    let mut forward = vec![0.0f32; states.len()];
    forward[0] = 1.0;
    let mut scale = 0.0;
    for (step, row) in lattice.values().chunks_exact(lattice.classes()).enumerate() {
        let mut next = vec![0.0; states.len()];
        for (state, classes) in states.iter().enumerate() {
            let emission: f32 = classes.iter().map(|&class| row[class].exp()).sum();
            let mut from = forward[state];
            if state > 0 && (step > 0 || state == 1) {
                from += forward[state - 1];
            }
            // Two letters need a blank between them only where they are alike.
            if state > 2 && state % 2 == 1 && states[state] != states[state - 2] {
                from += forward[state - 2];
            }
            next[state] = from * emission;
        }
        let total: f32 = next.iter().sum();
        if total <= f32::MIN_POSITIVE {
            return None;
        }
        scale += total.ln();
        forward = next.into_iter().map(|value| value / total).collect();
    }
    let end: f32 = forward[states.len().saturating_sub(2)..].iter().sum();
    (end > f32::MIN_POSITIVE).then(|| scale + end.ln())
}
