//! Boxes of cells with walls, open ends and solids for the tests.
#![allow(dead_code, unreachable_pub)] // each test uses some of it

use std::sync::Arc;

use vortice_core::{Communicator, Decomposition, Grid, Result, Shape, Solo, ThreadPool, Threads};
use vortice_linear::cpu::Multigrid;
use vortice_linear::{Level, Levels};

/// A box, its ends and what is solid in it.
#[derive(Clone)]
pub struct Problem {
    pub grid: Grid,
    /// Which directions are rings.
    pub periodic: [bool; 3],
    /// Which ends have a given value beyond them, `[direction][low, high]`; the others are walls.
    pub open: [[bool; 2]; 3],
    /// Whether a cell is solid.
    pub solid: fn([usize; 3]) -> bool,
    /// How much larger than 1 conductivities of cells are at most.
    pub contrast: f64,
}

impl Problem {
    /// A box with walls.
    pub fn walls(cells: [usize; 3], widths: [f64; 3]) -> Self {
        let size = std::array::from_fn(|d| cells[d] as f64 * widths[d]);
        let (grid, periodic) = (Grid::uniform(cells, size, [0.0; 3]), [false; 3]);
        Self { grid, periodic, open: [[false; 2]; 3], solid: |_| false, contrast: 1.0 }
    }

    /// A box with walls and cubic cells.
    pub fn cubes(cells: [usize; 3]) -> Self {
        Self::walls(cells, [1.0; 3])
    }

    /// With an open end.
    pub fn open(mut self, d: usize, side: usize) -> Self {
        self.open[d][side] = true;
        self
    }

    /// With rings.
    pub fn periodic(mut self, periodic: [bool; 3]) -> Self {
        self.periodic = periodic;
        self
    }

    /// With solids.
    pub fn solid(mut self, solid: fn([usize; 3]) -> bool) -> Self {
        self.solid = solid;
        self
    }

    /// With conductivities between 1 and `contrast`.
    pub fn contrast(mut self, contrast: f64) -> Self {
        self.contrast = contrast;
        self
    }

    pub fn halo(&self) -> [usize; 3] {
        if self.grid.is_plane() { [2, 2, 0] } else { [2, 2, 2] }
    }

    /// Number of a cell of the whole box.
    pub fn number(&self, cell: [usize; 3]) -> usize {
        let [nx, ny, _] = self.grid.cells();
        cell[0] + nx * (cell[1] + ny * cell[2])
    }

    /// All cells of a box that starts at `start`.
    pub fn cells(start: [usize; 3], n: [usize; 3]) -> impl Iterator<Item = [usize; 3]> {
        let range = move |d: usize| start[d]..start[d] + n[d];
        range(2).flat_map(move |k| range(1).flat_map(move |j| range(0).map(move |i| [i, j, k])))
    }

    fn conductivity(&self, cell: [usize; 3]) -> f64 {
        1.0 + (self.contrast - 1.0) * random(self.number(cell) as u64)
    }

    /// The conductance of the low face of a cell; that of the box's end for one past the end.
    pub fn conductance(&self, d: usize, cell: [usize; 3]) -> f64 {
        let (cells, widths, periodic) = (self.grid.cells(), self.grid.spacing(), self.periodic);
        let unit = widths.iter().product::<f64>() / (widths[d] * widths[d]);
        let mut here = cell;
        let mut before = cell;
        let at_end = cell[d] == 0 || cell[d] == cells[d];
        if at_end && !periodic[d] {
            let side = usize::from(cell[d] != 0);
            here[d] = if side == 0 { 0 } else { cells[d] - 1 };
            let open = self.open[d][side] && !(self.solid)(here);
            return if open { 2.0 * unit * self.conductivity(here) } else { 0.0 };
        }
        here[d] = cell[d] % cells[d];
        before[d] = (cell[d] + cells[d] - 1) % cells[d];
        if cells[d] == 1 || (self.solid)(here) || (self.solid)(before) {
            return 0.0;
        }
        unit * 0.5 * (self.conductivity(here) + self.conductivity(before))
    }

