//! The page of a real study, made by all methods.

use std::path::PathBuf;

use crate::looking::{expect_good, expect_whole_tables, look, pictures_in};
use vortice::study::{Findings, Study, write_report};

/// A study on coarse grids, loosely steady.
fn study(case: &str, grids: &[usize], folder: &std::path::Path) -> Findings {
    let sets =
        ["run.steady=1e-2", "lbm.lattice='d2q9'", "lbm.collision='mrt'", "output.picture=false"];
    let sets = sets.map(String::from);
    let study = Study::of(case, &sets).and_then(|study| study.grids(grids)).expect("a study");
    study.run(folder).expect("findings")
}

/// One in which a method diverges, and says so at length.
fn broken(folder: &std::path::Path) -> Findings {
    let sets = ["run.max-steps=2000", "fdm.dt=1.0", "references=[]", "output.picture=false"];
    let sets = sets.map(String::from);
    let study = Study::of("cavity", &sets).and_then(|study| study.grids(&[12, 16]));
    study
        .and_then(|study| study.methods(&["fdm", "fvm"]))
        .expect("a study")
        .run(folder)
        .expect("findings")
}

#[test]
fn the_page_of_a_study_is_good_in_a_browser() {
    let temporary = tempfile::tempdir().expect("a folder");
    let shots = std::env::var_os("VORTICE_BROWSER_SHOTS").map(PathBuf::from);
    let folder = shots.unwrap_or(temporary.path().into()).join("study");
    let all = [
        study("cavity-re100", &[12, 16, 24], &folder),
        study("step-erturk", &[8, 16], &folder),
        broken(&folder),
    ];
    assert!(all[..2].iter().all(Findings::are_complete));
    assert!(all[2].rows.iter().any(|row| row.ended.why().len() > 80), "a long reason");
    write_report(&folder, &all).expect("a page");
    let pictures = std::fs::read_dir(folder.join("pictures")).expect("pictures");
    let drawn = pictures.filter(|file| {
        file.as_ref().is_ok_and(|file| file.path().extension().is_some_and(|end| end == "svg"))
    });
    let drawn = drawn.count();
    assert!(drawn > 20, "only {drawn} pictures");
    let page = folder.join("report.html");
    let Some(seen) = look(&page, &folder) else {
        println!("not looked at: VORTICE_BROWSER_PYTHON names no Python");
        return;
    };
    expect_good(&seen, pictures_in(&page));
    expect_whole_tables(&seen, "How each run ended and what it cost");
}
