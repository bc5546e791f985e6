//! The complete state on disk now and then, and back, on any number of ranks.

mod saved_state;
mod whole;
mod writer;

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use vortice_core::{
    Case, Communicator, Context, Decomposition, Monitor, Result, Snapshot, Stage, State, Verdict,
    check_place,
};

use crate::stored::Stored;

pub use saved_state::SavedState;
use writer::CheckpointWriter;

/// Writes the complete state every so many wall-clock seconds or steps, and at the end of the run,
/// always to the same file: beside it first, then renamed. The one before may be kept under another name. A state that is no longer finite never
/// replaces a good one.
pub struct Checkpoint {
    path: PathBuf,
    interval: Duration,
    steps: Option<u64>,
    written: Instant,
    last: Option<u64>,
    note: Option<Box<dyn Fn() -> String + Send>>,
    older: Option<PathBuf>,
    before: Vec<Box<dyn Fn() -> Result<()> + Send>>,
}

impl Checkpoint {
    /// Checkpoints in a file, as often as [`vortice_core::OutputOptions`] says.
    ///
    /// # Errors
    /// If a folder has this name, or the file's folder does not exist.
    pub fn new(path: impl AsRef<Path>, case: &Case) -> Result<Self> {
        let path = path.as_ref().to_path_buf();
        check_place(&path)?;
        let seconds = case.output.checkpoint.unwrap_or(f64::INFINITY);
        let interval = Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX);
        let steps = case.output.checkpoint_steps.filter(|&steps| steps > 0);
        Ok(Self {
            path,
            interval,
            steps,
            written: Instant::now(),
            last: None,
            note: None,
            older: None,
            before: Vec::new(),
        })
    }

    /// Keeps a note in each file, [`Stored::note`], made when the file is written.
    #[must_use]
    pub fn noting(self, note: impl Fn() -> String + Send + 'static) -> Self {
        Self { note: Some(Box::new(note)), ..self }
    }

    /// Keeps the checkpoint before the last, too, under this name.
    #[must_use]
    pub fn keeping(self, older: &Path) -> Self {
        Self { older: Some(older.to_owned()), ..self }
    }

    /// Brings another file to the disk before each checkpoint, so that a run which goes on from it finds what belongs to its
    /// step: [`crate::Recorder::sync`], [`crate::History::sync`], [`crate::Energies::sync`],
    /// [`crate::ForceHistory::sync`] and [`crate::ProbeHistory::sync`].
    #[must_use]
    pub fn after(mut self, to_disk: impl Fn() -> Result<()> + Send + 'static) -> Self {
        self.before.push(Box::new(to_disk));
        self
    }

    /// Whether it is time; rank 0 has the clock.
    fn is_due(&self, now: &mut Snapshot<'_>) -> Result<bool> {
        if self.steps.is_some_and(|steps| now.step.number.is_multiple_of(steps)) {
            return Ok(true);
        }
        let late = self.written.elapsed() >= self.interval;
        Ok(now.ranks.broadcast(vec![u8::from(late)])? == [1])
    }

    fn write(&mut self, now: &mut Snapshot<'_>) -> Result<()> {
        if !now.step.residual.is_finite() {
            return Ok(());
        }
        let (ranks, cut) = (now.ranks, now.cut);
        let kept = self.write_beside(now, ranks, cut);
        if !matches!(kept, Ok(true)) {
            CheckpointWriter::discard(&self.path, ranks);
        }
        if kept? {
            self.last = Some(now.step.number);
        }
        self.written = Instant::now();
        Ok(())
    }

    /// Tells whether the state was finite; where it was not, the residual is of some steps ago, and will tell.
    fn write_beside(
        &self,
        now: &mut Snapshot<'_>,
        ranks: &dyn Communicator,
        cut: &Decomposition,
    ) -> Result<bool> {
        let note = self.note.as_ref().map(|note| note()).unwrap_or_default();
        let stored = Stored { note, ..Stored::new(now.case, now.step, State::default()) };
        let mut writer = CheckpointWriter::create(&self.path, stored, ranks, cut)?;
        ranks.agree(now.save(&mut writer))?;
        let is_finite = writer.is_finite()?;
        if is_finite {
            ranks.agree(self.before.iter().try_for_each(|to_disk| to_disk()))?;
            writer.finish(self.older.as_deref())?;
        }
        Ok(is_finite)
    }
}

impl Monitor for Checkpoint {
    fn stage(&self) -> Stage {
        Stage::Checkpoints
    }

    fn begin(&mut self, _now: &mut Snapshot<'_>) -> Result<()> {
        self.written = Instant::now();
        Ok(())
    }

    fn after_step(&mut self, now: &mut Snapshot<'_>) -> Result<Verdict> {
        if self.is_due(now)? {
            self.write(now)?;
        }
        Ok(Verdict::Continue)
    }

    fn finish(&mut self, now: &mut Snapshot<'_>) -> Result<()> {
        if self.last == Some(now.step.number) { Ok(()) } else { self.write(now) }
    }
}

/// This rank's part of a checkpoint of this case, for any number of ranks; fields are read when they are asked for.
/// With `changed` the case may have been changed on purpose: only method, precision and grid must be those of the
/// checkpoint, and [`Stored::differences`] tells what was changed. Collective.
///
/// # Errors
/// If the file is not a checkpoint, has been cut or changed in any byte, or is of another case: a key
/// that decides how the flow goes on ([`vortice_core::flow_keys`]) has another value; on all ranks alike.
pub fn open_checkpoint(
    path: impl AsRef<Path>,
    case: &Case,
    context: &Context,
    changed: bool,
) -> Result<SavedState> {
    let (path, ranks) = (path.as_ref(), &context.ranks);
    let cut = context.decomposition(case)?;
    let mine = match ranks.rank() {
        0 => Stored::read_placed(path).and_then(|(stored, placed)| {
            stored.check_case(path, case, changed)?;
            Ok(Some((stored.state.numbers, placed)))
        }),
        _ => Ok(None),
    };
    SavedState::share(path, ranks.agree(mine)?, ranks, &cut)
}

/// The same in memory, of a case that was not changed. Collective.
///
/// # Errors
/// As [`open_checkpoint`].
pub fn read_checkpoint(path: impl AsRef<Path>, case: &Case, context: &Context) -> Result<State> {
    open_checkpoint(path, case, context, false)?.whole()
}
