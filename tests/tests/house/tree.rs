//! The files of the repository.

use std::fs;
use std::path::{Path, PathBuf};

/// The top of the repository.
pub(crate) fn top() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("tests/ lies in the repository")
}

/// A file's text.
pub(crate) fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Where a file lies below the top.
pub(crate) fn name(path: &Path) -> String {
    path.strip_prefix(top()).unwrap_or(path).display().to_string()
}

/// All files below some folders of the top whose name ends with one of `endings`, sorted; what is
/// built is left out. Folders that do not exist hold no files.
pub(crate) fn files(folders: &[&str], endings: &[&str]) -> Vec<PathBuf> {
    let mut found = Vec::new();
    folders.iter().for_each(|folder| walk(&top().join(folder), &mut found));
    found.retain(|path| endings.iter().any(|ending| path.to_string_lossy().ends_with(ending)));
    found.sort();
    found
}

fn walk(folder: &Path, found: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for path in entries.map(|entry| entry.expect("a readable folder").path()) {
        let built = path.file_name().is_some_and(|name| name == "target" || name == "book");
        // What packages follow stands elsewhere already.
        if path.is_symlink() {
            continue;
        }
        if path.is_dir() && !built {
            walk(&path, found);
        } else if path.is_file() {
            found.push(path);
        }
    }
}

/// The Rust sources.
pub(crate) fn sources() -> Vec<PathBuf> {
    files(&["crates", "docs", "tests", "benches", "fuzz"], &[".rs"])
}

/// The Markdown pages: those at the top, the book, and the readme files of folders.
pub(crate) fn pages() -> Vec<PathBuf> {
    let mut pages: Vec<PathBuf> = fs::read_dir(top())
        .expect("a readable top folder")
        .map(|entry| entry.expect("a readable folder").path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "md"))
        .collect();
    pages.extend(files(&["docs", "kernels", "cases", "benches", "crates", "tests"], &[".md"]));
    pages.sort();
    pages
}

/// Fails with all complaints at once, or passes saying what was looked at.
pub(crate) fn expect_none(complaints: &[String], looked_at: &str) {
    assert!(complaints.is_empty(), "\n{}", complaints.join("\n"));
    println!("{looked_at}");
}
