//! What is looked at of the last flow of a run, for what is said of it.

use std::sync::{Arc, Mutex};

use vortice_core::{
    Case, Cells, Energy, EnergySum, Extent, Field, Monitor, Quantity, Result, Sight, Snapshot,
    Verdict, WallSlope, Window, lock,
};
use vortice_post::Flow;

/// What is looked at of the last flow of a run.
#[derive(Clone, Debug)]
pub struct Seen {
    velocity: Kept,
    pressure: Kept,
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
    /// The flow of a case at a flow time in s, by a method whose slope at walls is known. What its [`Sight`]
    /// names can be asked for.
    pub fn flow<'a>(&'a self, case: &'a Case, wall_slope: WallSlope, time: f64) -> Flow<'a> {
        Flow::new(case, self.velocity.cells(), self.pressure.cells(), wall_slope, time)
    }
}

/// Keeps what is looked at of the last step on rank 0, and adds up its energies; clones share it.
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

    fn finish(&mut self, now: &mut Snapshot<'_>) -> Result<()> {
        let seen = match &self.sight {
            Sight::Whole => whole(now)?,
            Sight::Parts(parts) => some(now, parts)?,
        };
        *lock(&self.last) = seen;
        Ok(())
    }
}

/// All of a flow, on rank 0. Collective.
fn whole(now: &mut Snapshot<'_>) -> Result<Option<Seen>> {
    let fields = (now.whole(Quantity::Velocity)?, now.whole(Quantity::Pressure)?);
    let (Some(velocity), Some(pressure)) = fields else { return Ok(None) };
    let energy = now.with_threads(|| Energy::of(now.case, &velocity));
    Ok(Some(Seen { velocity: Kept::Whole(velocity), pressure: Kept::Whole(pressure), energy }))
}

/// Some boxes of a flow, on rank 0, slab by slab. Collective.
fn some(now: &mut Snapshot<'_>, boxes: &[Extent]) -> Result<Option<Seen>> {
    let is_first = now.ranks.rank() == 0;
    let unfilled = |quantity: Quantity| -> Vec<Window<'static>> {
        let boxes = boxes.iter().filter(|_| is_first);
        boxes.map(|extent| Window::unfilled(extent, quantity.components())).collect()
    };
    let [mut velocity, mut pressure] = [Quantity::Velocity, Quantity::Pressure].map(unfilled);
    let mut sum = EnergySum::default();
    for slab in Extent::whole(now.cut.cells).slabs(1) {
        if let Some(window) = now.window(Quantity::Velocity, &slab, true)? {
            now.with_threads(|| sum.add(now.case, &slab, &window));
            velocity.iter_mut().for_each(|one| one.fill(&slab, &window));
        }
        if let Some(window) = now.window(Quantity::Pressure, &slab, false)? {
            pressure.iter_mut().for_each(|one| one.fill(&slab, &window));
        }
    }
    let (velocity, pressure) = (Kept::Parts(velocity), Kept::Parts(pressure));
    Ok(is_first.then(|| Seen { velocity, pressure, energy: sum.mean() }))
}
