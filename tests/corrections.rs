//! Corrections: from tables to games, and kept for the next runs.

use std::ffi::OsStr;

use scoresheet_pipeline::GameDocument;

use crate::support::{Run, TestEnvironment, content, lattices, read, sample};

fn document(environment: &TestEnvironment, name: &str) -> GameDocument {
    let text = std::fs::read_to_string(environment.path(&format!("out/{name}.json"))).unwrap();
    serde_json::from_str(&text).unwrap()
}

fn text(environment: &TestEnvironment, name: &str) -> String {
    std::fs::read_to_string(environment.path(name)).unwrap()
}

/// A move of the sample (`75 moves`) that has another legal one in its place.
fn san(document: &GameDocument, ply: usize) -> &str {
    document.moves[ply - 1].san.as_deref().unwrap()
}

#[test]
fn a_table_mends_the_games_that_it_names_and_no_others() {
    let environment = lattices(3);
    assert_eq!(read(&environment, 3, &[]).status, 0);
    let before = content(&environment.path("out"));
    let last = document(&environment, "2").moves.len();
    let other = "game,fix\n2,1w=a3\n";
    environment.write("fixes.csv", other);
    let run = read(&environment, 3, &["--fixes", "fixes.csv"]);
    assert_eq!(run.status, 0, "{run:?}");
    assert!(run.stderr.contains("(2 of them kept"), "{run:?}");
    let mended = document(&environment, "2");
    assert_eq!(san(&mended, 1), "a3");
    assert_eq!((mended.fixes[0].told.as_str(), last > 2), ("a3", true));
    let after = content(&environment.path("out"));
    for name in ["1.pgn", "3.json"] {
        assert_eq!(after[name], before[name], "{name}");
    }
    // Kept without the table, and nothing is read again.
    let again = read(&environment, 3, &[]);
    assert!(again.stderr.contains("(3 of them kept"), "{again:?}");
    assert_eq!(content(&environment.path("out")), after);
    // The report lists it, with the move in the column for corrections; emptied, it is taken back.
    let report = text(&environment, "out/report.csv");
    let line = report
        .lines()
        .find(|line| line.contains(",fixed,a3,a3,"))
        .unwrap();
    let emptied = line.replace(",fixed,a3,a3,", ",fixed,a3,,");
    environment.write(
        "edited.csv",
        report
            .replace(line, &emptied)
            .replace(',', ";")
            .replace("; ", ", "),
    );
    let back = read(&environment, 3, &["--fixes", "out/report.csv"]);
    assert_eq!(content(&environment.path("out")), after, "{back:?}");
    // What was written into the table and not given to a run is not lost.
    environment.write("out/report.csv", report.replace(line, &emptied));
    let aside = read(&environment, 3, &[]);
    assert!(aside.stderr.contains("report-edited.csv"), "{aside:?}");
    let edited = environment.path("out/report-edited.csv");
    assert!(std::fs::read_to_string(&edited).unwrap().contains(&emptied));
    std::fs::remove_file(&edited).unwrap();
    assert_eq!(content(&environment.path("out")), after, "{aside:?}");
    let header = report.lines().next().unwrap();
    environment.write("edited.csv", format!("{header}\n{emptied}\n"));
    let back = read(&environment, 3, &["--fixes", "edited.csv"]);
    assert_eq!(back.status, 0, "{back:?}");
    let mut restored = content(&environment.path("out"));
    assert_eq!(restored.remove("fixes.csv").unwrap(), b"game,fix\n");
    assert_eq!(restored, before);
}

/// Whether a run with `--timings` looked at a cell.
fn looked_at_cells(run: &Run) -> bool {
    let line = |stage: &str| {
        let mut lines = run.stderr.lines();
        let line = lines.find(|line| line.starts_with(stage)).unwrap();
        line.ends_with("\t0")
    };
    !(line("form") && line("cells") && line("reading"))
}

