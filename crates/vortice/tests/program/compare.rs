//! `vortice compare`: one page of several methods and grids.

use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

use serde_json::Value;
use vortice::study::Study;

use super::{ends_with, program, stderr, stdout, vortice};

/// A cavity at Re 100, as steady as differences of such grids deserve: tenths of a second on each grid.
const CAVITY: [&str; 8] = [
    "compare",
    "cavity-re100",
    "--set",
    "run.steady=1e-4",
    "--set",
    "lbm.lattice=d2q9",
    "--out",
    "study",
];

fn compare(folder: &Path, more: &[&str]) -> std::process::Output {
    vortice(folder, &[&CAVITY[..], more].concat())
}

fn results(folder: &Path) -> Value {
    let text = std::fs::read_to_string(folder.join("study/results.json")).unwrap();
    serde_json::from_str(&text).unwrap()
}

/// The lines of `results.csv` by the names of its columns.
fn lines(folder: &Path) -> Vec<std::collections::HashMap<String, String>> {
    let mut table = csv::Reader::from_path(folder.join("study/results.csv")).unwrap();
    table.deserialize().map(Result::unwrap).collect()
}

#[test]
fn all_methods_on_all_grids_make_one_page() {
    let folder = tempfile::tempdir().unwrap();
    let ended = compare(folder.path(), &["--grids", "12,16,24"]);
    ends_with(&ended, 0);
    let study = folder.path().join("study");
    for name in ["report.html", "cavity-re100.vtkhdf", "pictures/cavity-re100-profile-1-u.svg"] {
        assert!(study.join(name).is_file(), "{name}");
    }
    assert!(!study.join("pictures/cavity-re100-profile-1-u.png").exists(), "no PNG is asked for");
    let page = std::fs::read_to_string(study.join("report.html")).unwrap();
    assert!(page.contains("<svg") && page.contains("botella-1998-re100-extrema"));
    assert!(!page.contains("http-equiv=\"refresh\"") && !page.contains("src=\"http"));

    let lines = lines(folder.path());
    assert_eq!(lines.len(), 9);
    for line in &lines {
        assert_eq!(line["ended"], "done", "{line:?}");
        let u_min: f64 = line["u min"].parse().unwrap();
        assert!((-0.26..-0.15).contains(&u_min), "{line:?}");
        let x: f64 = line["primary x"].parse().unwrap();
        assert!((x - 0.6157).abs() < 0.05, "{line:?}");
        let error: f64 = line["iteration_error"].parse().unwrap();
        assert!(error > 0.0 && error < 1e-4, "{line:?}");
    }
    let study = &results(folder.path())[0];
    assert_eq!(
        study["limits"].as_array().unwrap().iter().filter(|x| x["value"] == "u min").count(),
        3
    );
    let agreed = study["agreements"].as_array().unwrap();
    let u_min = agreed.iter().find(|one| one["value"] == "u min").unwrap();
    assert!(u_min["spread"].as_f64().unwrap() < 0.1 && u_min["error"].as_f64().unwrap() < 0.1);
    let text = stdout(&ended);
    assert!(text.contains("limits agree within") && text.contains("report.html"), "{text}");
}

#[test]
fn runs_that_stop_early_have_no_limits() {
    let folder = tempfile::tempdir().unwrap();
    let more = ["--grids", "12,16,24", "--methods", "fdm", "--set", "run.steady=2e-2"];
    let ended = compare(folder.path(), &more);
    ends_with(&ended, 0);
    let limits = results(folder.path())[0]["limits"].clone();
    let u_min = limits.as_array().unwrap().iter().find(|x| x["value"] == "u min").unwrap();
    assert_eq!(
        (&u_min["no_limit"], &u_min["convergence"]),
        (&"iteration-error".into(), &Value::Null)
    );
    let text = stdout(&ended);
    assert!(text.contains("differences within the iteration error"), "{text}");
}

