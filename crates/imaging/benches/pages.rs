//! Time a page, from decoded pixels to its cells: `cargo bench --workspace --bench pages`
//!
//! Photos and scans of `$SCORESHEET_DATA` (default `../shared/data`) are made 8 and 24 megapixels large; where that folder is absent, the sample
//! sheets are taken. Noise shows what a picture without any form costs.

#![allow(clippy::unwrap_used, missing_docs)]

use std::fmt;
use std::path::{Path, PathBuf};

use divan::Bencher;
use image::imageops::{self, FilterType};
use image::{GrayImage, Luma};
use scoresheet_imaging::{CellImage, Page, cut_cell, find_upright_forms};

const SHARED: [&str; 4] = [
    "wild/english_2x20.jpg",
    "wild/german_3x20.jpg",
    "epfl/pages/game05.jpg",
    "hcs/pages/050_0.jpg",
];

const MEGAPIXELS: [u32; 2] = [8, 24];

fn main() {
    divan::main();
}

/// A page and how large it is made.
struct Enlarged {
    file: PathBuf,
    megapixels: u32,
}

impl fmt::Display for Enlarged {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self.file.file_name().unwrap_or_default();
        write!(f, "{} {} MP", name.to_string_lossy(), self.megapixels)
    }
}

/// The pages that are there, each in both sizes.
fn pages() -> impl Iterator<Item = Enlarged> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let data = std::env::var_os("SCORESHEET_DATA");
    let data = data.map_or(root.join("../shared/data"), PathBuf::from);
    let mut files: Vec<PathBuf> = SHARED.iter().map(|name| data.join(name)).collect();
    if !files.iter().all(|file| file.exists()) {
        let samples = std::fs::read_dir(root.join("datasets/samples")).unwrap();
        files = samples.map(|entry| entry.unwrap().path()).collect();
        files.retain(|file| image::ImageFormat::from_path(file).is_ok());
        files.sort();
    }
    let sizes = |file: PathBuf| {
        MEGAPIXELS.map(|megapixels| Enlarged {
            file: file.clone(),
            megapixels,
        })
    };
    files.into_iter().flat_map(sizes)
}

/// A picture made as large as said.
fn enlarged(picture: &GrayImage, megapixels: u32) -> GrayImage {
    let (width, height) = picture.dimensions();
    let factor = (megapixels as f32 * 1e6 / (width as f32 * height as f32)).sqrt();
    let to = |side: u32| (side as f32 * factor).round() as u32;
    imageops::resize(picture, to(width), to(height), FilterType::CatmullRom)
}

/// Finds the forms of a page and cuts all their cells.
fn cut_all(gray: GrayImage) -> Vec<CellImage> {
    let Ok(upright) = find_upright_forms(Page { gray }) else {
        return Vec::new();
    };
    let cells = upright.forms.iter().flat_map(|form| &form.cells);
    cells.map(|cell| cut_cell(&upright.paper, cell)).collect()
}

#[divan::bench(args = pages(), sample_count = 10)]
fn page_to_cells(bencher: Bencher<'_, '_>, page: &Enlarged) {
    let picture = image::open(&page.file).unwrap().to_luma8();
    let page = enlarged(&picture, page.megapixels);
    bencher.with_inputs(|| page.clone()).bench_values(cut_all);
}

#[divan::bench(args = MEGAPIXELS, sample_count = 3)]
fn noise(bencher: Bencher<'_, '_>, megapixels: u32) {
    let mut seed = 1u32;
    let grain = GrayImage::from_fn(400, 300, |_, _| {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        Luma([(seed >> 24) as u8])
    });
    let page = enlarged(&grain, megapixels);
    bencher.with_inputs(|| page.clone()).bench_values(cut_all);
}
