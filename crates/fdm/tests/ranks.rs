//! The same bits on any number and layout of ranks, with any order of sweeps, and after a restart.

use std::sync::Arc;

use crate::common::{
    after, backwards, case, cavity, convective, pulse, solver, step, taylor_green,
};
use crate::turns::in_turn;
use vortice_core::{Communicator, Context, Threads};

const LAYOUTS: [[usize; 3]; 9] = [
    [2, 1, 1],
    [1, 2, 1],
    [3, 1, 1],
    [1, 3, 1],
    [2, 2, 1],
    [4, 2, 1],
    [1, 8, 1],
    [8, 1, 1],
    [2, 4, 1],
];

/// Flows that together meet every boundary, solids, both precisions and all stopping rules.
fn flows() -> Vec<(&'static str, String, Vec<[usize; 3]>)> {
    let plane = LAYOUTS.to_vec();
    let space = vec![[1, 1, 2], [2, 1, 1], [1, 3, 1], [2, 2, 1], [2, 2, 2], [1, 2, 4], [8, 1, 1]];
    let f32s = "precision = \"f32\"\n";
    vec![
        (
            "cavity",
            cavity([17, 13, 1], 100.0, "[fdm]\nstop = { residual = 1e-4 }\n"),
            plane.clone(),
        ),
        ("Euler", cavity([17, 13, 1], 100.0, "[fdm]\ntime-scheme = \"euler\"\n"), plane.clone()),
        ("cavity f32", cavity([17, 13, 1], 100.0, f32s), plane.clone()),
        ("donor cell", cavity([16, 16, 1], 400.0, "[fdm]\ngamma = \"auto\"\n"), plane.clone()),
        (
            "rms",
            cavity([16, 11, 1], 400.0, "[fdm]\nstop = { residual-rms = 1e-4 }\n"),
            plane.clone(),
        ),
        ("step", step([32, 12, 1], "[fdm]\nstop = { change = 1e-5 }\n"), plane.clone()),
        ("pulse", pulse([32, 12, 1], ""), plane.clone()),
        (
            "step f32",
            step([33, 12, 1], "precision = \"f32\"\n[fdm]\nstop = { iterations = 7 }\n"),
            plane.clone(),
        ),
        ("ranks one cell wide", backwards([8, 9, 1], ""), vec![[8, 1, 1], [4, 3, 1], [1, 9, 1]]),
        ("convective outlet", convective(&step([32, 12, 1], "")), plane.clone()),
        (
            "convective outlet, f32",
            convective(&backwards([24, 9, 1], f32s)),
            vec![[3, 1, 1], [2, 3, 1]],
        ),
        (
            "convective outlet, multigrid",
            convective(&step([32, 12, 1], "[fdm]\npressure = { multigrid-cg = {} }\n")),
            vec![[2, 1, 1], [2, 2, 1]],
        ),
        ("convective outlet in space", convective(&step([16, 8, 6], "")), space.clone()),
        ("vortices", taylor_green(16, 0.1, ""), plane),
        ("cube", cavity([9, 8, 11], 100.0, ""), space.clone()),
        ("step in space", step([24, 10, 8], "[fdm]\ngamma = 0.5\n"), space.clone()),
        ("pulse in space", pulse([24, 10, 8], ""), space.clone()),
        ("step in space f32", step([24, 10, 8], f32s), space.clone()),
        (
            "multigrid",
            cavity([38, 33, 1], 100.0, "[fdm]\npressure = { multigrid-cg = {} }\n"),
            LAYOUTS.to_vec(),
        ),
        ("cycles", taylor_green(16, 0.1, "[fdm]\npressure = { cycles = 2 }\n"), LAYOUTS.to_vec()),
        ("step by Jacobi", step([32, 16, 16], "[fdm]\npressure = { jacobi-cg = {} }\n"), space),
    ]
}

