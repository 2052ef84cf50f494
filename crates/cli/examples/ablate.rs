//! Decodes saved lattices in several ways and says what each way is worth: moves right, whole games, sure moves, time.
//!
//! `cargo run --release -p scoresheet-cli --example ablate -- LATTICES DATA [--fold val] [--sets hcs,epfl] [VARIANT]...`; without variants all of them.
//! Moves of `datasets/hcs-played-errors.tsv` are not scored.
//! `LATTICES` holds `hcs/*.lattice` and `epfl/*.lattice` (`scoresheet read --save-lattices`), `DATA` the sets as `datasets/README.md` describes them.

use std::collections::{BTreeMap, HashSet};
use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use scoresheet_decoder::{Costs, DecodeOptions};
use scoresheet_notation::Lattice;
use scoresheet_pipeline::{
    Colour, GameDocument, GameInput, Generator, MoveStatus, PlacedSheet, decode_game, load_lattices,
};

/// A game with its sheets and the moves that were played.
struct Task {
    input: GameInput,
    sheets: Vec<PlacedSheet>,
    /// By half-move from 1; those that should not be scored are left out.
    truth: BTreeMap<u32, String>,
    length: u32,
}

/// A way to decode.
struct Variant {
    name: String,
    options: DecodeOptions,
    /// Lattices are replaced by their likeliest texts.
    strings: bool,
}

fn main() -> Result<(), Box<dyn Error>> {
    let (mut places, mut names) = (Vec::new(), Vec::new());
    let (mut fold, mut sets) = ("val".to_owned(), "hcs,epfl".to_owned());
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--fold" => fold = arguments.next().ok_or("--fold needs a name")?,
            "--sets" => sets = arguments.next().ok_or("--sets needs names")?,
            _ if places.len() < 2 => places.push(PathBuf::from(argument)),
            _ => names.push(argument),
        }
    }
    let [lattices, data] = places.as_slice() else {
        return Err("give the folder of lattices and the folder of the data".into());
    };
    let variants = variants(&names)?;
    println!(
        "| set | variant | move | perfect | sure | precision | ask@99.5 | fixed / broken | ms a sheet, longest |"
    );
    println!("|---|---|---|---|---|---|---|---|---|");
    for set in sets.split(',') {
        let tasks = tasks(&lattices.join(set), &data.join(set), &fold)?;
        let mut reference: Option<HashSet<(usize, u32)>> = None;
        for variant in &variants {
            let name = &variant.name;
            let tally = measure(&tasks, variant)?;
            let reference = reference.get_or_insert_with(|| tally.right.clone());
            let count = tally.confidences.len().max(1);
            println!(
                "| {set} | {name} | {:.4} | {} of {} | {:.4} | {:.4} | {:.4} | {} / {} | {:.0}, {:.0} |",
                tally.right.len() as f64 / count as f64,
                tally.perfect,
                tasks.len(),
                tally.sure.0 as f64 / count as f64,
                tally.sure.1 as f64 / tally.sure.0.max(1) as f64,
                tally.asked(0.995),
                tally.right.difference(reference).count(),
                reference.difference(&tally.right).count(),
                tally.times.iter().sum::<f64>() / tasks.len().max(1) as f64,
                tally.times.iter().copied().fold(0.0, f64::max),
            );
        }
    }
    Ok(())
}

/// The variants named, or all. `choice=0.3` and the like sets one charge.
fn variants(names: &[String]) -> Result<Vec<Variant>, Box<dyn Error>> {
    let all = [
        "standard",
        "no prior",
        "no structure",
        "no habits",
        "strings",
        "beam 4",
        "beam 8",
        "beam 32",
        "beam 64",
    ];
    let names: Vec<&str> = match names {
        [] => all.to_vec(),
        some => some.iter().map(String::as_str).collect(),
    };
    names.into_iter().map(variant).collect()
}

