//! Which ranges of rows belong together.

use std::ops::Range;

use crate::pocket_cells::{AlikeRows, PocketCells};

/// Ranges of rows, joined where they lie side by side.
pub(super) struct Regions<'a> {
    rows: &'a AlikeRows,
    /// For each range one before it of the same region, or itself.
    before: Vec<usize>,
    driven: Vec<bool>,
}

/// Whether two ranges have a place in common.
pub(super) fn overlap(one: &Range<usize>, other: &Range<usize>) -> bool {
    one.start < other.end && other.start < one.end
}

impl<'a> Regions<'a> {
    pub(super) fn new(rows: &'a AlikeRows, cells: [usize; 3], periodic: [bool; 3]) -> Self {
        let before = (0..rows.ranges.len()).collect();
        let mut regions = Self { rows, before, driven: vec![false; rows.ranges.len()] };
        let stretches = rows.stretches();
        for pair in rows.pairs() {
            let here = rows.of(pair);
            for d in 0..2 {
                let mut next = pair;
                next[d] += 1;
                if next[d] == stretches[d] {
                    next[d] = 0;
                }
                if next[d] > 0 || periodic[d + 1] {
                    regions.join_rows(here.clone(), rows.of(next));
                }
            }
            let ends = [here.start, here.end.wrapping_sub(1)];
            let is_open = |[first, last]: [usize; 2]| {
                rows.ranges[first].start == 0 && rows.ranges[last].end == cells[0]
            };
            if periodic[0] && !here.is_empty() && is_open(ends) {
                regions.join(ends[0], ends[1]);
            }
        }
        regions
    }

    /// How many regions there are.
    pub(super) fn count(&self) -> usize {
        self.before.iter().enumerate().filter(|(number, before)| number == *before).count()
    }

    /// The first range of the region that a range belongs to.
    fn first(&mut self, mut number: usize) -> usize {
        while self.before[number] != number {
            self.before[number] = self.before[self.before[number]];
            number = self.before[number];
        }
        number
    }

    fn join(&mut self, one: usize, other: usize) {
        let [one, other] = [one, other].map(|number| self.first(number));
        self.before[one.max(other)] = one.min(other);
    }

    /// Joins the ranges of two rows side by side, both in ascending order.
    fn join_rows(&mut self, mut one: Range<usize>, mut other: Range<usize>) {
        let rows = self.rows;
        while !one.is_empty() && !other.is_empty() {
            let [here, there] = [one.start, other.start].map(|number| &rows.ranges[number]);
            if overlap(here, there) {
                self.join(one.start, other.start);
            }
            if here.end < there.end {
                one.start += 1;
            } else {
                other.start += 1;
            }
        }
    }

    /// Says that something drives the regions of some ranges.
    pub(super) fn drive(&mut self, numbers: Vec<usize>) {
        for number in numbers {
            let first = self.first(number);
            self.driven[first] = true;
        }
    }

    /// The regions that nothing drives, but for the largest if nothing drives any, or if that is to stay.
    pub(super) fn pockets(mut self, largest_stays: bool) -> Option<PocketCells> {
        let rows = self.rows;
        let firsts: Vec<usize> = (0..self.before.len()).map(|number| self.first(number)).collect();
        let mut sizes = vec![0; firsts.len()];
        for pair in rows.pairs() {
            for number in rows.of(pair) {
                sizes[firsts[number]] += rows.ranges[number].len() * rows.alike(pair);
            }
        }
        // Of several of the same size the first.
        let largest = |of: &dyn Fn(usize) -> bool| {
            (0..sizes.len()).rev().filter(|&n| sizes[n] > 0 && of(n)).max_by_key(|&n| sizes[n])
        };
        if largest_stays || !self.driven.contains(&true) {
            let largest = largest(&|_| true)?;
            self.driven[largest] = true;
        }
        let is_pocket = |first: usize| sizes[first] > 0 && !self.driven[first];
        let largest = largest(&is_pocket)?;
        let all = (0..sizes.len()).filter(|&first| is_pocket(first));
        let mut closed = AlikeRows { starts: rows.starts.clone(), ..AlikeRows::default() };
        let mut example = [0; 3];
        for pair in rows.pairs() {
            closed.first.push(closed.ranges.len());
            for number in rows.of(pair).filter(|&number| is_pocket(firsts[number])) {
                closed.ranges.push(rows.ranges[number].clone());
                if number == largest {
                    let [j, k] = [0, 1].map(|d| rows.starts[d][pair[d]]);
                    example = [rows.ranges[number].start, j, k];
                }
            }
        }
        closed.first.push(closed.ranges.len());
        let cells = all.clone().map(|first| sizes[first]).sum();
        Some(PocketCells { rows: closed, cells, pockets: all.count(), example })
    }
}
