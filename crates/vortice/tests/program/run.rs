//! A run from end to end.

use crate::{ends_with, stderr, stdout, summary, tiny, vortice};

const FILES: [&str; 8] = [
    "checkpoint.h5",
    "energy.csv",
    "fields.vtkhdf",
    "fields.xmf",
    "history.csv",
    "picture.png",
    "profiles.csv",
    "summary.json",
];

/// The tables of the tiny cavity, of those that `cavity` names.
const RE_100: [&str; 4] = [
    "ghia-1982-re100-u",
    "ghia-1982-re100-v",
    "botella-1998-re100-extrema",
    "ghia-1982-re100-vortices",
];

#[test]
fn a_run_writes_all_files_and_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let run = vortice(folder.path(), &tiny(&["output.picture=true"], &[]));
    ends_with(&run, 0);
    let out = folder.path().join("out/cavity");
    let mut names: Vec<String> = std::fs::read_dir(&out)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    assert_eq!(names, FILES);
    for name in FILES {
        assert!(stdout(&run).contains(name), "{name} is not named\n{}", stdout(&run));
        assert!(out.join(name).metadata().unwrap().len() > 50, "{name} is empty");
    }
    assert!(std::fs::read(out.join("picture.png")).unwrap().starts_with(b"\x89PNG"));
    assert!(stdout(&run).contains("end time reached at t = 0.1000 s"), "{}", stdout(&run));
    assert!(stdout(&run).contains("ghia-1982-re100-u"), "{}", stdout(&run));
    assert!(stderr(&run).contains("Lid-driven cavity, Re = 100 (fdm"), "{}", stderr(&run));
}

#[test]
fn the_summary_has_every_number() {
    let folder = tempfile::tempdir().unwrap();
    ends_with(&vortice(folder.path(), &tiny(&[], &["--out", "here"])), 0);
    let summary = summary(&folder.path().join("here"));
    assert_eq!(summary["title"], "Lid-driven cavity, Re = 100");
    assert_eq!(summary["case"], "cavity");
    assert_eq!(summary["method"], "fdm");
    assert_eq!((&summary["device"], &summary["gpu"]), (&"cpu".into(), &().into()));
    assert_eq!(summary["precision"], "f64");
    assert_eq!(summary["ranks"], 1);
    assert_eq!(summary["layout"], serde_json::json!([1, 1, 1]));
    assert_eq!(summary["cells"], 144);
    assert_eq!(summary["reynolds"], 100.0);
    assert_eq!(summary["converged"], true);
    assert_eq!(summary["reason"], "end time reached");
    assert_eq!(summary["flow_time"], 0.1);
    for key in ["steps", "iterations", "wall_seconds", "cells_per_second"] {
        assert!(summary[key].as_f64().unwrap() > 0.0, "{key}");
    }
    let seconds = |key: &str| summary["seconds"][key].as_f64().unwrap();
    let stages = ["set_up", "steps", "fields", "checkpoints", "analysis"].map(seconds);
    assert!(stages.iter().all(|&x| x > 0.0), "{stages:?}");
    assert!((stages.iter().sum::<f64>() - seconds("total")).abs() < 1e-6, "{stages:?}");
    assert_eq!(seconds("compile"), 0.0);
    assert!(summary["version"].as_str().unwrap().starts_with(env!("CARGO_PKG_VERSION")));
    let references = summary["references"].as_array().unwrap();
    let names: Vec<&str> = references.iter().filter_map(|one| one["name"].as_str()).collect();
    assert_eq!(names, RE_100, "the tables of this Reynolds number and no other");
    // The eddies in the corners, which a table of vortices speaks of, are not there yet.
    for reference in references.iter().filter(|one| one["kind"] != "vortices") {
        assert!(reference["points"].as_u64().unwrap() >= 3);
        let (largest, rms) = (&reference["max_error"], &reference["rms_error"]);
        assert!(largest.as_f64().unwrap() >= rms.as_f64().unwrap() && rms.as_f64().unwrap() > 0.0);
    }
    assert_eq!(references[2]["found"].as_array().unwrap().len(), 3);
    assert_eq!(summary["forces"].as_array().unwrap().len(), 4);
    assert_eq!(summary["forces"][0]["surface"], "x-low");
    assert!(summary["energy"]["kinetic_energy"].as_f64().unwrap() > 0.0);
    assert_eq!(summary["mass_balance"]["imbalance"], 0.0);
}

