//! The safe layer on a fake device.

use std::ffi::c_void;
use std::sync::Arc;

use crate::driver::{Address, Launch};
use crate::fake::{Fake, Work, argument};
use crate::{Argument, Gpu, Kernel, Program, value};

const SCALE: Program = Program {
    name: "scale",
    kernels: &[("scale.cu", "KERNEL scale(const Real factor, const Real* from, Real* to) {}")],
    headers: &[],
};

/// to = factor from, for four values.
#[allow(unsafe_code)]
fn scale(_: Launch, arguments: &[*const c_void]) -> Work {
    // SAFETY: these are the parameters of the kernel above.
    let (factor, from, to) = unsafe {
        let (from, to): (Address, Address) = (argument(arguments, 1), argument(arguments, 2));
        (argument::<f64>(arguments, 0), from, to)
    };
    Box::new(move |blocks| {
        let values: Vec<f64> = bytemuck::cast_slice(&blocks.at(from)[..32]).to_vec();
        let scaled: Vec<f64> = values.iter().map(|x| factor * x).collect();
        blocks.at(to)[..32].copy_from_slice(bytemuck::cast_slice(&scaled));
    })
}

fn device() -> (Gpu, Kernel, impl Fn() -> usize) {
    let fake = Fake::with("fake", &[("scale", scale)]);
    let allocations = fake.allocations();
    let gpu = Gpu::with(Arc::new(fake));
    let module = gpu.load(&SCALE, &[("REAL", "double".into())]).unwrap();
    let kernel = module.kernel("scale").unwrap();
    (gpu, kernel, allocations)
}

fn once() -> Launch {
    Launch::over([4, 1, 1], [32, 1, 1])
}

#[test]
fn arrays_are_written_read_copied_cleared_and_given_back() {
    let (gpu, _, allocations) = device();
    let before = gpu.free_memory().unwrap();
    let mut a = gpu.upload(&[1.0, 2.0, 3.0]).unwrap();
    let mut b = gpu.zeros::<f64>(3).unwrap();
    assert_eq!(gpu.free_memory().unwrap(), before - 48);
    assert_eq!(b.to_vec().unwrap(), [0.0; 3]);
    b.copy_from(&a).unwrap();
    a.write_at(1, &[7.0]).unwrap();
    a.write_at(3, &[]).unwrap();
    assert_eq!(a.to_vec().unwrap(), [1.0, 7.0, 3.0]);
    let mut first = [0.0; 2];
    b.read(&mut first).unwrap();
    assert_eq!(first, [1.0, 2.0]);
    b.clear().unwrap();
    assert_eq!(b.to_vec().unwrap(), [0.0; 3]);
    drop((a, b));
    assert_eq!(allocations(), 0);
}

#[test]
fn an_empty_array_costs_nothing_and_can_be_used() {
    let (gpu, _, allocations) = device();
    let mut empty = gpu.upload::<f32>(&[]).unwrap();
    assert!(empty.is_empty() && empty.to_vec().unwrap().is_empty());
    empty.clear().unwrap();
    empty.write(&[]).unwrap();
    assert_eq!(allocations(), 0);
}

#[test]
#[should_panic(expected = "of an array of 3")]
fn writing_beyond_the_end_is_refused() {
    let (gpu, ..) = device();
    gpu.zeros::<u8>(3).unwrap().write_at(2, &[1, 2]).unwrap();
}

