//! A checkpoint gives back the same bits on any number of ranks, or a clear error.

use std::path::Path;
use std::time::Duration;

use crate::common::{Ask, FakeFlow, ask, case, on_ranks};
use vortice_core::{Case, Decomposition, Error, Monitor as _, Snapshot, Solo, State, Values};
use vortice_output::{Checkpoint, Stored, open_checkpoint, read_checkpoint};

/// Writes a checkpoint of the fake flow after a step, on so many ranks.
fn write(path: &Path, case: &Case, ranks: usize, number: u64) {
    on_ranks(ranks, |context| {
        let mut checkpoint = Checkpoint::new(path, case)?;
        ask(&mut checkpoint, case, &*context.ranks, (Ask::Finish, number, 1e-3))
    })
    .unwrap();
}

/// The state as bits, so that not even the sign of a zero may change.
fn bits(state: &State) -> String {
    let numbers = state.numbers.iter().map(|(name, x)| format!("{name} {:x}", x.to_bits()));
    format!("{:?} {:?}", numbers.collect::<Vec<_>>(), state.fields)
}

#[test]
fn any_number_of_ranks_reads_what_any_number_wrote() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("checkpoint.h5");
    for plane in [true, false] {
        let case = case(plane, "f64");
        for (writers, readers) in [(1, 1), (1, 3), (3, 1), (2, 4), (4, 2)] {
            write(&path, &case, writers, 7);
            on_ranks(readers, |context| {
                let cut = context.decomposition(&case)?;
                let mut expected = FakeFlow::new(&cut, context.ranks.rank(), 7, 1e-3);
                let found = read_checkpoint(&path, &case, context)?;
                assert_eq!(bits(&found), bits(expected.own_state()));
                Ok(())
            })
            .unwrap();
        }
    }
}

#[test]
fn the_file_says_what_it_belongs_to_and_hdf5_opens_it() {
    let folder = tempfile::tempdir().unwrap();
    let (path, case) = (folder.path().join("checkpoint.h5"), case(true, "f32"));
    write(&path, &case, 2, 7);
    let stored = Stored::read(&path).unwrap();
    assert_eq!((stored.title.as_str(), stored.method.as_str()), ("fake", "fake"));
    assert_eq!((stored.step.number, stored.step.time), (7, 3.5));
    assert_eq!(stored.source, case.source);
    assert_eq!(stored.keys, vortice_core::flow_keys(&case));
    assert_eq!(stored.note, "");
    assert_eq!(stored.cells, [7, 5, 1]);
    let names = hdf5::File::open(&path).unwrap().group("fields").unwrap().member_names().unwrap();
    assert_eq!(names, ["f", "p", "u"]);
}

#[test]
fn a_cut_file_is_always_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("checkpoint.h5");
    write(&path, &case(true, "f64"), 1, 7);
    let whole = std::fs::read(&path).unwrap();
    let cut = folder.path().join("cut.h5");
    for length in (0..600).chain((600..whole.len()).step_by(37)) {
        std::fs::write(&cut, &whole[..length]).unwrap();
        let error = Stored::read(&cut).unwrap_err();
        assert!(error.to_string().contains("damaged"), "{length} bytes: {error}");
        assert!(!error.remedy().is_empty());
    }
    std::fs::write(&cut, [&whole[..], b"x"].concat()).unwrap();
    assert!(Stored::read(&cut).is_err());
}

#[test]
fn a_changed_byte_is_always_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("checkpoint.h5");
    write(&path, &case(true, "f64"), 1, 7);
    let whole = std::fs::read(&path).unwrap();
    let changed = folder.path().join("changed.h5");
    for (place, flip) in (0..whole.len()).step_by(11).zip([1, 0x80, 0x20, 0xff].iter().cycle()) {
        let mut bytes = whole.clone();
        bytes[place] ^= flip;
        std::fs::write(&changed, bytes).unwrap();
        let error = Stored::read(&changed).unwrap_err();
        assert!(matches!(error, Error::File { .. }), "byte {place}: {error}");
    }
}

