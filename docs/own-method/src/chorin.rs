//! Artificial compressibility: A. J. Chorin, J. Comput. Phys. 2 (1967) 12-26.

use serde::Deserialize;
use vortice_core::{
    Boundary, Case, Context, Cost, Error, Field, Method, Precision, Quantity, Report, Result,
    Settling, Solver, StateReader, StateWriter, Step, Traffic, Until, WallSlope, within,
};

use crate::flow::Flow;

/// Entry of the registry.
pub const METHOD: Method = Method {
    name: "chorin",
    about: "Artificial compressibility on a staggered grid, for steady flows (Chorin 1967)",
    check,
    when_it_diverges: |_| "`chorin.safety` to half of what it is".into(),
    // Ghost values mirror the cells beside a wall.
    wall_slope: |case| check(case).map(|_| WallSlope::MIRRORED),
    told_options: |case| Ok(format!("{:?}", delta_and_step(case)?)),
    build,
    ..Method::PLAIN
};

/// The `[chorin]` table of a case file.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Options {
    /// Artificial compressibility in s2/m2; without it sound is as fast as the velocity scale.
    delta: Option<f64>,
    /// Share of the longest stable step; without it 0.9.
    safety: Option<f64>,
}

/// The artificial compressibility in s2/m2, and the step in s by (3).
fn delta_and_step(case: &Case) -> Result<(f64, f64)> {
    let options: Options = case.options(METHOD.name)?;
    let faces = case.boundaries.iter().map(|(.., face)| face.speed());
    let (nu, speed) = (case.viscosity, faces.fold(case.scale.velocity, f64::max));
    let (delta, safety) = (options.delta.unwrap_or(speed.powi(-2)), options.safety.unwrap_or(0.9));
    within("chorin.delta", delta, f64::MIN_POSITIVE..=f64::MAX, "1 / speed squared is usual")?;
    within("chorin.safety", safety, f64::MIN_POSITIVE..=1.0, "0.9 is usual")?;
    let s: f64 = case.grid.directions().map(|d| case.grid.spacing()[d].powi(-2)).sum();
    let sound = delta * ((nu * nu + 1.0 / (delta * s)).sqrt() - nu);
    let convection = 2.0 * nu / (speed * (speed + delta.powf(-0.5)));
    Ok((delta, safety * sound.min(convection)))
}

/// Refuses what the method cannot do, and says what follows from a case.
fn check(case: &Case) -> Result<Report> {
    let known = |face: &Boundary| matches!(face, Boundary::Wall { .. } | Boundary::Periodic);
    let mut faces = case.boundaries.iter().filter(|(d, ..)| case.grid.directions().contains(d));
    let refused = [
        (case.run.device.name_a_gpu(), "run.device", "computes on the processor only"),
        (case.run.precision != Precision::F64, "run.precision", "computes in f64 only"),
        (matches!(case.run.until, Until::Time(_)), "run.until", "finds steady flows only"),
        (!case.solid.is_empty(), "solid", "knows no solid boxes"),
        (faces.any(|(.., face)| !known(face)), "boundary", "knows walls and periodic faces only"),
    ];
    if let Some((_, key, problem)) = refused.into_iter().find(|(is_so, ..)| *is_so) {
        let remedy = "change this key or take another method";
        return Err(Error::unsupported(METHOD.name, key, problem, remedy));
    }
    let facts = vec![("step".into(), format!("{:.4e} s", delta_and_step(case)?.1))];
    let cost = cost(case);
    let memory = cost.bytes_per_cell * case.grid.n_cells() as f64;
    let sent = 8.0 * (case.grid.directions().len() + 2) as f64;
    let (moved, exchanges, reductions, iterations) = (cost.bytes_per_step, 2.0, 1.0, 0.0);
    let traffic = Traffic { moved, reached: 1.0, sent, exchanges, reductions, iterations };
    Ok(Report { facts, memory, traffic, ..Report::default() })
}

/// Two copies of each component and the pressure; five passes over a component, four over the pressure.
fn cost(case: &Case) -> Cost {
    let directions = case.grid.directions().len() as f64;
    let (bytes_per_cell, bytes_per_step) = (16.0 * directions + 8.0, 40.0 * directions + 32.0);
    Cost { bytes_per_cell, bytes_per_step, bytes_per_iteration: 0.0 }
}

struct Chorin {
    flow: Flow,
    delta: f64,
    dt: f64,
    now: Step,
    settling: Settling,
}

fn build(case: &Case, context: &Context) -> Result<Box<dyn Solver>> {
    let now = Step { residual: f64::INFINITY, ..Step::default() };
    let (flow, (delta, dt)) = (Flow::new(case.clone(), context)?, delta_and_step(case)?);
    Ok(Box::new(Chorin { flow, delta, dt, now, settling: Settling::new(case) }))
}

impl Solver for Chorin {
    fn now(&self) -> Step {
        self.now
    }

    fn step(&mut self, _latest: f64) -> Result<Step> {
        let dt = self.dt;
        let residual = self.flow.step(dt, self.delta)? / (dt * self.flow.case.scale.velocity);
        let mut step = Step { number: self.now.number + 1, dt, residual, ..Step::default() };
        self.settling.follow(&mut step, 8.0 * f64::EPSILON);
        // The time of these steps is not the flow's.
        self.now = Step { dt: 0.0, ..step };
        Ok(self.now)
    }

    fn field(&mut self, quantity: Quantity) -> Result<Field> {
        let Flow { case, u, p, .. } = &self.flow;
        match quantity {
            Quantity::Velocity => Ok(Field::velocity_at_centres(u)),
            Quantity::Pressure => Ok(p.without_halo().map(|p| case.density * p)),
            _ => Err(quantity.is_derived(METHOD.name)),
        }
    }

    fn save(&mut self, state: &mut dyn StateWriter) -> Result<()> {
        self.now.save(state);
        self.settling.save(state);
        self.flow.fields().try_for_each(|(name, field)| state.whole(name, field))
    }

    fn restore(&mut self, state: &dyn StateReader) -> Result<()> {
        self.now = Step::saved(state)?;
        self.settling.restore(state, &mut self.now)?;
        for (name, field) in self.flow.fields() {
            field.values = state.scalar(name, field.shape)?;
        }
        self.flow.close()
    }

    fn cost(&self) -> Cost {
        cost(&self.flow.case)
    }
}
