//! Values and fluxes of faces by formulas of place and time, by every method: exact flows, and the order.

#![allow(clippy::print_stdout)] // tests print the numbers that they judge

use vortice::registry;
use vortice_core::{Case, Context, Quantity};

/// The root mean square of a temperature less that of a formula, of a fluid at rest with the diffusivity 1 m2/s in a box of n x m
/// cells of 1/n m, at a time in s. `faces` are those of x and y.
fn error(
    method: &str,
    [n, m]: [usize; 2],
    (initial, faces): (&str, [&str; 4]),
    (until, dt): (f64, f64),
    exact: impl Fn([f64; 3], f64) -> f64,
) -> f64 {
    let [x_low, x_high, y_low, y_high] = faces;
    let size = [1.0, m as f64 / n as f64, 1.0 / n as f64];
    let text = format!(
        "title = 'faces'\ngrid = {{ cells = [{n}, {m}, 1], size = {size:?} }}\nfluid = {{ viscosity = 1.0 }}\n\
         scale = {{ length = 1.0 }}\nheat = {{ diffusivity = 1.0 }}\ninitial = {{ temperature = {initial} }}\n\
         run = {{ method = '{method}', until = {until}, device = 'cpu' }}\n[boundary]\nx-low = {x_low}\nx-high = {x_high}\n\
         y-low = {y_low}\ny-high = {y_high}\nz-low = 'periodic'\nz-high = 'periodic'\n[fvm]\ndt = {dt}\n"
    );
    let case = Case::parse(&text, "faces").unwrap_or_else(|error| panic!("{text}\n{error}"));
    let context = Context { threads: 1, ..Context::alone() };
    let build = registry::method(method).expect("a method").build;
    let mut solver = build(&case, &context).unwrap_or_else(|error| panic!("{text}\n{error}"));
    while solver.now().time < (1.0 - 1e-9) * until {
        solver.step(until).expect("a step");
    }
    let (field, time) = (solver.field(Quantity::Temperature).expect("heat"), solver.now().time);
    let difference = |cell| field[cell] - exact(case.grid.centre(cell), time);
    let squares: f64 = field.own_cells().map(|cell| difference(cell).powi(2)).sum();
    (squares / case.grid.n_cells() as f64).sqrt()
}

/// Of a wave that decays into a fluid, in 1/s and 1/m: k^2 = omega / 2.
const OMEGA: f64 = 20.0;
const K: f64 = 3.162_277_660_168_379_5;

#[test]
fn a_wall_whose_temperature_oscillates_sends_waves_of_second_order() {
    let wave = format!("exp(-{K}*x)*cos({OMEGA}*t - {K}*x)");
    let value = format!("{{ wall = {{ temperature = \"{wave}\" }} }}");
    let flux = format!("{{ wall = {{ heat-flux = \"{K}*(cos({OMEGA}*t) - sin({OMEGA}*t))\" }} }}");
    let initial = format!("\"exp(-{K}*x)*cos({K}*x)\"");
    let exact = |[x, ..]: [f64; 3], t: f64| (-K * x).exp() * (OMEGA * t - K * x).cos();
    for method in ["fdm", "fvm", "lbm"] {
        for (name, low) in [("value", &value), ("flux", &flux)] {
            let of = |n: usize| {
                let flow = (&*initial, [&**low, &value, "'periodic'", "'periodic'"]);
                error(method, [n, 4], flow, (0.4, 0.16 / n as f64), exact)
            };
            let [coarse, fine] = [16, 32].map(of);
            let order = (coarse / fine).log2();
            println!("{method}, {name}: {coarse:.2e} and {fine:.2e} K, order {order:.2}");
            assert!(order > 1.8 && fine < 5e-3, "{method}, {name}: {coarse} {fine}");
        }
    }
}

#[test]
fn a_wall_whose_temperature_differs_from_place_to_place_is_of_second_order() {
    use std::f64::consts::PI;
    let hot = "{ wall = { temperature = \"sin(pi*y)\" } }";
    let cold = "{ wall = { temperature = 0.0 } }";
    let exact = |[x, y, _]: [f64; 3], _: f64| (PI * y).sin() * (PI * (1.0 - x)).sinh() / PI.sinh();
    for method in ["fdm", "fvm", "lbm"] {
        let of = |n| error(method, [n, n], ("0.0", [hot, cold, cold, cold]), (1.0, 0.05), exact);
        let [coarse, fine] = [16, 32].map(of);
        let order = (coarse / fine).log2();
        println!("{method}: {coarse:.2e} and {fine:.2e} K, order {order:.2}");
        assert!(order > 1.8 && fine < 1e-3, "{method}: {coarse} {fine}");
    }
}
