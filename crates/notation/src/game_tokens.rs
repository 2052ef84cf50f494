//! The tokens of a text with games: tags, move numbers, moves, comments and results, in any system and language.

use std::collections::HashMap;

use crate::ink::{
    Ink, begins_with_joiner, may_be_descriptive_square, may_be_move, plain, split_sign,
};
use crate::words::sign_of;

/// A token and the line that it begins on, from 1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Placed {
    pub token: Token,
    pub line: usize,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Token {
    /// `[Name "value"]`.
    Tag { name: String, value: String },
    /// `12.`, or `12...` before Black's move.
    Number { number: u32, black: bool },
    /// What stands before Black's move in place of White's: `...` or a dash.
    Ellipsis,
    /// What may be a move, and ink that is no prose either.
    Ink(Ink),
    /// A numeric annotation glyph of the PGN standard (section 10): 1 to 6 for `!`, `?`, `!!`, `??`, `!?`, `?!`.
    Glyph(u8),
    /// The text of a comment in braces or after a semicolon.
    Comment(String),
    /// `1-0`, `0-1`, `1/2-1/2` or `*`.
    Result(&'static str),
    /// A word of prose.
    Prose,
}

/// Longest word, or words that stand for one sign, in bytes; longer ones are taken in parts.
const LONGEST_PHRASE: usize = 256;
/// Longest tag or remark in square brackets, in bytes.
const LONGEST_TAG: usize = 4096;
/// Move numbers go no higher: the longest game possible under the rules of draws is far longer, the longest one played has 269 moves.
const HIGHEST_NUMBER: u32 = 999;

/// Takes a text apart. Nothing of it is an error here.
pub(crate) fn tokens(text: &str) -> Vec<Placed> {
    let mut lexer = Lexer {
        text,
        at: 0,
        line: 1,
        tokens: Vec::new(),
        gluing: false,
        closings: closings(text),
        last_brace: text.rfind('}').unwrap_or(0),
    };
    while lexer.step() {}
    settle_prose(&mut lexer.tokens);
    lexer.tokens
}

struct Lexer<'a> {
    text: &'a str,
    at: usize,
    line: usize,
    tokens: Vec<Placed>,
    /// Whether the next word continues the last move: after a lone dash or capture sign.
    gluing: bool,
    /// Where each round bracket closes that does, by where it opens.
    closings: HashMap<usize, usize>,
    /// Where the last brace closes.
    last_brace: usize,
}

impl<'a> Lexer<'a> {
    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn advance(&mut self, bytes: usize) {
        let passed = &self.text[self.at..self.at + bytes];
        self.line += passed.matches('\n').count();
        self.at += bytes;
    }

    fn push(&mut self, token: Token) {
        self.gluing = false;
        let line = self.line;
        self.tokens.push(Placed { token, line });
    }

    /// The move that ends the tokens so far.
    fn last_ink(&mut self) -> Option<&mut Ink> {
        match &mut self.tokens.last_mut()?.token {
            Token::Ink(ink) => Some(ink),
            _ => None,
        }
    }

    /// Takes the next token or passes over what is none; false at the end.
    fn step(&mut self) -> bool {
        let line_start = self.at == 0 || self.text[..self.at].ends_with('\n');
        let rest = self.rest();
        let Some(first) = rest.chars().next() else {
            return false;
        };
        let line_length = || rest.find('\n').unwrap_or(rest.len());
        match first {
            // An escaped line (PGN standard, section 6).
            '%' if line_start => self.advance(line_length()),
            '{' => self.braces(rest),
            ';' => {
                let length = line_length();
                let comment = rest[1..length].trim().to_owned();
                self.push(Token::Comment(comment));
                self.advance(length);
            }
            '[' => self.square_brackets(rest),
            '(' => self.round_brackets(rest),
            '<' => {
                let length = head(rest).find('>').map_or(1, |end| end + 1);
                self.advance(length);
            }
            '$' => {
                let digits = count_digits(&rest[1..]);
                if let Ok(glyph) = rest[1..1 + digits].parse() {
                    self.push(Token::Glyph(glyph));
                }
                self.advance(1 + digits);
            }
            _ if is_gap(first) || ")]}>".contains(first) => self.advance(first.len_utf8()),
            _ => self.word(rest),
        }
        true
    }

    /// A comment in braces, which do not nest; one without an end ends with its line.
    fn braces(&mut self, rest: &str) {
        let closing = if self.at < self.last_brace { '}' } else { '\n' };
        let end = rest.find(closing).unwrap_or(rest.len());
        let words: Vec<&str> = rest[1..end].split_whitespace().collect();
        self.push(Token::Comment(words.join(" ")));
        self.advance(end);
    }

