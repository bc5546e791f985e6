//! A case that has been run, for what is to be said of its flow.

use vortice_core::{Case, Context, Error, Every, Outcome, Result, Simulation, WallSlope};

use crate::forces::{KeepForces, seconds_between_forces};
use crate::keep::{Fields, Keep};
use crate::registry;
use crate::simulate::Simulate;
use vortice_post::references::{Comparison, Reference};
use vortice_post::{Flow, ForceCourse};

/// A case that has been run, with how it ended and its last fields.
#[derive(Clone, Debug)]
pub struct Ran {
    /// The case.
    pub case: Case,
    /// How it ended.
    pub outcome: Outcome,
    /// Velocity, pressure and temperature of the last step on the whole grid.
    pub fields: Fields,
    /// What the forces on bodies did, of a flow that is followed in time.
    pub courses: Vec<ForceCourse>,
    wall_slope: WallSlope,
}

impl Ran {
    /// Runs a case with the method that it names, watched by what `watch` adds.
    ///
    /// A run that stopped before its goal is no error: see [`Outcome::converged`].
    ///
    /// # Errors
    /// If the method cannot do the case, the flow diverges, a device fails or a file cannot be written;
    /// and on several ranks, because only one of them would have the fields.
    pub fn of(
        case: Case,
        context: &Context,
        watch: impl for<'a> FnOnce(Simulation<'a>, &'a Case) -> Result<Simulation<'a>>,
    ) -> Result<Self> {
        if context.ranks.size() > 1 {
            return Err(one_rank());
        }
        let keep = KeepRan::default();
        let simulation = watch(Simulation::new(&case, context)?, &case)?;
        let outcome = keep.watch(simulation)?.run()?;
        keep.ran(case, outcome)
    }

    /// The flow in the units of the case's scale.
    pub fn flow(&self) -> Flow<'_> {
        let Fields { velocity, pressure, temperature } = &self.fields;
        let time = self.outcome.step.time_reached();
        let flow = Flow::new(&self.case, velocity, pressure, self.wall_slope, time);
        let flow = flow.with_temperature(temperature.as_ref().map(Into::into));
        let flow = flow.with_surface_fluxes(self.outcome.surface_fluxes.clone());
        flow.with_courses(self.courses.clone())
    }

    /// How far the flow is from a reference.
    pub fn compare(&self, reference: &Reference) -> Comparison {
        reference.compare(&self.flow())
    }
}

/// Keeps of a run what [`Ran`] has, for runs that are driven by others; clones share it.
#[derive(Clone, Debug, Default)]
pub struct KeepRan {
    fields: Keep,
    forces: KeepForces,
}

impl KeepRan {
    /// Watches a simulation.
    ///
    /// # Errors
    /// If there is no method of the case's name.
    pub fn watch<'m>(&self, mut simulation: Simulation<'m>) -> Result<Simulation<'m>> {
        let method = registry::method(&simulation.case().run.method)?;
        if let Some(seconds) = seconds_between_forces(simulation.case(), method) {
            simulation = simulation.watch(Every::Seconds(seconds), self.forces.clone());
        }
        Ok(simulation.watch(Every::Ends, self.fields.clone()))
    }

    /// What was kept, once the run has ended.
    ///
    /// # Errors
    /// If it has not ended, or on a rank that has no fields.
    pub fn ran(&self, mut case: Case, outcome: Outcome) -> Result<Ran> {
        let fields = self.fields.take().ok_or_else(one_rank)?;
        let courses = ForceCourse::all(&case, &self.forces.take());
        let wall_slope = registry::wall_slope(&case)?;
        case.at(outcome.step.time);
        Ok(Ran { case, outcome, fields, courses, wall_slope })
    }
}

fn one_rank() -> Error {
    Error::Command {
        argument: "ranks".into(),
        problem: "fields of the whole grid are kept on the first rank only".into(),
        remedy: "run on one rank, or watch the simulation with `Keep` on each of them".into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::embedded::open_case;
    use vortice_core::{Finite, Threads};

    fn couette() -> Case {
        let sets = ["grid.cells=[4,8,1]", "run.max-steps=20"].map(String::from);
        open_case("couette", &sets).unwrap_or_else(|error| panic!("{error}"))
    }

    #[test]
    fn a_run_has_its_fields_and_can_be_judged() {
        let ran = Ran::of(couette(), &Context::alone(), |simulation, _| {
            Ok(simulation.watch(Every::Steps(1), Finite::new("take smaller steps")))
        });
        let ran = ran.unwrap_or_else(|error| panic!("{error}"));
        assert_eq!((ran.outcome.steps, ran.outcome.converged), (20, false));
        assert_eq!(ran.fields.velocity.shape.cells, [4, 8, 1]);
        let references = Reference::of(&ran.case).unwrap();
        let comparison = ran.compare(&references[0]);
        assert!(comparison.max_error > 0.0 && comparison.points == 32, "{comparison:?}");
    }

    #[test]
    fn several_ranks_are_refused_before_anything_is_computed() {
        let all = Threads::run(2, |rank| {
            let context = Context::new(std::sync::Arc::new(rank));
            Ran::of(couette(), &context, |simulation, _| Ok(simulation)).map(|_| ())
        });
        assert!(all.expect_err("two ranks").remedy().contains("one rank"));
    }
}
