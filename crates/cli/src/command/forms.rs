//! `scoresheet forms`: show which table of moves is found on each page.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use clap::Args;
use rayon::prelude::*;
use scoresheet_imaging::CellState;
use scoresheet_pipeline::{
    CutPage, CutSheet, ImagePage, NameRegistry, QualityRecord, cut_page, draw_overlay,
    prepare_folder, write_whole,
};

use super::{Work, jpeg_bytes};
use crate::console::{Listener, write_stdout};
use crate::status::Status;

/// Options of `scoresheet forms`.
#[derive(Debug, Args)]
pub struct FormsArguments {
    /// Image files (file.pdf#3 for one page, photo.jpg#1.2 for the second sheet on a picture), or folders of them
    #[arg(required = true, value_name = "INPUT")]
    inputs: Vec<PathBuf>,
    /// Folder for a picture of each page with the cells drawn on it: ink green, blank blue
    #[arg(long, value_name = "DIR")]
    overlay: Option<PathBuf>,
    #[command(flatten)]
    pub work: Work,
}

/// Prints blocks, rows, first number and figures of the picture of each sheet, one line a sheet in the order of the input.
pub fn run(arguments: &FormsArguments) -> Result<Status> {
    if let Some(folder) = &arguments.overlay {
        prepare_folder(folder)?;
    }
    arguments.work.start()?;
    let (pages, mut failed, console) = arguments.work.expand(&arguments.inputs);
    let mut names = NameRegistry::default();
    let pages: Vec<(String, ImagePage)> = pages
        .into_iter()
        .map(|page| (names.claim(&page.name()), page))
        .collect();
    let images = pages.iter().map(|(_, image)| image);
    let stack = arguments.work.stack(images, &console)?;
    let options = stack.options();
    let lines = pages
        .par_iter()
        .map(|(name, image)| -> Result<Option<Vec<String>>> {
            let outcome = cut_page(image, options);
            console.advance(name);
            match outcome {
                Ok(page) => {
                    if let Some(folder) = &arguments.overlay {
                        write_overlay(&page, &folder.join(format!("{name}.jpg")))?;
                    }
                    for sheet in &page.sheets {
                        for warning in page.warnings(&sheet.quality) {
                            let label = image.with_sheet(sheet.number).label();
                            console.warning(format!("{}: {warning}", label.display()));
                        }
                    }
                    let of_sheet = |sheet| describe(image, &page, sheet);
                    Ok(Some(page.sheets.iter().map(of_sheet).collect()))
                }
                Err(error) => {
                    console.error(&error);
                    Ok(None)
                }
            }
        })
        .collect::<Result<Vec<Option<Vec<String>>>>>()?;
    let missing = lines.iter().filter(|line| line.is_none()).count();
    failed += missing;
    let lines: Vec<String> = lines.into_iter().flatten().flatten().collect();
    let text = HEADER.to_owned() + &lines.concat();
    console.finish(format!(
        "{} forms found on {} pages, {failed} failed",
        lines.len(),
        pages.len() - missing
    ));
    match write_stdout(&text).context("stdout cannot be written")? {
        Listener::Listening | Listener::Gone => Ok(Status::from_failures(failed)),
    }
}

const HEADER: &str = "file\tblocks\trows\tfirst_number\tcells\tink\trow_height\tblur\tcontrast\tbrightness\tangle\tturned\tmirrored\n";

fn describe(image: &ImagePage, page: &CutPage, sheet: &CutSheet) -> String {
    let quality = QualityRecord::new(&sheet.quality, page.quarter_turns, page.mirrored);
    let ink = sheet
        .cells
        .iter()
        .filter(|cell| cell.state != CellState::Blank)
        .count();
    format!(
        "{}\t{}\t{}\t{}\t{}\t{ink}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\n",
        image
            .with_sheet(sheet.number)
            .label()
            .display()
            .to_string()
            .replace(['\t', '\n'], " "),
        sheet.form.blocks,
        sheet.form.rows,
        sheet.form.first_number,
        sheet.cells.len(),
        quality.row_height,
        quality.blur,
        quality.contrast,
        quality.brightness,
        quality.angle,
        quality.turned,
        if quality.mirrored { "yes" } else { "no" },
    )
}

fn write_overlay(page: &CutPage, path: &Path) -> Result<()> {
    let cells = page.sheets.iter().flat_map(|sheet| &sheet.cells);
    let cells = cells.map(|cell| (&cell.place, cell.state));
    let picture = draw_overlay(&page.gray, cells);
    let bytes = jpeg_bytes(&picture).context("an overlay cannot be encoded")?;
    Ok(write_whole(path, &bytes)?)
}
