//! From the cells of a sheet to its most likely game.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::sync::Arc;

use cozy_chess::Color;
use scoresheet_notation::{Alphabet, Class, Habits, Language, Lattice, System};

use crate::confidence::SIGNS;
use crate::copies::{Copies, MOST_COPIES};
use crate::costs::Costs;
use crate::ctc::likeliest_path_text;
use crate::evidence::{CellEvidence, Examiner};
use crate::game::{DecodedMove, Game, Status};
use crate::hand::{Dialect, Hand, learn};
use crate::locks::Lock;
use crate::prior::Prior;
use crate::repair::repair;
use crate::search::{Search, Width};
use crate::tell::tell;

/// What the caller knows or wants.
#[derive(Debug, Clone)]
pub struct DecodeOptions {
    /// Language of the piece letters; none to find it out.
    pub language: Option<&'static Language>,
    /// System of notation; none to find it out.
    pub system: Option<System>,
    /// How the writers write.
    pub habits: Habits,
    /// Whether the habits are learnt from the game, which is then looked for again.
    pub learning: bool,
    /// Positions kept after each cell.
    pub beam_width: usize,
    /// What people play; none where all legal moves are to be alike.
    pub prior: Option<Arc<Prior>>,
    /// Moves that are known; no other is tried at their places in the game.
    pub locks: Vec<Lock>,
    /// Charges and thresholds.
    pub costs: Costs,
}

impl Default for DecodeOptions {
    fn default() -> Self {
        Self {
            language: None,
            system: None,
            habits: Habits::default(),
            learning: true,
            beam_width: 16,
            prior: Some(Prior::embedded()),
            locks: Vec::new(),
            costs: Costs::default(),
        }
    }
}

/// A sheet that begins with a later number continues another one, which is not at hand; an earlier one lacks a row or two.
const LATEST_START: u32 = 4;
/// Where no move is sure, and less than this share of at least so many inked cells shows the moves told, the sheet is of another position.
const FOREIGN_SHARE: f64 = 0.6;
const FEWEST_FOREIGN: usize = 8;
/// Where less than this share of the cells with ink shows a legal move, other languages are tried. Sheets in French or German show up to 0.73 in English;
/// of 217 English ones 13 show less than this, one of them less than 0.81.
const FAMILIAR_SHARE: f64 = 0.88;
/// Positions kept while languages and systems are compared, and rows that they are compared by.
const COMPARING_WIDTH: usize = 8;
const COMPARED_ROWS: u32 = 20;
/// Languages compared with the usual one, at most.
const MOST_LANGUAGES: usize = 6;

/// The most likely game of the copies of a sheet. The cells of each copy come in playing order; numbers left out count as blank cells. The game starts from the start position.
///
/// The result depends on nothing but the arguments.
pub fn decode(copies: &[Vec<CellEvidence>], options: &DecodeOptions) -> Game {
    let firsts = || copies.iter().filter_map(|cells| cells.first());
    if let Some(first) = firsts()
        .map(|cell| cell.number)
        .min()
        .filter(|&first| first > LATEST_START)
    {
        let remark = format!(
            "The sheet begins with move {first}; without the pages before it the position is not known, and the moves are told as they are written."
        );
        return as_written(copies, remark, options);
    }
    let alphabet = copies
        .iter()
        .flatten()
        .filter_map(|cell| cell.lattice.as_ref())
        .map(|lattice| Arc::clone(lattice.alphabet()))
        .next();
    let Some(alphabet) = alphabet else {
        return Game {
            moves: Vec::new(),
            remarks: vec!["There is no ink in any cell.".to_owned()],
            language: options.language.unwrap_or(Language::ENGLISH).code,
            system: options.system.unwrap_or_default(),
            log_weight: 0.0,
        };
    };
    let sheets = Sheets {
        copies,
        alphabet,
        options,
    };
    let dialects: Vec<Dialect> = copies
        .iter()
        .take(MOST_COPIES)
        .map(|copy| sheets.of(std::slice::from_ref(copy)).likeliest_dialect())
        .collect();
    let game = sheets.decode(&dialects);
    if is_foreign(&game, &options.costs) {
        let remark = "The moves fit no game from the start position, and are told as they are written; the sheet may continue another one.";
        return as_written(copies, remark.to_owned(), options);
    }
    game
}

/// Whether the ink contradicts the game from its start to its end: the sheet then belongs to another position.
fn is_foreign(game: &Game, costs: &Costs) -> bool {
    let inked = || game.moves.iter().filter(|told| !told.cells.is_empty());
    let shown = |told: &&DecodedMove| {
        told.played.is_some() && told.fit.is_some_and(|fit| f64::from(fit) >= costs.contrary)
    };
    let count = inked().count();
    count >= FEWEST_FOREIGN
        && inked().all(|told| told.status != Status::Sure)
        && (inked().filter(shown).count() as f64) < FOREIGN_SHARE * count as f64
}

