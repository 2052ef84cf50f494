//! What a person should do to get a better picture of a sheet.

use scoresheet_imaging::Quality;

/// Rows below this height in pixels are read badly.
const LEAST_ROW_HEIGHT: f32 = 15.0;
/// Height of rows in pixels beyond which more does not help.
const GOOD_ROW_HEIGHT: f32 = 20.0;
/// Edges wider than this share of a row are read badly.
const MOST_BLUR: f32 = 0.11;
/// Strokes of less contrast are read badly.
const LEAST_CONTRAST: f32 = 0.15;
/// Paper that is darker has too little light.
const LEAST_BRIGHTNESS: f32 = 0.1;
/// Lowest cells over highest: below, the sheet was seen much from one side.
const LEAST_EVENNESS: f32 = 0.6;
/// Bend of the rows in row heights.
const MOST_BEND: f32 = 0.5;

/// Warnings that say what is wrong with a picture and what to do; none for a good one.
///
/// The limits of size, sharpness, contrast and light lie between the pictures of real sheets, made worse step by step, that were still read well and those that were not
/// (README of this crate). Those of evenness and bend are guesses.
pub fn advice(quality: &Quality, mirrored: bool) -> Vec<String> {
    let mut warnings = Vec::new();
    if mirrored {
        warnings.push(
            "the picture is a mirror image and was mirrored back; switch off mirroring in the camera or scanner"
                .to_owned(),
        );
    }
    if quality.row_height < LEAST_ROW_HEIGHT {
        warnings.push(format!(
            "the rows are only {:.0} pixels high; photograph the sheet from nearer or scan it with more dots an inch, so that they are {GOOD_ROW_HEIGHT} pixels or more",
            quality.row_height
        ));
    } else if quality.blur > MOST_BLUR * quality.row_height {
        warnings.push(
            "the picture is not sharp; photograph the sheet again, with the camera held still and in focus"
                .to_owned(),
        );
    }
    if quality.brightness < LEAST_BRIGHTNESS {
        warnings
            .push("the picture is very dark; photograph the sheet again in more light".to_owned());
    } else if quality.contrast < LEAST_CONTRAST {
        warnings.push(
            "the writing is faint; scan it darker, or photograph it in brighter light from the side"
                .to_owned(),
        );
    }
    if quality.evenness < LEAST_EVENNESS {
        warnings.push(
            "the sheet was photographed much from one side; do it again from straight above"
                .to_owned(),
        );
    }
    if quality.bend > MOST_BEND {
        warnings.push("the paper is bent; press it flat and photograph it again".to_owned());
    }
    warnings
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_fault_has_its_remedy() {
        let good = Quality {
            row_height: 40.0,
            blur: 2.0,
            contrast: 0.7,
            brightness: 0.8,
            angle: 1.0,
            evenness: 0.95,
            bend: 0.05,
        };
        let cases: [(Quality, bool, &[&str]); 9] = [
            (good, false, &[]),
            (good, true, &["mirroring"]),
            (
                Quality {
                    row_height: 9.0,
                    blur: 4.0,
                    ..good
                },
                false,
                &["from nearer"],
            ),
            (Quality { blur: 12.0, ..good }, false, &["in focus"]),
            (
                Quality {
                    contrast: 0.1,
                    ..good
                },
                false,
                &["scan it darker"],
            ),
            (
                Quality {
                    brightness: 0.05,
                    contrast: 0.1,
                    ..good
                },
                false,
                &["in more light"],
            ),
            (
                Quality {
                    evenness: 0.4,
                    ..good
                },
                false,
                &["straight above"],
            ),
            (Quality { bend: 0.8, ..good }, false, &["press it flat"]),
            (
                Quality {
                    blur: 12.0,
                    bend: 0.8,
                    ..good
                },
                true,
                &["mirroring", "in focus", "flat"],
            ),
        ];
        for (quality, mirrored, remedies) in cases {
            let warnings = advice(&quality, mirrored);
            assert_eq!(warnings.len(), remedies.len(), "{warnings:?}");
            for (warning, remedy) in warnings.iter().zip(remedies) {
                assert!(warning.contains(remedy), "{warning}");
            }
        }
    }
}
