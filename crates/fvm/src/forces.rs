//! The forces on bodies, solid boxes and walls: the momentum that cells of the flow hand to the faces around each, as their equations have it;
//! eq. (V22).

use vortice_core::{
    Case, Communicator, ForceSums, Result, Shape, Side, Subdomain, Surface, SurfaceForce,
    SurfaceParts, Surfaces, arm, parts_near_surfaces, torque_of,
};

use crate::boundary::{SOLID, kind_of};
use crate::fluid::Fluid;
use crate::stencil::{
    FIXED, OPEN, Other, felt_share, felt_velocity, positive, pressure_at, velocity_at_body,
};

vortice_gpu::mirrored! {
    /// A face of an own cell, at whose other side lies no flow, in `force_on_faces.cu`.
    pub(crate) struct ForceFace {
        /// Across the face.
        direction: i64,
        /// Place of the cell.
        cell: i64,
        /// Of the one on its other side.
        opposite: i64,
        /// Place of the face among those of its direction.
        face: i64,
        /// Of the face opposite.
        kind: i64,
        /// 1 on the high side, -1 on the low one.
        outward: f64,
        /// Distance of the wall as a share of the line to the next centre.
        share: f64,
        /// m/s that diffuse for each m/s between the cell and the wall as it is felt.
        conductance: f64,
        /// Velocity of the wall in m/s.
        wall: [f64; 3],
        /// At the face opposite if it is an outlet, in m2/s2.
        outlet_pressure: f64,
        /// Density times the area of the face.
        mass: f64,
        /// In m2/s, of a body; else 0.
        viscosity: f64,
        /// From the centre to the face in m, of a body; else 0.
        half: f64,
        /// Of the torque in m.
        arm: [f64; 2],
    }
}

/// The faces of one subdomain at which surfaces stand.
pub(crate) struct ForceFaces {
    pub(crate) faces: SurfaceParts<ForceFace>,
}

impl ForceFaces {
    /// Those of a subdomain.
    pub(crate) fn new(
        case: &Case,
        part: &Subdomain,
        shape: Shape,
        kinds: &[u8],
        fluid: &Fluid,
    ) -> Self {
        let (surfaces, wetted) = (Surfaces::of_part(case, part), Surface::wetted(case));
        let flows = |cell: [isize; 3]| kinds[shape.index(cell)] & SOLID == 0;
        let faces = parts_near_surfaces(case, part, 1, |cell, faces| {
            if !flows(cell) {
                return;
            }
            for d in case.grid.directions() {
                for side in Side::BOTH {
                    let Some(wall) = wall(&surfaces, cell, d, side) else { continue };
                    let here = |one: &Surface| *one == wall.surface;
                    let Some(number) = wetted.iter().position(here) else { continue };
                    let mut centre = case.grid.centre(surfaces.wrapped(cell));
                    centre[d] += 0.5 * side.outward() as f64 * case.grid.spacing()[d];
                    let arm = arm(case, wall.surface, centre);
                    let face = ForceFace::new(case, shape, kinds, fluid, (cell, d, side), &wall);
                    faces.push((number, ForceFace { arm, ..face }));
                }
            }
        });
        Self { faces }
    }

    /// The forces of all ranks on the case's surfaces, from the velocity in m/s of a component at a place, the kinematic
    /// pressure in m2/s2, and the velocity through a face across a direction. Collective.
    ///
    /// # Errors
    /// If a rank has stopped.
    pub(crate) fn forces(
        &self,
        case: &Case,
        fluid: &Fluid,
        values: &Values<'_>,
        ranks: &dyn Communicator,
    ) -> Result<Vec<SurfaceForce>> {
        let mut sums = ForceSums::new(case);
        for (number, face) in self.faces.iter() {
            let (momentum, turning) = face.handed_on(fluid, values);
            let force = momentum.map(|momentum| face.mass * momentum);
            sums.add_part(number, force, torque_of(face.arm, force) + face.mass * turning);
        }
        sums.of_all(ranks)
    }
}

/// Where a line across a face of a cell of the flow meets a surface.
struct Wall {
    surface: Surface,
    /// As in [`BodyWall`](vortice_core::BodyWall).
    share: f64,
    /// In m/s.
    velocity: [f64; 3],
}

