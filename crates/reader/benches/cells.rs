//! Time a cell: preparing the input, reading it with the shipped model, and the best texts. `cargo bench --workspace --bench cells`
//!
//! The cells are the stored ones of the integration test, drawn from the sample sheets.

#![allow(clippy::unwrap_used, missing_docs)]

use std::path::Path;

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use image::{GrayImage, imageops};
use scoresheet_reader::{BUCKETS, Look, Reader, best_texts, network_input};

const CELL_HEIGHT: u32 = 64;

fn main() {
    divan::main();
}

/// The stored cells.
fn cells() -> Vec<GrayImage> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/golden");
    let strip = image::open(folder.join("cells.png")).unwrap().to_luma8();
    let table = std::fs::read_to_string(folder.join("cells.tsv")).unwrap();
    let widths = table
        .lines()
        .skip(1)
        .map(|row| row.split('\t').nth(3).unwrap());
    widths
        .zip((0..).step_by(CELL_HEIGHT as usize))
        .map(|(width, top)| {
            let width = width.parse().unwrap();
            imageops::crop_imm(&strip, 0, top, width, CELL_HEIGHT).to_image()
        })
        .collect()
}

/// A white cell with ink so wide that it goes into a bucket.
fn cell_for(bucket: usize) -> GrayImage {
    (16..600)
        .step_by(4)
        .map(|right| {
            GrayImage::from_fn(640, CELL_HEIGHT, |x, y| {
                let ink = (20..20 + right).contains(&x) && (20..44).contains(&y) && x % 9 < 3;
                image::Luma([if ink { 0 } else { 255 }])
            })
        })
        .find(|cell| network_input(cell, Look::STRAIGHT).bucket == bucket)
        .unwrap()
}

#[divan::bench]
fn all_stored_cells(bencher: Bencher<'_, '_>) {
    let reader = Reader::embedded().unwrap();
    let mut worker = reader.worker();
    let cells = cells();
    bencher
        .counter(ItemsCount::new(cells.len()))
        .bench_local(|| {
            for cell in &cells {
                black_box(worker.read(cell).unwrap());
            }
        });
}

#[divan::bench(args = 0..BUCKETS.len())]
fn read_width(bencher: Bencher<'_, '_>, bucket: usize) {
    let reader = Reader::embedded().unwrap();
    let mut worker = reader.worker();
    let cell = cell_for(bucket);
    bencher
        .counter(ItemsCount::new(1usize))
        .bench_local(|| worker.look(black_box(&cell), Look::STRAIGHT).unwrap());
}

#[divan::bench]
fn input(bencher: Bencher<'_, '_>) {
    let cell = &cells()[0];
    bencher.bench_local(|| network_input(black_box(cell), Look::STRAIGHT));
}

#[divan::bench]
fn texts(bencher: Bencher<'_, '_>) {
    let reader = Reader::embedded().unwrap();
    let lattice = reader.worker().read(&cells()[0]).unwrap();
    bencher.bench_local(|| best_texts(black_box(&lattice), 5));
}
