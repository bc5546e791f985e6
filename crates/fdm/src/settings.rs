//! The numbers that the time step works with, derived once from the case.

use std::f64::consts::PI;

use vortice_core::{Case, ChangingForce, ConvectiveOutlet, Result, Scalar};
use vortice_linear::PressureSolver;

use crate::options::{Auto, Choice, Kernel, Optimal, Options, ScalarConvection, Stop};
use crate::relaxation::Relaxation;

/// The numbers of a run.
#[derive(Clone, Debug)]
pub(crate) struct Settings {
    /// Kinematic viscosity in m2/s.
    pub(crate) viscosity: f64,
    /// Cell widths in m.
    pub(crate) spacing: [f64; 3],
    /// Number of directions in which something varies: 2 or 3.
    pub(crate) directions: usize,
    /// Largest speed that a boundary prescribes, per component in m/s.
    pub(crate) boundary_speed: [f64; 3],
    /// Velocity scale of the case in m/s.
    pub(crate) velocity_scale: f64,
    /// Share of the donor cell, unless automatic.
    pub(crate) fixed_gamma: Option<f64>,
    /// Whether steps are those of Adams and Bashforth, not Euler's.
    pub(crate) second_order: bool,
    /// Time step in s, unless automatic.
    pub(crate) fixed_dt: Option<f64>,
    /// Share of the limit that an automatic time step uses.
    pub(crate) safety: f64,
    /// What solves the pressure, unless SOR does.
    pub(crate) solver: Option<PressureSolver>,
    /// Over-relaxation.
    pub(crate) relaxation: Relaxation,
    /// When the pressure iteration stops.
    pub(crate) stop: Stop,
    /// Iterations between tests.
    pub(crate) test_every: u32,
    /// Most iterations in a step.
    pub(crate) max_iterations: u32,
    /// All that the flow carries.
    pub(crate) scalars: Vec<Scalar>,
    /// The body force of the case, if it changes.
    pub(crate) changing_force: Option<ChangingForce>,
    /// Differences of the convection of scalars.
    pub(crate) scalar_convection: ScalarConvection,
    /// Order of the sweeps.
    pub(crate) kernel: Kernel,
    /// Whether steps are cycles over coarser grids.
    pub(crate) has_cycles: bool,
    /// Rounds of cycles that Anderson's acceleration keeps beside the flow at most.
    pub(crate) rounds: usize,
    /// Cells in the longest direction.
    pub(crate) longest_row: u32,
}

/// A step of Adams and Bashforth is at most so many times as long as the last.
pub(crate) const GROWTH: f64 = 2.0;

/// A step may be this much shorter than the longest so that no sliver is left before `latest`.
pub(crate) const SLIVER: f64 = 1e-9;

impl Settings {
    /// The settings of a case.
    ///
    /// # Errors
    /// If an option of the `[fdm]` table cannot be.
    pub(crate) fn of(case: &Case) -> Result<Self> {
        let options = Options::of(case)?;
        let number = |choice| match choice {
            Choice::Number(x) => Some(x),
            Choice::Word(Auto::Auto) => None,
        };
        Ok(Self {
            viscosity: case.viscosity,
            spacing: case.grid.spacing(),
            directions: case.grid.directions().len(),
            boundary_speed: boundary_speed(case),
            velocity_scale: case.scale.velocity,
            fixed_gamma: number(options.gamma),
            second_order: options.is_second_order(case),
            fixed_dt: number(options.dt),
            safety: options.safety,
            solver: options.pressure(case).linear(),
            relaxation: match options.over_relaxation {
                Choice::Number(omega) => Relaxation::Fixed(omega),
                Choice::Word(Optimal::Optimal) => {
                    Relaxation::Optimal(optimal_over_relaxation(case))
                }
            },
            stop: options.stop.clone(),
            test_every: options.test_every,
            max_iterations: options.max_iterations,
            scalars: case.carried().cloned().collect(),
            changing_force: case.changing_force.clone(),
            scalar_convection: options.scalar_convection,
            kernel: options.kernel,
            has_cycles: options.has_cycles(case),
            rounds: if options.has_cycles(case) { options.shortcuts().rounds(case) } else { 0 },
            longest_row: case.grid.cells().into_iter().max().unwrap_or(1) as u32,
        })
    }

    /// Weights of the rates of change now and before in a step of Adams and Bashforth; eq. (F15).
    /// Without rates that are of use the step is Euler's.
    pub(crate) fn weights(&self, dt: f64, rates_age: f64) -> Option<[f64; 2]> {
        let usual = rates_age > 0.0 && dt <= GROWTH * (1.0 + SLIVER) * rates_age;
        let before = if usual { 0.5 * dt / rates_age } else { 0.0 };
        self.second_order.then_some([1.0 + before, before])
    }

