//! The numbers that a launch is given; twins of structures in `kernels/fdm/resident/{clock,numbers}`.

use vortice_core::Case;

use super::tiling::Tiling;
use crate::options::{Count, Stop};
use crate::relaxation::Relaxation;
use crate::settings::Settings;

vortice_gpu::mirrored! {
    /// What time steps are made from.
    pub(crate) struct Pace {
        spacing: [f64; 2],
        viscosity: f64,
        boundary_speed: [f64; 2],
        fixed_dt: f64,
        fixed_gamma: f64,
        safety: f64,
        latest: f64,
    }
}

vortice_gpu::mirrored! {
    /// When pressure iterations stop.
    pub(crate) struct Stopping {
        tolerance: f64,
        omega: f64,
        first_steps: i64,
        rule: i32,
        optimal: i32,
        first: i32,
        then: i32,
        test_every: i32,
        most: i32,
    }
}

vortice_gpu::mirrored! {
    /// What a launch does.
    pub(crate) struct ResidentRun {
        pace: Pace,
        stopping: Stopping,
        time: f64,
        speed: [f64; 2],
        force: [f64; 2],
        step: i64,
        tiling: Tiling,
        steps: i32,
        held: i32,
        levels: i32,
        adaptive: i32,
    }
}

impl ResidentRun {
    /// The numbers of a case, before its first step.
    pub(super) fn new(
        case: &Case,
        settings: &Settings,
        tiling: Tiling,
        held: usize,
        levels: usize,
    ) -> Self {
        let plane = |v: [f64; 3]| [v[0], v[1]];
        let pace = Pace {
            spacing: plane(settings.spacing),
            viscosity: settings.viscosity,
            boundary_speed: plane(settings.boundary_speed),
            fixed_dt: settings.fixed_dt.unwrap_or(0.0),
            fixed_gamma: settings.fixed_gamma.unwrap_or(-1.0),
            safety: settings.safety,
            latest: 0.0,
        };
        Self {
            pace,
            stopping: Stopping::of(settings),
            time: 0.0,
            speed: [0.0; 2],
            force: plane(case.force),
            step: 0,
            tiling,
            steps: 0,
            held: held as i32,
            levels: levels as i32,
            adaptive: i32::from(settings.fixed_dt.is_none() || settings.fixed_gamma.is_none()),
        }
    }
}

impl Stopping {
    fn of(settings: &Settings) -> Self {
        let scale = settings.velocity_scale;
        let (rule, tolerance) = match settings.stop {
            Stop::Iterations(_) => (0, 0.0),
            Stop::Change(tolerance) => (1, tolerance * scale.powi(2)),
            Stop::Residual(tolerance) | Stop::ResidualRms(tolerance) => (2, tolerance),
        };
        let (first, first_steps, then) = match settings.stop {
            Stop::Iterations(Count::Always(n)) => (n, 0, n),
            Stop::Iterations(Count::Phased(phases)) => (phases.first, phases.steps, phases.then),
            _ => (0, 0, 0),
        };
        let (optimal, omega) = match settings.relaxation {
            Relaxation::Fixed(omega) => (0, omega),
            Relaxation::Optimal(omega) => (1, omega),
        };
        let count = |n: u32| i32::try_from(n).unwrap_or(i32::MAX);
        Self {
            tolerance,
            omega,
            first_steps: i64::try_from(first_steps).unwrap_or(i64::MAX),
            rule,
            optimal,
            first: count(first),
            then: count(then),
            test_every: count(settings.test_every),
            most: count(settings.max_iterations),
        }
    }
}
