//! A velocity over time from a table in a file: CSV with the columns t, u, v and w, in s and m/s.

use std::path::Path;
use std::sync::Arc;

use serde::Deserialize;
use serde::de::value::{MapAccessDeserializer, SeqAccessDeserializer};
use serde::de::{Deserializer, MapAccess, SeqAccess, Visitor};

use super::formulas::Component;
use super::text::CaseText;
use super::three::three;
use crate::beside::check_regular;
use crate::error::{Error, Result};
use crate::expression::{Expression, Series};

/// A velocity of a face: three components, or a table over time.
pub(super) enum VelocityFile {
    Components([Component; 3]),
    Table(TableFile),
}

/// Where a table is, and what it means.
#[derive(Deserialize)]
#[serde(expecting = "a table", deny_unknown_fields)]
pub(super) struct TableFile {
    file: String,
    #[serde(default)]
    repeat: bool,
}

impl Default for VelocityFile {
    fn default() -> Self {
        Self::Components(Default::default())
    }
}

impl<'de> Deserialize<'de> for VelocityFile {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Both;
        impl<'de> Visitor<'de> for Both {
            type Value = VelocityFile;

            fn expecting(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
                f.write_str("three numbers or formulas, or a table over time")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, list: A) -> Result<VelocityFile, A::Error> {
                three(SeqAccessDeserializer::new(list)).map(VelocityFile::Components)
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<VelocityFile, A::Error> {
                let table = TableFile::deserialize(MapAccessDeserializer::new(map));
                table.map(VelocityFile::Table)
            }
        }
        from.deserialize_any(Both)
    }
}

/// The components of a velocity, from the file that a table of the key `key` names, in a run that ends at
/// a time in s, or when it is steady.
///
/// # Errors
/// If the file cannot be read, is no such table, or ends before the run; names its line.
pub(super) fn velocity_of_table(
    key: &str,
    table: &TableFile,
    until: Option<f64>,
    text: &CaseText,
) -> Result<[Expression; 3]> {
    let key = &format!("{key}.file");
    let wrong = |problem: String, remedy: &str| {
        text.error(key, format!("`{}` {problem}", table.file), remedy)
    };
    let Some(folder) = text.folder() else {
        let remedy = "save the case as a file, and the table beside it";
        return Err(wrong("lies beside no case file: this case is a text alone".into(), remedy));
    };
    let content = read_text(&folder.join(&table.file)).map_err(|problem| {
        wrong(problem, "give its path from the folder of the case file, and save it as UTF-8")
    })?;
    let rows = Rows::parse(&content).map_err(|Wrong { line, problem, remedy }| {
        let line = line.map_or(String::new(), |line| format!(", line {line}"));
        text.error(key, format!("`{}`{line}: {problem}", table.file), remedy)
    })?;
    let (first, last) = (rows.times[0], rows.times[rows.times.len() - 1]);
    if table.repeat {
        if let Some(name) = rows.ends_otherwise() {
            let problem =
                format!("ends with another {name} than it begins with, and repeats itself");
            return Err(wrong(problem, "end it with the row that it begins with, a period later"));
        }
    } else if first > 0.0 {
        let problem = format!("begins at {first} s, the run at 0 s");
        return Err(wrong(problem, "begin it with a row of t = 0, or write repeat = true"));
    } else if let Some(end) = until
        && end > last
    {
        let problem = format!("ends at {last} s, the run at {end} s");
        let remedy =
            "give it rows to the end of the run, end the run earlier, or write repeat = true";
        return Err(wrong(problem, remedy));
    }
    let times: Arc<[f64]> = rows.times.into();
    Ok(rows.components.map(|values| {
        let value = values.first().copied().unwrap_or(0.0);
        if values.iter().all(|other| *other == value) {
            return Expression::number(value);
        }
        Expression::series(
            &table.file,
            Series { times: times.clone(), values, repeat: table.repeat },
        )
    }))
}

