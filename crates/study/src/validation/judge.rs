//! One check by one method on one device.

use std::time::Instant;

use vortice_core::{Case, Context, Device, Error, Result, Simulation};

use super::checks::{Check, Judgement, MARGIN};
use super::row::{Row, Verdict};
use crate::comparison::{Convergence, Order};
use crate::embedded::open_case;
use crate::ran::Ran;
use crate::registry;
use vortice_core::format::percent_in_column;
use vortice_post::references::{Comparison, Reference, Sample};

/// What is added to every simulation: monitors that stop or show it.
pub type Watch<'w> = dyn for<'a> Fn(Simulation<'a>) -> Result<Simulation<'a>> + 'w;

/// One check by one method on one device.
#[derive(Clone, Debug)]
pub struct Job<'a> {
    /// The check.
    pub check: &'a Check,
    /// One of its methods.
    pub method: &'a str,
    /// Where it is computed.
    pub device: Device,
}

/// An error, where it was asked for an order, and the largest error that passes.
struct Measured {
    error: f64,
    order: Option<f64>,
    allowed: f64,
}

impl Job<'_> {
    /// `cavity-re400 by lbm on cpu`.
    pub fn name(&self) -> String {
        format!("{} by {} on {}", self.check.case, self.method, self.device)
    }

    /// Whether a word occurs in the case, the method or a reference.
    pub fn contains(&self, word: &str) -> bool {
        let references = self.check.judge.iter().map(|judgement| judgement.reference.as_str());
        let mut names = [self.check.case.as_str(), self.method].into_iter().chain(references);
        names.any(|name| name.contains(word))
    }

    /// Runs all grids and judges: a row for each judgement, or one that says why there is no flow.
    pub fn rows(&self, watch: &Watch<'_>) -> Vec<Row> {
        let begin = Instant::now();
        let rans = self.run(watch);
        let seconds = begin.elapsed().as_secs_f64();
        let rows = rans.and_then(|rans| {
            let judged =
                self.check.judge.iter().map(|judgement| self.row(judgement, &rans, seconds));
            judged.collect::<Result<Vec<Row>>>()
        });
        rows.unwrap_or_else(|error| vec![self.broken(&error, seconds)])
    }

    /// The flows, on the grids in the check's order.
    fn run(&self, watch: &Watch<'_>) -> Result<Vec<Ran>> {
        self.cases()?
            .into_iter()
            .map(|case| {
                let ran = Ran::of(case, &Context::alone(), |simulation, _| watch(simulation))?;
                if ran.outcome.converged { Ok(ran) } else { Err(early(&ran)) }
            })
            .collect()
    }

    /// Whether its method computes on GPUs.
    pub fn computes_on_gpus(&self) -> bool {
        self.cases().is_ok_and(|cases| cases.iter().all(registry::computes_on_gpus))
    }

    fn cases(&self) -> Result<Vec<Case>> {
        let open = |cells: Option<&[usize; 3]>| {
            let mut sets = self.check.set.clone();
            sets.push(format!("run.method={:?}", self.method));
            sets.push(format!("run.device=\"{}\"", self.device));
            sets.extend(cells.map(|cells| format!("grid.cells={cells:?}")));
            open_case(&self.check.case, &sets)
        };
        if self.check.grids.is_empty() {
            return Ok(vec![open(None)?]);
        }
        self.check.grids.iter().map(|cells| open(Some(cells))).collect()
    }

    fn row(&self, judgement: &Judgement, rans: &[Ran], seconds: f64) -> Result<Row> {
        let Measured { error, order, allowed } = judgement.measure(rans)?;
        let reason = judgement.complaint(error, allowed, order);
        let several = if rans.len() > 1 { "limit of " } else { "" };
        let what = judgement.what.as_ref().map(|what| format!("{several}{what}"));
        Ok(Row {
            case: self.check.case.clone(),
            method: self.method.to_string(),
            device: self.device.to_string(),
            cells: finest(rans).map_or([0; 3], |ran| ran.case.grid.cells()),
            reference: judgement.reference.clone(),
            what: what.unwrap_or_else(|| "largest error".into()),
            error,
            tolerance: allowed,
            order,
            verdict: if reason.is_none() { Verdict::Pass } else { Verdict::Fail },
            reason: reason.or_else(|| judgement.praise(error)).unwrap_or_default(),
            seconds,
        })
    }

    fn broken(&self, error: &Error, seconds: f64) -> Row {
        let cells = self.cases().ok().and_then(|cases| cases.last().map(|case| case.grid.cells()));
        Row {
            case: self.check.case.clone(),
            method: self.method.to_string(),
            device: self.device.to_string(),
            cells: cells.unwrap_or([0; 3]),
            reference: String::new(),
            what: String::new(),
            error: f64::NAN,
            tolerance: f64::NAN,
            order: None,
            verdict: Verdict::Broken,
            reason: format!("{error}; help: {}", error.remedy()),
            seconds,
        }
    }
}

