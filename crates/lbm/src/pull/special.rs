//! Cells whose populations do not all come from the cells around them.

use vortice_core::Shape;

use crate::links::Outlet;

/// Where the population that arrives comes from.
#[derive(Clone, Debug)]
pub(super) enum Source<T> {
    /// A place of another cell, and the population's number there.
    Cell(usize, usize),
    /// The cell's own opposite population, with something added.
    Wall(T),
    /// The cell's own opposite population, the place behind the cell that it flies on from, its own, and what of each.
    Body { behind: usize, of: [T; 3], add: T, is_plain: bool },
    /// The cell's own, by the rule of an outlet.
    Outlet,
}

/// A cell next to something.
pub(super) struct Special<const Q: usize, T> {
    pub(super) cell: [isize; 3],
    pub(super) sources: Vec<Source<T>>,
    pub(super) outlet: Option<Outlet>,
    pub(super) memory: [T; Q],
}

impl<const Q: usize, T> Special<Q, T> {
    /// Links whose bodies may give more than they take.
    pub(super) fn leaking_links(&self) -> u32 {
        let leaks = |source: &&Source<T>| matches!(source, Source::Body { is_plain: false, .. });
        self.sources.iter().filter(leaks).count() as u32
    }
}

/// The copy of a cell that lies in a rank's halo, if it is across a periodic end of a grid with so many cells.
pub(super) fn near(shape: &Shape, all: [usize; 3], cell: [isize; 3]) -> [isize; 3] {
    std::array::from_fn(|d| {
        let n = all[d] as isize;
        [0, n, -n]
            .into_iter()
            .map(|shift| cell[d] + shift)
            .find(|i| shape.all(d).contains(i))
            .unwrap_or(cell[d])
    })
}
