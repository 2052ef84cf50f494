//! Tables that people make with spreadsheets.

use std::path::Path;

use csv::{Reader, ReaderBuilder, Trim, Writer};

use crate::output::{OutputError, write_whole};

/// What may stand between fields; which of them depends on the country that a spreadsheet is set to.
const SEPARATORS: [u8; 3] = [b',', b';', b'\t'];

/// Signs by which a spreadsheet takes a field for a formula.
const FORMULA: [char; 6] = ['=', '+', '-', '@', '\t', '\r'];

/// A reader of CSV in UTF-8 whose separator is the one that its first line has most of.
pub(crate) fn table_reader(bytes: &[u8]) -> Reader<&[u8]> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    ReaderBuilder::new()
        .delimiter(separator(bytes))
        .trim(Trim::All)
        .from_reader(bytes)
}

fn separator(bytes: &[u8]) -> u8 {
    let mut counts = [0; SEPARATORS.len()];
    let mut quoted = false;
    for &byte in bytes.iter().take_while(|&&byte| byte != b'\n') {
        quoted ^= byte == b'"';
        if let Some(place) = SEPARATORS.iter().position(|&one| one == byte && !quoted) {
            counts[place] += 1;
        }
    }
    let mut best = 0;
    for place in 1..SEPARATORS.len() {
        if counts[place] > counts[best] {
            best = place;
        }
    }
    SEPARATORS[best]
}

/// The line and the message of an error.
pub(crate) fn syntax(error: &csv::Error) -> (u64, String) {
    let message = match error.kind() {
        csv::ErrorKind::UnequalLengths {
            expected_len, len, ..
        } => format!("{len} fields where the header has {expected_len}"),
        csv::ErrorKind::Utf8 { .. } => {
            "letters that are not UTF-8 (in a spreadsheet choose “CSV UTF-8”)".to_owned()
        }
        _ => error.to_string(),
    };
    (error.position().map_or(1, csv::Position::line), message)
}

/// Writes a whole file of what comes before a table, and of the table that `records` writes.
///
/// # Errors
/// Where the file cannot be written.
pub(crate) fn write_table(
    path: &Path,
    before: &str,
    records: impl FnOnce(&mut Writer<Vec<u8>>) -> csv::Result<()>,
) -> Result<(), OutputError> {
    let mut writer = Writer::from_writer(before.as_bytes().to_vec());
    let bytes = records(&mut writer)
        .map_err(std::io::Error::from)
        .and_then(|()| writer.into_inner().map_err(|error| error.into_error()))
        .map_err(OutputError::unwritable(path))?;
    write_whole(path, &bytes)
}

/// A field that no spreadsheet takes for a formula.
pub(crate) fn harmless(field: &str) -> String {
    if field.starts_with(FORMULA) {
        format!("'{field}")
    } else {
        field.to_owned()
    }
}

/// What [`harmless`] was given.
pub(crate) fn original(field: &str) -> &str {
    match field.strip_prefix('\'') {
        Some(rest) if rest.starts_with(FORMULA) => rest,
        _ => field,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_separator_is_seen_in_the_first_line() {
        for (text, expected) in [
            ("game,fix\na,1w=e4\n", ["a", "1w=e4"]),
            ("\u{feff}game;fix\na,b;1w=e4\n", ["a,b", "1w=e4"]),
            ("game\tfix\r\na;b\t 1w=e4 \r\n", ["a;b", "1w=e4"]),
            ("\"a;b;c\",fix\n\"x, y\",1w=e4", ["x, y", "1w=e4"]),
        ] {
            let mut reader = table_reader(text.as_bytes());
            assert_eq!(reader.headers().unwrap().len(), 2, "{text}");
            let record = reader.records().next().unwrap().unwrap();
            assert_eq!(record.iter().collect::<Vec<_>>(), expected);
        }
    }

    #[test]
    fn formulas_are_made_harmless_and_come_back() {
        for (field, written) in [("=1+1", "'=1+1"), ("-", "'-"), ("Nf3", "Nf3"), ("'a", "'a")] {
            assert_eq!(harmless(field), written);
            assert_eq!(original(written), field);
        }
    }
}
