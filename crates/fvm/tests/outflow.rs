//! Vortices that leave the box: what comes back of them.

use crate::vortices::{
    expect_developed_flow_to_leave, expect_vortices_to_leave, flow, looks, settled, stream,
};
use vortice_core::Values;
use vortice_fvm::METHOD;

/// Vorticity at each look.
fn vorticities(n: usize, length: f64, outflow: &str, vortices: &[[f64; 3]]) -> Vec<Vec<f64>> {
    let case = stream(METHOD.name, n, length, outflow);
    looks(&METHOD, &case, |state| {
        for (a, axis) in ["x", "y"].into_iter().enumerate() {
            for time in ["", "-last", "-before"] {
                let mut put = |name: &str, at: &dyn Fn([isize; 3]) -> [f64; 3]| {
                    let name = format!("{name}{time}-{axis}");
                    let Some(Values::F64(field)) = state.fields.get_mut(&name) else {
                        panic!("{name}")
                    };
                    for cell in field.shape.all_cells() {
                        *field.at_mut(0, cell) = flow(at(cell), vortices).0[a];
                    }
                };
                put("velocity", &|cell| case.grid.centre(cell));
                put("through", &|cell| case.grid.low_face(a, cell));
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
