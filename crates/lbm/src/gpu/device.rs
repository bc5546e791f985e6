//! The populations of one subdomain on a device, and the verbs of a step as launches.

use std::sync::Arc;

use vortice_core::{Communicator, Real, Result};
use vortice_gpu::{Buffer, DelayedNumber, DeviceHalo, Gpu, value};

use super::lists::{AdditionList, BodyList, OutletList, SwapList};
use super::march::Moments;
use super::numbers::{Layout, Rates, each_entry};
use super::program::Kernels;
use super::reach::Reach;
use super::region::{Piece, Regions};
use super::visit::Visit;
use super::warmth::Warmth;

/// Cells from which on a step takes so long that its launches do not count.
const MANY_CELLS: usize = 1 << 21;

/// One subdomain on a device. Its verbs launch and do not wait.
pub(crate) struct Device<T, P> {
    pub(crate) gpu: Gpu,
    pub(crate) kernels: Kernels,
    pub(crate) layout: Layout,
    /// In a step of each parity.
    pub(crate) reaches: [Reach; 2],
    /// What is done first, and what then.
    pub(crate) regions: Regions,
    pub(crate) rates: Rates<T>,
    /// Of a block that streams and collides, with a cell each.
    pub(crate) threads: u32,
    /// Of the next step.
    pub(crate) parity: usize,
    /// Populations less their weights, or moments.
    pub(crate) f: Buffer<P>,
    /// If moments are stored.
    pub(crate) moments: Option<Moments<T>>,
    /// The exchange after a step of each parity.
    pub(crate) halos: [DeviceHalo; 2],
    pub(crate) outlets: OutletList<T>,
    /// How fast outlets forget, per step.
    pub(crate) forget: T,
    /// Cells that a convective outlet carries the flow on by in a step, zero at others.
    pub(crate) carry: T,
    pub(crate) swaps: SwapList,
    pub(crate) bodies: BodyList<T>,
    pub(crate) additions: AdditionList<T>,
    /// What may move the flow, or the first of what it carries.
    pub(crate) heat: Warmth<T, P>,
    /// What else it carries.
    pub(crate) others: Vec<Warmth<T, P>>,
    /// If this is a coarser grid of cycles.
    pub(crate) visit: Option<Visit<T>>,
    /// Whether the force of the rates changes with time.
    pub(crate) force_changes: bool,
    /// Whether a population was not finite.
    pub(crate) broken: DelayedNumber<i32>,
    pub(crate) ranks: Arc<dyn Communicator>,
}

impl<T: Real, P: bytemuck::Pod> Device<T, P> {
    /// Whether nothing leaves the device in a step, so that steps can be captured.
    pub(crate) fn stays_on_device(&self) -> bool {
        let sums_leaks = self.bodies.leak.is_some() && self.ranks.size() > 1;
        let halos_stay = self.halos.iter().all(DeviceHalo::stays_on_device);
        !sums_leaks && halos_stay && self.scalars().all(Warmth::stays_on_device)
    }

    /// Whether steps are captured: the host has no part in them, no number of a launch changes, and launches take longer
    /// than what they do.
    pub(crate) fn is_captured(&self) -> bool {
        self.stays_on_device() && !self.force_changes && self.layout.n_cells() < MANY_CELLS
    }

    /// Whether messages travel while cells are done.
    fn overlaps(&self) -> bool {
        !self.regions.outer.is_empty() && self.stays_on_device()
    }

    /// Where own cells lie before the next step.
    pub(crate) fn layout_now(&self) -> Layout {
        let of_moments = self.moments.as_ref().map(|m| m.layout(self.parity, &self.layout));
        of_moments.unwrap_or(self.layout)
    }

    /// Takes the moments of cells beside this part from other ranks.
    pub(crate) fn fill_halo(&mut self) -> Result<()> {
        self.halos[1 - self.parity].exchange(&*self.ranks, &mut [&mut self.f])
    }

