//! The kernel compiles, and what is written both in Rust and in its sources is the same.

use vortice_gpu::{Definition, compile, differences, is_long_suite, resources};

use super::lists::{TileFixed, TileGhost, TileOutlet};
use super::numbers::{Pace, ResidentRun, Stopping};
use super::program::PROGRAM;
use super::tiling::Tiling;

/// The source that defines a structure.
fn home(name: &str) -> &'static str {
    let mut texts = PROGRAM.headers.iter().chain(PROGRAM.kernels).map(|(_, text)| *text);
    let opening = format!("struct {name} {{");
    texts.find(|text| text.contains(&opening)).unwrap_or_else(|| panic!("nobody defines {name}"))
}

#[test]
fn structures_equal_their_twins() {
    for (name, fields) in [
        ("Pace", Pace::FIELDS),
        ("Stopping", Stopping::FIELDS),
        ("ResidentRun", ResidentRun::FIELDS),
        ("Tiling", Tiling::FIELDS),
        ("TileFixed", TileFixed::<f32>::FIELDS),
        ("TileGhost", TileGhost::<f32>::FIELDS),
        ("TileOutlet", TileOutlet::<f32>::FIELDS),
    ] {
        assert_eq!(differences(home(name), name, fields), [""; 0]);
    }
}

/// Those of a kernel for tiles of this form: rows of a thread, cells in a row, fields in shared memory.
fn definitions(real: &str, [kept, row, held]: [&str; 3]) -> [Definition; 5] {
    let words = [("REAL", real), ("DIRECTIONS", "2"), ("KEPT", kept), ("ROW", row), ("HELD", held)];
    words.map(|(name, word)| (name, word.to_owned()))
}

/// Each tile for one architecture, another in each turn; for all in the long suite.
#[test]
fn the_kernel_compiles_for_every_architecture() {
    let architectures = [[9, 0], [10, 0], [8, 0]];
    let tiles = [["1", "64", "6"], ["8", "114", "4"], ["14", "118", "2"]];
    let variants = ["float", "double"].into_iter().flat_map(|real| tiles.map(|tile| (real, tile)));
    for (number, (real, tile)) in variants.enumerate() {
        let definitions = definitions(real, tile);
        let turn = (number + number / tiles.len()) % architectures.len();
        for architecture in
            if is_long_suite() { &architectures } else { &architectures[turn..][..1] }
        {
            let compiled = compile(&PROGRAM, &definitions, *architecture, false);
            assert!(compiled.is_ok(), "{definitions:?} {architecture:?}: {:?}", compiled.err());
        }
    }
}

/// What a thread keeps beside its registers comes and goes in every step, past caches that the tile has filled: at most a few
/// numbers, on the tiles of 256^2, 512^2 and 1024^2 cells on an H200.
#[test]
fn threads_keep_next_to_nothing_beside_their_registers() {
    for (real, tile) in [
        ("float", ["3", "52", "6"]),
        ("double", ["3", "52", "6"]),
        ("float", ["6", "58", "6"]),
        ("double", ["6", "58", "4"]),
        ("float", ["14", "120", "4"]),
        ("double", ["14", "120", "2"]),
    ] {
        let definitions = definitions(real, tile);
        let report = resources(&PROGRAM, &definitions, [9, 0], false).expect("a kernel");
        let stacks = report.lines().filter_map(|line| line.split_once(" bytes stack frame"));
        let numbers = stacks.filter_map(|(before, _)| before.split_whitespace().last());
        let bytes: Vec<u32> = numbers.filter_map(|number| number.parse().ok()).collect();
        assert!(!bytes.is_empty(), "{report}");
        assert!(bytes.iter().all(|bytes| *bytes <= 64), "{definitions:?}: {report}");
    }
}
