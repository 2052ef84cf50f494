//! Tests of the crate's public interface, one module a subject.

#![allow(clippy::unwrap_used)]

mod any_text;
mod conventions;
mod forms;
mod games;
mod round_trip;
mod whole_games;
