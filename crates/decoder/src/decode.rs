//! From the cells of a sheet to its most likely game.

use std::collections::HashMap;
use std::sync::Arc;

use cozy_chess::{Board, Color, Move};
use scoresheet_notation::{Alphabet, Habits, Language, Lattice, LegalMove, Speller, System};

use crate::confidence::calibrate;
use crate::costs::Costs;
use crate::ctc::likeliest_path_text;
use crate::evidence::{CellEvidence, Examiner};
use crate::game::{Alternative, DecodedMove, Game, PlayedMove, Status};
use crate::posterior::{Posterior, posterior};
use crate::repair::repair;
use crate::search::{Edge, Layers, Search, Slot, Step, Width};

/// What the caller knows or wants.
#[derive(Debug, Clone)]
pub struct DecodeOptions {
    /// Language of the piece letters; none to find it out.
    pub language: Option<&'static Language>,
    /// System of notation.
    pub system: System,
    /// How the writers write.
    pub habits: Habits,
    /// Positions kept after each cell.
    pub beam_width: usize,
    /// Moves that are known; no other is tried at their places in the game.
    pub locks: Vec<Lock>,
    /// Charges and thresholds.
    pub costs: Costs,
}

/// A move that the caller knows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lock {
    /// Half-move number from 1.
    pub ply: u32,
    /// The move in standard algebraic notation, `+` and `#` included.
    pub san: String,
}

impl Default for DecodeOptions {
    fn default() -> Self {
        Self {
            language: None,
            system: System::ShortAlgebraic,
            habits: Habits::default(),
            beam_width: 32,
            locks: Vec::new(),
            costs: Costs::default(),
        }
    }
}

/// Alternatives less likely than this are not told.
const LEAST_ALTERNATIVE: f64 = 0.001;
/// Alternatives told at most.
const MOST_ALTERNATIVES: usize = 5;
/// Cells after the end that look like moves, from which on they count as a lost game instead.
const LOST_MOVES: usize = 6;
/// A sheet that begins with a later number continues another one, which is not at hand; an earlier one lacks a row or two.
const LATEST_START: u32 = 4;
/// Where no move is sure, and less than this share of at least so many inked cells shows the moves told, the sheet is of another position.
const FOREIGN_SHARE: f64 = 0.6;
const FEWEST_FOREIGN: usize = 8;
/// A gap in the row numbers longer than this is taken as a mistake and not filled with blank cells.
const LONGEST_GAP: u32 = 40;
/// Where less than this share of the cells with ink shows a legal move, other languages are tried.
const FAMILIAR_SHARE: f64 = 0.7;
/// Positions kept while languages are compared.
const COMPARING_WIDTH: usize = 8;

/// The most likely game of a sheet. `cells` come in playing order; numbers left out count as blank cells. The game starts from the start position.
///
/// The result depends on nothing but the arguments.
pub fn decode(cells: &[CellEvidence], options: &DecodeOptions) -> Game {
    if let Some(first) = cells.first().filter(|cell| cell.number > LATEST_START) {
        let remark = format!(
            "The sheet begins with move {}; without the pages before it the position is not known, and the moves are told as they are written.",
            first.number
        );
        return as_written(cells, remark, options);
    }
    let places = fill_gaps(cells);
    let alphabet = cells
        .iter()
        .flat_map(|cell| &cell.lattices)
        .map(|lattice| Arc::clone(lattice.alphabet()))
        .next();
    let (Some(alphabet), Some(last_ink)) =
        (alphabet, places.iter().rposition(|place| place.has_ink()))
    else {
        return Game {
            moves: Vec::new(),
            remarks: vec!["There is no ink in any cell.".to_owned()],
            language: options.language.unwrap_or(Language::ENGLISH).code,
            system: options.system,
            log_weight: 0.0,
        };
    };
    let sheet = Sheet {
        places: &places[..=last_ink],
        alphabet,
        options,
    };
    let language = match options.language {
        Some(language) => language,
        None => sheet.likeliest_language(),
    };
    let game = sheet.decode(language, options.beam_width);
    if is_foreign(&game, &options.costs) {
        let remark = "The moves fit no game from the start position, and are told as they are written; the sheet may continue another one.";
        return as_written(cells, remark.to_owned(), options);
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

/// What is told of a sheet whose first position is not known: what was written, cell by cell.
fn as_written(cells: &[CellEvidence], remark: String, options: &DecodeOptions) -> Game {
    let text = |lattice: &Lattice| lattice.alphabet().decode(&likeliest_path_text(lattice));
    let moves = cells
        .iter()
        .filter_map(|cell| {
            let written = text(cell.lattices.first()?);
            Some(DecodedMove {
                ply: cell.number * 2 - u32::from(cell.colour == Color::White),
                number: cell.number,
                colour: cell.colour,
                played: None,
                written,
                confidence: 0.0,
                fit: None,
                status: Status::Unread,
                alternatives: Vec::new(),
                cells: cell.cells.clone(),
            })
        })
        .collect();
    Game {
        moves,
        remarks: vec![remark],
        language: options.language.unwrap_or(Language::ENGLISH).code,
        system: options.system,
        log_weight: 0.0,
    }
}

/// The move told, if it is claimed, and the alternatives to it.
fn claim(
    claimed: bool,
    legal: &LegalMove,
    san: String,
    chances: Vec<Alternative>,
) -> (Option<PlayedMove>, Vec<Alternative>) {
    let alternatives = chances
        .into_iter()
        .filter(|chance| !(claimed && chance.san == san))
        .take(MOST_ALTERNATIVES)
        .collect();
    let played = claimed.then(|| PlayedMove {
        legal: legal.played,
        uci: legal.uci(),
        san,
    });
    (played, alternatives)
}

/// A cell of the sheet, or the place of one that is left out.
struct Place<'a> {
    number: u32,
    colour: Color,
    evidence: Option<&'a CellEvidence>,
}

impl Place<'_> {
    fn has_ink(&self) -> bool {
        self.evidence.is_some_and(|cell| !cell.lattices.is_empty())
    }

    fn name(&self) -> String {
        format!("{}. {}", self.number, colour_name(self.colour))
    }
}

