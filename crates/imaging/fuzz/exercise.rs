//! What has to hold for any file at all.

use scoresheet_imaging::{
    CELL_HEIGHT, Limits, count_pages, cut_cell, find_upright_forms, load_page,
};

/// Small enough that a run of the fuzzer is fast; the limits themselves are tried, too.
const LIMITS: Limits = Limits {
    pixels: 600_000,
    pages: 4,
    bytes: 1_000_000,
    side: 200,
};

/// Takes a file from its bytes to the pictures of its cells.
pub fn exercise(bytes: &[u8]) {
    let folder = tempfile::tempdir().expect("a folder for the file");
    // The name says nothing: the kind is told by the first bytes.
    let path = folder.path().join("page");
    std::fs::write(&path, bytes).expect("room for the file");
    let pages = count_pages(&path, &LIMITS).unwrap_or(1);
    assert!(pages <= LIMITS.pages);
    for number in 1..=pages {
        let Ok(page) = load_page(&path, number, &LIMITS) else {
            continue;
        };
        let (width, height) = page.gray.dimensions();
        assert!(u64::from(width) * u64::from(height) <= LIMITS.pixels);
        let Ok(found) = find_upright_forms(page) else {
            continue;
        };
        assert!(!found.forms.is_empty());
        for form in &found.forms {
            assert_eq!(form.cells.len(), 2 * form.blocks * form.rows);
            for place in &form.cells {
                assert_eq!(cut_cell(&found.paper, place).image.height(), CELL_HEIGHT);
            }
        }
    }
}
