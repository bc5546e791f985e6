//! Wrong command lines: one clear message each, the documented exit code, nothing touched.

use std::collections::BTreeMap;
use std::path::Path;

use crate::{ends_with, stderr, stdout, tiny, vortice};

/// Arguments after the program's name, exit code, and words that the message must have: what is
/// wrong, and what to do.
type Row = (&'static [&'static str], i32, &'static [&'static str]);

const COMMANDS: &[Row] = &[
    (&["rum"], 2, &["rum", "run"]),
    (&["run"], 2, &["CASE", "Usage"]),
    (&["run", "cavity", "--rank", "2"], 2, &["--rank", "--ranks"]),
    (&["run", "cavity", "extra"], 2, &["extra", "Usage"]),
    (&["run", "cavty"], 2, &["cavty", "did you mean `cavity`", "couette"]),
    (&["run", "nowhere/flow.toml"], 2, &["nowhere/flow.toml", "no such file", "vortice cases"]),
    (&["run", "folder.toml"], 3, &["folder.toml", "is a folder"]),
    (&["run", "binary.toml"], 3, &["binary.toml", "UTF-8"]),
    (&["run", "broken.toml"], 2, &["broken.toml", "1"]),
    (
        &["run", "cavity", "--set", "run.until=1.0", "--set", "output.fields=1e-9"],
        2,
        &["output", "GB on the disk of", "are free", "output.precision", "--out"],
    ),
    (&["run", "cavity", "--set", "output.checkpoint=\"never\""], 2, &["checkpoint", "`none`"]),
    (&["check", "cavty"], 2, &["cavty", "cavity"]),
    (&["completions", "bsh"], 2, &["bsh", "bash"]),
    (&["cases", "--all"], 2, &["--all", "Usage"]),
    (&["devices", "--slow"], 2, &["--slow", "Usage"]),
    (&["device"], 2, &["device", "devices"]),
    (&["bench"], 2, &["CASE", "Usage"]),
    (&["bench", "cavty"], 2, &["cavty", "did you mean `cavity`"]),
    (&["bench", "cavity", "--ranks", "2x"], 2, &["--ranks", "'2x'", "2x2x1"]),
    (&["bench", "cavity", "--ranks", "1x1x2"], 3, &["[1, 1, 2]", "no more ranks than cells"]),
    (&["bench", "cavity", "--ranks", "1x1x2", "--weak"], 2, &["1x1x2", "plane flow", "1x4"]),
    (&["bench", "cavity", "--repeats", "0"], 2, &["--repeats", "'0'"]),
    (&["bench", "cavity", "--repeats", "often"], 2, &["--repeats", "often"]),
    (&["bench", "cavity", "--seconds", "0"], 2, &["--seconds", "'0'", "above 0"]),
    (&["bench", "cavity", "--seconds", "soon"], 2, &["--seconds", "soon", "such as 0.5"]),
    (&["bench", "cavity", "--threads", "0"], 2, &["--threads", "'0'"]),
    (&["bench", "cavity", "--method", "fdn"], 2, &["run.method", "did you mean `fdm`"]),
    (&["bench", "cavity", "--set", "fdm.safty=0.5"], 2, &["fdm.safty", "did you mean `safety`"]),
    (&["bench", "cavity", "--set", "grid.cells=[2000000,20000,1]"], 2, &["grid.cells", "GB"]),
    (&["bench", "cavity", "--device", "gpu"], 2, &["run.device", "gpu", "cuda"]),
    (&["bench", "cavity", "--device", "cuda"], 3, &["device", "CUDA", "--device cpu"]),
    (
        &["matrix", "cavity", "--set", "grid.cells=[2000000,20000,1]", "--out", "a.mtx"],
        2,
        &["grid.cells", "GB"],
    ),
    (&["check", "cavity", "--set", "title=\"a\\u0000b\""], 2, &["title", "code zero"]),
    (&["check", "cavity", "--set", "grid.cels=[8,8,1]"], 2, &["grid.cels", "did you mean `cells`"]),
    (&["check", "cavity", "--set", "fdm.safty=0.5"], 2, &["fdm.safty", "did you mean `safety`"]),
    (&["check", "cavity", "--ranks", "1000003"], 2, &["--ranks", "1 to 1024"]),
    (&["check", "cavity", "--ranks", "1x1x2"], 3, &["[1, 1, 2]", "no more ranks than cells"]),
    (&["check", "cavity", "--method", "lbn"], 2, &["run.method", "lbn", "`fdm`"]),
];

