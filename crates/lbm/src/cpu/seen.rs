//! The flow in rows of cells, found in registers as a step finds it.

use std::borrow::Cow;

use pulp::{Simd, WithSimd};
use vortice_core::{ALL_REGISTERS, Field, RowBlock};

use super::Cpu;
use super::lines::{Block, Lines, Rows};
use crate::collide::rates::Force;
use crate::collide::{Rates, moments};
use crate::heat::{self, HeatRates, Populations, VELOCITIES};
use crate::number::{Pack, Packed};
use crate::population::{MOST_LANES, Population, lanes};
use crate::slots::Slots;
use crate::view::{self, RowFlow, Shown};
use crate::watch::solid_in_row;

/// What the flow is found from, row by row.
pub(super) struct Seen<'a, const Q: usize, T, P> {
    rows: Rows<'a, Q>,
    slots: &'a Slots<P>,
    rates: &'a Rates<T>,
    /// Of what may move it.
    heat: Option<HeatSeen<'a, T, P>>,
    solid: &'a [u8],
    arch: pulp::Arch,
}

/// What the force of heat is found from.
struct HeatSeen<'a, T, P> {
    rows: Rows<'a, VELOCITIES>,
    slots: &'a Slots<P>,
    rates: &'a HeatRates<T>,
}

impl<const Q: usize, T: Packed, P: Population<T>> Cpu<Q, T, P> {
    /// What its flow is found from.
    pub(super) fn rows_seen(&self) -> Seen<'_, Q, T, P> {
        let Self { layout, parity, slots, rates, solid, .. } = self;
        let heat = self.scalars.first().map(|heat| HeatSeen {
            rows: Rows::new(layout, *parity),
            slots: &heat.slots,
            rates: &heat.rates,
        });
        let (rows, arch) = (Rows::new(layout, *parity), self.pool.arch());
        Seen { rows, slots, rates, heat, solid, arch }
    }

    /// Velocity and pressure in some rows of the case.
    pub(super) fn seen_fields(&self, rows: &RowBlock) -> [Field; 2] {
        let (seen, shown) = (self.rows_seen(), self.shown(rows));
        view::fields(&self.settings, &shown, |row| seen.flow(row))
    }

    /// The velocity alone.
    pub(super) fn seen_velocity(&self, rows: &RowBlock) -> Field {
        let (seen, shown) = (self.rows_seen(), self.shown(rows));
        view::velocity(&self.settings, &shown, |row| seen.flow(row))
    }

    fn shown(&self, rows: &RowBlock) -> Shown {
        Shown { own: self.layout.shape.cells, rows: rows.clone() }
    }
}

impl<'a, const Q: usize, T: Packed, P: Population<T>> Seen<'a, Q, T, P> {
    /// The flow in the row with these indices in y and z.
    pub(super) fn flow(&self, [j, k]: [usize; 2]) -> RowFlow<'a, T> {
        let layout = self.rows.layout;
        let [n, n_j, _] = layout.shape.cells;
        // The last cells may not fill a register.
        let room = n.next_multiple_of(MOST_LANES);
        let mut values = [(); 4].map(|()| vec![T::default(); room]);
        InRow { seen: self, row: j + n_j * k, to: values.each_mut().map(|to| &mut to[..]) }.run();
        let solid = solid_in_row(self.solid, layout, [j, k]);
        RowFlow { values: values.map(Cow::Owned), solid: Cow::Borrowed(solid) }
    }
}

/// A row and where its flow goes: density less one and the components of the velocity, in lattice units.
struct InRow<'r, 'a, const Q: usize, T, P> {
    seen: &'r Seen<'a, Q, T, P>,
    row: usize,
    to: [&'r mut [T]; 4],
}

impl<const Q: usize, T: Packed, P: Population<T>> InRow<'_, '_, Q, T, P> {
    /// Finds it in registers: those of AVX2, since memory is slower than they are, and each kind takes long to compile.
    #[cfg(target_arch = "x86_64")]
    fn run(self) {
        use pulp::Arch::{V3, V4};
        if const { ALL_REGISTERS || (P::IN_REGISTERS && Q == 9) || Q == 19 } {
            match self.seen.arch {
                V4(simd) => return Simd::vectorize(*simd, self),
                V3(simd) => return Simd::vectorize(simd, self),
                _ => {}
            }
        }
        self.with_simd(pulp::Scalar);
    }

    /// Finds it, with the widest registers that the processor has.
    #[cfg(not(target_arch = "x86_64"))]
    fn run(self) {
        self.seen.arch.dispatch(self);
    }
}

impl<const Q: usize, T: Packed, P: Population<T>> WithSimd for InRow<'_, '_, Q, T, P> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let Self { seen, row, mut to } = self;
        let (n, width) = (seen.rows.layout.shape.cells[0], lanes::<S, T>());
        let lines = seen.rows.lines(row);
        let heat = seen.heat.as_ref().map(|heat| (heat, heat.rows.lines(row)));
        let mut i = 0;
        while i < n {
            let block = Block::new(i, width, n);
            let h: [Pack<S, T>; Q] = block.arriving(simd, seen.slots, &lines);
            let force = match &heat {
                None => seen.rates.force_on(h[0]),
                Some((heat, lines)) => heat.force(simd, &block, lines, seen.rates),
            };
            let found = moments::<Q, T, _>(&h, force);
            let [x, y, z] = found.u;
            for (to, value) in to.iter_mut().zip([found.density_deviation, x, y, z]) {
                to[i..][..width].copy_from_slice(bytemuck::cast_slice(&[value.1]));
            }
            i += width;
        }
    }
}

impl<T: Packed, P: Population<T>> HeatSeen<'_, T, P> {
    /// The force on a block of cells.
    #[inline(always)]
    fn force<S: Simd>(
        &self,
        simd: S,
        block: &Block,
        lines: &Lines<VELOCITIES>,
        rates: &Rates<T>,
    ) -> Force<Pack<S, T>> {
        let h: Populations<Pack<S, T>> = block.arriving(simd, self.slots, lines);
        heat::force(heat::temperature::<T, _>(&h), rates, self.rates)
    }
}
