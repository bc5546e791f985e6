//! The engine for the processor: rows of cells in registers, shared between threads.

mod cycles;
mod heat;
mod lines;
mod look;
mod rows;
mod seen;
mod visit;
mod warm_rows;

use std::ops::Range;
use std::sync::Arc;

use vortice_core::{
    Case, Communicator, Context, FaceFluxes, Field, FieldLater, Halo, Quantity, Real, Result,
    RowBlock, StateReader, StateWriter, Subdomain, SurfaceForce, SurfaceParts, ThreadPool, share,
    share_each,
};

use crate::boundary::Site;
use crate::collide::{Collision, Rates};
use crate::engine::{Cycled, Engine, MassAndChange};
use crate::exchange::exchange;
use crate::forces::{ForceLink, force_links, forces, places};
use crate::initial;
use crate::interpolated::Interpolated;
use crate::layout::Layout;
use crate::leak::{Leak, without_leak};
use crate::links::{Links, within_reach};
use crate::number::Packed;
use crate::options::NAME;
use crate::population::Population;
use crate::settings::Settings;
use crate::slots::Slots;
use crate::state;
use crate::step;
use crate::view::{self, View};
use crate::watch::{self, SHARES, Watched, flows, solid_cells};
use crate::worth_sharing::threads;

use heat::Warmth;
use lines::Rows;
use rows::Sweep;
use visit::Visit;
use warm_rows::{ScalarLattice, WarmSweep};

/// Populations of one subdomain and what works on them.
pub(crate) struct Cpu<const Q: usize, T, P> {
    settings: Settings,
    layout: Layout,
    rates: Rates<T>,
    collision: Collision,
    /// Of the next step.
    parity: usize,
    slots: Slots<P>,
    halos: [Halo; 2],
    links: Links,
    additions: Vec<(usize, T)>,
    bodies: Vec<Interpolated<T>>,
    leak: Option<Leak>,
    /// What outlets remember of each cell before one, first the numbers 0 of all.
    memory: Vec<T>,
    forget: T,
    carry: T,
    watched: Watched,
    /// Velocities at the last look.
    seen: Vec<[T; 3]>,
    /// All that the flow carries, first what may move it.
    scalars: Vec<Warmth<T, P>>,
    solid: Vec<u8>,
    ranks: Arc<dyn Communicator>,
    pool: ThreadPool,
    part: Subdomain,
    /// Once forces have been asked for.
    force_links: Option<SurfaceParts<ForceLink>>,
    /// The next coarser grid of cycles.
    coarser: Option<Box<Self>>,
    /// If this is a coarser grid.
    visit: Option<Visit<T>>,
}

impl<const Q: usize, T: Packed, P: Population<T>> Cpu<Q, T, P> {
    /// The engine of one rank, with the case's initial flow.
    ///
    /// # Errors
    /// If the ranks do not fit the grid or threads cannot be started.
    pub(crate) fn new(case: &Case, context: &Context, settings: &Settings) -> Result<Self> {
        let part = context.subdomain(case)?;
        let part = settings.part(&part);
        let site = Site::new(settings);
        let layout = Layout::new(&part, &site);
        let links = Links::new::<Q>(settings, &site, &layout, &part);
        within_reach(&links)?;
        let halos =
            [0, 1].map(|parity| exchange::<Q>(&layout, &site, &part, &links.shared, parity));
        let watched = Watched::new(&site, &part, settings.case.grid.cells());
        let rates = settings.rates.rounded::<T>();
        let scalars = settings.case.carried().zip(&settings.scalars);
        let scalars = scalars
            .map(|of| Warmth::new(settings, of, (&site, &layout), &part, &links.outlets, &watched));
        let scalars: Vec<_> = scalars.collect();
        let threads = threads(&part, Q * (1 + scalars.len()), context.threads);
        let mut engine = Self {
            parity: 0,
            slots: initial::slots::<Q, T, P>(settings, &rates, &layout, links.places(&layout, Q)),
            halos,
            additions: links.additions.iter().map(|&(at, x)| (at, T::from_f64(x))).collect(),
            bodies: links.bodies.iter().map(Interpolated::new).collect(),
            leak: Leak::new(case, links.bodies.len()),
            memory: Vec::new(),
            forget: T::from_f64(settings.forget),
            carry: T::from_f64(settings.carry),
            seen: vec![[T::default(); 3]; watched.len()],
            watched,
            scalars,
            solid: solid_cells(&site, &part, &layout),
            ranks: context.ranks.clone(),
            pool: ThreadPool::new(threads, 0)?,
            collision: settings.collision,
            settings: settings.clone(),
            rates,
            links,
            layout,
            force_links: None,
            coarser: None,
            visit: None,
            part,
        };
        engine.set_initial(engine.part.offset());
        Ok(engine)
    }

