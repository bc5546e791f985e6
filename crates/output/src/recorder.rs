//! Fields for ParaView: one VTKHDF file with all steps, and its XDMF companion.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::sync::mpsc::sync_channel;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use vortice_core::{
    Case, Communicator, Error, Extent, Monitor, OutputPart, OutputTimes, Precision, Quantity,
    Result, Snapshot, Stage, Step, Verdict,
};

use crate::container;
use crate::published::{NewStep, Published};
use crate::sample::Sample;
use crate::seen::open_on_all;
use crate::slabs::SlabWriter;
use crate::underway::Underway;
use crate::vtkhdf::{RUN, VtkHdf};
use crate::xdmf::Xdmf;
use vortice_core::{beside, cannot_write, check_place};

/// Writes velocity, pressure, vorticity and, in plane flows, the stream function, or what
/// `output.quantities` names of them, with the mask of solid cells if there are any, in the precision of
/// `output.precision` or of the run; if `output.fields` is `"last"`, the last state alone.
///
/// The file is made beside its place and renamed when it holds the first step, so that an older
/// result stays until then. From then on it is readable after every step, also while the run goes
/// on, if it is killed, and if the machine stops: a thread of its own waits for the disk and shows readers the step, while the
/// next ones are computed. A text file of the same stem ending in `.xmf` names the same fields for
/// programs that do not know temporal VTKHDF, such as ParaView 5.11.
pub struct Recorder {
    path: PathBuf,
    part: OutputPart,
    quantities: Vec<Quantity>,
    precision: Precision,
    /// Whether the last state alone is written.
    last_alone: bool,
    run: String,
    program: String,
    /// Whether an earlier part of the run may have left a file; once the run has begun, on all ranks, whether it has.
    goes_on: bool,
    /// On rank 0; locked while a step is underway from there to readers.
    published: Arc<Mutex<Published>>,
    underway: Underway,
    times: Vec<f64>,
    /// Where the chunks of the coming steps lie, as far as there is room; on rank 0.
    ahead: VecDeque<Vec<Vec<u64>>>,
    last: Option<u64>,
    /// On ranks that write values themselves, once the run has begun.
    slabs: Option<SlabWriter>,
    /// Ranks that write; zero before the run has begun.
    writers: usize,
}

impl Recorder {
    /// A recorder of the whole grid, whose file is made when the run begins.
    ///
    /// # Errors
    /// If a folder has this name, or the file's folder does not exist.
    pub fn create(path: impl AsRef<Path>, case: &Case) -> Result<Self> {
        Self::of_part(path, case, &case.whole_recorded())
    }

    /// The same of a part of the grid.
    ///
    /// # Errors
    /// As [`Self::create`].
    pub fn of_part(path: impl AsRef<Path>, case: &Case, part: &OutputPart) -> Result<Self> {
        let path = path.as_ref().to_path_buf();
        check_place(&path)?;
        if path.extension().is_some_and(|end| end == "xmf") {
            let problem = "`.xmf` is the name of the text file beside the fields";
            return Err(Error::file(path, problem, "let the file's name end in .vtkhdf"));
        }
        check_place(&path.with_extension("xmf"))?;
        let underway = Underway::of(&path);
        Ok(Self {
            path,
            part: part.clone(),
            quantities: part.quantities.clone(),
            precision: case.output.precision.unwrap_or(case.run.precision),
            last_alone: part.times == OutputTimes::Last,
            run: String::new(),
            program: String::new(),
            goes_on: false,
            published: Arc::default(),
            underway,
            times: Vec::new(),
            ahead: VecDeque::new(),
            last: None,
            slabs: None,
            writers: 0,
        })
    }

    /// Writes the first and the last state of all quantities in the run's precision, whatever the case says.
    #[must_use]
    pub fn complete(self, case: &Case) -> Self {
        let quantities = case.quantities();
        let part = OutputPart { coarsen: 1, ..case.whole_recorded() };
        Self { part, quantities, precision: case.run.precision, last_alone: false, ..self }
    }

