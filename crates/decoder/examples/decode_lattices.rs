//! Decodes sheets from saved lattices and times the search alone, on one core.
//!
//!     cargo run --release -p scoresheet-decoder --example decode_lattices -- [-o DIR] SHEET.lattice[,COPY.lattice] ...
//!
//! Each argument is one game; two copies of it are joined by a comma. With `-o` the moves of each game are written as DIR/<name of the first file>.json,
//! in the fields that a scorer needs. Prints the time of each game, and of all.

mod common;

use std::error::Error;
use std::path::{Path, PathBuf};

use common::Clock;
use cozy_chess::Color;
use scoresheet_decoder::{DecodeOptions, Game, Status, decode};
use serde_json::json;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1).peekable();
    let mut folder = None;
    if arguments.next_if(|argument| argument == "-o").is_some() {
        folder = arguments.next().map(PathBuf::from);
    }
    let mut total = 0.0;
    let (mut games, mut weight) = (0, 0.0);
    for argument in arguments {
        let mut copies = Vec::new();
        let mut first = 0;
        for file in argument.split(',') {
            let cells = common::load(Path::new(file), first)?;
            first += cells.len();
            copies.push(cells);
        }
        let start = Clock::now();
        let game = decode(&copies, &DecodeOptions::default());
        let elapsed = start.milliseconds();
        total += elapsed;
        games += 1;
        weight += game.log_weight;
        let name = argument.split(',').next().map(Path::new);
        let name = name
            .and_then(Path::file_stem)
            .unwrap_or_default()
            .to_string_lossy();
        println!(
            "{name}: {} moves, log weight {:.1}, {elapsed:.1} ms",
            game.moves.len(),
            game.log_weight
        );
        if let Some(folder) = &folder {
            let file = folder.join(format!("{name}.json"));
            std::fs::write(file, document(&game).to_string())?;
        }
    }
    println!(
        "{games} games, log weight {weight:.1}, {:.1} ms a game",
        total / f64::from(games.max(1))
    );
    Ok(())
}

fn document(game: &Game) -> serde_json::Value {
    let moves: Vec<_> = game
        .moves
        .iter()
        .map(|told| {
            json!({
                "ply": told.ply,
                "number": told.number,
                "colour": if told.colour == Color::White { "white" } else { "black" },
                "san": told.played.as_ref().map(|played| &played.san),
                "written": told.written,
                "confidence": told.confidence,
                "fit": told.fit,
                "signs": told.signs,
                "status": match told.status {
                    Status::Sure => "sure",
                    Status::Doubtful => "doubtful",
                    Status::Illegal => "illegal",
                    Status::Unread => "unread",
                },
                "cells": told.cells,
            })
        })
        .collect();
    json!({ "moves": moves, "remarks": game.remarks, "notation": { "language": game.language }, "cells": [] })
}
