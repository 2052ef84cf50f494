//! What has to hold for any file that is read besides images, shared by the fuzz targets and the test.

use std::path::{Path, PathBuf};

use scoresheet_decoder::DecodeOptions;
use scoresheet_imaging::Limits;
use scoresheet_pipeline::{
    Colour, DoubtMarks, FixTable, Fixes, GameDocument, GameInput, GameNames, Generator, Pairings,
    SheetInput, decode_game, doubts, load_lattices, read_manifest, render_part, save_lattices,
    write_pgn_marked,
};

/// Calls `read` with a file of these bytes.
fn with_file(bytes: &[u8], read: impl FnOnce(&Path)) {
    let folder = tempfile::tempdir().expect("a folder for the file");
    let path = folder.path().join("file");
    std::fs::write(&path, bytes).expect("room for the file");
    read(&path);
}

/// An error must name the file and say what to do.
fn check_error(error: &dyn std::error::Error, path: &Path) {
    let told = error.to_string();
    assert!(told.starts_with(&path.display().to_string()), "{told}");
    assert!(told.contains("; "), "no remedy: {told}");
}

/// Manifests, pairings (tournament reports and PGN) and corrections.
pub fn tables(bytes: &[u8]) {
    with_file(bytes, |path| {
        let inputs = ["1.jpg", "in/2.jpg", "in/a/3.jpg"].map(PathBuf::from);
        let mut games = match read_manifest(path, &inputs, &Limits::default()) {
            Ok(games) => games,
            Err(error) => {
                check_error(&error, path);
                vec![game("a"), game("2")]
            }
        };
        assert!(games.iter().all(|game| !game.sheets.is_empty()));
        match Pairings::read(path, None) {
            Ok(pairings) => drop(pairings.complete(&mut games)),
            Err(error) => check_error(&error, path),
        }
        match FixTable::read(path) {
            Ok(table) => corrections(&table, &games, path),
            Err(errors) => errors.iter().for_each(|error| check_error(error, path)),
        }
    });
}

fn game(name: &str) -> GameInput {
    GameInput::single(name.to_owned(), PathBuf::from(format!("{name}.jpg")))
}

/// What is kept comes back the same.
fn corrections(table: &FixTable, games: &[GameInput], path: &Path) {
    let names = games.iter().map(|game| game.name.clone()).collect();
    let names = GameNames::new(names, games);
    let mut fixes = Fixes::kept(table);
    let before = fixes.clone();
    if let Err(errors) = fixes.add(table, &names) {
        errors.iter().for_each(|error| check_error(error, path));
        assert_eq!(fixes, before);
    }
    fixes.write(path).expect("room for the table");
    let again = Fixes::kept(&FixTable::read(path).expect("a table that was written"));
    for name in fixes.games() {
        assert_eq!(again.of(name), fixes.of(name), "{name:?}");
    }
}

/// Lattice files; what is sound is saved and decoded.
pub fn lattices(bytes: &[u8]) {
    with_file(bytes, |path| {
        let sheet = match load_lattices(path) {
            Ok(sheet) => sheet,
            Err(error) => return check_error(&error, path),
        };
        save_lattices(&sheet, path).expect("room for the file");
        let again = load_lattices(path).expect("a file that was written");
        assert_eq!(again.cells.len(), sheet.cells.len());
        if sheet.cells.len() > 12 {
            return; // The search has its own tests and takes its time.
        }
        let game = game("a");
        let input: SheetInput = game.sheets[0].clone();
        let generator = Generator {
            version: "0.0.0".to_owned(),
            model: String::new(),
        };
        let sheets = vec![(input, Some(sheet))];
        let (document, refused) = decode_game(&game, sheets, &generator, &DecodeOptions::default());
        assert!(refused.is_empty());
        write(&document);
    });
}

/// Documents, as another program may hand them back.
pub fn documents(bytes: &[u8]) {
    if let Ok(document) = serde_json::from_slice::<GameDocument>(bytes) {
        write(&document);
    }
}

/// All that is made of a document.
fn write(document: &GameDocument) {
    assert!(doubts(document).len() <= document.moves.len());
    let tags = [("White".to_owned(), "Doe, \"J\"".to_owned())];
    for marks in [DoubtMarks::Comments, DoubtMarks::Both, DoubtMarks::None] {
        assert!(write_pgn_marked(document, &tags, marks).contains("[White \"Doe, \\\"J\\\"\"]"));
    }
    let part = render_part("<a>", document, &[], true);
    let part: serde_json::Value = serde_json::from_str(&part).expect("a part that was written");
    for html in ["doubts_html", "game_html"] {
        let html = part[html].as_str().expect("a text");
        assert!(!html.contains("<a>"), "a name that is not escaped");
    }
    let _ = document.fix(1, Colour::White);
    assert!(document.to_json_line().is_ok());
}
