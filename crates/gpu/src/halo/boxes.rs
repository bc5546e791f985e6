//! Twin of `kernels/halo/boxes.cuh`.

crate::mirrored! {
    /// The messages of a pass: across the low and the high side.
    pub(super) struct Boxes {
        /// Cells of each message.
        cells: [u32; 2],
        /// Blocks that share it.
        blocks: [u32; 2],
        /// Values in a slot of its box.
        room: [i64; 2],
        /// Arrays that are sent, one after the other.
        arrays: i64,
    }
}

/// Slots of a box.
pub(super) const SLOTS: usize = 2;

/// Cells of a message that one block has, unless the message is long.
const CELLS_OF_BLOCK: usize = 1024;
/// Most blocks that share a message: a few for each multiprocessor of a large GPU.
pub(super) const MOST_BLOCKS: usize = 256;

/// Blocks that any GPU runs at the same time.
pub(super) const FEW_BLOCKS: u32 = 4;

/// Blocks that share the messages between two ranks, the same on both: there are so many cells one
/// way and the other.
pub(super) fn blocks(cells: [usize; 2]) -> u32 {
    let most = cells[0].max(cells[1]);
    most.div_ceil(CELLS_OF_BLOCK).clamp(1, MOST_BLOCKS) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_ranks_find_the_same_blocks() {
        assert_eq!(blocks([0, 0]), 1);
        assert_eq!(blocks([1025, 3]), blocks([3, 1025]));
        assert_eq!(blocks([10_000_000, 0]) as usize, MOST_BLOCKS);
    }

    #[test]
    fn the_header_has_the_same_fields() {
        let header = include_str!("../../../../kernels/halo/boxes.cuh");
        assert_eq!(crate::differences(header, "Boxes", Boxes::FIELDS), [""; 0]);
    }
}
