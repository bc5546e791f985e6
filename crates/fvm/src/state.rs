//! The flow on one subdomain, and saved states: the same for every device.

use std::ops::Range;

use rayon::prelude::*;
use vortice_core::{
    Case, Communicator, Field, FieldLater, Halo, Initial, Location, Quantity, Real, Result, Shape,
    StateReader, StateWriter, Subdomain, fill_rows,
};
use vortice_gpu::Sent;

use crate::boundary::{Faces, SOLID, kind_of};
use crate::fluid::Fluid;
use crate::stencil::{FIXED, MIRROR, OPEN};

/// Values from which on a loop is worth sharing among threads.
pub(crate) const WORTH_SHARING: usize = 12_000;

/// Halo cells: schemes look two cells upstream.
pub(crate) const HALO: isize = 2;

/// Velocity and pressure of one subdomain, with halos.
#[derive(Clone)]
pub(crate) struct Flow {
    /// At centres, in m/s.
    pub(crate) u: [Vec<f64>; 3],
    /// Kinematic, at centres, in m2/s2.
    pub(crate) p: Vec<f64>,
    /// Through low faces, in m/s.
    pub(crate) face_velocity: [Vec<f64>; 3],
}

/// The padded shape of a subdomain.
pub(crate) fn shape(case: &Case, part: &Subdomain) -> Shape {
    let halo = HALO as usize;
    Shape { cells: part.n(), halo: [halo, halo, if case.grid.is_plane() { 0 } else { halo }] }
}

impl Flow {
    pub(crate) fn zeros(shape: Shape) -> Self {
        let zeros = || vec![0.0; shape.len()];
        let three = || std::array::from_fn(|_| zeros());
        Self { u: three(), p: zeros(), face_velocity: three() }
    }

    /// The case's flow at t = 0: face velocities are means of the cells beside them.
    pub(crate) fn initial(
        case: &Case,
        part: &Subdomain,
        faces: &Faces,
        shape: Shape,
        halo: &Halo,
        ranks: &dyn Communicator,
    ) -> Result<Self> {
        let mut flow = Self::zeros(shape);
        let length = shape.padded()[0];
        let own = |cell: [isize; 3]| (0..3).all(|d| shape.own(d).contains(&cell[d]));
        // Of another run's flow the pressure is known, too.
        let is_known = matches!(case.initial, Initial::Stored(_) | Initial::Refined { .. });
        let Flow { u: [x, y, z], p, .. } = &mut flow;
        fill_rows([x, y, z, p], length, |number, [x, y, z, p]| {
            let u = [x, y, z];
            for i in 0..length {
                let here = number * length + i;
                let cell = shape.cell(here);
                if !own(cell) || faces.kinds[here] & SOLID != 0 {
                    continue;
                }
                let point = case.grid.centre(part.global(cell));
                let velocity = case.initial_velocity(point);
                for c in case.grid.directions() {
                    u[c][i] = velocity[c];
                }
                if is_known {
                    p[i] = case.initial_pressure(point) / case.density;
                }
            }
        });
        flow.prescribe(faces, shape);
        let directions = case.grid.directions().len();
        flow.exchange(halo, ranks)?;
        flow.copy_ghosts(faces);
        flow.average_faces(faces, shape, directions);
        Ok(flow)
    }

    /// Writes what faces prescribe into ghost cells and faces.
    pub(crate) fn prescribe(&mut self, faces: &Faces, shape: Shape) {
        let length = shape.padded()[0];
        let velocities = self.u.iter_mut().zip(&faces.ghost_velocity);
        for (values, prescribed) in
            velocities.chain(self.face_velocity.iter_mut().zip(&faces.face_velocity))
        {
            fill_rows([values], length, |number, [row]| {
                for (value, &prescribed) in row.iter_mut().zip(&prescribed[number * length..]) {
                    if prescribed != 0.0 {
                        *value = prescribed;
                    }
                }
            });
        }
    }

    /// Fills the halos of the velocity.
    pub(crate) fn exchange_velocity(
        &mut self,
        directions: usize,
        halo: &Halo,
        ranks: &dyn Communicator,
    ) -> Result<()> {
        let u = self.u[..directions].iter_mut().map(Vec::as_mut_slice);
        halo.exchange(ranks, &mut u.collect::<Vec<_>>())
    }

    /// Ghost values that follow the flow beside them.
    pub(crate) fn copy_ghosts(&mut self, faces: &Faces) {
        for copied in &faces.copied {
            let u = &mut self.u[copied.component];
            u[copied.target] = u[copied.source];
        }
    }

