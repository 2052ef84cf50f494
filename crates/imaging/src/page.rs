//! Files of images to upright grey pages.

use std::fs::File;
use std::io::{BufReader, Cursor, Read, Seek};
use std::path::{Path, PathBuf};

use image::error::{DecodingError, ImageFormatHint};
use image::metadata::Orientation;
use image::{DynamicImage, GrayImage, ImageDecoder, ImageError, ImageFormat, ImageReader};

use crate::container::Container;
#[cfg(feature = "heic")]
use crate::heic;
use crate::ink::darkest_channel;
use crate::jpeg;
use crate::load_error::{Limits, LoadError};
#[cfg(feature = "pdf")]
use crate::pdf;
use crate::tiff;

/// A page as it is worked on: one grey channel, upright as the file's EXIF orientation says.
#[derive(Debug, Clone)]
pub struct Page {
    /// The darkest colour channel of each pixel, so that coloured ink is dark.
    pub gray: GrayImage,
}

/// Number of pages of a file: more than one only for TIFF and PDF.
///
/// # Errors
/// A [`LoadError`] where the file cannot be opened, is of no known format, or is over the limits.
pub fn count_pages(path: &Path, limits: &Limits) -> Result<u32, LoadError> {
    let mut file = open(path, limits)?;
    let pages = match container(&mut file, path)? {
        Container::Tiff => tiff::count_pages(BufReader::new(file), path, limits.pages)?,
        #[cfg(feature = "pdf")]
        Container::Pdf => pdf::count_pages(read_all(file, path)?, path)?,
        _ => 1,
    };
    if pages > limits.pages {
        return Err(LoadError::TooManyPages {
            file: path.to_path_buf(),
            pages,
            limit: limits.pages,
        });
    }
    Ok(pages)
}

/// Reads one page of a file, from 1, turns it as its EXIF orientation says and keeps the darkest channel.
///
/// Nothing but this page is decoded. A page of a PDF is drawn at 250 dots an inch.
///
/// # Errors
/// A [`LoadError`] that names the file, and the page where there are several, and what to do.
pub fn load_page(path: &Path, page: u32, limits: &Limits) -> Result<Page, LoadError> {
    let mut file = open(path, limits)?;
    let gray = match container(&mut file, path)? {
        Container::Tiff => tiff::load(BufReader::new(file), path, page, limits)?,
        #[cfg(feature = "pdf")]
        Container::Pdf => pdf::load(read_all(file, path)?, path, page, limits)?,
        #[cfg(not(feature = "pdf"))]
        Container::Pdf => {
            return Err(LoadError::Unsupported {
                file: path.to_path_buf(),
                format: "PDF (in this build)".to_owned(),
                remedy: "build with the feature pdf, or save the pages as images",
            });
        }
        _ if page != 1 => {
            return Err(LoadError::NoSuchPage {
                file: path.to_path_buf(),
                page,
                pages: 1,
            });
        }
        Container::Foreign { format, remedy } => {
            return Err(LoadError::Unsupported {
                file: path.to_path_buf(),
                format: format.to_owned(),
                remedy,
            });
        }
        #[cfg(feature = "heic")]
        Container::Heic => heic::load(&read_all(file, path)?, path, limits)?,
        #[cfg(not(feature = "heic"))]
        Container::Heic => {
            return Err(LoadError::Unsupported {
                file: path.to_path_buf(),
                format: "HEIC (in this build)".to_owned(),
                remedy: crate::container::PHONE_REMEDY,
            });
        }
        Container::Image(format) => load_image(file, format, path, limits)?,
    };
    Ok(Page { gray })
}

/// The name by which a page of a file of several is called in messages, and may be called by the user.
pub(crate) fn page_name(path: &Path, page: u32, pages: u32) -> PathBuf {
    if pages == 1 && page == 1 {
        return path.to_path_buf();
    }
    let mut name = path.as_os_str().to_owned();
    name.push(format!("#{page}"));
    name.into()
}

