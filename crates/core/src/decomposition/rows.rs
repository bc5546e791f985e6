//! Which rows of a part a step does first: those that other ranks wait for, so that the messages travel
//! while the others are done.

use std::ops::Range;

use super::Subdomain;

/// Rows of own cells: `count` of them from `first` on, `step` apart, in y and z.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rows {
    /// The first.
    pub first: [usize; 2],
    /// From one to the next.
    pub step: [usize; 2],
    /// How many.
    pub count: [usize; 2],
}

/// Rows of a part in the order in which they are done; each is in one of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SplitRows {
    /// Rows beside other ranks; none if there is no time to be won.
    pub outer: Vec<Rows>,
    /// All others.
    pub inner: Rows,
}

/// Rows below which none are set apart.
const THINNEST: usize = 4;

impl Rows {
    /// The same rows as boxes in y and z without gaps.
    pub fn boxes(&self) -> impl Iterator<Item = [Range<usize>; 2]> + use<> {
        let Self { first, step, count } = *self;
        let pieces = move |d: usize| {
            let (number, length) = if step[d] == 1 { (1, count[d]) } else { (count[d], 1) };
            (0..number).map(move |n| {
                let start = first[d] + n * step[d];
                start..start + length
            })
        };
        pieces(1).flat_map(move |z| pieces(0).map(move |y| [y, z.clone()]))
    }
}

impl SplitRows {
    /// Those of a part; all at once if it has no neighbours in y or z, or fewer cells than `fewest`.
    /// Rows are not cut: if there are neighbours in x, what they wait for is in all of them.
    pub fn new(part: &Subdomain, fewest: usize) -> Self {
        let [_, n_j, n_k] = part.n();
        let all = Rows { first: [0, 0], step: [1, 1], count: [n_j, n_k] };
        let mut split = Self { outer: Vec::new(), inner: all };
        let shares = |d: usize| {
            part.neighbours[d].map(|peer| usize::from(peer.is_some_and(|peer| peer != part.rank)))
        };
        if part.n().iter().product::<usize>() < fewest || shares(0) != [0, 0] {
            return split;
        }
        // Planes across z first, then what is left of those across y.
        for (which, d) in [(1, 2), (0, 1)] {
            let [low, high] = shares(d);
            let n = split.inner.count[which];
            if low + high == 0 {
                continue;
            }
            if n < THINNEST {
                return Self { outer: Vec::new(), inner: all };
            }
            let mut outer = split.inner;
            outer.first[which] = if low == 1 { 0 } else { n - 1 };
            outer.step[which] = n - 1;
            outer.count[which] = low + high;
            split.outer.push(outer);
            split.inner.first[which] = low;
            split.inner.count[which] = n - low - high;
        }
        split
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decomposition::Decomposition;

    #[test]
    fn every_row_is_done_once() {
        for (cells, layout) in
            [([70, 80, 160], [1, 2, 2]), ([70, 60, 100], [1, 1, 3]), ([512, 1600, 1], [1, 3, 1])]
        {
            let cut = Decomposition::new(cells, layout, [false; 3]).expect("parts");
            for rank in 0..cut.size() {
                let part = cut.subdomain(rank);
                let [_, n_j, n_k] = part.n();
                let split = SplitRows::new(&part, 1 << 17);
                let (mut done, mut boxed) = (vec![0; n_j * n_k], vec![0; n_j * n_k]);
                for rows in split.outer.iter().chain([&split.inner]) {
                    let place = |which: usize, n: usize| rows.first[which] + rows.step[which] * n;
                    for k in 0..rows.count[1] {
                        for j in 0..rows.count[0] {
                            done[place(0, j) + n_j * place(1, k)] += 1;
                        }
                    }
                    for [y, z] in rows.boxes() {
                        z.for_each(|k| y.clone().for_each(|j| boxed[j + n_j * k] += 1));
                    }
                }
                assert!(done.iter().all(|times| *times == 1), "{cells:?} {layout:?} {rank}");
                assert_eq!(boxed, done, "{cells:?} {layout:?} {rank}");
                assert!(!split.outer.is_empty(), "{cells:?} {layout:?} {rank}");
            }
        }
    }

    #[test]
    fn small_thin_and_cut_rows_are_done_at_once() {
        let outer = |cells, layout, fewest| {
            let cut = Decomposition::new(cells, layout, [false; 3]).expect("parts");
            SplitRows::new(&cut.subdomain(0), fewest).outer.len()
        };
        assert_eq!(outer([64, 64, 64], [1, 2, 2], 1), 2);
        assert_eq!(outer([64, 64, 64], [1, 2, 2], 1 << 20), 0);
        assert_eq!(outer([64, 64, 64], [2, 2, 1], 1), 0);
        assert_eq!(outer([64, 64, 6], [1, 1, 2], 1), 0);
    }
}
