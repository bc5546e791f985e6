//! Bodies from the case file to the forces on them.

use crate::{ends_with, stdout, summary, vortice};

const CYLINDER: &str = include_str!("../../../../cases/cylinder-schaefer-turek-2d1.toml");

/// The cylinder of Schaefer and Turek with few cells, in a folder.
fn cylinder(sets: &[&str]) -> (tempfile::TempDir, Vec<String>) {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("cylinder.toml"), CYLINDER).unwrap();
    let mut words =
        vec!["cylinder.toml".to_owned(), "--set".into(), "grid.cells=[220,41,1]".into()];
    words.extend(sets.iter().flat_map(|set| ["--set".to_owned(), (*set).to_owned()]));
    (folder, words)
}

#[test]
fn check_tells_the_cells_across_a_body() {
    let (folder, words) = cylinder(&[]);
    let words: Vec<&str> = ["check"].into_iter().chain(words.iter().map(String::as_str)).collect();
    let check = vortice(folder.path(), &words);
    ends_with(&check, 0);
    let text = stdout(&check);
    assert!(
        text.contains("body cylinder") && text.contains("10 cells across, walls exact"),
        "{text}"
    );
    let coarse = [&words[..], &["--set", "body.cylinder.circle.radius=0.02"]].concat();
    let coarse = vortice(folder.path(), &coarse);
    assert!(stdout(&coarse).contains("4.0 cells across are too few"), "{}", stdout(&coarse));
}

#[test]
fn a_body_has_forces_with_coefficients_in_the_summary() {
    for (method, walls) in
        ["lbm", "fdm", "fvm"].into_iter().flat_map(|method| [(method, "exact"), (method, "stairs")])
    {
        let walls_set = format!("body.cylinder.walls={walls}");
        let method_set = format!("run.method={method}");
        let (folder, words) =
            cylinder(&[&walls_set, &method_set, "run.max-steps=200", "references=[]"]);
        let words = ["run", "--quiet", "--out", "out"]
            .into_iter()
            .chain(words.iter().map(String::as_str))
            .collect::<Vec<_>>();
        let run = vortice(folder.path(), &words);
        ends_with(&run, 1); // not steady after so few steps
        let forces = summary(&folder.path().join("out"))["forces"].clone();
        let body = forces.as_array().unwrap().last().unwrap();
        assert_eq!(body["surface"], "cylinder", "{forces}");
        let coefficients = body["coefficients"].as_array().expect("of a body");
        assert!(coefficients[0].as_f64().unwrap() > 0.0, "{method} {walls}: {forces}");
    }
}

