//! Courses: they are written, every command of every handout runs and gives what the solution says, and a class is marked.

#![allow(clippy::print_stdout)] // tests print the numbers that they judge

mod class;
mod measured;

use std::path::{Path, PathBuf};
use std::process::Command;

use vortice_course::{Kind, Lab, commands};

use crate::{ends_with, program, stderr, stdout, vortice};

/// The lecturer's folder, written by the program.
fn course(folder: &Path) -> PathBuf {
    ends_with(&vortice(folder, &["course", "new", "course"]), 0);
    folder.join("course")
}

/// Runs the commands of a handout in the folder of its lab, by a shell, as students do.
fn perform(lab: &Path) {
    let handout = std::fs::read_to_string(lab.join("handout.md")).expect("a handout");
    let name = Path::new(env!("CARGO_BIN_EXE_vortice"));
    let found = std::env::var_os("PATH").unwrap_or_default();
    let folders =
        name.parent().into_iter().map(Path::to_path_buf).chain(std::env::split_paths(&found));
    let path = std::env::join_paths(folders).expect("a path");
    for command in commands(&handout) {
        let mut shell = Command::new("sh");
        shell.args(["-ec", command]).current_dir(lab).env("PATH", &path);
        let output = shell.env("CUDA_VISIBLE_DEVICES", "").output().expect("a shell");
        assert!(output.status.success(), "{command}\n{}", stderr(&output));
    }
}

/// The notebook of a lab runs after its commands, where there is a Python with matplotlib.
fn read_by_notebook(lab: &Path) {
    let top = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let named = std::env::var_os("VORTICE_PYTHON").map(PathBuf::from);
    let python = named.unwrap_or_else(|| top.join("target/python-venv/bin/python"));
    let run = "import sys, pathlib; sys.path.insert(0, sys.argv[1]); import execute\n\
               execute.execute(pathlib.Path('notebook.ipynb'))";
    let mut command = Command::new(&python);
    command.args(["-B", "-c", run]).arg(top.join("docs/notebooks")).current_dir(lab);
    match command.output() {
        Ok(output) => assert!(output.status.success(), "{}", stderr(&output)),
        Err(error) => println!("notebook not run: {}: {error}", python.display()),
    }
}

/// Runs a lab and hands in what was measured with the words of the solution: all of it must be right.
fn gives_what_the_solution_says(name: &str, measure: fn(&Path) -> Vec<(&'static str, f64)>) {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = course(folder.path()).join(name);
    perform(&folder);
    let lab = Lab::read(&folder).expect("a lab");
    let solution =
        std::fs::read_to_string(folder.join("solution/answers.toml")).expect("a solution");
    let mut answers: toml::Table = solution.parse().expect("TOML");
    let measured = measure(&folder);
    for question in &lab.questions {
        let Kind::Number { unit, column: None, expected, .. } = &question.kind else { continue };
        let (_, number) = measured
            .iter()
            .find(|(id, _)| *id == question.id)
            .unwrap_or_else(|| panic!("{name}: `{}` is not measured", question.id));
        println!("{name} {}: {number} {unit}, expected {expected:?}", question.id);
        answers.insert(question.id.clone(), format!("{number} {unit}").replace(" 1", "").into());
    }
    // Tables that are handed in lie beside the sheet.
    for question in &lab.questions {
        if let Kind::Number { column: Some(_), .. } = &question.kind {
            let file = answers[&question.id].as_str().expect("a file");
            std::fs::copy(folder.join("out/street").join(file), folder.join(file)).expect("a copy");
        }
    }
    std::fs::write(folder.join("answers.toml"), answers.to_string()).expect("answers");
    let check = vortice(&folder, &["course", "check", "."]);
    ends_with(&check, 0);
    if name.starts_with("lab") {
        read_by_notebook(&folder);
    }
}

#[test]
fn lab_1_gives_what_the_solution_says() {
    gives_what_the_solution_says("lab1", measured::lab1);
}

#[test]
fn lab_2_gives_what_the_solution_says() {
    gives_what_the_solution_says("lab2", measured::lab2);
}

#[test]
fn lab_3_gives_what_the_solution_says() {
    gives_what_the_solution_says("lab3", measured::lab3);
}

#[test]
fn lab_4_gives_what_the_solution_says() {
    gives_what_the_solution_says("lab4", measured::lab4);
}

#[test]
fn the_projects_give_what_the_solutions_say() {
    gives_what_the_solution_says("project1", measured::project1);
    gives_what_the_solution_says("project2", measured::project2);
}

#[test]
fn a_course_overwrites_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let course = course(folder.path());
    let script =
        std::fs::read_to_string(course.join("lab1/solution/commands.sh")).expect("a script");
    assert!(script.starts_with("#!/bin/sh\n") && script.contains("\nvortice run "), "{script}");
    let again = vortice(folder.path(), &["course", "new", "course", "--for", "students"]);
    ends_with(&again, 3);
    assert!(stderr(&again).contains("something in this folder"), "{}", stderr(&again));
}

