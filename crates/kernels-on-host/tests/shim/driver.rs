//! The driver: programs, capture and replay, marks.

use std::sync::Arc;

use kernels_on_host::Host;
use vortice_gpu::{Driver, Gpu, Program, value};

use super::{SHIM, complaint, kernel, row};

#[test]
fn captured_work_is_done_at_each_replay() {
    let (host, gpu, kernel) = kernel::<f32>(Host::new(), "overrun_array");
    let mut words = gpu.upload(&[5, 6, 7]).unwrap();
    let mut copy = gpu.zeros::<i32>(3).unwrap();
    let mut number = 41;
    let graph = gpu
        .capture(|| {
            copy.copy_from(&words)?;
            words.clear()?;
            let arguments = [value("at", &1i32), value("value", &number), words.output("words")];
            kernel.launch(row(1, 1), &arguments)
        })
        .unwrap();
    // The argument's value was copied.
    number += 1;
    assert_eq!((number, words.to_vec().unwrap()), (42, vec![5, 6, 7]));
    assert!(host.launches().is_empty());
    graph.launch().unwrap();
    assert_eq!(words.to_vec().unwrap(), [0, 41, 0]);
    assert_eq!(copy.to_vec().unwrap(), [5, 6, 7]);
    graph.launch().unwrap();
    assert_eq!(copy.to_vec().unwrap(), [0, 41, 0]);
    assert_eq!(host.launches()["overrun_array"], 2);
}

#[test]
fn what_cannot_be_captured_is_refused() {
    let host = Host::new();
    let at = host.allocate(4).unwrap();
    assert!(complaint(host.end_capture()).contains("did not begin"));
    host.begin_capture().unwrap();
    assert!(complaint(host.allocate(4)).contains("an allocation cannot be captured"));
    assert!(host.upload(at, &[1]).is_err());
    assert!(host.download(at, &mut [1]).is_err());
    assert!(host.wait().is_err());
    assert!(host.event().is_err());
    assert!(host.begin_capture().is_err());
    let nothing = host.end_capture().unwrap();
    nothing.launch().unwrap();
    host.wait().unwrap();
}

#[test]
#[allow(unsafe_code)]
fn an_array_that_was_given_back_is_seen() {
    let host = Host::new();
    let definitions = [("REAL", "float".to_string())];
    let kernels = host.load(&SHIM, &definitions).unwrap();
    let number = kernels.find("overrun_array").unwrap();
    let (at, words) = (0i32, host.allocate(4).unwrap());
    let pointers = [
        std::ptr::from_ref(&at).cast(),
        std::ptr::from_ref(&at).cast(),
        std::ptr::from_ref(&words).cast(),
    ];
    host.begin_capture().unwrap();
    // SAFETY: these are the kernel's arguments.
    unsafe { kernels.launch(number, row(1, 1), &pointers) }.unwrap();
    let replay = host.end_capture().unwrap();
    replay.launch().unwrap();
    host.release(words);
    let gone = complaint(replay.launch());
    assert!(gone.contains("argument 2 of kernel `overrun_array`"), "{gone}");
    // SAFETY: refused before any argument is looked at.
    let few = complaint(unsafe { kernels.launch(number, row(1, 1), &pointers[..2]) });
    assert!(few.contains("takes 3 arguments and was given 2"), "{few}");
}

#[test]
fn unknown_programs_and_definitions_are_refused() {
    let host = Host::new();
    let half = complaint(host.load(&SHIM, &[("REAL", "half".into())]));
    assert!(half.contains("REAL = half; use REAL = float or double, or extend"), "{half}");
    let tile = complaint(host.load(&SHIM, &[("TILE", "8".into())]));
    assert!(tile.contains("TILE = 8"), "{tile}");
    assert!(["REAL", "STORED", "DIRECTIONS"].iter().all(|name| tile.contains(name)), "{tile}");
    let kernels = &[("elsewhere/sum_block.cu", "")];
    let elsewhere = Program { name: "lost", kernels, headers: &[] };
    let lost = complaint(host.load(&elsewhere, &[]));
    assert!(lost.contains("`elsewhere/sum_block.cu` of the program `lost`"), "{lost}");
    let loaded = host.load(&SHIM, &[]).unwrap();
    assert!(complaint(loaded.find("sum")).contains("no kernel `sum`"));
    assert_eq!(loaded.blocks_at_once(0, 32, 0).unwrap(), 1);
}

#[test]
fn definitions_that_were_not_compiled_together_are_refused() {
    let host = Host::new();
    let load = |real: &str, stored: &str| {
        host.load(&SHIM, &[("STORED", stored.into()), ("REAL", real.into()), ("KEPT", "3".into())])
    };
    assert!(load("float", "half16").is_ok());
    let wide = complaint(load("double", "half16"));
    let problem =
        "`kernels/affine.cu` was not compiled for the host with STORED = half16, REAL = double;";
    assert!(wide.contains(problem), "{wide}");
}

#[test]
fn properties_are_those_that_were_set() {
    let gpu = Gpu::with(Arc::new(Host::new().multiprocessors(6).shared_memory(1000)));
    let device = gpu.properties();
    assert_eq!((device.multiprocessors, device.shared_memory), (6, 1000));
    assert!(device.cooperative && device.name == "host" && device.architecture == [0, 0]);
}

#[test]
fn marks_tell_the_time_between_them() {
    let host = Host::new();
    let [first, second] = [(); 2].map(|()| {
        std::thread::sleep(std::time::Duration::from_millis(2));
        host.event().unwrap()
    });
    let seconds = second.seconds_since(&*first).unwrap();
    assert!((0.002..10.0).contains(&seconds), "{seconds}");
    assert_eq!(first.seconds_since(&*second).unwrap(), -seconds);
}

#[test]
fn each_thread_has_its_own_device() {
    let sums = std::thread::scope(|scope| {
        let threads = [1.0f32, 2.0, 3.0].map(|scale| {
            scope.spawn(move || {
                let (_, gpu, kernel) = kernel::<f32>(Host::new(), "sum_block");
                let values = gpu.upload(&[scale; 256]).unwrap();
                let mut sums = gpu.zeros::<f32>(1).unwrap();
                let shape = vortice_gpu::Launch { shared: 1024, ..row(1, 256) };
                for _ in 0..20 {
                    let arguments = [values.input("values"), sums.output("sums")];
                    kernel.launch(shape, &arguments).unwrap();
                }
                sums.to_vec().unwrap()[0]
            })
        });
        threads.map(|thread| thread.join().unwrap())
    });
    assert_eq!(sums, [256.0, 512.0, 768.0]);
}
