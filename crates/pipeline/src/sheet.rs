//! One page of an image file to what the cells of its sheets say: page, forms, cells, lattices.

use std::path::Path;
use std::time::{Duration, Instant};

use scoresheet_imaging::{Area, CellPlace, CellState, load_page};
use scoresheet_notation::Lattice;
use scoresheet_reader::{Candidate, Worker, best_texts};

use crate::SheetError;
use crate::cut_page::{CutSheet, PageOptions, area_name, cut_page_timed};
use crate::document::{AreaRecord, MarkedResultRecord, QualityRecord};
use crate::error::catching;
use crate::input::ImagePage;
use crate::lattice_file::rounded;
use crate::marked_result::read_marked_result;
use crate::numbering::read_first_number;
use crate::picture::SheetPicture;
use crate::timing::{Stage, Timings};

/// Readings kept of each cell.
pub(crate) const CANDIDATES: usize = 5;

/// What one sheet says, before any chess.
#[derive(Debug, Clone)]
pub struct Sheet {
    /// Number of the sheet on its page, from 1; none where the page shows no other.
    pub number: Option<u32>,
    /// Width of the upright image in pixels.
    pub width: u32,
    /// Height of the upright image in pixels.
    pub height: u32,
    /// Pairs of columns of the form.
    pub blocks: usize,
    /// Moves in each block.
    pub rows: usize,
    /// The cells in ply order.
    pub cells: Vec<SheetCell>,
    /// What the picture is like, where it is known.
    pub quality: Option<QualityRecord>,
    /// Print and writing above and below the table.
    pub areas: Vec<AreaRecord>,
    /// The result that is ringed or ticked among those printed, where one clearly is.
    pub marked_result: Option<MarkedResultRecord>,
    /// What a person should know about the sheet.
    pub warnings: Vec<String>,
    /// The page itself, where it is kept for a report.
    pub picture: Option<SheetPicture>,
}

/// One cell and its readings.
#[derive(Debug, Clone)]
pub struct SheetCell {
    /// Where the cell is, and its move number.
    pub place: CellPlace,
    /// What is in it.
    pub state: CellState,
    /// Output of the handwriting model; none where the cell has no ink.
    pub lattice: Option<Lattice>,
    /// The likeliest texts, best first; none where the cell has no ink.
    pub candidates: Vec<Candidate>,
}

/// How one sheet is to be read.
pub(crate) struct SheetTask<'a> {
    pub page: PageOptions<'a>,
    pub deadline: Option<Deadline>,
    pub keep_picture: bool,
    pub timings: &'a Timings,
}

/// When a sheet must be done.
pub(crate) struct Deadline {
    pub end: Instant,
    /// The time that it had.
    pub limit: Duration,
}

impl SheetTask<'_> {
    /// Fails where the time is over. Asked between the steps of the work, none of which takes long by itself.
    fn check_time(&self, path: &Path) -> Result<(), SheetError> {
        match &self.deadline {
            Some(deadline) if Instant::now() > deadline.end => Err(SheetError::TimeLimit {
                path: path.to_path_buf(),
                seconds: deadline.limit.as_secs_f32(),
            }),
            _ => Ok(()),
        }
    }
}

/// Reads the sheets of one page, or the one that `image` names: loads the image, finds the forms, cuts the cells and reads those with ink.
///
/// A sheet without handwriting beside one that has some is left out, with a warning.
///
/// # Errors
/// A [`SheetError`] that names the file and the remedy; also a panic of a stage becomes one.
pub fn read_sheets(
    image: &ImagePage,
    options: PageOptions<'_>,
    worker: &mut Worker<'_>,
) -> Result<Vec<Sheet>, SheetError> {
    let task = SheetTask {
        page: options,
        deadline: None,
        keep_picture: false,
        timings: &Timings::default(),
    };
    read_sheets_for(&task, image, worker)
}

/// Reads the sheets of one page as a task asks.
pub(crate) fn read_sheets_for(
    task: &SheetTask<'_>,
    image: &ImagePage,
    worker: &mut Worker<'_>,
) -> Result<Vec<Sheet>, SheetError> {
    let path = &image.label();
    catching(path, || {
        let mut page = cut_page_timed(image, task.page, task.timings)?;
        task.check_time(path)?;
        task.timings.measure(Stage::Reading, || {
            let size = page.gray.dimensions();
            let (turns, mirrored) = (page.quarter_turns, page.mirrored);
            let cuts = std::mem::take(&mut page.sheets);
            let mut sheets = cuts
                .into_iter()
                .map(|cut| {
                    let quality = cut.quality;
                    let mut sheet = read_cut_sheet(task, path, size, cut, worker)?;
                    sheet.quality = Some(QualityRecord::new(&quality, turns, mirrored));
                    sheet.warnings = page.warnings(&quality);
                    Ok(sheet)
                })
                .collect::<Result<Vec<Sheet>, SheetError>>()?;
            leave_out_blank(&mut sheets);
            if task.keep_picture {
                share_picture(&mut sheets, SheetPicture::new(page.gray));
            }
            Ok(sheets)
        })
    })
}

