//! What more ranks should bring, from what a step moves and sends and from what machines usually do.

use std::fmt::Write as _;

use vortice_core::format::{bytes, milliseconds, percent, significant};
use vortice_core::{Balance, Case, Decomposition, Result, Traffic};

use super::machine::Machine;
use crate::arguments::Ranks;

/// A reduction over all ranks takes about as long as so many messages.
const MESSAGES_OF_REDUCTION: f64 = 4.0;

/// So many layouts are listed, and the chosen one.
const MOST_LAYOUTS: usize = 5;

/// A prediction does not tell layouts apart that differ by less.
const SLIGHT: f64 = 0.001;

/// Fewer ranks that take at most so much longer are better.
const WORTH: f64 = 1.1;

/// What is known before anything runs.
pub(super) struct Prediction {
    case: Case,
    machine: Machine,
    traffic: Traffic,
}

/// Seconds of a step of the slowest rank.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Times {
    compute: f64,
    exchange: f64,
    /// Share of what as many ranks would do if they were equally loaded and sent nothing.
    efficiency: f64,
}

/// What the rank that sends most sends in a step.
struct Sent {
    cells: usize,
    bytes: f64,
}

impl Prediction {
    /// Of a case whose step moves and sends so much, on so many ranks. Where a run would measure how
    /// fast the ranks are, they are taken to be as fast as their memory.
    pub(super) fn new(case: Case, ranks: usize, traffic: Traffic) -> Self {
        let measured = match case.ranks.balance {
            Balance::Auto => !case.run.device.are_alike(),
            Balance::Measured => true,
            Balance::Equal | Balance::Weights(_) => false,
        };
        let machine = Machine::of(&case, ranks);
        let speeds = || (0..ranks).map(|rank| machine.memory_of(rank)).collect();
        let case = if measured { case.balance(Balance::Weights(speeds())) } else { case };
        Self { case, machine, traffic }
    }

    /// How the grid is cut.
    ///
    /// # Errors
    /// If the ranks do not fit it.
    pub(super) fn cut(&self, ranks: Ranks) -> Result<Decomposition> {
        self.case.decomposition(ranks.layout, ranks.size)
    }

    /// Facts of a cut, name and value; none for one rank.
    pub(super) fn facts(&self, cut: &Decomposition) -> Vec<(String, String)> {
        if cut.size() == 1 {
            return Vec::new();
        }
        let sent = self.sent(cut);
        let Times { compute, exchange, efficiency } = self.times(cut);
        let link = self.machine.link();
        let fact = |name: &str, value: String| (name.to_string(), value);
        let times = match self.traffic.iterations {
            0.0 => format!("in {:.0} exchange", self.traffic.exchanges),
            n => format!("in {:.0} exchanges, with {n:.0} iterations", self.traffic.exchanges),
        };
        vec![
            fact("ranks", format!("{} as {}", cut.size(), layout(cut.ranks))),
            fact("cells per rank", cells_per_rank(cut)),
            fact("cells at cut faces", format!("{} of the rank with most", sent.cells)),
            fact("sent per rank and step", format!("{}, {times}", bytes(sent.bytes))),
            fact(
                "predicted step",
                format!(
                    "{} to compute and {} to exchange: efficiency {}",
                    milliseconds(compute),
                    milliseconds(exchange),
                    percent(efficiency)
                ),
            ),
            fact(
                "prediction assumes",
                format!(
                    "{}; messages {}, {} GB/s and {} us each; no overlap",
                    self.machine.memory_words(),
                    link.name,
                    significant(link.bandwidth / 1e9),
                    significant(link.latency * 1e6)
                ),
            ),
        ]
    }

    /// The best layouts and the chosen one, as a table; nothing if there is only one.
    ///
    /// # Errors
    /// If the balance of the case is for another number of ranks.
    pub(super) fn alternatives(&self, cut: &Decomposition) -> Result<String> {
        let layouts = Decomposition::layouts(cut.cells, cut.size());
        let cuts =
            layouts.into_iter().map(|ranks| self.case.decomposition(Some(ranks), cut.size()));
        let mut cuts = cuts.collect::<Result<Vec<_>>>()?;
        cuts.sort_by(|a, b| {
            let total = |cut| self.times(cut).total();
            total(a).total_cmp(&total(b)).then(a.ranks.cmp(&b.ranks))
        });
        if cuts.len() < 2 {
            return Ok(String::new());
        }
        let mut text = format!(
            "\n{:16}{:>14}{:>14}{:>12}{:>12}\n",
            "layout", "most cells", "at faces", "sent", "efficiency"
        );
        let shown = cuts.iter().enumerate();
        for (_, one) in shown.filter(|(place, one)| *place < MOST_LAYOUTS || *one == cut) {
            let (sent, mark) = (self.sent(one), if one == cut { " *" } else { "" });
            let _ = writeln!(
                text,
                "{:16}{:>14}{:>14}{:>12}{:>12}",
                layout(one.ranks) + mark,
                most_cells(one),
                sent.cells,
                bytes(sent.bytes),
                percent(self.times(one).efficiency)
            );
        }
        text += &self.better(&cuts, cut);
        Ok(text)
    }

