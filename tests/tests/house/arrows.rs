//! Who imports whom.

use std::collections::BTreeSet;

use crate::tree;

/// What a crate may use of ours. A crate that is not listed is not known.
const MAY_USE: [(&str, &[&str]); 17] = [
    ("core", &[]),
    ("course", &["core"]),
    ("gpu", &["core"]),
    ("linear", &["core", "gpu"]),
    ("mpi", &["core"]),
    ("output", &["core"]),
    ("plot", &["core", "post"]),
    ("post", &["core"]),
    ("lbm", &["core", "gpu"]),
    ("fvm", &["core", "gpu", "linear"]),
    ("fdm", &["core", "gpu", "linear"]),
    ("study", &["core", "gpu", "linear", "mpi", "output", "plot", "post", "lbm", "fvm", "fdm"]),
    ("watch", &["core", "output", "post", "study"]),
    (
        "vortice",
        &[
            "core", "course", "linear", "gpu", "mpi", "output", "plot", "post", "lbm", "fvm",
            "fdm", "study", "watch",
        ],
    ),
    // The program is beside the module and not in it: wheels name it so that both are of one build.
    ("python", &["core", "output", "post", "study", "vortice", "watch"]),
    // What a method from outside needs is public there.
    ("own-method", &["core", "vortice"]),
    ("kernels-on-host", &["core", "linear", "gpu", "lbm", "fvm", "fdm"]),
];

/// Foreign libraries that only one crate may name.
const HIDDEN_IN: [(&str, &str); 8] = [
    ("hdf5", "output"),
    ("hdf5-metno", "output"),
    ("kuva", "plot"),
    ("cudarc", "gpu"),
    ("pyo3", "python"),
    ("numpy", "python"),
    ("mpi", "mpi"),
    ("rsmpi", "mpi"),
];

/// Each crate's folder name with everything that its manifest depends on, for whatever purpose.
fn crates() -> Vec<(String, BTreeSet<String>)> {
    let manifests = tree::files(&["crates", "docs"], &["Cargo.toml"]);
    let crates = manifests.iter().map(|path| {
        let folder = path.parent().and_then(|folder| folder.file_name()).expect("a crate's folder");
        let manifest: toml::Table = tree::read(path).parse().expect("a manifest");
        (folder.to_string_lossy().into_owned(), dependencies(&manifest))
    });
    crates.collect()
}

/// Names in all dependency tables of a manifest, those of targets included. A renamed dependency
/// counts under both names.
fn dependencies(manifest: &toml::Table) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for (key, value) in manifest {
        let Some(table) = value.as_table() else { continue };
        if key.ends_with("dependencies") {
            for (name, wanted) in table {
                names.insert(name.clone());
                let package = wanted.get("package").and_then(|package| package.as_str());
                names.extend(package.map(String::from));
            }
        } else if key == "target" {
            for target in table.values().filter_map(|value| value.as_table()) {
                names.extend(dependencies(target));
            }
        }
    }
    names
}

/// The folder of one of our crates from its package name.
fn folder(package: &str) -> Option<&str> {
    if package == "vortice" { Some(package) } else { package.strip_prefix("vortice-") }
}

#[test]
fn crates_use_only_what_they_may() {
    let mut complaints = Vec::new();
    let crates = crates();
    for (name, dependencies) in &crates {
        let Some((_, allowed)) = MAY_USE.iter().find(|(known, _)| known == name) else {
            complaints.push(format!("{name} has no line in the table of this test"));
            continue;
        };
        for used in dependencies.iter().filter_map(|package| folder(package)) {
            if !allowed.contains(&used) {
                complaints.push(format!("{name} may not use `{used}`, only {allowed:?}"));
            }
        }
    }
    assert!(crates.len() >= 4, "only {} crates found", crates.len());
    tree::expect_none(&complaints, &format!("{} crates keep to the arrows", crates.len()));
}

#[test]
fn foreign_libraries_are_named_in_one_crate() {
    let mut complaints = Vec::new();
    for (name, dependencies) in crates() {
        for (library, home) in HIDDEN_IN {
            if dependencies.contains(library) && name != home {
                complaints.push(format!("{name} names `{library}`: only {home} may"));
            }
        }
    }
    tree::expect_none(&complaints, "each foreign library is named in one crate");
}

#[test]
fn a_forbidden_arrow_would_be_seen() {
    let manifest = r#"
        [dependencies]
        vortice-core.workspace = true
        [target.'cfg(unix)'.dev-dependencies]
        file = { package = "hdf5-metno", version = "0.15" }
    "#;
    let found = dependencies(&manifest.parse().expect("a manifest"));
    assert!(found.contains("vortice-core") && found.contains("hdf5-metno"));
    assert_eq!(found.iter().filter_map(|name| folder(name)).collect::<Vec<_>>(), ["core"]);
}
