//! One sheet, then many: from image files to game documents.
//!
//! ```text
//! expand_inputs / read_manifest -> GameInput -> read_sheets -> Sheet -> decode_game -> GameDocument -> write_pgn
//! ```
//!
//! [`read_games`] does it all for a batch, with any number of threads and results in order.

mod advice;
mod batch;
mod cancellation;
mod cell_table;
mod cut_page;
mod digest;
mod document;
mod doubt;
mod error;
mod fixes;
mod folder;
mod form_file;
mod game;
mod game_key;
mod game_names;
mod game_reader;
mod in_order;
mod input;
mod journal;
mod kept_sheets;
mod lattice_file;
mod manifest;
mod marked_result;
mod notice;
mod numbering;
mod outcome;
mod output;
mod overlay;
mod pairings;
mod pgn;
mod picture;
mod report;
mod report_csv;
mod report_game;
mod report_table;
mod sheet;
mod stack_forms;
mod table;
mod text_score;
mod timing;
mod trf;

pub use advice::advice;
pub use batch::{BatchError, BatchOptions, Outcome, read_each, read_games};
pub use cancellation::Cancellation;
pub use cell_table::{CELLS_HEADER, cell_rows, cell_strip};
pub use cut_page::{Cell, CutPage, CutSheet, PageOptions, area_name, cut_area, cut_page};
pub use digest::file_digest;
pub use document::{
    AlternativeRecord, AreaRecord, CandidateRecord, CellContent, CellRecord, Colour, FixRecord,
    FormRecord, GameDocument, Generator, JSON_SCHEMA, MoveRecord, MoveStatus, Notation,
    QualityRecord, SCHEMA, Source,
};
pub use doubt::{Doubt, doubts};
pub use error::SheetError;
pub use fixes::{FixError, FixProblem, FixTable, Fixes};
pub use folder::{FolderError, GameFiles, KeptGame, OutputFolder};
pub use form_file::{FormFileError, FormFileProblem, GivenForms};
pub use game::{PlacedSheet, decode_game};
pub use game_key::{GameKey, GameKeys, Settings, SheetsKey};
pub use game_names::GameNames;
pub use game_reader::{GameReader, ReadPages, all_lattices};
pub use input::{IMAGE_EXTENSIONS, ImagePage, InputError, expand_inputs, file_stem, natural_order};
pub use lattice_file::{LATTICE_EXTENSION, LatticeFileError, load_lattices, save_lattices};
pub use manifest::{GameInput, ManifestError, ManifestProblem, SheetInput, read_manifest};
pub use notice::Notice;
pub use output::{NameRegistry, OutputError, WholeFile, prepare_folder, write_whole};
pub use overlay::{draw_overlay, state_colour};
pub use pairings::{Match, Pairing, Pairings, PairingsError, PairingsProblem};
pub use pgn::{DoubtMarks, tag_name, write_pgn, write_pgn_marked};
pub use picture::SheetPicture;
pub use report::{Failure, render_part, write_report};
pub use report_table::ReportTable;
pub use sheet::{Sheet, SheetCell, read_sheets};
pub use stack_forms::StackForms;
pub use timing::{Stage, Timings};
pub use trf::TrfProblem;
