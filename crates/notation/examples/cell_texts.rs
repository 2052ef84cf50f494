//! Texts of games as people would write them, to compose cells from: one line a game, with the language, the system, and the texts of its moves.
//!
//! ```text
//! cell_texts GAMES.txt.gz ALPHABET.txt [NUMBER_OF_GAMES]
//! ```
//!
//! Each game gets a language and a system, drawn by how likely they are to be met; each move one of its spellings, the rare ones more often than people write them.

use std::collections::HashMap;
use std::io::{BufRead, BufReader, BufWriter, Write};
use std::sync::Arc;

use cozy_chess::Board;
use flate2::read::GzDecoder;
use scoresheet_notation::{
    Alphabet, Effect, Habits, Language, LegalMove, Speller, Spelling, System, TextTrie,
};

/// Games in a thousand in English descriptive notation.
const DESCRIPTIVE: u32 = 130;

/// Games in a thousand by language, short algebraic and long; all other languages share what is left.
const SHARES: &[(&str, u32, u32)] = &[
    ("en", 140, 15),
    ("nl", 75, 15),
    ("de", 75, 20),
    ("es", 65, 5),
    ("fr", 60, 5),
    ("pl", 55, 10),
    ("sr", 40, 15),
    ("sr-cyrl", 35, 15),
    ("ru", 55, 15),
    ("bg", 15, 0),
    ("el", 15, 0),
];

/// Checks and mates in a hundred that get a word in place of their sign.
const WORDS: u32 = 12;

/// Marsaglia's xorshift, 64 bits: the same texts in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: u32) -> u32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (((self.0 >> 32) * u64::from(bound)) >> 32) as u32
    }

    fn of<'a, T>(&mut self, items: &'a [T]) -> Option<&'a T> {
        items.get(self.below(items.len() as u32) as usize)
    }

    fn share(&mut self) -> f32 {
        self.below(1 << 24) as f32 / (1 << 24) as f32
    }
}

type Failure = Box<dyn std::error::Error>;

fn main() -> Result<(), Failure> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [games, alphabet, number @ ..] = arguments.as_slice() else {
        return Err("use: cell_texts GAMES.txt.gz ALPHABET.txt [NUMBER_OF_GAMES]".into());
    };
    let number: usize = number.first().map_or(Ok(6000), |text| text.parse())?;
    let alphabet = Arc::new(Alphabet::from_lines(&std::fs::read_to_string(alphabet)?)?);
    let games = BufReader::new(GzDecoder::new(std::fs::File::open(games)?));
    let mut out = BufWriter::new(std::io::stdout().lock());
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let mut writers = HashMap::new();
    for game in games.lines().take(number) {
        let (language, system) = draw_writer(&mut random);
        let speller = writers
            .entry((language.code, system as u8))
            .or_insert_with(|| {
                Speller::new(Arc::clone(&alphabet), language, system, Habits::default())
            });
        let texts = write_game(&game?, speller, (language, system), &mut random);
        writeln!(out, "{}\t{system:?}\t{}", language.code, texts.join(" "))?;
    }
    Ok(())
}

/// The language and system of one game.
fn draw_writer(random: &mut Random) -> (&'static Language, System) {
    let mut ticket = random.below(1000);
    if ticket < DESCRIPTIVE {
        return (Language::ENGLISH, System::Descriptive);
    }
    ticket -= DESCRIPTIVE;
    for &(code, short, long) in SHARES {
        for (share, system) in [
            (short, System::ShortAlgebraic),
            (long, System::LongAlgebraic),
        ] {
            if ticket < share {
                let language = Language::by_code(code).unwrap_or(Language::ENGLISH);
                return (language, system);
            }
            ticket -= share;
        }
    }
    let others: Vec<&'static Language> = Language::all()
        .iter()
        .filter(|language| SHARES.iter().all(|(code, ..)| *code != language.code))
        .filter(|language| language.code != "figurine")
        .collect();
    let language = random.of(&others).copied().unwrap_or(Language::ENGLISH);
    (language, System::ShortAlgebraic)
}

/// The texts of a game's moves; ends where the game does not go on legally.
fn write_game(
    game: &str,
    speller: &Speller,
    (language, system): (&Language, System),
    random: &mut Random,
) -> Vec<String> {
    let mut board = Board::default();
    let mut texts = Vec::new();
    for san in game.split_whitespace() {
        let moves = LegalMove::all_for(&board, system);
        let Some(index) = moves.iter().position(|legal| legal.san() == san) else {
            break;
        };
        let mut trie = TextTrie::new();
        let mut spellings = Vec::new();
        speller.spell(&moves, &mut trie, &mut spellings);
        spellings.retain(|spelling| spelling.move_index as usize == index);
        if let Some(spelling) = draw_spelling(&spellings, random) {
            let text = speller.alphabet().decode(&trie.classes(spelling.node));
            texts.push(with_word(text, &moves[index], language, random));
        }
        board.play_unchecked(moves[index].played);
    }
    texts
}

/// A spelling by a power of its share, so that rare ones are seen.
fn draw_spelling<'a>(spellings: &'a [Spelling], random: &mut Random) -> Option<&'a Spelling> {
    let weight = |spelling: &Spelling| spelling.share.powf(0.7);
    let total: f32 = spellings.iter().map(weight).sum();
    let mut ticket = random.share() * total;
    spellings.iter().find(|spelling| {
        ticket -= weight(spelling);
        ticket <= 0.0
    })
}

/// Now and then the language's word for check or mate in place of the sign.
fn with_word(text: String, legal: &LegalMove, language: &Language, random: &mut Random) -> String {
    let words = match legal.effect {
        Effect::Quiet => return text,
        Effect::Check => language.check,
        Effect::Mate => language.mate,
    };
    if random.below(100) >= WORDS {
        return text;
    }
    match random.of(words) {
        Some(word) => format!(
            "{}{}",
            text.trim_end_matches(['+', '#']),
            word.replace(' ', "")
        ),
        None => text,
    }
}
