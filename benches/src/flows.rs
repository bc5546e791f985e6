//! The flows that are timed.

use vortice_core::Case;

/// Menenguci's steps and those of every earlier measurement.
const EULER: &str = "time-scheme = \"euler\"\n";

/// A cavity at Re 1000 whose lid moves in x, by Euler's steps; `run` and `fdm` are lines of these
/// tables.
pub fn cavity(cells: [usize; 3], precision: &str, run: &str, fdm: &str) -> Case {
    let fdm = format!("{EULER}{fdm}");
    cavity_by("fdm", cells, &format!("precision = \"{precision}\", {run}"), &fdm)
}

/// The same by any method, with lines of its table.
pub fn cavity_by(method: &str, cells: [usize; 3], run: &str, table: &str) -> Case {
    let [n, m, l] = cells;
    let z = if l == 1 { "\"periodic\"" } else { "\"wall\"" };
    let text = format!(
        "title = \"cavity\"\n\
         grid = {{ cells = [{n}, {m}, {l}], size = [1.0, 1.0, 1.0] }}\n\
         fluid = {{ viscosity = 1e-3 }}\n\
         run = {{ method = \"{method}\", {run} }}\n\
         [boundary]\nx-low = \"wall\"\nx-high = \"wall\"\ny-low = \"wall\"\n\
         y-high = {{ wall = {{ velocity = [1.0, 0.0, 0.0] }} }}\nz-low = {z}\nz-high = {z}\n\
         [{method}]\n{table}"
    );
    Case::parse(&text, "bench").expect("a case")
}

/// The backward-facing step of Griebel et al. (1998) on 512 x 128 cells, Re 100, with as many SOR
/// iterations as Menenguci et al. (2011) needed for a sibling of this flow (29 long instead of 30, another
/// start and stopping rule): what is measured is the time of iterations, at the cap of each step, not
/// their flow.
pub fn step(precision: &str, fdm: &str) -> Case {
    let text =
        include_str!("../../cases/step-griebel.toml").to_string() + "\n[fdm]\n" + EULER + fdm;
    let sets = [
        format!("run.precision=\"{precision}\""),
        "run.until=1e9".to_string(),
        "fdm.stop={ residual = 1e-3 }".to_string(),
        "fdm.over-relaxation=1.7".to_string(),
    ];
    Case::parse(&text, "step-griebel").and_then(|case| case.with(&sets)).expect("a case")
}
