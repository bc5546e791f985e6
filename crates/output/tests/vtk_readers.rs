//! What VTK's own readers find in the files, where a Python with the package `vtk` is named by
//! VORTICE_VTK_PYTHON.
#![allow(clippy::print_stdout)] // the checks that passed are worth seeing

mod common;

use std::path::Path;
use std::process::Command;

use common::{Ask, ask, case, fake_field};
use serde_json::{Value, json};
use vortice_core::{Case, Field, Quantity, Solo, stream_function, vorticity};
use vortice_output::Recorder;

const SCRIPT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/vtk/read_back.py");

/// Whether the script is content with the file; none without a Python to run it.
fn read_back(fields: &Path, expected: &Value) -> Option<(bool, String)> {
    let python = std::env::var_os("VORTICE_VTK_PYTHON")?;
    let numbers = fields.with_extension("json");
    std::fs::write(&numbers, expected.to_string()).unwrap();
    let run = Command::new(&python).arg(SCRIPT).arg(fields).arg(&numbers).output();
    let run = run.unwrap_or_else(|error| panic!("{python:?} does not run: {error}"));
    let text = [run.stdout, run.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    Some((run.status.success(), text.concat()))
}

/// Records steps 0 to 2 of the fake flow.
fn record(path: &Path, case: &Case) {
    let mut recorder = Recorder::create(path, case).unwrap();
    for what in [(Ask::Begin, 0, 1.0), (Ask::Step, 1, 1.0), (Ask::Finish, 2, 1.0)] {
        ask(&mut recorder, case, &Solo, what).unwrap();
    }
}

fn listed(field: &Field) -> Vec<f64> {
    field
        .own_cells()
        .flat_map(|cell| (0..field.components).map(move |c| field.at(c, cell)))
        .collect()
}

/// All values of all arrays at all steps, as the script wants them.
fn expected(case: &Case, kind: &str) -> Value {
    let array = |components: usize, values: &dyn Fn(u64) -> Vec<f64>| {
        let steps: Vec<_> = (0..3).map(values).collect();
        json!({ "components": components, "type": kind, "steps": steps })
    };
    let velocity = |step| fake_field(case, Quantity::Velocity, step);
    let mut arrays = json!({
        "velocity": array(3, &|step| listed(&velocity(step))),
        "pressure": array(1, &|step| listed(&fake_field(case, Quantity::Pressure, step))),
        "vorticity": array(3, &|step| listed(&vorticity(case, &velocity(step)))),
    });
    if case.grid.is_plane() {
        arrays["stream_function"] =
            array(1, &|step| listed(&stream_function(case, &velocity(step))));
    }
    let solids = case.solids();
    if !solids.is_empty() {
        let cells = velocity(0).own_cells();
        let mask: Vec<u8> = cells.map(|cell| u8::from(solids.contains(cell))).collect();
        arrays["solid"] =
            json!({ "components": 1, "type": "unsigned char", "steps": [mask, mask, mask] });
    }
    let bounds: Vec<f64> =
        case.grid.axes.iter().flat_map(|axis| [axis.low(), axis.high()]).collect();
    json!({ "cells": case.grid.cells(), "bounds": bounds, "times": [0.0, 0.5, 1.0],
            "arrays": arrays })
}

#[test]
fn the_readers_of_vtk_find_every_name_shape_time_and_value() {
    let folder = tempfile::tempdir().unwrap();
    for (plane, precision, kind) in [(true, "f64", "double"), (false, "f32", "float")] {
        let mut case = case(plane, precision);
        case.output.compression = u8::from(!plane);
        let path = folder.path().join(format!("{precision}.vtkhdf"));
        record(&path, &case);
        match read_back(&path, &expected(&case, kind)) {
            None => println!("skipped: VORTICE_VTK_PYTHON names no Python"),
            Some((agrees, text)) => {
                println!("{text}");
                assert!(agrees && text.contains("all checks passed"), "{text}");
            }
        }
    }
}

#[test]
fn the_script_notices_a_wrong_value_and_a_wrong_time() {
    let folder = tempfile::tempdir().unwrap();
    let (path, case) = (folder.path().join("fields.vtkhdf"), case(true, "f64"));
    record(&path, &case);
    for (pointer, wrong) in [("/arrays/pressure/steps/1/3", json!(0.5)), ("/times/2", json!(0.9))] {
        let mut expected = expected(&case, "double");
        *expected.pointer_mut(pointer).unwrap() = wrong;
        if let Some((agrees, text)) = read_back(&path, &expected) {
            assert!(!agrees && text.contains("FAIL"), "{text}");
            assert_eq!(text.matches("FAIL").count(), 2, "one line for each reader:\n{text}");
        }
    }
}
