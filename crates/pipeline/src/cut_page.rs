//! A page to the sheets that it shows and the pictures of their cells.

use image::GrayImage;
use scoresheet_imaging::{
    Area, AreaPlace, CellPlace, CellState, Form, Limits, NumberPlace, Page, Paper, PrintedWord,
    Quality, UprightPage, cut_cell, cut_number, find_areas, find_marked_words, find_upright_forms,
    find_upright_forms_like, load_page,
};

use crate::advice::advice;
use crate::error::{SheetError, catching};
use crate::form_file::GivenForms;
use crate::input::ImagePage;
use crate::stack_forms::StackForms;
use crate::timing::{Stage, Timings};

/// One cell with its picture.
pub struct Cell {
    /// Where the cell is.
    pub place: CellPlace,
    /// What is in it.
    pub state: CellState,
    /// Its rectified picture: dark ink on white, [`scoresheet_imaging::CELL_HEIGHT`] pixels high.
    pub image: GrayImage,
}

/// One page with the sheets that it shows.
pub struct CutPage {
    /// The upright grey page.
    pub gray: GrayImage,
    /// Clockwise quarter turns that made it upright, 0 to 3.
    pub quarter_turns: u8,
    /// Whether the picture was a mirror image and has been mirrored back.
    pub mirrored: bool,
    /// Whether the form of other pages of the stack was laid over this one, which does not prove its own.
    pub expected: bool,
    /// The sheets in reading order: all, or the one that was asked for; at least one.
    pub sheets: Vec<CutSheet>,
}

impl CutPage {
    /// What a person should know of a sheet of this page, and do.
    pub fn warnings(&self, quality: &Quality) -> Vec<String> {
        let mut warnings = advice(quality, self.mirrored);
        if self.expected {
            warnings.push(
                "the printed numbers cannot be read, and the form of the sheets beside it was laid over this one; check where its moves begin, or photograph it again"
                    .to_owned(),
            );
        }
        warnings
    }
}

/// The form of one sheet and its cells in ply order.
pub struct CutSheet {
    /// Number of the sheet on its page, from 1; none where the page shows no other.
    pub number: Option<u32>,
    /// The form found.
    pub form: Form,
    /// All cells, also blank ones.
    pub cells: Vec<Cell>,
    /// What the picture of the sheet is like.
    pub quality: Quality,
    /// Print and writing above and below the table.
    pub areas: Vec<Area>,
    /// Words above and below the table where some of them are marked; each list is of one side.
    pub marked_words: Vec<Vec<PrintedWord>>,
    /// Printed move numbers where the form does not tell its first number by itself: rows from the first move's, and picture.
    pub numbers: Vec<(u32, GrayImage)>,
}

/// How a page is loaded and its forms are found.
#[derive(Debug, Clone, Copy, Default)]
pub struct PageOptions<'a> {
    /// What an image may cost.
    pub limits: Limits,
    /// Forms that a person has described.
    pub forms: Option<&'a GivenForms>,
    /// The forms of the stack that the page belongs to, where no form is described.
    pub stack: Option<&'a StackForms>,
}

/// The forms of a page: those that a person has described for it, those found, else those described for pages on which none is found.
fn find_or_given(
    page: Page,
    image: &ImagePage,
    options: PageOptions<'_>,
) -> Result<UprightPage, SheetError> {
    let not_found = |source| SheetError::Form {
        path: image.label(),
        source,
    };
    let Some(given) = options.forms else {
        let expected = || {
            options
                .stack
                .map_or_else(Vec::new, |stack| stack.expected(image))
        };
        let found = find_upright_forms_like(page, expected);
        if let Some(stack) = options.stack {
            let forms = found.as_ref().map_or(&[][..], |found| &found.forms);
            stack.note(image, forms);
        }
        return found.map_err(not_found);
    };
    let mut forms = given.instead(image);
    if forms.is_empty() {
        let otherwise = given.otherwise();
        match find_upright_forms(page.clone()) {
            Err(_) if !otherwise.is_empty() => forms = otherwise,
            found => return found.map_err(not_found),
        }
    }
    given.check(&forms, image, page.gray.dimensions())?;
    Ok(UprightPage {
        paper: Paper::new(&page.gray),
        page,
        forms: forms.into_iter().cloned().collect(),
        quarter_turns: 0,
        mirrored: false,
        expected: false,
    })
}

