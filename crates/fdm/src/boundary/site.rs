//! The geometry that the lists of boundary values are made from.

use vortice_core::{
    Case, Condition, FaceKind, Real, Region, Shape, Side, Subdomain, Surfaces, ThreadPool,
};

use super::body_face::BodyFaces;
use super::entries::{Carried, Fixed, Ghost, Outlet};
use super::given::Patch;

/// A subdomain and what surrounds it.
pub(super) struct Site<'a> {
    case: &'a Case,
    part: &'a Subdomain,
    shape: Shape,
    surfaces: Surfaces<'a>,
}

impl<'a> Site<'a> {
    pub(super) fn new(case: &'a Case, part: &'a Subdomain, shape: Shape) -> Self {
        Self { case, part, shape, surfaces: Surfaces::of_part(case, part) }
    }

    /// Directions and sides on which the box ends beside the subdomain.
    pub(super) fn ends(&self) -> impl Iterator<Item = (usize, Side)> {
        let all = self.case.grid.directions().flat_map(|d| Side::BOTH.map(|side| (d, side)));
        all.filter(|&(d, side)| self.part.neighbours[d][side as usize].is_none())
    }

    /// A cell moved to another index in direction `d`, as a place in memory.
    fn place(&self, mut cell: [isize; 3], d: usize, i: isize) -> usize {
        cell[d] = i;
        self.shape.index(cell)
    }

    /// Index of the face at a side of the box, of the face next to it inside, of the last cell, and
    /// of the first ghost cell.
    fn indices(&self, d: usize, side: Side) -> [isize; 4] {
        let n = self.shape.cells[d] as isize;
        match side {
            Side::Low => [0, 1, 0, -1],
            Side::High => [n, n - 1, n - 1, n],
        }
    }

    /// Whether a solid stands on either side of a cell's low face across `d`.
    fn is_closed(&self, cell: [isize; 3], d: usize) -> bool {
        self.surfaces.is_solid(cell) || self.surfaces.is_solid(Side::Low.next(cell, d))
    }

    /// What the face of a cell is.
    pub(super) fn face(&self, cell: [isize; 3], d: usize, side: Side) -> FaceKind {
        self.surfaces.face(cell, d, side)
    }

    /// Normal velocities that a side prescribes, zero in front of solids, each with where it changes with time. Of a side where the flow leaves
    /// only these, and only at a high end, whose faces are no cell's low face, so that nothing computes
    /// them.
    pub(super) fn fixed<T: Real>(
        &self,
        d: usize,
        side: Side,
    ) -> impl Iterator<Item = (Fixed<T>, Option<Patch>)> {
        let [face, ..] = self.indices(d, side);
        let given = !self.case.boundaries.at(d, side).is_outflow();
        let counts =
            move |here: &[isize; 3]| given || side == Side::High && self.is_closed(*here, d);
        let faces = self.shape.layer(d, face).filter(counts);
        faces.map(move |here| {
            let (value, changing) = self.prescribed(side, here, d, d);
            (Fixed::new(d, self.place(here, d, face), T::from_f64(value)), changing)
        })
    }

    /// The outlets of a side, where no solid stands before them; `pressure` in Pa.
    pub(super) fn outlets<T: Real>(&self, d: usize, side: Side, pressure: f64) -> Vec<Outlet<T>> {
        let [face, inner, last, _] = self.indices(d, side);
        let faces = self.shape.layer(d, face).filter(|&here| !self.is_closed(here, d));
        let outlet = |here: [isize; 3]| {
            let [face, inner, cell] = [face, inner, last].map(|i| self.place(here, d, i) as i64);
            Outlet {
                face,
                inner,
                cell,
                component: d as i32,
                unused: 0,
                pressure: T::from_f64(pressure / self.case.density),
                gradient: T::from_f64(2.0 * side.outward() as f64 / self.case.grid.spacing()[d]),
            }
        };
        faces.map(outlet).collect()
    }

    /// Faces of a convective outlet, where no solid stands before them.
    pub(super) fn carried_faces(&self, d: usize, side: Side) -> Vec<Carried> {
        let [face, inner, last, _] = self.indices(d, side);
        let faces = self.shape.layer(d, face).filter(|&here| !self.is_closed(here, d));
        let carried = |here: [isize; 3]| {
            let mut cell = here;
            cell[d] = last;
            let is_own = (0..3).all(|e| self.shape.own(e).contains(&cell[e]));
            Carried {
                target: self.place(here, d, face) as i64,
                inner: self.place(here, d, inner) as i64,
                component: d as i32,
                counts: i32::from(is_own),
            }
        };
        faces.map(carried).collect()
    }

    /// Values of the tangential component `a` beyond a convective outlet.
    pub(super) fn carried_ghosts(&self, d: usize, side: Side, a: usize) -> Vec<Carried> {
        let [face, _, last, ghost] = self.indices(d, side);
        let carried = |here: [isize; 3]| Carried {
            target: self.place(here, d, ghost) as i64,
            inner: self.place(here, d, last) as i64,
            component: a as i32,
            counts: 0,
        };
        self.shape.layer(d, face).map(carried).collect()
    }

