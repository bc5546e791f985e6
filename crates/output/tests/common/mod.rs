//! A flow made of formulas, in place of a solver.

#![allow(dead_code)] // each test uses its part

use std::ops::Range;

use vortice_core::{
    Case, Communicator, Context, Cost, Decomposition, Field, Location, Monitor, Quantity, Result,
    Shape, Snapshot, Solver, State, StateReader, StateWriter, Step, Subdomain, Threads, Values,
};

/// A plane box 7 x 5 with a step in the corner, or a box 5 x 4 x 3 without.
pub(crate) fn case(plane: bool, precision: &str) -> Case {
    let (cells, solid) = if plane {
        ([7, 5, 1], "[[solid]]\nlow = [0.5, 0.0, 0.0]\nhigh = [1.1, 0.4, 0.3]\n")
    } else {
        ([5, 4, 3], "")
    };
    let z = if plane { "periodic" } else { "wall" };
    let text = format!(
        "title = 'fake'\ngrid = {{ cells = {cells:?}, size = [2.1, 1.0, 0.3], \
         origin = [0.5, 0.0, 0.0] }}\nfluid = {{ viscosity = 0.01 }}\n\
         run = {{ method = 'fake', until = 1.0, precision = '{precision}' }}\n\
         output = {{ history = 2 }}\n[boundary]\nx-low = 'wall'\nx-high = 'wall'\n\
         y-low = 'wall'\ny-high = {{ wall = {{ velocity = [1.0, 0.0, 0.0] }} }}\n\
         z-low = '{z}'\nz-high = '{z}'\n{solid}"
    );
    Case::parse(&text, "fake").unwrap()
}

/// Velocity, pressure or an average of the fake flow in a global cell after a step.
pub(crate) fn value(quantity: Quantity, c: usize, cell: [usize; 3], step: u64) -> f64 {
    let [i, j, k] = cell.map(|i| i as f64);
    let first = if quantity == Quantity::Pressure { 1e4 } else { 1e3 * c as f64 };
    first + 100.0 * step as f64 + 0.1 * i + 1.7 * j + 0.013 * k * k
}

/// The same on the whole grid.
pub(crate) fn fake_field(case: &Case, quantity: Quantity, step: u64) -> Field {
    let shape = Shape { cells: case.grid.cells(), halo: [0; 3] };
    let mut field = Field::zeros(Location::Centre, shape, quantity.components());
    for cell in field.own_cells() {
        for c in 0..field.components {
            *field.at_mut(c, cell) = value(quantity, c, cell.map(|i| i as usize), step);
        }
    }
    field
}

/// A solver that knows formulas only.
pub(crate) struct FakeFlow {
    pub(crate) step: Step,
    pub(crate) part: Subdomain,
    /// What it was given; made when it is asked for else.
    state: Option<State>,
}

impl FakeFlow {
    pub(crate) fn new(cut: &Decomposition, rank: usize, number: u64, residual: f64) -> Self {
        let step = Step {
            number,
            time: 0.5 * number as f64,
            dt: 0.5,
            iterations: 3 + number,
            residual,
            ..Step::default()
        };
        Self { step, part: cut.subdomain(rank), state: None }
    }

    /// All that it needs to go on.
    pub(crate) fn own_state(&mut self) -> &mut State {
        self.state.get_or_insert_with(|| fake_state(&self.part, self.step.number))
    }
}

/// Numbers and fields of all kinds that a state may have.
fn fake_state(part: &Subdomain, number: u64) -> State {
    let shape = Shape { cells: part.n(), halo: [1, 1, usize::from(part.n()[2] > 1)] };
    let global = |cell: [isize; 3]| -> f64 {
        let [i, j, k]: [f64; 3] =
            std::array::from_fn(|d| (cell[d] + part.offset()[d] as isize) as f64);
        i + 17.3 * j + 311.7 * k + number as f64 / 3.0
    };
    let filled = |location, components| {
        let mut field = Field::<f64>::zeros(location, shape, components);
        for k in shape.all(2) {
            for j in shape.all(1) {
                for i in shape.all(0) {
                    for c in 0..components {
                        *field.at_mut(c, [i, j, k]) = global([i, j, k]).sin() + c as f64;
                    }
                }
            }
        }
        field
    };
    let mut state = State::default();
    state.numbers.insert("time".into(), 0.1 + number as f64 / 3.0);
    state.numbers.insert("smallest".into(), f64::from_bits(1));
    state.numbers.insert("unknown".into(), f64::INFINITY);
    state.fields.insert("u".into(), Values::F64(filled(Location::Face(0), 1)));
    state.fields.insert("p".into(), Values::F32(filled(Location::Centre, 1).map(|x| x as f32)));
    state.fields.insert("f".into(), Values::F64(filled(Location::Centre, 3)));
    state
}

