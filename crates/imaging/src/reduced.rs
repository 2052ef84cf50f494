//! Pictures made smaller.

use fast_image_resize::images::{Image, ImageRef};
use fast_image_resize::{FilterType, PixelType, ResizeAlg, ResizeOptions, Resizer};
use image::GrayImage;

/// A picture of so many pixels (at least one each way), each a mean of those of `picture` that it covers, with less weight towards its sides.
///
/// Plain means let the lines of a page that is made smaller by little grow thick and thin by turns.
pub fn reduced(picture: &GrayImage, width: u32, height: u32) -> GrayImage {
    let (width, height) = (width.max(1), height.max(1));
    means(picture, width, height).unwrap_or_else(|| GrayImage::new(width, height))
}

/// None where there is nothing to take means of: a picture without pixels.
fn means(picture: &GrayImage, width: u32, height: u32) -> Option<GrayImage> {
    let pixels = ImageRef::new(picture.width(), picture.height(), picture, PixelType::U8).ok()?;
    let mut smaller = Image::new(width, height, PixelType::U8);
    let means = ResizeOptions::new().resize_alg(ResizeAlg::Convolution(FilterType::Hamming));
    Resizer::new().resize(&pixels, &mut smaller, &means).ok()?;
    GrayImage::from_raw(width, height, smaller.into_vec())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pixels_are_means_of_those_that_they_cover() {
        let rows = [[200, 200, 200, 200, 0, 0, 0, 0]; 4];
        let picture = GrayImage::from_raw(8, 4, rows.concat()).expect("32 pixels");
        let smaller = reduced(&picture, 4, 2).into_raw();
        assert_eq!(smaller[..4], smaller[4..]);
        assert!(smaller[0] == 200 && smaller[1] >= 190, "{smaller:?}");
        assert!(smaller[2] <= 10 && smaller[3] == 0, "{smaller:?}");
        assert_eq!(reduced(&picture, 0, 0).into_raw(), [100]);
        assert_eq!(reduced(&GrayImage::new(0, 0), 1, 1).into_raw(), [0]);
    }
}
