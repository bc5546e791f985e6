//! Ranks that are threads of one program.
#![allow(unreachable_pub)]

use std::convert::Infallible;
use std::sync::{Arc, Barrier, Mutex};

use vortice_linear::sums::Sum;
use vortice_linear::{Cut, Layout, Levels, Multigrid, Ranks, Team};

use crate::problem::{Problem, own};

/// What ranks show to each other.
struct Board {
    shown: Vec<Mutex<Vec<u8>>>,
    barrier: Barrier,
}

/// A rank that is a thread of this program.
pub struct Thread {
    rank: usize,
    board: Arc<Board>,
    levels: Levels,
}

impl Thread {
    /// What every rank shows.
    fn show(&self, mine: Vec<u8>) -> Vec<Vec<u8>> {
        *self.board.shown[self.rank].lock().expect("a board") = mine;
        self.board.barrier.wait();
        let all = self.board.shown.iter().map(|one| one.lock().expect("a board").clone()).collect();
        self.board.barrier.wait();
        all
    }
}

impl Ranks for Thread {
    type Error = Infallible;

    /// Puts the whole level together and looks up each halo cell.
    fn exchange(
        &self,
        level: usize,
        layout: &Layout,
        arrays: &mut [&mut [f64]],
    ) -> Result<(), Infallible> {
        let (level, cut) = (&self.levels.levels[level], &self.levels.cuts[level]);
        assert!(!level.whole && level.layout == *layout);
        for array in arrays {
            let mut whole = vec![f64::NAN; level.cells.iter().product()];
            let number = |c: [usize; 3]| c[0] + level.cells[0] * (c[1] + level.cells[1] * c[2]);
            for (part, values) in cut.parts().zip(self.gather(&own(level, array))?) {
                let cells = Problem::cells(part.start, part.cells);
                cells.zip(values).for_each(|(cell, value)| whole[number(cell)] = value);
            }
            let first: [isize; 3] = std::array::from_fn(|d| -(layout.halo[d] as isize));
            for n in Problem::cells([0; 3], layout.padded()) {
                let local: [isize; 3] = std::array::from_fn(|d| n[d] as isize + first[d]);
                let there: [Option<usize>; 3] = std::array::from_fn(|d| {
                    let all = level.cells[d] as isize;
                    let global = local[d] + level.part.start[d] as isize;
                    let global = if level.periodic[d] { global.rem_euclid(all) } else { global };
                    (0..all).contains(&global).then_some(global as usize)
                });
                if let [Some(i), Some(j), Some(k)] = there {
                    array[layout.index(local)] = whole[number([i, j, k])];
                }
            }
        }
        Ok(())
    }

    fn gather(&self, own: &[f64]) -> Result<Vec<Vec<f64>>, Infallible> {
        let bytes = own.iter().flat_map(|v| v.to_ne_bytes()).collect();
        let number = |b: &[u8]| f64::from_ne_bytes(b.try_into().expect("8 bytes"));
        let all = self.show(bytes);
        Ok(all.iter().map(|one| one.chunks_exact(8).map(number).collect()).collect())
    }

    fn sum(&self, sums: &mut [Sum]) -> Result<(), Infallible> {
        let words = |sum: &Sum| [&[sum.window], &sum.digits[..]].concat();
        let bytes = sums.iter().flat_map(words).flat_map(i64::to_ne_bytes).collect();
        sums.fill(Sum::default());
        for theirs in self.show(bytes) {
            for (mine, other) in sums.iter_mut().zip(theirs.chunks_exact(32)) {
                let word =
                    |n: usize| i64::from_ne_bytes(other[8 * n..][..8].try_into().expect("8 bytes"));
                *mine = mine.join(Sum { window: word(0), digits: [word(1), word(2), word(3)] });
            }
        }
        Ok(())
    }
}

/// Where parts begin when cells are shared as evenly as can be.
fn starts(cells: [usize; 3], ranks: [usize; 3]) -> [Vec<usize>; 3] {
    std::array::from_fn(|d| (0..=ranks[d]).map(|p| p * cells[d] / ranks[d]).collect())
}

/// Runs every rank in a thread of its own and puts together what they return.
pub fn on_ranks<T: Send>(
    problem: &Problem,
    ranks: [usize; 3],
    run: impl Fn(Multigrid<Arc<Thread>>) -> (Vec<f64>, T) + Sync,
) -> (Vec<f64>, Vec<T>) {
    let size = ranks.iter().product();
    let shown = (0..size).map(|_| Mutex::default()).collect();
    let board = Arc::new(Board { shown, barrier: Barrier::new(size) });
    let (board, run) = (&board, &run);
    let results: Vec<_> = std::thread::scope(|scope| {
        let ranks: Vec<_> = (0..size)
            .map(|rank| {
                let [px, py, _] = ranks;
                let position = [rank % px, rank / px % py, rank / (px * py)];
                let cut = Cut { starts: starts(problem.grid.cells, ranks), position };
                scope.spawn(move || {
                    let levels =
                        Levels::new(&problem.grid, &cut, problem.halo()).expect("a sound cut");
                    let thread = Thread { rank, board: board.clone(), levels: levels.clone() };
                    let team = Arc::new(Team::new(1).expect("a thread"));
                    let mut grids = Multigrid::new(levels, Arc::new(thread), team);
                    problem.fill(&mut grids).expect("nobody stops");
                    let part = cut.part();
                    (part, run(grids))
                })
            })
            .collect();
        ranks.into_iter().map(|rank| rank.join().expect("a result")).collect()
    });
    let mut whole = vec![f64::NAN; problem.grid.cells.iter().product()];
    let mut others = vec![];
    for (part, (values, other)) in results {
        let cells = Problem::cells(part.start, part.cells);
        cells.zip(values).for_each(|(cell, value)| whole[problem.number(cell)] = value);
        others.push(other);
    }
    (whole, others)
}
