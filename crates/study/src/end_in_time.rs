//! Ends a run before its wall-clock time is up.

use std::process::Command;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use vortice_core::{Case, Communicator, Monitor, Result, Snapshot, Verdict, WallLimit};

/// Share of the limit that is kept for what is written at the end, and seconds, at least.
const KEPT: [f64; 2] = [0.05, 1.0];

/// Ends a run so early that its last files are written within `run.wall-limit`: when what is left is less than a share
/// of the limit, a second, or twice the longest time between two steps, in which fields and checkpoints are written as well.
#[derive(Debug)]
pub struct EndInTime {
    limit: Option<WallLimit>,
    begun: Instant,
    /// Once the run has begun, if there is a limit: when it is over, and how long before that the run ends at least.
    end: Option<(Instant, Duration)>,
    last: Instant,
    longest: Duration,
}

impl EndInTime {
    /// Why the run ends.
    pub const REASON: &'static str = "stopped by run.wall-limit";

    /// For the case of a run that began at some time.
    pub fn of(case: &Case, begun: Instant) -> Self {
        let limit = case.run.wall_limit;
        Self { limit, begun, end: None, last: Instant::now(), longest: Duration::ZERO }
    }

    /// The seconds that the run has from its beginning on; infinite if nothing limits it.
    fn seconds(&self) -> f64 {
        match self.limit {
            Some(WallLimit::Seconds(seconds)) => seconds,
            Some(WallLimit::Auto) => left_by_slurm()
                .map_or(f64::INFINITY, |left| left + self.begun.elapsed().as_secs_f64()),
            None => f64::INFINITY,
        }
    }
}

impl Monitor for EndInTime {
    fn begin(&mut self, now: &mut Snapshot<'_>) -> Result<()> {
        // The first rank knows the time.
        let mine = if now.ranks.rank() == 0 { self.seconds() } else { 0.0 };
        let bytes = now.ranks.broadcast(mine.to_le_bytes().to_vec())?;
        let seconds = bytes.try_into().map_or(f64::INFINITY, f64::from_le_bytes);
        let kept = (KEPT[0] * seconds).max(KEPT[1]);
        let [all, kept] = [seconds, kept].map(|s| Duration::try_from_secs_f64(s).ok());
        self.end = all.and_then(|all| self.begun.checked_add(all)).zip(kept);
        self.last = Instant::now();
        Ok(())
    }

    fn after_step(&mut self, now: &mut Snapshot<'_>) -> Result<Verdict> {
        self.while_preparing(now.ranks)
    }

    fn while_preparing(&mut self, ranks: &dyn Communicator) -> Result<Verdict> {
        let time = Instant::now();
        self.longest = self.longest.max(time - std::mem::replace(&mut self.last, time));
        let is_near = self.end.is_some_and(|(end, kept)| {
            end.saturating_duration_since(time) < kept.max(2 * self.longest)
        });
        let mut near = [f64::from(u8::from(is_near))];
        ranks.max(&mut near)?;
        Ok(if near == [0.0] { Verdict::Continue } else { Verdict::Stop(Self::REASON.into()) })
    }
}

/// Seconds that Slurm leaves to the job that this process belongs to, if it does.
fn left_by_slurm() -> Option<f64> {
    let variable = |name: &str| std::env::var(name).ok();
    if let Some(end) = variable("SLURM_JOB_END_TIME").and_then(|end| end.parse::<f64>().ok()) {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        return Some((end - since.as_secs_f64()).max(0.0));
    }
    let job = variable("SLURM_JOB_ID")?;
    let mut ask = Command::new("squeue");
    let said = ask.args(["--noheader", "--format", "%L", "--job", &job]).output().ok()?;
    seconds_of(String::from_utf8_lossy(&said.stdout).trim())
}

/// A time as Slurm writes it: [[days-]hours:]minutes:seconds; nothing if there is no limit.
fn seconds_of(text: &str) -> Option<f64> {
    let (days, time) = match text.split_once('-') {
        Some((days, time)) => (days.parse::<u64>().ok()?, time),
        None => (0, text),
    };
    let parts: Vec<u64> = time.split(':').map(|part| part.parse().ok()).collect::<Option<_>>()?;
    let seconds = parts.iter().fold(0, |sum, part| 60 * sum + part);
    (2..=3).contains(&parts.len()).then_some((86_400 * days + seconds) as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_as_slurm_writes_them() {
        for (text, seconds) in [
            ("1-02:03:04", Some(93_784.0)),
            ("02:03:04", Some(7_384.0)),
            ("3:04", Some(184.0)),
            ("UNLIMITED", None),
            ("", None),
            ("7", None),
        ] {
            assert_eq!(seconds_of(text), seconds, "{text}");
        }
    }
}