/// Every second layout of each flow, in turn; all in the long suite.
#[test]
fn any_layout_gives_the_bits_of_one_rank() {
    let mut compared = 0;
    for (number, (name, text, layouts)) in flows().into_iter().enumerate() {
        let alone = after(&text, [1, 1, 1], 12);
        assert!(alone.0.values.iter().any(|&u| u != 0.0), "{name} moves");
        for layout in in_turn(layouts, number, 2) {
            assert!(after(&text, layout, 12) == alone, "{name} on {layout:?} ranks differs");
            compared += alone.0.values.len() + alone.1.values.len();
        }
    }
    println!("{compared} values compared, 0 differ");
}

#[test]
fn the_order_of_sweeps_and_the_number_of_threads_do_not_change_a_bit() {
    for (name, text, _) in flows().into_iter().filter(|(_, text, _)| !text.contains("pressure =")) {
        let with_kernel = |kernel: &str| {
            let key = format!("kernel = \"{kernel}\"\n");
            if text.contains("[fdm]") { text.clone() + &key } else { format!("{text}[fdm]\n{key}") }
        };
        let plain = after(&with_kernel("plain"), [1, 1, 1], 9);
        assert!(after(&with_kernel("fused"), [1, 1, 1], 9) == plain, "{name}");
    }
    // Large enough for threads to share the rows.
    let text = cavity([640, 330, 1], 1000.0, "[fdm]\nstop = { iterations = 3 }\n");
    let case = case(&text);
    let state_with = |threads: usize| {
        let context = vortice_core::Context { threads, ..vortice_core::Context::alone() };
        let mut solver = (vortice_fdm::METHOD.build)(&case, &context).expect("a solver");
        for _ in 0..3 {
            solver.step(f64::INFINITY).expect("a step");
        }
        solver.state().expect("a state")
    };
    assert!(state_with(3) == state_with(1));
}

#[test]
fn stop_and_go_on_equals_one_long_run() {
    for (name, text, _) in flows() {
        let case = case(&text);
        let mut long = solver(&case);
        for _ in 0..7 {
            long.step(f64::INFINITY).expect("a step");
        }
        let saved = long.state().expect("a state");
        let mut resumed = solver(&case);
        resumed.restore(&saved).expect("the same case");
        for _ in 0..6 {
            long.step(f64::INFINITY).expect("a step");
            resumed.step(f64::INFINITY).expect("a step");
        }
        assert!(long.state().expect("a state") == resumed.state().expect("a state"), "{name}");
        assert_eq!(long.now(), resumed.now());
    }
}

/// Findings and warnings on a layout of ranks after some steps, with a restart before step `restart`.
fn said(text: &str, layout: [usize; 3], restart: u64) -> (Vec<(String, f64)>, Vec<String>) {
    let case = case(text);
    let answers = Threads::run(layout.iter().product(), |rank| {
        let ranks: Arc<dyn Communicator> = Arc::new(rank);
        let context = Context { layout: Some(layout), threads: 1, ranks };
        let build = || (vortice_fdm::METHOD.build)(&case, &context);
        let mut solver = build()?;
        for step in 0..8 {
            if step == restart {
                let state = solver.state()?;
                solver = build()?;
                solver.restore(&state)?;
            }
            solver.step(f64::INFINITY)?;
        }
        Ok((solver.findings()?, solver.warnings()))
    });
    answers.expect("a run").swap_remove(0)
}

