//! What is looked at of the last flow of a run, for what is said of it.

use std::sync::{Arc, Mutex};

use vortice_core::{
    Case, Cells, Energy, Extent, Field, Monitor, Quantity, Result, Sight, Snapshot, Verdict,
    WallSlope, Window, lock,
};
use vortice_post::Flow;

/// What is looked at of a flow of a run.
#[derive(Clone, Debug)]
pub struct Seen {
    velocity: Kept,
    pressure: Kept,
    temperature: Option<Kept>,
    /// The energies of all of it.
    pub energy: Energy,
}

/// Values of the cells that are looked at.
#[derive(Clone, Debug)]
enum Kept {
    Whole(Arc<Field>),
    Parts(Vec<Window<'static>>),
}

impl Kept {
    fn cells(&self) -> Cells<'_> {
        match self {
            Self::Whole(field) => Cells::Whole(field),
            Self::Parts(parts) => Cells::Parts(parts),
        }
    }
}

impl Seen {
    /// What is looked at of a flow, on rank 0. Collective.
    ///
    /// # Errors
    /// If a rank or device fails.
    pub fn of(now: &mut Snapshot<'_>, sight: &Sight) -> Result<Option<Self>> {
        match sight {
            Sight::Whole => whole(now),
            Sight::Parts(boxes) => some(now, boxes),
        }
    }

    /// The flow of a case at a flow time in s, by a method whose slope at walls is known. What its [`Sight`]
    /// names can be asked for.
    pub fn flow<'a>(&'a self, case: &'a Case, wall_slope: WallSlope, time: f64) -> Flow<'a> {
        let flow = Flow::new(case, self.velocity.cells(), self.pressure.cells(), wall_slope, time);
        flow.with_temperature(self.temperature.as_ref().map(Kept::cells))
    }
}

/// Keeps what is looked at of the last step on rank 0, and its energies; clones share it.
#[derive(Clone, Debug)]
pub struct KeepSeen {
    sight: Sight,
    last: Arc<Mutex<Option<Seen>>>,
}

impl KeepSeen {
    /// Keeps nothing yet.
    pub fn new(sight: Sight) -> Self {
        Self { sight, last: Arc::default() }
    }

    /// What was kept: nothing before the end of the run, and on ranks other than 0.
    pub fn take(&self) -> Option<Seen> {
        lock(&self.last).take()
    }
}

impl Monitor for KeepSeen {
    fn after_step(&mut self, _now: &mut Snapshot<'_>) -> Result<Verdict> {
        Ok(Verdict::Continue)
    }

    fn boxes(&self) -> &[Extent] {
        match &self.sight {
            Sight::Whole => &[],
            Sight::Parts(boxes) => boxes,
        }
    }

    fn finish(&mut self, now: &mut Snapshot<'_>) -> Result<()> {
        let seen = Seen::of(now, &self.sight)?;
        *lock(&self.last) = seen;
        Ok(())
    }
}

/// All of a flow, on rank 0. Collective.
fn whole(now: &mut Snapshot<'_>) -> Result<Option<Seen>> {
    let energy = now.energy()?;
    let fields = (now.whole(Quantity::Velocity)?, now.whole(Quantity::Pressure)?);
    let temperature = match now.case.carried().next() {
        Some(scalar) => now.whole(scalar.quantity)?.map(Kept::Whole),
        None => None,
    };
    let (Some(velocity), Some(pressure)) = fields else { return Ok(None) };
    let (velocity, pressure) = (Kept::Whole(velocity), Kept::Whole(pressure));
    Ok(Some(Seen { velocity, pressure, temperature, energy }))
}

/// Some boxes of a flow, on rank 0. Collective.
fn some(now: &mut Snapshot<'_>, boxes: &[Extent]) -> Result<Option<Seen>> {
    let mut in_boxes = now.in_boxes(boxes)?.into_iter().map(|(_, windows)| Kept::Parts(windows));
    let energy = now.energy()?;
    let (Some(velocity), Some(pressure)) = (in_boxes.next(), in_boxes.next()) else {
        return Ok(None);
    };
    Ok(Some(Seen { velocity, pressure, temperature: in_boxes.next(), energy }))
}

