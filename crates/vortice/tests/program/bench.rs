//! Benchmarks of grids so small that they take no time.

use serde_json::Value;

use crate::{TINY, ends_with, stderr, stdout, vortice};

/// `bench cavity` on the tiny grid, measured for almost no time, with more settings and arguments.
fn quick<'a>(sets: &[&'a str], arguments: &[&'a str]) -> Vec<&'a str> {
    let mut all = vec!["bench", "cavity", "--seconds", "0.02"];
    TINY.iter().chain(sets).for_each(|set| all.extend(["--set", set]));
    all.extend(arguments);
    all
}

/// A number of the object; `mlups.median` lies in another.
fn number(found: &Value, name: &str) -> f64 {
    let value = name.split('.').fold(found, |value, name| &value[name]);
    value.as_f64().unwrap_or_else(|| panic!("{name} is no number in {found}"))
}

#[test]
fn the_numbers_are_one_json_object_and_belong_together() {
    let folder = tempfile::tempdir().unwrap();
    let arguments = ["--json", "--repeats", "3", "--threads", "2", "--device", "cpu"];
    let bench = vortice(folder.path(), &quick(&["run.precision=f32"], &arguments));
    ends_with(&bench, 0);
    let found: Value = serde_json::from_str(&stdout(&bench)).expect("one JSON object");
    for (name, expected) in [
        ("case", "cavity".into()),
        ("method", "fdm".into()),
        ("device", "cpu".into()),
        ("gpu", Value::Null),
        ("threads", 2.into()),
        ("precision", "f32".into()),
        ("grid", serde_json::json!([12, 12, 1])),
        ("cells", 144.into()),
        ("repeats", 3.into()),
        ("nominal_bandwidth", Value::Null),
        ("share_of_nominal", Value::Null),
    ] {
        assert_eq!(found[name], expected, "{name}");
    }
    assert!(found["steps"].as_u64().unwrap().is_power_of_two());
    for spread in ["mlups", "iterations_per_second"] {
        let of = |name: &str| number(&found, &format!("{spread}.{name}"));
        let (min, median, max) = (of("min"), of("median"), of("max"));
        assert!(0.0 < min && min <= median && median <= max, "{spread}: {found}");
        let percent = 100.0 * (max - min) / median;
        assert!((of("spread_percent") - percent).abs() < 1e-9 * percent.max(1.0), "{found}");
    }
    for name in ["iterations_per_step", "memory_bytes_per_cell", "bytes_per_cell_and_step"] {
        assert!(number(&found, name) > 0.0, "{name}");
    }
    let share = number(&found, "bytes_per_second") / number(&found, "measured_bandwidth");
    assert!(share > 0.0 && (number(&found, "share_of_measured") / share - 1.0).abs() < 1e-9);
}

#[test]
fn the_table_has_every_number_and_nothing_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let bench = vortice(folder.path(), &quick(&[], &["--repeats", "2", "--threads", "1"]));
    ends_with(&bench, 0);
    let said = stdout(&bench);
    for words in [
        "cavity (fdm, 12 x 12 cells, f64) on the processor, 1 thread, 2 x ",
        "median         min         max     spread\nMLUPS  ",
        "\niterations/s  ",
        "\nmemory        ",
        " bytes per cell and step of ",
        "\nbandwidth     ",
        " GB/s (update in place)\n",
    ] {
        assert!(said.contains(words), "{words}\n{said}");
    }
    assert!(!said.contains("nominal"), "{said}");
    assert!(stderr(&bench).starts_with("measuring cavity (fdm, 12 x 12 cells"));
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn where_the_run_would_end_does_not_end_a_benchmark() {
    let folder = tempfile::tempdir().unwrap();
    let sets = ["run.until=1e-9", "run.max-steps=1"];
    let bench = vortice(folder.path(), &quick(&sets, &["--json", "--repeats", "1"]));
    ends_with(&bench, 0);
    let found: Value = serde_json::from_str(&stdout(&bench)).unwrap();
    assert!(found["steps"].as_u64().unwrap() > 1, "{found}");
}

#[test]
fn a_flow_that_diverges_is_not_measured() {
    let folder = tempfile::tempdir().unwrap();
    let bench = vortice(folder.path(), &quick(&["fdm.dt=0.5"], &["--json"]));
    ends_with(&bench, 1);
    assert_eq!(stdout(&bench), "");
    for word in ["diverged at step", "in cell [", "smaller time step", "grid.cells"] {
        assert!(stderr(&bench).contains(word), "{word}: {}", stderr(&bench));
    }
}

#[test]
fn ranks_are_measured_together_and_the_grid_may_grow_with_them() {
    let folder = tempfile::tempdir().unwrap();
    let numbers = |method: &str, arguments: &[&str]| -> Value {
        let all = [arguments, &["--json", "--repeats", "2", "--threads", "1"]].concat();
        let bench = vortice(folder.path(), &quick(&[&format!("run.method={method}")], &all));
        ends_with(&bench, 0);
        serde_json::from_str(&stdout(&bench)).expect("one JSON object")
    };
    for method in ["fdm", "fvm", "lbm"] {
        let found = numbers(method, &["--ranks", "3"]);
        assert_eq!(found["grid"], serde_json::json!([12, 12, 1]));
        assert_eq!((&found["ranks"], &found["threads"]), (&3.into(), &3.into()));
        assert_eq!(found["cells_per_rank"], serde_json::json!([48, 48]));
        assert!(number(&found, "mlups.median") > 0.0);
        let weak = numbers(method, &["--ranks", "2x1", "--weak"]);
        assert_eq!(weak["grid"], serde_json::json!([24, 12, 1]));
        assert_eq!(weak["layout"], serde_json::json!([2, 1, 1]));
        assert_eq!(weak["cells_per_rank"], serde_json::json!([144, 144]));
    }
}