    /// The case's flow at t = 0, at equilibrium. If it is the same everywhere solid cells have it as well, which no
    /// output shows.
    fn set_initial(&mut self, offset: [usize; 3]) {
        let Self { settings, rates, layout, solid, slots, .. } = self;
        let flows = |cell| flows(solid, layout, cell);
        if initial::everywhere::<Q, T, P>(settings, rates).is_none() {
            initial::set::<Q, T, P>(slots, settings, rates, layout, offset, flows);
        }
        let outlets = &self.links.outlets;
        self.memory = initial::memory::<Q, T>(&self.settings, &self.rates, outlets, offset);
    }

    fn view(&self) -> View<'_, Q, P> {
        View::new(&self.layout, self.parity, self.slots.all(), 0)
    }

    /// Whether an own cell lies in the flow.
    fn flows(&self, cell: [isize; 3]) -> bool {
        flows(&self.solid, &self.layout, cell)
    }

    fn release_outlets(&mut self) {
        let values = self.slots.all_mut();
        // Parity has not been turned: places are those of the step just done.
        let count = self.links.outlets.len();
        for (number, outlet) in self.links.outlets.iter().enumerate() {
            let places = &outlet.leaving[self.parity];
            let left: [T; Q] = std::array::from_fn(|q| values[places[q]].widened());
            let mut back = [T::default(); Q];
            let of_step = (&self.layout, self.parity);
            let force = match self.scalars.first() {
                None => self.rates.force_on(T::default()),
                Some(heat) => heat.force_felt(of_step, outlet.cell, &self.rates),
            };
            if !self.scalars.is_empty() {
                let u = view::velocity_before(&left, force);
                for scalar in &mut self.scalars {
                    scalar.release_outlet(number, of_step, outlet.cell, u);
                }
            }
            let like = |number: usize| values[outlet.answers[number].like[self.parity]].widened();
            if self.carry > T::default() {
                let memory = &mut self.memory;
                let (shares, before) = ([self.forget, self.carry], |q| memory[q * count + number]);
                view::carried_out(&left, shares, outlet, before, like, |q, x| back[q] = x);
                outlet.answers.iter().for_each(|at| memory[at.q * count + number] = back[at.q]);
            } else {
                let memory = &mut self.memory[number];
                view::from_outlet(&left, force, self.forget, outlet, memory, like, |q, x| {
                    back[q] = x;
                });
            }
            for answer in &outlet.answers {
                values[places[answer.q]] = P::narrowed(back[answer.q]);
            }
        }
    }
}

impl<const Q: usize, T: Packed, P: Population<T>> Engine for Cpu<Q, T, P> {
    fn stream_and_collide(&mut self) -> Result<()> {
        let (rows, rates) = (Rows::<Q>::new(&self.layout, self.parity), &self.rates);
        let heat_rows = Rows::new(&self.layout, self.parity);
        let (slots, collision, arch) = (&self.slots, self.collision, self.pool.arch());
        let count = rows.count();
        let lattices = self.scalars.iter();
        let lattices = lattices.map(|Warmth { slots, rates, sources, .. }| ScalarLattice {
            slots,
            rates,
            sources,
        });
        let scalars: Vec<_> = lattices.collect();
        let sweep = |from, to| match scalars.split_first() {
            None => Sweep { rows: &rows, slots, rates, collision, from, to }.run(arch),
            Some((heat, others)) => {
                let (rows, heat_rows) = (&rows, &heat_rows);
                let all =
                    WarmSweep { rows, heat_rows, slots, heat, others, rates, collision, from, to };
                all.run(arch);
            }
        };
        if self.pool.threads() == 1 {
            sweep(0, count);
            return Ok(());
        }
        let rows_of_one = count.div_ceil(self.pool.threads() * SHARES);
        self.pool.install(|| {
            share(count.div_ceil(rows_of_one), 1, &|part| {
                sweep(part * rows_of_one, ((part + 1) * rows_of_one).min(count));
            });
        });
        Ok(())
    }