/// A flow that has just begun has not yet pushed out what entered.
#[test]
fn a_run_says_its_mass_balance_and_warns() {
    let folder = tempfile::tempdir().unwrap();
    let run = |steps: &str, method: &str, out: &str| {
        let steps = format!("run.max-steps={steps}");
        let cells = "grid.cells=[80,8,1]";
        let sets = ["--set", cells, "--set", &steps, "--set", "references=[]"];
        let all = ["run", "step-griebel", "--method", method, "--out", out];
        vortice(folder.path(), &[&all[..], &sets[..]].concat())
    };
    let early = run("5", "lbm", "early");
    assert!(stdout(&early).contains("mass balance: "), "{}", stdout(&early));
    assert!(stdout(&early).contains("Mach number: "), "{}", stdout(&early));
    assert!(stderr(&early).contains("of what enters does not leave"), "{}", stderr(&early));
    let warnings = summary(&folder.path().join("early"))["warnings"].to_string();
    assert!(warnings.contains("of what enters does not leave"), "{warnings}");
    let fdm = run("20", "fdm", "fdm");
    assert!(!stderr(&fdm).contains("of what enters"), "{}", stderr(&fdm));
}

#[test]
fn references_of_another_flow_are_left_out_in_one_line() {
    let folder = tempfile::tempdir().unwrap();
    let sets =
        ["fluid.viscosity=0.004", "references=[\"ghia-1982-re100-u\", \"ghia-1982-re100-v\"]"];
    let run = vortice(folder.path(), &tiny(&sets, &["--out", "here"]));
    ends_with(&run, 0);
    let line = "not judged by ghia-1982-re100-u, ghia-1982-re100-v: for Re = 100, not 250\n";
    assert!(stderr(&run).contains(line), "{}", stderr(&run));
    assert!(!stdout(&run).contains("ghia"), "{}", stdout(&run));
    let summary = summary(&folder.path().join("here"));
    assert_eq!(summary["title"], "Lid-driven cavity, Re = 250");
    assert_eq!(summary["references"], serde_json::json!([]));
    let check = vortice(folder.path(), &["check", "cavity", "--set", "grid.size=[1.0,2.0,0.1]"]);
    let line = "for a box of 1 x 1 lengths, not 1 x 2";
    assert!(stdout(&check).contains(line), "{}", stdout(&check));
}

#[test]
fn profiles_hold_computed_and_published_values() {
    let folder = tempfile::tempdir().unwrap();
    ends_with(&vortice(folder.path(), &tiny(&[], &["--out", "here", "--quiet"])), 0);
    let text = std::fs::read_to_string(folder.path().join("here/profiles.csv")).unwrap();
    let rows: Vec<Vec<&str>> = text.lines().map(|line| line.split(',').collect()).collect();
    assert_eq!(rows[0].join(","), "reference,variable,along,at,position,computed,published");
    let of = |name: &str| rows.iter().filter(|row| row[0] == name).collect::<Vec<_>>();
    let ghia = of("ghia-1982-re100-u");
    let published = ghia.iter().filter(|row| !row[6].is_empty()).count();
    assert_eq!(ghia.len() - published, 12);
    assert!(published >= 14);
    assert!(ghia.iter().all(|row| row[1..4] == ["u", "y", "x = 0.5"]));
    assert_eq!(ghia[0][4].parse(), Ok(0.5 / 12.0));
}

#[test]
fn quiet_means_no_word_on_standard_error() {
    let folder = tempfile::tempdir().unwrap();
    let run = vortice(folder.path(), &tiny(&[], &["--quiet"]));
    ends_with(&run, 0);
    assert_eq!(stderr(&run), "");
    assert!(stdout(&run).contains("summary.json"));
}

#[test]
fn any_ranks_and_threads_give_the_same_numbers() {
    let folder = tempfile::tempdir().unwrap();
    let numbers = |name: &str, arguments: &[&str]| {
        let all: Vec<&str> = [&["--quiet", "--out", name], arguments].concat();
        ends_with(&vortice(folder.path(), &tiny(&[], &all)), 0);
        let mut summary = summary(&folder.path().join(name));
        let ranks = summary["ranks"].as_u64().unwrap();
        for key in ["wall_seconds", "seconds", "cells_per_second", "ranks", "layout"] {
            summary.as_object_mut().unwrap().remove(key).unwrap();
        }
        let profiles = std::fs::read_to_string(folder.path().join(name).join("profiles.csv"));
        (ranks, summary, profiles.unwrap())
    };
    let one = numbers("one", &[]);
    for (name, arguments, ranks) in [
        ("three", &["--ranks", "3"][..], 3),
        ("layout", &["--ranks", "2x2x1"], 4),
        ("weights", &["--ranks", "2", "--set", "ranks.balance=[1,5]"], 2),
        ("measured", &["--ranks", "3", "--set", "ranks.balance=measured"], 3),
        ("list", &["--ranks", "2", "--device", "cpu,cpu"], 2),
        ("threads", &["--threads", "2"], 1),
    ] {
        let other = numbers(name, arguments);
        assert_eq!(other.0, ranks);
        assert_eq!((&other.1, &other.2), (&one.1, &one.2), "{name}");
    }
}

