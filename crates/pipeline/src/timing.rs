//! Where the time goes: CPU time and bytes of each stage of a batch.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use cpu_time::ThreadTime;

/// The stages of a batch, in the order of the work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// Digest of the input files, for resuming; bytes are not counted.
    Digest,
    /// Image file to upright grey page; the bytes are the pixels of the pages.
    Page,
    /// Page to table of moves; the bytes are those of the cells' places.
    Form,
    /// Table to cell pictures; the bytes are their pixels.
    Cells,
    /// Cell pictures to lattices, by the handwriting model; the bytes are the lattices.
    Reading,
    /// Lattices to the game; bytes are not counted.
    Game,
    /// Documents, PGN and the report's pictures; the bytes are what is handed to be written.
    Rendering,
}

impl Stage {
    /// All stages.
    pub const ALL: [Self; 7] = [
        Self::Digest,
        Self::Page,
        Self::Form,
        Self::Cells,
        Self::Reading,
        Self::Game,
        Self::Rendering,
    ];

    /// A word for tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::Digest => "digest",
            Self::Page => "page",
            Self::Form => "form",
            Self::Cells => "cells",
            Self::Reading => "reading",
            Self::Game => "game",
            Self::Rendering => "rendering",
        }
    }
}

/// CPU time and bytes of each stage, summed over all threads.
#[derive(Debug, Default)]
pub struct Timings {
    nanoseconds: [AtomicU64; Stage::ALL.len()],
    bytes: [AtomicU64; Stage::ALL.len()],
}

impl Timings {
    /// Runs a piece of work and adds the CPU time that this thread spent on it.
    pub fn measure<T>(&self, stage: Stage, work: impl FnOnce() -> T) -> T {
        let start = ThreadTime::try_now();
        let result = work();
        // A system without a clock of its threads shows zeros.
        if let Some(spent) = start.ok().and_then(|start| start.try_elapsed().ok()) {
            let nanoseconds = u64::try_from(spent.as_nanos()).unwrap_or(u64::MAX);
            self.nanoseconds[stage as usize].fetch_add(nanoseconds, Ordering::Relaxed);
        }
        result
    }

    /// Adds to the bytes that a stage handed on.
    pub fn add_bytes(&self, stage: Stage, bytes: usize) {
        self.bytes[stage as usize].fetch_add(bytes as u64, Ordering::Relaxed);
    }

    /// CPU time of a stage.
    pub fn spent(&self, stage: Stage) -> Duration {
        Duration::from_nanos(self.nanoseconds[stage as usize].load(Ordering::Relaxed))
    }

    /// Bytes that a stage handed on.
    pub fn bytes(&self, stage: Stage) -> u64 {
        self.bytes[stage as usize].load(Ordering::Relaxed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_is_charged_to_its_stage() {
        let timings = Timings::default();
        let sum = timings.measure(Stage::Form, || {
            (0..3_000_000_u64).fold(1, |a, b| a ^ (b * a))
        });
        assert!(sum != 0 || timings.spent(Stage::Form) > Duration::ZERO);
        timings.add_bytes(Stage::Form, 3);
        timings.add_bytes(Stage::Form, 4);
        assert_eq!(timings.bytes(Stage::Form), 7);
        assert_eq!(timings.spent(Stage::Game), Duration::ZERO);
        for (index, stage) in Stage::ALL.into_iter().enumerate() {
            assert_eq!(stage as usize, index, "{}", stage.name());
        }
    }
}
