//! The halo exchange of devices, with its own kernels: each rank gets what a processor gets.

use std::rc::Rc;

use kernels_on_host::{Host, Order};
use vortice_core::{
    Communicator, Decomposition, Field, Halo, Location, Real, Result, Shape, Solo, Threads,
};
use vortice_gpu::{DeviceHalo, Driver, Gpu, HALO_HEADERS, HALO_KERNELS, Module, Program};

const PROGRAM: Program = Program { name: "halo", kernels: HALO_KERNELS, headers: HALO_HEADERS };

/// A device whose memory begins as not-a-number, and its kernels for a number type.
fn device<T: Real>(order: Order) -> (Rc<Host>, Gpu, Module) {
    let host = Rc::new(Host::new().poisoned().order(order));
    let gpu = Gpu::with(Rc::clone(&host) as Rc<dyn Driver>);
    let real = if size_of::<T>() == 4 { "float" } else { "double" };
    let definitions = [("REAL", real.to_string()), ("DIRECTIONS", "3".to_string())];
    let module = gpu.load(&PROGRAM, &definitions).expect("the kernels");
    (host, gpu, module)
}

/// Fields with numbers that no other cell of any rank has.
fn fields<T: Real>(shape: Shape, rank: usize, arrays: usize) -> Vec<Field<T>> {
    let field = |array: usize| {
        let mut field = Field::zeros(Location::Centre, shape, 1);
        for (n, value) in field.values.iter_mut().enumerate() {
            *value = T::from_f64((1 + n + 10_000 * (array + 4 * rank)) as f64);
        }
        field
    };
    (0..arrays).map(field).collect()
}

fn on_processor<T: Real>(
    exchange: &Halo,
    ranks: &dyn Communicator,
    fields: &mut [Field<T>],
) -> Result<()> {
    exchange.exchange(ranks, &mut fields.iter_mut().map(|f| &mut f.values[..]).collect::<Vec<_>>())
}

fn on_device<T: Real>(
    exchange: &Halo,
    ranks: &dyn Communicator,
    fields: &mut [Field<T>],
) -> Result<()> {
    let (_, gpu, module) = device::<T>(Order::Shuffled(ranks.rank() as u64));
    let exchange = DeviceHalo::new(&gpu, &module, exchange)?;
    let buffers: Result<Vec<_>> = fields.iter().map(|field| gpu.upload(&field.values)).collect();
    let mut buffers = buffers?;
    exchange.exchange(ranks, &mut buffers.iter_mut().collect::<Vec<_>>())?;
    for (field, buffer) in fields.iter_mut().zip(&buffers) {
        field.values = buffer.to_vec()?;
    }
    Ok(())
}

/// Every `nth` rank exchanges on a device, the others on the processor.
fn equals_the_processor<T: Real>(
    cells: [usize; 3],
    size: usize,
    halo: [usize; 3],
    arrays: usize,
    nth: usize,
) {
    let cut = Decomposition::choose(cells, size, [true, false, true]).expect("ranks that fit");
    let ended = Threads::run(size, |ranks| {
        let part = cut.subdomain(ranks.rank());
        let shape = Shape { cells: part.n(), halo };
        let exchange = Halo::new(&shape, &part);
        let mut wanted = fields::<T>(shape, ranks.rank(), arrays);
        on_processor(&exchange, &ranks, &mut wanted)?;
        let mut given = fields::<T>(shape, ranks.rank(), arrays);
        if ranks.rank() % nth == 0 {
            on_device(&exchange, &ranks, &mut given)?;
        } else {
            on_processor(&exchange, &ranks, &mut given)?;
        }
        assert_eq!(given, wanted, "{cells:?} on {size} ranks, rank {}", ranks.rank());
        Ok(())
    });
    ended.expect("an exchange");
}

#[test]
fn devices_exchange_what_processors_exchange() {
    for size in [1, 2, 3, 4, 8] {
        for nth in [1, 2] {
            equals_the_processor::<f64>([7, 6, 5], size, [1; 3], 1, nth);
            equals_the_processor::<f32>([7, 6, 5], size, [1; 3], 3, nth);
        }
    }
    equals_the_processor::<f32>([9, 8, 8], 8, [2; 3], 2, 1);
    equals_the_processor::<f64>([8, 6, 1], 4, [1, 1, 0], 2, 1);
}

#[test]
fn a_rank_alone_wraps_around_in_a_captured_graph() {
    let cut = Decomposition::choose([4, 3, 2], 1, [true; 3]).expect("one rank");
    let shape = Shape { cells: [4, 3, 2], halo: [1; 3] };
    let exchange = Halo::new(&shape, &cut.subdomain(0));
    let mut wanted = fields::<f64>(shape, 0, 1);
    let (host, gpu, module) = device::<f64>(Order::Descending);
    let mut array = gpu.upload(&wanted[0].values).expect("room");
    let on_device = DeviceHalo::new(&gpu, &module, &exchange).expect("an exchange");
    let graph = gpu.capture(|| on_device.exchange(&Solo, &mut [&mut array])).expect("a graph");
    assert_eq!(array.to_vec().expect("values"), wanted[0].values, "captured, not done");
    graph.launch().expect("a launch");
    on_processor(&exchange, &Solo, &mut wanted).expect("an exchange");
    assert_eq!(array.to_vec().expect("values"), wanted[0].values);
    assert_eq!(host.launches().keys().collect::<Vec<_>>(), ["wrap"]);
}
