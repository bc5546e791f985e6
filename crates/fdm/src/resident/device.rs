//! The flow on a device that does several steps in a launch.

use std::ops::Range;
use std::sync::{Arc, Mutex, MutexGuard};

use vortice_core::{
    Case, Field, FieldLater, Quantity, Result, StateReader, StateWriter, Step, Storable,
    SurfaceForce, lock,
};
use vortice_gpu::{Buffer, Gpu, Kernel, Launch, Sender, value};

use super::buffers::{Record, Records, Tables};
use super::launches::{MOST_STEPS, Resident};
use super::lists::Lists;
use super::numbers::ResidentRun;
use super::plan::{Plan, kinds};
use super::program::PROGRAM;
use crate::cpu::Cpu;
use crate::engine::Engine;
use crate::forces::ForceSides;
use crate::settings::Settings;
use crate::step_state::StepState;

/// Two copies of the fields, the tables of all tiles, and the kernel.
pub(crate) struct ResidentDevice<T> {
    /// Builds the first flow and completes what is read back, by who reads it.
    host: Arc<Mutex<Cpu<T>>>,
    sender: Sender,
    kernel: Kernel,
    shape: Launch,
    run: ResidentRun,
    settings: Settings,
    /// u, v, p now, and of the step before or after.
    fields: [[Buffer<T>; 3]; 2],
    /// u, v, p before the last launch.
    before: [Buffer<T>; 3],
    /// Pressures on their way to neighbouring tiles.
    mail: [Buffer<T>; 2],
    /// F and G of all tiles that have no room for them.
    predictions: Buffer<T>,
    tables: Tables<T>,
    records: Records<T>,
}

impl<T: Storable> ResidentDevice<T> {
    /// The device's side of a case, whose first flow is made by `host`; nothing if it does not fit.
    pub(crate) fn new(
        gpu: &Gpu,
        case: &Case,
        settings: &Settings,
        host: impl FnOnce() -> Result<Cpu<T>>,
    ) -> Result<Option<Self>> {
        let Some(plan) = Plan::new::<T>(gpu, case, settings) else { return Ok(None) };
        let host = host()?;
        let outlets = &host.walls().outlets;
        let crossing = outlets.iter().any(|outlet| outlet.component != outlets[0].component);
        let Some((kinds, inverse_diagonals)) = kinds(&host, &plan.tiling).filter(|_| !crossing)
        else {
            return Ok(None);
        };
        let kernel = gpu.load(&PROGRAM, &plan.definitions)?.kernel("resident")?;
        if kernel.blocks_at_once(plan.shape.threads[0], plan.shape.shared)? == 0 {
            return Ok(None);
        }
        let lists = Lists::new(&plan.tiling, host.walls());
        let zeros = || gpu.zeros(host.shape().len());
        let fields = || -> Result<[Buffer<T>; 3]> { Ok([zeros()?, zeros()?, zeros()?]) };
        let mut engine = Self {
            kernel,
            shape: plan.shape,
            run: ResidentRun::new(case, settings, plan.tiling, plan.held, lists.levels),
            settings: settings.clone(),
            fields: [fields()?, fields()?],
            before: fields()?,
            mail: [zeros()?, zeros()?],
            predictions: gpu.zeros(plan.predictions())?,
            tables: Tables::new(gpu, &kinds, &inverse_diagonals, &lists)?,
            records: Records::new(gpu, plan.tiling.count())?,
            host: Arc::new(Mutex::new(host)),
            sender: Sender::new(gpu),
        };
        engine.upload()?;
        Ok(Some(engine))
    }

    /// The host's flow, to both copies: the second gets the halos that no step writes.
    fn upload(&mut self) -> Result<()> {
        let host = lock(&self.host);
        let [u, v, p] = host.plane();
        for fields in &mut self.fields {
            for (field, values) in fields.iter_mut().zip([u, v, p]) {
                field.write(values)?;
            }
        }
        Ok(())
    }

