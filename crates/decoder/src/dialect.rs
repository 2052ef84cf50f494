//! The language and system of each copy of a sheet.

use std::cmp::Reverse;

use scoresheet_notation::{Alphabet, Class, Language, System};

use crate::copies::Copies;
use crate::ctc::likeliest_path_text;
use crate::decode::Sheets;
use crate::evidence::Examiner;
use crate::hand::{Dialect, Hands};
use crate::repertoire::Repertoire;
use crate::search::Width;

/// Where less than this share of the cells with ink shows a legal move, other languages are tried. Sheets in French or German show up to 0.73 in English;
/// of 217 English ones 13 show less than this, one of them less than 0.81.
const FAMILIAR_SHARE: f64 = 0.88;
/// Texts that begin with a piece of another language, as a share of those that do with an English one, from which that language is compared: the reader, which
/// knows English hands best, takes a few pieces of others for English ones.
const NAMED: f64 = 0.8;
/// Positions kept while languages and systems are compared, and rows that they are compared by.
const COMPARING_WIDTH: usize = 8;
const COMPARED_ROWS: usize = 20;
/// Natural log weight by which a dialect that is behind another one is given up: that of some moves that the ink does not show.
const FAR_AHEAD: f64 = 30.0;
/// Languages compared with the usual one, at most.
const MOST_LANGUAGES: usize = 6;

/// The beginning of a copy read in one dialect.
pub(crate) struct Trial {
    dialect: Dialect,
    /// Natural log weight of its best game.
    score: f64,
    /// Natural log weight of the best position after each number of half-moves.
    course: Vec<f64>,
    /// Share of the cells with ink that shows a legal move.
    shown: f64,
}

impl Trial {
    /// Whether the dialect explains the ink so well that no other one comes into question.
    pub(crate) fn is_familiar(&self) -> bool {
        self.shown >= FAMILIAR_SHARE
    }

    /// Whether another trial that has come to a weight after some half-moves is not going to be better.
    fn is_ahead(&self, depth: usize, score: f64) -> bool {
        let far_ahead = |&there: &f64| score < there - FAR_AHEAD;
        score < self.score || self.course.get(depth).is_some_and(far_ahead)
    }
}

