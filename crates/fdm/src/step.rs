//! The time step of Griebel, Dornseifer and Neunhoeffer (1998), chapter 3, with the pressure solved
//! as by Menenguci et al. (2011). Equations: docs/src/theory/fdm.md.

use vortice_core::{Result, Step};

use crate::engine::{Engine, Motion, Norm};
use crate::limits::Limits;
use crate::options::Stop;
use crate::settings::Settings;

/// Advances the flow by one step that does not pass the time `latest`.
pub(crate) fn advance(
    engine: &mut dyn Engine,
    settings: &Settings,
    now: &Step,
    speed: &mut [f64; 3],
    latest: f64,
) -> Result<Step> {
    let limits = Limits::of(settings, *speed);
    let dt = settings.time_step(&limits, now.time, latest);
    let gamma = settings.donor_share(&limits, dt);

    engine.predict(dt, gamma)?;
    engine.divergence(dt)?;
    let iterations = solve_pressure(engine, settings, now.number + 1)?;
    let Motion { speed: found, change } = engine.project(dt)?;

    *speed = found;
    Ok(Step {
        number: now.number + 1,
        time: settings.end_of_step(now.time, dt, latest),
        dt,
        iterations: u64::from(iterations),
        residual: change / (dt * settings.velocity_scale),
    })
}

/// Iterates the pressure until the stopping rule is met; returns the number of iterations.
fn solve_pressure(engine: &mut dyn Engine, settings: &Settings, step: u64) -> Result<u32> {
    let Settings { omega, test_every, max_iterations, .. } = *settings;
    if let Stop::Iterations(count) = &settings.stop {
        let iterations = count.in_step(step);
        engine.relax(omega, iterations)?;
        return Ok(iterations);
    }
    let mut iterations = 0;
    while iterations < max_iterations {
        let more = test_every.min(max_iterations - iterations);
        iterations += more;
        let solved = match settings.stop {
            Stop::Change(tolerance) => {
                engine.relax(omega, more - 1)?;
                engine.relax_and_measure(omega)? <= tolerance * settings.velocity_scale.powi(2)
            }
            Stop::Residual(tolerance) => {
                engine.relax(omega, more)?;
                small(engine, Norm::Max, tolerance)?
            }
            Stop::ResidualRms(tolerance) => {
                engine.relax(omega, more)?;
                small(engine, Norm::Rms, tolerance)?
            }
            Stop::Iterations(_) => true,
        };
        if solved {
            break;
        }
    }
    Ok(iterations)
}

fn small(engine: &mut dyn Engine, norm: Norm, tolerance: f64) -> Result<bool> {
    let found = engine.residual(norm)?;
    // Not-a-number ends the iteration: the step's residual will tell.
    Ok(!(found.residual > tolerance * found.right_hand_side))
}
