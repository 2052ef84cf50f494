//! Which way up a page stands, told by where its form makes sense.

use image::imageops;

use crate::expected::find_expected;
use crate::form::{Form, FormError, Working, find_forms};
use crate::page::Page;
use crate::paper::Paper;
use crate::reading_order::sort_forms;
use crate::shape::FormShape;

/// A page turned upright, with what was found on it.
#[derive(Debug, Clone)]
pub struct UprightPage {
    /// The upright page.
    pub page: Page,
    /// The same page with its paper made even.
    pub paper: Paper,
    /// Its tables in reading order (from left to right, then from top to bottom), in pixels of the upright page; at least one.
    pub forms: Vec<Form>,
    /// Clockwise quarter turns that made it upright, 0 to 3.
    pub quarter_turns: u8,
    /// Whether the picture was a mirror image and has been mirrored back, before it was turned.
    pub mirrored: bool,
    /// Whether the page does not prove its form, and an expected one was laid over it.
    pub expected: bool,
}

/// Share of rows with a printed number from which a form is taken without trying other turns.
const CLEAR: f32 = 0.8;

/// Finds the forms of a page that may lie on its side or upside down.
///
/// The page is taken as it is where its printed numbers prove it right; else all four turns are tried and the one with most
/// evidence wins. Where no turn shows numbers that read on, but the mirrored page does, the page is a mirror image.
///
/// # Errors
/// The [`FormError`] of the page as it came, if no turn shows a form.
pub fn find_upright_forms(page: Page) -> Result<UprightPage, FormError> {
    find_upright_forms_like(page, Vec::new)
}

/// The same of a page of a stack: where its own numbers do not prove a form, the one of the shapes that are `expected` is laid over it that fits.
///
/// `expected` is asked only then. Such a form is `expected`.
///
/// # Errors
/// The [`FormError`] of the page as it came, if no turn shows a form.
pub fn find_upright_forms_like(
    page: Page,
    expected: impl FnOnce() -> Vec<FormShape>,
) -> Result<UprightPage, FormError> {
    let paper = Paper::new(&page.gray);
    let mut best = find_forms(&paper).map(|forms| (0, forms));
    if !best.as_ref().is_ok_and(|(_, forms)| clear(forms)) {
        for turns in 1..4 {
            let Ok(forms) = find_forms(&turned(&paper, turns)) else {
                continue;
            };
            let more = |(_, other): &(u8, Vec<Form>)| evidence(&forms) > evidence(other);
            if best.as_ref().map_or(true, more) {
                best = Ok((turns, forms));
            }
        }
    }
    let read = best
        .as_ref()
        .is_ok_and(|(_, forms)| forms.iter().any(|form| form.numbers_read));
    let mirror = match &best {
        Ok((turns, forms)) if !read => find_in_mirror(&paper, clear(forms).then_some(*turns)),
        _ => None,
    };
    // An expected form is that of one sheet.
    let several = best.as_ref().is_ok_and(|(_, forms)| forms.len() > 1);
    let laid = if read || several || mirror.is_some() {
        None
    } else {
        lay_upright(&paper, &expected())
    };
    let expected = laid.is_some();
    let mirrored = mirror.is_some();
    let (quarter_turns, mut forms) = match mirror.or(laid) {
        Some(better) => better,
        None => best?,
    };
    sort_forms(&mut forms);
    Ok(UprightPage {
        page: page.set_right(quarter_turns, mirrored),
        paper: Paper {
            darkness: turn(mirror_back(paper.darkness, mirrored), quarter_turns),
        },
        forms,
        quarter_turns,
        mirrored,
        expected,
    })
}

/// The turns of a page by which one of some shapes fits it, and the form: if no other turn does nearly as well.
fn lay_upright(paper: &Paper, shapes: &[FormShape]) -> Option<(u8, Vec<Form>)> {
    /// Lead over the next best turn.
    const LEAD: f32 = 0.1;
    if shapes.is_empty() {
        return None;
    }
    let laid = |turns: u8| {
        let laid = find_expected(&Working::of(&turned(paper, turns)), shapes)?;
        Some((laid.score, turns, laid.form))
    };
    let mut ranked: Vec<(f32, u8, Form)> = (0..4).filter_map(laid).collect();
    ranked.sort_by(|a, b| b.0.total_cmp(&a.0));
    let next = ranked.get(1).map_or(f32::MIN, |next| next.0);
    let (score, turns, form) = ranked.into_iter().next()?;
    (score > next + LEAD).then(|| (turns, vec![form]))
}

impl Page {
    /// The page mirrored back, if it is a mirror image, and then turned clockwise, as [`UprightPage`] tells.
    pub fn set_right(self, quarter_turns: u8, mirrored: bool) -> Self {
        Self {
            gray: turn(mirror_back(self.gray, mirrored), quarter_turns),
        }
    }
}

