//! What more ranks should bring, from what a step moves and sends and from what machines usually do.

use std::fmt::Write as _;

use vortice_core::format::{bytes, milliseconds, percent, significant};
use vortice_core::{Balance, Case, Decomposition, Result, Traffic};

use super::machine::{Link, Machine};
use crate::arguments::Ranks;

/// So many layouts are listed, and the chosen one.
const MOST_LAYOUTS: usize = 5;

/// A prediction does not tell layouts apart that differ by less.
const SLIGHT: f64 = 0.001;

/// So many GPUs of a cluster are told.
const CLUSTER: [usize; 3] = [8, 64, 1000];

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

/// What a rank has to do in a step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Load {
    /// Bytes from and to its memory.
    pub(super) moved: f64,
    /// Bytes to other ranks; those across x count more.
    pub(super) sent: f64,
    /// How many messages it waits for, one after the other.
    pub(super) waits: f64,
}

impl Load {
    /// Of one of several ranks, or of all.
    fn of(cut: &Decomposition, rank: usize, traffic: &Traffic) -> Self {
        let part = cut.subdomain(rank);
        let [x, y, z] = part.cut_faces().map(|cells| cells as f64);
        let directions = cut.ranks.iter().filter(|&&ranks| ranks > 1).count() as f64;
        // A sum of all goes up a tree and down again.
        let reduction = 2.0 * (cut.size() as f64).log2();
        Self {
            moved: part.n_cells() as f64 * traffic.moved,
            sent: (Decomposition::CUT_X_WEIGHT * x + y + z) * traffic.sent,
            waits: traffic.exchanges * directions + traffic.reductions * reduction,
        }
    }

    /// Of the rank of a cut that has most to do.
    pub(super) fn most(cut: &Decomposition, traffic: &Traffic) -> Self {
        let all = (0..cut.size()).map(|rank| Self::of(cut, rank, traffic));
        all.max_by(|a, b| (a.moved + a.sent).total_cmp(&(b.moved + b.sent))).unwrap_or_default()
    }
}

impl Prediction {
    /// Of a case whose step moves and sends so much, on so many ranks. Where a run would measure how
    /// fast the ranks are, they are taken to be as fast as their memory, or as the machine was measured to be.
    pub(super) fn new(case: Case, traffic: Traffic, machine: Machine) -> Self {
        let ranks = machine.ranks();
        let measured = match case.ranks.balance {
            Balance::Auto => !case.run.device.are_alike(),
            Balance::Measured => true,
            Balance::Equal | Balance::Weights(_) => false,
        };
        let reached = traffic.reached;
        let speeds = || (0..ranks).map(|rank| machine.memory_of(rank, reached)).collect();
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
                    self.machine.memory_words(self.traffic.reached),
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

    /// Seconds of a step.
    #[cfg(test)]
    pub(super) fn seconds(&self, cut: &Decomposition) -> f64 {
        self.times(cut).total()
    }

    fn times(&self, cut: &Decomposition) -> Times {
        self.times_by(cut, self.machine.link())
    }

    fn times_by(&self, cut: &Decomposition, link: Link) -> Times {
        let memory = |rank| self.machine.memory_of(rank, self.traffic.reached);
        let slower = if cut.size() > 1 { 1.0 + self.machine.slower() } else { 1.0 };
        let of_rank = |rank| {
            let Load { moved, sent, waits } = Load::of(cut, rank, &self.traffic);
            (slower * moved / memory(rank), sent / link.bandwidth + waits * link.latency)
        };
        let slowest =
            (0..cut.size()).map(of_rank).max_by(|a, b| (a.0 + a.1).total_cmp(&(b.0 + b.1)));
        let (compute, exchange) = slowest.unwrap_or_default();
        let moved = cut.cells.iter().product::<usize>() as f64 * self.traffic.moved;
        let all: f64 = (0..cut.size()).map(memory).sum();
        Times { compute, exchange, efficiency: moved / all / (compute + exchange) }
    }

    /// What more GPUs of a cluster would bring: of this grid, and of one that grows with them.
    ///
    /// # Errors
    /// If the balance of the case is for another number of ranks.
    pub(super) fn cluster(&self, cut: &Decomposition) -> Result<String> {
        if cut.size() == 1 || !self.machine.is_of_gpus() {
            return Ok(String::new());
        }
        let part = cut.subdomain(0).n();
        let mut text = format!(
            "\n{:8}{:>16}{:>12}{:>20}{:>12}\n",
            "GPUs", "this grid", "efficiency", "as many cells each", "efficiency"
        );
        for ranks in CLUSTER.into_iter().filter(|ranks| *ranks > cut.size()) {
            let best = |cells: &dyn Fn([usize; 3]) -> [usize; 3]| {
                let times = |layout: [usize; 3]| {
                    let cut = Decomposition::new(cells(layout), layout, [false; 3]).ok()?;
                    Some(self.times_by(&cut, self.machine.link_of_cluster(ranks)))
                };
                let all = Decomposition::layouts([usize::MAX; 3], ranks).into_iter();
                let best = all.filter_map(times).min_by(|a, b| a.total().total_cmp(&b.total()));
                let none = || ["-".into(), "-".into()];
                best.map_or_else(none, |one| [milliseconds(one.total()), percent(one.efficiency)])
            };
            let [strong, of_strong] = best(&|_| cut.cells);
            let [weak, of_weak] = best(&|layout| std::array::from_fn(|d| part[d] * layout[d]));
            let _ = writeln!(text, "{ranks:<8}{strong:>16}{of_strong:>12}{weak:>20}{of_weak:>12}");
        }
        Ok(text + &Machine::cluster_words() + "\n")
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
