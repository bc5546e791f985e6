//! No damage to a checkpoint goes unnoticed, and no file makes the reader panic.

use std::path::PathBuf;
use std::sync::OnceLock;

use tempfile::TempDir;
use vortice_core::{Case, Field, Location, Shape, State, Step, Values};
use vortice_output::Stored;

/// A folder, and the bytes of a good checkpoint.
struct Good {
    folder: TempDir,
    bytes: Vec<u8>,
}

fn good() -> &'static Good {
    static GOOD: OnceLock<Good> = OnceLock::new();
    GOOD.get_or_init(|| {
        let folder = tempfile::tempdir().expect("a folder for temporary files");
        let path = folder.path().join("good.h5");
        let case =
            Case::parse(include_str!("../../../cases/couette.toml"), "couette").expect("good");
        let shape = Shape { cells: case.grid.cells(), halo: [1, 1, 0] };
        let pressure = Values::F64(Field::zeros(Location::Centre, shape, 1));
        let state = State {
            numbers: [("dt".to_owned(), 0.5)].into(),
            fields: [("p".to_owned(), pressure)].into(),
        };
        let step =
            Step { number: 1, time: 0.5, dt: 0.5, iterations: 3, residual: 0.1, ..Step::default() };
        Stored::new(&case, step, state).write(&path).expect("a checkpoint is written");
        let bytes = std::fs::read(&path).expect("and read");
        Stored::read(&path).expect("and understood");
        Good { folder, bytes }
    })
}

fn file(bytes: &[u8]) -> PathBuf {
    let path = good().folder.path().join("fuzzed.h5");
    std::fs::write(&path, bytes).expect("a temporary file is written");
    path
}

/// One input.
pub(crate) fn target(input: &[u8]) {
    let whole = &good().bytes;
    match input {
        // Up to four neighbouring bytes changed: what the checksum finds for certain.
        [0, a, b, burst @ ..] => {
            let mut bytes = whole.clone();
            let start = usize::from(u16::from_le_bytes([*a, *b])) % bytes.len();
            for (byte, change) in bytes[start..].iter_mut().zip(burst.iter().take(4)) {
                *byte ^= change;
            }
            assert!(bytes == *whole || Stored::read(file(&bytes)).is_err());
        }
        // Cut.
        [1, a, b, ..] => {
            let length = usize::from(u16::from_le_bytes([*a, *b])) % whole.len();
            assert!(Stored::read(file(&whole[..length])).is_err());
        }
        // Any file.
        _ => assert!(Stored::read(file(input)).is_err() || input == whole.as_slice()),
    }
}
