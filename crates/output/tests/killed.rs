//! A run that is killed leaves fields that VTK can read: as many times as steps, and all their values.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::common::{Ask, ask, case, value};
use ndarray::s;
use vortice_core::{Quantity, Solo};
use vortice_output::Recorder;

/// The variable that names the file to write.
const FIELDS: &str = "VORTICE_TEST_FIELDS";

#[test]
#[ignore = "a process of the other test: it ends when it is killed"]
fn writes_until_it_is_killed() {
    let Some(path) = std::env::var_os(FIELDS) else { return };
    let case = case(true, "f64");
    let mut recorder = Recorder::create(path, &case).unwrap();
    ask(&mut recorder, &case, &Solo, (Ask::Begin, 0, 1.0)).unwrap();
    for step in 1.. {
        ask(&mut recorder, &case, &Solo, (Ask::Step, step, 1.0)).unwrap();
    }
}

#[test]
fn a_killed_run_leaves_as_many_times_as_steps() {
    let mut steps = Vec::new();
    for n in 0..40 {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("fields.vtkhdf");
        let mut writer = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "killed::writes_until_it_is_killed", "--ignored"])
            .env(FIELDS, &path)
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        while !path.exists() {
            std::thread::sleep(Duration::from_micros(200));
        }
        std::thread::sleep(Duration::from_micros(1370 * n));
        writer.kill().unwrap();
        writer.wait().unwrap();
        steps.push(steps_of(&path));
    }
    println!("complete steps after {} kills: {steps:?}", steps.len());
    assert!(steps.iter().max() > steps.iter().min(), "{steps:?}");
}

/// How many steps a file has, each with its time and the right values.
fn steps_of(path: &Path) -> usize {
    let file = hdf5::FileBuilder::new().with_fapl(|access| access.file_locking(false)).open(path);
    let root = file.unwrap().group("VTKHDF").unwrap();
    let steps = root.group("Steps").unwrap();
    let count = steps.attr("NSteps").unwrap().read_scalar::<i64>().unwrap() as usize;
    let times = steps.dataset("Values").unwrap().read_raw::<f64>().unwrap();
    assert_eq!(times.len(), count, "as many times as steps");
    // Readers go no further: behind the complete steps there is room for more.
    let offsets = steps.dataset("CellDataOffsets/pressure").unwrap().read_raw::<i64>().unwrap();
    let pressure = root.dataset("CellData/pressure").unwrap();
    let pressure = pressure.read_slice::<f64, _, ndarray::Ix4>(s![..count, .., .., ..]).unwrap();
    for &step in &offsets[..count] {
        let found = pressure[[step as usize, 0, 0, 1]];
        assert_eq!(found, value(Quantity::Pressure, 0, [1, 0, 0], step as u64));
    }
    // A step that is alone stands twice.
    if times[0] == times[1] { 1 } else { count }
}