/// The same for `run` of the tiny cavity.
const RUNS: &[Row] = &[
    (&["--method", "fdn"], 2, &["run.method", "`fdn`", "did you mean `fdm`"]),
    (&["--ranks", "0"], 2, &["--ranks", "'0'", "1 to 1024"]),
    (&["--ranks", "abc"], 2, &["--ranks", "'abc'", "2x2x1"]),
    (&["--ranks", "2x"], 2, &["--ranks", "'2x'", "2x2x1"]),
    (&["--ranks", "-1"], 2, &["-1"]),
    (&["--ranks", "100000"], 2, &["--ranks", "100000", "1 to 1024"]),
    (&["--ranks", "13"], 3, &["13 ranks", "[12, 12, 1]", "fewer ranks"]),
    (&["--ranks", "1x1x2"], 3, &["[1, 1, 2]", "[12, 12, 1]", "no more ranks than cells"]),
    (&["--threads", "0"], 2, &["--threads", "0"]),
    (&["--threads", "many"], 2, &["--threads", "many"]),
    (&["--set", "grid.cells"], 2, &["--set", "grid.cells", "fluid.viscosity=0.01"]),
    (&["--set", "=3"], 2, &["--set", "=3"]),
    (&["--cells", "8x8"], 2, &["--cells", "`grid.cells`", "--set grid.cells=[12,12,1]"]),
    (&["--re", "8"], 2, &["--re", "`fluid.viscosity`", "--set fluid.viscosity=0.01"]),
    (&["--cells", "8"], 2, &["--cells", "64x64"]),
    (&["--re", "fast"], 2, &["--re", "400"]),
    (&["--set", "grid.cells=[2000000,20000,1]"], 2, &["grid.cells", "2000000 x 20000", "GB"]),
    (&["--set", "fluid.viscosity=-1"], 2, &["fluid.viscosity", "-1"]),
    (&["--set", "fluid.viscosity=thick"], 2, &["fluid.viscosity", "thick"]),
    (&["--set", "grid.cells=[1,2"], 2, &["grid.cells"]),
    (&["--set", "title.x=1"], 2, &["title"]),
    (&["--set", "references=[\"ghia\"]"], 2, &["references", "`ghia`", "ghia-1982-re1000-u"]),
    (&["--set", "references=[\"../own\"]"], 2, &["references", "`../own`"]),
    (&["--device", "cuda"], 3, &["device", "CUDA", "--device cpu"]),
    (&["--device", "cuda:7", "--ranks", "3"], 3, &["device", "CUDA", "--device cpu"]),
    (&["--device", "gpu"], 2, &["run.device", "gpu", "cuda"]),
    (&["--device", "cuda:0,gpu"], 2, &["run.device", "`gpu`", "\"cuda:0,cpu\""]),
    (&["--device", "auto,cpu"], 2, &["run.device", "`auto`", "stands alone"]),
    (&["--device", "cpu,cuda", "--ranks", "2"], 3, &["device", "CUDA", "--device cpu"]),
    (
        &["--set", "ranks.balance=even"],
        2,
        &["ranks.balance", "`even`", "`equal`", "one number a rank"],
    ),
    (&["--set", "ranks.balance=[1,0]"], 2, &["ranks.balance", "0 is not a positive number"]),
    (&["--set", "ranks.balance=[]"], 2, &["ranks.balance", "no number"]),
    (&["--set", "ranks.balance=7"], 2, &["ranks.balance", "integer `7`"]),
    (
        &["--set", "ranks.balance=[1,2]", "--ranks", "3"],
        2,
        &["ranks.balance", "2 weights for 3 ranks", "one number a rank"],
    ),
    (&["--device", "cuda:first"], 2, &["run.device", "cuda:first", "cuda:1"]),
    (&["--set", "gpu.fused-multiply=true"], 2, &["gpu.fused-multiply", "`fused-multiply-add`"]),
    (&["--set", "gpu.fused-multiply-add=1"], 2, &["gpu.fused-multiply-add", "integer `1`"]),
    (&["--set", "gpu=true"], 2, &["gpu", "boolean `true`"]),
    (&["--out", "old/summary.json"], 3, &["old/summary.json", "is a file", "--out"]),
    (&["--out", "/proc/nowhere"], 3, &["/proc/nowhere", "--out"]),
    (&["--out", "old/summary.json/below"], 3, &["old/summary.json/below", "--out"]),
    (&["--restart", "none.h5"], 3, &["none.h5", "--restart"]),
    (&["--restart", "old"], 3, &["old"]),
    (&["--restart", "old/summary.json"], 3, &["old/summary.json"]),
    (&["--restart", "truncated.h5"], 3, &["truncated.h5"]),
    (&["--restart", "flipped.h5"], 3, &["flipped.h5"]),
    (&["--restart", "good.h5", "--set", "grid.cells=[16,12,1]"], 2, &["grid.cells", "[12, 12, 1]"]),
    (&["--restart", "good.h5", "--set", "run.precision=f32"], 2, &["run.precision", "f64"]),
    (&["--restart", "other-method.h5"], 2, &["run.method", "fvm"]),
    (
        &["--restart", "good.h5", "--set", "fluid.viscosity=0.02", "--set", "fluid.density=2.0"],
        2,
        &[
            "fluid.density",
            "is 2,",
            "has 1;",
            "fluid.viscosity is 0.02, 0.01 in the checkpoint",
            "Lid-driven cavity",
            "--restart-changed",
        ],
    ),
    (
        &["--restart", "good.h5", "--set", "solid=[{low=[0.0,0,0],high=[0.5,0.5,0.005]}]"],
        2,
        &["solid", "--restart-changed"],
    ),
    (
        &["--restart", "good.h5", "--restart-changed", "--set", "grid.cells=[16,12,1]"],
        2,
        &["grid.cells"],
    ),
    (&["--restart-changed"], 2, &["--restart"]),
];

