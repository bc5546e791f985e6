//! The shim gives CUDA's words their meaning, shown on small kernels of its own.

mod barriers;
mod driver;
mod halves;
mod memory;
#[cfg(feature = "sanitize")]
mod sanitized;
mod waiting;
mod words;

use std::sync::Arc;

use kernels_on_host::{Host, Order};
use vortice_core::Result;
use vortice_gpu::{Driver, Gpu, Kernel, Launch, Program};

macro_rules! sources {
    ($($name:literal),*) => {
        &[$((
            concat!("kernels/", $name, ".cu"),
            include_str!(concat!("../kernels/", $name, ".cu")),
        )),*]
    };
}

/// The kernels of this test.
const SHIM: Program = Program {
    name: "shim",
    kernels: sources!(
        "affine",
        "await_flag",
        "count_atomically",
        "numbers",
        "overflow",
        "overrun_array",
        "overrun_shared",
        "place",
        "block_max_of_some",
        "ring",
        "shift_racy",
        "skip_barrier",
        "sum_block",
        "unwritten_shared",
        "vote"
    ),
    headers: &[],
};

/// Every order of threads; for what must not depend on it.
const ORDERS: [Order; 4] =
    [Order::Ascending, Order::Descending, Order::Shuffled(1), Order::Shuffled(2)];

/// A number of the kernels: f32 or f64.
trait Number: bytemuck::Pod {
    const REAL: &str;
}

impl Number for f32 {
    const REAL: &str = "float";
}

impl Number for f64 {
    const REAL: &str = "double";
}

/// A host, and one of its kernels for plane flows.
fn kernel<T: Number>(host: Host, name: &str) -> (Arc<Host>, Gpu, Kernel) {
    let host = Arc::new(host);
    let gpu = Gpu::with(Arc::clone(&host) as Arc<dyn Driver>);
    let definitions = [("REAL", T::REAL.into()), ("DIRECTIONS", "2".into())];
    let module = gpu.load(&SHIM, &definitions).expect("the program");
    let kernel = module.kernel(name).expect("the kernel");
    (host, gpu, kernel)
}

/// So many blocks of so many threads in a row.
fn row(blocks: u32, threads: u32) -> Launch {
    Launch { blocks: [blocks, 1, 1], threads: [threads, 1, 1], shared: 0, cooperative: false }
}

/// What an error says.
fn complaint<T>(result: Result<T>) -> String {
    match result {
        Ok(_) => panic!("must fail"),
        Err(error) => format!("{error}; {}", error.remedy()),
    }
}
