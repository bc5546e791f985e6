//! Any bytes are read as a surface of triangles, or refused; what is read answers, and its rows are closed.

use vortice_core::{Mesh, Placement};

/// One input.
pub(crate) fn target(bytes: &[u8]) {
    let placement = Placement { scale: 0.5, rotate: [0.0, 90.0, 30.0], shift: [1.0, 0.0, -1.0] };
    for plane in [None, Some(-1.0)] {
        match Mesh::new(bytes, placement, plane) {
            Ok(mesh) => {
                let facts = mesh.facts();
                assert!(facts.volume > 0.0 && facts.triangles > 3);
                assert!(facts.bounds.iter().flatten().all(|x| x.is_finite()));
            }
            Err([problem, remedy]) => assert!(!problem.is_empty() && !remedy.is_empty()),
        }
    }
}
