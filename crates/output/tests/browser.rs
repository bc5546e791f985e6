//! A page opened in a real browser: Chromium, driven by the Python with the package `selenium` that
//! VORTICE_BROWSER_PYTHON names. Keep what it sees with VORTICE_BROWSER_SHOTS=FOLDER.
#![allow(clippy::print_stdout)] // what was seen is part of the answer

mod common;
mod sample;

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;
use vortice_output::write_page;

const SCRIPT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/browser/look.py");

/// What the script reports of a page; none without a Python to run it.
fn seen(page: &Path, shots: &Path) -> Option<Value> {
    let python = std::env::var_os("VORTICE_BROWSER_PYTHON")?;
    let run = Command::new(&python).arg(SCRIPT).arg(page).arg(shots).output();
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

fn check_width(seen: &Value, width: &str) {
    let at = &seen["widths"][width];
    let drawn = at["pictures"].as_array().expect("a list");
    println!("{width} px: {} pictures, document {} px", drawn.len(), at["document_width"]);
    assert!(drawn.len() == 18, "there are {} pictures", drawn.len());
    for picture in drawn {
        assert_eq!(picture["visible"], true, "{width} px: {picture}");
    }
    let document = at["document_width"].as_f64().expect("a width");
    assert!(document <= width.parse().expect("a number"), "{width} px: {document} px wide");
    assert!(at["smallest_text"].as_f64() >= Some(15.0), "small letters: {}", at["smallest_text"]);
}

#[test]
fn the_page_is_good_in_a_browser() {
    let folder = tempfile::tempdir().expect("a folder");
    let shots = std::env::var_os("VORTICE_BROWSER_SHOTS").map(PathBuf::from);
    let shots = shots.unwrap_or(folder.path().join("shots"));
    std::fs::create_dir_all(&shots).expect("a folder for pictures");
    let path = shots.join("report.html");
    write_page(&path, &sample::full()).expect("a page");
    let size = std::fs::metadata(&path).expect("the page").len();
    println!("the page has {size} bytes");
    assert!(size < 5_000_000);
    let Some(seen) = seen(&path, &shots) else {
        println!("not looked at: VORTICE_BROWSER_PYTHON names no Python");
        return;
    };
    println!("{}", seen["browser"]);
    assert_eq!(seen["console"], serde_json::json!([]), "what the browser complains of");
    assert_eq!(seen["requests"], serde_json::json!([]), "what the page asks of the network");
    check_width(&seen, "400");
    check_width(&seen, "1400");
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

#[test]
fn the_script_notices_what_is_missing_or_too_wide() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("report.html");
    write_page(&path, &sample::full()).expect("a page");
    let good = std::fs::read_to_string(&path).expect("the page");
    let bad = "<main><img src=\"missing.png\"><p style=\"width: 500px; font-size: 9px\">x</p>";
    std::fs::write(&path, good.replacen("<main>", bad, 1)).expect("another page");
    let Some(seen) = seen(&path, folder.path()) else { return };
    let phone = &seen["widths"]["400"];
    assert!(!seen["console"].as_array().expect("a list").is_empty());
    assert!(!seen["requests"].as_array().expect("a list").is_empty());
    assert!(phone["document_width"].as_f64() > Some(400.0));
    assert_eq!(phone["smallest_text"], 9.0);
    assert_eq!(phone["pictures"][0]["visible"], false, "{}", phone["pictures"][0]);
}
