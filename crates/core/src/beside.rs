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

/// A new file beside the place of another. What is there of this name is taken away, and no link is followed.
///
/// # Errors
/// If the folder refuses.
pub fn create_beside(path: &Path) -> std::io::Result<File> {
    let new = beside(path);
    clear(&new)?;
    File::options().write(true).create_new(true).open(new)
}

/// Takes away a file, or a link itself, if it is there.
///
/// # Errors
/// If it cannot be taken away.
pub fn clear(path: &Path) -> std::io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// That there is a file of bytes to be read, which has an end: no pipe and no device.
///
/// # Errors
/// If it is something else. That it is not there is for the one who opens it.
pub fn check_regular(path: &Path) -> Result<()> {
    match fs::metadata(path) {
        Ok(about) if !about.is_file() && !about.is_dir() => {
            Err(Error::file(path, "is a pipe or a device, not a file", "save it as a file first"))
        }
        _ => Ok(()),
    }
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
    let written = create_beside(path).and_then(|file| {
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
    use super::{beside, cause, check_regular, write_beside};

    #[test]
    fn a_link_in_place_of_the_new_file_is_not_followed() {
        let folder = tempfile::tempdir().expect("a folder");
        let [target, path] = ["precious", "results"].map(|name| folder.path().join(name));
        std::fs::write(&target, "precious").expect("a file");
        std::os::unix::fs::symlink(&target, beside(&path)).expect("a link");
        write_beside(&path, |file| file.write_all(b"new")).expect("written");
        assert_eq!(std::fs::read(&target).expect("it is there"), b"precious");
        assert!(!path.is_symlink() && std::fs::read(&path).expect("it is there") == b"new");
    }

    #[test]
    fn devices_are_no_files() {
        assert!(check_regular(std::path::Path::new("/dev/zero")).is_err());
        assert!(check_regular(std::path::Path::new("/proc/self/exe")).is_ok());
    }

    #[test]
    fn the_cause_of_an_hdf5_error_is_the_message_of_the_system() {
        let full = "H5Fflush(): unable to flush file's cached information: file write failed: \
                    time = Sat Nov 21\n, filename = 'a.tmp', file descriptor = 3, errno = 28, \
                    error message = 'No space left on device', buf = 0x7f1da806ea40";
        assert_eq!(cause(full), "No space left on device");
        assert_eq!(cause("Permission denied (os error 13)"), "Permission denied (os error 13)");
    }
}
