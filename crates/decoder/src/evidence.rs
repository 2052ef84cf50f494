//! What the ink of a cell says for and against each legal move.

use std::ops::Range;
use std::rc::Rc;

use cozy_chess::{Board, Color, Move};
use scoresheet_notation::{
    CLOSING_WORDS, Language, Lattice, LegalMove, Reading, Spelling, System, TextNode, TextTrie,
};

use crate::copies::MOST_COPIES;
use crate::costs::Costs;
use crate::ctc::{ForwardTable, likeliest_path_text};
use crate::hand::Hand;
use crate::repertoire::{Playable, Position, Repertoire};

/// One cell of a copy of the sheet.
#[derive(Debug, Clone)]
pub struct CellEvidence {
    /// Printed move number of the row, from 1.
    pub number: u32,
    /// Column.
    pub colour: Color,
    /// Network output; none where the cell is blank. All lattices of a game share one alphabet; one of another alphabet counts as blank.
    pub lattice: Option<Lattice>,
    /// The caller's number of the cell.
    pub cell: usize,
}

impl CellEvidence {
    /// The cells of a sheet from move 1 on, in playing order and numbered in it from 0; `None` is a blank cell.
    pub fn in_playing_order(lattices: impl IntoIterator<Item = Option<Lattice>>) -> Vec<Self> {
        lattices
            .into_iter()
            .enumerate()
            .map(|(cell, lattice)| Self {
                number: cell as u32 / 2 + 1,
                colour: if cell % 2 == 0 {
                    Color::White
                } else {
                    Color::Black
                },
                lattice,
                cell,
            })
            .collect()
    }
}

/// Characters of the shortest moves.
pub const LEAST_MOVE: usize = 2;
/// Least length of a text that may hold more than a move.
const CROWDED: usize = 4;
/// Natural log of the least probability of the likeliest text of writing. Of 11,300 labelled cells of HCS one in 400 stays below, and none of the last moves of its 167 sheets; of the ink after those two thirds do.
const LEAST_READABLE: f64 = -1.5;
/// The same of half of a copy's cells, where the picture lets writing be told from scribbles: three quarters. Of 167 sheets of HCS one stays below, and so do old small prints.
const WELL_READ: f64 = -0.29;
/// Least share of a spelling that counts as usual.
const USUAL: f32 = 0.1;
/// Characters lost at the beginning of a text, at most.
const MOST_LOST: usize = 2;
/// Texts are looked at no further where they do not come to this share of what a slip is given.
const NEGLIGIBLE: f64 = 0.1;
/// Cells whose forward variables are kept; the search works on few at a time.
const KEPT_TABLES: usize = 12;

/// How one legal move fits the ink of a cell.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Fit {
    /// Natural log weight, slips allowed.
    pub weight: f64,
    /// Whether the ink shows the move, and is neither a slip nor clearly something else.
    pub shown: bool,
}

/// Which part of a cell's ink is to show a move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Part {
    /// All of it.
    Whole,
    /// Its beginning; another move follows in the same cell.
    First,
    /// Its end; another move stands before it in the same cell.
    Last,
}

/// Judges moves by the ink of cells.
///
/// Texts are made once per move of the repertoire and judged once per cell.
pub(crate) struct Examiner<'a> {
    hands: &'a [Hand],
    /// The system that needs most facts of a move.
    facts: System,
    costs: &'a Costs,
    repertoire: &'a mut Repertoire,
    trie: TextTrie,
    inks: Vec<Option<Ink<'a>>>,
    tables: Vec<Tables>,
    /// Counts the uses of tables, so that the one used least lately is given up.
    clock: u64,
    /// By number in the repertoire and hand: the texts of a move in `spellings`, once they are asked for.
    texts: Vec<Option<[Range<usize>; MOST_COPIES]>>,
    /// Texts of all moves asked for.
    spellings: Vec<Spelling>,
}

/// What is found out about the ink of one cell.
struct Ink<'a> {
    lattice: &'a Lattice,
    /// Index in `hands`.
    hand: usize,
    /// Log of the scaled probability of the likeliest path's text.
    free: f64,
    free_text: String,
    /// Whether the whole of the ink is no move, but may hold one: crossed out with its correction beside it, or two moves.
    crowded: bool,
    /// Whether it shows a word that closes the game.
    closing: bool,
    /// Log of the probability of the likeliest path's text.
    certainty: f64,
    /// Whether it is likely to be no writing at all, but dust, a flourish or the ends of neighbours' strokes: the likeliest text is a single character, or hardly likely itself.
    scribble: bool,
    /// Fits by part and number in the repertoire, as far as they were asked for; else not a number.
    fits: [Vec<f32>; 3],
    /// Index in `tables`, where it may have been given to another place.
    tables: usize,
}

