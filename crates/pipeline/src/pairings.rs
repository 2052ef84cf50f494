//! Who plays whom: a tournament report or the headers of a PGN, and which of its games a sheet belongs to.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::input::file_stem;
use crate::manifest::{GameInput, RESULTS};
use crate::trf::{TrfProblem, is_report, read_report};

/// Why a file of pairings cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("{}: {problem}", path.display())]
pub struct PairingsError {
    /// The file.
    pub path: PathBuf,
    /// What is wrong.
    pub problem: PairingsProblem,
}

/// What is wrong with a file of pairings.
#[derive(Debug, thiserror::Error)]
pub enum PairingsProblem {
    /// The file cannot be opened.
    #[error("cannot be read ({0}); check the name and its permissions")]
    Unreadable(#[from] std::io::Error),
    /// It is a tournament report with a mistake.
    #[error(transparent)]
    Report(#[from] TrfProblem),
    /// It has no game.
    #[error(
        "no pairing was found; give a tournament report (TRF) or a PGN with the tags White and Black"
    )]
    Empty,
    /// The round is not in the file.
    #[error("there is no round {0} in it; check --round")]
    NoRound(u32),
}

/// One game of a round.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pairing {
    /// PGN tags.
    pub tags: Vec<(String, String)>,
}

impl Pairing {
    /// The value of a tag, if it says anything.
    pub fn tag(&self, name: &str) -> Option<&str> {
        tag(&self.tags, name)
    }

    /// The round as a number.
    pub fn round(&self) -> Option<u32> {
        whole_number(self.tag("Round")?)
    }

    /// The board, which PGN has as a tag of its own or after the round: `3.12`.
    pub fn board(&self) -> Option<u32> {
        let of_round = || self.tag("Round")?.split_once('.').map(|(_, board)| board);
        self.tag("Board").or_else(of_round)?.parse().ok()
    }
}

/// The games of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pairings {
    games: Vec<Pairing>,
}

/// What was found for a game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Match<'a> {
    /// This pairing.
    Found(&'a Pairing),
    /// None, and why.
    None(String),
}

impl Pairings {
    /// Reads a tournament report (TRF16, TRF26) or a PGN, by what is in it. `round` keeps the games of that round only.
    pub fn read(path: &Path, round: Option<u32>) -> Result<Self, PairingsError> {
        let failed = |problem| PairingsError {
            path: path.to_path_buf(),
            problem,
        };
        let bytes = std::fs::read(path).map_err(|error| failed(error.into()))?;
        // Reports of older programs are in Latin-1, of which each byte is the character of that number.
        let text = String::from_utf8(bytes)
            .unwrap_or_else(|error| error.as_bytes().iter().copied().map(char::from).collect());
        Self::parse(text.trim_start_matches('\u{feff}'), round).map_err(failed)
    }

    fn parse(text: &str, round: Option<u32>) -> Result<Self, PairingsProblem> {
        let mut games = if is_report(text) {
            read_report(text)?
        } else {
            read_headers(text)
        };
        if games.is_empty() {
            return Err(PairingsProblem::Empty);
        }
        if let Some(round) = round {
            games.retain(|game| game.round() == Some(round));
            if games.is_empty() {
                return Err(PairingsProblem::NoRound(round));
            }
        }
        Ok(Self { games })
    }

