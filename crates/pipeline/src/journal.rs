//! What has been done in an output folder: a journal that outlives the run.
//!
//! One JSON object a line, appended and synced: which name belongs to which sheets, and which games are done, from what and with which files. A line
//! that was cut off by a kill is dropped; a journal that is damaged only means that games are read again.

use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::output::{OutputError, write_whole};

/// One line of the journal.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Entry {
    /// A name was given to a game.
    Named {
        /// File name without extension.
        name: String,
        /// Identity of its sheets.
        sheets: String,
    },
    /// A game is on the disk.
    Done(Done),
    /// A picture gave several games, all on the disk.
    Divided(Divided),
}

/// A game that is on the disk.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Done {
    /// File name without extension.
    pub name: String,
    /// Digest of all that the game depends on.
    pub key: String,
    /// Digests of its files, in the order in which the folder writes them.
    pub files: Vec<String>,
    /// Moves of the game.
    pub moves: usize,
    /// Moves that a person should look at.
    pub doubts: usize,
}

/// A picture that gave several games.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Divided {
    /// File name that the picture's only game would have.
    pub name: String,
    /// Digest of all that the games depend on; they have it, too.
    pub key: String,
    /// Number of the sheet and file name of each game, in order.
    pub games: Vec<(u32, String)>,
}

/// The journal of a folder, and what it said when it was opened.
#[derive(Debug)]
pub(crate) struct Journal {
    path: PathBuf,
    file: File,
    /// Identity of the sheets of each name.
    pub names: HashMap<String, String>,
    /// The last word on each name.
    pub done: HashMap<String, Done>,
    /// The last word on each picture that gave several games.
    pub divided: HashMap<String, Divided>,
}

impl Journal {
    /// Opens or begins a journal.
    pub fn open(path: &Path) -> Result<Self, OutputError> {
        let bytes = match std::fs::read(path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Vec::new(),
            Err(error) => return Err(OutputError::unreadable(path)(error)),
        };
        let (mut names, mut done, mut divided) = (HashMap::new(), HashMap::new(), HashMap::new());
        let mut sound = Vec::new();
        for line in bytes.split_inclusive(|&byte| byte == b'\n') {
            // A line without its end was cut off, even if what is there can be read.
            if !line.ends_with(b"\n") {
                continue;
            }
            match serde_json::from_slice(line) {
                Ok(Entry::Named { name, sheets }) => drop(names.insert(name, sheets)),
                Ok(Entry::Done(entry)) => drop(done.insert(entry.name.clone(), entry)),
                Ok(Entry::Divided(entry)) => drop(divided.insert(entry.name.clone(), entry)),
                Err(_) => continue,
            }
            sound.extend_from_slice(line);
        }
        if sound != bytes {
            write_whole(path, &sound)?;
        }
        let file = OpenOptions::new()
            .append(true)
            .create(true)
            .open(path)
            .map_err(OutputError::unwritable(path))?;
        Ok(Self {
            path: path.to_path_buf(),
            file,
            names,
            done,
            divided,
        })
    }

    /// Adds entries and waits until they are on the disk.
    pub fn append(&mut self, entries: &[Entry]) -> Result<(), OutputError> {
        let mut lines = Vec::new();
        for entry in entries {
            // A structure of texts and numbers can always be written as JSON.
            if serde_json::to_writer(&mut lines, entry).is_ok() {
                lines.push(b'\n');
            }
        }
        let mut write = || {
            self.file.write_all(&lines)?;
            self.file.sync_data()
        };
        write().map_err(OutputError::unwritable(&self.path))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::digest::digest;

    fn done(name: &str, key: &str) -> Done {
        Done {
            name: name.to_owned(),
            key: key.to_owned(),
            files: vec![digest(b"x")],
            moves: 3,
            doubts: 1,
        }
    }

    #[test]
    fn the_last_word_counts_and_a_torn_line_does_not() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal.jsonl");
        let named = Entry::Named {
            name: "a".to_owned(),
            sheets: "s".to_owned(),
        };
        let mut journal = Journal::open(&path).unwrap();
        assert!(journal.names.is_empty() && journal.done.is_empty());
        journal
            .append(&[named, Entry::Done(done("a", "1"))])
            .unwrap();
        journal.append(&[Entry::Done(done("a", "2"))]).unwrap();
        drop(journal);
        let whole = std::fs::read(&path).unwrap();
        // Cut anywhere, also inside the last line, and go on.
        for length in 0..=whole.len() {
            std::fs::write(&path, &whole[..length]).unwrap();
            let mut journal = Journal::open(&path).unwrap();
            journal.append(&[Entry::Done(done("b", "3"))]).unwrap();
            let journal = Journal::open(&path).unwrap();
            assert_eq!(journal.done["b"], done("b", "3"), "{length}");
            if length == whole.len() {
                assert_eq!(journal.done["a"], done("a", "2"));
                assert_eq!(journal.names["a"], "s");
            }
        }
    }
}
