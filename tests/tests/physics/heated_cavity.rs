//! The tables of the heated cavity against the program that they come from.

#![allow(clippy::print_stdout)] // tests print the numbers that they judge

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

/// How far off the tables are: those of the flow, as shares of their values, and that of the Nusselt numbers along the hot wall,
/// whose places are shares of the edge.
fn off(rayleigh: &str, found: &Found) -> [f64; 2] {
    println!("Ra {rayleigh}: {found:.8?}");
    let extrema = table(rayleigh, "extrema");
    let mut pairs = vec![(found.nusselt, table(rayleigh, "nusselt")[0][0])];
    for ((value, place), row) in [found.u, found.v].into_iter().zip(&extrema) {
        pairs.extend([(value, row[0]), (place, row[1])]);
    }
    let local = table(rayleigh, "local-nusselt");
    let along = [(found.largest, &local[..2]), (found.smallest, &local[2..])];
    let along = along.map(|((number, place), rows)| {
        (number / rows[0][0] - 1.0).abs().max((place - rows[1][0]).abs())
    });
    let shares = pairs.iter().map(|(found, table)| (found / table - 1.0).abs());
    [shares.fold(0.0, f64::max), along[0].max(along[1])]
}

fn check(points: usize, all: &[(&str, [f64; 2])]) {
    let mut flow = Flow::at_rest(points - 1);
    for (name, most) in all {
        let rayleigh = name.parse().expect("a number");
        flow.solve(rayleigh);
        let [of_flow, of_wall] = off(name, &flow.found(rayleigh));
        println!(
            "Ra {name}, {points} x {points} points: {of_flow:.1e} and {of_wall:.1e} off the tables"
        );
        assert!(of_flow < most[0] && of_wall < most[1], "Ra {name}: {of_flow:e} {of_wall:e}");
    }
}

#[test]
fn tables_of_the_heated_cavity_are_those_of_collocation() {
    check(13, &[("1e3", [2e-5, 1e-3])]);
}

#[test]
#[ignore = "long suite"]
fn all_tables_of_the_heated_cavity_are_those_of_collocation() {
    check(
        37,
        &[("1e3", [1e-6; 2]), ("1e4", [1e-6; 2]), ("1e5", [2e-6, 2e-5]), ("1e6", [1e-4, 1e-3])],
    );
}
