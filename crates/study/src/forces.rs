//! The forces on bodies over time, of runs that are judged.

use std::sync::{Arc, Mutex};

use vortice_core::{Case, ForceTimes, Method, Monitor, Result, Snapshot, Surface, Verdict, lock};
use vortice_post::ForceSeries;

/// Between two looks at the forces, in units of the length over the velocity of the case's scale: a Strouhal number of 0.3
/// has 66 looks a period.
const USUAL: f64 = 0.05;

/// Flow time in s between looks at the forces on bodies: what the case says, else often enough for vortices that are shed.
/// Nothing of a flow without bodies, one that is not followed in time, a case that wants none, or a method that tells none.
pub(crate) fn seconds_between_forces(case: &Case, method: &Method) -> Option<f64> {
    let usual = USUAL * case.scale.length / case.scale.velocity;
    let seconds = match case.output.forces {
        ForceTimes::Every(seconds) => Some(seconds),
        ForceTimes::Unsaid => Some(usual),
        ForceTimes::Never => None,
    };
    seconds.filter(|_| may_have_forces(case) && method.tells_forces)
}

/// That a method tells no forces on bodies, where a comparison would look at them.
pub(crate) fn forces_missing(case: &Case, method: &Method) -> Option<String> {
    let is_missed = may_have_forces(case) && case.output.forces != ForceTimes::Never;
    (is_missed && !method.tells_forces).then(|| {
        format!("`{}` does not tell the forces on bodies: they are not compared", method.name)
    })
}

fn may_have_forces(case: &Case) -> bool {
    case.is_followed() && !case.bodies.is_empty()
}

/// Keeps the coefficients of drag and lift of all bodies; clones share them.
#[derive(Clone, Debug, Default)]
pub(crate) struct KeepForces {
    all: Arc<Mutex<Vec<ForceSeries>>>,
}

impl KeepForces {
    /// What was kept: of each body, in their order.
    pub(crate) fn take(&self) -> Vec<ForceSeries> {
        std::mem::take(&mut lock(&self.all))
    }
}

impl Monitor for KeepForces {
    fn begin(&mut self, now: &mut Snapshot<'_>) -> Result<()> {
        let of = |name: &String| ForceSeries { body: name.clone(), ..ForceSeries::default() };
        *lock(&self.all) = now.case.bodies.iter().map(|body| of(&body.name)).collect();
        Ok(())
    }

    fn after_step(&mut self, now: &mut Snapshot<'_>) -> Result<Verdict> {
        let forces = now.forces()?;
        for (body, (force, series)) in forces.iter().zip(&mut *lock(&self.all)).enumerate() {
            let [drag, lift, _] = force.coefficients(now.case, Surface::Body(body));
            series.drag.push((now.step.time, drag));
            series.lift.push((now.step.time, lift));
        }
        Ok(Verdict::Continue)
    }
}
