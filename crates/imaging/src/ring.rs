//! Rings drawn around something: the closed line with most ink, by dynamic programming over angles.

use std::f32::consts::TAU;

use image::GrayImage;

use crate::rectify::{ROW, bilinear};

/// Directions in which the ring is looked for.
const ANGLES: usize = 120;

/// Pixels between two distances from the middle.
const STEP: f32 = 1.5;

/// Distances beyond what is ringed, up to 3.2 row heights.
const RADII: usize = (3.2 * ROW / STEP) as usize;

/// Most distances by which the ring comes nearer or goes away from one angle to the next, and what each costs.
const SLOPE: usize = 5;
const BEND: f32 = 0.03;

/// Share of the way around a rectangle (left, top, right, bottom) on which a line is drawn, in [0, 1].
///
/// `drawing` is the darkness of what may be a ring, in a picture whose rows are [`ROW`] high; `dark` is that of a full stroke. What lies
/// beyond the picture is not counted; where that is too much of the way, the share is 0. Below a half it may be too large.
pub(crate) fn ring_share(drawing: &GrayImage, around: [f32; 4], dark: u8) -> f32 {
    /// Share of a full stroke's darkness from which there is a line.
    const LINE: f32 = 0.8;
    /// Least share that is found out exactly.
    const LEAST: f32 = 0.5;
    /// Share of the way that must lie within the picture.
    const SEEN: f32 = 0.7;
    let points = points_around(around);
    let inked =
        |point: [f32; 2]| (bilinear(drawing, point[0], point[1]) / f32::from(dark)).min(1.0);
    let ink: Vec<[f32; RADII]> = points.iter().map(|ray| ray.map(inked)).collect();
    let (width, height) = (drawing.width() as f32, drawing.height() as f32);
    let is_seen = |&[x, y]: &[f32; 2]| x >= 0.0 && y >= 0.0 && x < width - 1.0 && y < height - 1.0;
    // There are no more lines on the way than directions with any.
    let has_line = |ray: &&[f32; RADII]| ray.iter().any(|&ink| ink >= LINE);
    let most = ink.iter().filter(has_line).count() as f32 / ANGLES as f32;
    if most < LEAST {
        return most;
    }
    let (mut seen, mut drawn) = (0, 0);
    for (angle, radius) in closed_path(&ink).into_iter().enumerate() {
        if is_seen(&points[angle][radius]) {
            seen += 1;
            drawn += usize::from(ink[angle][radius] >= LINE);
        }
    }
    if (seen as f32) < SEEN * ANGLES as f32 {
        return 0.0;
    }
    drawn as f32 / seen as f32
}

/// Points outwards from an oval just around a rectangle, angle by angle.
fn points_around([left, top, right, bottom]: [f32; 4]) -> Vec<[[f32; 2]; RADII]> {
    /// Room between the rectangle and the innermost oval, in row heights.
    const ROOM: f32 = 0.06;
    let middle = [(left + right) / 2.0, (top + bottom) / 2.0];
    let half = [(right - left) / 2.0, (bottom - top) / 2.0].map(|half| half + ROOM * ROW);
    (0..ANGLES)
        .map(|angle| {
            let (sine, cosine) = (angle as f32 * TAU / ANGLES as f32).sin_cos();
            std::array::from_fn(|radius| {
                let beyond = radius as f32 * STEP;
                [
                    middle[0] + cosine * (half[0] + beyond),
                    middle[1] + sine * (half[1] + beyond),
                ]
            })
        })
        .collect()
}

/// For each angle the distance at which the closed line with most ink goes: the line is followed twice around, and its middle taken.
fn closed_path(ink: &[[f32; RADII]]) -> Vec<usize> {
    let around = ink.len();
    let mut from: Vec<[usize; RADII]> = Vec::with_capacity(2 * around);
    let mut sums = [0.0f32; RADII];
    for here in ink.iter().chain(ink) {
        let mut back = [0; RADII];
        let before = sums;
        for radius in 0..RADII {
            let near = radius.saturating_sub(SLOPE)..(radius + SLOPE + 1).min(RADII);
            let reached = |from: usize| before[from] - BEND * from.abs_diff(radius) as f32;
            let best = near.max_by(|&a, &b| reached(a).total_cmp(&reached(b)));
            back[radius] = best.unwrap_or(radius);
            sums[radius] = reached(back[radius]) + here[radius];
        }
        from.push(back);
    }
    let last = (0..RADII).max_by(|&a, &b| sums[a].total_cmp(&sums[b]));
    let mut radius = last.unwrap_or(0);
    let mut path = vec![0; around];
    for (place, back) in from.iter().enumerate().rev() {
        if (around / 2..around / 2 + around).contains(&place) {
            path[place % around] = radius;
        }
        radius = back[radius];
    }
    path
}

#[cfg(test)]
mod tests {
    use super::*;
    use image::Luma;

    /// A picture of a wobbling oval line around (150, 100), drawn over a share of the way, and whether its lower half is cut off.
    fn oval(share: f32, height: u32) -> GrayImage {
        let mut picture = GrayImage::new(300, height);
        for step in 0..4000 {
            let angle = step as f32 / 4000.0 * TAU;
            if angle > share * TAU {
                break;
            }
            let wobble = 1.0 + 0.12 * (3.0 * angle).sin();
            let (x, y) = (
                155.0 + 70.0 * wobble * angle.cos(),
                98.0 + 40.0 * wobble * angle.sin(),
            );
            for (dx, dy) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
                let (x, y) = (x as u32 + dx, y as u32 + dy);
                if x < 300 && y < height {
                    picture.put_pixel(x, y, Luma([180]));
                }
            }
        }
        picture
    }

    #[test]
    fn the_share_is_what_is_drawn() {
        let word = [120.0, 90.0, 180.0, 108.0];
        for (share, expected) in [
            (1.0, 0.95..=1.0),
            (0.75, 0.65..=0.85),
            (0.4, 0.3..=0.55), // below a half, the search ends at an upper bound
            (0.0, 0.0..=0.1),
        ] {
            let found = ring_share(&oval(share, 200), word, 60);
            assert!(expected.contains(&found), "{found} of {share}");
        }
        assert_eq!(
            ring_share(&oval(1.0, 102), word, 60),
            0.0,
            "half of it beyond the picture"
        );
        let lines = GrayImage::from_fn(300, 200, |_, y| {
            Luma([if y == 60 || y == 140 { 200 } else { 0 }])
        });
        let found = ring_share(&lines, word, 60);
        assert!(found < 0.75, "{found} of two rules");
    }
}
