//! Small cases and exact fields for the tests of this crate.

use vortice_core::{Case, Field, Location, Shape, WallSlope, apply_overrides};

use crate::flow::Flow;

const BOX: &str = r#"
title = "A box with walls"
references = []
grid = { cells = [8, 8, 1], size = [1.0, 1.0, 0.125] }
fluid = { density = 1.0, viscosity = 0.01 }
scale = { length = 1.0, velocity = 1.0 }
run = { method = "fdm", until = 1.0 }

[boundary]
x-low = "wall"
x-high = "wall"
y-low = "wall"
y-high = "wall"
z-low = "periodic"
z-high = "periodic"
"#;

/// A unit square with walls at rest and some changes.
pub(crate) fn case(set: &str, sets: &[String]) -> Case {
    let all: Vec<String> = std::iter::once(set.to_string()).chain(sets.iter().cloned()).collect();
    Case::parse(&apply_overrides(BOX, "box", &all).unwrap(), "box").unwrap()
}

/// A field with given values at the cell centres.
pub(crate) fn field(
    case: &Case,
    components: usize,
    value: impl Fn(usize, [f64; 3]) -> f64,
) -> Field {
    let shape = Shape { cells: case.grid.cells(), halo: [0; 3] };
    let mut field = Field::zeros(Location::Centre, shape, components);
    for cell in field.own_cells() {
        for c in 0..components {
            *field.at_mut(c, cell) = value(c, case.grid.centre(cell));
        }
    }
    field
}

/// A flow whose cells hold its own values, and whose pressure is not asked for.
pub(crate) fn seen<'a>(case: &'a Case, velocity: &'a Field) -> Flow<'a> {
    seen_with(case, velocity, velocity)
}

/// The same with a pressure.
pub(crate) fn seen_with<'a>(case: &'a Case, velocity: &'a Field, pressure: &'a Field) -> Flow<'a> {
    Flow::new(case, velocity, pressure, WallSlope::EXACT, 0.0)
}

/// Prints errors on grids that halve and the orders between them; the last order.
#[allow(clippy::print_stdout)] // measured orders are worth seeing
pub(crate) fn orders(what: &str, errors: &[f64]) -> f64 {
    let orders: Vec<f64> = errors.windows(2).map(|pair| (pair[0] / pair[1]).log2()).collect();
    let errors: Vec<String> = errors.iter().map(|error| format!("{error:.2e}")).collect();
    println!("{what}: errors {}, orders {orders:.2?}", errors.join(" "));
    orders.last().copied().unwrap_or(f64::NAN)
}
