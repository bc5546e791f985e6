//! A run: a solver, what watches it, and when it ends.

mod change;

use std::sync::Arc;
use std::time::Instant;

use crate::case::{Case, Until};
use crate::context::Context;
use crate::decomposition::Decomposition;
use crate::error::Result;
use crate::extent::Extent;
use crate::finite::{LookedAt, expect_finite};
use crate::look::Seen;
use crate::memory::check_host_memory;
use crate::monitor::{Every, Monitor, Snapshot, Verdict};
use crate::outcome::Outcome;
use crate::solver::{Method, Solver};
use crate::stages::{Stage, Stages};
use crate::state::StateReader;
use crate::statistics::Statistics;
use crate::step::Step;
use crate::surface_fluxes::SurfaceFluxes;
use crate::thread_pool::ThreadPool;
use crate::timed_ranks::TimedRanks;

/// A solver and its monitors, which live for `'m`. It may go to another thread between two steps.
pub struct Simulation<'m> {
    case: Case,
    context: Context,
    /// The ranks of the context, if they are several.
    timed: Arc<TimedRanks>,
    cut: Decomposition,
    solver: Box<dyn Solver>,
    watchers: Vec<Watcher<'m>>,
    method: Method,
    /// The threads that set up, and that make something of fields.
    pool: ThreadPool,
    stages: Stages,
    course: Course,
}

/// The steps of a run so far.
#[derive(Default)]
struct Course {
    /// When the first began, if it did.
    begin: Option<Instant>,
    /// The step that the run began from, and the last.
    first: Step,
    last: Step,
    /// Inner iterations.
    iterations: u64,
    /// What was looked at after the last step.
    seen: Option<Seen>,
    /// Whether the goal was reached, and why the run ended; nothing as long as it goes on.
    end: Option<(bool, String)>,
}

/// The solver of this rank, which takes samples if the case wants any. Collective.
fn build(
    method: &Method,
    case: &Case,
    context: &Context,
    cut: &Decomposition,
    pool: &ThreadPool,
) -> Result<Box<dyn Solver>> {
    let ranks = &*context.ranks;
    let solver = ranks.agree(pool.install(|| (method.build)(case, context)))?;
    let Some(options) = case.statistics() else { return Ok(solver) };
    let cells = cut.subdomain(ranks.rank()).n();
    Ok(Box::new(Statistics::new(solver, options, cells, pool)))
}

struct Watcher<'m> {
    every: Every,
    monitor: Box<dyn Monitor + 'm>,
    /// Looks already taken, for [`Every::Seconds`].
    next: u64,
}

impl<'m> Simulation<'m> {
    /// Builds the solver of this rank with a method.
    ///
    /// # Errors
    /// If the method cannot do the case, the ranks do not fit it, or the memory will not do; on all
    /// ranks alike.
    pub fn with_method(method: &Method, case: &Case, context: &Context) -> Result<Self> {
        let begin = Instant::now();
        let timed = Arc::new(TimedRanks::new(context.ranks.clone()));
        let mut context = context.clone();
        if context.ranks.size() > 1 {
            context.ranks = timed.clone();
        }
        let ranks = &*context.ranks;
        let cut = context.decomposition(case)?;
        let fits = method.report(case).and_then(|report| check_host_memory(case, &report, ranks));
        ranks.agree(fits)?;
        let pool = ranks.agree(ThreadPool::new(context.threads, 0))?;
        let solver = build(method, case, &context, &cut, &pool)?;
        let (method, case) = (*method, case.clone());
        let mut stages = Stages::default();
        stages.add(Stage::SetUp, begin.elapsed());
        let (watchers, course) = (Vec::new(), Course::default());
        Ok(Self { case, method, context, timed, cut, solver, watchers, pool, stages, course })
    }