impl Judgement {
    /// Why it is no pass; nothing if it is one.
    fn complaint(&self, error: f64, allowed: f64, order: Option<f64>) -> Option<String> {
        if error.is_nan() {
            return Some("the flow has no such value".into());
        }
        if error > allowed {
            return Some("the error is larger than allowed".into());
        }
        let [least, most] = self.order?;
        match order {
            Some(order) if (least..=most).contains(&order) => None,
            Some(order) => Some(format!("the order {order:.2} is not within {least} to {most}")),
            None => Some("no order can be seen on these grids".into()),
        }
    }

    /// That an error is so small that what was measured says too little by now.
    fn praise(&self, error: f64) -> Option<String> {
        let measured = self.measured.filter(|measured| error < measured / MARGIN)?;
        Some(format!(
            "much better than the {} that were measured: `vortice validate --measure` writes it down",
            percent_in_column(measured)
        ))
    }

    fn measure(&self, rans: &[Ran]) -> Result<Measured> {
        let allowed = match rans {
            [ran, ..] => self.allowed(&Reference::find(&ran.case, &self.reference)?),
            [] => f64::NAN,
        };
        let compared = rans.iter().map(|ran| {
            let reference = Reference::find(&ran.case, &self.reference)?;
            Ok((spacing(ran), ran.compare(&reference)))
        });
        let mut compared = compared.collect::<Result<Vec<_>>>()?;
        compared.sort_by(|one, other| other.0.total_cmp(&one.0));
        let (error, order) = match &self.what {
            None => largest(&compared),
            Some(what) => {
                let samples = compared.iter().map(|(h, found)| Ok((*h, sample(found, what)?)));
                let errors = rans.iter().filter_map(|ran| ran.outcome.iteration_error(&ran.case));
                let iteration_error = errors.fold(0.0, f64::max);
                limit(&samples.collect::<Result<Vec<_>>>()?, &compared, iteration_error)
            }
        };
        Ok(Measured { error, order, allowed })
    }
}

/// The largest error on the finest grid, and how it fell since the one before.
fn largest(compared: &[(f64, Comparison)]) -> (f64, Option<f64>) {
    match compared {
        [.., (h2, coarse), (h1, fine)] => {
            let order = (coarse.max_error / fine.max_error).ln() / (h2 / h1).ln();
            (fine.max_error, Some(order).filter(|x| x.is_finite()))
        }
        [(_, only)] => (only.max_error, None),
        [] => (f64::NAN, None),
    }
}

/// The error of a value that several grids tend to, or of the only grid's value.
fn limit(
    samples: &[(f64, &Sample)],
    compared: &[(f64, Comparison)],
    iteration_error: f64,
) -> (f64, Option<f64>) {
    let (Some((_, finest)), Some((_, comparison))) = (samples.last(), compared.last()) else {
        return (f64::NAN, None);
    };
    let values: Vec<(f64, f64)> = samples.iter().map(|(h, one)| (*h, one.computed)).collect();
    let is_complete = values.iter().all(|(_, x)| x.is_finite());
    let found = Convergence::of(&values, iteration_error).ok().filter(|_| is_complete);
    let value = match &found {
        Some(found) => found.limit,
        None if values.len() == 1 => finest.computed,
        None => f64::NAN,
    };
    let unit = finest.unit(comparison.kind).abs();
    let order = found.filter(|found| found.from == Order::Observed).map(|found| found.order);
    ((value - finest.reference).abs() / unit, order)
}

