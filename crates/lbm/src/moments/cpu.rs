//! The engine of stored moments for the processor.

use std::ops::Range;
use std::sync::Arc;

use vortice_core::{
    Case, Communicator, Context, Field, FieldLater, Halo, Result, RowBlock, StateReader,
    StateWriter, SurfaceForce, ThreadPool, share,
};

use super::collide::{VELOCITIES, flow_of};
use super::places::{LANES, Places};
use super::sweep::{ROWS, Sweep};
use super::walls::Walls;
use super::{Start, Stored, no_forces, restore, save};
use crate::boundary::Site;
use crate::collide::Rates;
use crate::engine::{Engine, MassAndChange};
use crate::number::Packed;
use crate::population::Population;
use crate::settings::Settings;
use crate::slots::Slots;
use crate::state;
use crate::step;
use crate::view::{self, RowFlow, Shown};
use crate::watch::{Look, Watched};
use crate::worth_sharing::threads;

/// Moments of one subdomain and what works on them.
pub(crate) struct MomentsOnCpu<T, P> {
    settings: Settings,
    places: Places,
    rates: Rates<T>,
    /// Of the next step.
    parity: usize,
    values: Slots<P>,
    /// The exchange before a step of each parity.
    halos: [Halo; 2],
    walls: Walls,
    additions: Vec<T>,
    watched: Watched,
    /// Velocities at the last look.
    seen: Vec<[T; 3]>,
    ranks: Arc<dyn Communicator>,
    pool: ThreadPool,
}

/// All that is stored.
struct All<'a, P>(&'a mut [P]);

impl<P> Stored<P> for All<'_, P> {
    fn planes(&self) -> usize {
        usize::MAX
    }

    fn piece(&mut self, places: Range<usize>) -> Result<&mut [P]> {
        Ok(&mut self.0[places])
    }
}

impl<T: Packed, P: Population<T>> MomentsOnCpu<T, P> {
    /// The engine of one rank, with the case's initial flow.
    ///
    /// # Errors
    /// If the ranks do not fit the grid or threads cannot be started.
    pub(crate) fn new(case: &Case, context: &Context, settings: &Settings) -> Result<Self> {
        let part = settings.part(&context.subdomain(case)?);
        let site = Site::new(settings);
        let places = Places::new(&part, &site);
        let walls = Walls::new(settings, &site, &part, places.ends);
        let watched = Watched::new(&site, &part, settings.case.grid.cells());
        let values = match Start::new(settings, &places, part.offset()) {
            Start::Each(values) => values,
            Start::Same(None) => Slots::new(vec![P::zeroed(); places.len()]),
            Start::Same(Some(plane)) => Slots::new(plane.repeat(places.len() / places.plane)),
        };
        let mut engine = Self {
            rates: settings.rates.rounded(),
            parity: 0,
            values,
            halos: [0, 1].map(|parity| places.exchange(&part, parity)),
            additions: walls.rounded(),
            walls,
            seen: vec![[T::default(); 3]; watched.len()],
            watched,
            ranks: context.ranks.clone(),
            pool: ThreadPool::new(threads(&part, VELOCITIES, context.threads), 0)?,
            settings: settings.clone(),
            places,
        };
        engine.fill_halo()?;
        Ok(engine)
    }

    /// Takes the moments of cells beside this part from other ranks.
    fn fill_halo(&mut self) -> Result<()> {
        self.halos[self.parity].exchange(&*self.ranks, &mut [self.values.all_mut()])
    }

    /// Density less one and velocity of the cells of a row.
    fn row(&self, [j, k]: [usize; 2]) -> RowFlow<'static, T> {
        let (values, force) = (self.values.all(), self.rates.force_on(T::default()));
        RowFlow::of_cells(self.places.cells[0], Vec::new(), |i| {
            let place = self.places.cell(self.parity, [i, j as isize, k as isize]);
            flow_of(std::array::from_fn(|n| values[place + n * LANES].widened()), force)
        })
    }

    fn shown(&self, rows: &RowBlock) -> Shown {
        Shown { own: self.places.cells, rows: rows.clone() }
    }
}

impl<T: Packed, P: Population<T>> Engine for MomentsOnCpu<T, P> {
    fn stream_and_collide(&mut self) -> Result<()> {
        let Self { places, walls, additions, rates, values, parity, pool, .. } = self;
        let (n_j, arch) = (places.cells[1], pool.arch());
        for slab in places.slabs(*parity) {
            let sweep = |part: usize| {
                let (rows, slab) = (part * ROWS..((part + 1) * ROWS).min(n_j), slab.clone());
                let parity = *parity;
                Sweep { places, walls, additions, rates, values, parity, slab, rows }.run(arch);
            };
            pool.install(|| share(n_j.div_ceil(ROWS), 1, &sweep));
        }
        self.parity = 1 - self.parity;
        Ok(())
    }

    fn exchange(&mut self) -> Result<()> {
        self.fill_halo()
    }

    fn apply_boundaries(&mut self) -> Result<()> {
        // Walls have returned what met them.
        Ok(())
    }

    fn prescribe(&mut self, time: f64) -> Result<()> {
        self.settings.case.boundaries.set_time(time);
        self.walls.follow(&self.settings.case.boundaries)?;
        self.additions = self.walls.rounded();
        Ok(())
    }

    fn push(&mut self, force: [f64; 3]) {
        self.rates.force = force.map(T::from_f64);
    }

    fn run(&mut self, steps: u64) -> Result<()> {
        (0..steps).try_for_each(|_| step::advance(self))
    }

    fn mass_and_change(&mut self) -> Result<MassAndChange> {
        let mut seen = std::mem::take(&mut self.seen);
        let look = Look { cells: self.places.cells, watched: &self.watched, pool: &self.pool };
        let found = look.at(&mut seen, |row| self.row(row));
        self.seen = seen;
        Ok(found)
    }

    fn is_finite(&mut self) -> Result<bool> {
        let (values, [n, ..]) = (self.values.all(), self.places.cells);
        let is_finite = |cell| {
            let place = self.places.cell(self.parity, cell);
            let count = LANES.min(n - cell[0] as usize);
            values[place..place + count].iter().all(|x| x.widened().to_f64().is_finite())
        };
        let mut starts =
            self.places.own_cells().filter(|cell| (cell[0] as usize).is_multiple_of(LANES));
        Ok(starts.all(is_finite))
    }

    fn fields(&mut self, rows: &RowBlock) -> Result<[Field; 2]> {
        Ok(view::fields(&self.settings, &self.shown(rows), |row| self.row(row)))
    }

    fn velocity_later(&mut self, rows: &RowBlock) -> Result<FieldLater> {
        Ok(view::velocity(&self.settings, &self.shown(rows), |row| self.row(row)).into())
    }

    fn forces(&mut self) -> Result<Vec<SurfaceForce>> {
        Err(no_forces())
    }

    fn save(&mut self, state: &mut dyn StateWriter) -> Result<()> {
        let (settings, cells) = (&self.settings, self.places.cells);
        let places = (&self.places, self.parity);
        save(state, settings, places, &mut All(self.values.all_mut()))?;
        let watched = || self.watched.cells();
        state::save_seen(state, cells, settings, watched, &self.seen)
    }

    fn restore(&mut self, state: &dyn StateReader) -> Result<()> {
        let values = self.values.all_mut();
        values.fill(P::zeroed());
        restore(state, &self.settings, &self.places, &mut All(values))?;
        self.parity = 0;
        self.seen =
            state::saved_seen(state, self.places.cells, &self.settings, self.watched.cells())?;
        self.fill_halo()
    }
}
