//! The engine for the processor: loops over rows of cells, vectorised and shared between threads.

mod equation;
mod predict;
mod project;
mod residual;
mod sweep;

use std::rc::Rc;

use vortice_core::{
    Case, Communicator, Context, Error, Field, Halo, Initial, Location, Quantity, Real, Result,
    Shape, State, Subdomain, Values,
};

use crate::colours::Colours;
use crate::engine::{Engine, Motion, Norm, Residual};
use crate::settings::Settings;
use crate::team::Team;
use crate::walls::Walls;

/// Fields of one subdomain and what works on them. Velocity components sit at low faces, the
/// pressure (divided by the density, in m2/s2) at centres.
pub(crate) struct Cpu<T> {
    shape: Shape,
    directions: usize,
    spacing: [f64; 3],
    viscosity: f64,
    density: f64,
    force: [f64; 3],
    /// Flow cells of the whole grid.
    flow_cells: usize,
    /// Whether neighbours or periodic sides need halos exchanged.
    has_neighbours: bool,
    fused: bool,
    ranks: Rc<dyn Communicator>,
    team: Team,
    halo: Halo,
    walls: Walls<T>,
    u: [Vec<T>; 3],
    f: [Vec<T>; 3],
    p: Vec<T>,
    split: Split<T>,
}

/// The pressure equation in two colours.
struct Split<T> {
    colours: Colours,
    halos: [Halo; 2],
    p: [Vec<T>; 2],
    right_hand_side: [Vec<T>; 2],
    /// Inverse of the sum of the weights of a cell's neighbours in the flow, in m2; zero in solids.
    inverse_diagonal: [Vec<T>; 2],
}

impl<T: Real> Cpu<T> {
    /// The engine of one rank, with the case's initial flow.
    ///
    /// # Errors
    /// If the ranks do not fit the grid or threads cannot be started.
    pub(crate) fn new(case: &Case, context: &Context, settings: &Settings) -> Result<Self> {
        let cut = context.decomposition(case)?;
        let part = cut.subdomain(context.ranks.rank());
        let shape = Shape { cells: part.n(), halo: [1, 1, usize::from(!case.grid.is_plane())] };
        let zeros = || std::array::from_fn(|_| vec![T::default(); shape.len()]);
        let mut engine = Self {
            shape,
            directions: settings.directions,
            spacing: settings.spacing,
            viscosity: settings.viscosity,
            density: case.density,
            force: case.force,
            flow_cells: case.grid.n_cells() - case.solids().count(),
            has_neighbours: case.grid.directions().any(|d| part.neighbours[d] != [None, None]),
            fused: false,
            ranks: context.ranks.clone(),
            team: Team::new(context.threads)?,
            halo: Halo::new(&shape, &part),
            walls: Walls::new(case, &part, shape),
            u: zeros(),
            f: zeros(),
            p: vec![T::default(); shape.len()],
            split: Split::new(case, &part, shape),
        };
        engine.fused = engine.prefers_fused(settings.kernel);
        engine.set_initial(case, &part)?;
        engine.complete_velocity()?;
        Ok(engine)
    }

    /// The case's flow at t = 0; outlets as if they were predicted and projected without pressure.
    fn set_initial(&mut self, case: &Case, part: &Subdomain) -> Result<()> {
        let offset = part.offset();
        for a in case.grid.directions() {
            for k in self.shape.own(2) {
                for j in self.shape.own(1) {
                    for i in self.shape.own(0) {
                        let mut point: [f64; 3] = case
                            .grid
                            .centre(std::array::from_fn(|d| [i, j, k][d] + offset[d] as isize));
                        point[a] -= 0.5 * self.spacing[a];
                        let velocity = match &case.initial {
                            Initial::Uniform(velocity) => *velocity,
                            Initial::Exact(flow) => flow.velocity(case, point, 0.0),
                        };
                        let at = self.shape.index([i, j, k]);
                        self.u[a][at] = self.walls.open[a][at] * T::from_f64(velocity[a]);
                    }
                }
            }
        }
        self.f.clone_from(&self.u);
        exchange(&self.halo, &*self.ranks, &mut self.f[..self.directions])?;
        self.walls.predict_outlets(&mut self.f);
        self.walls.project_outlets(&mut self.u, &self.f, &self.p, T::default());
        Ok(())
    }

    /// Gives the velocity its prescribed values, halos and ghost values.
    fn complete_velocity(&mut self) -> Result<()> {
        for a in 0..self.directions {
            self.walls.fix(a, &mut self.u[a]);
        }
        exchange(&self.halo, &*self.ranks, &mut self.u[..self.directions])?;
        for a in 0..self.directions {
            self.walls.mirror(a, &mut self.u[a]);
        }
        Ok(())
    }

    /// The whole pressure from its two colours, halos included.
    fn merge_pressure(&mut self) {
        let Split { colours, p, .. } = &self.split;
        let [_, n_j, _] = self.shape.padded();
        let halo = self.shape.halo;
        let (length, half) = (self.shape.padded()[0], colours.row_length());
        for (number, row) in self.p.chunks_exact_mut(length).enumerate() {
            let j = (number % n_j) as isize - halo[1] as isize;
            let k = (number / n_j) as isize - halo[2] as isize;
            for colour in 0..2 {
                let mine = &p[colour][number * half..(number + 1) * half];
                let cells = row[colours.start(colour, j, k)..].iter_mut().step_by(2);
                cells.zip(mine).for_each(|(cell, value)| *cell = *value);
            }
        }
    }

