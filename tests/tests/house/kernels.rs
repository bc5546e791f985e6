//! No kernel lies idle.

use crate::tree;

/// What is wrong with a file of `kernels/`, if anything. `sources` are those of the libraries and
/// benchmarks, where programs are put together from files named relative to `kernels/`.
fn idle(path: &str, sources: &str) -> Option<String> {
    let name = path.trim_start_matches("kernels/");
    let named = sources.contains(&format!("\"{name}\""));
    (!named)
        .then(|| format!("{path} is in no `Program`: name it where its method lists its kernels"))
}

#[test]
fn every_kernel_and_header_is_in_a_program() {
    let kernels = tree::files(&["kernels"], &[".cu", ".cuh"]);
    let libraries = tree::sources().into_iter().filter(|path| {
        let name = tree::name(path);
        name.contains("/src/") && !name.starts_with("crates/kernels-on-host")
    });
    let sources: String = libraries.map(|path| tree::read(&path)).collect();
    let complaints: Vec<String> =
        kernels.iter().filter_map(|path| idle(&tree::name(path), &sources)).collect();
    assert!(kernels.len() > 20, "only {} files found", kernels.len());
    tree::expect_none(&complaints, &format!("{} files of kernels/ are in use", kernels.len()));
}

#[test]
fn an_idle_kernel_would_be_seen() {
    let sources = "include_str!(\"../kernels/fdm/used.cu\"), \"fdm/relax.cu\",";
    assert_eq!(idle("kernels/fdm/relax.cu", sources), None);
    assert!(idle("kernels/fdm/forgotten.cu", sources).is_some());
}
