//! `scoresheet convert`: texts in, texts out, and what is told of texts that are no games.

use std::io::Write;
use std::process::Stdio;

use crate::support::TestEnvironment;

/// The moves of a PGN text as one line.
fn movetext(pgn: &str) -> String {
    pgn.lines()
        .filter(|line| !line.starts_with('['))
        .collect::<Vec<_>>()
        .join(" ")
        .trim()
        .to_owned()
}

#[test]
fn any_notation_becomes_any_other() {
    const LEGAL: &str = "1. e2-e4 e7-e5 2. Lf1-c4 d7-d6 3. Sg1-f3 h7-h6 4. Sb1-c3 Lc8-g4? 5. Sf3:e5! Lg4:d1? 6. Lc4:f7+ Ke8-e7 7. Sc3-d5 mat.";
    const KING_PAWN: &str = "1. P-K4 P-K4 2. Kt-KB3 Kt-QB3 3. B-Kt5 P-QR3 4. BxKt QPxB";
    let environment = TestEnvironment::new();
    let table: [(&str, &[&str], &str); 9] = [
        (
            LEGAL,
            &[],
            "1. e4 e5 2. Bc4 d6 3. Nf3 h6 4. Nc3 Bg4 $2 5. Nxe5 $1 Bxd1 $2 6. Bxf7+ Ke7 7. Nd5# 1-0",
        ),
        (
            LEGAL,
            &["--to", "sr-cyrl"],
            "1. e4 e5 2. Лc4 d6 3. Сf3 h6 4. Сc3 Лg4? 5. С:e5! Л:d1? 6. Л:f7+ Кe7 7. Сd5# 1-0",
        ),
        (
            LEGAL,
            &["--from", "de", "--to", "figurine"],
            "1. e4 e5 2. ♗c4 d6 3. ♘f3 h6 4. ♘c3 ♗g4? 5. ♘xe5! ♗xd1? 6. ♗xf7+ ♔e7 7. ♘d5# 1-0",
        ),
        (
            LEGAL,
            &["--to-notation", "descriptive"],
            "1. P-K4 P-K4 2. B-B4 P-Q3 3. N-KB3 P-KR3 4. N-B3 B-N5? 5. NxP! BxQ? 6. BxPch K-K2 7. N-Q5 mate 1-0",
        ),
        (
            LEGAL,
            &["--to", "nl", "--to-notation", "long"],
            "1. e2-e4 e7-e5 2. Lf1-c4 d7-d6 3. Pg1-f3 h7-h6 4. Pb1-c3 Lc8-g4? 5. Pf3xe5! Lg4xd1? 6. Lc4xf7+ Ke8-e7 7. Pc3-d5# 1-0",
        ),
        (
            KING_PAWN,
            &[],
            "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Bxc6 dxc6 *",
        ),
        (
            KING_PAWN,
            &["--notation", "descriptive", "--to", "es"],
            "1. e4 e5 2. Cf3 Cc6 3. Ab5 a6 4. Axc6 dxc6 *",
        ),
        (
            "e4 e5 Кf3 Кc6 Сb5 a6 0-0",
            &["--from", "ru", "--to-notation", "long"],
            "1. e2-e4 e7-e5 2. Кg1-f3 Кb8-c6 3. Сf1-b5 a7-a6 4. 0-0 *",
        ),
        (
            "1. é4 e5 2. Cf3",
            &["--from", "fr", "--to", "pgn"],
            "1. e4 e5 2. Nf3 *",
        ),
    ];
    for (text, options, expected) in table {
        environment.write("game.txt", text);
        let arguments = ["convert", "game.txt"].iter().chain(options);
        let run = environment.run(arguments);
        assert_eq!(run.status, 0, "{options:?}: {run:?}");
        assert_eq!(movetext(&run.stdout), expected, "{options:?}");
        assert!(run.stderr.is_empty(), "{options:?}: {run:?}");
    }
}

#[test]
fn headers_comments_and_several_games_are_kept() {
    let environment = TestEnvironment::new();
    environment.write(
        "games.pgn",
        "[White \"A\"]\n[Black \"B\"]\n[WhiteElo \"1800\"]\n[Result \"1-0\"]\n\n{An open game} 1. e4 e5 (1... c5) 2. Nf3 {best} Nc6 1-0\n\n\
         [White \"C\"]\n\n1. d4 d5 1/2-1/2\n",
    );
    let run = environment.run(["convert", "games.pgn", "--to", "nl"]);
    assert_eq!(run.status, 0, "{run:?}");
    assert_eq!(
        run.stdout,
        "[White \"A\"]\n[Black \"B\"]\n[WhiteElo \"1800\"]\n[Result \"1-0\"]\n\n{An open game} 1. e4 e5 2. Pf3 {best} 2... Pc6 1-0\n\n\
         [White \"C\"]\n\n1. d4 d5 1/2-1/2\n\n"
    );
    let run = environment.run(["convert", "games.pgn"]);
    assert!(
        run.stdout
            .contains("[Event \"?\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"A\"]\n[Black \"B\"]\n[Result \"1-0\"]\n[WhiteElo \"1800\"]\n"),
        "{run:?}"
    );
}