    /// Face velocities as means of the cells beside them; halos of the velocity are needed.
    pub(crate) fn average_faces(&mut self, faces: &Faces, shape: Shape, directions: usize) {
        let length = shape.padded()[0];
        for d in 0..directions {
            let (stride, u) = (shape.strides()[d], &self.u[d]);
            fill_rows([&mut self.face_velocity[d]], length, |number, [row]| {
                let first = number * length;
                for (i, face) in row.iter_mut().enumerate() {
                    let here = first + i;
                    if !is_face_across(shape, d, shape.cell(here)) {
                        continue;
                    }
                    let (low, high) = (u[here - stride], u[here]);
                    match kind_of(faces.kinds[here], d) {
                        OPEN => *face = 0.5 * (low + high),
                        FIXED | MIRROR => {}
                        // Ghost values beyond outlets are those of the cell inside.
                        _ => *face = low,
                    }
                }
            });
        }
    }

    /// A copy of a part of it, as of the time that it is of.
    pub(crate) fn part(&self, of: Saved) -> Vec<f64> {
        match of {
            Saved::Pressure => self.p.clone(),
            Saved::Velocity { d, .. } => self.u[d].clone(),
            Saved::FaceVelocity { d, .. } => self.face_velocity[d].clone(),
        }
    }

    /// Fills the halos of velocity and pressure.
    fn exchange(&mut self, halo: &Halo, ranks: &dyn Communicator) -> Result<()> {
        let mut arrays: Vec<&mut [f64]> = self.u.iter_mut().map(Vec::as_mut_slice).collect();
        arrays.push(&mut self.p);
        halo.exchange(ranks, &mut arrays)
    }

    /// Largest difference of a velocity component in own cells to another flow, in m/s; not a number
    /// if either is not finite.
    pub(crate) fn largest_change(&self, other: &Self, shape: Shape) -> f64 {
        let mut largest = 0.0_f64;
        for (u, v) in self.u.iter().zip(&other.u) {
            for places in shape.rows() {
                for (x, y) in u[places.clone()].iter().zip(&v[places]) {
                    largest = largest.max_magnitude(x - y);
                }
            }
        }
        largest
    }
}

/// Velocity in m/s at the centres of some rows of own cells, from its components there: all that there is from
/// the first of these cells on.
pub(crate) fn velocity_at_centres(shape: Shape, rows: Range<usize>, u: &[&[f64]]) -> Field {
    let mut field = at_centres(shape, &rows, Quantity::Velocity);
    for (c, u) in u.iter().enumerate() {
        fill_rows([field.component_mut(c)], shape.cells[0], |number, [to]| {
            to.copy_from_slice(&u[from_first(shape, &rows, number)..][..shape.cells[0]]);
        });
    }
    field
}

/// Pressure in Pa at the centres of some rows of own cells, from p in m2/s2 less its mean: all that there is from
/// the first of these cells on.
pub(crate) fn pressure_at_centres(
    shape: Shape,
    rows: Range<usize>,
    p: &[f64],
    mean: f64,
    faces: &Faces,
    fluid: &Fluid,
) -> Field {
    let mut field = at_centres(shape, &rows, Quantity::Pressure);
    fill_rows([&mut field.values], shape.cells[0], |number, [to]| {
        let p = &p[from_first(shape, &rows, number)..];
        for ((to, p), here) in to.iter_mut().zip(p).zip(shape.row(rows.start + number)) {
            let flows = faces.kinds[here] & SOLID == 0;
            *to = if flows { fluid.density * (p - mean) } else { 0.0 };
        }
    });
    field
}

/// The same of components that a device has sent.
pub(crate) fn velocity_of(sent: Sent<f64>, shape: Shape, rows: Range<usize>) -> FieldLater {
    FieldLater::new(move || {
        let u = sent.receive()?;
        let u: Vec<&[f64]> = u.iter().map(Vec::as_slice).collect();
        Ok(velocity_at_centres(shape, rows, &u))
    })
}

/// Place of the row of this number among `rows`, seen from the first of them.
fn from_first(shape: Shape, rows: &Range<usize>, number: usize) -> usize {
    shape.row(rows.start + number).start - shape.row(rows.start).start
}

fn at_centres(shape: Shape, rows: &Range<usize>, quantity: Quantity) -> Field {
    let shape = Shape { cells: [shape.cells[0], rows.len(), 1], halo: [0; 3] };
    Field::zeros(Location::Centre, shape, quantity.components())
}

/// Mean kinematic pressure over the cells of the flow of all ranks, the same for any number of them; zero of a
/// pressure that is fixed somewhere.
pub(crate) fn mean_pressure(
    p: &[f64],
    faces: &Faces,
    shape: Shape,
    fluid: &Fluid,
    ranks: &dyn Communicator,
) -> Result<f64> {
    if !fluid.singular {
        return Ok(0.0);
    }
    let rows = 0..shape.cells[1] * shape.cells[2];
    let of_row = |number: usize| {
        let flows = |here: &usize| faces.kinds[*here] & SOLID == 0;
        shape.row(number).filter(flows).map(|here| p[here])
    };
    let most = |a: f64, b: f64| a.max_magnitude(b);
    let of_rows = rows.clone().into_par_iter().map(|row| of_row(row).fold(0.0, most));
    let mut largest = [of_rows.reduce(|| 0.0, most)];
    ranks.max(&mut largest)?;
    let [largest] = largest;
    if largest == 0.0 || !largest.is_finite() {
        return Ok(0.0);
    }
    let unit = (1_u64 << 60) as f64 / largest;
    let exact = |row| of_row(row).map(|p| (p * unit).round() as i128).sum::<i128>();
    let sum = rows.into_par_iter().map(exact).sum();
    Ok(ranks.sum_exact(sum)? as f64 / unit / fluid.cells as f64)
}

