//! Fax pages in TIFF: CCITT group 3 in one and two dimensions, and its variant without line ends (ITU-T T.4).

use std::io::{Read, Seek, SeekFrom};

use hayro_ccitt::{DecodeSettings, DecoderContext, EncodingMode};
use image::{GrayImage, Luma};
use tiff::decoder::Decoder;
use tiff::tags::{CompressionMethod, Tag};

/// Tag `T4Options`: bit 0 is set where lines are coded in two dimensions.
const T4_OPTIONS: Tag = Tag::Unknown(292);

/// Longest strip, in bytes, by the pixels it holds: a line of alternating pixels takes less than that.
const MOST_BYTES_PER_PIXEL: u64 = 2;

/// Whether the page is compressed as faxes are (group 4, which scanners use, is not meant).
pub(crate) fn is_fax<R: Read + Seek>(decoder: &mut Decoder<R>) -> bool {
    matches!(
        compression(decoder),
        Some(CompressionMethod::Fax3 | CompressionMethod::Huffman)
    )
}

fn compression<R: Read + Seek>(decoder: &mut Decoder<R>) -> Option<CompressionMethod> {
    let tag = decoder.find_tag_unsigned::<u16>(Tag::Compression).ok()??;
    Some(CompressionMethod::from_u16_exhaustive(tag))
}

/// Decodes a fax page. Lines that a bad connection spoilt stay white; a page without any good line is an error.
pub(crate) fn decode<R: Read + Seek>(
    decoder: &mut Decoder<R>,
    width: u32,
    height: u32,
) -> Result<GrayImage, String> {
    const LOW_BIT_FIRST: u16 = 2;
    const BLACK_IS_ZERO: u16 = 1;
    let text = |error: tiff::TiffError| error.to_string();
    let number = |decoder: &mut Decoder<R>, tag| {
        decoder
            .find_tag_unsigned::<u32>(tag)
            .map_err(text)
            .map(|value| value.unwrap_or(0))
    };
    let encoding = if number(decoder, T4_OPTIONS)? & 1 == 1 {
        EncodingMode::Group3_2D
    } else {
        EncodingMode::Group3_1D
    };
    let without_line_ends = compression(decoder) == Some(CompressionMethod::Huffman);
    let reversed = number(decoder, Tag::FillOrder)? == u32::from(LOW_BIT_FIRST);
    let inverted = number(decoder, Tag::PhotometricInterpretation)? == u32::from(BLACK_IS_ZERO);
    let rows = match number(decoder, Tag::RowsPerStrip)? {
        0 => height,
        rows => rows.min(height),
    };
    let places = decoder.get_tag_u64_vec(Tag::StripOffsets).map_err(text)?;
    let lengths = decoder
        .get_tag_u64_vec(Tag::StripByteCounts)
        .map_err(text)?;
    let mut page = FaxPage {
        gray: GrayImage::from_pixel(width, height, Luma([255])),
        row: 0,
        inverted,
    };
    let mut problem = None;
    for (strip, (&place, &length)) in places.iter().zip(&lengths).enumerate() {
        let top = strip as u64 * u64::from(rows);
        if top >= u64::from(height) {
            break;
        }
        page.row = top as u32;
        let most = u64::from(width) * u64::from(rows) * MOST_BYTES_PER_PIXEL;
        let mut bytes = Vec::new();
        let reader = decoder.inner();
        reader
            .seek(SeekFrom::Start(place))
            .and_then(|_| reader.take(length.min(most)).read_to_end(&mut bytes))
            .map_err(|error| error.to_string())?;
        if reversed {
            bytes
                .iter_mut()
                .for_each(|byte| *byte = byte.reverse_bits());
        }
        let settings = DecodeSettings {
            columns: width,
            rows: rows.min(height - page.row),
            end_of_block: !without_line_ends,
            end_of_line: !without_line_ends,
            rows_are_byte_aligned: without_line_ends,
            encoding,
            strict: false,
        };
        let mut context = DecoderContext::new(settings);
        if let Err(error) = hayro_ccitt::decode(&bytes, &mut page, &mut context) {
            problem = Some(error.to_string());
        }
    }
    match problem {
        Some(problem) if page.row == 0 => Err(problem),
        None if page.row == 0 => Err("no line of the fax is there".to_owned()),
        _ => Ok(page.gray),
    }
}

/// Takes the lines of a fax.
struct FaxPage {
    gray: GrayImage,
    /// The next line.
    row: u32,
    /// Whether the runs that start white are black.
    inverted: bool,
}

impl hayro_ccitt::Decoder for FaxPage {
    fn push_row(&mut self, changes: &[u32]) {
        let width = self.gray.width() as usize;
        let start = self.row as usize * width;
        let pixels: &mut [u8] = &mut self.gray;
        let Some(line) = pixels.get_mut(start..start + width) else {
            return;
        };
        self.row += 1;
        for run in changes.chunks(2) {
            let from = (run[0] as usize).min(width);
            let to = run
                .get(1)
                .map_or(width, |&to| to as usize)
                .clamp(from, width);
            line[from..to].fill(0);
        }
        if self.inverted {
            line.iter_mut().for_each(|pixel| *pixel = !*pixel);
        }
    }
}
