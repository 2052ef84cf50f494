//! Whole games there and back: PGN to every system and language and back again.

use scoresheet_notation::{GameForm, GameReader, Language, Style, System, split_games, write_game};

use crate::games::games;

/// Games of the test.
const GAMES: usize = 500;
/// Forms that each game goes through, in turn, so that each form has many games. `SCORESHEET_ALL_FORMS=1` takes every game through all of them.
const FORMS_EACH: usize = 6;

/// Moves with numbers, below a tag.
fn numbered(moves: &str) -> String {
    let mut text = "[White \"A, \\\"B\\\"\"]\n[Result \"0-1\"]\n\n".to_owned();
    for (ply, san) in moves.split(' ').enumerate() {
        if ply % 2 == 0 {
            text.push_str(&format!("{}.", ply / 2 + 1));
        }
        text.push_str(san);
        text.push(' ');
    }
    text + "0-1\n"
}

/// All forms: each language short and long, and descriptive notation.
fn forms() -> Vec<Style> {
    let algebraic = [System::ShortAlgebraic, System::LongAlgebraic];
    let mut forms: Vec<Style> = Language::all()
        .iter()
        .flat_map(|language| algebraic.map(|system| Style::usual(language, system)))
        .collect();
    forms.push(Style::usual(Language::ENGLISH, System::Descriptive));
    forms
}

/// Reads the one game of a text and writes it.
fn convert(text: &str, reader: &GameReader, form: &GameForm) -> String {
    let games = split_games(text);
    assert_eq!(games.len(), 1, "{text}");
    let reading = &reader.read(&games)[0];
    write_game(&games[0], reading, form)
}

#[test]
fn a_game_is_the_same_after_any_form() {
    let anything = GameReader::new(None, None);
    let forms = forms();
    let all = std::env::var_os("SCORESHEET_ALL_FORMS").is_some();
    let each = if all { forms.len() } else { FORMS_EACH };
    let mut failures = Vec::new();
    let mut count = 0;
    for (index, text) in games(GAMES).map(numbered).enumerate() {
        let pgn = convert(&text, &anything, &GameForm::Pgn);
        assert!(!pgn.contains('{'), "{text}\n{pgn}");
        assert_eq!(convert(&pgn, &anything, &GameForm::Pgn), pgn);
        for turn in 0..each {
            // Descriptive notation, the last form, comes to every game.
            let place = match turn {
                0 => forms.len() - 1,
                turn => (index * (each - 1) + turn - 1) % (forms.len() - 1),
            };
            let style = forms[place];
            let written = convert(&pgn, &anything, &GameForm::Text(style));
            // The tags that only PGN has come again.
            let back = convert(&written, &anything, &GameForm::Pgn);
            count += 1;
            if back != pgn {
                let name = style.language.name;
                failures.push(format!("{name} {:?}\n{written}{back}", style.system));
            }
        }
    }
    eprintln!("{count} round trips, {} failed", failures.len());
    failures.truncate(5);
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
