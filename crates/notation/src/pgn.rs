//! Writing games after the PGN standard of 1994 (export format): tags, and moves on lines of a limited length.

use cozy_chess::Color;

/// Longest line in characters.
const LINE_LENGTH: usize = 79;

/// The Seven Tag Roster with the values of what is unknown.
const ROSTER: [(&str, &str); 7] = [
    ("Event", "?"),
    ("Site", "?"),
    ("Date", "????.??.??"),
    ("Round", "?"),
    ("White", "?"),
    ("Black", "?"),
    ("Result", "*"),
];

/// Appends the tags of a game: the Seven Tag Roster in its order, then the others in theirs.
///
/// `result` is the value of the tag `Result`; one among `tags` is left out.
pub fn write_tags(text: &mut String, tags: &[(String, String)], result: &str) {
    for (name, unknown) in ROSTER {
        let value = if name == "Result" {
            result
        } else {
            let tag = tags.iter().find(|(tag, _)| tag == name);
            tag.map_or(unknown, |(_, value)| value.as_str())
        };
        write_tag(text, name, value);
    }
    for (name, value) in tags {
        if ROSTER.iter().all(|(roster, _)| roster != name) {
            write_tag(text, name, value);
        }
    }
}

/// Appends tags as they are.
pub(crate) fn write_given_tags(text: &mut String, tags: &[(String, String)]) {
    for (name, value) in tags {
        write_tag(text, name, value);
    }
}

/// Appends one tag. Quotes and backslashes are escaped, control characters become spaces.
fn write_tag(text: &mut String, name: &str, value: &str) {
    text.push('[');
    text.push_str(name);
    text.push_str(" \"");
    for character in value.chars() {
        match character {
            '"' | '\\' => text.extend(['\\', character]),
            character if character.is_control() => text.push(' '),
            character => text.push(character),
        }
    }
    text.push_str("\"]\n");
}

/// The moves of a game with their numbers and comments, wrapped between words.
#[derive(Debug, Clone)]
pub struct Movetext {
    text: String,
    /// Characters on the present line.
    length: usize,
    /// Whether the next move needs its number, whoever plays it.
    number_needed: bool,
}

impl Movetext {
    /// No moves yet.
    pub fn new() -> Self {
        Self {
            text: String::new(),
            length: 0,
            number_needed: true,
        }
    }

    /// A move as it shall be written. White's has its number, and so has Black's at the beginning and after a comment.
    pub fn play(&mut self, number: u32, colour: Color, written: &str) {
        if colour == Color::White || self.number_needed {
            self.word(&number_mark(number, colour));
        }
        self.number_needed = false;
        self.words(written);
    }

    /// Adds a numeric annotation glyph to the last move.
    pub fn glyph(&mut self, glyph: u8) {
        self.word(&format!("${glyph}"));
    }

    /// A comment in braces; comments do not nest, so braces inside become parentheses.
    pub fn comment(&mut self, comment: &str) {
        let comment = comment.replace('{', "(").replace('}', ")");
        self.words(&format!("{{{}}}", comment.trim()));
        self.number_needed = true;
    }

    /// The whole text, with the result mark that ends it.
    pub fn end(mut self, result: &str) -> String {
        self.word(result);
        self.text
    }

    fn words(&mut self, text: &str) {
        for word in
            text.split(|character: char| character.is_whitespace() || character.is_control())
        {
            if !word.is_empty() {
                self.word(word);
            }
        }
    }

    fn word(&mut self, word: &str) {
        let length = word.chars().count();
        if self.length > 0 {
            // A line that starts with `%` would be an escape, so such a word stays on its line.
            if self.length + 1 + length > LINE_LENGTH && !word.starts_with('%') {
                self.text.push('\n');
                self.length = 0;
            } else {
                self.text.push(' ');
                self.length += 1;
            }
        }
        self.text.push_str(word);
        self.length += length;
    }
}

impl Default for Movetext {
    fn default() -> Self {
        Self::new()
    }
}

/// The number before a move: `12.` before White's, `12...` before Black's.
pub fn number_mark(number: u32, colour: Color) -> String {
    match colour {
        Color::White => format!("{number}."),
        Color::Black => format!("{number}..."),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tag(name: &str, value: &str) -> (String, String) {
        (name.to_owned(), value.to_owned())
    }

    #[test]
    fn tags_are_in_order_and_escaped() {
        let tags = [
            tag("Board", "3"),
            tag("White", "O\"Neil \\ Jr\n"),
            tag("Result", "0-1"),
        ];
        let mut text = String::new();
        write_tags(&mut text, &tags, "1-0");
        assert_eq!(
            text,
            "[Event \"?\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n\
             [White \"O\\\"Neil \\\\ Jr \"]\n[Black \"?\"]\n[Result \"1-0\"]\n[Board \"3\"]\n"
        );
    }

    #[test]
    fn moves_have_the_numbers_that_they_need() {
        let mut movetext = Movetext::new();
        movetext.play(7, Color::Black, "Kf1");
        movetext.play(8, Color::White, "e4");
        movetext.comment("so {it} is ");
        movetext.play(8, Color::Black, "0-0 mat");
        assert_eq!(
            movetext.end("1-0"),
            "7... Kf1 8. e4 {so (it) is} 8... 0-0 mat 1-0"
        );
        assert_eq!(Movetext::new().end("*"), "*");
    }

    #[test]
    fn lines_stay_below_eighty_characters() {
        let mut movetext = Movetext::new();
        for number in 1..200 {
            movetext.play(number, Color::White, "Qa1xb2+");
            movetext.play(number, Color::Black, "Kh8");
        }
        let text = movetext.end("*");
        assert!(text.lines().count() > 20);
        assert!(text.lines().all(|line| line.chars().count() < 80));
        assert!(text.lines().all(|line| !line.ends_with(' ')));
    }
}
