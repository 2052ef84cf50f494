//! FIDE's tournament report files, TRF16 and TRF26: players and their rounds.
//!
//! Columns count characters from 1, as in the handbook: of a player (`001`) 5-8 starting rank, 11-13 title, 15-47 name, 49-52 rating, 58-68 FIDE number, and from
//! 92 on for each round ten characters: 4 opponent, blank, colour, blank, result, 2 blanks. Both versions have these in the same places; other lines are passed over.

use std::collections::HashMap;

use crate::pairings::Pairing;

/// First column of the rounds.
const ROUNDS: usize = 92;
/// Columns of a round.
const ROUND_WIDTH: usize = 10;
/// Most rounds that are looked at.
const MOST_ROUNDS: usize = 200;

/// What is wrong with a tournament report.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TrfProblem {
    /// A player has no starting rank.
    #[error("line {0}: the player has no starting rank in columns 5 to 8; export the report again")]
    Rank(usize),
    /// Two players have the same starting rank.
    #[error(
        "line {line}: the starting rank {rank} is on an earlier line already; export the report again"
    )]
    DoubleRank {
        /// Line, from 1.
        line: usize,
        /// The rank.
        rank: u32,
    },
    /// A round names an opponent who is not listed.
    #[error(
        "line {line}: round {round} is against player {opponent}, who is not listed; export the report again"
    )]
    Opponent {
        /// Line, from 1.
        line: usize,
        /// Round, from 1.
        round: usize,
        /// Starting rank of the opponent.
        opponent: u32,
    },
}

