//! Storage of 16 bits: rounded as in the crate `half`.

use std::sync::Arc;

use bytemuck::Pod;
use half::f16;
use kernels_on_host::Host;
use vortice_core::Error;
use vortice_gpu::{Gpu, Kernel, Launch, Options, Program, value};

const PROGRAM: Program = Program {
    name: "halves",
    kernels: &[
        ("kernels/narrow_numbers.cu", include_str!("../kernels/narrow_numbers.cu")),
        ("kernels/widen_numbers.cu", include_str!("../kernels/widen_numbers.cu")),
    ],
    headers: &[("device.cuh", include_str!("../../../../kernels/device.cuh"))],
};

fn host() -> Gpu {
    Gpu::with(Arc::new(Host::new()))
}

/// A kernel for numbers that are calculated with and stored as these types.
fn kernel(gpu: &Gpu, name: &str, [real, stored]: [&str; 2]) -> Kernel {
    let definitions =
        [("REAL", real.into()), ("STORED", stored.into()), ("DIRECTIONS", "3".into())];
    gpu.load(&PROGRAM, &definitions).expect("the program").kernel(name).expect("the kernel")
}

fn a_thread_each(n: usize) -> Launch {
    Launch::over([n, 1, 1], [256, 1, 1])
}

fn narrowed<R: Pod, S: Pod>(gpu: &Gpu, types: [&str; 2], numbers: &[R]) -> Vec<S> {
    let (n, numbers) = (numbers.len() as i64, gpu.upload(numbers).unwrap());
    let mut stored = gpu.zeros(numbers.len()).unwrap();
    let arguments = [value("n", &n), numbers.input("numbers"), stored.output("stored")];
    let kernel = kernel(gpu, "narrow_numbers", types);
    kernel.launch(a_thread_each(numbers.len()), &arguments).unwrap();
    stored.to_vec().unwrap()
}

fn widened<R: Pod, S: Pod>(gpu: &Gpu, types: [&str; 2], stored: &[S]) -> Vec<R> {
    let (n, stored) = (stored.len() as i64, gpu.upload(stored).unwrap());
    let mut numbers = gpu.zeros(stored.len()).unwrap();
    let arguments = [value("n", &n), stored.input("stored"), numbers.output("numbers")];
    kernel(gpu, "widen_numbers", types).launch(a_thread_each(stored.len()), &arguments).unwrap();
    numbers.to_vec().unwrap()
}

const HALF: [&str; 2] = ["float", "half16"];

/// All halves become the numbers that they mean, and themselves again.
fn expect_that_halves_come_back(gpu: &Gpu) {
    let halves: Vec<u16> = (0..=u16::MAX).collect();
    let numbers: Vec<f32> = widened(gpu, HALF, &halves);
    let back: Vec<u16> = narrowed(gpu, HALF, &numbers);
    for ((half, x), back) in halves.into_iter().map(f16::from_bits).zip(numbers).zip(back) {
        if half.is_nan() {
            assert!(x.is_nan() && f16::from_bits(back).is_nan(), "{:#06x}", half.to_bits());
        } else {
            assert_eq!(x.to_bits(), half.to_f32().to_bits(), "{half:e}");
            assert_eq!(back, half.to_bits(), "{half:e}");
        }
    }
}

/// Numbers at and beside all ties between two halves, and in every binade of `f32`.
fn beside_ties() -> Vec<f32> {
    // A half has 13 digits less, a subnormal one fewer still: what decides has 12 zeros at its end.
    let offsets =
        || (0..16u32).flat_map(|n| [-1, 0, 1].map(|by| (n << 12).wrapping_add_signed(by)));
    let tops = (0..=u32::from(u16::MAX)).map(|top| top << 16);
    tops.flat_map(|top| offsets().map(move |low| f32::from_bits(top.wrapping_add(low)))).collect()
}

fn expect_the_nearest_halves(gpu: &Gpu) {
    let numbers = beside_ties();
    let found: Vec<u16> = narrowed(gpu, HALF, &numbers);
    for (x, found) in numbers.into_iter().zip(found) {
        let (found, wanted) = (f16::from_bits(found), f16::from_f32(x));
        let same = found.to_bits() == wanted.to_bits() || (found.is_nan() && wanted.is_nan());
        assert!(same, "{x:e} became {found:e} instead of {wanted:e}");
    }
}

#[test]
fn all_halves_widen_and_narrow_back() {
    expect_that_halves_come_back(&host());
}

#[test]
fn numbers_become_the_nearest_half() {
    expect_the_nearest_halves(&host());
}

/// Where there is no GPU, sees that this is said.
#[test]
#[allow(clippy::print_stdout)]
fn a_gpu_rounds_in_the_same_way() {
    match Gpu::open(0, Options::default()) {
        Ok(gpu) => {
            expect_that_halves_come_back(&gpu);
            expect_the_nearest_halves(&gpu);
        }
        Err(error) => {
            assert!(matches!(error, Error::Device { .. }), "{error:?}");
            println!("no GPU was used: {error}");
        }
    }
}

#[test]
fn numbers_that_are_not_halves_are_stored_as_they_are() {
    let narrow = [0.1f32, -0.0, f32::MAX, f32::MIN_POSITIVE / 8.0, f32::NEG_INFINITY];
    assert_eq!(narrowed::<_, f32>(&host(), ["float", "float"], &narrow), narrow);
    assert_eq!(widened::<f32, _>(&host(), ["float", "float"], &narrow), narrow);
    let wide = [0.1f64, -0.0, f64::MAX, f64::MIN_POSITIVE / 8.0, f64::NEG_INFINITY];
    assert_eq!(narrowed::<_, f64>(&host(), ["double", "double"], &wide), wide);
    assert_eq!(widened::<f64, _>(&host(), ["double", "double"], &wide), wide);
}
