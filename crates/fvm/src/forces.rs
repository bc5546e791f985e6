//! The forces on bodies: the momentum that cells of the flow hand to the faces around each, as their equations have it;
//! eq. (V22).

use vortice_core::{
    BodyForce, BodyWall, Case, Communicator, ForceSums, Result, Shape, Side, Subdomain, Surfaces,
    torques_of_turning,
};

use crate::boundary::{SOLID, kind_of};
use crate::fluid::Fluid;
use crate::stencil::{
    FIXED, OPEN, Other, felt_share, felt_velocity, positive, pressure_at, velocity_at_body,
};

/// A face of an own cell, at whose other side lies a body.
struct Face {
    direction: usize,
    side: Side,
    body: usize,
    /// Kind of the face opposite.
    opposite: u8,
    /// Distance of the wall as a share of the line to the next centre, and its velocity in m/s.
    share: f64,
    wall: [f64; 3],
    /// Middle of the face in m.
    centre: [f64; 3],
}

/// Where the values lie that the forces are made of; two cells for each face: its own, and the one opposite.
#[derive(Default)]
pub(crate) struct Places {
    pub(crate) cells: Vec<usize>,
    /// Direction and place of each face.
    pub(crate) faces: Vec<(usize, usize)>,
}

/// The values there: velocity in m/s by component, kinematic pressure in m2/s2, and velocity through faces in m/s.
pub(crate) struct Values {
    pub(crate) velocity: [Vec<f64>; 3],
    pub(crate) pressure: Vec<f64>,
    pub(crate) face_velocity: Vec<f64>,
}

/// The faces of one subdomain at which bodies stand.
pub(crate) struct ForceFaces {
    faces: Vec<Face>,
    pub(crate) places: Places,
    /// Of bodies that turn, see [`torques_of_turning`].
    turning: Vec<f64>,
}

impl ForceFaces {
    /// Those of a subdomain.
    pub(crate) fn new(case: &Case, part: &Subdomain, shape: Shape, kinds: &[u8]) -> Self {
        let surfaces = Surfaces::of_part(case, part);
        let mut all = Self {
            faces: Vec::new(),
            places: Places::default(),
            turning: torques_of_turning(case),
        };
        if case.bodies.is_empty() {
            return all;
        }
        let own = Shape { halo: [0; 3], ..shape };
        for cell in own.all_cells().filter(|&cell| kinds[shape.index(cell)] & SOLID == 0) {
            for d in case.grid.directions() {
                for side in Side::BOTH {
                    all.add(case, &surfaces, shape, kinds, cell, d, side);
                }
            }
        }
        all
    }

    fn add(
        &mut self,
        case: &Case,
        surfaces: &Surfaces<'_>,
        shape: Shape,
        kinds: &[u8],
        cell: [isize; 3],
        d: usize,
        side: Side,
    ) {
        let (next, behind) = (side.next(cell, d), side.opposite().next(cell, d));
        if kinds[shape.index(next)] & SOLID == 0 {
            return;
        }
        let Some(BodyWall { body, share, velocity }) = surfaces.body_wall(cell, next) else {
            return;
        };
        // Faces lie at the low sides of cells.
        let [face, opposite] = match side {
            Side::Low => [cell, behind],
            Side::High => [next, cell],
        };
        let mut centre = case.grid.centre(surfaces.wrapped(cell));
        centre[d] += 0.5 * side.outward() as f64 * case.grid.spacing()[d];
        let opposite = kind_of(kinds[shape.index(opposite)], d);
        self.places.cells.extend([cell, behind].map(|cell| shape.index(cell)));
        self.places.faces.push((d, shape.index(face)));
        self.faces.push(Face { direction: d, side, body, opposite, share, wall: velocity, centre });
    }

    /// The forces of all ranks on the case's bodies. Collective.
    ///
    /// # Errors
    /// If a rank has stopped.
    pub(crate) fn forces(
        &self,
        case: &Case,
        fluid: &Fluid,
        values: &Values,
        ranks: &dyn Communicator,
    ) -> Result<Vec<BodyForce>> {
        let mut sums = ForceSums::new(case);
        for (n, face) in self.faces.iter().enumerate() {
            let d = face.direction;
            let handed = handed_on(face, fluid, n, values);
            let force = handed.map(|momentum| fluid.density * case.grid.face_area(d) * momentum);
            sums.add(face.body, force, face.centre);
        }
        if ranks.rank() == 0 {
            sums.add_torques(&self.turning);
        }
        sums.of_all(ranks)
    }
}

/// Momentum over density that a face hands on to a body, for its area, in m2/s2 by component; eq. (V22).
fn handed_on(face: &Face, fluid: &Fluid, n: usize, values: &Values) -> [f64; 3] {
    let (d, sign) = (face.direction, face.side.outward() as f64);
    let is_open = face.opposite == OPEN;
    let outward = sign * values.face_velocity[n];
    let h = 1.0 / fluid.inverse_h[d];
    let mut momentum = [0.0; 3];
    for (c, momentum) in momentum.iter_mut().enumerate().take(fluid.directions) {
        let [here, opposite] = [0, 1].map(|k| values.velocity[c][2 * n + k]);
        let at_face = velocity_at_body(face.share, face.wall[c], here, opposite, is_open);
        let felt = felt_velocity(face.share, face.wall[c], opposite, is_open);
        let leaves = here + fluid.blend * (at_face - here);
        let carried = positive(outward) * leaves - positive(-outward) * at_face;
        let diffused = fluid.diffusion[d] * h / felt_share(face.share) * (here - felt);
        *momentum = carried + diffused;
    }
    let [p, next] = [0, 1].map(|k| values.pressure[2 * n + k]);
    let outlet_pressure = fluid.outlet_pressure[d][face.side.opposite() as usize];
    let other = Other { kind: face.opposite, next, outlet_pressure };
    momentum[d] += sign * pressure_at(FIXED, p, 0.0, 0.0, other);
    momentum
}
