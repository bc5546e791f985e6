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
    shows_curves_and_spectra(folder.path());
}

/// The page has a chart of drag and lift over time and of their amplitudes, with a line for each method.
fn shows_curves_and_spectra(folder: &Path) {
    let page = std::fs::read_to_string(folder.join("study/report.html")).unwrap();
    assert!(page.contains("Forces over time") && page.contains("the last periods, 6 at most"));
    assert!(!page.contains("do not repeat themselves"));
    for name in ["forces-ball-drag", "forces-ball-lift", "spectrum-ball-drag", "spectrum-ball-lift"]
    {
        assert!(page.contains(&format!("id=\"sway-{name}\"")), "{name}");
        let path = folder.join(format!("study/pictures/sway-{name}.svg"));
        let chart = std::fs::read_to_string(path).unwrap();
        for method in ["fdm 6", "fvm 6", "lbm 6"] {
            assert!(chart.contains(method), "{name} {method}");
        }
        assert!(chart.matches("<polyline").count() > 6, "{chart}");
    }
}

/// A wind that rises and falls once, past a ball: nothing comes again.
const GUST: [&str; 2] = [
    "boundary.x-low.inflow.velocity=[\"1+0.5*sin(pi*t/0.6)\", \"0.2*sin(pi*t/0.6)\", 0.0]",
    "run.until=0.6",
];

#[test]
fn forces_that_do_not_repeat_themselves_are_said_to() {
    let folder = folder();
    let mut words = arguments(&["--grids", "3,6", "--methods", "fdm,lbm"]);
    GUST.iter().for_each(|set| words.extend(["--set", set]));
    let ended = vortice(folder.path(), &words);
    ends_with(&ended, 0);
    let said = stdout(&ended);
    for method in ["fdm", "lbm"] {
        assert!(
            said.contains(&format!("  {method}: ball: does not repeat itself, from")),
            "{said}"
        );
    }
    assert!(said.contains("    drag: min "), "{said}");
    let page = std::fs::read_to_string(folder.path().join("study/report.html")).unwrap();
    assert!(page.contains("Forces that do not repeat themselves"));
    assert!(page.contains("all of the time that counts") && page.contains("Hann's window"));
    let text = std::fs::read_to_string(folder.path().join("study/results.md")).unwrap();
    assert!(text.contains("| method | cells | body | from | drag min | at |"), "{text}");
    let lines = text.lines().filter(|line| line.contains("| ball | "));
    assert_eq!(lines.count(), 4, "{text}");
}

#[test]
fn forces_that_nobody_wants_are_not_looked_at() {
    let folder = folder();
    let words = arguments(&["--grids", "3", "--methods", "fdm"]);
    let short = ["--set", "output.forces=none", "--set", "run.until=0.6"];
    ends_with(&vortice(folder.path(), &[words, short.to_vec()].concat()), 0);
    assert!(!folder.path().join("study/runs/sway-fdm-3/forces.csv").exists());
    assert_eq!(rows(folder.path())[0]["courses"], serde_json::json!([]));
    let page = std::fs::read_to_string(folder.path().join("study/report.html")).unwrap();
    assert!(!page.contains("Forces over time"));
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
