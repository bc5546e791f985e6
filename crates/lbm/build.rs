//! Tells the crate whether it is compiled for every kind of register: only where it is optimised for use, since that takes as long as
//! all of its other code.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rustc-check-cfg=cfg(all_registers)");
    if std::env::var("PROFILE").is_ok_and(|profile| profile == "release") {
        println!("cargo:rustc-cfg=all_registers");
    }
}
