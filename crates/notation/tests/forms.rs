//! Single forms and all moves that they can mean, from the table in `data/forms.txt`.

use std::collections::HashMap;

use cozy_chess::Board;
use proptest::prelude::*;
use scoresheet_notation::{
    Expectations, Interpretation, Language, Reason, System, interpret, parse_move,
};

fn expectations(line: &str) -> Option<Expectations> {
    let mut words = line.split(' ');
    let (how, code, system) = (words.next()?, words.next()?, words.next());
    let language = Language::by_code(code)?;
    let system = match system {
        Some("short") => Some(System::ShortAlgebraic),
        Some("descriptive") => Some(System::Descriptive),
        _ => None,
    };
    let exactly = |system| Expectations::exactly(language, system);
    match (how, system) {
        ("exactly", Some(system)) => Some(exactly(system)),
        ("slips", Some(system)) => Some(Expectations {
            slips: true,
            ..exactly(system)
        }),
        ("mostly", None) => Some(Expectations::mostly(language)),
        _ => None,
    }
}

/// `Nbd2 MissingOrigin, Nfd2 MissingOrigin`.
fn told(found: &[Interpretation]) -> String {
    let tell = |one: &Interpretation| {
        let reasons: String = one
            .reasons
            .iter()
            .map(|reason| match reason {
                Reason::OtherLanguage(code) => format!(" OtherLanguage({code})"),
                reason => format!(" {reason:?}"),
            })
            .collect();
        one.legal.san() + &reasons
    };
    found.iter().map(tell).collect::<Vec<String>>().join(", ")
}

#[test]
fn every_form_means_its_moves() {
    let mut positions: HashMap<&str, Board> = HashMap::new();
    let mut expected_of = Expectations::ANY;
    let mut failures = String::new();
    let mut count = 0;
    let lines = include_str!("data/forms.txt").lines();
    for line in lines.filter(|line| !line.is_empty() && !line.starts_with('#')) {
        if let Some((name, fen)) = line
            .strip_prefix("position ")
            .and_then(|rest| rest.split_once(": "))
        {
            positions.insert(name, Board::from_fen(fen, false).expect(fen));
        } else if let Some((name, rest)) = line.split_once(" | ") {
            let (forms, moves) = rest.rsplit_once(" |").expect(line);
            for form in forms.split("  ") {
                count += 1;
                let found = told(&interpret(&positions[name], form, &expected_of));
                if found != moves.trim() {
                    failures += &format!("{name} {form}: {found}, not{moves}\n");
                }
            }
        } else {
            expected_of = expectations(line).expect(line);
        }
    }
    assert!(failures.is_empty(), "\n{failures}");
    assert!(count > 100, "{count}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    /// No text does harm, and a text that means one move to the strict reader means it to the tolerant one.
    #[test]
    fn any_text_is_taken(text in "[a-hKQRBNPKtOo0-9x:=+#().,\\-/ !?épс]{0,12}|\\PC{0,20}") {
        let board = Board::default();
        let found = interpret(&board, &text, &Expectations::ANY);
        if let Ok(legal) = parse_move(&board, &text, Language::ENGLISH) {
            prop_assert!(found.iter().any(|one| one.legal == legal), "{text:?} {found:?}");
        }
    }
}
