//! The halo exchange of devices, with its own kernels: each rank gets what a processor gets.

use std::sync::Arc;

use kernels_on_host::{Host, Order};
use vortice_core::{Communicator, Decomposition, Halo, Result, Shape, Solo, Threads, Transport};
use vortice_gpu::{DeviceHalo, Driver, Gpu, Way};

/// What the kernels move.
trait Stored: bytemuck::Pod + PartialEq + std::fmt::Debug {
    /// A value that only this number has, or only every 65536th.
    fn numbered(n: usize) -> Self;
}

impl Stored for f32 {
    fn numbered(n: usize) -> Self {
        n as Self
    }
}

impl Stored for f64 {
    fn numbered(n: usize) -> Self {
        n as Self
    }
}

/// The bits of `half16`.
impl Stored for u16 {
    fn numbered(n: usize) -> Self {
        n as Self
    }
}

/// A device whose memory begins as not-a-number.
fn device(order: Order) -> (Arc<Host>, Gpu) {
    let host = Arc::new(Host::new().poisoned().order(order));
    let gpu = Gpu::with(Arc::clone(&host) as Arc<dyn Driver>);
    (host, gpu)
}

/// Most values of an array with its halo.
const MOST_VALUES: usize = 50_000;

/// Arrays with values that no other cell of any of 8 ranks has.
fn arrays<T: Stored>(shape: Shape, rank: usize, arrays: usize) -> Vec<Vec<T>> {
    assert!(shape.len() <= MOST_VALUES);
    let value = |array: usize, n: usize| 1 + n + MOST_VALUES * (array + 3 * rank);
    let numbered = |array, n| T::numbered(value(array, n));
    (0..arrays).map(|array| (0..shape.len()).map(|n| numbered(array, n)).collect()).collect()
}

fn on_processor<T: Stored>(
    exchange: &Halo,
    ranks: &dyn Communicator,
    arrays: &mut [Vec<T>],
) -> Result<()> {
    exchange.exchange(ranks, &mut arrays.iter_mut().map(|array| &mut array[..]).collect::<Vec<_>>())
}

/// Exchanges so often, each time on top of the last; the devices send by this transport.
const ROUNDS: usize = 4;

fn on_device<T: Stored>(
    exchange: &Halo,
    ranks: &Arc<dyn Communicator>,
    transport: Transport,
    arrays: &mut [Vec<T>],
) -> Result<()> {
    let (host, gpu) = device(Order::Shuffled(ranks.rank() as u64));
    let links = Gpu::agree_on_links(Some(&gpu), ranks.clone(), transport)?;
    let gpu = gpu.linked(links);
    let mut exchange = DeviceHalo::new(&gpu, exchange, size_of::<T>())?;
    let stays_on_device = exchange.stays_on_device();
    let buffers: Result<Vec<_>> = arrays.iter().map(|array| gpu.upload(array)).collect();
    let mut buffers = buffers?;
    let mut once = || exchange.exchange(&**ranks, &mut buffers.iter_mut().collect::<Vec<_>>());
    if stays_on_device {
        let graph = gpu.capture(&mut once)?;
        (1..ROUNDS).try_for_each(|_| graph.launch())?;
        once()?;
    } else {
        (0..ROUNDS).try_for_each(|_| once())?;
    }
    if ranks.size() > 1 {
        let by_host = host.launches().contains_key("pack");
        let all_peers = gpu.links().is_some_and(|links| links.slowest() == Way::Peer);
        assert!(transport == Transport::Auto || by_host, "{transport:?}");
        assert!(!(all_peers && by_host), "{:?}", host.launches());
    }
    for (array, buffer) in arrays.iter_mut().zip(&buffers) {
        *array = buffer.to_vec()?;
    }
    // A box may be given back only when no rank writes into it any more.
    ranks.agree(Ok(()))
}

/// Every `nth` rank exchanges on a device, the others on the processor.
fn equals_the_processor<T: Stored>(
    cells: [usize; 3],
    size: usize,
    halo: [usize; 3],
    count: usize,
    nth: usize,
    transport: Transport,
) {
    let cut = Decomposition::choose(cells, size, [true, false, true]).expect("ranks that fit");
    cut_equals_the_processor::<T>(&cut, halo, count, nth, transport);
}

