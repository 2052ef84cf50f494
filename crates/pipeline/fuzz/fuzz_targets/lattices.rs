//! Any bytes through what reads lattices; `exercise.rs` tells which.

#![no_main]
#![allow(dead_code)] // Each target takes its part of what they share.

#[path = "../exercise.rs"]
mod exercise;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| exercise::lattices(bytes));
