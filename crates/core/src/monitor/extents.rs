//! What is asked of many small parts of a flow at once.

use super::{Every, Snapshot};
use crate::case::ProbeTimes;
use crate::error::Result;
use crate::extent::Extent;
use crate::quantity::Quantity;
use crate::window::Window;

impl From<ProbeTimes> for Every {
    fn from(times: ProbeTimes) -> Self {
        match times {
            ProbeTimes::Steps(steps) => Self::Steps(steps),
            ProbeTimes::Seconds(seconds) => Self::Seconds(seconds),
        }
    }
}

impl Snapshot<'_> {
    /// Velocity or pressure in some extents of the whole grid, each in a window of its own: on rank 0, nothing on the
    /// others. Only rows of cells that the extents touch are fetched from a device. Collective.
    ///
    /// # Errors
    /// If a rank or device fails.
    pub fn in_extents(
        &mut self,
        quantity: Quantity,
        extents: &[Extent],
    ) -> Result<Vec<Window<'static>>> {
        let mut wanted = vec![Vec::new(); self.ranks.size()];
        wanted[0] = extents.to_vec();
        let fields = self.parts(quantity, &wanted)?;
        Ok(extents.iter().zip(fields).map(|(extent, field)| Window::of(extent, field)).collect())
    }
}
