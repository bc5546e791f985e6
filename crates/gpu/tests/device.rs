//! CUDA itself. Where there is no GPU, each test sees that this is said in one sentence.

use vortice_core::Error;
use vortice_gpu::{Gpu, Kernel, Launch, Options, Program, survey, value};

const PROGRAM: Program = Program {
    name: "tests",
    kernels: &[
        ("tests/scale.cu", include_str!("scale.cu")),
        ("tests/sum_shared.cu", include_str!("sum_shared.cu")),
        ("tests/everyone.cu", include_str!("everyone.cu")),
    ],
    headers: &[("device.cuh", include_str!("../../../kernels/device.cuh"))],
};

/// Tells why nothing was computed.
#[allow(clippy::print_stdout)]
fn tell(error: &Error) {
    assert!(matches!(error, Error::Device { .. }), "{error:?}");
    assert!(!error.to_string().contains('\n') && !error.remedy().is_empty(), "{error}");
    println!("no GPU was used: {error}; {}", error.remedy());
}

/// The first GPU, or nothing if there is none; any other error fails the test.
fn gpu() -> Option<Gpu> {
    match Gpu::open(0, Options::default()) {
        Ok(gpu) => Some(gpu),
        Err(error) => {
            let found = survey();
            let usable = found.gpus.is_ok() && found.nvrtc.is_ok();
            assert!(!usable, "a GPU and NVRTC are there, but: {error}");
            tell(&error);
            None
        }
    }
}

fn kernel(gpu: &Gpu, name: &str) -> Kernel {
    let definitions = [("REAL", "double".to_string()), ("DIRECTIONS", "3".to_string())];
    gpu.load(&PROGRAM, &definitions).and_then(|module| module.kernel(name)).unwrap()
}

fn numbers(n: usize) -> Vec<f64> {
    (0..n).map(|i| i as f64 + 0.25).collect()
}

#[test]
fn bytes_travel_there_and_back() {
    let Some(gpu) = gpu() else { return };
    // Sizes around those of the staging and landing memory.
    for n in [1, 7, 8192, 8193, 300_000, 3_000_001] {
        let mut values = numbers(n);
        let mut array = gpu.upload(&values).unwrap();
        let mut copy = gpu.zeros::<f64>(n).unwrap();
        copy.copy_from(&array).unwrap();
        values[n / 2] = -1.0;
        array.write_at(n / 2, &values[n / 2..]).unwrap();
        assert_eq!(array.to_vec().unwrap(), values);
        assert_eq!(copy.to_vec().unwrap(), numbers(n));
        copy.clear().unwrap();
        assert!(copy.to_vec().unwrap().iter().all(|x| *x == 0.0));
    }
}

#[test]
fn many_small_uploads_do_not_overtake_each_other() {
    let Some(gpu) = gpu() else { return };
    let mut array = gpu.zeros::<f64>(40_000).unwrap();
    for round in 0..40 {
        for first in (0..40_000).step_by(1000) {
            let values: Vec<f64> =
                (0..1000).map(|i| f64::from(round * 40_000 + first + i)).collect();
            array.write_at(first as usize, &values).unwrap();
        }
    }
    let wanted: Vec<f64> = (0..40_000).map(|i| f64::from(39 * 40_000 + i)).collect();
    assert_eq!(array.to_vec().unwrap(), wanted);
}

#[test]
fn kernels_run_and_graphs_repeat_them() {
    let Some(gpu) = gpu() else { return };
    let scale = kernel(&gpu, "scale");
    let n = 1000i32;
    let (mut to, launch) =
        (gpu.zeros::<f64>(1000).unwrap(), Launch::over([1000, 1, 1], [128, 1, 1]));
    let graph = {
        let from = gpu.upload(&numbers(1000)).unwrap();
        let mut arguments = || {
            scale.launch(
                launch,
                &[value("n", &n), value("factor", &2.0), from.input("from"), to.output("to")],
            )
        };
        arguments().unwrap();
        gpu.capture(arguments).unwrap()
    };
    let doubled: Vec<f64> = numbers(1000).iter().map(|x| 2.0 * x).collect();
    assert_eq!(to.to_vec().unwrap(), doubled);
    for _ in 0..3 {
        to.clear().unwrap();
        graph.launch().unwrap();
        assert_eq!(to.to_vec().unwrap(), doubled);
    }
}

