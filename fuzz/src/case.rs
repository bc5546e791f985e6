#![no_main]

#[path = "targets/case.rs"]
mod case;

libfuzzer_sys::fuzz_target!(|input: &str| case::target(input));
