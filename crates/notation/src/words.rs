//! Words that stand for signs: check, mate, castling and en passant in all languages.

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::Language;

/// English words of descriptive notation besides those of the table of languages; `sq` ends a square on the first rank.
const DESCRIPTIVE: [(&str, &str); 10] = [
    ("dis ch", "+"),
    ("disc ch", "+"),
    ("discovered check", "+"),
    ("dbl ch", "+"),
    ("dble ch", "+"),
    ("double ch", "+"),
    ("double check", "+"),
    ("takes", "x"),
    ("to", "-"),
    ("sq", "1"),
];

const EN_PASSANT: [&str; 4] = ["e.p", "ep", "e p", "en passant"];

/// By the first word of a phrase: its other words and the sign, longest phrases first.
type Phrases = HashMap<&'static str, Vec<(Vec<&'static str>, &'static str)>>;

static PHRASES: LazyLock<Phrases> = LazyLock::new(|| {
    let mut phrases = Phrases::new();
    let mut add = |phrase: &'static str, sign: &'static str| {
        let mut words = phrase.split(' ');
        if let Some(first) = words.next() {
            phrases
                .entry(first)
                .or_default()
                .push((words.collect(), sign));
        }
    };
    for language in Language::all() {
        let signs = [
            (language.check, "+"),
            (language.mate, "#"),
            (language.castling[0], "O-O"),
            (language.castling[1], "O-O-O"),
        ];
        for (words, sign) in signs {
            for word in words {
                add(word, sign);
            }
        }
    }
    for (phrase, sign) in DESCRIPTIVE {
        add(phrase, sign);
    }
    for phrase in EN_PASSANT {
        add(phrase, "e.p.");
    }
    for endings in phrases.values_mut() {
        endings.sort_by_key(|(words, _)| std::cmp::Reverse(words.len()));
    }
    phrases
});

/// The sign for which the beginning of `words` stands, and how many of the words it takes. Words may end in punctuation.
pub(crate) fn sign_of<'a>(
    mut words: impl Iterator<Item = &'a str> + Clone,
) -> Option<(&'static str, usize)> {
    let plain = |word: &str| {
        word.trim_end_matches(['.', ',', ';', '!', '?', ')'])
            .to_lowercase()
    };
    let first = plain(words.next()?);
    let endings = PHRASES.get(first.as_str())?;
    endings.iter().find_map(|(others, sign)| {
        let matches = others
            .iter()
            .zip(words.clone())
            .filter(|(other, word)| **other == plain(word))
            .count();
        (matches == others.len()).then_some((*sign, 1 + others.len()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn phrases_become_signs() {
        let cases = [
            ("mat 8.", Some(("#", 1))),
            ("Échec et mat.", Some(("#", 3))),
            ("échec 12.", Some(("+", 1))),
            ("dis. ch.", Some(("+", 2))),
            ("шах", Some(("+", 1))),
            ("Krótka roszada", Some(("O-O", 2))),
            ("castles QR", Some(("O-O-O", 2))),
            ("e. p.", Some(("e.p.", 2))),
            ("e.p.", Some(("e.p.", 1))),
            ("sq. 12.", Some(("1", 1))),
            // On which side is for the position to say.
            ("Castles 7.", None),
            ("krótka", None),
            ("Nf3", None),
            ("", None),
        ];
        for (text, sign) in cases {
            assert_eq!(sign_of(text.split_whitespace()), sign, "{text}");
        }
    }
}
