//! The numbers that the questions of the labs ask for, from what their commands left.

use std::f64::consts::PI;
use std::path::Path;

use crate::summary;

type Measured = Vec<(&'static str, f64)>;

/// A number of a run's summary, by its JSON pointer.
fn told(lab: &Path, run: &str, pointer: &str) -> f64 {
    let summary = summary(&lab.join("out").join(run));
    summary.pointer(pointer).and_then(|x| x.as_f64()).unwrap_or_else(|| panic!("{run} {pointer}"))
}

fn error(lab: &Path, run: &str) -> f64 {
    told(lab, run, "/references/0/max_error")
}

fn iterations(lab: &Path, run: &str) -> f64 {
    told(lab, run, "/iterations")
}

/// The cells of a column of a table that a run left.
fn rows(lab: &Path, path: &str, name: &str) -> Vec<String> {
    let mut table = csv::Reader::from_path(lab.join("out").join(path)).expect("a table");
    let headings = table.headers().expect("headings").clone();
    let column = headings.iter().position(|heading| heading == name).expect(name);
    table.records().map(|row| row.expect("a row")[column].to_owned()).collect()
}

/// The same as numbers.
fn column(lab: &Path, path: &str, name: &str) -> Vec<f64> {
    rows(lab, path, name).iter().map(|cell| cell.parse().expect("a number")).collect()
}

fn order(coarse: f64, fine: f64) -> f64 {
    (coarse / fine).log2()
}

pub(super) fn lab1(lab: &Path) -> Measured {
    let residual = column(lab, "above/history.csv", "residual");
    let [before, last] = [residual[residual.len() - 3], residual[residual.len() - 2]];
    let in_time = |scheme: &str| {
        let runs = [1, 2, 3].map(|n| told(lab, &format!("{scheme}-{n}"), "/energy/kinetic_energy"));
        order(runs[0] - runs[1], runs[1] - runs[2])
    };
    vec![
        ("limit", 1.0 / (2.0 * 0.1 * (4.0_f64.powi(2) + 16.0_f64.powi(2)))),
        ("growth", last / before),
        ("error-64", error(lab, "tg-64")),
        ("order-space", order(error(lab, "tg-32"), error(lab, "tg-64"))),
        ("order-euler", in_time("euler")),
        ("order-adams", in_time("adams")),
    ]
}

pub(super) fn lab2(lab: &Path) -> Measured {
    let matrix = std::fs::read_to_string(lab.join("pressure.mtx")).expect("a matrix");
    let size = matrix.lines().find(|line| !line.starts_with('%')).expect("its size");
    let entries = size.split_whitespace().nth(2).expect("three numbers").parse().expect("a number");
    let mu = 1.0 - (1.0 - (PI / 128.0).cos()) / 2.0;
    let [one, best, best_64] = ["one-32", "best-32", "best-64"].map(|run| iterations(lab, run));
    vec![
        ("entries", entries),
        ("omega-128", 2.0 / (1.0 + (1.0_f64 - mu * mu).sqrt())),
        ("gauss-seidel", one),
        ("best-32", best),
        ("ratio-fixed", iterations(lab, "fixed-64") / iterations(lab, "fixed-32")),
        ("ratio-best", best_64 / best),
        ("multigrid-64", iterations(lab, "multigrid-64")),
        ("gradients-64", iterations(lab, "gradients-64")),
    ]
}

pub(super) fn lab3(lab: &Path) -> Measured {
    let order = |scheme: &str| {
        let [coarse, fine] =
            [32, 64].map(|n| told(lab, &format!("k-{scheme}-{n}"), "/references/0/rms_error"));
        order(coarse, fine)
    };
    let length = |run: &str| told(lab, run, "/references/0/found/0/computed");
    let [middle, fine] = [length("central-16"), length("central-32")];
    let numerical = 1.0 * (1.0 / 8.0) / 2.0;
    vec![
        ("order-upwind", order("upwind")),
        ("order-central", order("central")),
        ("viscosity", numerical),
        ("length-upwind", length("upwind-16")),
        ("length-central", middle),
        ("length-quick", length("quick-16")),
        ("reynolds", 1.0 / (1.0 / 200.0 + numerical)),
        ("length-re100", length("central-re100")),
        ("richardson", fine + (fine - middle) / 3.0),
    ]
}

pub(super) fn lab4(lab: &Path) -> Measured {
    let h = 1.0 / 7.0;
    let dt = 0.1 * h / 3.0_f64.sqrt();
    let [time, lift, drag] = ["time", "cylinder.lift", "cylinder.drag"]
        .map(|name| column(lab, "street/forces.csv", name));
    let late = time.iter().position(|t| *t > 40.0).expect("late times");
    let ups: Vec<f64> = (late..time.len() - 1)
        .filter(|&n| lift[n] < 0.0 && lift[n + 1] >= 0.0)
        .map(|n| time[n] - lift[n] * (time[n + 1] - time[n]) / (lift[n + 1] - lift[n]))
        .collect();
    let (first, last) = (ups[0], ups[ups.len() - 1]);
    let in_periods = time.iter().zip(&drag).filter(|(t, _)| **t >= first && **t < last);
    let drag: Vec<f64> = in_periods.map(|(_, drag)| *drag).collect();
    let steps = |run: &str| told(lab, run, "/steps");
    vec![
        ("step", dt),
        ("tau", 0.5 + 3.0 * 0.01 * dt / (h * h)),
        ("strouhal", (ups.len() - 1) as f64 / (last - first)),
        ("drag", drag.iter().sum::<f64>() / drag.len() as f64),
        ("error-mach", error(lab, "mach-4")),
        ("steps", steps("mach-1") / steps("mach-4")),
    ]
}

pub(super) fn project1(lab: &Path) -> Measured {
    vec![("flow-16", error(lab, "fdm-16")), ("flow-32", error(lab, "fdm-32"))]
}

pub(super) fn project2(lab: &Path) -> Measured {
    let methods = rows(lab, "study/results.csv", "method").into_iter();
    let minima = methods.zip(rows(lab, "study/results.csv", "u min"));
    let minima = minima.filter(|(method, _)| method == "fvm");
    let minima: Vec<f64> = minima.map(|(_, u)| u.parse().expect("a number")).collect();
    let [coarse, middle, fine] = minima[..] else { panic!("three grids: {minima:?}") };
    let p = order(coarse - middle, middle - fine);
    let index = 1.25 / (p.exp2() - 1.0) * ((fine - middle) / fine).abs();
    vec![("order-example", p), ("index-example", index)]
}
