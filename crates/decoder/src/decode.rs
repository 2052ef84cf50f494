//! From the cells of a sheet to its most likely game.

use std::collections::BTreeMap;
use std::sync::Arc;

use cozy_chess::Color;
use scoresheet_notation::{Alphabet, Habits, Language, Lattice, System};

use crate::confidence::SIGNS;
use crate::copies::{Copies, MOST_COPIES};
use crate::costs::Costs;
use crate::ctc::likeliest_path_text;
use crate::dialect::Trial;
use crate::evidence::{CellEvidence, Examiner, LEAST_MOVE};
use crate::game::{DecodedMove, Game, Status};
use crate::hand::{Dialect, Hand, Hands, learn};
use crate::locks::Lock;
use crate::prior::Prior;
use crate::repair::repair;
use crate::repertoire::Repertoire;
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
    /// Positions kept after each cell where the thread may be lost; as long as it is clear fewer do.
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
    let game = sheets.decode();
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

/// What is told of a sheet whose first position is not known: what was written, cell by cell, of the first copy that has ink in each place.
fn as_written(copies: &[Vec<CellEvidence>], remark: String, options: &DecodeOptions) -> Game {
    let text = |lattice: &Lattice| lattice.alphabet().decode(&likeliest_path_text(lattice));
    let mut moves: BTreeMap<u32, DecodedMove> = BTreeMap::new();
    for cell in copies.iter().flatten() {
        let Some(lattice) = &cell.lattice else {
            continue;
        };
        let written = text(lattice);
        if written.chars().count() < LEAST_MOVE {
            // No move, but dust or a flourish.
            continue;
        }
        let ply = cell.number * 2 - u32::from(cell.colour == Color::White);
        let told = moves.entry(ply).or_insert_with(|| DecodedMove {
            ply,
            number: cell.number,
            colour: cell.colour,
            played: None,
            written,
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

/// The copies of a sheet, and what is known and wanted of them.
pub(crate) struct Sheets<'a> {
    pub copies: &'a [Vec<CellEvidence>],
    pub alphabet: Arc<Alphabet>,
    pub options: &'a DecodeOptions,
}

impl Sheets<'_> {
    pub(crate) fn hand(&self, dialect: Dialect) -> Hand {
        Hand::new(&self.alphabet, dialect, self.options.habits.clone())
    }

    /// The copies laid out and weighed as their hands show them.
    pub(crate) fn examine<'a>(
        &'a self,
        hands: &'a Hands,
        repertoire: &'a mut Repertoire,
    ) -> (Copies<'a>, Examiner<'a>) {
        let mut copies = Copies::new(self.copies);
        let inks = copies.slots().iter().enumerate().map(|(place, slot)| {
            let lattice = slot.evidence.and_then(|cell| cell.lattice.as_ref());
            (hands.of_copies[copies.copy_of(place)], lattice)
        });
        let mut examiner = Examiner::new(&hands.distinct, &self.options.costs, repertoire, inks);
        copies.weigh(&mut examiner, &self.options.costs);
        (copies, examiner)
    }

    pub(crate) fn search<'a>(&'a self, copies: &'a Copies<'a>) -> Search<'a> {
        Search {
            copies,
            locks: &self.options.locks,
            costs: &self.options.costs,
        }
    }

    /// The most likely game. Where it leaves doubts, it is looked for again with the habits that its likely moves show.
    fn decode(&self) -> Game {
        let mut repertoire = Repertoire::new(self.options.prior.clone());
        let dialects = self.dialects();
        let usual = dialects[0];
        let count = self.copies.len().min(MOST_COPIES);
        let hands = Hands::new((0..count).map(|_| self.hand(usual)));
        let (copies, mut examiner) = self.examine(&hands, &mut repertoire);
        // A dialect that is alone, or explains the ink well, needs no comparison with others; what was found out about the cells stays.
        let mut trials = Vec::new();
        if dialects.len() > 1 {
            trials.extend(
                (0..count)
                    .map(|copy| self.try_dialect(usual, (&copies, copy), &mut examiner, None)),
            );
        }
        let found = if trials.iter().all(Trial::is_familiar) {
            self.decode_or_learn(&hands, &copies, examiner)
        } else {
            drop(examiner);
            let likeliest = self.likeliest_dialects(trials, &dialects, &mut repertoire);
            let hands = Hands::new(likeliest.into_iter().map(|dialect| self.hand(dialect)));
            let (copies, examiner) = self.examine(&hands, &mut repertoire);
            self.decode_or_learn(&hands, &copies, examiner)
        };
        match found {
            Found::Game(game) => game,
            Found::OtherHands(hands) => {
                let (copies, mut examiner) = self.examine(&hands, &mut repertoire);
                let search = self.search(&copies);
                let beam = self.options.beam_width;
                let mut layers = search.run(&mut examiner, Width::narrow(beam), |_, _| false);
                repair(&search, &mut layers, &mut examiner, Width::full(beam));
                let told = tell(&search, &layers, &mut examiner);
                self.game(&hands, told, layers.best_score())
            }
        }
    }

    /// The most likely game of copies, each by a hand; or the hands that the likely moves of a first search show, where they are others.
    fn decode_or_learn(
        &self,
        hands: &Hands,
        copies: &Copies<'_>,
        mut examiner: Examiner<'_>,
    ) -> Found {
        let search = self.search(copies);
        let beam = self.options.beam_width;
        let mut layers = search.run(&mut examiner, Width::narrow(beam), |_, _| false);
        let mut told = tell(&search, &layers, &mut examiner);
        let in_doubt = told.0.iter().any(|told| told.status != Status::Sure);
        if self.options.learning
            && in_doubt
            && let Some(hands) = learn(&search, &layers, &told.0, &mut examiner, hands)
        {
            return Found::OtherHands(hands);
        }
        if repair(&search, &mut layers, &mut examiner, Width::full(beam)) {
            told = tell(&search, &layers, &mut examiner);
        }
        Found::Game(self.game(hands, told, layers.best_score()))
    }

    fn game(
        &self,
        hands: &Hands,
        (moves, remarks): (Vec<DecodedMove>, Vec<String>),
        log_weight: f64,
    ) -> Game {
        let Dialect { language, system } = hands.dialect();
        Game {
            moves,
            remarks,
            language: language.code,
            system,
            log_weight,
        }
    }
}

/// What a first search comes to.
enum Found {
    Game(Game),
    /// Hands that write otherwise than those that were looked for.
    OtherHands(Hands),
}
