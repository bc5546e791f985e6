//! A number by which one list of numbers is told from another.

/// FNV-1a over the bytes of all numbers.
pub(crate) fn checksum(numbers: impl Iterator<Item = f64>) -> u64 {
    numbers.flat_map(f64::to_le_bytes).fold(0xcbf2_9ce4_8422_2325, |sum, byte| {
        (sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}