/// Forward variables of the texts on one cell's ink.
struct Tables {
    place: usize,
    used: u64,
    plain: ForwardTable,
    /// Texts with other writing before them.
    loose: ForwardTable,
}

impl<'a> Examiner<'a> {
    /// An examiner of the inks at places 0, 1, ..., each with the index of its hand, of which there are [`MOST_COPIES`] at most; blank places have none.
    pub(crate) fn new(
        hands: &'a [Hand],
        costs: &'a Costs,
        repertoire: &'a mut Repertoire,
        inks: impl Iterator<Item = (usize, Option<&'a Lattice>)>,
    ) -> Self {
        let descriptive = |hand: &&Hand| hand.speller().system() == System::Descriptive;
        let mut examiner = Self {
            hands,
            facts: match hands.iter().find(descriptive) {
                Some(_) => System::Descriptive,
                None => System::default(),
            },
            costs,
            repertoire,
            trie: TextTrie::new(),
            inks: Vec::new(),
            tables: Vec::new(),
            clock: 0,
            texts: Vec::new(),
            spellings: Vec::new(),
        };
        for (hand, lattice) in inks {
            let readable =
                lattice.filter(|lattice| lattice.alphabet() == hands[hand].speller().alphabet());
            let ink = readable.map(|lattice| examiner.look_at(lattice, hand));
            examiner.inks.push(ink);
        }
        for hand in 0..hands.len() {
            examiner.tell_scribbles(hand);
        }
        examiner
    }

    /// Tells the scribbles of a copy by how much less they read like any text than its other ink does. Where all reads badly they cannot be told, nor can closing words.
    fn tell_scribbles(&mut self, hand: usize) {
        let mut inks: Vec<&mut Ink<'a>> = self.inks.iter_mut().flatten().collect();
        inks.retain(|ink| ink.hand == hand && !ink.scribble);
        inks.sort_by(|a, b| a.certainty.total_cmp(&b.certainty));
        let middle = inks.get(inks.len() / 2).map(|ink| ink.certainty);
        let well_read = middle.is_some_and(|middle| middle >= WELL_READ);
        for ink in inks {
            ink.scribble = well_read && ink.certainty < LEAST_READABLE;
            ink.closing &= well_read;
        }
    }

    fn look_at(&mut self, lattice: &'a Lattice, hand: usize) -> Ink<'a> {
        let classes = likeliest_path_text(lattice);
        let node = self.trie.descend(TextTrie::ROOT, &classes);
        let mut table = ForwardTable::default();
        table.reset(lattice, self.costs.confusion.exp(), 0.0);
        let free_text = lattice.alphabet().decode(&classes);
        let free = table.scaled_probability(&self.trie, node).ln();
        // The table leaves out the likeliest class of each step.
        let largest = |step| lattice.row(step).iter().copied().fold(f32::MIN, f32::max);
        let scale: f64 = (0..lattice.steps())
            .map(|step| f64::from(largest(step)))
            .sum();
        let is_a_move = self.hands[hand].reads(&free_text);
        Ink {
            lattice,
            hand,
            free,
            certainty: free + scale,
            scribble: classes.len() < LEAST_MOVE,
            closing: !is_a_move && self.shows_a_closing_word(lattice, &mut table, free),
            crowded: classes.len() >= CROWDED && !is_a_move,
            free_text,
            fits: Default::default(),
            tables: 0,
        }
    }

    /// Whether ink begins with a closing word more likely than a slip of the pen would be one.
    fn shows_a_closing_word(
        &mut self,
        lattice: &Lattice,
        table: &mut ForwardTable,
        free: f64,
    ) -> bool {
        let least = free + self.costs.slip / self.costs.ink;
        CLOSING_WORDS.iter().any(|word| {
            let mut letters = word.chars();
            let capital = letters.next().into_iter().flat_map(char::to_uppercase);
            let capital: String = capital.chain(letters).collect();
            [word, capital.as_str()].into_iter().any(|word| {
                let Some(classes) = lattice.alphabet().encode(word) else {
                    return false;
                };
                let node = self.trie.descend(TextTrie::ROOT, &classes);
                let more = self.costs.crowded.exp() * table.scaled_beginning(&self.trie, node);
                (table.scaled_probability(&self.trie, node) + more).ln() >= least
            })
        })
    }

    /// Whether there is ink at a place.
    pub(crate) fn has_ink(&self, place: usize) -> bool {
        self.inks[place].is_some()
    }

    /// The likeliest free text of a place; none where it is blank.
    pub(crate) fn free_text(&self, place: usize) -> Option<&str> {
        self.inks[place].as_ref().map(|ink| ink.free_text.as_str())
    }

    /// Whether the ink is a move by its text.
    pub(crate) fn is_a_move(&self, place: usize) -> bool {
        let ink = self.inks[place].as_ref();
        ink.is_some_and(|ink| self.hands[ink.hand].reads(&ink.free_text))
    }

    /// Whether the ink shows the text of another place.
    pub(crate) fn repeats(&mut self, place: usize, other: usize) -> bool {
        let Some(text) = self.inks[other].as_ref().map(|ink| ink.lattice) else {
            return false;
        };
        let node = self
            .trie
            .descend(TextTrie::ROOT, &likeliest_path_text(text));
        let (Some(index), Some(ink)) = (self.tables_of(place), self.inks[place].as_ref()) else {
            return false;
        };
        let probability = self.tables[index]
            .plain
            .scaled_probability(&self.trie, node);
        self.costs.ink * (probability.ln() - ink.free) >= self.costs.contrary
    }

    /// Whether the ink looks like a move in any language, with other writing perhaps.
    pub(crate) fn looks_like_a_move(&self, place: usize) -> bool {
        !self.closes_the_game(place) && self.free_text(place).is_some_and(has_the_shape_of_a_move)
    }

    /// Whether the ink is likely to be no writing.
    pub(crate) fn looks_like_a_scribble(&self, place: usize) -> bool {
        self.inks[place].as_ref().is_some_and(|ink| ink.scribble)
    }

    /// Whether the ink shows a word that closes the game.
    pub(crate) fn closes_the_game(&self, place: usize) -> bool {
        self.inks[place].as_ref().is_some_and(|ink| ink.closing)
    }

    /// Whether the ink is no move as a whole, but may hold one or two.
    pub(crate) fn is_crowded(&self, place: usize) -> bool {
        self.inks[place].as_ref().is_some_and(|ink| ink.crowded)
    }

    /// All legal moves of a position.
    pub(crate) fn position(&mut self, board: &Board) -> Rc<Position> {
        self.repertoire.position(board, self.facts)
    }

    /// Natural log of the probability that each of a position's moves is played.
    pub(crate) fn chances<'p>(&self, board: &Board, position: &'p Position) -> &'p [f32] {
        self.repertoire.chances(board, position)
    }

