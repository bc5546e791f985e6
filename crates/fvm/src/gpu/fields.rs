//! What lies in the device's memory.

use vortice_core::{Boundaries, Case, Result, Shape, check_device_memory};
use vortice_gpu::{Buffer, Gpu};
use vortice_linear::Levels;
use vortice_linear::gpu::Multigrid;

use super::numbers::{Factors, SLOTS};
use super::transported;
use crate::boundary::{Copied, Faces, Prescribed};
use crate::settings::Settings;
use crate::state::{Flow, Saved};

/// Fields of one subdomain, in padded rows, one component after the other.
pub(crate) struct Fields {
    /// What low faces and cells are, see `stencil.cuh`.
    pub(crate) kinds: Buffer<u8>,
    /// Velocity in m/s.
    pub(crate) u: Buffer<f64>,
    /// Pressure in m2/s2.
    pub(crate) p: Buffer<f64>,
    /// Velocity through low faces in m/s.
    pub(crate) face_velocity: Buffer<f64>,
    /// Velocity and face velocity after the last time step, and after the one before.
    pub(crate) u_last: Buffer<f64>,
    pub(crate) u_before: Buffer<f64>,
    pub(crate) face_velocity_last: Buffer<f64>,
    pub(crate) face_velocity_before: Buffer<f64>,
    /// How far face velocities are above the means of cells, in m/s.
    pub(crate) above: Buffer<f64>,
    /// The momentum equations: coefficients in 1/s, relaxed diagonal in 1/s and its inverse, and
    /// right-hand sides in m/s2.
    pub(crate) a: Buffer<f64>,
    pub(crate) diagonal: Buffer<f64>,
    pub(crate) inverse: Buffer<f64>,
    pub(crate) b: Buffer<f64>,
    /// What sweeps by colour change and read, with every second cell of a row before the others: velocity and inverse diagonal;
    /// what every second launch of sweeps by regions writes.
    pub(crate) halves: Buffer<f64>,
    pub(crate) factors: Buffer<Factors<f64>>,
    /// What launches find.
    pub(crate) reductions: Buffer<i64>,
    /// Largest change of a velocity component, as bits of a number in m/s.
    pub(crate) largest_change: Buffer<i64>,
    pub(crate) ghosts: Ghosts,
    /// What changes with time, beyond faces and through them.
    pub(crate) prescribed: [Given; 2],
}

/// Prescribed velocities that change with time: `put_velocities.cu`.
pub(crate) struct Given {
    pub(crate) places: Buffer<i64>,
    /// In m/s.
    pub(crate) values: Buffer<f64>,
}

impl Given {
    /// Those of a list.
    fn new(gpu: &Gpu, shape: &Shape, given: &[Prescribed]) -> Result<Self> {
        let place = |of: &Prescribed| (of.component * shape.len() + of.place) as i64;
        Ok(Self {
            places: gpu.upload(&given.iter().map(place).collect::<Vec<_>>())?,
            values: gpu.upload(&values(given))?,
        })
    }

    /// The same places with other values.
    pub(crate) fn write(&mut self, given: &[Prescribed]) -> Result<()> {
        self.values.write(&values(given))
    }
}

fn values(given: &[Prescribed]) -> Vec<f64> {
    given.iter().map(|of| of.value).collect()
}

/// Ghost values that follow the flow: `copy_ghosts.cu`.
pub(crate) struct Ghosts {
    pub(crate) sources: Buffer<i64>,
    pub(crate) targets: Buffer<i64>,
}

/// Arrays of a cell beside those of the pressure correction, for so many directions.
fn numbers_per_cell(directions: usize) -> usize {
    let (velocities, equations) = (6 * directions + 1, 5 * directions + 3);
    velocities + equations
}

/// Refuses a subdomain that needs more memory than a device has free.
///
/// # Errors
/// If it will not do, with the bytes that are needed and free.
pub(crate) fn expect_room(
    gpu: &Gpu,
    case: &Case,
    shape: &Shape,
    settings: &Settings,
    levels: &Levels,
) -> Result<()> {
    let [_, vectors] = settings.options.vectors();
    let of_scalars = transported::numbers(case, settings.directions);
    let rounds = settings.options.shortcuts().rounds(case) * (3 * settings.directions + 1);
    let numbers = numbers_per_cell(settings.directions) + of_scalars + vectors + rounds;
    let bytes_per_cell = numbers * size_of::<f64>() + 1;
    let needed = (shape.len() * bytes_per_cell + Multigrid::bytes(levels)) as f64;
    check_device_memory(case, &gpu.properties().name, needed, gpu.free_memory()? as f64)
}

