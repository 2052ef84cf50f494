//! Forms that a person describes in a file, for pictures on which none is found.
//!
//! JSON: one form, or a list of them:
//!
//! ```json
//! {"picture": "photo.jpg", "blocks": 2, "rows": 30, "first_number": 1,
//!  "columns": "nwb", "widths": [1, 3, 3],
//!  "corners": [[102, 340], [1730, 352], [1741, 2210], [95, 2201]]}
//! ```

use std::path::{Path, PathBuf};

use scoresheet_imaging::{Column, Form, Holds, Layout, LayoutError};
use serde::Deserialize;

use crate::input::ImagePage;

/// Name of a picture that stands for all.
const ALL: &str = "*";

/// Forms from a file.
#[derive(Debug, Clone, PartialEq)]
pub struct GivenForms {
    path: PathBuf,
    forms: Vec<GivenForm>,
}

#[derive(Debug, Clone, PartialEq)]
struct GivenForm {
    /// The picture that it is for; `*` for all; none for those on which no form is found.
    picture: Option<String>,
    form: Form,
    corners: [[f32; 2]; 4],
}

/// Why a file of forms cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("{}: {problem}", path.display())]
pub struct FormFileError {
    /// The file.
    pub path: PathBuf,
    /// What is wrong.
    pub problem: FormFileProblem,
}

/// What is wrong with a file of forms.
#[derive(Debug, thiserror::Error)]
pub enum FormFileProblem {
    /// The file cannot be opened.
    #[error("cannot be read ({0}); check the name and its permissions")]
    Unreadable(std::io::Error),
    /// The content is another.
    #[error(
        "no description of forms ({0}); write {{\"blocks\": 2, \"rows\": 30, \"corners\": [[x, y], [x, y], [x, y], [x, y]]}}, or a list of such"
    )]
    Syntax(serde_json::Error),
    /// There is none in it.
    #[error("has no form; describe at least one")]
    Empty,
    /// Widths and columns do not go together.
    #[error("form {form}: {columns} columns, but {widths} widths; give one for each")]
    Widths {
        /// Which form, from 1.
        form: usize,
        /// Columns given.
        columns: usize,
        /// Widths given.
        widths: usize,
    },
    /// A form is none.
    #[error("form {form}: {source}")]
    Layout {
        /// Which form, from 1.
        form: usize,
        /// What is wrong with it.
        source: LayoutError,
    },
    /// A letter of the columns has no meaning.
    #[error(
        "form {form}: column \"{letter}\"; write n for numbers, w for White, b for Black and - for others"
    )]
    Column {
        /// Which form, from 1.
        form: usize,
        /// The letter.
        letter: char,
    },
    /// A corner lies outside of the picture.
    #[error("corner {x}, {y} lies outside of {}, which has {width} x {height} pixels; corners count from its upper left", picture.display())]
    Outside {
        /// The picture.
        picture: PathBuf,
        /// Across.
        x: f32,
        /// Down.
        y: f32,
        /// Width of the picture.
        width: u32,
        /// Height of the picture.
        height: u32,
    },
}

/// A form as it stands in the file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    picture: Option<String>,
    blocks: usize,
    rows: usize,
    #[serde(default = "one")]
    first_number: u32,
    #[serde(default = "usual_columns")]
    columns: String,
    widths: Option<Vec<f32>>,
    corners: [[f32; 2]; 4],
}

fn one() -> u32 {
    1
}

fn usual_columns() -> String {
    "nwb".to_owned()
}

impl Entry {
    fn layout(&self, form: usize) -> Result<Layout, FormFileProblem> {
        let holds = |letter| match letter {
            'n' => Ok((Holds::Number, 0.4)),
            'w' => Ok((Holds::Moves(Column::White), 1.0)),
            'b' => Ok((Holds::Moves(Column::Black), 1.0)),
            '-' => Ok((Holds::Other, 0.4)),
            letter => Err(FormFileProblem::Column { form, letter }),
        };
        let mut columns = self
            .columns
            .chars()
            .map(holds)
            .collect::<Result<Vec<_>, _>>()?;
        if let Some(widths) = &self.widths {
            if widths.len() != columns.len() {
                return Err(FormFileProblem::Widths {
                    form,
                    columns: columns.len(),
                    widths: widths.len(),
                });
            }
            for ((_, width), given) in columns.iter_mut().zip(widths) {
                *width = *given;
            }
        }
        Ok(Layout {
            blocks: self.blocks,
            rows: self.rows,
            first_number: self.first_number,
            columns,
            corners: self.corners,
        })
    }
}

