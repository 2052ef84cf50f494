//! Whole sheets with known texts: what is told of clean, sloppy, damaged and foreign ones.

#![allow(clippy::unwrap_used)]

mod common;

use common::{Random, games, noisy, sheet};
use scoresheet_decoder::{CellEvidence, DecodeOptions, Game, Status, decode_checked};
use scoresheet_notation::{Language, System};

/// The moves as one text: SAN where a move is claimed, else the ink in quotes, or `?` where there is none.
fn told(game: &Game) -> String {
    game.moves
        .iter()
        .map(|decoded| match &decoded.played {
            Some(played) => played.san.clone(),
            None if decoded.written.is_empty() => "?".to_owned(),
            None => format!("'{}'", decoded.written),
        })
        .collect::<Vec<_>>()
        .join(" ")
}

fn cells(text: &str) -> Vec<CellEvidence> {
    sheet(&text.split(' ').collect::<Vec<_>>())
}

/// Options by which all legal moves are alike before the ink is looked at.
fn ink_alone() -> DecodeOptions {
    DecodeOptions {
        prior: None,
        ..DecodeOptions::default()
    }
}

/// The game of one copy.
fn decode(cells: &[CellEvidence], options: &DecodeOptions) -> Game {
    scoresheet_decoder::decode(&[cells.to_vec()], options)
}

#[test]
fn what_is_told_of_a_sheet() {
    let cases = [
        // Plain, and with the usual sloppiness.
        (
            "e4 e5 Nf3 Nc6 Bb5 a6 O-O Nf6",
            "e4 e5 Nf3 Nc6 Bb5 a6 O-O Nf6",
        ),
        (
            "e4 d5 ed Qd5 Nc3 Qa5 d4 Nf6 Bd2 c6 Nd5 Qd8 NxN ef6",
            "e4 d5 exd5 Qxd5 Nc3 Qa5 d4 Nf6 Bd2 c6 Nd5 Qd8 Nxf6+ exf6",
        ),
        ("e4 e5 Qh5 Nc6 Bc4 Nf6 Qf7", "e4 e5 Qh5 Nc6 Bc4 Nf6 Qxf7#"),
        // Blank rows after the end, a result after the end.
        ("e4 e5 Nf3 Nc6 _ _ _", "e4 e5 Nf3 Nc6"),
        ("e4 e5 Nf3 Nc6 resign", "e4 e5 Nf3 Nc6"),
        // Misread, it still is no rook's move to e1.
        (
            "e4 e5 Nf3 Nc6 Bb5 a6 O-O Nf6 Re1igns",
            "e4 e5 Nf3 Nc6 Bb5 a6 O-O Nf6",
        ),
        // Ink that is no legal move is kept and the game goes on.
        (
            "e4 e5 Nf3 Nc6 Qh8 a6 O-O Nf6 Re1 d6",
            "e4 e5 Nf3 Nc6 'Qh8' a6 O-O Nf6 Re1 d6",
        ),
        // One character from a move that later cells need: doubtful, but told.
        (
            "e4 e5 Nf3 Nc6 Kb5 a6 Bxc6 dxc6 O-O Nf6",
            "e4 e5 Nf3 Nc6 Bb5 a6 Bxc6 dxc6 O-O Nf6",
        ),
        // A blank cell: later cells tell what was played.
        ("e4 e5 Nf3 _ Bb5 Nd4 O-O c6", "e4 e5 Nf3 Nc6 Bb5 Nd4 O-O c6"),
        // A remark in a row stands for no move.
        (
            "d4 d5 c4 e6 Nc3 Nf6 draw draw Bg5 Be7 e3 O-O",
            "d4 d5 c4 e6 Nc3 Nf6 Bg5 Be7 e3 O-O",
        ),
    ];
    for (written, expected) in cases {
        let game = decode(&cells(written), &DecodeOptions::default());
        let first = told(&game);
        // Later cells may only leave open what they do not tell.
        assert_eq!(first, expected, "{written}: {:#?}", game.remarks);
    }
}