#[test]
fn a_student_is_told_what_is_allowed() {
    let folder = tempfile::tempdir().expect("a folder");
    let new = vortice(folder.path(), &["course", "new", "mine", "--for", "students"]);
    ends_with(&new, 0);
    assert!(
        stdout(&new).contains("mine/lab2") && !folder.path().join("mine/lab2/solution").exists()
    );
    let lab = folder.path().join("mine/lab2");
    let sheet = lab.join("answers.toml");
    let text = std::fs::read_to_string(&sheet).expect("a sheet");
    let text = text
        .replace("entries = \"\"", "entries = 288")
        .replace("omega-128 = \"\"", "omega-128 = \"1.9 m\"")
        .replace("work = \"\"", "work = \"N\"");
    std::fs::write(&sheet, text).expect("a sheet");
    let check = vortice(folder.path(), &["course", "check", "mine/lab2"]);
    ends_with(&check, 1);
    let text = stdout(&check);
    for words in ["your value", "allowed", "asked for without a unit", "not answered", "not told"] {
        assert!(text.contains(words), "{words}\n{text}");
    }
    let missing = vortice(folder.path(), &["course", "check", "mine"]);
    ends_with(&missing, 3);
    assert!(stderr(&missing).contains("lab.toml: is missing"), "{}", stderr(&missing));
}

#[test]
fn a_new_case_is_commented_and_gives_the_same_flow() {
    let folder = tempfile::tempdir().expect("a folder");
    let new = vortice(folder.path(), &["new", "my-flow.toml", "--like", "step"]);
    ends_with(&new, 0);
    assert!(stdout(&new).starts_with("my-flow.toml: like step-erturk"), "{}", stdout(&new));
    let text = std::fs::read_to_string(folder.path().join("my-flow.toml")).expect("a case");
    assert!(text.contains("# fluid.viscosity: the kinematic viscosity in m2/s"), "{text}");
    ends_with(&vortice(folder.path(), &["check", "my-flow.toml"]), 0);
    let steps = ["--cells", "80x8", "--re", "50", "--set", "run.max-steps=5", "--quiet", "--out"];
    for (case, out) in [("my-flow.toml", "mine"), ("step-erturk", "theirs")] {
        let run = program(folder.path()).args(["run", case]).args(steps).arg(out).output();
        ends_with(&run.expect("the program starts"), 1);
    }
    let history = |out: &str| std::fs::read(folder.path().join(out).join("history.csv"));
    assert_eq!(history("mine").expect("a history"), history("theirs").expect("a history"));
}

#[test]
fn a_new_case_overwrites_nothing_and_knows_its_model() {
    let folder = tempfile::tempdir().expect("a folder");
    ends_with(&vortice(folder.path(), &["new", "a.toml"]), 0);
    let twice = vortice(folder.path(), &["new", "a.toml"]);
    ends_with(&twice, 3);
    assert!(stderr(&twice).contains("not there yet"), "{}", stderr(&twice));
    let unknown = vortice(folder.path(), &["new", "b.toml", "--like", "cavty"]);
    ends_with(&unknown, 2);
    assert!(stderr(&unknown).contains("did you mean `cavity`?"), "{}", stderr(&unknown));
    let other = vortice(folder.path(), &["new", "b", "--like", "cavity"]);
    ends_with(&other, 3);
    assert!(stderr(&other).contains("name it b.toml"), "{}", stderr(&other));
    assert!(!folder.path().join("b.toml").exists());
}

/// What the page of exercises says of the third: which limit ends a run.
#[test]
fn the_convective_limit_breaks_no_cavity_and_the_others_do() {
    let folder = tempfile::tempdir().expect("a folder");
    let run = |viscosity: &str, dt: &str| {
        let sets =
            ["fdm.time-scheme=euler", "run.until=20", "references=[]", "output.picture=false"];
        let mut all = vec!["run", "cavity", "--cells", "32x32", "--quiet"];
        sets.iter().chain([&viscosity, &dt]).for_each(|set| all.extend(["--set", set]));
        vortice(folder.path(), &all)
    };
    ends_with(&run("fluid.viscosity=0.1", "fdm.dt=2.197e-3"), 0);
    ends_with(&run("fluid.viscosity=0.1", "fdm.dt=2.685e-3"), 1);
    ends_with(&run("fluid.viscosity=1e-3", "fdm.dt=2e-2"), 0);
    ends_with(&run("fluid.viscosity=1e-3", "fdm.dt=3e-2"), 1);
}
