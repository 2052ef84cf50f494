//! Which game a name means: one of the batch, or one of the several games that a picture shows.

use std::collections::HashMap;
use std::path::Path;

use crate::input::{ImagePage, sheet_suffix};
use crate::manifest::GameInput;

/// A game of the batch by its index, or with the number of a sheet one of the several games that its picture shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct GamePlace {
    pub game: usize,
    pub sheet: Option<u32>,
}

/// The names of all games of a batch.
#[derive(Debug)]
pub struct GameNames {
    /// Of each game.
    names: Vec<String>,
    places: HashMap<String, GamePlace>,
    /// Of each sheet by its file as the report names it; none where two are called alike.
    files: HashMap<String, Option<GamePlace>>,
}

impl GameNames {
    /// The names of the games, in their order.
    pub fn new(names: Vec<String>, games: &[GameInput]) -> Self {
        let mut files = HashMap::new();
        for (game, input) in games.iter().enumerate() {
            for sheet in &input.sheets {
                let label = sheet.image.label().display().to_string();
                let place = GamePlace { game, sheet: None };
                files
                    .entry(label)
                    .and_modify(|other| *other = None)
                    .or_insert(Some(place));
            }
        }
        let place = |(game, name): (usize, &String)| {
            let place = GamePlace { game, sheet: None };
            (name.clone(), place)
        };
        Self {
            places: names.iter().enumerate().map(place).collect(),
            names,
            files,
        }
    }

    /// The name of the first game, if there is one.
    pub fn first(&self) -> &str {
        self.names.first().map_or("", String::as_str)
    }

    /// Adds the name that one of the several games of a picture has got.
    pub fn add_part(&mut self, game: usize, sheet: u32, name: String) {
        let sheet = Some(sheet);
        self.places.insert(name, GamePlace { game, sheet });
    }

    /// The game that is called so; `a-s2` is the second on the picture of the game `a` if nothing else is.
    pub(crate) fn find(&self, name: &str) -> Option<GamePlace> {
        let known = |name: &str| self.places.get(name).copied();
        known(name).or_else(|| {
            let (whole, _) = name.rsplit_once('-')?;
            let place = known(whole).filter(|place| place.sheet.is_none())?;
            let number = name.trim_start_matches(whole).trim_start_matches("-s");
            let sheet: u32 = number.parse().ok()?;
            (*name == format!("{whole}{}", sheet_suffix(sheet))).then_some(GamePlace {
                sheet: Some(sheet),
                ..place
            })
        })
    }

    /// The game of a sheet, or of one of several sheets on a page (`a.jpg#1.2`).
    pub(crate) fn find_file(&self, label: &str) -> Option<GamePlace> {
        let known = |label: &str| self.files.get(label).copied().flatten();
        known(label).or_else(|| {
            let image = ImagePage::numbered(Path::new(label))?;
            let sheet = Some(image.sheet?);
            let page = image.whole_page().label().display().to_string();
            let place = known(&page).or_else(|| known(&image.file.display().to_string()))?;
            Some(GamePlace { sheet, ..place })
        })
    }

    /// The name of a game.
    pub(crate) fn name(&self, place: GamePlace) -> String {
        let named = self.places.iter().find(|(_, other)| **other == place);
        match (named, place.sheet) {
            (Some((name, _)), _) => name.clone(),
            (None, None) => self.names[place.game].clone(),
            (None, Some(sheet)) => self.names[place.game].clone() + &sheet_suffix(sheet),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::PathBuf;

    #[test]
    fn games_and_parts_are_found_by_name_and_file() {
        let pdf = ImagePage {
            page: Some(3),
            ..PathBuf::from("in/b.pdf").into()
        };
        let games = [
            GameInput::single("a".to_owned(), PathBuf::from("in/a.jpg")),
            GameInput::single("b-p3".to_owned(), pdf),
            GameInput::single("a-s2".to_owned(), PathBuf::from("in/a-s2.jpg")),
        ];
        let names = games.iter().map(|game| game.name.clone()).collect();
        let mut names = GameNames::new(names, &games);
        names.add_part(1, 2, "b-p3-s2-2".to_owned());
        for (name, game, sheet) in [
            ("a", 0, None),
            ("a-s1", 0, Some(1)),
            ("a-s2", 2, None),
            ("b-p3-s2-2", 1, Some(2)),
        ] {
            let found = names.find(name).unwrap();
            assert_eq!((found.game, found.sheet), (game, sheet), "{name}");
            assert_eq!(names.name(found), name);
        }
        for (file, game, sheet) in [
            ("in/a.jpg", 0, None),
            ("in/a.jpg#1.2", 0, Some(2)),
            ("in/b.pdf#3", 1, None),
            ("in/b.pdf#3.1", 1, Some(1)),
        ] {
            let found = names.find_file(file).unwrap();
            assert_eq!((found.game, found.sheet), (game, sheet), "{file}");
        }
        for name in ["c", "a-s", "a-s01", "a-sx", "in/b.pdf", "a-s2-s1-s1"] {
            assert_eq!(names.find(name).or(names.find_file(name)), None, "{name}");
        }
    }
}