/// The text of a file, or what is wrong with it.
fn read_text(path: &Path) -> Result<String, String> {
    if path.is_dir() {
        return Err("is a folder".into());
    }
    check_regular(path).map_err(|error| match error {
        Error::File { problem, .. } => problem,
        other => other.to_string(),
    })?;
    let bytes = std::fs::read(path).map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => format!("is not there: no file {}", path.display()),
        _ => format!("cannot be read: {error}"),
    })?;
    String::from_utf8(bytes).map_err(|error| {
        format!("is no text: byte {} is not UTF-8", error.utf8_error().valid_up_to())
    })
}

/// What a table says.
#[derive(Debug)]
struct Rows {
    times: Vec<f64>,
    /// Of u, v and w; none of one that has no column.
    components: [Vec<f64>; 3],
}

/// What is wrong with a table, and where.
#[derive(Debug, PartialEq)]
struct Wrong {
    /// Counted from 1.
    line: Option<usize>,
    problem: String,
    remedy: &'static str,
}

/// Names of the columns.
const COLUMNS: [&str; 4] = ["t", "u", "v", "w"];

const HEADER: &str = "begin it with the line t,u or t,u,v or t,u,v,w: time in s, velocity in m/s";

impl Rows {
    /// Reads a table: lines that begin with # are comments.
    fn parse(text: &str) -> Result<Self, Wrong> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let lines = (1..).zip(text.lines().map(str::trim));
        let mut lines = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
        let Some((line, header)) = lines.next() else {
            return Err(Wrong { line: None, problem: "it is empty".into(), remedy: HEADER });
        };
        let columns = columns(header).map_err(|problem| Wrong {
            line: Some(line),
            problem,
            remedy: HEADER,
        })?;
        let mut rows = Self { times: Vec::new(), components: Default::default() };
        for (line, row) in lines {
            rows.push(&columns, row).map_err(|(problem, remedy)| Wrong {
                line: Some(line),
                problem,
                remedy,
            })?;
        }
        if rows.times.len() < 2 {
            let problem = match rows.times.len() {
                0 => "it has no rows",
                _ => "it has one row",
            };
            let remedy = "give it two rows at least: the velocity is straight between them";
            return Err(Wrong { line: None, problem: problem.into(), remedy });
        }
        Ok(rows)
    }

    /// Reads a row.
    fn push(&mut self, columns: &[usize], row: &str) -> Result<(), (String, &'static str)> {
        let cells: Vec<&str> = row.split(',').map(str::trim).collect();
        if cells.len() != columns.len() {
            let problem = format!("{} numbers for {} columns", cells.len(), columns.len());
            return Err((problem, "give each row one number for each column, between commas"));
        }
        for (&column, cell) in columns.iter().zip(cells) {
            let number = cell.parse::<f64>().ok().filter(|number| number.is_finite());
            let Some(number) = number else {
                let problem = format!("{} is `{cell}`, which is no finite number", COLUMNS[column]);
                return Err((problem, "write numbers such as 0.5 or 1e-3"));
            };
            match column.checked_sub(1) {
                None => self.times.push(number),
                Some(component) => self.components[component].push(number),
            }
        }
        match self.times[..] {
            [.., before, time] if time <= before => {
                let problem = format!("{time} s is not later than {before} s of the row before");
                Err((problem, "write the rows in the order of their times, each time once"))
            }
            _ => Ok(()),
        }
    }

    /// The name of a component whose last value is not its first.
    fn ends_otherwise(&self) -> Option<&'static str> {
        let named = COLUMNS[1..].iter().zip(&self.components);
        let mut differing = named.filter(|(_, values)| values.first() != values.last());
        differing.next().map(|(name, _)| *name)
    }
}

/// Which of the columns a header names, in its order.
fn columns(header: &str) -> Result<Vec<usize>, String> {
    let mut columns = Vec::new();
    for name in header.split(',').map(str::trim) {
        let Some(column) = COLUMNS.iter().position(|known| *known == name) else {
            return Err(format!("there is no column `{name}`"));
        };
        if columns.contains(&column) {
            return Err(format!("column `{name}` stands there twice"));
        }
        columns.push(column);
    }
    match columns.contains(&0) {
        true if columns.len() > 1 => Ok(columns),
        true => Err("there is no column of a velocity".into()),
        false => Err("there is no column `t`".into()),
    }
}

#[cfg(test)]
mod tests;
