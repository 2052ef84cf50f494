//! The commands around reading, and where output goes.

use std::io::Read;
use std::process::{Command, Stdio};

use crate::support::{TestEnvironment, sample};

#[test]
fn help_and_version_are_data() {
    let environment = TestEnvironment::new();
    for (arguments, expected) in [
        (["--version", ""], env!("CARGO_PKG_VERSION")),
        (["--help", ""], "Exit status"),
        (["read", "--help"], "--manifest"),
        (["cells", "--help"], "cells.tsv"),
        (["forms", "--help"], "--overlay"),
    ] {
        let run = environment.run(arguments.iter().filter(|word| !word.is_empty()));
        assert_eq!(run.status, 0, "{arguments:?}");
        assert!(
            run.stdout.contains(expected),
            "{arguments:?}: {}",
            run.stdout
        );
        assert!(run.stderr.is_empty(), "{arguments:?}");
    }
}

#[test]
fn cells_are_cut_into_a_strip_and_a_table() {
    let environment = TestEnvironment::new();
    let sheet = sample("clean-scan.jpg");
    let run = environment.run([
        "cells".as_ref(),
        sheet.as_os_str(),
        "-o".as_ref(),
        "out".as_ref(),
    ]);
    assert_eq!(run.status, 0, "{run:?}");
    assert_eq!(environment.files("out"), ["cells.tsv", "clean-scan.png"]);
    let table = std::fs::read_to_string(environment.path("out/cells.tsv")).unwrap();
    let rows: Vec<Vec<&str>> = table
        .lines()
        .map(|line| line.split('\t').collect())
        .collect();
    assert_eq!(
        rows[0],
        [
            "page", "index", "number", "column", "state", "width", "quad"
        ]
    );
    let strip = image::open(environment.path("out/clean-scan.png"))
        .unwrap()
        .into_luma8();
    assert_eq!(strip.height() as usize, 64 * (rows.len() - 1));
    assert_eq!(rows[1][..5], ["clean-scan", "0", "1", "white", "ink"]);
    for row in &rows[1..] {
        assert!(row[5].parse::<u32>().unwrap() <= strip.width());
        assert_eq!(row[6].split(' ').count(), 4);
    }
}

#[test]
fn forms_are_described_and_drawn() {
    let environment = TestEnvironment::new();
    let sheet = sample("clean-scan.jpg");
    let run = environment.run([
        "forms".as_ref(),
        sheet.as_os_str(),
        "--overlay".as_ref(),
        "overlay".as_ref(),
    ]);
    assert_eq!(run.status, 0, "{run:?}");
    let line = run.stdout.lines().nth(1).unwrap();
    let fields: Vec<&str> = line.split('\t').skip(1).take(4).collect();
    assert_eq!(fields, ["2", "25", "1", "100"], "{line}");
    assert_eq!(environment.files("overlay"), ["clean-scan.jpg"]);
    let drawn = image::open(environment.path("overlay/clean-scan.jpg")).unwrap();
    let upright = image::open(sheet).unwrap();
    assert_eq!(
        (drawn.width(), drawn.height()),
        (upright.width(), upright.height())
    );
}

#[test]
fn the_doctor_tells_what_is_here_and_reads_a_cell() {
    let environment = TestEnvironment::new();
    let run = environment.run(["doctor"]);
    assert_eq!(run.status, 0, "{run:?}");
    for word in [env!("CARGO_PKG_VERSION"), "cores", "sha256:", "works, "] {
        assert!(run.stdout.contains(word), "{word}: {}", run.stdout);
    }
    let absent = environment.run(["doctor", "--model", "absent.onnx"]);
    assert_eq!(absent.status, 2, "{absent:?}");
}

