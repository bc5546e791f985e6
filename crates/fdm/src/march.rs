//! Whole time steps in one launch, for plane flows that fit into the shared memory of one GPU: the
//! same steps as `step.rs`, by the kernel `kernels/fdm/march.cu`.

mod ahead;
mod lists;
mod tiling;

use vortice_core::{Case, Field, Quantity, Real, Result, State, Step};
use vortice_gpu::{Buffer, Gpu, Kernel, Launch, Program, value};

use crate::cpu::{Cpu, Stored};
use crate::options::{Count, Stop};
use crate::relaxation::Relaxation;
use crate::settings::Settings;
use lists::{Fixed, Ghost, Lists, Outlet};
use tiling::{Room, Tiling};

pub(crate) use ahead::Ahead;

/// The kernel and what it includes.
pub(crate) const PROGRAM: Program = Program {
    name: "fdm-march",
    kernels: &[("fdm/march.cu", include_str!("../../../kernels/fdm/march.cu"))],
    headers: &[
        ("device.cuh", include_str!("../../../kernels/device.cuh")),
        ("fdm/stencil.cuh", include_str!("../../../kernels/fdm/stencil.cuh")),
        ("fdm/tile.cuh", include_str!("../../../kernels/fdm/tile.cuh")),
        ("fdm/boundary_tile.cuh", include_str!("../../../kernels/fdm/boundary_tile.cuh")),
        ("fdm/clock.cuh", include_str!("../../../kernels/fdm/clock.cuh")),
    ],
};

vortice_gpu::mirrored! {
    /// What time steps are made from.
    pub(crate) struct Pace {
        spacing: [f64; 2],
        viscosity: f64,
        boundary_speed: [f64; 2],
        fixed_dt: f64,
        fixed_gamma: f64,
        safety: f64,
        latest: f64,
    }
}

vortice_gpu::mirrored! {
    /// When pressure iterations stop.
    pub(crate) struct Stopping {
        tolerance: f64,
        omega: f64,
        first_steps: i64,
        rule: i32,
        optimal: i32,
        first: i32,
        then: i32,
        test_every: i32,
        most: i32,
    }
}

vortice_gpu::mirrored! {
    /// What a launch does.
    pub(crate) struct March {
        pace: Pace,
        stopping: Stopping,
        time: f64,
        speed: [f64; 2],
        force: [f64; 2],
        step: i64,
        tiling: Tiling,
        steps: i32,
        roomy: i32,
        levels: i32,
        adaptive: i32,
    }
}

/// Threads of a block: as many as its registers serve.
const fn threads<T>() -> usize {
    if size_of::<T>() == 4 { 1024 } else { 512 }
}

/// Most steps of a launch.
pub(crate) const MOST_STEPS: usize = 256;

/// Iterations without word from the neighbours, if there are so many.
const BATCH: usize = 5;

/// A moment of the flow: the step that ends there, and the largest speeds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Moment {
    pub(crate) step: Step,
    pub(crate) speed: [f64; 3],
}

/// Marches in launches of several steps, and can go back to where the last launch began.
pub(crate) trait Marcher {
    /// Up to `most` steps from `start`, none of which ends later than `latest`.
    fn march(&mut self, start: &Moment, latest: f64, most: usize) -> Result<Vec<Moment>>;
    /// Back to the flow before the last march.
    fn go_back(&mut self) -> Result<()>;
    /// Largest magnitude of each velocity component now, in m/s.
    fn speed(&mut self) -> Result<[f64; 3]>;
    /// Velocity or pressure at the centres of cells.
    fn field(&mut self, quantity: Quantity) -> Result<Field>;
    /// Velocity and pressure, with all halos.
    fn save(&mut self, state: &mut State) -> Result<()>;
    /// The reverse of `save`.
    fn restore(&mut self, state: &State) -> Result<()>;
}

