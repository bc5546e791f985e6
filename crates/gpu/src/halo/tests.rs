use std::ffi::c_void;
use std::rc::Rc;

use vortice_core::{Decomposition, Field, Location, Real, Shape, Solo, Threads};

use super::sides::Sides;
use super::*;
use crate::driver::{Address, Launch};
use crate::fake::{Blocks, Fake, Work, argument};
use crate::program::Program;

const PROGRAM: Program = Program { name: "halo", kernels: HALO_KERNELS, headers: HALO_HEADERS };

/// Twin of the function in `sides.cuh`.
fn slot(sides: Sides, array: usize, arrays: usize, cell: usize) -> usize {
    let (low, high) = (sides.low as usize, sides.high as usize);
    if cell < low { array * low + cell } else { arrays * low + array * high + (cell - low) }
}

fn get<T: Real>(blocks: &mut Blocks, at: Address, place: usize) -> T {
    bytemuck::pod_read_unaligned(&blocks.at(at)[place * size_of::<T>()..][..size_of::<T>()])
}

fn set<T: Real>(blocks: &mut Blocks, at: Address, place: usize, value: T) {
    blocks.at(at)[place * size_of::<T>()..][..size_of::<T>()]
        .copy_from_slice(bytemuck::bytes_of(&value));
}

fn place(blocks: &mut Blocks, at: Address, cell: usize) -> usize {
    let bytes = &blocks.at(at)[4 * cell..][..4];
    bytemuck::pod_read_unaligned::<u32>(bytes) as usize
}

/// The parameters of a kernel: `sides`, then arrays.
#[allow(unsafe_code)]
fn parameters<const N: usize>(arguments: &[*const c_void]) -> (Sides, [Address; N]) {
    assert_eq!(arguments.len(), N + 1);
    // SAFETY: the kernels of the exchange have these parameters.
    unsafe { (argument(arguments, 0), std::array::from_fn(|n| argument(arguments, n + 1))) }
}