impl GivenForms {
    /// Reads a file of forms.
    ///
    /// `picture` names the picture (`photo.jpg`, `scan.pdf#3`) that a form is for, whether or not the program finds one there, or `*` for all pictures;
    /// a form without it is for those on which none is found. `columns` are those of a block from the left: `n`umbers, `w`hite, `b`lack, `-` others;
    /// `widths` are theirs in any unit. `corners` are those of the rows of moves, without a heading: top left, top right, bottom right, bottom left as
    /// the sheet is read, in pixels of the picture as viewers show it.
    ///
    /// # Errors
    /// A [`FormFileError`] that names the file and the remedy.
    pub fn read(path: &Path) -> Result<Self, FormFileError> {
        let with_path = |problem| FormFileError {
            path: path.to_path_buf(),
            problem,
        };
        let bytes =
            std::fs::read(path).map_err(|error| with_path(FormFileProblem::Unreadable(error)))?;
        let forms = parse(&bytes).map_err(with_path)?;
        Ok(Self {
            path: path.to_path_buf(),
            forms,
        })
    }

    /// The forms for a picture before it is looked at.
    pub(crate) fn instead(&self, image: &ImagePage) -> Vec<&Form> {
        self.chosen(|picture| picture.is_some_and(|name| name == ALL || is_named(image, name)))
    }

    /// The forms for a picture on which none is found.
    pub(crate) fn otherwise(&self) -> Vec<&Form> {
        self.chosen(|picture| picture.is_none())
    }

    /// What is wrong with the forms whose picture is none of those given: their names may be misspelt.
    pub fn without_picture<'a>(
        &self,
        images: impl Iterator<Item = &'a ImagePage> + Clone,
    ) -> Vec<String> {
        let used = |name: &str| name == ALL || images.clone().any(|image| is_named(image, name));
        let names = self
            .forms
            .iter()
            .filter_map(|given| given.picture.as_deref());
        names
            .filter(|name| !used(name))
            .map(|name| {
                format!(
                    "{}: none of the pictures is named {name}, so this form is not used; name one as `scoresheet forms` lists it",
                    self.path.display()
                )
            })
            .collect()
    }

    fn chosen(&self, wanted: impl Fn(Option<&str>) -> bool) -> Vec<&Form> {
        let forms = self.forms.iter();
        forms
            .filter(|given| wanted(given.picture.as_deref()))
            .map(|given| &given.form)
            .collect()
    }

    /// Whether the corners of forms lie on a picture.
    pub(crate) fn check(
        &self,
        forms: &[&Form],
        image: &ImagePage,
        (width, height): (u32, u32),
    ) -> Result<(), FormFileError> {
        let outside = |&[x, y]: &[f32; 2]| {
            !(-1.0..=width as f32).contains(&x) || !(-1.0..=height as f32).contains(&y)
        };
        let mut corners = self
            .forms
            .iter()
            .filter(|given| forms.iter().any(|form| std::ptr::eq(*form, &given.form)))
            .flat_map(|given| &given.corners);
        match corners.find(|corner| outside(corner)) {
            None => Ok(()),
            Some(&[x, y]) => Err(FormFileError {
                path: self.path.clone(),
                problem: FormFileProblem::Outside {
                    picture: image.label(),
                    x,
                    y,
                    width,
                    height,
                },
            }),
        }
    }
}

/// Whether a picture has a name: the end of its path, with its page where there are several.
fn is_named(image: &ImagePage, name: &str) -> bool {
    image.whole_page().label().ends_with(name) || image.file.ends_with(name) && image.page.is_none()
}

