//! `scoresheet cells`: cut the cells of sheets into pictures and a table.

use std::path::{Path, PathBuf};
use std::sync::Mutex;

use anyhow::{Context, Result};
use clap::Args;
use rayon::prelude::*;
use scoresheet_imaging::Limits;
use scoresheet_pipeline::{
    CELLS_HEADER, ImagePage, NameRegistry, SheetError, cell_rows, cell_strip, cut_page,
    prepare_folder, write_whole,
};

use super::{Work, png_bytes};
use crate::console::Console;
use crate::status::Status;

/// Options of `scoresheet cells`.
#[derive(Debug, Args)]
pub struct CellsArguments {
    /// Image files, or folders of them
    #[arg(required = true, value_name = "INPUT")]
    inputs: Vec<PathBuf>,
    /// Folder for <page>.png and cells.tsv
    #[arg(short, long, value_name = "DIR")]
    output: PathBuf,
    #[command(flatten)]
    work: Work,
}

/// Cuts the cells of each page: `<page>.png` has them one under another, `cells.tsv` says what each is.
pub fn run(arguments: &CellsArguments) -> Result<Status> {
    prepare_folder(&arguments.output)?;
    arguments.work.start()?;
    let (pages, mut failed, console) = arguments.work.expand(&arguments.inputs);
    let mut names = NameRegistry::with_reserved(&["cells"]);
    let pages: Vec<(String, ImagePage)> = pages
        .into_iter()
        .map(|page| (names.claim(&page.name()), page))
        .collect();
    let limits = arguments.work.limits();
    let table = Mutex::new(vec![String::new(); pages.len()]);
    let failures: usize = pages
        .par_iter()
        .enumerate()
        .map(|(index, (name, image))| -> Result<usize> {
            let outcome = cut_one(name, image, &limits, &arguments.output)?;
            console.advance(name);
            match outcome {
                Ok(rows) => {
                    let mut table = table
                        .lock()
                        .unwrap_or_else(|poisoned| poisoned.into_inner());
                    table[index] = rows;
                    Ok(0)
                }
                Err(error) => {
                    console.error(error);
                    Ok(1)
                }
            }
        })
        .try_reduce(|| 0, |a, b| Ok(a + b))?;
    failed += failures;
    let rows = table
        .into_inner()
        .unwrap_or_else(|poisoned| poisoned.into_inner());
    let text = CELLS_HEADER.to_owned() + &rows.concat();
    write_whole(&arguments.output.join("cells.tsv"), text.as_bytes())?;
    finish(&console, pages.len() - failures, failed);
    Ok(Status::from_failures(failed))
}

/// The rows of the table, or why this page has none; the outer error ends the run.
fn cut_one(
    name: &str,
    image: &ImagePage,
    limits: &Limits,
    output: &Path,
) -> Result<std::result::Result<String, SheetError>> {
    let page = match cut_page(image, limits) {
        Ok(page) => page,
        Err(error) => return Ok(Err(error)),
    };
    let bytes =
        png_bytes(&cell_strip(&page.cells)).context("a strip of cells cannot be encoded")?;
    write_whole(&output.join(format!("{name}.png")), &bytes)?;
    Ok(Ok(cell_rows(name, &page.cells)))
}

fn finish(console: &Console, done: usize, failed: usize) {
    console.finish(format!("{done} pages cut, {failed} failed"));
}
