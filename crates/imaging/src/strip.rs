//! The part of a page above or below a table, straightened.

use std::ops::Range;

use image::GrayImage;

use crate::areas::{AreaPlace, room_of};
use crate::form::Form;
use crate::paper::Paper;
use crate::rectify::{ROW, between, bounds, distance, rectify_rows};

/// How far a strip reaches from its table, up or down and to each side, in row heights.
const REACH: [f32; 2] = [8.0, 4.0];

/// How far a strip reaches into its table, in row heights: a ring may go over the table's edge.
const TABLE: f32 = 1.2;

/// Widest strip, in pixels.
const WIDEST: f32 = 4000.0;

/// A part of a page in which the lines of the table beside it lie level, a row [`ROW`] pixels high.
pub(crate) struct Strip {
    /// Darkness.
    pub(crate) picture: GrayImage,
    /// The rows of pixels that are not the table's.
    pub(crate) outside: Range<u32>,
    /// Corners in page pixels: top left, top right, bottom right, bottom left.
    quad: [[f32; 2]; 4],
}

impl Strip {
    /// What lies above or below a form, and the edge of its table; `forms` are all forms of the page. Nothing where less than half a row is left.
    pub(crate) fn beside(
        paper: &Paper,
        form: &Form,
        forms: &[Form],
        place: AreaPlace,
    ) -> Option<Self> {
        /// Less is not looked at, in row heights.
        const LEAST: f32 = 0.5;
        let along = direction(form)?;
        let down = [-along[1], along[0]];
        // Coordinates along the rows and down the columns of the table.
        let to_table = |[x, y]: [f32; 2]| [x * along[0] + y * along[1], x * down[0] + y * down[1]];
        let own = bounds(form.corners().map(to_table));
        let row = (own[3] - own[1]) / form.rows.max(1) as f32;
        let [left, top, right, bottom] = room_of(paper, form, forms);
        let room =
            bounds([[left, top], [right, top], [right, bottom], [left, bottom]].map(to_table));
        let (upper, lower) = match place {
            AreaPlace::Above => (room[1].max(own[1] - REACH[0] * row), own[1] + TABLE * row),
            AreaPlace::Below => (own[3] - TABLE * row, room[3].min(own[3] + REACH[0] * row)),
        };
        let (before, after) = (
            room[0].max(own[0] - REACH[1] * row),
            room[2].min(own[2] + REACH[1] * row),
        );
        let rows = (lower - upper) / row.max(1.0);
        if rows.is_nan() || rows < LEAST + TABLE || after <= before {
            return None;
        }
        let corners = [
            [before, upper],
            [after, upper],
            [after, lower],
            [before, lower],
        ];
        let quad = corners.map(|[a, b]| [a * along[0] + b * down[0], a * along[1] + b * down[1]]);
        let table = (TABLE * ROW) as u32;
        let picture = rectify_rows(&paper.darkness, &quad, rows, WIDEST);
        let outside = match place {
            AreaPlace::Above => 0..picture.height().saturating_sub(table),
            AreaPlace::Below => table..picture.height(),
        };
        Some(Self {
            picture,
            outside,
            quad,
        })
    }

    /// The corners in page pixels of a rectangle of the picture, given by its left, top, right and bottom.
    pub(crate) fn to_page(&self, [left, top, right, bottom]: [f32; 4]) -> [[f32; 2]; 4] {
        let [top_left, top_right, bottom_right, bottom_left] = self.quad;
        let (width, height) = (self.picture.width() as f32, self.picture.height() as f32);
        let point = |x: f32, y: f32| {
            let upper = between(top_left, top_right, x / width);
            let lower = between(bottom_left, bottom_right, x / width);
            between(upper, lower, y / height)
        };
        [
            point(left, top),
            point(right, top),
            point(right, bottom),
            point(left, bottom),
        ]
    }
}

/// The direction of the rows: that from left to right of the lower sides of all cells together, one long.
fn direction(form: &Form) -> Option<[f32; 2]> {
    let sides = form.cells.iter().map(|cell| {
        let [_, _, right, left] = cell.quad;
        [right[0] - left[0], right[1] - left[1]]
    });
    let sum = sides.fold([0.0, 0.0], |sum, side| [sum[0] + side[0], sum[1] + side[1]]);
    let length = distance([0.0, 0.0], sum);
    (length > 0.0).then(|| sum.map(|part| part / length))
}