/// The device's side: two copies of the fields, and the lists of all tiles.
pub(crate) struct OnDevice<T> {
    /// Builds the first flow and completes what is read back.
    host: Cpu<T>,
    kernel: Kernel,
    shape: Launch,
    run: March,
    velocity_scale: f64,
    /// u, v, p now, and of the step before or after.
    fields: [[Buffer<T>; 3]; 2],
    /// u, v, p before the last march.
    before: [Buffer<T>; 3],
    mail: [Buffer<T>; 2],
    kinds: Buffer<u8>,
    inverse_diagonals: Buffer<T>,
    starts: Buffer<i32>,
    fixed: Buffer<Fixed<T>>,
    ghosts: Buffer<Ghost<T>>,
    outlets: Buffer<Outlet<T>>,
    flags: Buffer<u32>,
    arrivals: Buffer<u32>,
    found: Buffer<T>,
    /// Largest |u|, |v| and change of each step.
    motion: Buffer<T>,
    instants: Buffer<f64>,
    iterations: Buffer<i32>,
}

/// Which tiling a case gets on a device, and whether it is roomy; nothing if it does not fit.
fn plan<T: Real>(case: &Case, settings: &Settings, room: Room) -> Option<(Tiling, bool)> {
    let cells = case.grid.cells();
    let periodic = (0..2).any(|d| case.boundaries.periodic()[d]);
    if !case.grid.is_plane() || periodic || cells[0].min(cells[1]) < 8 {
        return None;
    }
    let choose = |roomy: bool| {
        tiling::choose([cells[0], cells[1]], batch(settings), room, |n| bytes::<T>(n, roomy))
    };
    choose(true).map(|tiling| (tiling, true)).or_else(|| Some((choose(false)?, false)))
}

/// Iterations of a batch: as even shares of a step's usual iterations as possible.
fn batch(settings: &Settings) -> usize {
    let usual = match &settings.stop {
        Stop::Iterations(Count::Always(n)) => *n,
        Stop::Iterations(Count::Phased(phases)) => phases.then,
        _ => settings.test_every,
    } as usize;
    usual.div_ceil(usual.div_ceil(BATCH)).max(1)
}

/// Shared memory of a block with so many cells: the board, the fields, and a byte a cell.
fn bytes<T>(cells: usize, roomy: bool) -> usize {
    let board = 5 * size_of::<f64>() + 64 * size_of::<T>();
    board + cells * (size_of::<T>() * if roomy { 6 } else { 4 } + 1)
}

