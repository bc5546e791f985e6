//! How far a flow is from an exact one, cell by cell.

use rayon::prelude::*;
use vortice_core::ExactFlow;

use crate::flow::Flow;

/// Cells whose errors are known before they are added up.
const BATCH: usize = 1 << 20;

/// What `sum` makes of the errors in all fluid cells against an exact flow at the same time: of the velocity, and of the scalar
/// that is shown where the case knows that too.
pub(super) fn with_errors<R>(
    flow: &Flow<'_>,
    exact: ExactFlow,
    sum: impl FnOnce(&mut dyn Iterator<Item = f64>) -> R,
) -> R {
    let (case, solids) = (flow.case, flow.case.solids());
    let [nx, ny, nz] = case.grid.cells();
    let scalar = case.carried().next().zip(flow.temperature);
    let scalar = scalar.and_then(|(of, field)| Some((of, of.exact.as_ref()?, field)));
    let off_in_scalar = |cell| match &scalar {
        Some((of, exact, field)) => {
            let there = exact.value(case.grid.centre(cell), flow.time);
            (field.at(0, cell) - there) / of.difference
        }
        None => 0.0,
    };
    let of_row = |row: usize| -> Vec<f64> {
        let cells = (0..nx).map(|i| [i, row % ny, row / ny].map(|i| i as isize));
        let fluid = cells.filter(|&cell| !solids.contains(cell));
        let errors = fluid.map(|cell| {
            let there = exact.velocity(case, case.grid.centre(cell), flow.time);
            let off = case.grid.directions().map(|c| flow.velocity.at(c, cell) - there[c]);
            let velocity = off.map(|x| x * x).sum::<f64>().sqrt() / case.scale.velocity;
            velocity.hypot(off_in_scalar(cell))
        });
        errors.collect()
    };
    // Threads share the rows, which are added up in their order, not all at once.
    let (rows, together) = (ny * nz, (BATCH / nx).max(1));
    let mut errors = (0..rows).step_by(together).flat_map(|first| {
        let rows = first..rows.min(first + together);
        rows.into_par_iter().map(of_row).collect::<Vec<_>>().into_iter().flatten()
    });
    sum(&mut errors)
}