fn variant(name: &str) -> Result<Variant, Box<dyn Error>> {
    let mut options = DecodeOptions::default();
    let mut strings = false;
    for part in name.split(',').map(str::trim) {
        match part.split_once(['=', ' ']) {
            None if part == "standard" => {}
            None if part == "strings" => strings = true,
            Some(("no", "prior")) => options.prior = None,
            Some(("no", "habits")) => options.learning = false,
            Some(("no", "structure")) => options.costs = without_structure(options.costs),
            Some(("beam", width)) => options.beam_width = width.parse()?,
            Some(("choice", value)) => options.costs.choice = value.parse()?,
            Some(("ink", value)) => options.costs.ink = value.parse()?,
            Some(("temperature", value)) => options.costs.temperature = value.parse()?,
            _ => return Err(format!("{name}: no such variant").into()),
        }
    }
    Ok(Variant {
        name: name.to_owned(),
        options,
        strings,
    })
}

/// Row by row, White's move and Black's: nothing is left out, passed over or exchanged.
fn without_structure(costs: Costs) -> Costs {
    const NEVER: f64 = -1e4;
    Costs {
        blank_passed: NEVER,
        ink_passed: NEVER,
        doubled: NEVER,
        remark_passed: NEVER,
        wrong_column: NEVER,
        still_wrong_column: NEVER,
        swapped: NEVER,
        two_in_cell: NEVER,
        left_out: NEVER,
        ..costs
    }
}

/// The lattice that is sure of the likeliest text.
fn as_string(lattice: &Lattice, text: &str) -> Lattice {
    const SURE: f32 = 0.9995;
    let characters: Vec<[(char, f32); 1]> = text.chars().map(|one| [(one, SURE)]).collect();
    let steps: Vec<&[(char, f32)]> = characters.iter().map(|step| &step[..]).collect();
    Lattice::from_characters(lattice.alphabet().clone(), &steps, SURE)
}

/// The moves of each page; none where a move should not be scored.
type Games = BTreeMap<String, Vec<Option<String>>>;

/// The sheets of a fold whose games are known.
fn tasks(lattices: &Path, data: &Path, fold: &str) -> Result<Vec<Task>, Box<dyn Error>> {
    let split = fs::read_to_string(data.join("split.tsv"))?;
    let played = played(data)?;
    let mut tasks = Vec::new();
    for row in split
        .lines()
        .skip(1)
        .map(|line| line.split('\t').collect::<Vec<_>>())
    {
        let (Some(&page), Some(&of_fold)) = (row.first(), row.last()) else {
            continue;
        };
        let Some(moves) = played
            .get(page)
            .filter(|_| fold == "all" || of_fold == fold)
        else {
            continue;
        };
        let path = lattices.join(page).with_extension("lattice");
        let sheet = load_lattices(&path)?;
        let rows = sheet
            .cells
            .iter()
            .map(|cell| cell.place.number)
            .max()
            .unwrap_or(0);
        let input = GameInput::single(page.to_owned(), path);
        let length = (moves.len() as u32).min(2 * rows);
        tasks.push(Task {
            truth: (1..=length)
                .zip(moves)
                .filter_map(|(ply, san)| Some((ply, san.clone()?)))
                .collect(),
            length,
            sheets: vec![(input.sheets[0].clone(), Some(sheet))],
            input,
        });
    }
    Ok(tasks)
}

/// Page and half-move of the moves of `played.tsv` that were not played.
fn published_errors() -> Result<HashSet<(String, usize)>, Box<dyn Error>> {
    const ERRORS: &str = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../datasets/hcs-played-errors.tsv"
    );
    let mut errors = HashSet::new();
    for line in fs::read_to_string(ERRORS)?.lines().skip(1) {
        let mut fields = line.split('\t');
        if let (Some(page), Some(ply)) = (fields.next(), fields.next()) {
            errors.insert((page.to_owned(), ply.parse()?));
        }
    }
    Ok(errors)
}

