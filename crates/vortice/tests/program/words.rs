//! What the program says of itself and of cases.

use std::io::Read;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::{ends_with, program, stderr, stdout, vortice};

#[test]
fn help_names_the_commands_and_gives_examples() {
    let folder = tempfile::tempdir().unwrap();
    let help = vortice(folder.path(), &["--help"]);
    ends_with(&help, 0);
    for word in ["run", "check", "bench", "methods", "cases", "devices", "Examples:", "Exit codes:"]
    {
        assert!(stdout(&help).contains(word), "{word}");
    }
    let help = vortice(folder.path(), &["run", "--help"]);
    ends_with(&help, 0);
    for word in ["--method", "--device", "--ranks", "--threads", "--set", "--out", "--restart"] {
        assert!(stdout(&help).contains(word), "{word}");
    }
}

#[test]
fn version_is_that_of_the_package() {
    let folder = tempfile::tempdir().unwrap();
    let version = stdout(&vortice(folder.path(), &["--version"]));
    assert!(version.starts_with(concat!("vortice ", env!("CARGO_PKG_VERSION"))), "{version}");
}

#[test]
fn methods_and_cases_are_listed() {
    let folder = tempfile::tempdir().unwrap();
    let methods = vortice(folder.path(), &["methods"]);
    ends_with(&methods, 0);
    assert!(stdout(&methods).starts_with("fdm "));
    let cases = vortice(folder.path(), &["cases"]);
    ends_with(&cases, 0);
    assert_eq!(stdout(&cases).lines().count(), vortice::built_in_cases().len());
    assert!(stdout(&cases).contains("Lid-driven cavity, Re = 1000"));
}

#[test]
fn completions_exist_for_the_usual_shells() {
    let folder = tempfile::tempdir().unwrap();
    for shell in ["bash", "zsh", "fish"] {
        let script = vortice(folder.path(), &["completions", shell]);
        ends_with(&script, 0);
        assert!(stdout(&script).contains("restart"), "{shell}");
    }
}

/// What bash offers behind some words, the last of them begun.
fn offered(folder: &Path, words: &[&str]) -> Vec<String> {
    let script = stdout(&vortice(folder, &["completions", "bash"]));
    let (last, before) = (words[words.len() - 1], words[words.len() - 2]);
    let line = format!(
        "{script}\ncompopt() {{ :; }}\nCOMP_WORDS=({})\nCOMP_CWORD={}\n\
         _vortice vortice '{last}' '{before}'\nprintf '%s\\n' \"${{COMPREPLY[@]}}\"\n",
        words.iter().map(|word| format!("'{word}'")).collect::<Vec<_>>().join(" "),
        words.len() - 1,
    );
    let bash = Command::new("bash").args(["-c", &line]).current_dir(folder).output().unwrap();
    assert!(bash.status.success(), "{}", stderr(&bash));
    stdout(&bash).lines().map(str::to_owned).collect()
}

#[test]
fn bash_offers_cases_methods_and_keys() {
    let folder = tempfile::tempdir().unwrap();
    let offered = |words: &[&str]| offered(folder.path(), words);
    assert_eq!(offered(&["vortice", "run", "step-e"]), ["step-erturk"]);
    assert_eq!(offered(&["vortice", "compare", "cavity", "step-gr"]), ["step-griebel"]);
    assert_eq!(offered(&["vortice", "run", "cavity", "--method", ""]), ["fdm", "fvm", "lbm"]);
    assert_eq!(offered(&["vortice", "run", "cavity", "--set", "fluid.v"]), ["fluid.viscosity="]);
    assert_eq!(offered(&["vortice", "bench", "cavity", "--set", "fvm.conv"]), ["fvm.convection="]);
    assert!(offered(&["vortice", "run", "cavity", "--c"]).contains(&"--cells".into()));
    let zsh = stdout(&vortice(folder.path(), &["completions", "zsh"]));
    assert!(!zsh.contains("(cavity cavity-3d"), "a case may be a file too");
}

