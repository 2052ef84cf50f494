//! Connectionist temporal classification: probability of texts on a lattice (Graves et al. 2006), shared over common beginnings.

use scoresheet_notation::{Alphabet, Class, Lattice, TextNode, TextTrie};

const NOT_COMPUTED: u32 = u32::MAX;
const IMPOSSIBLE: u32 = u32::MAX - 1;

/// Forward variables of texts on one lattice, computed once per text and kept until the next lattice.
///
/// Each text's column holds, for every step, the probability of all paths that have written exactly this text,
/// those whose last step is blank apart from those whose last step is its last character.
/// Rows are divided by their largest entry, so that the values of likely texts stay near one.
#[derive(Debug, Default)]
pub(crate) struct ForwardTable {
    /// Whether other writing may come before the text.
    loose_start: bool,
    steps: usize,
    classes: usize,
    /// Scaled probabilities, those of one class together.
    rows: Vec<f64>,
    /// Texts that begin with one less likely than this are impossible.
    negligible: f64,
    /// Text node -> index of its column, or [`NOT_COMPUTED`], or [`IMPOSSIBLE`].
    index: Vec<u32>,
    used: Vec<TextNode>,
    /// Columns of `steps` pairs (blank last, character last).
    columns: Vec<[f64; 2]>,
}

impl ForwardTable {
    /// Forgets all texts and takes another lattice, in which no class is less likely than the share `least` of its step's likeliest class. Texts that cannot come to the scaled
    /// probability `negligible`, or hardly so, are given none.
    pub(crate) fn reset(&mut self, lattice: &Lattice, least: f64, negligible: f64) {
        self.steps = lattice.steps();
        self.classes = lattice.classes();
        self.negligible = negligible;
        self.rows.clear();
        self.rows.resize(self.steps * self.classes, least);
        for step in 0..self.steps {
            let row = lattice.row(step);
            let largest = row.iter().copied().fold(f32::NEG_INFINITY, f32::max);
            let lowest = largest + least.ln() as f32;
            for (class, &value) in row.iter().enumerate() {
                if value > lowest {
                    self.rows[class * self.steps + step] = f64::from(value - largest).exp();
                }
            }
        }
        for node in self.used.drain(..) {
            self.index[node as usize] = NOT_COMPUTED;
        }
        self.columns.clear();
    }

    /// A table for texts before which anything else may be written. The likeliest other writing has the scaled probability one.
    pub(crate) fn with_loose_start() -> Self {
        Self {
            loose_start: true,
            ..Self::default()
        }
    }

    /// Probability that the ink begins with the text and goes on with anything else, on the same scale as [`Self::scaled_probability`]: the likeliest place where the text ends.
    pub(crate) fn scaled_beginning(&mut self, trie: &TextTrie, node: TextNode) -> f64 {
        self.column(trie, node).map_or(0.0, |column| {
            self.columns[column..column + self.steps]
                .iter()
                .map(|[blank, character]| blank + character)
                .fold(0.0, f64::max)
        })
    }

    /// Probability that the lattice's ink is exactly the text of `node`, divided by a factor that is the same for all texts of the lattice.
    pub(crate) fn scaled_probability(&mut self, trie: &TextTrie, node: TextNode) -> f64 {
        self.column(trie, node).map_or(0.0, |column| {
            let [blank, character] = self.columns[column + self.steps - 1];
            blank + character
        })
    }

    /// Offset of a text's column in `columns`; computes it and those of its beginnings where needed. None where the text is impossible.
    fn column(&mut self, trie: &TextTrie, node: TextNode) -> Option<usize> {
        if self.index.len() < trie.len() {
            self.index.resize(trie.len(), NOT_COMPUTED);
        }
        match self.index[node as usize] {
            NOT_COMPUTED => {}
            IMPOSSIBLE => return None,
            known => return Some(known as usize * self.steps),
        }
        let offset = if node == TextTrie::ROOT {
            Some(self.root_column())
        } else {
            let parent = trie.parent(node);
            let doubled = parent != TextTrie::ROOT && trie.class(parent) == trie.class(node);
            self.column(trie, parent)
                .and_then(|before| self.child_column(before, trie.class(node), doubled))
        };
        self.index[node as usize] =
            offset.map_or(IMPOSSIBLE, |offset| (offset / self.steps) as u32);
        self.used.push(node);
        offset
    }

    /// Scaled probabilities of a class, step by step.
    fn row(&self, class: Class) -> &[f64] {
        let first = usize::from(class) * self.steps;
        &self.rows[first..first + self.steps]
    }

    fn root_column(&mut self) -> usize {
        let offset = self.columns.len();
        let mut blank = 1.0;
        for step in 0..self.steps {
            if !self.loose_start {
                blank *= self.row(Alphabet::BLANK)[step];
            }
            self.columns.push([blank, 0.0]);
        }
        offset
    }

    /// The column of a text from that of the text without its last character; `doubled` where that character is the same as the one before it.
    fn child_column(&mut self, before: usize, class: Class, doubled: bool) -> Option<usize> {
        let offset = self.columns.len();
        let from_root = before == self.root_offset();
        let mut columns = std::mem::take(&mut self.columns);
        columns.resize(offset + self.steps, [0.0; 2]);
        let (old, new) = columns.split_at_mut(offset);
        let parent = &old[before..before + self.steps];
        // The empty text is there before the first step.
        let mut entering = if from_root { 1.0 } else { 0.0 };
        let (mut blank, mut character, mut entered) = (0.0, 0.0, 0.0);
        let steps = self.row(Alphabet::BLANK).iter().zip(self.row(class));
        for (((of_blank, of_class), from), to) in steps.zip(parent).zip(new) {
            blank = of_blank * (blank + character);
            entered += of_class * entering;
            character = of_class * (character + entering);
            *to = [blank, character];
            entering = if doubled { from[0] } else { from[0] + from[1] };
        }
        let possible = entered >= self.negligible;
        if !possible {
            columns.truncate(offset);
        }
        self.columns = columns;
        possible.then_some(offset)
    }

