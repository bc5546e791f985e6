//! The layout of the fields on disk, and what stays when something goes wrong.

use std::path::Path;

use crate::common::{Ask, ask, case, on_ranks, value};
use crate::turns::in_turn;
use hdf5::types::{FloatSize, TypeDescriptor, VarLenUnicode};
use vortice_core::{Case, Error, Monitor as _, Quantity, Solo};
use vortice_output::Recorder;

const STEPS: [(Ask, u64, f64); 4] =
    [(Ask::Begin, 0, 1.0), (Ask::Step, 1, 1.0), (Ask::Step, 2, 1.0), (Ask::Finish, 2, 1.0)];

/// Records steps 0, 1 and 2 on so many ranks.
fn record(path: &Path, case: &Case, ranks: usize) {
    on_ranks(ranks, |context| {
        let mut recorder = Recorder::create(path, case)?.by_program("a test");
        STEPS.iter().try_for_each(|&what| ask(&mut recorder, case, &*context.ranks, what))
    })
    .unwrap();
}

fn open(path: &Path) -> hdf5::File {
    hdf5::FileBuilder::new().with_fapl(|access| access.file_locking(false)).open(path).unwrap()
}

#[test]
fn the_layout_is_that_of_a_temporal_image() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("fields.vtkhdf");
    record(&path, &case(true, "f32"), 1);
    let file = open(&path);
    let root = file.group("VTKHDF").unwrap();
    let list = |name: &str| root.attr(name).unwrap().read_raw::<f64>().unwrap();
    assert_eq!(root.attr("Version").unwrap().read_raw::<i64>().unwrap(), [2, 0]);
    assert_eq!(root.attr("WholeExtent").unwrap().read_raw::<i64>().unwrap(), [0, 7, 0, 5, 0, 1]);
    assert_eq!(list("Origin"), [0.5, 0.0, 0.0]);
    let near = |a: &[f64], b: [f64; 3]| a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-15);
    assert!(near(&list("Spacing"), [0.3, 0.2, 0.3]));
    assert_eq!(list("Direction"), [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0]);
    let kind = root.attr("Type").unwrap();
    assert_eq!(kind.dtype().unwrap().to_descriptor().unwrap(), TypeDescriptor::FixedAscii(9));
    let kind: hdf5::types::FixedAscii<9> = kind.read_scalar().unwrap();
    assert_eq!(kind.as_str(), "ImageData");

    let text = |name: &str| file.attr(name).unwrap().read_scalar::<VarLenUnicode>().unwrap();
    let case = case(true, "f32");
    assert_eq!(text("title").as_str(), case.title);
    assert_eq!(text("method").as_str(), case.run.method);
    assert_eq!(text("program").as_str(), "a test");
    let reynolds = file.attr("reynolds_number").unwrap().read_scalar::<f64>().unwrap();
    assert_eq!(reynolds, case.reynolds());
    let source = file.dataset("case").unwrap().read_scalar::<VarLenUnicode>().unwrap();
    assert_eq!(source.as_str(), case.source);

    let steps = root.group("Steps").unwrap();
    assert_eq!(steps.attr("NSteps").unwrap().read_scalar::<i64>().unwrap(), 3);
    assert_eq!(steps.dataset("Values").unwrap().read_raw::<f64>().unwrap(), [0.0, 0.5, 1.0]);
    for (name, shape) in [
        ("velocity", vec![3, 1, 5, 7, 3]),
        ("pressure", vec![3, 1, 5, 7]),
        ("vorticity", vec![3, 1, 5, 7, 3]),
        ("stream_function", vec![3, 1, 5, 7]),
    ] {
        let array = root.dataset(&format!("CellData/{name}")).unwrap();
        let kind = array.dtype().unwrap().to_descriptor().unwrap();
        assert_eq!((array.shape(), kind), (shape.clone(), TypeDescriptor::Float(FloatSize::U4)));
        let offsets = steps.dataset(&format!("CellDataOffsets/{name}")).unwrap();
        assert_eq!(offsets.read_raw::<i64>().unwrap(), [0, 1, 2]);
        let view = file.dataset(&format!("XDMF/00/00/step000002/{name}")).unwrap();
        let n: usize = shape[1..].iter().product();
        assert_eq!(view.shape(), shape[1..]);
        assert_eq!(view.read_raw::<f32>().unwrap(), array.read_raw::<f32>().unwrap()[2 * n..]);
    }
    let solid = root.dataset("CellData/solid").unwrap();
    assert_eq!(solid.shape(), [1, 1, 5, 7]);
    let mask = solid.read_raw::<u8>().unwrap();
    assert_eq!(mask[..7], [1, 1, 0, 0, 0, 0, 0]);
    assert_eq!(mask.iter().map(|&x| u32::from(x)).sum::<u32>(), 4);
    let offsets = steps.dataset("CellDataOffsets/solid").unwrap();
    assert_eq!(offsets.read_raw::<i64>().unwrap(), [0, 0, 0]);
    assert_eq!(file.dataset("XDMF/solid").unwrap().read_raw::<u8>().unwrap(), mask);
}

