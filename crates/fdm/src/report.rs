//! Derived numbers and warnings of a case, without running it.

use vortice_core::{Case, Initial, Report, Result};

use crate::boundary::FaceCounts;
use crate::coarser::smoothing;
use crate::cost::{cost, device_memory, padded, traffic, vectors, width};
use crate::cycle::{AFTER, BEFORE, CYCLES};
use crate::limits::Limits;
use crate::options::{Options, Stop};
use crate::relaxation::Relaxation;
use crate::settings::{Settings, optimal_over_relaxation};
use crate::step_state::{StepState, Unsolved};
use crate::suitability;

/// What `check` prints of this method.
pub(crate) fn check(case: &Case) -> Result<Report> {
    suitability::check(case)?;
    let settings = Settings::of(case)?;
    let (cycles, speed) = (smoothing(case, &settings)?, expected_speed(case));
    let steps = cycles.first().unwrap_or(&settings);
    let limits = Limits::of(steps, speed);
    let dt = limits.time_step(steps, &StepState::default(), f64::INFINITY);
    let gamma = Limits::of(&settings, speed).donor_share(&settings, dt);
    let cost = cost(case, &settings);
    let scalars = 1 + settings.scalars.len();
    // On the way to a GPU only the velocity, the open faces of one of its components, scalars, and what faces
    // are.
    let memory = match case.run.device.are_gpus() {
        true => padded(case, 1) * (width(case) * (settings.directions + scalars) as f64 + 1.0),
        false => cost.bytes_per_cell * case.grid.n_cells() as f64,
    };
    let fact = |name: &str, value: String| (name.to_string(), value);
    let widest = case.grid.directions().map(|d| settings.spacing[d]).fold(0.0, f64::max);
    let cell_reynolds = case.scale.velocity * widest / case.viscosity;
    let facts = vec![
        fact("cell Reynolds number", format!("{cell_reynolds:.3}")),
        fact("steps by", scheme(&settings).into()),
        fact(
            "time step",
            format!("{dt:.4e} s{}", if settings.fixed_dt.is_some() { "" } else { " (adaptive)" }),
        ),
        fact("viscous limit", format!("{:.4e} s", limits.viscous)),
        fact("Courant limit", format!("{:.4e} s", limits.courant)),
        fact("convective limit", format!("{:.4e} s", limits.convective)),
        fact("Courant number", format!("{:.3}", dt * limits.crossing_rate)),
        fact("donor-cell share gamma", format!("{gamma:.3}")),
    ];
    let pressure = match settings.solver {
        Some(solver) => vec![fact("pressure by", solver.to_string())],
        None => vec![
            fact("SOR over-relaxation", over_relaxation(&settings)),
            fact("SOR stops", stop(&settings)),
        ],
    };
    let name = if case.heat.is_some() { "heat limit" } else { "scalar limit" };
    let carried = limits.scalar.is_finite().then(|| fact(name, format!("{:.4e} s", limits.scalar)));
    let grids = cycles.len();
    let cycles = settings.has_cycles.then(|| {
        let smoothed = BEFORE + AFTER;
        fact("a step is", format!("{CYCLES} V-cycles, {smoothed} smoothing steps on {grids} grids"))
    });
    let facts =
        [facts, carried.into_iter().collect(), pressure, cycles.into_iter().collect()].concat();
    let mut warnings = warnings(case, &settings, &limits, dt, gamma);
    if settings.has_cycles && grids == 1 {
        warnings.push(Case::has_no_coarser("fdm.multigrid"));
    }
    let traffic = traffic(case, &cost, &settings);
    let scheme = String::new();
    let numbers = vectors(&settings, 1) * settings.directions + scalars;
    let saved = padded(case, 1) * width(case) * numbers as f64;
    let rounds = Options::of(case)?.shortcuts().bytes(case, saved);
    // Those of cycles lie where the flow does.
    let is_there = settings.rounds > 0 && case.run.device.are_gpus();
    let [kept, kept_there] = if is_there { [0.0, rounds] } else { [rounds, 0.0] };
    let (fetched, device_memory) = (1.0, device_memory(case, &settings) + kept_there);
    Ok(Report { facts, warnings, memory, device_memory, saved, fetched, kept, traffic, scheme })
}

fn scheme(settings: &Settings) -> &'static str {
    if settings.second_order {
        "Adams and Bashforth, second order in time"
    } else {
        "explicit Euler, first order in time"
    }
}

