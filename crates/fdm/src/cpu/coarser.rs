//! Between a grid and the next coarser one of a cycle; eqs. (F23) to (F25).

use vortice_core::{Case, Children, Context, Real, Region, Result, Storable};

use super::Cpu;
use super::cycles::copy;
use crate::coarser::{Finer, Grid, coarser};
use crate::settings::Settings;
use crate::stencil::{prolonged, rate_of};

impl<T: Storable> Cpu<T> {
    /// An engine that solves its pressure as it is asked to, with all coarser grids.
    ///
    /// # Errors
    /// If the ranks do not fit the grid or threads cannot be started.
    pub(crate) fn with_solver(
        case: &Case,
        context: &Context,
        settings: &Settings,
        finer: Option<&Finer<'_, T>>,
    ) -> Result<Self> {
        let mut engine = Self::new(case, context, settings, finer)?;
        engine.prepare_solver(case, context, settings)?;
        let cut = context.decomposition(case)?;
        if let Some(Grid { case, context, settings }) = coarser(case, context, settings, &cut)? {
            let finer = Finer { shape: engine.shape, walls: &engine.walls };
            let coarser = Self::with_solver(&case, &context, &settings, Some(&finer))?;
            engine.coarser = Some(Box::new(coarser));
        }
        Ok(engine)
    }

    pub(super) fn begin_visit(&mut self) {
        copy(&self.u, &mut self.cycles.begun, self.directions);
    }

    pub(super) fn keep_velocity(&mut self) {
        copy(&self.u, &mut self.cycles.kept, self.directions);
    }

    /// What the last step did to the velocity that the visit began with is asked for, or taken from what is; and the
    /// visit begins again.
    pub(super) fn ask_for(&mut self, dt: f64, is_less: bool) {
        let Self { shape, directions, u, pool, cycles, .. } = self;
        let inverse = T::from_f64(1.0 / dt);
        for a in 0..*directions {
            let (u, begun) = (&u[a], &cycles.begun[a]);
            pool.each_row(&Region::faces(*shape, a), [&mut cycles.asked[a]], |row, [asked]| {
                let n = asked.len();
                let (now, begun) = (row.part(u, n), row.part(begun, n));
                for i in 0..n {
                    let rate = rate_of(now[i], begun[i], inverse);
                    asked[i] = if is_less { asked[i] - rate } else { rate };
                }
            });
        }
        copy(&cycles.begun, u, *directions);
    }

    /// Adds what is asked for to the prediction.
    pub(super) fn add_asked_for(&mut self, dt: f64) {
        let Self { shape, directions, f, pool, cycles, .. } = self;
        let dt = T::from_f64(dt);
        for a in 0..*directions {
            let asked = &cycles.asked[a];
            pool.each_row(&Region::faces(*shape, a), [&mut f[a]], |row, [f]| {
                let asked = row.part(asked, f.len());
                f.iter_mut().zip(asked).for_each(|(f, asked)| *f += dt * *asked);
            });
        }
    }

    /// The coarser grid begins with means of the velocity that was kept and of the pressure, and is asked for means of
    /// what the last step did.
    pub(super) fn restrict_flow(&mut self, dt: f64) -> Result<()> {
        let Some(mut coarser) = self.coarser.take() else { return Ok(()) };
        let children = Children::new(self.shape, self.directions);
        let (shape, pool) = (coarser.shape, coarser.pool.clone());
        let inverse = T::from_f64(1.0 / dt);
        for a in 0..self.directions {
            let (now, kept) = (&self.u[a], &self.cycles.kept[a]);
            let to = [coarser.u[a].as_mut_slice(), &mut coarser.cycles.asked[a]];
            pool.each_row(&Region::faces(shape, a), to, |row, [u, asked]| {
                for i in 0..u.len() {
                    let first = children.first(i, row.j, row.k);
                    u[i] = children.mean_on_face(a, first, |at| kept[at]);
                    asked[i] =
                        children.mean_on_face(a, first, |at| rate_of(now[at], kept[at], inverse));
                }
            });
        }
        let p = &self.p;
        pool.each_row(&Region::own(shape), [&mut coarser.p], |row, [to]| {
            for (i, to) in to.iter_mut().enumerate() {
                *to = children.mean(children.first(i, row.j, row.k), |at| p[at]);
            }
        });
        let done = coarser.complete_velocity().and_then(|()| coarser.complete_pressure());
        coarser.begin_visit();
        self.coarser = Some(coarser);
        done
    }

    /// Adds what the coarser grid's flow has changed; eq. (F25).
    pub(super) fn prolong_correction(&mut self) -> Result<()> {
        let Some(coarser) = self.coarser.take() else { return Ok(()) };
        for a in 0..self.directions {
            let open = &self.open[a];
            self.pool.each_row(&Region::own(self.shape), [&mut self.u[a]], |row, [u]| {
                let open = row.part(open, u.len());
                for (i, u) in u.iter_mut().enumerate() {
                    *u += open[i] * coarser.correction(a, [i as isize, row.j, row.k]);
                }
            });
        }
        for outlet in &self.walls.outlets {
            let (a, face) = (outlet.component as usize, outlet.face as usize);
            let cell = self.shape.cell(face);
            if (0..3).all(|d| d == a || self.shape.own(d).contains(&cell[d])) {
                self.u[a][face] += coarser.correction(a, cell);
            }
        }
        self.coarser = Some(coarser);
        self.complete_velocity()
    }

    /// What has changed on this grid, at the face of a finer one.
    #[inline(always)]
    fn correction(&self, a: usize, cell: [isize; 3]) -> T {
        let (directions, strides) = (self.directions, self.shape.strides());
        let (now, begun) = (&self.u[a], &self.cycles.begun[a]);
        let change = |at: usize| now[at] - begun[at];
        let on_face = |at: usize| {
            let beside = |d: usize| {
                if d == a || d >= directions {
                    return T::default();
                }
                let next = if cell[d] % 2 == 1 { at + strides[d] } else { at - strides[d] };
                change(next) - change(at)
            };
            prolonged(change(at), [beside(0), beside(1), beside(2)])
        };
        let parent = |d: usize| if d < directions { cell[d].div_euclid(2) } else { cell[d] };
        let at = self.shape.index(std::array::from_fn(parent));
        let half = T::from_f64(0.5);
        if cell[a] % 2 == 1 { half * (on_face(at) + on_face(at + strides[a])) } else { on_face(at) }
    }

    /// Largest change of a velocity since the visit began in m/s, over all ranks.
    pub(super) fn largest_change(&self) -> Result<f64> {
        let mut found = [0.0_f64];
        for a in 0..self.directions {
            let (u, begun, open) = (&self.u[a], &self.cycles.begun[a], &self.open[a]);
            let none: [&mut [T]; 0] = [];
            let [most] = self.pool.largest_of_rows(&Region::own(self.shape), none, |row, []| {
                let n = self.shape.cells[0];
                let (u, begun, open) = (row.part(u, n), row.part(begun, n), row.part(open, n));
                let mut most = T::default();
                for i in 0..n {
                    most = most.max_magnitude(open[i] * (u[i] - begun[i]));
                }
                [most]
            });
            found[0] = found[0].max_magnitude(most.to_f64());
        }
        self.ranks.max(&mut found)?;
        Ok(found[0])
    }

    pub(super) fn put_pressure_aside(&mut self) {
        self.cycles.pressure.clone_from(&self.split.p);
    }

    pub(super) fn take_pressure_back(&mut self) {
        self.split.p.clone_from(&self.cycles.pressure);
        self.merge_pressure();
    }
}
