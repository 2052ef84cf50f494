//! Batches in an output folder: resumed, locked, stopped, reported.

use std::process::{Command, Stdio};

use crate::support::{Run, TestEnvironment, content, lattices, read, repository, sample};

#[test]
fn a_second_run_reads_only_what_changed() {
    let environment = lattices(4);
    let first = read(&environment, 3, &[]);
    assert_eq!(first.status, 0, "{first:?}");
    assert!(!first.stderr.contains("kept"), "{first:?}");
    let before = content(&environment.path("out"));
    let second = read(&environment, 3, &[]);
    assert!(second.stderr.contains("(3 of them kept"), "{second:?}");
    assert_eq!(content(&environment.path("out")), before);
    // An edited result is restored, another option reads all again, a new sheet is added.
    environment.write("out/2.pgn", "edited");
    let third = read(&environment, 3, &[]);
    assert!(third.stderr.contains("(2 of them kept"), "{third:?}");
    assert_eq!(content(&environment.path("out")), before);
    let other = read(&environment, 3, &["--language", "en"]);
    assert!(!other.stderr.contains("kept"), "{other:?}");
    let all = read(&environment, 4, &["--language", "en"]);
    assert!(
        all.stderr.contains("4 of 4 games read (3 of them kept"),
        "{all:?}"
    );
    let again = read(&environment, 4, &["--language", "en", "--redo"]);
    assert!(!again.stderr.contains("kept"), "{again:?}");
}

#[test]
fn progress_is_told_as_lines_as_json_or_not_at_all() {
    let environment = lattices(2);
    let lines = read(&environment, 2, &[]);
    assert!(lines.stderr.contains("[2/2] 2: 75 moves, "), "{lines:?}");
    let json = read(&environment, 2, &["--log", "json"]);
    let events: Vec<serde_json::Value> = json
        .stderr
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(events[0]["event"], "game");
    assert_eq!(
        (&events[1]["name"], &events[1]["kept"]),
        (&"2".into(), &true.into())
    );
    assert_eq!(events[2]["event"], "end");
    assert_eq!(read(&environment, 2, &["--quiet"]).stderr, "");
    failures_are_told_as_json(&environment);
    let timings = read(&environment, 2, &["--quiet", "--redo", "--timings"]);
    assert!(
        timings.stderr.starts_with("stage\tcpu_seconds"),
        "{timings:?}"
    );
}

/// Each failure has its kind, file, message and remedy.
fn failures_are_told_as_json(environment: &TestEnvironment) {
    environment.write("in/bad.jpg", "no image");
    environment.write("wrong.csv", "game,file\n");
    let bad = &["in/bad.jpg", "none.jpg", "in/1.lattice", "--fix", "1w=Ka8"][..];
    let cases = [
        (&bad[..2], &["input none.jpg", "image in/bad.jpg"][..]),
        (&bad[2..], &["correction in/1.lattice"]),
        (&["--manifest", "wrong.csv"], &["manifest wrong.csv"]),
        (
            &["in/1.lattice", "-o", "in/bad.jpg"],
            &["output in/bad.jpg"],
        ),
        (&["in/1.lattice", "--language", "xx"], &["usage "]),
    ];
    for (arguments, expected) in cases {
        let words = ["read", "--quiet", "--log", "json"]
            .into_iter()
            .chain(arguments.iter().copied());
        let run = environment.run(words);
        let told: Vec<serde_json::Value> = run
            .stderr
            .lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect();
        let found: Vec<String> = told
            .iter()
            .map(|event| {
                assert_eq!(event["event"], "error", "{event}");
                assert!(
                    event["remedy"]
                        .as_str()
                        .is_some_and(|remedy| !remedy.is_empty()),
                    "{event}"
                );
                let file = event["file"].as_str().unwrap_or_default();
                assert!(
                    !event["message"].as_str().unwrap().contains(file) || file.is_empty(),
                    "{event}"
                );
                format!("{} {file}", event["kind"].as_str().unwrap())
            })
            .collect();
        assert_eq!(found, expected, "{run:?}");
    }
}