    pub(crate) fn stream_and_collide(&mut self) -> Result<()> {
        if let Some(moments) = &self.moments {
            let of_step = (&self.layout, &self.rates, self.parity);
            return moments.advance(&self.kernels, of_step, &mut self.f, self.broken.number());
        }
        let overlaps = self.overlaps();
        // No two cells have a place in common, so the outer ones go there too if there they go first: in
        // a graph streams have no priority.
        let outer_forked = overlaps && !self.is_captured();
        if !outer_forked {
            self.do_outer_regions()?;
        }
        if overlaps {
            let gpu = self.gpu.clone();
            gpu.fork(|| {
                if outer_forked {
                    self.do_outer_regions()?;
                }
                self.halos[self.parity].exchange(&*self.ranks, &mut [&mut self.f])?;
                self.exchange_scalars()
            })?;
        }
        (0..self.regions.inner.len())
            .try_for_each(|number| self.do_piece(self.regions.inner[number]))
    }

    fn do_outer_regions(&mut self) -> Result<()> {
        let count = self.regions.outer.len();
        (0..count).try_for_each(|number| self.do_piece(self.regions.outer[number]))
    }

    fn do_piece(&mut self, Piece { region, takes_two }: Piece) -> Result<()> {
        let parity = self.parity as i32;
        let Self { layout, rates, heat, others, kernels, f, broken, .. } = self;
        for scalar in others {
            let of_step = (&*layout, &region, &*rates, self.parity);
            scalar.carry(kernels, of_step, (heat, f), broken.number())?;
        }
        if self.heat.is_there() {
            return self.kernels.stream_collide_warm.launch(
                self.layout.each_cell(region.size(), self.threads),
                &[
                    value("layout", &self.layout),
                    value("region", &region),
                    value("rates", &self.rates),
                    value("heat", &self.heat.rates),
                    value("parity", &parity),
                    self.heat.sources.input("sources"),
                    self.f.output("f"),
                    self.heat.h.output("warm"),
                    self.broken.number().output("broken"),
                ],
            );
        }
        if takes_two {
            return self.kernels.stream_collide_two.launch(
                self.layout.two_cells_each(region.size()),
                &[
                    value("layout", &self.layout),
                    value("region", &region),
                    value("rates", &self.rates),
                    value("reach", &self.reaches[self.parity]),
                    self.f.output("f"),
                    self.broken.number().output("broken"),
                ],
            );
        }
        self.kernels.stream_collide.launch(
            self.layout.each_cell(region.size(), self.threads),
            &[
                value("layout", &self.layout),
                value("region", &region),
                value("rates", &self.rates),
                value("reach", &self.reaches[self.parity]),
                value("parity", &parity),
                self.f.output("f"),
                self.broken.number().output("broken"),
            ],
        )
    }

    /// Afterwards the populations of other ranks are there.
    pub(crate) fn exchange(&mut self) -> Result<()> {
        if self.overlaps() {
            return self.gpu.join_fork();
        }
        let halo = &mut self.halos[self.parity];
        if !halo.is_empty() {
            halo.exchange(&*self.ranks, &mut [&mut self.f])?;
        }
        self.exchange_scalars()
    }

    fn exchange_scalars(&mut self) -> Result<()> {
        let Self { heat, others, parity, ranks, .. } = self;
        heat.exchange(*parity, &**ranks)?;
        others.iter_mut().try_for_each(|scalar| scalar.exchange(*parity, &**ranks))
    }

    /// All that the flow carries, in the order of the case; one that carries nothing has an empty one.
    pub(crate) fn scalars(&self) -> impl Iterator<Item = &Warmth<T, P>> {
        std::iter::once(&self.heat).chain(&self.others)
    }

    /// The same to be changed.
    pub(crate) fn scalars_mut(&mut self) -> impl Iterator<Item = &mut Warmth<T, P>> {
        std::iter::once(&mut self.heat).chain(&mut self.others)
    }

    pub(crate) fn apply_boundaries(&mut self) -> Result<()> {
        // Outlets first, from all that left cells; what they write the lists neither read
        // nor write.
        let of_step = (&self.layout, &self.rates, self.parity);
        for scalar in &mut self.others {
            let flow = (&self.heat, &self.f);
            scalar.release_beside(&self.kernels, of_step, &self.outlets, flow)?;
        }
        self.heat.release(&self.kernels, of_step, &self.outlets, &self.f)?;
        self.release_outlets()?;
        self.swap()?;
        self.interpolate()?;
        self.spread_leak()?;
        self.additions.add(&self.kernels, &mut self.f)?;
        let Self { heat, others, kernels, parity, .. } = self;
        heat.apply_boundaries(kernels, *parity)?;
        others.iter_mut().try_for_each(|scalar| scalar.apply_boundaries(kernels, *parity))?;
        self.parity = 1 - self.parity;
        Ok(())
    }