#[test]
fn a_game_is_found_anew_from_what_was_read_before() {
    let environment = TestEnvironment::new();
    let sheet = sample("sideways.jpg");
    let read = |folder: &str, further: &[&str]| {
        let inputs = ["read".as_ref(), sheet.as_os_str(), "-o".as_ref()];
        let further = [folder, "--timings"]
            .into_iter()
            .chain(further.iter().copied());
        let run = environment.run(inputs.into_iter().chain(further.map(OsStr::new)));
        assert_eq!(run.status, 0, "{run:?}");
        looked_at_cells(&run)
    };
    environment.write("fixes.csv", "game,fix\nsideways,3w=a3\n");
    let fixed = ["--fixes", "fixes.csv"];
    assert!(read("anew", &fixed));
    let expected = content(&environment.path("anew"));
    assert!(read("out", &[]));
    assert_ne!(
        content(&environment.path("out"))["sideways.json"],
        expected["sideways.json"]
    );
    assert!(!read("out", &fixed));
    assert_eq!(content(&environment.path("out")), expected);
    assert!(!read("out", &["--language", "en"]));
    assert!(read("out", &["--redo"]));
    assert_eq!(content(&environment.path("out")), expected);
    // Damaged, it does not count.
    let kept = environment.path("out/.scoresheet/sideways.sheets");
    let mut bytes = std::fs::read(&kept).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    std::fs::write(&kept, bytes).unwrap();
    assert!(read("out", &["--no-prior"]));
    assert!(!read("out", &[]));
    assert_eq!(content(&environment.path("out")), expected);
}

#[test]
fn what_cannot_be_kept_is_told_and_the_game_is_read_without_it() {
    let environment = lattices(2);
    environment.write("fixes.csv", "game,fix\n1,1w=Ka8\n1,1b=a6\n");
    for further in [&["--fixes", "fixes.csv"][..], &[]] {
        let run = read(&environment, 2, further);
        assert_eq!(run.status, 1, "{run:?}");
        let expected = "error: in/1.lattice: 1w=Ka8: not legal there";
        assert!(run.stderr.contains(expected), "{run:?}");
        assert!(run.stderr.contains("2 of 2 games read"), "{run:?}");
        let game = document(&environment, "1");
        assert_eq!(san(&game, 2), "a6");
        assert!(game.fixes[0].refused.is_some() && game.fixes[1].refused.is_none());
        let report = text(&environment, "out/report.csv");
        assert!(
            report.contains(",Ka8,") && report.contains(",fixed,a6,a6,"),
            "{report}"
        );
    }
}

#[test]
fn a_wrong_table_is_told_whole_before_anything_is_read() {
    let environment = lattices(1);
    environment.write("fixes.csv", "game,fix\n1,1w=Bi9\nboard 2,1w=e4\n");
    environment.write("more.csv", "game,fix\nboard 2,1w=e4\n");
    let tables = [
        "--fixes",
        "fixes.csv",
        "--fixes",
        "more.csv",
        "--fixes",
        "none.csv",
    ];
    let run = read(&environment, 1, &tables);
    assert_eq!(run.status, 2, "{run:?}");
    for expected in [
        "error: fixes.csv: line 2: 1w: \"Bi9\" is not a move",
        "error: more.csv: line 2: no game is called \"board 2\"",
        "error: none.csv: cannot be read",
    ] {
        assert!(run.stderr.contains(expected), "{run:?}");
    }
    assert!(!environment.path("out/1.pgn").exists());
}

#[test]
fn games_on_the_screen_take_corrections_too() {
    let environment = lattices(2);
    environment.write("fixes.csv", "game\tfix\n2\t1w=d4\n");
    let inputs = [
        "read",
        "in/1.lattice",
        "in/2.lattice",
        "--fixes",
        "fixes.csv",
    ];
    let run = environment.run(inputs);
    assert_eq!(run.status, 0, "{run:?}");
    let starts: Vec<&str> = run
        .stdout
        .lines()
        .filter(|line| line.starts_with("1. "))
        .collect();
    assert!(
        !starts[0].starts_with("1. d4") && starts[1].starts_with("1. d4"),
        "{starts:?}"
    );
    // One game: as an option, which is kept in a folder like a table.
    let option = [
        "read",
        "in/1.lattice",
        "--fix",
        "1w=d4",
        "-o",
        "out",
        "--quiet",
    ];
    assert_eq!(environment.run(option).status, 0);
    assert_eq!(text(&environment, "out/fixes.csv"), "game,fix\n1,1w=d4\n");
}