impl<T: Real> OnDevice<T>
where
    Field<T>: Stored,
{
    /// The device's side of a case; nothing if it does not fit.
    ///
    /// # Errors
    /// If the device fails.
    pub(crate) fn new(
        gpu: &Gpu,
        case: &Case,
        settings: &Settings,
        host: impl FnOnce() -> Result<Cpu<T>>,
    ) -> Result<Option<Self>> {
        let device = gpu.properties();
        let (blocks, shared) = (device.multiprocessors, device.shared_memory);
        let room = Room { blocks, shared, threads: threads::<T>() };
        let rule = matches!(settings.stop, Stop::ResidualRms(_));
        let chosen =
            if rule || !device.cooperative { None } else { plan::<T>(case, settings, room) };
        let Some((tiling, roomy)) = chosen else { return Ok(None) };
        let host = host()?;
        let Some((kinds, inverse_diagonals)) = kinds(&host, &tiling) else { return Ok(None) };
        if host
            .walls()
            .outlets
            .iter()
            .any(|side| side.direction != host.walls().outlets[0].direction)
        {
            return Ok(None);
        }
        let lists = Lists::new(&tiling, host.walls());
        let real = if size_of::<T>() == 4 { "float" } else { "double" };
        let module =
            gpu.load(&PROGRAM, &[("REAL", real.into()), ("DIRECTIONS", "2".to_string())])?;
        let shape = Launch {
            blocks: [tiling.count() as u32, 1, 1],
            threads: [threads::<T>() as u32, 1, 1],
            shared: bytes::<T>(tiling.size(), roomy) as u32,
            cooperative: true,
        };
        let run = March::new(case, settings, tiling, roomy, lists.levels);
        let n = host.shape().len();
        let fields =
            || -> Result<[Buffer<T>; 3]> { Ok([gpu.zeros(n)?, gpu.zeros(n)?, gpu.zeros(n)?]) };
        let mut engine = Self {
            kernel: module.kernel("march")?,
            shape,
            run,
            velocity_scale: settings.velocity_scale,
            fields: [fields()?, fields()?],
            before: fields()?,
            mail: [gpu.zeros(n)?, gpu.zeros(n)?],
            kinds: gpu.upload(&kinds)?,
            inverse_diagonals: gpu.upload(&inverse_diagonals)?,
            starts: gpu.upload(&lists.starts)?,
            fixed: gpu.upload(&lists.fixed)?,
            ghosts: gpu.upload(&lists.ghosts)?,
            outlets: gpu.upload(&lists.outlets)?,
            flags: gpu.zeros(tiling.count())?,
            arrivals: gpu.zeros(1)?,
            found: gpu.zeros(6)?,
            motion: gpu.zeros(3 * MOST_STEPS)?,
            instants: gpu.zeros(2 * MOST_STEPS)?,
            iterations: gpu.zeros(MOST_STEPS)?,
            host,
        };
        engine.upload()?;
        Ok(Some(engine))
    }

    /// The host's flow, to both copies: the second gets the halos that no step writes.
    fn upload(&mut self) -> Result<()> {
        let [u, v, p] = self.host.plane();
        for fields in &mut self.fields {
            for (field, values) in fields.iter_mut().zip([u, v, p]) {
                field.write(values)?;
            }
        }
        Ok(())
    }

    /// The device's flow, to the host, completed.
    fn download(&mut self) -> Result<()> {
        let [u, v, p] = &self.fields[0];
        self.host.take_plane([u.to_vec()?, v.to_vec()?, p.to_vec()?])
    }

    fn launch(&mut self) -> Result<()> {
        self.flags.clear()?;
        self.arrivals.clear()?;
        self.found.clear()?;
        self.motion.clear()?;
        self.iterations.clear()?;
        let [[u0, v0, p0], [u1, v1, p1]] = &mut self.fields;
        let [q0, q1] = &mut self.mail;
        self.kernel.launch(
            self.shape,
            &[
                value("run", &self.run),
                self.kinds.input("kinds"),
                self.inverse_diagonals.input("inverse_diagonals"),
                self.starts.input("starts"),
                self.fixed.input("fixed"),
                self.ghosts.input("ghosts"),
                self.outlets.input("outlets"),
                u0.output("u0"),
                v0.output("v0"),
                p0.output("p0"),
                u1.output("u1"),
                v1.output("v1"),
                p1.output("p1"),
                q0.output("q0"),
                q1.output("q1"),
                self.flags.output("flags"),
                self.arrivals.output("arrivals"),
                self.found.output("found"),
                self.motion.output("motion"),
                self.instants.output("instants"),
                self.iterations.output("iterations"),
            ],
        )
    }
}

impl March {
    fn new(case: &Case, settings: &Settings, tiling: Tiling, roomy: bool, levels: usize) -> Self {
        let plane = |v: [f64; 3]| [v[0], v[1]];
        let pace = Pace {
            spacing: plane(settings.spacing),
            viscosity: settings.viscosity,
            boundary_speed: plane(settings.boundary_speed),
            fixed_dt: settings.fixed_dt.unwrap_or(0.0),
            fixed_gamma: settings.fixed_gamma.unwrap_or(-1.0),
            safety: settings.safety,
            latest: 0.0,
        };
        Self {
            pace,
            stopping: Stopping::of(settings),
            time: 0.0,
            speed: [0.0; 2],
            force: plane(case.force),
            step: 0,
            tiling,
            steps: 0,
            roomy: i32::from(roomy),
            levels: levels as i32,
            adaptive: i32::from(settings.fixed_dt.is_none() || settings.fixed_gamma.is_none()),
        }
    }
}

