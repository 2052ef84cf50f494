//! The texts of a move in English descriptive notation.

use cozy_chess::{Piece, Rank, Square};

use super::{Pen, START, Stroke};
use crate::Class;
use crate::descriptive::{
    DescriptiveFacts, Form, OriginForm, TargetForm, Wing, file_piece, has_twin, wing,
};
use crate::habits::DescriptiveHabits;
use crate::legal_move::{Castling, Effect, LegalMove};

/// Words of descriptive notation in the classes of an alphabet; empty where it lacks a character.
#[derive(Debug, Clone)]
pub(super) struct Words {
    /// `N`, `Kt`, `Kn`.
    knights: [Vec<Class>; 3],
    /// `+`, `ch`, `check`.
    checks: [Vec<Class>; 3],
    /// `mate`, `++`, `#`, `+`.
    mates: [Vec<Class>; 4],
    /// The word alone, with the king's side, with the queen's side.
    castling: [Vec<Class>; 3],
}

impl Words {
    pub(super) fn new(encode: impl Fn(&str) -> Vec<Class>) -> Self {
        Self {
            knights: ["N", "Kt", "Kn"].map(&encode),
            checks: ["+", "ch", "check"].map(&encode),
            mates: ["mate", "++", "#", "+"].map(&encode),
            castling: ["Castles", "CastlesKR", "CastlesQR"].map(&encode),
        }
    }
}

