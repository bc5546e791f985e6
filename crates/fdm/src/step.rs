//! The time step of Griebel, Dornseifer and Neunhoeffer (1998), chapter 3, with the pressure solved
//! as by Menenguci et al. (2011), by Euler or by Adams and Bashforth. Equations:
//! docs/src/theory/fdm.md.

use vortice_core::{Real, Result, Step};

use crate::engine::{Engine, Motion, Norm, Residual};
use crate::limits::Limits;
use crate::options::Stop;
use crate::settings::Settings;
use crate::step_state::StepState;

/// Advances the flow by one step that does not pass the time `latest`.
pub(crate) fn advance(
    engine: &mut dyn Engine,
    settings: &Settings,
    now: &StepState,
    latest: f64,
) -> Result<StepState> {
    let Step { number, time, .. } = now.step;
    let limits = Limits::of(settings, now.speed);
    let dt = limits.time_step(settings, now, latest);
    let gamma = limits.donor_share(settings, dt);
    let weights = settings.weights(dt, now.rates_age);
    let end = settings.end_of_step(time, dt, latest);

    if let Some(force) = &settings.changing_force {
        engine.push(force.at(time));
    }
    // Before bodies give faces other velocities: what carries must have no divergence.
    engine.prescribe_scalars(end)?;
    engine.carry_scalars(dt)?;
    engine.meet_bodies()?;
    engine.prescribe(end)?;
    engine.predict(dt, gamma, weights)?;
    engine.carry_out(dt)?;
    engine.divergence(dt)?;
    let Solved { iterations, left } = solve_pressure(engine, settings, number + 1)?;
    let Motion { speed, change, scalar_change } = engine.project(dt)?;

    let rate = change / (dt * settings.velocity_scale);
    let step = Step {
        number: number + 1,
        time: end,
        dt,
        iterations: u64::from(iterations),
        residual: rate.max_magnitude(scalar_change / dt),
        ..Step::default()
    };
    let rates_age = if weights.is_some() { dt } else { 0.0 };
    Ok(StepState { step, speed, rates_age, unsolved: now.unsolved.and(left) })
}

/// How the pressure was solved.
pub(crate) struct Solved {
    pub(crate) iterations: u32,
    /// What is left in the terms of the stopping rule, if it was not met.
    left: Option<f64>,
}

/// Iterates the pressure until the stopping rule is met, or as often as is allowed.
pub(crate) fn solve_pressure(
    engine: &mut dyn Engine,
    settings: &Settings,
    step: u64,
) -> Result<Solved> {
    let Settings { solver, relaxation, test_every, max_iterations, .. } = *settings;
    if let Some(how) = solver {
        let iterations = engine.solve(how)?;
        let left = if how.ended_early(iterations) {
            let Residual { residual, right_hand_side } = engine.residual(Norm::Rms)?;
            Some(residual / right_hand_side)
        } else {
            None
        };
        return Ok(Solved { iterations: iterations as u32, left });
    }
    if let Stop::Iterations(count) = &settings.stop {
        let iterations = count.in_step(step);
        engine.relax(relaxation.settling_in(iterations), iterations)?;
        return Ok(Solved { iterations, left: None });
    }
    let mut iterations = 0;
    let gentle = relaxation.settling_in(test_every);
    loop {
        iterations += test_every;
        let left = relax_and_test(engine, settings, gentle, test_every)?;
        if left.is_none() || iterations >= max_iterations {
            return Ok(Solved { iterations, left });
        }
        if let Some((more, omega)) = relaxation.stronger(iterations) {
            engine.relax(omega, more)?;
            iterations += more;
        }
    }
}

/// Iterates and tells what is left in the terms of the stopping rule, nothing if the pressure is good
/// enough; eq. (F13).
fn relax_and_test(
    engine: &mut dyn Engine,
    settings: &Settings,
    omega: f64,
    iterations: u32,
) -> Result<Option<f64>> {
    let (norm, tolerance) = match settings.stop {
        Stop::Change(tolerance) => {
            engine.relax(omega, iterations - 1)?;
            let change = engine.relax_and_measure(omega)?;
            let met = change <= tolerance * settings.velocity_scale.powi(2);
            return Ok((!met).then(|| settings.share_left(change, 1.0)));
        }
        Stop::Residual(tolerance) => (Norm::Max, tolerance),
        Stop::ResidualRms(tolerance) => (Norm::Rms, tolerance),
        Stop::Iterations(_) => return Ok(None),
    };
    engine.relax(omega, iterations)?;
    let Residual { residual, right_hand_side } = engine.residual(norm)?;
    // What is not a number will not get better either: the step's residual will tell.
    let met = residual <= tolerance * right_hand_side || residual.is_nan();
    Ok((!met).then(|| settings.share_left(residual, right_hand_side)))
}
