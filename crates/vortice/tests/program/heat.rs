//! Heat, from the case file to the summary and the checkpoint.

use std::path::Path;

use vortice_output::Stored;

use crate::{ends_with, stderr, stdout, summary, vortice};

/// Some steps of the heated cavity on few cells.
fn heated(folder: &Path, method: &str, steps: u64, arguments: &[&str]) -> std::process::Output {
    let steps = format!("run.max-steps={steps}");
    let mut all = vec!["run", "heated-cavity-ra1e3", "--method", method, "--quiet"];
    all.extend(["--cells", "12x10", "--threads", "1", "--set", "run.steady=1e-9", "--set", &steps]);
    all.extend(arguments);
    vortice(folder, &all)
}

#[test]
fn walls_tell_their_heat_and_a_run_goes_on_with_its_temperature() {
    for (method, saved) in
        [("fdm", "temperature"), ("fvm", "temperature"), ("lbm", "heat-populations")]
    {
        let folder = tempfile::tempdir().unwrap();
        let out = |name: &str| folder.path().join(name);
        let whole = heated(folder.path(), method, 40, &["--out", "whole"]);
        ends_with(&whole, 1);
        assert!(stdout(&whole).contains("heat from x-low at 0.5 K: "), "{}", stdout(&whole));
        assert!(stdout(&whole).contains("heat balance: "), "{}", stdout(&whole));
        let walls = summary(&out("whole"))["heat"].clone();
        let [smallest, largest] = ["smallest", "largest"].map(|name| walls[0][name].clone());
        assert!(largest["nusselt"].as_f64() > smallest["nusselt"].as_f64(), "{walls}");
        assert_eq!((&largest["place"][0], &smallest["place"][0]), (&0.0.into(), &0.0.into()));
        let balance = &summary(&out("whole"))["heat_balance"];
        let left = balance["inflow"].as_f64().zip(balance["outflow"].as_f64());
        let (inflow, outflow) = left.expect("numbers");
        let share = (inflow - outflow) / inflow.max(outflow);
        assert!((balance["imbalance"].as_f64().expect("a share") - share).abs() < 1e-12);
        let nusselt = [0, 1].map(|wall| walls[wall]["nusselt"].as_f64().expect("a number"));
        assert!(nusselt[0] > 0.5 && nusselt[1] < -0.5, "{walls}");
        ends_with(&heated(folder.path(), method, 17, &["--out", "part", "--ranks", "2x1x1"]), 1);
        let restart = ["--out", "rest", "--restart", "part/checkpoint.h5"];
        ends_with(&heated(folder.path(), method, 40, &restart), 1);
        let state = |name: &str| {
            let stored = Stored::read(out(name).join("checkpoint.h5")).expect("a checkpoint");
            stored.state.fields[saved].clone()
        };
        assert!(state("whole") == state("rest"), "{method}");
        assert_eq!(walls, summary(&out("rest"))["heat"], "{method}");
    }
}

#[test]
fn check_tells_the_numbers_of_heat_and_what_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let checked = vortice(folder.path(), &["check", "heated-cavity-ra1e4"]);
    ends_with(&checked, 0);
    for words in ["Prandtl number", "10000 over 1 m and 1 K", "thermal layer", "heat limit"] {
        assert!(stdout(&checked).contains(words), "{words}: {}", stdout(&checked));
    }
    let on_lattice = vortice(folder.path(), &["check", "heated-cavity-ra1e4", "--method", "lbm"]);
    ends_with(&on_lattice, 0);
    assert!(stdout(&on_lattice).contains("relaxation time of heat"), "{}", stdout(&on_lattice));
    let two = ["--set", "lbm.streaming=two-lattice"];
    let refused = heated(folder.path(), "lbm", 1, &two);
    ends_with(&refused, 2);
    assert!(
        stderr(&refused).contains("`lbm` computes heat and scalars in place only"),
        "{}",
        stderr(&refused)
    );
}
