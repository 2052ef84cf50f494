//! What the tests share: a folder of their own, the program, and pictures.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Output;

use image::{GrayImage, Luma};

/// A scratch folder and the program run in it.
pub struct TestEnvironment {
    folder: tempfile::TempDir,
}

/// What a run gave.
#[derive(Debug)]
pub struct Run {
    pub status: i32,
    pub stdout: String,
    pub stderr: String,
}

impl TestEnvironment {
    pub fn new() -> Self {
        Self {
            folder: tempfile::tempdir().unwrap(),
        }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn write(&self, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, bytes).unwrap();
        path
    }

    pub fn save(&self, name: &str, picture: &GrayImage) -> PathBuf {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        picture.save(&path).unwrap();
        path
    }

    /// Runs `scoresheet` in the folder.
    pub fn run<S: AsRef<std::ffi::OsStr>>(&self, arguments: impl IntoIterator<Item = S>) -> Run {
        let output = assert_cmd::cargo::cargo_bin_cmd!("scoresheet")
            .current_dir(self.folder.path())
            .args(arguments)
            .output()
            .unwrap();
        Run::from(output)
    }

    /// Names of the files below a folder, sorted; also hidden ones.
    pub fn files(&self, folder: &str) -> Vec<String> {
        let mut names: Vec<String> = std::fs::read_dir(self.path(folder))
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }
}

impl From<Output> for Run {
    fn from(output: Output) -> Self {
        Self {
            status: output.status.code().unwrap_or(-1),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }
}

/// The root of the repository.
pub fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .canonicalize()
        .unwrap()
}

/// A synthetic sheet of the repository.
pub fn sample(name: &str) -> PathBuf {
    repository().join("datasets/samples").join(name)
}

/// A folder of real sheets, or `None` with a word on why the test is skipped.
pub fn real_data(set: &str) -> Option<PathBuf> {
    let root = std::env::var_os("SCORESHEET_DATA")
        .map_or_else(|| repository().join("../shared/data"), PathBuf::from);
    let folder = root.join(set);
    if folder.is_dir() {
        return Some(folder);
    }
    println!(
        "skipped: no real sheets at {}; set SCORESHEET_DATA (datasets/README.md tells the layout)",
        folder.display()
    );
    None
}

/// A picture that is no scoresheet: a smooth landscape with grain.
pub fn landscape(width: u32, height: u32) -> GrayImage {
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    GrayImage::from_fn(width, height, |x, y| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        let hills = ((x as f32 / 90.0).sin() + (y as f32 / 140.0 + x as f32 / 300.0).cos()) * 50.0;
        let grain = (state % 40) as f32;
        Luma([(110.0 + hills + grain).clamp(0.0, 255.0) as u8])
    })
}

/// A blank form: two blocks of (number, White, Black) with ruled lines.
pub fn blank_form() -> GrayImage {
    let (rows, row_height, columns) = (26, 44, [60, 120, 330, 540, 600, 810, 1020]);
    let (top, bottom) = (200, 200 + rows * row_height);
    GrayImage::from_fn(1080, 1450, |x, y| {
        let inside = (60..=1021).contains(&x) && (top..=bottom + 1).contains(&y);
        let across = (y - top.min(y)) % row_height < 2;
        let down = columns
            .iter()
            .any(|&column| (column..column + 2).contains(&x));
        Luma([if inside && (across || down) { 40 } else { 245 }])
    })
}

/// A PNG file with nothing but a header of this size.
pub fn png_header(width: u32, height: u32) -> Vec<u8> {
    let mut header = Vec::new();
    header.extend(width.to_be_bytes());
    header.extend(height.to_be_bytes());
    // 8 bits grey, no interlace.
    header.extend([8, 0, 0, 0, 0]);
    let mut file = b"\x89PNG\r\n\x1a\n".to_vec();
    // An empty zlib stream.
    let data = [0x78, 0x9c, 0x03, 0x00, 0x00, 0x00, 0x00, 0x01];
    for (kind, bytes) in [(b"IHDR", &header[..]), (b"IDAT", &data[..]), (b"IEND", &[])] {
        file.extend((bytes.len() as u32).to_be_bytes());
        let mut checked = kind.to_vec();
        checked.extend(bytes);
        file.extend(&checked);
        file.extend(crc32(&checked).to_be_bytes());
    }
    file
}

fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(!0, |crc, &byte| {
        (0..8).fold(crc ^ u32::from(byte), |crc, _| {
            (crc >> 1) ^ (0xedb8_8320 & (crc & 1).wrapping_neg())
        })
    })
}

/// A folder `in` of lattice files, which are read without the network, so that batches take no time.
pub fn lattices(count: usize) -> TestEnvironment {
    let environment = TestEnvironment::new();
    let sheet = sample("clean-scan.jpg");
    let run = environment.run([
        "read".as_ref(),
        sheet.as_os_str(),
        "--save-lattices".as_ref(),
        "saved".as_ref(),
    ]);
    assert_eq!(run.status, 0, "{run:?}");
    let bytes = std::fs::read(environment.path("saved/clean-scan.lattice")).unwrap();
    for number in 1..=count {
        environment.write(&format!("in/{number}.lattice"), &bytes);
    }
    environment
}

/// Reads the first `count` of them into the folder `out`.
pub fn read(environment: &TestEnvironment, count: usize, further: &[&str]) -> Run {
    let inputs: Vec<String> = (1..=count)
        .map(|number| format!("in/{number}.lattice"))
        .collect();
    let words = inputs
        .iter()
        .map(String::as_str)
        .chain(["-o", "out"])
        .chain(further.iter().copied());
    environment.run(["read"].into_iter().chain(words))
}

/// Every file of a folder and what is in it, but for the state of the program.
pub fn content(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.is_file())
        .map(|path| {
            (
                path.file_name().unwrap().to_str().unwrap().to_owned(),
                std::fs::read(&path).unwrap(),
            )
        })
        .collect()
}
