//! A game that was read, written out again in any system and language.

use cozy_chess::{Board, Color};

use crate::game_reading::GameReading;
use crate::game_text::{GameText, WrittenMove};
use crate::pgn::{Movetext, write_given_tags, write_tags};
use crate::{LegalMove, Style, render};

/// How a game is written out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GameForm {
    /// PGN in export format: all seven tags of the roster, standard algebraic notation, annotation glyphs.
    Pgn,
    /// Numbered moves in another style, below the tags that the text has; annotations as `!` and `?`.
    Text(Style),
}

/// Writes the moves of a game that were read, with the tags, annotations, comments and result of its text, and the empty line that ends it.
///
/// Where the text is no legal game to its end, a comment in place of the rest tells why. A game that ends in mate or stalemate has its result by the laws (FIDE, 5.1.1 and 5.2.1).
pub fn write_game(game: &GameText, reading: &GameReading, form: &GameForm) -> String {
    let mut text = String::new();
    let result = result(game, reading);
    match form {
        GameForm::Pgn => write_tags(&mut text, &game.tags, result),
        GameForm::Text(_) => write_given_tags(&mut text, &game.tags),
    }
    if !text.is_empty() {
        text.push('\n');
    }
    text.push_str(&movetext(game, reading, form, result));
    text.push_str("\n\n");
    text
}

fn movetext(game: &GameText, reading: &GameReading, form: &GameForm, result: &str) -> String {
    let mut movetext = Movetext::new();
    for comment in &game.comments {
        movetext.comment(comment);
    }
    let mut board = reading.start.clone();
    for (read, written) in reading.moves.iter().zip(&game.moves) {
        let number = u32::from(board.fullmove_number());
        let style = match form {
            GameForm::Pgn => &Style::PGN,
            GameForm::Text(style) => style,
        };
        let mut text = render(&board, &read.legal, style);
        annotate(&mut text, written, form);
        movetext.play(number, board.side_to_move(), &text);
        if !read.others.is_empty() {
            let others: Vec<String> = read
                .others
                .iter()
                .map(|other| render(&board, other, style))
                .collect();
            movetext.comment(&format!("or {}", others.join(", ")));
        }
        for comment in &written.comments {
            movetext.comment(comment);
        }
        board.play_unchecked(read.legal.played);
    }
    if let Some(failure) = &reading.failure {
        movetext.comment(&failure.to_string());
    }
    movetext.end(result)
}

fn annotate(text: &mut String, written: &WrittenMove, form: &GameForm) {
    const SIGNS: [&str; 6] = ["!", "?", "!!", "??", "!?", "?!"];
    for &glyph in &written.glyphs {
        let sign = usize::from(glyph)
            .checked_sub(1)
            .and_then(|place| SIGNS.get(place));
        match (form, sign) {
            (GameForm::Text(_), Some(sign)) => text.push_str(sign),
            (GameForm::Text(_), None) => {}
            (GameForm::Pgn, _) => text.push_str(&format!(" ${glyph}")),
        }
    }
}

/// The result of the text, else of its tag, else of the laws.
fn result(game: &GameText, reading: &GameReading) -> &'static str {
    const MARKS: [&str; 4] = ["1-0", "0-1", "1/2-1/2", "*"];
    let tag = || {
        let (_, value) = game.tags.iter().find(|(name, _)| name == "Result")?;
        MARKS.into_iter().find(|mark| mark == value)
    };
    let known = game.result.filter(|&mark| mark != "*").or_else(tag);
    match known {
        Some(mark) if mark != "*" => mark,
        _ if reading.failure.is_some() => "*",
        _ => result_by_law(reading),
    }
}

fn result_by_law(reading: &GameReading) -> &'static str {
    let mut board: Board = reading.start.clone();
    for read in &reading.moves {
        board.play_unchecked(read.legal.played);
    }
    match (
        LegalMove::all(&board).is_empty(),
        board.checkers().is_empty(),
        board.side_to_move(),
    ) {
        (false, ..) => "*",
        (true, true, _) => "1/2-1/2",
        (true, false, Color::White) => "0-1",
        (true, false, Color::Black) => "1-0",
    }
}
