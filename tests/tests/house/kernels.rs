//! No kernel lies idle.

use std::collections::BTreeSet;

use crate::tree;

/// Files that a source puts into a program, relative to `kernels/`: headers by their names in quotes,
/// kernels by `kernels! { struct Kernels in "folder" { names } }`.
fn listed(source: &str) -> BTreeSet<String> {
    let quoted = source.split('"').skip(1).step_by(2);
    let mut files: BTreeSet<String> = quoted.map(String::from).collect();
    for list in source.split(" in \"").skip(1) {
        let Some((folder, after)) = list.split_once("\" {") else { continue };
        let kernels = after.split('}').next().unwrap_or_default().split(',').map(str::trim);
        files.extend(kernels.map(|kernel| format!("{folder}/{kernel}.cu")));
    }
    files
}

/// What is wrong with a file of `kernels/`, if anything.
fn idle(path: &str, listed: &BTreeSet<String>) -> Option<String> {
    let named = listed.contains(path.trim_start_matches("kernels/"));
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
    let listed = libraries.flat_map(|path| listed(&tree::read(&path))).collect();
    let complaints: Vec<String> =
        kernels.iter().filter_map(|path| idle(&tree::name(path), &listed)).collect();
    assert!(kernels.len() > 20, "only {} files found", kernels.len());
    tree::expect_none(&complaints, &format!("{} files of kernels/ are in use", kernels.len()));
}

#[test]
fn an_idle_kernel_would_be_seen() {
    let source = "struct Kernels in \"fdm\" { relax, fix }\nsources![\"fdm/tile.cuh\"]";
    let listed = listed(source);
    for used in ["relax.cu", "fix.cu", "tile.cuh"] {
        assert_eq!(idle(&format!("kernels/fdm/{used}"), &listed), None);
    }
    assert!(idle("kernels/fdm/forgotten.cu", &listed).is_some());
}
