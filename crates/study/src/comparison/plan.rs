//! Which runs a study makes.

use std::path::PathBuf;
use std::sync::atomic::AtomicUsize;

use vortice_core::{Case, Error, Method, Result};

use super::grids::{example, none_fits, refined, usual};
use super::schemes::Scheme;
use crate::forces::forces_missing;
use crate::{case_name, open_case, registry};
use vortice_post::references::Reference;

/// One flow by several methods, with several settings, on several grids.
///
/// ```no_run
/// use vortice_study::comparison::Study;
///
/// # fn main() -> vortice_core::Result<()> {
/// let study = Study::of("cavity", &[])?
///     .methods(&["fdm", "fvm"])?
///     .schemes(&["fvm.convection=central,quick"])?
///     .grids(&[16, 32, 64])?;
/// let findings = study.run("out/my-study")?;
/// for limit in &findings.limits {
///     println!("{} by {}: {:?}", limit.value, limit.variant, limit.convergence);
/// }
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Study {
    /// Short name of the case, which the names of the runs begin with.
    pub name: String,
    /// The case that all runs begin from.
    pub case: Case,
    /// Methods with their settings, in the order in which they run.
    pub variants: Vec<Variant>,
    /// Cells along the shortest side of the grid, of a case with bodies across the length of its scale.
    pub grids: Vec<usize>,
    pub(super) resume: bool,
    pub(super) afresh: bool,
    pub(super) progress: bool,
    pub(super) interrupt: Option<&'static AtomicUsize>,
    pub(super) command: String,
    methods: Vec<&'static Method>,
    left_out: Vec<&'static Method>,
    schemes: Vec<Scheme>,
}

/// A method with the settings that tell it from other variants of the same method.
#[derive(Clone)]
pub struct Variant {
    /// `fvm`, or `fvm central` where settings are varied.
    pub name: String,
    /// The method.
    pub method: &'static Method,
    /// The settings, `key=value`.
    pub sets: Vec<String>,
}

/// One run of a study.
pub(super) struct Planned<'a> {
    pub(super) variant: &'a Variant,
    pub(super) grid: usize,
    /// The case, or why there is none.
    pub(super) case: Result<Case>,
    /// Name of the run's folder.
    pub(super) folder: String,
}

impl Study {
    /// Of each method that tells no forces on the bodies of the case, that it does not.
    pub fn forces_missing(&self) -> Vec<String> {
        let methods = self.methods.iter();
        methods.filter_map(|method| forces_missing(&self.case, method)).collect()
    }

    /// Of each method that was left out because it does not compute the heat of the case, that it was.
    pub fn left_out(&self) -> Vec<String> {
        let tell =
            |method: &&Method| format!("`{}` does not compute heat: it is left out", method.name);
        self.left_out.iter().map(tell).collect()
    }

    /// A study of a case, by path or name, with `key=value` settings for all runs: by all methods that compute what it
    /// is about, on a quarter, half and all of its cells along each side, in space half, three quarters and all.
    ///
    /// # Errors
    /// If there is no such case or it is wrong.
    pub fn of(case: &str, sets: &[String]) -> Result<Self> {
        Ok(Self::of_case(case_name(case), open_case(case, sets)?))
    }

    /// The same of a case that is open, under a short name.
    pub fn of_case(name: &str, case: Case) -> Self {
        let name = name.to_owned();
        let grids = usual(&case);
        let computes = |method: &&Method| method.carries_heat || case.carried().next().is_none();
        let (methods, left_out) = registry::methods().iter().copied().partition(computes);
        let study = Self {
            name,
            case,
            variants: Vec::new(),
            grids,
            resume: false,
            afresh: false,
            progress: false,
            interrupt: None,
            command: String::new(),
            methods,
            left_out,
            schemes: Vec::new(),
        };
        study.with_variants()
    }

    /// By these methods only.
    ///
    /// # Errors
    /// If there is no such method, or none is named.
    pub fn methods<S: AsRef<str>>(mut self, names: &[S]) -> Result<Self> {
        (self.methods, self.left_out) = Default::default();
        for name in names {
            let method = registry::method(name.as_ref())?;
            if self.methods.iter().all(|known| known.name != method.name) {
                self.methods.push(method);
            }
        }
        if self.methods.is_empty() {
            return Err(Error::Command {
                argument: "--methods".into(),
                problem: "names no method".into(),
                remedy: "give some of those that `vortice methods` lists, or leave it out".into(),
            });
        }
        Ok(self.with_variants())
    }