fn clear(forms: &[Form]) -> bool {
    let of = |form: &Form| form.numbered && form.quality >= CLEAR;
    forms.iter().any(of)
}

/// The turns and forms of a page whose numbers read on only when it is mirrored. Its rows lie as they do without, if that is known.
fn find_in_mirror(paper: &Paper, known_turns: Option<u8>) -> Option<(u8, Vec<Form>)> {
    let paper = Paper {
        darkness: mirror_back(paper.darkness.clone(), true),
    };
    let lies_so = |turns: &u8| known_turns.is_none_or(|known| known % 2 == turns % 2);
    (0..4).filter(lies_so).find_map(|turns| {
        let forms = find_forms(&turned(&paper, turns)).ok()?;
        (clear(&forms) && forms.iter().any(|form| form.numbers_read)).then_some((turns, forms))
    })
}

/// How much speaks for the forms of a page: numbers that read on, rows with a number, and many rows.
fn evidence(forms: &[Form]) -> f32 {
    let of = |form: &Form| {
        let cells = form.cells.len() as f32;
        form.quality + if form.numbered { 1.0 } else { 0.0 } + cells / (cells + 100.0) * 0.2
    };
    forms.iter().map(of).fold(0.0, f32::max)
}

fn turned(paper: &Paper, quarter_turns: u8) -> Paper {
    Paper {
        darkness: turn(paper.darkness.clone(), quarter_turns),
    }
}

fn turn(image: image::GrayImage, quarter_turns: u8) -> image::GrayImage {
    match quarter_turns % 4 {
        1 => imageops::rotate90(&image),
        2 => imageops::rotate180(&image),
        3 => imageops::rotate270(&image),
        _ => image,
    }
}

fn mirror_back(mut image: image::GrayImage, mirrored: bool) -> image::GrayImage {
    if mirrored {
        imageops::flip_horizontal_in_place(&mut image);
    }
    image
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::drawing::Drawing;

    #[test]
    fn turned_pages_are_turned_back() {
        let upright = Drawing::PLAIN.page();
        let right = find_upright_forms(Page {
            gray: upright.clone(),
        })
        .expect("upright");
        for turns in 0..4 {
            let lying = turn(upright.clone(), (4 - turns) % 4);
            let found = find_upright_forms(Page { gray: lying }).expect("a form");
            assert_eq!(found.quarter_turns, turns);
            assert_eq!(found.page.gray, upright, "{turns} turns");
            assert_eq!(found.forms, right.forms, "{turns} turns");
        }
    }

    #[test]
    fn mirror_images_are_mirrored_back() {
        let upright = Drawing::PLAIN.page();
        for turns in 0..4 {
            let mirrored = imageops::flip_horizontal(&upright);
            let gray = turn(mirrored, turns);
            let found = find_upright_forms(Page { gray }).expect("a form");
            assert!(found.mirrored, "{turns} turns");
            assert_eq!(found.page.gray, upright, "{turns} turns");
        }
    }

    /// A page on which blots stand in place of the numbers.
    fn without_numbers(mut page: image::GrayImage, form: &Form) -> image::GrayImage {
        for number in &form.numbers {
            let [left, top] = number.quad[0];
            for y in 6..16 {
                for x in 6..16 {
                    let dark = image::Luma([90]);
                    page.put_pixel(left as u32 + x, top as u32 + y, dark);
                }
            }
        }
        page
    }

    #[test]
    fn an_expected_form_is_laid_where_it_fits() {
        let drawing = Drawing::PLAIN;
        let right = find_upright_forms(Page {
            gray: drawing.page(),
        })
        .expect("upright");
        let shape = FormShape::of(&right.forms[0]).expect("a shape");
        let blotted = without_numbers(drawing.page(), &right.forms[0]);
        let like = |gray: &image::GrayImage| {
            let page = Page { gray: gray.clone() };
            find_upright_forms_like(page, || vec![shape.clone()]).expect("a form")
        };
        for turns in [0, 2] {
            let found = like(&turn(blotted.clone(), turns));
            assert!(found.expected, "{turns} turns");
            let form = &found.forms[0];
            assert_eq!((form.blocks, form.rows), (drawing.blocks, drawing.rows));
            assert_eq!(form.first_number, 1);
        }
        // Where the numbers can be read nothing else is asked, and another form is not bent.
        assert!(!like(&drawing.page()).expected);
        let other = Drawing {
            rows: drawing.rows - 4,
            columns: "wnb",
            ..drawing
        };
        let own = find_upright_forms(Page { gray: other.page() }).expect("a form");
        let blotted = without_numbers(other.page(), &own.forms[0]);
        assert!(!like(&blotted).expected);
    }
}