#[test]
fn steps_that_do_not_solve_the_pressure_are_counted_alike_everywhere_and_after_a_restart() {
    for rule in ["residual = 1e-9", "residual-rms = 1e-9", "change = 1e-9"] {
        let text = |most: u32| {
            let keys = format!("[fdm]\nstop = {{ {rule} }}\nmax-iterations = {most}\n");
            cavity([16, 12, 1], 100.0, &keys)
        };
        let alone = said(&text(20), [1, 1, 1], u64::MAX);
        let (findings, warnings) = &alone;
        println!("{findings:?} {warnings:?}");
        assert_eq!(findings[0], ("steps ended by fdm.max-iterations".into(), 8.0));
        assert!(findings[1].1 > 1e-9 && findings[1].1 < 1.0, "{findings:?}");
        let [warning] = &warnings[..] else { panic!("{warnings:?}") };
        assert!(warning.contains("fdm.max-iterations = 20 ended") && warning.contains("8 of 8"));
        for (layout, restart) in [([3, 2, 1], u64::MAX), ([1, 1, 1], 3), ([2, 1, 1], 5)] {
            assert_eq!(said(&text(20), layout, restart), alone, "{rule} {layout:?} {restart}");
        }
        let (findings, warnings) = said(&text(100_000), [1, 1, 1], u64::MAX);
        assert_eq!(findings, [("steps ended by fdm.max-iterations".into(), 0.0)]);
        assert!(warnings.is_empty());
    }
}

#[test]
fn iterations_that_are_counted_out_are_a_fact_and_no_warning() {
    let keys = "[fdm]\nstop = { iterations = { first = 9, steps = 3, then = 5 } }\n";
    let (findings, warnings) = said(&cavity([16, 12, 1], 100.0, keys), [1, 1, 1], u64::MAX);
    assert_eq!(findings, [("pressure iterations of a step, not tested".into(), 5.0)]);
    assert!(warnings.is_empty());
}

#[test]
fn a_run_by_euler_goes_on_by_adams_and_bashforth_and_the_other_way() {
    let with = |scheme: &str| {
        solver(&case(&cavity([12, 12, 1], 100.0, &format!("[fdm]\ntime-scheme = \"{scheme}\"\n"))))
    };
    for [before, after] in [["euler", "adams-bashforth"], ["adams-bashforth", "euler"]] {
        let (mut one, mut other) = (with(before), with(after));
        for _ in 0..5 {
            one.step(f64::INFINITY).expect("a step");
        }
        other.restore(&one.state().expect("a state")).expect("the same flow");
        let steps: Vec<_> = (0..4).map(|_| other.step(f64::INFINITY).expect("a step")).collect();
        assert!(steps.iter().all(|step| step.residual.is_finite() && step.number > 5));
    }
}

#[test]
fn steps_do_not_grow_much_after_a_short_one_and_leave_no_short_rest() {
    let text = cavity([12, 12, 1], 100.0, "[fdm]\ntime-scheme = \"adams-bashforth\"\ndt = 0.01\n");
    let mut solver = solver(&case(&text));
    let mut lengths = Vec::new();
    for latest in [0.02, 0.021, 0.021 + 1e-10, 0.036, 0.1] {
        while solver.now().time < latest {
            lengths.push(solver.step(latest).expect("a step").dt);
        }
        assert_eq!(solver.now().time, latest);
    }
    println!("{lengths:?}");
    let expected = [10.0, 10.0, 1.0, 1e-7, 7.5, 7.5];
    assert!(lengths.iter().zip(expected).all(|(dt, ms)| (dt * 1e3 / ms - 1.0).abs() < 1e-5));
    let growth = lengths.windows(2).filter(|pair| pair[0] > 1e-9).map(|pair| pair[1] / pair[0]);
    assert!(growth.fold(0.0, f64::max) < 2.0 + 1e-9);
}

#[test]
fn a_state_of_another_grid_or_precision_is_refused() {
    let mut solver64 = solver(&case(&cavity([8, 8, 1], 100.0, "")));
    let other = solver(&case(&cavity([8, 9, 1], 100.0, ""))).state().expect("a state");
    let single =
        solver(&case(&cavity([8, 8, 1], 100.0, "precision = \"f32\""))).state().expect("a state");
    assert!(solver64.restore(&other).unwrap_err().to_string().contains("cells"));
    assert!(solver64.restore(&single).unwrap_err().to_string().contains("f64"));
}
