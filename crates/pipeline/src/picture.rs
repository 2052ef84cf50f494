//! Pictures for the report: a sheet, and single cells with what lies around them.

use std::borrow::Cow;
use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use image::GrayImage;
use image::imageops::crop_imm;
use jpeg_encoder::{ColorType, Encoder};
use scoresheet_imaging::reduced;

/// Pages of more pixels are kept reduced.
const MOST_PIXELS: u64 = 12_000_000;
/// Longest side of a sheet in the report, in pixels.
const SHEET_SIDE: u32 = 1400;
const SHEET_QUALITY: u8 = 50;
/// Longest side of an area in the report, in pixels.
const AREA_SIDE: u32 = 1000;
/// Greatest height of a cell in the report, in pixels.
const CELL_HEIGHT: u32 = 120;
const CELL_QUALITY: u8 = 65;
/// What is shown around a cell, in parts of its height.
const MARGIN: f32 = 0.3;

/// An upright page, kept until its games are done; copies share it.
#[derive(Debug, Clone)]
pub struct SheetPicture {
    gray: Arc<GrayImage>,
    /// Pixels of the page for one of `gray`.
    scale: f32,
}

impl SheetPicture {
    /// Keeps a page; a very large one reduced.
    pub fn new(gray: GrayImage) -> Self {
        let pixels = u64::from(gray.width()) * u64::from(gray.height());
        if pixels <= MOST_PIXELS {
            return Self {
                gray: Arc::new(gray),
                scale: 1.0,
            };
        }
        let scale = (pixels as f32 / MOST_PIXELS as f32).sqrt();
        Self {
            gray: Arc::new(smaller(Cow::Owned(gray), scale).into_owned()),
            scale,
        }
    }

    /// The whole sheet as a data URI (JPEG).
    pub fn sheet_uri(&self) -> Option<String> {
        let side = self.gray.width().max(self.gray.height());
        let scale = side as f32 / SHEET_SIDE as f32;
        jpeg_uri(&smaller(Cow::Borrowed(&self.gray), scale), SHEET_QUALITY)
    }

    /// An area of the page as a data URI (JPEG); none where it lies outside the page.
    ///
    /// `bounds` are left, top, right, bottom in pixels of the upright source image.
    pub fn area_uri(&self, bounds: [u32; 4]) -> Option<String> {
        let [left, top, right, bottom] = bounds.map(|side| (side as f32 / self.scale) as u32);
        let (width, height) = self.gray.dimensions();
        let (right, bottom) = (right.min(width), bottom.min(height));
        if left >= right || top >= bottom {
            return None;
        }
        let area = crop_imm(&*self.gray, left, top, right - left, bottom - top).to_image();
        let side = area.width().max(area.height());
        let scale = side as f32 / AREA_SIDE as f32;
        let mut area = smaller(Cow::Owned(area), scale).into_owned();
        stretch(&mut area);
        jpeg_uri(&area, SHEET_QUALITY)
    }

    /// A cell with a margin as a data URI (JPEG); none where it lies outside the page.
    ///
    /// `quad` is in pixels of the upright source image.
    pub fn cell_uri(&self, quad: &[[f32; 2]; 4]) -> Option<String> {
        let bounds = |axis: usize| {
            let values = || quad.iter().map(|corner| corner[axis] / self.scale);
            (
                values().fold(f32::INFINITY, f32::min),
                values().fold(f32::NEG_INFINITY, f32::max),
            )
        };
        let ((left, right), (top, bottom)) = (bounds(0), bounds(1));
        let margin = (bottom - top) * MARGIN;
        let clip = |value: f32, size: u32| value.clamp(0.0, size as f32) as u32;
        let (width, height) = self.gray.dimensions();
        let (left, right) = (clip(left - margin, width), clip(right + margin, width));
        let (top, bottom) = (clip(top - margin, height), clip(bottom + margin, height));
        if left >= right || top >= bottom {
            return None;
        }
        let cell = crop_imm(&*self.gray, left, top, right - left, bottom - top).to_image();
        let scale = cell.height() as f32 / CELL_HEIGHT as f32;
        let mut cell = smaller(Cow::Owned(cell), scale).into_owned();
        stretch(&mut cell);
        jpeg_uri(&cell, CELL_QUALITY)
    }
}

