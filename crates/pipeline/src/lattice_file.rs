//! A sheet's cells and lattices in a file, so that games can be decoded again without images and model.
//!
//! Layout: the line `scoresheet.lattices/1`, the length of the header in bytes (u32, little-endian), the header (JSON: size of the image, form, alphabet and
//! cells), then for each cell with ink its lattice, row by row, one u16 (little-endian) a value: the negated natural log probability in units of 1/1024.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use scoresheet_imaging::{CellPlace, CellState, Column};
use scoresheet_notation::{Alphabet, Lattice, LatticeError};
use scoresheet_reader::best_texts;
use serde::{Deserialize, Serialize};

use crate::document::{AreaRecord, MarkedResultRecord, QualityRecord};
use crate::output::write_whole;
use crate::sheet::{CANDIDATES, Sheet, SheetCell};

/// Extension of lattice files.
pub const LATTICE_EXTENSION: &str = "lattice";

const MAGIC: &[u8] = b"scoresheet.lattices/1\n";
const UNITS: f32 = 1024.0;
/// Largest number of cells that a file may hold.
const MOST_CELLS: usize = 10_000;
/// Largest number of time steps of a cell.
const MOST_STEPS: usize = 10_000;

/// Why a lattice file could not be written or read.
#[derive(Debug, thiserror::Error)]
pub enum LatticeFileError {
    /// The file cannot be opened, read or written.
    #[error("{}: {source}; check that the path exists and may be used", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// The content is not what this version writes.
    #[error("{}: not a lattice file of this version ({problem}); make it again with --save-lattices", path.display())]
    Content {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        problem: String,
    },
}

impl LatticeFileError {
    /// The file.
    pub fn file(&self) -> &Path {
        match self {
            Self::File { path, .. } | Self::Content { path, .. } => path,
        }
    }
}

#[derive(Serialize, Deserialize)]
struct Header {
    /// Number of the sheet on its page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    sheet: Option<u32>,
    width: u32,
    height: u32,
    blocks: usize,
    rows: usize,
    /// The classes from 1 on, each a line of an alphabet file; class 0 is the blank.
    alphabet: Vec<String>,
    cells: Vec<CellHeader>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    quality: Option<QualityRecord>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    areas: Vec<AreaRecord>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    marked_result: Option<MarkedResultRecord>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    warnings: Vec<String>,
}

#[derive(Serialize, Deserialize)]
struct CellHeader {
    number: u32,
    white: bool,
    block: usize,
    row: usize,
    quad: [[f32; 2]; 4],
    ink: bool,
    /// Time steps of the lattice; 0 where there is none.
    steps: usize,
}

/// Writes the cells and lattices of a sheet.
///
/// # Errors
/// Where the file cannot be written.
pub fn save_lattices(sheet: &Sheet, path: &Path) -> Result<(), LatticeFileError> {
    let bytes = lattice_bytes(sheet).map_err(|error| content(path, &error.to_string()))?;
    write_whole(path, &bytes).map_err(|error| LatticeFileError::File {
        path: error.path,
        source: error.source,
    })
}

/// What [`save_lattices`] writes.
pub(crate) fn lattice_bytes(sheet: &Sheet) -> serde_json::Result<Vec<u8>> {
    let lattices = || sheet.cells.iter().filter_map(|cell| cell.lattice.as_ref());
    let alphabet = lattices().next().map_or_else(Vec::new, |lattice| {
        lattice.alphabet().lines().map(str::to_owned).collect()
    });
    let header = Header {
        sheet: sheet.number,
        width: sheet.width,
        height: sheet.height,
        blocks: sheet.blocks,
        rows: sheet.rows,
        alphabet,
        cells: sheet.cells.iter().map(cell_header).collect(),
        quality: sheet.quality,
        areas: sheet.areas.clone(),
        marked_result: sheet.marked_result.clone(),
        warnings: sheet.warnings.clone(),
    };
    let header = serde_json::to_vec(&header)?;
    let mut bytes = MAGIC.to_vec();
    bytes.extend((header.len() as u32).to_le_bytes());
    bytes.extend(header);
    for value in lattices().flat_map(Lattice::values) {
        bytes.extend(to_units(*value).to_le_bytes());
    }
    Ok(bytes)
}