fn colour_name(colour: Color) -> &'static str {
    match colour {
        Color::White => "White",
        Color::Black => "Black",
    }
}

/// Puts blank places where numbers are left out.
fn fill_gaps(cells: &[CellEvidence]) -> Vec<Place<'_>> {
    let half_moves =
        |number: u32, colour: Color| u64::from(number) * 2 + u64::from(colour == Color::Black);
    let blank = |half_move: u64| Place {
        number: (half_move / 2) as u32,
        colour: if half_move.is_multiple_of(2) {
            Color::White
        } else {
            Color::Black
        },
        evidence: None,
    };
    let mut places: Vec<Place<'_>> = Vec::with_capacity(cells.len() + 1);
    let first = cells
        .first()
        .map_or(0, |cell| half_moves(cell.number, cell.colour));
    places.extend((half_moves(1, Color::White)..first).map(blank));
    for cell in cells {
        if let Some(last) = places.last() {
            let expected = half_moves(last.number, last.colour) + 1;
            let found = half_moves(cell.number, cell.colour);
            if found.saturating_sub(expected) <= u64::from(2 * LONGEST_GAP) {
                places.extend((expected..found).map(blank));
            }
        }
        places.push(Place {
            number: cell.number,
            colour: cell.colour,
            evidence: Some(cell),
        });
    }
    places
}

struct Sheet<'a> {
    /// Up to the last one with ink.
    places: &'a [Place<'a>],
    alphabet: Arc<Alphabet>,
    options: &'a DecodeOptions,
}