    /// Ghost values of the tangential component `a` beyond a side: mirrored about the prescribed
    /// velocity, or continued where the side prescribes none; nothing at a convective outlet. Each with where it changes
    /// with time.
    pub(super) fn ghosts<T: Real>(
        &self,
        d: usize,
        side: Side,
        a: usize,
    ) -> Vec<(Ghost<T>, Option<Patch>)> {
        if self.case.boundaries.at(d, side).condition() == Some(Condition::Convective) {
            return Vec::new();
        }
        let [face, _, last, ghost] = self.indices(d, side);
        let given = self.case.boundaries.at(d, side).condition() == Some(Condition::Velocity);
        let sign = T::from_f64(if given { -1.0 } else { 1.0 });
        let ghost = |here| {
            let [target, source] = [ghost, last].map(|i| self.place(here, d, i));
            let (value, changing) = self.prescribed(side, here, d, a);
            (ghost_of(a, target, [source; 2], sign, T::from_f64(2.0 * value)), changing)
        };
        self.shape.layer(d, face).map(ghost).collect()
    }

    /// One at the faces of component `a` between two cells of the flow.
    pub(super) fn open<T: Real>(&self, a: usize, pool: &ThreadPool) -> Vec<T> {
        let mut open = vec![T::default(); self.shape.len()];
        let one = T::from_f64(1.0);
        pool.each_row(&Region::own(self.shape), [&mut open], |row, [open]| {
            let is_open =
                |i| self.surfaces.face([i as isize, row.j, row.k], a, Side::Low) == FaceKind::Open;
            let mut next = 0;
            let end = open.len();
            for inner in self.surfaces.inner_cells([row.j, row.k], 0..end as isize) {
                (next..inner.start).filter(|&i| is_open(i)).for_each(|i| open[i] = one);
                open[inner.clone()].fill(one);
                next = inner.end;
            }
            (next..end).filter(|&i| is_open(i)).for_each(|i| open[i] = one);
        });
        open
    }

    /// Component `a` of the velocity that a side across `d` prescribes beside a cell, in m/s, and where it changes
    /// with time; zero in front of solids.
    fn prescribed(&self, side: Side, cell: [isize; 3], d: usize, a: usize) -> (f64, Option<Patch>) {
        if d == a && self.is_closed(cell, d) {
            return (0.0, None);
        }
        let global = self.surfaces.global(cell);
        let shifted = |e: usize| if e == a && a != d { -0.5 } else { 0.0 };
        let edge = |e: usize, side: f64| {
            let axis = &self.case.grid.axes[e];
            axis.face(global[e]) + (shifted(e) + side) * axis.spacing()
        };
        let low = std::array::from_fn(|e| edge(e, 0.0));
        let high = std::array::from_fn(|e| edge(e, 1.0));
        let patch = Patch { direction: d, side, component: a, low, high };
        let changes = self.case.boundaries.at(d, side).changes();
        (patch.velocity(&self.case.boundaries), changes.then_some(patch))
    }

    /// Ghost values of component `a` at faces inside solids beside the flow, unless a body with exact walls gives
    /// them their velocity.
    pub(super) fn solid_ghosts<T: Real>(&self, a: usize) -> Vec<(Ghost<T>, Option<Patch>)> {
        if self.surfaces.has_no_solids() {
            return Vec::new();
        }
        let in_shape = |cell: [isize; 3]| (0..3).all(|d| self.shape.all(d).contains(&cell[d]));
        let both = |cell: [isize; 3], solid: bool| {
            [cell, Side::Low.next(cell, a)]
                .iter()
                .all(|&cell| self.surfaces.is_solid(cell) == solid)
        };
        let bodies = BodyFaces::new(self.case, &self.surfaces);
        let ghost = |cell: [isize; 3]| {
            let across = self.case.grid.directions().filter(|&d| d != a);
            let mut sources = across
                .flat_map(|d| Side::BOTH.map(|side| side.next(cell, d)))
                .filter(|&next| in_shape(next) && both(next, false));
            let first = sources.next()?;
            let sources = [first, sources.next().unwrap_or(first)];
            let add = T::from_f64(sources.map(|next| bodies.turning(cell, next, a)).iter().sum());
            let sources = sources.map(|next| self.shape.index(next));
            let ghost = ghost_of(a, self.shape.index(cell), sources, T::from_f64(-1.0), add);
            Some((ghost, None))
        };
        let inside = self.shape.all_cells().filter(|&cell| both(cell, true));
        inside.filter(|&cell| bodies.at(cell, a).is_none()).filter_map(ghost).collect()
    }
}

/// A ghost value of a component that is in no group yet.
fn ghost_of<T>(a: usize, target: usize, sources: [usize; 2], sign: T, add: T) -> Ghost<T> {
    let [target, first, second] = [target, sources[0], sources[1]].map(|place| place as i64);
    Ghost { target, first, second, group: 0, component: a as i32, sign, add }
}
