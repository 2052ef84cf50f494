//! Damaged files of every kind that is read besides images: an error that names the file and the remedy, or something sound.

#![allow(clippy::unwrap_used)] // A step that fails is a test that fails.

#[path = "../fuzz/exercise.rs"]
mod exercise;

use std::path::Path;

/// Files tried of each kind; `SCORESHEET_DAMAGED` asks for more.
const FILES: usize = 200;

/// Xorshift (Marsaglia, 2003) with a fixed seed.
struct Chance(u64);

impl Chance {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % end.max(1) as u64) as usize
    }

    /// One to four changes: bits, bytes, and pieces that are lost, doubled or taken from another seed.
    fn damage(&mut self, seeds: &[Vec<u8>]) -> Vec<u8> {
        let mut bytes = seeds[self.below(seeds.len())].clone();
        for _ in 0..=self.below(4) {
            let start = self.below(bytes.len());
            let end = (start + 1 + self.below(16)).min(bytes.len());
            match self.below(7) {
                0 if start < end => bytes[start] ^= 1 << self.below(8),
                1 if start < end => bytes[start] = b",;\t\"\n='#-0\xff\0"[self.below(12)],
                2 => drop(bytes.drain(start..end)),
                3 => {
                    let piece = bytes[start..end].to_vec();
                    drop(bytes.splice(start..start, piece));
                }
                4 => bytes.truncate(start),
                5 => {
                    let other = &seeds[self.below(seeds.len())];
                    let from = self.below(other.len());
                    bytes.splice(start.., other[from..].iter().copied());
                }
                _ => bytes[start..end].reverse(),
            }
        }
        bytes
    }
}

fn seeds(kind: &str) -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("fuzz/seeds")
        .join(kind);
    let mut paths: Vec<_> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    paths.sort();
    paths
        .iter()
        .map(|path| std::fs::read(path).unwrap())
        .collect()
}

fn damaged(kind: &str, exercise: impl Fn(&[u8])) {
    let asked = std::env::var("SCORESHEET_DAMAGED").ok();
    let files = asked.and_then(|text| text.parse().ok()).unwrap_or(FILES);
    let seeds = seeds(kind);
    seeds.iter().for_each(|seed| exercise(seed));
    let mut chance = Chance(0x9e37_79b9_7f4a_7c15);
    for _ in 0..files {
        exercise(&chance.damage(&seeds));
    }
}

#[test]
fn tables() {
    damaged("tables", exercise::tables);
}

#[test]
fn lattices() {
    damaged("lattices", exercise::lattices);
}

#[test]
fn documents() {
    damaged("documents", exercise::documents);
}
