//! Tells the crate whether what works in registers is compiled for every kind of them: only where it is optimised for use, since that
//! takes as long as all other code.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rustc-check-cfg=cfg(all_registers)");
    if std::env::var("PROFILE").is_ok_and(|profile| profile == "release") {
        println!("cargo:rustc-cfg=all_registers");
    }
}
