//! Velocities over time from tables in files beside the case.

use std::path::Path;

use vortice_core::{Case, Error, Side, flow_keys};

const CASE: &str = r#"title = "Channel"
grid = { cells = [8, 4, 1], size = [4.0, 2.0, 0.5] }
fluid = { viscosity = 1e-2 }
run = { until = 4.0 }
[boundary]
x-low = { inflow = { velocity = { file = "inflow.csv" } } }
x-high = "outflow"
y-low = "wall"
y-high = "wall"
z-low = "periodic"
z-high = "periodic"
"#;

/// The case with something replaced, beside a table.
fn read(folder: &Path, table: &str, from: &str, to: &str) -> Result<Case, Error> {
    assert!(CASE.contains(from), "{from}");
    std::fs::write(folder.join("inflow.csv"), table).expect("a table");
    let path = folder.join("case.toml");
    std::fs::write(&path, CASE.replacen(from, to, 1)).expect("a case");
    Case::read(path)
}

/// Velocity at x-low at a time in s.
fn at(case: &mut Case, time: f64) -> [f64; 3] {
    let face = case.at(time).boundaries.at(0, Side::Low);
    let point = face.velocity_at([0.0, 0.3, 0.2]).expect("a velocity");
    let patch = face.velocity([0.0, 0.3, 0.0], [0.0, 0.9, 0.5]);
    assert_eq!(patch, Some(point), "it is the same on the whole face");
    point
}

#[test]
fn a_table_is_straight_between_its_rows() {
    let folder = tempfile::tempdir().unwrap();
    let table = "# m/s\nt, v, u\n0, 0, 1\n1, 0.5, 3\n4.0, -0.25, 2\n";
    let mut case = read(folder.path(), table, "", "").unwrap();
    for (time, velocity) in [
        (0.0, [1.0, 0.0, 0.0]),
        (0.5, [2.0, 0.25, 0.0]),
        (1.0, [3.0, 0.5, 0.0]),
        (4.0, [2.0, -0.25, 0.0]),
        // A step may go beyond the end of the run.
        (4.1, [2.0, -0.25, 0.0]),
    ] {
        assert_eq!(at(&mut case, time), velocity, "at {time}");
    }
    let face = case.boundaries.at(0, Side::Low);
    assert!(face.changes());
    assert_eq!(face.largest_velocity(), Some([3.0, 0.5, 0.0]));
    assert_eq!(face.speed(), 9.25_f64.sqrt());
    assert_eq!(case.scale.velocity, face.speed());
}

#[test]
fn a_peak_between_two_looks_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let table = "t,u\n0,1\n1.0001,1\n1.0002,7\n1.0003,1\n10,1\n";
    let case = read(folder.path(), table, "", "").unwrap();
    assert_eq!(case.boundaries.at(0, Side::Low).speed(), 7.0);
    // Later than the run it does not count.
    let case = read(folder.path(), table, "until = 4.0", "until = 0.5").unwrap();
    assert_eq!(case.boundaries.at(0, Side::Low).speed(), 1.0);
    let repeated = "t,u\n-0.75,7\n-0.5,1\n0.25,7\n";
    let short = |until: &str| {
        let file = "file = \"inflow.csv\"";
        let text = CASE.replacen("until = 4.0", until, 1);
        let text = text.replacen(file, &format!("{file}, repeat = true"), 1);
        std::fs::write(folder.path().join("inflow.csv"), repeated).unwrap();
        std::fs::write(folder.path().join("case.toml"), text).unwrap();
        Case::read(folder.path().join("case.toml")).unwrap()
    };
    assert_eq!(short("until = 4.0").boundaries.at(0, Side::Low).speed(), 7.0);
    assert!(short("until = 0.125").boundaries.at(0, Side::Low).speed() < 6.1);
}

#[test]
fn a_table_repeats_itself() {
    let folder = tempfile::tempdir().unwrap();
    let file = "file = \"inflow.csv\"";
    let repeated = format!("{file}, repeat = true");
    let mut case = read(folder.path(), "t,u\n0,1\n0.5,2\n1,1\n", file, &repeated).unwrap();
    for time in [0.0, 1.0, 3.0] {
        assert_eq!(at(&mut case, time)[0], 1.0);
        assert_eq!(at(&mut case, time + 0.25)[0], 1.5);
        assert_eq!(at(&mut case, time + 0.5)[0], 2.0);
    }
}

#[test]
fn another_table_is_another_flow_and_another_name_is_not() {
    let folder = tempfile::tempdir().unwrap();
    let keys = |table: &str, from: &str, to: &str| {
        flow_keys(&read(folder.path(), table, from, to).unwrap())
    };
    let table = "t,u\n0,1\n4,2\n";
    let good = keys(table, "", "");
    assert_ne!(keys("t,u\n0,1\n4,2.5\n", "", ""), good);
    assert_ne!(keys("t,u\n0,1\n5,2\n", "", ""), good);
    // Comments and spelling do not count.
    assert_eq!(keys("# by hand\nt,u\n0.0,1.0\n4e0,2\n", "", ""), good);
    std::fs::create_dir(folder.path().join("tables")).unwrap();
    std::fs::write(folder.path().join("tables/pulse.csv"), table).unwrap();
    assert_eq!(keys("", "inflow.csv", "tables/pulse.csv"), good);
    // What is set keeps the folder.
    let case = read(folder.path(), table, "", "").unwrap();
    let set = case.with(&["fluid.viscosity=0.02".to_owned()]).unwrap();
    assert_eq!(set.boundaries, case.boundaries);
}