#[cfg(unix)]
#[test]
fn a_signal_finishes_what_is_at_work_and_the_next_run_goes_on() {
    let count = 24;
    let environment = lattices(count);
    let whole = read(&environment, count, &[]);
    assert_eq!(whole.status, 0, "{whole:?}");
    let expected = content(&environment.path("out"));
    for (signal, status) in [("INT", 130), ("TERM", 143)] {
        std::fs::remove_dir_all(environment.path("out")).unwrap();
        let mut command = Command::new(assert_cmd::cargo::cargo_bin!("scoresheet"));
        command.current_dir(environment.path(".")).arg("read");
        command.args((1..=count).map(|number| format!("in/{number}.lattice")));
        command
            .args(["-o", "out", "--jobs", "1"])
            .stderr(Stdio::piped());
        let child = command.spawn().unwrap();
        // Stopped when the first games are there.
        while !environment.path("out/2.pgn").exists() {
            std::thread::sleep(std::time::Duration::from_millis(2));
        }
        let kill = Command::new("kill")
            .args([&format!("-{signal}"), &child.id().to_string()])
            .status()
            .unwrap();
        assert!(kill.success());
        let stopped = Run::from(child.wait_with_output().unwrap());
        assert_eq!(stopped.status, status, "{stopped:?}");
        // What is done is written, also the files of the batch.
        let partial = content(&environment.path("out"));
        assert!(partial.contains_key("games.pgn") && partial.contains_key("report.html"));
        assert!(
            partial.len() < expected.len(),
            "stopped too late to show anything"
        );
        let resumed = read(&environment, count, &[]);
        assert!(
            resumed.stderr.contains("kept from an earlier run"),
            "{resumed:?}"
        );
        assert_eq!(content(&environment.path("out")), expected);
    }
}

#[cfg(unix)]
#[test]
fn a_second_run_in_the_folder_is_refused_while_the_first_is_at_work() {
    let environment = lattices(1);
    // A pipe as input keeps the first run waiting.
    let pipe = environment.path("in/1.lattice");
    std::fs::remove_file(&pipe).unwrap();
    assert!(
        Command::new("mkfifo")
            .arg(&pipe)
            .status()
            .unwrap()
            .success()
    );
    let mut command = Command::new(assert_cmd::cargo::cargo_bin!("scoresheet"));
    command
        .current_dir(environment.path("."))
        .args(["read", "in/1.lattice", "-o", "out"]);
    let mut first = command.stderr(Stdio::null()).spawn().unwrap();
    while std::fs::read_to_string(environment.path("out/.scoresheet/lock"))
        .is_ok_and(|text| text.is_empty())
        || !environment.path("out/.scoresheet/lock").exists()
    {
        std::thread::sleep(std::time::Duration::from_millis(2));
    }
    let sheet = sample("clean-scan.jpg");
    let second = environment.run([
        "read".as_ref(),
        sheet.as_os_str(),
        "-o".as_ref(),
        "out".as_ref(),
    ]);
    first.kill().unwrap();
    first.wait().unwrap();
    assert_eq!(second.status, 2, "{second:?}");
    assert!(
        second
            .stderr
            .contains(&format!("another run (process {})", first.id())),
        "{second:?}"
    );
    // The lock of a killed run holds nobody up.
    let third = environment.run([
        "read".as_ref(),
        sheet.as_os_str(),
        "-o".as_ref(),
        "out".as_ref(),
    ]);
    assert_eq!(third.status, 0, "{third:?}");
}

#[test]
fn a_mistyped_input_takes_nothing_away() {
    let environment = lattices(2);
    assert_eq!(read(&environment, 2, &[]).status, 0);
    let before = content(&environment.path("out"));
    let run = environment.run(["read", "ni/", "-o", "out"]);
    assert_eq!(run.status, 1, "{run:?}");
    assert!(run.stderr.contains("no such file or folder"), "{run:?}");
    assert_eq!(content(&environment.path("out")), before);
}

#[cfg(unix)]
#[test]
fn a_full_disk_is_a_clear_error_and_earlier_results_stay() {
    let environment = lattices(2);
    assert_eq!(read(&environment, 1, &[]).status, 0);
    let before = content(&environment.path("out"));
    let program = assert_cmd::cargo::cargo_bin!("scoresheet");
    // No file may grow beyond 4 KiB: the system refuses to write more, as on a full disk.
    let script = format!(
        "trap '' XFSZ; ulimit -f 8; exec {} read in/1.lattice in/2.lattice -o out",
        program.display()
    );
    let run = Run::from(
        Command::new("sh")
            .current_dir(environment.path("."))
            .args(["-c", &script])
            .output()
            .unwrap(),
    );
    assert_eq!(run.status, 2, "{run:?}");
    assert!(run.stderr.contains("2.json: cannot be written"), "{run:?}");
    assert!(run.stderr.contains("has room"), "{run:?}");
    assert_eq!(content(&environment.path("out")), before);
    let resumed = read(&environment, 2, &[]);
    assert!(resumed.stderr.contains("(1 of them kept"), "{resumed:?}");
}