#[test]
fn other_cases_are_refused_with_key_and_both_values() {
    let folder = tempfile::tempdir().unwrap();
    let (path, case) = (folder.path().join("checkpoint.h5"), case(true, "f64"));
    write(&path, &case, 1, 7);
    let other = |change: &dyn Fn(&str) -> String| Case::parse(&change(&case.source), "x").unwrap();
    for (case, expected) in [
        (other(&|s| s.replace("[7, 5, 1]", "[8, 5, 1]")), ["grid.cells", "[8, 5, 1]", "[7, 5, 1]"]),
        (other(&|s| s.replace("2.1, 1.0", "4.2, 1.0")), ["grid.size", "4.2", "2.1"]),
        (other(&|s| s.replace("'f64'", "'f32'")), ["run.precision", "\"f32\"", "\"f64\""]),
        (
            other(&|s| s.replace("method = 'fake'", "method = 'fvm'")),
            ["run.method", "\"fvm\"", "\"fake\""],
        ),
    ] {
        for ranks in [1, 3] {
            let error = on_ranks(ranks, |context| read_checkpoint(&path, &case, context));
            let error = error.unwrap_err();
            let text = error.to_string();
            assert!(matches!(error, Error::Case { .. }), "{error}");
            assert!(expected.iter().all(|word| text.contains(word)), "{expected:?}: {text}");
            assert!(error.remedy().contains("--set"));
        }
    }
}

#[test]
fn a_case_that_was_changed_is_refused_unless_it_is_meant() {
    let folder = tempfile::tempdir().unwrap();
    let (path, case) = (folder.path().join("checkpoint.h5"), case(true, "f64"));
    write(&path, &case, 1, 7);
    let other = |sets: &[&str]| {
        case.with(&sets.iter().map(|set| (*set).to_owned()).collect::<Vec<_>>()).unwrap()
    };
    let free = ["run.until=7.0", "run.max-steps=9", "output.history=3", "title=other"];
    for (sets, words) in [
        (&["fluid.viscosity=0.02"][..], &["fluid.viscosity: is 0.02", "has 0.01"][..]),
        (&["fluid.density=2.0"], &["fluid.density: is 2", "has 1"]),
        (&["boundary.x-low=symmetry"], &["boundary.x-low: is \"symmetry\"", "\"wall\""]),
        (&["solid=[]"], &["solid: is []", "has [{ low = [0.5, 0.0, 0.0]"]),
        (
            &["fluid.viscosity=0.02", "solid=[]"],
            &["fluid.viscosity: is 0.02", "; solid is [], [{ low = [0.5"],
        ),
        (&["grid.cells=[8,5,1]", "fluid.density=2.0"], &["grid.cells", "; fluid.density is 2, 1"]),
    ] {
        let changed = other(sets);
        for ranks in [1, 2] {
            let error = on_ranks(ranks, |context| read_checkpoint(&path, &changed, context));
            let error = error.unwrap_err();
            let text = error.to_string();
            assert!(words.iter().all(|word| text.contains(word)), "{words:?}: {text}");
            let is_hard = sets[0].starts_with("grid");
            assert_eq!(error.remedy().contains("--restart-changed"), !is_hard, "{error:?}");
            let read =
                on_ranks(ranks, |context| open_checkpoint(&path, &changed, context, true)?.whole());
            assert_eq!(read.is_err(), is_hard);
        }
    }
    let read = on_ranks(1, |context| read_checkpoint(&path, &other(&free), context));
    assert!(read.is_ok(), "{read:?}");
}

#[test]
fn what_is_no_checkpoint_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("other.h5");
    let problem = |path: &Path| Stored::read(path).unwrap_err().to_string();
    assert!(problem(&path).contains("cannot be read"));
    assert!(problem(folder.path()).contains("cannot be read"));
    hdf5::File::create(&path).unwrap();
    assert!(problem(&path).contains("not a Vortice checkpoint"));
    std::fs::write(&path, "title = \"cavity\"").unwrap();
    assert!(problem(&path).contains("not a Vortice checkpoint"));
    std::fs::write(&path, "Vortice checkpoint, format 2\n").unwrap();
    assert!(problem(&path).contains("format 2, newer than format 1"));
}

