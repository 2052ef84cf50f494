//! Real games through every form: what is written is read back as the same move.

use std::sync::Arc;
use std::time::Instant;

use cozy_chess::Board;
use scoresheet_notation::{
    Alphabet, CaptureStyle, CastlingStyle, Expectations, Habits, Interpretation, Interpreter,
    Language, LegalMove, PromotionStyle, Speller, Style, System, TextTrie, parse_move, render,
};

use crate::games::games;

/// Each position of the games with the move played in it.
fn positions(count: usize) -> Vec<(Board, LegalMove, String)> {
    let mut positions = Vec::new();
    for game in games(count) {
        let mut board = Board::default();
        for san in game.split(' ') {
            let legal = parse_move(&board, san, Language::ENGLISH).unwrap();
            positions.push((board.clone(), legal, san.to_owned()));
            board.play(legal.played);
        }
    }
    positions
}

fn alphabet() -> Arc<Alphabet> {
    let mut lines = String::from("<blank>\n");
    for character in ('a'..='z')
        .chain('A'..='Z')
        .chain('0'..='9')
        .chain("-=+#():./".chars())
    {
        lines.push(character);
        lines.push('\n');
    }
    Arc::new(Alphabet::from_lines(&lines).unwrap())
}

#[test]
fn standard_notation_is_read_and_written_back() {
    for (board, legal, san) in positions(300) {
        assert_eq!(legal.san(), san, "{board}");
        for other in LegalMove::all(&board) {
            let read = parse_move(&board, &other.san(), Language::ENGLISH);
            assert_eq!(read, Ok(other), "{board} {}", other.san());
        }
    }
}

/// Each move in each system and language means itself alone, whatever else is legal.
#[test]
fn what_is_rendered_means_its_move_alone() {
    let positions = positions(200);
    for system in System::ALL {
        for (number, language) in Language::all().iter().enumerate() {
            let style = Style::usual(language, system);
            let interpreter = Interpreter::new(&Expectations::exactly(language, system));
            for (board, ..) in positions.iter().skip(number * 7).step_by(101) {
                let moves = LegalMove::all_for(board, system);
                for legal in &moves {
                    let text = render(board, legal, &style);
                    let found = interpreter.interpret_among(board, &moves, &text);
                    let best = found.first().map(|best| best.legal.san());
                    assert_eq!(
                        (best, found.len()),
                        (Some(legal.san()), 1),
                        "{board} {} {text}: {found:?}",
                        language.code
                    );
                    assert_eq!(found[0].cost, 0.0, "{board} {text}: {found:?}");
                }
            }
        }
    }
}

/// Whatever style is chosen, the text means the move alone, and the writer made no slip.
#[test]
fn every_style_means_its_move_alone() {
    let captures = [
        CaptureStyle::Sign("x"),
        CaptureStyle::Sign("×"),
        CaptureStyle::Sign(":"),
        CaptureStyle::After(":"),
        CaptureStyle::Unmarked,
    ];
    let promotions = [
        PromotionStyle::Equals,
        PromotionStyle::Plain,
        PromotionStyle::Brackets,
        PromotionStyle::Slash,
    ];
    let effects = [
        ("+", "#"),
        ("", ""),
        ("+", "++"),
        (" ch", " mate"),
        ("†", "‡"),
    ];
    let castlings = [
        CastlingStyle::Letters,
        CastlingStyle::Zeros,
        CastlingStyle::Word,
    ];
    let mut turn = 0;
    for (board, ..) in positions(100).iter().step_by(7) {
        for system in System::ALL {
            let moves = LegalMove::all_for(board, system);
            for legal in &moves {
                turn += 1;
                let language = &Language::all()[turn % Language::all().len()];
                let (check, mate) = effects[turn % effects.len()];
                let style = Style {
                    capture: captures[turn % captures.len()],
                    promotion: promotions[turn % promotions.len()],
                    castling: castlings[turn % castlings.len()],
                    check,
                    mate,
                    en_passant: ["", " e.p.", "ep"][turn % 3],
                    knight: ["N", "Kt", "Kn"][turn % 3],
                    full: turn % 4 == 0,
                    ..Style::usual(language, system)
                };
                let text = render(board, legal, &style);
                let expectations = Expectations::exactly(language, system);
                let found = Interpreter::new(&expectations).interpret_among(board, &moves, &text);
                let told = found.iter().map(|one| one.legal.san()).collect::<Vec<_>>();
                assert_eq!(told, [legal.san()], "{board} {} {text}", language.code);
                assert!(
                    !found[0].reasons.iter().any(|reason| reason.is_slip()),
                    "{board} {} {text}: {found:?}",
                    language.code
                );
            }
        }
    }
}

