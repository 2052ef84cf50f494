//! All the texts in which a writer may have written a legal move, for the search.

use std::sync::Arc;

use cozy_chess::{File, Piece, Rank};

use crate::habits::{Habits, System};
use crate::legal_move::{Castling, Effect, LegalMove, file_character, rank_character};
use crate::trie::{TextNode, TextTrie};
use crate::{Alphabet, Class, Language};

mod algebraic;
mod descriptive;

/// One text of one legal move.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Spelling {
    /// Index of the move in the list that was spelled.
    pub move_index: u32,
    /// The text.
    pub node: TextNode,
    /// Share of this text among all texts of the move, 0 to 1.
    pub share: f32,
}

/// Spells legal moves in one language, system and alphabet. Texts with characters outside the alphabet are left out. Descriptive notation is English, whatever the language, and needs moves of [`LegalMove::all_for`]: one without its facts has no texts.
#[derive(Debug, Clone)]
pub struct Speller {
    alphabet: Arc<Alphabet>,
    system: System,
    habits: Habits,
    /// Letter of each piece, by `Piece as usize`; empty where the alphabet or the language lacks it.
    letters: [Vec<Class>; 6],
    small_letters: [Vec<Class>; 6],
    other_letters: [Vec<Class>; 6],
    files: [Option<Class>; 8],
    ranks: [Option<Class>; 8],
    signs: Signs,
    /// Forms of short and of long castling, with their shares.
    castling: [Vec<(Vec<Class>, f32)>; 2],
    en_passant: [Vec<Class>; 2],
    mate: Vec<Class>,
    words: descriptive::Words,
}

#[derive(Debug, Clone)]
struct Signs {
    takes: Option<Class>,
    colon: Option<Class>,
    dash: Option<Class>,
    plus: Option<Class>,
    hash: Option<Class>,
    equals: Option<Class>,
    slash: Option<Class>,
    open: Option<Class>,
    close: Option<Class>,
}

impl Speller {
    /// Prepares the letters of a language in an alphabet.
    pub fn new(
        alphabet: Arc<Alphabet>,
        language: &Language,
        system: System,
        mut habits: Habits,
    ) -> Self {
        let language = match system {
            System::ShortAlgebraic | System::LongAlgebraic => language,
            System::Descriptive => Language::ENGLISH,
        };
        let encode = |text: &str| alphabet.encode(text).unwrap_or_default();
        // The printed letter, or where the alphabet lacks it a variant.
        let written = |piece: Piece| {
            language
                .letters()
                .filter(move |&(other, _)| other == piece)
                .map(|(_, letter)| letter)
        };
        let letters = Piece::ALL.map(|piece| {
            written(piece)
                .map(encode)
                .find(|letter| !letter.is_empty())
                .unwrap_or_default()
        });
        let small_letters = Piece::ALL.map(|piece| {
            let small = written(piece).next().map(str::to_lowercase);
            encode(&small.unwrap_or_default())
        });
        let other_letters = Piece::ALL.map(|piece| {
            written(piece)
                .chain(Language::ENGLISH.letter(piece))
                .map(encode)
                .find(|letter| !letter.is_empty() && !letters.contains(letter))
                .unwrap_or_default()
        });
        if language.captures.first() == Some(&":") {
            let even = |shares: &mut [f32], x: usize, colon: usize| {
                let half = (shares[x] + shares[colon]) / 2.0;
                shares[x] = half;
                shares[colon] = half;
            };
            even(&mut habits.piece_capture, 0, 2);
            even(&mut habits.pawn_capture, 0, 4);
        }
        let castling = |count: usize| {
            let texts = ["O", "0", "o"]
                .into_iter()
                .flat_map(|ring| [vec![ring; count].join("-"), ring.repeat(count)]);
            let mut forms: Vec<(Vec<Class>, f32)> = Vec::new();
            for (text, share) in texts.zip(habits.castling) {
                // Rings may share a class, or have none.
                let form = encode(&text);
                match forms.iter_mut().find(|(known, _)| *known == form) {
                    _ if form.is_empty() => {}
                    Some((_, known)) => *known += share,
                    None => forms.push((form, share)),
                }
            }
            // The forms that the alphabet has stand for all.
            let total: f32 = forms.iter().map(|(_, share)| share).sum();
            for (_, share) in &mut forms {
                *share /= total;
            }
            forms
        };
        let sign = |character: char| alphabet.class(character);
        Self {
            letters,
            small_letters,
            other_letters,
            files: File::ALL.map(|file| sign(file_character(file))),
            ranks: Rank::ALL.map(|rank| sign(rank_character(rank))),
            signs: Signs {
                takes: sign('x'),
                colon: sign(':'),
                dash: sign('-'),
                plus: sign('+'),
                hash: sign('#'),
                equals: sign('='),
                slash: sign('/'),
                open: sign('('),
                close: sign(')'),
            },
            castling: [castling(2), castling(3)],
            en_passant: [encode("ep"), encode("e.p.")],
            mate: language
                .mate
                .first()
                .map_or_else(Vec::new, |word| encode(word)),
            words: descriptive::Words::new(encode),
            system,
            habits,
            alphabet,
        }
    }

