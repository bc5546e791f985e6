//! Files that all ranks write or read: the first makes or chooses it, the others find it if they see the same disk.

use std::fs::{File, OpenOptions};
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use vortice_core::{Communicator, Result};

/// The file of a path, to be read and perhaps written by every rank on its own, and whether all ranks see the one that
/// the first sees. Collective.
///
/// # Errors
/// If a rank has stopped.
pub(crate) fn open_on_all(
    path: &Path,
    write: bool,
    ranks: &dyn Communicator,
) -> Result<(Option<File>, bool)> {
    let file = OpenOptions::new().read(true).write(write).open(path).ok();
    let is = file.as_ref().and_then(|file| file.metadata().ok());
    let is = is.map_or([0; 2], |about| [about.ino(), about.len()]);
    let found = ranks.all_gather(bytemuck::bytes_of(&is))?;
    let is_seen = is != [0; 2] && found.iter().all(|other| other == &found[0]);
    let is_seen = ranks.all_gather(&[u8::from(is_seen)])?.iter().all(|seen| seen == &[1]);
    Ok((file, is_seen))
}
