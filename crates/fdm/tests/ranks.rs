//! The same bits on any number and layout of ranks, with any order of sweeps, and after a restart.
#![allow(clippy::print_stdout)] // tests print the numbers that they judge

mod common;

use common::{after, backwards, case, cavity, solver, step, taylor_green};

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
        ("cavity f32", cavity([17, 13, 1], 100.0, f32s), plane.clone()),
        ("donor cell", cavity([16, 16, 1], 400.0, "[fdm]\ngamma = \"auto\"\n"), plane.clone()),
        (
            "rms",
            cavity([16, 11, 1], 400.0, "[fdm]\nstop = { residual-rms = 1e-4 }\n"),
            plane.clone(),
        ),
        ("step", step([32, 12, 1], "[fdm]\nstop = { change = 1e-5 }\n"), plane.clone()),
        (
            "step f32",
            step([33, 12, 1], "precision = \"f32\"\n[fdm]\nstop = { iterations = 7 }\n"),
            plane.clone(),
        ),
        ("ranks one cell wide", backwards([8, 9, 1], ""), vec![[8, 1, 1], [4, 3, 1], [1, 9, 1]]),
        ("vortices", taylor_green(16, 0.1, ""), plane),
        ("cube", cavity([9, 8, 11], 100.0, ""), space.clone()),
        ("step in space", step([24, 10, 8], "[fdm]\ngamma = 0.5\n"), space.clone()),
        ("step in space f32", step([24, 10, 8], f32s), space),
    ]
}

#[test]
fn any_layout_gives_the_bits_of_one_rank() {
    let mut compared = 0;
    for (name, text, layouts) in flows() {
        let alone = after(&text, [1, 1, 1], 12);
        assert!(alone.0.values.iter().any(|&u| u != 0.0), "{name} moves");
        for layout in layouts {
            assert!(after(&text, layout, 12) == alone, "{name} on {layout:?} ranks differs");
            compared += alone.0.values.len() + alone.1.values.len();
        }
    }
    println!("{compared} values compared, 0 differ");
}

#[test]
fn the_order_of_sweeps_and_the_number_of_threads_do_not_change_a_bit() {
    for (name, text, _) in flows() {
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
        solver.save().expect("a state")
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
        let saved = long.save().expect("a state");
        let mut resumed = solver(&case);
        resumed.restore(&saved).expect("the same case");
        for _ in 0..6 {
            long.step(f64::INFINITY).expect("a step");
            resumed.step(f64::INFINITY).expect("a step");
        }
        assert!(long.save().expect("a state") == resumed.save().expect("a state"), "{name}");
        assert_eq!(long.now(), resumed.now());
    }
}

#[test]
fn a_state_of_another_grid_or_precision_is_refused() {
    let mut solver64 = solver(&case(&cavity([8, 8, 1], 100.0, "")));
    let other = solver(&case(&cavity([8, 9, 1], 100.0, ""))).save().expect("a state");
    let single =
        solver(&case(&cavity([8, 8, 1], 100.0, "precision = \"f32\""))).save().expect("a state");
    assert!(solver64.restore(&other).unwrap_err().to_string().contains("cells"));
    assert!(solver64.restore(&single).unwrap_err().to_string().contains("f64"));
}
