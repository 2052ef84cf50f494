//! The piece letters that may occur in a text, of one language or of several.

use cozy_chess::Piece;

use crate::Language;
use crate::reason::Reason;

/// Piece letters with what each of them stands for and how expected it is.
#[derive(Debug, Clone)]
pub(crate) struct Lexicon {
    entries: Vec<Entry>,
}

#[derive(Debug, Clone)]
struct Entry {
    letter: String,
    piece: Piece,
    reason: Option<Reason>,
}

impl Lexicon {
    /// The letters of one language, as printed.
    pub(crate) fn of(language: &Language) -> Self {
        let mut lexicon = Self {
            entries: Vec::new(),
        };
        lexicon.add(language.letters(), None, |letter| letter.to_owned());
        lexicon
    }

    /// The letters of one language with small ones, and of all others where `others`. A letter that is a piece's in the language is no other piece's: `Nd5` that no knight can play
    /// is no Romanian bishop's.
    pub(crate) fn tolerant(language: &'static Language, others: bool) -> Self {
        let mut lexicon = Self::of(language);
        lexicon.add(
            language.letters(),
            Some(Reason::SmallLetter),
            str::to_lowercase,
        );
        if others {
            let taken: Vec<&str> = language
                .letters()
                .filter_map(|(piece, letter)| (piece != Piece::Pawn).then_some(letter))
                .collect();
            for other in Language::all() {
                let free = other
                    .letters()
                    .filter(|(_, letter)| !taken.contains(letter));
                let reason = Reason::OtherLanguage(other.code);
                lexicon.add(free, Some(reason), |letter| letter.to_owned());
            }
        }
        lexicon
    }

    fn add(
        &mut self,
        letters: impl Iterator<Item = (Piece, &'static str)>,
        reason: Option<Reason>,
        form: impl Fn(&str) -> String,
    ) {
        for (piece, letter) in letters {
            let letter = form(letter);
            let known = self
                .entries
                .iter()
                .any(|entry| entry.letter == letter && entry.piece == piece);
            if !known {
                self.entries.push(Entry {
                    letter,
                    piece,
                    reason,
                });
            }
        }
    }

    /// The piece of an entry.
    pub(crate) fn piece(&self, entry: usize) -> Piece {
        self.entries[entry].piece
    }

    /// What is unusual about an entry.
    pub(crate) fn reason(&self, entry: usize) -> Option<Reason> {
        self.entries[entry].reason
    }

    /// The entries that begin a text, with the text after each.
    pub(crate) fn prefixes<'a>(
        &'a self,
        text: &'a str,
    ) -> impl Iterator<Item = (usize, &'a str)> + 'a {
        self.entries
            .iter()
            .enumerate()
            .filter_map(move |(place, entry)| Some((place, text.strip_prefix(&*entry.letter)?)))
    }

    /// The entries that end a text as a promotion (`=Q`, `(Q)`, `/Q` or `Q`), with the text before each.
    pub(crate) fn promotions<'a>(
        &'a self,
        text: &'a str,
    ) -> impl Iterator<Item = (usize, &'a str)> + 'a {
        let closed = text.strip_suffix(')');
        self.entries
            .iter()
            .enumerate()
            .filter(|(_, entry)| !matches!(entry.piece, Piece::Pawn | Piece::King))
            .filter_map(move |(place, entry)| {
                let before = closed.unwrap_or(text).strip_suffix(&*entry.letter)?;
                let before = match closed {
                    Some(_) => before.strip_suffix('(')?,
                    None => before,
                };
                let before = before.trim_end_matches(['=', '/', ' ', '>', '-']);
                (!before.is_empty()).then_some((place, before))
            })
    }
}