    /// The facts of a move that is played from a position; none where it is not legal.
    pub(crate) fn describe(&self, board: &Board, played: Move) -> Option<LegalMove> {
        LegalMove::new_for(board, played, self.facts)
    }

    /// How a legal move fits a part of the ink at a place, which must have ink.
    pub(crate) fn judge(&mut self, place: usize, part: Part, playable: Playable) -> Fit {
        let number = playable.number as usize;
        let known = self.inks[place]
            .as_ref()
            .and_then(|ink| ink.fits[part as usize].get(number).copied())
            .unwrap_or(f32::NAN);
        let written = if known.is_nan() {
            let written = self.written_weight(place, part, number);
            let moves = self.repertoire.len();
            if let Some(ink) = &mut self.inks[place] {
                let fits = &mut ink.fits[part as usize];
                if fits.len() <= number {
                    fits.resize(moves, f32::NAN);
                }
                fits[number] = written as f32;
            }
            f64::from(written as f32)
        } else {
            f64::from(known)
        };
        Fit {
            weight: written.max(self.costs.slip),
            shown: written >= self.costs.slip.max(self.costs.contrary),
        }
    }

    /// The text in which a legal move is written at a place: the spelling that fits the ink best.
    pub(crate) fn written(&mut self, place: usize, legal: &LegalMove) -> Option<String> {
        let number = self.repertoire.number(legal) as usize;
        let tables = self.tables_of(place)?;
        let hand = self.inks[place].as_ref()?.hand;
        let texts = self.texts_of(number, hand);
        let table = &mut self.tables[tables].plain;
        let mut best: Option<(f64, TextNode)> = None;
        for spelling in &self.spellings[texts] {
            let probability = table.scaled_probability(&self.trie, spelling.node);
            let score = probability.ln() + f64::from(spelling.share).ln();
            if best.is_none_or(|(highest, _)| score > highest) {
                best = Some((score, spelling.node));
            }
        }
        let alphabet = self.hands[hand].speller().alphabet();
        best.map(|(_, node)| alphabet.decode(&self.trie.classes(node)))
    }