    fn exchange(&mut self) -> Result<()> {
        let halo = &self.halos[self.parity];
        halo.exchange(&*self.ranks, &mut [self.slots.all_mut()])?;
        let Self { scalars, parity, ranks, .. } = self;
        scalars.iter_mut().try_for_each(|scalar| scalar.exchange(*parity, &**ranks))
    }

    fn apply_boundaries(&mut self) -> Result<()> {
        self.release_outlets();
        self.scalars.iter_mut().for_each(|scalar| scalar.apply_boundaries(self.parity));
        let values = self.slots.all_mut();
        for &[one, other] in &self.links.swaps {
            values.swap(one, other);
        }
        let leaks = self.bodies.iter().map(|link| link.release(values, self.parity));
        let leaked = leaks.fold(0, i64::wrapping_add);
        if let Some(leak) = &mut self.leak {
            let share = leak.share(&*self.ranks)?;
            let leaked = self.ranks.sum_exact(leaked.into())? as i64;
            for &(place, links) in &self.links.beside_bodies {
                let at_rest = values[place].widened();
                values[place] = P::narrowed(without_leak(at_rest, leaked, share, links));
            }
        }
        for &(place, add) in &self.additions {
            values[place] = P::narrowed(values[place].widened() + add);
        }
        self.parity = 1 - self.parity;
        Ok(())
    }

    fn prescribe(&mut self, time: f64) -> Result<()> {
        self.scalars.iter_mut().for_each(|scalar| scalar.prescribe(time));
        self.settings.case.boundaries.set_time(time);
        self.links.follow::<Q>(&self.settings.case.boundaries)?;
        for (number, ..) in &self.links.changing {
            self.additions[*number].1 = T::from_f64(self.links.additions[*number].1);
        }
        Ok(())
    }

    fn push(&mut self, force: [f64; 3]) {
        self.rates.force = force.map(T::from_f64);
    }

    fn run(&mut self, steps: u64) -> Result<()> {
        (0..steps).try_for_each(|_| step::advance(self))
    }

    fn mass_and_change(&mut self) -> Result<MassAndChange> {
        let mut mass_and_change = self.look();
        for scalar in &mut self.scalars {
            let change = scalar.change(&self.layout, self.parity, &self.watched);
            let most = &mut mass_and_change.scalar_change;
            *most = most.max_magnitude(change);
        }
        Ok(mass_and_change)
    }

    fn is_finite(&mut self) -> Result<bool> {
        let are_finite = |slots: &Slots<P>| {
            let at_rest = &slots.all()[..self.layout.shape.len()];
            if self.pool.threads() == 1 {
                return watch::are_finite(at_rest);
            }
            let share = at_rest.len().div_ceil(self.pool.threads() * SHARES);
            let chunks = at_rest.chunks(share).map(|chunk| (chunk, true));
            let look = |_, (chunk, are): &mut (&[P], bool)| *are = watch::are_finite(chunk);
            let chunks = self.pool.install(|| share_each(chunks, 1, look));
            chunks.into_iter().all(|(_, are)| are)
        };
        let mut scalars = self.scalars.iter();
        Ok(are_finite(&self.slots) && scalars.all(|scalar| are_finite(&scalar.slots)))
    }

    fn fields(&mut self, rows: &RowBlock) -> Result<[Field; 2]> {
        Ok(self.seen_fields(rows))
    }