    /// Gives a part's own cells the coefficients, and prepares the coarser levels.
    pub fn fill(&self, grids: &mut Multigrid) -> Result<()> {
        let level = *grids.level();
        let c = grids.finest_mut().c;
        for d in self.grid.directions() {
            let mut n = level.shape.cells;
            n[d] += usize::from(level.start[d] + n[d] == self.grid.cells()[d]);
            for cell in Self::cells(level.start, n) {
                c[d][place(&level.shape, level.start, cell)] = self.conductance(d, cell);
            }
        }
        grids.prepare()
    }

    /// One rank with everything.
    pub fn multigrid(&self, threads: usize) -> Multigrid {
        self.part_of(Arc::new(Solo), [1; 3], threads)
    }

    /// What one of several ranks has.
    fn part_of(
        &self,
        ranks: Arc<dyn Communicator>,
        layout: [usize; 3],
        threads: usize,
    ) -> Multigrid {
        let cut = Decomposition::new(self.grid.cells(), layout, self.periodic).expect("a cut");
        let levels = Levels::new(&self.grid, &cut, ranks.rank(), self.halo()).expect("levels");
        let pool = Arc::new(ThreadPool::new(threads, 40_000).expect("threads"));
        let mut grids = Multigrid::new(levels, ranks, pool);
        self.fill(&mut grids).expect("no rank stops");
        grids
    }

    /// Runs every rank in a thread of its own and puts together what they return.
    pub fn on_ranks<T: Send>(
        &self,
        layout: [usize; 3],
        run: impl Fn(Multigrid) -> (Vec<f64>, T) + Sync,
    ) -> (Vec<f64>, Vec<T>) {
        let results = Threads::run(layout.iter().product(), |ranks| {
            let grids = self.part_of(Arc::new(ranks), layout, 1);
            let level = *grids.level();
            Ok((level, run(grids)))
        });
        let mut whole = vec![f64::NAN; self.grid.n_cells()];
        let mut others = vec![];
        for (level, (values, other)) in results.expect("no rank stops") {
            let cells = Self::cells(level.start, level.shape.cells);
            cells.zip(values).for_each(|(cell, value)| whole[self.number(cell)] = value);
            others.push(other);
        }
        (whole, others)
    }

    /// Random values in cells that are not solid, with zero mean if that is asked for.
    pub fn random(&self, seed: u64, centred: bool) -> Vec<f64> {
        let [nx, ny, nz] = self.grid.cells();
        let open: Vec<_> = Self::cells([0; 3], [nx, ny, nz]).map(|c| !(self.solid)(c)).collect();
        let number = |n: usize| random(seed.wrapping_mul(0x9e37_79b9) + n as u64) - 0.5;
        let mut values: Vec<f64> =
            open.iter().enumerate().map(|(n, &open)| if open { number(n) } else { 0.0 }).collect();
        if centred {
            centre(&mut values, &open);
        }
        values
    }

    /// Which cells are not solid.
    pub fn fluid(&self) -> Vec<bool> {
        Self::cells([0; 3], self.grid.cells()).map(|cell| !(self.solid)(cell)).collect()
    }
}

/// Takes the mean of some values from them.
pub fn centre(values: &mut [f64], of: &[bool]) {
    let some = || values.iter().zip(of).filter(|(_, of)| **of);
    let mean = some().map(|(v, _)| v).sum::<f64>() / some().count() as f64;
    values.iter_mut().zip(of).filter(|(_, of)| **of).for_each(|(v, _)| *v -= mean);
}

/// Place in memory of a cell of the whole box.
pub fn place(shape: &Shape, start: [usize; 3], cell: [usize; 3]) -> usize {
    shape.index(std::array::from_fn(|d| cell[d] as isize - start[d] as isize))
}

/// Values of the whole box into the own cells of an array.
pub fn scatter(values: &[f64], problem: &Problem, level: &Level, to: &mut [f64]) {
    for cell in Problem::cells(level.start, level.shape.cells) {
        to[place(&level.shape, level.start, cell)] = values[problem.number(cell)];
    }
}

/// The own cells of an array, x fastest.
pub fn own(level: &Level, from: &[f64]) -> Vec<f64> {
    let places = Problem::cells(level.start, level.shape.cells);
    places.map(|cell| from[place(&level.shape, level.start, cell)]).collect()
}

/// A number between 0 and 1 for each seed; Steele, Lea and Flood 2014.
pub fn random(seed: u64) -> f64 {
    let mut z = seed.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    ((z ^ (z >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
}