/// All files below a folder with their bytes.
fn contents(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut all = BTreeMap::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            all.extend(contents(&path));
        } else {
            all.insert(path.display().to_string(), std::fs::read(&path).unwrap());
        }
    }
    all
}

/// A folder with the results of an earlier run in `old`, checkpoints, and case files that are none.
fn workshop() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    ends_with(&vortice(folder.path(), &tiny(&[], &["--quiet", "--out", "old"])), 0);
    let good = std::fs::read(at("old/checkpoint.h5")).unwrap();
    std::fs::write(at("good.h5"), &good).unwrap();
    std::fs::write(at("truncated.h5"), &good[..good.len() / 2]).unwrap();
    let mut flipped = good.clone();
    let middle = flipped.len() / 2;
    flipped[middle] ^= 0x10;
    std::fs::write(at("flipped.h5"), &flipped).unwrap();
    other_method(&at("other-method.h5"));
    std::fs::create_dir(at("folder.toml")).unwrap();
    std::fs::write(at("binary.toml"), [0xff, 0xfe, 0x00]).unwrap();
    std::fs::write(at("broken.toml"), "title = = 3\n").unwrap();
    folder
}

/// The checkpoint of a method that this program does not have.
fn other_method(path: &Path) {
    use vortice_core::{Context, Every, Method, Simulation};
    let sets: Vec<String> = crate::TINY.iter().map(|set| (*set).to_string()).collect();
    let case = vortice::open_case("cavity", &sets).unwrap();
    let case = case.method("fvm").until(vortice_core::Until::Time(0.01));
    let method = Method { name: "fvm", ..vortice_fdm::METHOD };
    Simulation::with_method(&method, &case, &Context::alone())
        .unwrap()
        .watch(Every::Steps(1), vortice_output::Checkpoint::new(path, &case).unwrap())
        .run()
        .unwrap();
}

/// What is not as it should be when a wrong command line is tried.
fn complaints(folder: &Path, arguments: &[&str], (_, code, words): &Row) -> Vec<String> {
    let before = contents(folder);
    let output = vortice(folder, arguments);
    let said = stderr(&output);
    let mut wrong = Vec::new();
    let mut expect = |holds: bool, what: &str| {
        if !holds {
            wrong.push(format!("{arguments:?}: {what}\n{said}"));
        }
    };
    expect(output.status.code() == Some(*code), &format!("exit code {code}"));
    expect(stdout(&output).is_empty(), "nothing on standard output");
    expect(said.contains("error: "), "an error");
    expect(!said.contains("panicked"), "no panic");
    words.iter().for_each(|word| expect(said.contains(word), &format!("`{word}` in the message")));
    expect(contents(folder) == before, "no file touched");
    wrong
}

#[test]
fn wrong_command_lines_are_refused_with_a_remedy_and_touch_nothing() {
    assert!(COMMANDS.len() + RUNS.len() >= 40);
    let folder = workshop();
    let mut wrong = Vec::new();
    for row in COMMANDS {
        wrong.extend(complaints(folder.path(), row.0, row));
    }
    for row in RUNS {
        let mut arguments = tiny(&[], row.0);
        if !row.0.contains(&"--out") {
            arguments.extend(["--out", "old"]);
        }
        arguments.push("--quiet");
        wrong.extend(complaints(folder.path(), &arguments, row));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    println!("{} wrong command lines", COMMANDS.len() + RUNS.len());
}
