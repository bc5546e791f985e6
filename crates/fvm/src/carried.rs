//! A convective outlet: velocities that are carried out of the box, and what makes the outflow equal the inflow;
//! eqs. (V20), (V21).

use vortice_core::{
    Case, Communicator, Condition, ConvectiveOutlet, FaceKind, Result, Shape, Side, Subdomain,
    Surfaces,
};

use crate::settings::Factors;
use crate::state::Flow;
use crate::stencil::{carried, flux_in_units};

/// A unit of flux is the velocity scale over so many: rounding of double precision.
const UNITS: f64 = (1_u64 << 50) as f64;

vortice_gpu::mirrored! {
    /// A face of a convective outlet, of an own cell; in `carried_face.cuh`.
    pub(crate) struct CarriedFace {
        /// Place of the face.
        face: i64,
        /// Place of the cell beyond, where the velocity on the face is kept.
        ghost: i64,
        /// Place of the cell before it.
        inner: i64,
    }
}

/// The convective outlet of one subdomain.
#[derive(Clone, Debug)]
pub(crate) struct CarriedOut {
    pub(crate) faces: Vec<CarriedFace>,
    pub(crate) direction: usize,
    directions: usize,
    /// 1 where a positive velocity leaves, else -1.
    pub(crate) outward: f64,
    /// The outlet's speed over half of the spacing, in 1/s.
    pub(crate) rate: f64,
    /// Units of flux in 1 m/s.
    pub(crate) units: f64,
    /// The velocity in m/s that a unit of flux is at each face.
    pub(crate) share: f64,
    /// What prescribed velocities let out of the box, in units of flux; of all ranks.
    pub(crate) prescribed: i64,
}

impl CarriedOut {
    /// The outlet of a rank's part, if the case has one. Collective.
    ///
    /// # Errors
    /// If a rank has stopped.
    pub(crate) fn new(
        case: &Case,
        part: &Subdomain,
        shape: Shape,
        ranks: &dyn Communicator,
    ) -> Result<Option<Self>> {
        let Some(ConvectiveOutlet { direction: d, side: end, speed }) = ConvectiveOutlet::of(case)
        else {
            return Ok(None);
        };
        let surfaces = Surfaces::of_part(case, part);
        let spacing = case.grid.spacing();
        let units = UNITS / case.scale.velocity;
        let (mut faces, mut prescribed) = (Vec::new(), 0_i64);
        for (e, side, _) in
            case.boundaries.iter().filter(|(e, ..)| case.grid.directions().contains(e))
        {
            if part.neighbours[e][side as usize].is_some() {
                continue;
            }
            let last = if side == Side::Low { 0 } else { shape.cells[e] as isize - 1 };
            let own =
                shape.layer(e, last).filter(|cell| (0..3).all(|a| shape.own(a).contains(&cell[a])));
            for cell in own {
                match surfaces.face(cell, e, side) {
                    FaceKind::End(_, Condition::Velocity) => {
                        let outward = side.outward() as f64 * surfaces.velocity(cell, e, side)[e];
                        let flux = flux_in_units(outward * spacing[d] / spacing[e], units);
                        prescribed = prescribed.wrapping_add(flux);
                    }
                    FaceKind::End(_, Condition::Convective) => {
                        let ghost = side.next(cell, e);
                        let face = if side == Side::Low { cell } else { ghost };
                        let [face, ghost, inner] =
                            [face, ghost, cell].map(|at| shape.index(at) as i64);
                        faces.push(CarriedFace { face, ghost, inner });
                    }
                    _ => {}
                }
            }
        }
        let count = ranks.sum_exact(faces.len() as i128)?;
        let prescribed = ranks.sum_exact(prescribed.into())? as i64;
        Ok(Some(Self {
            faces,
            direction: d,
            directions: case.grid.directions().len(),
            outward: end.outward() as f64,
            rate: 2.0 * speed / spacing[d],
            units,
            share: 1.0 / (units * count as f64),
            prescribed,
        }))
    }

    /// The velocities inside, at the beginning.
    pub(crate) fn begin(&self, now: &mut Flow) {
        for at in &self.faces {
            for u in now.u.iter_mut().take(self.directions) {
                u[at.ghost as usize] = u[at.inner as usize];
            }
            let u = now.u[self.direction][at.ghost as usize];
            now.face_velocity[self.direction][at.face as usize] = u;
        }
    }

    /// Velocities at the outlet from those inside and, in time, those after the last steps. Collective.
    pub(crate) fn carry(
        &self,
        ranks: &dyn Communicator,
        now: &mut Flow,
        past: &[Flow; 2],
        factors: &Factors,
    ) -> Result<()> {
        let mut leak = 0_i64;
        for at in &self.faces {
            let (ghost, inner) = (at.ghost as usize, at.inner as usize);
            for c in 0..self.directions {
                let known = if factors.latest == 0.0 {
                    0.0
                } else {
                    factors.last * past[0].u[c][ghost] - factors.before * past[1].u[c][ghost]
                };
                now.u[c][ghost] = carried(known, now.u[c][inner], self.rate, factors.latest);
            }
            let flux = flux_in_units(self.outward * now.u[self.direction][ghost], self.units);
            leak = leak.wrapping_add(flux);
        }
        let leak = (ranks.sum_exact(leak.into())? as i64).wrapping_add(self.prescribed);
        let each = self.outward * (leak as f64 * self.share);
        for at in &self.faces {
            let u = &mut now.u[self.direction][at.ghost as usize];
            *u -= each;
            now.face_velocity[self.direction][at.face as usize] = *u;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use vortice_gpu::differences;

    #[test]
    fn the_face_equals_its_twin() {
        let header = include_str!("../../../kernels/fvm/carried_face.cuh");
        assert_eq!(differences(header, "CarriedFace", CarriedFace::FIELDS), [""; 0]);
    }
}
