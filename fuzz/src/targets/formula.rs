//! Any text is read as a formula and as a table of a velocity, or refused with an error that says why.

use std::sync::OnceLock;

use tempfile::TempDir;
use vortice_core::{Case, Error, Result, Side, flow_keys};

const CASE: &str = "title = 'formula'\ngrid = { cells = [4, 4, 2], size = [2.0, 1.0, 1.0] }\n\
    fluid = { viscosity = 0.1 }\nrun = { until = 3.0 }\nINITIAL\n[boundary]\n\
    x-low = { inflow = { velocity = INFLOW } }\nx-high = 'outflow'\ny-low = 'wall'\ny-high = 'wall'\n\
    z-low = 'periodic'\nz-high = 'periodic'\n";

/// A case with a velocity of its inflow, and with one at t = 0.
fn text(inflow: &str, initial: &str) -> String {
    CASE.replace("INFLOW", inflow).replace("INITIAL", initial)
}

/// A folder for tables with a case that reads one.
fn folder() -> &'static TempDir {
    static FOLDER: OnceLock<TempDir> = OnceLock::new();
    FOLDER.get_or_init(|| {
        let folder = tempfile::tempdir().expect("a folder for temporary files");
        for (name, repeat) in [("once.toml", "false"), ("repeated.toml", "true")] {
            let text = text(&format!("{{ file = 'inflow.csv', repeat = {repeat} }}"), "");
            std::fs::write(folder.path().join(name), text).expect("a case is written");
        }
        folder
    })
}

/// What is accepted is a number at the corners of the face at all times that were looked at; what is not is told.
fn check(case: Result<Case>) {
    match case {
        Ok(mut case) => {
            for time in [0.0, 3.0] {
                for point in [[0.0; 3], [0.0, 1.0, 1.0]] {
                    let face = case.at(time).boundaries.at(0, Side::Low);
                    let velocity = face.velocity_at(point).expect("an inflow has a velocity");
                    assert!(velocity.iter().all(|u| u.is_finite()), "{velocity:?}");
                    let largest = face.largest_velocity().expect("and a largest one");
                    assert!(
                        (0..3).all(|c| velocity[c].abs() <= largest[c]),
                        "{velocity:?} {largest:?}"
                    );
                    let _ = face.velocity([0.0, 0.3, -0.1], [0.0, 1.2, 0.4]);
                }
            }
            let centre = case.initial_velocity(case.grid.centre([0; 3]));
            assert!(centre.iter().all(|u| u.is_finite()), "{centre:?}");
            assert!(flow_keys(&case).iter().all(|(_, value)| !value.is_empty()));
        }
        Err(error) => {
            assert!(!error.to_string().is_empty() && !error.remedy().is_empty());
            assert!(matches!(error, Error::Case { .. }), "{error}");
            if let Some(at) = error.place() {
                assert!(at.text.get(at.start..at.start + at.length).is_some());
            }
        }
    }
}

/// One input.
pub(crate) fn target(input: &[u8]) {
    std::fs::write(folder().path().join("inflow.csv"), input).expect("a table is written");
    for name in ["once.toml", "repeated.toml"] {
        check(Case::read(folder().path().join(name)));
    }
    // Quotes of TOML hold no quote and no control characters, which no formula needs.
    let formula =
        String::from_utf8_lossy(input).replace(|c: char| c == '\'' || c.is_control(), " ");
    check(Case::parse(&text(&format!("['{formula}', 0.0, '{formula}']"), ""), "fuzz"));
    let initial = format!("initial = {{ velocity = ['{formula}', 0.0, 0.0] }}");
    check(Case::parse(&text("[1.0, 0.0, 0.0]", &initial), "fuzz"));
}
