//! Two lattices: populations are read from one and written to the other, as in the textbook. Twice
//! the memory and slow, but nothing in it can be clever: what the engine in place is judged by.

mod special;

use std::sync::Arc;

use vortice_core::{
    Case, Communicator, Context, Field, Halo, Location, Result, RowBlock, Shape, StateReader,
    StateWriter, Subdomain, SurfaceForce,
};

use crate::boundary::{Link, Patch, Site};
use crate::collide::chosen::collide_as;
use crate::collide::{Collision, Rates};
use crate::engine::{Engine, MassAndChange};
use crate::forces::{force_links, forces};
use crate::initial::{initial, remembered};
use crate::interpolated::back_from_body;
use crate::lattice::{Lattice, opposite};
use crate::leak::{Leak, leak_in_units, without_leak};
use crate::links::{Answer, Outlet, Weights, addition, number, straight};
use crate::number::Packed;
use crate::population::Population;
use crate::settings::Settings;
use crate::state;
use crate::step;
use crate::view::{self, RowFlow, Shown};
use crate::watch::{self, Watched};

use special::{Source, Special, near};

/// Two lattices of one subdomain.
pub(crate) struct Pull<const Q: usize, T, P> {
    settings: Settings,
    shape: Shape,
    rates: Rates<T>,
    collision: Collision,
    forget: T,
    carry: T,
    /// Populations as they arrive, by number.
    arrived: Vec<Vec<P>>,
    /// Populations as they leave.
    left: Vec<Vec<P>>,
    halo: Halo,
    special: Vec<Special<Q, T>>,
    leak: Option<Leak>,
    /// Sources that change with time: number of the cell, of what arrives, and what it met.
    changing: Vec<(usize, usize, Vec<Patch>)>,
    /// Which cells are special, by place: number plus one.
    which: Vec<usize>,
    solid: Vec<bool>,
    watched: Watched,
    seen: Vec<[T; 3]>,
    ranks: Arc<dyn Communicator>,
    part: Subdomain,
}

impl<const Q: usize, T: Packed, P: Population<T>> Pull<Q, T, P> {
    /// The engine of one rank, with the case's initial flow.
    ///
    /// # Errors
    /// If the ranks do not fit the grid.
    pub(crate) fn new(case: &Case, context: &Context, settings: &Settings) -> Result<Self> {
        let part = context.subdomain(case)?;
        let part = settings.part(&part);
        let site = Site::new(settings);
        let shape = Shape { cells: part.n(), halo: [1; 3] };
        let zeros = || vec![vec![P::zeroed(); shape.len()]; Q];
        let watched = Watched::new(&site, &part, settings.case.grid.cells());
        let mut engine = Self {
            settings: settings.clone(),
            rates: settings.rates.rounded(),
            collision: settings.collision,
            forget: T::from_f64(settings.forget),
            carry: T::from_f64(settings.carry),
            arrived: zeros(),
            left: zeros(),
            halo: Halo::new(&shape, &part),
            special: Vec::new(),
            leak: None,
            changing: Vec::new(),
            which: vec![0; shape.len()],
            solid: vec![false; shape.len()],
            seen: vec![[T::default(); 3]; watched.len()],
            watched,
            ranks: context.ranks.clone(),
            part: part.clone(),
            shape,
        };
        let force = engine.rates.force_on(T::default());
        for cell in engine.own_cells() {
            let global = std::array::from_fn(|d| cell[d] + part.offset()[d] as isize);
            let at = shape.index(cell);
            engine.solid[at] = site.surfaces.is_solid(global);
            if engine.solid[at] {
                continue;
            }
            let (density_deviation, u) = initial(settings, global);
            let u = u.map(T::from_f64);
            let g = view::at_equilibrium::<Q, T>(T::from_f64(density_deviation), u, force);
            for (q, &g) in g.iter().enumerate() {
                engine.arrived[q][at] = P::narrowed(g);
            }
            engine.add_special(&site, cell, global, part.offset());
        }
        let links = engine.special.iter().map(|special| special.leaking_links() as usize).sum();
        engine.leak = Leak::new(case, links);
        Ok(engine)
    }

