//! A page with the found cells drawn on it.

use image::{GrayImage, Rgb, RgbImage};
use imageproc::drawing::draw_line_segment_mut;
use scoresheet_imaging::{CellPlace, CellState, Column};

/// Colour of a cell by its state: ink green, blank blue.
pub fn state_colour(state: CellState) -> Rgb<u8> {
    match state {
        CellState::Ink => Rgb([0, 150, 0]),
        CellState::Blank => Rgb([60, 120, 255]),
    }
}

/// Draws the outline of every cell in the colour of its state, and the move number in White's cells.
///
/// `cells` are in pixels of `page`; the picture has the size of the page.
pub fn draw_overlay<'a>(
    page: &GrayImage,
    cells: impl IntoIterator<Item = (&'a CellPlace, CellState)>,
) -> RgbImage {
    let mut picture = RgbImage::from_fn(page.width(), page.height(), |x, y| {
        let shade = page.get_pixel(x, y).0[0];
        Rgb([shade; 3])
    });
    for (place, state) in cells {
        let colour = state_colour(state);
        let quad = &place.quad;
        for (&[x0, y0], &[x1, y1]) in quad.iter().zip(quad.iter().cycle().skip(1)) {
            // Two lines side by side stay visible when the picture is shown small.
            draw_line_segment_mut(&mut picture, (x0, y0), (x1, y1), colour);
            draw_line_segment_mut(
                &mut picture,
                (x0 + 1.0, y0 + 1.0),
                (x1 + 1.0, y1 + 1.0),
                colour,
            );
        }
        if place.column == Column::White {
            let height = quad[3][1] - quad[0][1];
            let scale = (height / 14.0).clamp(1.0, 8.0) as i32;
            draw_number(
                &mut picture,
                place.number,
                (quad[0][0] as i32 + 3, quad[0][1] as i32 + 3),
                scale,
            );
        }
    }
    picture
}

/// Digits of 3 x 5 pixels, one row of three bits after another from the top.
const DIGITS: [u16; 10] = [
    0b111_101_101_101_111,
    0b010_110_010_010_111,
    0b111_001_111_100_111,
    0b111_001_111_001_111,
    0b101_101_111_001_001,
    0b111_100_111_001_111,
    0b111_100_111_101_111,
    0b111_001_010_010_010,
    0b111_101_111_101_111,
    0b111_101_111_001_111,
];

fn draw_number(picture: &mut RgbImage, number: u32, (left, top): (i32, i32), scale: i32) {
    const COLOUR: Rgb<u8> = Rgb([200, 0, 200]);
    for (place, digit) in number.to_string().bytes().enumerate() {
        let bits = DIGITS[usize::from(digit - b'0')];
        let left = left + place as i32 * 4 * scale;
        for bit in (0..15).filter(|bit| bits >> (14 - bit) & 1 == 1) {
            for pixel in 0..scale * scale {
                let x = left + (bit % 3) * scale + pixel % scale;
                let y = top + (bit / 3) * scale + pixel / scale;
                let inside = x >= 0
                    && y >= 0
                    && (x as u32) < picture.width()
                    && (y as u32) < picture.height();
                if inside {
                    picture.put_pixel(x as u32, y as u32, COLOUR);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use image::Luma;

    #[test]
    fn outlines_have_the_colour_of_their_state() {
        let page = GrayImage::from_pixel(40, 40, Luma([200]));
        for state in [CellState::Ink, CellState::Blank] {
            let place = CellPlace {
                number: 1,
                column: Column::Black,
                block: 0,
                row: 0,
                // One corner lies outside the page: drawing is clipped.
                quad: [[5.0, 5.0], [50.0, 5.0], [30.0, 20.0], [5.0, 20.0]],
            };
            let picture = draw_overlay(&page, [(&place, state)]);
            assert_eq!(*picture.get_pixel(10, 5), state_colour(state));
            assert_eq!(*picture.get_pixel(5, 12), state_colour(state));
            assert_eq!(*picture.get_pixel(12, 12), Rgb([200; 3]));
        }
    }

    #[test]
    fn white_cells_carry_their_number() {
        let page = GrayImage::from_pixel(60, 40, Luma([255]));
        let place = CellPlace {
            number: 10,
            column: Column::White,
            block: 0,
            row: 0,
            quad: [[0.0, 0.0], [50.0, 0.0], [50.0, 14.0], [0.0, 14.0]],
        };
        let picture = draw_overlay(&page, [(&place, CellState::Blank)]);
        let marked = picture
            .pixels()
            .filter(|pixel| pixel.0 == [200, 0, 200])
            .count();
        // Digit 1 has 8 pixels, digit 0 has 12.
        assert_eq!(marked, 8 + 12);
    }
}
