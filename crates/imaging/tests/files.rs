//! Every kind of file gives the same picture, and no damage to a file makes more of it than an error.

#![allow(clippy::unwrap_used)] // A step that fails is a test that fails.

use std::path::{Path, PathBuf};

use scoresheet_imaging::{Limits, LoadError, count_pages, load_page};

const LIMITS: Limits = Limits {
    pixels: 20_000_000,
    side: 50,
    pages: 10,
    bytes: 1_000_000,
};

/// Files with a blue box and a red triangle on white, 240 x 210: `tests/data/README.md`.
const FILES: &[&str] = &[
    "cmyk.jpg",
    "cmyk.tif",
    "fax-group3-2d.tif",
    "fax-group3-white.tif",
    "fax-group3.tif",
    "fax-group4-white.tif",
    "fax-group4.tif",
    "fax-huffman.tif",
    "fax-standard.tif",
    "gray-16.png",
    "gray-16.tif",
    "jpeg-inside.tif",
    "rgb-lzw.tif",
    "three-pages.tif",
    #[cfg(feature = "heic")]
    "gray.heic",
    #[cfg(feature = "heic")]
    "plain.heic",
    #[cfg(feature = "heic")]
    "turned.heic",
    #[cfg(feature = "pdf")]
    "drawn.pdf",
    #[cfg(feature = "pdf")]
    "scanned.pdf",
];

/// Points of the picture and whether they are dark.
const POINTS: [(f32, f32, bool); 10] = [
    (80.0, 75.0, true),
    (44.0, 54.0, true),
    (115.0, 95.0, true),
    (185.0, 150.0, true),
    (180.0, 190.0, true),
    (20.0, 75.0, false),
    (80.0, 110.0, false),
    (125.0, 75.0, false),
    (155.0, 190.0, false),
    (220.0, 180.0, false),
];

fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/data")
        .join(name)
}

#[test]
fn every_kind_of_file_gives_the_same_picture() {
    for name in FILES {
        let page = load_page(&data(name), 1, &LIMITS).unwrap().gray;
        let scale = page.width() as f32 / 240.0;
        let expected = (page.width() as f32 * 210.0 / 240.0).round();
        assert!(
            (page.height() as f32 / expected - 1.0).abs() < 0.05,
            "{name}: {:?}",
            page.dimensions()
        );
        for (x, y, dark) in POINTS {
            let (x, y) = ((x * scale) as u32, (y * scale) as u32);
            let shade = page.get_pixel(x, y).0[0];
            assert!(
                if dark { shade < 110 } else { shade > 230 },
                "{name}: {shade} at {x},{y}"
            );
        }
    }
}

#[cfg(feature = "pdf")]
#[test]
fn the_fonts_that_pdf_files_may_leave_out_are_drawn() {
    let page = load_page(&data("drawn.pdf"), 1, &LIMITS).unwrap().gray;
    let scale = page.width() as f32 / 240.0;
    // "31" in 40 points on the line 60 points from the top.
    let dark = page
        .enumerate_pixels()
        .filter(|(x, y, pixel)| {
            let (x, y) = (*x as f32 / scale, *y as f32 / scale);
            (150.0..200.0).contains(&x) && (30.0..61.0).contains(&y) && pixel.0[0] < 100
        })
        .count();
    let area = dark as f32 / scale / scale;
    assert!(
        (200.0..700.0).contains(&area),
        "{area} square points of ink"
    );
}