/// Every text that the search knows for some moves, with the move.
fn spelled(
    speller: &Speller,
    alphabet: &Alphabet,
    moves: &[LegalMove],
) -> Vec<(LegalMove, String)> {
    let (mut trie, mut spellings) = (TextTrie::new(), Vec::new());
    speller.spell(moves, &mut trie, &mut spellings);
    spellings
        .iter()
        .map(|spelling| {
            let text = alphabet.decode(&trie.classes(spelling.node));
            (moves[spelling.move_index as usize], text)
        })
        .collect()
}

/// No form of one legal move is taken silently for another: where a text is taken for one move alone, it is that move or a lawful form of the move that it is taken for, and the form of the other is a slip.
#[test]
fn no_form_is_taken_silently_for_another_move() {
    let alphabet = alphabet();
    let positions = positions(60);
    let (mut taken, mut others) = (0, 0);
    for (code, system) in ["en", "nl", "pl", "hu", "ro"]
        .into_iter()
        .flat_map(|code| System::ALL.map(|system| (code, system)))
    {
        let language = Language::by_code(code).unwrap();
        let speller = Speller::new(Arc::clone(&alphabet), language, system, Habits::default());
        let interpreter = Interpreter::new(&Expectations {
            system: Some(system),
            ..Expectations::mostly(language)
        });
        for (board, ..) in positions.iter().step_by(67) {
            let moves = LegalMove::all_for(board, system);
            for (legal, text) in spelled(&speller, &alphabet, &moves) {
                let found = interpreter.interpret_among(board, &moves, &text);
                assert!(!found.is_empty(), "{code} {board} {text}");
                let close = |one: &Interpretation| one.cost < found[0].cost + 0.9;
                if found.iter().filter(|one| close(one)).count() > 1 {
                    continue;
                }
                taken += 1;
                if found[0].legal == legal {
                    continue;
                }
                others += 1;
                let slip = |one: &Interpretation| one.reasons.iter().any(|reason| reason.is_slip());
                let own = found.iter().find(|one| one.legal == legal).unwrap();
                assert!(
                    slip(own) && !slip(&found[0]),
                    "{code} {board} {text} for {}: {found:?}",
                    legal.san()
                );
            }
        }
    }
    assert!(taken == 0 || others * 50 < taken, "{others} of {taken}");
}

/// Every text that the search knows is read as a set of moves with the move among it, in every language and system.
#[test]
fn every_spelling_can_mean_its_move() {
    let alphabet = alphabet();
    let positions = positions(40);
    for (language, system) in Language::all()
        .iter()
        .flat_map(|language| System::ALL.map(|system| (language, system)))
    {
        let speller = Speller::new(Arc::clone(&alphabet), language, system, Habits::default());
        let interpreter = Interpreter::new(&Expectations {
            system: Some(system),
            ..Expectations::mostly(language)
        });
        for (board, ..) in positions.iter().step_by(41) {
            let moves = LegalMove::all_for(board, system);
            for (legal, text) in spelled(&speller, &alphabet, &moves) {
                let found = interpreter.interpret_among(board, &moves, &text);
                assert!(
                    found.iter().any(|one| one.legal == legal),
                    "{} {board} {text} for {}: {found:?}",
                    language.code,
                    legal.san()
                );
            }
        }
    }
}

/// The search spells thousands of positions per sheet.
#[test]
fn a_position_is_spelled_quickly() {
    const FEN: &str = "r2q1rk1/1b2bppp/p1n1pn2/1p6/3P4/P1NB1N2/1P3PPP/R1BQ1RK1 w - - 0 14";
    let board = Board::from_fen(FEN, false).unwrap();
    for system in System::ALL {
        let speller = Speller::new(alphabet(), Language::ENGLISH, system, Habits::default());
        let moves = LegalMove::all_for(&board, system);
        assert!(moves.len() >= 40, "{}", moves.len());
        // The fastest of some runs: other programs may be at work.
        let fastest = (0..50)
            .map(|_| {
                let start = Instant::now();
                let (mut trie, mut spellings) = (TextTrie::new(), Vec::new());
                speller.spell(&moves, &mut trie, &mut spellings);
                start.elapsed()
            })
            .min()
            .unwrap();
        assert!(fastest.as_micros() < 200, "{system:?}: {fastest:?}");
    }
}
