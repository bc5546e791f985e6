//! The CUDA kernels of `kernels/` compiled by the C++ compiler, and a device that runs them on the
//! processor, for tests where there is no GPU.
//!
//! [`Host`] is a [`vortice_gpu::Driver`]: with `Gpu::with(Arc::new(Host::new()))` everything above
//! the driver works as on a GPU. The threads of a block run one after the other, each until it waits
//! for the others. What a GPU leaves open is a setting here: the [`Order`] of threads and blocks,
//! and whether memory begins as zeros. Results that change with it come from a mistake in a kernel.
//!
//! What the real device would refuse or not notice is an error: a launch of too many threads, an
//! argument that is not an address, a barrier that not all threads of a block reach, a flag that
//! no block raises. Shared memory begins as not-a-number. With the feature
//! `sanitize` (script `sanitize` of this crate) AddressSanitizer and UBSan watch the kernels as well.

mod host;
mod kernels;
mod launch;
mod memory;
mod stream;
mod table;

pub use host::Host;
pub use launch::Order;
pub use vortice_gpu::is_long_suite as is_long;

/// Things to try: all of them in the long suite, else one, another in each turn. Where the sanitizers watch, which take many times as
/// long, it is the first: what a kernel reads and writes hardly depends on the order of its threads or on a number.
pub fn tried<T>(all: &[T], turn: usize) -> &[T] {
    if is_long() {
        all
    } else if cfg!(feature = "sanitize") {
        &all[..all.len().min(1)]
    } else {
        let one = turn % all.len().max(1);
        &all[one..(one + 1).min(all.len())]
    }
}

/// Every so many of these, or of some where the sanitizers watch; all in the long suite.
pub fn watched<T>(all: Vec<T>, [every, sanitized]: [usize; 2]) -> impl Iterator<Item = T> {
    let every = match cfg!(feature = "sanitize") {
        true => sanitized,
        false if is_long() => 1,
        false => every,
    };
    all.into_iter().step_by(every)
}
