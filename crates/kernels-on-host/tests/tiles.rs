//! Iterations on tiles: `relax_tile` is what runs, its graphs belong to the arrays that they were
//! captured with, and the words of `fdm.kernel` mean what the pages say.

use std::sync::Arc;

use crate::fdm_agrees::{PLACES, on_ranks};
use crate::fdm_flows::{case, cavity, heated_cavity, solver, step, taylor_green};
use kernels_on_host::{Host, Order, watched};
use vortice_core::{Context, Device, Error, Result, Solver, State};
use vortice_gpu::{Driver, Gpu, replace_devices};

/// From now on this thread's GPUs are this one, with memory that begins as not-a-number.
fn device(host: Host) -> Arc<Host> {
    device_as_it_is(host.poisoned())
}

fn device_as_it_is(host: Host) -> Arc<Host> {
    let host = Arc::new(host.order(Order::Shuffled(3)));
    let driver = Arc::clone(&host) as Arc<dyn Driver>;
    replace_devices(move |_| Ok(Gpu::with(Arc::clone(&driver))));
    host
}

fn with(text: &str, kernel: &str) -> String {
    let text = if text.contains("[fdm]") { text.to_owned() } else { format!("{text}[fdm]\n") };
    format!("{text}kernel = \"{kernel}\"\n")
}

fn after(mut solver: Box<dyn Solver>, steps: usize) -> State {
    for _ in 0..steps {
        solver.step(f64::INFINITY).expect("a step");
    }
    solver.state().expect("a state")
}

fn on_gpu(text: &str, context: &Context) -> Result<Box<dyn Solver>> {
    (vortice_fdm::METHOD.build)(&case(text).device(Device::Cuda(0)), context)
}

/// Launches of kernels so far.
fn launches<const N: usize>(host: &Host, names: [&str; N]) -> [u64; N] {
    names.map(|name| host.launches().get(name).copied().unwrap_or(0))
}

#[test]
fn tiles_of_every_size_give_the_bits_of_the_processor() {
    let flows = [
        ("cavity", cavity([100, 70, 1], 400.0, "precision = \"f32\"\n")),
        ("step", step([96, 30, 1], "[fdm]\nstop = { change = 1e-5 }\n")),
        ("odd, eight iterations", cavity([53, 35, 1], 100.0, "[fdm]\nstop = { iterations = 8 }\n")),
    ];
    for (name, text) in flows {
        let reference = after(solver(&case(&text)), 4);
        for shared in watched(vec![72_000, 120_000, 232_448], [1, 3]) {
            let host = device(Host::new().shared_memory(shared));
            let found = after(on_gpu(&with(&text, "tiled"), &Context::alone()).unwrap(), 4);
            assert!(found == reference, "{name} with {shared} bytes differs");
            let [tiles, whole] = launches(&host, ["relax_tile", "relax"]);
            assert!(tiles > 0 && whole == 0, "{name}: {tiles} and {whole} launches");
            println!("{name}, {shared} bytes of shared memory: {tiles} launches, the same bits");
        }
    }
}

/// Parts of a plane with rows of their neighbours, of which the thinnest have one more than a launch spoils.
#[test]
fn tiles_of_several_ranks_have_the_bits_of_processors() {
    let rule = |stop: &str| format!("[fdm]\nstop = {{ {stop} }}\n");
    let flows = [
        ("cavity", cavity([100, 70, 1], 400.0, "precision = \"f32\"\n"), [1, 2, 1]),
        ("step", step([96, 36, 1], &rule("change = 1e-5")), [1, 3, 1]),
        ("odd parts", cavity([53, 35, 1], 100.0, &rule("iterations = 8")), [1, 3, 1]),
    ];
    for (name, text, layout) in flows {
        let expected = on_ranks(&case(&text), layout, |_| Device::Cpu);
        let tiled = on_ranks(&case(&with(&text, "tiled")), layout, |_| Device::Cuda(0));
        assert!(tiled == expected, "{name} on {layout:?} differs");
        // Where a neighbour is a processor, half-sweeps are what ranks do together.
        let mixed = on_ranks(&case(&text), layout, PLACES[1].1);
        assert!(mixed == expected, "{name} on {layout:?} beside processors differs");
    }
}