    fn root_offset(&self) -> usize {
        match self.index.first() {
            Some(&index) if index != NOT_COMPUTED => index as usize * self.steps,
            _ => usize::MAX,
        }
    }
}

/// The text of the likeliest path: the likeliest class of each step, repeats and blanks left out.
pub(crate) fn likeliest_path_text(lattice: &Lattice) -> Vec<Class> {
    let mut text = Vec::new();
    let mut last = Alphabet::BLANK;
    for step in 0..lattice.steps() {
        let row = lattice.row(step);
        let mut best = 0;
        for (class, &value) in row.iter().enumerate() {
            if value > row[best] {
                best = class;
            }
        }
        let class = best as Class;
        if class != last && class != Alphabet::BLANK {
            text.push(class);
        }
        last = class;
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::sync::Arc;

    const CLASSES: usize = 4;

    fn lattice(weights: &[[f32; CLASSES]]) -> Lattice {
        let alphabet = Arc::new(Alphabet::from_lines("_\na\nb\nc").unwrap());
        let values = weights
            .iter()
            .flat_map(|row| {
                let total: f32 = row.iter().sum();
                row.map(|weight| (weight / total).ln())
            })
            .collect();
        Lattice::new(weights.len(), alphabet, values).unwrap()
    }

    /// Sum over every path whose repeats and blanks left out give the text.
    fn sum_over_paths(lattice: &Lattice, text: &[Class]) -> f64 {
        let steps = lattice.steps() as u32;
        (0..CLASSES.pow(steps))
            .map(|path| {
                let classes: Vec<Class> = (0..steps)
                    .map(|step| (path / CLASSES.pow(step) % CLASSES) as Class)
                    .collect();
                let mut collapsed = classes.clone();
                collapsed.dedup();
                collapsed.retain(|&class| class != Alphabet::BLANK);
                if collapsed != text {
                    return 0.0;
                }
                classes
                    .iter()
                    .enumerate()
                    .map(|(step, &class)| f64::from(lattice.row(step)[usize::from(class)]))
                    .sum::<f64>()
                    .exp()
            })
            .sum()
    }

    proptest! {
        #[test]
        fn forward_probability_is_the_sum_over_all_paths(
            weights in prop::collection::vec(prop::array::uniform4(0.01f32..1.0), 1..6),
            texts in prop::collection::vec(prop::collection::vec(1u16..4, 0..5), 1..8),
        ) {
            let lattice = lattice(&weights);
            let mut trie = TextTrie::new();
            let mut table = ForwardTable::default();
            // A table that held another lattice before must not remember it.
            table.reset(&self::lattice(&[[0.7, 0.1, 0.1, 0.1]; 3]), 0.0, 0.0);
            let node = trie.descend(TextTrie::ROOT, &[1, 1, 2]);
            table.scaled_probability(&trie, node);
            table.reset(&lattice, 0.0, 0.0);
            let largest: f64 = (0..lattice.steps())
                .map(|step| f64::from(lattice.row(step).iter().copied().fold(f32::MIN, f32::max)).exp())
                .product();
            for text in &texts {
                let node = trie.descend(TextTrie::ROOT, text);
                let expected = sum_over_paths(&lattice, text);
                let computed = table.scaled_probability(&trie, node) * largest;
                prop_assert!((computed - expected).abs() < 1e-5 * expected + 1e-9, "{text:?}: {computed} for {expected}");
            }
        }
    }

    #[test]
    fn other_writing_before_and_after_is_passed_over() {
        // Surely "abc".
        let clear = lattice(&[
            [0.0, 1.0, 0.0, 0.0],
            [0.0, 0.0, 1.0, 0.0],
            [0.0, 0.0, 0.0, 1.0],
        ]);
        let cases: [(&[Class], f64, f64); 5] = [
            (&[1, 2, 3], 1.0, 1.0),
            (&[2, 3], 1.0, 0.0),
            (&[3], 1.0, 0.0),
            (&[1, 2], 0.0, 1.0),
            (&[1, 3], 0.0, 0.0),
        ];
        for (text, before, after) in cases {
            let mut trie = TextTrie::new();
            let node = trie.descend(TextTrie::ROOT, text);
            let mut exact = ForwardTable::default();
            exact.reset(&clear, 0.0, 0.0);
            let mut loose = ForwardTable::with_loose_start();
            loose.reset(&clear, 0.0, 0.0);
            assert_eq!(loose.scaled_probability(&trie, node), before, "{text:?}");
            assert_eq!(exact.scaled_beginning(&trie, node), after, "{text:?}");
        }
    }

    #[test]
    fn likeliest_path() {
        let cases: [(&[[f32; CLASSES]], &[Class]); 3] = [
            (&[[0.9, 0.1, 0.1, 0.1]], &[]),
            (
                &[
                    [0.1, 0.9, 0.1, 0.1],
                    [0.1, 0.9, 0.1, 0.1],
                    [0.1, 0.1, 0.1, 0.9],
                ],
                &[1, 3],
            ),
            (
                &[
                    [0.1, 0.9, 0.1, 0.1],
                    [0.9, 0.1, 0.1, 0.1],
                    [0.1, 0.9, 0.1, 0.1],
                ],
                &[1, 1],
            ),
        ];
        for (weights, text) in cases {
            assert_eq!(likeliest_path_text(&lattice(weights)), text);
        }
    }
}