    fn own_cells(&self) -> impl Iterator<Item = [isize; 3]> + use<Q, T, P> {
        Field::<u8>::zeros(Location::Centre, Shape { halo: [0; 3], ..self.shape }, 1).own_cells()
    }

    /// Notes a cell whose populations do not all come from the cells around it.
    fn add_special(
        &mut self,
        site: &Site<'_>,
        cell: [isize; 3],
        global: [isize; 3],
        offset: [usize; 3],
    ) {
        let mut outlet: Option<Outlet> = None;
        let mut sources = vec![Source::Cell(self.shape.index(cell), 0)];
        for q in 1..Q {
            // What arrives along q would have left here along its opposite and turned round.
            let away = opposite(q);
            let c = Lattice::<Q>::C[away];
            let (link, patches) = site.changing_link(global, c);
            if !patches.is_empty() {
                self.changing.push((self.special.len(), q, patches));
            }
            sources.push(match link {
                Link::Open => Source::Cell(self.shape.index(crate::boundary::next(cell, c)), q),
                Link::Wall(velocity) => Source::Wall(T::from_f64(addition::<Q>(away, velocity))),
                Link::Body { share, velocity } => {
                    let weights = self.settings.interpolation.weights::<Q>(away, share, velocity);
                    let (is_plain, Weights { of, add }) = (weights.are_plain(), weights);
                    let mut behind = crate::boundary::next(cell, c.map(|c| -c));
                    behind[2] = if self.settings.case.grid.is_plane() { 0 } else { behind[2] };
                    let behind = self.shape.index(behind);
                    let (of, add) = (of.map(T::from_f64), T::from_f64(add));
                    Source::Body { behind, of, add, is_plain }
                }
                Link::Outlet { direction, outward, like } => {
                    let (answers, leaving) = (Vec::new(), Default::default());
                    let new = Outlet { cell, direction, outward, answers, leaving };
                    let straight = straight::<Q>(direction, outward, like.map_or(c, |_| [0; 3]));
                    // Here the place of a cell, and the number of what leaves it.
                    let like = like.map_or([0; 2], |(from, along)| {
                        let mut local = std::array::from_fn(|d| from[d] - offset[d] as isize);
                        local[2] = if self.settings.case.grid.is_plane() { 0 } else { local[2] };
                        [self.shape.index(local), number::<Q>(along)]
                    });
                    let answer = Answer { q: away, straight, like };
                    outlet.get_or_insert(new).answers.push(answer);
                    Source::Outlet
                }
                Link::Mirror { to, c: after } => {
                    // The way back of what left here along c.
                    let back = opposite(number::<Q>(after));
                    let local = near(
                        &self.shape,
                        self.settings.case.grid.cells(),
                        std::array::from_fn(|d| to[d] - offset[d] as isize),
                    );
                    Source::Cell(self.shape.index(local), back)
                }
            });
        }
        let open = |(q, source): (usize, &Source<T>)| match source {
            Source::Cell(_, from) => *from == q,
            _ => false,
        };
        if !sources.iter().enumerate().all(open) {
            let memory = outlet.as_ref().map_or([T::default(); Q], |outlet| {
                remembered(&self.settings, &self.rates, outlet, global)
            });
            self.special.push(Special { cell, sources, outlet, memory });
            self.which[self.shape.index(cell)] = self.special.len();
        }
    }

    fn arrived(&self, cell: [isize; 3]) -> [T; Q] {
        let at = self.shape.index(cell);
        std::array::from_fn(|q| self.arrived[q][at].widened())
    }

    fn flows(&self, cell: [isize; 3]) -> bool {
        !self.solid[self.shape.index(cell)]
    }