    /// Goes on with the file that an earlier part of the run has left, after its steps up to the time that the run goes on
    /// from, if it is of the same grid and holds the same; else it is replaced.
    #[must_use]
    pub fn going_on(self) -> Self {
        Self { goes_on: true, ..self }
    }

    /// Writes into the file which run it is of: [`crate::Recorded::run`].
    #[must_use]
    pub fn identified(self, run: &str) -> Self {
        Self { run: run.to_owned(), ..self }
    }

    /// Writes into the file which program made it, with its version.
    #[must_use]
    pub fn by_program(self, program: &str) -> Self {
        Self { program: program.to_owned(), ..self }
    }

    /// What waits until the last step that was recorded is on the disk: for [`crate::Checkpoint::after`].
    pub fn sync(&self) -> impl Fn() -> Result<()> + Send + use<> {
        let underway = self.underway.clone();
        move || underway.wait()
    }

    fn published(&self) -> MutexGuard<'_, Published> {
        self.published.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Appends the present step on rank 0, slab by slab; the first makes the file. Averages over time are not written
    /// before there are any.
    fn record(&mut self, now: &mut Snapshot<'_>) -> Result<()> {
        if !self.quantities.iter().all(|&quantity| now.has(quantity)) {
            return Ok(());
        }
        let new = if self.goes_on { self.path.clone() } else { beside(&self.path) };
        let recorded = self.record_slabs(now, &new);
        self.quantities.iter().for_each(|&quantity| now.forget(quantity));
        self.last = Some(now.step.number);
        if recorded.is_err() && self.times.is_empty() && now.ranks.rank() == 0 {
            // The error says what failed; that the rest cannot be removed adds nothing.
            let _ = std::fs::remove_file(&new);
        }
        recorded
    }

    fn record_slabs(&mut self, now: &mut Snapshot<'_>, new: &Path) -> Result<()> {
        let (ranks, case) = (now.ranks, now.case);
        let begun = if ranks.rank() == 0 { self.begin_step(case, new) } else { Ok(Vec::new()) };
        let places = ranks.agree(begun)?;
        if self.writers == 0 {
            self.writers = self.open_slabs(ranks, case, new)?;
        }
        self.share_places(ranks, places)?;
        let slabs = VtkHdf::slabs(&self.sample(case), self.precision, &self.quantities);
        let written = self.write_slabs(now, &slabs)?;
        let synced = written.and_then(|()| match &self.slabs {
            // Before it publishes the first rank waits for all that ranks of its machine wrote.
            Some(slabs) if ranks.rank() > 0 && ranks.local_size() < ranks.size() => slabs.sync(),
            _ => Ok(()),
        });
        let synced = synced.map_err(|error| cannot_write(&self.path, &error));
        ranks.agree(synced)?;
        let ended = match ranks.rank() {
            0 => self.end_step(case, &now.step, new),
            _ => Ok(()),
        };
        ranks.agree(ended)
    }

    /// Has all slabs written, each by its rank and while the next one is made. Whether this rank could write its own.
    fn write_slabs(
        &mut self,
        now: &mut Snapshot<'_>,
        all: &[Extent],
    ) -> Result<std::io::Result<()>> {
        let Self { slabs, published, quantities, writers, .. } = self;
        let (ranks, pool) = (now.ranks, now.threads());
        std::thread::scope(|scope| {
            let writer = slabs.as_mut().map(|slabs| {
                let (give, taken) = sync_channel(0);
                (give, scope.spawn(move || slabs.write_all(taken, pool)))
            });
            let mut written = Ok(());
            for wanted in Extent::rounds(all, *writers, ranks.size()) {
                let windows = now.quantities_in(&wanted, quantities)?;
                let (Some(slab), Some(windows)) = (&wanted[ranks.rank()], windows) else {
                    continue;
                };
                match &writer {
                    // One that has failed takes no more; the others are not left alone.
                    Some((give, _)) => drop(give.send((slab.clone(), windows))),
                    None if written.is_ok() => {
                        let file = &published.lock().unwrap_or_else(PoisonError::into_inner).file;
                        let write =
                            || file.as_ref().map_or(Ok(()), |f| f.write_slab(slab, &windows));
                        written = write().map_err(std::io::Error::other);
                    }
                    None => {}
                }
            }
            let Some((give, thread)) = writer else { return Ok(written) };
            drop(give);
            let fell = |_| Err(std::io::Error::other("what writes fields has stopped"));
            Ok(thread.join().unwrap_or_else(fell))
        })
    }