    /// The pairing of a game: by the names of the players and the round, where the manifest has them, else by the board, from the manifest or from the only number
    /// in the game's name.
    pub fn find(&self, game: &GameInput) -> Match<'_> {
        let known = |name| tag(&game.tags, name);
        let (white, black) = (known("White"), known("Black"));
        let round = known("Round").and_then(whole_number);
        let candidates: Vec<&Pairing> = self
            .games
            .iter()
            .filter(|pairing| {
                round.is_none() || pairing.round().is_none() || pairing.round() == round
            })
            .collect();
        let (found, by): (Vec<&Pairing>, String) = if white.is_some() || black.is_some() {
            let fits = |wanted: Option<&str>, pairing: &Pairing, colour| {
                wanted.is_none_or(|wanted| {
                    pairing
                        .tag(colour)
                        .is_some_and(|name| same_person(wanted, name))
                })
            };
            let both = candidates
                .into_iter()
                .filter(|pairing| fits(white, pairing, "White") && fits(black, pairing, "Black"));
            (
                both.collect(),
                format!(
                    "the players {} and {}",
                    white.unwrap_or("?"),
                    black.unwrap_or("?")
                ),
            )
        } else {
            let board = match known("Board") {
                Some(board) => whole_number(board),
                None => board_of(game),
            };
            let Some(board) = board else {
                return Match::None("neither players nor a board are known; name the board in the file name, such as board 12.jpg, if the file is of one game, or give a manifest with the columns White and Black, or Board".to_owned());
            };
            (on_board(&candidates, board), format!("board {board}"))
        };
        match found[..] {
            [one] => Match::Found(one),
            [] => Match::None(format!("the pairings have no game for {by}")),
            _ => Match::None(format!(
                "the pairings have {} games for {by}; say which with --round or with the column Round of the manifest",
                found.len()
            )),
        }
    }

    /// Fills the tags of each game from its pairing; what the manifest says stays. Gives warnings, also where the two differ and where games share a pairing.
    pub fn complete(&self, games: &mut [GameInput]) -> Vec<String> {
        let mut warnings = Vec::new();
        let mut names = vec![Vec::new(); self.games.len()];
        let mut unmatched: BTreeMap<String, Vec<&str>> = BTreeMap::new();
        for game in games {
            match self.find(game) {
                Match::Found(pairing) => {
                    warnings.extend(fill(game, pairing));
                    let place = self.games.iter().position(|one| one == pairing);
                    if let Some(names) = place.and_then(|place| names.get_mut(place)) {
                        names.push(game.name.as_str());
                    }
                }
                Match::None(reason) => unmatched.entry(reason).or_default().push(&game.name),
            }
        }
        let unmatched = unmatched.iter();
        warnings.extend(unmatched.map(|(reason, names)| format!("{}: {reason}", names.join(", "))));
        let shared = names.iter().filter(|names| names.len() > 1);
        warnings.extend(shared.map(|names| {
            format!(
                "{}: one game by the pairings; if these are its copies or pages, name them in a manifest to have them read together",
                names.join(", ")
            )
        }));
        warnings
    }
}

/// Fills the tags of a game from its pairing, and gives warnings where the two differ.
fn fill(game: &mut GameInput, pairing: &Pairing) -> Vec<String> {
    let mut warnings = Vec::new();
    for (name, value) in &pairing.tags {
        let people = ["White", "Black"].contains(&name.as_str());
        match game.tags.iter().find(|(known, _)| known == name) {
            None => game.tags.push((name.clone(), value.clone())),
            Some((_, known)) if name == "Result" && known != value && value != "*" => {
                warnings.push(format!(
                    "{}: the result is {known} in the manifest, but {value} in the pairings; {known} is kept",
                    game.name
                ));
            }
            Some((_, known)) if people && known != value && !same_person(known, value) => {
                warnings.push(format!(
                    "{}: {name} is {known} in the manifest, but {value} in the pairings",
                    game.name
                ));
            }
            Some(_) => {}
        }
    }
    warnings
}

/// The games on a board; none of a file without boards, whose order says nothing.
fn on_board<'a>(candidates: &[&'a Pairing], board: u32) -> Vec<&'a Pairing> {
    let mut found = candidates.to_vec();
    found.retain(|pairing| pairing.board() == Some(board));
    found
}

/// Tags that tell of the moves of a PGN and not of the players.
const OF_MOVES: [&str; 4] = ["FEN", "SetUp", "Variant", "PlyCount"];

/// The headers of a PGN, a game for each group of tags.
fn read_headers(text: &str) -> Vec<Pairing> {
    let mut games: Vec<Pairing> = Vec::new();
    let mut open = false;
    for line in text.lines() {
        let Some((name, value)) = header(line.trim()) else {
            // An empty line or moves: the next tag begins another game.
            open &= line.trim().is_empty();
            continue;
        };
        let again = games
            .last()
            .is_some_and(|game| game.tags.iter().any(|(known, _)| *known == name));
        if !open || again {
            games.push(Pairing { tags: Vec::new() });
            open = true;
        }
        let unknown = value.is_empty() || value.chars().all(|character| "?.*-".contains(character));
        let strange = name == "Result" && !RESULTS.contains(&value.as_str());
        let of_moves = OF_MOVES.contains(&name.as_str());
        if let Some(game) = games.last_mut()
            && !(unknown || strange || of_moves)
        {
            game.tags.push((name, value));
        }
    }
    games.retain(|game| game.tag("White").is_some() && game.tag("Black").is_some());
    games
}

/// `[Name "value"]`, with `\"` and `\\` in the value.
fn header(line: &str) -> Option<(String, String)> {
    let (name, rest) = line.strip_prefix('[')?.split_once(char::is_whitespace)?;
    let rest = rest.trim().strip_prefix('"')?;
    let mut value = String::new();
    let mut characters = rest.chars();
    loop {
        match characters.next()? {
            '"' => break,
            '\\' => value.push(characters.next()?),
            character => value.push(character),
        }
    }
    Some((name.to_owned(), value.trim().to_owned()))
}

