//! Labs for a class, and new case files.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

/// The options of `new`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  vortice new my-flow.toml --like cavity
  vortice new my-flow.toml --like step          of several that begin so, the one with the fewest cells
  vortice check my-flow.toml                    then: what follows from it")]
pub(crate) struct New {
    /// The file to write; one that is there is not overwritten
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// The built-in case that it is a copy of, or how its name begins
    #[arg(long, value_name = "CASE", default_value = "cavity",
          value_parser = super::offer::CASES, hide_possible_values = true)]
    pub(crate) like: String,
}

/// Labs for a class.
#[derive(Debug, Subcommand)]
#[command(after_help = "\
Examples:
  vortice course new cfd-2027                            the lecturer's folder
  vortice course new handed-out --for students           the same without solutions
  vortice course check lab2                              a student: what of my answers is right?
  vortice course grade submissions --out marks.csv       the marks of a class")]
pub(crate) enum Course {
    /// Write a course into a new folder: four labs, two projects
    New {
        /// The folder
        #[arg(value_name = "FOLDER")]
        folder: PathBuf,
        /// With solutions, or without
        #[arg(long = "for", value_enum, default_value = "lecturer")]
        whose: Whose,
    },
    /// Tell what of the answers in a lab's folder is allowed
    Check {
        /// The folder of a lab, with lab.toml and answers.toml
        #[arg(value_name = "LAB", default_value = ".")]
        folder: PathBuf,
    },
    /// Mark the submissions of a class: a row each
    Grade {
        /// The folder with a folder for each student, or a file NAME.toml
        #[arg(value_name = "SUBMISSIONS")]
        folder: PathBuf,
        /// The folder of the lab with its solution, or lab1 and so on for those of the program [default: the one that most
        /// submissions name]
        #[arg(long, value_name = "LAB")]
        lab: Option<PathBuf>,
        /// The table to write
        #[arg(long, value_name = "FILE", default_value = "marks.csv")]
        out: PathBuf,
    },
}

/// For whom a course is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Whose {
    /// With solutions
    Lecturer,
    /// Without
    Students,
}
