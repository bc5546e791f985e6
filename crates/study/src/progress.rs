//! Tells people how far a run is: a bar on a terminal, now and then a line elsewhere.

use std::io::{IsTerminal, Write};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressFinish, ProgressStyle};
use vortice_core::{Monitor, Result, Snapshot, Step, Until, Verdict};

/// Parts that the bar is made of.
const PARTS: u64 = 1000;

/// Shows step, flow time, residual, cells per second and the time left, on standard error, from
/// rank 0.
pub struct Progress {
    title: String,
    bar: Option<ProgressBar>,
    between: Duration,
    last: Instant,
    begin: Instant,
    first: Step,
    /// Iteration error of the first step looked at that had one.
    start_error: Option<f64>,
}

impl Default for Progress {
    fn default() -> Self {
        Self::new()
    }
}

impl Progress {
    /// A bar if standard error is a terminal, else a line every two seconds.
    pub fn new() -> Self {
        let terminal = std::io::stderr().is_terminal();
        let between = Duration::from_millis(if terminal { 100 } else { 2000 });
        let now = Instant::now();
        let bar = terminal.then(bar);
        Self {
            title: String::new(),
            bar,
            between,
            last: now,
            begin: now,
            first: Step::default(),
            start_error: None,
        }
    }

    /// With a title before each line, to tell one run of several.
    #[must_use]
    pub fn titled(self, title: &str) -> Self {
        Self { title: format!("{title}  "), ..self }
    }

    fn show(&self, now: &mut Snapshot<'_>) {
        let step = now.step;
        let elapsed = self.begin.elapsed().as_secs_f64();
        let steps = (step.number - self.first.number) as f64;
        let rate = now.case.grid.n_cells() as f64 * steps / elapsed.max(1e-9) / 1e6;
        let share = self.share(now);
        let error = match (now.case.run.until, step.iteration_error) {
            (Until::Steady(_), error) if error.is_finite() => {
                format!("iteration error {error:.1e}")
            }
            _ => format!("residual {:.2e}/s", step.residual),
        };
        // A flow that is found without following it has no time.
        let place = match step.time_reached() {
            f64::INFINITY => format!("iteration {}", step.number),
            time => format!("step {}  t = {time:.4} s", step.number),
        };
        let text = format!("{}{place}  {error}  {rate:.1} Mcells/s", self.title);
        match &self.bar {
            Some(bar) => {
                bar.set_position((share * PARTS as f64) as u64);
                bar.set_message(format!("{text}  {} left", left(elapsed, share)));
            }
            None => {
                let left = left(elapsed, share);
                // Standard error may be closed; a run does not depend on being watched.
                let _ = writeln!(
                    std::io::stderr(),
                    "{:3.0} %  {text}  {left} left",
                    (100.0 * share).floor()
                );
            }
        }
    }

    /// How much of the run is done, 0 to 1: by flow time, by the iteration error's way down on a
    /// logarithmic scale, or by steps, whichever is farthest.
    fn share(&self, now: &mut Snapshot<'_>) -> f64 {
        let (step, run) = (now.step, &now.case.run);
        let of = |done: f64, all: f64| if all > 0.0 { (done / all).clamp(0.0, 1.0) } else { 0.0 };
        let goal = match (run.until, self.start_error) {
            (Until::Time(end), _) => of(step.time - self.first.time, end - self.first.time),
            (Until::Steady(tolerance), Some(start)) => {
                of((start / step.iteration_error).ln(), (start / tolerance).ln())
            }
            (Until::Steady(_), None) => 0.0,
        };
        let steps = (step.number - self.first.number) as f64;
        goal.max(of(steps, run.max_steps.saturating_sub(self.first.number) as f64))
    }
}

impl Monitor for Progress {
    fn begin(&mut self, now: &mut Snapshot<'_>) -> Result<()> {
        self.first = now.step;
        self.begin = Instant::now();
        self.last = self.begin;
        Ok(())
    }

    fn after_step(&mut self, now: &mut Snapshot<'_>) -> Result<Verdict> {
        let error = now.step.iteration_error;
        if self.start_error.is_none() && error > 0.0 && error.is_finite() {
            self.start_error = Some(error);
        }
        if now.ranks.rank() == 0 && self.last.elapsed() >= self.between {
            self.last = Instant::now();
            self.show(now);
        }
        Ok(Verdict::Continue)
    }

    fn finish(&mut self, _now: &mut Snapshot<'_>) -> Result<()> {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
        Ok(())
    }
}

/// A bar that clears itself when it is dropped.
fn bar() -> ProgressBar {
    let style = ProgressStyle::with_template("{bar:24} {percent:>3} %  {msg}")
        .unwrap_or_else(|_| ProgressStyle::default_bar());
    ProgressBar::with_draw_target(Some(PARTS), ProgressDrawTarget::stderr())
        .with_style(style)
        .with_finish(ProgressFinish::AndClear)
}

/// The time left, in words, when a share was done in some seconds.
fn left(elapsed: f64, share: f64) -> String {
    if share < 1e-4 {
        return "?".into();
    }
    let seconds = (elapsed * (1.0 - share) / share).round() as u64;
    match seconds {
        0..60 => format!("{seconds} s"),
        60..3600 => format!("{} min {:02} s", seconds / 60, seconds % 60),
        _ => format!("{} h {:02} min", seconds / 3600, seconds / 60 % 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_left_is_told_in_fitting_units() {
        assert_eq!(left(10.0, 0.5), "10 s");
        assert_eq!(left(100.0, 0.5), "1 min 40 s");
        assert_eq!(left(7200.0, 0.25), "6 h 00 min");
        assert_eq!(left(1.0, 0.0), "?");
    }
}
