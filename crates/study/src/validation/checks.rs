//! What is checked: the file `cases/validation/checks.toml`, or another of its kind.

use std::collections::BTreeMap;
use std::path::Path;

use serde::Deserialize;
use vortice_core::{Device, Error, Place, Result};

use crate::embedded::{built_in_checks, open_case};
use crate::registry;
use vortice_post::references::Reference;

/// A list of checks.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Checks {
    /// When and by what the `measured` errors were measured: `2026-11-22, one H200`.
    #[serde(default, rename = "measured-on")]
    pub measured_on: String,
    /// The checks, in the order in which they are made.
    #[serde(rename = "check")]
    pub list: Vec<Check>,
}

/// One case, by some methods, judged against references.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Check {
    /// Name of a built-in case, or path of a case file.
    pub case: String,
    /// Names of the methods that compute it.
    pub methods: Vec<String>,
    /// The smallest suite that it belongs to.
    pub suite: Suite,
    /// Changes to the case, as `--set` takes them.
    #[serde(default)]
    pub set: Vec<String>,
    /// Cells of several grids, for judgements of what happens under refinement; else the case's own.
    #[serde(default)]
    pub grids: Vec<[usize; 3]>,
    /// Wall-clock time in s of each method, all grids together, where `measured` was measured: nothing is judged by it.
    #[serde(default)]
    pub seconds: BTreeMap<String, f64>,
    /// What the flow is judged by.
    pub judge: Vec<Judgement>,
}

/// How much larger than what was measured an error may be.
pub const MARGIN: f64 = 1.5;

/// How far a flow may be from one reference: one of `measured`, `table` and `tolerance` says so.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Judgement {
    /// Name of the reference.
    pub reference: String,
    /// One of the reference's values, `u min` say; else the largest error of all.
    pub what: Option<String>,
    /// The error that was measured: a share of the case's velocity scale, for lengths and coefficients of
    /// the published value. With several grids and a value it is that of the extrapolated value.
    /// [`MARGIN`] times as much passes.
    pub measured: Option<f64>,
    /// Whether the error of the table itself passes, which its header tells as `accuracy`.
    #[serde(default)]
    pub table: bool,
    /// The largest error that passes, for checks of one's own.
    pub tolerance: Option<f64>,
    /// The least and the greatest order of convergence that pass, seen on the finest three grids for
    /// a value, on the finest two for the largest error.
    pub order: Option<[f64; 2]>,
    /// Why the error is what it is.
    pub why: Option<String>,
}

/// How much is checked. Each suite contains the ones before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Suite {
    /// Every case on coarse grids: minutes.
    Quick,
    /// Grids on which the flows are resolved.
    Standard,
    /// Grid convergence and long cases: hours.
    Full,
}

/// What to do about a file that cannot be understood.
const REMEDY: &str =
    "write it like cases/validation/checks.toml, which explains its keys and has only those";

impl Checks {
    /// Those of the built-in cases.
    ///
    /// # Errors
    /// As [`Checks::parse`].
    pub fn built_in() -> Result<Self> {
        Self::parse(built_in_checks(), "cases/validation/checks.toml")
    }

    /// Those of a file.
    ///
    /// # Errors
    /// If it cannot be read, and as [`Checks::parse`].
    pub fn read(path: &Path) -> Result<Self> {
        let text = std::fs::read_to_string(path).map_err(|error| match error.kind() {
            std::io::ErrorKind::NotFound => Error::Command {
                argument: path.display().to_string(),
                problem: "there is no such file".into(),
                remedy: "name a file of checks, or leave `--checks` out for the built-in ones"
                    .into(),
            },
            _ => Error::file(path, error, "name a readable file of checks"),
        })?;
        Self::parse(&text, &path.display().to_string())
    }

