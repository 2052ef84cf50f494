//! Files of several pages, and limits.

use image::{GrayImage, Luma};

use crate::support::{TestEnvironment, sample};

/// A PDF with a JPEG picture on each page; without a table of its objects, as after a careless repair.
fn pdf_of(pictures: &[Vec<u8>]) -> Vec<u8> {
    let kids: Vec<String> = (0..pictures.len())
        .map(|page| format!("{} 0 R", 3 + 3 * page))
        .collect();
    let mut file = format!(
        "%PDF-1.4\n1 0 obj << /Type /Catalog /Pages 2 0 R >> endobj\n2 0 obj << /Type /Pages /Kids [{}] /Count {} >> endobj\n",
        kids.join(" "),
        pictures.len()
    )
    .into_bytes();
    for (page, picture) in pictures.iter().enumerate() {
        let first = 3 + 3 * page;
        let size = image::load_from_memory(picture).unwrap();
        let space = if size.color().has_color() {
            "DeviceRGB"
        } else {
            "DeviceGray"
        };
        let (width, height) = (size.width(), size.height());
        let content = "595 0 0 842 0 0 cm /I Do";
        file.extend(
            format!(
                "{first} 0 obj << /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents {} 0 R /Resources << /XObject << /I {} 0 R >> >> >> endobj\n\
                 {} 0 obj << /Length {} >>\nstream\n{content}\nendstream\nendobj\n\
                 {} 0 obj << /Type /XObject /Subtype /Image /Width {width} /Height {height} /ColorSpace /{space} /BitsPerComponent 8 /Filter /DCTDecode /Length {} >>\nstream\n",
                first + 1, first + 2, first + 1, content.len(), first + 2, picture.len()
            )
            .bytes(),
        );
        file.extend(picture);
        file.extend(b"\nendstream\nendobj\n");
    }
    file.extend(b"trailer << /Root 1 0 R >>\n%%EOF\n");
    file
}

fn blank_page() -> Vec<u8> {
    let mut bytes = Vec::new();
    GrayImage::from_pixel(600, 850, Luma([250]))
        .write_with_encoder(image::codecs::jpeg::JpegEncoder::new(&mut bytes))
        .unwrap();
    bytes
}

#[test]
fn every_page_is_a_sheet_of_its_own() {
    let environment = TestEnvironment::new();
    let sheet = std::fs::read(sample("clean-scan.jpg")).unwrap();
    environment.write("round.pdf", pdf_of(&[sheet.clone(), blank_page(), sheet]));
    let run = environment.run(["forms", "round.pdf", "--overlay", "overlay"]);
    assert_eq!(run.status, 1, "{run:?}");
    let names: Vec<&str> = run
        .stdout
        .lines()
        .skip(1)
        .map(|line| line.split('\t').next().unwrap())
        .collect();
    assert_eq!(names, ["round.pdf#1", "round.pdf#3"], "{run:?}");
    assert!(
        run.stderr.contains("error: round.pdf#2: no table found"),
        "{run:?}"
    );
    assert_eq!(
        environment.files("overlay"),
        ["round-p1.jpg", "round-p3.jpg"]
    );
    let one = environment.run(["forms", "round.pdf#3"]);
    assert_eq!((one.status, one.stdout.lines().count()), (0, 2), "{one:?}");
    let none = environment.run(["forms", "round.pdf#4"]);
    assert!(
        none.stderr
            .contains("round.pdf: the file has 3 pages, no page 4; correct the number"),
        "{none:?}"
    );
    let many = environment.run(["forms", "round.pdf", "--max-pages", "2"]);
    assert!(
        many.stderr
            .contains("round.pdf: 3 pages are more than the limit of 2"),
        "{many:?}"
    );
    let large = environment.run(["forms", "round.pdf#1", "--max-megapixels", "1"]);
    assert!(large.stderr.contains("round.pdf#1: "), "{large:?}");
    assert!(large.stderr.contains("--max-megapixels"), "{large:?}");
}

#[test]
fn a_page_of_a_file_is_named_in_the_manifest_and_in_the_document() {
    let environment = TestEnvironment::new();
    let sheet = std::fs::read(sample("clean-scan.jpg")).unwrap();
    environment.write("round.pdf", pdf_of(&[blank_page(), sheet]));
    environment.write("round.csv", "game,file,White\nfinal,round.pdf#2,Doe\n");
    let run = environment.run(["read", "--manifest", "round.csv", "--format", "json"]);
    assert_eq!(run.status, 0, "{run:?}");
    let document: serde_json::Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!(document["game"], "final");
    assert_eq!(document["sources"][0]["file_page"], 2);
    assert_eq!(document["sources"][0]["page"], 1);
    assert!(document["moves"].as_array().unwrap().len() > 20, "{run:?}");
}
