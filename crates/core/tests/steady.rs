//! Shortcuts to a steady flow, with a flow that decays as is known.

use vortice_core::{
    Case, Context, Cost, Field, Location, Quantity, Result, Shape, Shortcuts, Solver, State,
    StateReader, StateWriter, Step,
};

/// A flow each of whose cells comes to its end by a rate of its own, one of `RATES`.
struct Decay {
    step: Step,
    flow: Field,
    end: Field,
}

/// What of the distance to the end a step leaves.
const RATES: [f64; 4] = [0.9, 0.99, -0.5, 0.3];

/// The velocity at a point where nothing changes any more.
fn end([x, y, _]: [f64; 3]) -> [f64; 3] {
    [x * (2.0 - x), y * (1.0 - x), 0.0]
}

impl Solver for Decay {
    fn now(&self) -> Step {
        self.step
    }
    fn step(&mut self, _latest: f64) -> Result<Step> {
        let cells = self.flow.shape.len();
        for (place, (u, end)) in self.flow.values.iter_mut().zip(&self.end.values).enumerate() {
            *u = end + RATES[place % cells % RATES.len()] * (*u - end);
        }
        self.step.number += 1;
        Ok(self.step)
    }
    fn field(&mut self, quantity: Quantity) -> Result<Field> {
        match quantity {
            Quantity::Velocity => Ok(self.flow.clone()),
            _ => Ok(Field::zeros(Location::Centre, self.flow.shape, 1)),
        }
    }
    fn save(&mut self, state: &mut dyn StateWriter) -> Result<()> {
        self.step.save(state);
        state.whole("flow", &self.flow)
    }
    fn restore(&mut self, state: &dyn StateReader) -> Result<()> {
        self.step = Step::saved(state)?;
        self.flow = state.field("flow", self.flow.shape, 3)?;
        Ok(())
    }
    fn cost(&self) -> Cost {
        Cost { bytes_per_cell: 0.0, bytes_per_step: 0.0, bytes_per_iteration: 0.0 }
    }
}

fn decay(case: &Case, _context: &Context) -> Result<Box<dyn Solver>> {
    let of = |velocity: &dyn Fn([f64; 3]) -> [f64; 3]| {
        let shape = Shape { cells: case.grid.cells(), halo: [0; 3] };
        let mut field = Field::zeros(Location::Centre, shape, 3);
        for cell in field.own_cells() {
            let u = velocity(case.grid.centre(cell));
            (0..3).for_each(|c| *field.at_mut(c, cell) = u[c]);
        }
        field
    };
    let (flow, end) = (of(&|point| case.initial_velocity(point)), of(&end));
    Ok(Box::new(Decay { step: Step::default(), flow, end }))
}

fn case(cells: usize) -> Case {
    let text = format!(
        "title = 'decay'\ngrid = {{ cells = [{cells}, {cells}, 1], size = [1.0, 1.0, 1.0] }}\n\
         fluid = {{ viscosity = 1.0 }}\nrun = {{ until = 'steady', steady = 1e-9 }}\n\
         [boundary]\nx-low = 'wall'\nx-high = 'wall'\n\
         y-low = 'wall'\ny-high = 'wall'\nz-low = 'periodic'\nz-high = 'periodic'\n"
    );
    Case::parse(&text, "decay").expect("a case")
}

fn built(shortcuts: Shortcuts, case: &Case) -> Box<dyn Solver> {
    shortcuts.build(decay, case, &Context::alone()).expect("a solver")
}

fn advance(solver: &mut dyn Solver, steps: u64) -> Step {
    (0..steps).fold(solver.now(), |_, _| solver.step(f64::INFINITY).expect("a step"))
}

/// The farthest that a velocity is from its end.
fn distance(solver: &mut dyn Solver, case: &Case) -> f64 {
    let flow = solver.field(Quantity::Velocity).expect("a velocity");
    let away = |cell: [isize; 3]| {
        let end = end(case.grid.centre(cell));
        (0..3).map(|c| (flow.at(c, cell) - end[c]).abs()).fold(0.0, f64::max)
    };
    flow.own_cells().map(away).fold(0.0, f64::max)
}

const ACCELERATED: Shortcuts = Shortcuts { coarser: 0, mixed: 6, round: 1, mixed_below: None };

/// As many rounds as there are rates tell where a linear decay ends.
#[test]
fn a_linear_decay_ends_after_as_many_rounds_as_it_has_rates() {
    let case = case(8);
    let mut accelerated = built(ACCELERATED, &case);
    advance(&mut *accelerated, 4);
    assert!(distance(&mut *accelerated, &case) > 1e-3);
    let step = advance(&mut *accelerated, 4);
    let left = distance(&mut *accelerated, &case);
    assert!(left < 1e-9, "{left:e} is left after {} steps", step.number);
    let mut plain = built(Shortcuts::default(), &case);
    advance(&mut *plain, 1000);
    assert!(distance(&mut *plain, &case) > 1e-6);
}

#[test]
fn rounds_of_several_steps_lead_there_too() {
    let case = case(8);
    let mut accelerated = built(Shortcuts { round: 3, ..ACCELERATED }, &case);
    advance(&mut *accelerated, 3 * 8);
    assert!(distance(&mut *accelerated, &case) < 1e-9);
}

#[test]
fn rounds_that_change_much_are_not_mixed() {
    let case = case(8);
    let after = |shortcuts: Shortcuts| {
        let mut solver = built(shortcuts, &case);
        advance(&mut *solver, 8);
        distance(&mut *solver, &case).to_bits()
    };
    let plain = after(Shortcuts::default());
    assert_eq!(after(Shortcuts { mixed_below: Some(0.0), ..ACCELERATED }), plain);
    assert_ne!(after(Shortcuts { mixed_below: Some(0.5), ..ACCELERATED }), plain);
}

#[test]
fn a_state_has_the_rounds_before_it() {
    let case = case(8);
    let mut unbroken = built(Shortcuts { round: 2, ..ACCELERATED }, &case);
    advance(&mut *unbroken, 7);
    let state = unbroken.state().expect("a state");
    let mut again = built(Shortcuts { round: 2, ..ACCELERATED }, &case);
    again.restore(&state).expect("a fitting state");
    assert_eq!(again.state().expect("a state"), state);
    advance(&mut *unbroken, 4);
    advance(&mut *again, 4);
    assert_eq!(again.state().expect("a state"), unbroken.state().expect("a state"));
    // One that knows of no rounds begins them there.
    let mut plain = State::default();
    decay(&case, &Context::alone()).and_then(|mut one| one.save(&mut plain)).expect("a state");
    again.restore(&plain).expect("a fitting state");
    advance(&mut *again, 4);
}

#[test]
fn a_grid_begins_where_coarser_ones_end() {
    let case = case(64);
    let shortcuts = Shortcuts { coarser: 5000, ..Shortcuts::default() };
    let mut solver = built(shortcuts, &case);
    let mut parts = 0;
    while solver.prepare().expect("a part") {
        parts += 1;
        assert_eq!(solver.now().number, 0);
    }
    assert!(parts > 10, "grids of 16 and 32 cells take a while");
    // Straight lines between cells of half the number, and their end in them: of second order but beside walls.
    let left = distance(&mut *solver, &case);
    assert!(left > 0.0 && left < 0.02, "{left}");
    assert!(distance(&mut *built(Shortcuts::default(), &case), &case) > 0.9);
    // One that cannot be halved begins with its own flow.
    let odd = self::case(27);
    assert!(!built(shortcuts, &odd).prepare().expect("nothing"));
}
