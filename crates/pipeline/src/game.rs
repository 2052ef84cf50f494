//! The sheets of one game to its document.

use std::collections::BTreeMap;

use cozy_chess::Color;
use scoresheet_decoder::{
    CellEvidence, DecodeOptions, DecodedMove, Game, LEAST_MOVE, Lock, LockError, Status,
    decode_checked,
};
use scoresheet_imaging::{CellState, Column};
use scoresheet_notation::System;

use crate::document::{
    AlternativeRecord, CandidateRecord, CellContent, CellRecord, Colour, FixRecord, FormRecord,
    GameDocument, Generator, MoveRecord, MoveStatus, Notation, SCHEMA, Source, rounded,
};
use crate::manifest::{GameInput, SheetInput};
use crate::sheet::{Sheet, SheetCell};

/// Warning of a sheet with ink that gives no game.
const NO_MOVE: &str = "no move could be read; see whether the cells were found (scoresheet forms --overlay), and describe the form (--form) if they were not";

/// A sheet with its place in the game; `None` where it could not be read.
pub type PlacedSheet = (SheetInput, Option<Sheet>);

/// Decodes a game from its sheets, which come in the order of copies and pages.
///
/// Each copy goes into the search by itself. A page after the first that is printed with
/// numbers from the start again continues where the page before ended.
///
/// A move that a person told and that the game cannot have is left out and comes back as an error; the document says so, too.
pub fn decode_game(
    game: &GameInput,
    mut sheets: Vec<PlacedSheet>,
    generator: &Generator,
    options: &DecodeOptions,
) -> (GameDocument, Vec<LockError>) {
    let warnings = continue_numbers(&mut sheets);
    let mut remarks = Vec::new();
    let mut sources = Vec::new();
    let mut cells = Vec::new();
    let mut copies: BTreeMap<char, Vec<CellEvidence>> = BTreeMap::new();
    for ((input, sheet), warnings) in sheets.into_iter().zip(warnings) {
        match sheet {
            Some(sheet) => {
                sources.push(source_record(&input, &sheet, warnings));
                let copy = copies.entry(input.copy).or_default();
                add_cells(sources.len() - 1, sheet, &mut cells, copy);
            }
            None => remarks.push(format!(
                "Page {} of copy {} ({}) could not be read.",
                input.page,
                input.copy,
                input.image.label().display()
            )),
        }
    }
    let copies: Vec<Vec<CellEvidence>> = copies.into_values().collect();
    let mut options = options.clone();
    options.locks.extend_from_slice(&game.fixes);
    let (decoded, refused) = decode_with_fixes(&copies, &options);
    remarks.extend(decoded.remarks);
    if decoded.moves.is_empty() && cells.iter().any(|cell| cell.state != CellContent::Blank) {
        for source in &mut sources {
            source.warnings.push(NO_MOVE.to_owned());
        }
    }
    let document = GameDocument {
        schema: SCHEMA.to_owned(),
        game: game.name.clone(),
        generator: generator.clone(),
        sources,
        notation: Notation {
            language: decoded.language.to_owned(),
            system: system_name(decoded.system).to_owned(),
        },
        result: game.result().to_owned(),
        moves: decoded.moves.into_iter().map(move_record).collect(),
        fixes: fix_records(&options.locks, &refused),
        cells,
        remarks,
    };
    (document, refused)
}

/// The game with all fixed moves that it can have, and why it cannot have the others.
fn decode_with_fixes(
    copies: &[Vec<CellEvidence>],
    options: &DecodeOptions,
) -> (Game, Vec<LockError>) {
    let mut options = options.clone();
    let mut refused = Vec::new();
    loop {
        match decode_checked(copies, &options) {
            Ok(game) => return (game, refused),
            Err(error) => {
                match error.lock() {
                    Some(lock) => options.locks.retain(|other| other != lock),
                    None => options.locks.clear(),
                }
                refused.push(error);
            }
        }
    }
}

