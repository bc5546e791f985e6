//! What core's surface means in the numbers of this method: kinds of faces, prescribed velocities and
//! ghost values of one subdomain.

use rayon::prelude::*;
use vortice_core::{
    Boundaries, Case, Condition, FaceKind, Result, Shape, Side, Subdomain, Surfaces,
};

use crate::stencil::{FIXED, MIRROR, OPEN, OUTLET};

/// Bits of a cell's kind, see [`Faces::kinds`].
pub(crate) const SOLID: u8 = 1 << 6;
/// Of own cells whose equations [`crate::body_faces`] complete, and of solid cells that their faces end at.
pub(crate) const BESIDE_BODY: u8 = 1 << 7;
/// Of the latter.
pub(crate) const IN_BODY: u8 = SOLID | BESIDE_BODY;

/// Rows of cells that a thread classifies at least.
const ROWS: usize = 64;

/// A ghost value that follows the cell of the flow beside it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Copied {
    pub(crate) component: usize,
    pub(crate) target: usize,
    pub(crate) source: usize,
}

/// A face of the box whose velocity changes with time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Changing {
    direction: usize,
    side: Side,
    /// Places of the ghost cell beyond it and of the cell whose low face it is.
    ghost: usize,
    face: usize,
    /// Corners in m.
    low: [f64; 3],
    high: [f64; 3],
}

/// A velocity in m/s that is prescribed, a component at a place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Prescribed {
    pub(crate) component: usize,
    pub(crate) place: usize,
    pub(crate) value: f64,
}

/// The faces and ghost cells of one subdomain, halos included.
pub(crate) struct Faces {
    /// Two bits for each direction: the kind of the cell's low face; and [`SOLID`] and [`BESIDE_BODY`].
    pub(crate) kinds: Vec<u8>,
    /// Velocity beyond faces that prescribe it, in m/s by component; zero elsewhere, in solids too.
    pub(crate) ghost_velocity: [Vec<f64>; 3],
    /// Velocity through low faces that prescribe it, in m/s by direction; zero elsewhere.
    pub(crate) face_velocity: [Vec<f64>; 3],
    /// Those that change with time.
    pub(crate) changing: Vec<Changing>,
    /// Ghost values that follow the flow: beyond outlets, and along mirrors.
    pub(crate) copied: Vec<Copied>,
    /// Kinematic pressure in m2/s2 at outlets, by direction and side.
    pub(crate) outlet_pressure: [[f64; 2]; 3],
    /// Whether the pressure is fixed nowhere.
    pub(crate) singular: bool,
}

/// Kind of the low face in a direction, from a cell's bits.
#[inline(always)]
pub(crate) fn kind_of(bits: u8, direction: usize) -> u8 {
    (bits >> (2 * direction)) & 3
}

impl Faces {
    /// The faces of a subdomain.
    pub(crate) fn new(case: &Case, part: &Subdomain, shape: Shape) -> Self {
        let surfaces = Surfaces::of_part(case, part);
        let zeros = || std::array::from_fn(|_| vec![0.0; shape.len()]);
        let outlet_pressure = std::array::from_fn(|d| {
            let pressure = |side| case.boundaries.at(d, side).pressure();
            Side::BOTH.map(|side| pressure(side).map_or(0.0, |pressure| pressure / case.density))
        });
        let mut faces = Self {
            kinds: vec![0; shape.len()],
            ghost_velocity: zeros(),
            face_velocity: zeros(),
            changing: Vec::new(),
            copied: Vec::new(),
            outlet_pressure,
            singular: !case.boundaries.fix_pressure(),
        };
        let ends = classify(&surfaces, case, shape, &mut faces.kinds);
        ends.iter().for_each(|end| faces.prescribe(&surfaces, case, shape, end));
        faces
    }

    /// What an end of the box prescribes beyond it and through it.
    fn prescribe(&mut self, surfaces: &Surfaces<'_>, case: &Case, shape: Shape, end: &End) {
        let &End { cell, direction: d, side, condition } = end;
        let (here, low) = (shape.index(cell), Side::Low.next(cell, d));
        let (inner, ghost) = if side == Side::Low { (cell, low) } else { (low, cell) };
        let prescribed = surfaces.velocity(inner, d, side);
        let [low, high] = surfaces.corners(inner);
        let (inner, ghost) = (shape.index(inner), shape.index(ghost));
        for c in case.grid.directions() {
            match condition {
                Condition::Velocity => self.ghost_velocity[c][ghost] = prescribed[c],
                Condition::Mirror if c == d => {}
                // Follows the flow, by a rule of its own: eq. (V20).
                Condition::Convective => {}
                Condition::Mirror | Condition::Pressure(_) => {
                    self.copied.push(Copied { component: c, target: ghost, source: inner });
                }
            }
        }
        self.face_velocity[d][here] = prescribed[d];
        if case.boundaries.at(d, side).changes() {
            self.changing.push(Changing { direction: d, side, ghost, face: here, low, high });
        }
    }

