//! The best whole game in moves, alternatives and words.

use std::collections::HashMap;

use cozy_chess::{Color, Move};
use scoresheet_notation::LegalMove;

use crate::confidence::{SIGNS, calibrate};
use crate::copies::Passage;
use crate::evidence::Examiner;
use crate::game::{Alternative, DecodedMove, PlayedMove, Status};
use crate::posterior::{Posterior, posterior};
use crate::rivals::rivals;
use crate::search::{Layers, Search};

/// Alternatives less likely than this are not told.
const LEAST_ALTERNATIVE: f64 = 0.001;
/// Alternatives told at most.
const MOST_ALTERNATIVES: usize = 5;
/// Cells after the end that look like moves, from which on they count as a lost game instead.
const LOST_MOVES: usize = 6;

/// The moves of the best whole game, and remarks on what happened besides.
pub(crate) fn tell(
    search: &Search<'_>,
    layers: &Layers,
    examiner: &mut Examiner<'_>,
) -> (Vec<DecodedMove>, Vec<String>) {
    let mut teller = Teller {
        search,
        layers,
        posterior: posterior(layers, search.costs.temperature),
        moves: Vec::new(),
        remarks: Vec::new(),
    };
    let path = layers.best_path();
    let shown: Vec<bool> = layers.best_path_edges().map(|edge| edge.shown).collect();
    for depth in 1..path.len() {
        let proof = shown[depth..].iter().take_while(|shown| **shown).count();
        teller.tell_move(&path, depth, proof, examiner);
    }
    calibrate(&mut teller.moves, search.costs.contrary, search.costs.sure);
    teller.settle_locks();
    teller.tell_rest(&path, examiner);
    (teller.moves, teller.remarks)
}

struct Teller<'a> {
    search: &'a Search<'a>,
    layers: &'a Layers,
    posterior: Posterior,
    moves: Vec<DecodedMove>,
    remarks: Vec<String>,
}

