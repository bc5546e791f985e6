use std::ffi::c_void;
use std::sync::Arc;

use vortice_core::{Decomposition, Shape, Solo, Threads};

use super::kernels::{PROGRAM, definitions};
use super::sides::Sides;
use super::*;
use crate::driver::{Address, Launch};
use crate::fake::{Blocks, Fake, Work, argument};

/// Twin of the function in `sides.cuh`.
fn slot(sides: Sides, array: usize, arrays: usize, cell: usize) -> usize {
    let (low, high) = (sides.low as usize, sides.high as usize);
    if cell < low { array * low + cell } else { arrays * low + array * high + (cell - low) }
}

/// What the kernels move.
trait Stored: Pod + PartialEq + std::fmt::Debug {
    /// A value that only this number has.
    fn numbered(n: u16) -> Self;
}

impl Stored for f32 {
    fn numbered(n: u16) -> Self {
        n.into()
    }
}

impl Stored for f64 {
    fn numbered(n: u16) -> Self {
        n.into()
    }
}

/// The bits of `half16`.
impl Stored for u16 {
    fn numbered(n: u16) -> Self {
        n
    }
}

fn get<T: Pod>(blocks: &mut Blocks, at: Address, place: usize) -> T {
    bytemuck::pod_read_unaligned(&blocks.at(at)[place * size_of::<T>()..][..size_of::<T>()])
}

fn set<T: Pod>(blocks: &mut Blocks, at: Address, place: usize, value: T) {
    blocks.at(at)[place * size_of::<T>()..][..size_of::<T>()]
        .copy_from_slice(bytemuck::bytes_of(&value));
}

fn place(blocks: &mut Blocks, at: Address, cell: usize) -> usize {
    let bytes = &blocks.at(at)[8 * cell..][..8];
    bytemuck::pod_read_unaligned::<i64>(bytes) as usize
}

/// The parameters of a kernel: `sides`, then arrays.
#[allow(unsafe_code)]
fn parameters<const N: usize>(arguments: &[*const c_void]) -> (Sides, [Address; N]) {
    assert_eq!(arguments.len(), N + 1);
    // SAFETY: the kernels of the exchange have these parameters.
    unsafe { (argument(arguments, 0), std::array::from_fn(|n| argument(arguments, n + 1))) }
}

fn pack<T: Pod>(shape: Launch, arguments: &[*const c_void]) -> Work {
    let (sides, [message, first, second, third, places]) = parameters(arguments);
    let arrays = shape.blocks[1] as usize;
    Box::new(move |blocks| {
        for (array, &from) in [first, second, third].iter().enumerate().take(arrays) {
            for cell in 0..sides.cells() {
                let from_place = place(blocks, places, cell);
                let x: T = get(blocks, from, from_place);
                set(blocks, message, slot(sides, array, arrays, cell), x);
            }
        }
    })
}

fn unpack<T: Pod>(shape: Launch, arguments: &[*const c_void]) -> Work {
    let (sides, [message, first, second, third, places]) = parameters(arguments);
    let arrays = shape.blocks[1] as usize;
    Box::new(move |blocks| {
        for (array, &to) in [first, second, third].iter().enumerate().take(arrays) {
            for cell in 0..sides.cells() {
                let x: T = get(blocks, message, slot(sides, array, arrays, cell));
                let to_place = place(blocks, places, cell);
                set(blocks, to, to_place, x);
            }
        }
    })
}

fn wrap<T: Pod>(shape: Launch, arguments: &[*const c_void]) -> Work {
    let (sides, [first, second, third, from, to]) = parameters(arguments);
    let arrays = shape.blocks[1] as usize;
    Box::new(move |blocks| {
        for &array in [first, second, third].iter().take(arrays) {
            for cell in 0..sides.cells() {
                let (from, to) = (place(blocks, from, cell), place(blocks, to, cell));
                let x: T = get(blocks, array, from);
                set(blocks, array, to, x);
            }
        }
    })
}

fn unreachable(_: Launch, _: &[*const c_void]) -> Work {
    panic!("a fake has no way to other devices")
}

fn device<T: Stored>() -> Gpu {
    // No other device reaches a fake's memory: the last three are looked up and never launched.
    let kernels = [
        ("pack", pack::<T> as _),
        ("unpack", unpack::<T> as _),
        ("wrap", wrap::<T> as _),
        ("collect", unreachable as _),
        ("post", unreachable as _),
        ("trade", unreachable as _),
    ];
    Gpu::with(Arc::new(Fake::with("fake", &kernels)))
}

/// Most values of an array with its halo.
const MOST_VALUES: usize = 2700;

/// Arrays with values that no other cell of any of 8 ranks has.
fn arrays<T: Stored>(shape: Shape, rank: usize, arrays: usize) -> Vec<Vec<T>> {
    assert!(shape.len() <= MOST_VALUES);
    let value = |array: usize, n: usize| 1 + n + MOST_VALUES * (array + 3 * rank);
    let numbered = |array, n| T::numbered(value(array, n).try_into().unwrap());
    (0..arrays).map(|array| (0..shape.len()).map(|n| numbered(array, n)).collect()).collect()
}

