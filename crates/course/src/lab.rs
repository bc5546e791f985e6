//! A lab: its questions, from a folder or from this library.

use std::path::Path;

use serde::Deserialize;
use vortice_core::{Error, Result, suggest};

use crate::kit::{self, kit_names};
use crate::question::{Asked, Question};
use crate::sheet::{SHEET, Sheet};
use crate::small_file::read_small;
use crate::spelling::shown;

/// The name of the file with the questions.
pub(crate) const QUESTIONS: &str = "lab.toml";

/// A longer list of questions is none.
const LARGEST: u64 = 1 << 20;

/// A lab and its questions.
#[derive(Clone, Debug)]
pub struct Lab {
    /// The name of its folder.
    pub name: String,
    /// What it is about.
    pub title: String,
    /// The questions in their order.
    pub questions: Vec<Question>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    title: String,
    #[serde(default)]
    question: Vec<Asked>,
}

impl Lab {
    /// The lab of a folder, or the one of this library that is called so.
    ///
    /// # Errors
    /// If there is none, or its file is wrong.
    pub fn open(word: &Path) -> Result<Self> {
        if word.is_dir() {
            return Self::read(word);
        }
        Self::built_in(&word.to_string_lossy())
    }

    /// The lab of a folder, with its `solution/answers.toml` if that is there.
    ///
    /// # Errors
    /// If a file is missing or wrong.
    pub fn read(folder: &Path) -> Result<Self> {
        let path = folder.join(QUESTIONS);
        let text = read_small(&path, LARGEST)
            .map_err(|problem| Error::file(&path, problem, "name the folder of a lab"))?;
        let solved = folder.join("solution").join(SHEET);
        let solution = if solved.exists() {
            let wrong = |problem| Error::file(&solved, problem, "mend the solution, or remove it");
            Sheet::read(&solved).map_err(wrong)?.answers
        } else {
            toml::Table::new()
        };
        let full = folder.canonicalize().unwrap_or_else(|_| folder.to_path_buf());
        let name = full.file_name().map_or_else(String::new, |name| name.to_string_lossy().into());
        Self::parse(&name, &text, &solution)
            .map_err(|problem| Error::file(&path, problem, "mend it, or take another lab"))
    }

    /// A lab of this library, with its solution.
    ///
    /// # Errors
    /// If there is none of this name.
    pub fn built_in(name: &str) -> Result<Self> {
        let text = |file: &str| kit::file(&format!("{name}/{file}"));
        let Some(questions) = text(QUESTIONS) else {
            return Err(Error::Command {
                argument: shown(name),
                problem: "there is neither a folder nor a lab of this name".into(),
                remedy: suggest("lab", name, &kit_names()),
            });
        };
        let solution = text("solution/answers.toml").unwrap_or_default();
        let solution = Sheet::parse(solution).map(|sheet| sheet.answers);
        solution
            .and_then(|solution| Self::parse(name, questions, &solution))
            .map_err(|problem| Error::file(name, problem, "take another lab"))
    }

    fn parse(name: &str, text: &str, solution: &toml::Table) -> Result<Self, String> {
        let file: File = toml::from_str(text).map_err(|error| {
            format!("is no list of questions: {}", error.to_string().replace('\n', " "))
        })?;
        let mut questions: Vec<Question> = Vec::new();
        for (n, asked) in file.question.into_iter().enumerate() {
            let question = asked
                .question(solution)
                .map_err(|problem| format!("question {} {problem}", n + 1))?;
            if questions.iter().any(|other| other.id == question.id) {
                return Err(format!("question {} has the id of another", n + 1));
            }
            questions.push(question);
        }
        Ok(Self { name: name.to_owned(), title: file.title, questions })
    }

    /// All points that there are.
    pub fn points(&self) -> f64 {
        self.questions.iter().map(|question| question.points).sum()
    }

    /// An empty sheet of answers.
    pub(crate) fn template(&self) -> String {
        let Self { name, title, .. } = self;
        let questions: Vec<String> = self.questions.iter().map(Question::template).collect();
        format!(
            "# {title}: your answers. `vortice course check .` in this folder tells what it makes of them.\n\
             lab = \"{name}\"\n\n{}",
            questions.join("\n")
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labs_of_the_library_are_solved_by_their_solutions() {
        for name in kit_names() {
            let lab = Lab::built_in(name).unwrap_or_else(|error| panic!("{name}: {error}"));
            let text = kit::file(&format!("{name}/solution/answers.toml")).expect("a solution");
            let sheet = Sheet::parse(text).expect("a sheet");
            assert_eq!(sheet.lab.as_deref(), Some(name));
            assert!(lab.not_asked(&sheet).is_empty(), "{name}");
            for mark in lab.mark(&sheet) {
                // Tables are handed in by those who have run the lab.
                let is_table = mark.remark == "`forces.csv` is missing";
                let right = is_table || mark.points.is_none_or(|points| points == mark.of);
                assert!(right, "{name}: {mark:?}");
            }
        }
    }

    #[test]
    fn a_template_is_a_sheet_of_the_lab() {
        let lab = Lab::built_in("lab1").expect("a lab");
        let sheet = Sheet::parse(&lab.template()).expect("a sheet");
        assert!(sheet.lab.as_deref() == Some("lab1") && lab.not_asked(&sheet).is_empty());
        assert!(lab.mark(&sheet).iter().all(|mark| mark.points == Some(0.0)));
    }

    #[test]
    fn wrong_questions_are_told() {
        let parse = |text: &str| Lab::parse("lab", text, &toml::Table::new()).expect_err("wrong");
        for (text, problem) in [
            ("", "missing field `title`"),
            (
                "title = \"a\"\n[[question]]\nid = \"A\"\ntext = \"\"\npoints = 1",
                "question 1 has an id",
            ),
            ("title = \"a\"\n[[question]]\nid = \"a\"\ntext = \"\"\npoints = nan", "has no points"),
            (
                "title = \"a\"\n[[question]]\nid = \"a\"\ntext = \"\"\npoints = 1\nexpected = inf",
                "not finite",
            ),
            ("title = \"a\"\nother = 1", "unknown field"),
        ] {
            let found = parse(text);
            assert!(found.contains(problem), "{text}: {found}");
        }
    }
}