#[test]
fn status_and_alternatives_say_how_sure_a_move_is() {
    let game = decode(&cells("e4 e5 Nf3 Nc6 Qh8 a6 O-O Nf6"), &ink_alone());
    let statuses: Vec<Status> = game.moves.iter().map(|decoded| decoded.status).collect();
    let clean = decode(&cells("e4 e5 Nf3 Nc6 Bb5 a6 O-O Nf6"), &ink_alone());
    let likely = |game: &Game| {
        let moves = game.moves.iter();
        moves.filter(|decoded| decoded.confidence > 0.9).count()
    };
    assert!(likely(&clean) >= 5, "{:#?}", clean.moves);
    // Trouble makes its surroundings doubtful.
    let (with_trouble, without) = (game.moves[0].confidence, clean.moves[0].confidence);
    assert!(
        with_trouble < without,
        "{with_trouble} {without} {:?} {:?}",
        likely(&game),
        statuses
    );
    assert_eq!(statuses[4], Status::Illegal);
    assert!(game.moves[4].played.is_none());
    assert!(!game.moves[4].alternatives.is_empty());
    assert!(game.remarks[0].contains("3. White"), "{:?}", game.remarks);
    let mended = decode(&cells("e4 e5 Nf3 Nc6 Kb5 a6 Bxc6 dxc6"), &ink_alone());
    assert_eq!(mended.moves[4].status, Status::Doubtful);
    assert_eq!(mended.moves[4].written, "Kb5");
    assert_eq!(mended.remarks.len(), 1, "{:?}", mended.remarks);
    for decoded in &game.moves {
        let sum: f32 = decoded
            .alternatives
            .iter()
            .map(|other| other.probability)
            .sum();
        let claimed = if decoded.played.is_some() {
            decoded.confidence
        } else {
            0.0
        };
        assert!(sum + claimed <= 1.001, "{decoded:?}");
        assert!(
            decoded
                .alternatives
                .is_sorted_by(|a, b| a.probability >= b.probability)
        );
    }
}

/// Each player writes in an own way; a slip on either copy is mended by the other one.
#[test]
fn copies_may_be_in_different_systems_and_languages() {
    let game = "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7 Re1 b5 Bb3 d6";
    let descriptive = "P-K4 P-K4 N-KB3 N-QB3 B-N5 P-QR3 B-R4 N-B3 O-O B-K2 R-K1 P-QN4 B-N3 P-Q3";
    let german = "e4 e5 Sf3 Sc6 Lb5 a6 La4 Sf6 O-O Le7 Te1 b5 Lb3 d6";
    for (first, second) in [
        (game.replace("Bb5", "Qh8"), descriptive.to_owned()),
        (game.to_owned(), descriptive.replace("N-QB3", "Q-R8")),
        (german.replace("Te1", "xx"), descriptive.to_owned()),
        (game.replace("Nf6", "xx"), german.to_owned()),
    ] {
        let copies = [cells(&first), cells(&second)];
        let decoded = scoresheet_decoder::decode(&copies, &DecodeOptions::default());
        assert_eq!(told(&decoded), game, "{first} / {second}");
    }
}

#[test]
fn a_writer_without_capture_signs_is_learnt() {
    let written = "e4 e5 Nf3 Nc6 d4 ed4 Nd4 Nd4 Qd4 d6 Bb5 c6 Ba4 Nf6 O-O Be7 Nc3 O-O Bg5 Be6 Bf6 Bf6 Qd6 Qd6";
    let decode_by = |learning| {
        let options = DecodeOptions {
            learning,
            ..ink_alone()
        };
        decode(&cells(written), &options)
    };
    let (learnt, usual) = (decode_by(true), decode_by(false));
    let game = "e4 e5 Nf3 Nc6 d4 exd4 Nxd4 Nxd4 Qxd4 d6 Bb5+ c6 Ba4 Nf6 O-O Be7 Nc3 O-O Bg5 Be6 Bxf6 Bxf6 Qxd6 Qxd6";
    assert_eq!(told(&learnt), game);
    // The captures cost less than they do by the usual habits.
    assert!(
        learnt.log_weight > usual.log_weight + 1.0,
        "{} {}",
        learnt.log_weight,
        usual.log_weight
    );
}