/// Loads a page, turns it upright, finds its forms and cuts all cells of all its sheets, or of the one that `image` names.
///
/// # Errors
/// A [`SheetError`] that names the file and the remedy.
pub fn cut_page(image: &ImagePage, options: PageOptions<'_>) -> Result<CutPage, SheetError> {
    catching(&image.label(), || {
        cut_page_timed(image, options, &Timings::default())
    })
}

/// The same with the time of each stage.
pub(crate) fn cut_page_timed(
    image: &ImagePage,
    options: PageOptions<'_>,
    timings: &Timings,
) -> Result<CutPage, SheetError> {
    let page = timings.measure(Stage::Page, || {
        load_page(&image.file, image.number(), &options.limits)
    })?;
    timings.add_bytes(Stage::Page, page.gray.len());
    let UprightPage {
        page,
        paper,
        forms,
        quarter_turns,
        mirrored,
        expected,
    } = timings.measure(Stage::Form, || find_or_given(page, image, options))?;
    let count = forms.len() as u32;
    if let Some(sheet) = image.sheet.filter(|&sheet| sheet > count) {
        return Err(SheetError::NoSuchSheet {
            path: image.whole_page().label(),
            sheet,
            sheets: count,
        });
    }
    let sheets = (1..)
        .zip(&forms)
        .filter(|(number, _)| image.sheet.is_none_or(|wanted| wanted == *number))
        .map(|(number, form)| {
            timings.add_bytes(Stage::Form, size_of_val(&form.cells[..]));
            let sheet = timings.measure(Stage::Cells, || {
                let cells = cut_cells(&paper, form);
                let written: Vec<&CellPlace> = cells
                    .iter()
                    .filter(|cell| cell.state == CellState::Ink)
                    .map(|cell| &cell.place)
                    .collect();
                CutSheet {
                    number: (count > 1).then_some(number),
                    quality: Quality::measure(&page, &paper, form, &written),
                    areas: find_areas(&paper, form, &forms),
                    marked_words: find_marked_words(&paper, form, &forms),
                    numbers: cut_numbers(&paper, form),
                    form: form.clone(),
                    cells,
                }
            });
            let pixels = sheet.cells.iter().map(|cell| cell.image.len()).sum();
            timings.add_bytes(Stage::Cells, pixels);
            sheet
        })
        .collect();
    Ok(CutPage {
        gray: page.gray,
        quarter_turns,
        mirrored,
        expected,
        sheets,
    })
}

fn cut_cells(paper: &Paper, form: &Form) -> Vec<Cell> {
    let cells = form.cells.iter();
    cells
        .map(|place| {
            let cut = cut_cell(paper, place);
            Cell {
                place: place.clone(),
                state: cut.state,
                image: cut.image,
            }
        })
        .collect()
}

/// The printed numbers of a form that does not tell its first number.
fn cut_numbers(paper: &Paper, form: &Form) -> Vec<(u32, GrayImage)> {
    if form.numbered {
        return Vec::new();
    }
    let distance = |place: &NumberPlace| (place.block * form.rows + place.row) as u32;
    let numbers = form.numbers.iter();
    numbers
        .map(|place| (distance(place), cut_number(paper, place).image))
        .collect()
}

/// A part of a page.
pub fn cut_area(page: &GrayImage, area: &Area) -> GrayImage {
    let [left, top, right, bottom] = area.bounds;
    image::imageops::crop_imm(page, left, top, right - left, bottom - top).to_image()
}

/// `above` or `below`.
pub fn area_name(place: AreaPlace) -> &'static str {
    match place {
        AreaPlace::Above => "above",
        AreaPlace::Below => "below",
    }
}
