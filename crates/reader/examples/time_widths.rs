//! Milliseconds of processor time that a model takes for a cell of every input width, the fastest of some runs: `time_widths [MODEL.onnx]`, one line a width.

use std::path::Path;

use cpu_time::ThreadTime;
use image::{GrayImage, Luma};
use scoresheet_reader::{BUCKETS, Look, Reader, network_input};

const RUNS: usize = 40;

/// A white cell with upright strokes over a width of `right` pixels.
fn strokes(right: u32) -> GrayImage {
    GrayImage::from_fn(640, 64, |x, y| {
        let ink = (20..20 + right).contains(&x) && (20..44).contains(&y) && x % 9 < 3;
        Luma([if ink { 0 } else { 255 }])
    })
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let reader = match std::env::args_os().nth(1) {
        Some(model) => Reader::from_file(Path::new(&model))?,
        None => Reader::embedded()?,
    };
    let mut worker = reader.worker();
    for (bucket, width) in BUCKETS.into_iter().enumerate() {
        let mut cells = (16..600).step_by(4).map(strokes);
        let Some(cell) = cells.find(|cell| network_input(cell, Look::STRAIGHT).bucket == bucket)
        else {
            continue;
        };
        worker.look(&cell, Look::STRAIGHT)?;
        let mut fastest = f64::INFINITY;
        for _ in 0..RUNS {
            let start = ThreadTime::now();
            worker.look(&cell, Look::STRAIGHT)?;
            fastest = fastest.min(start.elapsed().as_secs_f64());
        }
        println!("{width} {:.3}", fastest * 1e3);
    }
    Ok(())
}