/// Gives the sheets of a page, which were read before, its picture: loaded again, and turned as it was then.
pub(crate) fn add_picture(
    task: &SheetTask<'_>,
    image: &ImagePage,
    sheets: &mut [Sheet],
) -> Result<(), SheetError> {
    let Some(quality) = sheets.first().and_then(|sheet| sheet.quality) else {
        return Ok(());
    };
    let picture = catching(&image.label(), || {
        task.timings.measure(Stage::Page, || {
            let page = load_page(&image.file, image.number(), &task.page.limits)?;
            let page = page.set_right(quality.quarter_turns(), quality.mirrored);
            Ok(SheetPicture::new(page.gray))
        })
    })?;
    share_picture(sheets, picture);
    Ok(())
}

/// Gives the sheets of a page its picture.
fn share_picture(sheets: &mut [Sheet], picture: SheetPicture) {
    for sheet in sheets {
        sheet.picture = Some(picture.clone());
    }
}

fn read_cut_sheet(
    task: &SheetTask<'_>,
    path: &Path,
    (width, height): (u32, u32),
    cut: CutSheet,
    worker: &mut Worker<'_>,
) -> Result<Sheet, SheetError> {
    let unread = |source| SheetError::Reader {
        path: path.to_path_buf(),
        source,
    };
    let first = read_first_number(&cut.numbers, worker).map_err(unread)?;
    let mut marked = Vec::new();
    for words in &cut.marked_words {
        task.check_time(path)?;
        marked.extend(read_marked_result(words, worker).map_err(unread)?);
    }
    let mut cells = Vec::with_capacity(cut.cells.len());
    for cell in cut.cells {
        task.check_time(path)?;
        let lattice = match cell.state {
            // Rounded as it would be in a file, so that the game is the same whether or not it comes from one.
            CellState::Ink => {
                let read = worker.read(&cell.image);
                Some(
                    read.and_then(|lattice| Ok(rounded(&lattice)?))
                        .map_err(unread)?,
                )
            }
            CellState::Blank => None,
        };
        let bytes = lattice
            .as_ref()
            .map_or(0, |read| size_of_val(read.values()));
        task.timings.add_bytes(Stage::Reading, bytes);
        let candidates = lattice
            .as_ref()
            .map_or_else(Vec::new, |lattice| best_texts(lattice, CANDIDATES));
        cells.push(SheetCell {
            place: cell.place,
            state: cell.state,
            lattice,
            candidates,
        });
    }
    let mut sheet = Sheet {
        number: cut.number,
        width,
        height,
        blocks: cut.form.blocks,
        rows: cut.form.rows,
        cells,
        quality: None,
        areas: cut.areas.iter().map(area_record).collect(),
        marked_result: marked.pop().filter(|_| marked.is_empty()),
        warnings: Vec::new(),
        picture: None,
    };
    if let Some(first) = first {
        sheet.shift_numbers(first - cut.form.first_number);
    }
    Ok(sheet)
}

fn area_record(area: &Area) -> AreaRecord {
    AreaRecord {
        place: area_name(area.place).to_owned(),
        bounds: area.bounds,
    }
}

/// Leaves out the sheets without handwriting where others have some: the empty page of a score book, a blank form below.
fn leave_out_blank(sheets: &mut Vec<Sheet>) {
    let blank: Vec<String> = sheets
        .iter()
        .filter(|sheet| !sheet.has_ink())
        .filter_map(|sheet| Some(sheet.number?.to_string()))
        .collect();
    if blank.is_empty() || blank.len() == sheets.len() {
        return;
    }
    sheets.retain(Sheet::has_ink);
    let (noun, verb) = match blank.len() {
        1 => ("sheet", "has"),
        _ => ("sheets", "have"),
    };
    for sheet in sheets {
        sheet.warnings.push(format!(
            "{noun} {} of this picture {verb} no handwriting and is left out",
            blank.join(", ")
        ));
    }
}

impl Sheet {
    /// Whether any cell has ink.
    pub fn has_ink(&self) -> bool {
        self.cells.iter().any(|cell| cell.lattice.is_some())
    }

    /// Lowest and highest move number of the form.
    pub fn numbers(&self) -> Option<(u32, u32)> {
        let numbers = || self.cells.iter().map(|cell| cell.place.number);
        Some((numbers().min()?, numbers().max()?))
    }

    /// Adds to all move numbers.
    pub fn shift_numbers(&mut self, shift: u32) {
        for cell in &mut self.cells {
            cell.place.number += shift;
        }
    }
}
