//! The complete state on disk now and then, and back, on any number of ranks.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use vortice_core::{
    Case, Communicator, Context, Decomposition, Error, Monitor, Result, Snapshot, State, Values,
    Verdict, gather, scatter,
};

use crate::beside::check_place;
use crate::share::share_state;
use crate::stored::{Stored, name};

/// Writes the complete state every so many wall-clock seconds or steps, and at the end of the run,
/// always to the same file: beside it first, then renamed. A state that is no longer finite never
/// replaces a good one.
#[derive(Debug)]
pub struct Checkpoint {
    path: PathBuf,
    interval: Duration,
    steps: Option<u64>,
    written: Instant,
    last: Option<u64>,
}

impl Checkpoint {
    /// Checkpoints in a file, as often as [`vortice_core::OutputOptions`] says.
    ///
    /// # Errors
    /// If a folder has this name, or the file's folder does not exist.
    pub fn new(path: impl AsRef<Path>, case: &Case) -> Result<Self> {
        let path = path.as_ref().to_path_buf();
        check_place(&path)?;
        let seconds = case.output.checkpoint;
        let interval = Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX);
        let steps = case.output.checkpoint_steps.filter(|&steps| steps > 0);
        Ok(Self { path, interval, steps, written: Instant::now(), last: None })
    }

    /// Whether it is time; rank 0 has the clock.
    fn is_due(&self, now: &Snapshot<'_>) -> Result<bool> {
        if self.steps.is_some_and(|steps| now.step.number.is_multiple_of(steps)) {
            return Ok(true);
        }
        let late = self.written.elapsed() >= self.interval;
        Ok(now.ranks.broadcast(vec![u8::from(late)])? == [1])
    }

    fn write(&mut self, now: &Snapshot<'_>) -> Result<()> {
        if !now.step.residual.is_finite() {
            return Ok(());
        }
        let whole = whole_state(now.ranks, now.cut, now.ranks.agree(now.state())?)?;
        let mine =
            whole.map_or(Ok(()), |state| Stored::new(now.case, now.step, state).write(&self.path));
        now.ranks.agree(mine)?;
        self.written = Instant::now();
        self.last = Some(now.step.number);
        Ok(())
    }
}

impl Monitor for Checkpoint {
    fn begin(&mut self, _now: &Snapshot<'_>) -> Result<()> {
        self.written = Instant::now();
        Ok(())
    }

    fn after_step(&mut self, now: &Snapshot<'_>) -> Result<Verdict> {
        if self.is_due(now)? {
            self.write(now)?;
        }
        Ok(Verdict::Continue)
    }

    fn finish(&mut self, now: &Snapshot<'_>) -> Result<()> {
        if self.last == Some(now.step.number) { Ok(()) } else { self.write(now) }
    }
}

/// The state of the whole grid on rank 0, nothing on the others.
fn whole_state(
    ranks: &dyn Communicator,
    cut: &Decomposition,
    mine: State,
) -> Result<Option<State>> {
    let mut fields = BTreeMap::new();
    for (name, values) in &mine.fields {
        let whole = match values {
            Values::F32(field) => gather(ranks, cut, field)?.map(Values::F32),
            Values::F64(field) => gather(ranks, cut, field)?.map(Values::F64),
        };
        fields.extend(whole.map(|whole| (name.clone(), whole)));
    }
    Ok((ranks.rank() == 0).then_some(State { numbers: mine.numbers, fields }))
}

/// This rank's part of a checkpoint, for any number of ranks; collective.
///
/// # Errors
/// If the file is not a checkpoint, has been cut or changed in any byte, or belongs to another
/// method, precision, grid or box than the case's; on all ranks alike.
pub fn read_checkpoint(path: impl AsRef<Path>, case: &Case, context: &Context) -> Result<State> {
    let ranks = &*context.ranks;
    let cut = context.decomposition(case)?;
    let mine = match ranks.rank() {
        0 => read_matching(path.as_ref(), case).map(Some),
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

fn read_matching(path: &Path, case: &Case) -> Result<State> {
    let stored = Stored::read(path)?;
    let differs = |key: &str, asked: String, found: String| {
        let problem = format!("is {asked}, but the checkpoint {} has {found}", path.display());
        Err(Error::case(key, problem, format!("restart with --set {key}={found}, or without it")))
    };
    let asked = Stored::new(case, stored.step, State::default());
    if stored.method != asked.method {
        return differs("run.method", quoted(&asked.method), quoted(&stored.method));
    }
    if stored.precision != asked.precision {
        let [asked, found] = [asked.precision, stored.precision].map(|p| quoted(name(p)));
        return differs("run.precision", asked, found);
    }
    if stored.cells != asked.cells {
        return differs("grid.cells", format!("{:?}", asked.cells), format!("{:?}", stored.cells));
    }
    let size =
        |stored: &Stored| -> [f64; 3] { std::array::from_fn(|d| stored.high[d] - stored.low[d]) };
    if stored.low != asked.low {
        return differs("grid.origin", format!("{:?}", asked.low), format!("{:?}", stored.low));
    }
    if stored.high != asked.high {
        let [asked, found] = [&asked, &stored].map(|stored| format!("{:?}", size(stored)));
        return differs("grid.size", asked, found);
    }
    Ok(stored.state)
}

fn quoted(word: &str) -> String {
    format!("\"{word}\"")
}