/// Every second rank exchanges on a device, the others on the processor; all get what the
/// processor gets.
fn equals_the_processor<T: Stored>(cells: [usize; 3], size: usize, halo: [usize; 3], count: usize) {
    let cut = Decomposition::choose(cells, size, [true, false, true]).unwrap();
    Threads::run(size, |ranks| {
        let part = cut.subdomain(ranks.rank());
        let shape = Shape { cells: part.n(), halo };
        let exchange = Halo::new(&shape, &part);
        let mut wanted = arrays::<T>(shape, ranks.rank(), count);
        let mut list: Vec<&mut [T]> = wanted.iter_mut().map(|array| &mut array[..]).collect();
        exchange.exchange(&ranks, &mut list)?;
        let mut given = arrays::<T>(shape, ranks.rank(), count);
        if ranks.rank() % 2 == 1 {
            let mut list: Vec<&mut [T]> = given.iter_mut().map(|array| &mut array[..]).collect();
            exchange.exchange(&ranks, &mut list)?;
        } else {
            let gpu = device::<T>();
            let mut exchange = DeviceHalo::new(&gpu, &exchange, size_of::<T>())?;
            let buffers: Result<Vec<_>> = given.iter().map(|array| gpu.upload(array)).collect();
            let mut buffers = buffers?;
            exchange.exchange(&ranks, &mut buffers.iter_mut().collect::<Vec<_>>())?;
            for (array, buffer) in given.iter_mut().zip(&buffers) {
                *array = buffer.to_vec()?;
            }
        }
        assert_eq!(given, wanted, "{cells:?} on {size} ranks, rank {}", ranks.rank());
        Ok(())
    })
    .unwrap();
}

#[test]
fn devices_and_processors_exchange_the_same_messages() {
    for size in [1, 2, 3, 4, 8] {
        equals_the_processor::<f64>([7, 6, 5], size, [1; 3], 1);
        equals_the_processor::<f32>([7, 6, 5], size, [1; 3], 3);
        equals_the_processor::<u16>([7, 6, 5], size, [1; 3], 3);
    }
    equals_the_processor::<f32>([9, 8, 8], 8, [2; 3], 2);
    equals_the_processor::<f64>([8, 6, 1], 4, [1, 1, 0], 2);
    equals_the_processor::<u16>([8, 6, 1], 4, [1, 1, 0], 1);
}

fn alone(periodic: [bool; 3]) -> (Shape, Halo) {
    let cut = Decomposition::choose([4, 3, 2], 1, periodic).unwrap();
    let shape = Shape { cells: [4, 3, 2], halo: [1; 3] };
    (shape, Halo::new(&shape, &cut.subdomain(0)))
}

#[test]
fn a_rank_alone_stays_on_its_device_and_can_be_captured() {
    let gpu = device::<f64>();
    let (shape, on_processor) = alone([true; 3]);
    let mut halo = DeviceHalo::new(&gpu, &on_processor, 8).unwrap();
    assert!(halo.stays_on_device() && !halo.is_empty());
    let mut wanted = arrays::<f64>(shape, 0, 1).remove(0);
    let mut array = gpu.upload(&wanted).unwrap();
    let graph = gpu.capture(|| halo.exchange(&Solo, &mut [&mut array])).unwrap();
    assert_eq!(array.to_vec().unwrap(), wanted);
    graph.launch().unwrap();
    on_processor.exchange(&Solo, &mut [&mut wanted]).unwrap();
    assert_eq!(array.to_vec().unwrap(), wanted);
}

#[test]
fn nothing_is_exchanged_in_a_closed_box() {
    let gpu = device::<f32>();
    let mut halo = DeviceHalo::new(&gpu, &alone([false; 3]).1, 4).unwrap();
    assert!(halo.is_empty() && halo.stays_on_device());
    let mut array = gpu.upload(&[1.0f32]).unwrap();
    halo.exchange(&Solo, &mut [&mut array]).unwrap();
    assert_eq!(array.to_vec().unwrap(), [1.0]);
}

#[test]
fn a_neighbour_needs_the_host() {
    let gpu = device::<f32>();
    let cut = Decomposition::choose([4, 4, 1], 2, [true, false, false]).unwrap();
    let shape = Shape { cells: [4, 2, 1], halo: [1, 1, 0] };
    let halo = DeviceHalo::new(&gpu, &Halo::new(&shape, &cut.subdomain(0)), 4).unwrap();
    assert!(!halo.stays_on_device());
}

/// What is said of an array of `T` where the kernels move `S`.
fn complaint<S: Stored, T: Stored>() -> String {
    let gpu = device::<S>();
    let (shape, on_processor) = alone([true; 3]);
    let mut halo = DeviceHalo::new(&gpu, &on_processor, size_of::<S>()).unwrap();
    let mut array = gpu.zeros::<T>(shape.len()).unwrap();
    halo.exchange(&Solo, &mut [&mut array]).unwrap_err().to_string()
}

#[test]
fn numbers_of_another_size_are_refused() {
    let narrow = complaint::<f64, f32>();
    assert!(narrow.contains("`wrap`") && narrow.contains("8 bytes"), "{narrow}");
    let wide = complaint::<u16, f32>();
    assert!(wide.contains("of 2 bytes but was given 4 bytes"), "{wide}");
}

#[test]
fn the_structure_is_that_of_the_header() {
    let (_, header) = PROGRAM.headers.iter().find(|(file, _)| *file == "halo/sides.cuh").unwrap();
    assert_eq!(crate::differences(header, "Sides", Sides::FIELDS), [""; 0]);
}

#[test]
fn the_kernels_compile_for_every_architecture() {
    crate::expect_sound(&PROGRAM, &[2, 4, 8].map(|bytes| definitions(bytes).unwrap()));
    assert!(definitions(16).is_err());
}