    /// The texts of a move by a hand, in `spellings`.
    fn texts_of(&mut self, number: usize, hand: usize) -> Range<usize> {
        if self.texts.len() <= number {
            self.texts.resize(self.repertoire.len(), None);
        }
        if let Some(known) = &self.texts[number] {
            return known[hand].clone();
        }
        let legal = *self.repertoire.legal(number as u32);
        let mut texts: [Range<usize>; MOST_COPIES] = Default::default();
        for (hand, texts) in self.hands.iter().zip(&mut texts) {
            let first = self.spellings.len();
            hand.speller().spell(
                std::slice::from_ref(&legal),
                &mut self.trie,
                &mut self.spellings,
            );
            self.add_beheaded(first);
            *texts = first..self.spellings.len();
        }
        self.texts[number].insert(texts)[hand].clone()
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

    /// The tables of a place's ink: their index in `tables`.
    fn tables_of(&mut self, place: usize) -> Option<usize> {
        self.clock += 1;
        let least = self.costs.confusion.exp();
        let ink = self.inks[place].as_mut()?;
        if self
            .tables
            .get(ink.tables)
            .is_none_or(|tables| tables.place != place)
        {
            ink.tables = if self.tables.len() < KEPT_TABLES {
                self.tables.push(Tables {
                    place,
                    used: 0,
                    plain: ForwardTable::default(),
                    loose: ForwardTable::with_loose_start(),
                });
                self.tables.len() - 1
            } else {
                let lately = |index: &usize| self.tables[*index].used;
                (0..self.tables.len()).min_by_key(lately).unwrap_or(0)
            };
            let tables = &mut self.tables[ink.tables];
            tables.place = place;
            let negligible = NEGLIGIBLE * (ink.free + self.costs.slip / self.costs.ink).exp();
            tables.plain.reset(ink.lattice, least, negligible);
            if ink.crowded {
                tables.loose.reset(ink.lattice, least, negligible);
            }
        }
        self.tables[ink.tables].used = self.clock;
        Some(ink.tables)
    }

    /// Natural log weight of the texts of a move in a part of the ink, against the likeliest free text.
    fn written_weight(&mut self, place: usize, part: Part, number: usize) -> f64 {
        let Some(hand) = self.inks[place].as_ref().map(|ink| ink.hand) else {
            return f64::NEG_INFINITY;
        };
        let texts = self.texts_of(number, hand);
        let (Some(index), Some(ink)) = (self.tables_of(place), self.inks[place].as_ref()) else {
            return f64::NEG_INFINITY;
        };
        let Tables { plain, loose, .. } = &mut self.tables[index];
        let trie = &self.trie;
        let crowded = self.costs.crowded.exp();
        let mut sum: f64 = 0.0;
        for spelling in &self.spellings[texts] {
            let usual = spelling.share >= USUAL;
            let probability = match part {
                Part::Whole => {
                    let mut whole = plain.scaled_probability(trie, spelling.node);
                    if ink.crowded && usual {
                        whole += crowded
                            * (loose.scaled_probability(trie, spelling.node)
                                + plain.scaled_beginning(trie, spelling.node));
                    }
                    whole
                }
                Part::First if usual => plain.scaled_beginning(trie, spelling.node),
                Part::Last if usual && ink.crowded => loose.scaled_probability(trie, spelling.node),
                Part::First | Part::Last => 0.0,
            };
            sum += f64::from(spelling.share) * probability;
        }
        self.costs.ink * (sum.ln() - ink.free)
    }
}

/// Whether a text names a square or castling. It must not depend on the language and system: else those in which nothing is a move would explain any sheet as a game that ended at once.
fn has_the_shape_of_a_move(text: &str) -> bool {
    let castling = text.starts_with(['O', '0', 'o']) && text.contains('-');
    let characters: Vec<char> = text.chars().collect();
    let descriptive = characters.len() >= 3
        && text.contains(['-', 'x'])
        && Reading::parse_in(text, Language::ENGLISH, System::Descriptive).is_ok();
    castling
        || descriptive
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
            ("P-K4", true),
            ("QKtxP", true),
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
