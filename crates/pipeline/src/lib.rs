//! One sheet, then many: from image files to game documents.

mod cells;
mod document;
mod error;
mod input;
mod manifest;
mod output;
mod overlay;
mod pgn;

pub use cells::{CELLS_HEADER, Cell, CutPage, cell_rows, cell_strip, cut_page};
pub use document::{
    AlternativeRecord, CandidateRecord, CellContent, CellRecord, Colour, FormRecord, GameDocument,
    Generator, JSON_SCHEMA, MoveRecord, MoveStatus, Notation, SCHEMA, Source,
};
pub use error::SheetError;
pub use input::{IMAGE_EXTENSIONS, InputError, expand_inputs, file_stem, natural_order};
pub use manifest::{GameInput, ManifestError, ManifestProblem, SheetInput, read_manifest};
pub use output::{NameRegistry, OutputError, prepare_folder, write_whole};
pub use overlay::{draw_overlay, state_colour};
pub use pgn::{tag_name, write_pgn};
