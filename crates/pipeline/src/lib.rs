//! One sheet, then many: from image files to game documents.

mod cells;
mod error;
mod input;
mod output;
mod overlay;

pub use cells::{CELL_HEIGHT, CELLS_HEADER, Cell, CutPage, cell_rows, cell_strip, cut_page};
pub use error::SheetError;
pub use input::{IMAGE_EXTENSIONS, InputError, expand_inputs, file_stem, natural_order};
pub use output::{NameRegistry, OutputError, prepare_folder, write_whole};
pub use overlay::{draw_overlay, state_colour};
