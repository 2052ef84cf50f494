//! Input arguments to pages of image files, in a natural order.

use std::cmp::Ordering;
use std::path::{Path, PathBuf};

use scoresheet_imaging::{Limits, LoadError, count_pages};

use crate::lattice_file::LATTICE_EXTENSION;

/// Extensions (lower case) of the files that are taken from a folder.
pub const IMAGE_EXTENSIONS: &[&str] = &[
    "bmp", "gif", "heic", "heif", "jpeg", "jpg", "pdf", "png", "tif", "tiff", "webp",
];

/// Parts a file from the number of one of its pages, as in `round1.pdf#3`.
const PAGE_MARK: char = '#';
/// Parts the number of a page from that of one of the sheets on it, as in `round1.pdf#3.2`.
const SHEET_MARK: char = '.';

/// Deepest folder below an input folder that is looked into.
const MAXIMUM_DEPTH: usize = 32;

/// Why an input argument gave no file.
#[derive(Debug, thiserror::Error)]
pub enum InputError {
    /// The path does not exist.
    #[error("{}: no such file or folder; check the spelling of the path", .0.display())]
    Missing(PathBuf),
    /// The folder holds no image file.
    #[error("{}: no image in this folder (looked for {}); name the files themselves or another folder",
        .0.display(), IMAGE_EXTENSIONS.join(", "))]
    NoImages(PathBuf),
    /// The file has too many pages.
    #[error(transparent)]
    Load(LoadError),
    /// The folder cannot be listed.
    #[error("{}: the folder cannot be listed ({source}); check its permissions", path.display())]
    Unlistable {
        /// The folder.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
}

/// One page of an image file, or one of several sheets on it.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ImagePage {
    /// The file.
    pub file: PathBuf,
    /// Number of the page, from 1; none where the file holds no other.
    pub page: Option<u32>,
    /// Number of the sheet on the page, from 1 in reading order; none where the page shows no other, or all of them are meant.
    pub sheet: Option<u32>,
}

impl From<PathBuf> for ImagePage {
    /// The only page of a file.
    fn from(file: PathBuf) -> Self {
        Self {
            file,
            page: None,
            sheet: None,
        }
    }
}

impl ImagePage {
    /// The page that `file` or `file#3` names, or the sheet that `file#3.2` does, if there is such a file.
    pub(crate) fn named(path: &Path) -> Option<Self> {
        // What may be there is kept: reading it tells why it cannot be reached.
        if !matches!(path.try_exists(), Ok(false)) {
            return Some(path.to_path_buf().into());
        }
        Self::numbered(path).filter(|image| image.file.is_file())
    }

    /// A name such as `file#3` or `file#3.2` taken apart, whether or not there is such a file.
    pub(crate) fn numbered(path: &Path) -> Option<Self> {
        let (file, place) = path.to_str()?.rsplit_once(PAGE_MARK)?;
        let number = |text: &str| text.parse().ok().filter(|&number: &u32| number > 0);
        let (page, sheet) = match place.split_once(SHEET_MARK) {
            Some((page, sheet)) => (page, Some(number(sheet)?)),
            None => (place, None),
        };
        Some(Self {
            file: PathBuf::from(file),
            page: Some(number(page)?),
            sheet,
        })
    }

    /// The same page with all sheets on it.
    pub fn whole_page(&self) -> Self {
        Self {
            sheet: None,
            ..self.clone()
        }
    }

    /// One of several sheets on the page; the page itself where it shows no other.
    pub fn with_sheet(&self, sheet: Option<u32>) -> Self {
        Self {
            sheet: sheet.or(self.sheet),
            ..self.clone()
        }
    }

    /// Number of the page in its file, from 1.
    pub fn number(&self) -> u32 {
        self.page.unwrap_or(1)
    }

    /// What the page is called in messages and may be called by the user: the file, `file#3`, or `file#3.2` for the second sheet on the third page.
    pub fn label(&self) -> PathBuf {
        let mut label = self.file.as_os_str().to_owned();
        label.push(page_mark(self.page, self.sheet));
        label.into()
    }

    /// A name for results: the file without folder and extension, `-p3` for the third page of several, and `-s2` for the second sheet on it.
    ///
    /// ```
    /// use scoresheet_pipeline::ImagePage;
    /// let page = ImagePage { file: "round/1.pdf".into(), page: Some(3), sheet: None };
    /// assert_eq!(page.name(), "1-p3");
    /// assert_eq!(page.with_sheet(Some(2)).name(), "1-p3-s2");
    /// ```
    pub fn name(&self) -> String {
        let mut name = file_stem(&self.file);
        if let Some(page) = self.page {
            name += &format!("-p{page}");
        }
        if let Some(sheet) = self.sheet {
            name += &sheet_suffix(sheet);
        }
        name
    }

