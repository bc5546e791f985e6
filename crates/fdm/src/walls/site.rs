//! The geometry that the lists of boundary values are made from.

use vortice_core::{Boundary, Case, Real, Shape, Side, Solids, Subdomain};

use super::{Ghost, Outlet, Outlets};

/// A subdomain and what surrounds it.
pub(super) struct Site<'a> {
    case: &'a Case,
    part: &'a Subdomain,
    shape: Shape,
    solids: Solids,
}

/// The cell next to another.
fn towards(mut cell: [isize; 3], direction: usize, step: isize) -> [isize; 3] {
    cell[direction] += step;
    cell
}

impl<'a> Site<'a> {
    pub(super) fn new(case: &'a Case, part: &'a Subdomain, shape: Shape) -> Self {
        Self { case, part, shape, solids: case.solids() }
    }

    fn global(&self, cell: [isize; 3]) -> [isize; 3] {
        std::array::from_fn(|d| cell[d] + self.part.offset()[d] as isize)
    }

    fn is_solid(&self, cell: [isize; 3]) -> bool {
        self.solids.contains(self.global(cell))
    }

    /// All cells, halos included, of the layer at `i` across `d`.
    fn layer(&self, d: usize, i: isize) -> impl Iterator<Item = [isize; 3]> + use<> {
        let shape = self.shape;
        let range = |e: usize| if e == d { i..i + 1 } else { shape.all(e) };
        let [x, y, z] = [range(0), range(1), range(2)];
        z.flat_map(move |k| {
            let x = x.clone();
            y.clone().flat_map(move |j| x.clone().map(move |i| [i, j, k]))
        })
    }

    /// Whether the box ends on this side of the subdomain.
    pub(super) fn ends(&self, d: usize, side: Side) -> bool {
        self.part.neighbours[d][side as usize].is_none()
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

    /// Normal velocities that a side prescribes.
    pub(super) fn fixed<T: Real>(&self, d: usize, side: Side) -> Vec<(usize, T)> {
        let [face, ..] = self.indices(d, side);
        let boundary = self.case.boundaries.at(d, side);
        let value = |here| T::from_f64(self.prescribed(boundary, here, d, d));
        self.layer(d, face).map(|here| (self.place(here, d, face), value(here))).collect()
    }

    /// The outlets of a side, where no solid stands before them; `pressure` in Pa.
    pub(super) fn outlets<T: Real>(&self, d: usize, side: Side, pressure: f64) -> Outlets<T> {
        let [face, inner, last, _] = self.indices(d, side);
        let flows =
            |here: &[isize; 3]| !self.is_solid(*here) && !self.is_solid(towards(*here, d, -1));
        let outlet = |here: [isize; 3]| {
            let mut cell = here;
            cell[d] = last;
            let [face, inner] = [face, inner].map(|i| self.place(here, d, i));
            Outlet { face, inner, cell, cell_at: self.shape.index(cell) }
        };
        let outward = if side == Side::Low { -1.0 } else { 1.0 };
        Outlets {
            direction: d,
            pressure: T::from_f64(pressure / self.case.density),
            gradient: T::from_f64(2.0 * outward / self.case.grid.spacing()[d]),
            outlets: self.layer(d, face).filter(flows).map(outlet).collect(),
        }
    }

    /// Ghost values of the tangential component `a` beyond a side: mirrored about the prescribed
    /// velocity, or continued where the side prescribes none.
    pub(super) fn ghosts<T: Real>(&self, d: usize, side: Side, a: usize) -> Vec<Ghost<T>> {
        let [face, _, last, ghost] = self.indices(d, side);
        let boundary = self.case.boundaries.at(d, side);
        let mirrored = !matches!(boundary, Boundary::Outflow { .. } | Boundary::Symmetry);
        let sign = T::from_f64(if mirrored { -1.0 } else { 1.0 });
        let ghost = |here| Ghost {
            target: self.place(here, d, ghost),
            sources: [self.place(here, d, last); 2],
            sign,
            add: T::from_f64(2.0 * self.prescribed(boundary, here, d, a)),
        };
        self.layer(d, face).map(ghost).collect()
    }

    /// One at the faces of component `a` between two cells of the flow.
    pub(super) fn open<T: Real>(&self, a: usize) -> Vec<T> {
        let mut open = vec![T::default(); self.shape.len()];
        for here in (self.shape.own(2)).flat_map(|k| self.layer(2, k)) {
            let i = self.global(here)[a];
            let ends = i <= 0 || i >= self.case.grid.axes[a].len() as isize;
            let inside = self.case.boundaries.periodic()[a] || !ends;
            if inside && !self.is_solid(here) && !self.is_solid(towards(here, a, -1)) {
                open[self.shape.index(here)] = T::from_f64(1.0);
            }
        }
        open
    }

    /// Component `a` of the velocity that a boundary across `d` prescribes beside a cell, in m/s;
    /// zero in front of solids.
    fn prescribed(&self, boundary: &Boundary, cell: [isize; 3], d: usize, a: usize) -> f64 {
        if d == a && (self.is_solid(cell) || self.is_solid(towards(cell, d, -1))) {
            return 0.0;
        }
        let global = self.global(cell);
        let shifted = |e: usize| if e == a && a != d { -0.5 } else { 0.0 };
        let edge = |e: usize, side: f64| {
            let axis = &self.case.grid.axes[e];
            axis.face(global[e]) + (shifted(e) + side) * axis.spacing()
        };
        let low = std::array::from_fn(|e| edge(e, 0.0));
        let high = std::array::from_fn(|e| edge(e, 1.0));
        boundary.velocity(low, high).map_or(0.0, |velocity| velocity[a])
    }

    /// Ghost values of component `a` at faces inside solids beside the flow.
    pub(super) fn solid_ghosts<T: Real>(&self, a: usize) -> Vec<Ghost<T>> {
        if self.solids.is_empty() {
            return Vec::new();
        }
        let in_shape = |cell: [isize; 3]| (0..3).all(|d| self.shape.all(d).contains(&cell[d]));
        let both = |cell: [isize; 3], solid: bool| {
            self.is_solid(cell) == solid && self.is_solid(towards(cell, a, -1)) == solid
        };
        let cells = self.shape.all(2).flat_map(|k| self.layer(2, k));
        cells
            .filter(|&cell| both(cell, true))
            .filter_map(|cell| {
                let mut sources = self
                    .case
                    .grid
                    .directions()
                    .filter(|&d| d != a)
                    .flat_map(|d| [towards(cell, d, -1), towards(cell, d, 1)])
                    .filter(|&next| in_shape(next) && both(next, false))
                    .map(|next| self.shape.index(next));
                let first = sources.next()?;
                let second = sources.next().unwrap_or(first);
                let target = self.shape.index(cell);
                let (sign, add) = (T::from_f64(-1.0), T::default());
                Some(Ghost { target, sources: [first, second], sign, add })
            })
            .collect()
    }
}