fn sample<'a>(comparison: &'a Comparison, what: &str) -> Result<&'a Sample> {
    comparison.samples.iter().find(|sample| sample.what == what).ok_or_else(|| {
        let known: Vec<&str> = comparison.samples.iter().map(|one| one.what.as_str()).collect();
        Error::case(
            "what",
            format!("`{}` has no value `{what}`", comparison.name),
            format!("use one of {}, or leave `what` out", known.join(", ")),
        )
    })
}

fn finest(rans: &[Ran]) -> Option<&Ran> {
    rans.iter().min_by(|one, other| spacing(one).total_cmp(&spacing(other)))
}

/// A length in m that halves when all directions have twice the cells.
fn spacing(ran: &Ran) -> f64 {
    let spacing = ran.case.grid.spacing();
    spacing[0].min(spacing[1])
}

/// That a run stopped before its goal.
fn early(ran: &Ran) -> Error {
    Error::case(
        "run",
        format!("{} after {} steps", ran.outcome.reason, ran.outcome.steps),
        ran.outcome.remedy(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::validation::Checks;

    fn rows(text: &str) -> Vec<Row> {
        let checks = Checks::parse(text, "checks").unwrap_or_else(|error| panic!("{error}"));
        let check = &checks.list[0];
        let job = Job { check, method: &check.methods[0], device: Device::Cpu };
        job.rows(&|simulation| Ok(simulation))
    }

    fn taylor_green(grids: &str, judge: &str, set: &str) -> Vec<Row> {
        rows(&format!(
            "[[check]]\ncase = \"taylor-green\"\nmethods = [\"fdm\"]\nsuite = \"quick\"\n\
             set = [{set}]\ngrids = [{grids}]\njudge = [{{ {judge} }}]\n"
        ))
    }

    #[test]
    fn an_error_is_judged_by_its_tolerance() {
        let judge = |tolerance: &str| {
            let judge = format!("reference = \"exact-taylor-green\", tolerance = {tolerance}");
            taylor_green("[16,16,1]", &judge, "\"run.until=0.1\"").swap_remove(0)
        };
        let (good, bad) = (judge("0.1"), judge("1e-9"));
        assert_eq!((good.verdict, bad.verdict), (Verdict::Pass, Verdict::Fail));
        assert_eq!((good.error, good.cells), (bad.error, [16, 16, 1]));
        assert!(bad.reason.contains("larger than allowed") && good.reason.is_empty());
    }

    #[test]
    fn one_and_a_half_times_what_was_measured_passes_and_much_less_is_told() {
        let judge = |measured: f64| {
            let judge = format!("reference = \"exact-taylor-green\", measured = {measured:e}");
            taylor_green("[16,16,1]", &judge, "\"run.until=0.1\"").swap_remove(0)
        };
        let error = judge(1.0).error;
        let (right, worse, better) = (judge(error), judge(error / 1.6), judge(error * 1.6));
        assert_eq!((right.verdict, &*right.reason), (Verdict::Pass, ""));
        assert_eq!(right.tolerance, 1.5 * error);
        assert_eq!(worse.verdict, Verdict::Fail);
        assert_eq!(better.verdict, Verdict::Pass);
        assert!(better.reason.contains("much better"), "{}", better.reason);
    }

    #[test]
    fn orders_are_seen_on_the_finest_two_grids_and_judged() {
        let judge = |order: &str| {
            let judge =
                format!("reference = \"exact-taylor-green\", tolerance = 0.1, order = {order}");
            taylor_green("[32,32,1], [16,16,1]", &judge, "\"run.until=0.1\"").swap_remove(0)
        };
        let (good, bad) = (judge("[1.5, 2.5]"), judge("[3.5, 4.5]"));
        assert_eq!((good.verdict, bad.verdict), (Verdict::Pass, Verdict::Fail), "{good:?}");
        assert!(bad.reason.contains("is not within 3.5 to 4.5"), "{}", bad.reason);
        assert_eq!(good.cells, [32, 32, 1]);
    }

    #[test]
    fn a_run_that_ends_early_is_a_row_with_its_reason() {
        let judge = "reference = \"exact-taylor-green\", tolerance = 0.1";
        let row = taylor_green("", judge, "\"run.max-steps=3\"").swap_remove(0);
        assert_eq!(row.verdict, Verdict::Broken);
        assert!(row.error.is_nan() && row.reason.contains("run.max-steps = 3"), "{}", row.reason);
    }
}
