//! Faces between cells of the flow and bodies whose surface lies at its own place between their centres, or moves: a
//! sparse list, on processor and GPU alike. A body in stairs at rest needs none: its faces are walls like others.

use std::collections::BTreeMap;

use rayon::prelude::*;
use vortice_core::{
    Body, BodyWall, Case, Communicator, Result, Shape, Side, Subdomain, Surfaces, Walls,
};

use crate::boundary::{BESIDE_BODY, Faces, SOLID, kind_of};
use crate::settings::Settings;
use crate::stencil::OPEN;

/// Units in what passes a face of the narrowest spacing at the velocity of the case's scale.
const LEAK_UNITS: f64 = (1_u64 << 48) as f64;

/// No face.
pub(crate) const NONE: i64 = -1;

vortice_gpu::mirrored! {
    /// A face of a cell of the flow, at whose other side lies a body; in `body_face.cuh`.
    pub(crate) struct BodyFace<T> {
        /// Place of the cell.
        cell: i64,
        /// Direction across the face.
        direction: i64,
        /// 0 for the cell's low face, 1 for its high one.
        side: i64,
        /// Whether the cell's other face in this direction is open.
        is_open: i64,
        /// Whether the cell is this rank's, so that the face counts here.
        is_own: i64,
        /// Number of the body.
        body: i64,
        /// Distance of the wall from the cell's centre, as a share of the line to the next centre.
        share: T,
        /// Velocity of the wall in m/s.
        wall: [T; 3],
    }
}

vortice_gpu::mirrored! {
    /// A cell whose equations such faces change: their numbers in the list, by direction and side, or -1; in
    /// `body_face.cuh`.
    pub(crate) struct BodyCell {
        /// Place of the cell.
        cell: i64,
        /// Faces of the cell itself.
        near: [[i64; 2]; 3],
        /// Faces of the neighbour on this side, on its far side.
        far: [[i64; 2]; 3],
    }
}

/// The list of one subdomain.
#[derive(Default)]
pub(crate) struct BodyFaces {
    /// Faces of own cells, of own cells' neighbours, and of neighbours in bodies, in the order of cells.
    pub(crate) faces: Vec<BodyFace<f64>>,
    /// Own cells whose equations they change, in their order.
    pub(crate) cells: Vec<BodyCell>,
    /// Of each body, one over the sum of 1/h over its faces, in m; eq. (V19).
    pub(crate) spread: Vec<f64>,
    /// Units of what flows through a face, in s.
    pub(crate) leak_units: f64,
}

impl BodyFaces {
    /// The list of a subdomain; notes in `faces` whose equations it changes. Collective.
    ///
    /// # Errors
    /// If a rank has stopped.
    pub(crate) fn new(
        case: &Case,
        settings: &Settings,
        part: &Subdomain,
        shape: Shape,
        faces: &mut Faces,
        ranks: &dyn Communicator,
    ) -> Result<Self> {
        if !case.bodies.iter().any(|body| is_listed(body)) {
            return Ok(Self::default());
        }
        let listed = listed(&Surfaces::of_part(case, part), case, shape, faces);
        let cells = cells(&listed, shape);
        let inside = listed.iter().map(|face| {
            let stride = shape.strides()[face.direction as usize] as i64;
            face.cell + if face.side == 0 { -stride } else { stride }
        });
        let beside = cells.iter().map(|cell| cell.cell).chain(inside);
        beside.for_each(|place| faces.kinds[place as usize] |= BESIDE_BODY);
        let inverse_h = settings.spacing.map(|h| 1.0 / h);
        let largest = case.grid.directions().map(|d| inverse_h[d]).fold(0.0, f64::max);
        let spread = (0..case.bodies.len()).map(|body| spread(&listed, body, inverse_h, ranks));
        Ok(Self {
            spread: spread.collect::<Result<_>>()?,
            faces: listed,
            cells,
            leak_units: LEAK_UNITS / (settings.velocity_scale * largest),
        })
    }

    /// Whether no body of the case is listed, on any rank.
    pub(crate) fn is_empty(&self) -> bool {
        self.spread.is_empty()
    }
}

