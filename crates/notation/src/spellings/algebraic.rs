//! The texts of a move in algebraic notation: short after the FIDE Laws of Chess, appendix C (origin C.10, capture C.9, promotion C.11), and long, with both squares.

use cozy_chess::Piece;

use super::{Pen, START, Stroke};
use crate::legal_move::Origin;

impl Pen<'_> {
    pub(super) fn piece_move(&mut self) {
        let speller = self.speller;
        let habits = &speller.habits;
        // Nothing, file, rank, both.
        let [none, file, rank, both] = match self.legal.origin {
            Origin::Plain if self.legal.piece == Piece::King => [1.0, 0.0, 0.0, 0.0],
            Origin::Plain => habits.plain_origin,
            Origin::Either | Origin::File => {
                let [right, none, wrong, both] = habits.needed_origin;
                [none, right, wrong, both]
            }
            Origin::Rank => {
                let [right, none, wrong, both] = habits.needed_origin;
                [none, wrong, right, both]
            }
            Origin::Square => {
                let [both, file, rank, none] = habits.square_origin;
                [none, file, rank, both]
            }
        };
        let from = self.legal.played.from;
        for letter in self.piece_letters(START) {
            let bare = self.share(letter, none);
            self.piece_target(bare);
            let with_rank = self.share(letter, rank);
            let with_rank = self.rank(with_rank, from.rank());
            self.piece_target(with_rank);
            if self.share(letter, file + both).is_some() {
                let lettered = self.file(letter, from.file());
                let with_file = self.share(lettered, file);
                self.piece_target(with_file);
                let with_both = self.share(lettered, both);
                let with_both = self.rank(with_both, from.rank());
                // Now and then a move is written in long notation among short ones.
                let dash = if self.legal.captured.is_none() {
                    0.3
                } else {
                    0.0
                };
                let with_dash = self.share(with_both, dash);
                let with_dash = self.sign(with_dash, speller.signs.dash);
                self.destination(with_dash);
                let without = self.share(with_both, 1.0 - dash);
                self.piece_target(without);
            }
        }
    }

    /// The capital letter of the moving piece, the small one and another one.
    fn piece_letters(&mut self, stroke: Stroke) -> [Stroke; 3] {
        let speller = self.speller;
        let habits = &speller.habits;
        let piece = self.legal.piece as usize;
        let capital = self.share(stroke, 1.0 - habits.small_letter - habits.other_letter);
        let small = self.share(stroke, habits.small_letter);
        let other = self.share(stroke, habits.other_letter);
        [
            self.word(capital, &speller.letters[piece]),
            self.word(small, &speller.small_letters[piece]),
            self.word(other, &speller.other_letters[piece]),
        ]
    }

    /// The capture sign and what is captured, or the destination.
    fn piece_target(&mut self, stroke: Stroke) {
        let speller = self.speller;
        let habits = &speller.habits;
        let [takes, bare, colon, letter, both, after] = match self.legal.captured {
            Some(_) => habits.piece_capture,
            None => [
                habits.false_capture,
                1.0 - habits.false_capture,
                0.0,
                0.0,
                0.0,
                0.0,
            ],
        };
        let plain = self.share(stroke, bare);
        self.destination(plain);
        let with_colon = self.share(stroke, colon);
        let with_colon = self.sign(with_colon, speller.signs.colon);
        self.destination(with_colon);
        let before_colon = self.share(stroke, after);
        let before_colon = self.target_square(before_colon);
        let before_colon = self.sign(before_colon, speller.signs.colon);
        self.after_square(before_colon);
        if self.share(stroke, takes + letter).is_some() {
            let sign = self.sign(stroke, speller.signs.takes);
            let with_takes = self.share(sign, takes);
            self.destination(with_takes);
            if let Some(captured) = self.legal.captured {
                let lettered = self.word(sign, &speller.letters[captured as usize]);
                let alone = self.share(lettered, letter);
                self.finish(alone);
                let with_square = self.share(lettered, both);
                self.destination(with_square);
            }
        }
    }

    pub(super) fn pawn_move(&mut self) {
        let speller = self.speller;
        let habits = &speller.habits;
        let signs = &speller.signs;
        let (from, to) = (self.legal.played.from, self.legal.played.to);
        if self.legal.captured.is_none() {
            let bare = self.share(START, 1.0 - habits.pawn_letter);
            self.destination(bare);
            let lettered = self.share(START, habits.pawn_letter);
            let lettered = self.word(lettered, &speller.letters[Piece::Pawn as usize]);
            self.destination(lettered);
            return;
        }
        let [
            takes,
            plain,
            files,
            takes_file,
            colon,
            letters,
            letter,
            after,
            files_after,
        ] = habits.pawn_capture;
        let file = self.file(START, from.file());
        let sign = self.sign(file, signs.takes);
        let full = self.share(sign, takes);
        self.pawn_capture_end(full);
        let short = self.share(sign, takes_file);
        let short = self.file(short, to.file());
        self.after_square(short);
        let full = self.share(file, plain);
        self.pawn_capture_end(full);
        let short = self.share(file, files);
        let short = self.file(short, to.file());
        self.after_square(short);
        let full = self.share(file, colon);
        let full = self.sign(full, signs.colon);
        self.pawn_capture_end(full);
        let full = self.share(file, after);
        let full = self.target_square(full);
        let full = self.sign(full, signs.colon);
        self.after_square(full);
        let short = self.share(file, files_after);
        let short = self.file(short, to.file());
        let short = self.sign(short, signs.colon);
        self.after_square(short);
        let pawn = self.word(START, &speller.letters[Piece::Pawn as usize]);
        let pawn = self.sign(pawn, signs.takes);
        let square = self.share(pawn, letter);
        self.destination(square);
        if let Some(captured) = self.legal.captured {
            let captured = &speller.letters[captured as usize];
            let both = self.share(pawn, letters);
            let both = self.word(both, captured);
            self.after_square(both);
        }
    }

    /// The destination of a pawn's capture, en passant marked or not.
    fn pawn_capture_end(&mut self, stroke: Stroke) {
        if !self.legal.en_passant {
            self.destination(stroke);
            return;
        }
        let speller = self.speller;
        let to = self.legal.played.to;
        let stroke = self.file(stroke, to.file());
        let stroke = self.rank(stroke, to.rank());
        let marked: f32 = speller.habits.en_passant.iter().sum();
        let bare = self.share(stroke, 1.0 - marked);
        self.finish(bare);
        for (word, share) in speller.en_passant.iter().zip(speller.habits.en_passant) {
            let form = self.share(stroke, share);
            let form = self.word(form, word);
            self.end(form);
        }
    }

    pub(super) fn long_move(&mut self) {
        let habits = &self.speller.habits;
        if self.legal.piece == Piece::Pawn {
            self.long_squares(START);
            return;
        }
        let lettered = self.share(START, 1.0 - habits.missing_letter);
        for letter in self.piece_letters(lettered) {
            self.long_squares(letter);
        }
        let bare = self.share(START, habits.missing_letter);
        self.long_squares(bare);
    }

    /// Origin, sign and destination.
    fn long_squares(&mut self, stroke: Stroke) {
        let speller = self.speller;
        let habits = &speller.habits;
        let signs = &speller.signs;
        let from = self.legal.played.from;
        let origin = self.file(stroke, from.file());
        let origin = self.rank(origin, from.rank());
        let [dash, nothing, dash_for_capture] = habits.long_sign;
        let [takes, plain, colon, .., after] = habits.piece_capture;
        let (takes, dash, colon, plain, after) = match self.legal.captured {
            Some(_) => (takes, dash_for_capture, colon, plain, after),
            None => (habits.false_capture, dash, 0.0, nothing, 0.0),
        };
        for (sign, share) in [
            (signs.takes, takes),
            (signs.dash, dash),
            (signs.colon, colon),
        ] {
            let form = self.share(origin, share);
            let form = self.sign(form, sign);
            self.destination(form);
        }
        let plain = self.share(origin, plain);
        self.destination(plain);
        let before_colon = self.share(origin, after);
        let before_colon = self.target_square(before_colon);
        let before_colon = self.sign(before_colon, signs.colon);
        self.after_square(before_colon);
    }
}
