//! Any text whatever: nothing panics, nothing hangs, and what is read is legal.

#[path = "../fuzz/exercise.rs"]
mod exercise;

use std::time::{Duration, Instant};

use exercise::exercise;
use proptest::prelude::*;
use scoresheet_notation::{GameReader, split_games};

/// Pieces of which games are written, the words of the fuzzer's dictionary.
fn pieces() -> Vec<String> {
    let dictionary = include_str!("../fuzz/moves.dict");
    let quoted = dictionary.lines().filter_map(|line| {
        let inner = line.strip_prefix('"')?.strip_suffix('"')?;
        let mut bytes = Vec::new();
        let mut rest = inner.as_bytes();
        while let Some((&first, after)) = rest.split_first() {
            rest = match (first, after) {
                (b'\\', [b'x', code @ ..]) => {
                    let code = std::str::from_utf8(&code[..2]).unwrap();
                    bytes.push(u8::from_str_radix(code, 16).unwrap());
                    &after[3..]
                }
                (b'\\', [escaped, more @ ..]) => {
                    bytes.push(*escaped);
                    more
                }
                _ => {
                    bytes.push(first);
                    after
                }
            };
        }
        Some(String::from_utf8(bytes).unwrap())
    });
    quoted.collect()
}

/// Texts that look like games: known pieces and a few wild characters, with and without gaps.
fn game_like() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        8 => proptest::sample::select(pieces()),
        2 => "[a-h][1-8]",
        1 => any::<char>().prop_map(String::from),
    ];
    let gap = proptest::sample::select(vec!["", " ", " ", "\n"]);
    proptest::collection::vec((piece, gap), 0..40).prop_map(|parts| {
        parts
            .into_iter()
            .flat_map(|(piece, gap)| [piece, gap.to_owned()])
            .collect()
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text(text in any::<String>()) {
        exercise(&text);
    }

    #[test]
    fn any_text_like_a_game(text in game_like()) {
        exercise(&text);
    }
}

/// Texts that are long in one way: time grows with their length and not with its square.
#[test]
fn long_texts_do_not_hang() {
    let pieces = [
        "(",
        ")",
        "[",
        "[a \"",
        "{",
        "{\n",
        "<",
        "x",
        "-",
        "1. e4 ",
        "1.",
        "1. e4 3. e4 5. e4 ",
        "Nf3 Nf6 Ng1 Ng8 ",
        "ed ",
        "a(",
        "e.p. ",
        "…",
        "$",
        "\"",
        "½-½ ",
        "ch ",
        "N-B3 N-B3 N-N1 N-N1 ",
    ];
    let reader = GameReader::new(None, None);
    for piece in pieces {
        let text = piece.repeat(40_000 / piece.len());
        let start = Instant::now();
        let games = split_games(&text);
        let _ = reader.read(&games);
        let time = start.elapsed();
        eprintln!("{piece:?} {time:?}");
        assert!(time < Duration::from_secs(5), "{piece:?}: {time:?}");
    }
}
