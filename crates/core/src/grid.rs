//! The box and its cells: geometry only, in metres.

use crate::extent::Extent;

/// One direction of the grid: equal cells between two ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Axis {
    cells: usize,
    low: f64,
    high: f64,
}

impl Axis {
    /// `cells` equal cells from `low` to `high`, in m.
    ///
    /// # Panics
    /// If there is no cell or the ends are not increasing: a case is checked before it gets here.
    pub fn uniform(cells: usize, low: f64, high: f64) -> Self {
        assert!(cells > 0 && high > low, "an axis needs cells and a positive length");
        Self { cells, low, high }
    }

    /// Number of cells.
    #[allow(clippy::len_without_is_empty)] // an axis is never empty
    pub fn len(&self) -> usize {
        self.cells
    }

    /// Lower end in m.
    pub fn low(&self) -> f64 {
        self.low
    }

    /// Upper end in m.
    pub fn high(&self) -> f64 {
        self.high
    }

    /// Distance between the ends in m.
    pub fn length(&self) -> f64 {
        self.high - self.low
    }

    /// Width of a cell in m.
    pub fn spacing(&self) -> f64 {
        self.length() / self.cells as f64
    }

    /// Position in m of face `i`, the low face of cell `i`.
    pub fn face(&self, i: isize) -> f64 {
        self.low + i as f64 * self.spacing()
    }

    /// The cell that a position in m lies in, as a range; of two the upper one, and beyond the ends the last.
    pub fn cell_at(&self, position: f64) -> std::ops::Range<usize> {
        let i = ((position - self.low) / self.spacing()).floor().max(0.0) as usize;
        let i = i.min(self.cells - 1);
        i..i + 1
    }

    /// Position in m of the centre of cell `i`.
    pub fn centre(&self, i: isize) -> f64 {
        self.low + (i as f64 + 0.5) * self.spacing()
    }
}

/// The whole box. A plane flow is one cell thick in z.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Grid {
    /// x, y and z.
    pub axes: [Axis; 3],
}

impl Grid {
    /// A box of `cells` equal cells, its low corner at `origin` (m), its edges `size` long (m).
    pub fn uniform(cells: [usize; 3], size: [f64; 3], origin: [f64; 3]) -> Self {
        let axis = |d: usize| Axis::uniform(cells[d], origin[d], origin[d] + size[d]);
        Self { axes: [axis(0), axis(1), axis(2)] }
    }

    /// The cell that a point (m) lies in; beyond the box the nearest one.
    pub fn cell_at(&self, point: [f64; 3]) -> [isize; 3] {
        std::array::from_fn(|d| self.axes[d].cell_at(point[d]).start as isize)
    }

    /// The box that some of the cells fill.
    pub fn part(&self, extent: &Extent) -> Self {
        let axis = |d: usize| {
            let (range, axis) = (&extent.cells[d], &self.axes[d]);
            if range.len() == axis.len() {
                return *axis;
            }
            let ends = [range.start, range.end].map(|i| axis.face(i as isize));
            Axis::uniform(range.len(), ends[0], ends[1])
        };
        Self { axes: [axis(0), axis(1), axis(2)] }
    }

    /// Cells per direction.
    pub fn cells(&self) -> [usize; 3] {
        self.axes.map(|axis| axis.len())
    }

    /// Cells in all.
    pub fn n_cells(&self) -> usize {
        self.cells().iter().product()
    }

    /// Widths of a cell in m.
    pub fn spacing(&self) -> [f64; 3] {
        self.axes.map(|axis| axis.spacing())
    }

    /// One cell thick in z: a plane flow, whose third direction methods skip.
    pub fn is_plane(&self) -> bool {
        self.axes[2].len() == 1
    }

    /// Area in m2 of a cell's faces across a direction, of a plane flow in m.
    pub fn face_area(&self, d: usize) -> f64 {
        let spacing = self.spacing();
        self.directions().filter(|&e| e != d).map(|e| spacing[e]).product()
    }

    /// The directions in which something can vary: x, y, and z unless the flow is plane.
    pub fn directions(&self) -> std::ops::Range<usize> {
        if self.is_plane() { 0..2 } else { 0..3 }
    }

    /// Centre in m of a cell's low face across a direction.
    pub fn low_face(&self, direction: usize, cell: [isize; 3]) -> [f64; 3] {
        let mut point = self.centre(cell);
        point[direction] = self.axes[direction].face(cell[direction]);
        point
    }

    /// Centres in m of cells all over the grid, `count` at most along each direction, the first among them.
    pub fn sampled_centres(&self, count: usize) -> impl Iterator<Item = [f64; 3]> + use<'_> {
        let n = self.cells();
        let [x, y, z] = n.map(|n| (0..n).step_by(n.div_ceil(count)));
        let rows = z.flat_map(move |k| y.clone().map(move |j| [j, k]));
        let cells = rows.flat_map(move |[j, k]| x.clone().map(move |i| [i, j, k]));
        cells.map(|cell| self.centre(cell.map(|i| i as isize)))
    }

    /// Centre in m of a cell.
    pub fn centre(&self, cell: [isize; 3]) -> [f64; 3] {
        std::array::from_fn(|d| self.axes[d].centre(cell[d]))
    }
}
