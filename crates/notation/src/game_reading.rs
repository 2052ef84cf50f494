//! From the text of a game to its legal moves, with language and system found out from the whole text.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::fmt;

use cozy_chess::{Board, Color, File};
use thiserror::Error;

use crate::game_text::{GameText, WrittenMove};
use crate::habits::System;
use crate::interpret::{Expectations, Interpreter};
use crate::pgn::number_mark;
use crate::reason::Reason;
use crate::{Language, LegalMove, Style, render};

/// Positions kept after each move, for texts that several moves fit.
const BEAM_WIDTH: usize = 24;
/// Games that decide in which order languages are tried.
const SAMPLE: usize = 10;
/// Languages that are tried again with slips allowed, where none fits without.
const TOLERANT: usize = 3;
/// Two games whose costs are no further apart are equally likely to be meant.
const CLEAR: f32 = 0.9;
/// Other ways through a text that are told.
const MOST_WAYS: usize = 64;
/// Legal moves that an error names.
const NAMED_MOVES: usize = 5;

/// The legal moves of a game's text.
#[derive(Debug, Clone)]
pub struct GameReading {
    /// The position before the first move.
    pub start: Board,
    /// The moves, in the order of the text and as far as they are legal.
    pub moves: Vec<ReadMove>,
    /// Language of the piece letters.
    pub language: &'static Language,
    /// System of notation.
    pub system: System,
    /// Languages in which the whole text is another legal game.
    pub rivals: Vec<&'static Language>,
    /// Why the text was not read to its end.
    pub failure: Option<GameError>,
}

/// A legal move and what is unusual about its text.
#[derive(Debug, Clone, PartialEq)]
pub struct ReadMove {
    /// The move.
    pub legal: LegalMove,
    /// What is unusual about the text; see [`Reason::is_slip`].
    pub reasons: Vec<Reason>,
    /// Other legal moves that the text can mean as well, and with which the rest of the text is as good a game.
    pub others: Vec<LegalMove>,
}

/// Why a text is no legal game to its end.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum GameError {
    /// No legal move fits.
    #[error("{place} is not legal here; legal {}", instead(.near, *.others))]
    Illegal {
        /// Where.
        place: Place,
        /// The legal moves nearest to the text, in its language and system.
        near: Vec<String>,
        /// Number of the other legal moves.
        others: usize,
    },
    /// The game is over before.
    #[error("{place} comes after the end of the game by {end}")]
    AfterEnd {
        /// Where.
        place: Place,
        /// Checkmate or stalemate.
        end: &'static str,
    },
    /// The numbers tell that a move is left out.
    #[error("{place} is written for {}, but the move of {} before it is missing", side(*.colour), side(!*.colour))]
    Missing {
        /// The move after the missing one.
        place: Place,
        /// Whose move is written.
        colour: Color,
    },
    /// The text begins in the middle of a game.
    #[error(
        "{place} begins the text; without the moves before it, or a tag FEN, its position is not known"
    )]
    Beginning {
        /// The first move.
        place: Place,
    },
    /// The tag FEN has no legal position.
    #[error("line {line}: the tag FEN {fen:?} is no legal position")]
    Fen {
        /// Line of the game, from 1.
        line: usize,
        /// Its value.
        fen: String,
    },
}

/// A place in a text: a written move with its number and line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// Line of the text, from 1.
    pub line: usize,
    /// Move number in the game.
    pub number: u32,
    /// The side whose move it is in the game.
    pub colour: Color,
    /// The move as it is written.
    pub written: String,
}

impl fmt::Display for Place {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mark = number_mark(self.number, self.colour);
        write!(formatter, "line {}: {mark} {:?}", self.line, self.written)
    }
}

fn side(colour: Color) -> &'static str {
    match colour {
        Color::White => "White",
        Color::Black => "Black",
    }
}

fn instead(near: &[String], others: usize) -> String {
    let named = near.join(", ");
    match (near.len() + others, others) {
        (1, _) => format!("is only {named}"),
        (_, 0) => format!("are {named}"),
        (_, 1) => format!("are {named} and one other move"),
        _ => format!("are {named} and {others} other moves"),
    }
}

/// Reads the texts of games.
#[derive(Debug, Clone)]
pub struct GameReader {
    candidates: Vec<Candidate>,
}

/// A language and system in which a text may be written.
#[derive(Debug, Clone)]
struct Candidate {
    language: &'static Language,
    /// The only system to be understood; short and long algebraic notation are understood alike.
    system: System,
    /// The system for reading with slips; none for all.
    tolerant_system: Option<System>,
    strict: Interpreter,
}

