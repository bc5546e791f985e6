//! Where references are: in tables beside the case and built-in ones, and exact flows.

use std::path::Path;

use vortice_core::{Case, Error, ExactFlow, Result, suggest};

use super::table;
use super::validity::Validity;
use super::values::{Reference, Values};
use crate::separation;
use crate::tables::built_in_tables;

impl Reference {
    /// The reference of a name, as [`Reference::of`] looks for it, also one that the case does not name.
    ///
    /// # Errors
    /// As [`Reference::of`], and if the case has not what the table speaks of.
    pub fn find(case: &Case, name: &str) -> Result<Reference> {
        let reference = Self::open(case, name)?;
        reference.needs(case)?;
        Ok(reference)
    }

    /// Why it does not hold for a case, in a few words: `for Re = 1000, not 100`; nothing if it does.
    pub fn objection(&self, case: &Case) -> Option<String> {
        let lacks = |error: Error| match error {
            Error::Case { problem, .. } => problem,
            other => other.to_string(),
        };
        self.validity.objection(case).or_else(|| self.needs(case).err().map(lacks))
    }

    /// The reference of a name, whether it holds or not.
    pub(super) fn open(case: &Case, name: &str) -> Result<Reference> {
        if let Some(flow) = ExactFlow::of_reference(name) {
            if flow == ExactFlow::Formula && case.exact.is_none() {
                let problem = "`exact` is the flow of the table [exact], which the case has not";
                let remedy = "give its velocity: exact.velocity = [\"4*y*(1 - y)\", 0.0, 0.0]";
                return Err(Error::case("references", problem, remedy));
            }
            return Ok(Reference {
                name: name.to_string(),
                citation: "exact solution".into(),
                accuracy: String::new(),
                accuracies: Vec::new(),
                validity: Validity::default(),
                values: Values::Exact(flow),
            });
        }
        match beside(case, name)? {
            Some(text) => table::read(name, &text),
            None => match built_in_tables().iter().find(|(known, _)| *known == name) {
                Some((_, text)) => table::read(name, text),
                None => Err(unknown(case, name)),
            },
        }
    }

    /// That the case has what the values are measured on.
    fn needs(&self, case: &Case) -> Result<()> {
        match self.values {
            Values::Lengths { .. } => separation::needs_walls(case),
            Values::Vortices(_) => needs_plane(case),
            _ => Ok(()),
        }
    }
}

/// Vortices are those of the stream function.
fn needs_plane(case: &Case) -> Result<()> {
    if case.grid.is_plane() {
        return Ok(());
    }
    Err(Error::case(
        "references",
        "tables of vortices need a plane flow, and this one has several cells in z",
        "leave the table out of `references`, or take one cell in z",
    ))
}

/// The text of a table beside the case file.
fn beside(case: &Case, name: &str) -> Result<Option<String>> {
    let Some(folder) = &case.folder else { return Ok(None) };
    let path = folder.join("references").join(format!("{name}.csv"));
    if !is_plain(name) || !path.is_file() {
        return Ok(None);
    }
    let text = std::fs::read_to_string(&path)
        .map_err(|error| Error::file(&path, error, "make the file readable"))?;
    Ok(Some(text))
}

/// Whether a name is the name of a file in one folder, and no path.
fn is_plain(name: &str) -> bool {
    Path::new(name).components().count() == 1 && !name.contains(['/', '\\']) && name != ".."
}

fn unknown(case: &Case, name: &str) -> Error {
    let known = known_names(case);
    let known: Vec<&str> = known.iter().map(String::as_str).collect();
    Error::case(
        "references",
        format!("no reference is called `{name}`"),
        suggest("reference", name, &known),
    )
}

/// All names that a case can use.
pub(super) fn known_names(case: &Case) -> Vec<String> {
    let mut known: Vec<String> = built_in_tables().iter().map(|(name, _)| (*name).into()).collect();
    known.extend(ExactFlow::ALL.map(ExactFlow::reference));
    let folder = case.folder.as_ref().map(|folder| folder.join("references"));
    let files = folder.and_then(|folder| std::fs::read_dir(folder).ok()).into_iter().flatten();
    let paths = files.filter_map(|entry| entry.ok().map(|entry| entry.path()));
    let tables = paths.filter(|path| path.extension().is_some_and(|end| end == "csv"));
    known.extend(tables.filter_map(|path| Some(path.file_stem()?.to_str()?.to_string())));
    known.sort();
    known.dedup();
    known
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_built_in_table_can_be_read_and_names_its_source() {
        for (name, text) in built_in_tables() {
            let reference = table::read(name, text).unwrap_or_else(|error| panic!("{error}"));
            assert!(reference.citation.len() > 10, "{name} has no citation");
        }
    }

    #[test]
    fn tables_of_vortices_need_a_plane_flow() {
        use crate::examples::case;
        assert!(needs_plane(&case("grid.cells=[8,8,1]", &[])).is_ok());
        assert!(needs_plane(&case("grid.cells=[4,4,4]", &[])).is_err());
    }

    #[test]
    fn a_path_is_no_name() {
        assert!(is_plain("ghia-1982-re100-u"));
        assert!(!is_plain("../secret") && !is_plain("/etc/passwd") && !is_plain(".."));
    }
}
