//! Between a grid and the next coarser one of the full approximation scheme; eqs. (V23) to (V26).

use vortice_core::{Children, Region, Result};
use vortice_linear::stencil::{residual, sum_plane, sum_space};

use super::{Cpu, Equations};
use crate::boundary::{SOLID, kind_of};
use crate::engine::Engine;
use crate::state::Flow;
use crate::stencil::{
    FIXED, MIRROR, OPEN, OUTLET, Pair, correction_beside, gradient, missing_on_face, prolonged,
};

impl Cpu {
    /// The flow becomes the coarser grid's, and what is missing in its equations what that one's ask for.
    pub(super) fn restrict_flow(&mut self) -> Result<()> {
        let Some(mut coarser) = self.coarser.take() else { return Ok(()) };
        self.assemble()?;
        self.restrict_cells(&mut coarser);
        self.restrict_faces(&mut coarser);
        let done = coarser.begin_correction();
        self.coarser = Some(coarser);
        done
    }

    /// Velocities, pressures and what is missing in the momentum equations.
    fn restrict_cells(&self, coarser: &mut Cpu) {
        let directions = self.fluid.directions;
        let children = Children::new(self.shape, directions);
        let (shape, pool) = (coarser.shape, coarser.pool.clone());
        let ([asked, _], kinds) = (&mut coarser.past, &coarser.faces.kinds);
        for c in 0..directions {
            pool.each_row(
                &Region::own(shape),
                [&mut coarser.now.u[c], &mut asked.u[c]],
                |row, [u, asked]| {
                    for i in 0..u.len() {
                        let first = children.first(i, row.j, row.k);
                        u[i] = children.mean(first, |at| self.now.u[c][at]);
                        let missing = children.mean(first, |at| self.missing_in_cell(c, at));
                        let flows = kinds[row.place + i] & SOLID == 0;
                        asked[i] = if flows { -missing } else { 0.0 };
                    }
                },
            );
        }
        pool.each_row(&Region::own(shape), [&mut coarser.now.p], |row, [p]| {
            for (i, p) in p.iter_mut().enumerate() {
                *p = children.mean(children.first(i, row.j, row.k), |at| self.now.p[at]);
            }
        });
    }

    /// What is missing in the momentum equation of a component, in m/s2.
    fn missing_in_cell(&self, c: usize, at: usize) -> f64 {
        let (u, strides) = (&self.now.u[c], self.shape.strides());
        let Equations { a, b, diagonal, .. } = &self.momentum;
        let low = |d: usize| u[at - strides[d]];
        let high = |d: usize| u[at + strides[d]];
        let sum = if self.fluid.directions == 2 {
            let a = [a[0][at], a[1][at], a[2][at], a[3][at]];
            sum_plane(a, [low(0), high(0), low(1), high(1)])
        } else {
            let a = [a[0][at], a[1][at], a[2][at], a[3][at], a[4][at], a[5][at]];
            sum_space(a, [low(0), high(0), low(1), high(1), low(2), high(2)])
        };
        residual(b[c][at], sum, diagonal[at], u[at])
    }

    /// Velocities through faces, and what is missing there.
    fn restrict_faces(&self, coarser: &mut Cpu) {
        let children = Children::new(self.shape, self.fluid.directions);
        let (shape, pool) = (coarser.shape, coarser.pool.clone());
        let Cpu { now, past: [_, begun], .. } = coarser;
        for d in 0..self.fluid.directions {
            pool.each_row(
                &Region::faces(shape, d),
                [&mut now.face_velocity[d], &mut begun.face_velocity[d]],
                |row, [velocity, missing]| {
                    for i in 0..velocity.len() {
                        let first = children.first(i, row.j, row.k);
                        let mean = |of: &dyn Fn(usize) -> f64| children.mean_on_face(d, first, of);
                        velocity[i] = mean(&|at| self.now.face_velocity[d][at]);
                        missing[i] = mean(&|at| self.missing_on_face(d, at, true));
                    }
                },
            );
        }
    }

