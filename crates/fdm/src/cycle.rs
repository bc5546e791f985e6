//! A V-cycle of the full approximation scheme (Brandt 1977) around the time step, for flows that shall become steady.
//! Equations: docs/src/theory/fdm.md, (F23) to (F25).

use vortice_core::{Result, Step};

use crate::engine::{Engine, Motion};
use crate::limits::Limits;
use crate::settings::Settings;
use crate::step::{Solved, solve_pressure};
use crate::step_state::StepState;

/// Share of the donor cell in steps that smooth: with less, waves of two cells stay.
pub(crate) const SMOOTHING: f64 = 0.5;

/// Smoothing steps before and after the correction of a coarser grid.
pub(crate) const BEFORE: u32 = 3;
pub(crate) const AFTER: u32 = 3;

/// The same on the coarsest grid, at least; there are as many as it has cells in a row, so that what is slow crosses the box.
pub(crate) const COARSEST: u32 = 100;

/// Cycles in which the same is asked for.
pub(crate) const CYCLES: u32 = 2;

/// Steps on the finest grid that stand in the place of one.
pub(crate) const ON_FINEST: u32 = 2 + CYCLES * (BEFORE + 1 + AFTER);

/// A flow after cycles.
pub(crate) struct Improved {
    pub(crate) now: StepState,
    /// The largest change of a velocity, a share of the velocity scale.
    pub(crate) change: f64,
}

/// Brings a flow nearer to its steady end; `grids` are the settings on all grids, the finest first.
pub(crate) fn improve(
    engine: &mut dyn Engine,
    settings: &Settings,
    grids: &[Settings],
    now: &StepState,
) -> Result<Improved> {
    let dt = length(&grids[0], now.speed);
    let gamma = Limits::of(settings, now.speed).donor_share(settings, dt);
    engine.begin()?;
    let told = step(engine, settings, [dt, gamma])?;
    engine.ask(dt)?;
    let mut iterations = told.iterations + ask_less(engine, &grids[0], dt)?;
    let mut speed = now.speed;
    for _ in 0..CYCLES {
        let done = cycle(engine, grids, dt)?;
        (speed, iterations) = (done.motion.speed, iterations + done.iterations);
    }
    let change = engine.end()? / settings.velocity_scale;
    let residual = told.motion.change / (dt * settings.velocity_scale);
    let step = Step { number: now.step.number + 1, iterations, residual, ..Step::default() };
    Ok(Improved { now: StepState { step, speed, ..*now }, change })
}

/// One V-cycle on a grid, whose steps have the length `dt`.
fn cycle(engine: &mut dyn Engine, grids: &[Settings], dt: f64) -> Result<Done> {
    let settings = &grids[0];
    let Some(coarser) = grids.get(1) else {
        return smooth(engine, settings, dt, COARSEST.max(settings.longest_row));
    };
    let before = smooth(engine, settings, dt, BEFORE)?;
    engine.keep()?;
    let told = smooth(engine, settings, dt, 1)?;
    engine.restrict(dt)?;
    let mut iterations = before.iterations + told.iterations;
    if let Some(engine) = engine.coarser() {
        let dt = length(coarser, told.motion.speed);
        iterations += ask_less(engine, coarser, dt)?;
        iterations += cycle(engine, &grids[1..], dt)?.iterations;
    }
    engine.prolong()?;
    let after = smooth(engine, settings, dt, AFTER)?;
    Ok(Done { iterations: iterations + after.iterations, ..after })
}

/// How long steps on a grid are in s, for the largest speeds of components in m/s.
fn length(settings: &Settings, speed: [f64; 3]) -> f64 {
    settings.fixed_dt.unwrap_or_else(|| settings.safety * Limits::of(settings, speed).shortest())
}

/// What steps have done.
struct Done {
    /// Of the last one.
    motion: Motion,
    /// Of the pressure, in all.
    iterations: u64,
}

/// So many steps towards what is asked for, at least one.
fn smooth(engine: &mut dyn Engine, settings: &Settings, dt: f64, count: u32) -> Result<Done> {
    let mut iterations = 0;
    for number in 1.. {
        engine.predict(dt, SMOOTHING, None)?;
        engine.add_asked(dt)?;
        iterations += pressure(engine, settings, dt)?;
        if number >= count {
            break;
        }
        engine.correct(dt)?;
    }
    Ok(Done { motion: engine.project(dt)?, iterations })
}

/// A step towards the steady flow of the equations themselves, with a length and a share of the donor cell.
fn step(engine: &mut dyn Engine, settings: &Settings, [dt, gamma]: [f64; 2]) -> Result<Done> {
    engine.predict(dt, gamma, None)?;
    let iterations = pressure(engine, settings, dt)?;
    Ok(Done { motion: engine.project(dt)?, iterations })
}

/// What smoothing steps would do by themselves is not asked for.
fn ask_less(engine: &mut dyn Engine, settings: &Settings, dt: f64) -> Result<u64> {
    engine.predict(dt, SMOOTHING, None)?;
    let iterations = pressure(engine, settings, dt)?;
    engine.correct(dt)?;
    engine.ask_less(dt)?;
    Ok(iterations)
}

fn pressure(engine: &mut dyn Engine, settings: &Settings, dt: f64) -> Result<u64> {
    engine.divergence(dt)?;
    let Solved { iterations, .. } = solve_pressure(engine, settings, 1)?;
    Ok(iterations.into())
}
