//! Whether a JPEG file is whole: decoders fill what is missing with grey and say nothing.

const MARKER: u8 = 0xff;
const START_OF_IMAGE: u8 = 0xd8;
const END_OF_IMAGE: u8 = 0xd9;
const START_OF_SCAN: u8 = 0xda;

/// Whether the picture has its end marker. Bytes after it, such as a camera's trailer, do not matter, nor does the end of a
/// thumbnail in the header.
pub(crate) fn is_whole(bytes: &[u8]) -> bool {
    let Some(mut at) = bytes.starts_with(&[MARKER, START_OF_IMAGE]).then_some(2) else {
        return false;
    };
    // The segments before the first scan carry their length (ITU-T T.81, annex B.1.1.4).
    while let Some(&[marker, kind, high, low]) = bytes.get(at..at + 4) {
        if marker != MARKER {
            return false;
        }
        if kind == MARKER {
            // A fill byte.
            at += 1;
            continue;
        }
        if kind == START_OF_SCAN {
            // Within a scan a marker byte is followed by zero or a restart number.
            return bytes[at..]
                .windows(2)
                .any(|pair| pair == [MARKER, END_OF_IMAGE]);
        }
        at += 2 + usize::from(u16::from_be_bytes([high, low]));
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use image::codecs::jpeg::JpegEncoder;
    use image::{GrayImage, Luma};

    #[test]
    fn a_cut_file_has_no_end() {
        let picture = GrayImage::from_fn(64, 64, |x, y| Luma([(x * y % 251) as u8]));
        let mut bytes = Vec::new();
        picture
            .write_with_encoder(JpegEncoder::new(&mut bytes))
            .unwrap();
        assert!(is_whole(&bytes));
        for length in [0, 1, 2, 3, 20, bytes.len() / 2, bytes.len() - 1] {
            assert!(!is_whole(&bytes[..length]), "{length} bytes");
        }
        let mut trailed = bytes.clone();
        trailed.extend(b"trailer of a camera");
        assert!(is_whole(&trailed));
        // An application segment with a whole thumbnail in it, and then a cut picture.
        let mut thumbnail = vec![0xff, 0xd8, 0xff, 0xe1];
        thumbnail.extend((bytes.len() as u16 + 2).to_be_bytes());
        thumbnail.extend(&bytes);
        thumbnail.extend(&bytes[2..bytes.len() / 2]);
        assert!(!is_whole(&thumbnail));
    }
}
