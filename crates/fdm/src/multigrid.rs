//! The pressure equation (F5) as multigrid and conjugate gradients see it: A p = -b, A p = sum over the
//! faces of a cell of c (p - p_neighbour).

use vortice_core::{Case, Shape, Side, Subdomain, Surfaces};

use crate::boundary::share_of_diagonal;

/// Coefficients of low faces in 1/m2, of own cells and of those one further at the high ends; by
/// direction, in the padded shape, none in z if the flow is plane.
pub(crate) fn coefficients(case: &Case, part: &Subdomain, shape: &Shape) -> [Vec<f64>; 3] {
    let (surfaces, spacing) = (Surfaces::of_part(case, part), case.grid.spacing());
    std::array::from_fn(|d| {
        if !case.grid.directions().contains(&d) {
            return Vec::new();
        }
        let weight = 1.0 / (spacing[d] * spacing[d]);
        let alone = surfaces.is_endless(d) && case.grid.axes[d].len() == 1;
        let mut c = vec![0.0; shape.len()];
        let range = |e: usize| 0..shape.cells[e] as isize + isize::from(e == d);
        for k in range(2) {
            for j in range(1) {
                for i in range(0).filter(|_| !alone) {
                    let kind = surfaces.face([i, j, k], d, Side::Low);
                    c[shape.index([i, j, k])] = weight * share_of_diagonal(kind);
                }
            }
        }
        c
    })
}
