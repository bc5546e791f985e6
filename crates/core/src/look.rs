//! All of a flow looked at once, a slab at a time by each rank: its energies, and whether it is finite.

use bytemuck::{Pod, Zeroable};

use crate::derived::{Energy, EnergySum};
use crate::error::Result;
use crate::extent::Extent;
use crate::finite::is_finite;
use crate::monitor::{Look, Snapshot};
use crate::quantity::Quantity;

/// What is found in a slab.
#[derive(Clone, Copy, Default, Pod, Zeroable)]
#[repr(C)]
struct Found {
    sum: EnergySum,
    /// 1 if the pressure or a scalar is not finite somewhere.
    broken: f64,
}

impl Snapshot<'_> {
    /// The energies of the flow, on all ranks. All of the flow is looked at once for all that ask. Collective.
    ///
    /// # Errors
    /// If a rank or device fails.
    pub fn energy(&mut self) -> Result<Energy> {
        Ok(self.look(false)?.energy)
    }

    /// Whether velocity, pressure and scalars seem to be finite in all cells; see [`Look`]. Collective.
    pub(crate) fn is_finite(&mut self) -> Result<bool> {
        Ok(self.look(true)?.is_finite.unwrap_or(false))
    }

    fn look(&mut self, at_pressure: bool) -> Result<Look> {
        match self.look {
            Some(look) if look.is_finite.is_some() || !at_pressure => Ok(look),
            _ => {
                let look = self.look_at_all(at_pressure)?;
                self.look = Some(look);
                Ok(look)
            }
        }
    }

    /// Each rank looks at slabs that follow each other; their sums are added in the order of slabs, so that no bit
    /// depends on how many ranks there are.
    fn look_at_all(&mut self, at_pressure: bool) -> Result<Look> {
        let (ranks, case) = (self.ranks, self.case);
        let slabs: Vec<Extent> = Extent::whole(self.cut.cells).slabs(1).collect();
        let mut mine = Vec::new();
        for wanted in Extent::rounds(&slabs, ranks.size(), ranks.size()) {
            let velocity = self.windows(Quantity::Velocity, &wanted, true)?;
            // Of the same cells as the velocity: a lattice finds both at once.
            let pressure = match at_pressure {
                true => self.windows(Quantity::Pressure, &wanted, true)?,
                false => None,
            };
            let mut scalars: Vec<_> = pressure.into_iter().collect();
            for scalar in case.carried().filter(|_| at_pressure) {
                scalars.extend(self.windows(scalar.quantity, &wanted, false)?);
            }
            if let (Some(slab), Some(velocity)) = (&wanted[ranks.rank()], &velocity) {
                let sum = self.with_threads(|| EnergySum::of(case, slab, velocity));
                let is_broken = |field| !self.with_threads(|| is_finite(field));
                let broken = scalars.iter().any(|window| is_broken(window.field()));
                mine.push(Found { sum, broken: f64::from(u8::from(broken)) });
            }
        }
        let all = ranks.all_gather(bytemuck::cast_slice(&mine))?;
        let all = all.iter().flat_map(|bytes| bytes.chunks_exact(size_of::<Found>()));
        let all: Vec<Found> = all.map(bytemuck::pod_read_unaligned).collect();
        let energy = all.iter().map(|found| found.sum).sum::<EnergySum>().mean();
        let is_finite = energy.kinetic_energy.is_finite() && all.iter().all(|of| of.broken == 0.0);
        Ok(Look { energy, is_finite: at_pressure.then_some(is_finite) })
    }
}
