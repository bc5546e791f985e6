#![no_main]

#[path = "targets/run.rs"]
mod run;

libfuzzer_sys::fuzz_target!(|input: &[u8]| run::target(input));