/// Texts that begin with the letter of a piece in a language.
fn pieces_named(texts: &[Vec<Class>], language: &Language, alphabet: &Alphabet) -> usize {
    let letters: Vec<Vec<Class>> = language
        .pieces
        .iter()
        .filter_map(|letter| alphabet.encode(letter))
        .filter(|letter| !letter.is_empty())
        .collect();
    let names = |text: &&Vec<Class>| letters.iter().any(|letter| text.starts_with(letter));
    texts.iter().filter(names).count()
}

/// What is told of a sheet whose first position is not known: what was written, cell by cell, of the first copy that has ink in each place.
fn as_written(copies: &[Vec<CellEvidence>], remark: String, options: &DecodeOptions) -> Game {
    let text = |lattice: &Lattice| lattice.alphabet().decode(&likeliest_path_text(lattice));
    let mut moves: BTreeMap<u32, DecodedMove> = BTreeMap::new();
    for cell in copies.iter().flatten() {
        let Some(lattice) = &cell.lattice else {
            continue;
        };
        let ply = cell.number * 2 - u32::from(cell.colour == Color::White);
        let told = moves.entry(ply).or_insert_with(|| DecodedMove {
            ply,
            number: cell.number,
            colour: cell.colour,
            played: None,
            written: text(lattice),
            confidence: 0.0,
            fit: None,
            signs: [0.0; SIGNS.len()],
            status: Status::Unread,
            alternatives: Vec::new(),
            cells: Vec::new(),
        });
        told.cells.push(cell.cell);
    }
    Game {
        moves: moves.into_values().collect(),
        remarks: vec![remark],
        language: options.language.unwrap_or(Language::ENGLISH).code,
        system: options.system.unwrap_or_default(),
        log_weight: 0.0,
    }
}

struct Sheets<'a> {
    copies: &'a [Vec<CellEvidence>],
    alphabet: Arc<Alphabet>,
    options: &'a DecodeOptions,
}

