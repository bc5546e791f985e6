//! Where the fluid ends: faces of cells on the faces of the box and on solid boxes.

use std::ops::Range;

use rayon::prelude::*;
use vortice_core::{
    Case, Condition, FaceKind, Side, Solids, Surface, Surfaces, Walls, each_cell, each_cell_of_grid,
};

/// The face of one fluid cell that lies on a surface.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Facet {
    /// The fluid cell.
    pub(crate) cell: [isize; 3],
    /// The direction of its normal.
    pub(crate) direction: usize,
    /// The side of the cell on which the fluid ends.
    pub(crate) side: Side,
    pub(crate) surface: Surface,
}

impl Facet {
    /// Corners in m.
    pub(crate) fn corners(&self, case: &Case) -> [[f64; 3]; 2] {
        let axes = &case.grid.axes;
        let mut low: [f64; 3] = std::array::from_fn(|d| axes[d].face(self.cell[d]));
        let mut high: [f64; 3] = std::array::from_fn(|d| axes[d].face(self.cell[d] + 1));
        let d = self.direction;
        let place = if self.side == Side::Low { low[d] } else { high[d] };
        (low[d], high[d]) = (place, place);
        [low, high]
    }

    /// Middle in m.
    pub(crate) fn centre(&self, case: &Case) -> [f64; 3] {
        let [low, high] = self.corners(case);
        std::array::from_fn(|d| 0.5 * (low[d] + high[d]))
    }

    /// Area in m2; of a plane flow for each metre of depth, so that the thickness of its box does not
    /// count.
    pub(crate) fn area(&self, case: &Case) -> f64 {
        let h = spacing(case);
        h[(self.direction + 1) % 3] * h[(self.direction + 2) % 3]
    }

    /// The entry of the unit normal out of the fluid in its own direction.
    pub(crate) fn outward(&self) -> f64 {
        self.side.outward() as f64
    }

    /// Whether it is one of the faces of cells around a body whose surface lies beside it.
    pub(crate) fn is_beside_wall(&self, case: &Case) -> bool {
        let Surface::Body(number) = self.surface else { return false };
        case.bodies[number].walls == Walls::Exact
    }

    /// Whether nothing flows through it and the fluid sticks to it. Beside the interval of its
    /// profile an inflow is a wall.
    pub(crate) fn is_wall(&self, case: &Case) -> bool {
        let Surface::Face(direction, side) = self.surface else { return true };
        let boundary = case.boundaries.at(direction, side);
        let [low, high] = self.corners(case);
        let sticks = boundary.condition() == Some(Condition::Velocity);
        sticks && (!boundary.is_open() || boundary.velocity(low, high) == Some([0.0; 3]))
    }
}

/// Widths of a cell in m; a plane flow is one metre deep.
pub(crate) fn spacing(case: &Case) -> [f64; 3] {
    let [x, y, z] = case.grid.spacing();
    [x, y, if case.grid.is_plane() { 1.0 } else { z }]
}

/// Facets whose values are known before they are added up.
const BATCH: usize = 1 << 16;

/// Facets that a thread takes at least.
const TOGETHER: usize = 1024;

/// All facets of a case: those of faces that are not periodic, then those of the solid boxes, then those of the bodies.
/// In a plane flow there are none in z.
pub(crate) struct Facets<'a> {
    case: &'a Case,
    surfaces: Surfaces<'a>,
    solids: Solids,
    /// The solid boxes, then the blocks that hold the bodies.
    blocks: Vec<[Range<usize>; 3]>,
}

impl<'a> Facets<'a> {
    pub(crate) fn new(case: &'a Case) -> Self {
        let solids = case.solids();
        let blocks = solids.blocks().cloned().collect();
        Self { case, surfaces: Surfaces::new(case), solids, blocks }
    }

