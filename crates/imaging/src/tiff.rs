//! Pages of TIFF files: scans, faxes, and JPEG pictures in a TIFF.

use std::io::{Read, Seek};
use std::path::Path;

use ::tiff::decoder::{Decoder, DecodingResult, ifd::Value};
use ::tiff::tags::Tag;
use ::tiff::{ColorType, TiffError};
use image::metadata::Orientation;
use image::{GrayImage, imageops};

use crate::fax;
use crate::ink::{darkest, over_white};
use crate::load_error::{Limits, LoadError};
use crate::page::{oriented, page_name};

/// Number of pages, counted no further than one more than `most`.
pub(crate) fn count_pages<R: Read + Seek>(
    reader: R,
    path: &Path,
    most: u32,
) -> Result<u32, LoadError> {
    let mut decoder = Decoder::new(reader).map_err(|error| problem(path, error))?;
    let mut pages = 1;
    // A damaged directory ends the pages that can be told; reading that page says what is wrong.
    while pages <= most && decoder.more_images() {
        pages += 1;
        if decoder.next_image().is_err() {
            break;
        }
    }
    Ok(pages)
}

/// One page, from 1.
pub(crate) fn load<R: Read + Seek>(
    reader: R,
    path: &Path,
    page: u32,
    limits: &Limits,
) -> Result<GrayImage, LoadError> {
    let mut decoder = Decoder::new(reader).map_err(|error| problem(path, error))?;
    let name = page_name(path, page, if decoder.more_images() { 2 } else { 1 });
    let failed = |error| problem(&name, error);
    for pages in 1..page {
        if !decoder.more_images() {
            return Err(LoadError::NoSuchPage {
                file: path.to_path_buf(),
                page,
                pages,
            });
        }
        decoder.next_image().map_err(failed)?;
    }
    let (width, height) = decoder.dimensions().map_err(failed)?;
    limits.check_size(&name, width, height)?;
    let gray = if fax::is_fax(&mut decoder) {
        fax::decode(&mut decoder, width, height).map_err(|problem| LoadError::DamagedDocument {
            file: name.clone(),
            problem,
        })?
    } else {
        decode(&mut decoder, width, height).map_err(failed)?
    };
    let orientation = decoder
        .find_tag_unsigned::<u8>(Tag::Orientation)
        .ok()
        .flatten()
        .and_then(Orientation::from_exif)
        .unwrap_or(Orientation::NoTransforms);
    let square = with_square_pixels(gray, pixel_aspect(&mut decoder), limits);
    Ok(oriented(square, orientation))
}

fn problem(file: &Path, error: TiffError) -> LoadError {
    let file = file.to_path_buf();
    match error {
        TiffError::UnsupportedError(what) => LoadError::Unsupported {
            file,
            format: format!("this kind of TIFF ({what})"),
            remedy: "save it as PNG or JPEG",
        },
        TiffError::IoError(source) if source.kind() != std::io::ErrorKind::UnexpectedEof => {
            LoadError::Io { file, source }
        }
        error => LoadError::DamagedDocument {
            file,
            problem: error.to_string(),
        },
    }
}

/// Decodes strip by strip or tile by tile, so that the colours of the whole page are never in memory.
fn decode<R: Read + Seek>(
    decoder: &mut Decoder<R>,
    width: u32,
    height: u32,
) -> Result<GrayImage, TiffError> {
    let shades = Shades::of(decoder)?;
    let (chunk_width, chunk_height) = decoder.chunk_dimensions();
    let across = width.div_ceil(chunk_width.max(1));
    let down = height.div_ceil(chunk_height.max(1));
    let mut gray = GrayImage::from_pixel(width, height, image::Luma([255]));
    for index in 0..across * down {
        let (wide, high) = decoder.chunk_data_dimensions(index);
        let bytes = match decoder.read_chunk(index)? {
            DecodingResult::U8(bytes) => bytes,
            DecodingResult::U16(words) => words.iter().map(|word| (word >> 8) as u8).collect(),
            _ => return Err(unsupported()),
        };
        let (left, top) = (index % across * chunk_width, index / across * chunk_height);
        let stride = (wide as usize * shades.samples * shades.bits).div_ceil(8);
        for (y, row) in bytes.chunks_exact(stride).take(high as usize).enumerate() {
            let start = (top as usize + y) * width as usize + left as usize;
            let Some(line) = gray.get_mut(start..start + wide as usize) else {
                break;
            };
            shades.write(row, line);
        }
    }
    Ok(gray)
}

fn unsupported() -> TiffError {
    TiffError::UnsupportedError(tiff::TiffUnsupportedError::UnknownInterpretation)
}