    /// A tag, or a remark such as `[note 1]`, which is passed over.
    fn square_brackets(&mut self, rest: &str) {
        let line = head(rest);
        if let Some((name, value, length)) = tag(line) {
            self.push(Token::Tag { name, value });
            self.advance(length);
        } else {
            let length = line.find(']').map_or(1, |end| end + 1);
            self.advance(length);
        }
    }

    /// A draw offer, a word for a sign, a new piece; else a variation or a remark, which is passed over.
    fn round_brackets(&mut self, rest: &str) {
        let Some(length) = self.bracketed_length(self.at) else {
            self.advance(1);
            return;
        };
        let inner = rest[1..length - 1].trim();
        let sign = sign_of(inner.split_whitespace());
        let promotion = inner.chars().count() <= 2 && inner.chars().all(char::is_alphabetic);
        if let Some(ink) = self.last_ink() {
            if inner == "=" {
                ink.append("(=)", "(=)");
            } else if let Some((sign, _)) = sign {
                ink.append(&rest[..length], sign);
            } else if promotion && ink.plain.ends_with(['1', '8']) {
                ink.append(&rest[..length], &plain(&rest[..length]));
            }
        }
        self.advance(length);
    }

    /// Length of what stands in round brackets from a position on, the brackets included; none where they are not closed.
    fn bracketed_length(&self, from: usize) -> Option<usize> {
        Some(self.closings.get(&from)? + 1 - from)
    }

    /// Length of the word that begins a text. Brackets inside a word belong to it: `Kt(R3)-B4`, `d8(D)`.
    fn word_length(&self, text: &str) -> usize {
        let mut length = 0;
        while let Some(character) = text[length..].chars().next() {
            let inside = length > 0;
            match character {
                '(' if inside => match self.bracketed_length(self.at + length) {
                    Some(bracketed)
                        if length + bracketed <= text.len()
                            && !text[length..length + bracketed].contains(is_gap) =>
                    {
                        length += bracketed;
                        continue;
                    }
                    _ => break,
                },
                '{' | '[' | ')' | ']' | '}' | '$' | '<' if inside => break,
                // After a word a semicolon is punctuation and no comment.
                ';' => {
                    length += 1;
                    break;
                }
                character if is_gap(character) => break,
                _ => {}
            }
            length += character.len_utf8();
        }
        length
    }

    fn word(&mut self, rest: &str) {
        let rest = beginning(rest, LONGEST_PHRASE);
        let length = self.word_length(rest);
        let mut upcoming = rest.split(is_gap).filter(|word| !word.is_empty());
        let sign = sign_of(upcoming.clone()).filter(|&(sign, _)| {
            sign != "-" || upcoming.nth(1).is_some_and(may_be_descriptive_square)
        });
        if let Some((result, length)) = result(rest) {
            self.push(Token::Result(result));
            self.advance(length);
        } else if let Some((number, black, length)) = self.number(&rest[..length]) {
            self.push(Token::Number { number, black });
            self.advance(length);
        } else if let Some(length) = ellipsis_length(rest) {
            self.push(Token::Ellipsis);
            self.advance(length);
        } else if let Some((sign, count)) = sign {
            let length = phrase_length(rest, count);
            self.sign(&rest[..length], sign);
            self.advance(length);
        } else {
            self.single(&rest[..length]);
            self.advance(length);
        }
    }

    /// A move number at the beginning of a word: the number, whether Black's move follows, and the length. A 0 begins castling.
    fn number(&self, word: &str) -> Option<(u32, bool, usize)> {
        let digits = count_digits(word);
        let number = word[..digits].parse().ok()?;
        if self.gluing || word.starts_with('0') || number > HIGHEST_NUMBER {
            return None;
        }
        let rest = &word[digits..];
        let bare = rest.trim_start_matches(['.', '…']);
        let dots = &rest[..rest.len() - bare.len()];
        // `1e4`, `1)`, `1`; but not `2x30`.
        let follows = bare.is_empty()
            || bare.starts_with(')')
            || (!bare.starts_with('x') && may_be_move(&plain(bare)));
        if dots.is_empty() && !follows {
            return None;
        }
        // In `12.-` the dash says no more than the dot.
        let dash = bare.trim_start_matches([')', '-', '–', '—']);
        Some((number, dots.len() > 1, word.len() - dash.len()))
    }

