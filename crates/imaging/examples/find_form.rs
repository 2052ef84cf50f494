//! Prints the forms found on page images and the time it took; with a folder, draws them too.
//!
//! ```sh
//! cargo run --release -p scoresheet-imaging --example find_form -- [--overlay DIR] IMAGE...
//! ```
//!
//! One line a form: file, blocks, rows, first number (`?` where the page does not show it), share of the rows with a number,
//! quarter turns, CPU-seconds of the page. White's cells are drawn green, Black's blue, numbers magenta.

use std::path::PathBuf;
use std::time::Instant;

use image::{Rgb, RgbImage};
use imageproc::drawing::draw_line_segment_mut;
use scoresheet_imaging::{Column, Limits, UprightPage, find_upright_forms, load_page};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1).peekable();
    let folder = arguments
        .next_if(|argument| argument == "--overlay")
        .and_then(|_| arguments.next())
        .map(PathBuf::from);
    for file in arguments.map(PathBuf::from) {
        let page = match load_page(&file, 1, &Limits::default()) {
            Ok(page) => page,
            Err(error) => {
                println!("{error}");
                continue;
            }
        };
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        let start = Instant::now();
        let found = find_upright_forms(page);
        let seconds = start.elapsed().as_secs_f32();
        match found {
            Ok(page) => {
                for form in &page.forms {
                    let first = if form.numbered {
                        form.first_number.to_string()
                    } else {
                        "?".to_owned()
                    };
                    println!(
                        "{name}\t{}x{}\t{first}\t{:.2}\t{}\t{seconds:.2}",
                        form.blocks, form.rows, form.quality, page.quarter_turns
                    );
                }
                if let Some(folder) = &folder {
                    draw(&page).save(folder.join(format!("{name}.png")))?;
                }
            }
            Err(error) => println!("{name}\t{error}\t{seconds:.2}"),
        }
    }
    Ok(())
}

fn draw(page: &UprightPage) -> RgbImage {
    let gray = &page.page.gray;
    let mut picture = RgbImage::from_fn(gray.width(), gray.height(), |x, y| {
        Rgb([gray.get_pixel(x, y).0[0]; 3])
    });
    let cells = page.forms.iter().flat_map(|form| &form.cells).map(|cell| {
        let colour = match cell.column {
            Column::White => Rgb([0, 150, 0]),
            Column::Black => Rgb([60, 120, 255]),
        };
        (&cell.quad, colour)
    });
    let numbers = page
        .forms
        .iter()
        .flat_map(|form| &form.numbers)
        .map(|number| (&number.quad, Rgb([220, 0, 220])));
    for (quad, colour) in cells.chain(numbers) {
        for (&[x0, y0], &[x1, y1]) in quad.iter().zip(quad.iter().cycle().skip(1)) {
            for shift in [0.0, 1.0] {
                let (from, to) = ((x0 + shift, y0 + shift), (x1 + shift, y1 + shift));
                draw_line_segment_mut(&mut picture, from, to, colour);
            }
        }
    }
    picture
}
