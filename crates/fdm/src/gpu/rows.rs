//! Which rows a half-sweep does first: those that other ranks wait for, so that the messages travel while
//! the others are done.

use vortice_core::Subdomain;

use super::numbers::Rows;

/// Fewer cells are done before a message would have left.
const FEWEST_CELLS: usize = 1 << 17;

/// Rows below which none are set apart.
const THINNEST: i32 = 4;

/// Rows of a subdomain in the order in which a half-sweep does them.
pub(crate) struct SplitRows {
    /// Rows beside other ranks; none if there is no time to be won.
    pub(crate) outer: Vec<Rows>,
    /// All others.
    pub(crate) inner: Rows,
}

impl SplitRows {
    /// Those of a part; all at once if it has no neighbours in y or z, has some in x, or is small.
    pub(crate) fn new(part: &Subdomain) -> Self {
        let [_, n_j, n_k] = part.n().map(|n| n as i32);
        let all = Rows { first: [0, 0], step: [1, 1], count: [n_j, n_k] };
        let mut split = Self { outer: Vec::new(), inner: all };
        let shares =
            |d: usize, side: usize| part.neighbours[d][side].is_some_and(|peer| peer != part.rank);
        let small = part.n().iter().product::<usize>() < FEWEST_CELLS;
        if small || shares(0, 0) || shares(0, 1) {
            return split;
        }
        // Planes across z first, then what is left of those across y.
        for (which, d) in [(1, 2), (0, 1)] {
            let sides = [shares(d, 0), shares(d, 1)].map(i32::from);
            let n = split.inner.count[which];
            if sides == [0, 0] {
                continue;
            }
            if n < THINNEST {
                return Self { outer: Vec::new(), inner: all };
            }
            let mut outer = split.inner;
            outer.first[which] = if sides[0] == 1 { 0 } else { n - 1 };
            outer.step[which] = n - 1;
            outer.count[which] = sides[0] + sides[1];
            split.outer.push(outer);
            split.inner.first[which] = sides[0];
            split.inner.count[which] = n - sides[0] - sides[1];
        }
        split
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use vortice_core::Decomposition;

    #[test]
    fn every_row_is_done_once() {
        for (cells, layout) in
            [([70, 80, 160], [1, 2, 2]), ([70, 60, 100], [1, 1, 3]), ([512, 1600, 1], [1, 3, 1])]
        {
            let cut = Decomposition::new(cells, layout, [false; 3]).expect("parts");
            for rank in 0..cut.size() {
                let part = cut.subdomain(rank);
                let [_, n_j, n_k] = part.n();
                let split = SplitRows::new(&part);
                let mut done = vec![0; n_j * n_k];
                for rows in split.outer.iter().chain([&split.inner]) {
                    let place =
                        |which: usize, n: i32| (rows.first[which] + rows.step[which] * n) as usize;
                    for k in 0..rows.count[1] {
                        for j in 0..rows.count[0] {
                            done[place(0, j) + n_j * place(1, k)] += 1;
                        }
                    }
                }
                assert!(done.iter().all(|times| *times == 1), "{cells:?} {layout:?} {rank}");
                assert!(!split.outer.is_empty(), "{cells:?} {layout:?} {rank}");
            }
        }
    }
}