    /// The alphabet of the texts.
    pub fn alphabet(&self) -> &Arc<Alphabet> {
        &self.alphabet
    }

    /// The system of the texts.
    pub fn system(&self) -> System {
        self.system
    }

    /// Appends all spellings of `moves` (all legal moves of one position) to `spellings`, their texts to `trie`. A text may come up twice for one move; then its shares add.
    pub fn spell(&self, moves: &[LegalMove], trie: &mut TextTrie, spellings: &mut Vec<Spelling>) {
        for (index, legal) in moves.iter().enumerate() {
            let mut pen = Pen {
                speller: self,
                legal,
                move_index: index as u32,
                trie: &mut *trie,
                spellings: &mut *spellings,
            };
            match (legal.castling, self.system) {
                (Some(side), System::Descriptive) => pen.descriptive_castling(side),
                (Some(side), _) => pen.castling(side, 1.0),
                (None, System::ShortAlgebraic) if legal.piece == Piece::Pawn => pen.pawn_move(),
                (None, System::ShortAlgebraic) => pen.piece_move(),
                (None, System::LongAlgebraic) => pen.long_move(),
                (None, System::Descriptive) => pen.descriptive_move(),
            }
        }
    }
}

/// A beginning of a text and its share; missing where it cannot be written or is too rare.
type Stroke = Option<(TextNode, f32)>;

const START: Stroke = Some((TextTrie::ROOT, 1.0));

/// Writes the spellings of one move.
struct Pen<'a> {
    speller: &'a Speller,
    legal: &'a LegalMove,
    move_index: u32,
    trie: &'a mut TextTrie,
    spellings: &'a mut Vec<Spelling>,
}

