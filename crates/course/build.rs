//! Embeds the files of `kit/`, so that an installed program writes a course without any.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

fn main() {
    let kit = Path::new(&variable("CARGO_MANIFEST_DIR")).join("kit");
    let mut files = Vec::new();
    walk(&kit, &mut files);
    files.sort();
    let rows = files.iter().fold(String::new(), |mut rows, path| {
        let name = path.strip_prefix(&kit).expect("it lies in the kit").display().to_string();
        write!(rows, "({name:?}, include_str!({path:?})),").expect("a string can be written");
        rows
    });
    let list = format!("static FILES: &[(&str, &str)] = &[{rows}];\n");
    let target = Path::new(&variable("OUT_DIR")).join("kit.rs");
    std::fs::write(target, list).expect("the build folder is writable");
}

fn variable(name: &str) -> String {
    std::env::var(name).unwrap_or_else(|_| panic!("cargo sets {name}"))
}

fn walk(folder: &Path, files: &mut Vec<PathBuf>) {
    println!("cargo:rerun-if-changed={}", folder.display());
    for entry in std::fs::read_dir(folder).expect("a folder of the kit") {
        let path = entry.expect("a readable folder").path();
        if path.is_dir() { walk(&path, files) } else { files.push(path) }
    }
}