struct Player {
    name: String,
    tags: Vec<(&'static str, String)>,
    rounds: Vec<Round>,
    line: usize,
}

/// What a player did in a round.
struct Round {
    opponent: u32,
    colour: char,
    result: char,
}

/// Whether a text is a tournament report: one of its lines is a player's.
pub(crate) fn is_report(text: &str) -> bool {
    text.lines().any(|line| line.starts_with("001 "))
}

/// The games of a report by round and White's starting rank. Byes and games won by default are left out: nobody wrote a sheet.
pub(crate) fn read_report(text: &str) -> Result<Vec<Pairing>, TrfProblem> {
    let mut players: HashMap<u32, Player> = HashMap::new();
    let (mut event, mut site, mut dates) = (String::new(), String::new(), Vec::new());
    for (index, line) in text.lines().enumerate() {
        let line_number = index + 1;
        let characters: Vec<char> = line.trim_end().chars().collect();
        match line.get(..3) {
            Some("001") => {
                let rank = columns(&characters, 5, 8).parse();
                let rank: u32 = rank.map_err(|_| TrfProblem::Rank(line_number))?;
                if players
                    .insert(rank, player(&characters, line_number))
                    .is_some()
                {
                    return Err(TrfProblem::DoubleRank {
                        line: line_number,
                        rank,
                    });
                }
            }
            Some("012") => event = columns(&characters, 5, usize::MAX),
            Some("022") => site = columns(&characters, 5, usize::MAX),
            Some("132") => {
                let starts = (0..MOST_ROUNDS).map(|round| ROUNDS + round * ROUND_WIDTH);
                dates = starts
                    .take_while(|&start| start <= characters.len())
                    .map(|start| date(&columns(&characters, start, start + 7)))
                    .collect();
            }
            _ => {}
        }
    }
    let mut ranks: Vec<u32> = players.keys().copied().collect();
    ranks.sort_unstable();
    let mut pairings = Vec::new();
    for rank in ranks {
        let white = &players[&rank];
        for (index, round) in white.rounds.iter().enumerate() {
            if round.colour != 'w' || round.opponent == 0 || "+-".contains(round.result) {
                continue;
            }
            let black = players.get(&round.opponent).ok_or(TrfProblem::Opponent {
                line: white.line,
                round: index + 1,
                opponent: round.opponent,
            })?;
            let mut tags = Vec::new();
            let mut add = |name: &str, value: &str| {
                if !value.is_empty() {
                    tags.push((name.to_owned(), value.to_owned()));
                }
            };
            add("Event", &event);
            add("Site", &site);
            add("Date", dates.get(index).map_or("", String::as_str));
            add("Round", &(index + 1).to_string());
            add("White", &white.name);
            add("Black", &black.name);
            add("Result", result(round.result));
            for (colour, player) in [("White", white), ("Black", black)] {
                for (name, value) in &player.tags {
                    add(&format!("{colour}{name}"), value);
                }
            }
            pairings.push(Pairing { tags });
        }
    }
    pairings.sort_by_key(Pairing::round);
    Ok(pairings)
}

fn player(characters: &[char], line: usize) -> Player {
    let mut tags = Vec::new();
    let title = columns(characters, 11, 13).to_uppercase();
    // The report abbreviates: g, m, f, c and the same with w for women.
    let title = match title.as_str() {
        "G" => "GM",
        "M" => "IM",
        "F" => "FM",
        "C" => "CM",
        "WG" => "WGM",
        "WM" => "WIM",
        "WF" => "WFM",
        "WC" => "WCM",
        other => other,
    };
    let of = |first, last| {
        let value = columns(characters, first, last);
        if value == "0" { String::new() } else { value }
    };
    for (name, value) in [
        ("Title", title.to_owned()),
        ("Elo", of(49, 52)),
        ("FideId", of(58, 68)),
    ] {
        tags.push((name, value));
    }
    let starts = (0..MOST_ROUNDS).map(|round| ROUNDS + round * ROUND_WIDTH);
    let rounds = starts
        .take_while(|&start| start <= characters.len())
        .map(|start| Round {
            opponent: columns(characters, start, start + 3).parse().unwrap_or(0),
            colour: columns(characters, start + 5, start + 5)
                .chars()
                .next()
                .unwrap_or('-')
                .to_ascii_lowercase(),
            result: columns(characters, start + 7, start + 7)
                .chars()
                .next()
                .unwrap_or(' '),
        })
        .collect();
    Player {
        name: name(&columns(characters, 15, 47)),
        tags,
        rounds,
        line,
    }
}

/// The text in columns `first` to `last`, from 1, without blanks around it.
fn columns(characters: &[char], first: usize, last: usize) -> String {
    let end = last.min(characters.len());
    let text: String = characters
        .get(first - 1..end)
        .unwrap_or_default()
        .iter()
        .collect();
    text.trim().to_owned()
}

/// `Surname,First name` with a blank after the comma, as PGN has it.
fn name(text: &str) -> String {
    let parts: Vec<&str> = text
        .split(',')
        .map(str::trim)
        .filter(|part| !part.is_empty())
        .collect();
    parts.join(", ")
}

/// `YY/MM/DD` or `YYYY/MM/DD` as the date of PGN; empty where it is none.
fn date(text: &str) -> String {
    let parts: Vec<&str> = text.split(['/', '.', '-']).collect();
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    match parts[..] {
        [year, month, day] if parts.iter().all(|part| digits(part)) => {
            let century = if year.len() == 2 { "20" } else { "" };
            format!("{century}{year}.{month:0>2}.{day:0>2}")
        }
        _ => String::new(),
    }
}

/// White's result as PGN writes it; empty where there is none yet.
fn result(code: char) -> &'static str {
    match code.to_ascii_uppercase() {
        '1' | 'W' => "1-0",
        '0' | 'L' => "0-1",
        '=' | 'D' => "1/2-1/2",
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A player's line with its rounds at their columns.
    fn line(rank: u32, name: &str, rounds: &str) -> String {
        let start = format!(
            "001 {rank:>4} m  g {name:<33} 2500 NED {:>11}",
            1_000_000 + rank
        );
        format!("{start:<91}{rounds}")
    }

    #[test]
    fn games_have_round_players_and_results() {
        let text = [
            "012 Spring Open".to_owned(),
            "022 Ghent".to_owned(),
            format!("{:<91}26/03/01  26/03/02", "132"),
            line(1, "Müller,Jörg", "   2 w 1     3 b =  "),
            line(2, "Roe, Ann", "   1 b 0  0000 - U  "),
            line(3, "Doe,John", "0000 - H     1 w =  "),
            "### a comment".to_owned(),
        ]
        .join("\r\n");
        assert!(is_report(&text));
        let games = read_report(&text).unwrap();
        assert_eq!(games.len(), 2);
        let expected = [
            ("Event", "Spring Open"),
            ("Site", "Ghent"),
            ("Date", "2026.03.01"),
            ("Round", "1"),
            ("White", "Müller, Jörg"),
            ("Black", "Roe, Ann"),
            ("Result", "1-0"),
            ("WhiteTitle", "GM"),
            ("WhiteElo", "2500"),
            ("WhiteFideId", "1000001"),
        ];
        for (name, value) in expected {
            assert_eq!(games[0].tag(name), Some(value), "{name}");
        }
        assert_eq!(
            (games[1].tag("White"), games[1].tag("Result")),
            (Some("Doe, John"), Some("1/2-1/2"))
        );
        assert_eq!(games[1].tag("Date"), Some("2026.03.02"));
    }

    #[test]
    fn games_won_by_default_are_no_games() {
        let text = [line(1, "A", "   2 w +  "), line(2, "B", "   1 b -  ")].join("\n");
        assert_eq!(read_report(&text).unwrap(), []);
    }

    #[test]
    fn problems_name_the_line() {
        let table = [
            (
                line(1, "A", "   7 w 1"),
                "line 1: round 1 is against player 7",
            ),
            (
                format!("{}\n{}", line(1, "A", ""), line(1, "B", "")),
                "line 2: the starting rank 1",
            ),
            (
                "012 x\n001 abcd".to_owned(),
                "line 2: the player has no starting rank",
            ),
        ];
        for (text, message) in table {
            let problem = read_report(&text).unwrap_err().to_string();
            assert!(problem.contains(message), "{problem}");
        }
    }

    #[test]
    fn cut_lines_do_no_harm() {
        let whole = [line(1, "Á", "   2 w 1  "), line(2, "B", "   1 b 0  ")].join("\n");
        for length in (0..whole.len()).filter(|&length| whole.is_char_boundary(length)) {
            let _ = read_report(&whole[..length]);
        }
    }
}