#[test]
fn the_report_works_in_a_browser() {
    let environment = TestEnvironment::new();
    let (good, copies) = (sample("clean-scan.jpg"), sample("two-copies-a.jpg"));
    let bad = environment.write("<b>&bad.jpg", "no image");
    let inputs = [good.as_os_str(), copies.as_os_str(), bad.as_os_str()];
    let run = environment.run(
        ["read".as_ref()]
            .into_iter()
            .chain(inputs)
            .chain(["-o".as_ref(), "out".as_ref()]),
    );
    assert_eq!(run.status, 1, "{run:?}");
    let html = std::fs::read_to_string(environment.path("out/report.html")).unwrap();
    assert!(
        html.contains("&lt;b&gt;&amp;bad.jpg") && !html.contains("<b>&bad"),
        "names are not escaped"
    );
    assert!(
        !html.contains("{{") && !html.contains("http:") && !html.contains("https:"),
        "a piece is missing, or something lies outside"
    );
    let table = std::fs::read_to_string(environment.path("out/report.csv")).unwrap();
    let doubts = table
        .lines()
        .filter(|line| {
            ["doubtful", "illegal", "unread"]
                .iter()
                .any(|word| line.contains(word))
        })
        .count();
    assert_eq!(html.matches("<article class=\"doubt ").count(), doubts);
    let check = Command::new("python3")
        .arg(repository().join("scripts/check-report"))
        .arg(environment.path("out/report.html"))
        .output();
    match check {
        Err(_) => println!("skipped: no python3 to open the report in a browser with"),
        Ok(output) => {
            let told = String::from_utf8_lossy(&output.stdout).into_owned();
            match output.status.code() {
                Some(0) => {}
                Some(77) => println!("{told}"),
                _ => panic!("{told}{}", String::from_utf8_lossy(&output.stderr)),
            }
        }
    }
}

#[test]
fn pairings_fill_the_tags_and_differences_are_told() {
    let environment = lattices(3);
    let header = |board: u32, white: &str, result: &str| {
        format!(
            "[Event \"Open\"]\n[Round \"5.{board}\"]\n[White \"{white}\"]\n[Black \"Roe, Ann\"]\n[Result \"{result}\"]\n\n{result}\n\n"
        )
    };
    environment.write(
        "round.pgn",
        header(1, "Doe, John", "1-0") + &header(2, "Żak \\\"Z\\\"", "0-1"),
    );
    environment.write(
        "round.csv",
        "game,file,Board,Result\na,in/1.lattice,1,1/2-1/2\n",
    );
    let arguments = [
        "read",
        "in/2.lattice",
        "in/3.lattice",
        "--manifest",
        "round.csv",
        "--pairings",
        "round.pgn",
        "-o",
        "out",
    ];
    let run = environment.run(arguments);
    assert_eq!(run.status, 0, "{run:?}");
    assert!(
        run.stderr
            .contains("warning: a: the result is 1/2-1/2 in the manifest, but 1-0 in the pairings"),
        "{run:?}"
    );
    assert!(
        run.stderr
            .contains("warning: 3: the pairings have no game for board 3"),
        "{run:?}"
    );
    let pgn = |name: &str| std::fs::read_to_string(environment.path("out").join(name)).unwrap();
    let first = pgn("a.pgn");
    for tag in [
        "[Event \"Open\"]",
        "[White \"Doe, John\"]",
        "[Result \"1/2-1/2\"]",
        "[Scoresheet \"1.lattice\"]",
    ] {
        assert!(first.contains(tag), "{tag}: {first}");
    }
    assert!(
        pgn("2.pgn").contains("[White \"Żak \\\"Z\\\"\"]"),
        "{}",
        pgn("2.pgn")
    );
    let check = Command::new("python3")
        .arg(repository().join("scripts/check-pgn"))
        .arg(environment.path("out/games.pgn"))
        .output();
    match check {
        Err(_) => println!("skipped: no python3 to have other programs read the PGN with"),
        Ok(output) => {
            let told = String::from_utf8_lossy(&output.stdout).into_owned();
            match output.status.code() {
                Some(0 | 77) => println!("{told}"),
                _ => panic!("{told}{}", String::from_utf8_lossy(&output.stderr)),
            }
        }
    }
    let absent = environment.run(["read", "in/2.lattice", "--pairings", "none.trf"]);
    assert_eq!(absent.status, 2, "{absent:?}");
    assert!(
        absent.stderr.contains("none.trf: cannot be read"),
        "{absent:?}"
    );
}
