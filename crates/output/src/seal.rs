//! The first 512 bytes of a checkpoint: what it is, how long, and a checksum of all the rest.
//!
//! They are an HDF5 user block, so that HDF5 tools open the file all the same. A damaged file is
//! found out before HDF5 sees it.

use std::fs::{File, OpenOptions};
use std::io::{Read, Write};
use std::path::Path;

use vortice_core::{Error, Result};

use crate::raw::{Piece, checksum};

/// Length of the seal in bytes, the smallest user block of HDF5.
pub(crate) const SEAL_BYTES: u64 = 512;

/// Version of the layout behind the seal.
const FORMAT: u32 = 1;

const OPENING: &str = "Vortice checkpoint, format ";

const DAMAGED_REMEDY: &str = "restart from another checkpoint or from the beginning";

/// The seal of a file of so many bytes with such a checksum behind the seal.
fn seal_text(bytes: u64, checksum: u32) -> Vec<u8> {
    let mut seal = format!(
        "{OPENING}{FORMAT}\nbytes {bytes}\ncrc32 {checksum:08x}\n\
         HDF5 begins behind a user block of {SEAL_BYTES} bytes.\n"
    )
    .into_bytes();
    seal.resize(SEAL_BYTES as usize, b' ');
    seal
}

/// Seals a finished file, of which these pieces have been summed, and makes sure that it is on the disk.
pub(crate) fn seal(path: &Path, pieces: Vec<Piece>) -> std::io::Result<()> {
    let mut file = OpenOptions::new().read(true).write(true).open(path)?;
    let (bytes, checksum) = checksum(&file, SEAL_BYTES, pieces)?;
    file.write_all(&seal_text(SEAL_BYTES + bytes, checksum))?;
    file.sync_all()
}

/// That a file is a checkpoint of this format, whole and undamaged.
///
/// # Errors
/// If it cannot be read, is something else, is of a newer format, was cut, or has changed.
pub(crate) fn check_seal(path: &Path) -> Result<()> {
    let unreadable = |error: std::io::Error| {
        let remedy = "give the path of a checkpoint that you may read";
        Error::file(path, format!("cannot be read: {error}"), remedy)
    };
    let mut file = File::open(path).map_err(unreadable)?;
    let mut seal = Vec::new();
    (&mut file).take(SEAL_BYTES).read_to_end(&mut seal).map_err(unreadable)?;
    check_opening(path, &seal)?;
    let (bytes, checksum) = checksum(&file, seal.len() as u64, Vec::new()).map_err(unreadable)?;
    let bytes = bytes + seal.len() as u64;
    if seal_text(bytes, checksum) == seal {
        return Ok(());
    }
    let problem = match promised_bytes(&seal) {
        Some(promised) if promised != bytes => {
            format!("is damaged: {bytes} bytes instead of {promised}")
        }
        _ => format!(
            "is damaged: its checksum {checksum:08x} is not the one that it was sealed with"
        ),
    };
    Err(Error::file(path, problem, DAMAGED_REMEDY))
}

fn check_opening(path: &Path, seal: &[u8]) -> Result<()> {
    let opening = OPENING.as_bytes();
    let common = seal.iter().zip(opening).take_while(|(a, b)| a == b).count();
    if common < opening.len() {
        if common == seal.len() {
            let problem = format!("is damaged: it ends after {common} bytes");
            return Err(Error::file(path, problem, DAMAGED_REMEDY));
        }
        let remedy = "give the path of a file that a run of Vortice wrote as its checkpoint";
        return Err(Error::file(path, "is not a Vortice checkpoint", remedy));
    }
    let digits = seal[common..].iter().take_while(|byte| byte.is_ascii_digit());
    let format: String = digits.map(|&digit| char::from(digit)).collect();
    match format.parse::<u32>() {
        Ok(format) if format > FORMAT => {
            let problem = format!("has checkpoint format {format}, newer than format {FORMAT}");
            Err(Error::file(
                path,
                problem,
                "restart with the program that wrote it, or a newer one",
            ))
        }
        _ => Ok(()),
    }
}

/// The length that a seal speaks of.
fn promised_bytes(seal: &[u8]) -> Option<u64> {
    let text = String::from_utf8_lossy(seal);
    text.lines().find_map(|line| line.strip_prefix("bytes ")).and_then(|n| n.parse().ok())
}