    /// One after the other: of a large grid they would fill memory.
    #[cfg(test)]
    pub(crate) fn iter(&self) -> impl Iterator<Item = Facet> {
        self.candidates().filter(|facet| self.is_one(facet))
    }

    /// The same with faces of cells at the ends of the box where the fluid does not end.
    fn candidates(&self) -> impl Iterator<Item = Facet> {
        let boxes = self.case.solid.len();
        let of_boxes = (0..boxes).flat_map(|number| self.of_solid(number));
        let of_bodies =
            (boxes..self.blocks.len()).flat_map(move |block| self.of_body(block - boxes));
        self.of_faces().chain(of_boxes).chain(of_bodies)
    }

    /// Gives what `of` has of each facet, if anything, to `add` in the order of the facets: sums do not depend
    /// on the threads that share this.
    pub(crate) fn each<T: Send>(
        &self,
        of: impl Fn(&Facet) -> Option<T> + Sync,
        mut add: impl FnMut(T),
    ) {
        let mut all = self.candidates();
        let of = |facet: &Facet| if self.is_one(facet) { of(facet) } else { None };
        loop {
            let batch: Vec<Facet> = all.by_ref().take(BATCH).collect();
            if batch.is_empty() {
                return;
            }
            let values: Vec<Option<T>> = batch.par_iter().with_min_len(TOGETHER).map(of).collect();
            values.into_iter().flatten().for_each(&mut add);
        }
    }

    /// Whether the fluid ends at a candidate.
    fn is_one(&self, &Facet { cell, direction, side, surface }: &Facet) -> bool {
        match surface {
            Surface::Face(..) => {
                matches!(self.surfaces.face(cell, direction, side), FaceKind::End(..))
            }
            _ => true,
        }
    }

    fn of_faces(&self) -> impl Iterator<Item = Facet> {
        let all = self.case.grid.cells().map(|n| 0..n);
        let faces = self.case.grid.directions().flat_map(|d| Side::BOTH.map(|side| (d, side)));
        faces.flat_map(move |(direction, side)| {
            let surface = Surface::Face(direction, side);
            let cells = plane(&all, direction, side);
            cells.map(move |cell| Facet { cell, direction, side, surface })
        })
    }

    /// The facets of a solid box that fluid touches; cells that an earlier box covers too are its.
    fn of_solid(&self, number: usize) -> impl Iterator<Item = Facet> {
        let earlier = move |cell: &[isize; 3]| {
            let holds =
                |solid: &[Range<usize>; 3]| (0..3).all(|d| solid[d].contains(&(cell[d] as usize)));
            self.blocks[..number].iter().any(holds)
        };
        let faces = self.case.grid.directions().flat_map(|d| Side::BOTH.map(|side| (d, side)));
        faces.flat_map(move |(direction, side)| {
            let surfaces = &self.surfaces;
            let solid = plane(&self.blocks[number], direction, side);
            let beside = solid
                .filter(move |cell| !earlier(cell))
                .map(move |cell| surfaces.wrapped(side.next(cell, direction)));
            let fluid = beside.filter(move |&cell| surfaces.flows(cell));
            let (side, surface) = (side.opposite(), Surface::Solid(number));
            fluid.map(move |cell| Facet { cell, direction, side, surface })
        })
    }
}

impl Facets<'_> {
    /// The facets of a body that fluid touches; cells that a box or an earlier body covers too are theirs.
    fn of_body(&self, number: usize) -> impl Iterator<Item = Facet> {
        let surface = Surface::Body(number);
        let block = &self.blocks[self.case.solid.len() + number];
        let own =
            each_cell_of_grid(block).filter(move |&cell| self.solids.body_at(cell) == Some(number));
        own.flat_map(move |solid| {
            let faces = self.case.grid.directions().flat_map(|d| Side::BOTH.map(|side| (d, side)));
            faces.filter_map(move |(direction, side)| {
                let cell = self.surfaces.wrapped(side.next(solid, direction));
                self.surfaces.flows(cell).then_some(Facet {
                    cell,
                    direction,
                    side: side.opposite(),
                    surface,
                })
            })
        })
    }
}

