//! All steps of a file of fields, read back by who does not know the case.

use std::path::Path;

use crate::common::{Ask, ask, case, on_ranks, value};
use vortice_core::{Case, Quantity};
use vortice_output::{RecordedSteps, Recorder, StepValues};

/// Records so many steps after the first state.
fn record(path: &Path, case: &Case, steps: u64) {
    on_ranks(1, |context| {
        let mut recorder = Recorder::create(path, case)?;
        let all = (1..=steps).map(|number| (Ask::Step, number, 1.0));
        let all = [(Ask::Begin, 0, 1.0)].into_iter().chain(all).chain([(Ask::Finish, steps, 1.0)]);
        all.into_iter().try_for_each(|what| ask(&mut recorder, case, &*context.ranks, what))
    })
    .unwrap();
}

#[test]
fn every_step_is_read_with_the_bits_that_were_written() {
    let folder = tempfile::tempdir().unwrap();
    for (plane, precision) in [(true, "f64"), (true, "f32"), (false, "f64")] {
        let (path, case) = (folder.path().join("fields.vtkhdf"), case(plane, precision));
        record(&path, &case, 2);
        let steps = RecordedSteps::open(&path).unwrap();
        assert_eq!(
            (&*steps.title, &*steps.method, &*steps.source),
            ("fake", "fake", &*case.source)
        );
        assert_eq!((steps.grid.cells(), &*steps.times), (case.grid.cells(), &[0.0, 0.5, 1.0][..]));
        assert!(steps.arrays.contains(&("velocity".into(), 3)));
        assert!(steps.arrays.contains(&("pressure".into(), 1)));
        assert_eq!(steps.has_solids, plane);
        let solids = steps.solids().unwrap();
        assert_eq!(solids.map(|mask| mask.contains(&1)), plane.then_some(true));
        for number in 0..3 {
            let [nx, ny, nz] = case.grid.cells();
            let cells = (0..nx * ny * nz).map(|n| [n % nx, n / nx % ny, n / nx / ny]);
            let expected: Vec<f64> = cells
                .flat_map(|cell| (0..3).map(move |c| (c, cell)))
                .map(|(c, cell)| value(Quantity::Velocity, c, cell, number as u64))
                .collect();
            match steps.read("velocity", number).unwrap() {
                StepValues::F64(values) => assert_eq!(values, expected),
                StepValues::F32(values) => {
                    assert!(values.iter().zip(expected).all(|(a, b)| *a == b as f32));
                }
            }
        }
    }
}

#[test]
fn a_step_that_is_alone_is_there_once() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("fields.vtkhdf");
    record(&path, &case(true, "f64"), 0);
    assert_eq!(RecordedSteps::open(&path).unwrap().times, [0.0]);
}

#[test]
fn what_is_not_there_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("fields.vtkhdf");
    assert!(RecordedSteps::open(&path).unwrap_err().to_string().contains("no such file"));
    std::fs::write(&path, "no HDF5").unwrap();
    assert!(RecordedSteps::open(&path).unwrap_err().remedy().contains("vortice run"));
    record(&path, &case(true, "f64"), 1);
    let steps = RecordedSteps::open(&path).unwrap();
    let told = |array: &str, number| steps.read(array, number).unwrap_err().to_string();
    assert!(told("velocty", 0).contains("`velocty`") && told("velocity", 2).contains("number 2"));
}
