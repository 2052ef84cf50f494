//! Which way up a page stands, told by where its form makes sense.

use image::imageops;

use crate::form::{Form, FormError, find_forms};
use crate::page::Page;
use crate::paper::Paper;
use crate::reading_order::sort_forms;

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
}

/// Share of rows with a printed number from which a form is taken without trying other turns.
const CLEAR: f32 = 0.8;

/// Finds the forms of a page that may lie on its side or upside down.
///
/// The page is taken as it is where its printed numbers prove it right; else all four turns are tried and the one with most
/// evidence wins.
///
/// # Errors
/// The [`FormError`] of the page as it came, if no turn shows a form.
pub fn find_upright_forms(page: Page) -> Result<UprightPage, FormError> {
    let paper = Paper::new(&page.gray);
    let mut best = find_forms(&paper).map(|forms| (0, forms));
    let clear = |forms: &[Form]| {
        forms
            .iter()
            .any(|form| form.numbered && form.quality >= CLEAR)
    };
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
    let (quarter_turns, mut forms) = best?;
    sort_forms(&mut forms);
    Ok(UprightPage {
        page: Page {
            gray: turn(page.gray, quarter_turns),
        },
        paper: Paper {
            darkness: turn(paper.darkness, quarter_turns),
        },
        forms,
        quarter_turns,
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
}