fn tag<'a>(tags: &'a [(String, String)], name: &str) -> Option<&'a str> {
    let found = tags.iter().find(|(known, _)| known == name);
    found
        .map(|(_, value)| value.as_str())
        .filter(|value| !["", "?", "-"].contains(value))
}

/// The number before a point: the round in `3.12`.
fn whole_number(text: &str) -> Option<u32> {
    text.split('.').next()?.trim().parse().ok()
}

/// The board that a file is named by. A file of several games names that of none.
fn board_of(game: &GameInput) -> Option<u32> {
    let image = &game.sheets.first()?.image;
    match image.page.or(image.sheet) {
        Some(_) if game.apart => None,
        None if game.apart => only_number(&file_stem(&image.file)),
        _ => only_number(&game.name),
    }
}

/// The number in a name that has exactly one.
fn only_number(name: &str) -> Option<u32> {
    let mut numbers = name
        .split(|character: char| !character.is_ascii_digit())
        .filter(|part| !part.is_empty());
    let number = numbers.next()?.parse().ok()?;
    numbers.next().is_none().then_some(number)
}

/// Whether two texts name the same person: the same words in any order, without marks over letters, or one lacks or abbreviates first names of the other.
fn same_person(one: &str, other: &str) -> bool {
    let (one, other) = (words(one), words(other));
    let (few, many) = if one.len() <= other.len() {
        (one, other)
    } else {
        (other, one)
    };
    let mut rest = many;
    let mut whole = 0;
    for word in &few {
        let same = rest.iter().position(|known| known == word);
        let initial = || {
            rest.iter().position(|known| {
                let (short, long) = if known.chars().count() < word.chars().count() {
                    (known, word)
                } else {
                    (word, known)
                };
                short.chars().count() == 1 && long.starts_with(short.as_str())
            })
        };
        whole += usize::from(same.is_some() && word.chars().count() > 1);
        let Some(place) = same.or_else(initial) else {
            return false;
        };
        rest.remove(place);
    }
    whole > 0
}

