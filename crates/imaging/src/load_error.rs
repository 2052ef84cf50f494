//! Why a file is no page, and what a page may cost.

use std::path::{Path, PathBuf};

use image::ImageError;

/// What an image may cost before it is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Most pixels (width x height) of a page.
    pub pixels: u64,
    /// Smallest width and height, in pixels: below, no move can be legible.
    pub side: u32,
    /// Most pages of one file.
    pub pages: u32,
    /// Most bytes of one file.
    pub bytes: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            pixels: 100_000_000,
            side: 200,
            pages: 500,
            bytes: 500_000_000,
        }
    }
}

impl Limits {
    /// Whether a page of this size may be read.
    pub(crate) fn check_size(&self, file: &Path, width: u32, height: u32) -> Result<(), LoadError> {
        let file = || file.to_path_buf();
        if u64::from(width) * u64::from(height) > self.pixels {
            return Err(LoadError::TooLarge {
                file: file(),
                width,
                height,
                limit: self.pixels,
            });
        }
        if width < self.side || height < self.side {
            return Err(LoadError::TooSmall {
                file: file(),
                width,
                height,
                limit: self.side,
            });
        }
        Ok(())
    }
}

/// Why a file is no page. Every message names the file (`file#3` for its third page) and the remedy.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// The file cannot be opened or read.
    #[error("{}: cannot be read ({source}); check the name and the permissions", file.display())]
    Io {
        /// The file.
        file: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// What has the name is no regular file.
    #[error("{}: a pipe, socket or device and not a file; save the picture in a file", file.display())]
    NotAFile {
        /// The name.
        file: PathBuf,
    },
    /// The file has no bytes.
    #[error("{}: the file is empty; scan or copy it again", file.display())]
    Empty {
        /// The file.
        file: PathBuf,
    },
    /// The file has more bytes than the limit.
    #[error("{}: {bytes} bytes are more than the limit of {limit}; split the file or raise the limit (--max-megabytes)", file.display())]
    TooManyBytes {
        /// The file.
        file: PathBuf,
        /// Its length.
        bytes: u64,
        /// Most bytes allowed.
        limit: u64,
    },
    /// The file has more pages than the limit.
    #[error("{}: {pages} pages are more than the limit of {limit}; split the file or raise the limit (--max-pages)", file.display())]
    TooManyPages {
        /// The file.
        file: PathBuf,
        /// Its pages.
        pages: u32,
        /// Most pages allowed.
        limit: u32,
    },
    /// The file has no page of this number.
    #[error("{}: the file has {pages} pages, no page {page}; correct the number", file.display())]
    NoSuchPage {
        /// The file.
        file: PathBuf,
        /// The page asked for, from 1.
        page: u32,
        /// The pages there are.
        pages: u32,
    },
    /// The bytes are of no known image format.
    #[error("{}: not an image of a known format; use JPEG, PNG, TIFF, PDF, HEIC, WebP, GIF or BMP", file.display())]
    NotAnImage {
        /// The file.
        file: PathBuf,
    },
    /// The format is known but not read.
    #[error("{}: {format} is not read; {remedy}", file.display())]
    Unsupported {
        /// The file.
        file: PathBuf,
        /// Its format, or the part of it that is not read.
        format: String,
        /// What to do.
        remedy: &'static str,
    },
    /// The image is damaged or uses an unsupported variant of its format.
    #[error("{}: the image is damaged or cut off ({source}); scan or copy it again", file.display())]
    Damaged {
        /// The file.
        file: PathBuf,
        /// What the decoder says.
        source: ImageError,
    },
    /// The file holds pages, and one of them or the file itself is damaged.
    #[error("{}: damaged or cut off ({problem}); scan or copy it again", file.display())]
    DamagedDocument {
        /// The file.
        file: PathBuf,
        /// What the decoder says.
        problem: String,
    },
    /// The document is encrypted, and not with the empty password.
    #[error("{}: the document is encrypted; open it with its password and print it to a new PDF", file.display())]
    Protected {
        /// The file.
        file: PathBuf,
    },
    /// The image has more pixels than the limit.
    #[error("{}: {width} x {height} pixels are more than the limit of {limit}; save it smaller or raise the limit (--max-megapixels)", file.display())]
    TooLarge {
        /// The file.
        file: PathBuf,
        /// Pixels across.
        width: u32,
        /// Pixels down.
        height: u32,
        /// Most pixels allowed.
        limit: u64,
    },
    /// The image is too small to hold a legible sheet.
    #[error("{}: {width} x {height} pixels are too few for a sheet (at least {limit} each way); scan it at 150 dpi or more", file.display())]
    TooSmall {
        /// The file.
        file: PathBuf,
        /// Pixels across.
        width: u32,
        /// Pixels down.
        height: u32,
        /// Least pixels each way.
        limit: u32,
    },
}

impl LoadError {
    /// The file, or `file#3` for its third page.
    pub fn file(&self) -> &Path {
        match self {
            Self::Io { file, .. }
            | Self::NotAFile { file }
            | Self::Empty { file }
            | Self::TooManyBytes { file, .. }
            | Self::TooManyPages { file, .. }
            | Self::NoSuchPage { file, .. }
            | Self::NotAnImage { file }
            | Self::Unsupported { file, .. }
            | Self::Damaged { file, .. }
            | Self::DamagedDocument { file, .. }
            | Self::Protected { file }
            | Self::TooLarge { file, .. }
            | Self::TooSmall { file, .. } => file,
        }
    }
}
