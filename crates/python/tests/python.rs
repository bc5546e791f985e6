//! The tests of the module of Python, by pytest, with the module of this build: in two halves, for two cores.

use std::path::{Path, PathBuf};
use std::process::Command;

/// The Python that has pytest: a person's, or that of `./setup --tests`.
fn python(top: &Path) -> PathBuf {
    let named = std::env::var_os("VORTICE_PYTHON").map(PathBuf::from);
    named.unwrap_or_else(|| top.join("target/python-venv/bin/python"))
}

#[test]
fn python_tests_pass() {
    expect_passed(true);
}

#[test]
fn the_other_python_tests_pass() {
    expect_passed(false);
}

/// Passes the first half of all files, or the second, in the order of their names.
#[allow(clippy::print_stdout)] // what pytest says
fn expect_passed(first: bool) {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let top = here.join("../..").canonicalize().expect("the top of the repository");
    let built = std::env::current_exe().expect("this program");
    let built = built.parent().expect("its folder");
    let package = tempfile::tempdir().expect("a folder");
    let module = package.path().join("vortice");
    std::fs::create_dir(&module).expect("a folder");
    for entry in std::fs::read_dir(here.join("python/vortice")).expect("the package") {
        let path = entry.expect("a file").path();
        if path.is_file() {
            std::fs::copy(&path, module.join(path.file_name().expect("a name"))).expect("a copy");
        }
    }
    let library = built.join("lib_vortice.so");
    std::fs::copy(&library, module.join("_vortice.abi3.so"))
        .unwrap_or_else(|error| panic!("{}: {error}", library.display()));
    let python = python(&top);
    let files = std::fs::read_dir(here.join("tests")).expect("the tests");
    let files = files.map(|entry| entry.expect("a file").path());
    let is_test = |path: &PathBuf| {
        path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("test_"))
    };
    let mut files: Vec<PathBuf> = files.filter(is_test).collect();
    files.sort();
    let half = files.len().div_ceil(2);
    let output = Command::new(&python)
        .args(["-m", "pytest", "-q", "-rA", "-W", "error", "-p", "no:cacheprovider"])
        .args(&files[if first { 0..half } else { half..files.len() }])
        .current_dir(package.path())
        .env("PYTHONPATH", package.path())
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .env("MPLBACKEND", "agg")
        .env("VORTICE_PROGRAM", built.join("../vortice"))
        .env("VORTICE_PAGES", top.join("docs/src"))
        .output();
    let output = output.unwrap_or_else(|error| {
        panic!("{}: {error}; `./setup --tests` makes it, or name one that has numpy and pytest: VORTICE_PYTHON=/path/to/python", python.display())
    });
    println!("{}", String::from_utf8_lossy(&output.stdout));
    assert!(output.status.success(), "\n{}", String::from_utf8_lossy(&output.stderr));
}
