//! A program's own method that does not tell the forces on bodies, beside one that does.

use vortice_core::Method;
use vortice_study::comparison::{Study, write_report};
use vortice_study::registry;

static MUTE: Method = Method { name: "mute", tells_forces: false, ..vortice_fdm::METHOD };

const WIND: &str = r#"
title   = "A ball in a wind"
grid    = { cells = [20, 10, 1], size = [2.0, 1.0, 0.1] }
fluid   = { density = 1.0, viscosity = 0.02 }
scale   = { length = 0.3, velocity = 1.0 }
initial = { velocity = [1.0, 0.0, 0.0] }
run     = { method = "mute", until = 0.6 }
body    = { ball = { circle = { centre = [0.5, 0.5], radius = 0.15 } } }

[boundary]
x-low  = { inflow = { velocity = [1.0, 0.0, 0.0] } }
x-high = "outflow"
y-low  = "periodic"
y-high = "periodic"
z-low  = "periodic"
z-high = "periodic"
"#;

#[test]
fn one_line_says_that_a_method_has_no_forces_and_it_is_compared_without() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("wind.toml");
    std::fs::write(&path, WIND).expect("a case");
    registry::add(&[&MUTE]).expect("a method");
    let study = Study::of(&path.to_string_lossy(), &[]).expect("a study");
    let study = study.methods(&["fdm", "mute"]).and_then(|study| study.grids(&[3]));
    let findings = study.and_then(|study| study.run(folder.path())).expect("findings");
    assert!(findings.are_complete());
    let known = findings.rows.iter().map(|row| row.courses.len());
    assert_eq!(known.collect::<Vec<_>>(), [1, 0]);
    let said = "`mute` does not tell the forces on bodies: they are not compared";
    assert_eq!(findings.study.forces_missing(), [said]);
    write_report(folder.path(), &[findings]).expect("a page");
    let page = std::fs::read_to_string(folder.path().join("report.html")).expect("a page");
    assert_eq!(page.matches("does not tell the forces on bodies").count(), 1);
    let chart = folder.path().join("pictures/wind-forces-ball-drag.svg");
    let chart = std::fs::read_to_string(chart).expect("a chart");
    assert!(chart.contains("fdm 3") && !chart.contains("mute"));
}
