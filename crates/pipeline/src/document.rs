//! The game document: schema `scoresheet.game/1`.
//!
//! `schema/scoresheet.game-1.json` is the same as a JSON Schema. Fields may be added; none changes its
//! meaning or goes away within version 1.

use cozy_chess::Color;
use scoresheet_imaging::Quality;
use serde::{Deserialize, Serialize};

use crate::input::page_mark;

/// Name and version of the schema.
pub const SCHEMA: &str = "scoresheet.game/1";

/// The JSON Schema of a game document.
pub const JSON_SCHEMA: &str = include_str!("../schema/scoresheet.game-1.json");

/// One game as it was read from its sheets.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct GameDocument {
    /// Always [`SCHEMA`].
    pub schema: String,
    /// Name of the game: the file stem, or the manifest's.
    pub game: String,
    /// What made the document.
    pub generator: Generator,
    /// The sheets, in the order of copies and pages.
    pub sources: Vec<Source>,
    /// How the hand writes.
    pub notation: Notation,
    /// `1-0`, `0-1`, `1/2-1/2` or `*`.
    pub result: String,
    /// The game, move by move.
    pub moves: Vec<MoveRecord>,
    /// What a person told of single moves.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub fixes: Vec<FixRecord>,
    /// All cells of all sheets.
    pub cells: Vec<CellRecord>,
    /// What a person should know about the game as a whole.
    pub remarks: Vec<String>,
}

/// The program and the model that made a document.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Generator {
    /// Version of the program.
    pub version: String,
    /// `sha256:` and the hash of the model file in hexadecimal.
    pub model: String,
}

/// One sheet.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Source {
    /// The image file as it was named.
    pub file: String,
    /// The page in that file, from 1; left out where the file holds no other.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file_page: Option<u32>,
    /// The sheet on that page, from 1 in reading order; left out where the page shows no other.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file_sheet: Option<u32>,
    /// Page of this copy, from 1.
    pub page: u32,
    /// Which player's copy: `A` or `B`.
    pub copy: String,
    /// Width of the upright image in pixels.
    pub width: u32,
    /// Height of the upright image in pixels.
    pub height: u32,
    /// The form found.
    pub form: FormRecord,
    /// What the picture is like; left out where it is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub quality: Option<QualityRecord>,
    /// Where there is print or writing above and below the table: names, result, signatures.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub areas: Vec<AreaRecord>,
    /// The result that is ringed or ticked among those printed; left out where none clearly is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub marked_result: Option<MarkedResultRecord>,
    /// What a person should know about this sheet.
    pub warnings: Vec<String>,
}

impl Source {
    /// The sheet as people name it: the file, `file#3` or `file#3.2`.
    pub fn label(&self) -> String {
        let mark = page_mark(self.file_page, self.file_sheet);
        format!("{}{mark}", self.file)
    }
}

/// The layout of a form.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct FormRecord {
    /// Pairs of columns.
    pub blocks: usize,
    /// Moves in each block.
    pub rows: usize,
}

/// What the picture of a sheet is like.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct QualityRecord {
    /// Height of a row in pixels.
    pub row_height: f32,
    /// Width of the edge from ink to paper in pixels.
    pub blur: f32,
    /// How much darker than the paper the writing is, from 0 to 1.
    pub contrast: f32,
    /// Brightness of the paper, from 0 to 1.
    pub brightness: f32,
    /// Slope of the rows of the upright page in degrees, clockwise.
    pub angle: f32,
    /// Clockwise degrees by which the picture was turned to be upright: 0, 90, 180 or 270.
    pub turned: u32,
    /// Whether the picture was a mirror image.
    pub mirrored: bool,
}

impl QualityRecord {
    /// What was measured on a sheet of a page.
    pub fn new(quality: &Quality, quarter_turns: u8, mirrored: bool) -> Self {
        Self {
            row_height: rounded(quality.row_height, 1),
            blur: rounded(quality.blur, 1),
            contrast: rounded(quality.contrast, 2),
            brightness: rounded(quality.brightness, 2),
            angle: rounded(quality.angle, 1),
            turned: u32::from(quarter_turns) * 90,
            mirrored,
        }
    }

    /// Clockwise quarter turns by which the picture was turned to be upright.
    pub(crate) fn quarter_turns(&self) -> u8 {
        (self.turned / 90 % 4) as u8
    }
}

/// A part of a page outside of the table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AreaRecord {
    /// `above` or `below` the table.
    pub place: String,
    /// Left, top, right and bottom in pixels of the upright source image, right and bottom excluded.
    pub bounds: [u32; 4],
}

/// A result that is ringed or ticked on a sheet.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MarkedResultRecord {
    /// `1-0`, `0-1` or `1/2-1/2`.
    pub result: String,
    /// Corners of its printed word in pixels of the upright source image: top left, top right, bottom right, bottom left.
    pub quad: [[f32; 2]; 4],
}

/// Language and system of notation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Notation {
    /// ISO 639-1 code, such as `en`.
    pub language: String,
    /// `short_algebraic`, `long_algebraic` or `descriptive`.
    pub system: String,
}

/// White or Black.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Colour {
    /// The first to move.
    White,
    /// The second.
    Black,
}

