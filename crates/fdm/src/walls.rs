//! Boundary values and solid boxes as lists of copies: what is prescribed where, and which ghost
//! value mirrors which; eqs. (F11) and (F12).

use vortice_core::{Boundary, Case, Real, Shape, Side, Solids, Subdomain};

/// A value outside the flow, made from one or two values inside:
/// `target = add + sign * (first + second) / 2`.
#[derive(Clone, Copy, Debug)]
struct Ghost<T> {
    target: usize,
    sources: [usize; 2],
    sign: T,
    add: T,
}

/// A face through which the flow leaves: its velocity follows the inner neighbour's and the
/// pressure drop over half a cell.
#[derive(Clone, Copy, Debug)]
struct Outlet {
    face: usize,
    inner: usize,
    /// The last cell before it.
    cell: [isize; 3],
    /// That cell's place in memory.
    cell_at: usize,
}

/// Outlets of one side of the box.
#[derive(Clone, Debug)]
struct Outlets<T> {
    direction: usize,
    /// Kinematic pressure at the face in m2/s2.
    pressure: T,
    /// Twice the inverse spacing, with the sign of the outward normal, in 1/m.
    gradient: T,
    outlets: Vec<Outlet>,
}

/// The boundary values of one subdomain.
#[derive(Clone, Debug)]
pub(crate) struct Walls<T> {
    /// One where a face of a component lies in the flow, zero where it is a wall or the box's end.
    pub(crate) open: [Vec<T>; 3],
    fixed: [Vec<(usize, T)>; 3],
    ghosts: [Vec<Ghost<T>>; 3],
    outlets: Vec<Outlets<T>>,
}

/// The geometry that the lists are made from.
struct Site<'a> {
    case: &'a Case,
    part: &'a Subdomain,
    shape: Shape,
    solids: Solids,
}

impl<T: Real> Walls<T> {
    /// The lists of a subdomain.
    pub(crate) fn new(case: &Case, part: &Subdomain, shape: Shape) -> Self {
        let site = Site { case, part, shape, solids: case.solids() };
        let empty = || std::array::from_fn(|_| Vec::new());
        let mut walls = Self {
            open: std::array::from_fn(|a| site.open(a)),
            fixed: std::array::from_fn(|_| Vec::new()),
            ghosts: empty(),
            outlets: Vec::new(),
        };
        for d in case.grid.directions() {
            for side in Side::BOTH {
                if part.neighbours[d][side as usize].is_none() {
                    walls.add_side(&site, d, side);
                }
            }
        }
        for a in case.grid.directions() {
            walls.ghosts[a].extend(site.solid_ghosts(a));
        }
        walls
    }

    fn add_side(&mut self, site: &Site<'_>, d: usize, side: Side) {
        let boundary = site.case.boundaries.at(d, side);
        let n = site.shape.cells[d] as isize;
        let (face, inner_face, cell, ghost) = match side {
            Side::Low => (0, 1, 0, -1),
            Side::High => (n, n - 1, n - 1, n),
        };
        let at = |mut here: [isize; 3], i: isize| {
            here[d] = i;
            site.shape.index(here)
        };
        let mut outlets = Vec::new();
        for here in site.layer(d, face) {
            if let Boundary::Outflow { .. } = boundary {
                if !site.is_solid(here) && !site.is_solid(towards(here, d, -1)) {
                    let mut last = here;
                    last[d] = cell;
                    let (face, inner) = (at(here, face), at(here, inner_face));
                    outlets.push(Outlet {
                        face,
                        inner,
                        cell: last,
                        cell_at: site.shape.index(last),
                    });
                }
            } else {
                let value = site.prescribed(boundary, here, d, d);
                self.fixed[d].push((at(here, face), T::from_f64(value)));
            }
        }
        if let Boundary::Outflow { pressure } = boundary {
            let outward = if side == Side::Low { -1.0 } else { 1.0 };
            self.outlets.push(Outlets {
                direction: d,
                pressure: T::from_f64(pressure / site.case.density),
                gradient: T::from_f64(2.0 * outward / site.case.grid.spacing()[d]),
                outlets,
            });
        }
        let mirrored = !matches!(boundary, Boundary::Outflow { .. } | Boundary::Symmetry);
        for a in site.case.grid.directions().filter(|&a| a != d) {
            for here in site.layer(d, face) {
                let add = 2.0 * site.prescribed(boundary, here, d, a);
                let sign = if mirrored { -1.0 } else { 1.0 };
                self.ghosts[a].push(Ghost {
                    target: at(here, ghost),
                    sources: [at(here, cell); 2],
                    sign: T::from_f64(sign),
                    add: T::from_f64(if mirrored { add } else { 0.0 }),
                });
            }
        }
    }

    /// Writes the prescribed values of a component, of velocity or of its prediction.
    pub(crate) fn fix(&self, a: usize, component: &mut [T]) {
        for &(target, value) in &self.fixed[a] {
            component[target] = value;
        }
    }

    /// Copies the prediction at the outlets from their inner neighbours.
    pub(crate) fn predict_outlets(&self, f: &mut [Vec<T>; 3]) {
        for side in &self.outlets {
            let f = &mut f[side.direction];
            side.outlets.iter().for_each(|outlet| f[outlet.face] = f[outlet.inner]);
        }
    }

    /// Corrects the velocity at the outlets by the pressure drop over half a cell.
    pub(crate) fn project_outlets(&self, u: &mut [Vec<T>; 3], f: &[Vec<T>; 3], p: &[T], dt: T) {
        for Outlets { direction, pressure, gradient, outlets } in &self.outlets {
            let (u, f) = (&mut u[*direction], &f[*direction]);
            for &Outlet { face, cell_at, .. } in outlets {
                u[face] = f[face] - dt * *gradient * (*pressure - p[cell_at]);
            }
        }
    }

    /// Cells whose pressure equation has a prescribed pressure, halos included, and the kinematic
    /// pressure over half the squared spacing, in 1/s2.
    pub(crate) fn prescribed_pressures(&self) -> impl Iterator<Item = ([isize; 3], T)> {
        self.outlets.iter().flat_map(|side| {
            let value = side.pressure * side.gradient * side.gradient * T::from_f64(0.5);
            side.outlets.iter().map(move |outlet| (outlet.cell, value))
        })
    }

    /// Fills the ghost values of a component.
    pub(crate) fn mirror(&self, a: usize, component: &mut [T]) {
        let half = T::from_f64(0.5);
        for &Ghost { target, sources: [first, second], sign, add } in &self.ghosts[a] {
            component[target] = add + sign * (half * (component[first] + component[second]));
        }
    }
}

/// The cell next to another.
fn towards(mut cell: [isize; 3], direction: usize, step: isize) -> [isize; 3] {
    cell[direction] += step;
    cell
}

impl Site<'_> {
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

    /// One at the faces of component `a` between two cells of the flow.
    fn open<T: Real>(&self, a: usize) -> Vec<T> {
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
    fn solid_ghosts<T: Real>(&self, a: usize) -> Vec<Ghost<T>> {
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
