//! Bytes of large arrays between memory and files, by all threads at once, where HDF5 has made room for
//! them; HDF5 itself does one thing at a time.

use std::fs::File;
use std::io::{Error, Result};
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::thread::JoinHandle;

use crc32fast::Hasher;
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

/// Bytes in a file, and their CRC-32.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
pub(crate) struct Piece {
    /// Where they begin.
    pub(crate) place: u64,
    /// How many.
    pub(crate) bytes: u64,
    /// Their checksum.
    pub(crate) crc: u64,
}

impl Piece {
    fn hasher(&self) -> Hasher {
        Hasher::new_with_initial_len(self.crc as u32, self.bytes)
    }
}

fn hashed(bytes: &[u8]) -> Hasher {
    let mut hasher = Hasher::new();
    hasher.update(bytes);
    hasher
}

/// Writes bytes from a place in a file on, and sums them; the disk begins to take them meanwhile.
pub(crate) fn write(
    file: &File,
    place: u64,
    bytes: &[u8],
    background: &mut Background,
) -> Result<Piece> {
    let write = |(n, piece): (usize, &[u8])| {
        file.write_all_at(piece, place + (n * PIECE) as u64).map(|()| hashed(piece))
    };
    let mut all = Hasher::new();
    for (number, group) in bytes.chunks(GROUP).enumerate() {
        let first = number * (GROUP / PIECE);
        let hashers: Result<Vec<_>> = match group.len() {
            0..=PIECE => Ok(vec![write((first, group))?]),
            _ => {
                let pieces = group.par_chunks(PIECE).enumerate();
                pieces.map(|(n, piece)| write((first + n, piece))).collect()
            }
        };
        hashers?.iter().for_each(|hasher| all.combine(hasher));
        background.take(file, group.len())?;
    }
    Ok(Piece { place, bytes: bytes.len() as u64, crc: u64::from(all.finalize()) })
}

/// Fills `bytes` from a place in a file on.
pub(crate) fn read(file: &File, place: u64, bytes: &mut [u8]) -> Result<()> {
    if bytes.len() <= PIECE {
        return file.read_exact_at(bytes, place);
    }
    let pieces = bytes.par_chunks_mut(PIECE).enumerate();
    pieces.try_for_each(|(n, piece)| file.read_exact_at(piece, place + (n * PIECE) as u64))
}

/// Number of bytes from a place to the end of a file, and their CRC-32; what is known of pieces is not read.
pub(crate) fn checksum(file: &File, place: u64, mut pieces: Vec<Piece>) -> Result<(u64, u32)> {
    let end = file.metadata()?.len().max(place);
    let (mut all, mut at) = (Hasher::new(), place);
    pieces.sort_unstable();
    for piece in pieces {
        all.combine(&read_and_sum(file, at, piece.place)?);
        all.combine(&piece.hasher());
        at = piece.place + piece.bytes;
    }
    all.combine(&read_and_sum(file, at, end)?);
    Ok((end - place, all.finalize()))
}

/// The checksum of what lies between two places.
fn read_and_sum(file: &File, begin: u64, end: u64) -> Result<Hasher> {
    let bytes = end.checked_sub(begin);
    let bytes = bytes.ok_or_else(|| Error::other("parts of a file lie over each other"))?;
    let of_piece = |n: u64| {
        let first = n * PIECE as u64;
        let mut found = vec![0; (bytes - first).min(PIECE as u64) as usize];
        file.read_exact_at(&mut found, begin + first)?;
        Ok(hashed(&found))
    };
    let pieces = bytes.div_ceil(PIECE as u64);
    let hashers: Result<Vec<_>> = match pieces {
        0 | 1 => (0..pieces).map(of_piece).collect(),
        _ => (0..pieces).into_par_iter().map(of_piece).collect(),
    };
    let mut all = Hasher::new();
    hashers?.iter().for_each(|hasher| all.combine(hasher));
    Ok(all)
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
            let piece = write(&file, 100, &bytes, &mut background).expect("written");
            background.wait().expect("on the disk");
            let mut found = vec![0; length];
            read(&file, 100, &mut found).expect("read");
            assert!(found == bytes);
            let crc = crc32fast::hash(&bytes);
            assert_eq!(piece, Piece { place: 100, bytes: length as u64, crc: u64::from(crc) });
            assert_eq!(checksum(&file, 100, Vec::new()).expect("read"), (length as u64, crc));
            file.write_all_at(b"before and behind", 100 + length as u64).expect("written");
            let all = checksum(&file, 90, Vec::new()).expect("read");
            assert_eq!(checksum(&file, 90, vec![piece]).expect("read"), all);
        }
        assert!(read(&file, 100, &mut vec![0; 2 * GROUP]).is_err(), "there are not so many");
    }
}
