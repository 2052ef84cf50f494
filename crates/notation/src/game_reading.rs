//! From the text of a game to its legal moves, with language and system found out from the whole text.

use cozy_chess::{Board, Color};

use crate::game_error::{GameError, Place};
use crate::game_text::{GameText, WrittenMove};
use crate::game_trace::{CLEAR, ReadMove, Stop, Trace, trace};
use crate::habits::System;
use crate::interpret::{Expectations, Interpreter};
use crate::{Language, LegalMove, Reading, Style, render};

/// Games that decide in which order languages are tried.
const SAMPLE: usize = 10;
/// Languages that are tried again with slips allowed, where none fits without.
const TOLERANT: usize = 3;
/// Moves by which the language of a text is judged that is no game; the longest game played has 538.
const JUDGED: usize = 600;
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

impl Candidate {
    /// Number of the first written moves that are moves in this language and system, legal or not.
    fn spelled(&self, game: &GameText) -> usize {
        game.moves
            .iter()
            .take(JUDGED)
            .filter(|written| Reading::parse_in(&written.plain, self.language, self.system).is_ok())
            .count()
    }

    /// The way of the text with slips and letters of other languages allowed.
    fn tolerant_trace(&self, game: &GameText, start: &Board) -> Trace {
        let expectations = Expectations {
            system: self.tolerant_system,
            ..Expectations::mostly(self.language)
        };
        trace(game, start, &Interpreter::new(&expectations))
    }
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
        // Slips are slips in the language in which most of the text can be read at all, whether or not its moves are legal.
        let fits: Vec<(usize, usize)> = traces
            .iter()
            .map(|&(index, _)| (index, self.candidates[index].spelled(game)))
            .collect();
        let best_fit = fits.iter().map(|&(_, fit)| fit).max();
        let tolerant = fits
            .iter()
            .filter(|&&(_, fit)| Some(fit) == best_fit)
            .take(TOLERANT)
            .map(|&(index, _)| (index, self.candidates[index].tolerant_trace(game, &start)))
            .min_by(|(_, a), (_, b)| a.rank(b));
        let (index, trace) = tolerant.as_ref().unwrap_or(best);
        self.reading(game, &start, *index, trace, Vec::new())
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
