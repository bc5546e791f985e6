//! Bytes of large arrays between memory and files, by all threads at once, where HDF5 has made room for
//! them; HDF5 itself does one thing at a time.

use std::fs::File;
use std::io::{Error, Result};
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::thread::JoinHandle;

use rayon::prelude::*;

/// Bytes that a thread takes at a time.
const PIECE: usize = 8 << 20;

/// Bytes that are written before the disk is asked to take them.
const GROUP: usize = 32 * PIECE;

/// What the disk takes while other work goes on.
#[derive(Debug, Default)]
pub(crate) struct Background {
    thread: Option<JoinHandle<Result<()>>>,
    /// Bytes that it was not asked to take yet.
    waiting: usize,
}

impl Background {
    /// Asks the disk to take what has been written to a file, so many bytes more than before, unless they are few
    /// or it is still busy with what came earlier; tells if that failed.
    pub(crate) fn take(&mut self, file: &File, bytes: usize) -> Result<()> {
        self.waiting += bytes;
        let is_busy = self.thread.as_ref().is_some_and(|thread| !thread.is_finished());
        if is_busy || self.waiting < GROUP {
            return Ok(());
        }
        self.wait()?;
        let file = file.try_clone()?;
        // Where no thread is to be had nothing is done ahead.
        self.thread = std::thread::Builder::new().spawn(move || file.sync_data()).ok();
        self.waiting = 0;
        Ok(())
    }

    /// Asks it to take all of a finished file, unless that is little.
    pub(crate) fn take_all(&mut self, path: &Path) -> Result<()> {
        if self.thread.is_none() && self.waiting < GROUP {
            return Ok(());
        }
        let (path, mut earlier) = (path.to_owned(), std::mem::take(self));
        let sync = move || {
            earlier.wait()?;
            File::open(path)?.sync_all()
        };
        self.thread = Some(std::thread::Builder::new().spawn(sync)?);
        Ok(())
    }

    /// Waits until the disk has what it was asked to take.
    pub(crate) fn wait(&mut self) -> Result<()> {
        let fell = |_| Err(Error::other("what writes to the disk has stopped"));
        self.thread.take().map_or(Ok(()), |thread| thread.join().unwrap_or_else(fell))
    }
}

/// Writes bytes from a place in a file on; the disk begins to take them meanwhile.
pub(crate) fn write(
    file: &File,
    place: u64,
    bytes: &[u8],
    background: &mut Background,
) -> Result<()> {
    if bytes.len() <= PIECE {
        return file.write_all_at(bytes, place);
    }
    for (number, group) in bytes.chunks(GROUP).enumerate() {
        let place = place + (number * GROUP) as u64;
        let pieces = group.par_chunks(PIECE).enumerate();
        pieces.try_for_each(|(n, piece)| file.write_all_at(piece, place + (n * PIECE) as u64))?;
        background.take(file, group.len())?;
    }
    Ok(())
}

/// Fills `bytes` from a place in a file on.
pub(crate) fn read(file: &File, place: u64, bytes: &mut [u8]) -> Result<()> {
    if bytes.len() <= PIECE {
        return file.read_exact_at(bytes, place);
    }
    let pieces = bytes.par_chunks_mut(PIECE).enumerate();
    pieces.try_for_each(|(n, piece)| file.read_exact_at(piece, place + (n * PIECE) as u64))
}

/// Whether a file holds these bytes from a place on.
pub(crate) fn holds(file: &File, place: u64, bytes: &[u8]) -> Result<bool> {
    let same = |n: usize, piece: &[u8]| {
        let mut found = vec![0; piece.len()];
        file.read_exact_at(&mut found, place + (n * PIECE) as u64)?;
        Ok(found == piece)
    };
    if bytes.len() <= PIECE {
        return same(0, bytes);
    }
    let pieces = bytes.par_chunks(PIECE).enumerate();
    pieces.map(|(n, piece)| same(n, piece)).try_reduce(|| true, |a, b| Ok(a && b))
}

/// Number of bytes from a place to the end of a file, and their CRC-32.
pub(crate) fn checksum(file: &File, place: u64) -> Result<(u64, u32)> {
    let bytes = file.metadata()?.len().saturating_sub(place);
    let of_piece = |n: u64| {
        let first = n * PIECE as u64;
        let mut found = vec![0; (bytes - first).min(PIECE as u64) as usize];
        file.read_exact_at(&mut found, place + first)?;
        let mut hasher = crc32fast::Hasher::new();
        hasher.update(&found);
        Ok(hasher)
    };
    let pieces = bytes.div_ceil(PIECE as u64);
    let hashers: Result<Vec<_>> = match pieces {
        0 | 1 => (0..pieces).map(of_piece).collect(),
        _ => (0..pieces).into_par_iter().map(of_piece).collect(),
    };
    let mut all = crc32fast::Hasher::new();
    hashers?.iter().for_each(|hasher| all.combine(hasher));
    Ok((bytes, all.finalize()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_come_back_and_their_checksum_is_that_of_the_whole() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("bytes");
        let mut options = File::options();
        options.create(true).truncate(true).read(true).write(true);
        let file = options.open(&path).expect("a file");
        for length in [0, 1, PIECE, 2 * PIECE + 12_345, GROUP + PIECE + 1] {
            let bytes: Vec<u8> = (0..length).map(|i| (i * i / 7) as u8).collect();
            file.set_len(100).expect("cut");
            let mut background = Background::default();
            write(&file, 100, &bytes, &mut background).expect("written");
            background.wait().expect("on the disk");
            let mut found = vec![0; length];
            read(&file, 100, &mut found).expect("read");
            assert!(found == bytes && holds(&file, 100, &bytes).expect("read"));
            assert_eq!(
                checksum(&file, 100).expect("read"),
                (length as u64, crc32fast::hash(&bytes))
            );
            if length > 0 {
                file.write_all_at(&[!bytes[length - 1]], 99 + length as u64).expect("written");
                assert!(!holds(&file, 100, &bytes).expect("read"));
            }
        }
        assert!(read(&file, 100, &mut vec![0; 2 * GROUP]).is_err(), "there are not so many");
    }
}
