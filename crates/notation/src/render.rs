//! A legal move as text, in any system, language and style.

use cozy_chess::{Board, Piece, Square};

use crate::descriptive::{
    DescriptiveFacts, Form, OriginForm, TargetForm, Wing, file_piece, has_twin, wing,
};
use crate::habits::System;
use crate::legal_move::{Castling, Effect, LegalMove, Origin, file_character, rank_character};
use crate::style::{CaptureStyle, CastlingStyle, PromotionStyle, Style};

/// The text of a legal move. The text means this move alone, unless the style leaves out the rank of a pawn's capture.
///
/// `board` is the position in which the move is legal; it is asked only for descriptive notation of a move without [`LegalMove::descriptive`].
pub fn render(board: &Board, legal: &LegalMove, style: &Style) -> String {
    let mut text = String::with_capacity(12);
    match style.system {
        System::Descriptive => {
            let facts = legal.descriptive.or_else(|| {
                LegalMove::new_for(board, legal.played, System::Descriptive)?.descriptive
            });
            if let Some(facts) = facts {
                write_descriptive(&mut text, legal, &facts, style);
            }
        }
        System::ShortAlgebraic | System::LongAlgebraic => {
            write_algebraic(&mut text, legal, style);
        }
    }
    text
}

/// Algebraic notation, short or long.
pub(crate) fn write_algebraic(text: &mut String, legal: &LegalMove, style: &Style) {
    if let Some(side) = legal.castling {
        write_rings(text, side, style.castling);
        write_effect(text, legal, style);
        return;
    }
    let from = legal.played.from;
    if legal.piece != Piece::Pawn {
        text.push_str(style.language.letter(legal.piece).unwrap_or_default());
    }
    let long = style.system == System::LongAlgebraic;
    let (file, rank) = match (long, legal.piece, legal.origin) {
        (true, ..) | (false, _, Origin::Square) => (true, true),
        (false, Piece::Pawn, _) => (legal.captured.is_some(), false),
        (false, _, Origin::Plain) => (false, false),
        (false, _, Origin::Either | Origin::File) => (true, false),
        (false, _, Origin::Rank) => (false, true),
    };
    if file {
        text.push(file_character(from.file()));
    }
    if rank {
        text.push(rank_character(from.rank()));
    }
    match style.capture {
        CaptureStyle::Sign(sign) if legal.captured.is_some() => text.push_str(sign),
        _ if long => text.push('-'),
        _ => {}
    }
    text.push(file_character(legal.played.to.file()));
    let files_alone = !style.pawn_rank
        && !long
        && legal.piece == Piece::Pawn
        && legal.captured.is_some()
        && legal.played.promotion.is_none();
    if !files_alone {
        text.push(rank_character(legal.played.to.rank()));
    }
    if let CaptureStyle::After(sign) = style.capture
        && legal.captured.is_some()
    {
        text.push_str(sign);
    }
    if let Some(piece) = legal.played.promotion {
        let letter = style.language.letter(piece).unwrap_or_default();
        write_promotion(text, letter, style.promotion);
    }
    if legal.en_passant {
        text.push_str(style.en_passant);
    }
    write_effect(text, legal, style);
}

fn write_rings(text: &mut String, side: Castling, style: CastlingStyle) {
    text.push_str(match (style, side) {
        (CastlingStyle::Zeros, Castling::Short) => "0-0",
        (CastlingStyle::Zeros, Castling::Long) => "0-0-0",
        (_, Castling::Short) => "O-O",
        (_, Castling::Long) => "O-O-O",
    });
}

fn write_promotion(text: &mut String, letter: &str, style: PromotionStyle) {
    let (before, after) = match style {
        PromotionStyle::Equals => ("=", ""),
        PromotionStyle::Plain => ("", ""),
        PromotionStyle::Brackets => ("(", ")"),
        PromotionStyle::Slash => ("/", ""),
    };
    text.push_str(before);
    text.push_str(letter);
    text.push_str(after);
}

