//! What VTK's own readers find in the files, where a Python with the package `vtk` is named by
//! VORTICE_VTK_PYTHON.

use std::path::Path;
use std::process::Command;

use crate::common::{Ask, ask, case, fake_field};
use serde_json::{Value, json};
use vortice_core::{
    Case, Extent, Field, Location, OutputPart, Quantity, Solo, stream_function, vorticity,
};
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

/// Records a part of the first steps of the fake flow, which has three.
fn record(path: &Path, case: &Case, part: &OutputPart, steps: usize) {
    let mut recorder = Recorder::of_part(path, case, part).unwrap();
    let all = [(Ask::Begin, 0, 1.0), (Ask::Step, 1, 1.0), (Ask::Finish, 2, 1.0)];
    all[..steps].iter().for_each(|&what| ask(&mut recorder, case, &Solo, what).unwrap());
}

/// The values of a part: means over the cells of each block that are not solid.
fn listed(case: &Case, field: &Field, part: &OutputPart) -> Vec<f64> {
    let (solids, n) = (case.solids(), part.extent.n());
    let block = n.map(|n| if n == 1 { 1 } else { part.coarsen });
    let inside = |d: usize| part.extent.cells[d].clone().step_by(block[d]);
    let mut values = Vec::new();
    for (k, j) in inside(2).flat_map(|k| inside(1).map(move |j| (k, j))) {
        for i in inside(0) {
            let mut cells: Vec<[isize; 3]> = Vec::new();
            for number in 0..block.iter().product() {
                let at =
                    [number % block[0], number / block[0] % block[1], number / block[0] / block[1]];
                cells.push([i + at[0], j + at[1], k + at[2]].map(|i| i as isize));
            }
            cells.retain(|&cell| part.coarsen == 1 || !solids.contains(cell));
            for c in 0..field.components {
                let sum: f64 = cells.iter().fold(0.0, |sum, &cell| sum + field.at(c, cell));
                values.push(sum / cells.len().max(1) as f64);
            }
        }
    }
    values
}

/// All values of all arrays at the first steps, as the script wants them.
fn expected(case: &Case, part: &OutputPart, kind: &str, steps: u64) -> Value {
    let array = |components: usize, values: &dyn Fn(u64) -> Vec<f64>| {
        let steps: Vec<_> = (0..steps).map(values).collect();
        json!({ "components": components, "type": kind, "steps": steps })
    };
    let velocity = |step| fake_field(case, Quantity::Velocity, step);
    let mut arrays = json!({});
    for &quantity in &part.quantities {
        let field = |step| match quantity {
            Quantity::Vorticity => vorticity(case, &velocity(step)),
            Quantity::StreamFunction => stream_function(case, &velocity(step)),
            other => fake_field(case, other, step),
        };
        let values = |step| listed(case, &field(step), part);
        arrays[quantity.name()] = array(quantity.components(), &values);
    }
    let solids = case.solids();
    if !solids.is_empty() {
        let mut mask = Field::zeros(Location::Centre, velocity(0).shape, 1);
        let fluid = |cell| f64::from(u8::from(!solids.contains(cell)));
        mask.own_cells().for_each(|cell| *mask.at_mut(0, cell) = fluid(cell));
        let mask: Vec<u8> =
            listed(case, &mask, part).into_iter().map(|x| u8::from(x == 0.0)).collect();
        let steps = vec![mask; steps as usize];
        arrays["solid"] = json!({ "components": 1, "type": "unsigned char", "steps": steps });
    }
    let grid = case.grid.part(&part.extent);
    let cells = grid.cells().map(|n| if n == 1 { 1 } else { n / part.coarsen });
    let bounds: Vec<f64> = grid.axes.iter().flat_map(|axis| [axis.low(), axis.high()]).collect();
    let times = &[0.0, 0.5, 1.0][..steps as usize];
    json!({ "cells": cells, "bounds": bounds, "times": times, "arrays": arrays })
}

/// Records, and compares what VTK's readers find.
fn expect_found(path: &Path, case: &Case, part: &OutputPart, kind: &str, steps: usize) {
    record(path, case, part, steps);
    match read_back(path, &expected(case, part, kind, steps as u64)) {
        None => println!("skipped: VORTICE_VTK_PYTHON names no Python"),
        Some((agrees, text)) => {
            println!("{text}");
            assert!(agrees && text.contains("all checks passed"), "{text}");
        }
    }
}

#[test]
fn the_readers_of_vtk_find_every_name_shape_time_and_value() {
    let folder = tempfile::tempdir().unwrap();
    for (plane, precision, kind) in [(true, "f64", "double"), (false, "f32", "float")] {
        let mut case = case(plane, precision);
        case.output.compression = u8::from(!plane);
        let path = folder.path().join(format!("{precision}.vtkhdf"));
        expect_found(&path, &case, &case.whole_recorded(), kind, 3);
    }
}

#[test]
fn they_find_planes_boxes_and_a_step_that_is_alone() {
    let folder = tempfile::tempdir().unwrap();
    for (plane, cells, steps, coarsen) in [
        (true, [0..7, 0..5, 0..1], 1, 1),
        (true, [2..3, 0..5, 0..1], 2, 1),
        (true, [0..6, 0..4, 0..1], 2, 2),
        (false, [0..5, 0..4, 0..3], 1, 1),
        (false, [0..5, 3..4, 0..3], 1, 1),
        (false, [4..5, 0..4, 0..3], 3, 1),
        (false, [1..4, 2..4, 1..3], 2, 1),
        (false, [1..5, 0..4, 1..3], 3, 2),
    ] {
        for compression in [0, 4] {
            let mut case = case(plane, "f64");
            case.output.compression = compression;
            let extent = Extent { cells: cells.clone() };
            let part = OutputPart { extent, coarsen, ..case.whole_recorded() };
            expect_found(&folder.path().join("part.vtkhdf"), &case, &part, "double", steps);
        }
    }
}

#[test]
fn they_find_averages_over_time() {
    let folder = tempfile::tempdir().unwrap();
    for (plane, precision, kind, keys) in [
        (true, "f64", "double", "{fields='ends'}"),
        (false, "f32", "float", "{fields='ends',quantities=['reynolds_stress','mean_pressure']}"),
    ] {
        let case = case(plane, precision).with(&[format!("output.statistics={keys}")]).unwrap();
        let part = &case.statistics().expect("averages").part;
        assert_eq!(part.quantities.len(), if plane { 5 } else { 2 });
        expect_found(&folder.path().join("statistics.vtkhdf"), &case, part, kind, 3);
    }
}

#[test]
fn the_script_notices_a_wrong_value_and_a_wrong_time() {
    let folder = tempfile::tempdir().unwrap();
    let (path, case) = (folder.path().join("fields.vtkhdf"), case(true, "f64"));
    let part = case.whole_recorded();
    record(&path, &case, &part, 3);
    for (pointer, wrong) in [("/arrays/pressure/steps/1/3", json!(0.5)), ("/times/2", json!(0.9))] {
        let mut expected = expected(&case, &part, "double", 3);
        *expected.pointer_mut(pointer).unwrap() = wrong;
        if let Some((agrees, text)) = read_back(&path, &expected) {
            assert!(!agrees && text.contains("FAIL"), "{text}");
            assert_eq!(text.matches("FAIL").count(), 2, "one line for each reader:\n{text}");
        }
    }
}
