//! Time averages and root mean squares of a flow, beside whatever method computes it.

use std::ops::Range;

use crate::case::{Case, StatisticsOptions};
use crate::error::{Error, Result};
use crate::extent::Extent;
use crate::field::{Field, Shape};
use crate::field_later::FieldLater;
use crate::moments::Moments;
use crate::quantity::Quantity;
use crate::row_block::{RowBlock, by_layers};
use crate::solver::{Cost, Solver, through};
use crate::state::{StateReader, StateWriter};
use crate::step::Step;
use crate::surface_fluxes::SurfaceFluxes;
use crate::surface_force::SurfaceForce;
use crate::thread_pool::ThreadPool;

/// A solver that takes samples of the flow of another one, and shows their averages. Each rank keeps those of its own
/// cells, so that they are the same bits on any number of ranks.
pub(crate) struct Statistics {
    solver: Box<dyn Solver>,
    pool: ThreadPool,
    from: f64,
    steps: u64,
    /// Own cells.
    cells: [usize; 3],
    moments: Vec<Moments>,
    /// Sum of the weights: the flow time in s that is averaged over.
    weight: f64,
    samples: u64,
    /// Flow time in s of the last sample, or at which the run began.
    last: f64,
    /// Whether the run went on from a state without what was sampled until then.
    late: Option<f64>,
}

impl Statistics {
    /// Of a solver for a rank with so many cells; the samples are added by the threads of a pool.
    pub(crate) fn new(
        solver: Box<dyn Solver>,
        options: &StatisticsOptions,
        cells: [usize; 3],
        pool: &ThreadPool,
    ) -> Self {
        let StatisticsOptions { from, steps, .. } = *options;
        let moments = options.sampled().map(|of| Moments::new(of, cells)).collect();
        let (last, pool) = (solver.now().time, pool.clone());
        Self {
            solver,
            pool,
            from,
            steps,
            cells,
            moments,
            weight: 0.0,
            samples: 0,
            last,
            late: None,
        }
    }

    /// Takes a sample if one is due; its weight is the flow time since the one before.
    fn sample(&mut self) -> Result<()> {
        let Step { number, time, .. } = self.solver.now();
        let weight = time - self.last.max(self.from);
        if !number.is_multiple_of(self.steps) || weight <= 0.0 {
            return Ok(());
        }
        let sum = self.weight + weight;
        let share = [weight / sum, weight * self.weight / sum];
        for slab in Extent::whole(self.cells).slabs(1) {
            let rows = slab.rows(self.cells[1]);
            for moments in &mut self.moments {
                let sample = self.solver.rows(moments.of, rows.clone())?;
                moments.add(rows.clone(), &sample, share);
            }
        }
        (self.weight, self.last) = (sum, time);
        self.samples += 1;
        Ok(())
    }

    /// The moments that a quantity is made of.
    fn moments_of(&self, quantity: Quantity) -> Result<&Moments> {
        let moments = self.moments.iter().find(|moments| Some(moments.of) == quantity.sampled());
        moments.filter(|_| self.samples > 0).ok_or_else(|| {
            let remedy = "wait for the first sample, and name it in `output.statistics.quantities`";
            Error::case("output.statistics", format!("no `{}` by now", quantity.name()), remedy)
        })
    }

    /// Takes what a state has of the same averages, if it has them.
    fn restore_own(&mut self, state: &dyn StateReader) -> Result<()> {
        let has = |moments: &Moments| state.has(&name(moments.of));
        let is_same = state.numbers().get(FROM) == Some(&self.from) && self.moments.iter().all(has);
        let now = self.solver.now().time;
        (self.weight, self.samples, self.last, self.late) = (0.0, 0, now, None);
        if !is_same {
            // What was sampled before counts no more.
            self.moments.iter_mut().for_each(|one| *one = Moments::new(one.of, self.cells));
            self.late = Some(now).filter(|&now| now > self.from);
            return Ok(());
        }
        self.weight = state.number(WEIGHT)?;
        self.samples = state.count(SAMPLES)?;
        self.last = state.number(LAST)?;
        let shape = Shape { cells: self.cells, halo: [0; 3] };
        for moments in &mut self.moments {
            let components = Moments::values_of_cell(moments.of);
            moments.restore(&state.field(&name(moments.of), shape, components)?);
        }
        Ok(())
    }
}