#[test]
fn what_is_no_legal_game_is_named() {
    let environment = TestEnvironment::new();
    let table: [(&str, i32, &str, &str); 10] = [
        (
            "1. e4 e5 2. Nf3 Nc6\n3. Nd5 a6",
            1,
            "1. e4 e5 2. Nf3 Nc6",
            "error: game.txt, line 2: 3. \"Nd5\" is not legal here; legal are Nd4, N",
        ),
        (
            "1. e4 e5 2. Pf3 Pc6 3. Lb5 Dd5",
            1,
            "1. e4 e5 2. Nf3 Nc6 3. Bb5",
            "line 1: 3... \"Dd5\" is not legal here; legal are ",
        ),
        (
            "1. f3 e5 2. g4 Qh4# 3. Kf2",
            1,
            "1. f3 e5 2. g4 Qh4#",
            "3. \"Kf2\" comes after the end of the game by checkmate",
        ),
        (
            "1. e4 e5 2. Nf3 3. Nc3",
            1,
            "1. e4 e5 2. Nf3",
            "2... \"Nc3\" is written for White, but the move of Black before it is missing",
        ),
        (
            "31. Kf1 Kd7",
            1,
            "{line 1: 31.",
            "without the moves before it, or a tag FEN, its position is not known",
        ),
        (
            "[FEN \"8/8/8 w\"]\n\n1. Kf1",
            1,
            "{line 1: the tag FEN",
            "the tag FEN \"8/8/8 w\" is no legal position",
        ),
        (
            "1. d4 Sf6 2. c4 e6 3. Sc3 Bb4",
            0,
            "1. d4 Nf6 2. c4 e6 3. Nc3 Bb4 *",
            "warning: game.txt, line 1: 3... \"Bb4\" is read as Gb4 (letter of another language (en))",
        ),
        // R is the English rook, and not the Lithuanian bishop that could go there.
        (
            "1. e4 e5 2. Nf3 Nc6 3. Rc4 a6",
            1,
            "1. e4 e5 2. Nf3 Nc6 {",
            "3. \"Rc4\" is not legal here",
        ),
        (
            "Dear Sir, nothing here.",
            1,
            "",
            "there are no chess moves in this text",
        ),
        ("", 1, "", "there are no chess moves in this text"),
    ];
    for (text, status, moves, message) in table {
        environment.write("game.txt", text);
        let run = environment.run(["convert", "game.txt"]);
        assert_eq!(run.status, status, "{text}: {run:?}");
        assert!(movetext(&run.stdout).starts_with(moves), "{text}: {run:?}");
        assert!(run.stderr.contains(message), "{text}: {run:?}");
    }
    let unreadable: [(&[u8], &str); 3] = [
        (
            b"1. e4\n1... \xe95",
            "line 2 is not UTF-8 (byte 11); save the text as UTF-8",
        ),
        (b"\xff\xfe1\0.\0", "the text is UTF-16; save it as UTF-8"),
        (b"\xfe\xff\x001", "UTF-16"),
    ];
    for (bytes, message) in unreadable {
        environment.write("game.txt", bytes);
        let run = environment.run(["convert", "game.txt"]);
        assert_eq!(run.status, 1, "{run:?}");
        assert!(run.stderr.contains(message), "{run:?}");
        assert!(run.stdout.is_empty(), "{run:?}");
    }
    let run = environment.run(["convert", "absent.txt"]);
    assert_eq!(run.status, 1, "{run:?}");
    assert!(run.stderr.contains("error: absent.txt: "), "{run:?}");
}

#[test]
fn options_that_contradict_end_with_two() {
    let environment = TestEnvironment::new();
    environment.write("game.txt", "1. e4");
    let table: [(&[&str], &str); 6] = [
        (&[], "FILE"),
        (&["game.txt", "--from", "klingon"], "not a known language"),
        (
            &["game.txt", "--to", "klingon"],
            "--to klingon: not a known language",
        ),
        (
            &["game.txt", "--to", "pgn", "--to-notation", "long"],
            "--to pgn is short notation",
        ),
        (
            &["game.txt", "--to", "nl", "--to-notation", "descriptive"],
            "descriptive notation is English",
        ),
        (
            &["game.txt", "--from", "nl", "--notation", "descriptive"],
            "descriptive notation is English",
        ),
    ];
    for (arguments, message) in table {
        let run = environment.run(["convert"].iter().chain(arguments));
        assert_eq!(run.status, 2, "{arguments:?}: {run:?}");
        assert!(run.stderr.contains(message), "{arguments:?}: {run:?}");
    }
}

#[test]
fn a_dash_is_stdin() {
    let mut child = std::process::Command::new(assert_cmd::cargo::cargo_bin!("scoresheet"))
        .args(["convert", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child
        .stdin
        .take()
        .unwrap()
        .write_all("1. e4 e5 2. ♘f3 ♞c6".as_bytes())
        .unwrap();
    let output = child.wait_with_output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success());
    assert_eq!(movetext(&text), "1. e4 e5 2. Nf3 Nc6 *");
}
