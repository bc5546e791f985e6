//! Another case while a flow goes on.

use super::{Simulation, build};
use crate::case::Case;
use crate::error::{Error, Result};
use crate::finite::LookedAt;
use crate::memory::check_host_memory;
use crate::solver::Method;
use crate::state::State;

impl Simulation<'_> {
    /// Goes on with another case from the flow as it is, by the same method on the same grid in the same precision: another
    /// viscosity or another speed of a wall, say. Monitors stay. What the new case says of the beginning is not looked at,
    /// and a run that has ended goes on if the new case's goal is not reached. For a moment there are two solvers and a
    /// state. Collective.
    ///
    /// # Errors
    /// If the new case has another method, grid or precision, the method cannot do it or cannot go on with it; on all ranks
    /// alike. The run is then what it was.
    pub fn change(&mut self, method: &Method, case: Case) -> Result<()> {
        let Self { case: before, context, cut, pool, solver: old, .. } = self;
        let ranks = &*context.ranks;
        let fits = expect_alike(before, &case).and_then(|()| {
            let report = method.report(&case)?;
            check_host_memory(&case, &report, ranks)
        });
        ranks.agree(fits)?;
        let mut state = State::default();
        ranks.agree(old.finish())?;
        ranks.agree(pool.install(|| old.save(&mut state)))?;
        let mut solver = build(method, &case, context, cut, pool)?;
        let looked_at = ranks.agree(LookedAt::new(&state, cut.subdomain(ranks.rank())))?;
        ranks.agree(pool.install(|| solver.restore(&looked_at)))?;
        (self.solver, self.method, self.case) = (solver, *method, case);
        if self.course.begin.is_some() {
            let end = self.goal(&self.course.last);
            self.course.end = end;
        }
        Ok(())
    }
}

/// Refuses a case whose state has another shape or meaning.
fn expect_alike(before: &Case, after: &Case) -> Result<()> {
    let keys = [
        (before.run.method != after.run.method, "run.method"),
        (before.run.precision != after.run.precision, "run.precision"),
        (before.grid != after.grid, "grid"),
    ];
    let Some((_, key)) = keys.into_iter().find(|(is_other, _)| *is_other) else { return Ok(()) };
    let problem = "cannot be changed while a flow goes on";
    Err(Error::case(key, problem, "begin another run, with this flow as its beginning if need be"))
}
