//! The complete state on disk now and then, and back, on any number of ranks.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use vortice_core::{
    Case, Communicator, Context, Decomposition, Monitor, Result, Snapshot, Stage, State, Values,
    Verdict, gather, scatter,
};

use crate::share::share_state;
use crate::stored::Stored;
use vortice_core::check_place;

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
        let state = now.ranks.agree(now.state())?;
        let part = now.cut.subdomain(now.ranks.rank());
        let broken = now.with_threads(|| state.not_finite(&part).is_some());
        let mut broken = [f64::from(u8::from(broken))];
        now.ranks.max(&mut broken)?;
        if broken != [0.0] {
            // The residual is of some steps ago; it will tell.
            return Ok(());
        }
        let whole = whole_state(now.ranks, now.cut, state)?;
        let mine = whole.map_or(Ok(()), |state| {
            let note = self.note.as_ref().map(|note| note()).unwrap_or_default();
            let stored = Stored { note, ..Stored::new(now.case, now.step, state) };
            now.with_threads(|| stored.write_and_keep(&self.path, self.older.as_deref()))
        });
        now.ranks.agree(mine)?;
        self.written = Instant::now();
        self.last = Some(now.step.number);
        Ok(())
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

/// The state of the whole grid on rank 0, nothing on the others.
fn whole_state(
    ranks: &dyn Communicator,
    cut: &Decomposition,
    mine: State,
) -> Result<Option<State>> {
    if ranks.size() == 1 {
        return Ok(Some(mine));
    }
    let mut fields = BTreeMap::new();
    for (name, values) in mine.fields {
        let whole = match values {
            Values::F32(field) => gather(ranks, cut, &field)?.map(Values::F32),
            Values::F64(field) => gather(ranks, cut, &field)?.map(Values::F64),
        };
        fields.extend(whole.map(|whole| (name, whole)));
    }
    Ok((ranks.rank() == 0).then_some(State { numbers: mine.numbers, fields }))
}

/// This rank's part of a checkpoint of this case, for any number of ranks; collective.
///
/// # Errors
/// If the file is not a checkpoint, has been cut or changed in any byte, or is of another case: a key
/// that decides how the flow goes on ([`vortice_core::flow_keys`]) has another value; on all ranks alike.
pub fn read_checkpoint(path: impl AsRef<Path>, case: &Case, context: &Context) -> Result<State> {
    read(path.as_ref(), case, context, false)
}

/// The same for a case that was changed on purpose: only method, precision and grid must be those of the
/// checkpoint. [`Stored::differences`] tells what was changed.
///
/// # Errors
/// As [`read_checkpoint`], but for the other keys.
pub fn read_changed_checkpoint(
    path: impl AsRef<Path>,
    case: &Case,
    context: &Context,
) -> Result<State> {
    read(path.as_ref(), case, context, true)
}

fn read(path: &Path, case: &Case, context: &Context, changed: bool) -> Result<State> {
    let ranks = &*context.ranks;
    let cut = context.decomposition(case)?;
    let mine = match ranks.rank() {
        0 => Stored::read(path).and_then(|stored| {
            stored.check_case(path, case, changed)?;
            Ok(Some(stored.state))
        }),
        _ => Ok(None),
    };
    let whole = share_state(ranks, ranks.agree(mine)?, case.grid.cells())?;
    let part = |values| match values {
        Values::F32(field) => Values::F32(scatter(&cut, ranks.rank(), &field)),
        Values::F64(field) => Values::F64(scatter(&cut, ranks.rank(), &field)),
    };
    let fields = whole.fields.into_iter().map(|(name, values)| (name, part(values))).collect();
    Ok(State { numbers: whole.numbers, fields })
}
