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
