//! The pressure equation (F5) as multigrid and conjugate gradients see it: A p = -b, A p = sum over the
//! faces of a cell of c (p - p_neighbour).

use vortice_core::{Boundary, Case, Shape, Solids, Subdomain};

/// Coefficients of low faces in 1/m2, of own cells and of those one further at the high ends; by
/// direction, in the padded shape, none in z if the flow is plane.
pub(crate) fn coefficients(case: &Case, part: &Subdomain, shape: &Shape) -> [Vec<f64>; 3] {
    let (solids, spacing) = (case.solids(), case.grid.spacing());
    std::array::from_fn(|d| {
        if !case.grid.directions().contains(&d) {
            return Vec::new();
        }
        let weight = 1.0 / (spacing[d] * spacing[d]);
        let mut c = vec![0.0; shape.len()];
        let range = |e: usize| 0..shape.cells[e] as isize + isize::from(e == d);
        for k in range(2) {
            for j in range(1) {
                for i in range(0) {
                    let share = share(case, &solids, d, part.global([i, j, k]));
                    c[shape.index([i, j, k])] = share * weight;
                }
            }
        }
        c
    })
}

/// What a low face adds to the diagonals of the cells beside it, in units of 1/h2: nothing at walls and
/// solids, twice at a face of given pressure, which is half as far away.
fn share(case: &Case, solids: &Solids, d: usize, high: [isize; 3]) -> f64 {
    let n = case.grid.axes[d].len() as isize;
    let mut low = high;
    low[d] -= 1;
    let flows = |cell: [isize; 3]| !solids.contains(cell);
    let [at_low, at_high] = &case.boundaries.0[d];
    if matches!(at_low, Boundary::Periodic) {
        let around = |mut cell: [isize; 3]| {
            cell[d] = cell[d].rem_euclid(n);
            cell
        };
        return f64::from(u8::from(n > 1 && flows(around(low)) && flows(around(high))));
    }
    let (end, inside) = match high[d] {
        0 => (at_low, high),
        last if last == n => (at_high, low),
        _ => return f64::from(u8::from(flows(low) && flows(high))),
    };
    if matches!(end, Boundary::Outflow { .. }) && flows(inside) { 2.0 } else { 0.0 }
}
