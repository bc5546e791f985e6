//! Finds pockets: regions of the flow that solids and walls at rest close in, so that nothing drives what is in them.
//! Their pressure has no reference and their mass no way out; they are taken as solid.

mod regions;

use std::ops::Range;
use std::sync::Arc;

use rayon::prelude::*;

use crate::body::Body;
use crate::boundary::{Boundaries, Boundary, Side};
use crate::grid::Grid;
use crate::pocket_cells::{AlikeRows, PocketCells};
use crate::solid::{SolidBox, Solids};
use regions::Regions;

/// A grid, its boxes and bodies, and what they close in.
type Known = (Grid, Vec<SolidBox>, Vec<Arc<Body>>, Arc<PocketCells>);

/// The pockets between the solids of a grid.
#[derive(Clone, Debug, Default)]
pub struct Pockets {
    known: Option<Known>,
}

impl Pockets {
    /// Those between boxes and bodies.
    pub(crate) fn new(
        grid: &Grid,
        boxes: &[SolidBox],
        bodies: &[Arc<Body>],
        drive: &Drive<'_>,
    ) -> Self {
        let solids = Solids::new(boxes, bodies, grid, drive.boundaries.periodic());
        let cells = pockets(grid.cells(), &solids, drive);
        let known = |cells| (*grid, boxes.to_vec(), bodies.to_vec(), Arc::new(cells));
        Self { known: cells.map(known) }
    }

    /// The cells, if these are still the grid and the solids that they were looked for in.
    pub(crate) fn of(
        &self,
        grid: &Grid,
        boxes: &[SolidBox],
        bodies: &[Arc<Body>],
    ) -> Option<&Arc<PocketCells>> {
        let (known_grid, known_boxes, known_bodies, cells) = self.known.as_ref()?;
        let same_bodies = known_bodies.len() == bodies.len()
            && known_bodies.iter().zip(bodies).all(|(one, other)| Arc::ptr_eq(one, other));
        (known_grid == grid && known_boxes == boxes && same_bodies).then_some(cells)
    }
}

/// What may drive a flow.
pub(crate) struct Drive<'a> {
    pub(crate) boundaries: &'a Boundaries,
    /// Directions that a force acts in, or that the flow moves in at the start.
    pub(crate) along: [bool; 3],
    /// Whether the flow at the start is none that moves as a whole.
    pub(crate) is_stirred: bool,
}

/// The regions that nothing drives, unless there is but one: none that flows through an open end, has a moving wall
/// or a turning body, or goes on across a periodic end along which a force acts or the flow begins. If nothing is driven, or the flow
/// was stirred at the start, the largest region is no pocket either.
fn pockets(cells: [usize; 3], solids: &Solids, drive: &Drive<'_>) -> Option<PocketCells> {
    if solids.is_empty() {
        return None;
    }
    let rows = open_rows(cells, solids);
    let mut regions = Regions::new(&rows, cells, drive.boundaries.periodic());
    if regions.count() < 2 {
        return None;
    }
    for (d, side, face) in drive.boundaries.iter() {
        let acts = face.is_open() || (face.is_wall() && face.speed() > 0.0);
        let pulls = *face == Boundary::Periodic && drive.along[d] && side == Side::Low;
        if acts {
            regions.drive(at_end(&rows, cells, d, side));
        } else if pulls {
            regions.drive(across(&rows, cells, d));
        }
    }
    regions.drive(beside_turning(&rows, solids));
    regions.pockets(drive.is_stirred)
}

/// The cells that are not solid. Rows between which no solid begins or ends are alike.
fn open_rows(cells: [usize; 3], solids: &Solids) -> AlikeRows {
    let starts = [1, 2].map(|d| {
        let mut starts = vec![0, cells[d]];
        for block in solids.boxes() {
            starts.extend([block[d].start, block[d].end]);
        }
        for block in solids.body_blocks() {
            starts.extend(block[d].start..=block[d].end);
        }
        starts.sort_unstable();
        starts.dedup();
        starts
    });
    let mut rows = AlikeRows { starts, ..AlikeRows::default() };
    let all: Vec<_> = rows.pairs().collect();
    let row =
        |[a, b]: [usize; 2]| open_ranges(cells[0], solids, [rows.starts[0][a], rows.starts[1][b]]);
    let open: Vec<Vec<Range<usize>>> = all.into_par_iter().map(row).collect();
    rows.first.push(0);
    for ranges in open {
        rows.ranges.extend(ranges);
        rows.first.push(rows.ranges.len());
    }
    rows
}