    /// With settings that vary, each `key=value,value,...`; keys of a method's own table vary it alone.
    ///
    /// # Errors
    /// If one is not of this form.
    pub fn schemes<S: AsRef<str>>(mut self, schemes: &[S]) -> Result<Self> {
        self.schemes =
            schemes.iter().map(|text| Scheme::parse(text.as_ref())).collect::<Result<_>>()?;
        Ok(self.with_variants())
    }

    /// On grids with so many cells along their shortest side, of a case with bodies across the length of its scale.
    ///
    /// # Errors
    /// If the case's grid cannot be scaled to one of them, or none is named.
    pub fn grids(mut self, grids: &[usize]) -> Result<Self> {
        if grids.is_empty() {
            return Err(Error::Command {
                argument: "--grids".into(),
                problem: "names no grid".into(),
                remedy: format!("give numbers of cells, such as {}", example(&self.case)),
            });
        }
        grids.iter().try_for_each(|&n| refined(&self.case, n).map(drop))?;
        self.grids = grids.to_vec();
        self.grids.sort_unstable();
        self.grids.dedup();
        Ok(self)
    }

    /// Runs that were stopped go on from their checkpoints.
    #[must_use]
    pub fn resume(self, resume: bool) -> Self {
        Self { resume, ..self }
    }

    /// Runs that were done before are done again.
    #[must_use]
    pub fn afresh(self, afresh: bool) -> Self {
        Self { afresh, ..self }
    }

    /// Tells people on standard error how far each run is.
    #[must_use]
    pub fn progress(self, progress: bool) -> Self {
        Self { progress, ..self }
    }

    /// Stops after the present step once the flag is no longer zero.
    #[must_use]
    pub fn interrupt(self, flag: &'static AtomicUsize) -> Self {
        Self { interrupt: Some(flag), ..self }
    }

    /// With the command that makes it, which its page repeats.
    #[must_use]
    pub fn made_by(self, command: String) -> Self {
        Self { command, ..self }
    }

    /// That every run means something: all settings, all methods and all references are looked at, so that
    /// a slip is told before the first run. What a method cannot do is no slip; its run is a row that
    /// says so.
    ///
    /// # Errors
    /// If a setting is wrong, or a reference is not there.
    pub fn check(&self) -> Result<()> {
        Reference::of(&self.case)?;
        if self.grids.is_empty() {
            return Err(none_fits(&self.case));
        }
        for planned in self.runs() {
            let case = planned.case?;
            let report = planned.variant.method.report(&case);
            if let Err(error @ (Error::Case { .. } | Error::Command { .. })) = report {
                return Err(error);
            }
        }
        Ok(())
    }

    /// Number of runs.
    pub fn n_runs(&self) -> usize {
        self.variants.len() * self.grids.len()
    }

    /// The runs: coarse grids first, so that there is something to see soon.
    pub(super) fn runs(&self) -> impl Iterator<Item = Planned<'_>> {
        let pairs =
            self.grids.iter().flat_map(|&n| self.variants.iter().map(move |variant| (n, variant)));
        pairs.map(|(grid, variant)| Planned {
            variant,
            grid,
            case: self.case_of(variant, grid),
            folder: plain_name(&[&self.name, &variant.name, &grid.to_string()]),
        })
    }

    /// The case of a variant on a grid.
    ///
    /// # Errors
    /// If the settings of the variant are wrong.
    pub(super) fn case_of(&self, variant: &Variant, grid: usize) -> Result<Case> {
        let mut sets = vec![format!("run.method={:?}", variant.method.name)];
        sets.push(refined(&self.case, grid)?);
        sets.extend_from_slice(&variant.sets);
        self.case.with(&sets)
    }

    fn with_variants(mut self) -> Self {
        let methods = self.methods.iter();
        self.variants = methods.flat_map(|method| variants(method, &self.schemes)).collect();
        self
    }
}

