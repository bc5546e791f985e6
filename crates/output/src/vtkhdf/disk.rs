//! The file beside HDF5: how long it is, and what of it the disk has.

use std::fs::File;
use std::path::Path;

/// Bytes by which a file grows ahead, so that it seldom has to.
const AHEAD: u64 = 1 << 16;

/// A file that HDF5 writes.
pub(crate) struct Disk {
    raw: File,
    /// Length that the disk is known to have given it.
    length: u64,
}

impl Disk {
    /// Of a file that is there.
    pub(crate) fn of(path: &Path) -> hdf5::Result<Self> {
        let raw = File::options().write(true).open(path).map_err(told)?;
        Ok(Self { raw, length: 0 })
    }

    /// Makes the file so long that HDF5, which needs so many bytes, may say so where it begins: a file that is shorter than it
    /// says is not opened.
    pub(crate) fn grow(&mut self, bytes: u64) -> hdf5::Result<()> {
        let has = self.raw.metadata().map_err(told)?.len();
        // HDF5 may have cut what was ahead.
        self.length = self.length.min(has);
        if bytes <= self.length {
            return Ok(());
        }
        self.raw.set_len(has.max(bytes + AHEAD)).map_err(told)?;
        self.sync()
    }

    /// Waits until the disk has all that was written.
    pub(crate) fn sync(&mut self) -> hdf5::Result<()> {
        self.length = self.raw.metadata().map_err(told)?.len();
        self.raw.sync_data().map_err(told)
    }
}

fn told(error: std::io::Error) -> hdf5::Error {
    error.to_string().into()
}
