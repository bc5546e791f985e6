//! How much a run writes, foreseen before it begins.

use std::path::Path;

use crate::sample::Sample;
use vortice_core::format::{bytes, duration};
use vortice_core::{Case, Error, OutputTimes, Precision, Report, Result, Solids, Until};

/// What a run writes of its large files.
#[derive(Clone, Debug, PartialEq)]
pub struct Amount {
    /// Of the whole grid, and of its parts.
    pub series: Vec<Series>,
    /// Bytes of a checkpoint; zero if none is written.
    pub checkpoint: f64,
}

/// What is written of a part of the grid.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    /// Name of the part, empty for the whole grid.
    pub name: String,
    /// How often it is written; nothing if only the flow itself tells.
    pub times: Option<u64>,
    /// Bytes of one time, not compressed.
    pub bytes: f64,
}

impl Amount {
    /// Of a case; `report` is what its method says of it.
    pub fn of(case: &Case, report: &Report) -> Self {
        let number = match case.output.precision.unwrap_or(case.run.precision) {
            Precision::F32 => size_of::<f32>(),
            Precision::F64 => size_of::<f64>(),
        };
        let series = case.recorded().map(|part| {
            let values: usize = part.quantities.iter().map(|one| one.components()).sum();
            let cells = Sample::new(&part, Solids::default()).n().iter().product::<usize>();
            let bytes = (values * number) as f64 * cells as f64;
            Series { times: times(case, part.times), bytes, name: part.name }
        });
        let saved = report.saved + case.statistics_bytes();
        Self {
            series: series.collect(),
            checkpoint: if case.output.has_checkpoints() { saved } else { 0.0 },
        }
    }

    /// Bytes of all, as far as it is known.
    pub fn bytes(&self) -> f64 {
        let fields = self.series.iter().map(|one| one.times.unwrap_or(2) as f64 * one.bytes);
        fields.sum::<f64>() + self.checkpoint
    }

    /// Refuses a run whose files do not fit on the disk that a folder is on. Compressed fields are not counted, since
    /// their size is not known beforehand. Where the system does not tell what is free, nothing is refused.
    ///
    /// # Errors
    /// If the room will not do; the error tells both numbers.
    pub fn check_room(&self, case: &Case, folder: &Path) -> Result<()> {
        let compressed =
            if case.output.compression > 0 { self.bytes() - self.checkpoint } else { 0.0 };
        let needed = self.bytes() - compressed;
        match free(folder) {
            Some(free) if needed > free => {
                let [needed, free] = [needed, free].map(bytes);
                let problem = format!(
                    "its files need {needed} on the disk of {}, of which {free} are free",
                    folder.display()
                );
                let remedy = "write less: `output.fields`, `output.quantities`, `output.precision`, \
                              `output.checkpoint = \"none\"`; or into another folder (`--out`)";
                Err(Error::case("output", problem, remedy))
            }
            _ => Ok(()),
        }
    }

    /// What a person is told: bytes of all, and what they are.
    pub fn words(&self) -> String {
        let fields = self.series.iter().map(|Series { name, times, bytes: of_one }| {
            let (name, of_one) = (if name.is_empty() { "fields" } else { name }, bytes(*of_one));
            match times {
                Some(1) => format!("{name} {of_one}"),
                Some(times) => format!("{times} times {name} of {of_one}"),
                None => format!("{name} of {of_one} each time, here twice"),
            }
        });
        let checkpoint = format!("checkpoint {}", bytes(self.checkpoint));
        let checkpoint = Some(checkpoint).filter(|_| self.checkpoint > 0.0);
        let parts: Vec<_> = fields.chain(checkpoint).collect();
        match parts[..] {
            [] => "next to nothing".into(),
            _ => format!(
                "{}, which a disk of 1 GB/s takes in {}: {}",
                bytes(self.bytes()),
                duration(self.bytes() / 1e9),
                parts.join(", ")
            ),
        }
    }
}

