//! Writing beside a file and renaming: a reader sees the old file or the new one, never half.

use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use crate::error::{Error, Result};

/// What to do when a file cannot be written.
const WRITE_REMEDY: &str =
    "choose a folder that you may write to on a disk with free space, for example with --out";

/// The path that a file is written to before it gets its name.
pub fn beside(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".tmp");
    PathBuf::from(name)
}

/// That a file of this name can be made or replaced, as far as can be told without trying.
///
/// # Errors
/// If it is a folder, or lies in none.
pub fn check_place(path: &Path) -> Result<()> {
    if path.is_dir() {
        let remedy = "remove the folder or choose another name for the file";
        return Err(Error::file(path, "is a folder, not a file", remedy));
    }
    let folder = match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    if !folder.is_dir() {
        let problem = format!("the folder {} does not exist", folder.display());
        return Err(Error::file(path, problem, "make the folder first, or choose another"));
    }
    Ok(())
}

/// Writes a whole file beside its place, syncs it and renames it.
///
/// # Errors
/// If the folder or disk refuses; an older file of this name is then still there.
pub fn write_beside(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> std::io::Result<()>,
) -> Result<()> {
    check_place(path)?;
    let new = beside(path);
    let written = File::create(&new).and_then(|file| {
        let mut file = BufWriter::new(file);
        write(&mut file)?;
        file.flush()?;
        file.get_ref().sync_all()
    });
    let renamed = written.and_then(|()| fs::rename(&new, path));
    renamed.map_err(|error| {
        // What could not be finished is of no use; that it cannot be removed either adds nothing.
        let _ = fs::remove_file(&new);
        cannot_write(path, &error)
    })
}

/// That a file cannot be written.
pub fn cannot_write(path: &Path, error: &dyn std::fmt::Display) -> Error {
    let text = error.to_string();
    Error::file(path, format!("cannot be written: {}", cause(&text)), WRITE_REMEDY)
}

/// What a person wants to know of an error. HDF5 quotes the system's message amid file
/// descriptors and addresses.
fn cause(text: &str) -> &str {
    let quoted = text.split_once("error message = '").and_then(|(_, rest)| rest.split_once('\''));
    quoted.map_or(text, |(message, _)| message).lines().next().unwrap_or("no reason given")
}

#[cfg(test)]
mod tests {
    use super::cause;

    #[test]
    fn the_cause_of_an_hdf5_error_is_the_message_of_the_system() {
        let full = "H5Fflush(): unable to flush file's cached information: file write failed: \
                    time = Sat Nov 21\n, filename = 'a.tmp', file descriptor = 3, errno = 28, \
                    error message = 'No space left on device', buf = 0x7f1da806ea40";
        assert_eq!(cause(full), "No space left on device");
        assert_eq!(cause("Permission denied (os error 13)"), "Permission denied (os error 13)");
    }
}