#[test]
fn shared_memory_is_there_up_to_the_last_byte() {
    let Some(gpu) = gpu() else { return };
    let sum = kernel(&gpu, "sum_shared");
    let shared = gpu.properties().shared_memory as u32;
    let n = (shared / 8) as i32;
    let from = gpu.upload(&vec![0.5f64; n as usize]).unwrap();
    let mut to = gpu.zeros::<f64>(1).unwrap();
    assert_eq!(sum.blocks_at_once(256, shared).unwrap(), 1);
    let launch = Launch { shared, ..Launch::over([256, 1, 1], [256, 1, 1]) };
    sum.launch(launch, &[value("n", &n), from.input("from"), to.output("to")]).unwrap();
    assert_eq!(to.to_vec().unwrap(), [f64::from(n) / 2.0]);
    let beyond = Launch { shared: shared + 4096, ..launch };
    let refused = sum.launch(beyond, &[value("n", &n), from.input("from"), to.output("to")]);
    let text = refused.unwrap_err().to_string();
    assert!(text.contains("sum_shared") && text.contains("CUDA_ERROR"), "{text}");
    gpu.wait().unwrap();
}

#[test]
fn all_blocks_of_a_cooperative_launch_meet() {
    let Some(gpu) = gpu() else { return };
    let everyone = kernel(&gpu, "everyone");
    assert!(gpu.properties().cooperative);
    let most = everyone.blocks_at_once(128, 0).unwrap() * gpu.properties().multiprocessors;
    let mut arrived = gpu.zeros::<u32>(1).unwrap();
    let mut seen = gpu.zeros::<u32>(most).unwrap();
    let shape = |blocks: usize| Launch {
        cooperative: true,
        ..Launch::over([128 * blocks, 1, 1], [128, 1, 1])
    };
    everyone.launch(shape(most), &[arrived.output("arrived"), seen.output("seen")]).unwrap();
    assert!(seen.to_vec().unwrap().iter().all(|n| *n as usize == most));
    let mut seen = gpu.zeros::<u32>(most + 1).unwrap();
    let refused =
        everyone.launch(shape(most + 1), &[arrived.output("arrived"), seen.output("seen")]);
    let text = refused.unwrap_err().to_string();
    assert!(text.contains("CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE"), "{text}");
}

#[test]
fn several_threads_share_a_gpu() {
    if gpu().is_none() {
        return;
    }
    std::thread::scope(|scope| {
        for thread in 0..4 {
            scope.spawn(move || {
                let gpu = Gpu::open(0, Options::default()).unwrap();
                let (scale, n, factor) = (kernel(&gpu, "scale"), 1000i32, f64::from(thread));
                let from = gpu.upload(&numbers(1000)).unwrap();
                let mut to = gpu.zeros::<f64>(1000).unwrap();
                let launch = Launch::over([1000, 1, 1], [128, 1, 1]);
                let work = || {
                    let to = to.output("to");
                    scale.launch(
                        launch,
                        &[value("n", &n), value("factor", &factor), from.input("from"), to],
                    )
                };
                let graph = gpu.capture(work).unwrap();
                for _ in 0..100 {
                    graph.launch().unwrap();
                    assert_eq!(to.to_vec().unwrap()[8], 8.25 * factor);
                }
            });
        }
    });
}

#[test]
fn too_much_memory_is_refused_with_both_numbers() {
    let Some(gpu) = gpu() else { return };
    let bytes = 2 * gpu.properties().memory;
    let text = gpu.zeros::<u8>(bytes).unwrap_err().to_string();
    assert!(text.contains(&bytes.to_string()) && text.contains("are free"), "{text}");
    assert!(gpu.zeros::<u8>(1 << 20).is_ok());
}

#[test]
fn the_survey_finds_every_gpu_or_says_why_not() {
    let found = survey();
    [found.driver.as_ref().err(), found.nvrtc.as_ref().err()].into_iter().flatten().for_each(tell);
    let gpus = match &found.gpus {
        Ok(gpus) => gpus,
        Err(error) => return tell(error),
    };
    assert!(!gpus.is_empty() && found.driver.is_ok());
    for one in gpus {
        let properties = one.properties.as_ref().unwrap();
        let gpu = one.gpu.as_ref().unwrap_or_else(|error| panic!("{error}"));
        let (free, speed) = (gpu.free_memory().unwrap(), gpu.copy_bandwidth().unwrap());
        println!("{properties:?}, {free} bytes free, {:.0} GB/s", speed * 1e-9);
        assert!(free <= properties.memory && speed > 1e9);
    }
}

#[test]
fn a_gpu_that_is_not_there_is_refused() {
    tell(&Gpu::open(1000, Options::default()).err().expect("nobody has so many"));
}