/// How often something is written; nothing if only the flow itself tells.
fn times(case: &Case, times: OutputTimes) -> Option<u64> {
    let at_most = case.run.max_steps.saturating_add(1);
    match (times, case.run.until) {
        (OutputTimes::Never, _) => Some(0),
        (OutputTimes::Last, _) => Some(1),
        (OutputTimes::Ends, _) => Some(2),
        (OutputTimes::Every(seconds), Until::Time(end)) => {
            let between = ((end / seconds) * (1.0 - 1e-9)).floor() as u64;
            Some(between.saturating_add(2).min(at_most))
        }
        (OutputTimes::Every(_), Until::Steady(_)) | (OutputTimes::Steps(_), _) => None,
    }
}

/// Free bytes of the disk that a folder is on, or will be; of what has no blocks, as `/proc`, nothing is known.
fn free(folder: &Path) -> Option<f64> {
    let there = |folder: &&Path| !folder.as_os_str().is_empty() && folder.exists();
    let made = folder.ancestors().find(there).unwrap_or(Path::new("."));
    let disk = rustix::fs::statvfs(made).ok().filter(|disk| disk.f_blocks > 0)?;
    Some(disk.f_bavail as f64 * disk.f_frsize as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn amount(keys: &[&str]) -> (Case, Amount) {
        let text = include_str!("../../../cases/cavity-3d.toml");
        let case = Case::parse(text, "cavity-3d").expect("a built-in case");
        let keys: Vec<String> = keys.iter().map(|&key| key.to_owned()).collect();
        let case = case.with(&keys).expect("a case");
        let report = Report { saved: 5e6, ..Report::default() };
        let amount = Amount::of(&case, &report);
        (case, amount)
    }

    #[test]
    fn times_bytes_and_what_is_left_out_are_foreseen() {
        let of = |keys: &[&str]| {
            let (_, Amount { series, checkpoint }) =
                amount(&[&["grid.cells=[10,10,10]", "run.precision=\"f32\""], keys].concat());
            (
                series.first().and_then(|one| one.times),
                series.iter().map(|one| one.bytes).sum::<f64>(),
                checkpoint,
            )
        };
        assert_eq!(of(&["run.until=2.0", "output.fields=0.5"]), (Some(5), 28e3, 5e6));
        assert_eq!(of(&["run.until=2.1", "output.fields=0.5"]), (Some(6), 28e3, 5e6));
        let few = of(&["run.until=1e9", "output.fields=0.5", "run.max-steps=20"]);
        assert_eq!(few.0, Some(21), "at most one for each step");
        assert_eq!(of(&["output.fields=\"last\"", "output.precision=\"f64\""]).1, 56e3);
        assert_eq!(of(&["output.quantities=[\"pressure\"]"]).1, 4e3);
        let lean = of(&["output.fields=\"none\"", "output.checkpoint=\"none\""]);
        assert_eq!(lean, (None, 0.0, 0.0));
        let plane = of(&["output.fields=\"none\"", "output.planes={a={at='z',fields='last'}}"]);
        assert_eq!(plane, (Some(1), 2.8e3, 5e6));
        let averages = ["run.until=2.0", "output.fields=\"none\"", "output.statistics={}"];
        assert_eq!(of(&averages), (Some(1), 44e3, 5e6 + 88e3));
        let pressure = "output.statistics={quantities=['rms_pressure'],fields=0.5}";
        assert_eq!(of(&[averages[0], averages[1], pressure]), (Some(5), 4e3, 5e6 + 16e3));
    }

    #[test]
    fn a_disk_without_room_is_told_with_both_numbers() {
        let folder = tempfile::tempdir().expect("a folder");
        let (case, small) = amount(&[]);
        assert!(
            Amount { checkpoint: 1e3, ..small.clone() }.check_room(&case, folder.path()).is_ok()
        );
        let large = Amount { checkpoint: 1e18, ..small };
        assert!(large.check_room(&case, Path::new("/proc/nowhere")).is_ok(), "no disk at all");
        let error = large.check_room(&case, folder.path()).expect_err("no such disk");
        for part in ["GB", "are free", "output.checkpoint = \"none\"", "--out"] {
            let said = format!("{error} {}", error.remedy());
            assert!(said.contains(part), "{said}");
        }
    }
}
