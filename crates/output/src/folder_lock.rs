//! One writer for each folder of results.

use std::fs::File;
use std::io::{Read, Seek, Write};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use rustix::fs::{FlockOperation, Mode, OFlags, flock};
use rustix::io::Errno;
use vortice_core::{Error, Result, cannot_write};

/// Name of the file that is locked.
const NAME: &str = ".vortice-lock";

/// A folder that this process alone writes results to, until this is dropped or the process ends, however it ends.
#[derive(Debug)]
pub struct FolderLock {
    path: PathBuf,
    /// Locked as long as it is open.
    _file: File,
}

impl FolderLock {
    /// Takes a folder. Where the file system knows no locks nothing is locked.
    ///
    /// # Errors
    /// If another process has it, which the error names, or nothing can be written there.
    pub fn take(folder: &Path) -> Result<Self> {
        let path = folder.join(NAME);
        let cannot = |error: std::io::Error| cannot_write(&path, &error);
        loop {
            let mut file = open(&path).map_err(cannot)?;
            // Any other error is that of a file system without locks.
            if flock(&file, FlockOperation::NonBlockingLockExclusive) == Err(Errno::WOULDBLOCK) {
                return Err(taken(folder, &mut file));
            }
            // The process before may have taken the file away since it was opened.
            let is_same = |there: std::fs::Metadata| {
                file.metadata()
                    .is_ok_and(|here| (here.dev(), here.ino()) == (there.dev(), there.ino()))
            };
            if std::fs::symlink_metadata(&path).is_ok_and(is_same) {
                write_name(&mut file).map_err(cannot)?;
                return Ok(Self { path, _file: file });
            }
        }
    }
}

impl Drop for FolderLock {
    fn drop(&mut self) {
        // Still locked; one that stays is no harm.
        let _ = std::fs::remove_file(&self.path);
    }
}

/// The file, made if need be; a link is not followed.
fn open(path: &Path) -> std::io::Result<File> {
    let flags = OFlags::RDWR | OFlags::CREATE | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    Ok(File::from(rustix::fs::open(path, flags, Mode::from_raw_mode(0o644))?))
}

/// Writes which process this is.
fn write_name(file: &mut File) -> std::io::Result<()> {
    let host = std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    let on = if host.trim().is_empty() { String::new() } else { format!(" on {}", host.trim()) };
    file.set_len(0)?;
    file.rewind()?;
    write!(file, "process {}{on}", std::process::id())
}

fn taken(folder: &Path, file: &mut File) -> Error {
    let mut name = String::new();
    let is_named = file.read_to_string(&mut name).is_ok() && name.starts_with("process ");
    let name = if is_named { &name } else { "another process" };
    let remedy = "wait until it has ended, or give another folder with `--out`";
    Error::file(folder, format!("{name} is writing results here"), remedy)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_has_one_writer_and_then_the_next() {
        let folder = tempfile::tempdir().expect("a folder");
        let first = FolderLock::take(folder.path()).expect("nobody else");
        let said = FolderLock::take(folder.path()).expect_err("taken").to_string();
        assert!(said.contains(&format!("process {}", std::process::id())), "{said}");
        drop(first);
        let next = FolderLock::take(folder.path());
        assert!(next.is_ok(), "{next:?}");
        drop(next);
        assert_eq!(folder.path().read_dir().expect("a folder").count(), 0, "nothing is left");
    }

    #[test]
    fn a_link_in_place_of_the_lock_is_not_followed() {
        let folder = tempfile::tempdir().expect("a folder");
        let target = folder.path().join("precious");
        std::fs::write(&target, "precious").expect("a file");
        let results = folder.path().join("results");
        std::fs::create_dir(&results).expect("a folder");
        std::os::unix::fs::symlink(&target, results.join(NAME)).expect("a link");
        assert!(FolderLock::take(&results).is_err());
        assert_eq!(std::fs::read_to_string(&target).expect("it is there"), "precious");
    }

    #[test]
    fn many_that_come_at_the_same_time_are_never_two() {
        let folder = tempfile::tempdir().expect("a folder");
        let inside = std::sync::atomic::AtomicUsize::new(0);
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for _ in 0..200 {
                        let Ok(lock) = FolderLock::take(folder.path()) else { continue };
                        let before = inside.fetch_add(1, std::sync::atomic::Ordering::SeqCst);
                        assert_eq!(before, 0, "two writers");
                        inside.fetch_sub(1, std::sync::atomic::Ordering::SeqCst);
                        drop(lock);
                    }
                });
            }
        });
    }
}
