//! Cell image to lattice: the handwriting model, run with tract, and the best texts of its output.
//!
//! ```text
//! CellImage -> network_input -> Worker::read -> Lattice -> best_texts
//! ```
//!
//! A [`Reader`] holds the model once for all threads; each thread reads with a [`Worker`] of its own.
//! Its convolutions are ours, in safe vector code: tract's own take half as long again.

mod candidates;
mod convolution;
mod input;
mod looks;
mod model;
mod product;

pub use candidates::{Candidate, best_texts};
pub use input::{BUCKETS, INPUT_HEIGHT, Look, NetworkInput, network_input};
pub use model::{Reader, ReaderError, Worker};
