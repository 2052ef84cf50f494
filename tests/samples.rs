//! The synthetic sheets of `datasets/samples`, end to end.
//!
//! `SCORESHEET_BLESS=1 cargo test --release` rewrites the golden files in `tests/golden` after a change
//! that is meant to change games.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use serde_json::Value;

use crate::support::{TestEnvironment, repository, sample};

/// What reading all samples gave.
struct Reading {
    documents: BTreeMap<String, Value>,
    pgn: BTreeMap<String, String>,
    games: String,
}

/// Reads the samples once for all tests.
fn reading() -> &'static Reading {
    static READING: OnceLock<Reading> = OnceLock::new();
    READING.get_or_init(|| {
        let environment = TestEnvironment::new();
        let manifest = sample("manifest.csv");
        let run = environment.run([
            "read".as_ref(),
            "--manifest".as_ref(),
            manifest.as_os_str(),
            "-o".as_ref(),
            "out".as_ref(),
        ]);
        assert_eq!(run.status, 0, "{run:?}");
        let text =
            |name: &str| std::fs::read_to_string(environment.path("out").join(name)).unwrap();
        let mut reading = Reading {
            documents: BTreeMap::new(),
            pgn: BTreeMap::new(),
            games: text("games.pgn"),
        };
        for file in environment.files("out") {
            if let Some(name) = file.strip_suffix(".json") {
                reading
                    .documents
                    .insert(name.to_owned(), serde_json::from_str(&text(&file)).unwrap());
                reading
                    .pgn
                    .insert(name.to_owned(), text(&format!("{name}.pgn")));
            }
        }
        reading
    })
}

pub fn sample_documents() -> &'static BTreeMap<String, Value> {
    &reading().documents
}

#[test]
fn samples_give_their_games() {
    // Least share of moves right: below what was measured, so that another processor's rounding does no harm.
    let table = [
        ("clean-scan", 0.95),
        ("photo-shadow", 0.85),
        ("sideways", 0.85),
        ("upside-down", 0.85),
        ("skewed", 0.9),
        ("pencil-faint", 0.9),
        ("two-copies", 0.95),
        ("two-pages", 0.9),
    ];
    for (name, least) in table {
        let truth = std::fs::read_to_string(sample(&format!("truth/{name}.txt"))).unwrap();
        let truth: Vec<&str> = truth.split_whitespace().collect();
        let moves = sample_documents()[name]["moves"].as_array().unwrap();
        let right = truth
            .iter()
            .zip(moves)
            .filter(|(truth, record)| record["san"].as_str() == Some(truth))
            .count();
        let share = right as f64 / truth.len() as f64;
        println!("{name}: {right} of {} moves right", truth.len());
        assert!(
            share >= least,
            "{name}: {right} of {} moves right",
            truth.len()
        );
    }
}

#[test]
fn samples_match_the_golden_games() {
    let golden = repository().join("tests/golden");
    let bless = std::env::var_os("SCORESHEET_BLESS").is_some_and(|value| value == "1");
    for (name, pgn) in &reading().pgn {
        let path = golden.join(format!("{name}.pgn"));
        // Doubts depend on probabilities, which differ in the last digit between processors.
        let (tags, moves) = pgn.split_once("\n\n").unwrap();
        let plain = format!("{tags}\n\n{}\n", main_line(moves).join(" "));
        if bless {
            std::fs::create_dir_all(&golden).unwrap();
            std::fs::write(&path, &plain).unwrap();
        }
        let expected = std::fs::read_to_string(&path).unwrap_or_else(|error| {
            panic!("{}: {error}; run with SCORESHEET_BLESS=1", path.display())
        });
        assert_eq!(
            plain, expected,
            "{name}; if this is meant, run with SCORESHEET_BLESS=1"
        );
    }
}

#[test]
fn every_main_line_is_legal_and_every_line_short() {
    let mut games = 0;
    for (name, pgn) in &reading().pgn {
        games += 1;
        let (tags, moves) = pgn.split_once("\n\n").unwrap();
        assert!(
            tags.lines()
                .all(|line| line.starts_with('[') && line.ends_with(']')),
            "{name}"
        );
        assert!(
            moves.lines().all(|line| line.chars().count() < 80),
            "{name}"
        );
        let mut board = cozy_chess::Board::default();
        for san in main_line(moves)
            .iter()
            .filter(|word| !word.ends_with('.') && !is_result(word))
        {
            let legal = cozy_chess::util::parse_san_move(&board, san)
                .unwrap_or_else(|_| panic!("{name}: {san} is not legal in {board}"));
            board.play(legal);
        }
        assert!(reading().games.contains(pgn.as_str()), "{name}");
    }
    assert!(games > 0);
}

/// The words of a movetext without its comments and the numbers of Black's moves that follow them.
fn main_line(movetext: &str) -> Vec<&str> {
    let mut words = Vec::new();
    for part in movetext.split('}') {
        let moves = part.split_once('{').map_or(part, |(moves, _)| moves);
        words.extend(
            moves
                .split_whitespace()
                .filter(|word| !word.ends_with("...")),
        );
    }
    words
}

fn is_result(word: &str) -> bool {
    ["*", "1-0", "0-1", "1/2-1/2"].contains(&word)
}
