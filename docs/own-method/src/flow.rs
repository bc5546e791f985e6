//! The flow on one rank's part of the staggered grid, and its step: equations (1) and (2) of exercise 14.

use std::sync::Arc;

use vortice_core::{
    Boundary, Case, Communicator, Context, Field, Halo, Location, Real, Result, Shape, Side,
    Subdomain,
};

/// Velocity components at low faces in m/s, and pressure over density at centres in m2/s2.
pub struct Flow {
    pub case: Case,
    pub u: Vec<Field>,
    pub p: Field,
    before: Vec<Field>,
    part: Subdomain,
    halo: Halo,
    ranks: Arc<dyn Communicator>,
}

impl Flow {
    /// The flow at the beginning; its pressure is zero.
    pub fn new(case: Case, context: &Context) -> Result<Self> {
        let part = context.decomposition(&case)?.subdomain(context.ranks.rank());
        let directions = case.grid.directions();
        let halo = std::array::from_fn(|d| directions.contains(&d).into());
        let shape = Shape { cells: part.n(), halo };
        let begin = |a, cell| case.initial_velocity(case.grid.low_face(a, part.global(cell)))[a];
        let component = |a| Field::of_cells(Location::Face(a), shape, |cell| begin(a, cell));
        let u: Vec<Field> = directions.map(component).collect();
        let p = Field::zeros(Location::Centre, shape, 1);
        let (halo, ranks) = (Halo::new(&shape, &part), context.ranks.clone());
        let mut flow = Self { before: u.clone(), case, u, p, part, halo, ranks };
        flow.close()?;
        Ok(flow)
    }

    /// All fields with their names in a saved state.
    pub fn fields(&mut self) -> impl Iterator<Item = (&'static str, &mut Field)> {
        let names = ["velocity-x", "velocity-y", "velocity-z"];
        names.into_iter().zip(&mut self.u).chain([("pressure", &mut self.p)])
    }

    /// One step of `dt` in s; returns the largest change of a velocity component over all ranks in m/s.
    pub fn step(&mut self, dt: f64, delta: f64) -> Result<f64> {
        std::mem::swap(&mut self.u, &mut self.before);
        (0..self.u.len()).for_each(|a| self.momentum(a, dt));
        self.close()?;
        self.continuity(dt / delta);
        self.halo.exchange(&*self.ranks, &mut [&mut self.p.values])?;
        let mut change = [0.0];
        for (after, before) in self.u.iter().zip(&self.before) {
            let changes = after.shape.rows().flatten().map(|i| after.values[i] - before.values[i]);
            change[0] = changes.fold(change[0], f64::max_magnitude);
        }
        self.ranks.max(&mut change)?;
        Ok(change[0])
    }

    /// Advances component `a`, (1); what it gives to faces in walls is put right by `close`.
    fn momentum(&mut self, a: usize, dt: f64) {
        let (nu, h, force) = (self.case.viscosity, self.case.grid.spacing(), self.case.force[a]);
        let (s, p, q) = (self.p.shape.strides(), &self.p.values, &self.before[a].values);
        for here in self.p.shape.rows().flatten() {
            let mut rate = force - (p[here] - p[here - s[a]]) / h[a];
            for (b, v) in self.before.iter().enumerate() {
                let (low, high, v) = (here - s[b], here + s[b], &v.values);
                let v_low = 0.5 * (v[here] + v[here - s[a]]);
                let v_high = 0.5 * (v[high] + v[high - s[a]]);
                let convection = 0.5 * (v_high * (q[here] + q[high]) - v_low * (q[low] + q[here]));
                let diffusion = nu * ((q[high] - q[here]) - (q[here] - q[low])) / h[b];
                rate += (diffusion - convection) / h[b];
            }
            self.u[a].values[here] = q[here] + dt * rate;
        }
    }

    /// Advances the pressure, (2).
    fn continuity(&mut self, dt_delta: f64) {
        let (h, s) = (self.case.grid.spacing(), self.p.shape.strides());
        for here in self.p.shape.rows().flatten() {
            for (a, u) in self.u.iter().enumerate() {
                self.p.values[here] -= dt_delta * (u.values[here + s[a]] - u.values[here]) / h[a];
            }
        }
    }

    /// Fills the halos of velocity and pressure: from neighbours, and mirrored beyond walls.
    pub fn close(&mut self) -> Result<()> {
        let fields = self.u.iter_mut().chain([&mut self.p]);
        let mut arrays: Vec<&mut [f64]> = fields.map(|field| &mut field.values[..]).collect();
        self.halo.exchange(&*self.ranks, &mut arrays)?;
        for (d, side, boundary) in self.case.boundaries.iter() {
            let beyond = self.part.neighbours[d][side as usize];
            let (Boundary::Wall { velocity }, None) = (boundary, beyond) else { continue };
            let (shape, n) = (self.p.shape, self.p.shape.cells[d] as isize);
            let [wall, last, ghost] = if side == Side::Low { [0, 0, -1] } else { [n, n - 1, n] };
            for (a, u) in self.u.iter_mut().enumerate() {
                for (outer, inner) in shape.layer(d, ghost).zip(shape.layer(d, last)) {
                    u[outer] = 2.0 * velocity[a] - u[inner];
                }
            }
            shape.layer(d, wall).for_each(|cell| self.u[d][cell] = 0.0);
        }
        Ok(())
    }
}
