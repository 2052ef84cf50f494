//! Files written whole, under names that never collide.

use std::collections::HashSet;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use crate::input::sheet_suffix;

/// A file or folder of the output that could not be written, or not be read back.
#[derive(Debug, thiserror::Error)]
#[error("{}: {attempt} ({source}); {}", path.display(), attempt.remedy())]
pub struct OutputError {
    /// What was to be written or read.
    pub path: PathBuf,
    /// What the system said.
    pub source: std::io::Error,
    attempt: Attempt,
}

/// What was tried with a file of the output.
#[derive(Debug, Clone, Copy, thiserror::Error)]
enum Attempt {
    #[error("cannot be written")]
    Write,
    #[error("cannot be read back")]
    Read,
}

impl Attempt {
    fn remedy(self) -> &'static str {
        match self {
            Self::Write => "check that the folder exists, is writable and has room",
            Self::Read => "check its permissions, and give the same command again",
        }
    }
}

impl OutputError {
    /// Makes of what the system said the error of a file that could not be written.
    pub(crate) fn unwritable(path: &Path) -> impl Fn(std::io::Error) -> Self {
        Self::failed(path, Attempt::Write)
    }

    /// The same of a file of the output that could not be read back.
    pub(crate) fn unreadable(path: &Path) -> impl Fn(std::io::Error) -> Self {
        Self::failed(path, Attempt::Read)
    }

    fn failed(path: &Path, attempt: Attempt) -> impl Fn(std::io::Error) -> Self {
        move |source| Self {
            path: path.to_path_buf(),
            source,
            attempt,
        }
    }
}

/// Makes a folder with its parents and proves that files can be written in it.
pub fn prepare_folder(folder: &Path) -> Result<(), OutputError> {
    let failed = OutputError::unwritable(folder);
    std::fs::create_dir_all(folder).map_err(&failed)?;
    let (first, last) = TEMPORARY;
    let probe = folder.join(format!("{first}{}{last}", std::process::id()));
    File::create(&probe).map_err(&failed)?;
    std::fs::remove_file(&probe).map_err(failed)
}

/// First and last part of the names of temporary files.
const TEMPORARY: (&str, &str) = (".scoresheet-", ".tmp");

/// Writes a file by way of a temporary neighbour and a rename, so that readers never see half of it.
pub fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), OutputError> {
    let mut file = WholeFile::create(path)?;
    file.write(bytes)?;
    file.commit()
}

/// A file that is written bit by bit and appears whole, or not at all.
pub struct WholeFile {
    path: PathBuf,
    temporary: PathBuf,
    /// None when the file has been committed.
    file: Option<BufWriter<File>>,
}

impl WholeFile {
    /// Begins a file under a temporary name in the same folder.
    pub fn create(path: &Path) -> Result<Self, OutputError> {
        let file_name = path
            .file_name()
            .map(|name| name.to_string_lossy().into_owned())
            .unwrap_or_default();
        let (first, last) = TEMPORARY;
        let temporary =
            path.with_file_name(format!("{first}{}-{file_name}{last}", std::process::id()));
        let file = File::create(&temporary).map_err(OutputError::unwritable(path))?;
        Ok(Self {
            path: path.to_path_buf(),
            temporary,
            file: Some(BufWriter::new(file)),
        })
    }

    /// Adds to the file.
    pub fn write(&mut self, bytes: &[u8]) -> Result<(), OutputError> {
        let result = match &mut self.file {
            Some(file) => file.write_all(bytes),
            None => Ok(()),
        };
        result.map_err(OutputError::unwritable(&self.path))
    }

    /// Puts the file in its place, replacing an older one, when all of it is safely on the disk.
    pub fn commit(mut self) -> Result<(), OutputError> {
        let Some(file) = self.file.take() else {
            return Ok(());
        };
        let finish = || -> std::io::Result<()> {
            let file = file.into_inner().map_err(|error| error.into_error())?;
            file.sync_all()?;
            std::fs::rename(&self.temporary, &self.path)
        };
        finish().map_err(|source| {
            // The write has failed already; a leftover that cannot be removed adds nothing to say.
            let _ = std::fs::remove_file(&self.temporary);
            OutputError::unwritable(&self.path)(source)
        })
    }
}

impl Drop for WholeFile {
    fn drop(&mut self) {
        if let Some(file) = self.file.take() {
            // Given up before the commit: nothing more is to be written.
            drop(file.into_parts());
            let _ = std::fs::remove_file(&self.temporary);
        }
    }
}