impl Teller<'_> {
    /// Adds the `depth`th move of the best path; the ink shows the next `proof` moves after it.
    fn tell_move(
        &mut self,
        path: &[usize],
        depth: usize,
        proof: usize,
        examiner: &mut Examiner<'_>,
    ) {
        let costs = self.search.costs;
        let edge = &self.layers.layers[depth][path[depth]].edges[0];
        let parent = &self.layers.layers[depth - 1][edge.parent];
        let side = parent.board.side_to_move();
        let passages: Vec<Passage> = self
            .search
            .passages(&parent.heads, side, &edge.ways)
            .collect();
        let Some(legal) = examiner.describe(&parent.board, edge.played) else {
            return;
        };
        let ply = depth as u32;
        // Of a move that the caller knows, nothing is to be said.
        let locked = self.search.locks.iter().any(|lock| lock.ply() == ply);
        if !locked {
            self.tell_passed(&passages, examiner);
        }
        let taken: Vec<usize> = passages
            .iter()
            .filter_map(|passage| passage.taken)
            .map(|(place, _)| place)
            .collect();
        let inked: Vec<usize> = taken
            .iter()
            .copied()
            .filter(|&place| examiner.has_ink(place))
            .collect();
        let san = legal.san();
        let (chances, proved) = self.chances(path, depth, &san, examiner);
        let confidence = chances
            .iter()
            .find(|chance| chance.san == san)
            .map_or(0.0, |chance| chance.probability)
            .min(1.0);
        let claimed = edge.shown || proved >= costs.claim;
        let status = match (edge.shown, claimed) {
            (true, _) if f64::from(confidence) >= costs.sure => Status::Sure,
            (_, true) => Status::Doubtful,
            (_, false) if !inked.is_empty() => Status::Illegal,
            (_, false) => Status::Unread,
        };
        let free_text = inked
            .first()
            .and_then(|&place| examiner.free_text(place))
            .unwrap_or_default()
            .to_owned();
        if !edge.shown && !locked {
            let place = taken.first().map_or_else(
                || format!("{}. {}", ply.div_ceil(2), colour_name(side)),
                |&place| self.search.copies.name(place),
            );
            let what = match (inked.is_empty(), taken.is_empty()) {
                (false, _) if free_text.is_empty() => "the ink cannot be read".to_owned(),
                (false, _) => format!("\"{free_text}\" does not fit the game"),
                (true, false) => "the move is missing".to_owned(),
                (true, true) => "the move is left out".to_owned(),
            };
            let then = match proof {
                _ if !claimed => String::new(),
                0 => format!("; {san} is the likeliest"),
                1 => format!("; {san} fits the next move"),
                _ => format!("; {san} fits the next {proof} moves"),
            };
            self.remarks.push(format!("{place}: {what}{then}."));
        }
        // The copy that shows the move best tells how it is written.
        let written = if edge.shown {
            inked
                .iter()
                .filter_map(|&place| examiner.written(place, &legal))
                .next()
                .unwrap_or(free_text)
        } else {
            free_text
        };
        let cell = |place: &usize| {
            self.search.copies.slots()[*place]
                .evidence
                .map(|cell| cell.cell)
        };
        let cells = taken.iter().filter_map(cell).collect();
        let (played, alternatives) = claim(claimed, &legal, san, chances);
        self.moves.push(DecodedMove {
            ply,
            number: ply.div_ceil(2),
            colour: side,
            alternatives,
            played,
            written,
            confidence,
            fit: (!inked.is_empty()).then(|| edge.fit as f32 / inked.len() as f32),
            signs: [0.0; SIGNS.len()],
            status,
            cells,
        });
    }

    /// The `depth`th moves of all games that the search kept: index of the position before, and move, with their probability.
    fn steps(&self, depth: usize) -> Vec<((usize, Move), f64)> {
        // Several edges may have the same move from the same position.
        let mut steps: Vec<((usize, Move), f64)> = Vec::new();
        let mut places: HashMap<(usize, Move), usize> = HashMap::new();
        let layer = &self.layers.layers[depth];
        for (node, probabilities) in layer.iter().zip(&self.posterior.edges[depth]) {
            for (edge, probability) in node.edges.iter().zip(probabilities) {
                let key = (edge.parent, edge.played);
                let place = *places.entry(key).or_insert(steps.len());
                if place == steps.len() {
                    steps.push((key, 0.0));
                }
                steps[place].1 += probability;
            }
        }
        steps
    }

    /// Gives the moves that would do as well as one that no ink shows their share, whether the search kept them or not.
    fn add_rivals(
        &self,
        steps: &mut Vec<((usize, Move), f64)>,
        path: &[usize],
        depth: usize,
        examiner: &mut Examiner<'_>,
    ) {
        let told = &self.layers.layers[depth][path[depth]].edges[0];
        let of = |steps: &[((usize, Move), f64)], played: Move| {
            steps
                .iter()
                .position(|step| step.0 == (told.parent, played))
        };
        let share = of(steps, told.played).map_or(0.0, |place| steps[place].1);
        let mut added = 0.0;
        for (played, lead) in rivals(self.search, self.layers, path, depth, examiner) {
            let probability = share * (lead / self.search.costs.temperature).exp();
            let place = of(steps, played).unwrap_or_else(|| {
                steps.push(((told.parent, played), 0.0));
                steps.len() - 1
            });
            added += (probability - steps[place].1).max(0.0);
            steps[place].1 = steps[place].1.max(probability);
        }
        steps.iter_mut().for_each(|step| step.1 /= 1.0 + added);
    }

    /// The moves that may have been played as the `depth`th half-move, the most likely first; and the probability of the move `told` by the cells alone: what people
    /// play must not claim a move that no ink shows.
    fn chances(
        &self,
        path: &[usize],
        depth: usize,
        told: &str,
        examiner: &mut Examiner<'_>,
    ) -> (Vec<Alternative>, f64) {
        let costs = self.search.costs;
        let mut steps = self.steps(depth);
        if !self.layers.layers[depth][path[depth]].edges[0].shown {
            self.add_rivals(&mut steps, path, depth, examiner);
        }
        let mut chances: Vec<Alternative> = Vec::new();
        let (mut proved, mut all) = (0.0, 0.0);
        for ((parent, played), probability) in steps {
            if probability < LEAST_ALTERNATIVE / 100.0 {
                continue;
            }
            let board = &self.layers.layers[depth - 1][parent].board;
            let Some(san) = LegalMove::new(board, played).map(|legal| legal.san()) else {
                continue;
            };
            let position = examiner.position(board);
            let chance = position
                .moves
                .iter()
                .zip(examiner.chances(board, &position))
                .find(|(playable, _)| playable.played == played)
                .map_or(0.0, |(_, &chance)| f64::from(chance));
            let by_cells = probability * (-costs.choice * chance / costs.temperature).exp();
            all += by_cells;
            if san == told {
                proved += by_cells;
            }
            match chances.iter_mut().find(|chance| chance.san == san) {
                Some(chance) => chance.probability += probability as f32,
                None => chances.push(Alternative {
                    san,
                    probability: probability as f32,
                }),
            }
        }
        chances.retain(|chance| f64::from(chance.probability) >= LEAST_ALTERNATIVE);
        chances.sort_by(|a, b| {
            b.probability
                .total_cmp(&a.probability)
                .then_with(|| a.san.cmp(&b.san))
        });
        (chances, if all > 0.0 { proved / all } else { 0.0 })
    }

    /// What the caller knows is sure.
    fn settle_locks(&mut self) {
        for lock in self.search.locks {
            let told = self.moves.iter_mut().find(|told| told.ply == lock.ply());
            if let Some(told) = told.filter(|told| told.played.is_some()) {
                told.confidence = 1.0;
                told.status = Status::Sure;
                told.alternatives.clear();
            }
        }
    }

    /// Remarks on cells that stand for no move.
    fn tell_passed(&mut self, passages: &[Passage], examiner: &Examiner<'_>) {
        for &place in passages.iter().flat_map(|passage| &passage.passed) {
            let name = self.search.copies.name(place);
            self.remarks.push(match examiner.free_text(place) {
                Some("") => format!("{name}: ink that cannot be read stands for no move."),
                Some(text) => format!("{name}: \"{text}\" stands for no move."),
                None => format!("{name}: the cell is blank and no move is missing."),
            });
        }
    }

    /// Tells the ink after the end of the game: in one remark, or as unplayable moves where so much of it looks like moves that the thread of the game
    /// was lost. Single characters, which dust and flourishes are read as, are told with the cells alone.
    fn tell_rest(&mut self, path: &[usize], examiner: &Examiner<'_>) {
        let copies = self.search.copies;
        let end = path.len() - 1;
        let heads = &self.layers.layers[end][path[end]].heads;
        let mut lost_moves = 0;
        for (copy, head) in heads.iter().enumerate().take(copies.len()) {
            let rest: Vec<(usize, &str)> = copies
                .rest(copy, head)
                .into_iter()
                .filter_map(|place| Some((place, examiner.free_text(place)?)))
                .collect();
            let like_a_move = |&(place, _): &(usize, &str)| examiner.looks_like_a_move(place);
            let moves = rest.iter().filter(|cell| like_a_move(cell)).count();
            let lost = moves >= LOST_MOVES && 2 * moves > rest.len();
            let last = rest.iter().rposition(like_a_move).filter(|_| lost);
            if let Some((first, _)) = rest.first().filter(|_| lost) {
                self.remarks.push(format!(
                    "{}: from here on no legal game fits the cells.",
                    copies.name(*first)
                ));
            }
            let mut after = Vec::new();
            for (order, &(place, text)) in rest.iter().enumerate() {
                if last >= Some(order) && lost_moves == 0 {
                    self.tell_unplayable(place, text);
                } else if !examiner.looks_like_a_scribble(place) {
                    after.push(format!("{} \"{text}\"", copies.name(place)));
                }
            }
            if !after.is_empty() {
                self.remarks.push(format!(
                    "Written after the end of the game: {}.",
                    after.join(", ")
                ));
            }
            if lost {
                lost_moves += moves;
            }
        }
    }

    /// Adds ink that no legal game explains, at the place in the game where it stands.
    fn tell_unplayable(&mut self, place: usize, text: &str) {
        let slot = self.search.copies.slots()[place];
        let Some(cell) = slot.evidence else { return };
        let ply = slot.number * 2 - u32::from(cell.colour == Color::White);
        if self.moves.last().is_some_and(|before| before.ply >= ply) {
            return;
        }
        self.moves.push(DecodedMove {
            ply,
            number: slot.number,
            colour: cell.colour,
            played: None,
            written: text.to_owned(),
            confidence: 0.0,
            fit: None,
            signs: [0.0; SIGNS.len()],
            status: Status::Illegal,
            alternatives: Vec::new(),
            cells: vec![cell.cell],
        });
    }
}

fn colour_name(colour: Color) -> &'static str {
    match colour {
        Color::White => "White",
        Color::Black => "Black",
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
