//! Quadrilaterals of a page made rectangles: cells and printed numbers.

use image::GrayImage;

/// Pixels of a rectified picture that one row height takes.
pub(crate) const ROW: f32 = 128.0 / 3.0;

/// Widest rectified picture without what is kept around, in pixels.
const WIDEST: f32 = 480.0;

/// Most samples for one pixel, along each side.
const MOST_SAMPLES: f32 = 4.0;

/// Samples that lie farther apart, in pixels of the page, are interpolated each for itself.
const FARTHEST_STEP: f32 = 8.0;

/// Rectifies a quadrilateral of the darkness image to rows of [`ROW`] pixels, with `pad` row heights around it.
///
/// The corners are the upper left, upper right, lower right and lower left. Each pixel is the mean of as many samples as it covers
/// pixels of the page, between pixels by their distance; nothing is dark outside the page.
pub(crate) fn rectify(darkness: &GrayImage, quad: &[[f32; 2]; 4], pad: f32) -> GrayImage {
    fill(darkness, &Frame::of(quad, 1.0, pad, WIDEST))
}

/// Rectifies a quadrilateral that is some rows high, as [`rectify`] does one row, to its full width up to `widest` pixels.
pub(crate) fn rectify_rows(
    darkness: &GrayImage,
    quad: &[[f32; 2]; 4],
    rows: f32,
    widest: f32,
) -> GrayImage {
    fill(darkness, &Frame::of(quad, rows, 0.0, widest))
}

fn fill(darkness: &GrayImage, frame: &Frame) -> GrayImage {
    let mut sums = vec![0.0; (frame.width * frame.height) as usize];
    let lies_flat = frame.lies_flat();
    let mut band = Vec::new();
    for (row, sums) in (0u32..).zip(sums.chunks_exact_mut((frame.width as usize).max(1))) {
        if lies_flat {
            frame.sum_along(darkness, row, &mut band, sums);
        } else {
            frame.sum_singly(darkness, row, sums);
        }
    }
    let share = 1.0 / (frame.samples * frame.samples) as f32;
    let pixels = sums.iter().map(|sum| (sum * share + 0.5) as u8);
    GrayImage::from_raw(frame.width, frame.height, pixels.collect()).unwrap_or_default()
}

/// A quadrilateral and the size of its rectified picture.
struct Frame {
    quad: [[f32; 2]; 4],
    /// Width and height of the quadrilateral itself in the picture, in pixels.
    inner: [f32; 2],
    /// What is kept around it, in pixels.
    margin: f32,
    width: u32,
    height: u32,
    /// Samples along each side of a pixel.
    samples: u32,
}

impl Frame {
    fn of(quad: &[[f32; 2]; 4], rows: f32, pad: f32, widest: f32) -> Self {
        let [top_left, top_right, bottom_right, bottom_left] = *quad;
        let high = (distance(top_left, bottom_left) + distance(top_right, bottom_right)) / 2.0;
        let wide = (distance(top_left, top_right) + distance(bottom_left, bottom_right)) / 2.0;
        let scale = ROW * rows / high.max(1.0);
        let inner = [(wide * scale).clamp(4.0, widest), ROW * rows];
        let margin = ROW * pad;
        Self {
            quad: *quad,
            inner,
            margin,
            width: (inner[0] + 2.0 * margin).round() as u32,
            height: (inner[1] + 2.0 * margin).round() as u32,
            samples: (1.0 / scale).ceil().clamp(1.0, MOST_SAMPLES) as u32,
        }
    }

    /// Where samples lie on the page, `down` pixels of the picture from its top: they move in equal steps.
    fn line(&self, down: f32) -> SampleLine {
        let [top_left, top_right, bottom_right, bottom_left] = self.quad;
        let down = (down - self.margin) / self.inner[1];
        let left = between(top_left, bottom_left, down);
        let right = between(top_right, bottom_right, down);
        let share = 1.0 / self.samples as f32;
        let at = |sample: f32| {
            let along = ((sample + 0.5) * share - self.margin) / self.inner[0];
            between(left, right, along)
        };
        let (start, next) = (at(0.0), at(1.0));
        SampleLine {
            start,
            step: [next[0] - start[0], next[1] - start[1]],
        }
    }

