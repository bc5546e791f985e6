//! The marks of a class.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use vortice_core::format::significant;
use vortice_core::{Error, Result, write_beside};

use crate::lab::Lab;
use crate::mark::Mark;
use crate::spelling::{cell, shown};
use crate::submission::{Submission, entries};
use crate::table::columns;

/// A class: a lab, and a row for each submission.
#[derive(Debug)]
pub struct Class {
    /// The lab that it was marked by.
    pub lab: Lab,
    /// The submissions by their names.
    pub rows: Vec<Row>,
}

/// The marks of one submission.
#[derive(Debug)]
pub struct Row {
    /// Whose it is: the name of the folder or file.
    pub name: String,
    /// A mark for each question.
    pub marks: Vec<Mark>,
    /// What a lecturer should know of it.
    pub remarks: Vec<String>,
}

impl Class {
    /// Marks all submissions in a folder: folders with `answers.toml`, or files `NAME.toml`. Without a lab it is the one
    /// that most of them name. `marks` is where the marks go, and is no submission.
    ///
    /// # Errors
    /// If the folder cannot be read or has no submissions, or they name no lab. What is wrong with a submission
    /// is a remark in its row.
    pub fn grade(folder: &Path, lab: Option<Lab>, marks: &Path) -> Result<Self> {
        let remedy = "name the folder that has a folder for each student";
        let paths = entries(folder).map_err(|problem| Error::file(folder, problem, remedy))?;
        let marks = marks.canonicalize().ok();
        let is_one = |path: &&PathBuf| {
            let hidden =
                path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.'));
            !hidden && (marks.is_none() || path.canonicalize().ok() != marks)
        };
        let all: Vec<Submission> =
            paths.iter().filter(is_one).map(|path| Submission::read(path)).collect();
        if all.is_empty() {
            return Err(Error::file(folder, "there are no submissions in it", remedy));
        }
        let lab = lab.map_or_else(|| most_named(folder, &all), Ok)?;
        let rows = all.iter().map(|one| Row::of(one, &all, &lab)).collect();
        Ok(Self { lab, rows })
    }

    /// Writes a row for each submission: name, a column for each question, total, remarks. The file gets its name when it
    /// is whole. Cells are empty where a person has to mark.
    ///
    /// # Errors
    /// If the folder or disk refuses.
    pub fn write(&self, path: &Path) -> Result<()> {
        write_beside(path, |file| {
            let mut table = csv::Writer::from_writer(file);
            let ids = self.lab.questions.iter().map(|question| question.id.as_str());
            let head = ["submission"].into_iter().chain(ids).chain(["total", "of", "remarks"]);
            table.write_record(head)?;
            for row in &self.rows {
                table.write_record(row.cells(self.lab.points()))?;
            }
            table.flush()
        })
    }

    /// The rows as a table for people.
    pub fn words(&self) -> String {
        let head = ["submission", "points", "remarks"].map(String::from);
        let of = significant(self.lab.points());
        let rows = self.rows.iter().map(|row| {
            let points = format!("{} of {of}", significant(row.total()));
            [row.name.clone(), points, row.remarks.join("; ")]
        });
        columns(&std::iter::once(head).chain(rows).collect::<Vec<_>>())
    }
}

impl Row {
    fn of(one: &Submission, all: &[Submission], lab: &Lab) -> Self {
        let mut remarks = one.remarks.clone();
        let twice = all.iter().filter(|other| other.student() == one.student()).count() > 1;
        remarks.extend(twice.then(|| "handed in more than once".to_owned()));
        let Some(sheet) = &one.sheet else {
            return Self { name: one.name.clone(), marks: lab.no_marks(), remarks };
        };
        let other = sheet.lab.as_ref().filter(|name| **name != lab.name);
        if let Some(other) = other {
            remarks.push(format!("is of the lab `{}`, not `{}`", shown(other), lab.name));
            return Self { name: one.name.clone(), marks: lab.no_marks(), remarks };
        }
        let same = |other: &&Submission| {
            other.name != one.name && other.sheet.as_ref().is_some_and(|o| o.text == sheet.text)
        };
        let same: Vec<&str> = all.iter().filter(same).map(|other| other.name.as_str()).collect();
        if !same.is_empty() {
            remarks.push(format!("word for word that of {}", same.join(", ")));
        }
        let marks = lab.mark(sheet);
        remarks.extend(lab.not_asked(sheet));
        // That an answer is wrong or missing is seen by its points.
        let silent = ["", "wrong", "not answered", "too small", "too large"];
        let told = marks.iter().filter(|mark| !silent.contains(&mark.remark.as_str()));
        remarks.extend(told.map(|mark| format!("{}: {}", mark.id, mark.remark)));
        Self { name: one.name.clone(), marks, remarks }
    }

    /// The sum of the points that are given.
    pub fn total(&self) -> f64 {
        self.marks.iter().filter_map(|mark| mark.points).sum()
    }

    fn cells(&self, of: f64) -> Vec<String> {
        let points = self.marks.iter().map(|mark| mark.points.map(significant).unwrap_or_default());
        let ends = [significant(self.total()), significant(of), cell(&self.remarks.join("; "))];
        std::iter::once(cell(&self.name)).chain(points).chain(ends).collect()
    }
}

/// The lab that most submissions name.
fn most_named(folder: &Path, all: &[Submission]) -> Result<Lab> {
    let mut named: BTreeMap<&str, usize> = BTreeMap::new();
    for lab in all.iter().filter_map(|one| one.sheet.as_ref()?.lab.as_deref()) {
        *named.entry(lab).or_default() += 1;
    }
    match named.into_iter().max_by_key(|(_, n)| *n) {
        Some((name, _)) => Lab::built_in(name),
        None => Err(Error::file(folder, "no submission names its lab", "say which: --lab lab2")),
    }
}
