//! The time step of Griebel, Dornseifer and Neunhoeffer (1998), chapter 3, with the pressure solved
//! as by Menenguci et al. (2011). Equations: docs/src/theory/fdm.md.

use vortice_core::{Result, Step};

use crate::engine::{Engine, Motion, Norm, Residual};
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
    let Settings { relaxation, test_every, max_iterations, .. } = *settings;
    if let Stop::Iterations(count) = &settings.stop {
        let iterations = count.in_step(step);
        engine.relax(relaxation.settling_in(iterations), iterations)?;
        return Ok(iterations);
    }
    let mut iterations = 0;
    let gentle = relaxation.settling_in(test_every);
    loop {
        iterations += test_every;
        if relax_and_test(engine, settings, gentle, test_every)? || iterations >= max_iterations {
            return Ok(iterations);
        }
        if let Some((more, omega)) = relaxation.stronger(iterations) {
            engine.relax(omega, more)?;
            iterations += more;
        }
    }
}

/// Iterates and tells whether the pressure is good enough; eq. (F13).
fn relax_and_test(
    engine: &mut dyn Engine,
    settings: &Settings,
    omega: f64,
    iterations: u32,
) -> Result<bool> {
    let (norm, tolerance) = match settings.stop {
        Stop::Change(tolerance) => {
            engine.relax(omega, iterations - 1)?;
            let change = engine.relax_and_measure(omega)?;
            return Ok(change <= tolerance * settings.velocity_scale.powi(2));
        }
        Stop::Residual(tolerance) => (Norm::Max, tolerance),
        Stop::ResidualRms(tolerance) => (Norm::Rms, tolerance),
        Stop::Iterations(_) => return Ok(true),
    };
    engine.relax(omega, iterations)?;
    let Residual { residual, right_hand_side } = engine.residual(norm)?;
    // What is not a number will not get better either: the step's residual will tell.
    Ok(residual <= tolerance * right_hand_side || residual.is_nan())
}
