#![no_main]

#[path = "targets/checkpoint.rs"]
mod checkpoint;

libfuzzer_sys::fuzz_target!(|input: &[u8]| checkpoint::target(input));