impl GameReader {
    /// Prepares the languages and systems that come into question: the given ones, or all where none is given. Descriptive notation is English.
    pub fn new(language: Option<&'static Language>, system: Option<System>) -> Self {
        let mut candidates: Vec<Candidate> = Vec::new();
        let mut add = |language: &'static Language, its_system: System| {
            let expectations = Expectations::exactly(language, its_system);
            candidates.push(Candidate {
                language,
                system: its_system,
                tolerant_system: system,
                strict: Interpreter::new(&expectations),
            });
        };
        let languages: Vec<&'static Language> = match language {
            Some(language) => vec![language],
            None => distinct_languages(),
        };
        if system != Some(System::Descriptive) {
            for language in &languages {
                add(language, System::ShortAlgebraic);
            }
        }
        let english = languages.contains(&Language::ENGLISH);
        if system == Some(System::Descriptive) || (system.is_none() && english) {
            add(Language::ENGLISH, System::Descriptive);
        }
        Self { candidates }
    }

    /// Reads all games of a text. The readings are in the order of the games.
    pub fn read(&self, games: &[GameText]) -> Vec<GameReading> {
        let order = self.order(games);
        games
            .iter()
            .map(|game| self.read_one(game, &order))
            .collect()
    }

    /// The candidates, those first in which most moves of the first games are legal.
    fn order(&self, games: &[GameText]) -> Vec<usize> {
        let sample: Vec<(&GameText, Board)> = games
            .iter()
            .filter(|game| !game.moves.is_empty())
            .take(SAMPLE)
            .filter_map(|game| Some((game, start_of(game).ok()?)))
            .collect();
        let mut ranks: Vec<(usize, usize, f32)> = self
            .candidates
            .iter()
            .enumerate()
            .map(|(index, candidate)| {
                let traces = sample
                    .iter()
                    .map(|(game, start)| trace(game, start, &candidate.strict));
                let (moves, cost) = traces.fold((0, 0.0), |(moves, cost), trace| {
                    (moves + trace.path.len(), cost + trace.cost)
                });
                (index, moves, cost)
            })
            .collect();
        ranks.sort_by(|a, b| b.1.cmp(&a.1).then(a.2.total_cmp(&b.2)));
        ranks.into_iter().map(|(index, ..)| index).collect()
    }

    fn read_one(&self, game: &GameText, order: &[usize]) -> GameReading {
        let start = match start_of(game) {
            Ok(start) => start,
            Err(error) => return self.unread(order, error),
        };
        let mut traces: Vec<(usize, Trace)> = order
            .iter()
            .map(|&index| (index, trace(game, &start, &self.candidates[index].strict)))
            .collect();
        // Sorting keeps the order of equals.
        traces.sort_by(|(_, a), (_, b)| a.rank(b));
        let whole = |trace: &Trace| trace.stop.is_none();
        // There is at least one candidate: descriptive notation, or a language.
        let (best, rest) = (&traces[0], &traces[1..]);
        if whole(&best.1) {
            let rivals = rest
                .iter()
                .filter(|(_, other)| whole(other) && other.cost < best.1.cost + CLEAR)
                .filter(|(_, other)| !other.same_game(&best.1))
                .map(|(index, _)| self.candidates[*index].language)
                .collect();
            return self.reading(game, &start, best.0, &best.1, rivals);
        }
        let tolerant = traces
            .iter()
            .take(TOLERANT)
            .map(|&(index, _)| {
                let candidate = &self.candidates[index];
                let expectations = Expectations {
                    system: candidate.tolerant_system,
                    ..Expectations::mostly(candidate.language)
                };
                (index, trace(game, &start, &Interpreter::new(&expectations)))
            })
            .min_by(|(_, a), (_, b)| a.rank(b));
        match tolerant {
            Some((index, trace)) => self.reading(game, &start, index, &trace, Vec::new()),
            None => self.reading(game, &start, best.0, &best.1, Vec::new()),
        }
    }

    /// A reading without moves.
    fn unread(&self, order: &[usize], error: GameError) -> GameReading {
        let first = order.first().map(|&index| &self.candidates[index]);
        GameReading {
            start: Board::default(),
            moves: Vec::new(),
            language: first.map_or(Language::ENGLISH, |candidate| candidate.language),
            system: first.map_or(System::ShortAlgebraic, |candidate| candidate.system),
            rivals: Vec::new(),
            failure: Some(error),
        }
    }

    fn reading(
        &self,
        game: &GameText,
        start: &Board,
        candidate: usize,
        trace: &Trace,
        rivals: Vec<&'static Language>,
    ) -> GameReading {
        let candidate = &self.candidates[candidate];
        let system = system_of(game, candidate.system);
        let style = Style::usual(candidate.language, system);
        let failure = trace
            .stop
            .as_ref()
            .map(|stop| explain(game, start, trace, stop, &style));
        GameReading {
            start: start.clone(),
            moves: trace.path.clone(),
            language: candidate.language,
            system,
            rivals,
            failure,
        }
    }
}