/// How the samples of a pixel give its shade.
struct Shades {
    color: ColorType,
    /// Bits of a sample: 1, 2, 4 or 8; samples of 16 bits are cut to 8 before.
    bits: usize,
    samples: usize,
}

impl Shades {
    fn of<R: Read + Seek>(decoder: &mut Decoder<R>) -> Result<Self, TiffError> {
        const SEPARATE_PLANES: u16 = 2;
        let color = decoder.colortype()?;
        let (bits, samples) = match color {
            ColorType::Gray(bits @ (1 | 2 | 4 | 8 | 16)) => (bits, 1),
            ColorType::GrayA(bits @ (8 | 16)) => (bits, 2),
            ColorType::RGB(bits @ (8 | 16)) | ColorType::YCbCr(bits @ 8) => (bits, 3),
            ColorType::RGBA(bits @ (8 | 16)) | ColorType::CMYK(bits @ (8 | 16)) => (bits, 4),
            // Grey with something more in each pixel.
            ColorType::Multiband {
                bit_depth: bits @ (8 | 16),
                num_samples,
            } => (bits, usize::from(num_samples)),
            _ => return Err(unsupported()),
        };
        let planes = decoder.find_tag_unsigned::<u16>(Tag::PlanarConfiguration)?;
        if samples > 1 && planes == Some(SEPARATE_PLANES) {
            return Err(unsupported());
        }
        Ok(Self {
            color,
            bits: usize::from(bits.min(8)),
            samples,
        })
    }

    /// Writes the shades of a row of samples.
    fn write(&self, row: &[u8], line: &mut [u8]) {
        if self.samples == 1 && self.bits < 8 {
            let most = (1u8 << self.bits) - 1;
            for (x, shade) in line.iter_mut().enumerate() {
                let bit = x * self.bits;
                let value = row[bit / 8] >> (8 - self.bits - bit % 8) & most;
                *shade = (u16::from(value) * 255 / u16::from(most)) as u8;
            }
            return;
        }
        for (pixel, shade) in row.chunks_exact(self.samples).zip(line) {
            *shade = match (self.color, pixel) {
                (ColorType::RGB(_), &[red, green, blue]) => darkest([red, green, blue]),
                (ColorType::RGBA(_), &[red, green, blue, alpha]) => {
                    over_white(darkest([red, green, blue]), alpha)
                }
                (ColorType::GrayA(_), &[value, alpha]) => over_white(value, alpha),
                (ColorType::YCbCr(_), &[y, blue, red]) => darkest_of_ycbcr(y, blue, red),
                (ColorType::CMYK(_), &[cyan, magenta, yellow, black]) => {
                    over_white(0, cyan.max(magenta).max(yellow).max(black))
                }
                (_, pixel) => pixel[0],
            };
        }
    }
}

/// The darkest of red, green and blue of a colour in the YCbCr of JFIF.
fn darkest_of_ycbcr(y: u8, blue: u8, red: u8) -> u8 {
    let (y, blue, red) = (
        f32::from(y),
        f32::from(blue) - 128.0,
        f32::from(red) - 128.0,
    );
    let channels = [
        y + 1.402 * red,
        y - 0.344 * blue - 0.714 * red,
        y + 1.772 * blue,
    ];
    darkest(channels.map(|value| value.round().clamp(0.0, 255.0) as u8))
}

/// Height of a pixel by its width, where the file tells both resolutions.
fn pixel_aspect<R: Read + Seek>(decoder: &mut Decoder<R>) -> f32 {
    let mut resolution = |tag| match decoder.find_tag(tag) {
        Ok(Some(Value::Rational(dots, unit))) if dots > 0 && unit > 0 => {
            Some(dots as f32 / unit as f32)
        }
        _ => None,
    };
    match (resolution(Tag::XResolution), resolution(Tag::YResolution)) {
        (Some(across), Some(down)) => across / down,
        _ => 1.0,
    }
}

/// Stretches the pixels of a fax, which may be twice as high as wide, to squares.
fn with_square_pixels(gray: GrayImage, aspect: f32, limits: &Limits) -> GrayImage {
    const NEARLY_SQUARE: f32 = 1.2;
    /// No fax machine makes longer pixels; such a tag is wrong.
    const LONGEST: f32 = 4.5;
    let (width, height) = gray.dimensions();
    let (wide, high) = if (NEARLY_SQUARE..LONGEST).contains(&aspect) {
        (width, (height as f32 * aspect).round() as u32)
    } else if (NEARLY_SQUARE..LONGEST).contains(&(1.0 / aspect)) {
        ((width as f32 / aspect).round() as u32, height)
    } else {
        return gray;
    };
    if u64::from(wide) * u64::from(high) > limits.pixels {
        return gray;
    }
    imageops::resize(&gray, wide, high, imageops::FilterType::Triangle)
}