fn cut_equals_the_processor<T: Stored>(
    cut: &Decomposition,
    halo: [usize; 3],
    count: usize,
    nth: usize,
    transport: Transport,
) {
    let (cells, size) = (cut.cells, cut.size());
    let ended = Threads::run(size, |ranks| {
        let ranks: Arc<dyn Communicator> = Arc::new(ranks);
        let part = cut.subdomain(ranks.rank());
        let shape = Shape { cells: part.n(), halo };
        let exchange = Halo::new(&shape, &part);
        let mut wanted = arrays::<T>(shape, ranks.rank(), count);
        on_processor(&exchange, &*ranks, &mut wanted)?;
        let mut given = arrays::<T>(shape, ranks.rank(), count);
        if ranks.rank().is_multiple_of(nth) {
            on_device(&exchange, &ranks, transport, &mut given)?;
        } else {
            Gpu::agree_on_links(None, ranks.clone(), transport)?;
            (0..ROUNDS).try_for_each(|_| on_processor(&exchange, &*ranks, &mut given))?;
            ranks.agree(Ok(()))?;
        }
        assert_eq!(given, wanted, "{cells:?} on {size} ranks, rank {}", ranks.rank());
        Ok(())
    });
    ended.expect("an exchange");
}

#[test]
fn devices_exchange_what_processors_exchange() {
    for transport in [Transport::Host, Transport::Auto] {
        for size in [1, 2, 3, 4, 8] {
            for nth in [1, 2] {
                equals_the_processor::<f64>([7, 6, 5], size, [1; 3], 1, nth, transport);
                equals_the_processor::<f32>([7, 6, 5], size, [1; 3], 3, nth, transport);
                equals_the_processor::<u16>([7, 6, 5], size, [1; 3], 3, nth, transport);
            }
        }
        equals_the_processor::<f32>([9, 8, 8], 8, [2; 3], 2, 1, transport);
        // So long a message is not traded at once.
        let cut = Decomposition::new([103, 97, 4], [1, 1, 2], [true, false, true]);
        cut_equals_the_processor::<f32>(&cut.expect("two ranks"), [1; 3], 1, 1, transport);
        equals_the_processor::<f64>([8, 6, 1], 4, [1, 1, 0], 2, 1, transport);
        equals_the_processor::<u16>([8, 6, 1], 4, [1, 1, 0], 1, 2, transport);
    }
}

#[test]
fn a_transport_that_is_not_there_is_refused_on_all_ranks() {
    for transport in [Transport::Nccl, Transport::Auto] {
        let ended = Threads::run(3, |ranks| {
            let ranks: Arc<dyn Communicator> = Arc::new(ranks);
            let (_, gpu) = device(Order::Ascending);
            let links = Gpu::agree_on_links(Some(&gpu), ranks, transport);
            Ok(links.map(|links| links.slowest()).map_err(|error| error.to_string()))
        });
        for found in ended.expect("an answer") {
            match transport {
                Transport::Auto => assert_eq!(found, Ok(Way::Peer)),
                _ => assert!(found.unwrap_err().contains("`ranks.transport = \"nccl\"`")),
            }
        }
    }
}

#[test]
fn a_rank_alone_wraps_around_in_a_captured_graph() {
    let cut = Decomposition::choose([4, 3, 2], 1, [true; 3]).expect("one rank");
    let shape = Shape { cells: [4, 3, 2], halo: [1; 3] };
    let exchange = Halo::new(&shape, &cut.subdomain(0));
    let mut wanted = arrays::<f64>(shape, 0, 1);
    let (host, gpu) = device(Order::Descending);
    let mut array = gpu.upload(&wanted[0]).expect("room");
    let mut on_device = DeviceHalo::new(&gpu, &exchange, 8).expect("an exchange");
    let graph = gpu.capture(|| on_device.exchange(&Solo, &mut [&mut array])).expect("a graph");
    assert_eq!(array.to_vec().expect("values"), wanted[0], "captured, not done");
    graph.launch().expect("a launch");
    on_processor(&exchange, &Solo, &mut wanted).expect("an exchange");
    assert_eq!(array.to_vec().expect("values"), wanted[0]);
    assert_eq!(host.launches().keys().collect::<Vec<_>>(), ["wrap"]);
}
