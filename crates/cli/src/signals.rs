//! Signals that ask the program to stop.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use scoresheet_pipeline::Cancellation;
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;

use crate::status::Status;

/// Watches for SIGINT (Ctrl-C) and SIGTERM.
///
/// The first one cancels the batch, so that the sheets at work are finished and what is done is written; the second ends the program at once.
pub struct Signals {
    received: Arc<AtomicUsize>,
}

impl Signals {
    /// Begins to watch.
    pub fn watch(cancellation: &Cancellation) -> io::Result<Self> {
        let received = Arc::new(AtomicUsize::new(0));
        for (signal, status) in [(SIGINT, Status::Interrupted), (SIGTERM, Status::Terminated)] {
            // Handlers run in the order of their registration: at the first signal this one still finds the flag unset.
            flag::register_conditional_shutdown(signal, status as i32, cancellation.flag())?;
            flag::register(signal, cancellation.flag())?;
            flag::register_usize(signal, Arc::clone(&received), signal as usize)?;
        }
        Ok(Self { received })
    }

    /// The status to end with, where a signal came.
    pub fn status(&self) -> Option<Status> {
        match i32::try_from(self.received.load(Ordering::Relaxed)) {
            Ok(SIGINT) => Some(Status::Interrupted),
            Ok(SIGTERM) => Some(Status::Terminated),
            _ => None,
        }
    }
}
