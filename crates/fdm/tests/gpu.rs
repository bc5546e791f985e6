//! On a real GPU: the same bits as the processor's, after many steps, by every kernel. Run with
//! `cargo test -p vortice-fdm --test gpu -- --ignored --nocapture`. Where there is none, this is said.
#![allow(clippy::print_stdout)] // tests print what they compared

mod common;

use common::{
    annulus, by_cycles, case, cavity, heated_cavity, past, rolls, solver, step, taylor_green,
};
use vortice_core::{Device, FieldLater, Quantity, State};
use vortice_gpu::Gpu;

const STEPS: usize = 1000;

/// Kernels for plane flows and for flows in space.
const PLANE: [&str; 4] = ["auto", "plain", "tiled", "resident"];
const SPACE: [&str; 2] = ["auto", "plain"];

fn with(text: &str, keys: &str) -> String {
    if text.contains("[fdm]") { format!("{text}{keys}") } else { format!("{text}[fdm]\n{keys}") }
}

fn state_after(text: &str, device: Device, steps: usize) -> State {
    let case = case(text).device(device);
    let mut solver = solver(&case);
    for _ in 0..steps / 2 {
        solver.step(f64::INFINITY).expect("a step");
    }
    let rows = || 0..case.grid.cells()[1] * case.grid.cells()[2];
    let (then, later) = (solver.rows(Quantity::Velocity, rows()), solver.velocity_later(rows()));
    for _ in steps / 2..steps {
        solver.step(f64::INFINITY).expect("a step");
    }
    let received = later.and_then(FieldLater::receive).expect("a velocity");
    assert!(received == then.expect("a velocity"), "not of when it was asked for");
    solver.state().expect("a state")
}

/// Compares all kernels with the processor; both number types.
fn all_agree(name: &str, text: impl Fn(&str) -> String, kernels: &[&str]) {
    if let Err(error) = Gpu::count() {
        println!("{name}: no GPU was used: {error}");
        return;
    }
    for precision in ["f32", "f64"] {
        let text = text(&format!("precision = \"{precision}\"\n"));
        for scheme in ["euler", "adams-bashforth"] {
            let second_order = scheme != "euler";
            if second_order && text.contains("gamma = \"auto\"") {
                continue;
            }
            let text = with(&text, &format!("time-scheme = \"{scheme}\"\n"));
            let reference = state_after(&text, Device::Cpu, STEPS);
            for kernel in kernels.iter().filter(|kernel| !(second_order && **kernel == "resident"))
            {
                let chosen = with(&text, &format!("kernel = \"{kernel}\"\n"));
                let found = state_after(&chosen, Device::Cuda(0), STEPS);
                assert!(found == reference, "{name} {precision} {scheme} {kernel} differs");
                println!(
                    "{name}, {precision}, {scheme}, {kernel}: the same bits after {STEPS} steps"
                );
            }
        }
    }
}

/// Cycles over coarser grids, on which a device does other launches than on the finest.
#[test]
#[ignore = "long suite"]
fn cycles_on_coarser_grids() {
    if let Err(error) = Gpu::count() {
        println!("cycles: no GPU was used: {error}");
        return;
    }
    for precision in ["f32", "f64"] {
        let more = format!("precision = \"{precision}\"\n");
        for (name, text) in [
            ("cavity 256 x 256", cavity([256, 256, 1], 1000.0, &more)),
            ("step 512 x 128", step([512, 128, 1], &more)),
            ("step in space 64 x 32 x 32", step([64, 32, 32], &more)),
        ] {
            let text = by_cycles(&text);
            let reference = state_after(&text, Device::Cpu, 20);
            let found = state_after(&text, Device::Cuda(0), 20);
            assert!(found == reference, "{name} {precision} differs");
            println!("{name}, {precision}: the same bits after 20 cycles");
        }
    }
}

#[test]
#[ignore = "long suite"]
fn cavity_in_the_plane() {
    all_agree("cavity 70 x 61", |more| cavity([70, 61, 1], 400.0, more), &PLANE);
}

#[test]
#[ignore = "long suite"]
fn cavity_with_a_fixed_number_of_iterations() {
    let rule = "[fdm]\nover-relaxation = 1.7\n\
                stop = { iterations = { first = 100, steps = 100, then = 5 } }\n";
    let text = |more: &str| cavity([256, 256, 1], 1000.0, &format!("{more}{rule}"));
    all_agree("cavity 256 x 256", text, &PLANE);
}

#[test]
#[ignore = "long suite"]
fn step_in_the_plane() {
    all_agree("step 128 x 48", |more| step([128, 48, 1], more), &PLANE);
    let change = "[fdm]\nstop = { change = 1e-5 }\ngamma = \"auto\"\n";
    let text = |more: &str| step([128, 48, 1], &format!("{more}{change}"));
    all_agree("step 128 x 48, change, donor cell", text, &PLANE);
}

#[test]
#[ignore = "long suite"]
fn root_mean_square_and_periodic_sides() {
    let rms = "[fdm]\nstop = { residual-rms = 1e-4 }\n";
    let text = |more: &str| cavity([70, 61, 1], 400.0, &format!("{more}{rms}"));
    all_agree("cavity 70 x 61, rms", text, &["auto", "plain", "tiled"]);
    all_agree("vortices 64 x 64", |more| taylor_green(64, 0.05, more), &["auto", "plain"]);
}

#[test]
#[ignore = "long suite"]
fn cavity_in_space() {
    all_agree("cavity 24 x 20 x 28", |more| cavity([24, 20, 28], 400.0, more), &SPACE);
}

#[test]
#[ignore = "long suite"]
fn step_in_space() {
    all_agree("step 48 x 16 x 12", |more| step([48, 16, 12], more), &SPACE);
}

#[test]
#[ignore = "long suite"]
fn heat_in_the_plane_and_in_space() {
    let plane = ["auto", "plain", "tiled"];
    let central = |more: &str| format!("{more}[fdm]\nscalar-convection = \"central\"\n");
    all_agree("heated cavity 70 x 61", |more| heated_cavity([70, 61, 1], more), &plane);
    all_agree("the same, central", |more| heated_cavity([70, 61, 1], &central(more)), &plane);
    all_agree("rolls 64 x 40", |more| rolls([64, 40, 1], more), &SPACE);
    all_agree("heated cavity 24 x 20 x 28", |more| heated_cavity([24, 20, 28], more), &SPACE);
    all_agree("rolls 32 x 16 x 12, central", |more| rolls([32, 16, 12], &central(more)), &SPACE);
}

#[test]
#[ignore = "long suite"]
fn bodies_in_the_plane_and_in_space() {
    let ball = "circle = { centre = [0.61, 0.47], radius = 0.21 }, rotation = 3.0";
    let sphere = "sphere = { centre = [0.61, 0.47, 0.52], radius = 0.28 }";
    let plane = ["auto", "plain", "tiled"];
    all_agree("circle 80 x 40", |more| past(ball, [80, 40, 1], more), &plane);
    all_agree("annulus 40 x 40", |more| annulus(40, "", more), &plane);
    all_agree("sphere 48 x 24 x 24", |more| past(sphere, [48, 24, 24], more), &SPACE);
}
