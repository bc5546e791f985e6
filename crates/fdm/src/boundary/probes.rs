//! How the velocity at a face beside a body follows from the wall and from the flow along the wall's normal;
//! eq. (F17).

use vortice_core::{Body, Case, FaceKind, Grid, Side, Surfaces, Walls};

/// Cells from a face to those whose velocities make its own, at most, in each direction. A fixed rule, so that rows
/// do not depend on how the grid is cut.
pub(super) const REACH: isize = 4;

/// From one distance that is tried to the next, as a share of a cell.
const STRIDE: f64 = 0.1;

/// From the first probe to the second at least, as a share of a cell.
const APART: f64 = 0.99;

/// A share of a cell below which a place is that of a face: what lies beside it is then not needed.
const ON_FACE: f64 = 1e-9;

/// What a velocity at a face is made of.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Row {
    /// In m/s.
    pub(super) constant: f64,
    /// Faces of the same component, as steps in cells from this one, with their weights.
    pub(super) sources: Vec<([isize; 3], f64)>,
    /// Whether they are all that is wanted: the flow had room for a parabola, or none was asked for.
    pub(super) is_whole: bool,
}

/// A face beside a body.
pub(super) struct Probes<'a> {
    case: &'a Case,
    surfaces: &'a Surfaces<'a>,
    /// The cell whose low face it is, in the part and in the whole grid.
    cell: [isize; 3],
    global: [isize; 3],
    component: usize,
    wall: [f64; 3],
    normal: [f64; 3],
    /// Width of a cell along the normal in m.
    width: f64,
    /// Of the face from the wall, in m.
    distance: f64,
}

/// A velocity of the flow on the wall's normal: its distance from the wall in m and what it is interpolated from.
type Probe = (f64, Vec<([isize; 3], f64)>);

impl<'a> Probes<'a> {
    fn new(
        case: &'a Case,
        surfaces: &'a Surfaces<'a>,
        body: &Body,
        cell: [isize; 3],
        component: usize,
    ) -> Self {
        let global = surfaces.wrapped(cell);
        let point = case.grid.low_face(component, global);
        let spacing = case.grid.spacing();
        let directions = case.grid.directions();
        let least = directions.clone().map(|d| spacing[d]).fold(f64::INFINITY, f64::min);
        let (distance, normal) = (body.distance(point), body.normal(point, least));
        let wall = std::array::from_fn(|d| point[d] - distance * normal[d]);
        let square = directions.map(|d| (normal[d] / spacing[d]).powi(2)).sum::<f64>();
        let width = if square > 0.0 { 1.0 / square.sqrt() } else { least };
        Self { case, surfaces, cell, global, component, wall, normal, width, distance }
    }

    /// The first probe from a distance on, if the flow has room for one.
    fn probe(&self, from: f64) -> Option<Probe> {
        for stride in 0.. {
            let distance = from + f64::from(stride) * STRIDE * self.width;
            let point: [f64; 3] = std::array::from_fn(|d| self.wall[d] + distance * self.normal[d]);
            let sources = self.around(point);
            let is_near = |steps: &[isize; 3]| steps.iter().all(|step| step.abs() <= REACH);
            if !self.is_in_flow(point) || !sources.iter().all(|(steps, _)| is_near(steps)) {
                return None;
            }
            if distance > self.distance && sources.iter().all(|(steps, _)| self.is_open(*steps)) {
                return Some((distance, sources));
            }
        }
        None
    }

    /// The faces around a point with their shares.
    fn around(&self, point: [f64; 3]) -> Vec<([isize; 3], f64)> {
        let mut sources = vec![([0; 3], 1.0)];
        for d in self.case.grid.directions() {
            let [low, share] = place(&self.case.grid, point, d, self.component);
            let first = low as isize - self.global[d];
            let with = |step: isize, share: f64, from: &[([isize; 3], f64)]| {
                let moved = from.iter().map(|&(mut steps, weight)| {
                    steps[d] = first + step;
                    (steps, weight * share)
                });
                moved.collect::<Vec<_>>()
            };
            let mut both = with(0, 1.0 - share, &sources);
            if share > 0.0 {
                both.extend(with(1, share, &sources));
            }
            sources = both;
        }
        sources
    }

    fn stepped(&self, steps: [isize; 3]) -> [isize; 3] {
        std::array::from_fn(|d| self.cell[d] + steps[d])
    }

    fn is_open(&self, steps: [isize; 3]) -> bool {
        self.surfaces.face(self.stepped(steps), self.component, Side::Low) == FaceKind::Open
    }

    /// Whether the cell that holds a point is one of the flow.
    fn is_in_flow(&self, point: [f64; 3]) -> bool {
        let mut steps = [0; 3];
        for d in self.case.grid.directions() {
            let axis = &self.case.grid.axes[d];
            let there = ((point[d] - axis.low()) / axis.spacing()).floor() as isize;
            steps[d] = there - self.global[d];
        }
        let cell = self.stepped(steps);
        self.surfaces.is_inside(cell) && !self.surfaces.is_solid(cell)
    }
}

/// In direction `d` the last face of component `a` before a point, by its cell, and the share of the way to the next.
fn place(grid: &Grid, point: [f64; 3], d: usize, a: usize) -> [f64; 2] {
    let axis = &grid.axes[d];
    let at = (point[d] - axis.low()) / axis.spacing() - if d == a { 0.0 } else { 0.5 };
    if (at - at.round()).abs() < ON_FACE {
        [at.round(), 0.0]
    } else {
        [at.floor(), at - at.floor()]
    }
}

/// What the velocity `a` at the low face of a cell is made of, beside a body: with stairs, of the body's alone.
pub(super) fn row(
    case: &Case,
    surfaces: &Surfaces<'_>,
    body: &Body,
    cell: [isize; 3],
    a: usize,
) -> Row {
    if body.walls == Walls::Stairs {
        let point = case.grid.low_face(a, surfaces.wrapped(cell));
        return Row { constant: body.velocity(point)[a], sources: vec![], is_whole: true };
    }
    let at = Probes::new(case, surfaces, body, cell, a);
    let s = at.distance;
    let probe = |from: f64| if at.normal == [0.0; 3] { None } else { at.probe(from) };
    let first = probe(at.width);
    let second = first.as_ref().and_then(|(d, _)| probe(d + APART * at.width));
    let wall = body.velocity(at.wall)[a];
    let (weights, probes) = match (&first, &second) {
        (Some((d1, _)), Some((d2, _))) => {
            let of = |d: f64, other: f64| s * (s - other) / (d * (d - other));
            (vec![of(*d1, *d2), of(*d2, *d1)], vec![&first, &second])
        }
        (Some((d1, _)), None) => (vec![s / d1], vec![&first]),
        _ => (vec![], vec![]),
    };
    let constant = wall * (1.0 - weights.iter().sum::<f64>());
    let weighted =
        weights.iter().zip(probes.iter().copied().flatten()).flat_map(|(w, (_, sources))| {
            sources.iter().map(move |(steps, share)| (*steps, w * share))
        });
    Row { constant, sources: weighted.collect(), is_whole: weights.len() == 2 }
}
