#![no_main]

#[path = "targets/stl.rs"]
mod stl;

libfuzzer_sys::fuzz_target!(|input: &[u8]| stl::target(input));
