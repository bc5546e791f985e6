//! What this method cannot do, said before anything is built.

use vortice_core::{Case, Error, Result, Solids};

/// Refuses a case that the method cannot compute.
///
/// # Errors
/// If a periodic direction has an odd number of cells, or a solid is one cell thin.
pub(crate) fn check(case: &Case) -> Result<()> {
    odd_rings(case)?;
    thin_solids(case)
}

fn unsupported(key: &str, problem: String, remedy: &str) -> Error {
    Error::Unsupported { method: "fdm", key: key.into(), problem, remedy: remedy.into() }
}

/// Around a ring of odd length two neighbours have the same colour.
fn odd_rings(case: &Case) -> Result<()> {
    let periodic = case.boundaries.periodic();
    for d in case.grid.directions() {
        let n = case.grid.axes[d].len();
        if periodic[d] && n % 2 == 1 {
            let axis = ["x", "y", "z"][d];
            let problem = format!("needs an even number of cells in periodic {axis}, not {n}");
            return Err(unsupported("grid.cells", problem, "add or remove one cell there"));
        }
    }
    Ok(())
}

/// A solid with flow on two opposite sides of one cell has no room for its ghost values.
fn thin_solids(case: &Case) -> Result<()> {
    let solids = case.solids();
    if solids.is_empty() {
        return Ok(());
    }
    let n = case.grid.cells().map(|n| n as isize);
    for solid in &case.solid {
        let [x, y, z] = solid.cells(&case.grid);
        for cell in z.flat_map(|k| {
            let x = x.clone();
            y.clone().flat_map(move |j| x.clone().map(move |i| [i, j, k].map(|c| c as isize)))
        }) {
            for d in case.grid.directions() {
                if [-1, 1].iter().all(|&step| flows(&solids, cell, d, step, n, case)) {
                    let problem =
                        format!("needs solids at least two cells thick, see cell {cell:?}");
                    return Err(unsupported(
                        "solid",
                        problem,
                        "refine the grid or thicken the box",
                    ));
                }
            }
        }
    }
    Ok(())
}

fn flows(
    solids: &Solids,
    mut cell: [isize; 3],
    d: usize,
    step: isize,
    n: [isize; 3],
    case: &Case,
) -> bool {
    cell[d] += step;
    (case.boundaries.periodic()[d] || (0..n[d]).contains(&cell[d])) && !solids.contains(cell)
}
