//! A convective outlet: velocities that are carried out of the box, and what makes the outflow equal the inflow;
//! eqs. (F20), (F21).

use vortice_core::{
    Case, Communicator, Condition, ConvectiveOutlet, FaceKind, Real, Result, Shape, Side, Subdomain,
};

use super::entries::{Carried, Fixed};
use super::forced::{STEPS, sum};
use super::site::Site;
use crate::stencil::{carried_on, carried_with, closed, flux_in_steps, leak_of_face};

/// The convective outlet of one subdomain.
#[derive(Clone, Debug, Default)]
pub(crate) struct CarriedOut<T> {
    /// Faces of the outlet, halo rows included.
    pub(crate) faces: Vec<Carried>,
    /// Velocities along it, half a cell beyond.
    pub(crate) ghosts: Vec<Carried>,
    /// 1 where a positive velocity leaves, else -1.
    pub(crate) outward: T,
    /// The outlet's speed over the spacing, in 1/s.
    pub(crate) rate: T,
    /// Units of flux in 1 m/s through a face of the outlet.
    pub(crate) steps: f64,
    /// The velocity in m/s that a unit of flux is at each face.
    pub(crate) share: f64,
    /// What prescribed velocities let out of the box, in units of flux; of all ranks.
    pub(crate) prescribed: i64,
    /// Whether the case has such an outlet.
    pub(crate) is_used: bool,
}

impl<T: Real> CarriedOut<T> {
    /// The outlet of a rank's part; `fixed` are its prescribed velocities. Collective.
    ///
    /// # Errors
    /// If a rank has stopped.
    pub(crate) fn new(
        case: &Case,
        part: &Subdomain,
        ranks: &dyn Communicator,
        shape: Shape,
        fixed: &[Fixed<T>],
    ) -> Result<Self> {
        let Some(outlet) = ConvectiveOutlet::of(case) else { return Ok(Self::default()) };
        let (site, d) = (Site::new(case, part, shape), outlet.direction);
        let mut carried = Self {
            outward: T::from_f64(outlet.side.outward() as f64),
            rate: T::from_f64(outlet.speed / case.grid.spacing()[d]),
            steps: STEPS / case.scale.velocity,
            is_used: true,
            ..Self::default()
        };
        if site.ends().any(|(d, side)| outlet.is_at(d, side)) {
            carried.faces = site.carried_faces(d, outlet.side);
            let along = case.grid.directions().filter(|&a| a != d);
            carried.ghosts = along.flat_map(|a| site.carried_ghosts(d, outlet.side, a)).collect();
        }
        let faces = carried.faces.iter().map(|face| i64::from(face.counts)).sum();
        let mut sums = [faces, carried.let_out(case, &site, shape, fixed, d)];
        sum(ranks, &mut sums)?;
        carried.share = 1.0 / (carried.steps * sums[0] as f64);
        carried.prescribed = sums[1];
        Ok(carried)
    }

    /// What the prescribed velocities of own cells let out of the box, in units of flux through faces across `d`.
    fn let_out(
        &self,
        case: &Case,
        site: &Site<'_>,
        shape: Shape,
        fixed: &[Fixed<T>],
        d: usize,
    ) -> i64 {
        let spacing = case.grid.spacing();
        let mut all = 0_i64;
        for fixed in fixed {
            let a = fixed.component as usize;
            let face = shape.cell(fixed.target as usize);
            for side in Side::BOTH {
                let cell = if side == Side::Low { face } else { Side::Low.next(face, a) };
                let is_own = (0..3).all(|e| shape.own(e).contains(&cell[e]));
                let kind = FaceKind::End(side, Condition::Velocity);
                if is_own && site.face(cell, a, side) == kind {
                    let flux =
                        side.outward() as f64 * fixed.value.to_f64() * spacing[d] / spacing[a];
                    all = all.wrapping_add(flux_in_steps(flux, self.steps));
                }
            }
        }
        all
    }

    /// Gives all that is carried the values next to it inside: at the beginning.
    pub(crate) fn begin(&self, u: &mut [Vec<T>]) {
        for at in self.faces.iter().chain(&self.ghosts) {
            let u = &mut u[at.component as usize];
            u[at.target as usize] = u[at.inner as usize];
        }
    }

    /// The prediction `f` at the outlet, from the velocity `u` of before. Collective.
    pub(crate) fn predict(
        &self,
        ranks: &dyn Communicator,
        u: &[Vec<T>],
        f: &mut [Vec<T>],
        dt: T,
    ) -> Result<()> {
        if !self.is_used {
            return Ok(());
        }
        let mut leak = 0_i64;
        for at in &self.faces {
            let (a, target) = (at.component as usize, at.target as usize);
            let value = carried_on(u[a][target], u[a][at.inner as usize], self.rate * dt);
            f[a][target] = value;
            let flux = flux_in_steps(self.outward * value, self.steps);
            leak = leak.wrapping_add(if at.counts > 0 { flux } else { 0 });
        }
        let mut leaks = [leak];
        sum(ranks, &mut leaks)?;
        let each = leak_of_face(leaks[0].wrapping_add(self.prescribed), self.share);
        for at in &self.faces {
            let f = &mut f[at.component as usize][at.target as usize];
            *f = closed(*f, self.outward, each);
        }
        Ok(())
    }

    /// Gives the faces the velocity that was predicted.
    pub(crate) fn keep(&self, f: &[Vec<T>], u: &mut [Vec<T>]) {
        for at in &self.faces {
            let (a, target) = (at.component as usize, at.target as usize);
            u[a][target] = f[a][target];
        }
    }

    /// The velocities beyond the outlet after a step, from those of before and the new ones inside.
    pub(crate) fn carry_ghosts(&self, u: &mut [Vec<T>], dt: T) {
        for at in &self.ghosts {
            let u = &mut u[at.component as usize];
            let target = at.target as usize;
            u[target] = carried_with(u[target], u[at.inner as usize], self.rate * dt);
        }
    }
}
