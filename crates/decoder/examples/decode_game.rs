//! Decodes a game from lattices made of its text, and says how long the search takes.
//!
//! `cargo run --release -p scoresheet-decoder --example decode_game -- e4 e5 Nf3 ...` (without moves: a game of 60 moves each).

use std::error::Error;
use std::sync::Arc;
use std::time::Instant;

use scoresheet_decoder::{CellEvidence, DecodeOptions, decode};
use scoresheet_notation::{Alphabet, Lattice};

const GAME: &str = "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7 Re1 b5 Bb3 d6 c3 O-O h3 Nb8 d4 Nbd7 Nbd2 Bb7 Bc2 Re8 Nf1 Bf8 Ng3 g6 a4 c5 d5 c4 \
    Bg5 h6 Be3 Nc5 Qd2 h5 Bg5 Be7 Ra3 Qc7 Rea1 Nfd7 Be3 Nf8 Bh6 Nh7 Be3 Bf8 Ne2 Bg7 Bh6 Bh8 Ng3 Nf8 Be3 Nh7 Bh6 Nf8 Be3 Nh7 Qe2 Rab8 axb5 axb5 \
    Ra7 Rf8 Bxc5 Qxc5 R1a5 Qb6 Qe3 Qxe3 fxe3 Nf6 Nd2 Nd7 Rxb5 Nc5 b4 cxb3 Bxb3 Ba6 Rxb8 Rxb8 Rxa6 Nxa6 Ba4 Rb2 Nc4 Rb1+ Kh2 Kf8 Ne2 Ke7 g4 hxg4 \
    hxg4 Nc5 Bc6 Bf6 Kg3 Bg5 Kf3 Rf1+ Kg2 Rb1 Nd2 Ra1 Nf3 Bf6 Nc1 Nxe4 Nb3 Rc1 Nbd2 Nxd2";

/// Characters that hands write alike.
const ALIKE: [(char, char); 8] = [
    ('a', 'd'),
    ('c', 'e'),
    ('d', 'a'),
    ('e', 'c'),
    ('f', '4'),
    ('1', '7'),
    ('3', '5'),
    ('B', 'R'),
];

fn main() -> Result<(), Box<dyn Error>> {
    let mut lines = String::from("<blank>\n");
    for character in "abcdefghpKQRBNOPx12345678-=+#()/".chars() {
        lines.push(character);
        lines.push('\n');
    }
    let alphabet = Arc::new(Alphabet::from_lines(&lines)?);
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let texts: Vec<&str> = if arguments.is_empty() {
        GAME.split_whitespace().collect()
    } else {
        arguments.iter().map(String::as_str).collect()
    };
    let lattices = texts.iter().map(|text| Some(lattice(&alphabet, text)));
    let cells = CellEvidence::in_playing_order(lattices);
    let start = Instant::now();
    let game = decode(std::slice::from_ref(&cells), &DecodeOptions::default());
    let elapsed = start.elapsed();
    for decoded in &game.moves {
        let san = decoded
            .played
            .as_ref()
            .map_or("-", |played| played.san.as_str());
        println!(
            "{:>3} {san:<8} {:<8} {:.3} {:?}",
            decoded.ply, decoded.written, decoded.confidence, decoded.status
        );
    }
    println!("{:#?}", game.remarks);
    println!("{} cells searched in {elapsed:?}", cells.len());
    Ok(())
}

/// Every character as likely as 4 to 1 against the one that it resembles.
fn lattice(alphabet: &Arc<Alphabet>, text: &str) -> Lattice {
    let characters: Vec<Vec<(char, f32)>> = text
        .chars()
        .map(
            |character| match ALIKE.iter().find(|pair| pair.0 == character) {
                Some(&(_, other)) => vec![(character, 0.796), (other, 0.199)],
                None => vec![(character, 0.995)],
            },
        )
        .collect();
    let slices: Vec<&[(char, f32)]> = characters.iter().map(Vec::as_slice).collect();
    Lattice::from_characters(Arc::clone(alphabet), &slices, 0.995)
}