fn write_effect(text: &mut String, legal: &LegalMove, style: &Style) {
    let sign = match legal.effect {
        Effect::Quiet => "",
        Effect::Check => style.check,
        Effect::Mate => style.mate,
    };
    // After a square or a piece `ch` may follow at once, after a word not.
    let word = legal.en_passant && !style.en_passant.is_empty()
        || legal.castling.is_some() && style.castling == CastlingStyle::Word;
    if word && sign.starts_with(char::is_alphabetic) {
        text.push(' ');
    }
    text.push_str(sign);
}

fn write_descriptive(
    text: &mut String,
    legal: &LegalMove,
    facts: &DescriptiveFacts,
    style: &Style,
) {
    match legal.castling {
        Some(side) if style.castling == CastlingStyle::Word => {
            text.push_str("Castles");
            if style.full || !facts.tells(shortest(legal)) {
                text.push_str(match side {
                    Castling::Short => " KR",
                    Castling::Long => " QR",
                });
            }
        }
        Some(side) => write_rings(text, side, style.castling),
        None if style.full => {
            write_letter(text, legal.piece, style);
            write_square(text, legal.played.from, true, facts, style);
            write_separator(text, legal, style);
            write_square(text, legal.played.to, true, facts, style);
        }
        None => {
            let form = telling_form(legal, facts);
            write_origin(text, legal, form.origin, facts, style);
            write_separator(text, legal, style);
            write_target(text, legal, form.target, facts, style);
        }
    }
    if let Some(piece) = legal.played.promotion {
        let letter = if piece == Piece::Knight {
            style.knight
        } else {
            english_letter(piece)
        };
        write_promotion(text, letter, style.promotion);
    }
    if legal.en_passant {
        text.push_str(style.en_passant);
    }
    write_effect(text, legal, style);
}

fn shortest(legal: &LegalMove) -> Form {
    let target = match legal.captured {
        Some(_) => TargetForm::Piece,
        None => TargetForm::Short,
    };
    Form {
        origin: OriginForm::Piece,
        target,
    }
}

/// The first form in the order in which one would write them that tells the move from all others. Forms by the wing of a piece are not among them, for whose piece it is depends on the game before.
fn telling_form(legal: &LegalMove, facts: &DescriptiveFacts) -> Form {
    use OriginForm as O;
    use TargetForm as T;
    const QUIET: [(O, T); 6] = [
        (O::Piece, T::Short),
        (O::Piece, T::Full),
        (O::Short, T::Short),
        (O::Short, T::Full),
        (O::Full, T::Short),
        (O::Full, T::Full),
    ];
    const CAPTURE: [(O, T); 15] = [
        (O::Piece, T::Piece),
        (O::Side, T::Piece),
        (O::Piece, T::Side),
        (O::PawnFile, T::Piece),
        (O::Piece, T::PawnFile),
        (O::Side, T::Side),
        (O::Short, T::Piece),
        (O::Piece, T::Short),
        (O::Full, T::Piece),
        (O::Piece, T::Full),
        (O::Side, T::Short),
        (O::Short, T::Short),
        (O::Short, T::Full),
        (O::Full, T::Short),
        (O::Full, T::Full),
    ];
    let forms: &[(O, T)] = if legal.captured.is_some() {
        &CAPTURE
    } else {
        &QUIET
    };
    forms
        .iter()
        .filter(|(origin, target)| {
            let wing_of_piece = *origin == O::Side && legal.piece != Piece::Pawn;
            !wing_of_piece && origin.exists(legal, facts) && target.exists(legal)
        })
        .map(|&(origin, target)| Form { origin, target })
        .find(|&form| facts.tells(form))
        // A form may be missing because it is the same as a shorter one, so that the last one need not be there.
        .unwrap_or(Form {
            origin: O::Full,
            target: T::Full,
        })
}

fn english_letter(piece: Piece) -> &'static str {
    match piece {
        Piece::Pawn => "P",
        Piece::Knight => "N",
        Piece::Bishop => "B",
        Piece::Rook => "R",
        Piece::Queen => "Q",
        Piece::King => "K",
    }
}

