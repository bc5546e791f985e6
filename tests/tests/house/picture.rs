//! The page about the architecture: its picture is that of the manifests, its verbs those of the step.

use std::process::Command;

use crate::tree;

const PAGE: &str = "docs/src/architecture.md";

/// The verbs that a time step speaks.
fn verbs(step: &str) -> Vec<&str> {
    let calls = step.split("engine.").skip(1).filter_map(|after| after.split_once('('));
    calls.map(|(verb, _)| verb).collect()
}

#[test]
fn the_picture_shows_what_the_manifests_say() {
    let script = tree::top().join("docs/house");
    let output = Command::new(&script).args(["picture", "--check"]).output();
    let output = output.unwrap_or_else(|error| panic!("{}: {error}", script.display()));
    assert!(output.status.success(), "\n{}", String::from_utf8_lossy(&output.stderr));
    println!("docs/src/pictures/house.svg shows what the manifests say");
}

#[test]
fn imports_form_no_circle() {
    let output = Command::new(tree::top().join("docs/house")).arg("circles").output();
    let output = output.expect("docs/house runs");
    let circles = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && circles.trim().is_empty(), "\n{circles}");
    println!("no file is imported by one that it imports");
}

#[test]
fn the_picture_stands_on_the_page() {
    let page = tree::read(&tree::top().join(PAGE));
    assert!(page.contains("](pictures/house.svg)"), "{PAGE} does not show the picture");
}

#[test]
fn the_page_has_the_verbs_of_the_step() {
    let page = tree::read(&tree::top().join(PAGE));
    let step = tree::read(&tree::top().join("crates/lbm/src/step.rs"));
    let verbs = verbs(&step);
    assert!(verbs.len() >= 3, "only {verbs:?} found");
    let rows = page.lines().filter_map(|line| line.strip_prefix("| `")?.split_once("` |"));
    let told: Vec<&str> = rows.map(|(first, _)| first).collect();
    let missing: Vec<_> = verbs.iter().filter(|verb| !told.contains(verb)).collect();
    assert!(missing.is_empty(), "{PAGE} has no row for {missing:?} of crates/lbm/src/step.rs");
    println!("{PAGE} has a row for each of {verbs:?}");
}

#[test]
fn every_crate_has_a_row_on_the_page() {
    let page = tree::read(&tree::top().join(PAGE));
    let rows = page.lines().filter(|line| line.starts_with("| `"));
    let told: Vec<&str> = rows.filter_map(|row| row.split('|').nth(1)).collect();
    let mut complaints = Vec::new();
    let manifests = tree::files(&["crates"], &["Cargo.toml"]);
    for manifest in &manifests {
        let folder = manifest.parent().and_then(|folder| folder.file_name());
        let name = format!("`{}`", folder.expect("a crate's folder").display());
        if !told.iter().any(|first| first.contains(&name)) {
            complaints.push(format!("{PAGE} has no row for {name}"));
        }
    }
    tree::expect_none(&complaints, &format!("{} crates have a row", manifests.len()));
}

#[test]
fn verbs_are_found_in_a_step() {
    let step = "/// Of engine parts.\nengine.predict(dt)?;\nlet left = engine.relax(omega, 2)?;";
    assert_eq!(verbs(step), ["predict", "relax"]);
}
