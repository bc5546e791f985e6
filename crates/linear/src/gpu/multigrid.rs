//! Launches of the multigrid cycle, whose order is that of the processor's: [`v_cycle`].

mod gather;
mod levels;
mod prepare;
mod regions;

use vortice_core::Result;
use vortice_gpu::{Buffer, value};

use crate::cycle::{
    Colour, Hierarchy, Smoothing, Weight, prolong_and_sweep, sweep_and_restrict, v_cycle,
};
use gather::Gathered;
use levels::{Grid, Next};
pub use levels::{Multigrid, Storage};

impl Multigrid {
    /// One V-cycle on the finest level; `from_zero` says that the unknown is zero, whatever it holds.
    pub fn cycle(&mut self, smoothing: Smoothing, from_zero: bool) -> Result<()> {
        let finest = &mut self.grids[0];
        finest.is_zero = from_zero;
        if finest.halo_of_coefficients.is_some() {
            // The other ranks see it.
            if from_zero {
                finest.storage.x.clear()?;
            }
            self.fill_halo(0)?;
        }
        self.smoothing = smoothing;
        v_cycle(self, smoothing)
    }

    /// From now on each cycle works out the coefficients of the smallest levels itself, if they have room on the chip, and
    /// [`Self::prepare`] does not: for coefficients that change before almost every cycle.
    pub fn coarsen_in_cycles(&mut self) {
        let Some(small) = &mut self.small else { return };
        small.coarsens = small.keeps_coefficients;
    }

    /// z = M r: one V-cycle from zero, with `r` for the right-hand side. Both have the finest level's
    /// layout.
    pub fn precondition(
        &mut self,
        smoothing: Smoothing,
        r: &mut Buffer<f64>,
        z: &mut Buffer<f64>,
    ) -> Result<()> {
        self.exchange_finest(r, z);
        self.grids[0].is_zero = true;
        self.smoothing = smoothing;
        let done = v_cycle(self, smoothing);
        self.exchange_finest(r, z);
        done
    }

    /// Puts other arrays in the place of the finest level's right-hand side and unknown.
    fn exchange_finest(&mut self, b: &mut Buffer<f64>, x: &mut Buffer<f64>) {
        let Storage { b: own_b, x: own_x, .. } = &mut self.grids[0].storage;
        std::mem::swap(own_b, b);
        std::mem::swap(own_x, x);
    }

    fn fill_halo(&mut self, number: usize) -> Result<()> {
        let Grid { halo, storage, .. } = &mut self.grids[number];
        halo.as_mut().map_or(Ok(()), |halo| halo.exchange(&*self.ranks, &mut [&mut storage.x]))
    }

    /// All of a cycle on the small levels.
    fn solve_small(&mut self) -> Result<()> {
        let Some(small) = &self.small else { return Ok(()) };
        let last = self.grids.len() - 1;
        let Grid { layout, storage, is_zero, .. } = &mut self.grids[last];
        let from_zero = i32::from(std::mem::take(is_zero));
        let [pre, post] = [self.smoothing.pre as i32, self.smoothing.post as i32];
        let Storage { c, inverse, x, b, .. } = storage;
        self.kernels.small_levels.launch(
            layout.one_block(small.bytes(2, self.directions + 1)),
            &[
                value("count", &small.count),
                value("pre", &pre),
                value("post", &post),
                value("from_zero", &from_zero),
                value("keeps_coefficients", &i32::from(small.keeps_coefficients)),
                value("coarsens", &i32::from(small.coarsens)),
                small.levels.input("levels"),
                c.input("c"),
                inverse.input("inverse"),
                b.input("b"),
                x.output("x"),
            ],
        )
    }

    fn relax_alone(&mut self, number: usize, colour: Colour, omega: f64) -> Result<()> {
        let colour = i32::from(colour == Colour::Black);
        let Grid { layout, storage, is_zero, .. } = &mut self.grids[number];
        let from_zero = i32::from(std::mem::take(is_zero));
        let Storage { c, inverse, x, b, .. } = storage;
        self.kernels.relax_level.launch(
            layout.each_of_colour(),
            &[
                value("layout", layout),
                value("colour", &colour),
                value("omega", &omega),
                value("from_zero", &from_zero),
                c.input("c"),
                inverse.input("inverse"),
                b.input("b"),
                x.output("x"),
            ],
        )
    }

