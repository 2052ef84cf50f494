//! What the ink of a cell says for and against each legal move.

use std::collections::HashMap;
use std::ops::Range;
use std::rc::Rc;

use cozy_chess::{Board, Color, Move};
use scoresheet_notation::{
    Language, Lattice, LegalMove, Reading, Speller, Spelling, TextNode, TextTrie,
};

use crate::costs::Costs;
use crate::ctc::{ForwardTable, likeliest_path_text};

/// What is known of one half-move's place on the sheet.
#[derive(Debug, Clone)]
pub struct CellEvidence {
    /// Printed move number of the row, from 1.
    pub number: u32,
    /// Column.
    pub colour: Color,
    /// Network output of each copy that has ink here; none where the cell is blank. All lattices of a game share one alphabet; one of another alphabet counts as blank.
    pub lattices: Vec<Lattice>,
    /// The caller's numbers of the cells that this evidence was taken from.
    pub cells: Vec<usize>,
}

/// Least length of a text that may hold more than a move.
const CROWDED: usize = 4;
/// Least share of a spelling that counts as usual.
const USUAL: f32 = 0.1;
/// Characters lost at the beginning of a text, at most.
const MOST_LOST: usize = 2;

/// How one legal move fits the ink of a cell.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Fit {
    /// Natural log weight, slips allowed.
    pub weight: f64,
    /// Whether the ink of any copy shows the move, and is neither a slip nor clearly something else.
    pub shown: bool,
}

/// Judges moves by the ink of one cell at a time.
///
/// Moves with the same facts have the same texts in any position, so that texts are made once per sheet and judged once per cell.
pub(crate) struct Examiner<'a> {
    speller: &'a Speller,
    language: &'a Language,
    costs: &'a Costs,
    trie: TextTrie,
    tables: Vec<ForwardTable>,
    /// Per lattice: texts with other writing before them, where the whole of the ink is no move; it may be a move crossed out and its correction.
    loose_tables: Vec<ForwardTable>,
    crowded: Vec<bool>,
    /// Per lattice of the present cell: log of the scaled probability of the likeliest path's text.
    free: Vec<f64>,
    free_texts: Vec<String>,
    /// Index in `known` of each move met on the sheet.
    numbers: HashMap<LegalMove, usize>,
    known: Vec<Known>,
    /// The legal moves of each position met, by its hash: searches again meet most positions once more.
    positions: HashMap<u64, Rc<[Playable]>>,
    /// Texts of all known moves.
    spellings: Vec<Spelling>,
    /// Fits by place and index in `known`, as far as they were asked for: a search again asks for most of them once more.
    fits: Vec<Vec<Option<Fit>>>,
    /// The present place.
    place: usize,
}

/// A legal move and its index in the examiner's list of moves.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Playable {
    pub played: Move,
    known: u32,
}

/// A move met on the sheet.
struct Known {
    legal: LegalMove,
    /// Its texts in `spellings`.
    texts: Range<usize>,
}

impl<'a> Examiner<'a> {
    pub(crate) fn new(speller: &'a Speller, language: &'a Language, costs: &'a Costs) -> Self {
        Self {
            speller,
            language,
            costs,
            trie: TextTrie::new(),
            tables: Vec::new(),
            loose_tables: Vec::new(),
            crowded: Vec::new(),
            free: Vec::new(),
            free_texts: Vec::new(),
            numbers: HashMap::new(),
            known: Vec::new(),
            positions: HashMap::new(),
            spellings: Vec::new(),
            fits: Vec::new(),
            place: 0,
        }
    }

    /// Takes the ink of another place, always the same ink for the same place. Returns whether there is any.
    pub(crate) fn take(&mut self, place: usize, lattices: &[Lattice]) -> bool {
        self.place = place;
        if self.fits.len() <= place {
            self.fits.resize(place + 1, Vec::new());
        }
        self.free.clear();
        self.free_texts.clear();
        self.crowded.clear();
        let readable = lattices
            .iter()
            .filter(|lattice| lattice.alphabet() == self.speller.alphabet());
        for (copy, lattice) in readable.enumerate() {
            if self.tables.len() <= copy {
                self.tables.push(ForwardTable::default());
                self.loose_tables.push(ForwardTable::with_loose_start());
            }
            self.tables[copy].reset(lattice, self.costs.confusion.exp());
            let classes = likeliest_path_text(lattice);
            let node = self.trie.descend(TextTrie::ROOT, &classes);
            let probability = self.tables[copy].scaled_probability(&self.trie, node);
            self.free.push(probability.ln());
            let text = lattice.alphabet().decode(&classes);
            let crowded = classes.len() >= CROWDED && Reading::parse(&text, self.language).is_err();
            if crowded {
                self.loose_tables[copy].reset(lattice, self.costs.confusion.exp());
            }
            self.crowded.push(crowded);
            self.free_texts.push(text);
        }
        !self.free.is_empty()
    }

    /// The likeliest free text of each copy of the present cell.
    pub(crate) fn free_texts(&self) -> &[String] {
        &self.free_texts
    }

    /// Whether the ink of any copy is a move by its text.
    pub(crate) fn is_a_move(&self) -> bool {
        self.free_texts
            .iter()
            .any(|text| Reading::parse(text, self.language).is_ok())
    }

    /// Whether the ink of any copy looks like a move in any language, with other writing perhaps.
    pub(crate) fn looks_like_a_move(&self) -> bool {
        self.free_texts
            .iter()
            .any(|text| has_the_shape_of_a_move(text))
    }

    /// Whether no copy shows more than one character.
    pub(crate) fn looks_like_a_scribble(&self) -> bool {
        self.free_texts.iter().all(|text| text.chars().count() <= 1)
    }