fn pack<T: Real>(shape: Launch, arguments: &[*const c_void]) -> Work {
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

fn unpack<T: Real>(shape: Launch, arguments: &[*const c_void]) -> Work {
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

fn wrap<T: Real>(shape: Launch, arguments: &[*const c_void]) -> Work {
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

fn device<T: Real>() -> (Gpu, Module) {
    let kernels =
        [("pack", pack::<T> as _), ("unpack", unpack::<T> as _), ("wrap", wrap::<T> as _)];
    let gpu = Gpu::with(Rc::new(Fake::with("fake", &kernels)));
    let real = if size_of::<T>() == 4 { "float" } else { "double" };
    let module = gpu.load(&PROGRAM, &[("REAL", real.into())]).unwrap();
    (gpu, module)
}

/// Fields with numbers that no other cell of any rank has.
fn fields<T: Real>(shape: Shape, rank: usize, arrays: usize) -> Vec<Field<T>> {
    let fields = (0..arrays).map(|array| {
        let mut field = Field::zeros(Location::Centre, shape, 1);
        for (n, value) in field.values.iter_mut().enumerate() {
            *value = T::from_f64((1 + n + 10_000 * (array + 4 * rank)) as f64);
        }
        field
    });
    fields.collect()
}

/// Every second rank exchanges on a device, the others on the processor; all get what the
/// processor gets.
fn equals_the_processor<T: Real>(cells: [usize; 3], size: usize, halo: [usize; 3], arrays: usize) {
    let cut = Decomposition::choose(cells, size, [true, false, true]).unwrap();
    Threads::run(size, |ranks| {
        let part = cut.subdomain(ranks.rank());
        let shape = Shape { cells: part.n(), halo };
        let exchange = Halo::new(&shape, &part);
        let mut wanted = fields::<T>(shape, ranks.rank(), arrays);
        let mut list: Vec<&mut [T]> = wanted.iter_mut().map(|f| &mut f.values[..]).collect();
        exchange.exchange(&ranks, &mut list)?;
        let mut given = fields::<T>(shape, ranks.rank(), arrays);
        if ranks.rank() % 2 == 1 {
            let mut list: Vec<&mut [T]> = given.iter_mut().map(|f| &mut f.values[..]).collect();
            exchange.exchange(&ranks, &mut list)?;
        } else {
            let (gpu, module) = device::<T>();
            let exchange = DeviceHalo::new(&gpu, &module, &exchange)?;
            let buffers: Result<Vec<_>> = given.iter().map(|f| gpu.upload(&f.values)).collect();
            let mut buffers = buffers?;
            exchange.exchange(&ranks, &mut buffers.iter_mut().collect::<Vec<_>>())?;
            for (field, buffer) in given.iter_mut().zip(&buffers) {
                field.values = buffer.to_vec()?;
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
    }
    equals_the_processor::<f32>([9, 8, 8], 8, [2; 3], 2);
    equals_the_processor::<f64>([8, 6, 1], 4, [1, 1, 0], 2);
}

fn alone(periodic: [bool; 3]) -> (Shape, Halo) {
    let cut = Decomposition::choose([4, 3, 2], 1, periodic).unwrap();
    let shape = Shape { cells: [4, 3, 2], halo: [1; 3] };
    (shape, Halo::new(&shape, &cut.subdomain(0)))
}

#[test]
fn a_rank_alone_stays_on_its_device_and_can_be_captured() {
    let (gpu, module) = device::<f64>();
    let (shape, on_processor) = alone([true; 3]);
    let halo = DeviceHalo::new(&gpu, &module, &on_processor).unwrap();
    assert!(halo.stays_on_device() && !halo.is_empty());
    let mut wanted = fields::<f64>(shape, 0, 1).remove(0).values;
    let mut array = gpu.upload(&wanted).unwrap();
    let graph = gpu.capture(|| halo.exchange(&Solo, &mut [&mut array])).unwrap();
    assert_eq!(array.to_vec().unwrap(), wanted);
    graph.launch().unwrap();
    on_processor.exchange(&Solo, &mut [&mut wanted]).unwrap();
    assert_eq!(array.to_vec().unwrap(), wanted);
}

#[test]
fn nothing_is_exchanged_in_a_closed_box() {
    let (gpu, module) = device::<f32>();
    let halo = DeviceHalo::new(&gpu, &module, &alone([false; 3]).1).unwrap();
    assert!(halo.is_empty() && halo.stays_on_device());
    let mut array = gpu.upload(&[1.0f32]).unwrap();
    halo.exchange(&Solo, &mut [&mut array]).unwrap();
    assert_eq!(array.to_vec().unwrap(), [1.0]);
}

#[test]
fn a_neighbour_needs_the_host() {
    let (gpu, module) = device::<f32>();
    let cut = Decomposition::choose([4, 4, 1], 2, [true, false, false]).unwrap();
    let shape = Shape { cells: [4, 2, 1], halo: [1, 1, 0] };
    let halo = DeviceHalo::new(&gpu, &module, &Halo::new(&shape, &cut.subdomain(0))).unwrap();
    assert!(!halo.stays_on_device());
}

#[test]
fn numbers_of_another_size_are_refused() {
    let (gpu, module) = device::<f64>();
    let (shape, on_processor) = alone([true; 3]);
    let halo = DeviceHalo::new(&gpu, &module, &on_processor).unwrap();
    let mut narrow = gpu.zeros::<f32>(shape.len()).unwrap();
    let error = halo.exchange(&Solo, &mut [&mut narrow]).unwrap_err().to_string();
    assert!(error.contains("`wrap`") && error.contains("8 bytes"), "{error}");
}

#[test]
fn the_structure_is_that_of_the_header() {
    assert_eq!(crate::differences(HALO_HEADERS[0].1, "Sides", Sides::FIELDS), [""; 0]);
}

#[test]
fn the_kernels_compile_for_every_architecture() {
    let device = ("device.cuh", include_str!("../../../../kernels/device.cuh"));
    let headers: &'static [_] = vec![device, HALO_HEADERS[0]].leak();
    let program = Program { headers, ..PROGRAM };
    for architecture in [[8, 0], [9, 0], [10, 0]] {
        for real in ["float", "double"] {
            let definitions = [("REAL", real.to_string()), ("DIRECTIONS", "3".to_string())];
            crate::compile(&program, &definitions, architecture, false).unwrap();
        }
    }
}
