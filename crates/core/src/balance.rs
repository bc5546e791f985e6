//! How fast each rank is, and what share of the grid it gets for that.

use std::time::{Duration, Instant};

use crate::boundary::{Boundaries, Boundary};
use crate::case::{Balance, Case, Until};
use crate::context::Context;
use crate::decomposition::Decomposition;
use crate::error::{Error, Result};
use crate::format::percent;
use crate::grid::Grid;
use crate::solver::{Method, Solver};

/// How long a rank is measured.
const LONG_ENOUGH: Duration = Duration::from_millis(200);

/// Cells of a sample at most, in a plane and in space: 256^2 and 64^3.
const MOST_CELLS: [usize; 2] = [65_536, 262_144];

/// Fewest cells of a sample in a direction, if the case has so many.
const FEWEST_CELLS: usize = 8;

/// The case with its balance settled: equal parts, or one weight a rank. Collective; each rank is
/// measured while the others are, if the case asks for that.
///
/// # Errors
/// If there is not one weight a rank, or a rank cannot be measured.
pub fn balanced(method: &Method, case: &Case, context: &Context) -> Result<Case> {
    let ranks = context.ranks.size();
    match &case.ranks.balance {
        Balance::Weights(weights) if ranks > 1 && weights.len() != ranks => {
            let problem = format!("has {} weights for {ranks} ranks", weights.len());
            Err(Error::case("ranks.balance", problem, "give one positive number a rank"))
        }
        Balance::Equal | Balance::Weights(_) => Ok(case.clone()),
        Balance::Auto if case.run.device.are_alike() => Ok(case.clone()),
        Balance::Auto | Balance::Measured if ranks == 1 => Ok(case.clone()),
        Balance::Auto | Balance::Measured => {
            let speeds = measured_speeds(method, case, context)?;
            Ok(case.clone().balance(Balance::Weights(speeds)))
        }
    }
}

/// Cells that each rank computes in a second, by rank: alone, with the same method, device and
/// precision, on a smaller grid. Collective.
///
/// # Errors
/// If a rank cannot be measured.
pub fn measured_speeds(method: &Method, case: &Case, context: &Context) -> Result<Vec<f64>> {
    let ranks = &*context.ranks;
    let sample = sample(case, ranks.size());
    let mut solver = ranks.agree(awake(method, &sample, context).map_err(not_measured))?;
    // All at once: as they will share this machine later.
    ranks.all_gather(&[])?;
    let steps = ranks.agree(steps_per_second(&mut *solver).map_err(not_measured))?;
    let mine = steps * sample.grid.n_cells() as f64;
    let all = ranks.all_gather(bytemuck::bytes_of(&mine))?;
    Ok(all.iter().filter_map(|bytes| bytes.get(..8)).map(bytemuck::pod_read_unaligned).collect())
}

fn not_measured(error: Error) -> Error {
    let remedy = "set ranks.balance = \"equal\", or to one positive number a rank";
    Error::case("ranks.balance", format!("the speed cannot be measured: {error}"), remedy)
}

/// A solver of the whole sample that has done its first step.
fn awake(method: &Method, sample: &Case, context: &Context) -> Result<Box<dyn Solver>> {
    let mut solver = (method.build)(sample, &context.apart())?;
    solver.step(f64::INFINITY)?;
    solver.finish()?;
    Ok(solver)
}

fn steps_per_second(solver: &mut dyn Solver) -> Result<f64> {
    let begin = Instant::now();
    let (mut steps, mut more) = (0, 1);
    while begin.elapsed() < LONG_ENOUGH {
        for _ in 0..more {
            solver.step(f64::INFINITY)?;
        }
        // A device does its steps only when they are waited for.
        solver.finish()?;
        steps += more;
        more = steps.min(1 << 16);
    }
    Ok(f64::from(steps) / begin.elapsed().as_secs_f64())
}

/// A flow of the same fluid in a smaller box of the same cells, about as many as a rank would get:
/// walls where the case is not periodic, one of them moving, and no solids.
fn sample(case: &Case, ranks: usize) -> Case {
    let all = case.grid.cells();
    let directions = case.grid.directions();
    let most = MOST_CELLS[usize::from(!case.grid.is_plane())];
    let wanted = (case.grid.n_cells() / ranks).min(most) as f64;
    let shrink = (wanted / case.grid.n_cells() as f64).powf(1.0 / directions.len() as f64);
    let mut cells = all;
    for d in directions {
        // Some methods need even numbers in periodic directions.
        let even = (all[d] as f64 * shrink / 2.0).round() as usize * 2;
        cells[d] = even.max(FEWEST_CELLS).min(all[d]);
    }
    let spacing = case.grid.spacing();
    let size = std::array::from_fn(|d| spacing[d] * cells[d] as f64);
    let origin = case.grid.axes.map(|axis| axis.low());
    let mut sample = case.clone().balance(Balance::Equal).until(Until::Time(f64::MAX));
    sample.grid = Grid::uniform(cells, size, origin);
    sample.boundaries = walls(case);
    sample.solid.clear();
    sample.bodies.clear();
    sample
}

fn walls(case: &Case) -> Boundaries {
    let periodic = case.boundaries.periodic();
    let mut faces = [0, 1, 2].map(|d| {
        let face = if periodic[d] { Boundary::Periodic } else { Boundary::WALL };
        [face.clone(), face]
    });
    if let Some(d) = case.grid.directions().rev().find(|&d| !periodic[d]) {
        let mut velocity = [0.0; 3];
        velocity[usize::from(d == 0)] = case.scale.velocity;
        faces[d][1] = Boundary::Wall { velocity };
    }
    Boundaries(faces)
}

impl Decomposition {
    /// Which share of the cells each rank gets, in words: "rank 0 gets 95.3 % of the cells, rank 1
    /// 4.7 %"; nothing if all get as many, up to a tenth.
    pub fn shares(&self) -> Option<String> {
        let cells: Vec<usize> =
            (0..self.size()).map(|rank| self.subdomain(rank).n_cells()).collect();
        let (least, most) = (cells.iter().min()?, cells.iter().max()?);
        if *most as f64 <= 1.1 * *least as f64 {
            return None;
        }
        let total: usize = cells.iter().sum();
        let share = |n: usize| percent(n as f64 / total as f64);
        if cells.len() > 8 {
            return Some(format!(
                "the ranks get from {} to {} of the cells",
                share(*least),
                share(*most)
            ));
        }
        let words = cells.iter().enumerate().map(|(rank, &n)| match rank {
            0 => format!("rank 0 gets {} of the cells", share(n)),
            _ => format!("rank {rank} {}", share(n)),
        });
        Some(words.collect::<Vec<_>>().join(", "))
    }
}
