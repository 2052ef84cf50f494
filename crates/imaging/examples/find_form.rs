//! Prints the forms found on page images and the time it took (`scoresheet forms --overlay` draws them).
//!
//! ```sh
//! cargo run --release -p scoresheet-imaging --example find_form -- [--cells] [--like IMAGE] [--pages DIR] IMAGE...
//! ```
//!
//! One line a form: file, blocks, rows, first number (`?` where the page does not show it), share of the rows with a number,
//! quarter turns, CPU-seconds of the page.
//!
//! With `--cells` the lines are for programs: `FILE form BLOCKS ROWS FIRST`, then for each of its cells
//! `FILE cell NUMBER w|b BLOCK X Y`, the middle of the cell in pixels of the picture as it came, with tabs between.
//! `--like` names a page of the same stack, the form of which may be laid over a page that does not prove its own; several may be given. `--pages` writes each page as it was read (a PDF's first page too), as PNG.

use std::path::{Path, PathBuf};
use std::time::Instant;

use scoresheet_imaging::{
    CellPlace, Column, Form, FormShape, Limits, UprightPage, find_upright_forms,
    find_upright_forms_like, load_page,
};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (mut pages, mut cells) = (None, false);
    let mut shapes: Vec<FormShape> = Vec::new();
    let mut files: Vec<PathBuf> = Vec::new();
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--cells" => cells = true,
            "--like" => shapes.extend(shape_of(arguments.next().as_deref())),
            "--pages" => pages = arguments.next().map(PathBuf::from),
            _ => files.push(argument.into()),
        }
    }
    for file in files {
        let page = match load_page(&file, 1, &Limits::default()) {
            Ok(page) => page,
            Err(error) => {
                println!("{error}");
                continue;
            }
        };
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        if let Some(folder) = &pages {
            page.gray.save(folder.join(format!("{name}.png")))?;
        }
        let start = Instant::now();
        let found = find_upright_forms_like(page, || shapes.clone());
        let seconds = start.elapsed().as_secs_f32();
        match found {
            Ok(page) => {
                if cells {
                    print_cells(&file, &page);
                } else {
                    print_forms(&name, &page, seconds);
                }
            }
            Err(error) => println!("{name}\t{error}\t{seconds:.2}"),
        }
    }
    Ok(())
}

/// The shape of the only form on a page.
fn shape_of(file: Option<&str>) -> Option<FormShape> {
    let page = load_page(file?.as_ref(), 1, &Limits::default()).ok()?;
    FormShape::of(find_upright_forms(page).ok()?.forms.first()?)
}

fn print_forms(name: &str, page: &UprightPage, seconds: f32) {
    for form in &page.forms {
        println!(
            "{name}\t{}x{}\t{}\t{:.2}\t{}\t{seconds:.2}",
            form.blocks,
            form.rows,
            first_number(form, page.expected),
            form.quality,
            page.quarter_turns
        );
    }
}

fn first_number(form: &Form, expected: bool) -> String {
    if form.numbered || expected {
        form.first_number.to_string()
    } else {
        "?".to_owned()
    }
}

fn print_cells(file: &Path, page: &UprightPage) {
    let file = file.display();
    for form in &page.forms {
        println!(
            "{file}\tform\t{}\t{}\t{}",
            form.blocks,
            form.rows,
            first_number(form, page.expected)
        );
        for cell in &form.cells {
            let column = match cell.column {
                Column::White => 'w',
                Column::Black => 'b',
            };
            let [x, y] = as_it_came(page, middle(cell));
            println!(
                "{file}\tcell\t{}\t{column}\t{}\t{x:.1}\t{y:.1}",
                cell.number, cell.block
            );
        }
    }
}

fn middle(cell: &CellPlace) -> [f32; 2] {
    [0, 1].map(|axis| cell.quad.iter().map(|corner| corner[axis]).sum::<f32>() / 4.0)
}

/// A place of the upright page in the picture before it was turned.
fn as_it_came(page: &UprightPage, [x, y]: [f32; 2]) -> [f32; 2] {
    let (width, height) = page.page.gray.dimensions();
    let (right, bottom) = (width as f32 - 1.0, height as f32 - 1.0);
    match page.quarter_turns {
        1 => [y, right - x],
        2 => [right - x, bottom - y],
        3 => [bottom - y, x],
        _ => [x, y],
    }
}
