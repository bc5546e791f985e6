//! Twin of `kernels/halo/sides.cuh`.

crate::mirrored! {
    /// Cells sent or received at each side.
    pub(super) struct Sides {
        low: u32,
        high: u32,
    }
}

impl Sides {
    /// Cells of both sides.
    pub(super) fn cells(self) -> usize {
        self.low as usize + self.high as usize
    }
}
