//! Which faces a body gives their velocity.

use vortice_core::{Body, Case, Condition, FaceKind, Side, Solids, Surfaces, Walls};

/// Faces and the bodies that stand at them.
pub(super) struct BodyFaces<'a> {
    case: &'a Case,
    pub(super) surfaces: &'a Surfaces<'a>,
    solids: Solids,
    is_needed: bool,
}

/// A face whose velocity follows from the wall of a body and the flow before it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct BodyFace {
    /// The number of the body.
    pub(super) body: usize,
    /// 1 where a positive velocity leaves the flow through the face, -1 where it enters, 0 inside of the body.
    pub(super) outward: i32,
}

/// Whether a body gives its faces a velocity: it has exact walls, or it turns.
pub(crate) fn moves_faces(body: &Body) -> bool {
    body.walls == Walls::Exact || body.rotation != 0.0
}

impl<'a> BodyFaces<'a> {
    pub(super) fn new(case: &'a Case, surfaces: &'a Surfaces<'a>) -> Self {
        Self {
            case,
            surfaces,
            solids: case.solids(),
            is_needed: case.bodies.iter().any(|body| moves_faces(body)),
        }
    }

    /// The body at the low face of a cell across `a`, if the face is not open and the flow reads it: between a
    /// cell of the flow and one of the body, or, if its walls are exact, in the body beside a face of the flow.
    pub(super) fn at(&self, cell: [isize; 3], a: usize) -> Option<BodyFace> {
        let low = Side::Low.next(cell, a);
        let is_in_box = || [cell, low].iter().all(|&cell| self.surfaces.is_inside(cell));
        if !self.is_needed || !is_in_box() {
            return None;
        }
        match [low, cell].map(|cell| self.surfaces.is_solid(cell)) {
            [false, false] => None,
            [true, false] => self.before(cell, low, -1),
            [false, true] => self.before(low, cell, 1),
            [true, true] => {
                let is_exact = |body: &usize| self.case.bodies[*body].walls == Walls::Exact;
                let bodies = [low, cell].map(|cell| self.moving_at(cell).filter(is_exact));
                let body = self.nearest(bodies, cell, a)?;
                self.is_beside_flow(cell, a).then_some(BodyFace { body, outward: 0 })
            }
        }
    }

    /// Component `a` in m/s of a turning body's surface between its cell and one beside it, on whose low faces the
    /// component lies; zero of what is at rest.
    pub(super) fn turning(&self, cell: [isize; 3], flow: [isize; 3], a: usize) -> f64 {
        let Some(body) = self.solids.body_at(self.surfaces.global(cell)) else { return 0.0 };
        let body = &self.case.bodies[body];
        if body.rotation == 0.0 {
            return 0.0;
        }
        let mut point = self.case.grid.low_face(a, self.surfaces.wrapped(cell));
        let spacing = self.case.grid.spacing();
        (0..3).for_each(|d| point[d] += 0.5 * (flow[d] - cell[d]) as f64 * spacing[d]);
        body.velocity(point)[a]
    }

    /// The body of a solid cell, seen from one of the flow: unless that is a pocket of one cell, which has no
    /// pressure to let out what would come in.
    fn before(&self, flow: [isize; 3], solid: [isize; 3], outward: i32) -> Option<BodyFace> {
        let body = self.moving_at(solid)?;
        let mut faces = self.case.grid.directions().flat_map(|d| Side::BOTH.map(|side| (d, side)));
        let leads_on = |(d, side)| match self.surfaces.face(flow, d, side) {
            FaceKind::Open | FaceKind::End(_, Condition::Pressure(_) | Condition::Convective) => {
                true
            }
            FaceKind::End(_, Condition::Velocity | Condition::Mirror) => false,
            FaceKind::Solid | FaceKind::Beyond => false,
        };
        faces.any(leads_on).then_some(BodyFace { body, outward })
    }

    /// The body that covers a cell, if it gives its faces a velocity.
    fn moving_at(&self, cell: [isize; 3]) -> Option<usize> {
        let body = self.solids.body_at(self.surfaces.global(cell))?;
        moves_faces(&self.case.bodies[body]).then_some(body)
    }

    /// Of two bodies the one whose wall is nearer to the face from the inside.
    fn nearest(&self, bodies: [Option<usize>; 2], cell: [isize; 3], a: usize) -> Option<usize> {
        let [Some(one), Some(other)] = bodies else { return bodies[0].or(bodies[1]) };
        let point = self.case.grid.low_face(a, self.surfaces.wrapped(cell));
        let [here, there] = [one, other].map(|body| self.case.bodies[body].distance(point));
        Some(if there > here { other } else { one })
    }

    /// Whether a face of the same component beside this one is open.
    fn is_beside_flow(&self, cell: [isize; 3], a: usize) -> bool {
        let across = self.case.grid.directions().filter(|&d| d != a);
        let mut beside = across.flat_map(|d| Side::BOTH.map(|side| side.next(cell, d)));
        beside.any(|next| self.surfaces.face(next, a, Side::Low) == FaceKind::Open)
    }
}
