//! What was measured, as a table and as JSON.

use std::fmt::{self, Write as _};

use serde::Serialize;
use vortice_core::format::{bandwidth, percent};
use vortice_core::{Case, Decomposition, Error, Method, Result};
use vortice_gpu::{Launched, launched};

use super::bandwidth::Bandwidth;
use super::speed::Speed;
use crate::commands::cases::cells;
use vortice_study::DevicePlacement;

/// What was computed, by whom.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Subject {
    case: String,
    version: &'static str,
    method: &'static str,
    device: &'static str,
    gpu: Option<String>,
    /// Of all ranks on the processor; nothing on GPUs.
    threads: Option<usize>,
    precision: &'static str,
    grid: [usize; 3],
    cells: usize,
    ranks: usize,
    layout: [usize; 3],
    /// Least and most.
    cells_per_rank: [usize; 2],
    #[serde(skip)]
    place: String,
}

/// How fast it was, beside the memory. Numbers that do not exist are null.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Measured {
    #[serde(flatten)]
    subject: Subject,
    #[serde(flatten)]
    speed: Speed,
    measured_bandwidth: f64,
    measured_by: &'static str,
    share_of_measured: f64,
    nominal_bandwidth: Option<f64>,
    share_of_nominal: Option<f64>,
    /// Whether the GPU's memory corrects errors; nothing on the processor.
    ecc: Option<bool>,
    /// The kernels that were launched; none on the processor.
    kernels: Vec<Launched>,
}

impl Subject {
    /// Of a case that is not measured yet.
    pub(super) fn new(
        name: &str,
        case: &Case,
        method: &Method,
        cut: &Decomposition,
        place: &DevicePlacement,
        threads: Option<usize>,
    ) -> Self {
        let parts = (0..cut.size()).map(|rank| cut.subdomain(rank).n_cells());
        let least_and_most = parts.fold([usize::MAX, 0], |[a, b], n| [a.min(n), b.max(n)]);
        Self {
            case: name.to_string(),
            version: crate::VERSION,
            method: method.name,
            device: place.device(),
            gpu: place.gpus(),
            threads: Some(place.threads(threads)).filter(|threads| *threads > 0),
            precision: case.run.precision.name(),
            grid: case.grid.cells(),
            cells: case.grid.n_cells(),
            ranks: cut.size(),
            layout: cut.ranks,
            cells_per_rank: least_and_most,
            place: place.words(threads),
        }
    }
}

impl Subject {
    /// How several ranks share the grid: name and words.
    fn shares(&self) -> Option<(&'static str, String)> {
        let ([x, y, z], [least, most]) = (self.layout, self.cells_per_rank);
        let cells = if least == most { format!("{most}") } else { format!("{least} to {most}") };
        let words = format!("{} as {x} x {y} x {z}, {cells} cells each", self.ranks);
        (self.ranks > 1).then_some(("ranks", words))
    }
}

impl fmt::Display for Subject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { case, method, precision, place, .. } = self;
        write!(f, "{case} ({method}, {} cells, {precision}) on {place}", cells(self.grid))
    }
}

impl Measured {
    /// A speed and the bandwidth of the memory that was used.
    pub(super) fn new(subject: Subject, speed: Speed, bandwidth: Bandwidth) -> Self {
        let moved = speed.bytes_per_second;
        Self {
            subject,
            speed,
            measured_bandwidth: bandwidth.measured,
            measured_by: bandwidth.by,
            share_of_measured: moved / bandwidth.measured,
            nominal_bandwidth: bandwidth.nominal,
            share_of_nominal: bandwidth.nominal.map(|nominal| moved / nominal),
            ecc: bandwidth.ecc,
            kernels: launched(),
        }
    }

    /// One line of JSON.
    ///
    /// # Errors
    /// If a number cannot be written as JSON.
    pub(super) fn json(&self) -> Result<String> {
        let text = serde_json::to_string(self);
        let text = text.map_err(|error| {
            Error::file("standard output", error, "leave out --json and report this")
        })?;
        Ok(text + "\n")
    }

    /// For people.
    pub(super) fn table(&self) -> String {
        let Speed { repeats, steps, mlups, iterations_per_second, .. } = &self.speed;
        let mut text = format!("{}, {repeats} x {steps} steps\n\n", self.subject);
        let _ =
            writeln!(text, "{:14}{:>12}{:>12}{:>12}{:>11}", "", "median", "min", "max", "spread");
        text += &mlups.row("MLUPS");
        if self.subject.ranks > 1 {
            text += &mlups.over(self.subject.ranks).row("MLUPS a rank");
        }
        if let Some(spread) = iterations_per_second {
            text += &spread.row("iterations/s");
        }
        text.push('\n');
        for (name, words) in self.subject.shares().into_iter().chain(self.memory()) {
            let _ = writeln!(text, "{name:14}{words}");
        }
        text
    }