    /// Takes what bodies have given to a closed box from the cells beside them; eq. (L14c).
    fn close(&mut self, leaked: i64) -> Result<()> {
        let Some(leak) = &mut self.leak else { return Ok(()) };
        let share = leak.share(&*self.ranks)?;
        let leaked = self.ranks.sum_exact(leaked.into())? as i64;
        for special in &self.special {
            let links = special.leaking_links();
            if links > 0 {
                let at_rest = &mut self.arrived[0][self.shape.index(special.cell)];
                *at_rest = P::narrowed(without_leak(at_rest.widened(), leaked, share, links));
            }
        }
        Ok(())
    }
}

impl<const Q: usize, T: Packed, P: Population<T>> Engine for Pull<Q, T, P> {
    fn stream_and_collide(&mut self) -> Result<()> {
        let force = self.rates.force_on(T::default());
        for cell in self.own_cells() {
            let mut h = self.arrived(cell);
            collide_as(self.collision, &mut h, &self.rates, force);
            let at = self.shape.index(cell);
            for (q, &h) in h.iter().enumerate() {
                self.left[q][at] = P::narrowed(h);
            }
        }
        Ok(())
    }

    fn exchange(&mut self) -> Result<()> {
        let mut all: Vec<&mut [P]> = self.left.iter_mut().map(Vec::as_mut_slice).collect();
        self.halo.exchange(&*self.ranks, &mut all)
    }

    fn apply_boundaries(&mut self) -> Result<()> {
        // A plane flow is periodic in z whatever its faces say: the cell is its own neighbour.
        let flat = self.settings.case.grid.is_plane();
        for cell in self.own_cells() {
            let at = self.shape.index(cell);
            if self.which[at] > 0 || self.solid[at] {
                continue;
            }
            for q in 0..Q {
                let mut from = crate::boundary::next(cell, Lattice::<Q>::C[opposite(q)]);
                from[2] = if flat { 0 } else { from[2] };
                self.arrived[q][at] = self.left[q][self.shape.index(from)];
            }
        }
        let mut leaked = 0_i64;
        for special in &mut self.special {
            let at = self.shape.index(special.cell);
            let mut back = [P::zeroed(); Q];
            if let Some(outlet) = &special.outlet {
                let left: [T; Q] = std::array::from_fn(|q| self.left[q][at].widened());
                let memory = &mut special.memory;
                let like = |number: usize| {
                    let [from, q] = outlet.answers[number].like;
                    self.left[q][from].widened()
                };
                if self.carry > T::default() {
                    let (shares, old) = ([self.forget, self.carry], *memory);
                    let before = |q: usize| old[q];
                    view::carried_out(&left, shares, outlet, before, like, |q, x| {
                        memory[q] = x;
                        back[opposite(q)] = P::narrowed(x);
                    });
                } else {
                    let memory = &mut memory[0];
                    let (force, forget) = (self.rates.force_on(T::default()), self.forget);
                    view::from_outlet(&left, force, forget, outlet, memory, like, |q, x| {
                        back[opposite(q)] = P::narrowed(x);
                    });
                }
            }
            for (q, source) in special.sources.iter().enumerate() {
                self.arrived[q][at] = match *source {
                    Source::Cell(from, number) => self.left[number][from],
                    Source::Outlet => back[q],
                    Source::Body { behind, of, add, .. } => {
                        let away = opposite(q);
                        let towards = self.left[away][at];
                        let left = [towards, self.left[away][behind], self.left[q][at]];
                        let left = left.map(|population| population.widened());
                        let back = P::narrowed(back_from_body(left, of, add));
                        leaked = leaked.wrapping_add(leak_in_units(back.widened(), left[0]));
                        back
                    }
                    Source::Wall(add) => {
                        let back = self.left[opposite(q)][at];
                        if add == T::default() { back } else { P::narrowed(back.widened() + add) }
                    }
                };
            }
        }
        self.close(leaked)
    }

