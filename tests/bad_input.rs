//! What cannot be read is named with the reason and the remedy, and ends nothing else.

use image::{GrayImage, Luma};

use crate::support::{TestEnvironment, blank_form, landscape, png_header, sample};

#[test]
fn bad_images_fail_with_reason_and_remedy() {
    let environment = TestEnvironment::new();
    environment.write("text.jpg", "1. e4 e5 2. Nf3");
    environment.write("empty.jpg", "");
    let jpeg = std::fs::read(sample("clean-scan.jpg")).unwrap();
    environment.write("truncated.jpg", &jpeg[..jpeg.len() / 3]);
    environment.write("header.jpg", &jpeg[..200]);
    environment.save("dot.png", &GrayImage::from_pixel(1, 1, Luma([255])));
    environment.write("huge.png", png_header(20_000, 20_000));
    environment.write("bomb.png", png_header(u32::MAX >> 1, u32::MAX >> 1));
    environment.write("cut.png", png_header(1000, 1000));
    environment.save("white.png", &GrayImage::from_pixel(900, 1200, Luma([255])));
    environment.save("landscape.png", &landscape(1000, 1300));
    environment.save("form.png", &blank_form());
    std::fs::create_dir(environment.path("folder")).unwrap();
    let table = [
        ("text.jpg", "not an image"),
        ("empty.jpg", "empty"),
        ("truncated.jpg", "damaged or cut off"),
        ("header.jpg", "damaged or cut off"),
        ("dot.png", "1 x 1 pixels"),
        ("huge.png", "20000 x 20000 pixels"),
        ("bomb.png", "bomb.png"),
        ("cut.png", "damaged or cut off"),
        ("white.png", "no table found"),
        ("landscape.png", "no table found"),
        ("form.png", "no handwriting"),
        ("absent.jpg", "no such file"),
        ("folder", "no image in this folder"),
    ];
    for (file, reason) in table {
        let run = environment.run(["read", file]);
        assert_eq!(run.status, 1, "{file}: {run:?}");
        assert!(run.stdout.is_empty(), "{file}: {run:?}");
        let error = run.stderr.lines().find(|line| line.starts_with("error: "));
        let error = error.unwrap_or_else(|| panic!("{file}: {run:?}"));
        assert!(error.contains(file), "{file} is not named: {error}");
        assert!(error.contains(reason), "{file}: {error}");
        assert!(!run.stderr.contains("panicked"), "{file}: {run:?}");
        // The reason is followed by what to do.
        assert!(error.contains(';'), "{file}: no remedy: {error}");
    }
}

#[test]
fn one_bad_sheet_does_not_stop_the_others() {
    let environment = TestEnvironment::new();
    environment.write("in/1.jpg", "no image");
    let good = std::fs::read(sample("clean-scan.jpg")).unwrap();
    environment.write("in/2.jpg", good);
    environment.write("in/3.jpg", "");
    let run = environment.run(["read", "in", "-o", "out", "--jobs", "2"]);
    assert_eq!(run.status, 1, "{run:?}");
    assert_eq!(
        environment.files("out"),
        [
            ".scoresheet",
            "2.json",
            "2.pgn",
            "games.pgn",
            "report.csv",
            "report.html"
        ]
    );
    assert_eq!(
        run.stderr
            .lines()
            .filter(|line| line.starts_with("error: "))
            .count(),
        2,
        "{run:?}"
    );
    assert!(run.stderr.contains("1 of 3 games read"), "{run:?}");
    assert!(run.stdout.is_empty(), "{run:?}");
}

#[test]
fn wrong_use_ends_with_two_before_anything_is_read() {
    let environment = TestEnvironment::new();
    environment.write("file", "");
    environment.write("bad.onnx", "no model");
    environment.write("bad.csv", "game,copy\nx,A\n");
    environment.write("absent.csv", "game,file\nx,absent.jpg\n");
    let sheet = sample("clean-scan.jpg").display().to_string();
    let table: [(&[&str], &str); 13] = [
        (&[], "Usage"),
        (&["read"], "INPUT"),
        (&["read", &sheet, "--format", "xml"], "xml"),
        (&["read", &sheet, "--jobs", "0"], "--jobs"),
        (
            &["read", &sheet, "--language", "klingon"],
            "not a known language",
        ),
        (&["read", &sheet, "--notation", "morse"], "morse"),
        (&["read", &sheet, "--unknown"], "--unknown"),
        (
            &["read", &sheet, "-o", "file/below"],
            "file/below: cannot be written",
        ),
        (&["read", &sheet, "--model", "absent.onnx"], "absent.onnx"),
        (&["read", &sheet, "--model", "bad.onnx"], "bad.onnx"),
        (
            &["read", "--manifest", "none.csv"],
            "none.csv: cannot be read",
        ),
        (
            &["read", "--manifest", "bad.csv"],
            "bad.csv: line 1: no column \"file\"",
        ),
        (
            &["read", "--manifest", "absent.csv"],
            "absent.csv: line 2: there is no file absent.jpg",
        ),
    ];
    for (arguments, message) in table {
        let run = environment.run(arguments);
        assert_eq!(run.status, 2, "{arguments:?}: {run:?}");
        assert!(run.stderr.contains(message), "{arguments:?}: {run:?}");
        assert!(run.stdout.is_empty(), "{arguments:?}: {run:?}");
    }
    for command in ["cells", "forms"] {
        let option = if command == "cells" {
            "-o"
        } else {
            "--overlay"
        };
        let run = environment.run([command, &sheet, option, "file/below"]);
        assert_eq!(run.status, 2, "{run:?}");
        assert!(
            run.stderr.contains("file/below: cannot be written"),
            "{run:?}"
        );
    }
}
