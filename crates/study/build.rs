//! Embeds the case files of `cases/`, which is a link here so that packages have them, and the git hash, if there is one.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

fn main() {
    let cases = Path::new(&variable("CARGO_MANIFEST_DIR")).join("cases");
    let checks = cases.join("validation/checks.toml");
    println!("cargo:rerun-if-changed={}", checks.display());
    let checks = checks.canonicalize().expect("there is cases/validation/checks.toml");
    let list = format!(
        "pub(crate) static CASES: &[(&str, &str)] = &[{}];\n\
         pub(crate) static CHECKS: &str = include_str!({checks:?});\n",
        embedded(&cases, "toml"),
    );
    let target = Path::new(&variable("OUT_DIR")).join("embedded.rs");
    std::fs::write(target, list).expect("the build folder is writable");
    println!("cargo:rustc-env=VORTICE_VERSION={}", version());
}

fn variable(name: &str) -> String {
    std::env::var(name).unwrap_or_else(|_| panic!("cargo sets {name}"))
}

/// `("stem", include_str!("path")),` for each file of a folder with this extension, by name.
fn embedded(folder: &Path, extension: &str) -> String {
    println!("cargo:rerun-if-changed={}", folder.display());
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder)
        .map(|entries| entries.filter_map(|entry| entry.ok().map(|entry| entry.path())).collect())
        .unwrap_or_default();
    files.retain(|path| path.extension().is_some_and(|found| found == extension));
    files.sort_by(|a, b| a.file_stem().cmp(&b.file_stem()));
    files.iter().fold(String::new(), |mut list, path| {
        let stem = path.file_stem().unwrap_or_default().to_string_lossy();
        let path = path.canonicalize().expect("the file was just listed");
        write!(list, "({stem:?}, include_str!({path:?})),").expect("a string can be written");
        list
    })
}

/// The version, with the git hash of the sources where they are under git.
fn version() -> String {
    let version = variable("CARGO_PKG_VERSION");
    if let Some(log) = git(&["rev-parse", "--git-path", "logs/HEAD"])
        && Path::new(&log).exists()
    {
        println!("cargo:rerun-if-changed={log}");
    }
    match git(&["rev-parse", "--short=10", "HEAD"]) {
        Some(hash) => format!("{version} ({hash})"),
        None => version,
    }
}

fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").args(arguments).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    (output.status.success() && !text.trim().is_empty()).then(|| text.trim().to_string())
}