    fn prescribe(&mut self, time: f64) -> Result<()> {
        self.settings.case.boundaries.set_time(time);
        for (number, q, patches) in &self.changing {
            let velocity = Patch::sum(patches, &self.settings.case.boundaries)?;
            let add = T::from_f64(addition::<Q>(opposite(*q), velocity));
            self.special[*number].sources[*q] = Source::Wall(add);
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
        let mut seen = std::mem::take(&mut self.seen);
        let cells = self.own_cells().filter(|&cell| self.flows(cell));
        let mass_and_change = watch::mass_and_change(cells, &self.watched, &mut seen, |cell| {
            view::flow(&self.arrived(cell), self.rates.force_on(T::default()))
        });
        self.seen = seen;
        Ok(mass_and_change)
    }

    fn is_finite(&mut self) -> Result<bool> {
        Ok(watch::are_finite(&self.arrived[0]))
    }

    fn fields(&mut self, rows: &RowBlock) -> Result<[Field; 2]> {
        let shown = Shown { own: self.shape.cells, rows: rows.clone() };
        Ok(view::fields(&self.settings, &shown, |row| {
            let [j, k] = row.map(|at| at as isize);
            let force = self.rates.force_on(T::default());
            let flow = |i| view::flow(&self.arrived([i, j, k]), force);
            let solid = (0..shown.own[0] as isize).map(|i| u8::from(!self.flows([i, j, k])));
            RowFlow::of_cells(shown.own[0], solid.collect::<Vec<_>>(), flow)
        }))
    }

    fn forces(&mut self) -> Result<Vec<SurfaceForce>> {
        // What arrived, then what left.
        let (shape, length) = (self.shape, self.shape.len());
        let links = force_links::<Q>(&self.settings, &self.part, P::ROUNDING, |cell, q| {
            let (at, back) = (shape.index(cell), opposite(q));
            [back, q, Q + back].map(|number| [(number * length + at) as i64; 2])
        });
        let population = |place: usize| {
            let all = [&self.arrived, &self.left][place / length / Q];
            all[place / length % Q][place % length].widened().to_f64()
        };
        forces(&self.settings, &links, 0, population, &*self.ranks)
    }

    fn save(&mut self, state: &mut dyn StateWriter) -> Result<()> {
        let (settings, cells) = (&self.settings, self.shape.cells);
        state::save(state, state::POPULATIONS, (Q, cells), settings, &mut |q, part| {
            Ok(part.values(|cell| {
                let arrived = self.arrived[q][self.shape.index(cell)];
                if self.flows(cell) { arrived.widened() } else { T::default() }
            }))
        })?;
        let outlets: Vec<&Special<Q, T>> =
            self.special.iter().filter(|special| special.outlet.is_some()).collect();
        let some = || outlets.iter().map(|special| special.cell);
        let numbers = settings.outlet_numbers(Q);
        state::save_some(
            state,
            state::OUTLETS,
            (numbers, cells),
            settings,
            some,
            |place, number| outlets[place].memory[number],
        )?;
        let watched = || self.watched.cells();
        state::save_seen(state, cells, settings, watched, &self.seen)
    }

    fn restore(&mut self, state: &dyn StateReader) -> Result<()> {
        let (settings, cells) = (&self.settings, self.shape.cells);
        for q in 0..Q {
            let find = state::saved(state, state::POPULATIONS, (Q, cells), settings, q)?;
            for cell in self.own_cells() {
                self.arrived[q][self.shape.index(cell)] = P::narrowed(find(cell));
            }
        }
        let numbers = settings.outlet_numbers(Q);
        for number in 0..numbers {
            let find = state::saved(state, state::OUTLETS, (numbers, cells), settings, number)?;
            for special in &mut self.special {
                special.memory[number] = find(special.cell);
            }
        }
        self.seen = state::saved_seen(state, cells, settings, self.watched.cells())?;
        Ok(())
    }
}