/// A cube of triangles with edges of 1.
fn cube() -> String {
    let corner = |n: usize| format!("vertex {} {} {}\n", n & 1, n >> 1 & 1, n >> 2);
    let sides =
        [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    let facet = |three: [usize; 3]| {
        let corners: String = three.map(corner).concat();
        format!("facet normal 0 0 0\nouter loop\n{corners}endloop\nendfacet\n")
    };
    let facets = sides.map(|[a, b, c, d]| facet([a, b, c]) + &facet([a, c, d])).concat();
    format!("solid cube\n{facets}endsolid cube\n")
}

const BLOCK: &str =
    "body.cylinder={ stl = { file = 'cube.stl', scale = 0.1, move = [0.153, 0.147, -0.05] } }";

#[test]
fn check_tells_what_a_surface_of_triangles_is_and_what_is_wrong_with_it() {
    let (folder, words) = cylinder(&[BLOCK, "references=[]"]);
    let words: Vec<&str> = ["check"].into_iter().chain(words.iter().map(String::as_str)).collect();
    let missing = vortice(folder.path(), &words);
    ends_with(&missing, 2);
    std::fs::write(folder.path().join("cube.stl"), cube()).unwrap();
    let check = vortice(folder.path(), &words);
    ends_with(&check, 0);
    let text = stdout(&check);
    for said in ["12, volume 0.001 m3, area 0.06 m2", "x 0.153 to 0.253", "10 x 10 cells"] {
        assert!(text.contains(said), "{text}");
    }
    let open = cube().replacen("vertex 0 0 0", "vertex 0 0 0.5", 1);
    std::fs::write(folder.path().join("cube.stl"), open).unwrap();
    let check = vortice(folder.path(), &words);
    ends_with(&check, 2);
    let text = String::from_utf8_lossy(&check.stderr).into_owned();
    assert!(text.contains("is open, with one triangle along an edge"), "{text}");
}

#[test]
fn check_draws_what_a_case_looks_like() {
    let (folder, of_case) = cylinder(&["references=[]"]);
    let check = |name: &str| {
        let words = ["check", "--picture", name].into_iter();
        let words: Vec<&str> = words.chain(of_case.iter().map(String::as_str)).collect();
        vortice(folder.path(), &words)
    };
    ends_with(&check("case.svg"), 0);
    let svg = std::fs::read_to_string(folder.path().join("case.svg")).unwrap();
    for word in ["x-low: inflow", "x-high: outflow", "y-high: wall"] {
        assert!(svg.contains(word), "{word}");
    }
    ends_with(&check("case.png"), 0);
    let png = std::fs::read(folder.path().join("case.png")).unwrap();
    assert!(png.starts_with(b"\x89PNG") && png.len() > 5000);
    ends_with(&check("case.gif"), 2);
}

/// A block of triangles is the block by its numbers, for all methods, and a run does not go on with another one.
#[test]
fn a_body_of_triangles_has_the_forces_of_the_same_shape() {
    let block =
        "body.cylinder={ box = { low = [0.153, 0.147, -0.05], high = [0.253, 0.247, 0.05] } }";
    for method in ["lbm", "fdm", "fvm"] {
        let method_set = format!("run.method={method}");
        let run = |body: &str, more: &[&str]| {
            let sets = [&method_set, body, "run.max-steps=20", "references=[]"];
            let (folder, words) = cylinder(&sets);
            std::fs::write(folder.path().join("cube.stl"), cube()).unwrap();
            let words: Vec<&str> = ["run", "--quiet", "--out", "out"]
                .into_iter()
                .chain(words.iter().map(String::as_str))
                .chain(more.iter().copied())
                .collect();
            ends_with(&vortice(folder.path(), &words), 1); // not steady after so few steps
            let forces = summary(&folder.path().join("out"))["forces"].clone();
            let body = forces.as_array().unwrap().last().unwrap().clone();
            let other = cube().replace("vertex 1 1 1", "vertex 1 1.5 1");
            std::fs::write(folder.path().join("cube.stl"), other).unwrap();
            let words = [&words[..], &["--restart", "out/checkpoint.h5"]].concat();
            let restart = vortice(folder.path(), &words);
            (restart, [0, 1].map(|c| body["coefficients"][c].as_f64().expect("a coefficient")))
        };
        let ((_, shape), (restart, mesh)) = (run(block, &[]), run(BLOCK, &[]));
        let off = [0, 1].map(|c| (shape[c] - mesh[c]).abs() / shape[0]);
        assert!(off.iter().all(|off| *off < 1e-8), "{method}: {shape:?} {mesh:?}");
        ends_with(&restart, 2);
        let text = String::from_utf8_lossy(&restart.stderr).into_owned();
        assert!(text.contains("body.cylinder"), "{text}");
        // Two ranks see the same body.
        let (_, ranks) = run(BLOCK, &["--ranks", "2"]);
        assert!(
            (0..2).all(|c| (mesh[c] - ranks[c]).abs() <= 1e-9 * mesh[0]),
            "{method}: {ranks:?}"
        );
    }
}

/// The cylinder by a condition is the cylinder by its numbers, for all methods.
#[test]
fn a_body_by_a_condition_has_the_forces_of_the_same_shape() {
    let condition = "body.cylinder={ inside = '(x - 0.2)^2 + (y - 0.2)^2 < 0.0025' }";
    for method in ["lbm", "fdm", "fvm"] {
        let method_set = format!("run.method={method}");
        let coefficients = |more: &[&str]| {
            let sets = [&[&*method_set, "run.max-steps=40", "references=[]"], more].concat();
            let (folder, words) = cylinder(&sets);
            let words: Vec<&str> = ["run", "--quiet", "--out", "out"]
                .into_iter()
                .chain(words.iter().map(String::as_str))
                .collect();
            ends_with(&vortice(folder.path(), &words), 1); // not steady after so few steps
            let forces = summary(&folder.path().join("out"))["forces"].clone();
            let body = forces.as_array().unwrap().last().unwrap().clone();
            [0, 1].map(|c| body["coefficients"][c].as_f64().expect("a coefficient"))
        };
        let (shape, by_condition) = (coefficients(&[]), coefficients(&[condition]));
        let off = [0, 1].map(|c| (shape[c] - by_condition[c]).abs() / shape[0]);
        assert!(off.iter().all(|off| *off < 1e-8), "{method}: {shape:?} {by_condition:?}");
    }
}

/// Forces over time that are of several parts of a run, by several ranks, are those of one run; the last are those of the summary.
#[test]
fn forces_over_time_go_on_after_a_restart_without_a_seam() {
    for (method, ranks) in [("lbm", "2"), ("fdm", "2"), ("fvm", "1")] {
        let method_set = format!("run.method={method}");
        let sets = [
            &method_set,
            "references=[]",
            "output.forces=0.002",
            "output.checkpoint-steps=3",
            "grid.cells=[220,41,1]",
        ];
        let run = |until: &str, more: &[&str], folder: &std::path::Path| {
            std::fs::write(folder.join("cylinder.toml"), CYLINDER).unwrap();
            let mut words = vec!["run", "cylinder.toml", "--quiet", "--out", "out"];
            sets.iter().for_each(|set| words.extend(["--set", set]));
            words.extend(["--set", until]);
            words.extend(more);
            ends_with(&vortice(folder, &words), 0);
            std::fs::read_to_string(folder.join("out/forces.csv")).unwrap()
        };
        let [long, parts] = [(); 2].map(|()| tempfile::tempdir().unwrap());
        let whole = run("run.until=0.02", &["--ranks", ranks], long.path());
        let begun = run("run.until=0.008", &[], parts.path());
        assert!(begun.starts_with("step,time,cylinder.force_x,"), "{begun}");
        let more = ["--restart", "out/checkpoint.h5"];
        let both = run("run.until=0.02", &more, parts.path());
        assert_eq!(both, whole, "{method}");
        assert!((11..13).contains(&whole.lines().count()), "{method}: {whole}");
        // The summary says the same of the last flow.
        let last: Vec<f64> =
            whole.lines().last().unwrap().split(',').map(|word| word.parse().unwrap()).collect();
        let forces = summary(&long.path().join("out"))["forces"].clone();
        let of =
            forces.as_array().unwrap().iter().find(|one| one["surface"] == "cylinder").unwrap();
        let told =
            [&of["force"][0], &of["force"][1], &of["torque"]].map(|one| one.as_f64().unwrap());
        // JSON is read to the last digit but one.
        let off = told
            .iter()
            .zip([last[2], last[3], last[5]])
            .map(|(one, other)| (one / other - 1.0).abs());
        assert!(off.fold(0.0, f64::max) < 1e-14, "{method}: {told:?} {whole}");
    }
}
