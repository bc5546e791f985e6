//! Embeds the reference tables of `cases/references`, to which `references` is a link here so that packages have them.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

fn main() {
    let folder = Path::new(&variable("CARGO_MANIFEST_DIR")).join("references");
    println!("cargo:rerun-if-changed={}", folder.display());
    let list = tables(&folder).iter().fold(String::new(), |mut list, path| {
        let stem = path.file_stem().unwrap_or_default().to_string_lossy();
        let path = path.canonicalize().expect("the file was just listed");
        write!(list, "({stem:?}, include_str!({path:?})),").expect("a string can be written");
        list
    });
    let target = Path::new(&variable("OUT_DIR")).join("tables.rs");
    let list = format!("static TABLES: &[(&str, &str)] = &[{list}];\n");
    std::fs::write(target, list).expect("the build folder is writable");
}

fn variable(name: &str) -> String {
    std::env::var(name).unwrap_or_else(|_| panic!("cargo sets {name}"))
}

/// The tables of a folder, by name.
fn tables(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten();
    let mut files: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    files.retain(|path| path.extension().is_some_and(|found| found == "csv"));
    files.sort_by(|a, b| a.file_stem().cmp(&b.file_stem()));
    files
}
