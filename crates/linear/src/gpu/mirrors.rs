//! Structures that kernels are given; twins of those in `kernels/linear`.

use crate::levels::{Level as Cells, Levels};

vortice_gpu::mirrored! {
    /// The cells of a rank on one level, in `layout.cuh`.
    pub struct Layout {
        /// Place of the level's first value.
        first: i64,
        /// Own cells in x, y and z.
        cells: [i32; 3],
        /// Halo cells on each side.
        halo: [i32; 3],
        /// Values of a padded row.
        row: i32,
        /// Padded rows of a plane.
        rows: i32,
        /// Parity of the global indices of cell (0, 0, 0).
        origin: i32,
        /// Bits of periodic directions whose halo is written with the cells.
        wraps: i32,
    }
}

vortice_gpu::mirrored! {
    /// From a level to the next coarser one, in `level.cuh`.
    pub(crate) struct Transfer<T> {
        /// Of distances at the first, second, inner, last and end faces, by direction.
        ratios: [[T; 5]; 3],
        /// Weight of the half-sweeps that join the coarse correction.
        omega: T,
        /// Fine cells along a coarse one.
        factor: [i32; 3],
        /// First child of this rank's first coarse cell, whether it exists or not.
        child: [i32; 3],
        /// So much is added to a fine cell's number before it is divided by the factor.
        parent: [i32; 3],
        /// Fine cells exist from here on.
        begin: [i32; 3],
        /// And below.
        end: [i32; 3],
        /// Global number of this rank's first coarse cell.
        start: [i32; 3],
        /// Coarse cells of the whole box.
        all: [i32; 3],
        /// Nothing.
        unused: i32,
    }
}

vortice_gpu::mirrored! {
    /// A level and the step to the next, in `level.cuh`.
    pub(crate) struct Level<T> {
        /// Its cells.
        layout: Layout,
        /// Nothing on the last level.
        next: Transfer<T>,
        /// Bits of periodic directions.
        periodic: i32,
        /// Nothing.
        unused: i32,
    }
}

impl Layout {
    /// A level's cells, in arrays in which it begins at `first`.
    pub fn new(level: &Cells, first: usize) -> Self {
        let [row, rows, _] = level.shape.padded().map(|n| n as i32);
        Self {
            first: first as i64,
            cells: level.shape.cells.map(|n| n as i32),
            halo: level.shape.halo.map(|n| n as i32),
            row,
            rows,
            origin: (level.start.iter().sum::<usize>() % 2) as i32,
            wraps: wraps(level),
        }
    }

    /// Where the value at a place lies in an array in halves: there every second one of a row lies before the others. Twin of
    /// `place_in_halves` in `kernels/linear/layout.cuh`.
    pub fn place_in_halves(&self, place: usize) -> usize {
        let row = self.row as usize;
        let in_row = place % row;
        place - in_row + in_row % 2 * row.div_ceil(2) + in_row / 2
    }

    /// Values of an array on this level.
    pub(crate) fn len(&self) -> usize {
        let planes = self.cells[2] + 2 * self.halo[2];
        [self.row, self.rows, planes].iter().map(|&n| n as usize).product()
    }
}

/// Bits of the periodic directions that have an even number of cells on one rank; none if there are
/// others that are periodic.
fn wraps(level: &Cells) -> i32 {
    let periodic = || (0..level.directions).filter(|&d| level.periodic[d]);
    let simple = level.whole && periodic().all(|d| level.cells[d].is_multiple_of(2));
    if simple { periodic().map(|d| 1 << d).sum() } else { 0 }
}

impl Transfer<f64> {
    /// From a level to the next, of which this rank computes the cells from `start` on.
    pub(crate) fn new(levels: &Levels, fine: usize, start: [usize; 3]) -> Self {
        let (level, coarse) = (&levels.levels[fine], &levels.levels[fine + 1]);
        let step = &levels.plan.coarsenings[fine];
        let each = |number: &dyn Fn(usize) -> i64| std::array::from_fn(|d| number(d) as i32);
        let (factor, shift) = (|d: usize| step.factor[d] as i64, |d: usize| step.shift[d] as i64);
        let first = |d: usize| level.start[d] as i64;
        let parent = |d: usize| first(d) + shift(d) - coarse.start[d] as i64 * factor(d);
        Self {
            ratios: step.ratios.map(|of| [of.first, of.second, of.inner, of.last, of.end]),
            omega: step.omega,
            factor: each(&factor),
            child: each(&|d| start[d] as i64 * factor(d) - shift(d) - first(d)),
            parent: each(&parent),
            begin: each(&|d| -first(d)),
            end: each(&|d| level.cells[d] as i64 - first(d)),
            start: each(&|d| start[d] as i64),
            all: each(&|d| coarse.cells[d] as i64),
            unused: 0,
        }
    }

