//! Looking at the flow on the processor: its mass, and how much it changed.

use super::Cpu;
use crate::engine::MassAndChange;
use crate::number::Packed;
use crate::population::Population;
use crate::watch::Look;

impl<const Q: usize, T: Packed, P: Population<T>> Cpu<Q, T, P> {
    /// Looks at all cells, and remembers the velocities of those that are watched. All threads share it.
    pub(super) fn look(&mut self) -> MassAndChange {
        let mut seen = std::mem::take(&mut self.seen);
        let (cells, flows) = (self.layout.shape.cells, self.rows_seen());
        let look = Look { cells, watched: &self.watched, pool: &self.pool };
        let found = look.at(&mut seen, |row| flows.flow(row));
        self.seen = seen;
        found
    }
}