impl Sheets<'_> {
    /// Reads the beginning of one of the copies, which are all examined in the dialect, as long as it may be better than another trial.
    pub(crate) fn try_dialect(
        &self,
        dialect: Dialect,
        (copies, copy): (&Copies<'_>, usize),
        examiner: &mut Examiner<'_>,
        rival: Option<&Trial>,
    ) -> Trial {
        let beginning = copies.beginning(copy, COMPARED_ROWS);
        let search = self.search(&beginning);
        let hopeless = |depth, score| rival.is_some_and(|rival| rival.is_ahead(depth, score));
        let layers = search.run(examiner, Width::full(COMPARING_WIDTH), hopeless);
        let shown = layers.best_path_edges().filter(|edge| edge.shown).count();
        Trial {
            dialect,
            score: layers.best_score(),
            course: layers.best_scores().collect(),
            shown: shown as f64 / beginning.inked().max(1) as f64,
        }
    }

    /// The dialect of each copy: that of its trial where it is familiar, else the one with the best game.
    pub(crate) fn likeliest_dialects(
        &self,
        mut trials: Vec<Trial>,
        dialects: &[Dialect],
        repertoire: &mut Repertoire,
    ) -> Vec<Dialect> {
        let unfamiliar: Vec<(usize, Vec<Dialect>)> = trials
            .iter()
            .enumerate()
            .filter(|(_, trial)| !trial.is_familiar())
            .map(|(copy, _)| (copy, self.readable(copy, dialects)))
            .collect();
        for &dialect in dialects {
            let is_open = |&&(copy, ref readable): &&(usize, Vec<Dialect>)| {
                readable.contains(&dialect) && trials[copy].dialect != dialect
            };
            let open: Vec<usize> = unfamiliar
                .iter()
                .filter(is_open)
                .map(|&(copy, _)| copy)
                .collect();
            if open.is_empty() {
                continue;
            }
            let hands = Hands::new(trials.iter().map(|_| self.hand(dialect)));
            let (copies, mut examiner) = self.examine(&hands, repertoire);
            for copy in open {
                let rival = Some(&trials[copy]);
                let trial = self.try_dialect(dialect, (&copies, copy), &mut examiner, rival);
                if trial.score > trials[copy].score {
                    trials[copy] = trial;
                }
            }
        }
        trials.iter().map(|trial| trial.dialect).collect()
    }

    /// Those of the dialects that are English, or whose languages name pieces with letters that nearly as many texts of a copy's cells begin with as with the English ones.
    fn readable(&self, copy: usize, dialects: &[Dialect]) -> Vec<Dialect> {
        let texts: Vec<Vec<Class>> = self.copies[copy]
            .iter()
            .filter_map(|cell| cell.lattice.as_ref())
            .map(likeliest_path_text)
            .collect();
        let named = |language: &Language| pieces_named(&texts, language, &self.alphabet);
        let usual = named(Language::ENGLISH);
        let mut languages: Vec<(usize, &Language)> = Vec::new();
        for &Dialect { language, .. } in dialects {
            if languages.iter().all(|&(_, known)| known != language) {
                languages.push((named(language), language));
            }
        }
        languages.retain(|&(count, _)| count as f64 > NAMED * usual as f64);
        languages.sort_by_key(|&(count, _)| Reverse(count));
        languages.truncate(MOST_LANGUAGES);
        let is_readable = |dialect: &&Dialect| {
            let mut readable = languages.iter();
            dialect.language == Language::ENGLISH
                || readable.any(|&(_, language)| language == dialect.language)
        };
        dialects.iter().filter(is_readable).copied().collect()
    }

    /// The languages and systems that come into question, the usual ones first.
    pub(crate) fn dialects(&self) -> Vec<Dialect> {
        let languages = match self.options.language {
            Some(language) => vec![language],
            None => Language::distinct(&self.alphabet),
        };
        let systems = match self.options.system {
            Some(system) => vec![system],
            None => System::ALL.to_vec(),
        };
        let mut dialects = Vec::new();
        for &system in &systems {
            for &language in &languages {
                // Descriptive notation is English.
                if system != System::Descriptive || language == Language::ENGLISH {
                    dialects.push(Dialect { language, system });
                }
            }
        }
        if dialects.is_empty() {
            dialects.push(Dialect {
                system: System::Descriptive,
                ..Dialect::USUAL
            });
        }
        dialects
    }
}

/// Texts that begin with the letter of a piece in a language.
fn pieces_named(texts: &[Vec<Class>], language: &Language, alphabet: &Alphabet) -> usize {
    let letters: Vec<Vec<Class>> = language
        .pieces
        .iter()
        .filter_map(|letter| alphabet.encode(letter))
        .filter(|letter| !letter.is_empty())
        .collect();
    let names = |text: &&Vec<Class>| letters.iter().any(|letter| text.starts_with(letter));
    texts.iter().filter(names).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_letters_tell_the_language() {
        let alphabet =
            Alphabet::from_lines("_\nK\nQ\nR\nB\nN\nC\nD\nF\nT\nS\nL\ne\nc\n4\n6").unwrap();
        let encode = |text: &&str| alphabet.encode(text).unwrap();
        let table = [
            (
                ["Cc6", "Fc4", "De4", "Re6"],
                [("fr", 4), ("de", 1), ("en", 1)],
            ),
            (
                ["Sc6", "Lc4", "De4", "Ke6"],
                [("fr", 1), ("de", 4), ("en", 1)],
            ),
            (["e4", "c6", "c4", "e6"], [("fr", 0), ("de", 0), ("en", 0)]),
        ];
        for (texts, counts) in table {
            let texts: Vec<Vec<Class>> = texts.iter().map(encode).collect();
            for (code, count) in counts {
                let language = Language::by_code(code).unwrap();
                assert_eq!(pieces_named(&texts, language, &alphabet), count, "{code}");
            }
        }
    }
}
