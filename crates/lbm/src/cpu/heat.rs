//! Heat or another scalar on the processor: a second lattice in place beside that of the flow.

use std::ops::Range;

use vortice_core::{
    Communicator, FaceFluxes, Field, Halo, Result, Scalar, StateReader, StateWriter, Subdomain,
};

use crate::boundary::Site;
use crate::collide::Rates;
use crate::collide::rates::Force;
use crate::exchange::exchange;
use crate::heat::came::Came;
use crate::heat::links::HeatLinks;
use crate::heat::sources::{by_place, coming, temperature_before};
use crate::heat::{self, HeatRates, Populations, VELOCITIES};
use crate::initial;
use crate::interpolated::Interpolated;
use crate::layout::Layout;
use crate::links::Outlet;
use crate::number::Packed;
use crate::population::Population;
use crate::settings::Settings;
use crate::slots::Slots;
use crate::state;
use crate::view::{self, Shown, View};
use crate::watch::{Watched, change_of_scalar};

/// Populations of a scalar of one subdomain and what works on them.
pub(super) struct Warmth<T, P> {
    pub(super) scalar: Scalar,
    pub(super) rates: HeatRates<T>,
    pub(super) slots: Slots<P>,
    /// What comes in by place.
    pub(super) sources: Slots<P>,
    halos: [Halo; 2],
    pub(super) links: HeatLinks,
    /// Values at the last look.
    seen: Vec<T>,
    came: Came,
    /// Links that solid boxes and bodies meet, with the number of their surface.
    solids: Vec<(usize, Interpolated<T>)>,
}

