//! What one student handed in: a folder, or a file of answers alone.

use std::fs;
use std::path::{Path, PathBuf};

use crate::sheet::{SHEET, Sheet};
use crate::spelling::shown;

/// Files that the course itself hands out, and the folder of results.
const HANDED_OUT: [&str; 6] =
    [SHEET, "lab.toml", "handout.md", "handout.html", "notebook.ipynb", "out"];

/// More entries of a folder are not looked at.
const MOST_ENTRIES: usize = 1000;

/// How many files are named in a remark.
const NAMED: usize = 5;

/// A submission: whose, the answers or why there are none, and remarks.
#[derive(Debug)]
pub(crate) struct Submission {
    pub(crate) name: String,
    pub(crate) sheet: Option<Sheet>,
    pub(crate) remarks: Vec<String>,
}

impl Submission {
    /// Reads what lies at a path. Nothing in it is executed, no link is followed.
    pub(crate) fn read(path: &Path) -> Self {
        let name = shown(&path.file_name().unwrap_or_default().to_string_lossy());
        let mut remarks = Vec::new();
        let sheet = sheet(path, &mut remarks);
        let sheet = sheet.map_err(|problem| remarks.push(problem)).ok();
        Self { name, sheet, remarks }
    }

    /// By what two submissions of one student are found: the name without ending, in small letters.
    pub(crate) fn student(&self) -> String {
        self.name.strip_suffix(".toml").unwrap_or(&self.name).to_lowercase()
    }
}

fn sheet(path: &Path, remarks: &mut Vec<String>) -> Result<Sheet, String> {
    if path.is_symlink() {
        return Err("is a link, which is not followed".into());
    }
    if !path.is_dir() {
        let is_sheet = path.extension().is_some_and(|ending| ending == "toml");
        let other = "is neither a folder nor a file of answers, *.toml; unpack it";
        return if is_sheet { Sheet::read(path) } else { Err(other.into()) };
    }
    let folder = folder_of_sheet(path)?;
    remarks.extend(others(&folder));
    Sheet::read(&folder.join(SHEET)).map_err(|problem| format!("{SHEET} {problem}"))
}

/// The folder that the answers lie in: this one, or the only one in it that has answers.
fn folder_of_sheet(path: &Path) -> Result<PathBuf, String> {
    if path.join(SHEET).symlink_metadata().is_ok() {
        return Ok(path.to_path_buf());
    }
    let inside = entries(path)?.into_iter().filter(|entry| {
        !entry.is_symlink() && entry.is_dir() && entry.join(SHEET).symlink_metadata().is_ok()
    });
    let mut inside: Vec<PathBuf> = inside.collect();
    match inside.len() {
        0 => Err(format!("{SHEET} is missing")),
        1 => Ok(inside.remove(0)),
        n => Err(format!("has {n} folders with {SHEET}; leave one")),
    }
}

/// The entries of a folder by their names.
pub(crate) fn entries(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let listed = fs::read_dir(folder).map_err(|error| format!("cannot be read: {error}"))?;
    let mut paths: Vec<PathBuf> =
        listed.filter_map(|entry| entry.ok().map(|entry| entry.path())).collect();
    paths.sort();
    Ok(paths)
}

/// A remark on files that are none of the course.
fn others(folder: &Path) -> Option<String> {
    let names: Vec<String> = fs::read_dir(folder)
        .ok()?
        .take(MOST_ENTRIES)
        .filter_map(|entry| Some(entry.ok()?.file_name().to_string_lossy().into_owned()))
        .filter(|name| !HANDED_OUT.contains(&name.as_str()) && !name.ends_with(".csv"))
        .collect();
    let mut named: Vec<String> = names.iter().map(|name| shown(name)).collect();
    named.sort();
    named.truncate(NAMED);
    let more = names.len().saturating_sub(NAMED);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    (!names.is_empty()).then(|| format!("not opened: {}{more}", named.join(", ")))
}
