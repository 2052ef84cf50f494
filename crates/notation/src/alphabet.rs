//! The classes of the handwriting model and the characters they stand for.

use std::collections::HashMap;

use thiserror::Error;

/// One class of the model's output, an index into an [`Alphabet`].
pub type Class = u16;

/// The classes of a handwriting model: class 0 is the blank of connectionist temporal classification, every other class is one character.
///
/// Its file has one line per class in class order. The first line names the blank and its text does not matter; each other line is exactly one character (a space is a line of one space).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Alphabet {
    /// Character of each class; the entry of the blank is the replacement character and never handed out.
    characters: Vec<char>,
    classes: HashMap<char, Class>,
}

/// Why a text is no alphabet.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum AlphabetError {
    /// A line that has to be one character has none or several.
    #[error(
        "alphabet line {line} is {text:?}, but each line after the first must be one character"
    )]
    NotOneCharacter {
        /// Line number, from 1.
        line: usize,
        /// The line.
        text: String,
    },
    /// A character has two lines.
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
        let mut characters = vec![char::REPLACEMENT_CHARACTER];
        let mut classes = HashMap::new();
        for (index, line) in text.lines().enumerate().skip(1) {
            let mut line_characters = line.chars();
            let (Some(character), None) = (line_characters.next(), line_characters.next()) else {
                return Err(AlphabetError::NotOneCharacter {
                    line: index + 1,
                    text: line.to_owned(),
                });
            };
            let class = Class::try_from(characters.len())
                .map_err(|_| AlphabetError::Size(characters.len() + 1))?;
            if classes.insert(character, class).is_some() {
                return Err(AlphabetError::Repeated {
                    line: index + 1,
                    character,
                });
            }
            characters.push(character);
        }
        if characters.len() < 2 {
            return Err(AlphabetError::Size(text.lines().count()));
        }
        Ok(Self {
            characters,
            classes,
        })
    }

    /// Number of classes, the blank included.
    pub fn len(&self) -> usize {
        self.characters.len()
    }

    /// Always false: an alphabet has at least one character.
    pub fn is_empty(&self) -> bool {
        false
    }

    /// The character of a class; none for the blank and for what is no class.
    pub fn character(&self, class: Class) -> Option<char> {
        if class == Self::BLANK {
            return None;
        }
        self.characters.get(usize::from(class)).copied()
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
    }

    #[test]
    fn bad_files_are_named() {
        let cases = [
            ("", AlphabetError::Size(0)),
            ("_", AlphabetError::Size(1)),
            (
                "_\na\n\nb",
                AlphabetError::NotOneCharacter {
                    line: 3,
                    text: String::new(),
                },
            ),
            (
                "_\nab",
                AlphabetError::NotOneCharacter {
                    line: 2,
                    text: "ab".into(),
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