#[test]
fn checkpoints_come_when_due_and_never_from_a_diverged_flow() {
    let folder = tempfile::tempdir().unwrap();
    let (path, mut case) = (folder.path().join("checkpoint.h5"), case(true, "f64"));
    let step = |path: &Path| Stored::read(path).unwrap().step.number;
    case.output.checkpoint_steps = Some(3);
    let older = folder.path().join("older.h5");
    let mut checkpoint = Checkpoint::new(&path, &case).unwrap().keeping(&older);
    let mut tell = |what| ask(&mut checkpoint, &case, &Solo, what).unwrap();
    tell((Ask::Begin, 0, 1.0));
    tell((Ask::Step, 2, 1.0));
    assert!(!path.exists());
    tell((Ask::Step, 3, 1.0));
    assert_eq!(step(&path), 3);
    tell((Ask::Step, 6, f64::NAN));
    tell((Ask::Finish, 7, f64::INFINITY));
    assert_eq!(step(&path), 3);
    assert!(!older.exists(), "there was none before it");
    tell((Ask::Finish, 8, 0.5));
    assert_eq!((step(&path), step(&older)), (8, 3));
    tell((Ask::Finish, 9, 0.5));
    assert_eq!((step(&path), step(&older)), (9, 8));
    assert_eq!(Stored::read_outline(&older).unwrap().step.number, 8);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 2);

    case.output.checkpoint_steps = None;
    case.output.checkpoint = Some(0.05);
    on_ranks(2, |context| {
        let mut checkpoint = Checkpoint::new(&path, &case)?;
        let mut tell = |what| ask(&mut checkpoint, &case, &*context.ranks, what);
        tell((Ask::Begin, 0, 1.0))?;
        tell((Ask::Step, 11, 1.0))?;
        std::thread::sleep(Duration::from_millis(60));
        tell((Ask::Step, 12, 1.0))
    })
    .unwrap();
    assert_eq!(step(&path), 12);
}

/// The residual may be of some steps ago.
#[test]
fn a_state_that_is_not_finite_never_replaces_a_good_one() {
    let folder = tempfile::tempdir().unwrap();
    let (path, case) = (folder.path().join("checkpoint.h5"), case(true, "f64"));
    for ranks in [1, 3] {
        write(&path, &case, ranks, 7);
        on_ranks(ranks, |context| {
            let (ranks, cut) = (&*context.ranks, context.decomposition(&case)?);
            let mut flow = FakeFlow::new(&cut, ranks.rank(), 8, 1e-3);
            if let Some(Values::F32(p)) = flow.own_state().fields.get_mut("p")
                && ranks.rank() + 1 == ranks.size()
            {
                *p.at_mut(0, [0, 1, 0]) = f32::NAN;
            }
            let mut now = Snapshot::new(flow.step, &case, ranks, &cut, &mut flow);
            Checkpoint::new(&path, &case)?.finish(&mut now)
        })
        .unwrap();
        assert_eq!(Stored::read(&path).unwrap().step.number, 7);
    }
}

#[test]
fn an_unwritable_checkpoint_keeps_the_older_one() {
    let folder = tempfile::tempdir().unwrap();
    let (path, case) = (folder.path().join("checkpoint.h5"), case(true, "f64"));
    write(&path, &case, 1, 7);
    std::fs::create_dir(folder.path().join("checkpoint.h5.tmp")).unwrap();
    let cut = Decomposition::choose([7, 5, 1], 1, [false; 3]).unwrap();
    let mut flow = FakeFlow::new(&cut, 0, 9, 1.0);
    let error = Stored::new(&case, flow.step, flow.own_state().clone()).write(&path).unwrap_err();
    assert!(matches!(error, Error::File { .. }) && !error.remedy().is_empty());
    assert_eq!(Stored::read(&path).unwrap().step.number, 7);
}