    /// All pages of the file, or the one that is named.
    ///
    /// # Errors
    /// Only where there are more pages than the limit: what else is wrong with the file is said when it is read.
    pub(crate) fn expand(self, limits: &Limits) -> Result<Vec<Self>, LoadError> {
        let only_first = self.page == Some(1) && self.sheet.is_some();
        if self.page.is_some() && !only_first {
            return Ok(vec![self]);
        }
        let counted = std::panic::catch_unwind(|| count_pages(&self.file, limits));
        if only_first {
            // Of a file of one page, `photo.jpg#1.2` is a sheet of `photo.jpg`.
            let page = self.page.filter(|_| !matches!(counted, Ok(Ok(1))));
            return Ok(vec![Self { page, ..self }]);
        }
        match counted {
            Ok(Ok(pages)) if pages > 1 => Ok((1..=pages)
                .map(|page| Self {
                    file: self.file.clone(),
                    page: Some(page),
                    sheet: None,
                })
                .collect()),
            Ok(Err(error @ LoadError::TooManyPages { .. })) => Err(error),
            _ => Ok(vec![self]),
        }
    }
}

/// What stands behind a file to name a page or a sheet of it; nothing for the only sheet of a file.
pub(crate) fn page_mark(page: Option<u32>, sheet: Option<u32>) -> String {
    match (page, sheet) {
        (None, None) => String::new(),
        (Some(page), None) => format!("{PAGE_MARK}{page}"),
        (page, Some(sheet)) => format!("{PAGE_MARK}{}{SHEET_MARK}{sheet}", page.unwrap_or(1)),
    }
}

/// What is added to the name of a page for the results of one of its sheets.
pub(crate) fn sheet_suffix(sheet: u32) -> String {
    format!("-s{sheet}")
}

/// Expands files and folders to pages of files.
///
/// A file named outright is kept whatever its extension; `file#3` is its third page and `file#3.2` the second sheet on that. A file of several pages (TIFF, PDF) gives
/// them all. A folder gives its images and those of its
/// subfolders in natural order (`2.jpg` before `10.jpg`); folders that are symbolic links are not
/// entered, so a loop of links ends. A folder without images gives its files of saved lattices. Each problem is one `Err` in its place.
pub fn expand_inputs(inputs: &[PathBuf], limits: &Limits) -> Vec<Result<ImagePage, InputError>> {
    let mut pages = Vec::new();
    for found in expand_files(inputs) {
        match found.map(|image| image.expand(limits)) {
            Ok(Ok(images)) => pages.extend(images.into_iter().map(Ok)),
            Ok(Err(error)) => pages.push(Err(InputError::Load(error))),
            Err(error) => pages.push(Err(error)),
        }
    }
    pages
}

fn expand_files(inputs: &[PathBuf]) -> Vec<Result<ImagePage, InputError>> {
    let mut found = Vec::new();
    for input in inputs {
        if input.is_dir() {
            let before = found.len();
            expand_folder(input, IMAGE_EXTENSIONS, 0, &mut found);
            if found.len() == before {
                expand_folder(input, &[LATTICE_EXTENSION], 0, &mut found);
            }
            if found.len() == before {
                found.push(Err(InputError::NoImages(input.clone())));
            }
        } else {
            let missing = || InputError::Missing(input.clone());
            found.push(ImagePage::named(input).ok_or_else(missing));
        }
    }
    found
}

fn expand_folder(
    folder: &Path,
    extensions: &[&str],
    depth: usize,
    found: &mut Vec<Result<ImagePage, InputError>>,
) {
    let unlistable = |source| InputError::Unlistable {
        path: folder.to_path_buf(),
        source,
    };
    let listing: Result<Vec<_>, _> = match std::fs::read_dir(folder) {
        Ok(entries) => entries.collect(),
        Err(error) => Err(error),
    };
    let mut entries = match listing {
        Ok(entries) => entries,
        Err(error) => return found.push(Err(unlistable(error))),
    };
    entries.sort_by(|a, b| {
        natural_order(
            &a.file_name().to_string_lossy(),
            &b.file_name().to_string_lossy(),
        )
    });
    for entry in entries {
        let path = entry.path();
        let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
        if is_folder {
            if depth < MAXIMUM_DEPTH {
                expand_folder(&path, extensions, depth + 1, found);
            }
        } else if is_wanted(&path, extensions) && path.is_file() {
            found.push(Ok(path.into()));
        }
    }
}

/// Whether a file of a folder has one of the extensions and is not hidden.
fn is_wanted(path: &Path, extensions: &[&str]) -> bool {
    let hidden = path
        .file_name()
        .is_some_and(|name| name.to_string_lossy().starts_with('.'));
    let extension = path
        .extension()
        .map(|extension| extension.to_string_lossy().to_ascii_lowercase());
    !hidden && extension.is_some_and(|extension| extensions.contains(&extension.as_str()))
}

