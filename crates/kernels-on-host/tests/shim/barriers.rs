//! Barriers, and what happens without.

use kernels_on_host::{Host, Order};
use vortice_gpu::{Launch, value};

use super::{Number, ORDERS, complaint, kernel, row};

fn sum<T: Number + From<i16> + PartialEq + std::fmt::Debug>(order: Order, threads: u32) {
    let (_, gpu, kernel) = kernel::<T>(Host::new().order(order), "sum_block");
    let values: Vec<T> = (0..3 * threads as i16).map(T::from).collect();
    let values = gpu.upload(&values).unwrap();
    let mut sums = gpu.zeros::<T>(3).unwrap();
    let shape = Launch { shared: threads * size_of::<T>() as u32, ..row(3, threads) };
    kernel.launch(shape, &[values.input("values"), sums.output("sums")]).unwrap();
    let n = threads as i16;
    let sum = |block: i16| T::from(block * n * n + n * (n - 1) / 2);
    assert_eq!(sums.to_vec().unwrap(), [sum(0), sum(1), sum(2)], "{order:?}, {threads} threads");
}

#[test]
fn a_block_sums_its_values_in_any_order_of_threads() {
    for order in ORDERS {
        for threads in [1, 2, 32, 64] {
            sum::<f32>(order, threads);
            sum::<f64>(order, threads);
        }
    }
}

/// Whether all threads see their neighbours' values.
fn shifts_right(order: Order, guarded: bool) -> bool {
    let (_, gpu, kernel) = kernel::<f32>(Host::new().order(order), "shift_racy");
    let values: Vec<i32> = (100..164).collect();
    let values = gpu.upload(&values).unwrap();
    let mut shifted = gpu.zeros::<i32>(64).unwrap();
    let guarded = i32::from(guarded);
    let arguments = [value("guarded", &guarded), values.input("values"), shifted.output("shifted")];
    kernel.launch(Launch { shared: 256, ..row(1, 64) }, &arguments).unwrap();
    let wanted: Vec<i32> = [163].into_iter().chain(100..163).collect();
    shifted.to_vec().unwrap() == wanted
}

#[test]
fn a_missing_barrier_shows() {
    for order in ORDERS {
        assert!(shifts_right(order, true), "with a barrier, {order:?}");
        assert!(!shifts_right(order, false), "without a barrier, {order:?}");
    }
}

#[test]
fn barriers_count_conditions() {
    let values: Vec<i32> = (0..32).map(|i| i * i % 7).chain([1; 32]).chain([2; 32]).collect();
    let odd = values[..32].iter().filter(|&&x| x % 2 == 1).count() as i32;
    for order in ORDERS {
        let (_, gpu, kernel) = kernel::<f64>(Host::new().order(order), "vote");
        let values = gpu.upload(&values).unwrap();
        let [mut counts, mut any, mut all] = [(); 3].map(|()| gpu.zeros::<i32>(96).unwrap());
        let arguments =
            [values.input("values"), counts.output("counts"), any.output("any"), all.output("all")];
        kernel.launch(row(3, 32), &arguments).unwrap();
        let blocks = |a: i32, b: i32, c: i32| [[a; 32], [b; 32], [c; 32]].concat();
        assert_eq!(counts.to_vec().unwrap(), blocks(odd, 32, 0));
        assert_eq!(any.to_vec().unwrap(), blocks(1, 1, 0));
        assert_eq!(all.to_vec().unwrap(), blocks(0, 1, 0));
    }
}

#[test]
fn a_barrier_that_not_all_reach_is_an_error() {
    for order in ORDERS {
        let (_, gpu, kernel) = kernel::<f32>(Host::new().order(order), "skip_barrier");
        kernel.launch(row(2, 8), &[value("first", &8u32)]).unwrap();
        let stuck = complaint(kernel.launch(row(2, 8), &[value("first", &5u32)]));
        assert!(stuck.contains("kernel `skip_barrier`"), "{stuck}");
        assert!(stuck.contains("5 wait at a barrier") && stuck.contains("3 have ended"), "{stuck}");
        // The fibers that were left behind do not disturb the next launch.
        kernel.launch(row(2, 8), &[value("first", &8u32)]).unwrap();
        gpu.wait().unwrap();
    }
}

#[test]
fn raise_finds_the_largest_and_wants_all_threads() {
    let values: Vec<f64> = (0..128).map(|i| f64::from((i * 37) % 101) - 60.5).collect();
    let (_, gpu, kernel) = kernel::<f64>(Host::new(), "block_max_of_some");
    let values = gpu.upload(&values).unwrap();
    let mut largest = gpu.zeros::<i64>(1).unwrap();
    let mut launch = |shape, end: u32| {
        let arguments = [value("end", &end), values.input("values"), largest.output("largest")];
        kernel.launch(shape, &arguments).map(|()| largest.to_vec().unwrap()[0])
    };
    let found = launch(row(2, 64), 64).unwrap();
    assert_eq!(f64::from_bits(found as u64), 60.5);
    let some = complaint(launch(row(2, 64), 63));
    assert!(
        some.contains("`block_max_of_some`") && some.contains("some threads of block (0, 0, 0)")
    );
    let narrow = complaint(launch(row(1, 48), 48));
    assert!(narrow.contains("blocks of 48 threads") && narrow.contains("multiple of 32"));
}
