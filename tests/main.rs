//! Tests of the program as users run it.

mod bad_input;
mod commands;
mod documents;
mod real_data;
mod samples;
mod schema;
mod support;
