//! The result that a person has ringed or ticked among those printed on a sheet.

use scoresheet_imaging::PrintedWord;
use scoresheet_notation::{GameResult, Lattice};
use scoresheet_reader::{ReaderError, Worker};

use crate::document::{MarkedResultRecord, rounded};
use crate::text_score::text_score;

/// Most words that are read.
const MOST_WORDS: usize = 40;

/// Log probability by which a word may be less likely than the best reading of its picture, for each of its letters: a word that is to be known
/// by itself; and where the two other results are known one whose box is ticked, and one whose ring may cross it.
const CLEAR: f32 = -1.0;
const TICKED: f32 = -2.5;
const CROSSED: f32 = -4.5;

/// Reads the words beside a table, of which some are marked, and tells the result that is: where all three results are printed beside or below one
/// another, one of them is marked, and clearly neither of the others.
///
/// # Errors
/// Where the model does not run.
pub(crate) fn read_marked_result(
    words: &[PrintedWord],
    worker: &mut Worker,
) -> Result<Option<MarkedResultRecord>, ReaderError> {
    if words.len() > MOST_WORDS {
        return Ok(None);
    }
    let meanings = words
        .iter()
        .map(|word| Ok(Meaning::of(&worker.read(&word.image)?)))
        .collect::<Result<Vec<Meaning>, ReaderError>>()?;
    Ok(choose(words, &meanings))
}

/// How well a word's picture shows each result, in the order of [`GameResult::ALL`]; natural logarithms for each letter, at most about 0.
#[derive(Debug, Clone, Copy)]
struct Meaning([f32; 3]);

impl Meaning {
    fn of(lattice: &Lattice) -> Self {
        let best: f32 = lattice
            .values()
            .chunks_exact(lattice.classes())
            .map(|row| row.iter().copied().fold(f32::NEG_INFINITY, f32::max))
            .sum();
        Self(GameResult::ALL.map(|result| {
            let fits = result.words().iter().filter_map(|word| {
                let letters: Vec<String> = word.chars().map(look_alikes).collect();
                let score = text_score(lattice, letters.iter().map(String::as_str))?;
                Some((score - best) / letters.len() as f32)
            });
            fits.fold(f32::NEG_INFINITY, f32::max)
        }))
    }

    fn fit(&self, result: GameResult) -> f32 {
        self.0[result as usize]
    }

    /// The result that it shows, if it does clearly.
    fn clear(&self) -> Option<GameResult> {
        let best = GameResult::ALL
            .into_iter()
            .max_by(|&a, &b| self.fit(a).total_cmp(&self.fit(b)))?;
        (self.fit(best) >= CLEAR).then_some(best)
    }
}

/// The characters as which a printed letter may be read; the alphabet lacks some letters, which are read as those of nearly their look.
fn look_alikes(letter: char) -> String {
    let mut characters: String = letter.to_lowercase().chain(letter.to_uppercase()).collect();
    characters.push_str(match letter {
        'i' | 'l' | '1' => "Iil1",
        'o' | '0' => "oO",
        's' => "5",
        'b' => "8",
        'ý' => "yY",
        'ы' => "ьн",
        _ => "",
    });
    characters
}

fn choose(words: &[PrintedWord], meanings: &[Meaning]) -> Option<MarkedResultRecord> {
    let mut chosen: Option<(usize, GameResult)> = None;
    for (marked, word) in words
        .iter()
        .enumerate()
        .filter(|(_, word)| word.marks.are_clear())
    {
        let others = |result: GameResult| {
            (0..words.len()).any(|other| {
                other != marked
                    && meanings[other].clear() == Some(result)
                    && words[other].marks.are_absent()
                    && stand_together(word, &words[other])
            })
        };
        let stands_for = |result: &GameResult| {
            let fit = meanings[marked].fit(*result);
            let rest = GameResult::ALL.into_iter().filter(|other| other != result);
            // The word that fits best, not a heading beside it.
            let is_best = meanings.iter().all(|other| other.fit(*result) <= fit);
            let least = if word.marks.are_ringed() {
                CROSSED
            } else {
                TICKED
            };
            fit >= least && is_best && rest.into_iter().all(others)
        };
        let mut possible = GameResult::ALL.into_iter().filter(stands_for);
        let Some(result) = possible.next() else {
            continue;
        };
        // Two printed results that may be it, or two that are marked, tell nothing.
        if possible.next().is_some() || chosen.is_some_and(|(_, other)| other != result) {
            return None;
        }
        chosen = Some((marked, result));
    }
    chosen.map(|(marked, result)| MarkedResultRecord {
        result: result.name().to_owned(),
        quad: words[marked]
            .quad
            .map(|corner| corner.map(|value| rounded(value, 1))),
    })
}