#[test]
fn short_forms_need_no_brackets() {
    let folder = tempfile::tempdir().unwrap();
    let check = |arguments: &[&str]| {
        let check = vortice(folder.path(), &[&["check"], arguments].concat());
        ends_with(&check, 0);
        stdout(&check)
    };
    let text = check(&["cavity", "--cells", "48x48", "--re", "400"]);
    assert!(text.starts_with("Lid-driven cavity, Re = 400\n"), "{text}");
    assert!(text.contains("48 x 48 = 2304") && text.contains("ghia-1982-re400-u"), "{text}");
    let text = check(&["cavity-3d", "--cells", "8x8x8"]);
    assert!(text.contains("8 x 8 x 8 = 512"), "{text}");
}

#[test]
fn a_reynolds_number_needs_a_velocity() {
    let folder = tempfile::tempdir().unwrap();
    let case = "title = \"Conduction\"\ngrid = { cells = [16, 4, 1], size = [1.0, 0.25, 0.0625] }\n\
                fluid = { density = 1.0, viscosity = 0.71 }\nheat = { prandtl = 0.71 }\n\
                run = { method = \"fdm\", until = \"steady\" }\n[boundary]\n\
                x-low = { wall = { temperature = 0.0 } }\nx-high = { wall = { temperature = 1.0 } }\n\
                y-low = \"periodic\"\ny-high = \"periodic\"\nz-low = \"periodic\"\nz-high = \"periodic\"\n";
    std::fs::write(folder.path().join("rest.toml"), case).unwrap();
    ends_with(&vortice(folder.path(), &["check", "rest.toml"]), 0);
    let check = vortice(folder.path(), &["check", "rest.toml", "--re", "5"]);
    ends_with(&check, 2);
    assert!(stderr(&check).contains("--re 5: nothing moves"), "{}", stderr(&check));
}

#[test]
fn check_shows_numbers_and_references_of_every_built_in_case() {
    let folder = tempfile::tempdir().unwrap();
    for (name, _) in vortice::built_in_cases() {
        let check = vortice(folder.path(), &["check", name]);
        ends_with(&check, 0);
        for word in ["Reynolds number", "memory", "files ", "device ", "spacing", "reference "] {
            assert!(stdout(&check).contains(word), "{name}: {word}\n{}", stdout(&check));
        }
        // A steady flow that `fvm` finds without following it has no time step.
        let is_told = ["time step", "coupling"].iter().any(|word| stdout(&check).contains(word));
        assert!(is_told, "{name}\n{}", stdout(&check));
    }
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "check writes nothing");
}

#[test]
fn check_takes_settings() {
    let folder = tempfile::tempdir().unwrap();
    let check = vortice(
        folder.path(),
        &["check", "cavity", "--method", "fdm", "--set", "fluid.viscosity=0.0125"],
    );
    ends_with(&check, 0);
    let text = stdout(&check);
    let reynolds = text.lines().find(|line| line.starts_with("Reynolds number")).unwrap();
    assert_eq!(reynolds.split_whitespace().last(), Some("80"));
}

#[test]
fn a_reader_that_goes_away_is_no_failure() {
    let folder = tempfile::tempdir().unwrap();
    let mut child = program(folder.path())
        .arg("cases")
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let mut said = String::new();
    child.stderr.take().unwrap().read_to_string(&mut said).unwrap();
    assert_eq!((child.wait().unwrap().code(), said.as_str()), (Some(0), ""));
}

#[test]
fn errors_have_no_colours_where_nobody_sees_them() {
    let folder = tempfile::tempdir().unwrap();
    let wrong = vortice(folder.path(), &["check", "cavity", "--set", "grid.cells=[0,1,1]"]);
    ends_with(&wrong, 2);
    assert!(!stderr(&wrong).contains('\u{1b}'), "{}", stderr(&wrong));
}
