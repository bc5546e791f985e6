//! The page of a run in a real browser: Chromium, driven by the Python with the package `selenium` that
//! VORTICE_BROWSER_PYTHON names. Keep what it sees with VORTICE_BROWSER_SHOTS=FOLDER.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::client::{Client, endless, watched};
use crate::replay::{record, serve};
use serde_json::{Value, json};
use vortice_core::{Monitor, Result, Snapshot, Verdict};

/// Lets the run be seen to move: a flow that is steady shows nothing.
struct Slow;

impl Monitor for Slow {
    fn after_step(&mut self, _now: &mut Snapshot<'_>) -> Result<Verdict> {
        std::thread::sleep(std::time::Duration::from_millis(10));
        Ok(Verdict::Continue)
    }
}

fn script(name: &str) -> PathBuf {
    let above = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors();
    let mut scripts = above.map(|folder| folder.join("tests/browser").join(name));
    scripts.find(|path| path.is_file()).expect("the script of the repository")
}

/// A folder for what it sees.
fn shots() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    let shots = std::env::var_os("VORTICE_BROWSER_SHOTS").map(PathBuf::from);
    let shots = shots.unwrap_or(folder.path().join("shots"));
    std::fs::create_dir_all(&shots).expect("a folder for pictures");
    (folder, shots)
}

/// What a script reports; none without a Python to run it.
fn look(name: &str, page: &Client, shots: &Path) -> Option<Value> {
    let python = std::env::var_os("VORTICE_BROWSER_PYTHON")?;
    let address = format!("http://{}/?token={}", page.host, page.token);
    let run = Command::new(&python).arg(script(name)).arg(address).arg(shots).output();
    let run = run.unwrap_or_else(|error| panic!("{python:?} does not run: {error}"));
    assert!(run.status.success(), "{name} fails: {}", String::from_utf8_lossy(&run.stderr));
    Some(serde_json::from_slice(&run.stdout).expect("a report in JSON"))
}

#[test]
fn the_page_shows_a_flow_and_steers_it() {
    let (_folder, shots) = shots();
    let case = endless("fdm", 48, &["fluid.viscosity=0.01"]);
    let (ended, seen) = watched(case, Slow, |page| look("watch.py", page, &shots));
    let Some(seen) = seen else {
        println!("not looked at: VORTICE_BROWSER_PYTHON names no Python");
        return;
    };
    println!("{seen:#}");
    assert_eq!(seen["console"], json!([]), "what the browser complains of");
    assert_eq!(seen["requests"], json!([]), "what the page asks of others");
    assert!(!seen["address"].as_str().expect("an address").contains("token"));
    assert!(seen["moves"].as_u64() > Some(100) && seen["stays"] == 0, "{}", seen["moves"]);
    assert!(seen["rate"].as_f64() > Some(4.0), "{}", seen["rate"]);
    assert!(seen["read"].as_str().expect("words").starts_with("speed 0."), "{}", seen["read"]);
    assert!(seen["lines"].as_u64() > Some(5), "streamlines: {}", seen["lines"]);
    let (keys, value) = (&seen["points"][0], seen["points"][1].as_f64());
    assert!(keys[0].as_str().is_some_and(|key| key.starts_with("1: x = ")), "{keys}");
    assert!(keys.as_array().map(Vec::len) == Some(2) && value > Some(0.0), "{keys} {value:?}");
    assert_eq!(seen["shown"], json!(["speed", "vorticity", "pressure"]));
    assert_eq!(seen["changes"].as_array().map(Vec::len), Some(2), "{}", seen["changes"]);
    assert_eq!((ended.changes.len(), &seen["refused"]), (2, &json!("")));
    assert!(seen["charts"].as_array().map(Vec::len) >= Some(3), "{}", seen["charts"]);
    assert!(seen["picture"].as_u64() > Some(2000));
    for width in ["360", "1280"] {
        let at = &seen["widths"][width];
        assert!(at["document_width"].as_f64() <= width.parse().ok(), "{width}: {at}");
        assert!(at["smallest_text"].as_f64() >= Some(15.0), "{width}: {at}");
    }
}

#[test]
fn finished_runs_are_played_beside_each_other() {
    let (folder, shots) = shots();
    let [a, b] = ["a", "b"].map(|name| folder.path().join(name));
    record(&a, "cavity", "[24,24,1]", 0.01);
    record(&b, "cavity", "[24,24,1]", 0.002);
    let table = "change,step,time,setting\n1,7,0.25,fluid.viscosity=0.002\n";
    std::fs::write(b.join("changes.csv"), table).expect("a table");
    let (_replay, page) = serve(&[a, b]);
    let Some(seen) = look("view.py", &page, &shots) else {
        println!("not looked at: VORTICE_BROWSER_PYTHON names no Python");
        return;
    };
    println!("{seen:#}");
    assert_eq!(seen["console"], json!([]), "what the browser complains of");
    assert_eq!((&seen["requests"], &seen["fields"]), (&json!([]), &json!(3)));
    assert_eq!(seen["changes"], json!(["after step 7, t = 0.25 s: fluid.viscosity=0.002"]));
    assert!(seen["lines"].as_u64() > Some(5), "{}", seen["lines"]);
    // Of each of the six times once, in their order.
    let values = seen["values"].as_array().expect("values");
    assert!(values.len() == 6 && seen["played"].as_u64() >= Some(5), "{values:?}");
    assert!(values.windows(2).all(|two| two[0][0].as_f64() < two[1][0].as_f64()), "{values:?}");
    for width in ["360", "1280"] {
        let at = seen["widths"][width].as_f64();
        assert!(at <= width.parse().ok(), "{width}: {at:?}");
    }
}
