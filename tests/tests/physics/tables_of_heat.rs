//! Tables of convection against the program that they come from.

#![allow(clippy::print_stdout)] // tests print the numbers that they judge

use std::path::Path;

use crate::collocation::Flow;

/// The numbers of a table of `cases/references`, those of each row behind its words.
fn table(name: &str) -> Vec<Vec<f64>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../cases/references");
    let text = std::fs::read_to_string(folder.join(format!("{name}.csv"))).expect("a table");
    let rows = text.lines().filter(|line| !line.starts_with('#')).skip(1);
    rows.map(|row| row.split(',').filter_map(|word| word.parse().ok()).collect()).collect()
}

/// The largest difference of pairs, a share of the second of each.
fn expect(name: &str, pairs: &[(f64, f64)], most: f64) {
    let off = pairs.iter().map(|(found, table)| (found / table - 1.0).abs()).fold(0.0, f64::max);
    println!("{name}: {off:.1e} off the tables");
    assert!(off < most, "{name}: {off:e}, {pairs:?}");
}

/// The cavity on so many points in each direction: means and velocities, and the local numbers.
fn cavity(points: usize, all: &[(&str, [f64; 2])]) {
    let mut flow = Flow::cavity(points - 1);
    for (number, [most, most_local]) in all {
        let rayleigh = number.parse().expect("a number");
        flow.solve(rayleigh);
        let (found, name) = (flow.found(rayleigh), format!("heated-cavity-ra{number}"));
        let [extrema, mean, local] =
            ["extrema", "nusselt", "local-nusselt"].map(|kind| table(&format!("{name}-{kind}")));
        let mut pairs = vec![(found.nusselt, mean[0][0])];
        for ((value, place), row) in [found.u, found.v].into_iter().zip(&extrema) {
            pairs.extend([(value, row[0]), (place, row[1])]);
        }
        expect(&name, &pairs, *most);
        let local = [found.largest.0, found.largest.1, found.smallest.0, found.smallest.1]
            .into_iter()
            .zip(local.iter().map(|row| row[0]));
        expect(&format!("{name}, local"), &local.collect::<Vec<_>>(), *most_local);
    }
}

/// Rolls by so many half waves and on so many points, from one Rayleigh number to the next.
fn rolls(half_waves: usize, points: usize, all: &[&str], most: f64) {
    let mut flow = Flow::roll(half_waves, points - 1);
    for number in all {
        flow.solve(number.parse().expect("a number"));
        let name = format!("rayleigh-benard-ra{number}-nusselt");
        expect(&name, &[(flow.nusselt(), table(&name)[0][0])], most);
    }
}

#[test]
fn tables_of_slow_convection_are_those_of_collocation() {
    cavity(13, &[("1e3", [2e-5, 0.01])]);
    rolls(6, 13, &["3000", "2000"], 2e-4);
}

#[test]
#[ignore = "long suite"]
fn tables_of_convection_are_those_of_collocation() {
    let cavities = [
        ("1e3", [1e-6, 1e-5]),
        ("1e4", [1e-6, 1e-5]),
        ("1e5", [3e-6, 2e-4]),
        ("1e6", [1e-4, 5e-3]),
    ];
    cavity(37, &cavities);
    rolls(16, 29, &["3000", "2500", "2000"], 1e-6);
    rolls(20, 33, &["3000", "5000", "10000", "20000", "30000", "50000"], 2e-5);
}
