//! The targets that `fuzz/run` lets the compiler's coverage lead, on good inputs and on inputs that are changed at random, the same ones each
//! time: what comes from outside must never make the program panic.

mod mutation;

#[path = "../../../fuzz/src/targets/case.rs"]
mod case;
#[path = "../../../fuzz/src/targets/checkpoint.rs"]
mod checkpoint;
#[path = "../../../fuzz/src/targets/checks.rs"]
mod checks;
#[path = "../../../fuzz/src/targets/formula.rs"]
mod formula;
#[path = "../../../fuzz/src/targets/resealed.rs"]
mod resealed;
#[path = "../../../fuzz/src/targets/run.rs"]
mod run;
#[path = "../../../fuzz/src/targets/stl.rs"]
mod stl;
#[path = "../../../fuzz/src/targets/tables.rs"]
mod tables;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

use mutation::Mutation;

fn top() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// All files of a folder with this ending, in the order of their names.
fn files(folder: &str, ending: &str) -> Vec<Vec<u8>> {
    let entries = std::fs::read_dir(top().join(folder)).expect("a folder").flatten();
    let mut paths: Vec<_> = entries.map(|entry| entry.path()).collect();
    paths.retain(|path| path.extension().is_some_and(|found| found == ending));
    paths.sort();
    assert!(!paths.is_empty(), "{folder} has no .{ending}");
    paths.iter().map(|path| std::fs::read(path).expect("a file")).collect()
}

/// Gives a target good inputs, and so many that are changed; one that fails is written to a file.
fn try_all(name: &str, good: &[Vec<u8>], changed: usize, target: impl Fn(&[u8])) {
    let mut mutation = Mutation::new(good);
    for number in 0..good.len() + changed {
        let input = good.get(number).cloned().unwrap_or_else(|| mutation.next());
        if catch_unwind(AssertUnwindSafe(|| target(&input))).is_err() {
            let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}-{number}"));
            std::fs::write(&path, &input).expect("a file is written");
            panic!("{name}: input {number} fails, and is kept as {}", path.display());
        }
    }
}

/// The same of a target that takes texts alone.
fn try_texts(name: &str, good: &[Vec<u8>], changed: usize, target: impl Fn(&str)) {
    try_all(name, good, changed, |input| target(&String::from_utf8_lossy(input)));
}

#[test]
fn cases() {
    try_texts("case", &files("cases", "toml"), 10_000, case::target);
}

#[test]
fn checkpoints() {
    // The first byte says how a good one is changed.
    let good: Vec<Vec<u8>> = (0..4).map(|how| vec![how, 17, 2, 9, 200, 3]).collect();
    try_all("checkpoint", &good, 5000, checkpoint::target);
}

#[test]
fn formulas_and_tables_over_time() {
    let written = [
        "4*1.5*y*(0.41 - y)/0.41^2*sin(pi*t/8)",
        "max(1, atan2(y, -x)) - 2e-3^z",
        "step(t - 1)*sqrt(abs(z))",
    ];
    let mut good = files("cases/inflow", "csv");
    good.extend(written.map(|formula| formula.as_bytes().to_vec()));
    try_all("formula", &good, 2000, formula::target);
}

#[test]
fn surfaces() {
    let good = std::fs::read(top().join("fuzz/tetrahedron.stl")).expect("a surface");
    try_all("stl", &[good], 50_000, stl::target);
}

#[test]
fn files_of_checks() {
    try_texts("checks", &files("cases/validation", "toml"), 100, checks::target);
}

#[test]
fn reference_tables() {
    try_all("tables", &files("cases/references", "csv"), 3000, tables::target);
}

#[test]
fn changed_states() {
    let good: Vec<Vec<u8>> =
        (0..30).map(|n| [&[n % 3, n % 10, n][..], &1e-3_f64.to_le_bytes()].concat()).collect();
    try_all("resealed", &good, 300, resealed::target);
}

#[test]
fn settings_of_runs() {
    let lines = std::fs::read_to_string(top().join("fuzz/settings.txt")).expect("settings");
    let good = lines.lines().enumerate().map(|(number, line)| {
        // By each method in turn, in the plane and in space.
        let line = line.replace(';', "\n");
        [&[(number % 3) as u8, 4, (number / 3 % 2) as u8][..], line.as_bytes()].concat()
    });
    try_all("run", &good.collect::<Vec<_>>(), 1000, run::target);
}