    /// The two colours from the whole pressure.
    fn split_pressure(&mut self) {
        let Split { colours, p, .. } = &mut self.split;
        for k in self.shape.all(2) {
            for j in self.shape.all(1) {
                for i in self.shape.all(0) {
                    let (colour, place) = colours.place([i, j, k]);
                    p[colour][place] = self.p[self.shape.index([i, j, k])];
                }
            }
        }
    }
}

/// Exchanges the halos of several components at once.
fn exchange<T: Real>(halo: &Halo, ranks: &dyn Communicator, arrays: &mut [Vec<T>]) -> Result<()> {
    let mut arrays: Vec<&mut [T]> = arrays.iter_mut().map(Vec::as_mut_slice).collect();
    halo.exchange(ranks, &mut arrays)
}

impl<T: Real> Engine for Cpu<T>
where
    Field<T>: Stored,
{
    fn predict(&mut self, dt: f64, gamma: f64) -> Result<()> {
        self.predict_velocity(dt, gamma)
    }

    fn divergence(&mut self, dt: f64) -> Result<()> {
        self.set_right_hand_side(dt);
        Ok(())
    }

    fn relax(&mut self, omega: f64, iterations: u32) -> Result<()> {
        self.relax_pressure(omega, iterations)
    }

    fn relax_and_measure(&mut self, omega: f64) -> Result<f64> {
        self.relax_and_find_change(omega)
    }

    fn residual(&mut self, norm: Norm) -> Result<Residual> {
        self.pressure_residual(norm)
    }

    fn project(&mut self, dt: f64) -> Result<Motion> {
        self.project_velocity(dt)
    }

    fn speed(&self) -> Result<[f64; 3]> {
        self.largest_speeds()
    }

    fn field(&self, quantity: Quantity) -> Result<Field> {
        let shape = Shape { cells: self.shape.cells, halo: [0; 3] };
        let mut field = Field::zeros(Location::Centre, shape, quantity.components());
        for cell in field.own_cells() {
            let here = self.shape.index(cell);
            match quantity {
                Quantity::Pressure => {
                    field[cell] = self.density * self.p[here].to_f64();
                }
                _ => (0..self.directions).for_each(|a| {
                    let next = here + self.shape.strides()[a];
                    let (low, high) = (self.u[a][here].to_f64(), self.u[a][next].to_f64());
                    *field.at_mut(a, cell) = 0.5 * (low + high);
                }),
            }
        }
        Ok(field)
    }

    fn save(&self, state: &mut State) -> Result<()> {
        let field = |location, values: &Vec<T>| {
            let values = values.clone();
            Field { location, shape: self.shape, components: 1, values }.stored()
        };
        state.fields.insert("pressure".into(), field(Location::Centre, &self.p));
        for a in 0..self.directions {
            state.fields.insert(COMPONENTS[a].into(), field(Location::Face(a), &self.u[a]));
        }
        Ok(())
    }

    fn restore(&mut self, state: &State) -> Result<()> {
        self.p = stored_values(state, "pressure", self.shape)?;
        for a in 0..self.directions {
            self.u[a] = stored_values(state, COMPONENTS[a], self.shape)?;
        }
        self.split_pressure();
        let halos = self.split.halos.iter().zip(&mut self.split.p);
        for (halo, p) in halos {
            halo.exchange(&*self.ranks, &mut [p])?;
        }
        self.merge_pressure();
        self.complete_velocity()
    }
}

/// Names of the velocity components in a saved state.
const COMPONENTS: [&str; 3] = ["velocity-x", "velocity-y", "velocity-z"];

/// A field that a saved state can hold.
pub(crate) trait Stored: Sized {
    /// As saved.
    fn stored(self) -> Values;
    /// From saved, if the number type is the same.
    fn of(values: &Values) -> Option<&Self>;
}

impl Stored for Field<f32> {
    fn stored(self) -> Values {
        Values::F32(self)
    }
    fn of(values: &Values) -> Option<&Self> {
        if let Values::F32(field) = values { Some(field) } else { None }
    }
}

impl Stored for Field<f64> {
    fn stored(self) -> Values {
        Values::F64(self)
    }
    fn of(values: &Values) -> Option<&Self> {
        if let Values::F64(field) = values { Some(field) } else { None }
    }
}

/// A saved field's values, with its halos.
fn stored_values<T: Real>(state: &State, name: &str, shape: Shape) -> Result<Vec<T>>
where
    Field<T>: Stored,
{
    let wrong = |problem: String| {
        let remedy = "restart from a checkpoint of the same case, method and precision";
        Error::case("restart", format!("field `{name}` {problem}"), remedy)
    };
    let values = state.fields.get(name).ok_or_else(|| wrong("is missing".into()))?;
    let field: &Field<T> =
        Stored::of(values).ok_or_else(|| wrong(format!("is not of type {}", T::NAME)))?;
    if field.shape != shape || field.components != 1 {
        return Err(wrong(format!("has {:?} cells, not {:?}", field.shape.cells, shape.cells)));
    }
    Ok(field.values.clone())
}