    /// What is missing in the velocity through a low face, in m/s2 if it is open and in m/s at an outlet; eq. (V24).
    /// `asked` tells whether what is asked for there counts.
    fn missing_on_face(&self, d: usize, at: usize, asked: bool) -> f64 {
        let (s, fluid, factors) = (self.shape.strides()[d], &self.fluid, &self.factors);
        let kinds = [at - s, at, at + s].map(|at| kind_of(self.faces.kinds[at], d));
        if kinds[1] != OPEN && kinds[1] != OUTLET {
            return 0.0;
        }
        let u = Pair { low: self.now.u[d][at - s], high: self.now.u[d][at] };
        let velocity = self.now.face_velocity[d][at];
        let is_first = self.shape.cell(at)[d] == 0;
        let asked = if asked && factors.last != 0.0 {
            let Flow { u, face_velocity, .. } = &self.past[0];
            let last = Pair { low: u[d][at - s], high: u[d][at] };
            factors.last * (face_velocity[d][at] - on_face(last, kinds[1], is_first))
        } else {
            0.0
        };
        let above = velocity - on_face(u, kinds[1], is_first);
        if kinds[1] == OUTLET {
            return asked - above;
        }
        let (outlets, inverse_h, p) = (fluid.outlet_pressure[d], fluid.inverse_h[d], &self.now.p);
        let gradients = Pair {
            low: gradient(
                [p[at - 2 * s], p[at - s], p[at]],
                [kinds[0], kinds[1]],
                outlets,
                inverse_h,
            ),
            high: gradient([p[at - s], p[at], p[at + s]], [kinds[1], kinds[2]], outlets, inverse_h),
        };
        let diagonal = &self.momentum.diagonal;
        let relaxed = Pair { low: diagonal[at - s], high: diagonal[at] }.mean();
        missing_on_face(
            gradients,
            Pair { low: p[at - s], high: p[at] },
            inverse_h,
            (1.0 - factors.one_minus_alpha) * relaxed,
            above,
            asked,
        )
    }

    /// What these equations ask for becomes what the finer grid's miss and these do not; and the flow is kept from which
    /// the correction is counted.
    fn begin_correction(&mut self) -> Result<()> {
        self.assemble()?;
        let (shape, pool) = (self.shape, self.pool.clone());
        let mut asked = std::mem::take(&mut self.past[0].u);
        for (c, asked) in asked.iter_mut().enumerate().take(self.fluid.directions) {
            pool.each_row(&Region::own(shape), [asked], |row, [asked]| {
                for (i, asked) in asked.iter_mut().enumerate() {
                    let at = row.place + i;
                    let flows = self.faces.kinds[at] & SOLID == 0;
                    *asked = if flows { -self.missing_in_cell(c, at) } else { 0.0 };
                }
            });
        }
        self.past[0].u = asked;
        self.past[0].exchange_velocity(self.fluid.directions, &self.halo, &*self.ranks)?;
        let mut through = std::mem::take(&mut self.past[0].face_velocity);
        let [asked, begun] = &self.past;
        for (d, through) in through.iter_mut().enumerate().take(self.fluid.directions) {
            let s = shape.strides()[d];
            let (u, missing) = (&asked.u[d], &begun.face_velocity[d]);
            pool.each_row(&Region::faces(shape, d), [through], |row, [through]| {
                for (i, through) in through.iter_mut().enumerate() {
                    let at = row.place + i;
                    let pair = Pair { low: u[at - s], high: u[at] };
                    let here = missing[at] - self.missing_on_face(d, at, false);
                    let kind = kind_of(self.faces.kinds[at], d);
                    *through = on_face(pair, kind, shape.cell(at)[d] == 0) + here;
                }
            });
        }
        self.past[0].face_velocity = through;
        let Self { now: Flow { u, p, .. }, past: [_, begun], .. } = self;
        begun.u.clone_from(u);
        begun.p.clone_from(p);
        Ok(())
    }

