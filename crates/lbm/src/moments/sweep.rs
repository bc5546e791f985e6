//! A step of moments on the processor: rows of several planes at a time go through the planes of a slab, let the populations of
//! each leave and gather those that arrive; eqs. (L20) to (L22). Twin of kernels/lbm/advance_moments.cu.

use std::ops::Range;

use pulp::{Simd, WithSimd};

use super::collide::{NUMBERS, VELOCITIES, leaving_of, moments_of};
use super::places::{LANES, Places, in_row};
use super::walls::{Walls, returned_by};
use crate::collide::Rates;
use crate::lattice::{Lattice, opposite};
use crate::number::{Pack, Packed};
use crate::population::{Population, lanes};
use crate::slots::Slots;

const Q: usize = VELOCITIES;

/// Rows that go through a slab together.
pub(super) const ROWS: usize = 16;

/// Some rows on their way through the planes of a slab.
pub(super) struct Sweep<'a, T, P> {
    pub(super) places: &'a Places,
    pub(super) walls: &'a Walls,
    /// What they add.
    pub(super) additions: &'a [T],
    pub(super) rates: &'a Rates<T>,
    pub(super) values: &'a Slots<P>,
    /// Of the step.
    pub(super) parity: usize,
    pub(super) slab: Range<usize>,
    pub(super) rows: Range<usize>,
}

/// Populations as they leave, of a few planes of some rows and what is beside them.
struct Left<T> {
    values: Vec<T>,
    /// From one row of a population to the next.
    row: usize,
    /// Rows of a plane.
    rows: usize,
    /// Index of the first.
    first: isize,
    /// Planes that are kept: that which leaves, and the two before; one that is its own neighbour.
    planes: isize,
}

impl<T: Packed> Left<T> {
    fn new(cells: usize, rows: &Range<usize>, planes: isize) -> Self {
        // Room for the cell before the first, and for registers that reach beyond the last.
        let (row, rows, first) = (cells + 2 * LANES, rows.len() + 2, rows.start as isize - 1);
        let values = vec![T::default(); planes as usize * Q * rows * row];
        Self { values, row, rows, first, planes }
    }

    /// The place of population `q` of a cell.
    fn place(&self, [i, j, k]: [isize; 3], q: usize) -> usize {
        let plane = k.rem_euclid(self.planes) as usize;
        let row = (plane * Q + q) * self.rows + (j - self.first) as usize;
        (row * self.row + LANES).wrapping_add_signed(i)
    }

    fn at(&mut self, cell: [isize; 3], q: usize) -> &mut T {
        let place = self.place(cell, q);
        &mut self.values[place]
    }
}

/// Whether a row or plane beyond the own ones is a halo's, the first again, or none.
fn beside(places: &Places, d: usize, at: isize) -> Option<isize> {
    let n = places.cells[d] as isize;
    if (0..n).contains(&at) {
        return Some(at);
    }
    match places.ends[d][usize::from(at >= n)] {
        true => None,
        false if places.halo[d] > 0 => Some(at),
        false => Some(at.rem_euclid(n)),
    }
}