/// The languages of which no other has the same letters.
fn distinct_languages() -> Vec<&'static Language> {
    let mut distinct: Vec<&'static Language> = Vec::new();
    for language in Language::all() {
        let same = |other: &&&Language| {
            other.pieces == language.pieces && other.variants == language.variants
        };
        if distinct.iter().find(same).is_none() {
            distinct.push(language);
        }
    }
    distinct
}

/// The position before the first move: that of the tag FEN, or the start position.
fn start_of(game: &GameText) -> Result<Board, GameError> {
    let Some((_, fen)) = game.tags.iter().find(|(name, _)| name == "FEN") else {
        return match game.moves.first() {
            Some(first) if first.number.is_some_and(|number| number != 1) => {
                Err(GameError::Beginning {
                    place: Place {
                        line: first.line,
                        number: first.number.unwrap_or(1),
                        colour: first.colour.unwrap_or(Color::White),
                        written: first.written.clone(),
                    },
                })
            }
            _ => Ok(Board::default()),
        };
    };
    // The rules library takes positions in which a king could take the other.
    let apart = |board: &Board| {
        let near = cozy_chess::get_king_moves(board.king(Color::White));
        !near.has(board.king(Color::Black))
    };
    let board = Board::from_fen(fen, false).ok().filter(apart);
    board.ok_or_else(|| GameError::Fen {
        line: game.line,
        fen: fen.clone(),
    })
}

/// Short or long algebraic notation, by what most moves have.
fn system_of(game: &GameText, system: System) -> System {
    if system == System::Descriptive {
        return system;
    }
    let squares = |written: &WrittenMove| {
        let bytes = written.plain.as_bytes();
        let square =
            |pair: &&[u8]| (b'a'..=b'h').contains(&pair[0]) && (b'1'..=b'8').contains(&pair[1]);
        bytes.windows(2).filter(square).count()
    };
    let long = game
        .moves
        .iter()
        .filter(|&written| squares(written) == 2)
        .count();
    let short = game
        .moves
        .iter()
        .filter(|&written| squares(written) == 1)
        .count();
    if long > short {
        System::LongAlgebraic
    } else {
        System::ShortAlgebraic
    }
}

/// The legal moves of a text in one language.
#[derive(Debug, Clone)]
struct Trace {
    path: Vec<ReadMove>,
    cost: f32,
    /// Why it ends before the text does; the move after the path.
    stop: Option<Stop>,
}

#[derive(Debug, Clone)]
enum Stop {
    NoMove,
    Missing(Color),
}

impl Trace {
    /// Whole games first, then longer ones, then cheaper ones.
    fn rank(&self, other: &Self) -> std::cmp::Ordering {
        let key = |trace: &Self| (trace.stop.is_some(), std::cmp::Reverse(trace.path.len()));
        key(self)
            .cmp(&key(other))
            .then(self.cost.total_cmp(&other.cost))
    }

    fn same_game(&self, other: &Self) -> bool {
        self.path.len() == other.path.len()
            && self
                .path
                .iter()
                .zip(&other.path)
                .all(|(a, b)| a.legal == b.legal)
    }
}

/// A position on the way through a text.
struct Node {
    board: Board,
    cost: f32,
    parent: usize,
    /// None for the start.
    last: Option<ReadMove>,
    /// Another way to the same position that costs about the same.
    twin: Option<usize>,
}

/// Follows a text through all positions that it can mean. Where several moves fit, the moves after them decide.
fn trace(game: &GameText, start: &Board, interpreter: &Interpreter) -> Trace {
    let mut nodes = vec![Node {
        board: start.clone(),
        cost: 0.0,
        parent: 0,
        last: None,
        twin: None,
    }];
    let mut layer = vec![0];
    let mut stop = None;
    for written in &game.moves {
        let side = nodes[layer[0]].board.side_to_move();
        if let Some(colour) = written.colour.filter(|&colour| colour != side) {
            stop = Some(Stop::Missing(colour));
            break;
        }
        let next = next_layer(&mut nodes, &layer, &written.plain, interpreter);
        if next.is_empty() {
            stop = Some(Stop::NoMove);
            break;
        }
        layer = next;
    }
    let best = layer[0];
    let mut path: Vec<ReadMove> = path_to(&nodes, best)
        .into_iter()
        .filter_map(|node| nodes[node].last.clone())
        .collect();
    tell_others(&nodes, &layer, &mut path);
    Trace {
        path,
        cost: nodes[best].cost,
        stop,
    }
}