impl Colour {
    /// Of a half-move, which is counted from 1.
    pub(crate) fn of_ply(ply: u32) -> Self {
        if ply % 2 == 1 {
            Self::White
        } else {
            Self::Black
        }
    }

    /// The word for tables.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::White => "white",
            Self::Black => "black",
        }
    }

    /// The letter in the place of a move such as `23b`.
    pub(crate) fn letter(self) -> char {
        match self {
            Self::White => 'w',
            Self::Black => 'b',
        }
    }
}

impl From<Colour> for Color {
    fn from(colour: Colour) -> Self {
        match colour {
            Colour::White => Self::White,
            Colour::Black => Self::Black,
        }
    }
}

/// How much a move can be relied on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum MoveStatus {
    /// No person needs to look.
    Sure,
    /// A person should look.
    Doubtful,
    /// The ink is clear, but no legal move.
    Illegal,
    /// No move could be read.
    Unread,
}

impl MoveStatus {
    /// Its name, as in the document.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Sure => "sure",
            Self::Doubtful => "doubtful",
            Self::Illegal => "illegal",
            Self::Unread => "unread",
        }
    }
}

/// One move.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MoveRecord {
    /// Half-move from the start of the game, from 1.
    pub ply: u32,
    /// Move number.
    pub number: u32,
    /// Who moved.
    pub colour: Colour,
    /// The move in standard algebraic notation, or null where no legal move is claimed.
    pub san: Option<String>,
    /// The same in the notation of engines: `e2e4`, `e7e8q`, `e1g1`.
    pub uci: Option<String>,
    /// What the ink most likely says, given everything.
    pub written: String,
    /// Probability that `san` is right.
    pub confidence: f32,
    /// How much it can be relied on.
    pub status: MoveStatus,
    /// Other moves, the likeliest first.
    pub alternatives: Vec<AlternativeRecord>,
    /// Indexes of the cells in [`GameDocument::cells`] that carry the move.
    pub cells: Vec<usize>,
}

/// A move that a person told.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FixRecord {
    /// Move number.
    pub number: u32,
    /// Who moved.
    pub colour: Colour,
    /// The move as it was told.
    pub told: String,
    /// Why the game does not have it; left out where it does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refused: Option<String>,
}

/// Another legal move that the ink may mean.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AlternativeRecord {
    /// The move.
    pub san: String,
    /// Its probability.
    pub probability: f32,
}

/// What is in a cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum CellContent {
    /// Handwriting.
    Ink,
    /// Nothing.
    Blank,
    /// Ink that reads as no more than one character, or hardly as two, as no move does: dust, a flourish, a stroke that shows through, a text crossed out.
    Mark,
}

/// One cell of a sheet.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CellRecord {
    /// Index of its sheet in [`GameDocument::sources`].
    pub source: usize,
    /// Move number of its row.
    pub number: u32,
    /// Its column.
    pub colour: Colour,
    /// Block of the form, from 0 at the left.
    pub block: usize,
    /// Row of the block, from 0 at the top.
    pub row: usize,
    /// Corners top left, top right, bottom right, bottom left, in pixels of the upright source image.
    pub quad: [[f32; 2]; 4],
    /// What is in it.
    pub state: CellContent,
    /// The raw reading, before any chess; empty where nothing was read.
    pub text: String,
    /// The likeliest readings, best first.
    pub candidates: Vec<CandidateRecord>,
}

/// One reading of a cell.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CandidateRecord {
    /// The text.
    pub text: String,
    /// Natural logarithm of its probability.
    pub log_probability: f32,
}

impl GameDocument {
    /// What a person told of a move.
    pub fn fix(&self, number: u32, colour: Colour) -> Option<&FixRecord> {
        let mut fixes = self.fixes.iter();
        fixes.find(|fix| (fix.number, fix.colour) == (number, colour))
    }

    /// The document as one line of JSON, with its line feed.
    ///
    /// # Errors
    /// None for documents made by this crate; a number that is not finite becomes null.
    pub fn to_json_line(&self) -> serde_json::Result<String> {
        let mut line = serde_json::to_string(self)?;
        line.push('\n');
        Ok(line)
    }
}

/// Rounds to `digits` decimals, so that documents are short.
pub(crate) fn rounded(value: f32, digits: i32) -> f32 {
    let scale = 10f64.powi(digits);
    // Adding zero makes -0 a 0.
    ((f64::from(value) * scale).round() / scale) as f32 + 0.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounding_keeps_the_asked_decimals() {
        for (value, digits, expected) in [
            (0.123_456, 3, 0.123),
            (0.9996, 3, 1.0),
            (-12.345_67, 2, -12.35),
        ] {
            assert_eq!(rounded(value, digits), expected);
        }
    }

    #[test]
    fn a_document_survives_json() {
        let text = include_str!("../schema/example.json");
        let document: GameDocument = serde_json::from_str(text).unwrap();
        let again: GameDocument = serde_json::from_str(&document.to_json_line().unwrap()).unwrap();
        assert_eq!(document, again);
        assert_eq!(document.moves[0].status, MoveStatus::Sure);
        assert_eq!(document.schema, SCHEMA);
    }
}
