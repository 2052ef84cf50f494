//! `scoresheet doctor`: what this program is and whether it works here.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use clap::Args;
use image::{GrayImage, Luma};
use scoresheet_pipeline::IMAGE_EXTENSIONS;
use scoresheet_reader::Reader;

use crate::console::write_stdout;
use crate::status::Status;

/// Options of `scoresheet doctor`.
#[derive(Debug, Args)]
pub struct DoctorArguments {
    /// Handwriting model (ONNX) instead of the built-in one
    #[arg(long, value_name = "FILE")]
    model: Option<PathBuf>,
}

/// Cells that are read to see how fast it goes.
const CELLS: u32 = 20;

/// Prints versions, processor and model, and reads some cells.
pub fn run(arguments: &DoctorArguments) -> Result<Status> {
    let reader = match &arguments.model {
        Some(file) => {
            Reader::from_file(file).with_context(|| format!("--model {}", file.display()))?
        }
        None => Reader::embedded()?,
    };
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let mut text = String::new();
    // Writing to a string cannot fail.
    let _ = writeln!(text, "scoresheet  {}", env!("CARGO_PKG_VERSION"));
    let _ = writeln!(
        text,
        "system      {} {}",
        std::env::consts::OS,
        std::env::consts::ARCH
    );
    let _ = writeln!(text, "processor   {cores} cores{}", features());
    let _ = writeln!(text, "model       sha256:{}", reader.sha256());
    let _ = writeln!(text, "alphabet    {} classes", reader.alphabet().len());
    let _ = writeln!(text, "images      {}", IMAGE_EXTENSIONS.join(", "));
    let status = match read_cells(&reader) {
        Ok(time) => {
            let milliseconds = time.as_secs_f64() * 1000.0;
            let _ = writeln!(
                text,
                "reading     works, {milliseconds:.1} ms a cell on one core"
            );
            Status::Success
        }
        Err(error) => {
            let _ = writeln!(text, "reading     FAILS: {error}");
            Status::SomeFailed
        }
    };
    write_stdout(&text).context("stdout cannot be written")?;
    Ok(status)
}

/// Time for a cell with a few strokes, without the preparation before the first.
fn read_cells(reader: &Reader) -> Result<Duration> {
    let cell = GrayImage::from_fn(200, 64, |x, y| {
        let stroke = (60..140).contains(&x) && (x / 2 + y) % 37 < 3 && (12..52).contains(&y);
        Luma([if stroke { 30 } else { 240 }])
    });
    let mut worker = reader.worker();
    worker.read(&cell)?;
    let start = Instant::now();
    for _ in 0..CELLS {
        worker.read(&cell)?;
    }
    Ok(start.elapsed() / CELLS)
}

/// What the processor can do that matters for speed.
fn features() -> String {
    #[cfg(target_arch = "x86_64")]
    {
        let found = [
            ("AVX2", std::arch::is_x86_feature_detected!("avx2")),
            ("FMA", std::arch::is_x86_feature_detected!("fma")),
            ("AVX-512", std::arch::is_x86_feature_detected!("avx512f")),
        ];
        let names: Vec<&str> = found
            .iter()
            .filter(|(_, there)| *there)
            .map(|(name, _)| *name)
            .collect();
        if names.is_empty() {
            return " (no AVX2: slow)".to_owned();
        }
        format!(", {}", names.join(", "))
    }
    #[cfg(not(target_arch = "x86_64"))]
    String::new()
}