    /// Opens the file of an earlier part of the run on the first rank, if it may be gone on with. Collective.
    fn go_on(&mut self, now: &mut Snapshot<'_>) -> Result<()> {
        let (case, step) = (now.case, now.step);
        if self.goes_on && now.ranks.rank() == 0 {
            let (grid, sample) = (&case.grid, self.sample(case));
            let (quantities, packed) = (&self.quantities, case.output.compression);
            // Of a file that cannot be read nothing is kept.
            let (path, precision) = (&self.path, self.precision);
            let file =
                VtkHdf::go_on(path, grid, sample, quantities, precision, packed, step.number);
            self.published().file = file.ok().flatten();
        }
        let known = self.published().file.as_ref().map_or(Ok((Vec::new(), None)), VtkHdf::known);
        let known = known.map_err(|error| cannot_write(&self.path, &error));
        let last;
        (self.times, last) = now.ranks.agree(known)?;
        let known = [!self.times.is_empty(), last == Some(step.number)];
        let known = now.ranks.broadcast(known.map(u8::from).to_vec())?;
        self.goes_on = known[0] == 1;
        let is_first = self.goes_on && now.ranks.rank() == 0;
        now.ranks.agree(if is_first { self.forget_later(case) } else { Ok(()) })?;
        if known[1] == 1 {
            self.last = Some(step.number);
        }
        Ok(())
    }

    /// Takes back what comes after the steps that are kept: first their names, then the steps.
    fn forget_later(&mut self, case: &Case) -> Result<()> {
        let names = self.names(case);
        let mut published = self.published();
        published.name(&self.path, &names)?;
        let forgotten = published.file.as_mut().map_or(Ok(()), VtkHdf::forget_later);
        forgotten.map_err(|error| cannot_write(&self.path, &error))
    }

    /// Opens the file that the first rank has made; tells how many ranks write: all, unless some do not see it, or
    /// what is written is made on the first.
    fn open_slabs(&mut self, ranks: &dyn Communicator, case: &Case, new: &Path) -> Result<usize> {
        if case.output.compression > 0 {
            return Ok(1);
        }
        let (raw, is_seen) = open_on_all(new, true, ranks)?;
        let by_all = is_seen && !self.quantities.contains(&Quantity::StreamFunction);
        let writers = if by_all { ranks.size() } else { 1 };
        let of = (&self.part, case.solids());
        self.slabs = raw
            .filter(|_| ranks.rank() < writers)
            .map(|raw| SlabWriter::new(raw, of, &self.quantities, self.precision));
        Ok(writers)
    }

    /// Tells all ranks where the step lies in the file.
    fn share_places(&mut self, ranks: &dyn Communicator, mine: Vec<Vec<u64>>) -> Result<()> {
        let mut shared = Vec::new();
        for number in 0..self.quantities.len() {
            let mine = mine.get(number).map_or(&[][..], Vec::as_slice);
            let bytes = ranks.broadcast(bytemuck::cast_slice(mine).to_vec())?;
            let places = bytes.chunks_exact(size_of::<u64>());
            shared.push(places.map(bytemuck::pod_read_unaligned).collect());
        }
        if let Some(slabs) = &mut self.slabs {
            slabs.begin_step(shared);
        }
        Ok(())
    }

    fn sample(&self, case: &Case) -> Sample {
        Sample::new(&self.part, case.solids())
    }

