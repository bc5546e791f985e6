//! Compiles the yardstick with all that this machine's compiler can do.

fn main() {
    println!("cargo:rerun-if-changed=c/sor.c");
    cc::Build::new()
        .file("c/sor.c")
        .opt_level(3)
        .flag("-march=native")
        .flag_if_supported("-ffp-contract=off")
        .compile("sor");
}
