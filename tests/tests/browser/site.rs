//! The site of the pages: it is made without a network, and every page of it is opened.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use std::time::Instant;

use serde_json::{Value, json};
use vortice_course::{For, write_course};

fn top() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("tests/ lies in the repository")
}

/// The site, made once for all tests in `target`; nothing where no Python can.
fn site() -> Option<&'static Path> {
    static SITE: OnceLock<Option<PathBuf>> = OnceLock::new();
    let site = SITE.get_or_init(|| {
        let folder = top().join("target/site");
        made(&folder).then_some(folder)
    });
    site.as_deref()
}

/// Makes the site in a folder; not where no Python can.
fn made(folder: &Path) -> bool {
    let venv = top().join("target/docs-venv/bin/python");
    if std::env::var_os("VORTICE_DOCS_PYTHON").is_none() && !venv.is_file() {
        println!("not made: ./setup --docs was not called");
        return false;
    }
    let begin = Instant::now();
    let run = Command::new(top().join("docs/build")).arg(folder).output().expect("docs/build");
    let told = String::from_utf8_lossy(&run.stdout);
    assert!(run.status.success(), "{told}{}", String::from_utf8_lossy(&run.stderr));
    println!("{}; with Python's start {:.1} s", told.trim(), begin.elapsed().as_secs_f64());
    true
}

/// What the script reports of the site; none without a Python to run it.
fn look(site: &Path, shots: &Path) -> Option<Value> {
    let python = std::env::var_os("VORTICE_BROWSER_PYTHON")?;
    let script = top().join("tests/browser/site.py");
    let run = Command::new(&python).args([&*script, site, shots]).output();
    let run = run.unwrap_or_else(|error| panic!("{python:?} does not run: {error}"));
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    Some(serde_json::from_slice(&run.stdout).expect("a report in JSON"))
}

#[test]
fn every_page_of_the_site_is_good_in_a_browser() {
    let Some(site) = site() else { return };
    let temporary = tempfile::tempdir().expect("a folder");
    let shots = std::env::var_os("VORTICE_BROWSER_SHOTS").map(PathBuf::from);
    let shots = shots.unwrap_or(temporary.path().into()).join("site-shots");
    std::fs::create_dir_all(&shots).expect("a folder for pictures");
    let begin = Instant::now();
    let Some(seen) = look(site, &shots) else {
        println!("not looked at: VORTICE_BROWSER_PYTHON names no Python");
        return;
    };
    let seconds = begin.elapsed().as_secs_f64();
    let [pages, opened, links] =
        ["pages", "opened", "links"].map(|key| seen[key].as_u64().expect("a number"));
    println!("{}: {opened} of {pages} pages, {links} links, {seconds:.0} s", seen["browser"]);
    assert!(pages > 100 && opened > 100 && links > 5000);
    for what in ["console", "requests", "wide", "broken"] {
        assert_eq!(seen[what], json!([]), "{what}");
    }
    assert_ne!(seen["dark"][0], seen["dark"][1], "the button changes the paper");
    assert!(seen["equation"][1].as_f64() > Some(20.0), "a formula is set: {}", seen["equation"]);
    assert_eq!(seen["menu"], true, "the contents open on a phone");
    let found = seen["search"]["found"].as_array().expect("a list");
    let addresses: Vec<&str> = found.iter().filter_map(|one| one[0].as_str()).collect();
    assert!(addresses.iter().any(|one| one.contains("theory/fvm.html#multigrid")), "{addresses:?}");
}

/// As a class gets them, without the solutions.
#[test]
fn handouts_of_the_course_are_good_in_a_browser() {
    let folder = tempfile::tempdir().expect("a folder");
    let kit = folder.path().join("kit");
    write_course(&kit, For::Students).expect("a kit");
    let Some(seen) = look(&kit, folder.path()) else { return };
    assert_eq!(seen["opened"], 6, "four labs and two projects");
    for what in ["console", "requests", "wide", "broken"] {
        assert_eq!(seen[what], json!([]), "{what}");
    }
}

#[test]
fn what_is_wrong_with_a_page_is_seen() {
    let folder = tempfile::tempdir().expect("a folder");
    let page = "<a href=\"gone.html\">a</a><a href=\"#nowhere\">b</a><p id=\"here\" style=\"width: 900px\">c</p>\
                <img src=\"gone.png\"><script>console.error('d')</script>";
    std::fs::write(folder.path().join("index.html"), page).expect("a page");
    let Some(seen) = look(folder.path(), folder.path()) else { return };
    let wide = seen["wide"].as_array().expect("a list");
    assert_eq!(wide.len(), 2, "at 360 and 800 px: {wide:?}");
    assert_eq!(seen["broken"].as_array().map(Vec::len), Some(3), "{}", seen["broken"]);
    let console = seen["console"].to_string();
    assert!(console.contains("gone.png") && console.contains('d'), "{console}");
}

#[test]
fn the_gallery_has_a_card_for_each_case() {
    let Some(site) = site() else { return };
    let page = std::fs::read_to_string(site.join("gallery.html")).expect("the gallery");
    for (name, _) in vortice::built_in_cases() {
        assert!(page.contains(&format!("vortice run {name}<")), "no card for {name}");
        let picture = top().join(format!("docs/src/pictures/gallery/{name}.webp"));
        assert!(picture.is_file(), "{}: docs/gallery makes it", picture.display());
    }
    // Errors are those of the file of checks.
    assert!(page.contains("<td>fvm</td><td>960 × 64</td><td>"), "step-gartling on its finest grid");
}
