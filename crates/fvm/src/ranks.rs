//! What the linear algebra asks of ranks, grids and threads, in the words of this house.

use std::cell::RefCell;
use std::rc::Rc;

use vortice_core::{Case, Communicator, Context, Error, Halo, Result, Shape, Subdomain};
use vortice_linear::sums::Sum;
use vortice_linear::{Cut, Grid, Layout, Ranks, Team};

/// The ranks that share the grid, on every level.
pub(crate) struct Exchange {
    ranks: Rc<dyn Communicator>,
    part: Subdomain,
    /// By level, as they are needed.
    halos: RefCell<Vec<Option<Halo>>>,
}

impl Exchange {
    /// The exchange of one rank.
    pub(crate) fn new(ranks: Rc<dyn Communicator>, part: Subdomain) -> Self {
        Self { ranks, part, halos: RefCell::default() }
    }
}

impl Ranks for Exchange {
    type Error = Error;

    fn exchange(&self, level: usize, layout: &Layout, arrays: &mut [&mut [f64]]) -> Result<()> {
        let mut halos = self.halos.borrow_mut();
        if halos.len() <= level {
            halos.resize_with(level + 1, || None);
        }
        let shape = Shape { cells: layout.cells, halo: layout.halo };
        let halo = halos[level].get_or_insert_with(|| Halo::new(&shape, &self.part));
        halo.exchange(&*self.ranks, arrays)
    }

    fn gather(&self, own: &[f64]) -> Result<Vec<Vec<f64>>> {
        let pieces = self.ranks.all_gather(bytemuck::cast_slice(own))?;
        let numbers = |bytes: Vec<u8>| {
            bytes.chunks_exact(size_of::<f64>()).map(bytemuck::pod_read_unaligned).collect()
        };
        Ok(pieces.into_iter().map(numbers).collect())
    }

    fn sum(&self, sums: &mut [Sum]) -> Result<()> {
        add_up(&*self.ranks, sums)
    }
}

/// Sums over all ranks, in one message, whatever device the ranks have.
///
/// # Errors
/// If a rank has stopped.
pub(crate) fn add_up(ranks: &dyn Communicator, sums: &mut [Sum]) -> Result<()> {
    if ranks.size() == 1 {
        return Ok(());
    }
    let words: Vec<[i64; WORDS]> = sums.iter().map(words_of).collect();
    sums.fill(Sum::default());
    for theirs in ranks.all_gather(bytemuck::cast_slice(&words))? {
        let words = theirs.chunks_exact(size_of::<[i64; WORDS]>());
        for (sum, words) in sums.iter_mut().zip(words.map(bytemuck::pod_read_unaligned)) {
            *sum = sum.join(sum_of(words));
        }
    }
    Ok(())
}

/// Numbers in the message of a sum.
const WORDS: usize = 4;

fn words_of(sum: &Sum) -> [i64; WORDS] {
    let [first, second, third] = sum.digits;
    [sum.window, first, second, third]
}

fn sum_of([window, first, second, third]: [i64; WORDS]) -> Sum {
    Sum { window, digits: [first, second, third] }
}

/// The grid of the pressure correction.
pub(crate) fn grid(case: &Case) -> Grid {
    let mut periodic = case.boundaries.periodic();
    periodic[2] &= !case.grid.is_plane();
    Grid {
        cells: case.grid.cells(),
        widths: case.grid.spacing(),
        periodic,
        directions: case.grid.directions().len(),
    }
}

/// How the grid is cut among the ranks.
///
/// # Errors
/// If the ranks do not fit it.
pub(crate) fn cut(case: &Case, context: &Context) -> Result<Cut> {
    let whole = context.decomposition(case)?;
    let position = whole.subdomain(context.ranks.rank()).position;
    Ok(Cut { starts: whole.starts, position })
}

/// The threads of one rank.
///
/// # Errors
/// If the system refuses them.
pub(crate) fn team(threads: usize) -> Result<Team> {
    Team::new(threads).map_err(linear)
}

/// What the linear algebra refuses, with a remedy.
pub(crate) fn linear(refusal: vortice_linear::Error) -> Error {
    let remedy = match refusal {
        vortice_linear::Error::Threads { .. } => "ask for fewer with --threads",
        _ => "use fewer ranks, or a grid with more cells in the directions that are cut",
    };
    Error::Ranks { problem: refusal.to_string(), remedy: remedy.into() }
}