/// Removes the temporary files that a killed run left in a folder. No other run may be at work in it.
pub(crate) fn remove_temporary_files(folder: &Path) {
    let (first, last) = TEMPORARY;
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        if name.starts_with(first) && name.ends_with(last) {
            // What cannot be removed does no harm.
            let _ = std::fs::remove_file(entry.path());
        }
    }
}

/// Hands out file names: safe on every file system, each only once.
#[derive(Debug, Default)]
pub struct NameRegistry {
    taken: HashSet<String>,
}

impl NameRegistry {
    /// A registry in which `reserved` names are taken already.
    pub fn with_reserved(reserved: &[&str]) -> Self {
        Self {
            taken: reserved.iter().map(|name| name.to_lowercase()).collect(),
        }
    }

    /// Takes a name out of use.
    pub fn reserve(&mut self, name: &str) {
        self.taken.insert(name.to_lowercase());
    }

    /// A file name (without extension) for `wanted`: characters that a file system may refuse become
    /// `_`, and a name that is taken, also in other case, gets `-2`, `-3`, ….
    pub fn claim(&mut self, wanted: &str) -> String {
        let safe = safe_file_name(wanted);
        let mut name = safe.clone();
        let mut count = 1;
        while !self.taken.insert(name.to_lowercase()) {
            count += 1;
            name = format!("{safe}-{count}");
        }
        name
    }

    /// A file name for a sheet on a page whose own name, claimed before, is `page`: that name where the page shows no other sheet, else with `-s2`.
    ///
    /// As long as the names of all pages are claimed first, it does not depend on the order of these calls.
    pub fn claim_sheet(&mut self, page: &str, sheet: Option<u32>) -> String {
        match sheet {
            None => page.to_owned(),
            Some(sheet) => self.claim(&format!("{page}{}", sheet_suffix(sheet))),
        }
    }
}

fn safe_file_name(wanted: &str) -> String {
    /// Most file systems allow 255 bytes; the rest is for the extension and a count.
    const MAXIMUM_BYTES: usize = 200;
    let mut name = String::new();
    for character in wanted.trim().chars() {
        let refused = character.is_control() || "/\\:*?\"<>|".contains(character);
        let character = if refused { '_' } else { character };
        if name.len() + character.len_utf8() > MAXIMUM_BYTES {
            break;
        }
        name.push(character);
    }
    // Leading dots hide a file or name a parent folder; a leading dash looks like an option.
    let hidden = name.starts_with('.') || name.starts_with('-');
    if name.is_empty() || hidden {
        name.insert(0, '_');
    }
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_safe_and_unique() {
        let mut names = NameRegistry::with_reserved(&["games"]);
        let table = [
            ("board 1", "board 1"),
            ("Board 1", "Board 1-2"),
            ("board 1", "board 1-3"),
            ("games", "games-2"),
            ("round 1/board:2", "round 1_board_2"),
            ("../../etc", "_.._.._etc"),
            ("", "_"),
            ("-rf", "_-rf"),
            ("Žižkov", "Žižkov"),
        ];
        for (wanted, name) in table {
            assert_eq!(names.claim(wanted), name, "{wanted}");
        }
    }

    #[test]
    fn sheets_of_a_page_add_to_its_name() {
        let mut names = NameRegistry::default();
        let pages = ["a", "a-s2", "a"].map(|page| names.claim(page));
        assert_eq!(pages, ["a", "a-s2", "a-2"]);
        let sheets = [
            ("a", None),
            ("a", Some(1)),
            ("a", Some(2)),
            ("a-2", Some(2)),
        ];
        let names = sheets.map(|(page, sheet)| names.claim_sheet(page, sheet));
        assert_eq!(names, ["a", "a-s1", "a-s2-2", "a-2-s2"]);
    }

    #[test]
    fn a_file_is_replaced_whole_and_leaves_nothing_behind() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.pgn");
        for text in ["first, longer", "second"] {
            write_whole(&path, text.as_bytes()).unwrap();
            assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
        }
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_file_given_up_leaves_the_old_one() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.pgn");
        write_whole(&path, b"old").unwrap();
        let mut file = WholeFile::create(&path).unwrap();
        file.write(b"new").unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"old");
        drop(file);
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
        // As after a kill.
        std::mem::forget(WholeFile::create(&path).unwrap());
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 2);
        remove_temporary_files(folder.path());
        assert_eq!(std::fs::read(&path).unwrap(), b"old");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn an_unwritable_place_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        std::fs::write(&file, b"").unwrap();
        // Below a regular file nothing can be made, whatever the user's rights.
        let below = file.join("below");
        let error = prepare_folder(&below).unwrap_err();
        assert!(error.to_string().contains("below"), "{error}");
        assert!(write_whole(&below.join("a.pgn"), b"x").is_err());
    }
}
