//! `scoresheet cells`: cut the cells of sheets into pictures and a table.

use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use anyhow::{Context, Result};
use clap::Args;
use rayon::prelude::*;
use scoresheet_pipeline::{
    CELLS_HEADER, ImagePage, NameRegistry, PageOptions, SheetError, area_name, cell_rows,
    cell_strip, cut_area, cut_page, prepare_folder, write_whole,
};

use super::{Work, png_bytes};
use crate::console::Console;
use crate::status::Status;

/// Options of `scoresheet cells`.
#[derive(Debug, Args)]
pub struct CellsArguments {
    /// Image files (file.pdf#3 for one page, photo.jpg#1.2 for the second sheet on a picture), or folders of them
    #[arg(required = true, value_name = "INPUT")]
    inputs: Vec<PathBuf>,
    /// Folder for <sheet>.png and cells.tsv
    #[arg(short, long, value_name = "DIR")]
    output: PathBuf,
    /// Also write what is above and below the table of each sheet as <sheet>.above.png and <sheet>.below.png: names, result, signatures
    #[arg(long)]
    areas: bool,
    #[command(flatten)]
    pub work: Work,
}

/// Cuts the cells of each sheet: `<sheet>.png` has them one under another, `cells.tsv` says what each is.
pub fn run(arguments: &CellsArguments) -> Result<Status> {
    prepare_folder(&arguments.output)?;
    arguments.work.start()?;
    let (pages, mut failed, console) = arguments.work.expand(&arguments.inputs);
    let mut names = NameRegistry::with_reserved(&["cells"]);
    let pages: Vec<(String, ImagePage)> = pages
        .into_iter()
        .map(|page| (names.claim(&page.name()), page))
        .collect();
    let images = pages.iter().map(|(_, image)| image);
    let stack = arguments.work.stack(images, &console)?;
    let options = stack.options();
    let names = Mutex::new(names);
    let table = Mutex::new(vec![String::new(); pages.len()]);
    let failures: usize = pages
        .par_iter()
        .enumerate()
        .map(|(index, (name, image))| -> Result<usize> {
            let claim = |sheet| {
                let mut names = names.lock().unwrap_or_else(PoisonError::into_inner);
                names.claim_sheet(name, sheet)
            };
            let outcome = cut_one(image, options, arguments, claim)?;
            console.advance(name);
            match outcome {
                Ok(rows) => {
                    let mut table = table.lock().unwrap_or_else(PoisonError::into_inner);
                    table[index] = rows;
                    Ok(0)
                }
                Err(error) => {
                    console.error(&error);
                    Ok(1)
                }
            }
        })
        .try_reduce(|| 0, |a, b| Ok(a + b))?;
    failed += failures;
    let rows = table.into_inner().unwrap_or_else(PoisonError::into_inner);
    let text = CELLS_HEADER.to_owned() + &rows.concat();
    write_whole(&arguments.output.join("cells.tsv"), text.as_bytes())?;
    finish(&console, pages.len() - failures, failed);
    Ok(Status::from_failures(failed))
}

/// The rows of the table, or why this page has none; the outer error ends the run. `claim` names a sheet.
fn cut_one(
    image: &ImagePage,
    options: PageOptions<'_>,
    arguments: &CellsArguments,
    claim: impl Fn(Option<u32>) -> String,
) -> Result<std::result::Result<String, SheetError>> {
    let page = match cut_page(image, options) {
        Ok(page) => page,
        Err(error) => return Ok(Err(error)),
    };
    let mut rows = String::new();
    for sheet in &page.sheets {
        // A sheet that was asked for by its number has it in the name already.
        let name = claim(sheet.number.filter(|_| image.sheet.is_none()));
        let strip = cell_strip(&sheet.cells);
        let bytes = png_bytes(&strip).context("a strip of cells cannot be encoded")?;
        let write = |file: String, bytes: &[u8]| write_whole(&arguments.output.join(file), bytes);
        write(format!("{name}.png"), &bytes)?;
        for area in sheet.areas.iter().filter(|_| arguments.areas) {
            let bytes =
                png_bytes(&cut_area(&page.gray, area)).context("an area cannot be encoded")?;
            write(format!("{name}.{}.png", area_name(area.place)), &bytes)?;
        }
        rows += &cell_rows(&name, &sheet.cells);
    }
    Ok(Ok(rows))
}

fn finish(console: &Console, done: usize, failed: usize) {
    console.finish(format!("{done} pages cut, {failed} failed"));
}