/// The moves played on each page; those that are not to be scored are none.
fn played(data: &Path) -> Result<Games, Box<dyn Error>> {
    let mut games: Games = BTreeMap::new();
    if let Ok(table) = fs::read_to_string(data.join("played.tsv")) {
        let mut rows = table
            .lines()
            .map(|line| line.split('\t').collect::<Vec<_>>());
        let head = rows.next().unwrap_or_default();
        let column = |name: &str| head.iter().position(|&title| title == name);
        let (Some(page), Some(san), Some(doubtful)) =
            (column("page"), column("san"), column("doubtful"))
        else {
            return Err("played.tsv lacks a column".into());
        };
        let errors = published_errors()?;
        for row in rows {
            let moves = games.entry(row[page].to_owned()).or_default();
            let error = errors.contains(&(row[page].to_owned(), moves.len() + 1));
            let scored = row[doubtful] != "1" && !error;
            moves.push(scored.then(|| row[san].to_owned()));
        }
        return Ok(games);
    }
    for entry in fs::read_dir(data.join("games"))? {
        let path = entry?.path();
        let name = path
            .file_stem()
            .map(|stem| stem.to_string_lossy().into_owned());
        let text = fs::read_to_string(&path)?;
        let moves = text.split_whitespace().map(|san| Some(san.to_owned()));
        games.insert(name.unwrap_or_default(), moves.collect());
    }
    Ok(games)
}

#[derive(Default)]
struct Tally {
    /// Game and half-move of each move that is right.
    right: HashSet<(usize, u32)>,
    perfect: usize,
    /// Sure moves, and how many of them are right.
    sure: (usize, usize),
    confidences: Vec<(f32, bool)>,
    /// Milliseconds of each game.
    times: Vec<f64>,
}

fn measure(tasks: &[Task], variant: &Variant) -> Result<Tally, Box<dyn Error>> {
    let generator = Generator {
        version: String::new(),
        model: String::new(),
    };
    let mut tally = Tally::default();
    for (place, task) in tasks.iter().enumerate() {
        let mut sheets = task.sheets.clone();
        let sheet = sheets.iter_mut().filter_map(|(_, sheet)| sheet.as_mut());
        for cell in sheet.flat_map(|sheet| &mut sheet.cells) {
            let best = cell.candidates.first().filter(|_| variant.strings);
            if let (Some(lattice), Some(best)) = (&cell.lattice, best) {
                cell.lattice = Some(as_string(lattice, &best.text));
            }
        }
        let start = Instant::now();
        let (document, _) = decode_game(&task.input, sheets, &generator, &variant.options);
        tally.times.push(start.elapsed().as_secs_f64() * 1e3);
        tally.add(place, task, &document);
    }
    Ok(tally)
}

impl Tally {
    fn add(&mut self, place: usize, task: &Task, document: &GameDocument) {
        let mut moves = BTreeMap::new();
        for record in &document.moves {
            let ply = record.number * 2 - u32::from(record.colour == Colour::White);
            moves.insert(ply, record);
        }
        let mut whole = moves.keys().all(|&ply| ply <= task.length);
        for (&ply, san) in &task.truth {
            let record = moves.get(&ply);
            let told = record.and_then(|record| record.san.as_deref());
            let right = told.is_some_and(|told| bare(told) == bare(san));
            whole &= right;
            if right {
                self.right.insert((place, ply));
            }
            self.confidences
                .push((record.map_or(0.0, |record| record.confidence), right));
            if record.is_some_and(|record| record.status == MoveStatus::Sure) {
                self.sure.0 += 1;
                self.sure.1 += usize::from(right);
            }
        }
        self.perfect += usize::from(whole);
    }

    /// Least share of moves, the least confident first, that a person must look at so that the share `target` of all is right afterwards.
    fn asked(&self, target: f64) -> f64 {
        let mut moves = self.confidences.clone();
        moves.sort_by(|a, b| a.0.total_cmp(&b.0));
        let count = moves.len();
        let mut wrong = moves.iter().filter(|(_, right)| !right).count();
        for (asked, (_, right)) in moves.iter().enumerate() {
            if 1.0 - wrong as f64 / count as f64 >= target {
                return asked as f64 / count as f64;
            }
            wrong -= usize::from(!right);
        }
        1.0
    }
}

fn bare(san: &str) -> String {
    san.replace(['x', '+', '#', '='], "")
}