    /// Adds what the coarser grid's flow has changed; eq. (V26).
    pub(super) fn prolong_correction(&mut self) -> Result<()> {
        let Some(mut coarser) = self.coarser.take() else { return Ok(()) };
        let done = self.add_correction_of(&mut coarser);
        self.coarser = Some(coarser);
        done
    }

    fn add_correction_of(&mut self, coarser: &mut Cpu) -> Result<()> {
        coarser.complete_velocity()?;
        coarser.halo.exchange(&*coarser.ranks, &mut [&mut coarser.now.p])?;
        let directions = self.fluid.directions;
        let (shape, pool) = (self.shape, self.pool.clone());
        let (now, begun, kinds) = (&coarser.now, &coarser.past[1], &coarser.faces.kinds);
        let strides = coarser.shape.strides();
        // `c` is none for the pressure, which has no value of its own at walls.
        let correction = |now: &[f64], begun: &[f64], c: Option<usize>, [i, j, k]: [isize; 3]| {
            let parent = [i / 2, j / 2, if directions == 3 { k / 2 } else { k }];
            let at = coarser.shape.index(parent);
            let own = now[at] - begun[at];
            let beside = |d: usize| {
                let is_high = [i, j, k][d] % 2 == 1;
                let next = if is_high { at + strides[d] } else { at - strides[d] };
                let kind = kind_of(kinds[if is_high { next } else { at }], d);
                let fixes = c.is_some() && (kind == FIXED || kind == MIRROR && c == Some(d));
                correction_beside(kind == OPEN, fixes, own, now[next] - begun[next])
            };
            let beside = [beside(0), beside(1), if directions == 3 { beside(2) } else { own }];
            prolonged(own, beside)
        };
        let solid = |at: usize| self.faces.kinds[at] & SOLID != 0;
        for c in 0..directions {
            let u = &mut self.now.u[c];
            pool.each_row(&Region::own(shape), [u], |row, [u]| {
                for (i, u) in u.iter_mut().enumerate() {
                    let cell = [i as isize, row.j, row.k];
                    let by = correction(&now.u[c], &begun.u[c], Some(c), cell);
                    *u += if solid(row.place + i) { 0.0 } else { by };
                }
            });
        }
        pool.each_row(&Region::own(shape), [&mut self.now.p], |row, [p]| {
            for (i, p) in p.iter_mut().enumerate() {
                let by = correction(&now.p, &begun.p, None, [i as isize, row.j, row.k]);
                *p += if solid(row.place + i) { 0.0 } else { by };
            }
        });
        self.complete_velocity()?;
        self.move_faces();
        Ok(())
    }

    /// Velocities through faces follow those of their cells, from which they differ by as much as before.
    fn move_faces(&mut self) {
        let Self { shape, pool, now, before, faces, fluid, .. } = self;
        for d in 0..fluid.directions {
            let s = shape.strides()[d];
            let (u, before, kinds) = (&now.u[d], &before[d], &faces.kinds);
            let shape = *shape;
            pool.each_row(
                &Region::faces(shape, d),
                [&mut now.face_velocity[d]],
                |row, [velocity]| {
                    for (i, velocity) in velocity.iter_mut().enumerate() {
                        let at = row.place + i;
                        let kind = kind_of(kinds[at], d);
                        let is_first = shape.cell(at)[d] == 0;
                        let of = |u: &[f64]| {
                            let pair = Pair { low: u[at - s], high: u[at] };
                            on_face(pair, kind, is_first)
                        };
                        let moved = of(u) + (*velocity - of(before));
                        *velocity = if kind == OPEN || kind == OUTLET { moved } else { *velocity };
                    }
                },
            );
        }
    }
}

/// What counts on a face: the mean of its cells, or at an outlet the one inside, which is above the first face of a part.
#[inline(always)]
fn on_face(pair: Pair, kind: u8, is_first: bool) -> f64 {
    if kind != OUTLET {
        pair.mean()
    } else if is_first {
        pair.high
    } else {
        pair.low
    }
}
