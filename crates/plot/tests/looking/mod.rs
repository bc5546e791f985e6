//! A page opened in a real browser: Chromium, driven by the Python with the package
//! `selenium` that VORTICE_BROWSER_PYTHON names.
#![allow(dead_code, unreachable_pub)] // each test binary uses its own share

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

const SCRIPT: &str = "tests/browser/look.py";

/// The script, looked for upwards from the crate that is tested.
fn script() -> PathBuf {
    let above = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors();
    let mut scripts = above.map(|folder| folder.join(SCRIPT));
    scripts.find(|path| path.is_file()).expect("the script of the repository")
}

/// What the script reports of a page; none without a Python to run it.
pub fn look(page: &Path, shots: &Path) -> Option<Value> {
    let python = std::env::var_os("VORTICE_BROWSER_PYTHON")?;
    let run = Command::new(&python).args([&*script(), page, shots]).output();
    let run = run.unwrap_or_else(|error| panic!("{python:?} does not run: {error}"));
    let errors = String::from_utf8_lossy(&run.stderr);
    assert!(run.status.success(), "{SCRIPT} fails: {errors}");
    Some(serde_json::from_slice(&run.stdout).expect("a report in JSON"))
}

/// Numbers that a column showed.
fn numbers(list: &Value) -> Vec<f64> {
    let list = list.as_array().expect("a list");
    list.iter().filter_map(Value::as_f64).collect()
}

fn expect_width(seen: &Value, width: &str, pictures: usize) {
    let at = &seen["widths"][width];
    let drawn = at["pictures"].as_array().expect("a list");
    println!("{width} px: {} pictures, document {} px", drawn.len(), at["document_width"]);
    assert_eq!(drawn.len(), pictures, "{width} px");
    for picture in drawn {
        assert_eq!(picture["visible"], true, "{width} px: {picture}");
    }
    let document = at["document_width"].as_f64().expect("a width");
    assert!(document <= width.parse().expect("a number"), "{width} px: {document} px wide");
    assert!(at["smallest_text"].as_f64() >= Some(15.0), "small letters: {}", at["smallest_text"]);
}

/// That all columns of the tables with a caption are seen on a wide screen without scrolling.
pub fn expect_whole_tables(seen: &Value, caption: &str) {
    let tables = seen["widths"]["1400"]["tables"].as_array().expect("a list");
    let with_caption = tables.iter().filter(|table| table["caption"] == caption);
    let hidden: Vec<&Value> = with_caption.map(|table| &table["hidden"]).collect();
    assert!(!hidden.is_empty(), "no table is called {caption}");
    assert!(hidden.iter().all(|names| *names == &serde_json::json!([])), "pushed out: {hidden:?}");
}

/// Drawings of a page, and pictures within them.
pub fn pictures_in(page: &Path) -> usize {
    let text = std::fs::read_to_string(page).expect("the page");
    text.matches("<svg").count() + text.matches("<image").count()
}

/// What a page must be: without complaints of the browser, all pictures there on a phone and on a wide
/// screen, its tables sorted by mouse and by key, readable without scripts, and printable.
pub fn expect_good(seen: &Value, pictures: usize) {
    println!("{}", seen["browser"]);
    assert_eq!(seen["console"], serde_json::json!([]), "what the browser complains of");
    assert_eq!(seen["requests"], serde_json::json!([]), "what the page asks of the network");
    expect_width(seen, "400", pictures);
    expect_width(seen, "1400", pictures);
    for way in ["click", "key"] {
        let sorted = &seen["sorting"][way];
        let (up, down) = (numbers(&sorted["ascending"]), numbers(&sorted["descending"]));
        assert!(up.len() > 4 && up.is_sorted(), "{way}: {up:?}");
        assert!(down.len() == up.len() && down.iter().rev().is_sorted(), "{way}: {down:?}");
        assert_eq!(sorted["aria"], serde_json::json!(["ascending", "descending"]));
        let rows = sorted["ascending"].as_array().map(Vec::len);
        assert_eq!(rows, seen["sorting"]["rows"].as_u64().map(|n| n as usize), "no row is lost");
    }
    assert_eq!(seen["without_script"]["tables_read"], true);
    assert!(seen["pdf"]["bytes"].as_u64() > Some(10_000));
    println!("printed: {} bytes", seen["pdf"]["bytes"]);
}
