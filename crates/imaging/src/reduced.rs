//! Pictures made smaller.

use fast_image_resize::images::{Image, ImageRef};
use fast_image_resize::{FilterType, PixelType, ResizeAlg, ResizeOptions, Resizer};
use image::GrayImage;

/// A picture of so many pixels (at least one each way), each the mean of those of `picture` that it covers.
pub fn reduced(picture: &GrayImage, width: u32, height: u32) -> GrayImage {
    let (width, height) = (width.max(1), height.max(1));
    means(picture, width, height).unwrap_or_else(|| GrayImage::new(width, height))
}

/// None where there is nothing to take means of: a picture without pixels.
fn means(picture: &GrayImage, width: u32, height: u32) -> Option<GrayImage> {
    let pixels = ImageRef::new(picture.width(), picture.height(), picture, PixelType::U8).ok()?;
    let mut smaller = Image::new(width, height, PixelType::U8);
    let means = ResizeOptions::new().resize_alg(ResizeAlg::Convolution(FilterType::Box));
    Resizer::new().resize(&pixels, &mut smaller, &means).ok()?;
    GrayImage::from_raw(width, height, smaller.into_vec())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pixel_is_the_mean_of_those_that_it_covers() {
        let picture = GrayImage::from_raw(4, 2, vec![0, 100, 200, 0, 20, 80, 0, 40]);
        let picture = picture.expect("eight pixels");
        assert_eq!(reduced(&picture, 2, 1).into_raw(), [50, 60]);
        assert_eq!(reduced(&picture, 4, 1).into_raw(), [10, 90, 100, 20]);
        assert_eq!(reduced(&picture, 0, 0).into_raw(), [55]);
        assert_eq!(reduced(&GrayImage::new(0, 0), 1, 1).into_raw(), [0]);
    }
}
