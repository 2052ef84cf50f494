//! Prints the forms found on page images and the time it took (`scoresheet forms --overlay` draws them).
//!
//! ```sh
//! cargo run --release -p scoresheet-imaging --example find_form -- IMAGE...
//! ```
//!
//! One line a form: file, blocks, rows, first number (`?` where the page does not show it), share of the rows with a number,
//! quarter turns, seconds of the page.

use std::path::PathBuf;
use std::time::Instant;

use scoresheet_imaging::{Limits, find_upright_forms, load_page};

fn main() {
    for file in std::env::args().skip(1).map(PathBuf::from) {
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
            }
            Err(error) => println!("{name}\t{error}\t{seconds:.2}"),
        }
    }
}