#[cfg(test)]
mod tests {
    use vortice_core::{Context, Every, Outcome, Simulation, Threads};
    use vortice_post::references::{Reference, lines};
    use vortice_post::{Forces, MassBalance, MomentumBalance, sight};

    use super::*;
    use crate::embedded::open_case;
    use crate::keep::{Fields, Keep};
    use crate::simulate::Simulate;

    /// A duct that is periodic in y, with an inflow, an outflow and two blocks that overlap.
    fn duct() -> Case {
        let sets = [
            "grid={ cells = [48, 40, 36], size = [1.2, 1.0, 0.9] }",
            "run={ method = \"fdm\", until = 1.0, max-steps = 3 }",
            "boundary.x-low={ inflow = { velocity = [1.0, 0.0, 0.0] } }",
            "boundary.x-high=\"outflow\"",
            "boundary.y-low=\"periodic\"",
            "boundary.y-high=\"periodic\"",
            "solid=[{ low = [0.3, 0.8, 0.0], high = [0.5, 1.0, 0.4] }, \
                    { low = [0.4, 0.7, 0.2], high = [0.6, 0.9, 0.6] }]",
            "output.plane=\"y = 0.79\"",
            "references=[]",
        ];
        open_case("cavity-3d", &sets.map(String::from)).unwrap_or_else(|error| panic!("{error}"))
    }

    /// The last flow as it is seen, and all of it.
    fn run(case: &Case, sight: &Sight, ranks: usize) -> (Outcome, Seen, Fields) {
        let all = Threads::run(ranks, |rank| {
            let (seen, keep) = (KeepSeen::new(sight.clone()), Keep::new());
            let simulation = Simulation::new(case, &Context::new(Arc::new(rank)))?;
            // What is seen comes first: it would take it from the whole.
            let simulation = simulation.watch(Every::Ends, seen.clone());
            let outcome = simulation.watch(Every::Ends, keep.clone()).run()?;
            Ok((outcome, seen.take(), keep.take()))
        });
        let (outcome, seen, fields) = all.unwrap_or_else(|error| panic!("{error}")).swap_remove(0);
        (outcome, seen.expect("on the first rank"), fields.expect("on the first rank"))
    }

    /// The picture of a flow, and all its numbers with all their digits.
    fn said(flow: &Flow<'_>, references: &[Reference]) -> (Vec<u8>, String) {
        let case = flow.case;
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("picture.png");
        vortice_plot::draw(&path, case, flow.velocity, flow.temperature, &[])
            .unwrap_or_else(|error| panic!("{error}"));
        let lines = lines(case, references).into_iter();
        let profiles: Vec<_> = lines.map(|(variable, line)| flow.profile(variable, line)).collect();
        let compared: Vec<_> = references.iter().map(|one| one.compare(flow)).collect();
        let balances = (MassBalance::of(flow), MomentumBalance::of(flow));
        let numbers = format!("{:?} {balances:?} {profiles:?} {compared:?}", Forces::of(flow));
        (std::fs::read(&path).expect("a picture"), numbers)
    }

    #[test]
    fn what_is_seen_of_a_run_says_what_all_of_it_says() {
        let case = duct();
        let table = Reference::find(&case, "albensoeder-2005-cube-re1000-extrema");
        let references = [table.unwrap_or_else(|error| panic!("{error}"))];
        for references in [&references[..], &[]] {
            let sight = sight(&case, references);
            assert!(matches!(sight, Sight::Parts(_)));
            for ranks in [1, 4] {
                let (outcome, seen, fields) = run(&case, &sight, ranks);
                let (slope, time) = (WallSlope::EXACT, outcome.step.time);
                let whole = Flow::new(&case, &fields.velocity, &fields.pressure, slope, time);
                assert_eq!(seen.energy, Energy::of(&case, &fields.velocity));
                let flow = seen.flow(&case, slope, time);
                let [(picture, numbers), (whole_picture, whole_numbers)] =
                    [&flow, &whole].map(|flow| said(flow, references));
                assert_eq!(numbers, whole_numbers);
                assert!(picture == whole_picture, "pictures differ");
                assert!(seen.energy.kinetic_energy > 0.0 && !numbers.contains("NaN"), "{numbers}");
            }
        }
    }
}
