//! Tests: vortices that leave the box, by the engines themselves.

use vortice_core::{Context, State, Values};

use crate::cpu::Cpu;
use crate::engine::Engine;
use crate::settings::Settings;
use crate::state::POPULATIONS;
use crate::view::at_equilibrium;

#[path = "../../core/tests/vortices/mod.rs"]
mod vortices;

use vortices::{
    INTERVAL, LOOKS, expect_developed_flow_to_leave, expect_vortices_to_leave, flow, stream,
    vorticity,
};

/// Vorticity at each look.
fn looks(n: usize, length: f64, outflow: &str, vortices: &[[f64; 3]]) -> Vec<Vec<f64>> {
    let case = stream("lbm", n, length, outflow);
    let settings = Settings::of(&case).expect("settings");
    let context = Context { threads: 1, ..Context::alone() };
    let mut engine = Cpu::<9, f64, f64>::new(&case, &context, &settings).expect("an engine");
    let mut state = State::default();
    engine.save(&mut state).expect("a state");
    let Some(Values::F64(field)) = state.fields.get_mut(POPULATIONS) else { panic!("f64") };
    let (unit, rates) = (settings.velocity_unit(), settings.rates.rounded::<f64>());
    for cell in field.shape.all_cells() {
        let (u, p) = flow(case.grid.centre(cell), vortices);
        let (r, force) = (3.0 * p / unit.powi(2), rates.force_on(0.0));
        let g: [f64; 9] = at_equilibrium(r, u.map(|u| u / unit), force);
        (0..9).for_each(|q| *field.at_mut(q, cell) = g[q]);
    }
    engine.restore(&state).expect("the state");
    let steps = (INTERVAL / settings.dt).round() as u64;
    let cells = case.grid.cells();
    let look = |number: usize| {
        engine.run(if number == 0 { 0 } else { steps }).expect("steps");
        let [velocity, _] = engine.fields(&(0..cells[1]).into()).expect("fields");
        vorticity(&case, &velocity.with_cells(cells))
    };
    (0..=LOOKS).map(look).collect()
}

#[test]
fn vortices_leave() {
    expect_vortices_to_leave("lbm", looks);
}

#[test]
fn a_developed_flow_leaves_undisturbed() {
    expect_developed_flow_to_leave("lbm", |case| {
        let context = Context { threads: 1, ..Context::alone() };
        let settings = Settings::of(case).expect("settings");
        let mut engine = Cpu::<9, f64, f64>::new(case, &context, &settings).expect("an engine");
        engine.run((20.0 / settings.dt).round() as u64).expect("steps");
        let cells = case.grid.cells();
        let [velocity, _] = engine.fields(&(0..cells[1]).into()).expect("fields");
        velocity.with_cells(cells)
    });
}
