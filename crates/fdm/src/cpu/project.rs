//! The velocity correction; eq. (F8).

use vortice_core::{Real, Region, Result};

use super::Cpu;
use crate::engine::Motion;
use crate::state::largest_speeds;
use crate::stencil::projected;

impl<T: Real> Cpu<T> {
    /// Subtracts the pressure gradient, completes the velocity, and tells how much it moved.
    pub(super) fn project_velocity(&mut self, dt: f64) -> Result<Motion> {
        let mut found = self.correct_velocity(dt)?;
        self.ranks.max(&mut found)?;
        let [x, y, z, change, scalar_change] = found;
        Ok(Motion { speed: [x, y, z], change, scalar_change })
    }

    /// The same, and how much it moved on this rank: speeds, change, change of scalars.
    pub(super) fn correct_velocity(&mut self, dt: f64) -> Result<[f64; 5]> {
        self.merge_pressure();
        let Self { shape, directions, spacing, u, f, p, walls, open, pool, .. } = self;
        let strides = shape.strides();
        let mut found = [0.0; 5];
        for a in 0..*directions {
            let (f, open, dt_h) = (&f[a], &open[a], T::from_f64(dt / spacing[a]));
            let most = pool.largest_of_rows(
                &Region::own(*shape),
                [&mut u[a]],
                #[inline(always)]
                |row, [out]| {
                    let n = out.len();
                    let (f, open) = (row.part(f, n), row.part(open, n));
                    let (here, before) = (row.part(p, n), &p[row.place - strides[a]..][..n]);
                    let (mut speed, mut change) = (T::default(), T::default());
                    for i in 0..n {
                        let new = projected(f[i], before[i], here[i], dt_h, open[i]);
                        change = change.max_magnitude(open[i] * (new - out[i]));
                        speed = speed.max_magnitude(new);
                        out[i] = new;
                    }
                    [speed, change]
                },
            );
            found[a] = most[0].to_f64();
            found[3] = found[3].max_magnitude(most[1].to_f64());
        }
        walls.project_outlets(u, f, p, T::from_f64(dt));
        self.forced.keep(&self.f, &mut self.u);
        self.outlet.keep(&self.f, &mut self.u);
        self.complete_halos()?;
        self.outlet.carry_ghosts(&mut self.u, T::from_f64(dt));
        self.walls.mirror(&mut self.u);
        found[4] = self.scalars.iter().map(|scalar| scalar.change).fold(0.0, f64::max_magnitude);
        Ok(found)
    }

    /// Largest magnitude of each velocity component at own faces, over all ranks.
    pub(crate) fn largest_speeds(&self) -> Result<[f64; 3]> {
        let mut found = largest_speeds(self.shape, &self.u[..self.directions]);
        self.ranks.max(&mut found)?;
        Ok(found)
    }
}
