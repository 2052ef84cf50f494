//! What the examples share: the cells of a sheet from a file made by `scoresheet read --save-lattices`, and a clock.

use std::error::Error;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use cozy_chess::Color;
use scoresheet_decoder::CellEvidence;
use scoresheet_notation::{Alphabet, Lattice};
use serde_json::Value;

/// The cells of a saved sheet in playing order; numbers of cells count from `first`. The layout is told in the pipeline crate.
pub fn load(path: &Path, first: usize) -> Result<Vec<CellEvidence>, Box<dyn Error>> {
    let bytes = std::fs::read(path)?;
    let rest = bytes
        .strip_prefix(b"scoresheet.lattices/1\n")
        .ok_or_else(|| format!("{}: not a lattice file", path.display()))?;
    let cut_off = || format!("{}: cut off", path.display());
    let (length, rest) = rest.split_first_chunk::<4>().ok_or_else(cut_off)?;
    let (header, mut values) = rest
        .split_at_checked(u32::from_le_bytes(*length) as usize)
        .ok_or_else(cut_off)?;
    let header: Value = serde_json::from_slice(header)?;
    let mut lines = String::from("<blank>");
    for character in header["alphabet"].as_array().into_iter().flatten() {
        lines.push('\n');
        lines.push_str(character.as_str().unwrap_or_default());
    }
    let alphabet = Arc::new(Alphabet::from_lines(&lines)?);
    let mut cells = Vec::new();
    for cell in header["cells"].as_array().into_iter().flatten() {
        let steps = cell["steps"].as_u64().unwrap_or(0) as usize;
        let mut lattice = None;
        if steps > 0 {
            let (here, after) = values
                .split_at_checked(steps * alphabet.len() * 2)
                .ok_or_else(cut_off)?;
            values = after;
            let here = here
                .chunks_exact(2)
                .map(|pair| -f32::from(u16::from_le_bytes([pair[0], pair[1]])) / 1024.0)
                .collect();
            lattice = Some(Lattice::new(steps, Arc::clone(&alphabet), here)?);
        }
        cells.push(CellEvidence {
            number: cell["number"].as_u64().unwrap_or(0) as u32,
            colour: if cell["white"].as_bool() == Some(true) {
                Color::White
            } else {
                Color::Black
            },
            lattice,
            cell: first + cells.len(),
        });
    }
    Ok(cells)
}

/// CPU time of this thread where the system tells it, else the time that passes.
pub struct Clock {
    start: Instant,
    used: Option<f64>,
}

impl Clock {
    /// Starts now.
    pub fn now() -> Self {
        Self {
            start: Instant::now(),
            used: nanoseconds_used(),
        }
    }

    /// Milliseconds since the start.
    pub fn milliseconds(&self) -> f64 {
        match (self.used, nanoseconds_used()) {
            (Some(before), Some(after)) => (after - before) / 1e6,
            _ => self.start.elapsed().as_secs_f64() * 1e3,
        }
    }
}

fn nanoseconds_used() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split(' ').next()?.parse().ok()
}