    /// Those of a text; `name` is what errors call it.
    ///
    /// # Errors
    /// If the text is not TOML, has an unknown key, or names a case, method or reference that does
    /// not exist, or a tolerance that nothing can pass.
    pub fn parse(text: &str, name: &str) -> Result<Self> {
        let checks: Self = toml_edit::de::from_str(text).map_err(|error| {
            let span = error.span().unwrap_or(0..0);
            let (line, column) = position(text, span.start);
            let message = error.message().trim().replace('\n', ", ");
            let problem = format!("line {line}, column {column}: {message}");
            let length = span.end.saturating_sub(span.start);
            let place = Place { name: name.into(), text: text.into(), start: span.start, length };
            Error::case(name, problem, REMEDY).at(place)
        })?;
        for (number, check) in checks.list.iter().enumerate() {
            check.make_sense().map_err(|error| {
                let key = format!("{name}, check {} (`{}`)", number + 1, check.case);
                Error::case(key, error.to_string(), error.remedy())
            })?;
        }
        Ok(checks)
    }
}

impl Check {
    /// That everything it names exists.
    fn make_sense(&self) -> Result<()> {
        let missing = |key: &str, remedy: &str| Err(Error::case(key, "is empty", remedy));
        if self.methods.is_empty() {
            return missing("methods", "name at least one, such as [\"fdm\"]");
        }
        if self.judge.is_empty() {
            return missing("judge", "name at least one reference and its tolerance");
        }
        let case = open_case(&self.case, &self.set)?.device(Device::Cpu);
        for name in &self.methods {
            registry::method(name)?.report(&case.clone().method(name))?;
        }
        for judgement in &self.judge {
            let reference = Reference::find(&case, &judgement.reference)?;
            if let Some(why) = reference.objection(&case) {
                let problem =
                    format!("`{}` does not hold for this flow: it is {why}", reference.name);
                return Err(Error::case("reference", problem, "name a table of the same flow"));
            }
            judgement.make_sense(self.grids.len(), &reference)?;
        }
        Ok(())
    }
}

impl Judgement {
    fn make_sense(&self, grids: usize, reference: &Reference) -> Result<()> {
        let given = [self.measured.is_some(), self.table, self.tolerance.is_some()];
        if given.iter().filter(|&&one| one).count() != 1 {
            let problem = "needs one of `measured`, `table` and `tolerance`";
            let remedy = "give `tolerance = 0.01`, say, and neither of the others";
            return Err(Error::case("judge", problem, remedy));
        }
        let allowed = self.allowed(reference);
        if self.table && allowed.is_nan() {
            let problem = format!("`{}` does not tell its accuracy as one number", reference.name);
            return Err(Error::case("table", problem, "give `tolerance` instead"));
        }
        if !(allowed > 0.0 && allowed.is_finite()) {
            let key = if self.measured.is_some() { "measured" } else { "tolerance" };
            let problem = format!("is {}", self.measured.unwrap_or(allowed));
            return Err(Error::case(key, problem, "give a positive number, such as 0.01"));
        }
        let needed = if self.what.is_some() { 3 } else { 2 };
        if self.order.is_some() && grids < needed {
            let problem = format!("needs {needed} grids, not {grids}");
            return Err(Error::case("order", problem, "give more `grids`, or leave `order` out"));
        }
        Ok(())
    }

    /// The largest error that passes; not a number if nothing says it.
    pub fn allowed(&self, reference: &Reference) -> f64 {
        let table = || reference.accuracy.parse().ok().filter(|_| self.table);
        let measured = self.measured.map(|error| MARGIN * error);
        measured.or(self.tolerance).or_else(table).unwrap_or(f64::NAN)
    }
}

