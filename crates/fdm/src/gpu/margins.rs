//! Rows of other ranks that tiles relax as well: a rank then hears of the others once a launch, not after each half-sweep.

use std::ops::Range;

use bytemuck::Pod;
use vortice_core::{Case, Communicator, Decomposition, Halo, HaloSide, Real, Result, Subdomain};
use vortice_gpu::Buffer;

use crate::colours::Colours;

/// Most iterations of a launch.
pub(crate) const BATCH: usize = 5;

/// Rows that a launch of most iterations spoils from the edge on: after each half-sweep one more waits for a
/// row beyond it.
const SPOILED: usize = 2 * BATCH;

/// Whether tiles are for such a flow: in a plane without periodic sides.
pub(crate) fn suit(case: &Case) -> bool {
    let [x, y, _] = case.boundaries.periodic();
    case.grid.is_plane() && !x && !y
}

/// How often ranks send something in a step of so many iterations, and how many values of each cell at a face; the
/// right-hand side once.
pub(crate) fn messages(iterations: f64) -> [f64; 2] {
    let times = 1.0 + (iterations / BATCH as f64).ceil();
    [times, times * (SPOILED + 1) as f64]
}

/// Rows beyond those of a part that lie in the same arrays. Where there are any, the row that is read beyond
/// the last one that is relaxed is a row of another rank, too.
pub(crate) struct Margins {
    /// Relaxed as well, beyond the low and the high side.
    rows: [usize; 2],
    /// The neighbours there.
    peers: [Option<usize>; 2],
    /// Own rows.
    own: usize,
    /// Parity of the global indices of the first cell that is relaxed.
    pub(crate) parity: usize,
}

/// The pressure equation of both colours with margins, in the memory of the fields without.
pub(crate) struct Wide<T> {
    pub(crate) p: [Buffer<T>; 2],
    pub(crate) right_hand_side: [Buffer<T>; 2],
    pub(crate) kinds: [Buffer<u8>; 2],
}

impl Margins {
    /// No rows of others.
    pub(crate) fn none(part: &Subdomain) -> Self {
        Self::beyond(part, [None, None])
    }

    /// Those of a rank, if tiles can do with them: a grid that is cut across y alone into parts that are not
    /// thinner, of ranks that all have a GPU.
    pub(crate) fn of(cut: &Decomposition, rank: usize, all_have_gpus: bool) -> Option<Self> {
        let part = cut.subdomain(rank);
        if cut.size() == 1 {
            return Some(Self::none(&part));
        }
        let thick = (0..cut.size()).all(|rank| cut.subdomain(rank).n()[1] > SPOILED);
        let suits = all_have_gpus && thick && [cut.ranks[0], cut.ranks[2]] == [1, 1];
        suits.then(|| Self::beyond(&part, part.neighbours[1]))
    }

    fn beyond(part: &Subdomain, peers: [Option<usize>; 2]) -> Self {
        let rows = peers.map(|peer| peer.map_or(0, |_| SPOILED));
        let parity = (part.offset().iter().sum::<usize>() + rows[0]) % 2;
        Self { rows, peers, own: part.n()[1], parity }
    }

    /// Whether there are none.
    pub(crate) fn is_none(&self) -> bool {
        self.peers == [None, None]
    }

    /// Rows that tiles relax.
    pub(crate) fn relaxed(&self) -> usize {
        self.rows[0] + self.own + self.rows[1]
    }

    /// Values of one colour.
    pub(crate) fn len(&self, colours: &Colours) -> usize {
        colours.len() + (self.rows[0] + self.rows[1]) * colours.row_length()
    }

    /// Those of two arrays that belong to the part and its halos, as arrays of their own.
    pub(crate) fn part_of<V: Pod>(
        &self,
        colours: &Colours,
        wide: &[Buffer<V>; 2],
    ) -> [Buffer<V>; 2] {
        wide.each_ref().map(|wide| wide.part(self.of_part(colours)))
    }

    fn of_part(&self, colours: &Colours) -> Range<usize> {
        let first = self.rows[0] * colours.row_length();
        first..first + colours.len()
    }

    /// The exchange that fills them.
    pub(crate) fn halo(&self, colours: &Colours) -> Halo {
        let length = colours.row_length();
        let places = |rows: Range<usize>| (rows.start * length..rows.end * length).collect();
        let side = |peer, send, receive| HaloSide {
            peer,
            within: false,
            send: places(send),
            receive: places(receive),
        };
        let (sent, first) = (SPOILED + 1, self.rows[0] + 1);
        let end = first + self.own;
        let low = self.peers[0].map(|peer| side(peer, first..first + sent, 0..first));
        let high = self.peers[1].map(|peer| side(peer, end - sent..end, end..end + sent));
        Halo::of(vec![[low, high]])
    }

    /// Values of the part with those of its neighbours.
    pub(crate) fn widened<T: Real>(
        &self,
        colours: &Colours,
        ranks: &dyn Communicator,
        values: [Vec<T>; 2],
    ) -> Result<[Vec<T>; 2]> {
        if self.is_none() {
            return Ok(values);
        }
        let mut wide = values.map(|values| {
            let mut wide = vec![T::default(); self.len(colours)];
            wide[self.of_part(colours)].copy_from_slice(&values);
            wide
        });
        self.halo(colours).exchange(ranks, &mut wide.each_mut().map(Vec::as_mut_slice))?;
        Ok(wide)
    }
}
