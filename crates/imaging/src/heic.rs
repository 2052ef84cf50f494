//! HEIC photos, as phones take them.

use std::path::Path;

use heic_rs::context::Context;
use heic_rs::{DecodeOptions, Error, PixelLayout, decode, probe};
use image::GrayImage;

use crate::container::PHONE_REMEDY;
use crate::hevc_size::largest_coded;
use crate::ink::darkest;
use crate::load_error::{Limits, LoadError};

/// The main picture of a file, turned and cut as the file says. Its EXIF orientation does not count: the turn of an HEIC photo is a property of its own.
///
/// One thread: games are read side by side.
pub(crate) fn load(bytes: &[u8], path: &Path, limits: &Limits) -> Result<GrayImage, LoadError> {
    let failed = |error| load_error(path, &error);
    let info = probe(bytes).map_err(failed)?;
    limits.check_size(path, info.width, info.height)?;
    limits.check_size(path, info.coded_width, info.coded_height)?;
    if coded_pixels(bytes).map_err(failed)? > limits.pixels {
        return Err(failed(Error::Malformed("its parts are larger than it is")));
    }
    let options = DecodeOptions {
        layout: PixelLayout::Rgb8,
        max_pixels: Some(limits.pixels),
        threads: Some(1),
        ..DecodeOptions::default()
    };
    let picture = decode(bytes, &options).map_err(failed)?;
    let shades = picture.data.chunks_exact(3);
    let shades = shades.map(|pixel| darkest([pixel[0], pixel[1], pixel[2]]));
    GrayImage::from_raw(picture.width, picture.height, shades.collect())
        .ok_or_else(|| failed(Error::Malformed("a picture without size")))
}

/// Pixels of all pictures of which the main one is put together, as their own data tell: what decoding them costs, whatever the file says of their size.
fn coded_pixels(bytes: &[u8]) -> Result<u64, Error> {
    let file = Context::open(bytes)?;
    let main = file.meta.primary;
    let pictures = match file.grid(main)? {
        Some((_, tiles)) => tiles,
        None => vec![main],
    };
    let mut pixels = 0_u64;
    for picture in pictures {
        let properties = file.props(picture)?;
        let configuration = properties.hvcc.ok_or(Error::MissingBox(CONFIGURATION))?;
        let size = largest_coded(&configuration.parameter_sets());
        let size = size.ok_or(Error::Malformed("the size of a picture cannot be read"))?;
        pixels = pixels.saturating_add(size);
    }
    Ok(pixels)
}

/// The box without which a picture is no HEVC.
const CONFIGURATION: &str = "hvcC";

fn load_error(path: &Path, error: &Error) -> LoadError {
    let file = path.to_path_buf();
    match error {
        Error::Unsupported(_) | Error::MissingBox(CONFIGURATION) => LoadError::Unsupported {
            file,
            format: format!("this kind of HEIC photo ({error})"),
            remedy: PHONE_REMEDY,
        },
        error => LoadError::DamagedDocument {
            file,
            problem: error.to_string(),
        },
    }
}
