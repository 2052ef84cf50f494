//! Times for one position of 44 moves: listing, spelling, rendering and interpreting them.

#![allow(clippy::unwrap_used, missing_docs)]

use std::sync::Arc;

use cozy_chess::Board;
use divan::{Bencher, black_box};
use scoresheet_notation::{
    Alphabet, Expectations, Habits, Interpreter, Language, LegalMove, Speller, Spelling, Style,
    System, TextTrie, render,
};

fn main() {
    divan::main();
}

/// A middle game with 44 legal moves, captures and a check among them.
fn position() -> Board {
    const FEN: &str = "r2q1rk1/1b2bppp/p1n1pn2/1p6/3P4/P1NB1N2/1P3PPP/R1BQ1RK1 w - - 0 14";
    let board = Board::from_fen(FEN, false).unwrap();
    assert_eq!(LegalMove::all(&board).len(), 44, "{FEN}");
    board
}

fn alphabet() -> Arc<Alphabet> {
    let lines: String = ('a'..='z')
        .chain('A'..='Z')
        .chain('0'..='9')
        .chain("-=+#():./".chars())
        .map(|character| format!("\n{character}"))
        .collect();
    Arc::new(Alphabet::from_lines(&format!("<blank>{lines}")).unwrap())
}

fn speller(system: System) -> Speller {
    Speller::new(alphabet(), Language::ENGLISH, system, Habits::default())
}

#[divan::bench(args = System::ALL)]
fn legal_moves(bencher: Bencher, system: System) {
    let board = position();
    bencher.bench(|| LegalMove::all_for(black_box(&board), system));
}

/// All texts of the position, none of them known before.
#[divan::bench(args = System::ALL)]
fn spell_new_texts(bencher: Bencher, system: System) {
    let speller = speller(system);
    let moves = LegalMove::all_for(&position(), system);
    bencher.bench(|| {
        let (mut trie, mut spellings) = (TextTrie::new(), Vec::new());
        speller.spell(black_box(&moves), &mut trie, &mut spellings);
        (trie, spellings)
    });
}

/// All texts of the position, met before as most are in a search.
#[divan::bench(args = System::ALL)]
fn spell_known_texts(bencher: Bencher, system: System) {
    let speller = speller(system);
    let moves = LegalMove::all_for(&position(), system);
    let (mut trie, mut spellings): (_, Vec<Spelling>) = (TextTrie::new(), Vec::new());
    speller.spell(&moves, &mut trie, &mut spellings);
    eprintln!("{system:?}: {} texts", spellings.len());
    bencher.bench_local(|| {
        spellings.clear();
        speller.spell(black_box(&moves), &mut trie, &mut spellings);
        spellings.len()
    });
}

#[divan::bench(args = System::ALL)]
fn render_all(bencher: Bencher, system: System) {
    let board = position();
    let moves = LegalMove::all_for(&board, system);
    let style = Style::usual(Language::ENGLISH, system);
    bencher.bench(|| {
        moves
            .iter()
            .map(|legal| render(black_box(&board), legal, &style).len())
            .sum::<usize>()
    });
}

#[divan::bench(args = ["Nd5", "N-Q5", "Pc3-d5", "ab", "e2"])]
fn interpret_one(bencher: Bencher, text: &str) {
    let board = position();
    let interpreter = Interpreter::new(&Expectations::ANY);
    bencher.bench(|| interpreter.interpret(black_box(&board), text));
}