/// One launch a step: the pressures change places each time, so odd and even steps have graphs of
/// their own.
#[test]
fn captured_launches_follow_the_pressures() {
    let text = cavity([50, 34, 1], 400.0, "[fdm]\ndt = 1e-3\nstop = { iterations = 5 }\n");
    let host = device(Host::new().shared_memory(80_000));
    for steps in 1..=9 {
        let reference = after(solver(&case(&text)), steps);
        let before = launches(&host, ["relax_tile"])[0];
        let found = after(on_gpu(&with(&text, "tiled"), &Context::alone()).unwrap(), steps);
        assert!(found == reference, "differs after {steps} steps");
        assert_eq!(launches(&host, ["relax_tile"])[0] - before, steps as u64);
    }
}

#[test]
fn a_plane_flow_that_is_not_resident_is_tiled_where_that_pays() {
    let rule = "dt = 1e-4\nstop = { iterations = 3 }\n";
    for (cells, tiled) in [([512, 512, 1], true), ([600, 600, 1], false), ([96, 8, 8], false)] {
        let text = cavity(cells, 400.0, &format!("precision = \"f32\"\n[fdm]\n{rule}"));
        let host = device(Host::new().shared_memory(80_000));
        let found = after(on_gpu(&text, &Context::alone()).unwrap(), 1);
        assert!(found == after(solver(&case(&text)), 1));
        let [tiles, whole, whole_steps] = launches(&host, ["relax_tile", "relax", "resident"]);
        assert_eq!((tiles > 0, whole > 0, whole_steps), (tiled, !tiled, 0), "{cells:?}");
    }
}

#[test]
fn a_flow_that_is_followed_to_a_time_is_not_resident() {
    for (scheme, resident) in [("euler", true), ("auto", false)] {
        let keys = format!("[fdm]\ntime-scheme = \"{scheme}\"\n");
        let text = cavity([40, 32, 1], 400.0, &keys);
        // The resident kernel begins from zeros.
        let host = device_as_it_is(Host::new().multiprocessors(2).shared_memory(1 << 20));
        let found = after(on_gpu(&text, &Context::alone()).unwrap(), 3);
        assert!(found == after(solver(&case(&text)), 3), "{scheme} differs");
        let [whole_steps, predict] = launches(&host, ["resident", "predict_adams_bashforth"]);
        assert_eq!((whole_steps > 0, predict > 0), (resident, !resident), "{scheme}");
    }
}

fn refusal(kernel: &str, text: &str) -> String {
    let error = on_gpu(&with(text, kernel), &Context::alone()).err().expect("is refused");
    assert!(matches!(error, Error::Unsupported { .. }) && error.remedy().contains("auto"));
    error.to_string()
}

#[test]
fn a_kernel_that_cannot_do_the_case_is_refused() {
    device(Host::new());
    let plane = cavity([32, 32, 1], 100.0, "");
    assert!(refusal("fused", &plane).contains("for the processor only"));
    let cube = cavity([16, 16, 16], 100.0, "");
    for text in [&cube, &taylor_green(16, 0.1, "")] {
        assert!(refusal("tiled", text).contains("`tiled` only for plane flows"));
        let euler = format!("{text}[fdm]\ntime-scheme = \"euler\"\n");
        assert!(refusal("resident", &euler).contains("`resident` only for plane flows"));
    }
    let heated = heated_cavity([32, 32, 1], "[fdm]\ntime-scheme = \"euler\"\n");
    assert!(refusal("resident", &heated).contains("without heat"));
    assert!(refusal("resident", &plane).contains("`resident` for Euler's steps only"));
    device(Host::new().shared_memory(40_000));
    assert!(refusal("tiled", &plane).contains("two tiles"));
    let on_cpu =
        |kernel| (vortice_fdm::METHOD.build)(&case(&with(&plane, kernel)), &Context::alone());
    for kernel in ["tiled", "resident"] {
        let error = on_cpu(kernel).err().expect("is refused").to_string();
        assert!(error.contains("for a GPU only"), "{error}");
    }
    assert!(on_cpu("fused").is_ok() && on_cpu("plain").is_ok());
}
