#![no_main]

#[path = "targets/checks.rs"]
mod checks;

libfuzzer_sys::fuzz_target!(|input: &str| checks::target(input));