    /// Fine cells along a coarse one in x and y.
    pub(crate) fn factors(&self) -> [usize; 2] {
        [self.factor[0] as usize, self.factor[1] as usize]
    }

    /// None: of the last level.
    pub(crate) fn none() -> Self {
        let none = [0; 3];
        Self {
            ratios: [[0.0; 5]; 3],
            omega: 1.0,
            factor: none,
            child: none,
            parent: none,
            begin: none,
            end: none,
            start: none,
            all: none,
            unused: 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::launches::REGION;
    use super::super::program::PROGRAM;
    use super::super::reduction::BINS;
    use super::*;
    use crate::sums;
    use vortice_gpu::differences;

    fn source(name: &str) -> &'static str {
        PROGRAM.headers.iter().find(|(file, _)| *file == name).expect("a source").1
    }

    /// The members of an `enum class` in a header.
    fn members(file: &str, name: &str) -> Vec<String> {
        let text = source(file);
        let from = text.find(&format!("enum class {name} {{")).expect("an enumeration");
        let list = text[from..].split(['{', '}']).nth(1).unwrap_or_default();
        list.split(',').map(|member| member.trim().to_string()).collect()
    }

    #[test]
    fn scalars_and_formulas_have_the_numbers_of_their_twins() {
        use crate::scalars::{Formula, Slot};
        let slots = members("linear/scalars.cuh", "Scalar");
        assert_eq!(slots.len(), crate::scalars::SLOTS);
        let known = [
            Slot::Status,
            Slot::Iterations,
            Slot::Relative,
            Slot::Absolute,
            Slot::Target,
            Slot::Bb,
            Slot::Rr,
            Slot::RrStart,
            Slot::Zr,
            Slot::ZrOld,
            Slot::Pq,
            Slot::Alpha,
            Slot::Beta,
            Slot::Omega,
            Slot::Rho,
            Slot::RhoNext,
            Slot::HatV,
            Slot::Vv,
            Slot::HatHat,
            Slot::Ts,
            Slot::Tt,
            Slot::Ss,
            Slot::Restarts,
            Slot::Flag,
            Slot::Sum,
            Slot::Count,
            Slot::Mean,
        ];
        for (slot, member) in known.into_iter().zip(&slots) {
            assert_eq!(&format!("{slot:?}"), member);
            assert_eq!(&slots[slot as usize], member);
        }
        let formulas = members("linear/scalars.cuh", "Formula");
        assert_eq!(formulas.len(), Formula::Finish as usize + 1);
        for formula in [
            Formula::Start,
            Formula::CgDirection,
            Formula::CgStep,
            Formula::CgBoth,
            Formula::Next,
            Formula::Look,
            Formula::BiStep,
            Formula::BiOmega,
            Formula::BiNext,
            Formula::Mean,
            Formula::Finish,
        ] {
            assert_eq!(formulas[formula as usize], format!("{formula:?}"));
        }
    }

    #[test]
    fn structures_and_constants_equal_their_twins() {
        let structures = [
            ("linear/layout.cuh", "Layout", Layout::FIELDS),
            ("linear/level.cuh", "Transfer", Transfer::<f64>::FIELDS),
            ("linear/level.cuh", "Level", Level::<f64>::FIELDS),
        ];
        for (file, name, fields) in structures {
            assert_eq!(differences(source(file), name, fields), [""; 0], "{file}");
        }
        let region = format!("constexpr int REGION = {REGION},");
        assert!(source("linear/region.cuh").contains(&region), "{region}");
        let line = "constexpr int BINS = NOT_FINITE + DIGITS - 1;";
        assert!(source("linear/sums.cuh").contains(line), "{line}");
        assert_eq!(BINS as i64, sums::window(f64::INFINITY.to_bits()) + 3 - 1);
    }
}