#[test]
fn an_eddy_that_is_not_found_is_said_to_be_so_everywhere() {
    let folder = tempfile::tempdir().unwrap();
    // Twelve cells do not resolve the eddy in the corner that the lid moves away from.
    let more = ["--set", "references=[\"ghia-1982-re100-vortices\"]", "--methods", "fvm"];
    let ended = compare(folder.path(), &[&more[..], &["--grids", "8,12"]].concat());
    ends_with(&ended, 0);
    let study = &results(folder.path())[0];
    let values = study["rows"][0]["values"].as_array().unwrap();
    let value = |name: &str| values.iter().find(|one| one["name"] == name).unwrap();
    assert!(
        value("bottom_left psi")["computed"].is_null()
            && value("primary x")["computed"].is_number()
    );
    assert_eq!(lines(folder.path())[0]["bottom_left psi"], "not found");
    let file =
        |name: &str| std::fs::read_to_string(folder.path().join("study").join(name)).unwrap();
    for (what, text) in [
        ("terminal", stdout(&ended)),
        ("page", file("report.html")),
        ("csv", file("results.csv")),
        ("markdown", file("results.md")),
    ] {
        assert!(text.contains("not found") && !text.contains("NaN"), "{what}: {text}");
    }
}

#[test]
fn runs_that_would_be_the_same_are_taken_over() {
    let folder = tempfile::tempdir().unwrap();
    ends_with(&compare(folder.path(), &["--grids", "12", "--methods", "fvm"]), 0);
    let seconds = |folder: &Path| results(folder)[0]["rows"][0]["expense"]["wall_seconds"].clone();
    let first = seconds(folder.path());
    let again = compare(folder.path(), &["--grids", "12,16", "--methods", "fvm,fdm"]);
    ends_with(&again, 0);
    let reused: Vec<Value> = results(folder.path())[0]["rows"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| row["reused"].clone())
        .collect();
    assert_eq!(reused, [true, false, false, false]);
    assert_eq!(seconds(folder.path()), first);
    assert_eq!(stderr(&again).matches("taken over").count(), 1);
    // Another case is another run, and so is one that must be made afresh.
    for more in [&["--set", "fluid.viscosity=0.02"][..], &["--afresh"]] {
        let ended =
            compare(folder.path(), &[&["--grids", "12", "--methods", "fvm"], more].concat());
        ends_with(&ended, 0);
        assert_eq!(stderr(&ended).matches("taken over").count(), 0);
    }
}

#[test]
fn a_run_that_fails_is_a_row_with_its_reason() {
    let folder = tempfile::tempdir().unwrap();
    let schemes =
        ["--schemes", "fvm.convection=quick,central", "--schemes", "run.precision=f64,f32"];
    let ended =
        compare(folder.path(), &[&["--grids", "8", "--methods", "fvm,fdm"], &schemes[..]].concat());
    ends_with(&ended, 1);
    let lines = lines(folder.path());
    let told: Vec<(&str, &str)> =
        lines.iter().map(|line| (&*line["variant"], &*line["ended"])).collect();
    let expected = [
        ("fvm quick f64", "done"),
        ("fvm quick f32", "failed"),
        ("fvm central f64", "done"),
        ("fvm central f32", "failed"),
        ("fdm f64", "done"),
        ("fdm f32", "done"),
    ];
    assert_eq!(told, expected);
    assert!(lines[1]["why"].contains("run.precision"), "{lines:?}");
    assert!(folder.path().join("study/report.html").is_file());
}

#[test]
fn a_flow_that_diverges_is_a_row_and_is_not_tried_again() {
    let folder = tempfile::tempdir().unwrap();
    let more = ["--grids", "16", "--methods", "lbm", "--set", "fluid.viscosity=1e-3"];
    let more = [&more[..], &["--set", "lbm.collision=trt"]].concat();
    for reused in [false, true] {
        let ended = compare(folder.path(), &more);
        ends_with(&ended, 1);
        let row = &results(folder.path())[0]["rows"][0];
        assert_eq!((&row["ended"]["how"], &row["reused"]), (&"diverged".into(), &reused.into()));
        assert!(stderr(&ended).contains("diverged at step"), "{}", stderr(&ended));
    }
}