/// Compares names so that runs of digits count as numbers.
///
/// ```
/// use scoresheet_pipeline::natural_order;
/// assert!(natural_order("board2.jpg", "board10.jpg").is_lt());
/// ```
pub fn natural_order(a: &str, b: &str) -> Ordering {
    let (mut rest_a, mut rest_b) = (a, b);
    while !rest_a.is_empty() && !rest_b.is_empty() {
        let (digits_a, digits_b) = (leading_digits(rest_a), leading_digits(rest_b));
        let order = if !digits_a.is_empty() && !digits_b.is_empty() {
            let (number_a, number_b) = (
                digits_a.trim_start_matches('0'),
                digits_b.trim_start_matches('0'),
            );
            rest_a = &rest_a[digits_a.len()..];
            rest_b = &rest_b[digits_b.len()..];
            number_a
                .len()
                .cmp(&number_b.len())
                .then_with(|| number_a.cmp(number_b))
        } else {
            let (mut characters_a, mut characters_b) = (rest_a.chars(), rest_b.chars());
            let order = characters_a.next().cmp(&characters_b.next());
            rest_a = characters_a.as_str();
            rest_b = characters_b.as_str();
            order
        };
        if order.is_ne() {
            return order;
        }
    }
    // Names that differ only in leading zeros still need a fixed order.
    rest_a.len().cmp(&rest_b.len()).then_with(|| a.cmp(b))
}

fn leading_digits(text: &str) -> &str {
    let end = text
        .find(|character: char| !character.is_ascii_digit())
        .unwrap_or(text.len());
    &text[..end]
}

/// The name of a file without folder and extension, as text.
pub fn file_stem(path: &Path) -> String {
    path.file_stem().map_or_else(
        || "sheet".to_owned(),
        |stem| stem.to_string_lossy().into_owned(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn natural_order_counts_digits_as_numbers() {
        let sorted = [
            "1.jpg",
            "2.jpg",
            "10.jpg",
            "a1b2.jpg",
            "a1b10.jpg",
            "a01b11.jpg",
            "b",
        ];
        for (index, a) in sorted.iter().enumerate() {
            for (other, b) in sorted.iter().enumerate() {
                assert_eq!(natural_order(a, b), index.cmp(&other), "{a} and {b}");
            }
        }
    }

    #[test]
    fn pages_and_sheets_have_names() {
        for (name, page, sheet) in [
            ("a.pdf#3", Some(3), None),
            ("a.pdf#3.2", Some(3), Some(2)),
            ("a#b.jpg#1.12", Some(1), Some(12)),
        ] {
            let image = ImagePage::numbered(Path::new(name)).unwrap();
            assert_eq!((image.page, image.sheet), (page, sheet), "{name}");
            assert_eq!(image.label(), Path::new(name));
        }
        for name in [
            "a.pdf",
            "a#b.jpg",
            "a.pdf#0",
            "a.pdf#1.0",
            "a.pdf#1.",
            "a.pdf#.2",
            "a.pdf#1.2.3",
        ] {
            assert_eq!(ImagePage::numbered(Path::new(name)), None, "{name}");
        }
        let picture = ImagePage::from(PathBuf::from("a.jpg"));
        assert_eq!(picture.with_sheet(Some(2)).label(), Path::new("a.jpg#1.2"));
        assert_eq!(picture.with_sheet(None), picture);
    }

    #[test]
    fn folders_give_images_in_order_and_problems_in_place() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        std::fs::create_dir(root.join("deep")).unwrap();
        std::fs::create_dir(root.join("none")).unwrap();
        std::fs::create_dir(root.join("saved")).unwrap();
        for name in [
            "10.jpg",
            "9.PNG",
            "notes.txt",
            ".hidden.jpg",
            "deep/1.tif",
            "8.lattice",
            "saved/7.lattice",
        ] {
            std::fs::write(root.join(name), b"").unwrap();
        }
        let inputs = [
            root.to_path_buf(),
            root.join("none"),
            root.join("absent.jpg"),
            root.join("notes.txt"),
            root.join("saved"),
        ];
        let found = expand_inputs(&inputs, &Limits::default());
        let files: Vec<_> = found
            .iter()
            .filter_map(|item| item.as_ref().ok())
            .map(|image| image.file.strip_prefix(root).unwrap().display().to_string())
            .collect();
        assert_eq!(
            files,
            [
                "9.PNG",
                "10.jpg",
                "deep/1.tif",
                "notes.txt",
                "saved/7.lattice"
            ]
        );
        let problems: Vec<_> = found
            .iter()
            .filter_map(|item| item.as_ref().err())
            .collect();
        assert!(matches!(problems[0], InputError::NoImages(_)));
        assert!(matches!(problems[1], InputError::Missing(_)));
        assert_eq!(problems.len(), 2);
    }
}
