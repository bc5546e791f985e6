//! Words of CUDA: places, arguments, arithmetic, atomic operations.

use bytemuck::{Pod, Zeroable};
use kernels_on_host::{Host, Order};
use vortice_gpu::{Definition, Launch, value};

use super::{Number, ORDERS, SHIM, kernel, row};

/// As in `affine.cu`, for double precision, with its padding.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct Affine {
    offset: i32,
    _padding: i32,
    a: f64,
    b: [f64; 3],
    lane: u8,
    _end: [u8; 7],
}

#[test]
fn structures_and_numbers_come_as_arguments() {
    let (host, gpu, kernel) = kernel::<f64>(Host::new(), "affine");
    let x = gpu.upload(&[1.0, 2.0, 3.0, 4.0, 5.0]).unwrap();
    let mut y = gpu.zeros::<f64>(7).unwrap();
    let map =
        Affine { offset: 2, _padding: 0, a: 0.5, b: [10.0, 20.0, 30.0], lane: 2, _end: [0; 7] };
    let arguments = [value("map", &map), x.input("x"), y.output("y"), value("n", &4i64)];
    kernel.launch(Launch::over([4, 1, 1], [3, 1, 1]), &arguments).unwrap();
    assert_eq!(y.to_vec().unwrap(), [0.0, 0.0, 30.5, 31.0, 31.5, 32.0, 0.0]);
    assert_eq!(host.launches().into_iter().collect::<Vec<_>>(), [("affine".to_string(), 1)]);
}

/// In which order the threads of 2 x 1 x 2 blocks of 2 x 3 x 1 came, by place.
fn came(order: Order) -> Vec<i32> {
    let (_, gpu, kernel) = kernel::<f32>(Host::new().order(order), "place");
    let mut next = gpu.zeros::<i32>(1).unwrap();
    let mut came = gpu.zeros::<i32>(24).unwrap();
    let mut variant = gpu.zeros::<i32>(3).unwrap();
    let arguments = [next.output("next"), came.output("came"), variant.output("variant")];
    let shape = Launch { blocks: [2, 1, 2], threads: [2, 3, 1], shared: 0, cooperative: false };
    kernel.launch(shape, &arguments).unwrap();
    assert_eq!(variant.to_vec().unwrap(), [4, 4, 2]);
    came.to_vec().unwrap()
}

#[test]
fn threads_come_in_the_order_that_was_set() {
    let ascending = came(Order::Ascending);
    assert_eq!(ascending[..12], [0, 1, 6, 7, 2, 3, 8, 9, 4, 5, 10, 11]);
    let descending: Vec<i32> = ascending.iter().map(|at| 23 - at).collect();
    assert_eq!(came(Order::Descending), descending);
    let mut shuffled = came(Order::Shuffled(5));
    assert_eq!(shuffled, came(Order::Shuffled(5)));
    assert_ne!(shuffled, came(Order::Shuffled(6)));
    assert_ne!(shuffled, ascending);
    shuffled.sort_unstable();
    assert_eq!(shuffled, (0..24).collect::<Vec<_>>(), "each thread comes once");
}

/// The sizes of numbers and of stored numbers, and the directions, that a kernel was compiled with.
fn variant(definitions: &[Definition]) -> Vec<i32> {
    let gpu = vortice_gpu::Gpu::with(std::sync::Arc::new(Host::new()));
    let kernel = gpu.load(&SHIM, definitions).unwrap().kernel("place").unwrap();
    let mut next = gpu.zeros::<i32>(1).unwrap();
    let mut came = gpu.zeros::<i32>(1).unwrap();
    let mut variant = gpu.zeros::<i32>(3).unwrap();
    let arguments = [next.output("next"), came.output("came"), variant.output("variant")];
    kernel.launch(row(1, 1), &arguments).unwrap();
    variant.to_vec().unwrap()
}

#[test]
fn variants_are_found_by_their_definitions() {
    for (real, size) in [("float", 4), ("double", 8)] {
        for directions in [2, 3] {
            let definitions = [("DIRECTIONS", directions.to_string()), ("REAL", real.into())];
            assert_eq!(variant(&definitions), [size, size, directions]);
        }
        assert_eq!(variant(&[("REAL", real.into()), ("STORED", real.into())])[..2], [size; 2]);
    }
    let halves =
        [("REAL", "float".into()), ("STORED", "half16".into()), ("DIRECTIONS", "3".into())];
    assert_eq!(variant(&halves), [4, 2, 3]);
    assert_eq!(variant(&[("STORED", "half16".into())])[..2], [4, 2]);
}

#[test]
fn atomic_operations_return_what_was_before() {
    for order in ORDERS {
        let (_, gpu, kernel) = kernel::<f32>(Host::new().order(order), "count_atomically");
        let mut small = gpu.upload(&[-100, 1]).unwrap();
        let mut large = gpu.upload(&[-(1i64 << 50), 0]).unwrap();
        let mut ticket = gpu.zeros::<u32>(1).unwrap();
        let mut last = gpu.zeros::<u64>(2).unwrap();
        let mut tickets = gpu.zeros::<i32>(12).unwrap();
        let arguments = [
            small.output("small"),
            large.output("large"),
            ticket.output("ticket"),
            last.output("last"),
            tickets.output("tickets"),
        ];
        kernel.launch(row(3, 4), &arguments).unwrap();
        let wrapped = (0..12).fold(1, |sum: i32, _| sum.wrapping_add(i32::MAX));
        assert_eq!(small.to_vec().unwrap(), [6, wrapped]);
        assert_eq!(large.to_vec().unwrap(), [11 - (1 << 40), 66 << 32]);
        assert_eq!(ticket.to_vec().unwrap(), [12]);
        let last = last.to_vec().unwrap();
        assert!(last[0] == 11 && last[1] < 12);
        assert_eq!(tickets.to_vec().unwrap(), [1; 12]);
    }
}

/// `numbers.cu` for x and y.
fn numbers<T: Number>(x: T, y: T) -> (Vec<T>, Vec<i64>) {
    let (_, gpu, kernel) = kernel::<T>(Host::new(), "numbers");
    let mut found = gpu.zeros::<T>(6).unwrap();
    let mut whole = gpu.zeros::<i64>(4).unwrap();
    let arguments = [value("x", &x), value("y", &y), found.output("found"), whole.output("whole")];
    kernel.launch(row(1, 1), &arguments).unwrap();
    (found.to_vec().unwrap(), whole.to_vec().unwrap())
}

#[test]
fn arithmetic_is_that_of_rust() {
    // The squares need more digits than there are: a fused multiplication would show.
    let (x, y) = (-2.5f32 - 3.0 * f32::EPSILON, 7.1f32);
    let (found, whole) = numbers(x, y);
    assert_eq!(found, [x, y, -x, x.round(), x * x + y, y.sqrt()]);
    assert_ne!(x * x - 6.25, x.mul_add(x, -6.25), "the example is a good one");
    let bits = i64::from(x.abs().to_bits());
    assert_eq!(whole, [-3, bits, 2 + 3 + 2, 0x3f80_0001 + 5]);

    let (x, y) = (-2.5 - 3.0 * f64::EPSILON, 7.1);
    let (found, whole) = numbers(x, y);
    assert_eq!(found, [x, y, -x, x.round(), x * x + y, y.sqrt()]);
    assert_eq!(whole[1], x.abs().to_bits() as i64);
    let (found, _) = numbers(1.0 + f64::EPSILON, -1.0 - 2.0 * f64::EPSILON);
    assert_eq!(found[4], 0.0, "rounded twice");
}
