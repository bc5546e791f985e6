#![no_main]

#[path = "targets/resealed.rs"]
mod resealed;

libfuzzer_sys::fuzz_target!(|input: &[u8]| resealed::target(input));
