//! What has to hold for any text at all, shared by the fuzz target and the property test.

use std::sync::LazyLock;

use cozy_chess::Board;
use scoresheet_notation::{
    Alphabet, Expectations, GameForm, GameReader, GameReading, Interpreter, Language, Reading,
    Style, System, interpret, parse_move, remarks, split_games, write_game,
};

static ANYTHING: LazyLock<GameReader> = LazyLock::new(|| GameReader::new(None, None));
static TOLERANT: LazyLock<Interpreter> = LazyLock::new(|| Interpreter::new(&Expectations::ANY));

/// Castling, en passant, promotion and captures are all possible.
const BUSY: &str = "r3k2n/1b4P1/8/3pP3/2n5/1P1N4/3N4/R3K2R w KQq d6 0 1";

/// Takes a text through everything that reads texts.
pub fn exercise(text: &str) {
    games(text);
    moves(text);
    let _ = Alphabet::from_lines(text);
}

/// What was read is legal, and what is written is read again as the same.
fn games(text: &str) {
    let games = split_games(text);
    for (game, reading) in games.iter().zip(ANYTHING.read(&games)) {
        assert!(reading.moves.len() <= game.moves.len());
        let whole = reading.moves.len() == game.moves.len();
        assert!(whole || reading.failure.is_some());
        let mut board = reading.start.clone();
        for read in &reading.moves {
            assert!(board.try_play(read.legal.played).is_ok(), "{text:?}");
        }
        let _ = remarks(game, &reading);
        let sans = sans(&reading);
        let forms = [
            GameForm::Pgn,
            GameForm::Text(Style::usual(reading.language, System::LongAlgebraic)),
            GameForm::Text(Style::usual(Language::ENGLISH, System::Descriptive)),
        ];
        for form in forms {
            let written = write_game(game, &reading, &form);
            let again = split_games(&written);
            // Without tags and moves nothing is left but a result.
            if let [first] = again.as_slice() {
                let second = &ANYTHING.read(&again)[0];
                if reading.failure.is_none() && form == GameForm::Pgn {
                    assert_eq!(self::sans(second), sans, "{text:?}\n{written}");
                    assert!(first.tags.len() >= 7);
                }
            } else {
                assert!(again.is_empty(), "{text:?}\n{written}");
            }
        }
    }
}

fn sans(reading: &GameReading) -> Vec<String> {
    reading.moves.iter().map(|read| read.legal.san()).collect()
}

/// Each line and each word as a move.
fn moves(text: &str) {
    let boards = [Board::default(), Board::from_fen(BUSY, false).unwrap()];
    let words = text.lines().chain(text.split_whitespace()).take(20);
    for word in words {
        for language in [Language::ENGLISH, &Language::all()[1]] {
            let _ = Reading::parse(word, language);
        }
        for board in &boards {
            for one in TOLERANT.interpret(board, word) {
                assert!(board.is_legal(one.legal.played), "{word:?}");
                assert!(one.cost >= 0.0, "{word:?}");
            }
            let strict = Expectations::exactly(Language::ENGLISH, System::Descriptive);
            let _ = interpret(board, word, &strict);
            let _ = parse_move(board, word, Language::ENGLISH);
        }
    }
}
