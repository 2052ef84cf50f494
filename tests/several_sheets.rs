//! Pictures that show several sheets.

use image::{GrayImage, Luma};

use crate::support::{Run, TestEnvironment, sample};

/// Sheets of the samples on one dark table, in rows.
fn picture(rows: &[&[&str]]) -> GrayImage {
    const APART: u32 = 40;
    let open = |name: &&str| image::open(sample(name)).unwrap().into_luma8();
    let rows: Vec<Vec<GrayImage>> = rows
        .iter()
        .map(|row| row.iter().map(open).collect())
        .collect();
    let wide = |row: &Vec<GrayImage>| row.iter().map(|sheet| sheet.width() + APART).sum::<u32>();
    let high = |row: &Vec<GrayImage>| row.iter().map(GrayImage::height).max().unwrap() + APART;
    let width = rows.iter().map(wide).max().unwrap();
    let mut picture = GrayImage::from_pixel(width, rows.iter().map(high).sum(), Luma([90]));
    let mut top = 0;
    for row in &rows {
        let mut left = 0;
        for sheet in row {
            image::imageops::replace(&mut picture, sheet, left, top);
            left += i64::from(sheet.width() + APART);
        }
        top += i64::from(high(row));
    }
    picture
}

fn first_column(run: &Run) -> Vec<&str> {
    let lines = run.stdout.lines().skip(1);
    lines.map(|line| line.split('\t').next().unwrap()).collect()
}

/// The moves of a PGN without its tags, and without the doubts, which may differ with the pixels around a sheet.
fn moves(pgn: &str) -> Vec<String> {
    let kept = pgn.split('{').flat_map(|part| part.rsplit('}').next());
    kept.flat_map(str::lines)
        .filter(|line| !line.starts_with('['))
        .flat_map(str::split_whitespace)
        .filter(|word| !word.ends_with('.'))
        .map(str::to_owned)
        .collect()
}

#[test]
fn each_sheet_of_a_picture_is_a_game() {
    let environment = TestEnvironment::new();
    environment.save(
        "photo.png",
        &picture(&[&["clean-scan.jpg", "two-copies-a.jpg"]]),
    );
    let alone = ["clean-scan.jpg", "two-copies-a.jpg"].map(|name| {
        let path = sample(name);
        let run = environment.run(["read".as_ref(), path.as_os_str()]);
        moves(&run.stdout)
    });
    // A file that has the name of the second sheet.
    environment.write("photo-s2.jpg", "no picture");
    let read = || {
        environment.run([
            "read",
            "photo.png",
            "photo-s2.jpg",
            "-o",
            "out",
            "--save-lattices",
            "lattices",
        ])
    };
    let run = read();
    assert_eq!(run.status, 1, "{run:?}");
    assert!(run.stderr.contains("2 of 3 games read"), "{run:?}");
    let names = ["photo-s1", "photo-s2-2"];
    for (name, alone) in names.iter().zip(&alone) {
        let pgn = std::fs::read_to_string(environment.path(&format!("out/{name}.pgn"))).unwrap();
        assert_eq!(&moves(&pgn), alone, "{name}");
    }
    assert_eq!(
        environment.files("lattices"),
        names.map(|name| format!("{name}.lattice"))
    );
    let json = std::fs::read_to_string(environment.path("out/photo-s2-2.json")).unwrap();
    let document: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(document["game"], "photo-s2");
    assert_eq!(document["sources"][0]["file_sheet"], 2);
    let report = std::fs::read_to_string(environment.path("out/report.html")).unwrap();
    assert!(report.contains("photo.png#1.2, copy A"));
    // What is done is kept, under the same names.
    let again = read();
    for name in names {
        let kept = format!("{name}: ");
        let line = again.stderr.lines().find(|line| line.contains(&kept));
        assert!(
            line.is_some_and(|line| line.ends_with("kept from an earlier run")),
            "{name}: {again:?}"
        );
    }
    let all = std::fs::read_to_string(environment.path("out/games.pgn")).unwrap();
    assert_eq!(moves(&all), alone.concat());
}

