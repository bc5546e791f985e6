//! The course, laid out in a folder.

use std::fs;
use std::path::Path;

use vortice_core::{Error, Result};

use crate::kit::{self, commands, kit_names};
use crate::lab::Lab;
use crate::sheet::SHEET;

/// For whom a course is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum For {
    /// With solutions.
    Lecturer,
    /// Without.
    Students,
}

/// Writes the course into a folder that is new or empty.
///
/// # Errors
/// If there is something in the folder, or it cannot be written.
pub fn write_course(folder: &Path, whose: For) -> Result<()> {
    let is_empty = fs::read_dir(folder).map_or(true, |mut entries| entries.next().is_none());
    if !is_empty {
        let remedy = "choose a folder that is not there yet";
        return Err(Error::file(folder, "there is something in this folder", remedy));
    }
    for (path, text) in kit::files() {
        if whose == For::Lecturer || !is_for_lecturers(path) {
            write(&folder.join(path), text)?;
        }
    }
    for name in kit_names() {
        let lab = folder.join(name);
        write(&lab.join(SHEET), &Lab::built_in(name)?.template())?;
        let commands = commands(kit::file(&format!("{name}/handout.md")).unwrap_or_default());
        if whose == For::Lecturer && !commands.is_empty() {
            write(&lab.join("solution/commands.sh"), &script(&commands))?;
        }
    }
    Ok(())
}

fn is_for_lecturers(path: &str) -> bool {
    path == "README.md" || path.contains("/solution/")
}

fn script(commands: &[&str]) -> String {
    let head =
        "#!/bin/sh\n# All commands of the handout. Run it in the folder of the lab.\nset -ex\n";
    format!("{head}{}\n", commands.join("\n"))
}

fn write(path: &Path, text: &str) -> Result<()> {
    let folder = path.parent().unwrap_or(Path::new(""));
    let written = fs::create_dir_all(folder).and_then(|()| fs::write(path, text));
    written.map_err(|error| Error::file(path, error, "choose a folder that you may write to"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn students_get_no_solutions() {
        let folder = tempfile::tempdir().expect("a folder");
        let [all, handed_out] = ["all", "handed-out"].map(|name| folder.path().join(name));
        write_course(&all, For::Lecturer).expect("written");
        write_course(&handed_out, For::Students).expect("written");
        for name in kit_names() {
            assert!(all.join(name).join("solution/answers.toml").is_file(), "{name}");
            assert!(!handed_out.join(name).join("solution").exists(), "{name}");
            for file in ["handout.md", "handout.html", "notebook.ipynb", "lab.toml", SHEET] {
                assert!(handed_out.join(name).join(file).is_file(), "{name}/{file}");
            }
            Lab::read(&handed_out.join(name)).expect("a lab");
        }
        assert!(all.join("README.md").is_file() && !handed_out.join("README.md").exists());
        assert!(write_course(&all, For::Students).is_err(), "nothing is overwritten");
    }
}