/// The outermost cells of a block in a direction.
fn plane(
    block: &[Range<usize>; 3],
    direction: usize,
    side: Side,
) -> impl Iterator<Item = [isize; 3]> + use<> {
    let mut ranges = block.clone().map(|range| range.start as isize..range.end as isize);
    let whole = ranges[direction].clone();
    ranges[direction] = match side {
        Side::Low => whole.start..(whole.start + 1).min(whole.end),
        Side::High => (whole.end - 1).max(whole.start)..whole.end,
    };
    each_cell(ranges)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::examples::case;

    fn area(case: &Case, surface: Surface) -> f64 {
        let facets = Facets::new(case);
        let those = facets.iter().filter(|facet| facet.surface == surface);
        those.map(|facet| facet.area(case)).sum()
    }

    #[test]
    fn surfaces_have_their_areas() {
        let sets = ["solid=[{ low = [0, 0, 0], high = [0.25, 0.5, 0.125] }, \
                      { low = [0.25, 0, 0], high = [0.5, 0.25, 0.125] }]"
            .to_string()];
        let case = case("grid.cells=[8,8,1]", &sets);
        let depth = 1.0;
        // The step covers half of x-low and of y-low; two faces of the boxes touch.
        assert!((area(&case, Surface::Face(0, Side::Low)) - 0.5 * depth).abs() < 1e-15);
        assert!((area(&case, Surface::Face(0, Side::High)) - depth).abs() < 1e-15);
        assert!((area(&case, Surface::Face(1, Side::Low)) - 0.5 * depth).abs() < 1e-15);
        assert!((area(&case, Surface::Solid(0)) - 0.5 * depth).abs() < 1e-15);
        assert!((area(&case, Surface::Solid(1)) - 0.5 * depth).abs() < 1e-15);
        assert_eq!(area(&case, Surface::Face(2, Side::Low)), 0.0);
    }

    #[test]
    fn a_box_in_space_has_six_sides_and_boxes_that_overlap_count_once() {
        let sets = [
            "solid=[{ low = [0.25, 0.25, 0.25], high = [0.75, 0.75, 0.75] }, \
                      { low = [0.25, 0.25, 0.25], high = [0.5, 0.5, 0.5] }]"
                .to_string(),
            "grid.size=[1.0,1.0,1.0]".into(),
        ];
        let case = case("grid.cells=[8,8,8]", &sets);
        assert!((area(&case, Surface::Solid(0)) - 6.0 * 0.25).abs() < 1e-14);
        assert_eq!(area(&case, Surface::Solid(1)), 0.0);
        let normals: f64 =
            Facets::new(&case).iter().map(|facet| facet.outward() * facet.area(&case)).sum();
        assert!(normals.abs() < 1e-14, "the surface is closed");
    }

    #[test]
    fn a_body_is_closed_by_the_faces_of_its_cells() {
        let sets = [
            "grid.size=[1.0,1.0,1.0]".to_string(),
            "body.ball={ sphere = { centre = [0.5, 0.45, 0.5], radius = 0.3 } }".into(),
        ];
        let case = case("grid.cells=[16,16,16]", &sets);
        let facets: Vec<Facet> =
            Facets::new(&case).iter().filter(|facet| facet.surface == Surface::Body(0)).collect();
        for d in 0..3 {
            let across = facets.iter().filter(|facet| facet.direction == d);
            let [mut area, mut normal] = [0.0; 2];
            across.for_each(|facet| {
                area += facet.area(&case);
                normal += facet.outward() * facet.area(&case);
            });
            // Both sides of a disc.
            assert!((area / (2.0 * std::f64::consts::PI * 0.09) - 1.0).abs() < 0.05, "{area}");
            assert!(normal.abs() < 1e-14, "the surface is closed");
        }
    }
}
