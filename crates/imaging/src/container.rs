//! Kinds of files, told by their first bytes.

use image::ImageFormat;

/// What a file holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Container {
    /// One image.
    Image(ImageFormat),
    /// Any number of images.
    Tiff,
    /// Any number of pages, drawn or scanned.
    Pdf,
    /// A photo of a phone.
    Heic,
    /// A known format that is not read.
    Foreign {
        /// Its name.
        format: &'static str,
        /// What to do.
        remedy: &'static str,
    },
}

/// What to do with an HEIC photo that is not read.
pub(crate) const PHONE_REMEDY: &str =
    "save or share it as JPEG (on an iPhone: Settings, Camera, Formats, Most Compatible)";

impl Container {
    /// First bytes of a file that are looked at.
    pub(crate) const BYTES: u64 = 1024;

    /// The kind of a file that starts with these bytes.
    pub(crate) fn of(start: &[u8]) -> Option<Self> {
        if start.get(4..8) == Some(b"ftyp")
            && let Some(b"heic" | b"heix" | b"hevc" | b"heim" | b"heis" | b"mif1" | b"msf1") =
                start.get(8..12)
        {
            return Some(Self::Heic);
        }
        if let Some(foreign) = Self::foreign(start) {
            return Some(foreign);
        }
        // BigTIFF has 43 for the 42 of TIFF.
        if [&b"II*\0"[..], b"MM\0*", b"II+\0", b"MM\0+"]
            .iter()
            .any(|magic| start.starts_with(magic))
        {
            return Some(Self::Tiff);
        }
        match image::guess_format(start) {
            Ok(
                format @ (ImageFormat::Jpeg
                | ImageFormat::Png
                | ImageFormat::Gif
                | ImageFormat::WebP
                | ImageFormat::Bmp),
            ) => Some(Self::Image(format)),
            // Readers of PDF allow some bytes before the header.
            _ => start
                .windows(5)
                .any(|bytes| bytes == b"%PDF-")
                .then_some(Self::Pdf),
        }
    }

    fn foreign(start: &[u8]) -> Option<Self> {
        const OTHER: &str = "save it as JPEG or PNG";
        let (format, remedy) = match (start.get(4..8), start.get(8..12)) {
            (Some(b"ftyp"), Some(b"avif" | b"avis")) => ("an AVIF image", OTHER),
            (Some(b"ftyp"), _) => ("a video", "take a photo of the sheet"),
            (Some(b"jP  " | b"jP\x1a\x1a"), _) => ("a JPEG 2000 image", OTHER),
            (Some(b"JXL "), _) => ("a JPEG XL image", OTHER),
            _ if start.starts_with(&[0xff, 0x0a]) => ("a JPEG XL image", OTHER),
            _ if start.starts_with(b"AT&TFORM") => ("a DjVu document", "save it as PDF"),
            _ if start.starts_with(b"PK\x03\x04") => (
                "an archive or office document",
                "unpack it, or print it to a PDF",
            ),
            _ => return None,
        };
        Some(Self::Foreign { format, remedy })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_bytes_tell_the_kind() {
        let image = |format| Some(Container::Image(format));
        let cases: [(&[u8], Option<Container>); 13] = [
            (b"\xff\xd8\xff\xe0", image(ImageFormat::Jpeg)),
            (b"\x89PNG\r\n\x1a\n", image(ImageFormat::Png)),
            (b"GIF89a", image(ImageFormat::Gif)),
            (b"RIFF\0\0\0\0WEBPVP8 ", image(ImageFormat::WebP)),
            (b"BM\0\0", image(ImageFormat::Bmp)),
            (b"II*\0\x08\0\0\0", Some(Container::Tiff)),
            (b"MM\0+\0\x08", Some(Container::Tiff)),
            (b"\n\n%PDF-1.4\n", Some(Container::Pdf)),
            (b"\0\0\0\x18ftypheic\0\0\0\0", Some(Container::Heic)),
            (b"\0\0\0\x18ftypmif1\0\0\0\0", Some(Container::Heic)),
            (b"1. e4 e5 2. Nf3", None),
            (b"", None),
            (b"%!PS-Adobe", None),
        ];
        for (start, expected) in cases {
            assert_eq!(Container::of(start), expected, "{start:?}");
        }
        for (start, name) in [
            (&b"\0\0\0\x18ftypavif\0\0\0\0"[..], "AVIF"),
            (b"\0\0\0\x18ftypmp42\0\0\0\0", "video"),
            (b"\xff\x0a\0\0", "JPEG XL"),
        ] {
            let Some(Container::Foreign { format, .. }) = Container::of(start) else {
                panic!("{name} is not told");
            };
            assert!(format.contains(name), "{format}");
        }
    }
}
