//! A wish to stop, told from anywhere.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A handle by which a batch is asked to stop. Its clones are the same handle.
///
/// Games at work are finished and delivered; no other is begun.
#[derive(Debug, Clone, Default)]
pub struct Cancellation(Arc<AtomicBool>);

impl Cancellation {
    /// Asks to stop.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether someone asked.
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// The flag itself, for a signal handler to set.
    pub fn flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.0)
    }
}
