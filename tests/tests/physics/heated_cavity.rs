//! The tables of the heated cavity against the program that they come from.

use std::path::Path;

use crate::collocation::{Flow, Found};

/// The numbers of a table of `cases/references`, those of a row behind its words.
fn table(rayleigh: &str, kind: &str) -> Vec<Vec<f64>> {
    let name = format!("../cases/references/heated-cavity-ra{rayleigh}-{kind}.csv");
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(name);
    let text = std::fs::read_to_string(path).expect("a table");
    let rows = text.lines().filter(|line| !line.starts_with('#')).skip(1);
    rows.map(|row| row.split(',').filter_map(|word| word.parse().ok()).collect()).collect()
}

/// How far off the tables are, as shares of their values.
fn off(rayleigh: &str, found: &Found) -> f64 {
    let extrema = table(rayleigh, "extrema");
    let mut pairs = vec![(found.nusselt, table(rayleigh, "nusselt")[0][0])];
    for ((value, place), row) in [found.u, found.v].into_iter().zip(&extrema) {
        pairs.extend([(value, row[0]), (place, row[1])]);
    }
    println!("Ra {rayleigh}: {found:.8?}");
    pairs.iter().map(|(found, table)| (found / table - 1.0).abs()).fold(0.0, f64::max)
}

fn check(points: usize, all: &[(&str, f64)]) {
    let mut flow = Flow::at_rest(points - 1);
    for (name, most) in all {
        let rayleigh = name.parse().expect("a number");
        flow.solve(rayleigh);
        let off = off(name, &flow.found(rayleigh));
        println!("Ra {name}, {points} x {points} points: {off:.1e} off the tables");
        assert!(off < *most, "Ra {name}: {off:e}");
    }
}

#[test]
fn tables_of_the_heated_cavity_are_those_of_collocation() {
    check(13, &[("1e3", 2e-5)]);
}

#[test]
#[ignore = "long suite"]
fn all_tables_of_the_heated_cavity_are_those_of_collocation() {
    check(37, &[("1e3", 1e-6), ("1e4", 1e-6), ("1e5", 1e-6), ("1e6", 1e-4)]);
}
