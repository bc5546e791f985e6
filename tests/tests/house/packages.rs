//! Packages of the crates have all that their build reads: no code looks for a file beside its crate, and the links to
//! `kernels/` and `cases/` are followed.

use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};
use std::process::Command;

use crate::tree;

/// The folders of the crates that users can take.
fn published() -> Vec<PathBuf> {
    let manifests = tree::files(&["crates"], &["Cargo.toml"]).into_iter();
    let is_kept = |path: &PathBuf| tree::read(path).contains("publish = false");
    manifests.filter(|path| !is_kept(path)).map(|path| path.with_file_name("")).collect()
}

/// The files of the package of a crate, from its folder.
fn packaged(folder: &Path) -> BTreeSet<String> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut list = Command::new(cargo);
    list.args(["package", "--list", "--offline", "--allow-dirty"]).current_dir(folder);
    let output = list.output().expect("cargo runs");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{}: {said}", folder.display());
    String::from_utf8_lossy(&output.stdout).lines().map(String::from).collect()
}

/// The texts of calls of a macro that begin with a quote: `include_str!("a")` has `a`.
fn quoted(text: &str, call: &str) -> Vec<String> {
    let after = text.match_indices(call).map(|(at, _)| &text[at + call.len()..]);
    let inside = after.filter_map(|rest| rest.trim_start().strip_prefix('"')?.split_once('"'));
    inside.map(|(inside, _)| inside.to_owned()).collect()
}

/// The files below `kernels/` that a text names: headers and kernels of `sources![]`, and those of `kernels! {}`.
fn kernels(text: &str) -> Vec<String> {
    let mut all = Vec::new();
    for list in text.split("sources![").skip(1) {
        let list = list.split(']').next().unwrap_or_default();
        all.extend(list.split('"').skip(1).step_by(2).map(|name| format!("kernels/{name}")));
    }
    for list in text.split("struct Kernels in \"").skip(1) {
        let Some((folder, rest)) = list.split_once('"') else { continue };
        let names = rest.split('}').next().unwrap_or_default().trim_start().trim_start_matches('{');
        let names = names.split(',').map(str::trim).filter(|name| !name.is_empty());
        all.extend(names.map(|name| format!("kernels/{folder}/{name}.cu")));
    }
    all
}

/// What of a file is in the library or the program: not its tests, which are of the repository.
fn compiled(path: &Path) -> String {
    let is_test = path.file_stem().is_some_and(|stem| stem == "tests");
    let text = if is_test { String::new() } else { tree::read(path) };
    text.split("#[cfg(test)]").next().unwrap_or_default().to_owned()
}

/// Files that the code of a crate is made of, and that are not in its package.
fn missing(folder: &Path, packaged: &BTreeSet<String>) -> Vec<String> {
    let name = tree::name(folder);
    let sources = tree::files(&[&format!("{name}src")], &[".rs"]);
    let mut wanted = Vec::new();
    for path in sources {
        let text = compiled(&path);
        let here =
            path.parent().unwrap_or(Path::new("")).strip_prefix(folder).unwrap_or(Path::new(""));
        wanted.extend(quoted(&text, "include_str!(").iter().map(|file| resolved(&here.join(file))));
        wanted.extend(kernels(&text));
    }
    wanted.retain(|file| !packaged.contains(file));
    wanted.into_iter().map(|file| format!("{name}{file}")).collect()
}

/// A path without `..`, as far as it stays in the crate.
fn resolved(path: &Path) -> String {
    let mut parts: Vec<String> = Vec::new();
    for part in path.components() {
        match part {
            Component::ParentDir if parts.last().is_some_and(|last| last != "..") => {
                parts.pop();
            }
            part => parts.push(part.as_os_str().to_string_lossy().into_owned()),
        }
    }
    parts.join("/")
}

#[test]
fn packages_have_all_that_their_build_reads() {
    let (mut complaints, folders) = (Vec::new(), published());
    assert!(folders.len() >= 12, "{folders:?}");
    for folder in &folders {
        let files = packaged(folder);
        assert!(files.contains("LICENSE-MIT") && files.contains("LICENSE-APACHE"), "{folder:?}");
        complaints.extend(missing(folder, &files));
        let build = folder.join("build.rs");
        if build.is_file() && tree::read(&build).contains("../") {
            complaints.push(format!("{} looks beside its crate", tree::name(&build)));
        }
        // What the build scripts embed.
        for (link, of) in [("cases", "cases"), ("references", "cases/references")] {
            if folder.join(link).is_symlink() {
                let all = tree::files(&[of], &[".toml", ".csv"]).into_iter().map(|path| {
                    format!(
                        "{link}/{}",
                        path.strip_prefix(tree::top().join(of)).expect("below").display()
                    )
                });
                complaints.extend(all.filter(|file| !files.contains(file)));
            }
        }
    }
    tree::expect_none(&complaints, &format!("{} packages", folders.len()));
}

#[test]
fn a_file_that_is_not_packaged_would_be_seen() {
    let text = "kernels! { struct Kernels in \"fdm\" { relax, fix } }\nsources![\"fdm/tile.cuh\"]";
    assert_eq!(
        kernels(text),
        ["kernels/fdm/tile.cuh", "kernels/fdm/relax.cu", "kernels/fdm/fix.cu"]
    );
    assert_eq!(quoted("include_str!( \"../a.css\")", "include_str!("), ["../a.css"]);
    assert_eq!(resolved(Path::new("src/page/../a.css")), "src/a.css");
    assert_eq!(resolved(Path::new("src/../../b")), "../b");
}
