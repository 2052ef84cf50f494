//! The table of a report as a person may have changed it since it was written.

use std::path::{Path, PathBuf};

use crate::digest::file_digest;
use crate::output::{OutputError, write_whole};

/// `report.csv` of an output folder, with what it was like when it was written.
#[derive(Debug)]
pub struct ReportTable {
    path: PathBuf,
    /// Where its digest lies as it was written. Without one, as a run that is killed may leave it, the table is not taken for changed.
    digest: PathBuf,
}

impl ReportTable {
    pub(crate) fn new(path: PathBuf, digest: PathBuf) -> Self {
        Self { path, digest }
    }

    /// Where it lies.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Writes it anew.
    pub(crate) fn replace(
        &self,
        write: impl FnOnce(&Path) -> Result<(), OutputError>,
    ) -> Result<(), OutputError> {
        drop(std::fs::remove_file(&self.digest));
        write(&self.path)?;
        let written = file_digest(&self.path).map_err(OutputError::unreadable(&self.path))?;
        write_whole(&self.digest, written.as_bytes())
    }

    /// Gives it another name, which is returned, if a person has changed it.
    ///
    /// # Errors
    /// Where it cannot be renamed.
    pub fn set_aside_if_changed(&self) -> Result<Option<PathBuf>, OutputError> {
        let (Ok(now), Ok(written)) = (
            file_digest(&self.path),
            std::fs::read_to_string(&self.digest),
        ) else {
            return Ok(None);
        };
        if now == written {
            return Ok(None);
        }
        let mut aside = self.path.with_file_name("report-edited.csv");
        for number in 2.. {
            if !aside.exists() {
                break;
            }
            aside.set_file_name(format!("report-edited-{number}.csv"));
        }
        match std::fs::rename(&self.path, &aside) {
            Ok(()) => Ok(Some(aside)),
            Err(error) => Err(OutputError::unwritable(&self.path)(error)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_a_person_changed_is_set_aside() {
        let folder = tempfile::tempdir().unwrap();
        let place = |name: &str| folder.path().join(name);
        let table = ReportTable::new(place("report.csv"), place("digest"));
        let write = |text: &'static str| {
            table
                .replace(|path| write_whole(path, text.as_bytes()))
                .unwrap();
        };
        assert_eq!(table.set_aside_if_changed().unwrap(), None);
        write("a");
        assert_eq!(table.set_aside_if_changed().unwrap(), None);
        for name in ["report-edited.csv", "report-edited-2.csv"] {
            std::fs::write(table.path(), name).unwrap();
            assert_eq!(table.set_aside_if_changed().unwrap(), Some(place(name)));
            assert_eq!(std::fs::read_to_string(place(name)).unwrap(), name);
            write("b");
        }
        // A run was killed before it noted what it wrote.
        std::fs::remove_file(place("digest")).unwrap();
        std::fs::write(table.path(), "c").unwrap();
        assert_eq!(table.set_aside_if_changed().unwrap(), None);
    }
}