    /// Adds a monitor. Monitors are asked in the order in which they were added.
    #[must_use]
    pub fn watch(mut self, every: Every, monitor: impl Monitor + 'm) -> Self {
        self.watchers.push(Watcher { every, monitor: Box::new(monitor), next: 0 });
        self
    }

    /// How the grid is cut.
    pub fn decomposition(&self) -> &Decomposition {
        &self.cut
    }

    /// The case.
    pub fn case(&self) -> &Case {
        &self.case
    }

    /// Whether a look at the flow now costs more than one some steps later: [`Solver::is_ahead`].
    pub fn is_ahead(&self) -> bool {
        self.solver.is_ahead()
    }

    /// The last step.
    pub fn reached(&self) -> Step {
        self.solver.now()
    }

    /// The flow as it is after the last step.
    pub fn now(&mut self) -> Snapshot<'_> {
        let Self { case, context, cut, solver, pool, .. } = self;
        let now = solver.now();
        Snapshot::new(now, case.at(now.time), &*context.ranks, cut, &mut **solver).by_threads(pool)
    }

    /// Goes on from a saved state of this rank.
    ///
    /// # Errors
    /// If the state does not belong to this case and method, or is not finite.
    pub fn restore(&mut self, state: &dyn StateReader) -> Result<()> {
        let Self { context, cut, pool, solver, stages, .. } = self;
        let (begin, ranks) = (Instant::now(), &*context.ranks);
        let looked_at = ranks.agree(LookedAt::new(state, cut.subdomain(ranks.rank())))?;
        ranks.agree(pool.install(|| solver.restore(&looked_at)))?;
        stages.add(Stage::SetUp, begin.elapsed());
        Ok(())
    }

    /// Steps until the case's goal is reached or a monitor stops the run.
    ///
    /// # Errors
    /// As [`Self::step`] and [`Self::finish`].
    pub fn run(mut self) -> Result<Outcome> {
        while self.step()? {}
        self.finish()
    }

    /// Takes one step and asks the monitors that are due, unless the run has ended; tells whether it goes on.
    ///
    /// # Errors
    /// If the flow diverges, a rank or device fails, or a file cannot be written.
    pub fn step(&mut self) -> Result<bool> {
        self.step_until(f64::INFINITY)
    }

    /// The same by a step that ends no later than a flow time in s, as far as the method can: see [`Solver::step`].
    ///
    /// # Errors
    /// As [`Self::step`].
    pub fn step_until(&mut self, time: f64) -> Result<bool> {
        self.begin()?;
        if self.course.end.is_none() && self.course.last.number == 0 {
            self.course.end = self.prepare()?.map(|reason| (false, reason));
        }
        if self.course.end.is_none() {
            let latest = self.latest(self.course.last.time).min(time);
            let (begin, before) = (Instant::now(), self.timed.spent());
            let step = self.context.ranks.agree(self.solver.step(latest))?;
            self.stages.add(Stage::Steps, begin.elapsed());
            self.stages.messages += (self.timed.spent() - before).as_secs_f64();
            let before = std::mem::replace(&mut self.course.last, step);
            self.course.iterations += step.iterations;
            self.course.end = match self.ask(step)? {
                Verdict::Continue => match self.case.run.until {
                    Until::Time(_) if step.time <= before.time => Some((false, step.stuck())),
                    _ => self.goal(&step),
                },
                Verdict::Converged(reason) => Some((true, reason)),
                Verdict::Stop(reason) => Some((false, reason)),
            };
        }
        Ok(self.course.end.is_none())
    }

    /// Lets the method do what comes before its first step; why the run is stopped meanwhile, if it is.
    fn prepare(&mut self) -> Result<Option<String>> {
        let begin = Instant::now();
        let mut stopped = None;
        while stopped.is_none() && self.context.ranks.agree(self.solver.prepare())? {
            for watcher in &mut self.watchers {
                let verdict = watcher.monitor.while_preparing(&*self.context.ranks)?;
                if let Verdict::Stop(reason) | Verdict::Converged(reason) = verdict {
                    stopped = stopped.or(Some(reason));
                }
            }
        }
        self.stages.add(Stage::Steps, begin.elapsed());
        Ok(stopped)
    }

    /// Ends the run where it is, and shows monitors the last state.
    ///
    /// # Errors
    /// If a rank or device fails, or a file cannot be written. No run ends well with a flow that is not
    /// finite: all of the last one is looked at.
    pub fn finish(mut self) -> Result<Outcome> {
        let begin = self.begin()?;
        let Course { first, last: step, iterations, end, seen, .. } =
            std::mem::take(&mut self.course);
        let (remedy, boxes) = (self.method.remedy(&self.case), self.boxes());
        let look = |now: &mut Snapshot<'_>| {
            now.foresee_or_know(&boxes, seen);
            if step.number == 0 { Ok(()) } else { expect_finite(now, &remedy) }
        };
        let finish = |watcher: &mut Watcher<'m>, now: &mut Snapshot<'_>| {
            watcher.monitor.finish(now).map(|()| Verdict::Continue)
        };
        self.look_and_ask(step, look, finish)?;
        self.wait()?;
        let (converged, reason) = end.unwrap_or((false, "stopped before its end".into()));
        Ok(Outcome {
            step,
            converged,
            reason,
            steps: step.number - first.number,
            iterations,
            wall_seconds: begin.elapsed().as_secs_f64(),
            stages: self.stages,
            cells: self.case.grid.n_cells(),
            findings: self.context.ranks.agree(self.solver.findings())?,
            surface_fluxes: self.surface_fluxes()?,
            warnings: self.solver.warnings(),
        })
    }

    /// What surfaces let in and what the flow does to bodies, by the solver's own balances.
    fn surface_fluxes(&mut self) -> Result<SurfaceFluxes> {
        let Self { solver, context, method, case, pool, .. } = self;
        let fluxes = context.ranks.agree(solver.surface_fluxes())?;
        if !method.tells_forces || case.bodies.is_empty() {
            return Ok(fluxes);
        }
        let forces = context.ranks.agree(pool.install(|| solver.forces()))?;
        Ok(SurfaceFluxes { forces, ..fluxes })
    }

    /// Boxes of cells that monitors will ask the last state for.
    fn boxes(&self) -> Vec<Extent> {
        self.watchers.iter().flat_map(|watcher| watcher.monitor.boxes().to_vec()).collect()
    }

    /// Waits for what monitors have on its way to the disk.
    fn wait(&mut self) -> Result<()> {
        let mut wait = |watcher: &mut Watcher<'m>| {
            let begin = Instant::now();
            let waited = watcher.monitor.wait();
            self.stages.add(watcher.monitor.stage(), begin.elapsed());
            waited
        };
        let waited = self.watchers.iter_mut().try_for_each(&mut wait);
        self.context.ranks.agree(waited)
    }

    /// When the run began; monitors see its beginning before the first step.
    fn begin(&mut self) -> Result<Instant> {
        if let Some(begin) = self.course.begin {
            return Ok(begin);
        }
        let (begin, first) = (Instant::now(), self.solver.now());
        for watcher in &mut self.watchers {
            if let Every::Seconds(seconds) = watcher.every {
                watcher.next = (first.time / seconds + 1e-9).floor() as u64 + 1;
            }
        }
        self.each(first, |watcher, now| watcher.monitor.begin(now).map(|()| Verdict::Continue))?;
        let end = self.goal(&first);
        self.course = Course { begin: Some(begin), first, last: first, end, ..Course::default() };
        Ok(begin)
    }

    /// Whether the case's own goal is reached.
    fn goal(&self, step: &Step) -> Option<(bool, String)> {
        match self.case.run.until {
            Until::Time(end) if step.time >= end => return Some((true, "end time reached".into())),
            Until::Steady(tolerance)
                if !self.watchers.iter().any(|one| one.monitor.decides_steady()) =>
            {
                let steady = step.steady(tolerance).map(|reason| (true, reason));
                let end = steady.or_else(|| step.never_steady().map(|reason| (false, reason)));
                if end.is_some() {
                    return end;
                }
            }
            _ => {}
        }
        if step.number > 0 && step.residual.is_nan() {
            return Some((false, "the residual is not a number".into()));
        }
        (step.number >= self.case.run.max_steps).then(|| {
            let left = match (self.case.run.until, step.iteration_error) {
                (Until::Steady(_), error) if error.is_finite() => {
                    format!(" (iteration error {error:.1e})")
                }
                (Until::Steady(_), _) => " (iteration error not known)".into(),
                (Until::Time(_), _) => String::new(),
            };
            (false, format!("stopped by run.max-steps = {}{left}", self.case.run.max_steps))
        })
    }

    /// The flow time that the next step may not pass.
    fn latest(&self, now: f64) -> f64 {
        let end = match self.case.run.until {
            Until::Time(end) => end,
            Until::Steady(_) => f64::INFINITY,
        };
        let looks = self.watchers.iter().filter_map(|watcher| match watcher.every {
            Every::Seconds(seconds) => Some(watcher.next as f64 * seconds).filter(|t| *t > now),
            _ => None,
        });
        looks.fold(end, f64::min)
    }

    fn ask(&mut self, step: Step) -> Result<Verdict> {
        // The last state is looked at once, for all that is asked of it now and at the end.
        let boxes = self.goal(&step).map(|_| self.boxes());
        let look = |now: &mut Snapshot<'_>| {
            boxes.iter().for_each(|boxes| now.foresee(boxes));
            Ok(())
        };
        self.look_and_ask(step, look, |watcher, now| {
            let due = match watcher.every {
                Every::Steps(steps) => step.number.is_multiple_of(steps),
                Every::Seconds(seconds) => {
                    let due = step.time >= watcher.next as f64 * seconds;
                    watcher.next += u64::from(due);
                    due
                }
                Every::Ends => false,
            };
            if due { watcher.monitor.after_step(now) } else { Ok(Verdict::Continue) }
        })
    }

    /// Asks every monitor about one snapshot; the first verdict to stop wins. Errors of one rank
    /// stop all.
    fn each(
        &mut self,
        step: Step,
        ask: impl Fn(&mut Watcher<'m>, &mut Snapshot<'_>) -> Result<Verdict>,
    ) -> Result<Verdict> {
        self.look_and_ask(step, |_| Ok(()), ask)
    }

    /// The same after a look of the simulation's own.
    fn look_and_ask(
        &mut self,
        step: Step,
        look: impl FnOnce(&mut Snapshot<'_>) -> Result<()>,
        ask: impl Fn(&mut Watcher<'m>, &mut Snapshot<'_>) -> Result<Verdict>,
    ) -> Result<Verdict> {
        let Self { case, context, cut, solver, watchers, pool, stages, course, .. } = self;
        let now = Snapshot::new(step, case.at(step.time), &*context.ranks, cut, &mut **solver);
        let (mut now, mut begin) = (now.by_threads(pool), Instant::now());
        let mut spent = |stage, now: &mut Snapshot<'_>| {
            let (end, waited) = (Instant::now(), std::mem::take(&mut now.waited));
            stages.add(Stage::Steps, waited);
            stages.add(stage, (end - begin).saturating_sub(waited));
            begin = end;
        };
        look(&mut now)?;
        spent(Stage::Analysis, &mut now);
        let mut verdict = Verdict::Continue;
        for watcher in watchers {
            let said = ask(watcher, &mut now)?;
            spent(watcher.monitor.stage(), &mut now);
            if verdict == Verdict::Continue {
                verdict = said;
            }
        }
        course.seen = now.seen();
        Ok(verdict)
    }
}
