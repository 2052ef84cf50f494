//! The shipped handwriting model on stored cells of the sample sheets gives the stored readings.
//!
//! `tests/golden/cells.png` has the cells one under another, `cells.tsv` where each comes from, what is written there, and the best reading with its
//! probability. `SCORESHEET_BLESS=1 cargo test --release` rewrites the readings after a change that is meant to change them.

use std::fmt::Write as _;

use image::{GrayImage, imageops};
use scoresheet_reader::{Reader, best_texts};

use crate::support::repository;

/// Rounding differs from processor to processor; another model or another input differs by far more.
const TOLERANCE: f32 = 0.02;

const CELL_HEIGHT: u32 = 64;

/// A row of the table.
struct Row<'a> {
    /// Page, number, column, width and what is written, as they stand.
    cell: &'a str,
    width: u32,
    written: &'a str,
    read: &'a str,
    log_probability: f32,
}

fn parse_row(line: &str) -> Row<'_> {
    let fields: Vec<&str> = line.split('\t').collect();
    let [_, _, _, width, written, read, log_probability] = fields[..] else {
        panic!("{line}");
    };
    Row {
        cell: &line[..line.len() - read.len() - log_probability.len() - 2],
        width: width.parse().unwrap(),
        written,
        read,
        log_probability: log_probability.parse().unwrap(),
    }
}

#[test]
fn stored_cells_give_the_stored_readings() {
    let folder = repository().join("tests/golden");
    let strip: GrayImage = image::open(folder.join("cells.png")).unwrap().to_luma8();
    let table = std::fs::read_to_string(folder.join("cells.tsv")).unwrap();
    let reader = Reader::embedded().unwrap();
    let mut worker = reader.worker();
    let (header, rows) = table.split_once('\n').unwrap();
    let mut blessed = format!("{header}\n");
    let (mut differences, mut right, mut cells) = (Vec::new(), 0, 0);
    for (line, top) in rows.lines().zip((0..).step_by(CELL_HEIGHT as usize)) {
        let row = parse_row(line);
        let cell = imageops::crop_imm(&strip, 0, top, row.width, CELL_HEIGHT).to_image();
        let candidates = best_texts(&worker.read(&cell).unwrap(), 1);
        let best = &candidates[0];
        writeln!(
            blessed,
            "{}\t{}\t{:.3}",
            row.cell, best.text, best.log_probability
        )
        .unwrap();
        if best.text != row.read || (best.log_probability - row.log_probability).abs() > TOLERANCE {
            differences.push(format!(
                "{line}: now {} {:.3}",
                best.text, best.log_probability
            ));
        }
        cells += 1;
        right += usize::from(best.text == row.written);
    }
    assert_eq!(cells * CELL_HEIGHT, strip.height());
    if std::env::var_os("SCORESHEET_BLESS").is_some() {
        std::fs::write(folder.join("cells.tsv"), blessed).unwrap();
        return;
    }
    assert!(differences.is_empty(), "{}", differences.join("\n"));
    assert!(
        right * 100 >= cells as usize * 80,
        "{right} of {cells} cells read right"
    );
}