fn to_units(value: f32) -> u16 {
    (-value * UNITS).round().clamp(0.0, f32::from(u16::MAX)) as u16
}

fn from_units(units: u16) -> f32 {
    -f32::from(units) / UNITS
}

/// The lattice as it comes back from a file.
pub(crate) fn rounded(lattice: &Lattice) -> Result<Lattice, LatticeError> {
    let values = lattice.values().iter();
    let values = values.map(|&value| from_units(to_units(value))).collect();
    Lattice::new(lattice.steps(), Arc::clone(lattice.alphabet()), values)
}

fn cell_header(cell: &SheetCell) -> CellHeader {
    CellHeader {
        number: cell.place.number,
        white: cell.place.column == Column::White,
        block: cell.place.block,
        row: cell.place.row,
        quad: cell.place.quad,
        ink: cell.state == CellState::Ink,
        steps: cell.lattice.as_ref().map_or(0, Lattice::steps),
    }
}

fn content(path: &Path, problem: &str) -> LatticeFileError {
    LatticeFileError::Content {
        path: path.to_path_buf(),
        problem: problem.to_owned(),
    }
}

/// Largest file of one sheet: some hundred cells take a megabyte or two.
const MOST_BYTES: u64 = 100_000_000;

/// Reads what [`save_lattices`] wrote; probabilities are rounded to a thousandth.
///
/// # Errors
/// Where the file cannot be read or holds something else.
pub fn load_lattices(path: &Path) -> Result<Sheet, LatticeFileError> {
    let failed = |source| LatticeFileError::File {
        path: path.to_path_buf(),
        source,
    };
    let size = fs::metadata(path).map_err(failed)?.len();
    if size > MOST_BYTES {
        return Err(content(path, "it is larger than a sheet can be"));
    }
    let bytes = fs::read(path).map_err(failed)?;
    parse_lattices(&bytes).map_err(|problem| content(path, &problem))
}