    /// The host with the device's flow, completed.
    fn downloaded(&mut self) -> Result<MutexGuard<'_, Cpu<T>>> {
        let [u, v, p] = &self.fields[0];
        let mut host = lock(&self.host);
        host.take_plane([u.to_vec()?, v.to_vec()?, p.to_vec()?])?;
        Ok(host)
    }

    fn launch(&mut self) -> Result<()> {
        self.records.clear()?;
        let [now, next] = &mut self.fields;
        let ([u0, v0, p0], [u1, v1, p1]) = (now, next);
        let [q0, q1] = &mut self.mail;
        let fields = [
            u0.output("u0"),
            v0.output("v0"),
            p0.output("p0"),
            u1.output("u1"),
            v1.output("v1"),
            p1.output("p1"),
            q0.output("q0"),
            q1.output("q1"),
            self.predictions.output("predictions"),
        ];
        let arguments: Vec<_> = [value("run", &self.run)]
            .into_iter()
            .chain(self.tables.arguments())
            .chain(fields)
            .chain(self.records.arguments())
            .collect();
        self.kernel.launch(self.shape, &arguments)
    }
}

impl<T: Storable> Resident for ResidentDevice<T> {
    fn steps(&mut self, start: &StepState, latest: f64, most: usize) -> Result<Vec<StepState>> {
        for (before, now) in self.before.iter_mut().zip(&self.fields[0]) {
            before.copy_from(now)?;
        }
        let most = most.clamp(1, MOST_STEPS);
        self.run.pace.latest = latest;
        self.run.time = start.step.time;
        self.run.speed = [start.speed[0], start.speed[1]];
        self.run.step = start.step.number as i64;
        self.run.steps = most as i32;
        self.launch()?;
        let records = self.records.read(most)?;
        if records.len() % 2 == 1 {
            self.fields.swap(0, 1);
        }
        let mut unsolved = start.unsolved;
        let moment = |(number, record): (u64, Record)| {
            let ([u, v, change], [time, dt]) = (record.motion, record.instants);
            let residual = change / (dt * self.settings.velocity_scale);
            let iterations = record.iterations;
            let step = Step { number, time, dt, iterations, residual, ..Step::default() };
            let [reached, of] = record.unmet;
            let left = (reached != 0.0).then(|| self.settings.share_left(reached, of));
            unsolved = unsolved.and(left);
            StepState { step, speed: [u, v, 0.0], rates_age: 0.0, unsolved }
        };
        Ok((start.step.number + 1..).zip(records).map(moment).collect())
    }

    fn go_back(&mut self) -> Result<()> {
        for (now, before) in self.fields[0].iter_mut().zip(&self.before) {
            now.copy_from(before)?;
        }
        Ok(())
    }

    fn speed(&mut self) -> Result<[f64; 3]> {
        self.downloaded()?.largest_speeds()
    }

    fn field(&mut self, quantity: Quantity, rows: Range<usize>) -> Result<Field> {
        if rows.is_empty() {
            return Engine::field(&mut *lock(&self.host), quantity, rows);
        }
        Engine::field(&mut *self.downloaded()?, quantity, rows)
    }

    fn velocity_later(&mut self, rows: Range<usize>) -> Result<FieldLater> {
        let places = 0..self.fields[0][0].len();
        let pieces = self.fields[0].each_ref().map(|field| (field, places.clone()));
        let Some(sent) = self.sender.send(&pieces)? else {
            return self.field(Quantity::Velocity, rows).map(FieldLater::from);
        };
        let host = self.host.clone();
        Ok(FieldLater::new(move || {
            let mut all = sent.receive()?.into_iter();
            let plane = [(); 3].map(|()| all.next().unwrap_or_default());
            let mut host = lock(&host);
            host.take_plane(plane)?;
            Engine::field(&mut *host, Quantity::Velocity, rows)
        }))
    }

    fn forces(&mut self, sides: &ForceSides, gamma: f64) -> Result<Vec<SurfaceForce>> {
        Engine::forces(&mut *self.downloaded()?, sides, gamma)
    }

    fn save(&mut self, state: &mut dyn StateWriter) -> Result<()> {
        Engine::save(&mut *self.downloaded()?, state)
    }

    fn restore(&mut self, state: &dyn StateReader) -> Result<()> {
        Engine::restore(&mut *lock(&self.host), state)?;
        self.upload()
    }
}
