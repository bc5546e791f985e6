//! How many threads a part of the lattice is worth.

use vortice_core::Subdomain;

/// Populations of a part below which one thread is as fast as several: to wake the others takes as long as a step. Measured on two
/// cores: D2Q9 between 96² and 128² cells, D3Q19 at 80² and at 12³.
const WORTH_SHARING: usize = 200_000;

/// Cells that a row costs beside its own.
const OF_A_ROW: usize = 64;

/// So many threads, or one, for a part whose cells have so many populations each.
pub(crate) fn threads(part: &Subdomain, populations: usize, most: usize) -> usize {
    let [n, rows @ ..] = part.n();
    let rows: usize = rows.iter().product();
    if (n + OF_A_ROW) * rows * populations < WORTH_SHARING { 1 } else { most }
}