/// A picture `scale` times smaller, each pixel the mean of those that it covers; the picture itself where it is small enough.
fn smaller(picture: Cow<'_, GrayImage>, scale: f32) -> Cow<'_, GrayImage> {
    if scale <= 1.0 {
        return picture;
    }
    let side = |side: u32| (side as f32 / scale) as u32;
    let (width, height) = picture.dimensions();
    Cow::Owned(reduced(&picture, side(width), side(height)))
}

/// Spreads the greys, so that faint ink and dark photos can be read; a few outliers become black or white.
fn stretch(picture: &mut GrayImage) {
    const OUTLIERS: usize = 100;
    let mut counts = [0_usize; 256];
    for &grey in picture.iter() {
        counts[usize::from(grey)] += 1;
    }
    let aside = picture.len() / OUTLIERS;
    let darkest = first_beyond(aside, &counts, 0..=255).unwrap_or(0);
    let lightest = first_beyond(aside, &counts, (0..=255).rev()).unwrap_or(255);
    let range = f32::from(lightest.saturating_sub(darkest).max(40));
    for grey in picture.iter_mut() {
        let above = f32::from(grey.saturating_sub(darkest));
        *grey = (above / range * 255.0).min(255.0) as u8;
    }
}

/// The first of the greys in their order up to which there are more than `aside` pixels.
fn first_beyond(
    aside: usize,
    counts: &[usize; 256],
    mut greys: impl Iterator<Item = u8>,
) -> Option<u8> {
    let mut seen = 0;
    greys.find(|&grey| {
        seen += counts[usize::from(grey)];
        seen > aside
    })
}

fn jpeg_uri(picture: &GrayImage, quality: u8) -> Option<String> {
    let side = |side: u32| u16::try_from(side).ok();
    let (width, height) = (side(picture.width())?, side(picture.height())?);
    let mut bytes = Vec::new();
    Encoder::new(&mut bytes, quality)
        .encode(picture, width, height, ColorType::Luma)
        .ok()?;
    Some(format!("data:image/jpeg;base64,{}", STANDARD.encode(bytes)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use image::{GenericImageView as _, Luma};

    fn decoded(uri: &str) -> image::DynamicImage {
        let text = uri.strip_prefix("data:image/jpeg;base64,").unwrap();
        image::load_from_memory(&STANDARD.decode(text).unwrap()).unwrap()
    }

    #[test]
    fn a_cell_is_shown_with_its_margin() {
        // Black in the right half.
        let page = GrayImage::from_fn(400, 300, |x, _| Luma([if x < 200 { 255 } else { 0 }]));
        let picture = SheetPicture::new(page);
        let quad = [[100.0, 50.0], [300.0, 50.0], [300.0, 90.0], [100.0, 90.0]];
        let cell = decoded(&picture.cell_uri(&quad).unwrap());
        assert_eq!(cell.dimensions(), (224, 64));
        assert!(cell.get_pixel(50, 30).0[0] > 200 && cell.get_pixel(180, 30).0[0] < 50);
        let outside = quad.map(|[x, y]| [x + 900.0, y]);
        assert!(picture.cell_uri(&outside).is_none());
        let area = decoded(&picture.area_uri([150, 0, 250, 40]).unwrap());
        assert_eq!(area.dimensions(), (100, 40));
        assert!(picture.area_uri([400, 0, 500, 40]).is_none());
        assert!(picture.cell_uri(&[[f32::NAN; 2]; 4]).is_none());
    }

    #[test]
    fn large_pages_are_reduced_and_cells_still_found() {
        let page = GrayImage::from_fn(5000, 4000, |x, _| Luma([if x < 2500 { 255 } else { 0 }]));
        let picture = SheetPicture::new(page);
        assert!(u64::from(picture.gray.width()) * u64::from(picture.gray.height()) <= MOST_PIXELS);
        let sheet = decoded(&picture.sheet_uri().unwrap());
        assert_eq!(sheet.width(), SHEET_SIDE);
        let quad = [
            [2300.0, 50.0],
            [2700.0, 50.0],
            [2700.0, 150.0],
            [2300.0, 150.0],
        ];
        let cell = decoded(&picture.cell_uri(&quad).unwrap());
        let middle = cell.width() / 2;
        assert!(cell.get_pixel(middle - 20, 30).0[0] > 200);
        assert!(cell.get_pixel(middle + 20, 30).0[0] < 50);
    }
}
