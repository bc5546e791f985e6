//! A convective outlet: velocities that are carried out of the box, and what makes the outflow equal the inflow;
//! eqs. (V20), (V21).

use vortice_core::{
    Case, Communicator, Condition, ConvectiveOutlet, FaceKind, Result, Shape, Side, Subdomain, Surfaces,
};

use crate::settings::Factors;
use crate::state::Flow;
use crate::stencil::carried;

/// A unit of flux is the velocity scale over so many: rounding of double precision.
const UNITS: f64 = (1_u64 << 50) as f64;

/// A face of a convective outlet.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Face {
    /// Place of the face.
    face: usize,
    /// Place of the cell beyond, where the velocity on the face is kept.
    ghost: usize,
    /// Place of the cell before it.
    inner: usize,
    /// Whether that is an own cell, whose flux counts.
    counts: bool,
}

/// The convective outlet of one subdomain.
#[derive(Clone, Debug)]
pub(crate) struct CarriedOut {
    faces: Vec<Face>,
    direction: usize,
    directions: usize,
    /// 1 where a positive velocity leaves, else -1.
    outward: f64,
    /// The outlet's speed over half of the spacing, in 1/s.
    rate: f64,
    /// Units of flux in 1 m/s.
    units: f64,
    /// The velocity in m/s that a unit of flux is at each face.
    share: f64,
    /// What prescribed velocities let out of the box, in units of flux; of all ranks.
    prescribed: i128,
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
        let Some(ConvectiveOutlet { direction: d, side: end, speed }) = ConvectiveOutlet::of(case) else {
            return Ok(None);
        };
        let surfaces = Surfaces::of_part(case, part);
        let spacing = case.grid.spacing();
        let units = UNITS / case.scale.velocity;
        let (mut faces, mut prescribed, mut count) = (Vec::new(), 0, 0);
        for (e, side, _) in case.boundaries.iter().filter(|(e, ..)| case.grid.directions().contains(e)) {
            if part.neighbours[e][side as usize].is_some() {
                continue;
            }
            let last = if side == Side::Low { 0 } else { shape.cells[e] as isize - 1 };
            for cell in shape.layer(e, last) {
                let counts = (0..3).all(|a| shape.own(a).contains(&cell[a]));
                match surfaces.face(cell, e, side) {
                    FaceKind::End(_, Condition::Velocity) if counts => {
                        let inward = -side.outward() as f64 * surfaces.velocity(cell, e, side)[e];
                        prescribed -= in_units(inward * spacing[d] / spacing[e], units);
                    }
                    FaceKind::End(_, Condition::Convective) => {
                        let ghost = side.next(cell, e);
                        let upper = if side == Side::Low { cell } else { ghost };
                        let [face, ghost, inner] = [upper, ghost, cell].map(|at| shape.index(at));
                        faces.push(Face { face, ghost, inner, counts });
                        count += i128::from(counts);
                    }
                    _ => {}
                }
            }
        }
        let count = ranks.sum_exact(count)?;
        let prescribed = ranks.sum_exact(prescribed)?;
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
                u[at.ghost] = u[at.inner];
            }
            now.face_velocity[self.direction][at.face] = now.u[self.direction][at.ghost];
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
        let mut out = 0;
        for at in &self.faces {
            for c in 0..self.directions {
                let known = factors.last * past[0].u[c][at.ghost] - factors.before * past[1].u[c][at.ghost];
                now.u[c][at.ghost] = carried(known, now.u[c][at.inner], self.rate, factors.latest);
            }
            if at.counts {
                out += in_units(self.outward * now.u[self.direction][at.ghost], self.units);
            }
        }
        let leak = ranks.sum_exact(out)? + self.prescribed;
        let each = self.outward * (leak as f64 * self.share);
        let Flow { u, face_velocity, .. } = now;
        for at in &self.faces {
            let u = &mut u[self.direction][at.ghost];
            *u -= each;
            face_velocity[self.direction][at.face] = *u;
        }
        Ok(())
    }
}

/// A flux in m/s in whole units.
fn in_units(flux: f64, units: f64) -> i128 {
    (flux * units) as i128
}