#[test]
fn every_value_stands_at_its_place_from_any_number_of_ranks() {
    for (plane, precision, ranks) in [(true, "f64", 1), (false, "f64", 3), (false, "f32", 4)] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("fields.vtkhdf");
        let mut case = case(plane, precision);
        case.output.compression = u8::from(ranks > 1);
        record(&path, &case, ranks);
        let file = open(&path);
        for quantity in [Quantity::Velocity, Quantity::Pressure] {
            let array = file.dataset(&format!("VTKHDF/CellData/{}", quantity.name())).unwrap();
            let found = array.read_raw::<f64>().unwrap();
            let [nx, ny, nz] = case.grid.cells();
            let mut found = found.into_iter();
            for step in 0..3 {
                for cell in (0..nz * ny * nx).map(|n| [n % nx, n / nx % ny, n / nx / ny]) {
                    for c in 0..quantity.components() {
                        let exact = value(quantity, c, cell, step);
                        let exact =
                            if precision == "f32" { f64::from(exact as f32) } else { exact };
                        assert_eq!(found.next(), Some(exact), "{quantity:?} {step} {cell:?}");
                    }
                }
            }
        }
        assert_eq!(file.dataset("VTKHDF/CellData/stream_function").is_ok(), plane);
    }
}

#[test]
fn every_step_is_readable_before_the_run_ends_and_after_it_was_killed() {
    let folder = tempfile::tempdir().unwrap();
    let (path, case) = (folder.path().join("fields.vtkhdf"), case(true, "f64"));
    let mut recorder = Recorder::create(&path, &case).unwrap();
    for (n, &what) in STEPS[..3].iter().enumerate() {
        ask(&mut recorder, &case, &Solo, what).unwrap();
        recorder.sync()().unwrap();
        // A copy of the bytes on disk is all that a killed run leaves.
        let copy = folder.path().join(format!("{n}.vtkhdf"));
        std::fs::copy(&path, &copy).unwrap();
        let file = open(&copy);
        let steps = file.group("VTKHDF/Steps").unwrap();
        // Readers of VTK take one step for none: it stands twice.
        let count = steps.attr("NSteps").unwrap().read_scalar::<i64>().unwrap();
        assert_eq!(count, (n as i64 + 1).max(2));
        let pressure = file.dataset("VTKHDF/CellData/pressure").unwrap().read_raw::<f64>().unwrap();
        assert_eq!(pressure[35 * n], value(Quantity::Pressure, 0, [0; 3], n as u64));
        let text = std::fs::read_to_string(path.with_extension("xmf")).unwrap();
        assert_eq!(text.matches("<Time").count(), n + 1);
    }
    assert!(!folder.path().join("fields.vtkhdf.tmp").exists());
}

#[test]
fn the_number_of_times_and_their_list_lie_in_one_piece_of_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let (path, case) = (folder.path().join("fields.vtkhdf"), case(true, "f64"));
    let mut recorder = Recorder::create(&path, &case).unwrap();
    for &what in &STEPS[..3] {
        ask(&mut recorder, &case, &Solo, what).unwrap();
        recorder.sync()().unwrap();
        let bytes = std::fs::read(&path).unwrap();
        let places = |word: &[u8]| {
            let length = word.len();
            (0..bytes.len() - length)
                .filter(|&at| bytes[at..at + length] == *word)
                .collect::<Vec<_>>()
        };
        // An attribute's name, and a link's with its length before it: what one write changes.
        let (counts, lists) = (places(b"NSteps\0"), places(b"\x06Values"));
        assert!(!counts.is_empty() && !lists.is_empty());
        // Nor does a disk part them.
        let near = |&list: &usize| {
            counts.iter().any(|count| count.abs_diff(list) < 95 && count / 512 == list / 512)
        };
        assert!(lists.iter().any(near), "{counts:?} {lists:?}");
    }
}

#[test]
fn an_older_result_stays_until_the_run_begins() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("fields.vtkhdf");
    std::fs::write(&path, "an older result").unwrap();
    let mut recorder = Recorder::create(&path, &case(true, "f64")).unwrap();
    assert_eq!(std::fs::read(&path).unwrap(), b"an older result");
    ask(&mut recorder, &case(true, "f64"), &Solo, STEPS[0]).unwrap();
    recorder.sync()().unwrap();
    assert_eq!(open(&path).group("VTKHDF/CellData").unwrap().len(), 5);
}

#[test]
fn a_place_that_cannot_be_written_is_one_clear_error_on_all_ranks() {
    let folder = tempfile::tempdir().unwrap();
    let (path, case) = (folder.path().join("fields.vtkhdf"), case(true, "f64"));
    let missing = folder.path().join("no/such/folder.vtkhdf");
    for (path, problem) in [(folder.path(), "is a folder"), (&missing, "does not exist")] {
        let error = Recorder::create(path, &case).err().unwrap();
        assert!(matches!(error, Error::File { .. }) && error.to_string().contains(problem));
        assert!(!error.remedy().is_empty());
    }
    // A folder where the file beside has to be made: found out by rank 0 when the run begins.
    std::fs::write(&path, "an older result").unwrap();
    std::fs::create_dir(folder.path().join("fields.vtkhdf.tmp")).unwrap();
    let error = on_ranks(3, |context| {
        let mut recorder = Recorder::create(&path, &case)?;
        ask(&mut recorder, &case, &*context.ranks, STEPS[0])
    });
    assert!(matches!(error, Err(Error::File { .. })), "{error:?}");
    assert_eq!(std::fs::read(&path).unwrap(), b"an older result");
}

