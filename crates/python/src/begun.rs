//! What runs of Python have in common before they begin.

use vortice_core::{Case, Error, Method, Report, Result, balanced};
use vortice_study::{DevicePlacement, on_ranks, registry};

use crate::written::{Folder, Written};

/// A case that has been checked, with its device settled.
pub(crate) struct Begun {
    pub(crate) case: Case,
    pub(crate) method: &'static Method,
    pub(crate) written: Option<Written>,
    /// What to do if it diverges.
    pub(crate) remedy: String,
}

impl Begun {
    pub(crate) fn of(
        case: Case,
        ranks: usize,
        threads: Option<usize>,
        folder: Option<Folder>,
    ) -> Result<Self> {
        let place = DevicePlacement::of(&case, ranks)?;
        let case = place.settle(case);
        let method = registry::method(&case.run.method)?;
        let report: Report = method.report(&case)?;
        let case = match ranks {
            1 => case,
            _ => on_ranks(&case, ranks, None, threads, |context| balanced(method, &case, context))?,
        };
        let remedy = (method.when_it_diverges)(&case);
        let remedy = format!("set {remedy}, or take more cells (`grid.cells`)");
        let written = folder.map(|folder| {
            Written::new(folder, case.clone(), method, &report, &place, ranks, threads)
        });
        let written = written.transpose()?;
        // With the plane that files show.
        let case = written.as_ref().map_or(case, |written| written.results.case.clone());
        Ok(Self { case, method, written, remedy })
    }
}

/// Refuses numbers of ranks that are none.
pub(crate) fn check_ranks(ranks: usize) -> Result<()> {
    if ranks > 0 {
        return Ok(());
    }
    Err(Error::case("ranks", "is 0", "give a number from 1 on"))
}