impl Fields {
    /// The initial flow on a device.
    ///
    /// # Errors
    /// If its memory will not do.
    pub(crate) fn new(
        gpu: &Gpu,
        directions: usize,
        shape: &Shape,
        (faces, boundaries): (&Faces, &Boundaries),
        flow: &Flow,
    ) -> Result<Self> {
        let zeros = |components: usize| {
            let mut buffer = gpu.zeros(components * shape.len())?;
            buffer.clear()?;
            Ok(buffer)
        };
        let [beyond, through] = faces.prescribed(boundaries, directions)?;
        let mut fields = Self {
            kinds: gpu.upload(&faces.kinds)?,
            u: zeros(directions)?,
            p: zeros(1)?,
            face_velocity: zeros(directions)?,
            u_last: zeros(directions)?,
            u_before: zeros(directions)?,
            face_velocity_last: zeros(directions)?,
            face_velocity_before: zeros(directions)?,
            above: zeros(directions)?,
            a: zeros(2 * directions)?,
            // One in solids, where nothing is assembled.
            diagonal: gpu.upload(&vec![1.0; shape.len()])?,
            inverse: zeros(1)?,
            b: zeros(directions)?,
            halves: zeros(directions + 1)?,
            factors: gpu.zeros(1)?,
            reductions: gpu.zeros(SLOTS)?,
            largest_change: gpu.zeros(1)?,
            ghosts: Ghosts::new(gpu, shape, &faces.copied)?,
            prescribed: [Given::new(gpu, shape, &beyond)?, Given::new(gpu, shape, &through)?],
        };
        fields.reductions.clear()?;
        fields.write(directions, 0, flow)?;
        Ok(fields)
    }

    /// Sends the flow now (0), after the last time step (1) or after the one before (2).
    pub(crate) fn write(&mut self, directions: usize, time: usize, flow: &Flow) -> Result<()> {
        let (u, face_velocity) = match time {
            0 => (&mut self.u, &mut self.face_velocity),
            1 => (&mut self.u_last, &mut self.face_velocity_last),
            _ => (&mut self.u_before, &mut self.face_velocity_before),
        };
        write(u, &flow.u, directions)?;
        write(face_velocity, &flow.face_velocity, directions)?;
        if time == 0 { self.p.write(&flow.p) } else { Ok(()) }
    }

    /// A part of the flow on the host.
    pub(crate) fn read(&self, of: Saved, shape: Shape) -> Result<Vec<f64>> {
        let (from, d) = match of {
            Saved::Pressure => (&self.p, 0),
            Saved::Velocity { time, d } => ([&self.u, &self.u_last, &self.u_before][time], d),
            Saved::FaceVelocity { time, d } => {
                let all =
                    [&self.face_velocity, &self.face_velocity_last, &self.face_velocity_before];
                (all[time], d)
            }
        };
        from.slice_to_vec(d * shape.len()..(d + 1) * shape.len())
    }

    /// The flow becomes that of the last time step; eq. (V3).
    pub(crate) fn remember(&mut self) -> Result<()> {
        self.u_before.copy_from(&self.u_last)?;
        self.face_velocity_before.copy_from(&self.face_velocity_last)?;
        self.u_last.copy_from(&self.u)?;
        self.face_velocity_last.copy_from(&self.face_velocity)
    }
}

/// Sends so many components.
fn write(to: &mut Buffer<f64>, from: &[Vec<f64>; 3], directions: usize) -> Result<()> {
    let mut components = from.iter().enumerate().take(directions);
    components.try_for_each(|(c, values)| to.write_at(c * values.len(), values))
}

impl Ghosts {
    fn new(gpu: &Gpu, shape: &Shape, copied: &[Copied]) -> Result<Self> {
        let places = |place: fn(&Copied) -> usize| -> Vec<i64> {
            copied.iter().map(|of| (of.component * shape.len() + place(of)) as i64).collect()
        };
        Ok(Self {
            sources: gpu.upload(&places(|of| of.source))?,
            targets: gpu.upload(&places(|of| of.target))?,
        })
    }
}
