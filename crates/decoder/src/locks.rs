//! Moves that the caller knows: no other is tried at their places.

use crate::decode::{DecodeOptions, decode};
use crate::evidence::CellEvidence;
use std::fmt;
use std::str::FromStr;

use cozy_chess::Board;
use scoresheet_notation::{Language, LegalMove, Reading, ReadingError, parse_move};

use crate::game::Game;

/// A move that the caller knows, such as `23b=Bg7`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lock {
    ply: u32,
    text: String,
}

/// Why a lock cannot be kept.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LockError {
    /// The text is no lock.
    #[error(
        "\"{0}\" fixes no move; write the number of the move, w or b, = and the move, such as 23b=Bg7"
    )]
    Syntax(String),
    /// What stands behind the sign is no move.
    #[error("{0}: {1}; write it with English letters, such as 23b=Bg7")]
    Move(String, ReadingError),
    /// Two locks are for the same move of the game.
    #[error("{0} and {1} are for the same move; leave one out")]
    Twice(Lock, Lock),
    /// The game on the sheet is shorter.
    #[error(
        "{lock}: the game on the sheet ends with move {last}; correct the number, or fix an earlier move that is wrong"
    )]
    AfterTheEnd {
        /// The lock.
        lock: Lock,
        /// Number of the last move of the game.
        last: u32,
    },
    /// In no game that fits the sheet and the other locks the move is legal at its place.
    #[error("{lock}: not legal there, unless an earlier move is wrong; fix that one, too, or write one of {}", legal.join(" "))]
    Illegal {
        /// The lock.
        lock: Lock,
        /// The moves that are legal there.
        legal: Vec<String>,
    },
}

impl Lock {
    /// The move at a half-move, which is counted from 1, in algebraic notation with English letters. Capture and check signs may be left out; so may be which of several
    /// pieces goes to the square: then all of them are tried.
    ///
    /// # Errors
    /// Where the text is no move.
    pub fn new(ply: u32, text: &str) -> Result<Self, LockError> {
        match Reading::parse(text, Language::ENGLISH) {
            Ok(_) => Ok(Self {
                ply,
                text: text.to_owned(),
            }),
            Err(error) => Err(LockError::Move(place(ply), error)),
        }
    }

    /// Half-move number from 1.
    pub fn ply(&self) -> u32 {
        self.ply
    }

    /// The move as it was told.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The legal moves of a position that may be the one that is known.
    pub(crate) fn moves(&self, board: &Board) -> Vec<LegalMove> {
        let all = || LegalMove::all(board).into_iter();
        match parse_move(board, &self.text, Language::ENGLISH) {
            Ok(legal) => vec![legal],
            Err(ReadingError::Ambiguous { moves, .. }) => {
                all().filter(|legal| moves.contains(&legal.san())).collect()
            }
            Err(_) => Vec::new(),
        }
    }
}

impl LockError {
    /// The lock that a game cannot keep; none where the error is about texts.
    pub fn lock(&self) -> Option<&Lock> {
        match self {
            Self::AfterTheEnd { lock, .. } | Self::Illegal { lock, .. } => Some(lock),
            Self::Syntax(_) | Self::Move(..) | Self::Twice(..) => None,
        }
    }
}

impl fmt::Display for Lock {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}={}", place(self.ply), self.text)
    }
}

/// `23b` for half-move 46.
fn place(ply: u32) -> String {
    let colour = if ply % 2 == 1 { 'w' } else { 'b' };
    format!("{}{colour}", ply.div_ceil(2))
}

impl FromStr for Lock {
    type Err = LockError;

    fn from_str(text: &str) -> Result<Self, LockError> {
        let syntax = || LockError::Syntax(text.to_owned());
        let (place, written) = text.split_once('=').ok_or_else(syntax)?;
        Self::new(ply_of(place).ok_or_else(syntax)?, written.trim())
    }
}

/// The half-move, from 1, of a place such as `23b`.
pub fn ply_of(place: &str) -> Option<u32> {
    let place = place.trim();
    let (number, second) = match place.strip_suffix(['w', 'W']) {
        Some(number) => (number, 0),
        None => (place.strip_suffix(['b', 'B'])?, 1),
    };
    let number: u16 = number.trim().parse().ok()?;
    let before = u32::from(number).checked_sub(1)?;
    Some(before * 2 + second + 1)
}