#[test]
fn a_kernel_runs_with_the_arguments_of_its_source_only() {
    let (gpu, kernel, _) = device();
    let from = gpu.upload(&[1.0, 2.0, 3.0, 4.0]).unwrap();
    let mut to = gpu.zeros::<f64>(4).unwrap();
    let two = 2.0;
    let refused =
        |arguments: &[Argument<'_>]| kernel.launch(once(), arguments).unwrap_err().to_string();
    let arguments = [value("factor", &two), from.input("from"), to.output("to")];
    kernel.launch(once(), &arguments).unwrap();
    assert!(refused(&arguments[..2]).contains("3 parameters"));
    let [factor, from_array, to_array] = arguments;
    assert!(refused(&[factor, to_array, from_array]).contains("wants `from`"));
    assert_eq!(to.to_vec().unwrap(), [2.0, 4.0, 6.0, 8.0]);

    let read_only = [value("factor", &two), from.input("from"), from.input("to")];
    assert!(refused(&read_only).contains("wants an output array `to`"));
    let mut narrow = gpu.zeros::<f32>(4).unwrap();
    let size = [value("factor", &two), from.input("from"), narrow.output("to")];
    assert!(refused(&size).contains("8 bytes but was given 4 bytes"));
    let elsewhere = device().0.upload(&[0.0; 4]).unwrap();
    let other = [value("factor", &two), elsewhere.input("from"), to.output("to")];
    assert!(refused(&other).contains("another device"));
}

#[test]
fn a_kernel_that_is_not_there_is_refused() {
    let (gpu, ..) = device();
    let module = gpu.load(&SCALE, &[("REAL", "float".into())]).unwrap();
    let error = module.kernel("stretch").err().expect("there is no such kernel");
    assert!(error.to_string().contains("`scale` has no kernel `stretch`"), "{error}");
}

/// A kernel that stores numbers and reads them.
const STORE: Program = Program {
    name: "store",
    kernels: &[(
        "tests/store.cu",
        "#include \"device.cuh\"
        KERNEL store(const Real* numbers, Stored* stored, Real* back) {
            stored[threadIdx.x] = narrowed_to<Stored>(numbers[threadIdx.x]);
            back[threadIdx.x] = widened(stored[threadIdx.x]);
        }",
    )],
    headers: &[("device.cuh", include_str!("../../../kernels/device.cuh"))],
};

#[test]
fn numbers_are_stored_as_the_definitions_say() {
    let compile = |definitions: &[(&'static str, &str)], architecture| {
        let definitions: Vec<_> =
            definitions.iter().map(|(name, value)| (*name, value.to_string())).collect();
        crate::compile(&STORE, &definitions, architecture, false)
    };
    for architecture in [[8, 0], [9, 0], [10, 0]] {
        let whole = |real| compile(&[("REAL", real)], architecture).unwrap();
        let stored = |real, as_what| compile(&[("REAL", real), ("STORED", as_what)], architecture);
        assert_eq!(stored("float", "float").unwrap(), whole("float"));
        assert_eq!(stored("double", "double").unwrap(), whole("double"));
        assert_ne!(stored("float", "half16").unwrap(), whole("float"));
        let refused = stored("double", "half16").unwrap_err().to_string();
        assert!(refused.contains("half16 is for float"), "{refused}");
    }
}

#[test]
fn a_graph_repeats_its_work_and_keeps_what_it_uses() {
    let (gpu, kernel, allocations) = device();
    let mut to = gpu.zeros::<f64>(4).unwrap();
    let graph = {
        let mut from = gpu.upload(&[1.0, 2.0, 3.0, 4.0]).unwrap();
        let graph = gpu.capture(|| {
            kernel.launch(once(), &[value("factor", &3.0), from.input("from"), to.output("to")])?;
            from.copy_from(&to)
        });
        graph.unwrap()
    };
    assert_eq!(to.to_vec().unwrap(), [0.0; 4]);
    graph.launch().unwrap();
    graph.launch().unwrap();
    assert_eq!(to.to_vec().unwrap(), [9.0, 18.0, 27.0, 36.0]);
    drop(to);
    assert_eq!(allocations(), 2);
    drop(graph);
    assert_eq!(allocations(), 0);
}

#[test]
fn what_cannot_be_captured_is_refused_and_the_stream_goes_on() {
    let (gpu, ..) = device();
    let mut array = gpu.zeros::<f64>(2).unwrap();
    let refused = |work: &mut dyn FnMut() -> vortice_core::Result<()>| {
        let error = gpu.capture(work).err().expect("cannot be captured").to_string();
        assert!(error.contains("captured graph"), "{error}");
    };
    refused(&mut || gpu.wait());
    refused(&mut || gpu.zeros::<u8>(1).map(drop));
    refused(&mut || gpu.event().map(drop));
    refused(&mut || gpu.capture(|| Ok(())).map(drop));
    refused(&mut || array.write(&[1.0, 2.0]));
    refused(&mut || array.to_vec().map(drop));
    array.write(&[1.0, 2.0]).unwrap();
    assert_eq!(array.to_vec().unwrap(), [1.0, 2.0]);
}

#[test]
fn bandwidth_counts_what_is_read_and_written() {
    let (gpu, _, allocations) = device();
    // A mebibyte is free, and one second lies between two events of the fake.
    assert_eq!(gpu.copy_bandwidth().unwrap(), 2.0 * f64::from(1 << 18));
    assert_eq!(allocations(), 0);
}

#[test]
fn marks_tell_the_time_between_them() {
    let (gpu, ..) = device();
    let (first, last) = (gpu.event().unwrap(), gpu.event().unwrap());
    assert_eq!(last.seconds_since(&*first).unwrap(), 1.0);
}