/// Whether the low face of a cell across a direction is one of a subdomain's: low faces of own cells, and the
/// high ones of the last.
fn is_face_across(shape: Shape, direction: usize, cell: [isize; 3]) -> bool {
    (0..3).all(|d| {
        let own = shape.own(d);
        (own.start..own.end + isize::from(d == direction)).contains(&cell[d])
    })
}

const AXES: [&str; 3] = ["x", "y", "z"];
/// Names of the velocities through faces now in a saved state.
pub(crate) const FACE_VELOCITIES: [&str; 3] = ["through-x", "through-y", "through-z"];

const TIMES: [&str; 3] = ["", "-last", "-before"];

/// A part of the flow that a state holds, with its halos: now (0), after the last time step (1) or after the one
/// before (2).
#[derive(Clone, Copy)]
pub(crate) enum Saved {
    /// Pressure now.
    Pressure,
    /// Component of the velocity in cells.
    Velocity { time: usize, d: usize },
    /// Velocity through the faces across a direction.
    FaceVelocity { time: usize, d: usize },
}

impl Saved {
    /// The time that it is of.
    pub(crate) fn time(self) -> usize {
        match self {
            Self::Pressure => 0,
            Self::Velocity { time, .. } | Self::FaceVelocity { time, .. } => time,
        }
    }

    /// Its name.
    pub(crate) fn name(self) -> String {
        self.named().0
    }

    /// Its name, and where it sits in cells.
    fn named(self) -> (String, Location) {
        match self {
            Self::Pressure => ("pressure".into(), Location::Centre),
            Self::Velocity { time, d } => {
                (format!("velocity{}-{}", TIMES[time], AXES[d]), Location::Centre)
            }
            Self::FaceVelocity { time, d } => {
                (format!("through{}-{}", TIMES[time], AXES[d]), Location::Face(d))
            }
        }
    }
}

/// Adds the flow now and after the last two steps to a state, each part read when it is its turn.
pub(crate) fn save(
    state: &mut dyn StateWriter,
    shape: Shape,
    directions: usize,
    mut read: impl FnMut(Saved) -> Result<Vec<f64>>,
) -> Result<()> {
    let mut add = |of: Saved| {
        let (name, location) = of.named();
        state.components(&name, (location, shape, 1), |_| read(of))
    };
    each_at(0..TIMES.len(), directions, &mut add)
}

/// The same of the flow now alone.
pub(crate) fn save_now(
    state: &mut dyn StateWriter,
    (shape, directions): (Shape, usize),
    mut read: impl FnMut(Saved) -> Result<Vec<f64>>,
) -> Result<()> {
    each_now(directions, |of| {
        let (name, location) = of.named();
        state.components(&name, (location, shape, 1), |_| read(of))
    })
}

/// Each part of the flow now.
pub(crate) fn each_now(directions: usize, mut work: impl FnMut(Saved) -> Result<()>) -> Result<()> {
    each_at(0..1, directions, &mut work)
}

fn each_at(
    times: Range<usize>,
    directions: usize,
    work: &mut dyn FnMut(Saved) -> Result<()>,
) -> Result<()> {
    work(Saved::Pressure)?;
    for (time, d) in times.flat_map(|time| (0..directions).map(move |d| (time, d))) {
        work(Saved::Velocity { time, d })?;
        work(Saved::FaceVelocity { time, d })?;
    }
    Ok(())
}

/// Whether a field of a state, by its name, is of the flow now.
pub(crate) fn is_now(name: &str) -> bool {
    TIMES[1..].iter().all(|time| !name.contains(time))
}

/// The flow at one of these times from a saved state, with halos and, now, with what faces prescribe.
///
/// # Errors
/// If a field is missing, or has another shape or number type, or a neighbour has stopped.
pub(crate) fn restored(
    state: &dyn StateReader,
    time: usize,
    (shape, directions): (Shape, usize),
    faces: &Faces,
    halo: &Halo,
    ranks: &dyn Communicator,
) -> Result<Flow> {
    let saved = |of: Saved| state.scalar(&of.named().0, shape);
    let mut flow = Flow::zeros(shape);
    for d in 0..directions {
        flow.u[d] = saved(Saved::Velocity { time, d })?;
        flow.face_velocity[d] = saved(Saved::FaceVelocity { time, d })?;
    }
    if time == 0 {
        flow.p = saved(Saved::Pressure)?;
        flow.prescribe(faces, shape);
    }
    flow.exchange(halo, ranks)?;
    Ok(flow)
}