impl Sheets<'_> {
    /// The same with other copies.
    fn of<'b>(&'b self, copies: &'b [Vec<CellEvidence>]) -> Sheets<'b> {
        Sheets {
            copies,
            alphabet: Arc::clone(&self.alphabet),
            options: self.options,
        }
    }

    /// The usual language and system where most cells show legal moves so; else those with the best game. The first rows tell.
    fn likeliest_dialect(&self) -> Dialect {
        let dialects = self.dialects();
        if let [one] = dialects[..] {
            return one;
        }
        let beginnings: Vec<Vec<CellEvidence>> = self
            .copies
            .iter()
            .map(|cells| {
                let early = |cell: &&CellEvidence| cell.number <= COMPARED_ROWS;
                cells.iter().filter(early).cloned().collect()
            })
            .collect();
        let beginning = self.of(&beginnings);
        let mut best: Option<(f64, Dialect)> = None;
        let (usual, others) = dialects.split_at(1);
        // The others are not looked at before the usual one has failed.
        let others = std::iter::once_with(|| beginning.readable(others)).flatten();
        for dialect in usual.iter().copied().chain(others) {
            let hands = [beginning.hand(dialect)];
            let mut copies = Copies::new(&beginnings);
            let mut examiner = beginning.examiner(&hands, &[0], &copies);
            copies.weigh(&mut examiner, &self.options.costs);
            let highest = best.map_or(f64::NEG_INFINITY, |(highest, _)| highest);
            let search = beginning.search(&copies);
            let layers = search.run(&mut examiner, Width::new(COMPARING_WIDTH), highest);
            let shown = layers.best_path_edges().filter(|edge| edge.shown).count();
            let inked = (0..copies.slots().len())
                .filter(|&place| examiner.has_ink(place))
                .count();
            let all = inked / copies.len().max(1);
            if best.is_none() && shown as f64 >= FAMILIAR_SHARE * all as f64 {
                return dialect;
            }
            let score = layers.best_score();
            if best.is_none_or(|(highest, _)| score > highest) {
                best = Some((score, dialect));
            }
        }
        best.map_or(Dialect::USUAL, |(_, dialect)| dialect)
    }

    /// Those of the dialects whose languages name pieces with the letters that most texts of cells begin with.
    fn readable(&self, dialects: &[Dialect]) -> Vec<Dialect> {
        let texts: Vec<Vec<Class>> = self
            .copies
            .iter()
            .flatten()
            .filter_map(|cell| cell.lattice.as_ref())
            .map(likeliest_path_text)
            .collect();
        let mut languages: Vec<(usize, &Language)> = Vec::new();
        for &Dialect { language, .. } in dialects {
            if languages.iter().all(|&(_, known)| known != language) {
                languages.push((pieces_named(&texts, language, &self.alphabet), language));
            }
        }
        languages.sort_by_key(|&(count, _)| Reverse(count));
        languages.truncate(MOST_LANGUAGES);
        let is_readable = |dialect: &&Dialect| {
            let mut readable = languages.iter();
            dialect.system == System::Descriptive
                || dialect.language == Language::ENGLISH
                || readable.any(|&(_, language)| language == dialect.language)
        };
        dialects.iter().filter(is_readable).copied().collect()
    }

    /// The languages and systems that come into question, the usual ones first.
    fn dialects(&self) -> Vec<Dialect> {
        let languages = match self.options.language {
            Some(language) => vec![language],
            None => Language::distinct(&self.alphabet),
        };
        let systems = match self.options.system {
            Some(system) => vec![system],
            None => System::ALL.to_vec(),
        };
        let mut dialects = Vec::new();
        for &system in &systems {
            for &language in &languages {
                // Descriptive notation is English.
                if system != System::Descriptive || language == Language::ENGLISH {
                    dialects.push(Dialect { language, system });
                }
            }
        }
        if dialects.is_empty() {
            dialects.push(Dialect {
                system: System::Descriptive,
                ..Dialect::USUAL
            });
        }
        dialects
    }

    fn hand(&self, dialect: Dialect) -> Hand {
        Hand::new(&self.alphabet, dialect, self.options.habits.clone())
    }

    /// An examiner of the copies, each with the index of its hand.
    fn examiner<'a>(
        &'a self,
        hands: &'a [Hand],
        of_copies: &[usize],
        copies: &Copies<'a>,
    ) -> Examiner<'a> {
        let inks = copies.slots().iter().enumerate().map(|(place, slot)| {
            let lattice = slot.evidence.and_then(|cell| cell.lattice.as_ref());
            (of_copies[copies.copy_of(place)], lattice)
        });
        let prior = self.options.prior.as_deref();
        Examiner::new(hands, &self.options.costs, prior, inks)
    }

    fn search<'a>(&'a self, copies: &'a Copies<'a>) -> Search<'a> {
        Search {
            copies,
            locks: &self.options.locks,
            costs: &self.options.costs,
        }
    }

    /// The most likely game of copies in these languages and systems. Where it leaves doubts, it is looked for again with the habits that its likely moves show.
    fn decode(&self, dialects: &[Dialect]) -> Game {
        let hands = dialects.iter().map(|&dialect| self.hand(dialect)).collect();
        let (game, learnt) = self.decode_in(hands);
        match learnt {
            Some(hands) => self.decode_in(hands).0,
            None => game,
        }
    }

    /// The most likely game of copies, each by a hand, and the hands that it shows where they are worth another search.
    fn decode_in(&self, hands: Vec<Hand>) -> (Game, Option<Vec<Hand>>) {
        let options = self.options;
        let mut distinct: Vec<Hand> = Vec::new();
        let mut of_copies = Vec::new();
        for hand in hands {
            let known = distinct.iter().position(|known| known.is_like(&hand));
            of_copies.push(known.unwrap_or(distinct.len()));
            if known.is_none() {
                distinct.push(hand);
            }
        }
        let first = distinct.first().map_or(Dialect::USUAL, |hand| hand.dialect);
        let mut copies = Copies::new(self.copies);
        let mut examiner = self.examiner(&distinct, &of_copies, &copies);
        copies.weigh(&mut examiner, &options.costs);
        let search = self.search(&copies);
        let width = Width::new(options.beam_width);
        let mut layers = search.run(&mut examiner, width, f64::NEG_INFINITY);
        repair(&search, &mut layers, &mut examiner, width);
        let (moves, remarks) = tell(&search, &layers, &mut examiner);
        let in_doubt = moves.iter().any(|told| told.status != Status::Sure);
        let hands = (&distinct[..], &of_copies[..]);
        let learnt = (options.learning && in_doubt)
            .then(|| learn(&search, &layers, &moves, &mut examiner, hands))
            .flatten();
        let game = Game {
            moves,
            remarks,
            language: first.language.code,
            system: first.system,
            log_weight: layers.best_score(),
        };
        (game, learnt)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_letters_tell_the_language() {
        let alphabet =
            Alphabet::from_lines("_\nK\nQ\nR\nB\nN\nC\nD\nF\nT\nS\nL\ne\nc\n4\n6").unwrap();
        let encode = |text: &&str| alphabet.encode(text).unwrap();
        let table = [
            (
                ["Cc6", "Fc4", "De4", "Re6"],
                [("fr", 4), ("de", 1), ("en", 1)],
            ),
            (
                ["Sc6", "Lc4", "De4", "Ke6"],
                [("fr", 1), ("de", 4), ("en", 1)],
            ),
            (["e4", "c6", "c4", "e6"], [("fr", 0), ("de", 0), ("en", 0)]),
        ];
        for (texts, counts) in table {
            let texts: Vec<Vec<Class>> = texts.iter().map(encode).collect();
            for (code, count) in counts {
                let language = Language::by_code(code).unwrap();
                assert_eq!(pieces_named(&texts, language, &alphabet), count, "{code}");
            }
        }
    }
}