    /// The lines of samples of a row of the picture.
    fn lines(&self, row: u32) -> impl Iterator<Item = SampleLine> {
        let share = 1.0 / self.samples as f32;
        (0..self.samples).map(move |line| self.line(row as f32 + (line as f32 + 0.5) * share))
    }

    /// Whether the lines of samples run from left to right and fall or climb less than they run, as the rows of an upright page do.
    fn lies_flat(&self) -> bool {
        // What holds for the first and the last line holds for those between, whose steps lie between theirs.
        [0.0, self.height as f32].iter().all(|&down| {
            let [right, down] = self.line(down).step;
            right > 0.0 && right < FARTHEST_STEP && down.abs() < right
        })
    }

    /// Sums of the samples of the pixels of a row, each sample interpolated for itself.
    fn sum_singly(&self, darkness: &GrayImage, row: u32, sums: &mut [f32]) {
        for line in self.lines(row) {
            for (pixel, sum) in (0u32..).zip(&mut *sums) {
                for sample in pixel * self.samples..(pixel + 1) * self.samples {
                    let [x, y] = line.at(sample);
                    *sum += bilinear(darkness, x, y);
                }
            }
        }
    }

    /// Sums of the samples of the pixels of a row that [lies flat](Self::lies_flat), as [`sum_singly`](Self::sum_singly) finds them but many
    /// times as fast: the darkness is interpolated down the page where each line crosses its columns (added up in `band`), and then
    /// along the middle of the lines at each sample.
    fn sum_along(&self, darkness: &GrayImage, row: u32, band: &mut Vec<f32>, sums: &mut [f32]) {
        const ONE: f32 = 65_536.0;
        let middle = self.line(row as f32 + 0.5);
        let first = middle.start[0].floor();
        // Places in the band as whole numbers of the 65,536th part of a column.
        let step = (middle.step[0] * ONE) as u32;
        let mut place = ((middle.start[0] - first) * ONE) as u32;
        let last = place as usize + step as usize * sums.len() * self.samples as usize;
        band.clear();
        band.resize(last / ONE as usize + 2, 0.0);
        for line in self.lines(row) {
            line.add_columns(darkness, first, band);
        }
        for sum in sums {
            let mut of_pixel = 0.0;
            for _ in 0..self.samples {
                if let Some(&[before, after]) = band[(place >> 16) as usize..].first_chunk() {
                    let part = (place & 0xffff) as f32 / ONE;
                    of_pixel += before + (after - before) * part;
                }
                place += step;
            }
            *sum = of_pixel;
        }
    }
}

/// Samples in a straight line on the page.
struct SampleLine {
    start: [f32; 2],
    step: [f32; 2],
}

impl SampleLine {
    fn at(&self, sample: u32) -> [f32; 2] {
        [0, 1].map(|axis| self.start[axis] + self.step[axis] * sample as f32)
    }

    /// Adds the darkness where the line crosses the columns of the page from `first` on.
    fn add_columns(&self, darkness: &GrayImage, first: f32, sums: &mut [f32]) {
        let (width, height) = (darkness.width() as usize, darkness.height() as usize);
        let slope = self.step[1] / self.step[0];
        let at = |index: usize| self.start[1] + (first + index as f32 - self.start[0]) * slope;
        let end = sums.len().min((width as f32 - first).max(0.0) as usize);
        let mut index = (-first).max(0.0) as usize;
        while index < end {
            // The columns over which the line stays between the same two rows of the page.
            let place = at(index);
            let upper = place.floor();
            let left = if slope > 0.0 {
                upper + 1.0 - place
            } else {
                place - upper
            };
            let run = left / slope.abs();
            let next = if run < (end - index) as f32 {
                index + (run as usize).max(1)
            } else {
                end
            };
            if upper >= 0.0 && upper + 1.0 < height as f32 {
                let start = upper as usize * width + (first + index as f32) as usize;
                let pixels = darkness.as_raw();
                let rows = pixels[start..].iter().zip(&pixels[start + width..]);
                let sums = sums[index..next].iter_mut().zip(rows);
                for (offset, (sum, (&above, &below))) in (0i32..).zip(sums) {
                    let (above, below) = (f32::from(above), f32::from(below));
                    *sum += above + (below - above) * (place - upper + offset as f32 * slope);
                }
            }
            index = next;
        }
    }
}