fn parse(bytes: &[u8]) -> Result<Vec<GivenForm>, FormFileProblem> {
    let first = bytes.iter().find(|byte| !byte.is_ascii_whitespace());
    let entries: Vec<Entry> = if first == Some(&b'[') {
        serde_json::from_slice(bytes).map_err(FormFileProblem::Syntax)?
    } else {
        vec![serde_json::from_slice(bytes).map_err(FormFileProblem::Syntax)?]
    };
    if entries.is_empty() {
        return Err(FormFileProblem::Empty);
    }
    (1..)
        .zip(entries)
        .map(|(number, entry)| {
            let layout = entry.layout(number)?;
            let form = layout.form().map_err(|source| FormFileProblem::Layout {
                form: number,
                source,
            })?;
            Ok(GivenForm {
                picture: entry.picture,
                form,
                corners: entry.corners,
            })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLAIN: &str =
        r#"{"blocks": 1, "rows": 10, "corners": [[0, 0], [140, 0], [140, 100], [0, 100]]}"#;

    #[test]
    fn forms_are_for_the_pictures_that_they_name() {
        let with = |name: &str| PLAIN.replacen('{', &format!("{{\"picture\": \"{name}\", "), 1);
        let given = |text: &str| GivenForms {
            path: PathBuf::from("forms.json"),
            forms: parse(text.as_bytes()).unwrap(),
        };
        let page = |file: &str, page| ImagePage {
            page,
            ..PathBuf::from(file).into()
        };
        let list = format!("[{}, {}, {}]", PLAIN, with("a.jpg"), with("b.pdf#2"));
        let some = given(&list);
        for (image, instead) in [
            (page("x/a.jpg", None), 1),
            (page("x/b.pdf", Some(2)), 1),
            (page("x/b.pdf", Some(1)), 0),
            (page("ba.jpg", None), 0),
        ] {
            assert_eq!(some.instead(&image).len(), instead, "{image:?}");
        }
        assert_eq!(some.otherwise().len(), 1);
        let images = [page("x/a.jpg", None), page("x/b.pdf", Some(1))];
        let warnings = some.without_picture(images.iter());
        assert!(
            warnings.len() == 1 && warnings[0].contains("named b.pdf#2"),
            "{warnings:?}"
        );
        let all = given(&with(ALL));
        let image = page("a.jpg", None);
        let forms = all.instead(&image);
        assert_eq!((forms.len(), all.otherwise().len()), (1, 0));
        // The number takes 0.4 of the width of a move.
        assert_eq!(forms[0].cells.len(), 20);
        assert!((forms[0].cells[0].quad[0][0] - 140.0 * 0.4 / 2.4).abs() < 0.1);
        assert!(all.check(&forms, &image, (141, 101)).is_ok());
        let error = all.check(&forms, &image, (120, 101)).unwrap_err();
        assert!(
            error
                .to_string()
                .contains("corner 140, 0 lies outside of a.jpg"),
            "{error}"
        );
    }

    #[test]
    fn mistakes_are_told_with_their_place() {
        let cases = [
            ("", "no description of forms"),
            ("[]", "has no form"),
            ("{\"blocks\": 2}", "missing field `rows`"),
            (&PLAIN.replace("[140, 0], ", ""), "invalid length 3"),
            (&PLAIN.replace("rows", "lines"), "unknown field `lines`"),
            (&PLAIN.replace("10,", "0,"), "form 1: 1 blocks of 0 rows"),
            (
                &PLAIN.replace("\"rows\"", "\"columns\": \"nwx\", \"rows\""),
                "column \"x\"",
            ),
            (
                &PLAIN.replace("\"rows\"", "\"columns\": \"nw\", \"rows\""),
                "one w and one b",
            ),
            (
                &PLAIN.replace("\"rows\"", "\"widths\": [1, 2], \"rows\""),
                "3 columns, but 2 widths",
            ),
            (
                &format!("[{PLAIN}, {}]", PLAIN.replace("[140, 100]", "[-5, 50]")),
                "form 2: the corners",
            ),
        ];
        for (text, problem) in cases {
            let error = parse(text.as_bytes()).unwrap_err().to_string();
            assert!(error.contains(problem), "{text}: {error}");
        }
    }
}