/// Whether a body's faces are other than those of walls at rest.
fn is_listed(body: &Body) -> bool {
    body.walls == Walls::Exact || body.rotation != 0.0
}

/// All faces, in the order of cells.
fn listed(surfaces: &Surfaces<'_>, case: &Case, shape: Shape, faces: &Faces) -> Vec<BodyFace<f64>> {
    let length = shape.padded()[0];
    let of_row = |number: usize| {
        let places = number * length..(number + 1) * length;
        places.filter(|&place| faces.kinds[place] & SOLID == 0).flat_map(move |place| {
            let cell = shape.cell(place);
            let sides = case.grid.directions().flat_map(|d| Side::BOTH.map(|side| (d, side)));
            sides.filter_map(move |(d, side)| face(surfaces, case, shape, faces, cell, d, side))
        })
    };
    (0..shape.len() / length).into_par_iter().flat_map_iter(of_row).collect()
}

/// The face of a cell of the flow, if a listed body lies beyond it.
fn face(
    surfaces: &Surfaces<'_>,
    case: &Case,
    shape: Shape,
    faces: &Faces,
    cell: [isize; 3],
    d: usize,
    side: Side,
) -> Option<BodyFace<f64>> {
    // Own cells, and their neighbours in the direction across the face.
    let own = |e: usize| shape.own(e).contains(&cell[e]);
    let near = (shape.own(d).start - 1..shape.own(d).end + 1).contains(&cell[d]);
    if !near || !(0..3).all(|e| e == d || own(e)) {
        return None;
    }
    let next = side.next(cell, d);
    if faces.kinds[shape.index(next)] & SOLID == 0 || !surfaces.is_inside(cell) {
        return None;
    }
    let BodyWall { body, share, velocity } = surfaces.body_wall(cell, next)?;
    let high = side == Side::High;
    let opposite = if high { cell } else { Side::High.next(cell, d) };
    is_listed(&case.bodies[body]).then(|| BodyFace {
        cell: shape.index(cell) as i64,
        direction: d as i64,
        side: high.into(),
        is_open: (kind_of(faces.kinds[shape.index(opposite)], d) == OPEN).into(),
        is_own: own(d).into(),
        body: body as i64,
        share,
        wall: velocity,
    })
}

/// Own cells that have such faces, or whose neighbours have them on their far side.
fn cells(faces: &[BodyFace<f64>], shape: Shape) -> Vec<BodyCell> {
    let mut cells = BTreeMap::new();
    let is_own = |place: i64| {
        let cell = shape.cell(place as usize);
        (0..3).all(|d| shape.own(d).contains(&cell[d]))
    };
    let new = |cell: i64| BodyCell { cell, near: [[NONE; 2]; 3], far: [[NONE; 2]; 3] };
    for (face, number) in faces.iter().zip(0..) {
        let BodyFace { cell, direction, side, .. } = *face;
        let [d, side] = [direction, side].map(|i| i as usize);
        if face.is_own == 1 {
            cells.entry(cell).or_insert_with(|| new(cell)).near[d][side] = number;
        }
        let stride = shape.strides()[d] as i64;
        let opposite = cell + if side == 0 { stride } else { -stride };
        if face.is_open == 1 && is_own(opposite) {
            cells.entry(opposite).or_insert_with(|| new(opposite)).far[d][side] = number;
        }
    }
    cells.into_values().collect()
}

/// One over the sum of 1/h over all faces of a body, on all ranks; zero if it has none.
fn spread(
    faces: &[BodyFace<f64>],
    body: usize,
    inverse_h: [f64; 3],
    ranks: &dyn Communicator,
) -> Result<f64> {
    let mut sum = 0.0;
    for (d, inverse_h) in inverse_h.into_iter().enumerate() {
        let counts = |face: &&BodyFace<f64>| {
            face.is_own == 1 && face.body == body as i64 && face.direction == d as i64
        };
        let count = faces.iter().filter(counts).count();
        sum += ranks.sum_exact(count as i128)? as f64 * inverse_h;
    }
    Ok(if sum > 0.0 { 1.0 / sum } else { 0.0 })
}
