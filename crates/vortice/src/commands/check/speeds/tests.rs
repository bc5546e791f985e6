//! What eight GPUs took, foreseen from what one and two did: benches/results/2026-11-26-eight-h200.md.

use super::*;
use crate::commands::check::machine::Machine;
use crate::commands::check::prediction::Prediction;

/// A cube by some method on GPUs.
fn cube(method: &str, n: usize) -> Case {
    let mut sets = vec![
        format!("run.method=\"{method}\""),
        format!("run.precision=\"{}\"", if method == "lbm" { "f32" } else { "f64" }),
        format!("grid={{ cells = [{n}, {n}, {n}], size = [1.0, 1.0, 1.0] }}"),
    ];
    sets.extend(match method {
        "fvm" => vec![String::from("fvm={ momentum = { sweeps = 4 }, pressure = { cycles = 1 }, multigrid = false, sequence = false }")],
        "fdm" => vec![String::from("fdm={ time-scheme = \"euler\", stop = { iterations = { first = 100, steps = 0, then = 100 } } }")],
        _ => Vec::new(),
    });
    let case = crate::open_case("cavity-3d", &sets).unwrap_or_else(|error| panic!("{error}"));
    case.device("cuda".parse::<vortice_core::Devices>().expect("devices"))
}

/// Million cell updates per second of cubes on one and two H200, 1x2x1, 2026-11-26.
fn lines(method: &str) -> Vec<Line> {
    let rows: [[f64; 2]; 3] = match method {
        "lbm" => [[21697.7, 40103.0], [23186.1, 45364.8], [24727.3, 49070.8]],
        "fvm" => [[1014.3, 1384.8], [1084.1, 1915.0], [1179.9, 2189.3]],
        _ => [[960.0, 902.2], [952.6, 1671.1], [1027.3, 2009.8]],
    };
    let line = |n: usize, ranks: usize, median: f64| {
        let words = |word: &str| String::from(word);
        let precision = words(if method == "lbm" { "f32" } else { "f64" });
        let (method, device, mlups) = (words(method), words("cuda"), Median { median });
        Line { method, device, precision, grid: [n; 3], ranks, layout: [1, ranks, 1], mlups }
    };
    let both = |(n, row): (usize, [f64; 2])| [line(n, 1, row[0]), line(n, 2, row[1])];
    [128, 256, 512].into_iter().zip(rows).flat_map(both).collect()
}

/// Seconds of a step that are foreseen.
fn foreseen(method: &str, n: usize, layout: [usize; 3]) -> f64 {
    let case = cube(method, n);
    let traffic = |cells: [usize; 3]| {
        let check = crate::registry::method(method)?.check;
        Ok(check(&cube(method, cells[0]))?.traffic)
    };
    let machine = Machine::of(&case, 8);
    let speeds = Speeds::like(lines(method), &case, true).expect("lines of one rank");
    let measured = speeds.fit(case.grid.n_cells() as f64, machine.link(), traffic);
    let machine = machine.clone().measured(measured.unwrap_or_else(|error| panic!("{error}")));
    let cut = case.decomposition(Some(layout), 8).expect("a cut");
    let traffic = traffic([n; 3]).unwrap_or_else(|error| panic!("{error}"));
    Prediction::new(case, traffic, machine).seconds(&cut)
}

#[test]
fn eight_gpus_take_what_one_and_two_let_foresee() {
    let cuts = [[1, 8, 1], [1, 1, 8], [1, 2, 4]];
    for (method, n, took) in [
        ("lbm", 1024, [5.567, 5.613, 5.565]),
        ("lbm", 512, [0.736, 0.734, 0.716]),
        ("fvm", 768, [53.67, 52.91, 50.85]),
        ("fvm", 512, [17.69, 16.69, 17.00]),
        ("fdm", 512, [18.80, 18.98, 21.16]),
    ] {
        for (cut, took) in cuts.into_iter().zip(took) {
            let told = 1e3 * foreseen(method, n, cut);
            let off = 100.0 * (told / took - 1.0);
            println!("{method} {n}^3 {cut:?}: {told:.3} ms foreseen, {took} measured, {off:+.1} %");
            assert!(off.abs() < 10.0, "{method} {n}^3 {cut:?}: {told} ms for {took}");
        }
    }
}

#[test]
fn lines_of_another_kind_are_told() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("speeds.jsonl");
    let said = |text: &str| {
        std::fs::write(&path, text).expect("a file");
        let read = Speeds::read(&path, &cube("lbm", 64), true);
        let error = read.expect_err("an error");
        format!("{error}; {}", error.remedy())
    };
    let one = r#"{ "method": "fvm", "device": "cuda", "precision": "f64", "grid": [64, 64, 64], "ranks": 1, "layout": [1, 1, 1], "mlups": { "median": 1000.0 } }"#;
    let other = said(one);
    assert!(other.contains("has no line of one rank by lbm"), "{other}");
    assert!(other.contains("--method lbm --cells 64x64x64 --json"), "{other}");
    assert!(said(&format!("{one}\nnothing")).contains("line 2: "), "{}", said("nothing"));
}