fn fix_records(fixes: &[Lock], refused: &[LockError]) -> Vec<FixRecord> {
    let mut fixes: Vec<&Lock> = fixes.iter().collect();
    fixes.sort_by_key(|fix| fix.ply());
    fixes
        .into_iter()
        .map(|fix| FixRecord {
            number: fix.ply().div_ceil(2),
            colour: Colour::of_ply(fix.ply()),
            told: fix.text().to_owned(),
            refused: refused
                .iter()
                .find(|error| error.lock() == Some(fix))
                .map(LockError::to_string),
        })
        .collect()
}

/// Renumbers pages that continue a copy, and gives the warnings of each sheet.
fn continue_numbers(sheets: &mut [PlacedSheet]) -> Vec<Vec<String>> {
    let mut warnings = vec![Vec::new(); sheets.len()];
    // Copy, page, and the last move number of its pages so far.
    let mut before: Option<(char, u32, u32)> = None;
    for ((input, sheet), warnings) in sheets.iter_mut().zip(&mut warnings) {
        let (page, last) = match before {
            Some((copy, page, last)) if copy == input.copy => (page, last),
            _ => (0, 0),
        };
        let Some(sheet) = sheet else {
            continue;
        };
        warnings.append(&mut sheet.warnings);
        let Some((lowest, highest)) = sheet.numbers() else {
            continue;
        };
        // Pages that are missing or could not be read are taken to be as long as this one.
        let length = highest - lowest + 1;
        let missing = (input.page - page).saturating_sub(1);
        let expected = last.saturating_add(length.saturating_mul(missing));
        let shift = if input.page > 1 && lowest == 1 {
            expected
        } else {
            0
        };
        if shift > 0 {
            sheet.shift_numbers(shift);
            warnings.push(format!(
                "page {} is taken to start at move {}, after the page before it",
                input.page,
                lowest + shift
            ));
        }
        if !sheet.has_ink() {
            warnings.push("no handwriting was found in the table".to_owned());
        }
        before = Some((input.copy, input.page, highest + shift));
    }
    warnings
}

fn source_record(input: &SheetInput, sheet: &Sheet, warnings: Vec<String>) -> Source {
    Source {
        file: input.image.file.display().to_string(),
        file_page: input.image.page,
        file_sheet: input.image.sheet.or(sheet.number),
        page: input.page,
        copy: input.copy.to_string(),
        width: sheet.width,
        height: sheet.height,
        form: FormRecord {
            blocks: sheet.blocks,
            rows: sheet.rows,
        },
        quality: sheet.quality,
        areas: sheet.areas.clone(),
        marked_result: sheet.marked_result.clone(),
        warnings,
    }
}

fn add_cells(
    source: usize,
    sheet: Sheet,
    cells: &mut Vec<CellRecord>,
    copy: &mut Vec<CellEvidence>,
) {
    for mut cell in sheet.cells {
        copy.push(CellEvidence {
            number: cell.place.number,
            colour: match cell.place.column {
                Column::White => Color::White,
                Column::Black => Color::Black,
            },
            lattice: cell.lattice.take(),
            cell: cells.len(),
        });
        cells.push(cell_record(source, &cell));
    }
}

/// Natural log of the probability below which a reading as short as the shortest move is dust or a stray stroke: of 11,300 labelled cells of HCS one is read so
/// (and wrongly), of those without a label 27.
const STRAY: f32 = -2.2;

/// Whether the ink of a cell is read as no writing: as a single character, or hardly as two.
fn is_mark(candidates: &[CandidateRecord]) -> bool {
    candidates.first().is_none_or(|best| {
        let length = best.text.chars().count();
        length < LEAST_MOVE || length == LEAST_MOVE && best.log_probability < STRAY
    })
}

fn cell_record(source: usize, cell: &SheetCell) -> CellRecord {
    let candidates: Vec<CandidateRecord> = cell
        .candidates
        .iter()
        .map(|candidate| CandidateRecord {
            text: candidate.text.clone(),
            log_probability: rounded(candidate.log_probability, 4).min(0.0),
        })
        .collect();
    let text = candidates
        .first()
        .map_or_else(String::new, |candidate| candidate.text.clone());
    CellRecord {
        source,
        number: cell.place.number,
        colour: match cell.place.column {
            Column::White => Colour::White,
            Column::Black => Colour::Black,
        },
        block: cell.place.block,
        row: cell.place.row,
        quad: cell
            .place
            .quad
            .map(|corner| corner.map(|value| rounded(value, 1))),
        state: match cell.state {
            CellState::Ink if is_mark(&candidates) => CellContent::Mark,
            CellState::Ink => CellContent::Ink,
            CellState::Blank => CellContent::Blank,
        },
        text,
        candidates,
    }
}

