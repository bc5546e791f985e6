//! The forces on bodies, solid boxes and walls over time, as CSV.

use std::io::Write;
use std::path::Path;

use vortice_core::{Case, Monitor, Result, Snapshot, Surface, SurfaceForce, Verdict};

use crate::lines::Lines;

/// Writes `step,time` and for each surface of [`Surface::wetted`] its force in N, its torque in N m (of a plane flow for each metre of its depth),
/// and the coefficients of drag (in x) and lift (in y): [`SurfaceForce`]. A line whenever it looks, but none of the start, and
/// one at the end.
#[derive(Debug)]
pub struct ForceHistory {
    lines: Lines,
    last: Option<u64>,
    only_due: bool,
}

/// Of each surface, after its name and a dot.
const OF_SURFACE: [&str; 6] = ["force_x", "force_y", "force_z", "torque", "drag", "lift"];

impl ForceHistory {
    /// Forces in a file, made when the run begins.
    ///
    /// # Errors
    /// If a folder has this name, or the file's folder does not exist.
    pub fn create(path: impl AsRef<Path>) -> Result<Self> {
        let lines = Lines::new(path.as_ref())?;
        Ok(Self { lines, last: None, only_due: false })
    }

    /// Goes on with the lines that an earlier part of the run has left, up to the step that it goes on from.
    #[must_use]
    pub fn going_on(self) -> Self {
        Self { lines: self.lines.going_on(), ..self }
    }

    /// No line at the end that is not due: a run that is interrupted and goes on leaves the lines of one that is not.
    #[must_use]
    pub fn only_due(self) -> Self {
        Self { only_due: true, ..self }
    }

    /// What brings the lines of this moment to the disk when it is called: for [`crate::Checkpoint::after`].
    pub fn sync(&self) -> impl Fn() -> Result<()> + Send + Sync + use<> {
        self.lines.sync()
    }

    /// Adds a line, on the first rank. Collective.
    fn line(&mut self, now: &mut Snapshot<'_>) -> Result<()> {
        if self.last.replace(now.step.number) == Some(now.step.number) {
            return Ok(());
        }
        let forces = now.forces()?;
        let written = self.lines.add(false, |file| write_line(file, now, &forces));
        now.ranks.agree(written)
    }
}

fn write_line(
    file: &mut impl Write,
    now: &Snapshot<'_>,
    forces: &[SurfaceForce],
) -> std::io::Result<()> {
    write!(file, "{},{}", now.step.number, now.step.time)?;
    for (surface, on) in Surface::wetted(now.case).into_iter().zip(forces) {
        let ([x, y, z], torque) = (on.force, on.torque);
        let [drag, lift, _] = on.coefficients(now.case, surface);
        write!(file, ",{x:e},{y:e},{z:e},{torque:e},{drag:e},{lift:e}")?;
    }
    writeln!(file)
}

/// The names of the columns.
fn columns(case: &Case) -> String {
    let names = Surface::wetted(case).into_iter().map(|surface| surface.name(case));
    let names = names.flat_map(|name| OF_SURFACE.map(|of| format!("{name}.{of}")));
    ["step".into(), "time".into()].into_iter().chain(names).collect::<Vec<_>>().join(",")
}

impl Monitor for ForceHistory {
    fn begin(&mut self, now: &mut Snapshot<'_>) -> Result<()> {
        let mine = match now.ranks.rank() {
            0 => self.lines.begin(&columns(now.case), now.step.number).map(|_| ()),
            _ => Ok(()),
        };
        now.ranks.agree(mine)?;
        // Nothing has been felt yet, or it was written by an earlier part of the run.
        self.last = Some(now.step.number);
        Ok(())
    }

    fn after_step(&mut self, now: &mut Snapshot<'_>) -> Result<Verdict> {
        self.line(now)?;
        Ok(Verdict::Continue)
    }

    fn finish(&mut self, now: &mut Snapshot<'_>) -> Result<()> {
        if !self.only_due {
            self.line(now)?;
        }
        Ok(())
    }

    fn wait(&mut self) -> Result<()> {
        self.lines.sync()()
    }
}
