//! Rows of cells in registers: take, collide, leave; eq. (L17).

use pulp::{Simd, WithSimd};
use vortice_core::{ALL_REGISTERS, Real};

use super::lines::{Block, Rows};
use crate::collide::chosen::collide_as;
use crate::collide::mrt::collide_mrt;
use crate::collide::rates::Forcing;
use crate::collide::{Collision, Rates, collide_regularised, collide_trt};
use crate::number::{Number, Pack, Packed};
use crate::population::{Population, lanes};
use crate::slots::Slots;

/// Some rows to be done with the widest registers.
pub(crate) struct Sweep<'a, const Q: usize, T, P> {
    pub(crate) rows: &'a Rows<'a, Q>,
    pub(crate) rates: &'a Rates<T>,
    pub(crate) slots: &'a Slots<P>,
    pub(crate) collision: Collision,
    pub(crate) from: usize,
    pub(crate) to: usize,
}

impl<const Q: usize, T: Packed, P: Population<T>> WithSimd for Sweep<'_, Q, T, P> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        match self.collision {
            // Both rates of SRT are the same: TRT gives its bits, and need not be compiled twice.
            Collision::Srt | Collision::Trt => self.each_row::<S, 0>(simd),
            Collision::Mrt => self.each_row::<S, 1>(simd),
            Collision::Regularised => self.each_row::<S, 2>(simd),
        }
    }
}

/// The collision of a number: that of [`Collision`].
#[inline(always)]
pub(crate) fn collide<const KIND: u8, const Q: usize, T: Real, V: Number<T>>(
    h: &mut [V; Q],
    rates: &Rates<T>,
    force: impl Forcing<V>,
) {
    match KIND {
        0 => collide_trt(h, rates, force),
        1 => collide_mrt(h, rates, force),
        _ => collide_regularised(h, rates, force),
    }
}

impl<const Q: usize, T: Packed, P: Population<T>> Sweep<'_, Q, T, P> {
    /// Does the rows, with the widest registers that the processor has.
    ///
    /// Each kind of register takes long to compile. So only the two usual lattices are compiled for
    /// the widest, 16-bit populations with D3Q19 only, and nothing for processors without AVX2; where the program is not
    /// optimised for use, only the usual lattices for AVX2.
    #[cfg(target_arch = "x86_64")]
    pub(crate) fn run(self, arch: pulp::Arch) {
        use pulp::Arch::{V3, V4};
        // Conditions in `const` leave out what is never used.
        if const { ALL_REGISTERS && ((P::IN_REGISTERS && Q == 9) || Q == 19) }
            && let V4(simd) = arch
        {
            return Simd::vectorize(simd, self);
        }
        if const { (P::IN_REGISTERS && (ALL_REGISTERS || Q == 9)) || Q == 19 } {
            match arch {
                V4(simd) => return Simd::vectorize(*simd, self),
                V3(simd) => return Simd::vectorize(simd, self),
                _ => {}
            }
        }
        self.each_cell();
    }

    /// Does the rows, with the widest registers that the processor has.
    #[cfg(not(target_arch = "x86_64"))]
    pub(crate) fn run(self, arch: pulp::Arch) {
        if const { P::IN_REGISTERS || Q == 19 } { arch.dispatch(self) } else { self.each_cell() }
    }

    /// Does the rows one cell after the other.
    fn each_cell(&self) {
        let (Rows { layout, parity, .. }, rates) = (self.rows, self.rates);
        let [nx, ny, _] = layout.shape.cells.map(|n| n as isize);
        for row in self.from as isize..self.to as isize {
            for i in 0..nx {
                let cell = [i, row % ny, row / ny];
                let place = |q| layout.arriving::<Q>(*parity, cell, q);
                let mut h: [T; Q] =
                    std::array::from_fn(|q| self.slots.take(place(q), 1)[0].widened());
                collide_as(self.collision, &mut h, rates, rates.force_on(T::default()));
                for (q, &h) in h.iter().enumerate() {
                    let place = layout.leaving::<Q>(*parity, cell, q);
                    self.slots.leave(place, 1)[0] = P::narrowed(h);
                }
            }
        }
    }

    #[inline(always)]
    fn each_row<S: Simd, const KIND: u8>(&self, simd: S) {
        let cells = self.rows.layout.shape.cells[0];
        let (width, slots) = (lanes::<S, T>(), self.slots);
        for row in self.from..self.to {
            let lines = self.rows.lines(row);
            let mut i = 0;
            while i < cells {
                let block = Block::new(i, width, cells);
                let mut h: [Pack<S, T>; Q] = block.arriving(simd, slots, &lines);
                collide::<KIND, Q, T, _>(&mut h, self.rates, self.rates);
                block.leaving(simd, slots, &lines, &h);
                i += width;
            }
        }
    }
}
