//! The classes of the handwriting model and the characters they stand for.

use std::collections::HashMap;

use thiserror::Error;

/// One class of the model's output, an index into an [`Alphabet`].
pub type Class = u16;

/// The classes of a handwriting model: class 0 is the blank of connectionist temporal classification, every other class is one shape of character.
///
/// Its file has one line per class in class order. The first line names the blank and its text does not matter. Each other line has the character that the class is shown as, and behind it
/// all others of the same shape: Latin `K` and Cyrillic `К`, the letter `O` and zero. A space is a line of one space.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Alphabet {
    /// The line of each class; that of the blank is empty.
    lines: Vec<String>,
    classes: HashMap<char, Class>,
}

/// Why a text is no alphabet.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum AlphabetError {
    /// A line after the first has no character.
    #[error(
        "alphabet line {line} is empty, but each line after the first must have the characters of one class"
    )]
    Empty {
        /// Line number, from 1.
        line: usize,
    },
    /// A character comes twice.
    #[error("alphabet line {line} repeats the character {character:?}")]
    Repeated {
        /// Line number, from 1.
        line: usize,
        /// The character.
        character: char,
    },
    /// No class besides the blank, or more classes than [`Class`] can number.
    #[error("an alphabet of {0} lines: 2 to 65535 are possible")]
    Size(usize),
}

impl Alphabet {
    /// The class of the blank.
    pub const BLANK: Class = 0;

    /// Reads the text of an alphabet file.
    pub fn from_lines(text: &str) -> Result<Self, AlphabetError> {
        let mut lines = vec![String::new()];
        let mut classes = HashMap::new();
        for (index, line) in text.lines().enumerate().skip(1) {
            if line.is_empty() {
                return Err(AlphabetError::Empty { line: index + 1 });
            }
            let class =
                Class::try_from(lines.len()).map_err(|_| AlphabetError::Size(lines.len() + 1))?;
            for character in line.chars() {
                if classes.insert(character, class).is_some() {
                    return Err(AlphabetError::Repeated {
                        line: index + 1,
                        character,
                    });
                }
            }
            lines.push(line.to_owned());
        }
        if lines.len() < 2 {
            return Err(AlphabetError::Size(text.lines().count()));
        }
        Ok(Self { lines, classes })
    }

    /// Number of classes, the blank included.
    pub fn len(&self) -> usize {
        self.lines.len()
    }

    /// Always false: an alphabet has at least one character.
    pub fn is_empty(&self) -> bool {
        false
    }

    /// The character that a class is shown as; none for the blank and for what is no class.
    pub fn character(&self, class: Class) -> Option<char> {
        self.lines.get(usize::from(class))?.chars().next()
    }

    /// The lines of the classes from 1 on, each with all characters of its shape.
    pub fn lines(&self) -> impl Iterator<Item = &str> {
        self.lines.iter().skip(1).map(String::as_str)
    }

    /// The class of a character.
    pub fn class(&self, character: char) -> Option<Class> {
        self.classes.get(&character).copied()
    }

    /// The classes of a text; none where a character has no class.
    pub fn encode(&self, text: &str) -> Option<Vec<Class>> {
        text.chars()
            .map(|character| self.class(character))
            .collect()
    }

    /// The text of classes; blanks and unknown classes leave nothing.
    pub fn decode(&self, classes: &[Class]) -> String {
        classes
            .iter()
            .filter_map(|&class| self.character(class))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_become_classes_in_order() {
        for (text, length) in [("<blank>\na\n \nx", 4), ("\na\r\nb\r\n", 3)] {
            let alphabet = Alphabet::from_lines(text).unwrap();
            assert_eq!(alphabet.len(), length, "{text:?}");
            assert_eq!(alphabet.character(0), None);
            assert_eq!(alphabet.character(1), Some('a'));
            assert_eq!(alphabet.class('a'), Some(1));
            assert_eq!(alphabet.class('?'), None);
        }
        let alphabet = Alphabet::from_lines("_\na\n \nx").unwrap();
        assert_eq!(alphabet.encode("x a"), Some(vec![3, 2, 1]));
        assert_eq!(alphabet.encode("xy"), None);
        assert_eq!(alphabet.decode(&[3, 0, 2, 1, 9]), "x a");
        assert_eq!(alphabet.lines().collect::<Vec<_>>(), ["a", " ", "x"]);
    }

    #[test]
    fn look_alikes_share_a_class() {
        let alphabet = Alphabet::from_lines("_\nO0О\nKК\nД").unwrap();
        assert_eq!(alphabet.len(), 4);
        assert_eq!(alphabet.encode("0-0"), None);
        assert_eq!(alphabet.encode("0К"), Some(vec![1, 2]));
        assert_eq!(alphabet.decode(&[1, 2, 3]), "OKД");
        assert_eq!(alphabet.lines().next(), Some("O0О"));
    }

    #[test]
    fn bad_files_are_named() {
        let cases = [
            ("", AlphabetError::Size(0)),
            ("_", AlphabetError::Size(1)),
            ("_\na\n\nb", AlphabetError::Empty { line: 3 }),
            (
                "_\nab\ncb",
                AlphabetError::Repeated {
                    line: 3,
                    character: 'b',
                },
            ),
            (
                "_\na\na",
                AlphabetError::Repeated {
                    line: 3,
                    character: 'a',
                },
            ),
        ];
        for (text, error) in cases {
            assert_eq!(Alphabet::from_lines(text), Err(error), "{text:?}");
        }
    }
}
