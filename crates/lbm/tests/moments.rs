//! Stored moments give what populations with the regularised collision give; any number of ranks and threads equals one; a restart
//! equals going on.

use crate::agree::same;
use crate::common::{Flow, alone, build, run, state};
use vortice_core::{Case, Context, Quantity};

const TABLE: &str = "relaxation-time = 0.55\n";

/// Velocity and pressure after some steps.
fn fields(case: &Case, steps: usize) -> [Vec<f64>; 2] {
    let mut solver = build(case, &alone());
    for _ in 0..steps {
        solver.step(f64::INFINITY).expect("a step");
    }
    [Quantity::Velocity, Quantity::Pressure].map(|q| solver.field(q).expect("a field").values)
}

#[test]
fn a_flow_is_that_of_regularised_populations() {
    let bounds = [("f64", 1e-12), ("f32", 2e-4)];
    for flow in Flow::of_moments() {
        for (precision, bound) in bounds {
            let flow = flow.precision(precision).with_lbm(TABLE);
            let moments = flow.case();
            let table = "storage = 'precision'\ncollision = 'regularised'\n";
            let populations = flow.replacing("storage = 'moments'\n", table).case();
            for steps in [0, 1, 2, 31] {
                let (found, expected) = (fields(&moments, steps), fields(&populations, steps));
                for (found, expected) in found.iter().zip(&expected) {
                    let scale = expected.iter().fold(1.0_f64, |most, x| most.max(x.abs()));
                    let differences = found.iter().zip(expected).map(|(a, b)| (a - b).abs());
                    let most = differences.fold(0.0, f64::max) / scale;
                    assert!(most < bound, "{} {precision} {steps}: {most:e}", flow.name);
                }
                let moves = expected[0].iter().any(|u| u.abs() > 1e-3);
                assert!(moves || steps == 0, "{}: nothing moves", flow.name);
            }
        }
    }
}

#[test]
fn any_number_of_ranks_gives_the_same_bits_with_moments() {
    for flow in Flow::of_moments() {
        let case = flow.with_lbm(TABLE).case();
        let one = state(&case, 9, 1, None);
        for (size, layout) in flow.layouts() {
            if (0..3).any(|d| case.grid.cells()[d] < layout[d]) {
                continue;
            }
            let other = state(&case, 9, size, Some(layout));
            same(&format!("{} on {layout:?}", flow.name), &one, &other);
        }
    }
}

#[test]
fn threads_and_restarts_leave_the_bits_of_moments() {
    for flow in Flow::of_moments() {
        let case = flow.precision("f32").with_lbm(TABLE).case();
        let through = run(&case, 13);
        let half = run(&case, 5);
        let mut solver = build(&case, &Context { threads: 2, ..Context::alone() });
        solver.step(f64::INFINITY).expect("a step");
        solver.restore(&half).expect("its own state");
        same(&format!("{}, restored", flow.name), &half, &solver.state().expect("a state"));
        for _ in 5..13 {
            solver.step(f64::INFINITY).expect("a step");
        }
        same(flow.name, &through, &solver.state().expect("a state"));
    }
}

/// What is not done is refused before a run, with the key and what to do.
#[test]
fn what_moments_do_not_do_is_refused() {
    let refused = |flow: &Flow| {
        let case = flow.with_lbm("storage = 'moments'\n").case();
        let error =
            (vortice_lbm::METHOD.check)(&case).err().map(|e| format!("{e}; {}", e.remedy()));
        let built = (vortice_lbm::METHOD.build)(&case, &alone()).err();
        assert_eq!(error.is_some(), built.is_some(), "{}", flow.name);
        error
    };
    let done = ["cavity", "vortices", "cube"];
    for flow in Flow::all() {
        match refused(&flow) {
            None => assert!(done.contains(&flow.name), "{} is not refused", flow.name),
            Some(words) => {
                assert!(!done.contains(&flow.name), "{}: {words}", flow.name);
                assert!(
                    words.contains("lbm.storage") && words.contains("\"precision\""),
                    "{words}"
                );
            }
        }
    }
    for (line, key) in [
        ("lattice = 'd3q27'", "lbm.lattice"),
        ("collision = 'trt'", "lbm.collision"),
        ("streaming = 'two-lattice'", "lbm.streaming"),
        ("threads = 128", "lbm.threads"),
    ] {
        let words = refused(&Flow::all()[0].with_lbm(&format!("{line}\n"))).expect(line);
        assert!(words.contains(key), "{words}");
    }
}
