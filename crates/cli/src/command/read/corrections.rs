//! What a person corrected: from tables and options to the games, and kept in the output folder.

use anyhow::Result;
use scoresheet_pipeline::{FixError, FixTable, Fixes};

use super::ReadConfig;
use super::delivery::Target;
use crate::console::Console;

/// Gives each game its corrections: those kept in the output folder, those of the tables and those of options, all of which are kept from now on.
///
/// The warnings, or nothing where a table has errors; those are told.
pub fn correct(
    config: &mut ReadConfig,
    target: &Target,
    console: &Console,
) -> Result<Option<Vec<String>>> {
    let names = target.game_names(&config.games);
    let kept_at = match target {
        Target::Folder(folder) => Some(folder.fixes_path()),
        Target::Stdout(_) => None,
    };
    let mut problems: Vec<FixError> = Vec::new();
    let mut fixes = Fixes::default();
    if let Some(path) = &kept_at {
        match FixTable::read_if_there(path) {
            Ok(table) => fixes = Fixes::kept(&table),
            Err(found) => problems.extend(found),
        }
    }
    let before = fixes.clone();
    for path in &config.fixes {
        let added = FixTable::read(path).and_then(|table| fixes.add(&table, &names));
        problems.extend(added.err().into_iter().flatten());
    }
    if !problems.is_empty() {
        for problem in problems {
            console.error(&problem);
        }
        return Ok(None);
    }
    if config.games.len() == 1 {
        fixes.tell(names.first(), &config.fix);
    }
    let absent = fixes.give(&mut config.games, &names);
    let mut warnings = Vec::new();
    if let Some(path) = &kept_at {
        if fixes != before {
            fixes.write(path)?;
        }
        warnings.extend(absent.iter().map(|name| {
            format!(
                "{}: the game \"{name}\" is not among the sheets of this run; its corrections are kept for it",
                path.display()
            )
        }));
    }
    Ok(Some(warnings))
}