    /// Where the step's values are to lie. If it has room already, steps before need not have come to readers.
    fn begin_step(&mut self, case: &Case, new: &Path) -> Result<Vec<Vec<u64>>> {
        if self.ahead.is_empty() {
            self.underway.wait()?;
            let begun = match &mut self.published().file {
                Some(file) => file.begin_step(),
                file => self.make(case, new).and_then(|made| file.insert(made).begin_step()),
            };
            self.ahead = begun.map_err(|error| cannot_write(&self.path, &error))?.into();
        }
        Ok(self.ahead.pop_front().unwrap_or_default())
    }

    /// Shows readers the step, when the disk has it.
    fn end_step(&mut self, case: &Case, step: &Step, new: &Path) -> Result<()> {
        self.times.push(step.time);
        let made_as = (self.times.len() == 1 && !self.goes_on).then(|| new.to_owned());
        let (path, names) = (self.path.clone(), self.names(case));
        let new_step = NewStep { path, made_as, time: step.time, number: step.number, names };
        let (published, new) = (self.published.clone(), new_step.made_as.clone());
        self.underway.begin(move || {
            let mut published = published.lock().unwrap_or_else(PoisonError::into_inner);
            published.publish(new_step).inspect_err(|_| {
                // The error says what failed; that the rest cannot be removed adds nothing.
                let _ = new.map(std::fs::remove_file);
            })
        })
    }

    fn make(&self, case: &Case, new: &Path) -> hdf5::Result<VtkHdf> {
        let compression = case.output.compression;
        let (quantities, precision) = (&self.quantities, self.precision);
        let (grid, sample) = (&case.grid, self.sample(case));
        let file = VtkHdf::create(new, grid, sample, quantities, precision, compression)?;
        let (title, method) = (&*case.title, &*case.run.method);
        let texts =
            [("title", title), ("method", method), (RUN, &self.run), ("program", &self.program)];
        file.describe(case, texts)?;
        Ok(file)
    }

    /// Closes the file; the disk takes what it has not yet in the background.
    fn close(&mut self) -> Result<()> {
        self.underway.wait()?;
        let file = self.published().file.take();
        let path = &self.path;
        if let Some(file) = file {
            file.close().map_err(|error| cannot_write(path, &error))?;
        }
        let finished = self.slabs.as_mut().map_or(Ok(()), |slabs| slabs.finish(path));
        finished.map_err(|error| cannot_write(path, &error))
    }

    fn names(&self, case: &Case) -> Xdmf {
        Xdmf {
            heavy: self.path.file_name().unwrap_or_default().to_string_lossy().into_owned(),
            grid: self.sample(case).grid(&case.grid),
            quantities: self.quantities.clone(),
            precision: self.precision,
            solid: !case.solids().is_empty(),
            times: self.times.clone(),
        }
    }
}

impl Monitor for Recorder {
    fn stage(&self) -> Stage {
        Stage::Fields
    }

    fn begin(&mut self, now: &mut Snapshot<'_>) -> Result<()> {
        if self.last_alone {
            self.goes_on = false;
            return Ok(());
        }
        self.go_on(now)?;
        // Where it goes on there is no step that a run which did not stop would not have.
        if self.goes_on { Ok(()) } else { self.record(now) }
    }

    fn after_step(&mut self, now: &mut Snapshot<'_>) -> Result<Verdict> {
        self.record(now)?;
        Ok(Verdict::Continue)
    }

    fn finish(&mut self, now: &mut Snapshot<'_>) -> Result<()> {
        if self.last != Some(now.step.number) {
            self.record(now)?;
        }
        now.ranks.agree(self.close())
    }

    /// Makes sure that the file is on the disk.
    fn wait(&mut self) -> Result<()> {
        self.underway.wait()?;
        let taken = self.slabs.as_mut().map_or(Ok(()), SlabWriter::wait);
        let synced = taken.and_then(|()| match self.times[..] {
            [] => Ok(()),
            _ => container::sync(&self.path),
        });
        synced.map_err(|error| cannot_write(&self.path, &error))
    }
}