impl Stopping {
    fn of(settings: &Settings) -> Self {
        let scale = settings.velocity_scale;
        let (rule, tolerance) = match settings.stop {
            Stop::Iterations(_) => (0, 0.0),
            Stop::Change(tolerance) => (1, tolerance * scale.powi(2)),
            Stop::Residual(tolerance) | Stop::ResidualRms(tolerance) => (2, tolerance),
        };
        let (first, first_steps, then) = match settings.stop {
            Stop::Iterations(Count::Always(n)) => (n, 0, n),
            Stop::Iterations(Count::Phased(phases)) => (phases.first, phases.steps, phases.then),
            _ => (0, 0, 0),
        };
        let (optimal, omega) = match settings.relaxation {
            Relaxation::Fixed(omega) => (0, omega),
            Relaxation::Optimal(omega) => (1, omega),
        };
        let count = |n: u32| i32::try_from(n).unwrap_or(i32::MAX);
        Self {
            tolerance,
            omega,
            first_steps: i64::try_from(first_steps).unwrap_or(i64::MAX),
            rule,
            optimal,
            first: count(first),
            then: count(then),
            test_every: count(settings.test_every),
            most: count(settings.max_iterations),
        }
    }
}

/// A byte for each cell of each tile, in split order: the number of its inverse diagonal, and
/// whether its low faces are open; and the table of inverse diagonals. Nothing if they are too many.
fn kinds<T: Real>(host: &Cpu<T>, tiling: &Tiling) -> Option<(Vec<u8>, Vec<T>)> {
    let mut table: Vec<T> = Vec::new();
    let mut kinds = vec![0; tiling.count() * tiling.size()];
    for tile in 0..tiling.count() {
        for cell in tiling.cells_of(tile) {
            let [i, j] = cell.map(|i| i as isize);
            let inside = (0..2).all(|d| (0..tiling.cells[d]).contains(&cell[d]));
            let (Some(place), true) = (tiling.split(tile, cell), inside) else { continue };
            let inverse = host.inverse_diagonal([i, j, 0]);
            let number = table.iter().position(|known| *known == inverse).unwrap_or_else(|| {
                table.push(inverse);
                table.len() - 1
            });
            let open = |a: usize| {
                u8::from(host.walls().open[a][host.shape().index([i, j, 0])] != T::default())
            };
            kinds[tile * tiling.size() + place as usize] =
                u8::try_from(number).ok().filter(|n| *n < 64)? | open(0) << 6 | open(1) << 7;
        }
    }
    table.resize(64, T::default());
    Some((kinds, table))
}

impl<T: Real> Marcher for OnDevice<T>
where
    Field<T>: Stored,
{
    fn march(&mut self, start: &Moment, latest: f64, most: usize) -> Result<Vec<Moment>> {
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
        let mut iterations = vec![0; most];
        let (mut motion, mut instants) = (vec![T::default(); 3 * most], vec![0.0; 2 * most]);
        self.iterations.read(&mut iterations)?;
        self.motion.read(&mut motion)?;
        self.instants.read(&mut instants)?;
        let steps = iterations.iter().take_while(|n| **n > 0).count();
        if steps % 2 == 1 {
            self.fields.swap(0, 1);
        }
        let moment = |n: usize| {
            let [u, v, change] = [0, 1, 2].map(|c| motion[3 * n + c].to_f64());
            let [time, dt] = [instants[2 * n], instants[2 * n + 1]];
            let residual = change / (dt * self.velocity_scale);
            let number = start.step.number + 1 + n as u64;
            let step = Step { number, time, dt, iterations: iterations[n] as u64, residual };
            Moment { step, speed: [u, v, 0.0] }
        };
        Ok((0..steps).map(moment).collect())
    }

    fn go_back(&mut self) -> Result<()> {
        for (now, before) in self.fields[0].iter_mut().zip(&self.before) {
            now.copy_from(before)?;
        }
        Ok(())
    }

    fn speed(&mut self) -> Result<[f64; 3]> {
        self.download()?;
        self.host.largest_speeds()
    }

    fn field(&mut self, quantity: Quantity) -> Result<Field> {
        self.download()?;
        crate::engine::Engine::field(&self.host, quantity)
    }

    fn save(&mut self, state: &mut State) -> Result<()> {
        self.download()?;
        crate::engine::Engine::save(&self.host, state)
    }

    fn restore(&mut self, state: &State) -> Result<()> {
        crate::engine::Engine::restore(&mut self.host, state)?;
        self.upload()
    }
}