    /// Sets all slots: `values` are those of slot 0, 1 and so on.
    pub(crate) fn fill(&mut self, values: &[P]) -> Result<()> {
        let values = self.gpu.upload(values)?;
        self.kernels.fill_slots.launch(
            self.layout.each_slot(values.len()),
            &[value("layout", &self.layout), values.input("values"), self.f.output("f")],
        )
    }

    fn release_outlets(&mut self) -> Result<()> {
        let (outlets, heat) = (&mut self.outlets, &self.heat);
        if outlets.own.is_empty() {
            return Ok(());
        }
        let (parity, count) = (self.parity as i32, outlets.own.len() as i32);
        if self.carry > T::default() {
            return self.kernels.carry_outlet.launch(
                each_entry(outlets.own.len()),
                &[
                    value("layout", &self.layout),
                    value("rates", &self.rates),
                    value("forget", &self.forget),
                    value("carry", &self.carry),
                    value("parity", &parity),
                    value("count", &count),
                    outlets.cells.input("cells"),
                    outlets.links.input("links"),
                    value("most", &outlets.most),
                    outlets.straight.input("straight"),
                    outlets.like.input("like"),
                    outlets.memory.output("memory"),
                    self.f.output("f"),
                ],
            );
        }
        self.kernels.outlet.launch(
            each_entry(outlets.own.len()),
            &[
                value("layout", &self.layout),
                value("rates", &self.rates),
                value("heat", &heat.rates),
                value("forget", &self.forget),
                value("parity", &parity),
                value("count", &count),
                outlets.cells.input("cells"),
                outlets.links.input("links"),
                outlets.sides.input("sides"),
                value("most", &outlets.most),
                outlets.straight.input("straight"),
                outlets.like.input("like"),
                heat.felt.input("felt"),
                outlets.memory.output("memory"),
                self.f.output("f"),
            ],
        )
    }

    fn swap(&mut self) -> Result<()> {
        let SwapList { ones, others } = &self.swaps;
        if ones.is_empty() {
            return Ok(());
        }
        let count = ones.len() as i32;
        self.kernels.swap_links.launch(
            each_entry(ones.len()),
            &[
                value("count", &count),
                ones.input("ones"),
                others.input("others"),
                self.f.output("f"),
            ],
        )
    }

    fn interpolate(&mut self) -> Result<()> {
        let BodyList { places: [towards, back, behind, away], of, terms, leak, leaked, .. } =
            &mut self.bodies;
        if leak.is_some() {
            leaked.clear()?;
        }
        if terms.is_empty() {
            return Ok(());
        }
        let (count, parity, is_closed) =
            (terms.len() as i32, self.parity as i32, i32::from(leak.is_some()));
        self.kernels.interpolate_links.launch(
            each_entry(terms.len()),
            &[
                value("count", &count),
                value("parity", &parity),
                towards.input("towards"),
                back.input("back"),
                behind.input("behind"),
                away.input("away"),
                of[0].input("of_towards"),
                of[1].input("of_behind"),
                of[2].input("of_away"),
                terms.input("terms"),
                value("is_closed", &is_closed),
                leaked.output("leak"),
                self.f.output("f"),
            ],
        )
    }

    /// Takes what bodies have given to a closed box from the cells beside them.
    fn spread_leak(&mut self) -> Result<()> {
        let BodyList { leak: Some(leak), leaked, rests, links, .. } = &mut self.bodies else {
            return Ok(());
        };
        let share = leak.share(&*self.ranks)?;
        if self.ranks.size() > 1 {
            let own = leaked.to_vec()?.first().copied().unwrap_or_default();
            let of_all = self.ranks.sum_exact((own as i64).into())? as i64;
            leaked.write(&[of_all as u64])?;
        }
        if rests.is_empty() {
            return Ok(());
        }
        let count = rests.len() as i32;
        self.kernels.spread_leak.launch(
            each_entry(rests.len()),
            &[
                value("count", &count),
                value("share", &share),
                rests.input("rests"),
                links.input("links"),
                leaked.input("leak"),
                self.f.output("f"),
            ],
        )
    }
}
