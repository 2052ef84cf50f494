//! Pages of PDF files, scanned or drawn.

use std::path::Path;

use hayro::hayro_interpret::InterpreterSettings;
use hayro::hayro_syntax::{LoadPdfError, Pdf};
use hayro::vello_cpu::color::palette::css::WHITE;
use hayro::{PixmapSettings, RenderCache, RenderSettings};
use image::GrayImage;

use crate::ink::darkest;
use crate::load_error::{Limits, LoadError};
use crate::page::page_name;

/// Dots an inch at which pages are drawn.
const DOTS_PER_INCH: f32 = 250.0;

/// Points an inch, the unit of PDF.
const POINTS_PER_INCH: f32 = 72.0;

/// Bounds of the longer side of a drawn page, in pixels: pages made of photos have sizes of all kinds.
const LONGER_SIDE: (f32, f32) = (2000.0, 4000.0);

/// Number of pages.
pub(crate) fn count_pages(bytes: Vec<u8>, path: &Path) -> Result<u32, LoadError> {
    let pages = open(bytes, path)?.pages().len();
    Ok(u32::try_from(pages).unwrap_or(u32::MAX).max(1))
}

/// One page, from 1, drawn on white.
pub(crate) fn load(
    bytes: Vec<u8>,
    path: &Path,
    page: u32,
    limits: &Limits,
) -> Result<GrayImage, LoadError> {
    let pdf = open(bytes, path)?;
    let pages = u32::try_from(pdf.pages().len()).unwrap_or(u32::MAX);
    let name = page_name(path, page, pages);
    let damaged = |problem: &str| LoadError::DamagedDocument {
        file: name.clone(),
        problem: problem.to_owned(),
    };
    if pages == 0 {
        return Err(damaged("no page in it"));
    }
    let index = page.checked_sub(1).filter(|index| *index < pages);
    let Some(drawn) = index.and_then(|index| pdf.pages().get(index as usize)) else {
        return Err(LoadError::NoSuchPage {
            file: path.to_path_buf(),
            page,
            pages,
        });
    };
    let (width, height) = drawn.render_dimensions();
    let longer = width.max(height);
    if !(longer.is_finite() && width.min(height) >= 1.0) {
        return Err(damaged("a page without size"));
    }
    let dots = longer * DOTS_PER_INCH / POINTS_PER_INCH;
    let scale = dots.clamp(LONGER_SIDE.0, LONGER_SIDE.1) / longer;
    limits.check_size(&name, (width * scale) as u32, (height * scale) as u32)?;
    let pixmap = hayro::render(
        drawn,
        &RenderCache::new(),
        &InterpreterSettings::default(),
        &RenderSettings::default(),
        &PixmapSettings {
            x_scale: scale,
            y_scale: scale,
            bg_color: WHITE,
        },
    );
    let (width, height) = (u32::from(pixmap.width()), u32::from(pixmap.height()));
    // On white every pixel is opaque.
    let shades = pixmap
        .data_as_u8_slice()
        .chunks_exact(4)
        .map(|pixel| darkest([pixel[0], pixel[1], pixel[2]]))
        .collect();
    GrayImage::from_raw(width, height, shades).ok_or_else(|| damaged("a page without size"))
}

fn open(bytes: Vec<u8>, path: &Path) -> Result<Pdf, LoadError> {
    let file = || path.to_path_buf();
    Pdf::new(bytes).map_err(|error| match error {
        LoadPdfError::Decryption(_) => LoadError::Protected { file: file() },
        LoadPdfError::Invalid => LoadError::DamagedDocument {
            file: file(),
            problem: "it is no whole PDF".to_owned(),
        },
    })
}