fn write_letter(text: &mut String, piece: Piece, style: &Style) {
    text.push_str(if piece == Piece::Knight {
        style.knight
    } else {
        english_letter(piece)
    });
}

fn write_wing(text: &mut String, wing: Wing) {
    text.push(match wing {
        Wing::King => 'K',
        Wing::Queen => 'Q',
    });
}

fn write_separator(text: &mut String, legal: &LegalMove, style: &Style) {
    match style.capture {
        _ if legal.captured.is_none() => text.push('-'),
        CaptureStyle::Sign(sign) | CaptureStyle::After(sign) => text.push_str(sign),
        CaptureStyle::Unmarked => text.push('x'),
    }
}

fn write_square(
    text: &mut String,
    square: Square,
    full: bool,
    facts: &DescriptiveFacts,
    style: &Style,
) {
    if full && has_twin(square.file()) {
        write_wing(text, wing(square.file()));
    }
    write_letter(text, file_piece(square.file()), style);
    text.push(rank_character(square.rank().relative_to(facts.side)));
}

fn write_origin(
    text: &mut String,
    legal: &LegalMove,
    form: OriginForm,
    facts: &DescriptiveFacts,
    style: &Style,
) {
    let from = legal.played.from;
    match form {
        OriginForm::Side if legal.piece == Piece::Pawn => {
            write_letter(text, file_piece(from.file()), style);
        }
        OriginForm::Side => {
            if let Some(wing) = facts.wing {
                write_wing(text, wing);
            }
        }
        OriginForm::PawnFile => {
            write_wing(text, wing(from.file()));
            write_letter(text, file_piece(from.file()), style);
        }
        OriginForm::Piece | OriginForm::Short | OriginForm::Full | OriginForm::Rank => {}
    }
    write_letter(text, legal.piece, style);
    match form {
        OriginForm::Short | OriginForm::Full => {
            text.push('(');
            write_square(text, from, form == OriginForm::Full, facts, style);
            text.push(')');
        }
        OriginForm::Rank => {
            text.push('(');
            text.push(rank_character(from.rank().relative_to(facts.side)));
            text.push(')');
        }
        OriginForm::Piece | OriginForm::Side | OriginForm::PawnFile => {}
    }
}

