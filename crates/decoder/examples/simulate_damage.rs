//! Damages real sheets in the ways in which players do, and counts what the search recovers.
//!
//!     cargo run --release -p scoresheet-decoder --example simulate_damage -- SHEET.lattice ...
//!
//! Sheets of which every move is shown by its ink are taken as they are read; their cells are then left out, doubled, swapped and so on at places drawn by chance,
//! the same ones in each run, and the damaged sheets are decoded. Prints a table: for each kind of damage the share of moves told right (and in order),
//! the share of sheets told wholly right, the share of wrong moves among those called sure, and the mean CPU time of this thread.

mod common;

use std::error::Error;
use std::path::Path;

use common::Clock;
use scoresheet_decoder::{CellEvidence, DecodeOptions, Game, Status, decode};
use scoresheet_notation::Lattice;

/// Damaged copies of each sheet and kind.
const TRIALS: usize = 3;
/// Cells at the beginning and the end that are left alone: what happens there cannot be told.
const MARGIN: usize = 10;

/// The lattices of a sheet in playing order; none is a blank cell.
type Cells = Vec<Option<Lattice>>;
type Damage = fn(&mut Cells, usize, &mut Random);

const DAMAGES: [(&str, Damage); 13] = [
    ("none", |_, _, _| {}),
    ("cell blank", |cells, at, _| cells[at] = None),
    ("move left out, the next one in its cell", |cells, at, _| {
        cells.remove(at);
    }),
    ("move written twice", |cells, at, _| {
        cells.insert(at, cells[at].clone());
    }),
    ("row left out", |cells, at, _| {
        cells.drain(at..at + 2);
    }),
    ("row written twice", |cells, at, _| {
        let row = [cells[at].clone(), cells[at + 1].clone()];
        cells.splice(at..at, row);
    }),
    ("blank row", |cells, at, _| {
        cells.splice(at & !1..at & !1, [None, None]);
    }),
    ("columns swapped in one row", |cells, at, _| {
        cells.swap(at & !1, at | 1);
    }),
    ("columns swapped from a row on", |cells, at, _| {
        for pair in cells[at & !1..].chunks_exact_mut(2) {
            pair.swap(0, 1);
        }
    }),
    ("White's column one row lower", |cells, at, _| {
        let mut pushed = None;
        for place in (at & !1..cells.len()).step_by(2) {
            std::mem::swap(&mut cells[place], &mut pushed);
        }
        cells.extend([pushed, None]);
    }),
    ("two moves in a cell, the next one blank", |cells, at, _| {
        let second = cells[at + 1].take();
        if let (Some(first), Some(second)) = (&cells[at], second) {
            let values = [first.values(), second.values()].concat();
            let steps = first.steps() + second.steps();
            cells[at] = Lattice::new(steps, first.alphabet().clone(), values).ok();
        }
    }),
    ("another move written (slip)", |cells, at, random| {
        let other = random.below(cells.len());
        cells[at] = cells[other].clone();
    }),
    (
        "another move first, then the right one",
        |cells, at, random| {
            let other = random.below(cells.len());
            cells.insert(at, cells[other].clone());
        },
    ),
];

fn main() -> Result<(), Box<dyn Error>> {
    let mut sheets = Vec::new();
    for argument in std::env::args().skip(1) {
        let mut cells: Cells = common::load(Path::new(&argument), 0)?
            .into_iter()
            .map(|cell| cell.lattice)
            .collect();
        let (game, _) = told(&cells);
        let whole = game
            .moves
            .iter()
            .all(|told| told.played.is_some() && told.fit.is_some_and(|fit| fit > -5.0));
        if whole && game.moves.len() > 3 * MARGIN {
            cells.truncate(game.moves.len());
            sheets.push((cells, sans(&game)));
        }
    }
    println!("{} sheets, {TRIALS} damaged copies each", sheets.len());
    println!("| damage | moves right | sheets right | wrong among sure | ms |");
    println!("|---|---|---|---|---|");
    for (name, damage) in DAMAGES {
        let mut random = Random(1);
        let (mut right, mut moves, mut whole, mut games) = (0, 0, 0, 0);
        let (mut sure, mut sure_wrong, mut time) = (0, 0, 0.0);
        for (cells, truth) in &sheets {
            for _ in 0..TRIALS {
                let mut cells = cells.clone();
                let at = MARGIN + random.below(cells.len() - 2 * MARGIN);
                damage(&mut cells, at, &mut random);
                let (game, milliseconds) = told(&cells);
                let sans = sans(&game);
                let common = in_common(&sans, truth);
                right += common.iter().filter(|&&common| common).count();
                moves += truth.len();
                games += 1;
                whole += usize::from(sans == *truth);
                for (ply, told) in game.moves.iter().enumerate() {
                    if told.status == Status::Sure {
                        sure += 1;
                        sure_wrong += usize::from(!common[ply]);
                    }
                }
                time += milliseconds;
            }
        }
        let share = |part: usize, all: usize| part as f64 / all.max(1) as f64;
        println!(
            "| {name} | {:.4} | {:.2} | {:.4} | {:.0} |",
            share(right, moves),
            share(whole, games),
            share(sure_wrong, sure),
            time / games.max(1) as f64
        );
    }
    Ok(())
}

fn told(cells: &Cells) -> (Game, f64) {
    let cells = CellEvidence::in_playing_order(cells.iter().cloned());
    let clock = Clock::now();
    let game = decode(&[cells], &DecodeOptions::default());
    (game, clock.milliseconds())
}

fn sans(game: &Game) -> Vec<Option<String>> {
    let san = |told: &scoresheet_decoder::DecodedMove| {
        told.played.as_ref().map(|played| played.san.clone())
    };
    game.moves.iter().map(san).collect()
}

/// Which moves of the game told belong to its longest common subsequence with the truth: a move too many or too few does not make those after it wrong.
fn in_common(told: &[Option<String>], truth: &[Option<String>]) -> Vec<bool> {
    let mut lengths = vec![vec![0; truth.len() + 1]; told.len() + 1];
    for (i, one) in told.iter().enumerate().rev() {
        for (j, other) in truth.iter().enumerate().rev() {
            lengths[i][j] = if one == other {
                lengths[i + 1][j + 1] + 1
            } else {
                lengths[i + 1][j].max(lengths[i][j + 1])
            };
        }
    }
    let mut common = vec![false; told.len()];
    let (mut i, mut j) = (0, 0);
    while i < told.len() && j < truth.len() {
        if told[i] == truth[j] {
            common[i] = true;
            (i, j) = (i + 1, j + 1);
        } else if lengths[i + 1][j] >= lengths[i][j + 1] {
            i += 1;
        } else {
            j += 1;
        }
    }
    common
}

/// Reproducible numbers (splitmix64).
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) % bound as u64) as usize
    }
}