impl<T: Packed, P: Population<T>> Sweep<'_, T, P> {
    /// Does them, with registers of AVX2 where the processor has them.
    #[cfg(target_arch = "x86_64")]
    pub(super) fn run(self, arch: pulp::Arch) {
        use pulp::Arch::{V3, V4};
        match arch {
            V4(simd) => Simd::vectorize(*simd, self),
            V3(simd) => Simd::vectorize(simd, self),
            _ => self.with_simd(pulp::Scalar),
        }
    }

    /// Does them, with the widest registers that the processor has.
    #[cfg(not(target_arch = "x86_64"))]
    pub(super) fn run(self, arch: pulp::Arch) {
        arch.dispatch(self);
    }

    /// Lets the populations of plane `k` leave.
    #[inline(always)]
    fn leave<S: Simd>(&self, simd: S, left: &mut Left<T>, k: isize) {
        let (places, n) = (self.places, self.places.cells[0]);
        let Some(from_plane) = beside(places, 2, k) else { return };
        for j in self.rows.start as isize - 1..=self.rows.end as isize {
            let Some(from_row) = beside(places, 1, j) else { continue };
            let row = places.cell(self.parity, [0, from_row, from_plane]);
            let (to, next) = (left.place([0, j, k], 0), left.rows * left.row);
            let mut i = 0;
            while i < n {
                let m = self.taken(simd, row + in_row(i));
                let h = leaving_of(&m, self.rates, self.rates);
                for (q, h) in h.into_iter().enumerate() {
                    let place = to + q * next + i;
                    T::store(simd, h.1, &mut left.values[place..place + lanes::<S, T>()]);
                }
                i += lanes::<S, T>();
            }
            for i in [-1, n as isize] {
                let Some(from) = beside(places, 0, i) else { continue };
                let place = places.cell(self.parity, [from, from_row, from_plane]);
                let m =
                    std::array::from_fn(|n| self.values.take(place + n * LANES, 1)[0].widened());
                let h: [T; Q] = leaving_of(&m, self.rates, self.rates);
                h.into_iter().enumerate().for_each(|(q, h)| *left.at([i, j, k], q) = h);
            }
        }
    }

    #[inline(always)]
    fn taken<S: Simd>(&self, simd: S, place: usize) -> [Pack<S, T>; NUMBERS] {
        std::array::from_fn(
            #[inline(always)]
            |n| Pack(simd, P::load(simd, self.values.take(place + n * LANES, lanes::<S, T>()))),
        )
    }

    /// Puts what walls return to the cells of a plane where they will look for it, along the velocities whose component in z
    /// counts; eq. (L13).
    fn return_from_walls(&self, left: &mut Left<T>, k: isize, counts: impl Fn(i8) -> bool) {
        let n = self.places.cells[0];
        for j in self.rows.start as isize..self.rows.end as isize {
            let is_along_wall = self.walls.at_ends([-1, j, k], self.places.ends).contains(&true);
            let step = if is_along_wall { 1 } else { (n - 1).max(1) };
            for i in (0..n as isize).step_by(step) {
                let cell = [i, j, k];
                let at_ends = self.walls.at_ends(cell, self.places.ends);
                for q in (1..Q).filter(|&q| counts(Lattice::<Q>::C[q][2])) {
                    let Some(end) = returned_by(at_ends, q) else { continue };
                    let mut back = *left.at(cell, opposite(q));
                    if let Some(place) = self.walls.place(end, cell, q) {
                        back += self.additions[place];
                    }
                    let c = Lattice::<Q>::C[q].map(isize::from);
                    *left.at(std::array::from_fn(|d| cell[d] - c[d]), q) = back;
                }
            }
        }
    }

    /// Writes the moments of what arrives in plane `k`.
    #[inline(always)]
    fn gather<S: Simd>(&self, simd: S, left: &Left<T>, k: isize) {
        for j in self.rows.start as isize..self.rows.end as isize {
            let to = self.places.cell(1 - self.parity, [0, j, k]);
            let from: [usize; Q] = std::array::from_fn(|q| {
                let c = Lattice::<Q>::C[q].map(isize::from);
                left.place([-c[0], j - c[1], k - c[2]], q)
            });
            let mut i = 0;
            while i < self.places.cells[0] {
                let h: [Pack<S, T>; Q] = std::array::from_fn(
                    #[inline(always)]
                    |q| Pack(simd, T::load(simd, &left.values[from[q] + i..][..lanes::<S, T>()])),
                );
                let place = to + in_row(i);
                for (n, m) in moments_of::<T, _>(&h).into_iter().enumerate() {
                    let to = self.values.leave(place + n * LANES, lanes::<S, T>());
                    P::store(simd, m.1, to);
                }
                i += lanes::<S, T>();
            }
        }
    }
}

impl<T: Packed, P: Population<T>> WithSimd for Sweep<'_, T, P> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let (n, is_own_neighbour) = (self.places.cells[0], self.places.halo[2] == 0);
        let mut left = Left::new(n, &self.rows, if is_own_neighbour { 1 } else { 3 });
        if is_own_neighbour {
            self.leave(simd, &mut left, 0);
            self.return_from_walls(&mut left, 0, |_| true);
            return self.gather(simd, &left, 0);
        }
        let [first, end] = [self.slab.start, self.slab.end].map(|k| k as isize);
        for k in first - 1..=end {
            self.leave(simd, &mut left, k);
            // Upwards and within the plane of what leaves now; downwards of what left before.
            if k >= first && k < self.places.cells[2] as isize {
                self.return_from_walls(&mut left, k, |c_z| c_z >= 0);
            }
            if k > first {
                self.return_from_walls(&mut left, k - 1, |c_z| c_z < 0);
                self.gather(simd, &left, k - 1);
            }
        }
    }
}
