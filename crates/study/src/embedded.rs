//! Cases inside the library, so that an installed program needs no files.

use std::path::Path;

use vortice_core::{Case, Error, Result, apply_overrides, read_stored_flows_with, suggest};
use vortice_output::read_stored_flow;

use crate::registry;

include!(concat!(env!("OUT_DIR"), "/embedded.rs"));

/// Names and texts of the built-in cases, by name.
pub fn built_in_cases() -> &'static [(&'static str, &'static str)] {
    CASES
}

/// The text that says what is checked of the built-in cases.
pub(crate) fn built_in_checks() -> &'static str {
    CHECKS
}

/// A case by path or by the name of a built-in one, with overrides (`key=value`).
///
/// What ends in `.toml` or contains a path separator is a path; other words are names unless a
/// file is called so.
///
/// # Errors
/// If there is no such case, it cannot be read, or it is wrong.
pub fn open_case(path_or_name: &str, sets: &[String]) -> Result<Case> {
    // Which tables a case may have, and how flows are read that it begins with, is known from here on.
    registry::methods();
    read_stored_flows_with(read_stored_flow);
    if is_path(path_or_name) {
        return Case::read_with(Path::new(path_or_name), sets);
    }
    let Some((name, text)) = CASES.iter().find(|(name, _)| *name == path_or_name) else {
        let names: Vec<&str> = CASES.iter().map(|(name, _)| *name).collect();
        return Err(Error::Command {
            argument: path_or_name.to_string(),
            problem: "there is neither a built-in case nor a file of this name".into(),
            remedy: suggest("case", path_or_name, &names),
        });
    };
    Case::parse(&apply_overrides(text, name, sets)?, name)
}

/// A case from its text, with overrides; `name` is what errors call it.
///
/// # Errors
/// If it is wrong.
pub fn parse_case(text: &str, name: &str, sets: &[String]) -> Result<Case> {
    registry::methods();
    read_stored_flows_with(read_stored_flow);
    Case::parse(&apply_overrides(text, name, sets)?, name)
}

/// The short name of a case: the stem of its file, or its built-in name.
pub fn case_name(path_or_name: &str) -> &str {
    if !is_path(path_or_name) {
        return path_or_name;
    }
    Path::new(path_or_name).file_stem().and_then(|stem| stem.to_str()).unwrap_or("case")
}

fn is_path(path_or_name: &str) -> bool {
    let path = Path::new(path_or_name);
    path.extension().is_some_and(|extension| extension == "toml")
        || path.components().count() > 1
        || path.is_file()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stems(extension: &str) -> Vec<String> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../cases");
        let paths = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        let mut stems: Vec<String> = paths
            .filter(|path| path.extension().is_some_and(|found| found == extension))
            .map(|path| path.file_stem().unwrap().to_str().unwrap().to_string())
            .collect();
        stems.sort();
        stems
    }

    #[test]
    fn every_file_of_the_folder_is_built_in() {
        let names = |list: &[(&'static str, _)]| list.iter().map(|x| x.0).collect::<Vec<_>>();
        assert_eq!(names(built_in_cases()), stems("toml"));
        assert!(names(built_in_cases()).contains(&"cavity"));
    }

    #[test]
    fn every_built_in_case_means_something() {
        for (name, _) in built_in_cases() {
            let case = open_case(name, &[]).unwrap_or_else(|error| panic!("{name}: {error}"));
            assert!(!case.title.is_empty());
        }
    }

    #[test]
    fn an_unknown_case_is_suggested() {
        let error = open_case("cavty", &[]).expect_err("there is no such case");
        assert!(error.remedy().contains("did you mean `cavity`"), "{}", error.remedy());
    }

    #[test]
    fn names_come_from_paths() {
        assert_eq!(case_name("somewhere/my-flow.toml"), "my-flow");
        assert_eq!(case_name("cavity"), "cavity");
    }
}
