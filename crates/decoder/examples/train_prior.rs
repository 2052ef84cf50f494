//! Fits the prior of human moves to games, and tells how well it predicts games that it has not seen.
//!
//! `cargo run --release -p scoresheet-decoder --example train_prior -- GAMES.txt.gz META.tsv.gz OUT.bin [--passes N] [--except FILE]...`
//!
//! `GAMES` has a game a line in standard algebraic notation, `META` a header line and then, in the same order, lines with the columns `stratum`, `white_elo` and `black_elo`.
//! Bullet games are left out, and so are games that begin like one of the `--except` files (games of the sheets on which the program is measured). Every twentieth game is
//! held out. With `--test`, OUT.bin is only measured.

use std::collections::HashSet;
use std::error::Error;
use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::time::Instant;

use cozy_chess::{Board, Move};
use flate2::read::GzDecoder;
use scoresheet_decoder::prior::{Prior, Tables, View, WIDTH, Weights};
use scoresheet_notation::{Language, LegalMove, parse_move};

/// Games that are played side by side, one position of each in a step of training.
const STREAMS: usize = 128;
const LEARNING_RATE: f32 = 2e-3;
/// Games alike so far are the same game.
const ALIKE_PLIES: usize = 24;
const HELD_OUT: usize = 20;
/// Stratum of games too fast to be written down.
const BULLET: &str = "js_bullet";

struct Game {
    moves: Vec<Move>,
    /// Mean rating of the players; none where it is not known.
    rating: Option<u32>,
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut files = Vec::new();
    let (mut passes, mut except, mut only_test) = (3usize, Vec::new(), false);
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--passes" => passes = arguments.next().ok_or("--passes needs a number")?.parse()?,
            "--except" => except.push(arguments.next().ok_or("--except needs a file")?),
            "--test" => only_test = true,
            _ => files.push(argument),
        }
    }
    let [games, meta, out] = files.as_slice() else {
        return Err("give GAMES.txt.gz, META.tsv.gz and OUT.bin".into());
    };
    let start = Instant::now();
    let except = openings(&except)?;
    let games = load(Path::new(games), Path::new(meta), &except)?;
    let (held_out, training): (Vec<_>, Vec<_>) = games
        .into_iter()
        .enumerate()
        .partition(|(number, _)| number % HELD_OUT == 0);
    let unnumbered = |games: Vec<(usize, Game)>| -> Vec<Game> {
        games.into_iter().map(|(_, game)| game).collect()
    };
    let (held_out, training) = (unnumbered(held_out), unnumbered(training));
    eprintln!(
        "{} games to learn from, {} held out ({:.0?})",
        training.len(),
        held_out.len(),
        start.elapsed()
    );
    if !only_test {
        let tables = train(&training, &held_out, passes);
        report("before rounding", &Prior::new(tables.clone()), &held_out, 8);
        std::fs::write(out, tables.to_bytes())?;
    }
    let prior = Prior::new(Tables::from_bytes(&std::fs::read(out)?)?);
    report("all", &prior, &held_out, 1);
    for (name, ratings) in [
        ("rating below 1600", 0..1600),
        ("rating 1600 to 1999", 1600..2000),
        ("rating 2000 to 2299", 2000..2300),
        ("rating from 2300 on", 2300..4000),
    ] {
        let part = held_out
            .iter()
            .filter(|game| game.rating.is_some_and(|rating| ratings.contains(&rating)));
        report(name, &prior, part, 1);
    }
    eprintln!("{:.0?} in all", start.elapsed());
    Ok(())
}

/// The first moves of the games in text files of standard algebraic notation, with or without line feeds between moves, and in tables with a column `san`.
fn openings(files: &[String]) -> Result<HashSet<Vec<String>>, Box<dyn Error>> {
    let mut openings = HashSet::new();
    for file in files {
        let text = std::fs::read_to_string(file)?;
        let moves = text.split_whitespace().map(without_marks);
        openings.insert(moves.take(ALIKE_PLIES).collect());
    }
    Ok(openings)
}

fn without_marks(san: &str) -> String {
    san.trim_end_matches(['+', '#']).to_owned()
}

fn unpacked(path: &Path) -> Result<String, Box<dyn Error>> {
    let mut text = String::new();
    let file = File::open(path).map_err(|error| format!("{}: {error}", path.display()))?;
    GzDecoder::new(file).read_to_string(&mut text)?;
    Ok(text)
}

