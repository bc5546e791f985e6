//! A page opened in a real browser: Chromium, driven by the Python with the package
//! `selenium` that VORTICE_BROWSER_PYTHON names. Keep what it sees with
//! VORTICE_BROWSER_SHOTS=FOLDER.

use std::path::PathBuf;

use crate::looking::{expect_good, look, pictures_in};
use crate::sample;
use vortice_plot::write_page;

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
    let Some(seen) = look(&path, &shots) else {
        println!("not looked at: VORTICE_BROWSER_PYTHON names no Python");
        return;
    };
    assert_eq!(pictures_in(&path), 18);
    expect_good(&seen, 18);
}

#[test]
fn the_script_notices_what_is_missing_or_too_wide() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("report.html");
    write_page(&path, &sample::full()).expect("a page");
    let good = std::fs::read_to_string(&path).expect("the page");
    let bad = "<main><img src=\"missing.png\"><p style=\"width: 500px; font-size: 9px\">x</p>";
    std::fs::write(&path, good.replacen("<main>", bad, 1)).expect("another page");
    let Some(seen) = look(&path, folder.path()) else { return };
    let phone = &seen["widths"]["400"];
    assert!(!seen["console"].as_array().expect("a list").is_empty());
    assert!(!seen["requests"].as_array().expect("a list").is_empty());
    assert!(phone["document_width"].as_f64() > Some(400.0));
    assert_eq!(phone["smallest_text"], 9.0);
    assert_eq!(phone["pictures"][0]["visible"], false, "{}", phone["pictures"][0]);
}
