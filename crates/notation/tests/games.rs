//! Human games for the other tests.

use std::io::Read;
use std::path::PathBuf;
use std::sync::LazyLock;

/// The collection, a game in standard algebraic notation a line; empty (with a note) where the data is not there.
static COLLECTION: LazyLock<String> = LazyLock::new(|| {
    let root = std::env::var_os("SCORESHEET_DATA").map_or_else(
        || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data"),
        PathBuf::from,
    );
    let path = root.join("games/games.txt.gz");
    let Ok(file) = std::fs::File::open(&path) else {
        eprintln!(
            "skipped: {} is not there (set SCORESHEET_DATA)",
            path.display()
        );
        return String::new();
    };
    let mut text = String::new();
    flate2::read::GzDecoder::new(file)
        .read_to_string(&mut text)
        .unwrap();
    text
});

/// So many games from all parts of the collection.
pub(crate) fn games(count: usize) -> impl Iterator<Item = &'static str> {
    let step = (COLLECTION.lines().count() / count).max(1);
    COLLECTION.lines().step_by(step).take(count)
}