/// Grids on which TRT diverges: another collision is chosen and said.
#[test]
fn a_lattice_too_coarse_for_one_collision_takes_another() {
    let folder = tempfile::tempdir().unwrap();
    let arguments = ["compare", "cavity", "--methods", "lbm", "--grids", "16,32,64"];
    let sets = ["--set", "run.until=12", "--set", "lbm.lattice=d2q9", "--out", "study"];
    ends_with(&vortice(folder.path(), &[&arguments[..], &sets].concat()), 0);
    let study = &results(folder.path())[0];
    let schemes: Vec<&str> = study["rows"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| {
            assert_eq!(row["ended"]["how"], "done", "{row}");
            row["scheme"].as_str().unwrap()
        })
        .collect();
    assert_eq!(schemes, ["D2Q9, mrt by auto", "D2Q9, mrt by auto", "D2Q9, trt by auto"]);
    let page = std::fs::read_to_string(folder.path().join("study/report.html")).unwrap();
    assert!(page.contains("lbm: D2Q9, mrt by auto on 16 and 32"), "the page says it");
}

/// The built-in cases, with the grids of their studies.
fn built_in() -> impl Iterator<Item = (&'static str, Study)> {
    vortice::built_in_cases().iter().map(|&(name, _)| (name, Study::of(name, &[]).unwrap()))
}

#[test]
fn every_built_in_case_is_stable_on_its_usual_grids() {
    for (name, study) in built_in() {
        let (cells, length) = (study.case.grid.cells(), study.case.scale.length);
        let across = if study.case.bodies.is_empty() {
            study.case.grid.directions().map(|d| cells[d]).min().unwrap()
        } else {
            (cells[0] as f64 * length / study.case.grid.axes[0].length()).round() as usize
        };
        for n in &study.grids {
            let part = |d: usize| if d < 2 || cells[2] > 1 { cells[d] * n / across } else { 1 };
            let [x, y, z] = [0, 1, 2].map(part);
            for method in study.variants.iter().map(|variant| variant.method) {
                let sets =
                    [format!("run.method={:?}", method.name), format!("grid.cells=[{x},{y},{z}]")];
                let case = vortice::open_case(name, &sets).unwrap();
                let report = method.report(&case).unwrap_or_else(|error| panic!("{error}"));
                let expects = |warning: &&String| warning.contains("divergence");
                let warning = report.warnings.iter().find(expects);
                assert_eq!(warning, None, "{name} by {} on {n}", method.name);
            }
        }
    }
}

#[test]
#[ignore = "long suite"]
fn no_built_in_case_diverges_on_its_usual_grids_by_lbm() {
    let by_lbm = |study: &Study| study.variants.iter().any(|one| one.method.name == "lbm");
    for (name, _) in built_in().filter(|(_, study)| by_lbm(study)) {
        let folder = tempfile::tempdir().unwrap();
        let arguments = ["compare", name, "--methods", "lbm", "--out", "study", "--quiet"];
        let sets = ["--set", "run.until=5", "--set", "references=[]"];
        ends_with(&vortice(folder.path(), &[&arguments[..], &sets].concat()), 0);
    }
}

#[test]
fn exact_flows_are_compared_too() {
    let folder = tempfile::tempdir().unwrap();
    let arguments = ["compare", "couette", "taylor-green", "--grids", "8,16"];
    let sets = ["--set", "run.until=0.05", "--out", "study", "--quiet"];
    let ended = vortice(folder.path(), &[&arguments[..], &sets[..]].concat());
    ends_with(&ended, 0);
    assert_eq!(stderr(&ended), "");
    let lines = lines(folder.path());
    assert_eq!(lines.len(), 12);
    for pair in lines[6..].chunks(3).collect::<Vec<_>>().windows(2) {
        for (coarse, fine) in pair[0].iter().zip(pair[1]) {
            let error = |line: &std::collections::HashMap<String, String>| -> f64 {
                line["exact-taylor-green rms"].parse().unwrap()
            };
            assert!(error(fine) < 0.6 * error(coarse), "{coarse:?} {fine:?}");
        }
    }
}

