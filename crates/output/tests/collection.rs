//! Fields that are read back, and several flows in one file as VTK's own reader finds them.

use std::path::Path;
use std::process::Command;

use crate::common::{Ask, ask, case, fake_field};
use serde_json::{Value, json};
use vortice_core::{Case, Error, Field, Quantity, Solo, stream_function, vorticity};
use vortice_output::{Block, Recorder, read_fields, write_collection};

const SCRIPT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/vtk/read_collection.py");

fn record(path: &Path, case: &Case) {
    let mut recorder = Recorder::create(path, case).unwrap();
    for what in [(Ask::Begin, 0, 1.0), (Ask::Finish, 3, 1.0)] {
        ask(&mut recorder, case, &Solo, what).unwrap();
    }
}

#[test]
fn the_last_fields_are_read_back_bit_for_bit() {
    let folder = tempfile::tempdir().unwrap();
    for (plane, precision) in [(true, "f64"), (false, "f64"), (true, "f32"), (false, "f32")] {
        let case = case(plane, precision);
        let path = folder.path().join("fields.vtkhdf");
        record(&path, &case);
        let found = read_fields(&path, &case).unwrap();
        let expected = |quantity| {
            let field = fake_field(&case, quantity, 3);
            if precision == "f64" { field } else { field.map(|x| f64::from(x as f32)) }
        };
        assert_eq!(found.time, 1.5);
        assert_eq!(found.velocity, expected(Quantity::Velocity), "{plane} {precision}");
        assert_eq!(found.pressure, expected(Quantity::Pressure), "{plane} {precision}");
    }
}

#[test]
fn a_file_that_is_not_what_it_should_be_is_refused_with_the_reason() {
    let folder = tempfile::tempdir().unwrap();
    let (path, plane) = (folder.path().join("fields.vtkhdf"), case(true, "f64"));
    let refused = |case: &Case, reason: &str| {
        let error = read_fields(&path, case).expect_err("it is wrong");
        assert!(
            matches!(error, Error::File { .. }) && error.to_string().contains(reason),
            "{error}"
        );
        assert!(error.remedy().contains("vortice run"), "{}", error.remedy());
    };
    refused(&plane, "no such file");
    std::fs::write(&path, "no HDF5").unwrap();
    refused(&plane, "cannot be read as HDF5");
    record(&path, &plane);
    refused(&case(false, "f64"), "has 7 x 5 x 1 cells, but the case has 5 x 4 x 3 cells");
    let file = hdf5::File::open_rw(&path).unwrap();
    file.unlink("VTKHDF/CellData/pressure").unwrap();
    file.close().unwrap();
    refused(&plane, "no array `pressure`");
    let file = hdf5::File::open_rw(&path).unwrap();
    file.unlink("VTKHDF/Steps").unwrap();
    file.close().unwrap();
    refused(&plane, "no steps");
}

fn listed(field: &Field) -> Vec<f64> {
    let all = field.own_cells().flat_map(|cell| (0..field.components).map(move |c| (c, cell)));
    all.map(|(c, cell)| field.at(c, cell)).collect()
}

/// A part as the script wants it.
fn expected(name: &str, case: &Case, kind: &str) -> Value {
    let velocity = fake_field(case, Quantity::Velocity, 1);
    let array = |field: &Field| {
        let components = field.components;
        json!({ "components": components, "type": kind, "values": listed(field) })
    };
    let mut arrays = json!({
        "velocity": array(&velocity),
        "pressure": array(&fake_field(case, Quantity::Pressure, 1)),
        "vorticity": array(&vorticity(case, &velocity)),
    });
    if case.grid.is_plane() {
        arrays["stream_function"] = array(&stream_function(case, &velocity));
    }
    let solids = case.solids();
    if !solids.is_empty() {
        let mask: Vec<u8> =
            velocity.own_cells().map(|cell| u8::from(solids.contains(cell))).collect();
        arrays["solid"] = json!({ "components": 1, "type": "unsigned char", "values": mask });
    }
    let bounds: Vec<f64> =
        case.grid.axes.iter().flat_map(|axis| [axis.low(), axis.high()]).collect();
    json!({ "name": name, "cells": case.grid.cells(), "bounds": bounds, "arrays": arrays })
}

/// Whether the script is content with the file; none without a Python to run it.
fn judged(path: &Path, expected: &Value) -> Option<(bool, String)> {
    let python = std::env::var_os("VORTICE_VTK_PYTHON")?;
    let numbers = path.with_extension("json");
    std::fs::write(&numbers, expected.to_string()).unwrap();
    let run = Command::new(&python).arg(SCRIPT).arg(path).arg(&numbers).output();
    let run = run.unwrap_or_else(|error| panic!("{python:?} does not run: {error}"));
    let text = [run.stdout, run.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    Some((run.status.success(), text.concat()))
}

#[test]
fn the_reader_of_vtk_finds_every_part_of_a_collection() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("all.vtkhdf");
    // Not in the order of the alphabet, and of different cells and arrays.
    let cases = [("lbm-7x5", case(true, "f64")), ("fdm_5x4x3", case(false, "f32"))];
    let fields: Vec<[Field; 2]> = cases
        .iter()
        .map(|(_, case)| [Quantity::Velocity, Quantity::Pressure].map(|q| fake_field(case, q, 1)))
        .collect();
    let flows = cases.iter().zip(&fields);
    let parts: Vec<Block<'_>> = flows
        .map(|((name, case), [velocity, pressure])| Block { name, case, velocity, pressure })
        .collect();
    write_collection(&path, &parts).unwrap();
    assert!(!folder.path().join("all.vtkhdf.tmp").exists());
    let mut wanted = json!([
        expected("lbm-7x5", &cases[0].1, "double"),
        expected("fdm_5x4x3", &cases[1].1, "float")
    ]);
    let Some((agrees, text)) = judged(&path, &wanted) else {
        println!("skipped: VORTICE_VTK_PYTHON names no Python");
        return;
    };
    println!("{text}");
    assert!(agrees && text.contains("all checks passed"), "{text}");
    *wanted.pointer_mut("/1/arrays/pressure/values/3").unwrap() = json!(0.5);
    let (agrees, text) = judged(&path, &wanted).unwrap();
    assert!(!agrees && text.matches("FAIL").count() == 1, "{text}");
}

#[test]
fn parts_that_cannot_be_written_are_refused_and_leave_the_old_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("all.vtkhdf");
    std::fs::write(&path, "old").unwrap();
    let [one, other] = [case(true, "f64"), case(false, "f64")];
    let [velocity, pressure] =
        [Quantity::Velocity, Quantity::Pressure].map(|q| fake_field(&one, q, 1));
    let part = |name, case| Block { name, case, velocity: &velocity, pressure: &pressure };
    for (parts, reason) in [
        (vec![], "needs a part"),
        (vec![part("a/b", &one)], "`a/b`"),
        (vec![part("Assembly", &one)], "`Assembly`"),
        (vec![part("a", &one), part("a", &one)], "two parts"),
        (vec![part("a", &other)], "[7, 5, 1]"),
    ] {
        let error = write_collection(&path, &parts).expect_err("it is wrong");
        assert!(error.to_string().contains(reason), "{error}");
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "old");
    }
}
