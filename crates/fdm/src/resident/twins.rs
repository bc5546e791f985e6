//! The kernel compiles, and what is written both in Rust and in its sources is the same.

use vortice_gpu::{compile, differences, is_long_suite};

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

/// Each tile for one architecture, another in each turn; for all in the long suite. The largest tile of doubles spills.
#[test]
fn the_kernel_compiles_for_every_architecture() {
    let architectures = [[9, 0], [10, 0], [8, 0]];
    let tiles = [["1", "64", "6"], ["8", "114", "4"], ["14", "118", "2"]];
    let variants = ["float", "double"].into_iter().flat_map(|real| tiles.map(|tile| (real, tile)));
    for (number, (real, [rows, row_length, held])) in variants.enumerate() {
        let tile = [("KEPT", rows), ("ROW", row_length), ("HELD", held)];
        let [kept, row, held] = tile.map(|(name, word)| (name, word.to_string()));
        let definitions = [("REAL", real.to_string()), ("DIRECTIONS", "2".into()), kept, row, held];
        let turn = (number + number / tiles.len()) % architectures.len();
        for architecture in
            if is_long_suite() { &architectures } else { &architectures[turn..][..1] }
        {
            let compiled = compile(&PROGRAM, &definitions, *architecture, false);
            assert!(compiled.is_ok(), "{definitions:?} {architecture:?}: {:?}", compiled.err());
        }
    }
}