fn move_record(decoded: DecodedMove) -> MoveRecord {
    let (san, uci) = match decoded.played {
        Some(played) => (Some(played.san), Some(played.uci)),
        None => (None, None),
    };
    MoveRecord {
        ply: decoded.ply,
        number: decoded.number,
        colour: match decoded.colour {
            Color::White => Colour::White,
            Color::Black => Colour::Black,
        },
        san,
        uci,
        written: decoded.written,
        confidence: rounded(decoded.confidence, 6).clamp(0.0, 1.0),
        status: match decoded.status {
            Status::Sure => MoveStatus::Sure,
            Status::Doubtful => MoveStatus::Doubtful,
            Status::Illegal => MoveStatus::Illegal,
            Status::Unread => MoveStatus::Unread,
        },
        alternatives: decoded
            .alternatives
            .into_iter()
            .map(|other| AlternativeRecord {
                san: other.san,
                probability: rounded(other.probability, 4).clamp(0.0, 1.0),
            })
            .collect(),
        cells: decoded.cells,
    }
}

fn system_name(system: System) -> &'static str {
    match system {
        System::ShortAlgebraic => "short_algebraic",
        System::LongAlgebraic => "long_algebraic",
        System::Descriptive => "descriptive",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use scoresheet_imaging::CellPlace;
    use scoresheet_notation::{Alphabet, Lattice};
    use scoresheet_reader::Candidate;
    use std::path::PathBuf;
    use std::sync::Arc;

    /// A lattice on which `text` is nearly certain.
    fn lattice(alphabet: &Arc<Alphabet>, text: &str) -> Lattice {
        const SURE: f32 = 0.9999;
        let characters: Vec<[(char, f32); 1]> = text.chars().map(|one| [(one, SURE)]).collect();
        let slices: Vec<&[(char, f32)]> = characters.iter().map(|one| one.as_slice()).collect();
        Lattice::from_characters(Arc::clone(alphabet), &slices, SURE)
    }

    #[test]
    fn short_readings_that_are_hardly_likely_are_marks() {
        for (text, log_probability, mark) in [
            ("", 0.0, true),
            ("1", 0.0, true),
            ("e4", -2.1, false),
            ("e4", -2.3, true),
            ("Nf3", -4.0, false),
        ] {
            let candidates = [CandidateRecord {
                text: text.to_owned(),
                log_probability,
            }];
            assert_eq!(is_mark(&candidates), mark, "{text} {log_probability}");
        }
        assert!(is_mark(&[]));
    }

    /// A form of one block from `first` on with these texts; an empty text is a blank cell.
    fn sheet(alphabet: &Arc<Alphabet>, first: u32, texts: &[&str]) -> Sheet {
        let cells = texts
            .iter()
            .enumerate()
            .map(|(index, text)| SheetCell {
                place: CellPlace {
                    number: first + index as u32 / 2,
                    column: if index % 2 == 0 {
                        Column::White
                    } else {
                        Column::Black
                    },
                    block: 0,
                    row: index / 2,
                    quad: [[0.0, 0.0], [9.0, 0.0], [9.0, 4.0], [0.04, 4.0]],
                },
                state: if text.is_empty() {
                    CellState::Blank
                } else {
                    CellState::Ink
                },
                lattice: (!text.is_empty()).then(|| lattice(alphabet, text)),
                candidates: (!text.is_empty())
                    .then(|| Candidate {
                        text: (*text).to_owned(),
                        log_probability: -0.123_456,
                    })
                    .into_iter()
                    .collect(),
            })
            .collect();
        Sheet {
            number: None,
            width: 10,
            height: 20,
            blocks: 1,
            rows: texts.len() / 2,
            cells,
            quality: None,
            areas: Vec::new(),
            marked_result: None,
            warnings: Vec::new(),
            picture: None,
        }
    }

    fn input(copy: char, page: u32) -> SheetInput {
        SheetInput {
            image: PathBuf::from(format!("{copy}{page}.jpg")).into(),
            copy,
            page,
        }
    }

    fn decoded(sheets: Vec<PlacedSheet>) -> GameDocument {
        let generator = Generator {
            version: "0.0.0".to_owned(),
            model: "sha256:0".to_owned(),
        };
        let game = GameInput::single("game".to_owned(), PathBuf::from("A1.jpg"));
        decode_game(&game, sheets, &generator, &DecodeOptions::default()).0
    }

    fn moves(document: &GameDocument) -> Vec<&str> {
        document
            .moves
            .iter()
            .map(|record| record.san.as_deref().unwrap_or("-"))
            .collect()
    }

    #[test]
    fn copies_complete_each_other() {
        let alphabet = Arc::new(Alphabet::from_lines(ALPHABET).unwrap());
        let document = decoded(vec![
            (
                input('A', 1),
                Some(sheet(&alphabet, 1, &["e4", "e5", "", "Nc6"])),
            ),
            (
                input('B', 1),
                Some(sheet(&alphabet, 1, &["e4", "", "Nf3", "Nc6"])),
            ),
        ]);
        assert_eq!(moves(&document), ["e4", "e5", "Nf3", "Nc6"]);
        assert_eq!(document.moves[0].cells, [0, 4]);
        assert_eq!(document.cells[6].source, 1);
        assert_eq!(document.cells[0].candidates[0].log_probability, -0.1235);
        assert_eq!(document.cells[1].text, "e5");
        assert_eq!(document.cells[2].state, CellContent::Blank);
    }

    #[test]
    fn a_single_character_is_a_mark() {
        let alphabet = Arc::new(Alphabet::from_lines(ALPHABET).unwrap());
        let written = sheet(&alphabet, 1, &["e4", "e5", "Nf3", "N"]);
        let document = decoded(vec![(input('A', 1), Some(written))]);
        let states = document.cells.iter().map(|cell| cell.state);
        assert_eq!(states.clone().nth(2), Some(CellContent::Ink));
        assert_eq!(states.clone().nth(3), Some(CellContent::Mark));
        assert_eq!(moves(&document), ["e4", "e5", "Nf3"]);
    }

    #[test]
    fn pages_continue_whatever_is_printed_on_them() {
        let alphabet = Arc::new(Alphabet::from_lines(ALPHABET).unwrap());
        // The second page may be longer than the first.
        for (printed, rest) in [(1, 2), (1, 6), (3, 2)] {
            let second: Vec<&str> = ["Bb5", "a6"].into_iter().chain(vec![""; rest]).collect();
            let document = decoded(vec![
                (
                    input('A', 1),
                    Some(sheet(&alphabet, 1, &["e4", "e5", "Nf3", "Nc6"])),
                ),
                (input('A', 2), Some(sheet(&alphabet, printed, &second))),
            ]);
            assert_eq!(moves(&document), ["e4", "e5", "Nf3", "Nc6", "Bb5", "a6"]);
            let warned = document.sources[1].warnings.len();
            assert_eq!(warned, usize::from(printed == 1));
        }
    }

    #[test]
    fn a_page_that_failed_leaves_its_numbers_free_and_a_remark() {
        let alphabet = Arc::new(Alphabet::from_lines(ALPHABET).unwrap());
        let document = decoded(vec![
            (input('A', 1), None),
            (
                input('A', 2),
                Some(sheet(&alphabet, 1, &["e4", "e5", "Nf3", ""])),
            ),
        ]);
        assert_eq!(document.cells[0].number, 3);
        assert_eq!(document.sources.len(), 1);
        assert!(
            document.remarks[0].contains("A1.jpg"),
            "{:?}",
            document.remarks
        );
    }

    const ALPHABET: &str =
        "<blank>\na\nb\nc\nd\ne\nf\ng\nh\n1\n2\n3\n4\n5\n6\n7\n8\nK\nQ\nR\nN\nB\nO\n-\nx\n+\n";
}
