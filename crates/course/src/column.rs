//! A number that stands in a table which is handed in.

use std::path::{Component, Path, PathBuf};

use serde::Deserialize;

use crate::small_file::{LARGEST_TABLE, read_small};

/// A column of a CSV file, and the number that is asked of it.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Column {
    /// The heading of the column.
    pub name: String,
    /// Which number.
    pub of: Of,
}

/// What is asked of the numbers of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Of {
    /// The last one.
    Last,
    /// The smallest one.
    Smallest,
    /// The largest one.
    Largest,
    /// How many there are.
    Count,
}

impl Column {
    /// The number in a file of a folder, or a remark why there is none. The path must stay in the folder.
    pub(crate) fn read(&self, folder: &Path, file: &str) -> Result<f64, String> {
        let text = read_small(&inside(folder, file)?, LARGEST_TABLE)?;
        let mut table = csv::Reader::from_reader(text.as_bytes());
        let headings = table.headers().map_err(|_| "is no CSV table".to_owned())?;
        let found = headings.iter().position(|heading| heading.trim() == self.name);
        let column = found.ok_or_else(|| format!("has no column `{}`", self.name))?;
        let mut numbers = Vec::new();
        for row in table.records() {
            let row = row.map_err(|_| "is no CSV table".to_owned())?;
            let number: Option<f64> = row.get(column).and_then(|cell| cell.trim().parse().ok());
            numbers.push(number.ok_or_else(|| format!("has no number in `{}`", self.name))?);
        }
        self.of.these(&numbers).ok_or_else(|| "has no rows".into())
    }
}

impl Of {
    fn these(self, numbers: &[f64]) -> Option<f64> {
        let last = *numbers.last()?;
        Some(match self {
            Self::Last => last,
            Self::Smallest => numbers.iter().copied().fold(f64::INFINITY, f64::min),
            Self::Largest => numbers.iter().copied().fold(f64::NEG_INFINITY, f64::max),
            Self::Count => numbers.len() as f64,
        })
    }
}

/// A path that leads out of the folder neither by its words nor by links on its way.
fn inside(folder: &Path, file: &str) -> Result<PathBuf, String> {
    let mut path = folder.to_path_buf();
    for part in Path::new(file).components() {
        match part {
            Component::Normal(name) => path.push(name),
            Component::CurDir => continue,
            _ => return Err("lies outside of what was handed in".into()),
        }
        if path.is_symlink() {
            return Err("is a link, which is not followed".into());
        }
    }
    Ok(path)
}

#[cfg(test)]
mod tests {
    use super::{Column, Of};

    #[test]
    fn a_number_is_read_from_a_column() {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::create_dir(folder.path().join("out")).expect("a folder");
        let text = "step,residual\n0,3.5\n10,-1\n20,2e-1\n";
        std::fs::write(folder.path().join("out/h.csv"), text).expect("a file");
        std::os::unix::fs::symlink("out", folder.path().join("link")).expect("a link");
        let of =
            |name: &str, of, file: &str| Column { name: name.into(), of }.read(folder.path(), file);
        let numbers = [Of::Last, Of::Smallest, Of::Largest, Of::Count];
        let numbers = numbers.map(|one| of("residual", one, "./out/h.csv"));
        assert_eq!(numbers, [Ok(0.2), Ok(-1.0), Ok(3.5), Ok(3.0)]);
        for (name, file, remark) in [
            ("none", "out/h.csv", "no column"),
            ("step", "../h.csv", "outside"),
            ("step", "/etc/passwd", "outside"),
            ("step", "link/h.csv", "link"),
            ("step", "out/none.csv", "missing"),
        ] {
            assert!(of(name, Of::Last, file).expect_err(file).contains(remark), "{file}");
        }
    }
}
