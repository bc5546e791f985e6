//! What the runs of a study say together.

use std::path::{Path, PathBuf};

use serde::Serialize;

use vortice_core::format::{digits, percent};

use super::convergence::{Convergence, NoLimit, Order};
use super::machine::Machine;
use super::plan::Study;
use super::rounded::rounded;
use super::row::Row;
use vortice_post::references::Reference;

/// A study that was made.
pub struct Findings {
    /// What was asked for.
    pub study: Study,
    /// What the flow is judged against.
    pub references: Vec<Reference>,
    /// What it was computed on.
    pub machine: Machine,
    /// The runs, in the order in which they were made; fewer than planned if the study was interrupted.
    pub rows: Vec<Row>,
    /// What each value of each variant converges to.
    pub limits: Vec<Limit>,
    /// How far the variants agree on each value.
    pub agreements: Vec<Agreement>,
    /// The folder of the study.
    pub folder: PathBuf,
}

/// A value of one variant under refinement.
#[derive(Clone, Debug, Serialize)]
pub struct Limit {
    /// Name of the variant.
    pub variant: String,
    /// Name of the value.
    pub value: String,
    /// The grid's number in the study, and the value there, not a number if the flow has no such thing;
    /// only runs that came to their goal.
    pub on: Vec<(usize, f64)>,
    /// Where it leads.
    pub convergence: Option<Convergence>,
    /// Why it leads nowhere, if so.
    pub no_limit: Option<NoLimit>,
}

impl Limit {
    /// One of its values for people, with the digits that are known: down to the uncertainty, else to the
    /// difference between the two finest grids.
    pub fn told(&self, x: f64) -> String {
        let apart = match self.on[..] {
            [.., (_, coarse), (_, fine)] => Some((fine - coarse).abs()),
            _ => None,
        };
        rounded(x, self.convergence.map(|found| found.uncertainty).or(apart))
    }

    /// What people read of it, the same in terminal, page and files.
    pub fn words(&self) -> LimitWords {
        let Some(found) = self.convergence else {
            let why = self.no_limit.map_or(String::new(), |why| why.to_string());
            return LimitWords { limit: why, ..LimitWords::default() };
        };
        LimitWords {
            limit: self.told(found.limit),
            uncertainty: digits(found.uncertainty, 1),
            order: match found.from {
                Order::Observed => format!("{:.2}", found.order),
                Order::Formal => format!("({:.0})", found.order),
            },
            index: percent(found.index),
        }
    }
}

/// A limit in words.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct LimitWords {
    /// With the digits that are known, or why there is none.
    pub limit: String,
    /// How far it may be off, to one digit; empty without a limit, as what follows is.
    pub uncertainty: String,
    /// The order, in brackets if it is taken for granted.
    pub order: String,
    /// The grid convergence index, in per cent.
    pub index: String,
}

/// The limits of all variants for one value.
#[derive(Clone, Debug, Serialize)]
pub struct Agreement {
    /// Name of the value.
    pub value: String,
    /// Largest minus smallest limit, as a share of their mean; nothing with fewer than two limits.
    pub spread: Option<f64>,
    /// The variants that have a limit.
    pub variants: usize,
    /// What is published, and by which reference.
    pub published: Option<(String, f64)>,
    /// The largest distance of a limit from what is published, as a share of the latter.
    pub error: Option<f64>,
}

impl Findings {
    pub(super) fn of(
        study: Study,
        references: Vec<Reference>,
        machine: Machine,
        rows: Vec<Row>,
        folder: &Path,
    ) -> Self {
        let limits = limits(&study, &rows);
        let agreements = agreements(&rows, &limits);
        let folder = folder.to_path_buf();
        Self { study, references, machine, rows, limits, agreements, folder }
    }

    /// The rows of a variant, coarse grids first.
    pub fn rows_of<'a>(&'a self, variant: &'a str) -> impl Iterator<Item = &'a Row> {
        self.rows.iter().filter(move |row| row.variant == variant)
    }

    /// The row of each variant on the finest grid that it has a flow on.
    pub fn finest(&self) -> Vec<&Row> {
        let variants = self.study.variants.iter();
        variants
            .filter_map(|variant| self.rows_of(&variant.name).filter(|row| row.has_flow()).last())
            .collect()
    }

    /// Whether every planned run came to its goal.
    pub fn are_complete(&self) -> bool {
        self.rows.len() == self.study.n_runs() && self.rows.iter().all(Row::is_done)
    }

    /// What a variant's value converges to.
    pub fn limit(&self, variant: &str, value: &str) -> Option<&Limit> {
        self.limits.iter().find(|limit| limit.variant == variant && limit.value == value)
    }
}

/// Names of all values, in the order in which they appear first.
fn names(rows: &[Row]) -> Vec<&str> {
    let mut names: Vec<&str> = Vec::new();
    for value in rows.iter().flat_map(|row| &row.values) {
        if !names.contains(&&*value.name) {
            names.push(&value.name);
        }
    }
    names
}

fn limits(study: &Study, rows: &[Row]) -> Vec<Limit> {
    let names = names(rows);
    let limit = |variant: &str, name: &str| {
        let done = || rows.iter().filter(|row| row.variant == variant && row.is_done());
        let iteration_error = done().filter_map(|row| row.iteration_error).fold(0.0, f64::max);
        let on: Vec<(usize, f64)> =
            done().filter_map(|row| Some((row.grid, row.value(name)?))).collect();
        let by_spacing: Vec<(f64, f64)> = on.iter().map(|&(n, x)| (1.0 / n as f64, x)).collect();
        let (convergence, no_limit) = match Convergence::of(&by_spacing, iteration_error) {
            Ok(found) => (Some(found), None),
            Err(why) => (None, Some(why)),
        };
        Limit { variant: variant.to_owned(), value: name.to_owned(), on, convergence, no_limit }
    };
    let all = study
        .variants
        .iter()
        .flat_map(|variant| names.iter().map(move |name| (&*variant.name, *name)));
    all.map(|(variant, name)| limit(variant, name)).filter(|limit| !limit.on.is_empty()).collect()
}

fn agreements(rows: &[Row], limits: &[Limit]) -> Vec<Agreement> {
    let of_value = |name: &str| {
        let same = || limits.iter().filter(|limit| limit.value == name);
        same().next()?;
        let found: Vec<f64> = same()
            .filter_map(|limit| Some(limit.convergence?.limit))
            .filter(|x| x.is_finite())
            .collect();
        let mean = found.iter().sum::<f64>() / found.len().max(1) as f64;
        let largest = found.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let smallest = found.iter().copied().fold(f64::INFINITY, f64::min);
        let values = rows.iter().flat_map(|row| &row.values);
        let published =
            values.filter(|value| value.name == name).find_map(|value| value.published.clone());
        let error = published.as_ref().filter(|(_, x)| *x != 0.0 && !found.is_empty());
        let error = error.map(|(_, published)| {
            found.iter().map(|x| ((x - published) / published).abs()).fold(0.0, f64::max)
        });
        Some(Agreement {
            value: name.to_owned(),
            spread: (found.len() > 1).then(|| ((largest - smallest) / mean).abs()),
            variants: found.len(),
            published,
            error,
        })
    };
    names(rows).into_iter().filter_map(of_value).collect()
}