    /// What a test of eq. (F13) found, as the share that its tolerance bounds.
    pub(crate) fn share_left(&self, reached: f64, of: f64) -> f64 {
        match self.stop {
            Stop::Change(_) => reached / self.velocity_scale.powi(2),
            _ => reached / of,
        }
    }

    /// Flow time after a step, exactly `latest` if the step was to end there.
    pub(crate) fn end_of_step(&self, now: f64, dt: f64, latest: f64) -> f64 {
        if dt == latest - now { latest } else { now + dt }
    }
}

/// Largest speed that any face or body prescribes, per component in m/s.
fn boundary_speed(case: &Case) -> [f64; 3] {
    // Bodies turn about lines along z.
    let turning = case.bodies.iter().map(|body| body.speed()).fold(0.0, f64::max);
    let mut largest = [turning, turning, 0.0];
    for (_, _, boundary) in case.boundaries.iter() {
        let Some(velocity) = boundary.largest_velocity() else { continue };
        let norm = velocity.iter().map(|u| u * u).sum::<f64>().sqrt();
        if norm > 0.0 {
            let peak = boundary.speed() / norm;
            (0..3).for_each(|d| largest[d] = largest[d].max(velocity[d].abs() * peak));
        }
    }
    if let Some(outlet) = ConvectiveOutlet::of(case) {
        let largest = &mut largest[outlet.direction];
        *largest = largest.max(outlet.speed);
    }
    largest
}

/// The factor that makes SOR converge fastest on a box; eq. (F7).
pub(crate) fn optimal_over_relaxation(case: &Case) -> f64 {
    let weights = case.grid.spacing().map(|h| 1.0 / (h * h));
    let directions = case.grid.directions();
    let total: f64 = directions.clone().map(|d| weights[d]).sum();
    let cosine = |d: usize| {
        let n = case.grid.axes[d].len() as f64;
        match (case.boundaries.periodic()[d], outflows(case, d)) {
            (true, _) => (2.0 * PI / n).cos(),
            (_, 1) => (PI / (2.0 * n)).cos(),
            _ => (PI / n).cos(),
        }
    };
    let reduced = |d: usize| weights[d] * (1.0 - cosine(d));
    let open = directions.clone().filter(|&d| outflows(case, d) > 0);
    // The slowest mode varies along one direction only, unless a fixed pressure makes it vary
    // along every direction with an outflow.
    let slowest = if case.boundaries.fix_pressure() {
        total - open.map(reduced).sum::<f64>()
    } else {
        total - directions.map(reduced).fold(f64::INFINITY, f64::min)
    } / total;
    2.0 / (1.0 + (1.0 - slowest * slowest).sqrt())
}

/// Ends of a direction at which the pressure is given.
fn outflows(case: &Case, direction: usize) -> usize {
    case.boundaries.0[direction].iter().filter(|face| face.pressure().is_some()).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn omega(cells: [usize; 2], x_high: &str) -> f64 {
        let [n, m] = cells;
        let text = format!(
            "title = 'box'\ngrid = {{ cells = [{n}, {m}, 1], size = [{n}.0, {m}.0, 1.0] }}\n\
             fluid = {{ viscosity = 1.0 }}\nrun = {{ until = 1.0 }}\n[boundary]\nx-low = 'wall'\n\
             x-high = '{x_high}'\ny-low = 'wall'\ny-high = 'wall'\nz-low = 'periodic'\n\
             z-high = 'periodic'\n"
        );
        optimal_over_relaxation(&Case::parse(&text, "box").expect("a case"))
    }

    /// 2 / (1 + sqrt(1 - mu2)) with mu the largest eigenvalue of the Jacobi iteration.
    fn of_jacobi(mu: f64) -> f64 {
        2.0 / (1.0 + (1.0 - mu * mu).sqrt())
    }

    #[test]
    fn the_optimum_is_that_of_the_slowest_mode() {
        let square = of_jacobi((1.0 + (PI / 64.0).cos()) / 2.0);
        assert!((omega([64, 64], "wall") - square).abs() < 1e-14);
        // The longer side is the slower one, however the box lies.
        let long = of_jacobi((1.0 + (PI / 256.0).cos()) / 2.0);
        assert!((omega([256, 64], "wall") - long).abs() < 1e-14);
        assert!((omega([64, 256], "wall") - long).abs() < 1e-14);
        // A fixed pressure at one end doubles the wave's length and rules out the others.
        let open = of_jacobi((1.0 + (PI / 256.0).cos()) / 2.0);
        assert!((omega([128, 32], "outflow") - open).abs() < 1e-14);
        let across = of_jacobi((1.0 + (PI / 64.0).cos()) / 2.0);
        assert!((omega([32, 128], "outflow") - across).abs() < 1e-14);
    }
}
