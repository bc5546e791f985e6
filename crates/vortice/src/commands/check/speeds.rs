//! What `vortice bench` measured on a machine, and what follows from it for others of its flows.

use std::path::Path;

use serde::Deserialize;
use vortice_core::{Case, Decomposition, Error, Result, Traffic};

use super::machine::{Link, Measured};
use super::prediction::Load;

/// A line of `vortice bench --json`.
#[derive(Clone, Debug, Deserialize)]
struct Line {
    method: String,
    device: String,
    precision: String,
    grid: [usize; 3],
    ranks: usize,
    layout: [usize; 3],
    mlups: Median,
}

#[derive(Clone, Copy, Debug, Deserialize)]
struct Median {
    median: f64,
}

/// Lines of the same method, in the same precision, on the same kind of device, in the plane or in space like a case.
#[derive(Clone, Debug)]
pub(super) struct Speeds(Vec<Line>);

/// What a rank of a measured line had to do, and how long that took.
struct Took {
    seconds: f64,
    /// Of it for computing, were it as fast as one rank alone.
    compute: f64,
    /// For what is sent, by the bandwidth of the link.
    sent: f64,
    waits: f64,
}

impl Line {
    /// Seconds of a step.
    fn seconds(&self) -> f64 {
        self.grid.iter().product::<usize>() as f64 / (1e6 * self.mlups.median)
    }

    fn cells_of_rank(&self) -> f64 {
        self.grid.iter().product::<usize>() as f64 / self.ranks as f64
    }
}

impl Speeds {
    /// Those of a file that are like a case, on a processor or on GPUs.
    ///
    /// # Errors
    /// If the file cannot be read, has another line than those of `bench --json`, or none of one rank that is like the case.
    pub(super) fn read(path: &Path, case: &Case, is_gpu: bool) -> Result<Self> {
        let remedy = "name a file of lines that `vortice bench --json` printed";
        let text =
            std::fs::read_to_string(path).map_err(|error| Error::file(path, error, remedy))?;
        let lines = text.lines().filter(|line| !line.trim().is_empty()).enumerate();
        let lines = lines.map(|(number, line)| {
            serde_json::from_str::<Line>(line)
                .map_err(|error| Error::file(path, format!("line {}: {error}", number + 1), remedy))
        });
        let lines = lines.collect::<Result<Vec<_>>>()?;
        Self::like(lines, case, is_gpu).ok_or_else(|| {
            let (method, grid) = (&case.run.method, case.grid.cells().map(|n| n.to_string()));
            let problem = format!("has no line of one rank by {method} that is like this case");
            let remedy = format!(
                "measure one, and one of two ranks: vortice bench CASE --method {method} --cells {} --json",
                grid.join("x")
            );
            Error::file(path, problem, remedy)
        })
    }

    fn like(lines: Vec<Line>, case: &Case, is_gpu: bool) -> Option<Self> {
        let device = if is_gpu { "cuda" } else { "cpu" };
        let precision = case.run.precision.name();
        let is_plane = |cells: [usize; 3]| cells[2] == 1;
        let is_like = |line: &Line| {
            line.method == case.run.method
                && line.precision == precision
                && line.device == device
                && is_plane(line.grid) == is_plane(case.grid.cells())
        };
        let like = Self(lines.into_iter().filter(is_like).collect());
        like.0.iter().any(|line| line.ranks == 1).then_some(like)
    }

    /// What ranks with about so many cells do: how fast one computes by the line of one rank that is nearest in its
    /// cells; and, by least squares over lines of several ranks, how much longer computing takes beside others, and how long
    /// a message takes to arrive. `traffic` is that of a grid, `link` what messages travel by.
    ///
    /// # Errors
    /// If the traffic of a grid cannot be told, or ranks of a line do not fit its grid.
    pub(super) fn fit(
        &self,
        cells: f64,
        link: Link,
        traffic: impl Fn([usize; 3]) -> Result<Traffic>,
    ) -> Result<Measured> {
        let memory = |cells: f64| -> Result<f64> {
            let alone = self.0.iter().filter(|line| line.ranks == 1);
            let far = |line: &&Line| (line.cells_of_rank() / cells).ln().abs();
            let nearest = alone.min_by(|one, other| far(one).total_cmp(&far(other)));
            let Some(line) = nearest else { return Ok(0.0) };
            Ok(line.cells_of_rank() * traffic(line.grid)?.moved / line.seconds())
        };
        let took = |line: &Line| -> Result<Took> {
            let cut = Decomposition::new(line.grid, line.layout, [false; 3])?;
            let traffic = traffic(line.grid)?;
            let load = Load::most(&cut, &traffic);
            let compute = load.moved / memory(line.grid.iter().product::<usize>() as f64)?;
            let sent = load.sent / link.bandwidth;
            Ok(Took { seconds: line.seconds(), compute, sent, waits: load.waits })
        };
        let several = self.0.iter().filter(|line| line.ranks > 1);
        let took = several.map(took).collect::<Result<Vec<_>>>()?;
        let all = Measured { memory: memory(cells)?, slower: 0.0, latency: link.latency };
        Ok(match took.len() {
            0 => all,
            1 => Measured { slower: took[0].slower(link.latency), ..all },
            _ => {
                let [slower, latency] = least_squares(&took);
                Measured { slower, latency, ..all }
            }
        })
    }
}

impl Took {
    /// How much longer computing took, if a message takes so long.
    fn slower(&self, latency: f64) -> f64 {
        ((self.rest() - self.waits * latency) / self.compute).max(0.0)
    }

    /// What neither computing alone nor the bandwidth explains.
    fn rest(&self) -> f64 {
        self.seconds - self.compute - self.sent
    }
}

/// The share by which computing is slower and the latency, neither below zero, that leave the least of `rest`, each line by its
/// own time.
fn least_squares(took: &[Took]) -> [f64; 2] {
    let sum = |of: fn(&Took) -> f64| took.iter().map(|one| of(one) / one.seconds.powi(2)).sum();
    let [cc, cw, ww, cr, wr]: [f64; 5] = [
        sum(|one| one.compute * one.compute),
        sum(|one| one.compute * one.waits),
        sum(|one| one.waits * one.waits),
        sum(|one| one.compute * one.rest()),
        sum(|one| one.waits * one.rest()),
    ];
    let determinant = cc * ww - cw * cw;
    let both = [(cr * ww - wr * cw) / determinant, (wr * cc - cr * cw) / determinant];
    if both.iter().all(|x| *x >= 0.0) {
        return both;
    }
    let alone = [[(cr / cc).max(0.0), 0.0], [0.0, (wr / ww).max(0.0)]];
    let left = |x: &[f64; 2]| {
        let of = |one: &Took| {
            (one.rest() - x[0] * one.compute - x[1] * one.waits).powi(2) / one.seconds.powi(2)
        };
        took.iter().map(of).sum::<f64>()
    };
    let [one, other] = alone;
    if left(&one) < left(&other) { one } else { other }
}

#[cfg(test)]
mod tests;
