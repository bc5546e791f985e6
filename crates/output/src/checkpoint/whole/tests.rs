//! Files of other programs, and of this one with something changed in them.

use vortice_core::{Field, Location, Precision, Shape, Step, Values};

use super::*;
use crate::seal::seal;

/// A file of another program, or of this one with something changed in it.
fn crafted(change: impl FnOnce(&hdf5::File)) -> Result<Stored> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("checkpoint.h5");
    let mut stored = Stored {
        title: "t".into(),
        method: "m".into(),
        precision: Precision::F64,
        cells: [2, 2, 1],
        low: [0.0; 3],
        high: [1.0; 3],
        step: Step { residual: f64::NAN, ..Step::default() },
        state: State::default(),
        source: String::new(),
        keys: vec![("a.key".into(), "1".into())],
        note: "mine".into(),
    };
    let shape = Shape { cells: [2, 2, 1], halo: [1, 1, 0] };
    stored.state.numbers.insert("none".into(), f64::NAN);
    stored.state.fields.insert("p".into(), Values::F64(Field::zeros(Location::Centre, shape, 1)));
    stored.write(&path).unwrap();
    change(&hdf5::File::open_rw(&path).unwrap());
    seal(&path, Vec::new()).unwrap();
    Stored::read(&path)
}

#[test]
fn numbers_that_are_none_come_back() {
    let stored = crafted(|_| ()).unwrap();
    assert!(stored.state.numbers["none"].is_nan() && stored.step.residual.is_nan());
    assert_eq!((stored.keys.len(), &*stored.note), (1, "mine"));
}

#[test]
fn a_missing_dataset_is_an_error_that_names_it() {
    for name in ["title", "precision", "cells", "low", "time", "numbers", "fields", "case"] {
        let error = crafted(|file| file.unlink(name).unwrap()).unwrap_err();
        assert!(error.to_string().contains("not a complete checkpoint"), "{error}");
        assert!(error.to_string().contains(name), "{name}: {error}");
    }
}

#[test]
fn files_of_before_have_no_note_and_the_keys_of_their_case() {
    let stored = crafted(|file| {
        file.unlink("note").unwrap();
        file.unlink("keys").unwrap();
    });
    let stored = stored.unwrap();
    assert_eq!((stored.note, stored.keys), (String::new(), Vec::new()));
}

#[test]
fn a_file_that_claims_more_than_it_holds_takes_no_memory() {
    let huge = 1_usize << 40;
    let claims = |cells: [usize; 3], halo: u64, shape: [usize; 4]| {
        crafted(|file| {
            file.dataset("cells").unwrap().write(&cells.map(|n| n as u64)).unwrap();
            let fields = file.group("fields").unwrap();
            fields.unlink("p").unwrap();
            let p = fields.new_dataset::<f64>().shape(shape).create("p").unwrap();
            p.new_attr::<i64>().create("face").unwrap().write_scalar(&-1_i64).unwrap();
            p.new_attr_builder().with_data(&[halo; 3]).create("halo").unwrap();
        })
    };
    for error in [
        claims([huge, 1, 1], 0, [1, 1, 1, huge]),
        claims([1, 1, 1], 0, [huge, 1, 1, 1]),
        claims([1, 1, 1], u64::MAX, [1, 1, 1, 1]),
        claims([2, 2, 1], 0, [1, 1, 2, 2]),
    ] {
        let error = error.unwrap_err();
        assert!(error.to_string().contains("/fields/p"), "{error}");
    }
    for (list, n) in [("time", 1 << 40), ("cells", 4), ("step", 0)] {
        let error = crafted(|file| {
            file.unlink(list).unwrap();
            file.new_dataset::<f64>().shape([n]).create(list).unwrap();
        });
        let error = error.unwrap_err();
        assert!(error.to_string().contains(&format!("{list} has {n} values")), "{error}");
    }
}