    /// What the star means where another layout is foreseen to be faster. A run chooses without knowing
    /// the machine, so that the choice is the same everywhere.
    fn better(&self, cuts: &[Decomposition], chosen: &Decomposition) -> String {
        let (Some(best), here) = (cuts.first(), self.times(chosen).total()) else {
            return String::new();
        };
        let gain = 1.0 - self.times(best).total() / here;
        if gain < SLIGHT {
            return "* taken\n".into();
        }
        let [x, y, z] = best.ranks;
        format!(
            "* taken; on such a machine --ranks {x}x{y}x{z} should be {} faster\n",
            percent(gain)
        )
    }

    /// A warning if fewer ranks, each as fast as now, would be about as fast together, or if most of
    /// the time goes into waiting.
    pub(super) fn warning(&self, cut: &Decomposition) -> Option<String> {
        let (ranks, times) = (cut.size(), self.times(cut));
        let remedy = "take fewer, or more cells";
        let alike = self.case.clone().balance(Balance::Equal);
        let mut fewer = (0..).map(|power| 1 << power).take_while(|&fewer| fewer < ranks);
        let as_fast = fewer.find(|&fewer| {
            let cut = alike.decomposition(None, fewer);
            cut.is_ok_and(|cut| self.times(&cut).total() <= WORTH * times.total())
        });
        match as_fast {
            Some(1) => Some(format!("{ranks} ranks do not pay: 1 is about as fast; {remedy}")),
            Some(n) => Some(format!("{ranks} ranks do not pay: {n} are about as fast; {remedy}")),
            None if times.efficiency < 0.5 => Some(format!(
                "{ranks} ranks hardly pay: together they do what {:.1} could; {remedy}",
                times.efficiency * ranks as f64
            )),
            None => None,
        }
    }

    fn times(&self, cut: &Decomposition) -> Times {
        let link = self.machine.link();
        let cut_directions = cut.ranks.iter().filter(|&&ranks| ranks > 1).count() as f64;
        let waits = self.traffic.exchanges * cut_directions
            + self.traffic.reductions * MESSAGES_OF_REDUCTION;
        let waiting = if cut.size() > 1 { waits * link.latency } else { 0.0 };
        let of_rank = |rank| {
            let part = cut.subdomain(rank);
            let [x, y, z] = part.cut_faces().map(|cells| cells as f64);
            let moved = part.n_cells() as f64 * self.traffic.moved;
            let sent = (Decomposition::CUT_X_WEIGHT * x + y + z) * self.traffic.sent;
            (moved / self.machine.memory_of(rank), sent / link.bandwidth + waiting)
        };
        let slowest =
            (0..cut.size()).map(of_rank).max_by(|a, b| (a.0 + a.1).total_cmp(&(b.0 + b.1)));
        let (compute, exchange) = slowest.unwrap_or_default();
        let moved = cut.cells.iter().product::<usize>() as f64 * self.traffic.moved;
        let all: f64 = (0..cut.size()).map(|rank| self.machine.memory_of(rank)).sum();
        Times { compute, exchange, efficiency: moved / all / (compute + exchange) }
    }

    fn sent(&self, cut: &Decomposition) -> Sent {
        let faces = (0..cut.size()).map(|rank| cut.subdomain(rank).cut_faces().iter().sum());
        let cells: usize = faces.max().unwrap_or(0);
        Sent { cells, bytes: cells as f64 * self.traffic.sent }
    }
}

impl Times {
    fn total(&self) -> f64 {
        self.compute + self.exchange
    }
}

fn layout([x, y, z]: [usize; 3]) -> String {
    format!("{x} x {y} x {z}")
}

fn most_cells(cut: &Decomposition) -> usize {
    (0..cut.size()).map(|rank| cut.subdomain(rank).n_cells()).max().unwrap_or(0)
}

fn cells_per_rank(cut: &Decomposition) -> String {
    let least = (0..cut.size()).map(|rank| cut.subdomain(rank).n_cells()).min().unwrap_or(0);
    let most = most_cells(cut);
    if least == most { most.to_string() } else { format!("{least} to {most}") }
}

#[cfg(test)]
mod tests;
