//! The sheets of a game as they were read, kept in the output folder: a game with corrections or with other options of the search is found anew without the model.
//!
//! Layout: a line of JSON (the digest of what the sheets were read from and with, the digest of the rest of the file, and the lengths of the lattice files of
//! each page), then the lattice files one after another. About 0.2 megabytes a sheet.

use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::digest::digest;
use crate::game_key::SheetsKey;
use crate::game_reader::ReadPages;
use crate::lattice_file::{lattice_bytes, parse_lattices};
use crate::output::{OutputError, write_whole};
use crate::sheet::Sheet;

/// Larger games are not kept: they are read again.
const MOST_BYTES: usize = 16 << 20;

#[derive(Serialize, Deserialize)]
struct Header {
    key: String,
    digest: String,
    pages: Vec<Vec<usize>>,
}

/// Keeps the sheets of a game whose pages could all be read.
///
/// # Errors
/// Where the file cannot be written.
pub(crate) fn keep_sheets(
    path: &Path,
    key: &SheetsKey,
    pages: &ReadPages,
) -> Result<(), OutputError> {
    match file_of(key, pages) {
        Some(bytes) if bytes.len() <= MOST_BYTES => write_whole(path, &bytes),
        _ => Ok(()),
    }
}

fn file_of(key: &SheetsKey, pages: &ReadPages) -> Option<Vec<u8>> {
    let mut rest = Vec::new();
    let mut lengths = Vec::with_capacity(pages.len());
    for page in pages {
        let mut of_page = Vec::new();
        for sheet in page.as_ref().ok()? {
            let bytes = lattice_bytes(sheet).ok()?;
            of_page.push(bytes.len());
            rest.extend(bytes);
        }
        lengths.push(of_page);
    }
    let header = Header {
        key: key.0.clone(),
        digest: digest(&rest),
        pages: lengths,
    };
    let mut file = serde_json::to_vec(&header).ok()?;
    file.push(b'\n');
    file.extend(rest);
    Some(file)
}

/// The sheets of each page as they were kept under this key; nothing where they were not, or the file is damaged.
pub(crate) fn kept_sheets(path: &Path, key: &SheetsKey) -> Option<Vec<Vec<Sheet>>> {
    let file = std::fs::read(path).ok()?;
    let end = file.iter().position(|&byte| byte == b'\n')?;
    let (header, mut rest) = (&file[..end], &file[end + 1..]);
    let header: Header = serde_json::from_slice(header).ok()?;
    if header.key != key.0 || header.digest != digest(rest) {
        return None;
    }
    let mut take = |length: &usize| {
        let (sheet, after) = rest.split_at_checked(*length)?;
        rest = after;
        parse_lattices(sheet).ok()
    };
    let pages = header.pages.iter();
    let pages: Option<Vec<Vec<Sheet>>> = pages
        .map(|lengths| lengths.iter().map(&mut take).collect())
        .collect();
    pages.filter(|_| rest.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::SheetError;

    fn sheet(number: u32) -> Sheet {
        Sheet {
            number: Some(number),
            width: 100,
            height: 200,
            blocks: 1,
            rows: 2,
            cells: Vec::new(),
            quality: None,
            areas: Vec::new(),
            marked_result: None,
            warnings: Vec::new(),
            picture: None,
        }
    }

    fn numbers(pages: Vec<Vec<Sheet>>) -> Vec<Vec<Option<u32>>> {
        let of_page = |page: &Vec<Sheet>| page.iter().map(|sheet| sheet.number).collect();
        pages.iter().map(of_page).collect()
    }

    #[test]
    fn sheets_come_back_under_their_key_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.sheets");
        let key = SheetsKey("1".to_owned());
        assert!(kept_sheets(&path, &key).is_none());
        let pages = vec![Ok(vec![sheet(1), sheet(3)]), Ok(vec![]), Ok(vec![sheet(2)])];
        keep_sheets(&path, &key, &pages).unwrap();
        let kept = numbers(kept_sheets(&path, &key).unwrap());
        assert_eq!(kept, [vec![Some(1), Some(3)], vec![], vec![Some(2)]]);
        assert!(kept_sheets(&path, &SheetsKey("2".to_owned())).is_none());
        let whole = std::fs::read(&path).unwrap();
        for at in 0..whole.len() {
            let mut damaged = whole.clone();
            damaged[at] ^= 1;
            std::fs::write(&path, &damaged).unwrap();
            assert!(kept_sheets(&path, &key).is_none(), "{at}");
            std::fs::write(&path, &whole[..at]).unwrap();
            assert!(kept_sheets(&path, &key).is_none(), "cut at {at}");
        }
    }

    #[test]
    fn a_page_that_failed_is_to_be_tried_again() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.sheets");
        let failed = Err(SheetError::NoInk(path.clone()));
        let key = SheetsKey(String::new());
        keep_sheets(&path, &key, &vec![Ok(vec![sheet(1)]), failed]).unwrap();
        assert!(!path.exists());
    }
}
