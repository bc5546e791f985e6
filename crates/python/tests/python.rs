//! The tests of the module of Python, by pytest, with the module of this build.

use std::path::{Path, PathBuf};
use std::process::Command;

/// The Python that has pytest: a person's, or that of `./setup --tests`.
fn python(top: &Path) -> PathBuf {
    let named = std::env::var_os("VORTICE_PYTHON").map(PathBuf::from);
    named.unwrap_or_else(|| top.join("target/python-venv/bin/python"))
}

#[test]
fn python_tests_pass() {
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
    let output = Command::new(&python)
        .args(["-m", "pytest", "-q", "-rA", "-W", "error", "-p", "no:cacheprovider"])
        .arg(here.join("tests"))
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
