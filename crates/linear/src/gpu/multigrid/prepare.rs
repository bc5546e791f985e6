//! Launches for everything that follows from the coefficients of the finest level.

use vortice_core::Result;
use vortice_gpu::value;

use super::gather::Gathered;
use super::levels::{Grid, Multigrid, Next, Storage};

impl Multigrid {
    /// Coefficients of all levels from those of the finest, and their inverse sums.
    pub fn prepare(&mut self) -> Result<()> {
        let launched = self.grids.len() - usize::from(self.small.is_some());
        for number in 0..launched {
            let Grid { storage, halo_of_coefficients, .. } = &mut self.grids[number];
            if let Some(halo) = halo_of_coefficients {
                halo.exchange(&*self.ranks, &mut [&mut storage.c])?;
            }
            match &self.grids[number].next {
                Some(next) if next.is_ragged => {
                    (0..self.directions).try_for_each(|d| self.coarsen_direction(number, d))?;
                    self.invert(number)?;
                }
                Some(_) => self.coarsen(number)?,
                None => self.invert(number)?,
            }
        }
        self.prepare_small()
    }

    fn prepare_small(&mut self) -> Result<()> {
        let Some(small) = self.small.as_ref().filter(|small| !small.coarsens) else {
            return Ok(());
        };
        let last = self.grids.len() - 1;
        let Grid { layout, storage, .. } = &mut self.grids[last];
        let Storage { c, inverse, .. } = storage;
        self.kernels.coarsen_small_levels.launch(
            layout.one_block(small.bytes(0, self.directions)),
            &[
                value("count", &small.count),
                value("keeps_coefficients", &i32::from(small.keeps_coefficients)),
                small.levels.input("levels"),
                c.output("c"),
                inverse.output("inverse"),
            ],
        )
    }

    fn invert(&mut self, number: usize) -> Result<()> {
        let Grid { layout, storage, .. } = &mut self.grids[number];
        self.kernels.invert_level.launch(
            layout.each_cell(),
            &[value("layout", layout), storage.c.input("c"), storage.inverse.output("inverse")],
        )
    }

    /// The coefficients of one direction on the next level, if coarse cells have children on two ranks.
    fn coarsen_direction(&mut self, number: usize, d: usize) -> Result<()> {
        let (finer, coarser) = self.grids.split_at_mut(number + 1);
        let (fine, coarse) = (&mut finer[number], &mut coarser[0]);
        let Some(Next { transfer, gathered, is_end, .. }) = &mut fine.next else { return Ok(()) };
        let (direction, is_end) = (d as i32, i32::from(is_end[d]));
        let Storage { c, r, .. } = &mut fine.storage;
        self.kernels.take_ends.launch(
            fine.layout.each_cell(),
            &[
                value("layout", &fine.layout),
                value("direction", &direction),
                value("is_end", &is_end),
                c.input("c"),
                r.output("ends"),
            ],
        )?;
        fine.halo.as_mut().map_or(Ok(()), |halo| halo.exchange(&*self.ranks, &mut [&mut *r]))?;
        let (layout, to) = match gathered {
            Some(Gathered { layout, own, .. }) => (*layout, own),
            None => (coarse.layout, &mut coarse.storage.c),
        };
        self.kernels.coarsen_direction.launch(
            layout.each_cell(),
            &[
                value("fine", &fine.layout),
                value("coarse", &layout),
                value("step", transfer),
                value("direction", &direction),
                c.input("c"),
                r.input("ends"),
                to.output("c_coarse"),
            ],
        )?;
        let Some(gathered) = gathered else { return Ok(()) };
        gathered.put_together(&*self.ranks, Some(d), &mut coarse.storage.c)
    }

    /// The coefficients of the next level, and this one's inverse sums.
    fn coarsen(&mut self, number: usize) -> Result<()> {
        let (finer, coarser) = self.grids.split_at_mut(number + 1);
        let (fine, coarse) = (&mut finer[number], &mut coarser[0]);
        let Some(Next { transfer, gathered, .. }) = &mut fine.next else { return Ok(()) };
        let (layout, to) = match gathered {
            Some(Gathered { layout, own, .. }) => (*layout, own),
            None => (coarse.layout, &mut coarse.storage.c),
        };
        self.kernels.coarsen_level.launch(
            layout.each_cell(),
            &[
                value("fine", &fine.layout),
                value("coarse", &layout),
                value("step", transfer),
                fine.storage.c.input("c"),
                to.output("c_coarse"),
                fine.storage.inverse.output("inverse"),
            ],
        )?;
        let Some(gathered) = gathered else { return Ok(()) };
        (0..self.directions)
            .try_for_each(|d| gathered.put_together(&*self.ranks, Some(d), &mut coarse.storage.c))
    }
}
