//! The commands, one a file, and what they share.

pub mod cells;
pub mod convert;
pub mod doctor;
pub mod forms;
pub mod manual;
pub mod read;

use std::io::Cursor;
use std::num::NonZeroUsize;
use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use clap::Args;
use image::codecs::jpeg::JpegEncoder;
use image::{GrayImage, ImageFormat, RgbImage};
use scoresheet_imaging::Limits;
use scoresheet_notation::Language;
use scoresheet_pipeline::{GivenForms, ImagePage, PageOptions, StackForms, expand_inputs};

use crate::console::{Console, Log};

/// Options on how to work, shared by all commands.
#[derive(Debug, Clone, Args)]
pub struct Work {
    /// Sheets at work at the same time [default: number of processor cores]
    #[arg(short, long, value_name = "N")]
    pub jobs: Option<NonZeroUsize>,
    /// Largest page that is read, in millions of pixels
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u64).range(1..=4000))]
    pub max_megapixels: u64,
    /// Most pages of one file (TIFF, PDF)
    #[arg(long, value_name = "N", default_value_t = 500, value_parser = clap::value_parser!(u32).range(1..))]
    pub max_pages: u32,
    /// Largest file that is read, in millions of bytes
    #[arg(long, value_name = "N", default_value_t = 500, value_parser = clap::value_parser!(u64).range(1..=100_000))]
    pub max_megabytes: u64,
    /// Forms described by hand (JSON, see the README): for the pictures that they name, for all, or for those on which no form is found
    #[arg(long, value_name = "FILE")]
    pub form: Option<PathBuf>,
    /// Print nothing but results and errors
    #[arg(short, long)]
    pub quiet: bool,
    /// How progress and errors are told on stderr
    #[arg(long, value_enum, value_name = "FORM", default_value_t = Log::Text)]
    pub log: Log,
}

impl Work {
    /// Sets up the threads; once a process.
    pub fn start(&self) -> Result<()> {
        rayon::ThreadPoolBuilder::new()
            .num_threads(self.jobs.map_or(0, NonZeroUsize::get))
            .build_global()
            .context("the worker threads cannot be started")
    }

    /// What one file may cost.
    pub fn limits(&self) -> Limits {
        Limits {
            pixels: self.max_megapixels * 1_000_000,
            pages: self.max_pages,
            bytes: self.max_megabytes * 1_000_000,
            ..Limits::default()
        }
    }

    /// The forms of `--form`.
    pub fn forms(&self) -> Result<Option<GivenForms>> {
        let path = self.form.as_deref();
        path.map(GivenForms::read).transpose().context("--form")
    }

    /// How forms are found on these pages of one stack. Warns of forms of `--form` that are for none of them.
    pub fn stack<'a>(
        &self,
        images: impl Iterator<Item = &'a ImagePage> + Clone,
        console: &Console,
    ) -> Result<Stack> {
        let given = self.forms()?;
        if let Some(forms) = &given {
            warn_of_unused(forms, images.clone(), console);
        }
        Ok(Stack {
            limits: self.limits(),
            given,
            forms: StackForms::new(images, self.limits()),
        })
    }

    /// A console for so many sheets.
    pub fn console(&self, sheets: usize) -> Console {
        Console::new(sheets, self.log, self.quiet)
    }

    /// Expands the inputs and reports those that are none: the pages, the number of failures, and the console.
    pub fn expand(&self, inputs: &[PathBuf]) -> (Vec<ImagePage>, usize, Console) {
        let (pages, problems): (Vec<_>, Vec<_>) = expand_inputs(inputs, &self.limits())
            .into_iter()
            .partition(Result::is_ok);
        let pages: Vec<ImagePage> = pages.into_iter().filter_map(Result::ok).collect();
        let console = self.console(pages.len());
        let failed = problems.len();
        for problem in problems.into_iter().filter_map(Result::err) {
            console.error(&problem);
        }
        (pages, failed, console)
    }
}

/// How forms are found on the pages of one stack.
pub struct Stack {
    limits: Limits,
    given: Option<GivenForms>,
    forms: StackForms,
}

impl Stack {
    pub fn options(&self) -> PageOptions<'_> {
        PageOptions {
            limits: self.limits,
            forms: self.given.as_ref(),
            stack: Some(&self.forms),
        }
    }
}

/// Warns of forms that are for none of the pictures.
fn warn_of_unused<'a>(
    forms: &GivenForms,
    images: impl Iterator<Item = &'a ImagePage> + Clone,
    console: &Console,
) {
    for warning in forms.without_picture(images) {
        console.warning(warning);
    }
}

/// The language that an option names; none for `auto`.
fn language(option: &str, code: &str) -> Result<Option<&'static Language>> {
    if code == "auto" {
        return Ok(None);
    }
    match Language::by_code(code) {
        Some(language) => Ok(Some(language)),
        None => {
            let known: Vec<&str> = Language::all()
                .iter()
                .map(|language| language.code)
                .collect();
            bail!(
                "{option} {code}: not a known language; use auto or one of {}",
                known.join(", ")
            )
        }
    }
}

fn png_bytes(picture: &GrayImage) -> Result<Vec<u8>> {
    let mut bytes = Cursor::new(Vec::new());
    picture.write_to(&mut bytes, ImageFormat::Png)?;
    Ok(bytes.into_inner())
}

fn jpeg_bytes(picture: &RgbImage) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    picture.write_with_encoder(JpegEncoder::new_with_quality(&mut bytes, 85))?;
    Ok(bytes)
}
