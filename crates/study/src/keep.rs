//! The last fields of a run, for what comes after it.

use std::sync::{Arc, Mutex};

use vortice_core::{Field, Monitor, Quantity, Result, Snapshot, Verdict, lock};

/// Velocity, pressure and temperature of the whole grid.
#[derive(Clone, Debug, PartialEq)]
pub struct Fields {
    /// Velocity in m/s at cell centres.
    pub velocity: Arc<Field>,
    /// Pressure in Pa at cell centres.
    pub pressure: Arc<Field>,
    /// Temperature in K at cell centres, of a flow with heat.
    pub temperature: Option<Arc<Field>>,
}

/// Keeps velocity, pressure and temperature of the last step on the whole grid on rank 0, 32 or 40 bytes a cell; clones share
/// them.
#[derive(Clone, Debug, Default)]
pub struct Keep {
    last: Arc<Mutex<Option<Fields>>>,
}

impl Keep {
    /// Keeps nothing yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// What was kept: nothing before the end of the run, and on ranks other than 0.
    pub fn take(&self) -> Option<Fields> {
        lock(&self.last).take()
    }
}

impl Monitor for Keep {
    fn after_step(&mut self, _now: &mut Snapshot<'_>) -> Result<Verdict> {
        Ok(Verdict::Continue)
    }

    fn finish(&mut self, now: &mut Snapshot<'_>) -> Result<()> {
        let fields = (now.whole(Quantity::Velocity)?, now.whole(Quantity::Pressure)?);
        let temperature = match now.case.carried().next() {
            Some(scalar) => now.whole(scalar.quantity)?,
            None => None,
        };
        if let (Some(velocity), Some(pressure)) = fields {
            *lock(&self.last) = Some(Fields { velocity, pressure, temperature });
        }
        Ok(())
    }
}
