//! Finished runs are looked at again.

use std::path::{Path, PathBuf};

use crate::client::Client;
use serde_json::json;
use vortice_core::{Context, Every, Simulation};
use vortice_output::Recorder;
use vortice_study::{Ran, Simulate, open_case};
use vortice_watch::{Door, LastFlow, Replay, Replayed};

/// Runs a cavity and records it every tenth of a second.
pub(crate) fn record(path: &Path, name: &str, cells: &str, viscosity: f64) {
    let sets = [
        format!("grid.cells={cells}"),
        format!("fluid.viscosity={viscosity}"),
        "run.method=fdm".into(),
        "run.until=0.5".into(),
        "run.device=cpu".into(),
    ];
    let case = open_case(name, &sets).unwrap_or_else(|error| panic!("{error}"));
    std::fs::create_dir_all(path).expect("a folder");
    let recorder = Recorder::create(path.join("fields.vtkhdf"), &case).expect("a recorder");
    let simulation = Simulation::new(&case, &Context::alone()).expect("a simulation");
    let run = simulation.watch(Every::Seconds(0.1), recorder).run();
    run.unwrap_or_else(|error| panic!("{error}"));
}

fn folders(paths: &[PathBuf]) -> Vec<Replayed> {
    paths.iter().cloned().map(Replayed::Folder).collect()
}

pub(crate) fn serve(paths: &[PathBuf]) -> (Replay, Client) {
    let door = Door::at(None).expect("a port");
    let client = Client::at(&door.address());
    (Replay::open(door, folders(paths)).unwrap_or_else(|error| panic!("{error}")), client)
}

#[test]
fn all_times_of_a_run_are_shown() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("plane");
    record(&path, "cavity", "[20,16,1]", 0.01);
    let (_replay, page) = serve(&[path]);
    let about = page.get("/about").json();
    let times = about["runs"][0]["times"].as_array().expect("times");
    assert_eq!((times.len(), &about["has_difference"]), (6, &json!(false)), "{times:?}");
    let shown = about["runs"][0]["shown"].as_array().expect("a list");
    for name in ["speed", "vorticity", "pressure"] {
        assert!(shown.iter().any(|one| one["name"] == name), "{name}");
        let [early, late] = [1, 5].map(|n| page.get(&format!("/image?shown={name}&first={n}")));
        assert_eq!(early.image().0["image"]["size"], json!([20, 16]));
        assert_ne!(early.image().1, late.image().1, "{name}");
        assert!((late.image().0["image"]["time"].as_f64().expect("a time") - 0.5).abs() < 1e-9);
    }
    let followed = page.get("/image?shown=speed&first=5&points=10.15,0.0,99.0");
    let values = &followed.image().0["image"]["values"];
    assert!(values[0].as_f64() > Some(0.1) && values[1].is_number() && values[2].is_null());
    let velocity = page.get("/velocity?shown=pressure&first=5");
    let (words, numbers) = velocity.image();
    assert_eq!((&words["size"], numbers.len()), (&json!([20, 16]), 4 * 2 * 20 * 16));
    let number = page.get("/number?shown=speed&first=5&i=10&j=15").json();
    assert!(number["number"].as_f64() > Some(0.1), "below the lid: {number}");
    let none = page.get("/image?shown=speed&first=99").json();
    assert!(none["refused"]["problem"].as_str().expect("words").contains("no step"), "{none}");
    assert_eq!(
        page.send("GET", "/about", &[&format!("Host: {}", page.host)], "").map(|r| r.status),
        Some(401)
    );
}