impl<T: Packed, P: Population<T>> Warmth<T, P> {
    /// A scalar of a case at t = 0, with its numbers; `outlets` are the flow's.
    pub(super) fn new(
        settings: &Settings,
        (scalar, rates): (&Scalar, &HeatRates<f64>),
        (site, layout): (&Site<'_>, &Layout),
        part: &Subdomain,
        outlets: &[Outlet],
        watched: &Watched,
    ) -> Self {
        let halos = [0, 1].map(|parity| exchange::<VELOCITIES>(layout, site, part, &[], parity));
        let slots = Slots::new(vec![P::zeroed(); layout.len(VELOCITIES)]);
        let links = HeatLinks::new((settings, scalar), site, layout, part, outlets);
        let (rates, seen) = (rates.rounded(), vec![T::default(); watched.len()]);
        let came = Came::new(&settings.case);
        let solids = links.bodies.iter();
        let solids = solids.map(|(surface, link)| (*surface, Interpolated::new(link))).collect();
        initial::set_heat::<T, P>(&slots, (settings, scalar), (site, layout), part.offset());
        let sources = by_place::<T, P>((settings, scalar), (site, layout), part.offset());
        Self { scalar: scalar.clone(), rates, slots, sources, halos, links, seen, came, solids }
    }

    /// The populations before a step of a parity.
    pub(super) fn view<'a>(&'a self, layout: &'a Layout, parity: usize) -> View<'a, VELOCITIES, P> {
        View::new(layout, parity, self.slots.all(), 0)
    }

    pub(super) fn exchange(&mut self, parity: usize, ranks: &dyn Communicator) -> Result<()> {
        self.halos[parity].exchange(ranks, &mut [self.slots.all_mut()])
    }

    /// What leaves an own cell in a step that is done.
    fn left(&self, (layout, parity): (&Layout, usize), cell: [isize; 3]) -> Populations<T> {
        let place = |q| layout.leaving::<VELOCITIES>(parity, cell, q);
        std::array::from_fn(|q| self.slots.all()[place(q)].widened())
    }

    /// Its value in an own cell in a step that left these populations.
    fn before(&self, layout: &Layout, cell: [isize; 3], left: &Populations<T>) -> T {
        let by_place = self.sources.all().get(layout.cell(cell)).map(|source| source.widened());
        temperature_before(left, coming(by_place, left[0], &self.rates).unwrap_or_default())
    }

    /// The force that an own cell has felt in a step that is done.
    pub(super) fn force_felt(
        &self,
        of_step: (&Layout, usize),
        cell: [isize; 3],
        rates: &Rates<T>,
    ) -> Force<T> {
        let temperature = self.before(of_step.0, cell, &self.left(of_step, cell));
        heat::force(temperature, rates, &self.rates)
    }

    /// Lets it out of the cell before an outlet of this number, before any has met another face; eq. (H17). The cell had
    /// the velocity `u`, in cells per step.
    pub(super) fn release_outlet(
        &mut self,
        number: usize,
        (layout, parity): (&Layout, usize),
        cell: [isize; 3],
        u: [T; 3],
    ) {
        let left = self.left((layout, parity), cell);
        let temperature = self.before(layout, cell, &left);
        let values = self.slots.all_mut();
        for &q in &self.links.outlets[number] {
            let place = layout.leaving::<VELOCITIES>(parity, cell, q);
            values[place] = P::narrowed(left[q] - heat::carried_out(q, temperature, u));
        }
    }

    /// What is given at faces at a time in s.
    pub(super) fn prescribe(&mut self, time: f64) {
        self.links.follow(time);
    }

    /// Sends back what met a face; eq. (H17).
    pub(super) fn apply_boundaries(&mut self, parity: usize) {
        let Self { links, slots, came, solids, .. } = self;
        let values = slots.all_mut();
        came.begin_step();
        for fixed in &links.fixed {
            for (&place, &sum) in fixed.places.iter().zip(&fixed.sums) {
                let left = values[place].widened();
                let back = P::narrowed(T::from_f64(sum) - left);
                values[place] = back;
                came.add((fixed.direction, fixed.side), [back.widened(), left].map(T::to_f64));
            }
        }
        for &(place, flux) in &links.fluxes {
            values[place] = P::narrowed(values[place].widened() + T::from_f64(flux));
        }
        for (surface, link) in solids {
            let both = link.release_scalar(values, parity);
            came.add_inside(*surface, both.map(T::to_f64));
        }
    }

    /// Largest change in watched cells since the last look, in units of the case's difference.
    pub(super) fn change(&mut self, layout: &Layout, parity: usize, watched: &Watched) -> f64 {
        let mut seen = std::mem::take(&mut self.seen);
        let view = self.view(layout, parity);
        let of_cell = |cell| heat::temperature(&view.arrived(cell));
        let change = change_of_scalar(watched, &mut seen, of_cell);
        self.seen = seen;
        change
    }

    /// Its values in some rows of the case's cells; the reference where nothing flows.
    pub(super) fn field(
        &self,
        (settings, layout, parity): (&Settings, &Layout, usize),
        rows: Range<usize>,
        flows: impl Fn([isize; 3]) -> bool + Sync,
    ) -> Field {
        let view = self.view(layout, parity);
        let shown = Shown { own: layout.shape.cells, rows: rows.into() };
        view::scalar(settings, &self.scalar, &shown, |cell| {
            if flows(cell) { heat::temperature::<T, T>(&view.arrived(cell)).to_f64() } else { 0.0 }
        })
    }

    /// Mean heat fluxes from the faces whose temperature is given, of all ranks; eq. (H18). Collective.
    pub(super) fn wall_heat(
        &self,
        settings: &Settings,
        ranks: &dyn Communicator,
    ) -> Result<FaceFluxes> {
        self.came.fluxes((settings, &self.scalar), ranks)
    }

    /// The heat from bodies and solid boxes, of all ranks; eq. (H24). Collective.
    pub(super) fn body_heat(
        &self,
        settings: &Settings,
        ranks: &dyn Communicator,
    ) -> Result<Vec<f64>> {
        self.came.of_surfaces((settings, &self.scalar), ranks)
    }

    pub(super) fn save(
        &self,
        state: &mut dyn StateWriter,
        (settings, layout, parity): (&Settings, &Layout, usize),
        (watched, flows): (&Watched, impl Fn([isize; 3]) -> bool + Sync),
        ranks: &dyn Communicator,
    ) -> Result<()> {
        let cells = layout.shape.cells;
        let name = state::populations_of(&self.scalar);
        state::save(state, &name, (VELOCITIES, cells), settings, &mut |q, part| {
            Ok(view::saved::<VELOCITIES, T, P>(&self.view(layout, parity), q, part, &flows))
        })?;
        let watched = || watched.cells();
        self.came.save(state, (&settings.case, &self.scalar), ranks)?;
        let name = state::watched_of(&self.scalar);
        state::save_some(state, &name, (1, cells), settings, watched, |place, _| self.seen[place])
    }

    /// The reverse of `save`, for a step of parity 0.
    pub(super) fn restore(
        &mut self,
        state: &dyn StateReader,
        (settings, layout): (&Settings, &Layout),
        watched: &Watched,
        ranks: &dyn Communicator,
    ) -> Result<()> {
        let cells = layout.shape.cells;
        self.came = Came::saved(state, (&settings.case, &self.scalar), ranks.rank())?;
        self.slots.all_mut().fill(P::zeroed());
        let name = state::populations_of(&self.scalar);
        for q in 0..VELOCITIES {
            let find = state::saved(state, &name, (VELOCITIES, cells), settings, q)?;
            view::restore::<VELOCITIES, T, P>(&self.slots, 0, layout, q, find);
        }
        let watched = || watched.cells();
        let name = state::watched_of(&self.scalar);
        self.seen = state::saved_some(state, &name, (1, cells), settings, watched)?;
        Ok(())
    }
}