/// Names in a state.
const FROM: &str = "statistics_from";
const WEIGHT: &str = "statistics_weight";
const SAMPLES: &str = "statistics_samples";
const LAST: &str = "statistics_last";

/// Of the moments of a quantity.
fn name(of: Quantity) -> String {
    format!("statistics_{}", of.name())
}

impl Solver for Statistics {
    through!(solver: now prepare finish is_ahead velocity_later forces surface_fluxes cost);

    fn step(&mut self, latest: f64) -> Result<Step> {
        let step = self.solver.step(latest)?;
        let pool = self.pool.clone();
        pool.install(|| self.sample())?;
        Ok(step)
    }

    fn has(&self, quantity: Quantity) -> bool {
        self.solver.has(quantity) || self.moments_of(quantity).is_ok()
    }

    fn field(&mut self, quantity: Quantity) -> Result<Field> {
        let cells = self.cells;
        match quantity.sampled() {
            None => self.solver.field(quantity),
            _ => self.rows(quantity, 0..cells[1] * cells[2]).map(|field| field.with_cells(cells)),
        }
    }

    fn rows(&mut self, quantity: Quantity, rows: Range<usize>) -> Result<Field> {
        match quantity.sampled() {
            None => self.solver.rows(quantity, rows),
            _ => Ok(self.moments_of(quantity)?.rows(quantity, rows, self.weight)),
        }
    }

    fn block(&mut self, quantity: Quantity, rows: &RowBlock) -> Result<Field> {
        match quantity.sampled() {
            None => self.solver.block(quantity, rows),
            _ => by_layers(rows, |of_layer| self.rows(quantity, of_layer)),
        }
    }

    fn save(&mut self, state: &mut dyn StateWriter) -> Result<()> {
        self.solver.save(state)?;
        let samples = self.samples as f64;
        state.numbers([
            (FROM, self.from),
            (WEIGHT, self.weight),
            (SAMPLES, samples),
            (LAST, self.last),
        ]);
        self.moments.iter().try_for_each(|one| state.whole(&name(one.of), one.values()))
    }

    fn restore(&mut self, state: &dyn StateReader) -> Result<()> {
        self.solver.restore(state)?;
        self.restore_own(state)
    }

    fn findings(&mut self) -> Result<Vec<(String, f64)>> {
        let mut findings = self.solver.findings()?;
        let own = [("samples averaged", self.samples as f64), ("seconds averaged", self.weight)];
        findings.extend(own.map(|(name, value)| (name.to_owned(), value)));
        Ok(findings)
    }

    fn warnings(&self) -> Vec<String> {
        let Self { from, steps, .. } = self;
        let late = self.late.map(|time| {
            format!(
                "output.statistics: samples are of t > {time} s and not of t > {from} s, because the checkpoint that the \
                 run went on from has none of the same `from` and quantities"
            )
        });
        let none = (self.samples == 0).then(|| {
            format!(
                "output.statistics: nothing was sampled and nothing is written, because no step with a number that \
                 {steps} divides ended after t = {from} s; lower `output.statistics.from` or `output.statistics.steps`"
            )
        });
        self.solver.warnings().into_iter().chain(late).chain(none).collect()
    }
}

impl Case {
    /// Bytes that all ranks together need for what is averaged over time, in memory and in a checkpoint.
    pub fn statistics_bytes(&self) -> f64 {
        let sampled = self.statistics().into_iter().flat_map(StatisticsOptions::sampled);
        let values = sampled.map(Moments::values_of_cell).sum::<usize>();
        (values * size_of::<f64>()) as f64 * self.grid.n_cells() as f64
    }
}