#[test]
fn shares_that_are_not_equal_are_told() {
    let folder = tempfile::tempdir().unwrap();
    let sets = ["run.max-steps=3", "ranks.balance=[1,5]"];
    let run = vortice(folder.path(), &tiny(&sets, &["--ranks", "2"]));
    let said = stderr(&run);
    assert!(said.contains("rank 0 gets 16.7 % of the cells, rank 1 83.3 %\n"), "{said}");
    let run = vortice(folder.path(), &tiny(&sets[..1], &["--ranks", "2"]));
    assert!(!stderr(&run).contains("of the cells"), "{}", stderr(&run));
}

#[test]
fn a_case_file_finds_the_tables_beside_it() {
    let folder = tempfile::tempdir().unwrap();
    let cavity = vortice::built_in_cases().iter().find(|(name, _)| *name == "cavity").unwrap();
    std::fs::write(folder.path().join("mine.toml"), cavity.1).unwrap();
    std::fs::create_dir(folder.path().join("references")).unwrap();
    std::fs::write(
        folder.path().join("references/own.csv"),
        "# citation: this test, on paper\n# kind: profile\n# quantity: v\n# along: x\n\
         # at: y = 0.5\nx,v\n0.5,0.0\n",
    )
    .unwrap();
    let mut arguments = tiny(&["references=[\"own\", \"ghia-1982-re100-u\"]"], &["--quiet"]);
    arguments[1] = "mine.toml";
    ends_with(&vortice(folder.path(), &arguments), 0);
    let summary = summary(&folder.path().join("out/mine"));
    assert_eq!(summary["references"][0]["name"], "own");
    assert_eq!(summary["references"][0]["points"], 1);
    assert_eq!(summary["references"][1]["name"], "ghia-1982-re100-u");
}

#[test]
fn a_cube_is_shown_where_its_table_is() {
    let folder = tempfile::tempdir().unwrap();
    let sets = ["--cells", "8x8x8", "--set", "run.until=0.1", "--quiet"];
    ends_with(&vortice(folder.path(), &[&["run", "cavity-3d"], &sets[..]].concat()), 0);
    let text = std::fs::read_to_string(folder.path().join("out/cavity-3d/profiles.csv")).unwrap();
    let of = |line: &str| text.lines().filter(|row| row.contains(line)).count();
    // Along z and x in the plane y = 0.5: eight cells and the published extremes.
    assert_eq!(of(",u,z,\"x = 0.5, y = 0.5\","), 9, "{text}");
    assert_eq!(of(",w,x,\"y = 0.5, z = 0.5\","), 10, "{text}");
    assert_eq!(text.lines().count(), 1 + 9 + 10, "{text}");
    let wrong = ["run", "cavity-3d", "--set", "output.plane=\"y = 2\""];
    let wrong = vortice(folder.path(), &wrong);
    ends_with(&wrong, 2);
    assert!(stderr(&wrong).contains("`y = 2` is no plane across the box"), "{}", stderr(&wrong));
}

#[test]
fn exact_flows_are_compared_in_every_cell() {
    let folder = tempfile::tempdir().unwrap();
    let sets = ["--set", "grid.cells=[16,16,1]", "--set", "run.until=0.05", "--quiet"];
    let arguments = [&["run", "taylor-green"], &sets[..]].concat();
    ends_with(&vortice(folder.path(), &arguments), 0);
    let summary = summary(&folder.path().join("out/taylor-green"));
    let reference = &summary["references"][0];
    assert_eq!((&reference["kind"], &reference["points"]), (&"exact".into(), &256.into()));
    let error = reference["max_error"].as_f64().unwrap();
    assert!(error > 0.0 && error < 0.05, "{error}");
}

#[test]
fn a_run_that_does_not_solve_the_pressure_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let sets = ["fdm.stop={ residual = 1e-9 }", "fdm.max-iterations=5"];
    let run = vortice(folder.path(), &tiny(&sets, &["--quiet"]));
    ends_with(&run, 0);
    let warning = "fdm.max-iterations = 5 ended the pressure iterations of";
    assert!(stderr(&run).contains(&format!("warning: {warning}")), "{}", stderr(&run));
    let summary = summary(&folder.path().join("out/cavity"));
    assert!(summary["warnings"][0].as_str().unwrap().starts_with(warning), "{summary}");
    let (steps, findings) = (summary["steps"].as_f64(), &summary["findings"]);
    assert_eq!(findings["steps ended by fdm.max-iterations"].as_f64(), steps);
    assert!(findings["largest pressure residual left"].as_f64().unwrap() > 1e-9);
}
