//! Cells of bodies, where nothing is shown of the velocities that the flow gives their faces.

use std::ops::Range;

use vortice_core::{Case, Field, Solids, Subdomain};

use super::body_face::moves_faces;

/// The cells that solids cover in a part of the grid.
#[derive(Clone)]
pub(crate) struct Covered {
    solids: Solids,
    part: Subdomain,
}

impl Covered {
    /// Nothing if no body gives its faces a velocity: then all in solids is zero anyhow.
    pub(crate) fn new(case: &Case, part: &Subdomain) -> Option<Self> {
        let is_needed = case.bodies.iter().any(|body| moves_faces(body));
        is_needed.then(|| Self { solids: case.solids(), part: part.clone() })
    }

    /// Makes a velocity at the centres of some rows of own cells zero in solids.
    pub(crate) fn empty(&self, velocity: &mut Field, rows: Range<usize>) {
        let [n_i, n_j, _] = self.part.n().map(|n| n as isize);
        for (row, number) in rows.enumerate() {
            let [j, k] = [number as isize % n_j, number as isize / n_j];
            for i in (0..n_i).filter(|&i| self.solids.contains(self.part.global([i, j, k]))) {
                (0..3).for_each(|a| *velocity.at_mut(a, [i, row as isize, 0]) = 0.0);
            }
        }
    }
}
