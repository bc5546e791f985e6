//! Walls of bodies at their own place: what they change in the momentum equations, and what flows through their
//! faces; eqs. (V17) to (V19).

use vortice_core::{Real, Result};
use vortice_linear::stencil::residual;

use super::Cpu;
use super::assemble::Residuals;
use crate::body_faces::{BodyCell, BodyFace, NONE};
use crate::fluid::Fluid;
use crate::state::Flow;
use crate::stencil::{
    change_opposite, coefficient_at_body, felt_velocity, in_units, relaxed_at_body,
    signed_in_units, source_at_body, sum_of_units, velocity_at_body,
};

/// The flow that the faces are made from.
struct Around<'a> {
    flow: &'a Flow,
    fluid: &'a Fluid,
    faces: &'a [BodyFace<f64>],
    strides: [usize; 3],
}

/// A face with the places of its cells, and what flows through it.
struct Met<'a> {
    face: &'a BodyFace<f64>,
    d: usize,
    /// 1 if the axis leaves the cell there, else -1.
    sign: f64,
    here: usize,
    beyond: usize,
    opposite: usize,
    /// Place of the face, and of the one opposite.
    place: usize,
    place_opposite: usize,
}

impl Around<'_> {
    fn met(&self, number: usize) -> Met<'_> {
        let face = &self.faces[number];
        let (d, here) = (face.direction as usize, face.cell as usize);
        let (low, high) = (here - self.strides[d], here + self.strides[d]);
        let is_high = face.side == 1;
        Met {
            face,
            d,
            sign: if is_high { 1.0 } else { -1.0 },
            here,
            beyond: if is_high { high } else { low },
            opposite: if is_high { low } else { high },
            place: if is_high { high } else { here },
            place_opposite: if is_high { here } else { high },
        }
    }

    /// A component of the velocity on a face; eq. (V18).
    fn velocity(&self, met: &Met<'_>, c: usize) -> f64 {
        let (u, face) = (&self.flow.u[c], met.face);
        let [here, opposite] = [u[met.here], u[met.opposite]];
        velocity_at_body(face.share, face.wall[c], here, opposite, face.is_open == 1)
    }

    /// A component of the wall's velocity, as the cell feels it; eq. (V17).
    fn felt(&self, met: &Met<'_>, c: usize) -> f64 {
        let (face, opposite) = (met.face, self.flow.u[c][met.opposite]);
        felt_velocity(face.share, face.wall[c], opposite, face.is_open == 1)
    }

    /// What leaves a cell through its face at a body, or through the one opposite, over the spacing, in 1/s.
    fn outward(&self, met: &Met<'_>, is_opposite: bool) -> f64 {
        let (place, sign) = match is_opposite {
            true => (met.place_opposite, -met.sign),
            false => (met.place, met.sign),
        };
        sign * (self.flow.face_velocity[met.d][place] * self.fluid.inverse_h[met.d])
    }

    /// By how much more of a component leaves through the face opposite to a body's than was assembled.
    fn change_opposite<const SCHEME: u8>(&self, met: &Met<'_>, c: usize) -> f64 {
        let u = &self.flow.u[c];
        change_opposite::<SCHEME>(
            self.outward(met, true),
            u[met.opposite] - u[met.here],
            u[met.here],
            self.velocity(met, c),
            u[met.beyond],
        )
    }

    /// What a cell's faces change: coefficients, their sum, and sources by component.
    fn changes<const SCHEME: u8>(&self, cell: &BodyCell, a: [[f64; 2]; 3]) -> Changes {
        let (directions, blend) = (self.fluid.directions, self.fluid.blend);
        let (mut diagonal, mut source) = (0.0, [0.0; 3]);
        for d in 0..directions {
            for side in 0..2 {
                let (near, far) = (cell.near[d][side], cell.far[d][side]);
                if near != NONE {
                    let met = self.met(near as usize);
                    let (share, diffusion) = (met.face.share, self.fluid.diffusion[d]);
                    let inward = -self.outward(&met, false);
                    diagonal += coefficient_at_body(share, diffusion, inward) - a[d][side];
                    for (c, source) in source.iter_mut().enumerate().take(directions) {
                        *source += source_at_body(
                            share,
                            diffusion,
                            inward,
                            blend,
                            self.felt(&met, c),
                            self.velocity(&met, c),
                            self.flow.u[c][met.beyond],
                        );
                        if met.face.is_open == 1 {
                            *source -= blend * self.change_opposite::<SCHEME>(&met, c);
                        }
                    }
                }
                if far != NONE {
                    let met = self.met(far as usize);
                    for (c, source) in source.iter_mut().enumerate().take(directions) {
                        *source += blend * self.change_opposite::<SCHEME>(&met, c);
                    }
                }
            }
        }
        Changes { diagonal, source }
    }
}

