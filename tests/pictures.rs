//! Bad pictures and forms that are described by hand.

use image::imageops::{self, FilterType};
use image::{GrayImage, Luma};

use crate::support::{TestEnvironment, sample};

#[test]
fn a_bad_picture_is_told_with_what_to_do() {
    let environment = TestEnvironment::new();
    let sheet = image::open(sample("clean-scan.jpg")).unwrap().into_luma8();
    let (width, height) = sheet.dimensions();
    environment.save("good.png", &sheet);
    environment.save("mirror.png", &imageops::flip_horizontal(&sheet));
    let small = imageops::resize(&sheet, width / 4, height / 4, FilterType::Triangle);
    environment.save("small.png", &small);
    let run = environment.run(["forms", "good.png", "mirror.png", "small.png"]);
    assert_eq!(run.status, 0, "{run:?}");
    let warned = |text: &str| run.stderr.lines().any(|line| line.starts_with(text));
    assert!(!warned("warning: good.png"), "{run:?}");
    assert!(
        warned("warning: mirror.png: the picture is a mirror image"),
        "{run:?}"
    );
    assert!(warned("warning: small.png: the rows are only"), "{run:?}");
    let mirrored: Vec<&str> = run
        .stdout
        .lines()
        .skip(1)
        .map(|line| line.rsplit('\t').next().unwrap())
        .collect();
    assert_eq!(mirrored, ["no", "yes", "no"], "{run:?}");
}

#[test]
fn a_blurred_sheet_has_the_form_of_its_stack() {
    let environment = TestEnvironment::new();
    let sheet = image::open(sample("clean-scan.jpg")).unwrap().into_luma8();
    // A tenth of a row's height.
    let blurred = imageops::blur(&sheet, 5.8);
    environment.save("alone/3.png", &blurred);
    environment.save("stack/3.png", &blurred);
    for (name, copy) in [
        ("skewed.jpg", "1.jpg"),
        ("two-copies-a.jpg", "2.jpg"),
        ("two-copies-b.jpg", "4.jpg"),
    ] {
        std::fs::copy(sample(name), environment.path("stack").join(copy)).unwrap();
    }
    let form = |run: &str, name: &str| -> Vec<String> {
        let mut lines = run.lines().filter(|line| line.contains(name));
        lines.next().map_or_else(Vec::new, |line| {
            line.split('\t').map(str::to_owned).collect()
        })
    };
    let alone = environment.run(["forms", "alone"]);
    assert_ne!(
        form(&alone.stdout, "3.png")[1..4],
        ["2", "25", "1"],
        "{alone:?}"
    );
    let stack = environment.run(["forms", "stack"]);
    assert_eq!(
        form(&stack.stdout, "3.png")[1..4],
        ["2", "25", "1"],
        "{stack:?}"
    );
    assert_eq!(
        form(&stack.stdout, "4.jpg")[1..4],
        ["2", "30", "1"],
        "{stack:?}"
    );
    let laid = "3.png: the printed numbers cannot be read, and the form of the sheets beside it";
    assert!(stack.stderr.contains(laid), "{stack:?}");
    assert!(!alone.stderr.contains("beside it"), "{alone:?}");
    // What is expected does not depend on which sheet is read first.
    for (jobs, folder) in [("1", "one"), ("2", "two")] {
        let run = environment.run(["read", "stack", "-o", folder, "--jobs", jobs]);
        assert_eq!(run.status, 0, "{run:?}");
        assert!(run.stderr.contains(laid), "{run:?}");
    }
    for file in ["games.pgn", "report.csv", "3.json"] {
        let bytes = |folder: &str| std::fs::read(environment.path(folder).join(file)).unwrap();
        assert!(bytes("one") == bytes("two"), "{file}");
    }
}

#[test]
fn a_form_may_be_described() {
    let environment = TestEnvironment::new();
    // Paper without a rule.
    environment.save("plain.png", &GrayImage::from_pixel(600, 800, Luma([230])));
    let form = r#"{"blocks": 2, "rows": 20, "first_number": 41, "corners": [[20, 60], [580, 60], [580, 780], [20, 780]]}"#;
    environment.write("form.json", form);
    environment.write("wrong.json", form.replace("580, 780", "580, 900"));
    let without = environment.run(["forms", "plain.png"]);
    assert_eq!(without.status, 1, "{without:?}");
    assert!(
        without.stderr.contains("give that with --form"),
        "{without:?}"
    );
    let with = environment.run(["forms", "plain.png", "--form", "form.json"]);
    assert!(
        with.stdout.contains("plain.png\t2\t20\t41\t80\t0\t36\t"),
        "{with:?}"
    );
    let cells = environment.run(["cells", "plain.png", "--form", "form.json", "-o", "cells"]);
    assert_eq!(cells.status, 0, "{cells:?}");
    assert_eq!(environment.files("cells"), ["cells.tsv", "plain.png"]);
    let wrong = environment.run(["forms", "plain.png", "--form", "wrong.json"]);
    assert!(
        wrong
            .stderr
            .contains("wrong.json: corner 580, 900 lies outside of plain.png"),
        "{wrong:?}"
    );
    let none = environment.run(["forms", "plain.png", "--form", "none.json"]);
    assert!(
        none.stderr.contains("none.json: cannot be read"),
        "{none:?}"
    );
}