/// Whether two words stand in one line, or one below the other.
fn stand_together(a: &PrintedWord, b: &PrintedWord) -> bool {
    /// How far words below one another may begin apart, as a share of their height.
    const APART: f32 = 2.0;
    let height = a.quad[3][1] - a.quad[0][1];
    a.line == b.line || (a.quad[0][0] - b.quad[0][0]).abs() <= APART * height
}

#[cfg(test)]
mod tests {
    use super::*;
    use image::GrayImage;
    use scoresheet_imaging::Marks;
    use scoresheet_notation::Alphabet;

    #[test]
    fn the_words_of_all_results_can_be_read() {
        let lines = include_str!("../../../models/alphabet.txt");
        let alphabet = Alphabet::from_lines(lines).unwrap();
        for word in GameResult::ALL.iter().flat_map(|result| result.words()) {
            for letter in word.chars() {
                let known = look_alikes(letter)
                    .chars()
                    .any(|one| alphabet.class(one).is_some());
                assert!(known, "{letter} of {word}");
            }
        }
    }

    #[test]
    fn a_result_is_told_where_one_of_three_is_marked() {
        // For each word its line, its left side, what it says (w, d, b; capitals where it is hard to read; - for another word), and its marks.
        let cases: [(&str, &str, Option<&str>); 11] = [
            ("in a line", "0 10 w .|0 50 d o|0 90 b .", Some("1/2-1/2")),
            (
                "below one another",
                "0 10 w o|1 10 d .|2 10 b .",
                Some("1-0"),
            ),
            (
                "crossed by its ring",
                "0 10 w .|0 50 d .|0 90 B o",
                Some("0-1"),
            ),
            ("nothing marked", "0 10 w .|0 50 d .|0 90 b .", None),
            ("two marked", "0 10 w o|0 50 d .|0 90 b o", None),
            ("another in doubt", "0 10 w ?|0 50 d .|0 90 b o", None),
            ("two results only", "0 10 w .|0 90 b o", None),
            (
                "a heading is ringed",
                "0 1 - o|0 10 w .|0 50 D .|0 90 b .",
                None,
            ),
            ("in other places", "0 10 w .|1 500 d o|2 900 b .", None),
            ("headings of columns", "0 10 w o|0 50 b .|1 300 d .", None),
            (
                "hard to read, one not marked",
                "0 10 w .|0 50 D .|0 90 b o",
                None,
            ),
        ];
        for (name, words, expected) in cases {
            let (words, meanings): (Vec<PrintedWord>, Vec<Meaning>) = words
                .split('|')
                .map(|word| {
                    let parts: Vec<&str> = word.split(' ').collect();
                    let left: f32 = parts[1].parse().unwrap();
                    let top = 40.0 * parts[0].parse::<f32>().unwrap();
                    let quad = [
                        [left, top],
                        [left + 30.0, top],
                        [left + 30.0, top + 12.0],
                        [left, top + 12.0],
                    ];
                    let ring = match parts[3] {
                        "o" => 0.95,
                        "?" => 0.75,
                        _ => 0.1,
                    };
                    let fit = |small: &str, capital: &str| match parts[2] {
                        said if said == small => 0.1,
                        said if said == capital => -3.0,
                        "-" => -4.0,
                        _ => -6.0,
                    };
                    let word = PrintedWord {
                        line: parts[0].parse().unwrap(),
                        quad,
                        image: GrayImage::new(1, 1),
                        marks: Marks { ring, tick: None },
                    };
                    (word, Meaning([fit("w", "W"), fit("d", "D"), fit("b", "B")]))
                })
                .unzip();
            let told = choose(&words, &meanings);
            assert_eq!(
                told.as_ref().map(|told| told.result.as_str()),
                expected,
                "{name}"
            );
        }
    }
}