/// What solids leave of a row.
fn open_ranges(n: usize, solids: &Solids, [j, k]: [usize; 2]) -> Vec<Range<usize>> {
    let mut open: Vec<_> = std::iter::once(0..n).collect();
    let is_here = |block: &&[Range<usize>; 3]| block[1].contains(&j) && block[2].contains(&k);
    for block in solids.boxes().filter(is_here) {
        let cut = |range: Range<usize>| {
            let [low, high] =
                [block[0].start, block[0].end].map(|i| i.clamp(range.start, range.end));
            [range.start..low, high..range.end]
        };
        open = open.into_iter().flat_map(cut).filter(|range| !range.is_empty()).collect();
    }
    if !solids.body_blocks().any(|block| is_here(&block)) {
        return open;
    }
    let mut left: Vec<Range<usize>> = Vec::new();
    for i in open.into_iter().flatten() {
        if solids.covers([i, j, k]) {
            continue;
        }
        match left.last_mut() {
            Some(last) if last.end == i => last.end += 1,
            _ => left.push(i..i + 1),
        }
    }
    left
}

/// The ranges that reach an end of the box.
fn at_end(rows: &AlikeRows, cells: [usize; 3], d: usize, side: Side) -> Vec<usize> {
    let last = rows.stretches().map(|n| n - 1);
    let is_last = |pair: &[usize; 2]| match (d, side) {
        (0, _) => true,
        (_, Side::Low) => pair[d - 1] == 0,
        (_, Side::High) => pair[d - 1] == last[d - 1],
    };
    let numbers = rows.pairs().filter(is_last).flat_map(|pair| rows.of(pair));
    let reaches = |&number: &usize| {
        let range = &rows.ranges[number];
        d != 0 || if side == Side::Low { range.start == 0 } else { range.end == cells[0] }
    };
    numbers.filter(reaches).collect()
}

/// The ranges at the lower end of a periodic direction that go on at the upper one.
fn across(rows: &AlikeRows, cells: [usize; 3], d: usize) -> Vec<usize> {
    let mut numbers = at_end(rows, cells, d, Side::Low);
    let upper = at_end(rows, cells, d, Side::High);
    if d == 0 {
        let row_ends = |number: &usize| rows.first.partition_point(|first| first <= number);
        let rows_above: Vec<usize> = upper.iter().map(row_ends).collect();
        numbers.retain(|number| rows_above.binary_search(&row_ends(number)).is_ok());
        return numbers;
    }
    let last = rows.stretches()[d - 1] - 1;
    let goes_on = |pair: [usize; 2], number: usize| {
        let mut opposite = pair;
        opposite[d - 1] = last;
        rows.of(opposite).any(|other| regions::overlap(&rows.ranges[number], &rows.ranges[other]))
    };
    let lower = rows.pairs().filter(|pair| pair[d - 1] == 0);
    lower
        .flat_map(|pair| rows.of(pair).filter(move |&n| goes_on(pair, n)).collect::<Vec<_>>())
        .collect()
}

/// The ranges with a cell beside a body that turns.
fn beside_turning(rows: &AlikeRows, solids: &Solids) -> Vec<usize> {
    let mut numbers = Vec::new();
    for (body, [x, y, z]) in solids.body_blocks().enumerate() {
        if !solids.turns(body) {
            continue;
        }
        let lines: Vec<_> = z.clone().flat_map(|k| y.clone().map(move |j| [j, k])).collect();
        let beside = |[j, k]: [usize; 2]| {
            let covered = x.clone().map(move |i| [i, j, k].map(|i| i as isize));
            let covered = covered.filter(|&cell| solids.body_at(cell) == Some(body));
            let around = covered.flat_map(|cell| {
                (0..3).flat_map(move |d| Side::BOTH.map(|side| side.next(cell, d)))
            });
            let mut found: Vec<usize> =
                around.filter_map(|cell| rows.range_at(solids.inside(cell))).collect();
            found.dedup();
            found
        };
        numbers.extend(lines.into_par_iter().flat_map_iter(beside).collect::<Vec<_>>());
    }
    numbers
}

#[cfg(test)]
mod tests;