#[test]
fn two_runs_have_a_difference_if_their_cells_are_alike() {
    let folder = tempfile::tempdir().expect("a folder");
    let [a, b, space] = ["a", "b", "space"].map(|name| folder.path().join(name));
    record(&a, "cavity", "[16,16,1]", 0.01);
    record(&b, "cavity", "[16,16,1]", 0.002);
    record(&space, "cavity-3d", "[8,8,8]", 0.01);
    let (_same, page) = serve(&[a.clone(), a.clone()]);
    let image = page.get("/image?run=difference&shown=speed&first=5&second=5");
    assert_eq!(image.image().0["image"]["range"], json!([0.0, 0.0]));
    let (_other, page) = serve(&[a.clone(), b]);
    let view = "shown=speed&first=5&second=5";
    let image = page.get(&format!("/image?run=difference&{view}"));
    let words = image.image().0;
    assert_eq!(
        words["image"]["colours"][0].as_f64().map(|x| -x),
        words["image"]["colours"][1].as_f64()
    );
    let at = |run: &str| {
        let number = page.get(&format!("/number?run={run}&{view}&i=8&j=14")).json();
        number["number"].as_f64().unwrap_or_else(|| panic!("{number}"))
    };
    assert!((at("0") - at("1") - at("difference")).abs() < 1e-6 && at("difference") != 0.0);
    let (_unlike, page) = serve(&[a, space.clone()]);
    assert_eq!(page.get("/about").json()["has_difference"], false);
    let (_space, page) = serve(&[space]);
    let sides = [0, 1, 2].map(|normal| {
        page.get(&format!("/image?shown=vorticity&normal={normal}&position=0.3&first=5"))
    });
    assert!(sides.iter().all(|side| side.image().1.len() == 64));
    assert_ne!(sides[0].image().1, sides[2].image().1);
}

#[test]
fn the_last_flow_of_a_run_without_files_is_shown() {
    let sets = ["grid.cells=[12,8,1]", "run.max-steps=30"].map(String::from);
    let case = open_case("cavity", &sets).unwrap_or_else(|error| panic!("{error}"));
    let ran = Ran::of(case, &Context::alone(), |simulation, _| Ok(simulation)).expect("a run");
    let last = LastFlow::new(ran.case, 0.25).with("velocity", &ran.fields.velocity);
    let last = last.with("pressure", &ran.fields.pressure);
    let door = Door::at(None).expect("a port");
    let page = Client::at(&door.address());
    let _replay = Replay::open(door, vec![Replayed::Last(Box::new(last))]).expect("a page");
    let about = page.get("/about").json();
    assert_eq!(about["runs"][0]["times"], json!([0.25]));
    let shown = about["runs"][0]["shown"].as_array().expect("a list");
    assert_eq!(shown.iter().map(|one| &one["name"]).collect::<Vec<_>>(), ["speed", "pressure"]);
    // Below the lid, where it is fastest.
    let number = |j: usize| page.get(&format!("/number?shown=speed&i=6&j={j}")).json();
    let expected = (0..2).map(|c| ran.fields.velocity.component(c)[6 + 7 * 12].powi(2));
    let expected = expected.sum::<f64>().sqrt() as f32;
    assert_eq!(number(7)["number"].as_f64().map(|x| x as f32), Some(expected));
    assert!(number(3)["number"].as_f64() < number(7)["number"].as_f64());
}

#[test]
fn changes_of_a_run_are_told() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("changed");
    record(&path, "cavity", "[8,8,1]", 0.01);
    let table = "change,step,time,setting\n1,7,0.25,fluid.viscosity=0.02\n";
    std::fs::write(path.join("changes.csv"), table).expect("a table");
    let (_replay, page) = serve(&[path]);
    let changes = &page.get("/about").json()["runs"][0]["changes"];
    let change = json!({ "step": 7, "time": 0.25, "sets": ["fluid.viscosity=0.02"] });
    assert_eq!(changes, &json!([change]));
}

#[test]
fn what_is_no_run_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let open =
        |paths: &[PathBuf]| match Replay::open(Door::at(None).expect("a port"), folders(paths)) {
            Ok(_) => panic!("{paths:?}"),
            Err(error) => error.to_string(),
        };
    assert!(open(&[folder.path().to_path_buf()]).contains("fields.vtkhdf"));
    assert!(open(&[]).contains("one run or 2"));
    std::fs::write(folder.path().join("fields.vtkhdf"), "no").expect("a file");
    assert!(open(&[folder.path().to_path_buf()]).contains("fields.vtkhdf"));
}
