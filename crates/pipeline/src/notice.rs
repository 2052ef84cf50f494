//! Failures as data, for programs that watch a run.

use std::fmt::{self, Display};
use std::path::{Path, PathBuf};

use crate::error::SheetError;
use crate::fixes::FixError;
use crate::input::InputError;

/// What parts the remedy from what happened, in every message of this project.
const REMEDY_MARK: &str = "; ";

/// A failure: what kind, of which file, what happened and what to do.
///
/// It is shown as the message of its error, which reads `file: what happened; remedy`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Notice {
    /// A word that does not change from version to version: `input`, `image`, `form`, `ink`, `lattices`, `model`, `correction`, `time`, `manifest`,
    /// `pairings`, `output`, `text`, `internal`, or `usage`.
    pub kind: &'static str,
    /// The file that it is about.
    pub file: Option<PathBuf>,
    /// The whole message.
    text: String,
}

impl Notice {
    /// A failure with its message.
    pub fn new(kind: &'static str, file: Option<&Path>, message: impl Display) -> Self {
        Self {
            kind,
            file: file.map(Path::to_path_buf),
            text: message.to_string(),
        }
    }

    /// What happened, without the file and the remedy.
    pub fn problem(&self) -> &str {
        self.parts().0
    }

    /// What to do about it.
    pub fn remedy(&self) -> Option<&str> {
        self.parts().1
    }

    fn parts(&self) -> (&str, Option<&str>) {
        let file = self.file.as_ref().map(|file| file.display().to_string());
        let text = file
            .and_then(|file| self.text.strip_prefix(&file)?.strip_prefix(": "))
            .unwrap_or(&self.text);
        match text.split_once(REMEDY_MARK) {
            Some((problem, remedy)) => (problem, Some(remedy)),
            None => (text, None),
        }
    }
}

impl Display for Notice {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.text)
    }
}

impl From<&SheetError> for Notice {
    fn from(error: &SheetError) -> Self {
        let (kind, file): (_, &Path) = match error {
            SheetError::Load(source) => ("image", source.file()),
            SheetError::Lattices(source) => ("lattices", source.file()),
            SheetError::Form { path, .. } => ("form", path),
            SheetError::GivenForm(source) => ("form", &source.path),
            SheetError::NoSuchSheet { path, .. } => ("input", path),
            SheetError::NoInk(path) => ("ink", path),
            SheetError::Reader { path, .. } => ("model", path),
            SheetError::Fixed { path, .. }
            | SheetError::FixedOfSeveral { path, .. }
            | SheetError::FixedOfNone { path, .. } => ("correction", path),
            SheetError::TimeLimit { path, .. } => ("time", path),
            SheetError::Internal { path, .. } => ("internal", path),
        };
        Self::new(kind, Some(file), error)
    }
}

impl From<&InputError> for Notice {
    fn from(error: &InputError) -> Self {
        let file: &Path = match error {
            InputError::Missing(path) | InputError::NoImages(path) => path,
            InputError::Load(source) => source.file(),
            InputError::Unlistable { path, .. } => path,
        };
        Self::new("input", Some(file), error)
    }
}

impl From<&FixError> for Notice {
    fn from(error: &FixError) -> Self {
        Self::new("correction", Some(&error.path), error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_come_apart() {
        let missing = InputError::Missing(PathBuf::from("a: b; c.jpg"));
        let output = "out: cannot be written (full); make room";
        for (notice, kind, problem, remedy) in [
            (
                Notice::from(&missing),
                "input",
                "no such file or folder",
                Some("check the spelling of the path"),
            ),
            (
                Notice::from(&SheetError::NoInk(PathBuf::from("x.png"))),
                "ink",
                "the table of moves has no handwriting",
                Some("check that the written side was scanned and that the ink is visible"),
            ),
            (
                Notice::new("output", Some(Path::new("out")), output),
                "output",
                "cannot be written (full)",
                Some("make room"),
            ),
            (Notice::new("usage", None, "x: y"), "usage", "x: y", None),
        ] {
            assert_eq!(
                (notice.kind, notice.problem(), notice.remedy()),
                (kind, problem, remedy)
            );
        }
    }
}