fn load(
    games: &Path,
    meta: &Path,
    except: &HashSet<Vec<String>>,
) -> Result<Vec<Game>, Box<dyn Error>> {
    let (games, meta) = (unpacked(games)?, unpacked(meta)?);
    let mut rows = meta
        .lines()
        .map(|line| line.split('\t').collect::<Vec<_>>());
    let head = rows.next().ok_or("the table of games is empty")?;
    let column = |name: &str| {
        let found = head.iter().position(|&title| title == name);
        found.ok_or_else(|| format!("the table of games has no column {name}"))
    };
    let (stratum, white, black) = (
        column("stratum")?,
        column("white_elo")?,
        column("black_elo")?,
    );
    let mut loaded = Vec::new();
    for (text, row) in games.lines().zip(rows) {
        if row.get(stratum) == Some(&BULLET) {
            continue;
        }
        let start: Vec<String> = text
            .split_whitespace()
            .take(ALIKE_PLIES)
            .map(without_marks)
            .collect();
        if except.contains(&start) {
            eprintln!("left out: {text}");
            continue;
        }
        let elo = |place: usize| row.get(place).and_then(|text| text.parse::<u32>().ok());
        let mut board = Board::default();
        let mut moves = Vec::new();
        for san in text.split_whitespace() {
            let legal = parse_move(&board, san, Language::ENGLISH)?;
            board.play_unchecked(legal.played);
            moves.push(legal.played);
        }
        loaded.push(Game {
            moves,
            rating: elo(white).zip(elo(black)).map(|(a, b)| (a + b) / 2),
        });
    }
    Ok(loaded)
}

/// Share of moves predicted first and among the first three, and perplexity, on every `stride`th position.
fn report<'a>(name: &str, prior: &Prior, games: impl IntoIterator<Item = &'a Game>, stride: usize) {
    let (mut count, mut first, mut three, mut loss, mut uniform) = (0usize, 0, 0, 0.0, 0.0);
    let (mut place, mut spent) = (0usize, 0.0);
    for game in games {
        let mut board = Board::default();
        for &played in &game.moves {
            place += 1;
            if place.is_multiple_of(stride) {
                let moves = LegalMove::all(&board);
                let start = Instant::now();
                let logs = prior.log_probabilities(&board, &moves);
                spent += start.elapsed().as_secs_f64();
                let target = moves.iter().position(|legal| legal.played == played);
                if let Some(own) = target.map(|target| logs[target]) {
                    let better = logs.iter().filter(|&&log| log > own).count();
                    count += 1;
                    first += usize::from(better == 0);
                    three += usize::from(better < 3);
                    loss -= f64::from(own);
                    uniform += (moves.len() as f64).ln();
                }
            }
            board.play_unchecked(played);
        }
    }
    let share = |part: usize| part as f64 / count.max(1) as f64;
    let perplexity = |sum: f64| (sum / count.max(1) as f64).exp();
    println!(
        "{name:<20} {count:>7} moves  first {:.4}  first three {:.4}  perplexity {:.3} (of equal moves {:.1})  {:.2} us a position",
        share(first),
        share(three),
        perplexity(loss),
        perplexity(uniform),
        spent / count.max(1) as f64 * 1e6
    );
}

/// A small generator of random numbers (xorshift), so that training gives the same weights everywhere.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    /// Between -1 and 1.
    fn signed(&mut self) -> f32 {
        (self.next() >> 40) as f32 / (1u64 << 23) as f32 - 1.0
    }
}

fn train(games: &[Game], held_out: &[Game], passes: usize) -> Tables {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let mut tables = Tables::zero();
    for weights in tables.position.iter_mut().chain(&mut tables.moves) {
        *weights = std::array::from_fn(|_| 0.1 * random.signed());
    }
    tables.position_bias = [0.1; WIDTH];
    let positions: usize = games.iter().map(|game| game.moves.len()).sum();
    let steps = positions * passes / STREAMS;
    let mut learner = Learner::new(tables);
    let mut order: Vec<usize> = Vec::new();
    let mut streams: Vec<(usize, usize, Board)> = Vec::new();
    let start = Instant::now();
    for step in 0..steps {
        for stream in 0..STREAMS {
            if streams.len() <= stream {
                let game = draw(&mut order, games.len(), &mut random);
                streams.push((game, 0, Board::default()));
            }
            let (game, ply, board) = &mut streams[stream];
            if *ply == games[*game].moves.len() {
                *game = draw(&mut order, games.len(), &mut random);
                *ply = 0;
                *board = Board::default();
            }
            let played = games[*game].moves[*ply];
            learner.learn(board, played);
            board.play_unchecked(played);
            *ply += 1;
        }
        // A warm start, then down along a cosine.
        let share = step as f32 / steps as f32;
        let rate = (0.02 + 0.98 * (0.5 + 0.5 * (std::f32::consts::PI * share).cos()))
            * (step as f32 / 200.0).min(1.0);
        learner.step(LEARNING_RATE * rate);
        if step % (steps / 10).max(1) == 0 {
            eprintln!(
                "step {step} of {steps}: loss {:.3} ({:.0?})",
                learner.take_loss(),
                start.elapsed()
            );
            report("", &Prior::new(learner.tables.clone()), held_out, 40);
        }
    }
    learner.tables
}

/// The next game of a shuffled round.
fn draw(order: &mut Vec<usize>, count: usize, random: &mut Random) -> usize {
    if order.is_empty() {
        order.extend(0..count);
        for last in (1..count).rev() {
            order.swap(last, (random.next() % (last as u64 + 1)) as usize);
        }
    }
    order.pop().unwrap_or_default()
}