    /// What there is to say of the memory: name and words.
    fn memory(&self) -> Vec<(&'static str, String)> {
        let Speed { iterations_per_step, bytes_per_cell_and_step, .. } = self.speed;
        let share = |share: f64, whole: f64, by: &str| {
            format!("{} of {} ({by})", percent(share), bandwidth(whole))
        };
        let mut traffic = format!("{bytes_per_cell_and_step:.0} bytes per cell and step");
        if iterations_per_step > 0.0 {
            traffic += &format!(" of {iterations_per_step:.1} iterations");
        }
        let mut lines = vec![
            ("memory", format!("{:.0} bytes per cell", self.speed.memory_bytes_per_cell)),
            ("traffic", traffic),
            ("bandwidth", bandwidth(self.speed.bytes_per_second)),
            (
                "of measured",
                share(self.share_of_measured, self.measured_bandwidth, self.measured_by),
            ),
        ];
        if let (Some(part), Some(whole)) = (self.share_of_nominal, self.nominal_bandwidth) {
            lines.push(("of nominal", share(part, whole, "data sheet")));
        }
        lines
    }
}

#[cfg(test)]
mod tests {
    use vortice_core::Cost;

    use super::*;
    use crate::commands::bench::sample::Sample;

    /// What three repeats of 100 steps would give.
    fn measured(ranks: usize, iterations: u64, nominal: Option<f64>) -> Measured {
        let case = crate::open_case("cavity", &["run.device=cpu".into()]).unwrap();
        let (place, cut) =
            (DevicePlacement::of(&case, ranks).unwrap(), case.decomposition(None, ranks));
        let subject =
            Subject::new("cavity", &case, &vortice_fdm::METHOD, &cut.unwrap(), &place, Some(2));
        let cost = Cost { bytes_per_cell: 40.0, bytes_per_step: 80.0, bytes_per_iteration: 20.0 };
        let repeats = [0.5, 0.25, 1.0].map(|seconds| Sample { steps: 100, iterations, seconds });
        let speed = Speed::new(1_000_000, cost, &repeats);
        Measured::new(subject, speed, Bandwidth { measured: 40e9, by: "copy", nominal, ecc: None })
    }

    #[test]
    fn shares_are_of_the_measured_and_the_nominal_bandwidth() {
        let with = measured(1, 400, Some(64e9));
        assert_eq!((with.share_of_measured, with.share_of_nominal), (0.8, Some(0.5)));
        let table = with.table();
        for part in [
            "cavity (fdm, 128 x 128 cells, f64) on the processor, 2 threads, 3 x 100 steps\n",
            "MLUPS               200.00      100.00      400.00    150.0 %\n",
            "iterations/s        800.00 ",
            "traffic       160 bytes per cell and step of 4.0 iterations\n",
            "bandwidth     32.0 GB/s\n",
            "of measured   80.0 % of 40.0 GB/s (copy)\n",
            "of nominal    50.0 % of 64.0 GB/s (data sheet)\n",
        ] {
            assert!(table.contains(part), "{part}\n{table}");
        }
    }

    #[test]
    fn ranks_are_told_with_their_shares() {
        let three = measured(3, 0, None);
        let table = three.table();
        for part in [
            "on the processor, 3 ranks with 2 threads each, 3 x 100 steps\n",
            "MLUPS a rank         66.67       33.33      133.33    150.0 %\n",
            "ranks         3 as 1 x 3 x 1, 5376 to 5504 cells each\n",
        ] {
            assert!(table.contains(part), "{part}\n{table}");
        }
        let json: serde_json::Value = serde_json::from_str(&three.json().unwrap()).unwrap();
        assert_eq!((&json["ranks"], &json["threads"]), (&3.into(), &6.into()));
        assert_eq!(json["layout"], serde_json::json!([1, 3, 1]));
        assert_eq!(json["cells_per_rank"], serde_json::json!([5376, 5504]));
    }

    #[test]
    fn what_does_not_exist_is_not_printed() {
        let without = measured(1, 0, None);
        let table = without.table();
        assert!(
            !table.contains("rank") && !table.contains("iterations") && !table.contains("nominal"),
            "{table}"
        );
        assert!(table.contains("80 bytes per cell and step\n"), "{table}");
        let json = without.json().unwrap();
        assert!(json.ends_with("}\n") && json.lines().count() == 1, "{json}");
        let json: serde_json::Value = serde_json::from_str(&json).unwrap();
        assert!(json["nominal_bandwidth"].is_null() && json["iterations_per_second"].is_null());
        assert_eq!((&json["threads"], &json["mlups"]["median"]), (&2.into(), &200.0.into()));
    }
}
