//! Digests of files and texts: SHA-256 in hexadecimal.

use std::fs::File;
use std::io;
use std::path::Path;

use sha2::{Digest as _, Sha256};

/// The digest of some bytes.
pub(crate) fn digest(bytes: &[u8]) -> String {
    hexadecimal(Sha256::new_with_prefix(bytes))
}

/// The digest of a file, read piece by piece.
///
/// # Errors
/// Where it cannot be read.
pub fn file_digest(path: &Path) -> io::Result<String> {
    let mut sum = Sha256::new();
    io::copy(&mut File::open(path)?, &mut sum)?;
    Ok(hexadecimal(sum))
}

/// The value of a digest.
pub(crate) fn hexadecimal(digest: Sha256) -> String {
    let bytes = digest.finalize();
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digests_are_of_sha_256() {
        let expected = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(digest(b"abc"), expected);
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), "abc").unwrap();
        assert_eq!(file_digest(file.path()).unwrap(), expected);
    }
}
