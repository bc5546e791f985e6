#![no_main]

#[path = "targets/formula.rs"]
mod formula;

libfuzzer_sys::fuzz_target!(|input: &[u8]| formula::target(input));
