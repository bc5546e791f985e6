//! Boundary values and solid boxes as lists of copies: what is prescribed where, and which ghost
//! value mirrors which; eqs. (F11) and (F12).

mod site;

use vortice_core::{Boundary, Case, Real, Shape, Side, Subdomain};

use crate::stencil::{mirrored, released};
use site::Site;

/// A value outside the flow, made from one or two values inside:
/// `target = add + sign * (first + second) / 2`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ghost<T> {
    pub(crate) target: usize,
    pub(crate) sources: [usize; 2],
    pub(crate) sign: T,
    pub(crate) add: T,
}

/// A face through which the flow leaves: its velocity follows the inner neighbour's and the
/// pressure drop over half a cell.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Outlet {
    pub(crate) face: usize,
    pub(crate) inner: usize,
    /// The last cell before it.
    pub(crate) cell: [isize; 3],
    /// That cell's place in memory.
    pub(crate) cell_at: usize,
}

/// Outlets of one side of the box.
#[derive(Clone, Debug)]
pub(crate) struct Outlets<T> {
    pub(crate) direction: usize,
    /// Kinematic pressure at the face in m2/s2.
    pub(crate) pressure: T,
    /// Twice the inverse spacing, with the sign of the outward normal, in 1/m.
    pub(crate) gradient: T,
    pub(crate) outlets: Vec<Outlet>,
}

/// The boundary values of one subdomain.
#[derive(Clone, Debug)]
pub(crate) struct Walls<T> {
    /// One where a face of a component lies in the flow, zero where it is a wall or the box's end.
    pub(crate) open: [Vec<T>; 3],
    pub(crate) fixed: [Vec<(usize, T)>; 3],
    pub(crate) ghosts: [Vec<Ghost<T>>; 3],
    pub(crate) outlets: Vec<Outlets<T>>,
}

impl<T: Real> Walls<T> {
    /// The lists of a subdomain.
    pub(crate) fn new(case: &Case, part: &Subdomain, shape: Shape) -> Self {
        let site = Site::new(case, part, shape);
        let empty = || std::array::from_fn(|_| Vec::new());
        let mut walls = Self {
            open: std::array::from_fn(|a| site.open(a)),
            fixed: std::array::from_fn(|_| Vec::new()),
            ghosts: empty(),
            outlets: Vec::new(),
        };
        for d in case.grid.directions() {
            for side in Side::BOTH.into_iter().filter(|&side| site.ends(d, side)) {
                match *case.boundaries.at(d, side) {
                    Boundary::Outflow { pressure } => {
                        walls.outlets.push(site.outlets(d, side, pressure));
                    }
                    _ => walls.fixed[d].extend(site.fixed(d, side)),
                }
                for a in case.grid.directions().filter(|&a| a != d) {
                    walls.ghosts[a].extend(site.ghosts(d, side, a));
                }
            }
        }
        for a in case.grid.directions() {
            walls.ghosts[a].extend(site.solid_ghosts(a));
        }
        walls
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
                u[face] = released(f[face], p[cell_at], *pressure, *gradient, dt);
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
            component[target] = mirrored(component[first], component[second], sign, add, half);
        }
    }
}
