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
fn cells_lie_where_the_samples_have_them() {
    // In row heights: what 95 of 100 cells stay below, at every corner.
    const NEAR: f64 = 0.3;
    let text = std::fs::read_to_string(sample("grids.json")).unwrap();
    let grids: Value = serde_json::from_str(&text).unwrap();
    let mut pages = 0;
    for (game, document) in sample_documents() {
        for (index, source) in document["sources"].as_array().unwrap().iter().enumerate() {
            let file = source["file"].as_str().unwrap().rsplit('/').next().unwrap();
            let grid = &grids[file];
            for side in ["width", "height"] {
                assert_eq!(
                    source[side], grid[side],
                    "{file}: {side} of the upright page"
                );
            }
            let key = |cell: &Value| (cell["number"].as_u64(), cell["colour"].to_string());
            let truth: BTreeMap<_, &Value> = grid["cells"]
                .as_array()
                .unwrap()
                .iter()
                .map(|cell| (key(cell), &cell["quad"]))
                .collect();
            let found: Vec<&Value> = document["cells"]
                .as_array()
                .unwrap()
                .iter()
                .filter(|cell| cell["source"] == index)
                .collect();
            assert_eq!(found.len(), truth.len(), "{game}: cells of {file}");
            let mut misses: Vec<f64> = found
                .iter()
                .map(|cell| farthest_corner(&cell["quad"], truth[&key(cell)]))
                .collect();
            misses.sort_by(f64::total_cmp);
            let most = misses[misses.len() * 95 / 100];
            assert!(
                most < NEAR,
                "{file}: cells are off by {most:.2} row heights"
            );
            pages += 1;
        }
    }
    assert_eq!(pages, 10);
}

/// Largest distance of corresponding corners, in heights of the second quadrilateral.
fn farthest_corner(found: &Value, truth: &Value) -> f64 {
    let at = |quad: &Value, corner: usize, axis: usize| quad[corner][axis].as_f64().unwrap();
    let height = at(truth, 3, 1) - at(truth, 0, 1);
    (0..4)
        .map(|corner| {
            let miss = |axis| at(found, corner, axis) - at(truth, corner, axis);
            miss(0).hypot(miss(1)) / height
        })
        .fold(0.0, f64::max)
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
