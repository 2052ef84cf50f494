//! What a person should know of how a game was read.

use crate::game_error::Place;
use crate::game_reading::GameReading;
use crate::game_text::GameText;
use crate::{Style, render};

/// Remarks on a reading, in the order of the text: slips that were read as moves, moves that can be others as well, numbers that are not those of the game, and other
/// languages in which the text is a game.
pub fn remarks(game: &GameText, reading: &GameReading) -> Vec<String> {
    let style = Style::usual(reading.language, reading.system);
    let mut remarks = Vec::new();
    let mut board = reading.start.clone();
    let mut shift = 0;
    for (read, written) in reading.moves.iter().zip(&game.moves) {
        let number = u32::from(board.fullmove_number());
        let place = Place {
            line: written.line,
            number,
            colour: board.side_to_move(),
            written: written.written.clone(),
        };
        // One remark for all numbers that are wrong in the same way.
        let wrong = i64::from(written.number.unwrap_or(number)) - i64::from(number);
        if wrong != shift && written.number.is_some() {
            shift = wrong;
            if wrong != 0 {
                let numbered = i64::from(number) + wrong;
                remarks.push(format!("{place} is numbered {numbered} in the text"));
            }
        }
        let slips: Vec<String> = read
            .reasons
            .iter()
            .filter(|reason| reason.is_slip())
            .map(ToString::to_string)
            .collect();
        if !slips.is_empty() || !read.others.is_empty() {
            let mut remark = format!("{place} is read as {}", render(&board, &read.legal, &style));
            if !slips.is_empty() {
                remark.push_str(&format!(" ({})", slips.join(", ")));
            }
            for other in &read.others {
                remark.push_str(&format!("; it can be {}", render(&board, other, &style)));
            }
            remarks.push(remark);
        }
        board.play_unchecked(read.legal.played);
    }
    for rival in &reading.rivals {
        remarks.push(format!(
            "line {}: read as {}; in {} it is another legal game",
            game.line, reading.language.name, rival.name
        ));
    }
    remarks
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{GameReader, split_games};

    #[test]
    fn what_is_unusual_is_told() {
        let cases = [
            ("1. e4 e5 2. Nf3 Nc6", vec![]),
            (
                "1. e4 e5\n3. Nf3 Nc6 4. Bb5",
                vec!["line 2: 2. \"Nf3\" is numbered 3 in the text"],
            ),
            (
                "1. e4 e5 2. Nf3 d6 3. d4 Nd7 4. Bc4 Ngf6 5. Nd2",
                vec!["line 1: 5. \"Nd2\" is read as Nfd2 (several moves fit); it can be Nbd2"],
            ),
            (
                "1. d4 Sf6 2. c4 e6 3. Sc3 Bb4",
                vec!["line 1: 3... \"Bb4\" is read as Gb4 (letter of another language (en))"],
            ),
        ];
        let reader = GameReader::new(None, None);
        for (text, expected) in cases {
            let games = split_games(text);
            let reading = &reader.read(&games)[0];
            assert_eq!(remarks(&games[0], reading), expected, "{text}");
        }
    }
}