/// A sheet from [`lattice_bytes`], or what is wrong with them.
pub(crate) fn parse_lattices(bytes: &[u8]) -> Result<Sheet, String> {
    let cut_off = || "it is cut off".to_owned();
    let rest = bytes
        .strip_prefix(MAGIC)
        .ok_or_else(|| "its first line is another".to_owned())?;
    let (length, rest) = rest.split_first_chunk::<4>().ok_or_else(cut_off)?;
    let (header, mut values) = rest
        .split_at_checked(u32::from_le_bytes(*length) as usize)
        .ok_or_else(cut_off)?;
    let header: Header = serde_json::from_slice(header).map_err(|error| error.to_string())?;
    if header.cells.len() > MOST_CELLS {
        return Err(format!("{} cells", header.cells.len()));
    }
    let mut lines = String::from("<blank>");
    for line in &header.alphabet {
        lines.push('\n');
        lines.push_str(line);
    }
    let mut alphabet = None;
    let mut cells = Vec::with_capacity(header.cells.len());
    for cell in &header.cells {
        let mut lattice = None;
        if cell.steps > 0 {
            let alphabet = match &alphabet {
                Some(known) => Arc::clone(known),
                None => {
                    let made = Alphabet::from_lines(&lines).map_err(|error| error.to_string())?;
                    Arc::clone(alphabet.insert(Arc::new(made)))
                }
            };
            let bytes = cell
                .steps
                .min(MOST_STEPS)
                .saturating_mul(alphabet.len() * 2);
            let (here, after) = values.split_at_checked(bytes).ok_or_else(cut_off)?;
            values = after;
            let here = here
                .chunks_exact(2)
                .map(|pair| from_units(u16::from_le_bytes([pair[0], pair[1]])))
                .collect();
            let made = Lattice::new(cell.steps, alphabet, here);
            lattice = Some(made.map_err(|error| error.to_string())?);
        }
        cells.push(SheetCell {
            place: CellPlace {
                number: cell.number,
                column: if cell.white {
                    Column::White
                } else {
                    Column::Black
                },
                block: cell.block,
                row: cell.row,
                quad: cell.quad,
            },
            state: if cell.ink {
                CellState::Ink
            } else {
                CellState::Blank
            },
            candidates: lattice
                .as_ref()
                .map_or_else(Vec::new, |lattice| best_texts(lattice, CANDIDATES)),
            lattice,
        });
    }
    Ok(Sheet {
        number: header.sheet,
        width: header.width,
        height: header.height,
        blocks: header.blocks,
        rows: header.rows,
        cells,
        quality: header.quality,
        areas: header.areas,
        marked_result: header.marked_result,
        warnings: header.warnings,
        picture: None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sheet() -> Sheet {
        let alphabet = Arc::new(Alphabet::from_lines("_\ne\n4\n5").unwrap());
        let cell = |index: u32, text: &str| SheetCell {
            place: CellPlace {
                number: index / 2 + 1,
                column: if index.is_multiple_of(2) {
                    Column::White
                } else {
                    Column::Black
                },
                block: 0,
                row: index as usize / 2,
                quad: [[0.0, 0.25], [9.0, 0.0], [9.0, 4.0], [0.0, 4.5]],
            },
            state: if text.is_empty() {
                CellState::Blank
            } else {
                CellState::Ink
            },
            lattice: (!text.is_empty()).then(|| {
                let characters: Vec<[(char, f32); 1]> =
                    text.chars().map(|one| [(one, 0.9)]).collect();
                let slices: Vec<&[(char, f32)]> =
                    characters.iter().map(|one| one.as_slice()).collect();
                Lattice::from_characters(Arc::clone(&alphabet), &slices, 0.99)
            }),
            candidates: Vec::new(),
        };
        Sheet {
            number: Some(2),
            width: 100,
            height: 200,
            blocks: 1,
            rows: 2,
            cells: vec![cell(0, "e4"), cell(1, "e5"), cell(2, ""), cell(3, "5")],
            quality: None,
            areas: vec![AreaRecord {
                place: "above".to_owned(),
                bounds: [1, 2, 3, 4],
            }],
            marked_result: Some(MarkedResultRecord {
                result: "0-1".to_owned(),
                quad: [[1.0, 2.0], [3.0, 2.0], [3.0, 4.0], [1.0, 4.0]],
            }),
            warnings: vec!["dark".to_owned()],
            picture: None,
        }
    }

    #[test]
    fn a_sheet_comes_back_as_it_was() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("sheet.lattice");
        let sheet = sheet();
        save_lattices(&sheet, &path).unwrap();
        let read = load_lattices(&path).unwrap();
        assert_eq!((read.width, read.height), (sheet.width, sheet.height));
        assert_eq!((read.blocks, read.rows), (sheet.blocks, sheet.rows));
        assert_eq!(read.number, sheet.number);
        assert_eq!(
            (&read.areas, &read.marked_result, &read.warnings),
            (&sheet.areas, &sheet.marked_result, &sheet.warnings)
        );
        let texts: Vec<Option<&str>> = read
            .cells
            .iter()
            .map(|cell| cell.candidates.first().map(|best| best.text.as_str()))
            .collect();
        assert_eq!(texts, [Some("e4"), Some("e5"), None, Some("5")]);
        for (read, written) in read.cells.iter().zip(&sheet.cells) {
            assert_eq!((read.state, &read.place), (written.state, &written.place));
            let values = |cell: &SheetCell| {
                cell.lattice
                    .as_ref()
                    .map_or_else(Vec::new, |lattice| lattice.values().to_vec())
            };
            for (a, b) in values(read).iter().zip(values(written)) {
                assert!((a - b).abs() <= 0.5 / UNITS + 1e-6, "{a} for {b}");
            }
        }
    }

    #[test]
    fn other_files_are_told() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("sheet.lattice");
        save_lattices(&sheet(), &path).unwrap();
        let whole = fs::read(&path).unwrap();
        let cases: [(&[u8], &str); 4] = [
            (b"", "first line"),
            (b"\xff\xd8\xff", "first line"),
            (&whole[..30], "cut off"),
            (&whole[..whole.len() - 1], "cut off"),
        ];
        for (bytes, problem) in cases {
            fs::write(&path, bytes).unwrap();
            let message = load_lattices(&path).unwrap_err().to_string();
            assert!(
                message.contains(problem) && message.contains("sheet.lattice"),
                "{message}"
            );
        }
        let missing = load_lattices(&folder.path().join("none.lattice")).unwrap_err();
        assert!(matches!(missing, LatticeFileError::File { .. }));
    }
}
