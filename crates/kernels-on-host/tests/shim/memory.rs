//! Memory: what is in it at first, and leaving it.

use kernels_on_host::Host;
use vortice_gpu::{Driver, Launch, value};

use super::{Number, complaint, kernel, row};

/// The first word, whether the first number is not-a-number, and the last byte of 7 or more bytes of
/// shared memory before the first write; by the second block, after the first wrote there.
fn unwritten<T: Number + PartialOrd>(bytes: u32) -> (u32, bool, i32) {
    let (_, gpu, kernel) = kernel::<T>(Host::new(), "unwritten_shared");
    let mut word = gpu.zeros::<u32>(1).unwrap();
    let mut number = gpu.zeros::<T>(1).unwrap();
    let mut byte = gpu.zeros::<i32>(1).unwrap();
    let size = bytes as i32;
    let arguments =
        [value("bytes", &size), word.output("word"), number.output("number"), byte.output("byte")];
    kernel.launch(Launch { shared: bytes, ..row(2, 1) }, &arguments).unwrap();
    let number = number.to_vec().unwrap()[0];
    (word.to_vec().unwrap()[0], number.partial_cmp(&number).is_none(), byte.to_vec().unwrap()[0])
}

#[test]
fn shared_memory_begins_as_not_a_number() {
    assert_eq!(unwritten::<f32>(6), (0x7ff4_c5c5, true, 0xc5));
    assert_eq!(unwritten::<f64>(19), (0x7ff4_c5c5, true, 0xf4));
}

#[test]
fn memory_begins_as_zeros_or_as_not_a_number() {
    let first = |host: Host| {
        let at = host.allocate(18).unwrap();
        let mut bytes = [1; 18];
        host.download(at, &mut bytes).unwrap();
        host.release(at);
        bytes
    };
    assert_eq!(first(Host::new()), [0; 18]);
    let poison = first(Host::new().poisoned());
    let number = |at: usize| <[u8; 8]>::try_from(&poison[at..at + 8]).unwrap();
    assert!(f64::from_ne_bytes(number(0)).is_nan());
    assert!(f32::from_ne_bytes(poison[8..12].try_into().unwrap()).is_nan());
    assert!(i32::from_ne_bytes(poison[12..16].try_into().unwrap()) > 2_000_000_000);
    assert_ne!(poison[16..], [0; 2]);
}

#[test]
fn places_outside_of_memory_are_refused() {
    let host = Host::new().memory(1000);
    let at = host.allocate(600).unwrap();
    assert_eq!(host.free_memory().unwrap(), 400);
    assert!(complaint(host.allocate(401)).contains("401 bytes are asked for and 400 are free"));
    assert!(host.upload(at + 590, &[1; 10]).is_ok());
    assert!(complaint(host.upload(at + 591, &[1; 10])).contains("are not in memory"));
    assert!(host.download(at - 1, &mut [0; 2]).is_err());
    assert!(host.copy(at, at + 300, 300).is_ok());
    assert!(complaint(host.copy(at, at + 299, 300)).contains("overlaps"));
    assert!(host.clear(at + 1, 600).is_err());
    host.release(at);
    assert_eq!(host.free_memory().unwrap(), 1000);
    assert!(host.clear(at, 1).is_err());
}

#[test]
#[should_panic(expected = "nothing was allocated at")]
fn memory_is_given_back_once() {
    let host = Host::new();
    let at = host.allocate(8).unwrap();
    host.release(at);
    host.release(at);
}

#[test]
fn launches_that_a_gpu_refuses_are_refused() {
    let (_, gpu, kernel) = kernel::<f32>(Host::new().shared_memory(64), "overrun_shared");
    let mut found = gpu.zeros::<i32>(1).unwrap();
    let mut launch = |shape: Launch| {
        let arguments = [value("at", &15i32), value("value", &3i32), found.output("found")];
        kernel.launch(shape, &arguments).map(|()| found.to_vec().unwrap()[0])
    };
    let fits = Launch { shared: 64, ..row(1, 1) };
    assert_eq!(launch(fits).unwrap(), 3);
    assert!(complaint(launch(Launch { shared: 65, ..fits })).contains("65 bytes of shared memory"));
    for threads in [[0, 1, 1], [1025, 1, 1], [32, 33, 1], [1, 1, 65]] {
        assert!(complaint(launch(Launch { threads, ..fits })).contains("threads"), "{threads:?}");
    }
    for blocks in [[1, 0, 1], [1, 65536, 1], [1 << 16, 1 << 15, 1]] {
        assert!(complaint(launch(Launch { blocks, ..fits })).contains("blocks"), "{blocks:?}");
    }
}
