//! `vortice course`

use std::path::Path;

use vortice_core::format::significant;
use vortice_core::{Error, Result};
use vortice_course::{Class, For, Lab, Sheet, mark_table, write_course};

use super::alone::alone;
use crate::arguments::{Course, Whose};
use crate::say;

/// Writes a course, tells a student what is right, or marks a class; returns the exit code.
pub(crate) fn execute(command: &Course) -> Result<u8> {
    alone("course")?;
    match command {
        Course::New { folder, whose } => new(folder, *whose),
        Course::Check { folder } => check(folder),
        Course::Grade { folder, lab, out } => grade(folder, lab.as_deref(), out),
    }
}

fn new(folder: &Path, whose: Whose) -> Result<u8> {
    let whose = match whose {
        Whose::Lecturer => For::Lecturer,
        Whose::Students => For::Students,
    };
    write_course(folder, whose)?;
    let lines = vortice_course::kit_names().into_iter().map(|name| {
        let lab = Lab::built_in(name)?;
        let place = folder.join(name);
        Ok(format!("{}  {} points  {}\n", place.display(), significant(lab.points()), lab.title))
    });
    let lines: Result<String> = lines.collect();
    say::result(&lines?)?;
    Ok(0)
}

/// The exit code is 1 as long as an answer is missing or wrong.
fn check(folder: &Path) -> Result<u8> {
    let lab = Lab::read(folder)?;
    let path = folder.join("answers.toml");
    let sheet = Sheet::read(&path).map_err(|problem| {
        Error::file(&path, problem, "write your answers into it; `vortice course new` made one")
    })?;
    let marks = lab.mark(&sheet);
    let total: f64 = marks.iter().filter_map(|mark| mark.points).sum();
    let left: f64 = marks.iter().filter(|mark| mark.points.is_none()).map(|mark| mark.of).sum();
    let [total, all, left] = [total, lab.points(), left].map(significant);
    let text = format!("{}\n\n{}", lab.title, mark_table(&marks));
    say::result(&format!("{text}\n{total} of {all} points, {left} for your lecturer to give\n"))?;
    Ok(u8::from(marks.iter().any(|mark| mark.points == Some(0.0))))
}

fn grade(folder: &Path, lab: Option<&Path>, out: &Path) -> Result<u8> {
    let lab = lab.map(Lab::open).transpose()?;
    let class = Class::grade(folder, lab, out)?;
    class.write(out)?;
    let (n, title) = (class.rows.len(), &class.lab.title);
    say::result(&format!("{}\n{title}: {n} submissions, {}\n", class.words(), out.display()))?;
    Ok(0)
}
