//! Levels that every rank has as a whole, put together from the cells that each computes.

use vortice_core::{Communicator, Region, Result, Shape, Subdomain};

use crate::levels::Levels;

/// The cells of a level that each rank computes before all ranks have all of them.
#[derive(Clone, Debug)]
pub struct Pieces {
    /// Where this rank's lie.
    pub own: Shape,
    /// Where all of them lie.
    pub whole: Shape,
    /// Those of each rank.
    pub parts: Vec<Subdomain>,
    rank: usize,
}

impl Pieces {
    /// Those of a level; none if ranks do not put it together.
    pub fn of(levels: &Levels, number: usize) -> Option<Self> {
        let level = &levels.levels[number];
        if number == 0 || !level.whole || levels.levels[number - 1].whole {
            return None;
        }
        let cut = &levels.cuts[number];
        let parts: Vec<_> = (0..cut.size()).map(|rank| cut.subdomain(rank)).collect();
        let own = Shape { cells: parts[levels.rank].n(), halo: level.shape.halo };
        Some(Self { own, whole: level.shape, parts, rank: levels.rank })
    }

    /// Global number of this rank's first cell.
    pub fn start(&self) -> [usize; 3] {
        self.parts[self.rank].offset()
    }

    /// Places of this rank's cells where they lie alone; in the direction of `faces` also those of the
    /// high faces at the end of the box.
    pub fn own_places(&self, faces: Option<usize>) -> impl Iterator<Item = usize> {
        places(&self.own, [0; 3], self.extent(&self.parts[self.rank], faces))
    }

    /// The same of a part among all cells.
    pub fn places_of(
        &self,
        part: &Subdomain,
        faces: Option<usize>,
    ) -> impl Iterator<Item = usize> + use<> {
        places(&self.whole, part.offset(), self.extent(part, faces))
    }

    /// Fills `whole` from the arrays `own` of all ranks.
    pub fn put_together(
        &self,
        ranks: &dyn Communicator,
        faces: Option<usize>,
        own: &[f64],
        whole: &mut [f64],
    ) -> Result<()> {
        let values: Vec<f64> = self.own_places(faces).map(|place| own[place]).collect();
        let theirs = ranks.all_gather(bytemuck::cast_slice(&values))?;
        for (part, bytes) in self.parts.iter().zip(theirs) {
            let values = bytes.chunks_exact(size_of::<f64>()).map(bytemuck::pod_read_unaligned);
            self.places_of(part, faces).zip(values).for_each(|(place, value)| whole[place] = value);
        }
        Ok(())
    }

    fn extent(&self, part: &Subdomain, faces: Option<usize>) -> [usize; 3] {
        let mut region = Region::own(Shape { cells: part.n(), halo: self.own.halo });
        if let Some(d) = faces {
            region.beyond[d] = usize::from(part.cells[d].end == self.whole.cells[d]);
        }
        region.cells()
    }
}

/// Places in memory of a box of cells, x fastest.
pub(crate) fn places(
    shape: &Shape,
    start: [usize; 3],
    cells: [usize; 3],
) -> impl Iterator<Item = usize> + use<> {
    let shape = *shape;
    let [x, y, z] = std::array::from_fn(|d| start[d] as isize..(start[d] + cells[d]) as isize);
    z.flat_map(move |k| {
        let x = x.clone();
        y.clone().flat_map(move |j| x.clone().map(move |i| shape.index([i, j, k])))
    })
}
