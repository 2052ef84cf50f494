//! Digests of what a game depends on: while they are the same, its results are.

use std::path::Path;

use sha2::{Digest as _, Sha256};

use crate::digest::{file_digest, hexadecimal};
use crate::manifest::GameInput;

/// What the results of a run depend on besides its games.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Settings {
    /// What the cells of a sheet depend on until they are read: program, model, options of the picture and the form.
    pub reading: String,
    /// What a game depends on from there: options of the search and of what is written.
    pub game: String,
}

/// Digest of all that a game depends on: the bytes of its sheets, what the manifest and corrections say, model, options and program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GameKey(pub(crate) String);

/// Digest of all that the cells of a game's sheets depend on until they are read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SheetsKey(pub(crate) String);

/// The digests of a game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GameKeys {
    /// Of the whole game.
    pub game: GameKey,
    /// Of its sheets alone.
    pub sheets: SheetsKey,
}

impl GameKeys {
    /// The digests of a game that is written under a name; none where one of its sheets cannot be read.
    pub(crate) fn new(settings: &Settings, name: &str, game: &GameInput) -> Option<Self> {
        let mut sheets = Sha256::new_with_prefix(&settings.reading);
        for sheet in &game.sheets {
            let (page, number) = (sheet.image.page, sheet.image.sheet);
            sheets.update(format!(
                "\n{page:?} {number:?} {}",
                digest_of_file(&sheet.image.file)?
            ));
        }
        let sheets = hexadecimal(sheets);
        let mut whole = Sha256::new_with_prefix(&sheets);
        // Everything that the game says of itself, whatever fields it has.
        whole.update(format!("\n{}\n{name}\n{game:?}", settings.game));
        Some(Self {
            game: GameKey(hexadecimal(whole)),
            sheets: SheetsKey(sheets),
        })
    }
}

/// None where it cannot be read, or not again.
fn digest_of_file(path: &Path) -> Option<String> {
    // A pipe can be read only once, and a device has no end.
    let file = path.is_file();
    file.then(|| file_digest(path).ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_digest_changes_with_what_it_is_of() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a.jpg");
        std::fs::write(&file, "a").unwrap();
        let settings = |reading: &str, game: &str| Settings {
            reading: reading.to_owned(),
            game: game.to_owned(),
        };
        let game = GameInput::single("a".to_owned(), file.clone());
        let keys = |settings, game: &GameInput| GameKeys::new(&settings, "a", game).unwrap();
        let first = keys(settings("", ""), &game);
        assert_eq!(keys(settings("", ""), &game), first);
        let mut fixed = game.clone();
        fixed.fixes = vec!["1w=e4".parse().unwrap()];
        let mut second_page = game.clone();
        second_page.sheets[0].image.page = Some(2);
        let table = [
            ("another search", settings("", "1"), &game, true),
            ("corrections", settings("", ""), &fixed, true),
            ("another model", settings("1", ""), &game, false),
            ("another page", settings("", ""), &second_page, false),
        ];
        for (name, settings, game, same_sheets) in table {
            let other = keys(settings, game);
            assert_ne!(other.game, first.game, "{name}");
            assert_eq!(other.sheets == first.sheets, same_sheets, "{name}");
        }
        std::fs::write(&file, "b").unwrap();
        let other = keys(settings("", ""), &game);
        assert!(other.game != first.game && other.sheets != first.sheets);
        let folder = GameInput::single("a".to_owned(), folder.path().to_path_buf());
        assert_eq!(GameKeys::new(&settings("", ""), "a", &folder), None);
        std::fs::remove_file(&file).unwrap();
        assert_eq!(GameKeys::new(&settings("", ""), "a", &game), None);
    }
}