/// What is said of the pressure and of faces beside bodies at a run's end.
pub(crate) fn findings(
    settings: &Settings,
    now: &StepState,
    faces: FaceCounts,
) -> Vec<(String, f64)> {
    let mut findings = pressure_findings(settings, now);
    if faces.all > 0 {
        let FaceCounts { all, without_parabola } = faces;
        findings.push(("faces with the velocity of a body".into(), all as f64));
        findings.push(("of them without room for a parabola".into(), without_parabola as f64));
    }
    findings
}

/// Iterations that are counted out are not tested: that is how it was meant.
fn pressure_findings(settings: &Settings, now: &StepState) -> Vec<(String, f64)> {
    if let (Stop::Iterations(count), None) = (&settings.stop, settings.solver) {
        let iterations = count.in_step(now.step.number.max(1));
        return vec![("pressure iterations of a step, not tested".into(), f64::from(iterations))];
    }
    let Unsolved { steps, largest } = now.unsolved;
    let mut findings = vec![("steps ended by fdm.max-iterations".into(), steps as f64)];
    if steps > 0 {
        findings.push(("largest pressure residual left".into(), largest));
    }
    findings
}

/// The warning of a run some of whose steps did not solve the pressure.
pub(crate) fn unsolved(settings: &Settings, now: &StepState) -> Option<String> {
    let Unsolved { steps, largest } = now.unsolved;
    if let Some(solver) = settings.solver {
        return (steps > 0).then(|| {
            format!(
                "the most iterations of fdm.pressure ended {steps} of {} steps: {solver} left up to \
                 {largest:.1e} of the right-hand side, so the velocity has divergence; raise its `max`, \
                 or its `retol`",
                now.step.number
            )
        });
    }
    let (what, tolerance) = match settings.stop {
        Stop::Iterations(_) => return None,
        Stop::Change(tolerance) => ("U2 changed in the last iteration", tolerance),
        Stop::Residual(tolerance) | Stop::ResidualRms(tolerance) => {
            ("of the right-hand side is left", tolerance)
        }
    };
    let remedy = match settings.relaxation {
        Relaxation::Fixed(_) => "raise it, or set fdm.over-relaxation = \"optimal\"",
        Relaxation::Optimal(_) => "raise it, or take a larger fdm.stop",
    };
    (steps > 0).then(|| {
        format!(
            "fdm.max-iterations = {} ended the pressure iterations of {steps} of {} steps: up to \
             {largest:.1e} {what} where fdm.stop asks for {tolerance:.0e}, so the velocity has \
             divergence; {remedy}",
            settings.max_iterations, now.step.number
        )
    })
}

/// The warning of a run that does not become steady: what the rule of eq. (F13) leaves of the pressure is another in each step.
pub(crate) fn unsteady(settings: &Settings, now: &StepState) -> Option<String> {
    let [key, value] = match (settings.solver, &settings.stop) {
        (Some(_), _) => ["the `retol` of fdm.pressure", "a tenth of it"].map(String::from),
        (None, Stop::Iterations(_)) => return None,
        (None, Stop::Change(x)) => ["fdm.stop".into(), format!("{{ change = {:.0e} }}", x / 10.0)],
        (None, Stop::Residual(x)) => {
            ["fdm.stop".into(), format!("{{ residual = {:.0e} }}", x / 10.0)]
        }
        (None, Stop::ResidualRms(x)) => {
            ["fdm.stop".into(), format!("{{ residual-rms = {:.0e} }}", x / 10.0)]
        }
    };
    now.step.never_steady()?;
    Some(format!(
        "the flow does not become steady: either it never will, or what still changes is what {key} leaves of \
         the pressure; try {value}"
    ))
}

/// What to change when a flow diverges, as the rest of "set ...".
pub(crate) fn when_it_diverges(case: &Case) -> String {
    match Settings::of(case).map(|of| (of.fixed_dt, of.safety, of.has_cycles)) {
        Ok((Some(dt), ..)) => format!(
            "`fdm.dt = \"auto\"`, or less than {dt:e} s: `vortice check` prints the stability limits"
        ),
        Ok((None, safety, false)) => format!("`fdm.safety` below {safety}"),
        Ok((None, safety, true)) => {
            format!("`fdm.safety` below {safety}, or `fdm.multigrid = false`")
        }
        Err(_) => "`fdm.dt = \"auto\"`".into(),
    }
}

fn over_relaxation(settings: &Settings) -> String {
    match (settings.relaxation, &settings.stop) {
        (Relaxation::Fixed(omega), _) => format!("{omega}"),
        (relaxation, Stop::Iterations(count)) => {
            format!("{:.4}", relaxation.settling_in(count.in_step(u64::MAX)))
        }
        (Relaxation::Optimal(best), _) => {
            let gentle = settings.relaxation.settling_in(settings.test_every);
            format!("{gentle:.2}, then the optimum {best:.4} where that is not enough")
        }
    }
}