/// Adam (Kingma and Ba 2015) on the log-likelihood of the moves played.
struct Learner {
    tables: Tables,
    slopes: Tables,
    mean: Tables,
    square: Tables,
    steps: i32,
    count: usize,
    loss: (f64, usize),
    /// Features of the moves of the present position, one after another, and where each move's end.
    features: Vec<u16>,
    ends: Vec<usize>,
}

impl Learner {
    fn new(tables: Tables) -> Self {
        Self {
            tables,
            slopes: Tables::zero(),
            mean: Tables::zero(),
            square: Tables::zero(),
            steps: 0,
            count: 0,
            loss: (0.0, 0),
            features: Vec::new(),
            ends: Vec::new(),
        }
    }

    /// Adds the slopes of one position.
    fn learn(&mut self, board: &Board, played: Move) {
        let moves = LegalMove::all(board);
        let Some(target) = moves.iter().position(|legal| legal.played == played) else {
            return;
        };
        self.count += 1;
        if moves.len() < 2 {
            return;
        }
        let view = View::new(board);
        let mut position = Vec::with_capacity(48);
        view.position_features(&mut position);
        self.features.clear();
        self.ends.clear();
        for legal in &moves {
            view.move_features(legal, &mut self.features);
            self.ends.push(self.features.len());
        }
        let mut state = self.tables.position_bias;
        for &feature in &position {
            add(&mut state, &self.tables.position[usize::from(feature)], 1.0);
        }
        state = state.map(|entry| entry.max(0.0));
        let mut sums: Vec<Weights> = Vec::with_capacity(moves.len());
        let mut scores: Vec<f32> = Vec::with_capacity(moves.len());
        let mut first = 0;
        for &end in &self.ends {
            let (mut sum, mut score) = ([0.0; WIDTH], 0.0);
            for &feature in &self.features[first..end] {
                add(&mut sum, &self.tables.moves[usize::from(feature)], 1.0);
                score += self.tables.move_bias[usize::from(feature)];
            }
            score += state.iter().zip(&sum).map(|(a, b)| a * b).sum::<f32>();
            sums.push(sum);
            scores.push(score);
            first = end;
        }
        let most = scores.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let total: f32 = scores.iter().map(|score| (score - most).exp()).sum();
        self.loss.0 += f64::from(most + total.ln() - scores[target]);
        self.loss.1 += 1;
        let mut state_slope = [0.0; WIDTH];
        let mut first = 0;
        for (place, (&end, score)) in self.ends.iter().zip(&scores).enumerate() {
            let slope = (score - most).exp() / total - f32::from(u8::from(place == target));
            if slope.abs() > 1e-3 {
                add(&mut state_slope, &sums[place], slope);
                for &feature in &self.features[first..end] {
                    add(&mut self.slopes.moves[usize::from(feature)], &state, slope);
                    self.slopes.move_bias[usize::from(feature)] += slope;
                }
            }
            first = end;
        }
        for (slope, entry) in state_slope.iter_mut().zip(&state) {
            if *entry <= 0.0 {
                *slope = 0.0;
            }
        }
        add(&mut self.slopes.position_bias, &state_slope, 1.0);
        for &feature in &position {
            add(
                &mut self.slopes.position[usize::from(feature)],
                &state_slope,
                1.0,
            );
        }
    }

    /// Moves the weights against the slopes.
    fn step(&mut self, rate: f32) {
        const MEAN: f32 = 0.9;
        const SQUARE: f32 = 0.99;
        self.steps += 1;
        let scale = 1.0 / self.count.max(1) as f32;
        self.count = 0;
        let (of_mean, of_square) = (1.0 - MEAN.powi(self.steps), 1.0 - SQUARE.powi(self.steps));
        let parts = self
            .tables
            .parts_mut()
            .into_iter()
            .zip(self.slopes.parts_mut());
        let moments = self
            .mean
            .parts_mut()
            .into_iter()
            .zip(self.square.parts_mut());
        for ((weights, slopes), (means, squares)) in parts.zip(moments) {
            for (((weight, slope), mean), square) in
                weights.iter_mut().zip(slopes).zip(means).zip(squares)
            {
                let value = *slope * scale;
                *slope = 0.0;
                *mean = MEAN * *mean + (1.0 - MEAN) * value;
                *square = SQUARE * *square + (1.0 - SQUARE) * value * value;
                *weight -= rate * (*mean / of_mean) / ((*square / of_square).sqrt() + 1e-6);
            }
        }
    }

    fn take_loss(&mut self) -> f64 {
        let (sum, count) = std::mem::take(&mut self.loss);
        sum / count.max(1) as f64
    }
}

fn add(sum: &mut Weights, other: &Weights, factor: f32) {
    for (entry, more) in sum.iter_mut().zip(other) {
        *entry += factor * more;
    }
}