/// What a cell's faces change in its equations.
struct Changes {
    /// Of the sum of coefficients, in 1/s.
    diagonal: f64,
    /// In m/s2, by component.
    source: [f64; 3],
}

impl Cpu {
    /// Completes the equations of cells beside bodies, from what was assembled for walls at rest on the faces of cells;
    /// tells how far from solved they are.
    pub(super) fn complete_beside_bodies<const SCHEME: u8>(&mut self) -> Residuals {
        let Self { fluid, factors, now, momentum, .. } = self;
        let strides = self.shape.strides();
        let around = Around { flow: now, fluid, faces: &self.body_faces.faces, strides };
        let mut found = Residuals::NONE;
        for cell in &self.body_faces.cells {
            let here = cell.cell as usize;
            let a = std::array::from_fn(|d| [0, 1].map(|side| momentum.a[2 * d + side][here]));
            let changes = around.changes::<SCHEME>(cell, a);
            for (d, near) in cell.near.iter().enumerate() {
                // The wall's part is in the source.
                (0..2).filter(|&side| near[side] != NONE).for_each(|side| {
                    momentum.a[2 * d + side][here] = 0.0;
                });
            }
            let diagonal = &mut momentum.diagonal[here];
            *diagonal += changes.diagonal * factors.over_alpha;
            momentum.inverse[here] = 1.0 / *diagonal;
            for c in 0..fluid.directions {
                let u = &now.u[c];
                let relaxed = (changes.diagonal * factors.over_alpha - changes.diagonal) * u[here];
                let b = &mut momentum.b[c][here];
                *b += relaxed + changes.source[c];
                let mut sum = 0.0;
                for d in 0..fluid.directions {
                    let [low, high] = [here - strides[d], here + strides[d]];
                    let a = [0, 1].map(|side| momentum.a[2 * d + side][here]);
                    sum += a[0] * u[low] + a[1] * u[high];
                }
                let residual = residual(*b, sum, *diagonal, u[here]);
                let largest = found.largest.max_magnitude(residual);
                found = Residuals {
                    largest,
                    sum: found.sum + i128::from(in_units(residual, fluid.units)),
                };
            }
        }
        found
    }

    /// Velocities through the faces of bodies, of which no body takes or gives any.
    pub(super) fn set_body_faces(&mut self) -> Result<()> {
        let units = self.body_faces.leak_units;
        let mut leaks = vec![0_i128; self.body_faces.spread.len()];
        for number in 0..self.body_faces.faces.len() {
            let (fluid, strides) = (&self.fluid, self.shape.strides());
            let faces = &self.body_faces.faces;
            let around = Around { flow: &self.now, fluid, faces, strides };
            let met = around.met(number);
            let now = around.velocity(&met, met.d);
            let (d, place, sign, face) = (met.d, met.place, met.sign, met.face);
            let velocity = relaxed_at_body(self.now.face_velocity[d][place], now);
            if face.is_own == 1 {
                let flow = sign * (velocity * fluid.inverse_h[d]);
                leaks[face.body as usize] += i128::from(signed_in_units(flow, units));
            }
            self.now.face_velocity[d][place] = velocity;
        }
        let back = leaks.into_iter().zip(&self.body_faces.spread).map(|(leak, spread)| {
            let leak = self.ranks.sum_exact(leak)?;
            let [low, high] = [leak & 0xffff_ffff, leak >> 32].map(|part| part as i64);
            Ok(sum_of_units(low, high) / units * spread)
        });
        let back = back.collect::<Result<Vec<f64>>>()?;
        for face in &self.body_faces.faces {
            let (d, here) = (face.direction as usize, face.cell as usize);
            let place = here + if face.side == 1 { self.shape.strides()[d] } else { 0 };
            let back = back[face.body as usize];
            self.now.face_velocity[d][place] += if face.side == 1 { -back } else { back };
        }
        Ok(())
    }
}
