//! Case files that are right: what they mean, and what settings do to them.
use vortice_core::{Boundary, Case, Side};

fn cases() -> std::path::PathBuf {
    std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../cases")
}

#[test]
fn the_cavity_means_what_it_says() {
    let case = Case::read(cases().join("cavity.toml")).unwrap();
    assert_eq!(case.grid.cells(), [128, 128, 1]);
    assert_eq!(*case.boundaries.at(1, Side::High), Boundary::Wall { velocity: [1.0, 0.0, 0.0] });
    assert!((case.reynolds() - 1000.0).abs() < 1e-9);
    assert_eq!(case.warnings(), [""; 0]);
}
