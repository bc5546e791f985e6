//! What core's surface means in the numbers of this method: what is prescribed where, and which value
//! outside the flow mirrors which inside, as lists that the processor applies and kernels are given;
//! eqs. (F11) and (F12). Beside bodies: [`Forced`].

mod body_face;
mod carried;
mod covered;
mod distant;
mod entries;
mod forced;
mod given;
mod groups;
mod places;
mod probes;
mod site;

use std::collections::HashMap;

use rayon::prelude::*;
use vortice_core::{
    Boundaries, Case, Condition, FaceKind, Real, Result, Shape, Subdomain, ThreadPool,
};

use crate::stencil::{mirrored, released};
pub(crate) use body_face::moves_faces;
pub(crate) use carried::CarriedOut;
pub(crate) use covered::Covered;
pub(crate) use distant::Distant;
pub(crate) use entries::{Carried, Fixed, ForcedFace, Ghost, Outlet, Source};
pub(crate) use forced::{FaceCounts, Forced, sum};
use given::{Given, Patch};
use groups::groups;
pub(crate) use places::Places;
use site::Site;

/// One where a face of component `a` lies in the flow, zero where it is a wall or the box's end; in the padded shape.
pub(crate) fn open_faces<T: Real>(
    case: &Case,
    part: &Subdomain,
    shape: Shape,
    a: usize,
    pool: &ThreadPool,
) -> Vec<T> {
    Site::new(case, part, shape).open(a, pool)
}

/// The boundary values of one subdomain.
#[derive(Clone, Debug)]
pub(crate) struct Walls<T> {
    pub(crate) fixed: Vec<Fixed<T>>,
    /// By groups.
    pub(crate) ghosts: Vec<Ghost<T>>,
    pub(crate) outlets: Vec<Outlet<T>>,
    given: Given,
}

impl<T: Real> Walls<T> {
    /// The lists of a subdomain.
    pub(crate) fn new(case: &Case, part: &Subdomain, shape: Shape, pool: &ThreadPool) -> Self {
        let site = Site::new(case, part, shape);
        let mut walls =
            Self { fixed: vec![], ghosts: vec![], outlets: vec![], given: Given::default() };
        for (d, side) in site.ends() {
            if let Some(pressure) = case.boundaries.at(d, side).pressure() {
                walls.add_outlets(site.outlets(d, side, pressure));
            }
            for (fixed, changing) in site.fixed(d, side) {
                walls.given.fixed.extend(changing.map(|patch| (walls.fixed.len(), patch)));
                walls.fixed.push(fixed);
            }
        }
        let of_components = case.grid.directions().into_par_iter().map(|a| {
            let ends = site.ends().filter(|&(d, _)| d != a);
            let mut ghosts: Vec<_> = ends.flat_map(|(d, side)| site.ghosts(d, side, a)).collect();
            ghosts.extend(site.solid_ghosts(a));
            sorted(ghosts)
        });
        for ghosts in pool.install(|| of_components.collect::<Vec<_>>()) {
            let before = walls.ghosts.len();
            for (ghost, changing) in ghosts {
                walls.given.ghosts.extend(changing.map(|patch| (walls.ghosts.len(), patch)));
                walls.ghosts.push(Ghost { group: ghost.group + before as u32, ..ghost });
            }
        }
        walls
    }

    /// Takes the velocities that change with time from the boundaries, which know it.
    ///
    /// # Errors
    /// If one is no number.
    pub(crate) fn follow(&mut self, boundaries: &Boundaries) -> Result<()> {
        self.given.follow(boundaries, &mut self.fixed, &mut self.ghosts)
    }

    /// Adds the outlets of a side. On a grid one cell wide the next face inside is that of the outlet
    /// across, which follows another: so may this one, and none waits for another.
    fn add_outlets(&mut self, outlets: Vec<Outlet<T>>) {
        let known: HashMap<_, _> = self
            .outlets
            .iter()
            .map(|outlet| ((outlet.component, outlet.face), outlet.inner))
            .collect();
        self.outlets.extend(outlets.into_iter().map(|outlet| {
            let inner = known.get(&(outlet.component, outlet.inner)).copied();
            Outlet { inner: inner.unwrap_or(outlet.inner), ..outlet }
        }));
    }

    /// Copies the prediction at the outlets from their inner neighbours.
    pub(crate) fn predict_outlets(&self, f: &mut [Vec<T>]) {
        for outlet in &self.outlets {
            let f = &mut f[outlet.component as usize];
            f[outlet.face as usize] = f[outlet.inner as usize];
        }
    }

    /// Corrects the velocity at the outlets by the pressure drop over half a cell.
    pub(crate) fn project_outlets(&self, u: &mut [Vec<T>; 3], f: &[Vec<T>; 3], p: &[T], dt: T) {
        for &Outlet { face, cell, component, pressure, gradient, .. } in &self.outlets {
            let (a, face) = (component as usize, face as usize);
            u[a][face] = released(f[a][face], p[cell as usize], pressure, gradient, dt);
        }
    }

    /// Places of cells whose pressure equation has a prescribed pressure that is not zero, halos
    /// included, and its load in 1/s2.
    pub(crate) fn loads(&self) -> impl Iterator<Item = (usize, T)> {
        let loads = self.outlets.iter().map(|outlet| (outlet.cell as usize, outlet.load()));
        loads.filter(|(_, load)| *load != T::default())
    }

    /// Fills the ghost values of the velocity.
    pub(crate) fn mirror(&self, u: &mut [Vec<T>]) {
        let half = T::from_f64(0.5);
        for &Ghost { target, first, second, component, sign, add, .. } in &self.ghosts {
            let u = &mut u[component as usize];
            u[target as usize] = mirrored(u[first as usize], u[second as usize], sign, add, half);
        }
    }
}

/// The ghost values of a component by groups, which are numbered from zero on.
fn sorted<T>(mut ghosts: Vec<(Ghost<T>, Option<Patch>)>) -> Vec<(Ghost<T>, Option<Patch>)> {
    let assignments: Vec<_> =
        ghosts.iter().map(|(at, _)| (at.target, [at.first, at.second])).collect();
    for ((ghost, _), group) in ghosts.iter_mut().zip(groups(&assignments)) {
        ghost.group = group;
    }
    ghosts.sort_by_key(|(ghost, _)| ghost.group);
    ghosts
}

/// Writes the prescribed values, of velocity or of its prediction.
pub(crate) fn fix<T: Copy>(fixed: &[Fixed<T>], u: &mut [Vec<T>]) {
    for fixed in fixed {
        u[fixed.component as usize][fixed.target as usize] = fixed.value;
    }
}

/// The same of one component.
pub(crate) fn fix_component<T: Copy>(fixed: &[Fixed<T>], component: usize, u: &mut [T]) {
    for fixed in fixed.iter().filter(|fixed| fixed.component as usize == component) {
        u[fixed.target as usize] = fixed.value;
    }
}

/// How much what lies across a face of a cell adds to the diagonal of its pressure equation, in units of
/// 1/h2: nothing where the velocity is prescribed or mirrored, twice where the pressure is, which is half
/// as far away.
pub(crate) fn share_of_diagonal(face: FaceKind) -> f64 {
    match face {
        FaceKind::Open => 1.0,
        FaceKind::End(_, Condition::Pressure(_)) => 2.0,
        FaceKind::End(_, Condition::Velocity | Condition::Convective | Condition::Mirror) => 0.0,
        FaceKind::Solid | FaceKind::Beyond => 0.0,
    }
}
