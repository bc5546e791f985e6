//! The forces on bodies: the momentum that cells of velocities of the flow hand to velocities that a body gives; eq. (F22).

use vortice_core::{
    BodyForce, Case, Communicator, FaceKind, ForceSums, Result, Shape, Side, Subdomain, Surfaces,
    torques_of_turning,
};

use crate::stencil::flux;

/// A side of the cell around an open face of a velocity component, beyond which a body gives the velocity.
struct Term {
    component: usize,
    direction: usize,
    side: Side,
    body: usize,
    /// Middle of the side in m.
    centre: [f64; 3],
    /// Number of the pressure there, if the component pushes on it.
    pressure: Option<usize>,
}

/// Where the values lie that the forces are made of.
#[derive(Default)]
pub(crate) struct Places {
    /// Components and places, four for each side: of the velocity inside, of that beyond, and of two whose mean crosses it.
    pub(crate) velocity: Vec<(usize, usize)>,
    pub(crate) pressure: Vec<usize>,
}

/// The values there: velocities in m/s and kinematic pressures in m2/s2.
pub(crate) struct Values {
    pub(crate) velocity: Vec<f64>,
    pub(crate) pressure: Vec<f64>,
}

/// Values that a term reads of the velocity.
const VELOCITIES: usize = 4;

/// The sides of one subdomain at which bodies stand.
pub(crate) struct ForceSides {
    case: Case,
    terms: Vec<Term>,
    pub(crate) places: Places,
    /// Of bodies that turn, see [`torques_of_turning`].
    turning: Vec<f64>,
}

impl ForceSides {
    /// Those of a subdomain.
    pub(crate) fn new(case: &Case, part: &Subdomain, shape: Shape) -> Self {
        let turning = torques_of_turning(case);
        let mut sides =
            Self { case: case.clone(), terms: Vec::new(), places: Places::default(), turning };
        if case.bodies.is_empty() {
            return sides;
        }
        let (surfaces, solids) = (Surfaces::of_part(case, part), case.solids());
        let body_at = |cell: [isize; 3]| {
            let is_body = surfaces.is_inside(cell) && surfaces.is_solid(cell);
            if is_body { solids.body_at(surfaces.global(cell)) } else { None }
        };
        let own = Shape { halo: [0; 3], ..shape };
        for cell in own.all_cells() {
            for a in case.grid.directions() {
                if surfaces.face(cell, a, Side::Low) != FaceKind::Open {
                    continue;
                }
                for d in case.grid.directions() {
                    for side in Side::BOTH {
                        let beyond = side.next(cell, d);
                        let both = [Side::Low.next(beyond, a), beyond];
                        if let Some(body) = both.iter().find_map(|&cell| body_at(cell)) {
                            sides.add(&surfaces, shape, cell, [a, d], side, body);
                        }
                    }
                }
            }
        }
        sides
    }

    fn add(
        &mut self,
        surfaces: &Surfaces<'_>,
        shape: Shape,
        cell: [isize; 3],
        [a, d]: [usize; 2],
        side: Side,
        body: usize,
    ) {
        let (here, strides) = (shape.index(cell), shape.strides());
        let beyond = shape.index(side.next(cell, d));
        // The velocity across a side is that of the two low faces before and behind it.
        let across = if side == Side::High { here + strides[d] } else { here };
        self.places.velocity.extend([
            (a, here),
            (a, beyond),
            (d, across - strides[a]),
            (d, across),
        ]);
        let pressure = (a == d).then(|| {
            self.places.pressure.push(if side == Side::High { here } else { here - strides[a] });
            self.places.pressure.len() - 1
        });
        let mut centre = self.case.grid.low_face(a, surfaces.wrapped(cell));
        centre[d] += 0.5 * side.outward() as f64 * self.case.grid.spacing()[d];
        self.terms.push(Term { component: a, direction: d, side, body, centre, pressure });
    }

    /// The forces of all ranks on the case's bodies; `gamma` is the share of the donor cell. Collective.
    ///
    /// # Errors
    /// If a rank has stopped.
    pub(crate) fn forces(
        &self,
        values: &Values,
        gamma: f64,
        ranks: &dyn Communicator,
    ) -> Result<Vec<BodyForce>> {
        let (case, h) = (&self.case, self.case.grid.spacing());
        let mut sums = ForceSums::new(case);
        for (term, velocity) in self.terms.iter().zip(values.velocity.chunks_exact(VELOCITIES)) {
            let Term { component, direction: d, side, body, centre, pressure } = *term;
            let [here, beyond, before, behind] = [0, 1, 2, 3].map(|n| velocity[n]);
            let (low, high) = if side == Side::High { (here, beyond) } else { (beyond, here) };
            let carried = flux(0.5 * (before + behind), low, high, gamma, 0.5);
            let diffused = case.viscosity * (high - low) / h[d];
            let pressure = pressure.map_or(0.0, |number| values.pressure[number]);
            let momentum = side.outward() as f64 * (carried - diffused + pressure);
            let mut force = [0.0; 3];
            force[component] = case.density * case.grid.face_area(d) * momentum;
            sums.add(body, force, centre);
        }
        if ranks.rank() == 0 {
            sums.add_torques(&self.turning);
        }
        sums.of_all(ranks)
    }
}