#[test]
fn pages_are_counted_and_read_one_by_one() {
    let expected: &[(&str, u32)] = &[
        ("three-pages.tif", 3),
        ("rgb-lzw.tif", 1),
        ("cmyk.jpg", 1),
        #[cfg(feature = "pdf")]
        ("scanned.pdf", 2),
    ];
    for &(name, pages) in expected {
        let path = data(name);
        assert_eq!(count_pages(&path, &LIMITS).unwrap(), pages, "{name}");
        let error = load_page(&path, pages + 1, &LIMITS).unwrap_err();
        assert!(
            matches!(error, LoadError::NoSuchPage { pages: told, .. } if told == pages),
            "{name}: {error}"
        );
        if pages > 1 {
            let second = load_page(&path, 2, &LIMITS).unwrap().gray;
            assert!(second.width() < second.height(), "{name}: the turned page");
        }
    }
    let tight = Limits { pages: 2, ..LIMITS };
    let error = count_pages(&data("three-pages.tif"), &tight).unwrap_err();
    assert!(
        error.to_string().contains("more than the limit of 2"),
        "{error}"
    );
    let small = Limits {
        side: 101,
        ..LIMITS
    };
    let error = load_page(&data("three-pages.tif"), 3, &small).unwrap_err();
    assert!(
        error
            .to_string()
            .contains("three-pages.tif#3: 100 x 100 pixels"),
        "{error}"
    );
    let short = Limits {
        bytes: 100,
        ..LIMITS
    };
    assert!(matches!(
        load_page(&data("cmyk.jpg"), 1, &short),
        Err(LoadError::TooManyBytes { .. })
    ));
}

#[test]
fn known_formats_that_are_not_read_are_named() {
    let folder = std::env::temp_dir().join(format!("scoresheet-files-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join("photo.avif");
    std::fs::write(&path, b"\0\0\0\x18ftypavif\0\0\0\0mif1avif").unwrap();
    let error = load_page(&path, 1, &LIMITS).unwrap_err().to_string();
    std::fs::remove_dir_all(&folder).unwrap();
    assert!(
        error.contains("photo.avif: an AVIF image is not read; save it as JPEG or PNG"),
        "{error}"
    );
}

/// A build without a format says so; one with it refuses sizes before anything is decoded.
#[test]
fn formats_that_may_be_left_out() {
    let small = Limits {
        pixels: 240 * 210 - 1,
        ..LIMITS
    };
    for (name, read) in [
        ("plain.heic", cfg!(feature = "heic")),
        ("scanned.pdf", cfg!(feature = "pdf")),
    ] {
        let error = load_page(&data(name), 1, &small).unwrap_err();
        let expected = match (read, &error) {
            (true, LoadError::TooLarge { .. }) => true,
            (false, LoadError::Unsupported { format, .. }) => format.contains("in this build"),
            _ => false,
        };
        assert!(expected, "{error}");
    }
}

#[cfg(feature = "heic")]
#[test]
fn parts_of_a_photo_may_not_be_larger_than_the_limit() {
    let error = load_page(&data("large-part.heic"), 1, &LIMITS).unwrap_err();
    assert!(error.to_string().contains("larger than it is"), "{error}");
}

#[test]
fn damaged_files_never_panic() {
    const MUTATIONS: u64 = 40;
    let folder = std::env::temp_dir().join(format!("scoresheet-damage-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    // Xorshift (Marsaglia, 2003) with a fixed seed.
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut random = move |below: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state % below.max(1) as u64) as usize
    };
    let mut failed = 0;
    for name in FILES {
        let whole = std::fs::read(data(name)).unwrap();
        for mutation in 0..MUTATIONS {
            let mut bytes = whole.clone();
            match mutation % 4 {
                0 => bytes.truncate(random(whole.len())),
                1 => {
                    let start = random(whole.len());
                    bytes[start..].fill(0);
                }
                _ => {
                    for _ in 0..1 + random(6) {
                        let place = random(bytes.len());
                        bytes[place] = random(256) as u8;
                    }
                }
            }
            let path = folder.join(format!("{mutation}-{name}"));
            std::fs::write(&path, &bytes).unwrap();
            // The outcome may be anything but a panic: some damage is not to be seen.
            let pages = count_pages(&path, &LIMITS).unwrap_or(1);
            for page in 1..=pages.min(2) {
                failed += usize::from(load_page(&path, page, &LIMITS).is_err());
            }
        }
    }
    std::fs::remove_dir_all(&folder).unwrap();
    assert!(
        failed > FILES.len(),
        "only {failed} failures: was anything damaged?"
    );
}