/// Slabs of a grid that has several are written by all ranks at the same time; all numbers of ranks in the long suite.
#[test]
fn slabs_that_several_ranks_write_have_the_bits_of_one() {
    let folder = tempfile::tempdir().unwrap();
    let space = ["grid.cells=[256,256,48]", "output.quantities=['pressure','vorticity']"];
    let plane = ["grid.cells=[700,3000,1]", "output.quantities=['velocity']"];
    for (turn, (is_plane, sets)) in [(false, space), (true, plane)].into_iter().enumerate() {
        let case = case(is_plane, "f32").with(&sets.map(String::from)).unwrap();
        let several = in_turn(vec![2, 3, 4], turn, 2);
        let found: Vec<_> = std::iter::once(1)
            .chain(several)
            .map(|ranks| {
                let path = folder.path().join(format!("{is_plane}-{ranks}.vtkhdf"));
                on_ranks(ranks, |context| {
                    let mut recorder = Recorder::create(&path, &case)?;
                    let mut asked = [(Ask::Begin, 0, 1.0), (Ask::Finish, 2, 1.0)].into_iter();
                    asked.try_for_each(|what| ask(&mut recorder, &case, &*context.ranks, what))?;
                    recorder.wait()
                })
                .unwrap();
                let file = open(&path);
                let values = |quantity: Quantity| {
                    let name = format!("VTKHDF/CellData/{}", quantity.name());
                    file.dataset(&name).unwrap().read_raw::<f32>().unwrap()
                };
                let arrays = case.output.quantities.as_ref().unwrap().iter().copied().map(values);
                arrays.collect::<Vec<_>>()
            })
            .collect();
        let cells: usize = case.grid.cells().iter().product();
        assert!(found[0].iter().all(|array| array.len() >= 2 * cells));
        assert!(found.windows(2).all(|pair| pair[0] == pair[1]), "{sets:?}");
    }
}

#[test]
fn a_recorder_goes_on_after_the_steps_that_it_is_told() {
    for (plane, kept) in [(true, 0), (true, 1), (false, 2), (true, 3)] {
        let folder = tempfile::tempdir().unwrap();
        let (path, case) = (folder.path().join("fields.vtkhdf"), case(plane, "f64"));
        let mut earlier = Recorder::create(&path, &case).unwrap();
        ask(&mut earlier, &case, &Solo, (Ask::Begin, 0, 1.0)).unwrap();
        for number in 1..4 {
            ask(&mut earlier, &case, &Solo, (Ask::Step, number, 1.0)).unwrap();
        }
        // It was killed.
        drop(earlier);
        let mut later = Recorder::create(&path, &case).unwrap().going_on();
        ask(&mut later, &case, &Solo, (Ask::Begin, kept, 1.0)).unwrap();
        let seen = |count: u64| {
            // Another file: HDF5 remembers what it has read of one that it writes.
            let copy = folder.path().join("copy.vtkhdf");
            std::fs::copy(&path, &copy).unwrap();
            let file = open(&copy);
            let steps = file.group("VTKHDF/Steps").unwrap();
            let n = steps.attr("NSteps").unwrap().read_scalar::<i64>().unwrap() as u64;
            assert_eq!(n, count.max(2), "{kept}");
            let times = steps.dataset("Values").unwrap().read_raw::<f64>().unwrap();
            let places = steps.dataset("CellDataOffsets/pressure").unwrap().read_raw::<i64>();
            let pressure = file.dataset("VTKHDF/CellData/pressure").unwrap();
            let (pressure, places) = (pressure.read_raw::<f64>().unwrap(), places.unwrap());
            let cells = case.grid.n_cells();
            for number in 0..n {
                let (step, place) = (number.min(count - 1), places[number as usize] as usize);
                assert_eq!(times[number as usize], 0.5 * step as f64, "{kept}");
                let exact = value(Quantity::Pressure, 0, [0; 3], step);
                assert_eq!(pressure[cells * place], exact, "{kept}: {step}");
            }
            let text = std::fs::read_to_string(path.with_extension("xmf")).unwrap();
            assert_eq!(text.matches("<Time").count() as u64, count);
        };
        if kept > 0 {
            seen(kept + 1);
        }
        for number in kept + 1..6 {
            ask(&mut later, &case, &Solo, (Ask::Step, number, 1.0)).unwrap();
            later.sync()().unwrap();
            seen(number + 1);
        }
        ask(&mut later, &case, &Solo, (Ask::Finish, 5, 1.0)).unwrap();
        seen(6);
    }
}
