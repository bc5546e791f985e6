#![no_main]

#[path = "targets/tables.rs"]
mod tables;

libfuzzer_sys::fuzz_target!(|input: &[u8]| tables::target(input));
