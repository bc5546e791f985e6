//! Published tables and exact solutions that a flow is judged against.

mod compare;
mod left_out;
mod lines;
mod table;
mod validity;

use std::path::Path;

use vortice_core::{Case, Error, ExactFlow, Result, suggest};

use crate::flow::{Line, Variable};
use crate::separation;
use crate::tables::built_in_tables;

pub use compare::{Comparison, Sample, comparison_table, percent};
pub use left_out::LeftOut;
pub use lines::{lines, plane, published};
pub use validity::{Lid, Step, Validity};

/// Name of a reference that is an exact flow: this and [`ExactFlow::name`].
const EXACT: &str = "exact-";

/// Something that a flow is judged against.
#[derive(Clone, Debug, PartialEq)]
pub struct Reference {
    /// Name in the case's `references`.
    pub name: String,
    /// Who published it, and where.
    pub citation: String,
    /// How far off the values themselves may be, in words; empty if unknown.
    pub accuracy: String,
    /// The same for each value in its own unit, not a number where it is unknown; none of exact flows.
    pub accuracies: Vec<f64>,
    /// For which flows it holds.
    pub validity: Validity,
    /// The values.
    pub values: Values,
}

/// The values of a reference, in units of the case's scale; places are measured from the low
/// corner of the box.
#[derive(Clone, Debug, PartialEq)]
pub enum Values {
    /// A variable along a line.
    Profile {
        /// Which variable.
        variable: Variable,
        /// Where the line lies.
        line: Line,
        /// Positions on the line and values.
        points: Vec<(f64, f64)>,
    },
    /// Smallest and largest values on lines.
    Extrema(Vec<Extremum>),
    /// Lengths of separation behind a step.
    Lengths {
        /// The table's unit of length, in units of the case's length scale.
        unit: f64,
        /// What, and how long.
        lengths: Vec<(Length, f64)>,
    },
    /// Centres and strengths of vortices.
    Vortices(Vec<VortexValue>),
    /// An exact flow, everywhere.
    Exact(ExactFlow),
}

/// The smallest or largest value on a line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Extremum {
    /// Which variable.
    pub variable: Variable,
    /// 1 for the largest, -1 for the smallest.
    pub sign: f64,
    /// Where the line lies.
    pub line: Line,
    /// The value.
    pub value: f64,
    /// Where on the line; not a number if the table does not say.
    pub position: f64,
}

/// One published number of a vortex, in units of the case's scale.
#[derive(Clone, Debug, PartialEq)]
pub struct VortexValue {
    /// Which: [`crate::Vortex::name`].
    pub vortex: String,
    /// What of it.
    pub quantity: VortexQuantity,
    /// The number.
    pub value: f64,
}

/// What tables say of a vortex.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VortexQuantity {
    /// `x`, of the centre.
    X,
    /// `y`, of the centre.
    Y,
    /// `psi`: the stream function in the centre.
    StreamFunction,
    /// `omega`: the vorticity in the centre, positive if it turns from x to y.
    Vorticity,
}

impl VortexQuantity {
    /// All of them.
    pub const ALL: [VortexQuantity; 4] = [Self::X, Self::Y, Self::StreamFunction, Self::Vorticity];

    /// Name in tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::X => "x",
            Self::Y => "y",
            Self::StreamFunction => "psi",
            Self::Vorticity => "omega",
        }
    }
}

/// A length of [`separation::Separation`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Length {
    /// `reattachment`
    Reattachment,
    /// `upper_separation`
    UpperSeparation,
    /// `upper_reattachment`
    UpperReattachment,
}

impl Length {
    /// All of them.
    pub const ALL: [Length; 3] =
        [Self::Reattachment, Self::UpperSeparation, Self::UpperReattachment];

    /// Name in tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::Reattachment => "reattachment",
            Self::UpperSeparation => "upper_separation",
            Self::UpperReattachment => "upper_reattachment",
        }
    }
}

impl Reference {
    /// The references that a case names and that hold for it, in its order; of the others
    /// [`LeftOut::of`] says why they do not.
    ///
    /// Tables are looked for in `references/` beside the case file, then among the built-in ones.
    ///
    /// # Errors
    /// If a name is unknown or a table cannot be read.
    pub fn of(case: &Case) -> Result<Vec<Reference>> {
        Ok(left_out::sorted(case)?.0)
    }

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
    fn open(case: &Case, name: &str) -> Result<Reference> {
        if let Some(flow) = name.strip_prefix(EXACT).and_then(exact_flow) {
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

fn exact_flow(name: &str) -> Option<ExactFlow> {
    ExactFlow::ALL.into_iter().find(|flow| flow.name() == name)
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
fn known_names(case: &Case) -> Vec<String> {
    let mut known: Vec<String> = built_in_tables().iter().map(|(name, _)| (*name).into()).collect();
    known.extend(ExactFlow::ALL.map(|flow| format!("{EXACT}{}", flow.name())));
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
