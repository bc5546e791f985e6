//! Vortices that leave the box: what comes back of them.

use crate::vortices::{
    expect_developed_flow_to_leave, expect_vortices_to_leave, flow, looks, settled, stream,
};
use vortice_core::Values;
use vortice_fdm::METHOD;

/// Vorticity at each look.
fn vorticities(n: usize, length: f64, outflow: &str, vortices: &[[f64; 3]]) -> Vec<Vec<f64>> {
    let case = stream(METHOD.name, n, length, outflow);
    looks(&METHOD, &case, |state| {
        for (a, name) in ["velocity-x", "velocity-y"].into_iter().enumerate() {
            let Some(Values::F64(field)) = state.fields.get_mut(name) else { panic!("f64") };
            for cell in field.shape.all_cells() {
                *field.at_mut(0, cell) = flow(case.grid.low_face(a, cell), vortices).0[a];
            }
        }
    })
}

#[test]
fn vortices_leave() {
    expect_vortices_to_leave(METHOD.name, vorticities);
}

#[test]
fn a_developed_flow_leaves_undisturbed() {
    expect_developed_flow_to_leave(METHOD.name, |case| settled(&METHOD, case));
}
