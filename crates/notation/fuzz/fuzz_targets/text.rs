//! Any text through everything that reads texts.

#![no_main]

#[path = "../exercise.rs"]
mod exercise;

libfuzzer_sys::fuzz_target!(|text: &str| exercise::exercise(text));
