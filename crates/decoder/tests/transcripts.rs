//! Transcripts of real club sheets, slips and all, as if a good reader had read every cell: the game played has to come out.

#![allow(clippy::unwrap_used)]

mod common;

use std::collections::BTreeMap;

use common::{Random, data, noisy};
use cozy_chess::Color;
use scoresheet_decoder::{CellEvidence, DecodeOptions, decode};

/// Rows of a table by its header's names, grouped by page.
fn table(text: &str) -> BTreeMap<String, Vec<BTreeMap<String, String>>> {
    let mut lines = text.lines();
    let names: Vec<&str> = lines.next().unwrap().split('\t').collect();
    let mut pages: BTreeMap<String, Vec<BTreeMap<String, String>>> = BTreeMap::new();
    for line in lines {
        let row: BTreeMap<String, String> = names
            .iter()
            .map(|name| (*name).to_owned())
            .zip(line.split('\t').map(str::to_owned))
            .collect();
        pages.entry(row["page"].clone()).or_default().push(row);
    }
    pages
}

/// A text without what the laws make optional.
fn loose(text: &str) -> String {
    text.replace(['x', '+', '#', '=', '-'], "")
}

#[test]
fn transcripts_of_club_sheets_give_the_games_played() {
    let (Some(labels), Some(played)) = (data("hcs/labels.tsv"), data("hcs/played.tsv")) else {
        return;
    };
    let (labels, played) = (table(&labels), table(&played));
    let mut random = Random(11);
    let (mut right, mut total) = (0, 0);
    let mut worst = Vec::new();
    for (page, truth) in &played {
        let san: BTreeMap<(&str, &str), &BTreeMap<String, String>> = truth
            .iter()
            .map(|row| ((row["number"].as_str(), row["colour"].as_str()), row))
            .collect();
        let cells: Vec<CellEvidence> = labels[page]
            .iter()
            .filter(|row| row["text"] != "err")
            .enumerate()
            .map(|(place, row)| {
                // Most labels that differ from the move played are the transcriber's mistakes; the rest are the player's.
                let text = match san.get(&(row["move"].as_str(), row["colour"].as_str())) {
                    Some(known) if known["cost"] != "0.00" && random.share() > 0.25 => {
                        &known["san"]
                    }
                    _ => &row["text"],
                };
                CellEvidence {
                    number: row["move"].parse().unwrap(),
                    colour: if row["colour"] == "white" {
                        Color::White
                    } else {
                        Color::Black
                    },
                    lattice: Some(noisy(text, 0.15, &mut random)),
                    cell: place,
                }
            })
            .collect();
        let game = decode(&[cells], &DecodeOptions::default());
        let (mut page_right, mut page_total) = (0, 0);
        for row in truth.iter().filter(|row| row["doubtful"] == "0") {
            let ply: usize = row["ply"].parse().unwrap();
            page_total += 1;
            page_right += usize::from(
                game.moves
                    .get(ply - 1)
                    .and_then(|decoded| decoded.played.as_ref())
                    .is_some_and(|decoded| loose(&decoded.san) == loose(&row["san"])),
            );
        }
        total += page_total;
        right += page_right;
        worst.push((page_right as f64 / page_total.max(1) as f64, page));
    }
    worst.sort_by(|a, b| a.0.total_cmp(&b.0));
    eprintln!("{right} of {total} moves; worst: {:.2?}", &worst[..20]);
    assert!(right * 100 >= total * 97, "{right} of {total}");
}