/// What is in the table, what is replaced by what in the case; key, part of the problem, part of the remedy.
type Row = [&'static str; 6];

#[rustfmt::skip]
const WRONG: &[Row] = &[
    ["t,u\n0,1\n4,x\n", "", "", "boundary.x-low.inflow.velocity.file", "`inflow.csv`, line 3: u is `x`", "1e-3"],
    ["t,u\n0,1\n", "", "", "boundary.x-low.inflow.velocity.file", "`inflow.csv`: it has one row", "two rows"],
    ["t,u\n0,1\n3,2\n", "", "", "boundary.x-low.inflow.velocity.file", "`inflow.csv` ends at 3 s, the run at 4 s", "repeat = true"],
    ["t,u\n1,1\n5,2\n", "", "", "boundary.x-low.inflow.velocity.file", "`inflow.csv` begins at 1 s, the run at 0 s", "row of t = 0"],
    ["t,u\n0,1\n1,2\n", "csv\"", "csv\", repeat = true", "boundary.x-low.inflow.velocity.file", "ends with another u than it begins with", "a period later"],
    ["t,u\n0,1\n5,2\n", "inflow.csv", "none.csv", "boundary.x-low.inflow.velocity.file", "`none.csv` is not there: no file", "folder of the case file"],
    ["t,u\n0,1\n5,2\n", "inflow.csv", "", "boundary.x-low.inflow.velocity.file", "`` is a folder", "folder of the case file"],
    ["t,u\n0,1\n5,2\n", "inflow.csv", "/dev/zero", "boundary.x-low.inflow.velocity.file", "`/dev/zero` is a pipe or a device", "folder of the case file"],
    ["t,u\n0,1\n5,2\n", "file =", "fil =", "boundary.x-low.inflow.velocity.fil", "fil", "did you mean `file`"],
    ["t,u\n0,1\n5,2\n", "file = \"inflow.csv\"", "repeat = true", "boundary.x-low.inflow.velocity.file", "missing", "a table over time"],
    ["t,u\n0,1\n5,2\n", "csv\"", "csv\", repeat = 1", "boundary.x-low.inflow.velocity.repeat", "integer `1`", "begins anew"],
    ["t,u\n0,1\n5,2\n", "{ file = \"inflow.csv\" }", "\"inflow.csv\"", "boundary.x-low.inflow.velocity", "expected three numbers or formulas, or a table over time", "in m/s"],
    ["t,u\n0,1\n5,2\n", "until = 4.0", "until = \"steady\"", "boundary.x-low.inflow.velocity", "`inflow.csv` changes with time", "run.until"],
    ["t,u\n0,1\n5,2\n", "csv\" }", "csv\" }, profile = \"uniform\"", "boundary.x-low.inflow.profile", "a velocity that a table gives", "whole face"],
    ["t,v\n0,1\n5,2\n", "", "", "boundary.x-low.inflow.velocity", "0 m/s in x does not point", "positive x"],
    ["t,u\n0,-1\n5,-1\n", "", "", "boundary.x-low.inflow.velocity", "-1 m/s in x does not point", "positive x"],
    ["t,u,w\n0,1,0\n5,1,1\n", "", "", "boundary.x-low.inflow.velocity", "third component is not zero", "more than one cell"],
    ["t,u,v\n0,1,1\n5,1,0\n", "y-low = \"wall\"", "y-low = { wall = { velocity = { file = \"inflow.csv\" } } }", "boundary.y-low.wall.velocity", "a table in y, out of the wall's own plane", "moves in its plane"],
    ["t,u\n0,1\n5,2\n", "x-high = \"outflow\"", "x-high = { outflow = { convective = true } }", "boundary.x-high", "through x-low changes with time", "\"outflow\""],
];

#[test]
fn every_wrong_table_is_answered_with_its_line_and_a_remedy() {
    let folder = tempfile::tempdir().unwrap();
    let mut failures = Vec::new();
    for [table, from, to, key, problem, remedy] in WRONG {
        let Err(error) = read(folder.path(), table, from, to) else {
            failures.push(format!("{table:?}, `{from}` -> `{to}`: accepted"));
            continue;
        };
        let Error::Case { key: k, problem: p, remedy: r, place } = &error else {
            panic!("{table:?}: {error:?}");
        };
        let right = k == key && p.contains(problem) && r.contains(remedy) && place.is_some();
        if !right || error.exit_code() != 2 {
            failures.push(format!("{table:?}, `{from}` -> `{to}`:\n    {k}: {p}\n    {r}"));
        }
    }
    std::fs::write(folder.path().join("inflow.csv"), b"t,u\n0,\xf6\n").unwrap();
    let error = Case::read(folder.path().join("case.toml")).unwrap_err();
    assert!(error.to_string().contains("is no text: byte 6 is not UTF-8"), "{error}");
    let error = Case::parse(CASE, "text").unwrap_err();
    assert!(error.to_string().contains("lies beside no case file"), "{error}");
    assert!(failures.is_empty(), "{} of {}:\n{}", failures.len(), WRONG.len(), failures.join("\n"));
}