impl Sheet<'_> {
    /// English where most cells show legal moves so; else the language with the best game.
    fn likeliest_language(&self) -> &'static Language {
        let inked = self.places.iter().filter(|place| place.has_ink()).count();
        let mut best: Option<(f64, &'static Language)> = None;
        for language in Language::distinct(&self.alphabet) {
            let speller = self.speller(language);
            let mut examiner = Examiner::new(&speller, language, &self.options.costs);
            let layers = self.search(&mut examiner, COMPARING_WIDTH, false);
            let shown = layers.best_path_edges().filter(|edge| edge.shown).count();
            if best.is_none() && shown as f64 >= FAMILIAR_SHARE * inked as f64 {
                return language;
            }
            let score = layers.best_score();
            if best.is_none_or(|(highest, _)| score > highest) {
                best = Some((score, language));
            }
        }
        best.map_or(Language::ENGLISH, |(_, language)| language)
    }

    fn speller(&self, language: &Language) -> Speller {
        Speller::new(
            Arc::clone(&self.alphabet),
            language,
            self.options.system,
            self.options.habits.clone(),
        )
    }

    fn search(&self, examiner: &mut Examiner<'_>, beam_width: usize, repairing: bool) -> Layers {
        let slots: Vec<Slot<'_>> = self
            .places
            .iter()
            .map(|place| Slot {
                colour: place.colour,
                lattices: place.evidence.map_or(&[][..], |cell| &cell.lattices),
            })
            .collect();
        let search = Search {
            slots: &slots,
            locks: &self.options.locks,
            costs: &self.options.costs,
        };
        let width = Width {
            beam: beam_width.max(1),
            wide: beam_width.max(1) * 5,
            far: 22.0,
            gaps: 0,
        };
        let mut layers = search.run(examiner, width);
        if repairing {
            repair(&search, &mut layers, examiner, width);
        }
        layers
    }

    fn decode(&self, language: &'static Language, beam_width: usize) -> Game {
        let options = self.options;
        let speller = self.speller(language);
        let mut examiner = Examiner::new(&speller, language, &options.costs);
        let layers = self.search(&mut examiner, beam_width, true);
        let posterior = posterior(&layers, options.costs.temperature);
        let path = layers.best_path();
        let mut game = Game {
            moves: Vec::new(),
            remarks: Vec::new(),
            language: language.code,
            system: options.system,
            log_weight: layers.best_score(),
        };
        for depth in 1..path.len() {
            self.tell_cell(depth, &path, &layers, &posterior, &mut examiner, &mut game);
        }
        calibrate(&mut game.moves, options.costs.contrary, options.costs.sure);
        self.tell_rest(path.len() - 1, &mut examiner, &mut game);
        game
    }

    /// Adds what the best path makes of one cell to the game.
    fn tell_cell(
        &self,
        depth: usize,
        path: &[usize],
        layers: &Layers,
        posterior: &Posterior,
        examiner: &mut Examiner<'_>,
        game: &mut Game,
    ) {
        let costs = &self.options.costs;
        let place = &self.places[depth - 1];
        let ink = examiner.take(
            depth - 1,
            place.evidence.map_or(&[][..], |cell| &cell.lattices),
        );
        let free_text = examiner.free_texts().first().cloned().unwrap_or_default();
        let edge = &layers.layers[depth][path[depth]].edges[0];
        let mut board = layers.layers[depth - 1][edge.parent].board.clone();
        if let Some(skipped) = edge.skipped {
            self.tell_skipped(depth, skipped, &board, layers, posterior, game);
            board.play_unchecked(skipped);
        }
        let Some(legal) = played(&board, edge.step) else {
            game.remarks.push(if ink {
                format!("{}: \"{free_text}\" stands for no move.", place.name())
            } else {
                format!(
                    "{}: the cell is blank and no move is missing.",
                    place.name()
                )
            });
            return;
        };
        let chances = chances(depth, layers, posterior, played_in_cell);
        let san = legal.san();
        let confidence = chances
            .iter()
            .find(|chance| chance.san == san)
            .map_or(0.0, |chance| chance.probability)
            .min(1.0);
        let shown = edge.shown;
        let claimed = shown || f64::from(confidence) >= costs.claim;
        let status = match (shown, claimed) {
            (true, _) if f64::from(confidence) >= costs.sure => Status::Sure,
            (_, true) => Status::Doubtful,
            (_, false) if ink => Status::Illegal,
            (_, false) => Status::Unread,
        };
        let ply = game.moves.len() as u32 + 1;
        let number = ply.div_ceil(2);
        if !shown {
            let what = if ink {
                format!("\"{free_text}\" is no legal move")
            } else {
                "the move is missing".to_owned()
            };
            let then = if claimed {
                format!("; {san} fits the moves after it")
            } else {
                String::new()
            };
            game.remarks
                .push(format!("{}: {what}{then}.", place.name()));
        }
        let written = if shown {
            examiner.written(&legal).unwrap_or(free_text)
        } else {
            free_text
        };
        let (played, alternatives) = claim(claimed, &legal, san, chances);
        game.moves.push(DecodedMove {
            ply,
            number,
            colour: board.side_to_move(),
            alternatives,
            played,
            written,
            confidence,
            fit: ink.then_some(edge.fit as f32 / examiner.free_texts().len().max(1) as f32),
            status,
            cells: place
                .evidence
                .map_or_else(Vec::new, |cell| cell.cells.clone()),
        });
    }

    /// Adds a move that has no cell.
    fn tell_skipped(
        &self,
        depth: usize,
        skipped: Move,
        board: &Board,
        layers: &Layers,
        posterior: &Posterior,
        game: &mut Game,
    ) {
        let Some(legal) = LegalMove::new(board, skipped) else {
            return;
        };
        let san = legal.san();
        let chances = chances(depth, layers, posterior, |edge| {
            edge.skipped.map(|skipped| (None, skipped))
        });
        let confidence = chances
            .iter()
            .find(|chance| chance.san == san)
            .map_or(0.0, |chance| chance.probability)
            .min(1.0);
        let claimed = f64::from(confidence) >= self.options.costs.claim;
        let ply = game.moves.len() as u32 + 1;
        let number = ply.div_ceil(2);
        let colour = board.side_to_move();
        game.remarks.push(format!(
            "{}: {}'s move before it is left out{}.",
            self.places[depth - 1].name(),
            colour_name(colour),
            if claimed {
                format!("; {san} fits the moves after it")
            } else {
                String::new()
            }
        ));
        let (played, alternatives) = claim(claimed, &legal, san, chances);
        game.moves.push(DecodedMove {
            ply,
            number,
            colour,
            alternatives,
            played,
            written: String::new(),
            confidence,
            fit: None,
            status: if claimed {
                Status::Doubtful
            } else {
                Status::Unread
            },
            cells: Vec::new(),
        });
    }

    /// Tells the ink after the end of the game: in a remark, or as unplayable moves where so much of it looks like moves that the thread of the game was lost.
    fn tell_rest(&self, end: usize, examiner: &mut Examiner<'_>, game: &mut Game) {
        let mut rest = Vec::new();
        for (index, place) in self.places.iter().enumerate().skip(end) {
            let lattices = place.evidence.map_or(&[][..], |cell| &cell.lattices);
            if examiner.take(index, lattices) {
                let text = examiner.free_texts().join("\" and \"");
                rest.push((index, text, examiner.looks_like_a_move()));
            }
        }
        let moves = rest
            .iter()
            .filter(|(_, _, like_a_move)| *like_a_move)
            .count();
        let lost = moves >= LOST_MOVES && 2 * moves > rest.len();
        let last = rest.iter().rposition(|(_, _, like_a_move)| *like_a_move);
        if lost && let Some((first, _, _)) = rest.first() {
            let name = self.places[*first].name();
            game.remarks.push(format!(
                "{name}: from here on no legal game fits the cells."
            ));
        }
        for (order, (index, text, _)) in rest.into_iter().enumerate() {
            let place = &self.places[index];
            if !lost || Some(order) > last {
                game.remarks.push(format!(
                    "{}: \"{text}\" after the end of the game.",
                    place.name()
                ));
                continue;
            }
            let ply = place.number * 2 - u32::from(place.colour == Color::White);
            if game.moves.last().is_some_and(|before| before.ply >= ply) {
                continue;
            }
            game.moves.push(DecodedMove {
                ply,
                number: place.number,
                colour: place.colour,
                played: None,
                written: text,
                confidence: 0.0,
                fit: None,
                status: Status::Illegal,
                alternatives: Vec::new(),
                cells: place
                    .evidence
                    .map_or_else(Vec::new, |cell| cell.cells.clone()),
            });
        }
    }
}