#[test]
fn what_rounding_leaves_of_a_straight_flow_is_zero() {
    let folder = tempfile::tempdir().unwrap();
    let arguments = ["compare", "poiseuille", "--grids", "8,16", "--out", "study", "--quiet"];
    let sets = ["--set", "references=[]", "--set", "run.until=0.05"];
    let ended = vortice(folder.path(), &[&arguments[..], &sets[..]].concat());
    ends_with(&ended, 0);
    let text = stdout(&ended);
    let from = text.find("v max").unwrap();
    let of_v = &text[from..text.find("written").unwrap()];
    assert!(!of_v.contains('%') && !of_v.contains("order") && !of_v.contains("e-"), "{of_v}");
    assert_eq!(of_v.matches(" 0\n").count(), 6, "{of_v}");
    let limits = results(folder.path())[0]["limits"].clone();
    let of = |value: &str| limits.as_array().unwrap().iter().find(|x| x["value"] == value).unwrap();
    assert_eq!(
        (&of("v max")["no_limit"], &of("v max")["convergence"]),
        (&"zero".into(), &Value::Null)
    );
    let page = std::fs::read_to_string(folder.path().join("study/report.html")).unwrap();
    assert!(page.contains("What is below 1e-8 of its unit"));
}

#[test]
fn a_study_that_is_interrupted_goes_on_where_it_stopped() {
    let folder = tempfile::tempdir().unwrap();
    let long = ["--grids", "8,48", "--methods", "fdm", "--set", "run.until=2.0"];
    let arguments = [&CAVITY[..2], &CAVITY[6..], &long[..]].concat();
    let child = program(folder.path())
        .args(&arguments)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let history = folder.path().join("study/runs/cavity-re100-fdm-48/history.csv");
    let begin = Instant::now();
    while !history.exists() {
        assert!(begin.elapsed() < Duration::from_secs(60), "the second run does not begin");
        std::thread::sleep(Duration::from_millis(2));
    }
    let number = child.id().to_string();
    assert!(
        std::process::Command::new("kill").args(["-s", "INT", &number]).status().unwrap().success()
    );
    let ended = child.wait_with_output().unwrap();
    ends_with(&ended, 130);
    assert!(stderr(&ended).contains("--resume"));
    let rows = &results(folder.path())[0]["rows"];
    assert_eq!(
        (&rows[0]["ended"]["how"], &rows[1]["ended"]["how"]),
        (&"done".into(), &"interrupted".into())
    );
    let before = rows[1]["expense"]["steps"].as_u64().unwrap();

    let resumed = vortice(folder.path(), &[&arguments[..], &["--resume"]].concat());
    ends_with(&resumed, 0);
    let row = results(folder.path())[0]["rows"][1].clone();
    assert!(row["expense"]["steps"].as_u64().unwrap() > before);
    // The end is that of a run that never stopped.
    let straight = vortice(folder.path(), &[&arguments[..], &["--afresh"]].concat());
    ends_with(&straight, 0);
    let other = results(folder.path())[0]["rows"][1].clone();
    assert_eq!(
        (&row["values"], &row["expense"]["steps"]),
        (&other["values"], &other["expense"]["steps"])
    );
}

#[test]
fn what_cannot_be_compared_is_refused_with_a_remedy() {
    let folder = tempfile::tempdir().unwrap();
    for (arguments, word) in [
        (&["compare", "cavty"][..], "did you mean `cavity`"),
        (&["compare", "cavity", "--methods", "fem"], "fdm"),
        (&["compare", "cavity", "--schemes", "quick"], "fvm.convection=central,quick"),
        (&["compare", "step-gartling", "--grids", "0"], "multiples of 1, such as 1"),
        (&["compare", "cavity", "cavity"], "name each case once"),
        (
            &["compare", "cavity", "--schemes", "fvm.convection=upwind,upwnd"],
            "did you mean `upwind`",
        ),
        (&["compare", "cavity", "couette", "--schemes", "fwm.convection=upwind"], "`fvm`"),
        (&["compare", "cavity", "--set", "fdm.safty=0.5"], "did you mean `safety`"),
        (&["compare", "couette", "--set", "references=[\"ghia\"]"], "ghia-1982-re1000-u"),
    ] {
        let ended = vortice(folder.path(), arguments);
        ends_with(&ended, 2);
        assert!(stderr(&ended).contains(word), "{}", stderr(&ended));
    }
    assert!(!folder.path().join("out").exists());
}