impl Pen<'_> {
    pub(super) fn descriptive_castling(&mut self, side: Castling) {
        let speller = self.speller;
        let [word, with_side, rings] = speller.habits.descriptive.castling;
        let words = &speller.words.castling;
        let sided = match side {
            Castling::Short => &words[1],
            Castling::Long => &words[2],
        };
        for (text, share) in [(&words[0], word), (sided, with_side)] {
            let stroke = self.share(START, share);
            let stroke = self.word(stroke, text);
            self.descriptive_finish(stroke);
        }
        self.castling(side, rings);
    }

    pub(super) fn descriptive_move(&mut self) {
        let legal = self.legal;
        let Some(facts) = legal.descriptive else {
            return;
        };
        let habits = &self.speller.habits.descriptive;
        let weights = form_weights(legal, &facts, habits);
        let total: f32 = weights.iter().flatten().sum();
        let with_knight = mentions_knight(legal);
        for (variant, &knight) in habits.knight.iter().enumerate() {
            let knight = if with_knight { knight } else { 1.0 };
            for (origin, weights) in OriginForm::ALL.into_iter().zip(&weights) {
                let here: f32 = weights.iter().sum();
                let start = self.share(START, knight * here / total);
                if start.is_none() {
                    continue;
                }
                for stroke in self.origin_forms(start, origin, &facts, variant) {
                    if stroke.is_some() {
                        let shares = weights.map(|weight| weight / here);
                        self.after_origin(stroke, &shares, &facts, variant);
                    }
                }
            }
            if !with_knight {
                break;
            }
        }
    }

    /// The sign and the rest of the text, by the shares of the forms of the destination.
    fn after_origin(
        &mut self,
        stroke: Stroke,
        shares: &[f32; 5],
        facts: &DescriptiveFacts,
        knight: usize,
    ) {
        let speller = self.speller;
        let to = self.legal.played.to;
        if self.legal.captured.is_none() {
            let stroke = self.sign(stroke, speller.signs.dash);
            let first = to.rank().relative_to(facts.side) == Rank::First;
            let omitted = if first {
                speller.habits.descriptive.first_rank_omitted
            } else {
                0.0
            };
            for form in [TargetForm::Short, TargetForm::Full] {
                let full = form == TargetForm::Full;
                let form = self.share(stroke, shares[form as usize]);
                let file = self.square(form, to, full, false, facts, knight);
                let with_rank = self.share(file, 1.0 - omitted);
                let with_rank = self.rank(with_rank, to.rank().relative_to(facts.side));
                self.descriptive_end(with_rank, knight);
                let without = self.share(file, omitted);
                self.descriptive_end(without, knight);
            }
            return;
        }
        let dashed = speller.habits.descriptive.dash_for_capture;
        let takes = self.share(stroke, 1.0 - dashed);
        let takes = self.sign(takes, speller.signs.takes);
        for (form, share) in TargetForm::ALL.into_iter().zip(shares) {
            let form_stroke = self.share(takes, *share);
            if form_stroke.is_some() {
                self.victim(form_stroke, form, facts, knight);
            }
        }
        let dash = self.share(stroke, dashed);
        if dash.is_some() {
            let dash = self.sign(dash, speller.signs.dash);
            let square = self.square(dash, to, false, true, facts, knight);
            self.descriptive_end(square, knight);
        }
    }

    fn letter(&mut self, stroke: Stroke, piece: Piece, knight: usize) -> Stroke {
        let speller = self.speller;
        let letter = if piece == Piece::Knight {
            &speller.words.knights[knight]
        } else {
            &speller.letters[piece as usize]
        };
        self.word(stroke, letter)
    }

    fn wing(&mut self, stroke: Stroke, wing: Wing) -> Stroke {
        let piece = match wing {
            Wing::King => Piece::King,
            Wing::Queen => Piece::Queen,
        };
        self.letter(stroke, piece, 0)
    }

    /// The name of a square, its rank left out where `rank` is false.
    fn square(
        &mut self,
        stroke: Stroke,
        square: Square,
        full: bool,
        rank: bool,
        facts: &DescriptiveFacts,
        knight: usize,
    ) -> Stroke {
        let mut stroke = stroke;
        if full && has_twin(square.file()) {
            stroke = self.wing(stroke, wing(square.file()));
        }
        stroke = self.letter(stroke, file_piece(square.file()), knight);
        if rank {
            stroke = self.rank(stroke, square.rank().relative_to(facts.side));
        }
        stroke
    }

    /// The beginnings up to the sign, in one form of the origin.
    fn origin_forms(
        &mut self,
        stroke: Stroke,
        form: OriginForm,
        facts: &DescriptiveFacts,
        knight: usize,
    ) -> [Stroke; 3] {
        let speller = self.speller;
        let (piece, from) = (self.legal.piece, self.legal.played.from);
        match form {
            OriginForm::Piece => [self.letter(stroke, piece, knight), None, None],
            OriginForm::Side | OriginForm::PawnFile => {
                let mut stroke = stroke;
                if piece == Piece::Pawn {
                    if form == OriginForm::PawnFile {
                        stroke = self.wing(stroke, wing(from.file()));
                    }
                    stroke = self.letter(stroke, file_piece(from.file()), knight);
                } else if let Some(wing) = facts.wing {
                    stroke = self.wing(stroke, wing);
                }
                [self.letter(stroke, piece, knight), None, None]
            }
            OriginForm::Rank => {
                let letter = self.letter(stroke, piece, knight);
                let open = self.sign(letter, speller.signs.open);
                let open = self.rank(open, from.rank().relative_to(facts.side));
                [self.sign(open, speller.signs.close), None, None]
            }
            OriginForm::Short | OriginForm::Full => {
                let full = form == OriginForm::Full;
                let [brackets, bare, slash] = speller.habits.descriptive.origin_square;
                let letter = self.letter(stroke, piece, knight);
                let open = self.share(letter, brackets);
                let open = self.sign(open, speller.signs.open);
                let open = self.square(open, from, full, true, facts, knight);
                let closed = self.sign(open, speller.signs.close);
                let bare = self.share(letter, bare);
                let bare = self.square(bare, from, full, true, facts, knight);
                let stroke = self.share(letter, slash);
                let stroke = self.sign(stroke, speller.signs.slash);
                let stroke = self.square(stroke, from, full, true, facts, knight);
                [closed, bare, stroke]
            }
        }
    }

    /// What is taken, in one form.
    fn victim(
        &mut self,
        stroke: Stroke,
        form: TargetForm,
        facts: &DescriptiveFacts,
        knight: usize,
    ) {
        let speller = self.speller;
        let to = self.legal.played.to;
        let Some(captured) = self.legal.captured else {
            return;
        };
        let full = form == TargetForm::Full;
        match form {
            TargetForm::Piece => {
                let stroke = self.letter(stroke, captured, knight);
                self.descriptive_end(stroke, knight);
            }
            TargetForm::Side | TargetForm::PawnFile => {
                let mut stroke = stroke;
                if form == TargetForm::PawnFile {
                    stroke = self.wing(stroke, wing(to.file()));
                }
                stroke = self.letter(stroke, file_piece(to.file()), knight);
                stroke = self.letter(stroke, captured, knight);
                self.descriptive_end(stroke, knight);
            }
            TargetForm::Short | TargetForm::Full => {
                let [brackets, bare, slash] = speller.habits.descriptive.origin_square;
                // The square alone is as usual as the bare piece and its square.
                let alone = self.share(stroke, bare);
                let alone = self.square(alone, to, full, true, facts, knight);
                self.descriptive_end(alone, knight);
                let letter = self.share(stroke, brackets + slash);
                let letter = self.letter(letter, captured, knight);
                let open = self.share(letter, brackets / (brackets + slash));
                let open = self.sign(open, speller.signs.open);
                let open = self.square(open, to, full, true, facts, knight);
                let closed = self.sign(open, speller.signs.close);
                self.descriptive_end(closed, knight);
                let after = self.share(letter, slash / (brackets + slash));
                let after = self.sign(after, speller.signs.slash);
                let after = self.square(after, to, full, true, facts, knight);
                self.descriptive_end(after, knight);
            }
        }
    }

    /// Promotion and en passant, and the check word after them.
    fn descriptive_end(&mut self, stroke: Stroke, knight: usize) {
        let speller = self.speller;
        if let Some(piece) = self.legal.played.promotion {
            let [equals, plain, bracket, slash, bare] = speller.habits.promotion;
            let signs = &speller.signs;
            for (before, after, share) in [
                (signs.open, Some(signs.close), bracket + plain),
                (signs.equals, None, equals),
                (signs.slash, None, slash),
            ] {
                let form = self.share(stroke, share);
                let form = self.sign(form, before);
                let mut form = self.letter(form, piece, knight);
                if let Some(sign) = after {
                    form = self.sign(form, sign);
                }
                self.descriptive_finish(form);
            }
            if piece == Piece::Queen {
                let form = self.share(stroke, bare);
                self.descriptive_finish(form);
            }
            return;
        }
        if self.legal.en_passant {
            let marked: f32 = speller.habits.en_passant.iter().sum();
            let bare = self.share(stroke, 1.0 - marked);
            self.descriptive_finish(bare);
            for (word, share) in speller.en_passant.iter().zip(speller.habits.en_passant) {
                let form = self.share(stroke, share);
                let form = self.word(form, word);
                self.descriptive_finish(form);
            }
            return;
        }
        self.descriptive_finish(stroke);
    }

    /// The word or sign for check, and with it the end.
    fn descriptive_finish(&mut self, stroke: Stroke) {
        let speller = self.speller;
        let habits = &speller.habits.descriptive;
        let words = &speller.words;
        match self.legal.effect {
            Effect::Quiet => {
                let false_check = speller.habits.false_check;
                let bare = self.share(stroke, 1.0 - false_check);
                self.end(bare);
                let marked = self.share(stroke, false_check);
                let marked = self.word(marked, &words.checks[0]);
                self.end(marked);
            }
            Effect::Check => {
                let [plus, short, bare, long] = habits.check;
                let bare = self.share(stroke, bare);
                self.end(bare);
                for (word, share) in words.checks.iter().zip([plus, short, long]) {
                    let form = self.share(stroke, share);
                    let form = self.word(form, word);
                    self.end(form);
                }
            }
            Effect::Mate => {
                let [mate, double, hash, plus, bare] = habits.mate;
                let bare = self.share(stroke, bare);
                self.end(bare);
                for (word, share) in words.mates.iter().zip([mate, double, hash, plus]) {
                    let form = self.share(stroke, share);
                    let form = self.word(form, word);
                    self.end(form);
                }
            }
        }
    }
}

/// Whether any text of a move has the knight's letter.
fn mentions_knight(legal: &LegalMove) -> bool {
    let knight = |piece| piece == Piece::Knight;
    knight(legal.piece)
        || legal.captured.is_some_and(knight)
        || legal.played.promotion.is_some_and(knight)
        || knight(file_piece(legal.played.from.file()))
        || knight(file_piece(legal.played.to.file()))
}

/// Weights of all forms of a move, by origin and target.
fn form_weights(
    legal: &LegalMove,
    facts: &DescriptiveFacts,
    habits: &DescriptiveHabits,
) -> [[f32; 5]; 6] {
    let mut weights = [[0.0; 5]; 6];
    for (origin, row) in OriginForm::ALL.into_iter().zip(&mut weights) {
        if !origin.exists(legal, facts) {
            continue;
        }
        for (target, weight) in TargetForm::ALL.into_iter().zip(row) {
            if !target.exists(legal) {
                continue;
            }
            let form = Form { origin, target };
            let factor = if facts.tells(form) {
                1.0
            } else {
                habits.ambiguous
            };
            *weight = habits.origin[origin as usize] * habits.target[target as usize] * factor;
        }
    }
    weights
}
