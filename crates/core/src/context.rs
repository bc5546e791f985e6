//! Where a solver runs.

use std::sync::Arc;

use crate::case::{Balance, Case, Devices, halvings};
use crate::communicator::{Apart, Communicator, Solo};
use crate::decomposition::{Decomposition, Subdomain};
use crate::error::{Error, Result};

/// Where a solver runs: its ranks, and the threads it may use.
#[derive(Clone)]
pub struct Context {
    /// This rank and the others.
    pub ranks: Arc<dyn Communicator>,
    /// Ranks per direction, if the user insists.
    pub layout: Option<[usize; 3]>,
    /// Threads that this rank may use.
    pub threads: usize,
}

impl Context {
    /// One rank with all of this machine's cores.
    pub fn alone() -> Self {
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        Self { ranks: Arc::new(Solo), layout: None, threads }
    }

    /// One of several ranks, with its share of this machine's cores.
    pub fn new(ranks: Arc<dyn Communicator>) -> Self {
        let threads = (ranks.local_cores() / ranks.local_size()).max(1);
        Self { ranks, layout: None, threads }
    }

    /// This rank with the cores of this machine shared among the ranks that compute on them: one
    /// on a GPU needs no more than one.
    #[must_use]
    pub fn sharing(mut self, devices: &Devices) -> Self {
        let (rank, ranks) = (self.ranks.local_rank(), self.ranks.local_size());
        self.threads = devices.threads(rank, ranks, self.ranks.local_cores());
        self
    }

    /// This rank without the others: on the same device, with the same threads, and all of a grid.
    #[must_use]
    pub fn apart(&self) -> Self {
        let (local_rank, local_size) = (self.ranks.local_rank(), self.ranks.local_size());
        Self { ranks: Arc::new(Apart { local_rank, local_size }), layout: None, ..*self }
    }

    /// How the case's grid is cut: in equal parts, or by the weights of its [`Balance`].
    ///
    /// # Errors
    /// If the ranks do not fit the grid, or `layout` or the weights are for another number of
    /// ranks than there are.
    pub fn decomposition(&self, case: &Case) -> Result<Decomposition> {
        case.decomposition(self.layout, self.ranks.size())
    }

    /// The part of the grid that is this rank's own.
    ///
    /// # Errors
    /// As [`Self::decomposition`].
    pub fn subdomain(&self, case: &Case) -> Result<Subdomain> {
        Ok(self.decomposition(case)?.subdomain(self.ranks.rank()))
    }
}

impl Case {
    /// How the grid is cut among so many ranks, if the ranks per direction are given or not; not within a cell of the
    /// coarsest grid of its method, if that halves it.
    ///
    /// # Errors
    /// As [`Context::decomposition`].
    pub fn decomposition(&self, layout: Option<[usize; 3]>, ranks: usize) -> Result<Decomposition> {
        let (cells, periodic) = (self.grid.cells(), self.boundaries.periodic());
        if let Some([x, y, z]) = layout.filter(|layout| layout.iter().product::<usize>() != ranks) {
            let problem = format!("a layout of {x} x {y} x {z} is not one of {ranks} ranks");
            let remedy = "give ranks in x, y and z whose product is the number of ranks";
            return Err(Error::Ranks { problem, remedy: remedy.into() });
        }
        let weights = match &self.ranks.balance {
            // One rank has everything, whatever its weight.
            Balance::Weights(weights) if ranks > 1 => weights.clone(),
            _ => vec![1.0; ranks],
        };
        if weights.len() != ranks {
            let problem = format!("has {} weights for {ranks} ranks", weights.len());
            return Err(Error::case("ranks.balance", problem, "give one number a rank"));
        }
        let (mut block, halvings) = ([1; 3], if ranks > 1 { halvings(self) } else { 0 });
        self.grid.directions().for_each(|d| block[d] = 1 << halvings);
        match layout {
            Some(layout) => Decomposition::weighted((cells, block), layout, periodic, &weights),
            None => Decomposition::choose_weighted((cells, block), periodic, &weights),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::threads::Threads;

    fn case() -> Case {
        let text = include_str!("../../../cases/cavity.toml");
        Case::parse(text, "cavity").expect("a built-in case")
    }

    #[test]
    fn the_cut_follows_the_balance_of_the_case() {
        let cut = |balance, ranks| case().balance(balance).decomposition(None, ranks);
        for equal in [Balance::Auto, Balance::Equal, Balance::Measured] {
            assert_eq!(cut(equal, 2).unwrap().starts[1], [0, 64, 128]);
        }
        let weights = || Balance::Weights(vec![7.0, 1.0]);
        assert_eq!(cut(weights(), 2).unwrap().starts[1], [0, 112, 128]);
        assert_eq!(cut(weights(), 1).unwrap().size(), 1);
        let wrong = cut(weights(), 3).unwrap_err();
        assert!(wrong.to_string().contains("ranks.balance: has 2 weights for 3 ranks"), "{wrong}");
    }

    #[test]
    fn a_rank_apart_keeps_its_place_on_the_machine() {
        let places = Threads::run(3, |ranks| {
            let apart = Context::new(Arc::new(ranks)).apart();
            let ranks = apart.ranks;
            Ok((ranks.rank(), ranks.size(), ranks.local_rank(), ranks.local_size()))
        });
        assert_eq!(places.unwrap(), [(0, 1, 0, 3), (0, 1, 1, 3), (0, 1, 2, 3)]);
    }
}