fn played(board: &Board, step: Step) -> Option<LegalMove> {
    match step {
        Step::Played(played) => LegalMove::new(board, played),
        Step::Passed => None,
    }
}

/// The move that stands in a cell, and the one left out before it.
fn played_in_cell(edge: &Edge) -> Option<(Option<Move>, Move)> {
    match edge.step {
        Step::Played(played) => Some((edge.skipped, played)),
        Step::Passed => None,
    }
}

/// Position in the layer before, a move left out, and a move.
type WayTo = (usize, Option<Move>, Move);

/// The moves that may have been played, the most likely first; `of_edge` tells the move meant and one played before it from the same position.
fn chances(
    depth: usize,
    layers: &Layers,
    posterior: &Posterior,
    of_edge: impl Fn(&Edge) -> Option<(Option<Move>, Move)>,
) -> Vec<Alternative> {
    // One move from one position is one entry; positions differ, so that the same text may come from several.
    let mut by_move: HashMap<WayTo, f64> = HashMap::new();
    for (node, probabilities) in layers.layers[depth].iter().zip(&posterior.edges[depth]) {
        for (edge, probability) in node.edges.iter().zip(probabilities) {
            if let Some((before, played)) = of_edge(edge) {
                *by_move.entry((edge.parent, before, played)).or_default() += probability;
            }
        }
    }
    let mut by_text: HashMap<String, f64> = HashMap::new();
    let mut entries: Vec<(WayTo, f64)> = by_move
        .into_iter()
        .filter(|&(_, probability)| probability >= LEAST_ALTERNATIVE / 100.0)
        .collect();
    // Sums of floats depend on their order, and a map has none.
    entries.sort_by(|(a, p), (b, q)| {
        q.total_cmp(p)
            .then(a.0.cmp(&b.0))
            .then_with(|| format!("{:?}", (a.1, a.2)).cmp(&format!("{:?}", (b.1, b.2))))
    });
    for ((parent, before, played), probability) in entries {
        let mut board = layers.layers[depth - 1][parent].board.clone();
        if let Some(before) = before {
            board.play_unchecked(before);
        }
        if let Some(legal) = LegalMove::new(&board, played) {
            *by_text.entry(legal.san()).or_default() += probability;
        }
    }
    let mut chances: Vec<Alternative> = by_text
        .into_iter()
        .filter(|&(_, probability)| probability >= LEAST_ALTERNATIVE)
        .map(|(san, probability)| Alternative {
            san,
            probability: probability as f32,
        })
        .collect();
    chances.sort_by(|a, b| {
        b.probability
            .total_cmp(&a.probability)
            .then_with(|| a.san.cmp(&b.san))
    });
    chances
}
