//! The how-to pages of the book: what they tell to type works, with fewer steps.

use std::path::Path;

use serde_json::Value;

use super::{ends_with, stderr, vortice};

fn page(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/src/how-to").join(name);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The blocks of a page in a language.
pub(super) fn blocks(page: &str, language: &str) -> Vec<String> {
    let open = format!("```{language}\n");
    let inside = page.split(&*open).skip(1).filter_map(|rest| rest.split("```").next());
    inside.map(String::from).collect()
}

/// Types the commands of a page, with settings that make runs short; a run that stops early ends with 1.
fn type_commands(folder: &Path, page: &str, language: &str, short: &[&str]) -> usize {
    let lines = blocks(page, language).join("");
    let commands: Vec<Vec<&str>> = lines
        .lines()
        .filter_map(|line| line.trim().strip_prefix("vortice "))
        .map(|line| line.split_whitespace().collect())
        .collect();
    for command in &commands {
        let runs = ["run", "compare"].contains(&command[0]);
        let words = if runs { [command, short].concat() } else { command.clone() };
        let ended = vortice(folder, &words);
        let code = ended.status.code();
        let fine = code == Some(0) || (runs && code == Some(1));
        assert!(fine, "vortice {}: {code:?}\n{}", words.join(" "), stderr(&ended));
    }
    commands.len()
}

#[test]
fn a_geometry_of_ones_own_is_checked_run_and_compared() {
    let folder = tempfile::tempdir().unwrap();
    let page = page("own-geometry.md");
    std::fs::write(folder.path().join("island.toml"), &blocks(&page, "toml")[0]).unwrap();
    let short = ["--set", "run.max-steps=60", "--set", "output.picture=true", "--quiet"];
    assert_eq!(type_commands(folder.path(), &page, "text", &short), 4);
    let file = |name: &str| std::fs::read_to_string(folder.path().join(name)).unwrap();
    assert!(file("island.svg").contains("<svg"));
    let summary: Value = serde_json::from_str(&file("out/island/summary.json")).unwrap();
    let forces = summary["forces"].as_array().unwrap();
    assert!(forces.iter().any(|one| one["surface"].to_string().contains("island")), "{forces:?}");
    assert!(folder.path().join("out/island-lbm/picture.png").is_file());
    assert!(file("out/compare-island/report.html").contains("Channel with an island, Re = 20"));
    let pictures = std::fs::read_dir(folder.path().join("out/compare-island/pictures")).unwrap();
    let names = pictures.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let (as_png, as_svg): (Vec<_>, Vec<_>) = names.partition(|name| name.ends_with(".png"));
    assert!(!as_png.is_empty() && as_png.len() == as_svg.len(), "{as_png:?} {as_svg:?}");
}

#[test]
fn other_shapes_of_the_page_are_shapes() {
    let folder = tempfile::tempdir().unwrap();
    let page = page("own-geometry.md");
    let case = &blocks(&page, "toml")[0];
    let circle = "circle = { centre = [0.8, 0.45], radius = 0.1 }";
    assert!(case.contains(circle));
    let shapes = page.lines().filter_map(|line| line.strip_prefix("| ")?.split('`').nth(1));
    let shapes: Vec<&str> =
        shapes.filter(|one| one.starts_with("polygon") || one.starts_with("inside")).collect();
    assert_eq!(shapes.len(), 2);
    let beside = [format!("{circle}\nrotation = 2.0"), shapes[0].into(), shapes[1].into()];
    for shape in beside {
        std::fs::write(folder.path().join("a.toml"), case.replace(circle, &shape)).unwrap();
        ends_with(&vortice(folder.path(), &["check", "a.toml"]), 0);
    }
}

#[test]
fn a_run_is_stopped_and_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let page = page("restart.md").replace(" --set run.max-steps=500", "");
    // Both by one number of steps: the second has nothing left to do, and says where it went on from.
    let short = ["--set", "run.max-steps=30", "--quiet"];
    assert_eq!(type_commands(folder.path(), &page, "sh", &short), 2);
    assert!(folder.path().join("out/cavity-from-30/summary.json").is_file());
}

#[test]
fn the_cavity_of_icofoam_is_computed() {
    let folder = tempfile::tempdir().unwrap();
    let case = &blocks(&page("from-openfoam.md"), "toml")[0];
    std::fs::write(folder.path().join("cavity-of-icofoam.toml"), case).unwrap();
    let ended = vortice(folder.path(), &["run", "cavity-of-icofoam.toml", "--quiet"]);
    ends_with(&ended, 0);
    assert!(folder.path().join("out/cavity-of-icofoam/fields.vtkhdf").is_file());
}