/// What the face of a cell of the flow is beside, if it is a wall.
fn wall(surfaces: &Surfaces<'_>, cell: [isize; 3], d: usize, side: Side) -> Option<Wall> {
    let next = side.next(cell, d);
    if surfaces.flows(next) {
        // Walls are looked for at solid cells only: everywhere else it would be in vain, and dear.
        return None;
    }
    if let Some(wall) = surfaces.body_wall(cell, next) {
        let surface = Surface::Body(wall.body);
        return Some(Wall { surface, share: wall.share, velocity: wall.velocity });
    }
    let surface = surfaces.surface_at(next)?;
    let velocity = match surface {
        Surface::Face(..) => surfaces.velocity(cell, d, side),
        Surface::Solid(_) | Surface::Body(_) => [0.0; 3],
    };
    Some(Wall { surface, share: 0.5, velocity })
}

/// Velocity in m/s by component, kinematic pressure in m2/s2, and velocity through faces in m/s by direction.
pub(crate) struct Values<'a> {
    pub(crate) velocity: [&'a [f64]; 3],
    pub(crate) pressure: &'a [f64],
    pub(crate) face_velocity: [&'a [f64]; 3],
}

impl ForceFace {
    /// The face across `d` on one side of a cell; its arm is still to come.
    fn new(
        case: &Case,
        shape: Shape,
        kinds: &[u8],
        fluid: &Fluid,
        (cell, d, side): ([isize; 3], usize, Side),
        wall: &Wall,
    ) -> Self {
        let (next, behind) = (side.next(cell, d), side.opposite().next(cell, d));
        // Faces lie at the low sides of cells.
        let [face, opposite] = match side {
            Side::Low => [cell, behind],
            Side::High => [next, cell],
        };
        let place = |cell: [isize; 3]| shape.index(cell) as i64;
        let h = 1.0 / fluid.inverse_h[d];
        let is_body = matches!(wall.surface, Surface::Body(_));
        Self {
            direction: d as i64,
            cell: place(cell),
            opposite: place(behind),
            face: place(face),
            kind: kind_of(kinds[shape.index(opposite)], d).into(),
            outward: side.outward() as f64,
            share: wall.share,
            conductance: fluid.diffusion[d] * h / felt_share(wall.share),
            wall: wall.velocity,
            outlet_pressure: fluid.outlet_pressure[d][side.opposite() as usize],
            mass: fluid.density * case.grid.face_area(d),
            viscosity: if is_body { case.viscosity } else { 0.0 },
            half: if is_body { 0.5 * h } else { 0.0 },
            arm: [0.0; 2],
        }
    }

    /// Momentum over density that it hands on to its surface, for its area, in m2/s2 by component, eq. (V22); and in m3/s2 the torque
    /// of the friction `nu grad u_n`, whose sum around a body is no force, eq. (P6d).
    fn handed_on(&self, fluid: &Fluid, values: &Values<'_>) -> ([f64; 3], f64) {
        let [d, cell, opposite, face] =
            [self.direction, self.cell, self.opposite, self.face].map(|number| number as usize);
        let kind = self.kind as u8;
        let outward = self.outward * values.face_velocity[d][face];
        let (mut momentum, mut turning) = ([0.0; 3], 0.0);
        for (c, momentum) in momentum.iter_mut().enumerate().take(fluid.directions) {
            let [here, opposite] = [cell, opposite].map(|place| values.velocity[c][place]);
            let at_face = velocity_at_body(self.share, self.wall[c], here, opposite, kind == OPEN);
            let felt = felt_velocity(self.share, self.wall[c], opposite, kind == OPEN);
            let leaves = here + fluid.blend * (at_face - here);
            let carried = positive(outward) * leaves - positive(-outward) * at_face;
            let diffused = self.conductance * (here - felt);
            *momentum = carried + diffused;
            if c + d == 1 {
                let turned = self.outward * (self.viscosity * here - self.half * diffused);
                turning = if d == 0 { turned } else { -turned };
            }
        }
        let [p, next] = [cell, opposite].map(|place| values.pressure[place]);
        let other = Other { kind, next, outlet_pressure: self.outlet_pressure };
        momentum[d] += self.outward * pressure_at(FIXED, p, 0.0, 0.0, other);
        (momentum, turning)
    }
}
