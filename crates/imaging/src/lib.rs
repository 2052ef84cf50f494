//! From a page image to its cells: loading, paper flattening, form finding and cell cutting.
//!
//! The stages are free functions on plain data and can each be called alone:
//!
//! ```text
//! count_pages, load_page -> Page -> Paper::new -> find_forms -> Form -> cut_cell -> CellImage
//! ```
//!
//! Coordinates are pixels of the upright source image: x to the right, y down, pixel centres at integers.

mod areas;
mod bundle;
mod cell;
mod choices;
mod columns;
mod container;
#[cfg(test)]
mod drawing;
mod drift;
mod ends;
mod expected;
mod fax;
mod form;
mod grid;
#[cfg(feature = "heic")]
mod heic;
#[cfg(feature = "heic")]
mod hevc_size;
mod ink;
mod jpeg;
mod layout;
mod load_error;
#[cfg(test)]
mod many_forms;
mod numbers;
mod page;
mod paper;
#[cfg(feature = "pdf")]
mod pdf;
mod printed;
mod quality;
mod reading_order;
mod rectify;
mod reduced;
mod ring;
mod rows;
mod rules;
mod sequence;
mod series;
mod shape;
mod strip;
mod strokes;
mod table;
mod tiff;
mod upright;
mod words;

pub use areas::{Area, AreaPlace, find_areas};
pub use cell::{CELL_HEIGHT, CellImage, CellState, cut_cell, cut_number};
pub use choices::{Marks, PrintedWord, find_marked_words};
pub use form::{CellPlace, Column, Form, FormError, NumberPlace, find_forms};
pub use layout::{Holds, Layout, LayoutError};
pub use load_error::{Limits, LoadError};
pub use page::{Page, count_pages, load_page};
pub use paper::Paper;
pub use quality::Quality;
pub use reduced::reduced;
pub use shape::FormShape;
pub use upright::{UprightPage, find_upright_forms, find_upright_forms_like};