#[test]
fn two_copies_mend_each_other() {
    // One copy says Nc3 or Ne3, the other shows which.
    let mut one = cells("d4 d5 c4 e6 Nc3 Nf6");
    let unclear: &[&[(char, f32)]] =
        &[&[('N', 0.999)], &[('a', 0.6), ('c', 0.35)], &[('3', 0.999)]];
    one[4].lattice = Some(scoresheet_notation::Lattice::from_characters(
        common::alphabet(),
        unclear,
        0.97,
    ));
    let alone = decode(&one, &ink_alone());
    assert_eq!(alone.moves[4].played.as_ref().unwrap().san, "Na3");
    let other = cells("d4 d5 c4 e6 Nc3 Nf6");
    let both = scoresheet_decoder::decode(&[one, other], &ink_alone());
    assert_eq!(both.moves[4].played.as_ref().unwrap().san, "Nc3");
    assert!(both.moves[4].confidence > alone.moves[4].confidence);
}

#[test]
fn other_languages_are_recognised() {
    let cases = [
        (
            "nl",
            "e4 e5 Pf3 Pc6 Lb5 a6 La4 Pf6 O-O Le7 Te1 b5 Lb3 d6 De2 Ld7",
        ),
        (
            "pl",
            "e4 e5 Sf3 Sc6 Gb5 a6 Ga4 Sf6 O-O Ge7 We1 b5 Gb3 d6 He2 Gd7",
        ),
        (
            "es",
            "e4 e5 Cf3 Cc6 Ab5 a6 Aa4 Cf6 O-O Ae7 Te1 b5 Ab3 d6 De2 Ad7",
        ),
        (
            "en",
            "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7 Re1 b5 Bb3 d6 Qe2 Bd7",
        ),
    ];
    for (code, text) in cases {
        let game = decode(&cells(text), &DecodeOptions::default());
        assert_eq!(game.language, code);
        assert_eq!(told(&game), cases[3].1, "{code}");
        let told_so = DecodeOptions {
            language: Language::by_code(code),
            ..DecodeOptions::default()
        };
        assert_eq!(decode(&cells(text), &told_so).moves, game.moves, "{code}");
    }
}

#[test]
fn other_systems_are_recognised() {
    let cases = [
        (
            System::LongAlgebraic,
            "de",
            "e2-e4 e7-e5 Sg1-f3 Sb8-c6 Lf1-b5 a7-a6 Lb5-a4 Sg8-f6 O-O Lf8-e7 Tf1-e1 b7-b5 La4-b3 d7-d6",
        ),
        (
            System::Descriptive,
            "en",
            "P-K4 P-K4 N-KB3 N-QB3 B-N5 P-QR3 B-R4 N-B3 O-O B-K2 R-K1 P-QN4 B-N3 P-Q3",
        ),
    ];
    for (system, code, text) in cases {
        let game = decode(&cells(text), &DecodeOptions::default());
        assert_eq!((game.system, game.language), (system, code), "{text}");
        let expected = "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7 Re1 b5 Bb3 d6";
        assert_eq!(told(&game), expected, "{text}");
    }
}

#[test]
fn nothing_in_is_nothing_out() {
    for text in ["_", "_ _ _"] {
        let game = decode(&cells(text), &DecodeOptions::default());
        assert!(game.moves.is_empty() && game.remarks.len() == 1, "{text}");
    }
    assert!(
        scoresheet_decoder::decode(&[], &DecodeOptions::default())
            .moves
            .is_empty()
    );
}

#[test]
fn rows_left_out_count_as_blank() {
    let mut all = cells("e4 e5 Nf3 Nc6 Bb5 Nd4 O-O c6");
    all.remove(3);
    let game = decode(&all, &DecodeOptions::default());
    assert_eq!(told(&game), "e4 e5 Nf3 Nc6 Bb5 Nd4 O-O c6");
    assert!(game.moves[3].cells.is_empty());
    assert_eq!(game.moves[4].cells, [4]);
}