impl Solver for FakeFlow {
    fn now(&self) -> Step {
        self.step
    }

    fn step(&mut self, _latest: f64) -> Result<Step> {
        unreachable!("the tests make their own steps")
    }

    fn has(&self, _quantity: Quantity) -> bool {
        true
    }

    fn field(&mut self, quantity: Quantity) -> Result<Field> {
        let [_, ny, nz] = self.part.n();
        let mut field = self.rows(quantity, 0..ny * nz)?;
        field.shape.cells = self.part.n();
        Ok(field)
    }

    fn rows(&mut self, quantity: Quantity, rows: Range<usize>) -> Result<Field> {
        let [nx, ny, _] = self.part.n();
        let shape = Shape { cells: [nx, rows.len(), 1], halo: [0; 3] };
        let mut field = Field::zeros(Location::Centre, shape, quantity.components());
        let places = (0..field.components).flat_map(|c| rows.clone().map(move |row| (c, row)));
        for (values, (c, row)) in field.values.chunks_exact_mut(nx).zip(places) {
            let [x, y, z] = self.part.offset();
            for (i, of_cell) in values.iter_mut().enumerate() {
                let global = [x + i, y + row % ny, z + row / ny];
                *of_cell = value(quantity, c, global, self.step.number);
            }
        }
        Ok(field)
    }

    fn save(&mut self, state: &mut dyn StateWriter) -> Result<()> {
        self.own_state().write(state)
    }

    fn restore(&mut self, state: &dyn StateReader) -> Result<()> {
        self.state = Some(State::read(state)?);
        Ok(())
    }

    fn cost(&self) -> Cost {
        Cost { bytes_per_cell: 0.0, bytes_per_step: 0.0, bytes_per_iteration: 0.0 }
    }
}

/// What a monitor is asked.
#[derive(Clone, Copy)]
pub(crate) enum Ask {
    Begin,
    Step,
    Finish,
}

/// Asks a monitor about the fake flow after a step.
pub(crate) fn ask(
    monitor: &mut dyn Monitor,
    case: &Case,
    ranks: &dyn Communicator,
    (what, number, residual): (Ask, u64, f64),
) -> Result<()> {
    let cut = Decomposition::choose(case.grid.cells(), ranks.size(), case.boundaries.periodic())?;
    let mut flow = FakeFlow::new(&cut, ranks.rank(), number, residual);
    let mut now = Snapshot::new(flow.step, case, ranks, &cut, &mut flow);
    match what {
        Ask::Begin => monitor.begin(&mut now),
        Ask::Step => monitor.after_step(&mut now).map(|_| ()),
        // As a run does in the end.
        Ask::Finish => monitor.finish(&mut now).and_then(|()| monitor.wait()),
    }
}

/// Runs a program on so many ranks, each with a context.
pub(crate) fn on_ranks<T: Send>(
    size: usize,
    program: impl Fn(&Context) -> Result<T> + Sync,
) -> Result<Vec<T>> {
    Threads::run(size, |ranks| program(&Context::new(std::sync::Arc::new(ranks))))
}

/// A velocity given by a formula of the place in m, at all cell centres of a case.
pub(crate) fn sampled(case: &Case, velocity: impl Fn([f64; 3]) -> [f64; 3]) -> Field {
    let shape = Shape { cells: case.grid.cells(), halo: [0; 3] };
    let mut field = Field::zeros(Location::Centre, shape, 3);
    for cell in field.own_cells() {
        let value = velocity(case.grid.centre(cell));
        (0..3).for_each(|c| *field.at_mut(c, cell) = value[c]);
    }
    field
}
