//! What each face of the grid is, and what lies beyond the flow: kinds of faces, prescribed velocities
//! and ghost values of one subdomain.

use vortice_core::{Boundary, Case, Shape, Side, Solids, Subdomain};

use crate::stencil::{FIXED, MIRROR, OPEN, OUTLET};

/// Bits of a cell's kind, see [`Faces::kinds`].
pub(crate) const SOLID: u8 = 1 << 6;

/// A ghost value that follows the cell of the flow beside it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Copied {
    pub(crate) component: usize,
    pub(crate) target: usize,
    pub(crate) source: usize,
}

/// The faces and ghost cells of one subdomain, halos included.
pub(crate) struct Faces {
    /// Two bits for each direction: the kind of the cell's low face; and [`SOLID`].
    pub(crate) kinds: Vec<u8>,
    /// Velocity beyond faces that prescribe it, in m/s by component; zero elsewhere, in solids too.
    pub(crate) beyond: [Vec<f64>; 3],
    /// Velocity through low faces that prescribe it, in m/s by direction; zero elsewhere.
    pub(crate) through: [Vec<f64>; 3],
    /// Ghost values that follow the flow: beyond outlets, and along mirrors.
    pub(crate) copied: Vec<Copied>,
    /// Kinematic pressure in m2/s2 at outlets, by direction and side.
    pub(crate) outside: [[f64; 2]; 3],
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
        let site = Site { case, part, solids: case.solids() };
        let zeros = || std::array::from_fn(|_| vec![0.0; shape.len()]);
        let outside = std::array::from_fn(|d| {
            Side::BOTH.map(|side| match case.boundaries.at(d, side) {
                Boundary::Outflow { pressure } => pressure / case.density,
                _ => 0.0,
            })
        });
        let mut faces = Self {
            kinds: vec![0; shape.len()],
            beyond: zeros(),
            through: zeros(),
            copied: Vec::new(),
            outside,
            singular: !case.boundaries.fix_pressure(),
        };
        for cell in cells(shape) {
            faces.look_at(&site, shape, cell);
        }
        faces
    }

    /// Notes what the low faces of a cell are.
    fn look_at(&mut self, site: &Site<'_>, shape: Shape, cell: [isize; 3]) {
        let here = shape.index(cell);
        let solid = site.is_inside(cell) && site.is_solid(cell);
        let mut bits = if solid { SOLID } else { 0 };
        for d in site.case.grid.directions() {
            let low = towards(cell, d, -1);
            let (kind, end) = site.low_face(cell, d);
            bits |= kind << (2 * d);
            let Some(side) = end else { continue };
            if !shape.all(d).contains(&low[d]) || kind == OPEN {
                continue;
            }
            let (inner, ghost) = if side == Side::Low { (cell, low) } else { (low, cell) };
            let (inner, ghost) = (shape.index(inner), shape.index(ghost));
            for c in site.case.grid.directions() {
                match kind {
                    FIXED => self.beyond[c][ghost] = site.prescribed(cell, d, side, c),
                    MIRROR if c == d => {}
                    _ => self.copied.push(Copied { component: c, target: ghost, source: inner }),
                }
            }
            if kind == FIXED {
                self.through[d][here] = site.prescribed(cell, d, side, d);
            }
        }
        self.kinds[here] = bits;
    }
}

/// A subdomain and what surrounds it.
struct Site<'a> {
    case: &'a Case,
    part: &'a Subdomain,
    solids: Solids,
}

impl Site<'_> {
    fn is_inside(&self, cell: [isize; 3]) -> bool {
        is_inside(self.case, self.part.global(cell))
    }

    fn is_solid(&self, cell: [isize; 3]) -> bool {
        self.solids.contains(self.part.global(cell))
    }

    /// Kind of the low face of a cell, and the side of the box if that ends there beside the flow.
    fn low_face(&self, cell: [isize; 3], d: usize) -> (u8, Option<Side>) {
        let low = towards(cell, d, -1);
        match [low, cell].map(|cell| self.is_inside(cell)) {
            [true, true] if self.is_solid(low) || self.is_solid(cell) => (FIXED, None),
            [true, true] => (OPEN, None),
            [false, false] => (FIXED, None),
            [is_high, _] => {
                let (side, inner) = if is_high { (Side::High, low) } else { (Side::Low, cell) };
                let kind = match self.case.boundaries.at(d, side) {
                    _ if self.is_solid(inner) => return (FIXED, None),
                    Boundary::Outflow { .. } => OUTLET,
                    Boundary::Symmetry => MIRROR,
                    _ => FIXED,
                };
                (kind, Some(side))
            }
        }
    }

    /// Component `c` of the velocity that the box prescribes at the low face of a cell across `d`, in
    /// m/s, averaged over the face.
    fn prescribed(&self, cell: [isize; 3], d: usize, side: Side, c: usize) -> f64 {
        let global = self.part.global(cell);
        let axes = &self.case.grid.axes;
        let low = std::array::from_fn(|e| axes[e].face(global[e]));
        let high = std::array::from_fn(|e| axes[e].face(global[e] + isize::from(e != d)));
        let boundary = self.case.boundaries.at(d, side);
        boundary.velocity(low, high).map_or(0.0, |velocity| velocity[c])
    }
}

/// Whether a global cell lies in the box, which goes on for ever in periodic directions.
pub(crate) fn is_inside(case: &Case, global: [isize; 3]) -> bool {
    let periodic = case.boundaries.periodic();
    let n = case.grid.cells();
    (0..3).all(|d| periodic[d] || (0..n[d] as isize).contains(&global[d]))
}

/// The cell next to another.
fn towards(mut cell: [isize; 3], direction: usize, step: isize) -> [isize; 3] {
    cell[direction] += step;
    cell
}

/// All cells of a shape, halos included.
pub(crate) fn cells(shape: Shape) -> impl Iterator<Item = [isize; 3]> + use<> {
    let [x, y, z] = [shape.all(0), shape.all(1), shape.all(2)];
    z.flat_map(move |k| {
        let x = x.clone();
        y.clone().flat_map(move |j| x.clone().map(move |i| [i, j, k]))
    })
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
        let inflow: Vec<f64> = (0..4).map(|j| faces.through[0][at([0, j, 0])]).collect();
        assert!(inflow[0].abs() + inflow[1].abs() < 1e-15, "{inflow:?}");
        assert!((inflow[2] - 1.0).abs() + (inflow[3] - 1.0).abs() < 1e-14, "{inflow:?}");
        assert_eq!(faces.beyond[0][at([-1, 2, 0])], inflow[2]);
        assert_eq!(faces.copied.len(), 2 * 4);
        assert!(!faces.singular);
    }
}