    /// A word or phrase that stands for a sign.
    fn sign(&mut self, written: &str, sign: &str) {
        let exclamation = written.trim_end_matches(['!', '?']);
        match sign {
            "O-O" | "O-O-O" => self.push(Token::Ink(Ink {
                written: exclamation.to_owned(),
                plain: sign.to_owned(),
            })),
            "x" | "-" => self.joiner(&format!(" {written} "), sign),
            _ => {
                if let Some(ink) = self.last_ink() {
                    ink.append(&format!(" {exclamation}"), sign);
                }
            }
        }
        self.glyph(&written[exclamation.len()..]);
    }

    /// A lone sign between the two halves of a move.
    fn joiner(&mut self, written: &str, sign: &str) {
        if let Some(ink) = self.last_ink() {
            ink.append(written, sign);
            self.gluing = true;
        } else if sign == "-" {
            self.push(Token::Ellipsis);
        }
    }

    fn glyph(&mut self, signs: &str) {
        let glyph = match signs {
            "!" => 1,
            "?" => 2,
            "!!" | "!!!" => 3,
            "??" | "???" => 4,
            "!?" => 5,
            "?!" => 6,
            _ => return,
        };
        self.push(Token::Glyph(glyph));
    }

    /// One word without gaps, not in the list of words for signs.
    fn single(&mut self, word: &str) {
        let word = word
            .trim_matches(['«', '»', '“', '”', '„', '‘', '’', '\'', '_'])
            .trim_end_matches(';');
        let bare = word.trim_matches('.');
        if bare.is_empty() || is_clock(bare) || is_evaluation(word) {
            return;
        }
        let body = bare.trim_end_matches(['!', '?']);
        let glyphs = &bare[body.len()..];
        if body.is_empty() {
            self.glyph(glyphs);
            return;
        }
        let (stem, sign) = split_sign(body);
        let plain = plain(stem) + sign;
        let joins = matches!(plain.as_str(), "-" | "x" | "X" | ":");
        let effect = plain
            .trim_start_matches("e.p.")
            .chars()
            .all(|character| "+#".contains(character));
        if joins {
            self.joiner(body, &plain.to_lowercase());
            return;
        }
        let continues = self.gluing || effect || begins_with_joiner(&plain);
        match self.last_ink() {
            Some(ink) if continues => ink.append(body, &plain),
            _ if effect => {}
            _ => self.push(Token::Ink(Ink {
                written: body.to_owned(),
                plain: plain.clone(),
            })),
        }
        self.gluing = plain.len() > 1 && plain.ends_with(['-', 'x']);
        if !glyphs.is_empty() {
            self.glyph(glyphs);
        }
    }
}

/// Whether a character ends a word and says nothing: white space, the rules of tables, commas and quotes.
fn is_gap(character: char) -> bool {
    character.is_whitespace()
        || character.is_control()
        || matches!(
            character,
            '|' | '¦' | '│' | ',' | '"' | '\u{200b}' | '\u{feff}'
        )
}

fn count_digits(text: &str) -> usize {
    text.bytes().take_while(u8::is_ascii_digit).count()
}

/// Length of the dots that begin a text and stand for White's move; one dot says nothing.
fn ellipsis_length(text: &str) -> Option<usize> {
    let length = text.len() - text.trim_start_matches(['.', '…']).len();
    (length > 1).then_some(length)
}

/// Where round brackets close, by where they open. Brackets nest; none spans an empty line.
fn closings(text: &str) -> HashMap<usize, usize> {
    let mut closings = HashMap::new();
    let mut open = Vec::new();
    let mut line_empty = false;
    for (position, character) in text.char_indices() {
        match character {
            '(' => open.push(position),
            ')' => {
                if let Some(opened) = open.pop() {
                    closings.insert(opened, position);
                }
            }
            '\n' if line_empty => open.clear(),
            _ => {}
        }
        line_empty = character == '\n' || (line_empty && character.is_whitespace());
    }
    closings
}

/// The line that begins a text, no more of it than a tag or remark can be long.
fn head(text: &str) -> &str {
    let head = beginning(text, LONGEST_TAG);
    head.split_once('\n').map_or(head, |(line, _)| line)
}

/// At most so many bytes of a text.
fn beginning(text: &str, most: usize) -> &str {
    let mut length = text.len().min(most);
    while !text.is_char_boundary(length) {
        length -= 1;
    }
    &text[..length]
}

/// Length of the first `count` words and what lies between them.
fn phrase_length(text: &str, count: usize) -> usize {
    let mut length = 0;
    for _ in 0..count {
        let gap = text[length..].len() - text[length..].trim_start_matches(is_gap).len();
        length += gap;
        length += text[length..].find(is_gap).unwrap_or(text[length..].len());
    }
    length
}