fn open(path: &Path, limits: &Limits) -> Result<File, LoadError> {
    let io = |source| LoadError::Io {
        file: path.to_path_buf(),
        source,
    };
    // Opening a pipe would wait for someone to write into it.
    let metadata = std::fs::metadata(path).map_err(io)?;
    if metadata.is_dir() {
        return Err(io(std::io::ErrorKind::IsADirectory.into()));
    }
    if !metadata.is_file() {
        return Err(LoadError::NotAFile {
            file: path.to_path_buf(),
        });
    }
    let file = File::open(path).map_err(io)?;
    match metadata.len() {
        0 => Err(LoadError::Empty {
            file: path.to_path_buf(),
        }),
        bytes if bytes > limits.bytes => Err(LoadError::TooManyBytes {
            file: path.to_path_buf(),
            bytes,
            limit: limits.bytes,
        }),
        _ => Ok(file),
    }
}

/// What the first bytes of a file say; the file is left at its start.
fn container(file: &mut File, path: &Path) -> Result<Container, LoadError> {
    let io = |source| LoadError::Io {
        file: path.to_path_buf(),
        source,
    };
    let mut start = Vec::new();
    Read::by_ref(file)
        .take(Container::BYTES)
        .read_to_end(&mut start)
        .map_err(io)?;
    file.rewind().map_err(io)?;
    Container::of(&start).ok_or_else(|| LoadError::NotAnImage {
        file: path.to_path_buf(),
    })
}

fn read_all(mut file: File, path: &Path) -> Result<Vec<u8>, LoadError> {
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes)
        .map_err(|source| LoadError::Io {
            file: path.to_path_buf(),
            source,
        })?;
    Ok(bytes)
}

fn load_image(
    file: File,
    format: ImageFormat,
    path: &Path,
    limits: &Limits,
) -> Result<GrayImage, LoadError> {
    let damaged = |source| match source {
        ImageError::Unsupported(_) => LoadError::NotAnImage {
            file: path.to_path_buf(),
        },
        source => LoadError::Damaged {
            file: path.to_path_buf(),
            source,
        },
    };
    if format != ImageFormat::Jpeg {
        let reader = ImageReader::with_format(BufReader::new(file), format);
        return decode(reader.into_decoder().map_err(damaged)?, path, limits).map_err(damaged)?;
    }
    let bytes = read_all(file, path)?;
    if !jpeg::is_whole(&bytes) {
        let hint = ImageFormatHint::Exact(ImageFormat::Jpeg);
        return Err(damaged(ImageError::Decoding(DecodingError::new(
            hint,
            "its end is missing",
        ))));
    }
    let reader = ImageReader::with_format(Cursor::new(bytes), format);
    decode(reader.into_decoder().map_err(damaged)?, path, limits).map_err(damaged)?
}

/// The outer error is the decoder's; the inner one refuses the size.
fn decode(
    mut decoder: impl ImageDecoder,
    path: &Path,
    limits: &Limits,
) -> Result<Result<GrayImage, LoadError>, ImageError> {
    let (width, height) = decoder.dimensions();
    if let Err(error) = limits.check_size(path, width, height) {
        return Ok(Err(error));
    }
    // A damaged EXIF block is no reason to refuse a good picture.
    let orientation = decoder.orientation().unwrap_or(Orientation::NoTransforms);
    let gray = darkest_channel(DynamicImage::from_decoder(decoder)?);
    Ok(Ok(oriented(gray, orientation)))
}

/// Turns a page as its orientation says.
pub(crate) fn oriented(gray: GrayImage, orientation: Orientation) -> GrayImage {
    if orientation == Orientation::NoTransforms {
        return gray;
    }
    let mut picture = DynamicImage::ImageLuma8(gray);
    picture.apply_orientation(orientation);
    picture.into_luma8()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_of_long_files_have_names_of_their_own() {
        for (page, pages, name) in [(1, 1, "a.pdf"), (1, 2, "a.pdf#1"), (12, 30, "a.pdf#12")] {
            assert_eq!(page_name(Path::new("a.pdf"), page, pages), Path::new(name));
        }
    }
}