fn write_target(
    text: &mut String,
    legal: &LegalMove,
    form: TargetForm,
    facts: &DescriptiveFacts,
    style: &Style,
) {
    let to = legal.played.to;
    let full = form == TargetForm::Full;
    let Some(captured) = legal.captured else {
        write_square(text, to, full, facts, style);
        return;
    };
    match form {
        TargetForm::Side => write_letter(text, file_piece(to.file()), style),
        TargetForm::PawnFile => {
            write_wing(text, wing(to.file()));
            write_letter(text, file_piece(to.file()), style);
        }
        TargetForm::Piece | TargetForm::Short | TargetForm::Full => {}
    }
    write_letter(text, captured, style);
    if matches!(form, TargetForm::Short | TargetForm::Full) {
        text.push('(');
        write_square(text, to, full, facts, style);
        text.push(')');
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Language;

    fn texts(fen: &str, style: &Style) -> Vec<(String, String)> {
        let board = Board::from_fen(fen, false).unwrap();
        LegalMove::all(&board)
            .iter()
            .map(|legal| (legal.san(), render(&board, legal, style)))
            .collect()
    }

    #[test]
    fn styles_of_one_move() {
        const MIXED: &str = "r3k2n/1b4P1/8/3pP3/2n5/1P1N4/3N4/R3K2R w KQq d6 0 1";
        let style = |code: &str, system| Style::usual(Language::by_code(code).unwrap(), system);
        let short = |code| style(code, System::ShortAlgebraic);
        let colon = Style {
            capture: CaptureStyle::After(":"),
            ..short("nl")
        };
        let terse = Style {
            capture: CaptureStyle::Unmarked,
            pawn_rank: false,
            ..short("de")
        };
        let descriptive = style("en", System::Descriptive);
        let old = Style {
            knight: "Kt",
            check: "+",
            ..descriptive
        };
        let full = Style {
            full: true,
            ..descriptive
        };
        let cases = [
            (Style::PGN, "exd6", "exd6"),
            (short("nl"), "gxh8=Q+", "gxh8D+"),
            (colon, "gxh8=Q+", "gh8:D+"),
            (colon, "Nxc4", "Pc4:"),
            (terse, "exd6", "ed"),
            (terse, "gxh8=Q+", "gh8D+"),
            (short("fr"), "O-O-O", "0-0-0"),
            (style("sr", System::LongAlgebraic), "Nf4", "Sd3-f4"),
            (style("sr", System::LongAlgebraic), "exd6", "e5:d6"),
            (descriptive, "exd6", "PxP e.p."),
            (descriptive, "gxh8=Q+", "PxN(Q)ch"),
            (descriptive, "O-O", "Castles KR"),
            (descriptive, "Nf4", "N-B4"),
            (descriptive, "Nf3", "N-B3"),
            (descriptive, "Rb1", "R-QN1"),
            (descriptive, "Nxc4", "NxN"),
            (old, "Nf4", "Kt-B4"),
            (full, "Nf4", "NQ3-KB4"),
            (full, "gxh8=Q+", "PKN7xKR8(Q)ch"),
        ];
        for (style, san, expected) in cases {
            let texts = texts(MIXED, &style);
            let found = texts.iter().find(|(name, _)| name == san);
            assert_eq!(
                found.map(|(_, text)| text.as_str()),
                Some(expected),
                "{san} {:?} of {texts:?}",
                style.system
            );
        }
    }

    /// A form tells a move if and only if no other legal move is written the same way in the same form.
    #[test]
    fn the_forms_that_tell_are_those_of_one_move() {
        let style = Style::usual(Language::ENGLISH, System::Descriptive);
        let mut random = 1_u64;
        let mut tried = 0;
        for _ in 0..40 {
            let mut board = Board::default();
            for ply in 0..120 {
                let moves = LegalMove::all_for(&board, System::Descriptive);
                if moves.is_empty() {
                    break;
                }
                if ply % 10 == 9 {
                    tried += moves.len();
                    forms_tell(&moves, &style);
                }
                // A linear congruential generator: any games will do.
                random = random
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1);
                board.play_unchecked(moves[(random >> 33) as usize % moves.len()].played);
            }
        }
        assert!(tried > 5000, "{tried}");
    }

    fn forms_tell(moves: &[LegalMove], style: &Style) {
        let forms = OriginForm::ALL
            .into_iter()
            .flat_map(|origin| TargetForm::ALL.map(|target| Form { origin, target }));
        for form in forms {
            let texts: Vec<(String, &LegalMove)> = moves
                .iter()
                .filter(|legal| legal.castling.is_none() && form.target.exists(legal))
                .filter(|legal| form.origin.exists(legal, &legal.descriptive.unwrap()))
                .map(|legal| {
                    let facts = legal.descriptive.unwrap();
                    let mut text = String::new();
                    write_origin(&mut text, legal, form.origin, &facts, style);
                    write_separator(&mut text, legal, style);
                    match form.target {
                        // The square has to tell without the captured piece, too: `QxB7`.
                        TargetForm::Short | TargetForm::Full => {
                            let full = form.target == TargetForm::Full;
                            write_square(&mut text, legal.played.to, full, &facts, style);
                        }
                        target => write_target(&mut text, legal, target, &facts, style),
                    }
                    if let Some(piece) = legal.played.promotion {
                        write_letter(&mut text, piece, style);
                    }
                    (text, legal)
                })
                .collect();
            for (text, legal) in &texts {
                let alone = texts.iter().filter(|(other, _)| other == text).count() == 1;
                assert_eq!(
                    legal.descriptive.unwrap().tells(form),
                    alone,
                    "{text} {form:?} {}",
                    legal.san()
                );
            }
        }
    }
}