fn stop(settings: &Settings) -> String {
    let every = settings.test_every;
    match &settings.stop {
        Stop::Iterations(count) => format!(
            "after {} iterations in step 1, {} in later ones",
            count.in_step(1),
            count.in_step(u64::MAX)
        ),
        Stop::Change(x) => format!("when max |change of p| < {x:e} U2, tested every {every}"),
        Stop::Residual(x) => format!("when max |r| < {x:e} max |rhs|, tested every {every}"),
        Stop::ResidualRms(x) => format!("when rms r < {x:e} rms rhs, tested every {every}"),
    }
}

fn warnings(case: &Case, settings: &Settings, limits: &Limits, dt: f64, gamma: f64) -> Vec<String> {
    let mut warnings = Vec::new();
    if dt > limits.shortest() {
        let shortest = limits.shortest();
        warnings.push(format!(
            "fdm.dt = {dt:.3e} s exceeds the stability limit {shortest:.3e} s: expect divergence; \
             lower it or set fdm.dt = \"auto\""
        ));
    }
    if settings.fixed_gamma.is_none() || gamma > 0.0 {
        warnings.push(format!(
            "gamma = {gamma:.2} adds numerical viscosity and costs most of the accuracy (cavity, \
             Re 1000, 64 x 64: u_min is 25 % too weak instead of 6 %); fdm.gamma = 0 is second order"
        ));
    }
    if settings.solver.is_some() {
        return warnings;
    }
    let omega = settings.relaxation.largest();
    let best = optimal_over_relaxation(case);
    if omega < 0.9 * best && !matches!(settings.stop, Stop::Iterations(_)) {
        warnings.push(format!(
            "over-relaxation {omega} is far below the optimum {best:.4}: expect many times more \
             iterations; set fdm.over-relaxation = \"optimal\""
        ));
    }
    let at_a_time = match &settings.stop {
        Stop::Iterations(count) => count.in_step(u64::MAX),
        _ => settings.test_every,
    };
    if settings.relaxation.unsettled_after(at_a_time) {
        warnings.push(format!(
            "{at_a_time} iterations at a time are too few for over-relaxation {omega}: expect noise or \
             divergence; set fdm.over-relaxation = \"optimal\", or more iterations"
        ));
    }
    warnings
}

/// The largest speeds that the case speaks of: boundaries, initial flow, scale.
fn expected_speed(case: &Case) -> [f64; 3] {
    let mut speed = [0.0_f64; 3];
    speed[0] = case.scale.velocity;
    if let Initial::Uniform(velocity) = case.initial {
        (0..3).for_each(|d| speed[d] = speed[d].max(velocity[d].abs()));
    }
    for (_, _, boundary) in case.boundaries.iter() {
        if let Some(velocity) = boundary.largest_velocity() {
            (0..3).for_each(|d| speed[d] = speed[d].max(velocity[d].abs()));
        }
    }
    speed
}

#[cfg(test)]
mod tests {
    use super::*;
    use vortice_core::Precision;

    #[test]
    fn the_memory_of_a_gpu_counts_its_arrays_with_their_halos() {
        let of = |cells: [usize; 3], depth: &str, precision, heat: &str| {
            let [n, m, k] = cells;
            let z = if k == 1 { "periodic" } else { "wall" };
            let text = format!(
                "title = 'box'\ngrid = {{ cells = [{n}, {m}, {k}], size = [1.0, 1.0, {depth}] }}\n\
                 fluid = {{ viscosity = 1.0 }}\nrun = {{ until = 1.0 }}\n{heat}\n[boundary]\n\
                 x-low = 'wall'\nx-high = 'wall'\ny-low = 'wall'\ny-high = 'wall'\n\
                 z-low = '{z}'\nz-high = '{z}'\n"
            );
            let case = Case::parse(&text, "box").expect("a case").precision(precision);
            check(&case).expect("can be done").device_memory
        };
        // Rates of change too, because the flow is followed to a time.
        let in_plane = 80.0 * (9.0 * 4.0 + 2.0);
        assert_eq!(of([8, 6, 1], "0.1", Precision::F32, ""), in_plane);
        assert_eq!(of([8, 6, 4], "1.0", Precision::F64, ""), 480.0 * (11.0 * 8.0 + 2.0));
        // The temperature twice, with two layers beyond the ends.
        let heated = of([8, 6, 1], "0.1", Precision::F32, "heat = { prandtl = 1.0 }");
        assert_eq!(heated, in_plane + 120.0 * 2.0 * 4.0);
    }
}