fn words(name: &str) -> Vec<String> {
    name.split(|character: char| !character.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(|word| word.to_lowercase().chars().map(plain_letter).collect())
        .collect()
}

/// A Latin letter without its mark.
fn plain_letter(letter: char) -> char {
    match letter {
        'à'..='å' | 'ā' | 'ă' | 'ą' => 'a',
        'ç' | 'ć' | 'č' => 'c',
        'ď' | 'đ' => 'd',
        'è'..='ë' | 'ē' | 'ė' | 'ę' | 'ě' => 'e',
        'ğ' | 'ģ' => 'g',
        'ì'..='ï' | 'ī' | 'į' | 'ı' => 'i',
        'ķ' => 'k',
        'ļ' | 'ľ' | 'ł' => 'l',
        'ñ' | 'ń' | 'ņ' | 'ň' => 'n',
        'ò'..='ö' | 'ø' | 'ō' | 'ő' => 'o',
        'ŕ' | 'ř' => 'r',
        'ś' | 'ş' | 'š' | 'ș' => 's',
        'ţ' | 'ť' | 'ț' => 't',
        'ù'..='ü' | 'ū' | 'ů' | 'ű' | 'ų' => 'u',
        'ý' | 'ÿ' => 'y',
        'ź' | 'ż' | 'ž' => 'z',
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::ImagePage;

    const PGN: &str = "[Event \"Open\"]\n[Round \"3.1\"]\n[White \"Müller, Jörg\"]\n[Black \"Roe, Ann\"]\n[Result \"1-0\"]\n\n1-0\n\n\
        [Event \"Open\"]\n[Round \"3.2\"]\n[White \"Doe, J.\"]\n[Black \"O\\\"Neil, Bo\"]\n[Result \"*\"]\n\n*\n\
        [Event \"Open\"]\n[Round \"4.1\"]\n[White \"Roe, Ann\"]\n[Black \"Doe, J.\"]\n[Result \"0-1\"]\n";

    fn game(name: &str, tags: &[(&str, &str)]) -> GameInput {
        let mut game = GameInput::single(name.to_owned(), PathBuf::from(format!("{name}.jpg")));
        game.tags = tags
            .iter()
            .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
            .collect();
        game
    }

    #[test]
    fn games_find_their_pairing() {
        let all = Pairings::parse(PGN, None).unwrap();
        let third = Pairings::parse(PGN, Some(3)).unwrap();
        let mut page = game("scans-p2", &[]);
        page.sheets[0].image = ImagePage {
            file: "scans.pdf".into(),
            page: Some(2),
            sheet: None,
        };
        let table: [(&Pairings, GameInput, Result<&str, &str>); 13] = [
            (&third, game("board 1", &[]), Ok("Müller, Jörg")),
            (&third, game("scan-002", &[]), Ok("Doe, J.")),
            (
                &third,
                game("scan", &[]),
                Err("neither players nor a board"),
            ),
            (
                &third,
                game("r3 b2", &[]),
                Err("neither players nor a board"),
            ),
            (&third, game("x", &[("Board", "2")]), Ok("Doe, J.")),
            (&third, game("board 9", &[]), Err("no game for board 9")),
            (
                &all,
                game("board 1", &[]),
                Err("2 games for board 1; say which with --round"),
            ),
            (&all, game("board 1", &[("Round", "4")]), Ok("Roe, Ann")),
            (
                &all,
                game("9", &[("White", "jorg muller")]),
                Ok("Müller, Jörg"),
            ),
            (
                &all,
                game("9", &[("White", "Doe, John"), ("Black", "O\"Neil")]),
                Ok("Doe, J."),
            ),
            (
                &all,
                game("9", &[("White", "Doe"), ("Black", "Roe")]),
                Err("no game for the players Doe and Roe"),
            ),
            (&all, game("9", &[("Black", "Doe, J")]), Ok("Roe, Ann")),
            // The second page of a file is not board 2.
            (&third, page, Err("neither players nor a board")),
        ];
        for (pairings, game, expected) in table {
            match (pairings.find(&game), expected) {
                (Match::Found(pairing), Ok(white)) => {
                    assert_eq!(pairing.tag("White"), Some(white), "{game:?}")
                }
                (Match::None(reason), Err(message)) => {
                    assert!(reason.contains(message), "{reason}")
                }
                (found, expected) => panic!("{game:?}: {found:?} instead of {expected:?}"),
            }
        }
    }

    #[test]
    fn the_manifest_has_the_last_word_and_differences_are_told() {
        let pairings = Pairings::parse(PGN, Some(3)).unwrap();
        let mut games = [
            game(
                "1",
                &[("Board", "1"), ("Result", "1/2-1/2"), ("Event", "Mine")],
            ),
            game("2", &[]),
        ];
        let warnings = pairings.complete(&mut games);
        let [one, two] = games;
        assert_eq!(one.result(), "1/2-1/2");
        assert_eq!(tag(&one.tags, "Event"), Some("Mine"));
        assert_eq!(tag(&one.tags, "Black"), Some("Roe, Ann"));
        assert_eq!(warnings.len(), 1);
        assert!(
            warnings[0].contains("1/2-1/2 in the manifest, but 1-0 in the pairings"),
            "{warnings:?}"
        );
        assert_eq!(two.result(), "*");
        assert_eq!(tag(&two.tags, "Black"), Some("O\"Neil, Bo"));
    }

    #[test]
    fn games_that_share_a_pairing_or_have_none_are_told_together() {
        let pairings = Pairings::parse(PGN, Some(3)).unwrap();
        for (names, told) in [
            (["1", "2", "3"], "3: the pairings have no game for board 3"),
            (["1 white", "1 black", "2"], "1 white, 1 black: one game"),
            (["a", "2", "b"], "a, b: neither players nor a board"),
        ] {
            let warnings = pairings.complete(&mut names.map(|name| game(name, &[])));
            assert_eq!(warnings.len(), 1, "{warnings:?}");
            assert!(warnings[0].starts_with(told), "{warnings:?}");
        }
    }

    #[test]
    fn persons_are_known_by_their_words() {
        let table = [
            ("Müller, Jörg", "jorg MULLER", true),
            ("Doe, John", "Doe, J.", true),
            ("Doe", "Doe, John", true),
            ("Doe, John", "Doe, Jim", false),
            ("J.", "Doe, John", false),
            ("", "Doe", false),
            ("Łukasz Żak", "Zak, Lukasz", true),
        ];
        for (one, other, same) in table {
            assert_eq!(same_person(one, other), same, "{one} / {other}");
            assert_eq!(same_person(other, one), same, "{other} / {one}");
        }
    }

    #[test]
    fn files_that_are_no_pairings_are_refused() {
        let table = [
            ("", None, "no pairing was found"),
            ("1. e4 e5 *", None, "no pairing was found"),
            (
                "[White \"A\"]\n[Black \"?\"]\n",
                None,
                "no pairing was found",
            ),
            (PGN, Some(9), "there is no round 9"),
        ];
        for (text, round, message) in table {
            let problem = Pairings::parse(text, round).unwrap_err().to_string();
            assert!(problem.contains(message), "{problem}");
        }
        assert!(Pairings::read(Path::new("absent.trf"), None).is_err());
    }
}
