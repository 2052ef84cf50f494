//! What lies around the table of a sheet: names and date above it, result and signatures below.

use crate::form::Form;
use crate::paper::Paper;

/// Where an area lies in relation to the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AreaPlace {
    /// Above the table: names, date, event, result.
    Above,
    /// Below the table: result, signatures.
    Below,
}

/// A part of a page with print or writing outside of the table.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Area {
    /// Where it lies.
    pub place: AreaPlace,
    /// Left, top, right and bottom in page pixels; whole pixels, right and bottom excluded.
    pub bounds: [u32; 4],
}

/// The areas above and below a form that have any ink; `forms` are all forms of the page.
///
/// An area reaches to the edge of the page or halfway to the next table, and is cut down to its ink.
pub fn find_areas(paper: &Paper, form: &Form, forms: &[Form]) -> Vec<Area> {
    let (width, height) = paper.darkness.dimensions();
    let (own, room) = (form.bounds(), room_of(paper, form, forms));
    let row = (own[3] - own[1]) / form.rows.max(1) as f32;
    // The rule at the edge of the table is its own.
    let apart = row * 0.05;
    let boxes = [
        (
            AreaPlace::Above,
            [room[0], room[1], room[2], own[1] - apart],
        ),
        (
            AreaPlace::Below,
            [room[0], own[3] + apart, room[2], room[3]],
        ),
    ];
    boxes
        .into_iter()
        .filter_map(|(place, sides)| {
            let limits = [width, height, width, height];
            let sides: [u32; 4] =
                std::array::from_fn(|side| sides[side].clamp(0.0, limits[side] as f32) as u32);
            let bounds = inked(paper, sides, row)?;
            Some(Area { place, bounds })
        })
        .collect()
}

/// Left, top, right and bottom of the part of the page that is a form's own: to the edge of the page or halfway to the next table.
pub(crate) fn room_of(paper: &Paper, form: &Form, forms: &[Form]) -> [f32; 4] {
    let (width, height) = paper.darkness.dimensions();
    let own = form.bounds();
    let mut room = [0.0, 0.0, width as f32, height as f32];
    for other in forms.iter().map(Form::bounds).filter(|other| *other != own) {
        for axis in [0, 1] {
            let across = 1 - axis;
            let shares = other[across] < own[across + 2] && own[across] < other[across + 2];
            if other[axis + 2] <= own[axis] && shares {
                room[axis] = f32::max(room[axis], (other[axis + 2] + own[axis]) / 2.0);
            } else if own[axis + 2] <= other[axis] && shares {
                room[axis + 2] = f32::min(room[axis + 2], (own[axis + 2] + other[axis]) / 2.0);
            }
        }
    }
    room
}

/// The part of a box with ink and a little room around it; none where there is too little for a line of writing.
fn inked(paper: &Paper, [left, top, right, bottom]: [u32; 4], row: f32) -> Option<[u32; 4]> {
    /// Darkness of ink, print also where it is thin.
    const INK: u8 = 70;
    /// Least height of an area, in row heights.
    const LEAST: f32 = 0.7;
    if left >= right || top >= bottom {
        return None;
    }
    let mut rows = vec![0u32; (bottom - top) as usize];
    let mut columns = vec![0u32; (right - left) as usize];
    for y in top..bottom {
        for x in left..right {
            if paper.darkness.get_pixel(x, y).0[0] > INK {
                rows[(y - top) as usize] += 1;
                columns[(x - left) as usize] += 1;
            }
        }
    }
    // A speck is smaller than a stroke.
    let least = (row * 0.12).max(2.0) as u32;
    let span = |counts: &[u32]| {
        let first = counts.iter().position(|&count| count >= least)?;
        let last = counts.iter().rposition(|&count| count >= least)?;
        Some((first as u32, last as u32 + 1))
    };
    let ((above, below), (before, after)) = (span(&rows)?, span(&columns)?);
    if ((below - above) as f32) < row * LEAST {
        return None;
    }
    let margin = (row * 0.3) as u32;
    Some([
        (left + before).saturating_sub(margin).max(left),
        (top + above).saturating_sub(margin).max(top),
        (left + after + margin).min(right),
        (top + below + margin).min(bottom),
    ])
}

#[cfg(test)]
mod tests {
    use super::*;
    use image::{GrayImage, Luma};

    #[test]
    fn writing_around_a_table_is_found_and_belongs_to_one_sheet() {
        // Two tables side by side; a line above the left one, a line below the right one, a speck below the left one.
        let inked = [[60, 40, 300, 70], [520, 640, 700, 672], [90, 700, 91, 701]];
        let darkness = GrayImage::from_fn(800, 800, |x, y| {
            let ink = |b: &[u32; 4]| (b[0]..b[2]).contains(&x) && (b[1]..b[3]).contains(&y);
            Luma([if inked.iter().any(ink) { 200 } else { 3 }])
        });
        let paper = Paper { darkness };
        let forms = [
            Form::of_one_cell(1, 10, [40.0, 200.0, 380.0, 600.0]),
            Form::of_one_cell(1, 10, [420.0, 200.0, 760.0, 600.0]),
        ];
        let areas: Vec<Vec<Area>> = forms
            .iter()
            .map(|form| find_areas(&paper, form, &forms))
            .collect();
        let area = |place, bounds| vec![Area { place, bounds }];
        // A margin of three tenths of a row of 40 pixels.
        assert_eq!(areas[0], area(AreaPlace::Above, [48, 28, 312, 82]));
        assert_eq!(areas[1], area(AreaPlace::Below, [508, 628, 712, 684]));
    }
}