/// A method with all combinations of the settings that concern it.
fn variants(method: &'static Method, schemes: &[Scheme]) -> Vec<Variant> {
    let plain = Variant { name: method.name.to_owned(), method, sets: Vec::new() };
    let concerned = schemes.iter().filter(|scheme| scheme.concerns(method, registry::methods()));
    concerned.fold(vec![plain], |variants, scheme| {
        let with = |variant: &Variant, setting: String, word: &str| {
            let mut variant = variant.clone();
            variant.name = format!("{} {word}", variant.name);
            variant.sets.push(setting);
            variant
        };
        let each = variants.iter().flat_map(|variant| {
            scheme.settings().map(move |(setting, word)| with(variant, setting, word))
        });
        each.collect()
    })
}

/// A name for files and folders from words: letters, digits, dots and dashes only.
pub(super) fn plain_name(words: &[&str]) -> String {
    let plain = |c: char| if c.is_alphanumeric() || c == '.' { c } else { '-' };
    words.join("-").chars().map(plain).collect()
}

/// Where a study leaves its files unless the user says: `out/compare-CASE`, or `out/compare` for
/// several cases.
pub fn default_folder(names: &[&str]) -> PathBuf {
    match names {
        [name] => PathBuf::from("out").join(format!("compare-{name}")),
        _ => PathBuf::from("out/compare"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_study_is_of_all_methods_on_three_grids_unless_told_otherwise() {
        let study = Study::of("cavity", &[]).unwrap();
        let names: Vec<&str> = study.variants.iter().map(|variant| &*variant.name).collect();
        assert_eq!((names, &*study.grids), (vec!["fdm", "fvm", "lbm"], &[32, 64, 128][..]));
        assert_eq!(study.n_runs(), 9);
        let folders: Vec<String> = study.runs().map(|run| run.folder).collect();
        assert_eq!((&*folders[0], &*folders[8]), ("cavity-fdm-32", "cavity-lbm-128"));
    }

    #[test]
    fn who_does_not_compute_heat_is_left_out_of_a_flow_with_heat() {
        let mut study = Study::of("heated-cavity-ra1e3", &[]).unwrap();
        let names: Vec<&str> = study.variants.iter().map(|variant| &*variant.name).collect();
        assert_eq!((names, study.left_out().len()), (vec!["fdm", "fvm", "lbm"], 0));
        // All built-in methods compute it.
        let is_cold = |name: &str| name == "lbm";
        (study.methods, study.left_out) =
            registry::methods().iter().copied().partition(|method| !is_cold(method.name));
        assert_eq!(study.left_out(), ["`lbm` does not compute heat: it is left out"]);
        let named = study.methods(&["lbm"]).unwrap();
        assert_eq!((named.variants.len(), named.left_out().len()), (1, 0));
    }

    #[test]
    fn settings_are_combined() {
        let schemes = ["fvm.convection=central,quick", "fvm.coupling=simple,simplec"];
        let study = Study::of("cavity", &[]).unwrap().methods(&["lbm", "fvm"]).unwrap();
        let study = study.schemes(&schemes).unwrap().grids(&[16]).unwrap();
        let names: Vec<&str> = study.variants.iter().map(|variant| &*variant.name).collect();
        assert_eq!(names[..2], ["lbm", "fvm central simple"]);
        assert_eq!((names.len(), names[4]), (5, "fvm quick simplec"));
        let runs: Vec<Planned<'_>> = study.runs().collect();
        assert_eq!(runs[4].folder, "cavity-fvm-quick-simplec-16");
        let case = runs[4].case.as_ref().unwrap();
        assert_eq!((&*case.run.method, case.grid.cells()), ("fvm", [16, 16, 1]));
        assert!(case.source.contains("quick"));
    }

    #[test]
    fn what_cannot_be_is_refused_or_becomes_a_run_that_fails() {
        let study = || Study::of("cavity", &[]).unwrap();
        assert!(study().methods(&["fem"]).is_err() && study().methods::<&str>(&[]).is_err());
        assert!(study().grids(&[0]).is_err() && study().grids(&[]).is_err());
        let study = study().methods(&["fvm"]).unwrap().schemes(&["fvm.convection=quack"]).unwrap();
        assert_eq!(study.n_runs(), 3);
    }
}
