//! Whole steps on a tiled device give the bits of the processor's engine: the kernel `resident`, its
//! tiles and lists, and the run-ahead, on the host twin.

use std::sync::Arc;

use crate::fdm_flows::{backwards, case, cavity, solver, step};
use kernels_on_host::{Host, Order, tried, watched};
use vortice_core::{Device, Solver, State};
use vortice_gpu::{Gpu, replace_devices};

/// A device on the host with so many multiprocessors and so much shared memory.
fn device(multiprocessors: usize, shared: usize) {
    replace_devices(move |_| {
        // As few threads as serve: fibers that wait are slow.
        let threads = if multiprocessors < 4 { 1024 } else { 256 };
        let host = Host::new().multiprocessors(multiprocessors).shared_memory(shared);
        // A missing barrier shows in some order.
        let order = match multiprocessors {
            0..4 => Order::Ascending,
            4 => Order::Descending,
            _ => Order::Shuffled(5),
        };
        let host = host.threads(threads).order(order);
        Ok(Gpu::with(Arc::new(host)))
    });
}

/// The text with kernel `resident` forced.
fn resident(text: &str) -> String {
    let key = "kernel = \"resident\"\n";
    if text.contains("[fdm]") { text.to_owned() + key } else { format!("{text}[fdm]\n{key}") }
}

/// The text with Euler's steps, those of the resident kernel.
fn euler(text: &str) -> String {
    let key = "time-scheme = \"euler\"\n";
    if text.contains("[fdm]") { text.to_owned() + key } else { format!("{text}[fdm]\n{key}") }
}

fn advance(solver: &mut dyn Solver, steps: usize) -> State {
    for _ in 0..steps {
        solver.step(f64::INFINITY).expect("a step");
    }
    solver.state().expect("a state")
}

/// Plane flows with every boundary, solids, both precisions and the stopping rules.
fn flows() -> Vec<(&'static str, String)> {
    let f32s = "precision = \"f32\"\n";
    let flows = vec![
        ("cavity", cavity([37, 29, 1], 100.0, "[fdm]\nstop = { residual = 1e-4 }\n")),
        ("cavity f32", cavity([37, 29, 1], 100.0, f32s)),
        ("five iterations", cavity([48, 48, 1], 400.0, "[fdm]\nstop = { iterations = 5 }\n")),
        (
            "phases",
            cavity(
                [40, 40, 1],
                400.0,
                "[fdm]\ndt = 0.004\nover-relaxation = 1.7\n\
                 stop = { iterations = { first = 23, steps = 3, then = 5 } }\n",
            ),
        ),
        ("donor cell", cavity([32, 32, 1], 400.0, "[fdm]\ngamma = \"auto\"\n")),
        ("step", step([64, 24, 1], "[fdm]\nstop = { change = 1e-5 }\n")),
        ("step f32", step([63, 22, 1], "precision = \"f32\"\n[fdm]\nstop = { iterations = 7 }\n")),
        ("step residual", step([64, 24, 1], "[fdm]\ngamma = 0.3\n")),
        ("backwards", backwards([32, 24, 1], "")),
        (
            "few iterations",
            cavity([37, 29, 1], 100.0, "[fdm]\nstop = { residual = 1e-9 }\nmax-iterations = 12\n"),
        ),
        (
            "few iterations, change",
            step([64, 24, 1], "[fdm]\nstop = { change = 1e-9 }\nmax-iterations = 12\n"),
        ),
    ];
    flows.into_iter().map(|(name, text)| (name, euler(&text))).collect()
}

#[test]
fn resident_steps_give_the_bits_of_the_processor() {
    let mut compared = 0;
    for (number, (name, text)) in watched(flows(), [1, 6]).enumerate() {
        let reference = advance(&mut *solver(&case(&text)), 12);
        // In the fourth one predictions lie in the device's memory.
        let devices = [(12, 72_000), (2, 1 << 20), (4, 1 << 20), (4, 42_000), (12, 1 << 20)];
        for &(multiprocessors, shared) in tried(&devices, number) {
            device(multiprocessors, shared);
            let case = case(&resident(&text)).device(Device::Cuda(0));
            let found = advance(&mut *solver(&case), 12);
            assert!(found == reference, "{name} on {multiprocessors} multiprocessors differs");
            compared += reference.fields.len();
        }
    }
    println!("{compared} fields compared, 0 differ");
}

#[test]
#[cfg_attr(feature = "sanitize", ignore = "the kernels of steps without looks")]
fn looking_in_between_changes_nothing() {
    device(4, 1 << 20);
    let text = resident(&euler(&step([64, 24, 1], "")));
    let case = case(&text).device(Device::Cuda(0));
    let reference = advance(&mut *solver(&case), 40);
    let mut solver = solver(&case);
    for steps in [1, 2, 7, 10, 3, 17] {
        advance(&mut *solver, steps);
        solver.field(vortice_core::Quantity::Velocity).expect("a field");
    }
    assert!(solver.state().expect("a state") == reference);
}

#[test]
fn the_last_step_ends_where_it_shall() {
    device(4, 1 << 20);
    let text = euler(&cavity([32, 32, 1], 400.0, ""));
    let mut reference = solver(&case(&text));
    let mut found = solver(&case(&resident(&text)).device(Device::Cuda(0)));
    for end in [0.11, 0.2, 0.3] {
        while reference.now().time < end {
            let wanted = reference.step(end).expect("a step");
            assert_eq!(found.step(end).expect("a step"), wanted);
        }
        assert_eq!(found.now().time, end);
    }
    assert!(found.state().expect("a state") == reference.state().expect("a state"));
}
