//! The examples that laws and conventions give for themselves, each by its name, from the tables in `data`.

use std::collections::HashSet;

use cozy_chess::{Board, BoardBuilder, Color, File, Piece, Rank, Square, get_king_moves};
use scoresheet_notation::{
    Expectations, GameReader, GameText, Interpretation, Language, LegalMove, Reason, Style, System,
    interpret, render, split_games,
};

/// The rows of a table, comments left out.
fn rows(table: &'static str) -> impl Iterator<Item = Vec<&'static str>> {
    table
        .lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| line.split('\t').collect())
}

fn language(code: &str) -> &'static Language {
    Language::by_code(code).unwrap()
}

fn names(found: &[Interpretation]) -> Vec<String> {
    found.iter().map(|one| one.legal.san()).collect()
}

#[test]
fn every_example_of_a_move() {
    let mut failures = Vec::new();
    let mut count = 0;
    for row in rows(include_str!("data/conventions.tsv")) {
        let &[name, code, fen, written, sans, how] = row.as_slice() else {
            panic!("{row:?}");
        };
        count += 1;
        let board = Board::from_fen(fen, false).unwrap_or_else(|_| panic!("{fen}"));
        let expectations = match how {
            "lawful" => Expectations {
                other_languages: false,
                slips: false,
                ..Expectations::mostly(language(code))
            },
            _ => Expectations::mostly(language(code)),
        };
        let found = interpret(&board, written, &expectations);
        let best = found.first().map_or(0.0, |best| best.cost);
        let likely: Vec<Interpretation> = found
            .into_iter()
            .filter(|one| one.cost < best + 0.9)
            .collect();
        let mut moves = names(&likely);
        moves.sort();
        let slip = likely
            .iter()
            .flat_map(|one| &one.reasons)
            .any(|reason| reason.is_slip());
        if moves.join(" ") != sans || slip != (how == "slip") {
            failures.push(format!(
                "{name}: {written} in {fen}: {likely:?}, not {sans}"
            ));
        }
    }
    assert!(count > 150, "{count}");
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

fn sans(game: &GameText, reader: &GameReader) -> (String, &'static str, System) {
    let reading = &reader.read(std::slice::from_ref(game))[0];
    let moves: Vec<String> = reading.moves.iter().map(|read| read.legal.san()).collect();
    let mut told = moves.join(" ");
    if let Some(failure) = &reading.failure {
        told = format!("{told} / {failure}");
    }
    (told, reading.language.code, reading.system)
}

fn system(name: &str) -> System {
    match name {
        "short" => System::ShortAlgebraic,
        "long" => System::LongAlgebraic,
        "descriptive" => System::Descriptive,
        _ => panic!("{name}"),
    }
}

/// Each game is read when its language and system are told, and when they have to be found out.
#[test]
fn every_example_of_a_game() {
    let anything = GameReader::new(None, None);
    for row in rows(include_str!("data/games.tsv")) {
        let &[name, code, system_name, text, moves] = row.as_slice() else {
            panic!("{row:?}");
        };
        let games = split_games(text);
        assert_eq!(games.len(), 1, "{name}");
        let told = GameReader::new(Some(language(code)), Some(system(system_name)));
        assert_eq!(sans(&games[0], &told).0, moves, "{name}, told");
        let (found, found_code, found_system) = sans(&games[0], &anything);
        assert_eq!(found, moves, "{name}, found out");
        assert_eq!(found_system, system(system_name), "{name}");
        // Serbian has the letters of German.
        let same = language(found_code).pieces == language(code).pieces;
        assert!(same, "{name}: {found_code}");
    }
}

/// All four columns of Scholar's mate side by side in one text, as an encyclopedia has them.
#[test]
fn columns_of_one_game_in_four_systems() {
    let text = "1. PK2-K4 | PK2-K4 | 1. P-K4 | P-K4 | 1. e2-e4 | e7-e5 | 1. e4 | e5 |\n\
                2. BKB1-QB4 | BKB1-QB4 | 2. B-B4 | B-B4 | 2. Lf1-c4 | Lf8-c5 | 2. Lc4 | Lc5 |\n\
                3. QQ1-KR5 | NKN1-KB3 | 3. Q-R5 | N-B3 | 3. Dd1-h5 | Pg8-f6 | 3. Dh5 | Pf6 |\n\
                4. QKR5×KB7 mate | 4. Q×B7 mate | 4. Dh5×f7 # | 4. Df7: # |";
    let games = split_games(text);
    assert_eq!(games.len(), 4);
    let reader = GameReader::new(None, None);
    let systems = ["descriptive", "descriptive", "long", "short"].map(system);
    for ((game, code), expected) in games.iter().zip(["en", "en", "nl", "nl"]).zip(systems) {
        let (moves, found_code, found) = sans(game, &reader);
        assert_eq!(moves, "e4 e5 Bc4 Bc5 Qh5 Nf6 Qxf7#");
        assert_eq!((found_code, found), (code, expected));
    }
}

/// A lone piece with the kings out of its way, where there is such a position.
fn lone(piece: Piece, square: Square, side: Color) -> Option<Board> {
    // Not always the same squares for the kings.
    let turned = move |place: usize| Square::index((place + square as usize + 9) % 64);
    (0..64)
        .flat_map(|own| (0..64).map(move |other| (turned(own), turned(other))))
        .find_map(|(own, other)| {
            if get_king_moves(own).has(other) {
                return None;
            }
            let mut builder = BoardBuilder::empty();
            builder.side_to_move = side;
            for (square, content) in [
                (own, (Piece::King, side)),
                (other, (Piece::King, !side)),
                (square, (piece, side)),
            ] {
                if builder.square(square).is_some() {
                    return None;
                }
                *builder.square_mut(square) = Some(content);
            }
            builder.build().ok()
        })
}

/// Articles C.5 to C.7: each of the 64 squares has one name.
#[test]
fn spanish_squares() {
    let style = Style::usual(language("es"), System::ShortAlgebraic);
    let mut seen = HashSet::new();
    for from in Square::ALL {
        let Some(board) = lone(Piece::Queen, from, Color::White) else {
            continue;
        };
        for legal in LegalMove::all(&board) {
            if legal.piece != Piece::Queen {
                continue;
            }
            let text = render(&board, &legal, &style);
            let name = text.trim_start_matches('D').trim_matches(['x', '+', '#']);
            assert_eq!(name, legal.played.to.to_string());
            seen.insert(name.to_owned());
        }
    }
    assert_eq!(seen.len(), 64);
}

/// Files have the names of the pieces of the first array, ranks count from the side that moves.
#[test]
fn descriptive_squares() {
    const FILES: [&str; 8] = ["QR", "QN", "QB", "Q", "K", "KB", "KN", "KR"];
    let expectations = Expectations::exactly(Language::ENGLISH, System::Descriptive);
    let mut seen = 0;
    for side in [Color::White, Color::Black] {
        for (file, name) in File::ALL.into_iter().zip(FILES) {
            for rank in Rank::ALL {
                let target = Square::new(file, rank);
                let from = Square::new(if file == File::D { File::E } else { File::D }, rank);
                let Some(board) = lone(Piece::Rook, from, side) else {
                    continue;
                };
                let counted = match side {
                    Color::White => rank as usize + 1,
                    Color::Black => 8 - rank as usize,
                };
                let text = format!("R-{name}{counted}");
                let found = interpret(&board, &text, &expectations);
                let goes = LegalMove::all(&board)
                    .iter()
                    .any(|legal| legal.played.from == from && legal.played.to == target);
                if goes {
                    assert_eq!(found.len(), 1, "{text} {board}");
                    assert_eq!(found[0].legal.played.to, target, "{text} {board}");
                    seen += 1;
                }
            }
        }
    }
    assert!(seen > 100, "{seen}");
}

/// In Scholar's mate both knights can go to B3, and the queen mates in both games: that is told.
#[test]
fn what_the_rest_of_the_text_leaves_open_is_told() {
    let row = rows(include_str!("data/games.tsv"))
        .find(|row| row[0] == "Scholar's mate, descriptive")
        .unwrap();
    let reading = GameReader::new(None, None)
        .read(&split_games(row[3]))
        .remove(0);
    let open: Vec<(String, Vec<String>)> = reading
        .moves
        .iter()
        .filter(|read| !read.others.is_empty())
        .map(|read| {
            (
                read.legal.san(),
                read.others.iter().map(LegalMove::san).collect(),
            )
        })
        .collect();
    assert_eq!(open, [("Nf6".to_owned(), vec!["Nc6".to_owned()])]);
}

/// Slips of the Polish sample: letters of another language are told, not passed over.
#[test]
fn slips_are_told() {
    let row = rows(include_str!("data/games.tsv"))
        .find(|row| row[0].starts_with("Polish"))
        .unwrap();
    let reading = GameReader::new(None, None)
        .read(&split_games(row[3]))
        .remove(0);
    let slips: Vec<(usize, Reason)> = reading
        .moves
        .iter()
        .enumerate()
        .flat_map(|(index, read)| read.reasons.iter().map(move |&reason| (index, reason)))
        .filter(|(_, reason)| reason.is_slip())
        .collect();
    let english = Reason::OtherLanguage("en");
    assert_eq!(slips, [(5, english), (14, english)]);
}
