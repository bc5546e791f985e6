//! The files of one run, and what tells it from others.

use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use vortice_core::{Error, Result};

/// The folder of the runs, in that of the study.
pub(super) const RUNS: &str = "runs";

/// The files of one run.
pub(super) struct Files {
    pub(super) record: PathBuf,
    pub(super) fields: PathBuf,
    pub(super) history: PathBuf,
    pub(super) forces: PathBuf,
    pub(super) checkpoint: PathBuf,
}

impl Files {
    /// In a folder, which is made if need be.
    ///
    /// # Errors
    /// If it cannot be made.
    pub(super) fn in_folder(folder: &Path) -> Result<Self> {
        make_folder(folder)?;
        Ok(Self {
            record: folder.join("run.json"),
            fields: folder.join("fields.vtkhdf"),
            history: folder.join("history.csv"),
            forces: folder.join("forces.csv"),
            checkpoint: folder.join("checkpoint.h5"),
        })
    }
}

/// Makes a folder if need be.
///
/// # Errors
/// If it cannot be made.
pub(super) fn make_folder(folder: &Path) -> Result<()> {
    std::fs::create_dir_all(folder).map_err(|error| {
        let problem = format!("the runs cannot be kept here: {error}");
        Error::file(folder, problem, "give another folder with `--out`")
    })
}

/// A name that no other run has: a checksum of what is run, then when and by which process.
pub(super) fn identity(key: &str) -> String {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    format!("{:016x}-{:x}-{:x}", checksum(key), since.as_nanos(), std::process::id())
}

/// FNV-1a, 64 bits.
pub(super) fn checksum(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |sum, byte| {
        (sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_of_one_case_have_names_of_their_own() {
        let (a, b, other) = (identity("case"), identity("case"), identity("another"));
        assert_eq!(a[..16], b[..16]);
        assert!(a != b && a[..16] != other[..16]);
        // The published value for "a".
        assert_eq!(checksum("a"), 0xaf63_dc4c_8601_ec8c);
    }
}