#[test]
fn real_games_with_noise_are_told_right() {
    let mut random = Random(7);
    let (mut right, mut total) = (0, 0);
    for game in games(40) {
        let sans: Vec<&str> = game.split(' ').collect();
        let mut cells = sheet(&sans);
        for (cell, san) in cells.iter_mut().zip(&sans) {
            cell.lattice = Some(noisy(san.trim_end_matches('+'), 0.15, &mut random));
        }
        let decoded = decode(&cells, &DecodeOptions::default());
        total += sans.len();
        right += sans
            .iter()
            .zip(&decoded.moves)
            .filter(|(san, decoded)| {
                decoded
                    .played
                    .as_ref()
                    .is_some_and(|played| played.san == **san)
            })
            .count();
    }
    assert!(right * 1000 >= total * 985, "{right} of {total}");
}

#[test]
fn the_same_cells_give_the_same_game() {
    let mut random = Random(3);
    let text = "e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3 a6 Be3 e5 Nb3 Be6 f3 Be7";
    let mut cells = cells(text);
    for cell in &mut cells {
        let san = text.split(' ').nth(cell.cell).unwrap();
        cell.lattice = Some(noisy(san, 0.5, &mut random));
    }
    let first = decode(&cells, &DecodeOptions::default());
    for _ in 0..5 {
        assert_eq!(decode(&cells, &DecodeOptions::default()), first);
    }
}

#[test]
fn a_sheet_that_continues_another_is_told_as_written() {
    let mut later = cells("Rb1 Kg7 Rxb7");
    for cell in &mut later {
        cell.number += 30;
    }
    let game = decode(&later, &DecodeOptions::default());
    assert_eq!(told(&game), "'Rb1' 'Kg7' 'Rxb7'");
    let plies: Vec<u32> = game.moves.iter().map(|decoded| decoded.ply).collect();
    assert_eq!(plies, [61, 62, 63]);
    assert!(
        game.remarks[0].contains("begins with move 31"),
        "{:?}",
        game.remarks
    );
    // So is one that is numbered from 1 again.
    let game = decode(
        &cells("Rxc6 Bxe3 Rc5 Rxg3 Rxb5 Kd6 Kd5 Rxa1 Kf4 Kg6 Ke8 Kd7"),
        &DecodeOptions::default(),
    );
    assert!(game.moves.iter().all(|decoded| decoded.played.is_none()));
    assert_eq!(game.moves[3].written, "Rxg3");
    assert!(
        game.remarks[0].contains("fit no game"),
        "{:?}",
        game.remarks
    );
    // A first row that is missing is not a first page that is missing.
    let mut second = cells("Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7");
    for cell in &mut second {
        cell.number += 1;
    }
    let game = decode(&second, &DecodeOptions::default());
    assert_eq!(game.moves.len(), 10);
    assert_eq!(
        game.moves[6]
            .played
            .as_ref()
            .map(|played| played.san.as_str()),
        Some("Ba4")
    );
}

#[test]
fn moves_left_out_and_corrected_cells_are_found() {
    let cases = [
        // White's sixth move has no cell: later cells stand in the other column.
        (
            "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7 b5 Bb3 d6 c3 O-O h3 Nb8 d4 Nbd7 Nbd2 Bb7 Bc2 Re8 Nf1",
            12,
            "Bb3",
        ),
        // A move crossed out, and the right one behind it.
        ("e4 e5 Nf3 Nc6 Bg5Bb5 a6 Ba4 Nf6 O-O Be7", 5, "Bb5"),
    ];
    for (written, ply, san) in cases {
        let game = decode(&cells(written), &DecodeOptions::default());
        let played = game
            .moves
            .iter()
            .find(|decoded| decoded.ply == ply + u32::from(ply == 12))
            .and_then(|decoded| decoded.played.as_ref());
        assert_eq!(
            played.map(|played| played.san.as_str()),
            Some(san),
            "{}: {:#?}",
            told(&game),
            game.remarks
        );
    }
}

