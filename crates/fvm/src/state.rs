//! The flow on one subdomain, and saved states: the same for every device.

use vortice_core::{
    Case, Communicator, Field, Halo, Location, Quantity, Real, Result, Shape, State, Subdomain,
};

use crate::boundary::{Faces, SOLID, kind_of};
use crate::fluid::Fluid;
use crate::stencil::{FIXED, MIRROR, OPEN};

/// Halo cells: schemes look two cells upstream.
const HALO: isize = 2;

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
        for cell in (Shape { halo: [0; 3], ..shape }).all_cells() {
            let here = shape.index(cell);
            if faces.kinds[here] & SOLID != 0 {
                continue;
            }
            let velocity = case.initial_velocity(case.grid.centre(part.global(cell)));
            for c in case.grid.directions() {
                flow.u[c][here] = velocity[c];
            }
        }
        flow.prescribe(faces);
        let directions = case.grid.directions().len();
        flow.exchange_velocity(directions, halo, ranks)?;
        flow.copy_ghosts(faces);
        flow.average_faces(faces, shape, directions);
        Ok(flow)
    }

    /// Writes what faces prescribe into ghost cells and faces.
    pub(crate) fn prescribe(&mut self, faces: &Faces) {
        let velocities = self.u.iter_mut().zip(&faces.ghost_velocity);
        for (values, prescribed) in
            velocities.chain(self.face_velocity.iter_mut().zip(&faces.face_velocity))
        {
            for (value, &prescribed) in values.iter_mut().zip(prescribed) {
                if prescribed != 0.0 {
                    *value = prescribed;
                }
            }
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
        for d in 0..directions {
            let stride = shape.strides()[d];
            for here in faces_across(shape, d) {
                let kind = kind_of(faces.kinds[here], d);
                let (low, high) = (self.u[d][here - stride], self.u[d][here]);
                match kind {
                    OPEN => self.face_velocity[d][here] = 0.5 * (low + high),
                    FIXED | MIRROR => {}
                    // Ghost values beyond outlets are those of the cell inside.
                    _ => self.face_velocity[d][here] = low,
                }
            }
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

    /// Velocity in m/s or pressure in Pa at the centres of own cells; a pressure that is fixed nowhere
    /// has the mean zero.
    pub(crate) fn field(
        &self,
        quantity: Quantity,
        faces: &Faces,
        shape: Shape,
        fluid: &Fluid,
        ranks: &dyn Communicator,
    ) -> Result<Field> {
        let own = Shape { cells: shape.cells, halo: [0; 3] };
        let mut field = Field::zeros(Location::Centre, own, quantity.components());
        if quantity == Quantity::Pressure {
            let mean =
                if fluid.singular { self.mean_pressure(faces, shape, fluid, ranks)? } else { 0.0 };
            for (to, here) in field.values.iter_mut().zip(shape.rows().flatten()) {
                let flows = faces.kinds[here] & SOLID == 0;
                *to = if flows { fluid.density * (self.p[here] - mean) } else { 0.0 };
            }
            return Ok(field);
        }
        for (c, u) in self.u.iter().enumerate().take(fluid.directions) {
            let to = field.component_mut(c).chunks_exact_mut(shape.cells[0]);
            shape.rows().zip(to).for_each(|(row, to)| to.copy_from_slice(&u[row]));
        }
        Ok(field)
    }

    /// Mean kinematic pressure over the cells of the flow of all ranks: the same for any number of them.
    fn mean_pressure(
        &self,
        faces: &Faces,
        shape: Shape,
        fluid: &Fluid,
        ranks: &dyn Communicator,
    ) -> Result<f64> {
        let mut largest = [0.0_f64];
        let flows = |here: &usize| faces.kinds[*here] & SOLID == 0;
        let places = || shape.rows().flatten().filter(flows);
        places().for_each(|here| largest[0] = largest[0].max_magnitude(self.p[here]));
        ranks.max(&mut largest)?;
        let [largest] = largest;
        if largest == 0.0 || !largest.is_finite() {
            return Ok(0.0);
        }
        let unit = (1_u64 << 60) as f64 / largest;
        let sum: i128 = places().map(|here| (self.p[here] * unit).round() as i128).sum();
        Ok(ranks.sum_exact(sum)? as f64 / unit / fluid.cells as f64)
    }
}

/// Places of a subdomain's faces across a direction: low faces of own cells, and the high ones of the
/// last.
pub(crate) fn faces_across(shape: Shape, direction: usize) -> impl Iterator<Item = usize> {
    let range = move |d: usize| {
        let own = shape.own(d);
        own.start..own.end + isize::from(d == direction)
    };
    range(2).flat_map(move |k| {
        range(1).flat_map(move |j| range(0).map(move |i| shape.index([i, j, k])))
    })
}

const AXES: [&str; 3] = ["x", "y", "z"];
const TIMES: [&str; 3] = ["", "-last", "-before"];

/// Adds the flow now and at the end of the last two steps, with halos, to a state.
pub(crate) fn save(
    state: &mut State,
    shape: Shape,
    directions: usize,
    now: &Flow,
    past: &[Flow; 2],
) {
    for (flow, time) in [now, &past[0], &past[1]].into_iter().zip(TIMES) {
        let mut add = |name: String, location, values: &[f64]| {
            state.insert(name, Field { location, shape, components: 1, values: values.to_vec() });
        };
        for d in 0..directions {
            add(format!("velocity{time}-{}", AXES[d]), Location::Centre, &flow.u[d]);
            add(format!("through{time}-{}", AXES[d]), Location::Face(d), &flow.face_velocity[d]);
        }
        if time.is_empty() {
            add("pressure".into(), Location::Centre, &flow.p);
        }
    }
}

/// The flow now, with what faces prescribe, and in the past, with halos, from a saved state.
///
/// # Errors
/// If a field is missing, or has another shape or number type, or a neighbour has stopped.
pub(crate) fn restored(
    state: &State,
    shape: Shape,
    directions: usize,
    faces: &Faces,
    halo: &Halo,
    ranks: &dyn Communicator,
) -> Result<(Flow, [Flow; 2])> {
    let flow = |time: &str| -> Result<Flow> {
        let mut flow = Flow::zeros(shape);
        for d in 0..directions {
            flow.u[d] = saved(state, &format!("velocity{time}-{}", AXES[d]), shape)?;
            flow.face_velocity[d] = saved(state, &format!("through{time}-{}", AXES[d]), shape)?;
        }
        if time.is_empty() {
            flow.p = saved(state, "pressure", shape)?;
        }
        Ok(flow)
    };
    let (mut now, mut past) = (flow(TIMES[0])?, [flow(TIMES[1])?, flow(TIMES[2])?]);
    now.prescribe(faces);
    for flow in [&mut now].into_iter().chain(&mut past) {
        flow.exchange(halo, ranks)?;
    }
    Ok((now, past))
}

fn saved(state: &State, name: &str, shape: Shape) -> Result<Vec<f64>> {
    Ok(state.field::<f64>(name, shape, 1)?.values.clone())
}
