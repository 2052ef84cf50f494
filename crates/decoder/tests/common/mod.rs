//! Lattices made from texts, and real games where the data is at hand.

#![allow(dead_code)] // Each test file takes what it needs.

use std::io::Read;
use std::path::PathBuf;
use std::sync::Arc;

use scoresheet_decoder::CellEvidence;
use scoresheet_notation::{Alphabet, Lattice};

/// The alphabet of the tests: all characters of English moves and results.
pub fn alphabet() -> Arc<Alphabet> {
    let mut lines = String::from("<blank>");
    for character in "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ12345678x-=+#()".chars() {
        let line = format!("\n{character}");
        if !lines.contains(&line) {
            lines.push_str(&line);
        }
    }
    Arc::new(Alphabet::from_lines(&lines).unwrap())
}

/// How sure a clear character is.
pub const SURE: f32 = 0.9995;

/// Characters that hands write alike.
const ALIKE: [&str; 9] = [
    "acd", "eco", "bh6", "f4t", "g9q", "17I", "5S3", "NHM", "KRB",
];

/// A small generator of reproducible numbers (splitmix64).
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// Between 0 and 1.
    pub fn share(&mut self) -> f32 {
        (self.next() >> 40) as f32 / (1u64 << 24) as f32
    }
}

/// The lattice of a text written clearly.
pub fn clear(text: &str) -> Lattice {
    noisy(text, 0.0, &mut Random(0))
}

/// The lattice of a text in which each character looks like another one in a share `noise` of the cases, as sure as the right one.
pub fn noisy(text: &str, noise: f32, random: &mut Random) -> Lattice {
    let characters: Vec<Vec<(char, f32)>> = text
        .chars()
        .map(|character| {
            let others: Vec<char> = ALIKE
                .iter()
                .filter(|group| group.contains(character))
                .flat_map(|group| group.chars())
                .filter(|&other| other != character)
                .collect();
            if others.is_empty() || random.share() >= noise {
                return vec![(character, SURE)];
            }
            let other = others[random.next() as usize % others.len()];
            let share = 0.1 + 0.6 * random.share();
            vec![(character, SURE * share), (other, SURE * (1.0 - share))]
        })
        .collect();
    let slices: Vec<&[(char, f32)]> = characters.iter().map(Vec::as_slice).collect();
    Lattice::from_characters(alphabet(), &slices, SURE)
}

/// The cells of a sheet from texts, `_` for a blank cell.
pub fn sheet(texts: &[&str]) -> Vec<CellEvidence> {
    CellEvidence::in_playing_order(texts.iter().map(|&text| (text != "_").then(|| clear(text))))
}

/// A file of the real data; none (with a note) where it is not there.
fn open(name: &str) -> Option<std::fs::File> {
    let root = std::env::var_os("SCORESHEET_DATA").map_or_else(
        || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data"),
        PathBuf::from,
    );
    let path = root.join(name);
    let file = std::fs::File::open(&path).ok();
    if file.is_none() {
        eprintln!(
            "skipped: {} is not there (set SCORESHEET_DATA)",
            path.display()
        );
    }
    file
}

/// The text of a file of the real data, where it is there.
pub fn data(name: &str) -> Option<String> {
    let mut text = String::new();
    open(name)?.read_to_string(&mut text).unwrap();
    Some(text)
}

/// The first human games in standard algebraic notation, one text each, where the data is there.
pub fn games(count: usize) -> Vec<String> {
    let Some(file) = open("games/games.txt.gz") else {
        return Vec::new();
    };
    let mut text = String::new();
    flate2::read::GzDecoder::new(file)
        .take(count as u64 * 2000)
        .read_to_string(&mut text)
        .unwrap();
    text.lines().take(count).map(str::to_owned).collect()
}
