//! A rank's own part of a flow, swept over once: what derivatives need of the layers before is kept, and of what lies
//! beside the part the other ranks tell it before.

use crate::case::Case;
use crate::decomposition::Decomposition;
use crate::derived::{EnergySum, REACH};
use crate::extent::Extent;
use crate::field::Field;
use crate::fill_rows::{fill_rows, zeros};
use crate::window::{self, Piece, Window, within_grid};

/// The own part of a rank, of which slabs come one after the other.
pub(crate) struct Sweep<'a> {
    case: &'a Case,
    part: Extent,
    /// The direction that slabs lie across.
    across: usize,
    /// Velocities of the cells beside the part, as far as there are any; and how many of these there are on each side.
    beside: Vec<Window<'static>>,
    reach: [[usize; 2]; 3],
    /// The velocity in layers of the part, the last of which are still to be looked at.
    window: Window<'static>,
    /// Room for the next ones.
    room: Vec<f64>,
    /// The first layer that is still to be looked at.
    next: isize,
}

/// The cells beside a rank's part of a grid that derivatives in it look at, and where they lie as the part counts.
pub(crate) fn beside_part(case: &Case, cut: &Decomposition, rank: usize) -> Vec<Piece> {
    let part = Extent { cells: cut.subdomain(rank).cells };
    let mut endless = case.boundaries.periodic();
    endless[2] |= case.grid.is_plane();
    let mut all = Vec::new();
    for d in 0..3 {
        let range = part.cells[d].start as isize..part.cells[d].end as isize;
        // A window that has all cells of a direction knows those across its periodic ends.
        if range.len() == cut.cells[d] && d != part.across() {
            continue;
        }
        let reach = REACH as isize;
        for side in [range.start - reach..range.start, range.end..range.end + reach] {
            for inside in within_grid(side, cut.cells[d], endless[d]) {
                let (mut extent, mut first) = (part.clone(), part.offset().map(|i| i as isize));
                (extent.cells[d], first[d]) = (inside.cells, inside.first);
                all.push(Piece { extent, first });
            }
        }
    }
    all
}

impl<'a> Sweep<'a> {
    /// Of a part, with the velocities of the cells beside it.
    pub(crate) fn new(case: &'a Case, part: Extent, beside: Vec<Window<'static>>) -> Self {
        let across = part.across();
        let offset = part.offset().map(|i| i as isize);
        let of_side = |d: usize, is_low: bool| {
            let there = beside.iter().filter(|window| match is_low {
                true => window.first()[d] < offset[d],
                false => window.first()[d] >= part.cells[d].end as isize,
            });
            there.map(|window| window.field().shape.cells[d]).sum()
        };
        let reach = std::array::from_fn(|d| [of_side(d, true), of_side(d, false)]);
        let (window, next) = (Window::at(offset, nothing()), offset[across]);
        Self { case, part, across, beside, reach, window, room: Vec::new(), next }
    }

    /// Goes on with the velocity in the next slab of the part; returns the sums of those cells whose neighbours are all
    /// there by now. The threads of the pool that this is called in share the work.
    pub(crate) fn go_on(&mut self, slab: &Window<'_>) -> EnergySum {
        let Self { across, .. } = *self;
        let begin = slab.first()[across];
        let end = begin + slab.field().shape.cells[across] as isize;
        let is_last = end == self.part.cells[across].end as isize;
        let [low, high] = self.reach[across].map(|cells| cells as isize);
        let is_first = begin == self.part.cells[across].start as isize;
        let from = match is_first {
            true => begin - low,
            false => self.window.first()[across].max(self.next - REACH as isize),
        };
        let (until, known) = if is_last { (end + high, end) } else { (end, end - REACH as isize) };
        let joined = self.joined([from, begin, until], slab);
        self.room = std::mem::replace(&mut self.window, joined).into_values();
        let mut ready = self.part.clone();
        let known = known.max(self.next);
        ready.cells[across] = self.next as usize..known as usize;
        self.next = known;
        match ready.n_cells() {
            0 => EnergySum::default(),
            _ => EnergySum::of(self.case, &ready, &self.window),
        }
    }

    /// The layers `from..until` with what lies beside them: those before `begin` as they are kept, the others from the
    /// slab. Cells that lie beside the part in two directions are not looked at.
    fn joined(&mut self, [from, begin, until]: [isize; 3], slab: &Window<'_>) -> Window<'static> {
        let Self { part, across, beside, reach, window, room, .. } = self;
        let mut first: [isize; 3] =
            std::array::from_fn(|d| part.cells[d].start as isize - reach[d][0] as isize);
        let mut n: [usize; 3] =
            std::array::from_fn(|d| part.cells[d].len() + reach[d].iter().sum::<usize>());
        (first[*across], n[*across]) = (from, (until - from) as usize);
        let components = slab.field().components;
        let count = components * n.iter().product::<usize>();
        let mut values = std::mem::take(room);
        if values.len() < count {
            values = zeros(count);
        }
        values.truncate(count);
        fill_rows([&mut values], n[0], |number, [to]| {
            let (row, c) = (number % (n[1] * n[2]), number / (n[1] * n[2]));
            let row = [first[1] + (row % n[1]) as isize, first[2] + (row / n[1]) as isize];
            if row[*across - 1] < begin
                && let Some((_, kept)) = window.row(c, row)
            {
                to.copy_from_slice(kept);
                return;
            }
            for (begin, values) in beside.iter().chain([slab]).filter_map(|one| one.row(c, row)) {
                to[(begin - first[0]) as usize..][..values.len()].copy_from_slice(values);
            }
        });
        Window::at(first, Field { components, values, ..nothing() }.with_cells(n))
    }
}

/// No values.
fn nothing() -> Field {
    window::zeros([0; 3], 0)
}
