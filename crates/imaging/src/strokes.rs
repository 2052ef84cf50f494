//! Connected ink of a picture.

use image::{GrayImage, ImageBuffer, Luma};
use imageproc::region_labelling::{Connectivity, connected_components};

/// Bounds and area of connected ink; all sides are included.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Stroke {
    /// Number of its pixels in the picture of labels.
    pub(crate) label: u32,
    pub(crate) left: u32,
    pub(crate) right: u32,
    pub(crate) top: u32,
    pub(crate) bottom: u32,
    /// Pixels.
    pub(crate) area: u32,
}

impl Stroke {
    fn none(label: u32) -> Self {
        Self {
            label,
            left: u32::MAX,
            right: 0,
            top: u32::MAX,
            bottom: 0,
            area: 0,
        }
    }

    fn add(&mut self, x: u32, y: u32) {
        self.left = self.left.min(x);
        self.right = self.right.max(x);
        self.top = self.top.min(y);
        self.bottom = self.bottom.max(y);
        self.area += 1;
    }

    pub(crate) fn width(&self) -> u32 {
        self.right - self.left + 1
    }

    pub(crate) fn height(&self) -> u32 {
        self.bottom - self.top + 1
    }
}

/// The strokes of a picture.
pub(crate) struct Strokes {
    /// For each pixel the label of its stroke, 0 where there is no ink.
    pub(crate) labels: ImageBuffer<Luma<u32>, Vec<u32>>,
    /// The strokes by label, from 1.
    pub(crate) all: Vec<Stroke>,
}

impl Strokes {
    /// The strokes of a mask, in which all but 0 is ink; pixels that touch at a corner are connected.
    pub(crate) fn of(mask: &GrayImage) -> Self {
        let labels = connected_components(mask, Connectivity::Eight, Luma([0]));
        let mut all: Vec<Stroke> = Vec::new();
        for (x, y, label) in labels.enumerate_pixels() {
            let Some(place) = (label.0[0] as usize).checked_sub(1) else {
                continue;
            };
            while all.len() <= place {
                all.push(Stroke::none(all.len() as u32 + 1));
            }
            all[place].add(x, y);
        }
        Self { labels, all }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strokes_have_their_bounds_and_area() {
        let picture = ["#..##", ".#..#", "....."];
        let mask = GrayImage::from_fn(5, 3, |x, y| {
            Luma([u8::from(picture[y as usize].as_bytes()[x as usize] == b'#')])
        });
        let strokes = Strokes::of(&mask);
        let stroke = |label, [left, top, right, bottom]: [u32; 4], area| Stroke {
            label,
            left,
            right,
            top,
            bottom,
            area,
        };
        assert_eq!(
            strokes.all,
            [stroke(1, [0, 0, 1, 1], 2), stroke(2, [3, 0, 4, 1], 3)]
        );
        assert_eq!(strokes.labels.get_pixel(1, 1).0, [1]);
    }
}