    /// The second colour, after the correction that is still to be added.
    fn relax_corrected(&mut self, number: usize) -> Result<()> {
        let (finer, coarser) = self.grids.split_at_mut(number + 1);
        let (fine, coarse) = (&mut finer[number], &coarser[0]);
        fine.lacks_correction = false;
        let Some(Next { transfer, .. }) = &fine.next else { return Ok(()) };
        let Storage { c, inverse, x, b, .. } = &mut fine.storage;
        self.kernels.prolong_and_relax.launch(
            fine.layout.each_of_colour(),
            &[
                value("fine", &fine.layout),
                value("coarse", &coarse.layout),
                value("step", transfer),
                c.input("c"),
                inverse.input("inverse"),
                b.input("b"),
                coarse.storage.x.input("x_coarse"),
                x.output("x"),
            ],
        )
    }

    /// The residuals of a level, if children of a coarse cell are on two ranks.
    fn find_residual(&mut self, number: usize) -> Result<()> {
        let Grid { layout, storage, halo, .. } = &mut self.grids[number];
        let Storage { c, x, b, r, .. } = storage;
        self.kernels.residual_level.launch(
            layout.each_cell(),
            &[value("layout", layout), c.input("c"), b.input("b"), x.input("x"), r.output("r")],
        )?;
        halo.as_mut().map_or(Ok(()), |halo| halo.exchange(&*self.ranks, &mut [r]))
    }

    /// The right-hand side of the next level, from residuals that were found or at once.
    fn sum_residuals(&mut self, number: usize) -> Result<()> {
        let (finer, coarser) = self.grids.split_at_mut(number + 1);
        let (fine, coarse) = (&mut finer[number], &mut coarser[0]);
        coarse.is_zero = true;
        let Some(Next { transfer, gathered, is_ragged, .. }) = &mut fine.next else {
            return Ok(());
        };
        let (layout, to) = match gathered {
            Some(Gathered { layout, own, .. }) => (*layout, own),
            None => (coarse.layout, &mut coarse.storage.b),
        };
        let levels =
            [value("fine", &fine.layout), value("coarse", &layout), value("step", transfer)];
        let [one, two, three] = levels;
        let Storage { c, x, b, r, .. } = &fine.storage;
        let to = to.output("b_coarse");
        if *is_ragged {
            let arguments = [one, two, three, r.input("r"), to];
            self.kernels.sum_residuals.launch(layout.each_cell(), &arguments)?;
        } else {
            let arguments = [one, two, three, c.input("c"), b.input("b"), x.input("x"), to];
            self.kernels.restrict_level.launch(layout.each_cell(), &arguments)?;
        }
        match gathered {
            Some(gathered) => gathered.put_together(&*self.ranks, None, &mut coarse.storage.b),
            None => Ok(()),
        }
    }
}

impl Hierarchy for Multigrid {
    fn levels(&self) -> usize {
        self.grids.len()
    }

    fn relax(&mut self, level: usize, colour: Colour, weight: Weight) -> Result<()> {
        if self.small.is_some() && level + 1 == self.grids.len() {
            return self.solve_small();
        }
        let Grid { next, lacks_correction, .. } = &self.grids[level];
        if *lacks_correction {
            self.relax_corrected(level)?;
        } else {
            let joining = next.as_ref().filter(|_| weight == Weight::Joining);
            let omega = joining.map_or(1.0, |next| next.transfer.omega);
            self.relax_alone(level, colour, omega)?;
        }
        self.fill_halo(level)
    }

    fn restrict(&mut self, fine: usize) -> Result<()> {
        if self.grids[fine].next.as_ref().is_some_and(|next| next.is_ragged) {
            self.find_residual(fine)?;
        }
        self.sum_residuals(fine)
    }

    fn prolong(&mut self, fine: usize) -> Result<()> {
        let (finer, coarser) = self.grids.split_at_mut(fine + 1);
        let (Grid { layout, storage, next, lacks_correction, .. }, coarse) =
            (&mut finer[fine], &coarser[0]);
        let Some(Next { transfer, joined, .. }) = next else { return Ok(()) };
        if *joined && self.smoothing.post > 0 {
            // Done by the relaxation that comes next.
            *lacks_correction = true;
            return Ok(());
        }
        self.kernels.prolong_level.launch(
            layout.each_cell(),
            &[
                value("fine", layout),
                value("coarse", &coarse.layout),
                value("step", transfer),
                coarse.storage.x.input("x_coarse"),
                storage.x.output("x"),
            ],
        )?;
        self.fill_halo(fine)
    }

    fn descend(&mut self, level: usize, smoothing: Smoothing) -> Result<()> {
        if self.sweeps_regions(level, smoothing) {
            return self.descend_by_regions(level, smoothing);
        }
        sweep_and_restrict(self, level, smoothing)
    }

    fn ascend(&mut self, level: usize, smoothing: Smoothing) -> Result<()> {
        if self.sweeps_regions(level, smoothing) {
            return self.ascend_by_regions(level, smoothing);
        }
        prolong_and_sweep(self, level, smoothing)
    }
}
