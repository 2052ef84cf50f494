//! Image files to upright grey pages.

use std::fs::File;
use std::io::{BufRead, BufReader, Seek};
use std::path::{Path, PathBuf};

use image::error::{DecodingError, ImageFormatHint};
use image::metadata::Orientation;
use image::{DynamicImage, GrayImage, ImageDecoder, ImageError, ImageFormat, ImageReader};

use crate::jpeg;

/// A page as it is worked on: one grey channel, upright as the file's EXIF orientation says.
#[derive(Debug, Clone)]
pub struct Page {
    /// The darkest colour channel of each pixel, so that coloured ink is dark.
    pub gray: GrayImage,
}

/// What an image may cost before it is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Most pixels (width x height) of a page.
    pub pixels: u64,
    /// Smallest width and height, in pixels: below, no move can be legible.
    pub side: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            pixels: 100_000_000,
            side: 200,
        }
    }
}

/// Why a file is no page. Every message names the file and the remedy.
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
    /// The file has no bytes.
    #[error("{}: the file is empty; scan or copy it again", file.display())]
    Empty {
        /// The file.
        file: PathBuf,
    },
    /// The bytes are of no known image format.
    #[error("{}: not an image of a known format; use JPEG, PNG, TIFF, WebP, GIF or BMP", file.display())]
    NotAnImage {
        /// The file.
        file: PathBuf,
    },
    /// The image is damaged or uses an unsupported variant of its format.
    #[error("{}: the image is damaged or cut off ({source}); scan or copy it again", file.display())]
    Damaged {
        /// The file.
        file: PathBuf,
        /// What the decoder says.
        source: ImageError,
    },
    /// The image has more pixels than the limit.
    #[error("{}: {width} x {height} pixels are more than the limit of {limit}; save it smaller", file.display())]
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

/// Reads an image file, turns it as its EXIF orientation says and keeps the darkest channel.
///
/// # Errors
/// A [`LoadError`] that names the file and what to do.
pub fn load_page(path: &Path, limits: &Limits) -> Result<Page, LoadError> {
    let file = || path.to_path_buf();
    let io = |source| LoadError::Io {
        file: file(),
        source,
    };
    let handle = File::open(path).map_err(io)?;
    let metadata = handle.metadata().map_err(io)?;
    if metadata.is_dir() {
        return Err(io(std::io::ErrorKind::IsADirectory.into()));
    }
    if metadata.len() == 0 {
        return Err(LoadError::Empty { file: file() });
    }
    let reader = ImageReader::new(BufReader::new(handle))
        .with_guessed_format()
        .map_err(io)?;
    match reader.format() {
        None => return Err(LoadError::NotAnImage { file: file() }),
        Some(ImageFormat::Jpeg) if !jpeg::is_whole(&std::fs::read(path).map_err(io)?) => {
            let hint = ImageFormatHint::Exact(ImageFormat::Jpeg);
            return Err(LoadError::Damaged {
                file: file(),
                source: ImageError::Decoding(DecodingError::new(hint, "its end is missing")),
            });
        }
        Some(_) => {}
    }
    decode(reader, path, limits)
}

fn decode<R: BufRead + Seek>(
    reader: ImageReader<R>,
    path: &Path,
    limits: &Limits,
) -> Result<Page, LoadError> {
    let file = || path.to_path_buf();
    let damaged = |source| match source {
        ImageError::Unsupported(_) => LoadError::NotAnImage { file: file() },
        source => LoadError::Damaged {
            file: file(),
            source,
        },
    };
    let mut decoder = reader.into_decoder().map_err(damaged)?;
    let (width, height) = decoder.dimensions();
    if u64::from(width) * u64::from(height) > limits.pixels {
        return Err(LoadError::TooLarge {
            file: file(),
            width,
            height,
            limit: limits.pixels,
        });
    }
    if width < limits.side || height < limits.side {
        return Err(LoadError::TooSmall {
            file: file(),
            width,
            height,
            limit: limits.side,
        });
    }
    // A damaged EXIF block is no reason to refuse a good picture.
    let orientation = decoder.orientation().unwrap_or(Orientation::NoTransforms);
    let mut picture = DynamicImage::from_decoder(decoder).map_err(damaged)?;
    picture.apply_orientation(orientation);
    Ok(Page {
        gray: darkest_channel(picture),
    })
}

/// The darkest of red, green and blue over white paper: green and red pens become as dark as black ones.
fn darkest_channel(picture: DynamicImage) -> GrayImage {
    match picture {
        DynamicImage::ImageLuma8(gray) => gray,
        picture if !picture.color().has_color() && !picture.color().has_alpha() => {
            picture.into_luma8()
        }
        picture => {
            let rgba = picture.into_rgba8();
            let (width, height) = rgba.dimensions();
            let darkest = rgba
                .pixels()
                .map(|pixel| {
                    let [red, green, blue, alpha] = pixel.0;
                    let value = u32::from(red.min(green).min(blue));
                    let alpha = u32::from(alpha);
                    ((value * alpha + 255 * (255 - alpha)) / 255) as u8
                })
                .collect();
            GrayImage::from_raw(width, height, darkest).unwrap_or_default()
        }
    }
}