    /// What changes with time beyond faces and through them, as the boundaries have it at their time.
    ///
    /// # Errors
    /// If a velocity is no number.
    pub(crate) fn prescribed(
        &self,
        boundaries: &Boundaries,
        directions: usize,
    ) -> Result<[Vec<Prescribed>; 2]> {
        let [mut beyond, mut through] = [Vec::new(), Vec::new()];
        for &Changing { direction, side, ghost, face, low, high } in &self.changing {
            let boundary = boundaries.at(direction, side);
            let velocity = boundary.velocity(low, high).unwrap_or([0.0; 3]);
            boundary.check(velocity, low, high)?;
            beyond.extend((0..directions).map(|component| Prescribed {
                component,
                place: ghost,
                value: velocity[component],
            }));
            let value = velocity[direction];
            through.push(Prescribed { component: direction, place: face, value });
        }
        Ok([beyond, through])
    }
}

/// A cell whose low face is an end of the box.
struct End {
    cell: [isize; 3],
    direction: usize,
    side: Side,
    condition: Condition,
}

/// Notes what cells and their low faces are; returns the ends of the box, in the order of their cells.
fn classify(surfaces: &Surfaces<'_>, case: &Case, shape: Shape, kinds: &mut [u8]) -> Vec<End> {
    let length = shape.padded()[0];
    let rows = kinds.par_chunks_exact_mut(length).with_min_len(ROWS).enumerate();
    let of_row = |(number, row): (usize, &mut [u8])| {
        let mut ends = Vec::new();
        for (place, bits) in (number * length..).zip(row) {
            let cell = shape.cell(place);
            let solid = surfaces.is_inside(cell) && surfaces.is_solid(cell);
            *bits = if solid { SOLID } else { 0 };
            for direction in case.grid.directions() {
                let face = surfaces.face(cell, direction, Side::Low);
                *bits |= kind(face) << (2 * direction);
                let low = Side::Low.next(cell, direction)[direction];
                if let FaceKind::End(side, condition) = face
                    && shape.all(direction).contains(&low)
                {
                    ends.push(End { cell, direction, side, condition });
                }
            }
        }
        ends
    };
    rows.flat_map_iter(of_row).collect()
}

/// The kind of a face in this method: the same for all at which the velocity is given, by whatever.
fn kind(face: FaceKind) -> u8 {
    match face {
        FaceKind::Open => OPEN,
        FaceKind::Solid | FaceKind::Beyond => FIXED,
        FaceKind::End(_, Condition::Velocity | Condition::Convective) => FIXED,
        FaceKind::End(_, Condition::Pressure(_)) => OUTLET,
        FaceKind::End(_, Condition::Mirror) => MIRROR,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use vortice_core::Decomposition;

    #[test]
    fn the_step_has_inflow_walls_and_outlets() {
        let text = include_str!("../../../cases/step-gartling.toml");
        let case = Case::parse(text, "step").expect("a built-in case");
        let case = case.with(&["grid.cells=[30,4,1]".into()]).expect("a coarser one");
        let part = Decomposition::new([30, 4, 1], [1, 1, 1], [false, false, true])
            .expect("one rank")
            .subdomain(0);
        let shape = Shape { cells: part.n(), halo: [2, 2, 0] };
        let faces = Faces::new(&case, &part, shape);
        let at = |cell: [isize; 3]| shape.index(cell);
        assert_eq!(kind_of(faces.kinds[at([0, 0, 0])], 0), FIXED);
        assert_eq!(kind_of(faces.kinds[at([1, 0, 0])], 0), OPEN);
        assert_eq!(kind_of(faces.kinds[at([30, 2, 0])], 0), OUTLET);
        assert_eq!(kind_of(faces.kinds[at([3, 4, 0])], 1), FIXED);
        // The parabola's two halves carry the mean velocity each; below is the step.
        let inflow: Vec<f64> = (0..4).map(|j| faces.face_velocity[0][at([0, j, 0])]).collect();
        assert!(inflow[0].abs() + inflow[1].abs() < 1e-15, "{inflow:?}");
        assert!((inflow[2] - 1.0).abs() + (inflow[3] - 1.0).abs() < 1e-14, "{inflow:?}");
        assert_eq!(faces.ghost_velocity[0][at([-1, 2, 0])], inflow[2]);
        assert_eq!(faces.copied.len(), 2 * 4);
        assert!(!faces.singular);
    }
}