    fn velocity_later(&mut self, rows: &RowBlock) -> Result<FieldLater> {
        Ok(self.seen_velocity(rows).into())
    }

    fn scalar(&mut self, quantity: Quantity, rows: Range<usize>) -> Result<Field> {
        let Self { scalars, settings, layout, parity, solid, .. } = self;
        let scalar = scalars.iter().find(|one| one.scalar.quantity == quantity);
        let scalar = scalar.ok_or_else(|| quantity.is_derived(NAME))?;
        Ok(scalar.field((settings, layout, *parity), rows, |cell| flows(solid, layout, cell)))
    }

    fn wall_heat(&mut self) -> Result<Option<FaceFluxes>> {
        let Self { scalars, settings, ranks, .. } = self;
        let heat = scalars.iter().find(|one| one.scalar.quantity == Quantity::Temperature);
        heat.map(|heat| heat.wall_heat(settings, &**ranks)).transpose()
    }

    fn body_heat(&mut self) -> Result<Vec<f64>> {
        let Self { scalars, settings, ranks, .. } = self;
        let heat = scalars.iter().find(|one| one.scalar.quantity == Quantity::Temperature);
        heat.map_or(Ok(Vec::new()), |heat| heat.body_heat(settings, &**ranks))
    }

    fn forces(&mut self) -> Result<Vec<SurfaceForce>> {
        let Self { settings, part, layout, slots, parity, force_links: links, .. } = self;
        let places = |cell, q| places::<Q>(layout, cell, q);
        let new = || force_links::<Q>(settings, part, P::ROUNDING, places);
        // The velocity that a wall which changes had in the last step is in the list.
        links.take_if(|_| settings.case.boundaries.change());
        let (links, values) = (links.get_or_insert_with(new), slots.all());
        let population = |place: usize| values[place].widened().to_f64();
        forces(settings, links, *parity, population, &*self.ranks)
    }

    fn cycled(&mut self) -> Option<&mut dyn Cycled> {
        Some(self)
    }

    fn save(&mut self, state: &mut dyn StateWriter) -> Result<()> {
        let (settings, cells) = (&self.settings, self.layout.shape.cells);
        state::save(state, state::POPULATIONS, (Q, cells), settings, &mut |q, part| {
            Ok(view::saved::<Q, T, P>(&self.view(), q, part, |cell| self.flows(cell)))
        })?;
        let outlets = || self.links.outlets.iter().map(|outlet| outlet.cell);
        let (numbers, count) = (settings.outlet_numbers(Q), self.links.outlets.len());
        state::save_some(
            state,
            state::OUTLETS,
            (numbers, cells),
            settings,
            outlets,
            |place, number| self.memory[number * count + place],
        )?;
        let watched = || self.watched.cells();
        state::save_seen(state, cells, settings, watched, &self.seen)?;
        self.scalars.iter().try_for_each(|scalar| {
            let of_lattice = (settings, &self.layout, self.parity);
            let cells = (&self.watched, |cell| flows(&self.solid, &self.layout, cell));
            scalar.save(state, of_lattice, cells, &*self.ranks)
        })
    }

    fn restore(&mut self, state: &dyn StateReader) -> Result<()> {
        let (settings, cells) = (&self.settings, self.layout.shape.cells);
        self.slots.all_mut().fill(P::zeroed());
        self.parity = 0;
        for q in 0..Q {
            let find = state::saved(state, state::POPULATIONS, (Q, cells), settings, q)?;
            view::restore::<Q, T, P>(&self.slots, 0, &self.layout, q, find);
        }
        let numbers = settings.outlet_numbers(Q);
        let outlets = || self.links.outlets.iter().map(|outlet| outlet.cell);
        self.memory =
            state::saved_some(state, state::OUTLETS, (numbers, cells), settings, outlets)?;
        self.seen = state::saved_seen(state, cells, settings, self.watched.cells())?;
        self.scalars.iter_mut().try_for_each(|scalar| {
            scalar.restore(state, (settings, &self.layout), &self.watched, &*self.ranks)
        })
    }
}
