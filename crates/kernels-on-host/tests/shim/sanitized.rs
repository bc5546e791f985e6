//! Mistakes that only the sanitizers see. Each happens in a program of its own, which it ends.

use kernels_on_host::{Host, Order};
use vortice_gpu::{Launch, value};

use super::{kernel, row};

/// Runs an ignored test of this file by itself and returns what it complained of.
fn death_of(test: &str) -> String {
    let this = std::env::current_exe().expect("this program");
    let ended = std::process::Command::new(this)
        .args(["--exact", &format!("shim::sanitized::{test}"), "--ignored", "--nocapture"])
        .output()
        .expect("this program can be started");
    assert!(!ended.status.success(), "{test} must fail");
    String::from_utf8_lossy(&ended.stderr).into_owned()
}

#[test]
fn leaving_memory_or_the_integers_is_seen() {
    let shared = death_of("leaves_shared_memory");
    assert!(shared.contains("AddressSanitizer: heap-buffer-overflow"), "{shared}");
    assert!(shared.contains("overrun_shared.cu:6"), "{shared}");
    let array = death_of("leaves_an_array");
    assert!(array.contains("AddressSanitizer: heap-buffer-overflow"), "{array}");
    assert!(array.contains("overrun_array.cu:4"), "{array}");
    let integers = death_of("leaves_the_integers");
    assert!(integers.contains("signed integer overflow"), "{integers}");
    assert!(integers.contains("overflow.cu:4"), "{integers}");
}

#[test]
#[ignore = "fails on purpose, in a program of its own"]
fn leaves_shared_memory() {
    let (_, gpu, kernel) = kernel::<f32>(Host::new(), "overrun_shared");
    let mut found = gpu.zeros::<i32>(1).unwrap();
    let arguments = [value("at", &16i32), value("value", &3i32), found.output("found")];
    kernel.launch(Launch { shared: 64, ..row(1, 1) }, &arguments).unwrap();
}

#[test]
#[ignore = "fails on purpose, in a program of its own"]
fn leaves_an_array() {
    let (_, gpu, kernel) = kernel::<f32>(Host::new().order(Order::Descending), "overrun_array");
    let mut words = gpu.zeros::<i32>(9).unwrap();
    let arguments = [value("at", &9i32), value("value", &3i32), words.output("words")];
    kernel.launch(row(1, 1), &arguments).unwrap();
}

#[test]
#[ignore = "fails on purpose, in a program of its own"]
fn leaves_the_integers() {
    let (_, gpu, kernel) = kernel::<f32>(Host::new(), "overflow");
    let mut found = gpu.zeros::<i32>(1).unwrap();
    kernel.launch(row(1, 1), &[value("value", &i32::MAX), found.output("found")]).unwrap();
}
