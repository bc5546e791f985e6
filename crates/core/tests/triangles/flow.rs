//! A sphere by numbers and one of triangles in the same flow: for the tests of every method.
#![allow(unreachable_pub, clippy::print_stdout)] // tests print the numbers that they judge

#[path = "mod.rs"]
mod balls;

use std::sync::Arc;

use balls::{ball, file};
use vortice_core::{Body, Case, Geometry, Mesh, Placement};

/// A flow past a sphere at Re = 20, and the same past a ball of triangles.
pub fn flows_past_a_sphere() -> [Case; 2] {
    let text = "title = 'sphere'\ngrid = { cells = [28, 20, 20], size = [1.4, 1.0, 1.0] }\n\
        fluid = { viscosity = 0.02 }\nscale = { length = 0.4, velocity = 1.0 }\n\
        run = { until = 1.0, device = 'cpu' }\ninitial = { velocity = [1.0, 0.0, 0.0] }\n\
        body.ball = { sphere = { centre = [0.51, 0.493, 0.507], radius = 0.2 } }\n[boundary]\n\
        x-low = { inflow = { velocity = [1.0, 0.0, 0.0] } }\nx-high = 'outflow'\n\
        y-low = 'symmetry'\ny-high = 'symmetry'\nz-low = 'symmetry'\nz-high = 'symmetry'\n";
    let sphere = Case::parse(text, "sphere").unwrap_or_else(|error| panic!("{error}"));
    let mut mesh = sphere.clone();
    let body = Body::clone(&sphere.bodies[0]);
    let Geometry::Sphere { centre, radius } = body.geometry else { panic!("{body:?}") };
    let placement = Placement { scale: radius, rotate: [0.0; 3], shift: centre };
    let triangles = Mesh::new(&file(&ball(5)), placement, None).expect("a closed surface");
    let geometry = Geometry::Mesh(Arc::new(triangles));
    mesh.bodies = vec![Arc::new(Body { geometry, ..body })];
    [sphere, mesh]
}

/// That both give the same force, and that there is one.
pub fn expect_same_drag(run: impl Fn(&Case) -> f64) {
    let [sphere, mesh] = flows_past_a_sphere().each_ref().map(run);
    println!("drag of a sphere {sphere} N, of triangles {mesh} N");
    assert!(sphere > 0.05 && (mesh / sphere - 1.0).abs() < 1e-2, "{sphere} {mesh}");
}