/// Line and column of a byte, both from 1.
fn position(text: &str, byte: usize) -> (usize, usize) {
    let before = text.get(..byte).unwrap_or(text);
    let line = before.matches('\n').count() + 1;
    (line, before.chars().rev().take_while(|&c| c != '\n').count() + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::comparison::{Study, Variant};
    use crate::{built_in_cases, open_case};

    const GOOD: &str = "[[check]]\ncase = \"couette\"\nmethods = [\"fdm\"]\nsuite = \"quick\"\n\
                        judge = [{ reference = \"exact-couette\", tolerance = 1e-3 }]\n";

    #[test]
    fn the_built_in_checks_name_only_what_exists_and_every_case_by_every_method() {
        let checks = Checks::built_in().unwrap_or_else(|error| panic!("{error}"));
        for (case, _) in built_in_cases() {
            for Variant { name: method, .. } in Study::of(case, &[]).unwrap().variants {
                let asked = |check: &&Check| check.case == *case && check.methods.contains(&method);
                let of = checks.list.iter().filter(asked);
                let quickest = of.map(|check| check.suite).min();
                assert!(quickest.is_some(), "{case} by {method} is not checked");
            }
            let quick = |check: &Check| check.case == *case && check.suite == Suite::Quick;
            let is_for_a_gpu = open_case(case, &[]).unwrap().grid.n_cells() > 300_000;
            let is_quick = checks.list.iter().any(quick) || is_for_a_gpu;
            assert!(is_quick, "{case} is in no quick check");
        }
    }

    #[test]
    fn every_tolerance_of_the_built_in_checks_is_what_was_measured_or_the_error_of_the_table() {
        let checks = Checks::built_in().unwrap_or_else(|error| panic!("{error}"));
        assert!(checks.measured_on.starts_with("20"), "{}", checks.measured_on);
        for check in &checks.list {
            for judgement in &check.judge {
                let case = open_case(&check.case, &check.set).unwrap();
                let reference = Reference::find(&case, &judgement.reference).unwrap();
                assert_eq!(judgement.tolerance, None, "{}: {judgement:?}", check.case);
                let allowed = judgement.allowed(&reference);
                match judgement.measured {
                    Some(measured) => assert!(allowed <= 1.5 * measured, "{judgement:?}"),
                    None => assert_eq!(allowed.to_string(), reference.accuracy, "{judgement:?}"),
                }
            }
        }
    }

    #[test]
    fn what_is_wrong_is_told_with_its_place() {
        assert!(Checks::parse(GOOD, "good").is_ok());
        for (from, to, problem) in [
            ("tolerance", "tolerence", "line 5, column"),
            ("tolerance", "tolerence", "unknown field `tolerence`"),
            ("suite", "siute", "unknown field `siute`"),
            ("\"quick\"", "\"fast\"", "unknown variant `fast`"),
            ("suite = \"quick\"\n", "", "missing field `suite`"),
            ("[\"fdm\"]", "[\"fdn\"]", "no method is called `fdn`"),
            ("[\"fdm\"]", "[]", "methods: is empty"),
            ("\"couette\"", "\"couete\"", "neither a built-in case"),
            ("exact-couette", "exact-couete", "no reference is called"),
            ("exact-couette", "erturk-2008-re100-lengths", "for Re = 100, not 10"),
            ("1e-3", "-1.0", "tolerance: is -1"),
            ("tolerance = 1e-3", "measured = -1.0", "measured: is -1"),
            ("1e-3", "1e-3, measured = 1e-3", "needs one of `measured`"),
            (", tolerance = 1e-3", "", "needs one of `measured`"),
            ("tolerance = 1e-3", "table = true", "does not tell its accuracy"),
            ("suite", "set = [\"fdm.gama=0.0\"]\nsuite", "there is no key `gama`"),
            ("1e-3", "1.0, order = [1.5, 2.5]", "order: needs 2 grids"),
            ("[[check]]", "[[check]", "line 1, column"),
        ] {
            let text = GOOD.replace(from, to);
            assert_ne!(text, GOOD);
            let error = Checks::parse(&text, "file").expect_err("it is wrong");
            assert!(error.to_string().contains(problem), "{to}: {error}");
            assert!(!error.remedy().is_empty() && error.exit_code() == 2, "{to}");
        }
    }
}