impl Pen<'_> {
    fn share(&self, stroke: Stroke, share: f32) -> Stroke {
        stroke
            .map(|(node, weight)| (node, weight * share))
            .filter(|&(_, weight)| weight >= self.speller.habits.least)
    }

    fn sign(&mut self, stroke: Stroke, class: Option<Class>) -> Stroke {
        let (node, weight) = stroke?;
        Some((self.trie.child(node, class?), weight))
    }

    /// Appends a letter or word; an empty one cannot be written.
    fn word(&mut self, stroke: Stroke, word: &[Class]) -> Stroke {
        let (node, weight) = stroke?;
        (!word.is_empty()).then(|| (self.trie.descend(node, word), weight))
    }

    fn file(&mut self, stroke: Stroke, file: File) -> Stroke {
        self.sign(stroke, self.speller.files[file as usize])
    }

    fn rank(&mut self, stroke: Stroke, rank: Rank) -> Stroke {
        self.sign(stroke, self.speller.ranks[rank as usize])
    }

    fn end(&mut self, stroke: Stroke) {
        if let Some((node, weight)) = stroke {
            self.spellings.push(Spelling {
                move_index: self.move_index,
                node,
                share: weight,
            });
        }
    }

    /// The check sign, and with it the end.
    fn finish(&mut self, stroke: Stroke) {
        let habits = &self.speller.habits;
        let signs = &self.speller.signs;
        // Nothing, `+`, `++`, `#`, the word for mate.
        let shares = match self.legal.effect {
            Effect::Quiet => [1.0 - habits.false_check, habits.false_check, 0.0, 0.0, 0.0],
            Effect::Check => {
                let [plus, nothing, double, hash] = habits.check;
                [nothing, plus, double, hash, 0.0]
            }
            Effect::Mate => {
                let [hash, plus, nothing, double, word] = habits.mate;
                [nothing, plus, double, hash, word]
            }
        };
        let bare = self.share(stroke, shares[0]);
        self.end(bare);
        let stroke_plus = self.share(stroke, shares[1] + shares[2]);
        if stroke_plus.is_some() {
            let plus = self.sign(stroke, signs.plus);
            let single = self.share(plus, shares[1]);
            self.end(single);
            let double = self.share(plus, shares[2]);
            let double = self.sign(double, signs.plus);
            self.end(double);
        }
        let hash = self.share(stroke, shares[3]);
        let hash = self.sign(hash, signs.hash);
        self.end(hash);
        let word = self.share(stroke, shares[4]);
        let word = self.word(word, &self.speller.mate);
        self.end(word);
    }

    /// Castling by rings, as a share of all texts of the move.
    fn castling(&mut self, side: Castling, all: f32) {
        let speller = self.speller;
        for (form, share) in &speller.castling[usize::from(side == Castling::Long)] {
            let stroke = self.share(START, all * share);
            let stroke = self.word(stroke, form);
            self.finish(stroke);
        }
    }

    /// The destination square and what follows it.
    fn destination(&mut self, stroke: Stroke) {
        let stroke = self.target_square(stroke);
        self.after_square(stroke);
    }

    fn target_square(&mut self, stroke: Stroke) -> Stroke {
        let to = self.legal.played.to;
        let stroke = self.file(stroke, to.file());
        self.rank(stroke, to.rank())
    }

    /// The promotion, where there is one, and the check sign.
    fn after_square(&mut self, stroke: Stroke) {
        if self.legal.played.promotion.is_some() {
            self.promotion(stroke);
        } else {
            self.finish(stroke);
        }
    }

    fn promotion(&mut self, stroke: Stroke) {
        let speller = self.speller;
        let Some(piece) = self.legal.played.promotion else {
            return;
        };
        let letter = &speller.letters[piece as usize];
        let [equals, plain, bracket, slash, bare] = speller.habits.promotion;
        let signs = &speller.signs;
        for (before, after, share) in [
            (Some(signs.equals), None, equals),
            (None, None, plain),
            (Some(signs.open), Some(signs.close), bracket),
            (Some(signs.slash), None, slash),
        ] {
            let mut form = self.share(stroke, share);
            if let Some(sign) = before {
                form = self.sign(form, sign);
            }
            form = self.word(form, letter);
            if let Some(sign) = after {
                form = self.sign(form, sign);
            }
            self.finish(form);
        }
        if piece == Piece::Queen {
            let form = self.share(stroke, bare);
            self.finish(form);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cozy_chess::Board;
    use std::collections::HashMap;

    fn speller(language: &str, system: System) -> Speller {
        let mut lines = String::from("blank\n");
        for character in ('a'..='z')
            .chain('A'..='Z')
            .chain('0'..='9')
            .chain("x:-=+#().\u{2f}".chars())
        {
            if !lines.contains(&format!("\n{character}\n")) {
                lines.push(character);
                lines.push('\n');
            }
        }
        let alphabet = Arc::new(Alphabet::from_lines(&lines).unwrap());
        Speller::new(
            alphabet,
            Language::by_code(language).unwrap(),
            system,
            Habits::default(),
        )
    }

    /// All texts of a position: text -> SAN -> share.
    fn texts(fen: &str, speller: &Speller) -> HashMap<String, HashMap<String, f32>> {
        let moves = LegalMove::all_for(&Board::from_fen(fen, false).unwrap(), speller.system);
        let mut trie = TextTrie::new();
        let mut spellings = Vec::new();
        speller.spell(&moves, &mut trie, &mut spellings);
        let mut texts: HashMap<String, HashMap<String, f32>> = HashMap::new();
        for spelling in spellings {
            let text = speller.alphabet().decode(&trie.classes(spelling.node));
            let san = moves[spelling.move_index as usize].san();
            *texts.entry(text).or_default().entry(san).or_default() += spelling.share;
        }
        texts
    }

    #[test]
    fn usual_and_sloppy_forms_are_there() {
        const CAPTURE: &str = "rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2";
        const KNIGHTS: &str = "4k3/8/8/8/8/5N2/8/1N2K3 w - - 0 1";
        const PROMOTION: &str = "3k2n1/7P/8/8/8/8/8/4K3 w - - 0 1";
        const EN_PASSANT: &str = "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1";
        const CASTLING: &str = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
        const TAKES: &str = "4k3/8/8/3b4/8/4N3/8/4K3 w - - 0 1";
        const MATE: &str = "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1";
        let cases = [
            (
                "en",
                CAPTURE,
                "exd5",
                "exd5 ed5 ed exd e:d5 PxP Pxd5 ed5: ed:",
            ),
            ("en", CAPTURE, "Nf3", "Nf3 nf3 Nxf3 Ngf3 N1f3 Ng1f3 Nf3+"),
            ("nl", CAPTURE, "Nf3", "Pf3 pf3"),
            ("pl", CAPTURE, "Qh5", "Hh5 hh5 Dh5"),
            ("pl", CAPTURE, "Bb5+", "Gb5 Gb5+ Bb5+"),
            ("pl", MATE, "Ra8#", "Wa8# Wa8mat Wa8++ Wa8"),
            ("en", KNIGHTS, "Nbd2", "Nbd2 Nd2 N1d2 Nb1d2 Nb1-d2"),
            ("en", KNIGHTS, "Nfd2", "Nfd2 Nd2 N3d2 Nf3d2"),
            ("en", PROMOTION, "h8=Q", "h8=Q h8Q h8(Q) h8"),
            ("en", PROMOTION, "hxg8=R+", "hxg8=R hxg8=R+ hg8R+ hxg8(R)+"),
            ("en", EN_PASSANT, "exd6", "exd6 ed6 ed exd6ep exd6e.p."),
            ("en", CASTLING, "O-O", "O-O 0-0 OO 00 o-o"),
            ("en", CASTLING, "O-O-O", "O-O-O 0-0-0 OOO o-o-o"),
            ("en", TAKES, "Nxd5", "Nxd5 Nd5 NxB NxBd5 N:d5 Nd5:"),
        ];
        for (language, fen, san, forms) in cases {
            let texts = texts(fen, &speller(language, System::ShortAlgebraic));
            for form in forms.split(' ') {
                let moves = texts
                    .get(form)
                    .unwrap_or_else(|| panic!("{language} {form}"));
                assert!(moves.contains_key(san), "{language} {form}: {moves:?}");
            }
        }
        let long = texts(CAPTURE, &speller("de", System::LongAlgebraic));
        for (form, san) in [
            ("Sg1-f3", "Nf3"),
            ("Sg1f3", "Nf3"),
            ("g1-f3", "Nf3"),
            ("e4:d5", "exd5"),
            ("e4-d5", "exd5"),
            ("e4d5:", "exd5"),
            ("e4xd5", "exd5"),
            ("e4-e5", "e5"),
            ("Dd1-h5", "Qh5"),
        ] {
            assert!(long[form].contains_key(san), "{form}");
        }
    }

    #[test]
    fn descriptive_forms_are_there() {
        const MIDDLE: &str =
            "r1bqk2r/pppp1ppp/2n2n2/4p3/1bB1P3/2N2N2/PPPP1PPP/R1BQK2R w KQkq - 0 5";
        const ENDING: &str = "3r2k1/1P3p2/8/2pP4/8/6n1/5P1P/R4RK1 w - c6 0 1";
        let cases = [
            (MIDDLE, "d4", "P-Q4"),
            (
                MIDDLE,
                "Nxe5",
                "NxP NxKP KtxP KtxKP N(B3)xP N(KB3)xP NxP(K5) KtxP/K5",
            ),
            (MIDDLE, "Bxf7+", "BxP BxBP BxPch BxKBP+ BxB7+"),
            (MIDDLE, "Rb1", "R-QN1 R-QKt1 R-QKt R-N1 QR-N1"),
            (MIDDLE, "Rg1", "R-N1 R-KKt1 KR-Kt"),
            (MIDDLE, "O-O", "Castles O-O CastlesKR 0-0"),
            (ENDING, "hxg3", "PxN RPxN KRPxKt"),
            (ENDING, "dxc6", "PxP QPxP QPxBP PxPe.p."),
            (ENDING, "b8=Q", "P-N8(Q) P-Kt8=Q P-QN8(Q)"),
            (
                ENDING,
                "Rfe1",
                "R-K1 R-K KR-K R(B1)-K1 RB1-K1 RKB1-K1 R(KB1)-K R(1)-K1",
            ),
        ];
        for (fen, san, forms) in cases {
            let texts = texts(fen, &speller("en", System::Descriptive));
            for form in forms.split(' ') {
                let moves = texts.get(form).unwrap_or_else(|| panic!("{form}"));
                assert!(moves.contains_key(san), "{form}: {moves:?}");
            }
        }
    }

    #[test]
    fn shares_of_a_move_sum_to_almost_one() {
        let fens = [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "8/2p5/3p4/KP5r/1R3pPk/8/4P3/8 b - g3 0 1",
            "r2q1rk1/pP1p2pp/Q4n2/bbp1p3/Np6/1B3NBn/pPPP1PPP/R3K2R b KQ - 0 1",
        ];
        for (fen, system) in fens
            .into_iter()
            .flat_map(|fen| System::ALL.map(|system| (fen, system)))
        {
            let mut totals: HashMap<String, f32> = HashMap::new();
            for moves in texts(fen, &speller("en", system)).values() {
                for (san, share) in moves {
                    *totals.entry(san.clone()).or_default() += share;
                }
            }
            assert!(!totals.is_empty());
            for (san, total) in totals {
                assert!(
                    (0.9..1.0001).contains(&total),
                    "{system:?} {fen} {san}: {total}"
                );
            }
        }
    }

    #[test]
    fn characters_that_look_alike_are_spelled_once() {
        // One ring, one cross and one shape for Cyrillic and Latin letters; the alphabet lacks the letter with the cedilla.
        let shapes = "_\nO0o\n-\nKК\nCС\nЛ\nФ\nTТ\nSs\np р\nx×\n:\na\nc\nd\ne\nf\ng\nh\nb\n1\n2\n3\n4\n5\n6\n7\n8"
            .replace(' ', "");
        let alphabet = Arc::new(Alphabet::from_lines(&shapes).unwrap());
        let spell = |code: &str, fen: &str| {
            let language = Language::by_code(code).unwrap();
            let system = System::ShortAlgebraic;
            let speller = Speller::new(Arc::clone(&alphabet), language, system, Habits::default());
            texts(fen, &speller)
        };
        let castling = spell("ru", "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1");
        for (text, san) in [
            ("O-O", "O-O"),
            ("OO", "O-O"),
            ("O-O-O", "O-O-O"),
            ("Kpf1", "Kf1"),
            ("Лb1", "Rb1"),
        ] {
            assert!(castling[text].contains_key(san), "{text}");
        }
        assert!(!castling.contains_key("0-0"), "rings are one class");
        let turkish = spell("tr", "4k3/8/8/8/8/8/8/4K3 w - - 0 1");
        assert!(turkish["Sf1"]["Kf1"] > 0.9, "{turkish:?}");
    }

    #[test]
    fn an_alphabet_without_a_character_drops_its_texts() {
        let alphabet = Arc::new(Alphabet::from_lines("_\na\n3\nN\nx\nc").unwrap());
        let speller = Speller::new(
            alphabet,
            Language::ENGLISH,
            System::ShortAlgebraic,
            Habits::default(),
        );
        let texts = texts("4k3/8/8/8/8/8/8/1N2K3 w - - 0 1", &speller);
        let mut found: Vec<&str> = texts.keys().map(String::as_str).collect();
        found.sort_unstable();
        assert_eq!(found, ["Na3", "Nc3", "Nxa3", "Nxc3"]);
    }
}