    /// All legal moves of a position.
    pub(crate) fn playable(&mut self, board: &Board) -> Rc<[Playable]> {
        if let Some(known) = self.positions.get(&board.hash()) {
            return Rc::clone(known);
        }
        let moves: Rc<[Playable]> = LegalMove::all(board)
            .iter()
            .map(|legal| Playable {
                played: legal.played,
                known: self.number(legal) as u32,
            })
            .collect();
        self.positions.insert(board.hash(), Rc::clone(&moves));
        moves
    }

    /// The facts of a legal move.
    pub(crate) fn legal(&self, playable: Playable) -> &LegalMove {
        &self.known[playable.known as usize].legal
    }

    /// How a legal move fits the present cell.
    pub(crate) fn judge(&mut self, playable: Playable) -> Fit {
        let number = playable.known as usize;
        let fits = &mut self.fits[self.place];
        if fits.len() <= number {
            fits.resize(self.known.len(), None);
        }
        if let Some(fit) = fits[number] {
            return fit;
        }
        let fit = self.fit(self.known[number].texts.clone());
        self.fits[self.place][number] = Some(fit);
        fit
    }

    /// The text in which a legal move is written in the present cell: the spelling that fits the ink of any one copy best.
    pub(crate) fn written(&mut self, legal: &LegalMove) -> Option<String> {
        let number = self.number(legal);
        let texts = &self.spellings[self.known[number].texts.clone()];
        let mut best: Option<(f64, TextNode)> = None;
        for (table, free) in self.tables.iter_mut().zip(&self.free) {
            for spelling in texts {
                let probability = table.scaled_probability(&self.trie, spelling.node);
                let score = probability.ln() - free + f64::from(spelling.share).ln();
                if best.is_none_or(|(highest, _)| score > highest) {
                    best = Some((score, spelling.node));
                }
            }
        }
        best.map(|(_, node)| self.speller.alphabet().decode(&self.trie.classes(node)))
    }

    /// Index of a move in `known`.
    fn number(&mut self, legal: &LegalMove) -> usize {
        if let Some(&number) = self.numbers.get(legal) {
            return number;
        }
        let first = self.spellings.len();
        self.speller.spell(
            std::slice::from_ref(legal),
            &mut self.trie,
            &mut self.spellings,
        );
        self.add_beheaded(first);
        let number = self.known.len();
        self.known.push(Known {
            legal: *legal,
            texts: first..self.spellings.len(),
        });
        self.numbers.insert(*legal, number);
        number
    }

    /// Adds the usual spellings from `first` on once more without their first characters, which faint ink or a cut cell may have lost.
    fn add_beheaded(&mut self, first: usize) {
        for place in first..self.spellings.len() {
            let spelling = self.spellings[place];
            if spelling.share < USUAL {
                continue;
            }
            let classes = self.trie.classes(spelling.node);
            for lost in 1..classes.len().min(MOST_LOST + 1) {
                let node = self.trie.descend(TextTrie::ROOT, &classes[lost..]);
                let share = spelling.share * (self.costs.lost_first * lost as f64).exp() as f32;
                self.spellings.push(Spelling {
                    node,
                    share,
                    ..spelling
                });
            }
        }
    }

    fn fit(&mut self, texts: Range<usize>) -> Fit {
        let mut fit = Fit {
            weight: 0.0,
            shown: false,
        };
        for (copy, free) in self.free.iter().enumerate() {
            let table = &mut self.tables[copy];
            let mut sum: f64 = 0.0;
            for spelling in &self.spellings[texts.clone()] {
                let mut probability = table.scaled_probability(&self.trie, spelling.node);
                if self.crowded[copy] && spelling.share >= USUAL {
                    let before =
                        self.loose_tables[copy].scaled_probability(&self.trie, spelling.node);
                    let after = table.scaled_beginning(&self.trie, spelling.node);
                    probability += self.costs.crowded.exp() * (before + after);
                }
                sum += f64::from(spelling.share) * probability;
            }
            let written = self.costs.ink * (sum.ln() - free);
            fit.weight += log_add(written, self.costs.slip);
            fit.shown |= written >= self.costs.slip.max(self.costs.contrary);
        }
        fit
    }
}

/// Whether a text names a square or castling. It must not depend on the language: else the language in which nothing is a move would explain any sheet as a game that ended at once.
fn has_the_shape_of_a_move(text: &str) -> bool {
    let castling = text.starts_with(['O', '0', 'o']) && text.contains('-');
    let characters: Vec<char> = text.chars().collect();
    castling
        || characters
            .windows(2)
            .any(|pair| ('a'..='h').contains(&pair[0]) && ('1'..='8').contains(&pair[1]))
}

/// Natural log of the sum of two numbers given by their natural logs.
pub(crate) fn log_add(a: f64, b: f64) -> f64 {
    let (high, low) = if a >= b { (a, b) } else { (b, a) };
    if low == f64::NEG_INFINITY {
        return high;
    }
    high + (low - high).exp().ln_1p()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_have_a_shape_in_every_language() {
        for (text, expected) in [
            ("Nf3", true),
            ("Sxf3+", true),
            ("e8=D", true),
            ("O-O", true),
            ("0-0-0", true),
            ("exd", false),
            ("draw", false),
            ("1-0", false),
            ("5", false),
            ("", false),
        ] {
            assert_eq!(has_the_shape_of_a_move(text), expected, "{text}");
        }
    }

    #[test]
    fn log_add_is_the_log_of_the_sum() {
        for (a, b) in [(0.5, 0.25), (1e-30, 1.0), (0.0, 0.5), (0.0, 0.0)] {
            let (a, b): (f64, f64) = (a, b);
            let sum = log_add(a.ln(), b.ln()).exp();
            assert!((sum - (a + b)).abs() < 1e-12, "{a} {b}: {sum}");
        }
    }
}