/// A tag pair in one line: name, value and length. A quote or backslash in the value may be escaped by a backslash.
fn tag(line: &str) -> Option<(String, String, usize)> {
    let inner = line.strip_prefix('[')?.trim_start();
    let name_length = inner
        .bytes()
        .take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'_')
        .count();
    let (name, rest) = inner.split_at(name_length);
    let mut rest = rest.trim_start().strip_prefix('"')?;
    if name.is_empty() {
        return None;
    }
    let mut value = String::new();
    loop {
        let character = rest.chars().next()?;
        rest = &rest[character.len_utf8()..];
        match character {
            '\\' if rest.starts_with(['"', '\\']) => {
                value.push_str(&rest[..1]);
                rest = &rest[1..];
            }
            '"' => match rest.trim_start().strip_prefix(']') {
                Some(after) => return Some((name.to_owned(), value, line.len() - after.len())),
                // A quote that should have been escaped.
                None => value.push('"'),
            },
            character => value.push(character),
        }
    }
}

/// The result mark that begins a text, with or without spaces in it, and its length.
fn result(text: &str) -> Option<(&'static str, usize)> {
    let ends = |text: &str| {
        let next = text.chars().next();
        next.is_none_or(|next| is_gap(next) || ".,;)".contains(next))
    };
    if let Some(rest) = text.strip_prefix('*') {
        return ends(rest).then_some(("*", 1));
    }
    const HALVES: [&str; 3] = ["1/2", "½", "0.5"];
    let side = |text: &str| -> Option<(u8, usize)> {
        let half = HALVES.into_iter().find(|half| text.starts_with(half));
        match (half, text.chars().next()?) {
            (Some(half), _) => Some((1, half.len())),
            (None, '1') => Some((2, 1)),
            (None, '0') => Some((0, 1)),
            _ => None,
        }
    };
    let blank = |text: &str| text.len() - text.trim_start_matches([' ', '\t', '\u{a0}']).len();
    let (white, mut length) = side(text)?;
    if white == 1 && ends(&text[length..]) {
        return Some(("1/2-1/2", length));
    }
    length += blank(&text[length..]);
    let sign = text[length..]
        .chars()
        .next()
        .filter(|sign| "-–—−:".contains(*sign))?;
    length += sign.len_utf8();
    length += blank(&text[length..]);
    let (black, black_length) = side(&text[length..])?;
    length += black_length;
    if !ends(&text[length..]) {
        return None;
    }
    let mark = match (white, black) {
        (2, 0) => "1-0",
        (0, 2) => "0-1",
        (1, 1) => "1/2-1/2",
        // `0-0` is castling.
        _ => return None,
    };
    Some((mark, length))
}

/// A time such as `1:05` or `0:58:30`.
fn is_clock(word: &str) -> bool {
    word.contains(':')
        && word
            .split(':')
            .all(|part| (1..=2).contains(&part.len()) && count_digits(part) == part.len())
}

/// A sign that judges the position.
fn is_evaluation(word: &str) -> bool {
    const SIGNS: [&str; 18] = [
        "+-", "-+", "+/-", "-/+", "+−", "−+", "+–", "–+", "±", "∓", "=", "+=", "=+", "⩲", "⩱", "∞",
        "□", "⌓",
    ];
    SIGNS.contains(&word)
}

/// Words that cannot be moves are prose, and so are short ones beside them; other ink stays, for it may be a move badly written.
fn settle_prose(tokens: &mut [Placed]) {
    let is_word = |ink: &Ink| {
        let letters = ink.plain.trim_end_matches([':', '\'', '"']);
        letters.chars().count() >= 3 && letters.chars().all(char::is_alphabetic)
    };
    // `N` for a novelty.
    let is_remark = |ink: &Ink| is_word(ink) || ink.plain == "N";
    let castles = |ink: &Ink| ink.plain.eq_ignore_ascii_case("castles");
    for placed in tokens.iter_mut() {
        if let Token::Ink(ink) = &placed.token
            && !may_be_move(&ink.plain)
            && !castles(ink)
            && is_remark(ink)
        {
            placed.token = Token::Prose;
        }
    }
    for index in 0..tokens.len() {
        let prose = |index: Option<usize>| {
            index
                .and_then(|index| tokens.get(index))
                .is_some_and(|placed| placed.token == Token::Prose)
        };
        if let Token::Ink(ink) = &tokens[index].token
            && !may_be_move(&ink.plain)
            && !castles(ink)
            && (prose(index.checked_sub(1)) || prose(Some(index + 1)))
        {
            tokens[index].token = Token::Prose;
        }
    }
}