/// The point a share of the way from one to another.
pub(crate) fn between(from: [f32; 2], to: [f32; 2], share: f32) -> [f32; 2] {
    [0, 1].map(|axis: usize| from[axis] + (to[axis] - from[axis]) * share)
}

pub(crate) fn distance(a: [f32; 2], b: [f32; 2]) -> f32 {
    (a[0] - b[0]).hypot(a[1] - b[1])
}

/// Left, top, right and bottom of points.
pub(crate) fn bounds(points: impl IntoIterator<Item = [f32; 2]>) -> [f32; 4] {
    let none = [f32::MAX, f32::MAX, f32::MIN, f32::MIN];
    points.into_iter().fold(none, |b, [x, y]| {
        [b[0].min(x), b[1].min(y), b[2].max(x), b[3].max(y)]
    })
}

/// Darkness between pixels; nothing is dark outside the page.
pub(crate) fn bilinear(image: &GrayImage, x: f32, y: f32) -> f32 {
    let (width, height) = image.dimensions();
    if !(x >= 0.0 && y >= 0.0 && x < (width - 1) as f32 && y < (height - 1) as f32) {
        return 0.0;
    }
    let (left, top) = (x as usize, y as usize);
    let (part_x, part_y) = (x - left as f32, y - top as f32);
    let row = width as usize;
    let pixels = image.as_raw();
    let start = top * row + left;
    let upper = f32::from(pixels[start]) * (1.0 - part_x) + f32::from(pixels[start + 1]) * part_x;
    let lower = f32::from(pixels[start + row]) * (1.0 - part_x)
        + f32::from(pixels[start + row + 1]) * part_x;
    upper * (1.0 - part_y) + lower * part_y
}

#[cfg(test)]
mod tests {
    use super::*;
    use image::Luma;

    /// Darkness that changes smoothly, as strokes some pixels wide do.
    fn waves(width: u32, height: u32) -> GrayImage {
        GrayImage::from_fn(width, height, |x, y| {
            let wave = (x as f32 / 3.0).sin() + (y as f32 / 4.0 + x as f32 / 50.0).cos();
            Luma([(127.0 + 60.0 * wave) as u8])
        })
    }

    #[test]
    fn lines_sampled_together_are_as_sampled_singly() {
        let page = waves(400, 300);
        // Upper left corner, size, fall of the upper side, lean of the left side.
        let cases = [
            (50.0, 60.0, 200.0, 40.0, 0.0, 0.0),
            (50.3, 60.7, 210.0, 43.0, 4.0, -3.0),
            (50.2, 90.1, 300.0, 130.0, -20.0, 9.0),
            (100.0, 30.0, 150.0, 25.0, 30.0, 5.0),
        ];
        for (left, top, wide, high, fall, lean) in cases {
            let quad = [
                [left, top],
                [left + wide, top + fall],
                [left + wide + lean, top + high + fall],
                [left + lean, top + high],
            ];
            let frame = Frame::of(&quad, 1.0, 0.25, WIDEST);
            let samples = (frame.samples * frame.samples) as f32;
            assert!(frame.lies_flat());
            let mut band = Vec::new();
            for row in 0..frame.height {
                let mut sums = [(); 2].map(|()| vec![0.0; frame.width as usize]);
                frame.sum_along(&page, row, &mut band, &mut sums[0]);
                frame.sum_singly(&page, row, &mut sums[1]);
                for (fast, naive) in sums[0].iter().zip(&sums[1]) {
                    let (fast, naive) = (fast / samples, naive / samples);
                    assert!((fast - naive).abs() < 3.0, "{quad:?}: {fast} for {naive}");
                }
            }
        }
    }

    #[test]
    fn any_quadrilateral_gives_a_picture() {
        let page = waves(60, 50);
        let around = [-1e9, -70.0, -0.5, 0.0, 20.25, 49.0, 59.5, 3e4, f32::NAN];
        let mut seed = 1u32;
        let mut any = || {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            around[seed as usize / 65_536 % around.len()]
        };
        for _ in 0..2000 {
            let quad = [(); 4].map(|()| [any(), any()]);
            let picture = rectify(&page, &quad, 0.25);
            assert_eq!(picture.height(), 64, "{quad:?}");
        }
    }
}