/// The positions after one more move, the cheapest first.
fn next_layer(
    nodes: &mut Vec<Node>,
    layer: &[usize],
    text: &str,
    interpreter: &Interpreter,
) -> Vec<usize> {
    let mut reached: HashMap<u64, usize> = HashMap::new();
    for &parent in layer {
        let moves = LegalMove::all(&nodes[parent].board);
        let mut meant = interpreter.interpret_among(&nodes[parent].board, &moves, text);
        // Where nothing else decides, the king's side is meant.
        let queenside = |legal: &LegalMove| {
            [legal.played.to, legal.played.from].map(|square| square.file() < File::E)
        };
        meant.sort_by(|a, b| {
            a.cost
                .total_cmp(&b.cost)
                .then_with(|| queenside(&a.legal).cmp(&queenside(&b.legal)))
        });
        for interpretation in meant {
            let mut board = nodes[parent].board.clone();
            board.play_unchecked(interpretation.legal.played);
            let cost = nodes[parent].cost + interpretation.cost;
            let hash = board.hash();
            let made = nodes.len();
            nodes.push(Node {
                board,
                cost,
                parent,
                last: Some(ReadMove {
                    legal: interpretation.legal,
                    reasons: interpretation.reasons,
                    others: Vec::new(),
                }),
                twin: None,
            });
            match reached.entry(hash) {
                Entry::Vacant(place) => {
                    place.insert(made);
                }
                Entry::Occupied(mut place) => {
                    let known = *place.get();
                    let (kept, other) = if cost < nodes[known].cost {
                        (made, known)
                    } else {
                        (known, made)
                    };
                    if nodes[other].cost < nodes[kept].cost + CLEAR {
                        nodes[kept].twin = Some(other);
                    }
                    place.insert(kept);
                }
            }
        }
    }
    let mut next: Vec<usize> = reached.into_values().collect();
    next.sort_by(|&a, &b| nodes[a].cost.total_cmp(&nodes[b].cost).then(a.cmp(&b)));
    next.truncate(BEAM_WIDTH);
    next
}

/// The nodes after the start on the way to a node.
fn path_to(nodes: &[Node], mut node: usize) -> Vec<usize> {
    let mut path = Vec::new();
    while nodes[node].last.is_some() {
        path.push(node);
        node = nodes[node].parent;
    }
    path.reverse();
    path
}

/// Adds to the moves of the best way what other ways through the text, which cost about the same, have in their place.
fn tell_others(nodes: &[Node], layer: &[usize], path: &mut [ReadMove]) {
    let best = path_to(nodes, layer[0]);
    let beside = layer[1..]
        .iter()
        .copied()
        .filter(|&other| nodes[other].cost < nodes[layer[0]].cost + CLEAR);
    let twins = best.iter().filter_map(|&node| nodes[node].twin);
    for other in twins.chain(beside).take(MOST_WAYS) {
        let way = path_to(nodes, other);
        let parting = way
            .iter()
            .zip(path.iter_mut())
            .filter_map(|(&node, read)| Some((nodes[node].last.as_ref()?.legal, read)))
            .find(|(legal, read)| *legal != read.legal);
        if let Some((legal, read)) = parting
            && !read.others.contains(&legal)
        {
            read.others.push(legal);
        }
    }
}

/// The error that tells a person why a text ends.
fn explain(game: &GameText, start: &Board, trace: &Trace, stop: &Stop, style: &Style) -> GameError {
    let mut board = start.clone();
    for read in &trace.path {
        board.play_unchecked(read.legal.played);
    }
    let written = &game.moves[trace.path.len()];
    let place = Place {
        line: written.line,
        number: u32::from(board.fullmove_number()),
        colour: board.side_to_move(),
        written: written.written.clone(),
    };
    match stop {
        Stop::Missing(colour) => GameError::Missing {
            place,
            colour: *colour,
        },
        Stop::NoMove => illegal(&board, place, &written.plain, style),
    }
}

fn illegal(board: &Board, place: Place, text: &str, style: &Style) -> GameError {
    let moves = LegalMove::all(board);
    if moves.is_empty() {
        let end = if board.checkers().is_empty() {
            "stalemate"
        } else {
            "checkmate"
        };
        return GameError::AfterEnd { place, end };
    }
    let bare = |text: &str| text.trim_end_matches(['+', '#']).to_owned();
    let mut near: Vec<(usize, String)> = moves
        .iter()
        .map(|legal| {
            let legal = bare(&render(board, legal, style));
            (strsim::levenshtein(&bare(text), &legal), legal)
        })
        .collect();
    near.sort();
    let others = near.len().saturating_sub(NAMED_MOVES);
    near.truncate(NAMED_MOVES);
    GameError::Illegal {
        place,
        near: near.into_iter().map(|(_, text)| text).collect(),
        others,
    }
}