#[test]
fn lattices_of_a_kept_game_are_saved_without_reading() {
    let environment = TestEnvironment::new();
    environment.save(
        "photo.png",
        &picture(&[&["clean-scan.jpg", "two-copies-a.jpg"]]),
    );
    environment.write("round.csv", "game,file,copy,page\nfinal,photo.png,A,1\n");
    let read = || {
        environment.run([
            "read",
            "--manifest",
            "round.csv",
            "-o",
            "out",
            "--save-lattices",
            "lattices",
        ])
    };
    let first = read();
    assert!(first.stderr.contains("1 of 1 games read, "), "{first:?}");
    let files = || environment.files("lattices");
    assert_eq!(files(), ["photo-s1.lattice", "photo-s2.lattice"]);
    let bytes = || std::fs::read(environment.path("lattices/photo-s2.lattice")).unwrap();
    let saved = bytes();
    for lost in [false, true] {
        if lost {
            std::fs::remove_file(environment.path("lattices/photo-s2.lattice")).unwrap();
        }
        let again = read();
        assert!(again.stderr.contains("(1 of them kept"), "{again:?}");
        assert_eq!(bytes(), saved);
    }
}

#[test]
fn sheets_are_numbered_in_reading_order_and_named() {
    let environment = TestEnvironment::new();
    environment.save(
        "book.png",
        &picture(&[&["empty-form.jpg", "clean-scan.jpg"]]),
    );
    let run = environment.run(["forms", "book.png"]);
    assert_eq!(
        first_column(&run),
        ["book.png#1.1", "book.png#1.2"],
        "{run:?}"
    );
    let one = environment.run(["forms", "book.png#1.2"]);
    assert_eq!(first_column(&one), ["book.png#1.2"], "{one:?}");
    let none = environment.run(["forms", "book.png#1.3"]);
    assert!(
        none.stderr.contains("book.png: shows 2 sheets, no sheet 3"),
        "{none:?}"
    );
    let cells = environment.run(["cells", "book.png", "-o", "cells"]);
    assert_eq!(cells.status, 0, "{cells:?}");
    assert_eq!(
        environment.files("cells"),
        ["book-s1.png", "book-s2.png", "cells.tsv"]
    );
    // The blank sheet is no game, and the other keeps the name of the picture.
    let run = environment.run(["read", "book.png", "-o", "out"]);
    assert_eq!(run.status, 0, "{run:?}");
    assert!(
        run.stderr
            .contains("book.png#1.2: sheet 1 of this picture has no handwriting"),
        "{run:?}"
    );
    assert!(environment.path("out/book.pgn").exists(), "{run:?}");
    // A correction may name the sheet, as the report's table does.
    environment.write("fixes.csv", "file,fix\nbook.png#1.2,1w=a3\n");
    let run = environment.run(["read", "book.png", "-o", "out", "--fixes", "fixes.csv"]);
    assert_eq!(run.status, 0, "{run:?}");
    let document = std::fs::read_to_string(environment.path("out/book.json")).unwrap();
    assert!(document.contains("\"told\":\"a3\""), "{document}");
    // A manifest names a sheet of the picture, which is then not read otherwise.
    environment.write("round.csv", "game,file,White\nfinal,book.png#1.2,Doe\n");
    let run = environment.run(["read", "book.png", "--manifest", "round.csv"]);
    assert_eq!(run.status, 0, "{run:?}");
    assert_eq!(run.stdout.matches("[Event ").count(), 1, "{run:?}");
    assert!(run.stdout.contains("[White \"Doe\"]"), "{run:?}");
    environment.write("round.csv", "game,file\na,book.png\nb,book.png#1.2\n");
    let run = environment.run(["read", "--manifest", "round.csv"]);
    assert_eq!(run.status, 2, "{run:?}");
    assert!(run.stderr.contains("is on line 2 already"), "{run:?}");
}
