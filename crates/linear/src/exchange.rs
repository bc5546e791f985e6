//! What ranks tell each other about the levels of a linear system.

use std::sync::Arc;

use vortice_core::{Communicator, Halo, Result};

use crate::levels::Levels;

/// The halos of all levels of one rank, and the ranks that share them.
pub struct Exchange {
    /// The ranks.
    pub ranks: Arc<dyn Communicator>,
    halos: Vec<Halo>,
}

impl Exchange {
    /// Of levels that are cut among these ranks.
    pub fn new(ranks: Arc<dyn Communicator>, levels: &Levels) -> Self {
        let halo = |number: usize| Halo::new(&levels.levels[number].shape, &levels.part(number));
        Self { ranks, halos: (0..levels.levels.len()).map(halo).collect() }
    }

    /// Fills the halos of arrays on a level with the values of the cells that they stand for; halos
    /// beyond the ends of the box are left as they are.
    pub fn fill(&self, level: usize, arrays: &mut [&mut [f64]]) -> Result<()> {
        self.halos[level].exchange(&*self.ranks, arrays)
    }
}