/// Whether the locks can be told apart.
///
/// # Errors
/// The first two that are for the same move.
pub fn check_places(locks: &[Lock]) -> Result<(), LockError> {
    for (place, lock) in locks.iter().enumerate() {
        if let Some(other) = locks[..place].iter().find(|other| other.ply == lock.ply) {
            return Err(LockError::Twice(other.clone(), lock.clone()));
        }
    }
    Ok(())
}

/// Decodes a game and checks that it keeps all the locked moves.
///
/// # Errors
/// The first lock that cannot be kept, and what is legal there.
pub fn decode_checked(
    copies: &[Vec<CellEvidence>],
    options: &DecodeOptions,
) -> Result<Game, LockError> {
    let game = decode(copies, options);
    let error = match check_game(&game, &options.locks) {
        Ok(()) => return Ok(game),
        Err(error) => error,
    };
    if let LockError::AfterTheEnd { lock, .. } = &error {
        // The search may have ended early because of the lock itself: the game without it tells what is legal there.
        let mut locks = options.locks.clone();
        locks.retain(|other| other.ply < lock.ply);
        let without = decode(
            copies,
            &DecodeOptions {
                locks: locks.clone(),
                ..options.clone()
            },
        );
        locks.push(lock.clone());
        check_game(&without, &locks)?;
    }
    Err(error)
}

/// Whether a decoded game has all the locked moves.
///
/// # Errors
/// The first lock that it has not, and what is legal there.
fn check_game(game: &Game, locks: &[Lock]) -> Result<(), LockError> {
    let mut locks: Vec<&Lock> = locks.iter().collect();
    locks.sort_by_key(|lock| lock.ply);
    let mut board = Board::default();
    let mut ply = 1;
    for lock in locks {
        while ply < lock.ply {
            let Some(legal) = told(game, &board, ply) else {
                return Err(after_the_end(lock, ply));
            };
            board.play_unchecked(legal.played);
            ply += 1;
        }
        let (told, known) = (told(game, &board, ply), lock.moves(&board));
        if told.is_none() && !known.is_empty() {
            return Err(after_the_end(lock, ply));
        }
        if !told.is_some_and(|legal| known.contains(&legal)) {
            let legal = LegalMove::all(&board);
            return Err(LockError::Illegal {
                lock: lock.clone(),
                legal: legal.iter().map(LegalMove::san).collect(),
            });
        }
    }
    Ok(())
}

/// A lock of a game that has no move at half-move `ply`.
fn after_the_end(lock: &Lock, ply: u32) -> LockError {
    LockError::AfterTheEnd {
        lock: lock.clone(),
        last: (ply - 1).div_ceil(2),
    }
}

/// The move of the game at a half-move, claimed or not.
fn told(game: &Game, board: &Board, ply: u32) -> Option<LegalMove> {
    let decoded = game.moves.iter().find(|decoded| decoded.ply == ply)?;
    let san = match &decoded.played {
        Some(played) => &played.san,
        None => &decoded.alternatives.first()?.san,
    };
    parse_move(board, san, Language::ENGLISH).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_of_locks() {
        for (text, ply, told) in [
            ("23b=Bg7", 46, "23b=Bg7"),
            ("1w=e4", 1, "1w=e4"),
            (" 7W = O-O", 13, "7w=O-O"),
            ("40b=h1=Q+", 80, "40b=h1=Q+"),
        ] {
            let lock: Lock = text.parse().unwrap();
            assert_eq!((lock.ply(), lock.to_string().as_str()), (ply, told));
        }
        for text in [
            "",
            "23=Bg7",
            "b=Bg7",
            "0w=e4",
            "23b",
            "23b Bg7",
            "x23b=Bg7",
            "-1w=e4",
            "99999w=e4",
        ] {
            assert_eq!(
                Lock::from_str(text),
                Err(LockError::Syntax(text.to_owned()))
            );
        }
        for text in ["23b=", "23b=Bi9", "23b=draw"] {
            let error = Lock::from_str(text).unwrap_err();
            assert!(matches!(error, LockError::Move(..)), "{error}");
        }
    }

    #[test]
    fn two_locks_for_one_move() {
        let locks = ["3w=Bb5", "3b=a6", "3w=Bc4"].map(|text| text.parse().unwrap());
        assert_eq!(check_places(&locks[..2]), Ok(()));
        let error = check_places(&locks).unwrap_err();
        assert_eq!(
            error.to_string(),
            "3w=Bb5 and 3w=Bc4 are for the same move; leave one out"
        );
    }
}
