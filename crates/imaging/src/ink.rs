//! Colour to one grey channel in which ink of any colour is dark.

use image::{DynamicImage, GrayImage};

/// The darkest of red, green and blue over white paper: green and red pens become as dark as black ones.
pub(crate) fn darkest_channel(picture: DynamicImage) -> GrayImage {
    match picture {
        DynamicImage::ImageLuma8(gray) => gray,
        DynamicImage::ImageRgb8(picture) => {
            let (width, height) = picture.dimensions();
            let darkest = picture.pixels().map(|pixel| darkest(pixel.0)).collect();
            GrayImage::from_raw(width, height, darkest).unwrap_or_default()
        }
        picture if !picture.color().has_color() && !picture.color().has_alpha() => {
            picture.into_luma8()
        }
        picture => {
            let rgba = picture.into_rgba8();
            let (width, height) = rgba.dimensions();
            let darkest = rgba
                .pixels()
                .map(|pixel| {
                    let [red, green, blue, alpha] = pixel.0;
                    over_white(darkest([red, green, blue]), alpha)
                })
                .collect();
            GrayImage::from_raw(width, height, darkest).unwrap_or_default()
        }
    }
}

/// The darkest channel of a colour.
pub(crate) fn darkest([red, green, blue]: [u8; 3]) -> u8 {
    red.min(green).min(blue)
}

/// A half transparent shade on white paper.
pub(crate) fn over_white(value: u8, alpha: u8) -> u8 {
    let (value, alpha) = (u32::from(value), u32::from(alpha));
    ((value * alpha + 255 * (255 - alpha)) / 255) as u8
}

#[cfg(test)]
mod tests {
    use super::*;
    use image::{Rgb, RgbImage, Rgba, RgbaImage};

    #[test]
    fn coloured_ink_is_dark_and_clear_paper_white() {
        let rgb = RgbImage::from_pixel(1, 1, Rgb([250, 30, 200]));
        let clear = RgbaImage::from_pixel(1, 1, Rgba([0, 0, 0, 0]));
        let half = RgbaImage::from_pixel(1, 1, Rgba([0, 90, 90, 51]));
        let gray = image::ImageBuffer::from_pixel(1, 1, image::Luma([0x1234u16]));
        for (picture, expected) in [
            (DynamicImage::ImageRgb8(rgb), 30),
            (DynamicImage::ImageRgba8(clear), 255),
            (DynamicImage::ImageRgba8(half), 204),
            (DynamicImage::ImageLuma16(gray), 0x12),
        ] {
            assert_eq!(darkest_channel(picture).get_pixel(0, 0).0, [expected]);
        }
    }
}
