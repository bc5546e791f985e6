//! `vortice compare` of a flow that is followed in time past a body: its forces are kept and judged.

use std::path::Path;

use serde_json::Value;

use super::killed::{kill, start};
use super::{ends_with, stderr, stdout, vortice};

/// A ball in a wind that sways once in 0.6 s: its lift has this period, and the Strouhal number 0.3 / 0.6 whatever the grid.
const SWAY: &str = r#"
title = "A ball in a wind that sways, Re = {reynolds}"
grid    = { cells = [40, 20, 1], size = [2.0, 1.0, 0.05] }
fluid   = { density = 1.0, viscosity = 0.02 }
scale   = { length = 0.3, velocity = 1.0 }
initial = { velocity = [1.0, 0.0, 0.0] }
run     = { method = "fdm", until = 4.8 }
output  = { checkpoint-steps = 7 }
body    = { ball = { circle = { centre = [0.5, 0.5], radius = 0.15 } } }

[boundary]
x-low  = { inflow = { velocity = [1.0, "0.3*sin(2*pi*t/0.6)", 0.0] } }
x-high = "outflow"
y-low  = "periodic"
y-high = "periodic"
z-low  = "periodic"
z-high = "periodic"
"#;

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("sway.toml"), SWAY).unwrap();
    folder
}

fn arguments<'a>(more: &[&'a str]) -> Vec<&'a str> {
    [&["compare", "sway.toml", "--out", "study", "--quiet"], more].concat()
}

fn rows(folder: &Path) -> Vec<Value> {
    let text = std::fs::read_to_string(folder.join("study/results.json")).unwrap();
    let all: Value = serde_json::from_str(&text).unwrap();
    all[0]["rows"].as_array().unwrap().clone()
}

fn value(row: &Value, name: &str) -> f64 {
    let values = row["values"].as_array().unwrap();
    let found = values.iter().find(|value| value["name"] == name);
    found.and_then(|value| value["computed"].as_f64()).unwrap_or(f64::NAN)
}

#[test]
fn forces_over_time_are_kept_and_compared_by_all_methods() {
    let folder = folder();
    let ended = vortice(folder.path(), &arguments(&["--grids", "3,6"]));
    ends_with(&ended, 0);
    let rows = rows(folder.path());
    assert_eq!(rows.len(), 6, "{}", stderr(&ended));
    for row in &rows {
        let strouhal = value(row, "ball strouhal");
        assert!((strouhal - 0.5).abs() < 0.001, "{strouhal} {row}");
        let [mean, max, min, swing] = ["drag_mean", "drag_max", "lift_min", "lift_amplitude"]
            .map(|name| value(row, &format!("ball {name}")));
        assert!(mean > 0.5 && max > mean && min < -0.1 && swing > 0.1, "{row}");
        // One moment of a flow that swings is not compared.
        assert!(value(row, "u min").is_nan());
        let run = folder.path().join("study").join(row["folder"].as_str().unwrap());
        let forces = std::fs::read_to_string(run.join("forces.csv")).unwrap();
        assert!(forces.starts_with("step,time,ball.force_x,"), "{forces}");
    }
    assert_eq!(rows[5]["cells"], serde_json::json!([40, 20, 1]));
    let table = std::fs::read_to_string(folder.path().join("study/results.csv")).unwrap();
    assert!(table.lines().next().unwrap().contains("ball strouhal"), "{table}");
    assert!(stdout(&ended).contains("report.html"));
}

#[test]
fn forces_of_a_study_that_was_killed_or_spoiled_are_those_of_one_that_was_not() {
    let [straight, killed] = [(); 2].map(|()| folder());
    let words = arguments(&["--grids", "6", "--methods", "fdm", "--resume"]);
    ends_with(&vortice(straight.path(), &words), 0);
    let run = |folder: &Path| folder.join("study/runs/sway-fdm-6");
    let forces = |folder: &Path| std::fs::read_to_string(run(folder).join("forces.csv")).unwrap();
    for _ in 0..3 {
        let child = start(killed.path(), &words);
        while !run(killed.path()).join("checkpoint.h5").exists() {
            std::thread::sleep(std::time::Duration::from_millis(2));
        }
        std::thread::sleep(std::time::Duration::from_millis(20));
        kill(child);
    }
    ends_with(&vortice(killed.path(), &words), 0);
    let expected = rows(straight.path());
    assert_eq!(forces(killed.path()), forces(straight.path()));
    assert_eq!(rows(killed.path())[0]["values"], expected[0]["values"]);
    // Taken over with its forces, and made again if they are not its own.
    ends_with(&vortice(killed.path(), &words), 0);
    let again = rows(killed.path());
    assert_eq!((&again[0]["reused"], &again[0]["values"]), (&true.into(), &expected[0]["values"]));
    let spoiled = forces(killed.path()).replacen(",0", ",1", 1);
    std::fs::write(run(killed.path()).join("forces.csv"), spoiled).unwrap();
    ends_with(&vortice(killed.path(), &words), 0);
    let again = rows(killed.path());
    assert_eq!((&again[0]["reused"], &again[0]["values"]), (&false.into(), &expected[0]["values"]));
}
