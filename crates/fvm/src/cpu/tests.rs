//! Properties of the verbs on one subdomain.

use vortice_core::{Case, Context};
use vortice_linear::{Criterion, PressureSolver};

use super::Cpu;
use crate::engine::Engine;
use crate::options::Momentum;
use crate::settings::Settings;

/// A built-in case by this method, with changes.
fn engine(text: &str, sets: &[&str]) -> Cpu {
    let case = Case::parse(text, "test").expect("a built-in case");
    let sets: Vec<String> = sets.iter().map(ToString::to_string).collect();
    let case = case.with(&sets).expect("changes that make sense");
    let settings = Settings::of(&case).expect("settings");
    Cpu::new(&case, &Context::alone(), &settings).expect("an engine")
}

/// The largest divergence in 1/s.
fn divergence(engine: &Cpu) -> f64 {
    let strides = engine.shape.strides();
    let mut largest = 0.0_f64;
    for row in engine.shape.rows() {
        for here in row {
            let sum: f64 = (0..engine.fluid.directions)
                .map(|d| {
                    let face_velocity = &engine.now.face_velocity[d];
                    (face_velocity[here + strides[d]] - face_velocity[here])
                        * engine.fluid.inverse_h[d]
                })
                .sum();
            largest = largest.max(sum.abs());
        }
    }
    largest
}

#[test]
fn corrected_faces_conserve_mass() {
    for (text, cells) in [
        (include_str!("../../../../cases/cavity.toml"), "grid.cells=[32,32,1]"),
        (include_str!("../../../../cases/step-gartling.toml"), "grid.cells=[60,8,1]"),
        (include_str!("../../../../cases/cavity-3d.toml"), "grid.cells=[12,10,9]"),
        (include_str!("../../../../cases/step-griebel.toml"), "grid.cells=[80,20,1]"),
    ] {
        let mut engine = engine(text, &[cells]);
        for _ in 0..3 {
            engine.assemble().expect("coefficients");
            engine.solve_momentum(Momentum::Sweeps(10)).expect("a velocity");
            engine.interpolate().expect("face velocities");
            let before = divergence(&engine);
            engine.solve_pressure(PressureSolver::Cycles(30)).expect("a pressure");
            engine.correct().expect("a correction");
            let after = divergence(&engine);
            println!("{cells}: divergence {before:.3e} before, {after:.3e} after");
            assert!(after < 1e-9 * before);
        }
    }
}

#[test]
fn momentum_around_solids_is_solved_as_far_as_is_asked_for() {
    let stop = Criterion { retol: 1e-10, abstol: 0.0, max: 200 };
    let text = include_str!("../../../../cases/step-griebel.toml");
    let sets = ["grid.cells=[80,20,1]", "fvm.momentum={ bicgstab = { max = 200 } }"];
    let mut engine = engine(text, &sets);
    engine.assemble().expect("coefficients");
    let iterations = engine.solve_momentum(Momentum::Bicgstab(stop)).expect("a velocity");
    println!("{iterations} iterations for two components");
    assert!(iterations < 100);
}
