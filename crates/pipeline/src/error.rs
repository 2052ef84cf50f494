//! Why a sheet could not be read.

use std::path::{Path, PathBuf};

use scoresheet_decoder::LockError;
use scoresheet_imaging::{FormError, LoadError};
use scoresheet_reader::ReaderError;

use crate::form_file::FormFileError;
use crate::lattice_file::LatticeFileError;

/// Why a sheet gave no moves. Every message names the file and the remedy.
#[derive(Debug, thiserror::Error)]
pub enum SheetError {
    /// The file is no usable image.
    #[error(transparent)]
    Load(#[from] LoadError),
    /// Saved lattices could not be read, or lattices not be saved.
    #[error(transparent)]
    Lattices(#[from] LatticeFileError),
    /// No table of moves was found on the page.
    #[error("{}: {source} (or describe the form in a file and give that with --form)", path.display())]
    Form {
        /// The image file.
        path: PathBuf,
        /// What was found instead.
        source: FormError,
    },
    /// A form that a person has described does not fit the picture.
    #[error(transparent)]
    GivenForm(#[from] FormFileError),
    /// The page shows fewer sheets.
    #[error("{}: shows {}, no sheet {sheet}; `scoresheet forms` lists them", path.display(), counted(*sheets))]
    NoSuchSheet {
        /// The page.
        path: PathBuf,
        /// The sheet that was asked for.
        sheet: u32,
        /// Sheets that there are.
        sheets: u32,
    },
    /// Moves of one game are fixed, but the page shows several; they are read without these moves.
    #[error("{}: shows several sheets, and the fixed moves are of one game; name its sheet, such as {}, and take them back where they are kept (fixes.csv in the output folder)", path.display(), example.display())]
    FixedOfSeveral {
        /// The page.
        path: PathBuf,
        /// How the first of its sheets is named.
        example: PathBuf,
    },
    /// Moves of a sheet are fixed that the page does not show.
    #[error("{}: no game is read from a sheet {sheet} of this page, but moves of it are fixed; correct the name of the game, or take them back", path.display())]
    FixedOfNone {
        /// The page.
        path: PathBuf,
        /// Number of the sheet.
        sheet: u32,
    },
    /// The table was found but holds no handwriting.
    #[error("{}: the table of moves has no handwriting; check that the written side was scanned and that the ink is visible", .0.display())]
    NoInk(PathBuf),
    /// The handwriting model failed.
    #[error("{}: the handwriting model failed ({source}); if --model is given, check that file", path.display())]
    Reader {
        /// The image file.
        path: PathBuf,
        /// What the model runner said.
        source: ReaderError,
    },
    /// A move that a person told cannot be kept; the game is read without it.
    #[error("{}: {source}", path.display())]
    Fixed {
        /// The first file of the game.
        path: PathBuf,
        /// Which, and why.
        source: LockError,
    },
    /// The sheet took too long.
    #[error("{}: not read within {seconds} s; give it more with --time-limit, or scan the sheet again", path.display())]
    TimeLimit {
        /// The image file.
        path: PathBuf,
        /// The time that it had, in seconds.
        seconds: f32,
    },
    /// A defect of this program; the other sheets are not harmed.
    #[error("{}: internal error ({message}); please report it with the image", path.display())]
    Internal {
        /// The image file.
        path: PathBuf,
        /// The message of the panic.
        message: String,
    },
}

fn counted(sheets: u32) -> String {
    match sheets {
        1 => "one sheet".to_owned(),
        sheets => format!("{sheets} sheets"),
    }
}

/// Runs one stage so that a panic in it (a defect in a decoder, say) becomes an error of this file alone.
pub(crate) fn catching<T>(
    path: &Path,
    stage: impl FnOnce() -> Result<T, SheetError>,
) -> Result<T, SheetError> {
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(stage)).unwrap_or_else(|payload| {
        let message = payload
            .downcast_ref::<String>()
            .cloned()
            .or_else(|| {
                payload
                    .downcast_ref::<&str>()
                    .map(|text| (*text).to_owned())
            })
            .unwrap_or_else(|| "panic".to_owned());
        Err(SheetError::Internal {
            path: path.to_path_buf(),
            message,
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_becomes_an_error_of_the_file() {
        let path = Path::new("sheet.jpg");
        let error = catching(path, || -> Result<(), _> { panic!("index {}", 7) }).unwrap_err();
        assert!(
            error
                .to_string()
                .starts_with("sheet.jpg: internal error (index 7)")
        );
        assert!(catching(path, || Ok(1)).is_ok());
    }
}
