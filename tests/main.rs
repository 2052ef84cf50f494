//! Tests of the program as users run it.

#![allow(clippy::unwrap_used)] // A step that fails is a test that fails.

mod bad_input;
mod batches;
mod commands;
mod convert;
mod corrections;
mod documents;
#[cfg(feature = "pdf")]
mod pages;
mod pictures;
mod reader;
mod real_data;
mod samples;
mod schema;
mod several_sheets;
mod support;