/// Blunders are what people play, too: clear ink stays whatever the prior thinks of it.
#[test]
fn written_blunders_stay() {
    for written in [
        "f3 e5 g4 Qh4#",
        "e4 e5 Qh5 Ke7 Qxe5#",
        "e4 e5 Nf3 Nc6 Bb5 Qg5 Nxg5 Nf6 Ke2 Ng4 Qe1 Nxf2 a4 Nxh1",
        "d4 Nf6 c4 e6 Nc3 Bb4 Qd2 Ne4 Qh6 Nxc3 Qxg7 Ke7 Qxh8 Qxh8",
        "e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3 a6 Nc6 Qd7 Nxb8 Rxb8",
    ] {
        assert_eq!(
            told(&decode(&cells(written), &DecodeOptions::default())),
            written
        );
    }
}

/// No ink and only the usual move of the opening: that is no ground to claim it.
#[test]
fn the_prior_claims_no_move_by_itself() {
    let game = decode(
        &cells("e4 e5 Nf3 Nc6 Bb5 a6 Bxc6 _ O-O f6"),
        &DecodeOptions::default(),
    );
    let missing = &game.moves[7];
    assert!(missing.played.is_none(), "{missing:?}");
    assert_eq!(missing.alternatives[0].san, "dxc6");
}

#[test]
fn a_move_is_not_claimed_where_many_would_do() {
    // White's ninth move has no cell, and the columns change places from there on: more moves would do than the search keeps.
    let written = "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7 Re1 b5 Bb3 d6 c3 O-O Na5 Bc2 c5 d4 Qc7 Nbd2 cxd4 cxd4 Nc6 Nb3 a5 Be3 a4";
    let game = decode(&cells(written), &DecodeOptions::default());
    let missing = &game.moves[16];
    assert!(missing.played.is_none(), "{missing:?}");
    assert_eq!(missing.alternatives.len(), 5, "{missing:?}");
    assert!(missing.alternatives[0].probability < 0.4, "{missing:?}");
    assert_eq!(game.remarks, ["9. White: the move is left out."]);
}

#[test]
fn fixed_moves_are_kept_and_the_rest_is_found_anew() {
    let read = |written: &str, locks: &[&str]| {
        let options = DecodeOptions {
            locks: locks.iter().map(|text| text.parse().unwrap()).collect(),
            ..DecodeOptions::default()
        };
        decode_checked(&[cells(written)], &options)
    };
    let written = "e4 e5 Nf3 Nc6 Qh8 a6 O-O Nf6 Re1 d6";
    let game = read(written, &["3w=Bc4"]).unwrap();
    assert_eq!(told(&game), "e4 e5 Nf3 Nc6 Bc4 a6 O-O Nf6 Re1 d6");
    assert_eq!(game.moves[4].status, Status::Sure);
    assert_eq!(game.moves[4].written, "Qh8");
    // Nothing is to be said of what is known: illegal ink, a move that is missing.
    for (written, lock) in [
        (written, "3w=Bc4"),
        ("e4 e5 Nf3 Nc6 _ a6 O-O Nf6 Re1 d6", "3w=Bc4"),
    ] {
        let remarks = |locks| read(written, locks).unwrap().remarks;
        let (before, after) = (remarks(&[]), remarks(&[lock]));
        assert!(
            !before.is_empty() && after.is_empty(),
            "{before:?} {after:?}"
        );
    }
    for (written, lock, expected) in [
        (written, "3w=Bh6", "3w=Bh6: not legal there"),
        (
            written,
            "30w=Kg2",
            "30w=Kg2: the game on the sheet ends with move 5",
        ),
        (
            "_ _ _ _",
            "1w=e4",
            "1w=e4: the game on the sheet ends with move 0",
        ),
        ("_ _ _ _", "1w=e5", "1w=e5: not legal there"),
    ] {
        let error = read(written, &[lock]).unwrap_err().to_string();
        assert!(error.starts_with(expected), "{error}");
    }
}