#[test]
fn manual_and_completions_come_from_the_options() {
    let environment = TestEnvironment::new();
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let run = environment.run(["completions", shell]);
        assert_eq!(run.status, 0, "{run:?}");
        assert!(run.stdout.contains("pairings"), "{shell}");
    }
    let page = environment.run(["man"]);
    assert!(page.stdout.contains(".TH scoresheet 1"), "{page:?}");
    assert_eq!(environment.run(["man", "-o", "man"]).status, 0);
    let pages = environment.files("man");
    for name in ["scoresheet.1", "scoresheet-read.1", "scoresheet-doctor.1"] {
        assert!(pages.iter().any(|page| page == name), "{pages:?}");
    }
    let read = std::fs::read_to_string(environment.path("man/scoresheet-read.1")).unwrap();
    assert!(read.contains("time\\-limit"), "{read}");
}

#[test]
fn a_closed_pipe_is_no_error() {
    let sheet = sample("clean-scan.jpg");
    let mut child = Command::new(assert_cmd::cargo::cargo_bin!("scoresheet"))
        .arg("read")
        .args([&sheet, &sample("two-copies-a.jpg")])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let mut stderr = String::new();
    child
        .stderr
        .take()
        .unwrap()
        .read_to_string(&mut stderr)
        .unwrap();
    let status = child.wait().unwrap();
    assert!(status.success(), "{status}: {stderr}");
    assert!(
        !stderr.contains("panicked") && !stderr.contains("error"),
        "{stderr}"
    );
}

#[test]
fn equal_names_never_overwrite_each_other() {
    let environment = TestEnvironment::new();
    let sheet = std::fs::read(sample("clean-scan.jpg")).unwrap();
    for name in ["a/x.jpg", "b/X.jpg", "games.jpg"] {
        environment.write(name, &sheet);
    }
    let run = environment.run([
        "read",
        "a",
        "b",
        "games.jpg",
        "a/../a/x.jpg",
        "-o",
        "out",
        "--quiet",
    ]);
    assert_eq!(run.status, 0, "{run:?}");
    assert!(run.stderr.is_empty(), "{run:?}");
    assert_eq!(
        environment.files("out"),
        [
            ".scoresheet",
            "X-2.json",
            "X-2.pgn",
            "games-2.json",
            "games-2.pgn",
            "games.pgn",
            "report.csv",
            "report.html",
            "x.json",
            "x.pgn"
        ]
    );
    let all = std::fs::read_to_string(environment.path("out/games.pgn")).unwrap();
    let one = std::fs::read_to_string(environment.path("out/x.pgn")).unwrap();
    let unnamed = |text: &str| -> Vec<String> {
        let lines = text
            .lines()
            .filter(|line| !line.starts_with("[Scoresheet "));
        lines.map(str::to_owned).collect()
    };
    assert_eq!(unnamed(&all), unnamed(&one.repeat(3)));
}

#[test]
fn games_are_decoded_again_from_saved_lattices() {
    let environment = TestEnvironment::new();
    for (name, sheet) in [("a/x.jpg", "clean-scan.jpg"), ("b/x.jpg", "skewed.jpg")] {
        environment.write(name, std::fs::read(sample(sheet)).unwrap());
    }
    let first = environment.run(["read", "a", "b", "--save-lattices", "lattices"]);
    assert_eq!(first.status, 0, "{first:?}");
    assert_eq!(environment.files("lattices"), ["x-2.lattice", "x.lattice"]);
    let again = environment.run(["read", "lattices/x.lattice", "lattices/x-2.lattice"]);
    assert_eq!(again.status, 0, "{again:?}");
    // Lattices are kept rounded, which may change a doubt by a percent but no move.
    let moves = |text: &str| -> Vec<String> {
        let kept = text.split('{').flat_map(|part| part.rsplit('}').next());
        kept.flat_map(str::lines)
            .filter(|line| !line.starts_with('['))
            .flat_map(str::split_whitespace)
            .map(str::to_owned)
            .collect()
    };
    assert_eq!(moves(&first.stdout), moves(&again.stdout));
    let damaged = environment.write("bad.lattice", "no lattice");
    let run = environment.run(["read".as_ref(), damaged.as_os_str()]);
    assert_eq!(run.status, 1, "{run:?}");
    assert!(
        run.stderr.contains("bad.lattice: not a lattice file"),
        "{run:?}"
    );
}
