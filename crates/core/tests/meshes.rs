//! Bodies from STL files, from the case file on.

use std::path::Path;

use crate::triangles::{ball, deviation, file};
use vortice_core::{Case, Error, Surfaces, flow_keys};

/// A tetrahedron with edges of 1 along the axes, as text.
const TETRAHEDRON: [[[u8; 3]; 3]; 4] = [
    [[0, 0, 0], [0, 1, 0], [1, 0, 0]],
    [[0, 0, 0], [1, 0, 0], [0, 0, 1]],
    [[0, 0, 0], [0, 0, 1], [0, 1, 0]],
    [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
];

fn text(triangles: &[[[u8; 3]; 3]]) -> String {
    let facet = |corners: &[[u8; 3]; 3]| {
        let vertex = |[x, y, z]: [u8; 3]| format!("vertex {x} {y} {z}\n");
        let corners = corners.map(vertex).concat();
        format!("facet normal 0 0 0\nouter loop\n{corners}endloop\nendfacet\n")
    };
    format!("solid\n{}endsolid\n", triangles.iter().map(facet).collect::<String>())
}

/// A box of 2 m with a body in a file beside the case's.
fn case(folder: &Path, stl: &str) -> Result<Case, Error> {
    let text = format!(
        "title = 'mesh'\ngrid = {{ cells = [20, 20, 20], size = [2.0, 2.0, 2.0] }}\n\
         fluid = {{ viscosity = 0.01 }}\nscale = {{ length = 1.0, velocity = 1.0 }}\n\
         run = {{ until = 1.0 }}\nbody = {{ part = {{ stl = {{ {stl} }} }} }}\n[boundary]\n\
         x-low = 'wall'\nx-high = 'wall'\ny-low = 'wall'\ny-high = 'wall'\nz-low = 'wall'\nz-high = 'wall'\n"
    );
    let path = folder.join("case.toml");
    std::fs::write(&path, text).unwrap();
    Case::read(path)
}

#[test]
fn files_are_named_from_the_folder_of_the_case() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("parts")).unwrap();
    std::fs::write(folder.path().join("parts/one.stl"), text(&TETRAHEDRON)).unwrap();
    let of = |stl: &str| case(folder.path(), stl).unwrap_or_else(|error| panic!("{error}"));
    let one = of("file = 'parts/one.stl', scale = 1, move = [0.5, 0.5, 0.5]");
    assert!(one.solids().contains([6, 6, 6]) && !one.solids().contains([12, 12, 12]));
    assert_eq!(one.with(&["run.until=2.0".to_owned()]).unwrap().solids(), one.solids());
    // What it shows to a flow along x by default is a triangle.
    assert!((one.bodies[0].area - 0.5).abs() < 1e-12);
    let moved = of("file = 'parts/one.stl', scale = 1, move = [0.5, 0.5, 0.6]");
    assert_ne!(flow_keys(&one), flow_keys(&moved));
    let mut cut = TETRAHEDRON;
    cut.iter_mut().flatten().filter(|p| **p == [0, 0, 1]).for_each(|p| *p = [0, 0, 2]);
    std::fs::write(folder.path().join("parts/one.stl"), text(&cut)).unwrap();
    assert_ne!(
        flow_keys(&one),
        flow_keys(&of("file = 'parts/one.stl', scale = 1, move = [0.5, 0.5, 0.5]"))
    );
}

/// The same cells are solid, their walls are as far off as the triangles lie below the sphere, and coefficients refer
/// to the same area: with that of the box around it a drag was a quarter too small.
#[test]
fn a_ball_of_triangles_stands_in_a_flow_like_a_sphere() {
    let folder = tempfile::tempdir().unwrap();
    let (triangles, radius) = (ball(6), 0.43);
    std::fs::write(folder.path().join("ball.stl"), file(&triangles)).unwrap();
    let place = format!("scale = {radius}, move = [0.983, 1.0317, 1.0121]");
    let mesh = case(folder.path(), &format!("file = 'ball.stl', {place}")).unwrap();
    let shape = format!(
        "body.part={{ sphere = {{ centre = [0.983, 1.0317, 1.0121], radius = {radius} }} }}"
    );
    let sphere = mesh.with(&[shape]).unwrap();
    let off = 1.0 - mesh.bodies[0].area / sphere.bodies[0].area;
    assert!(off > 0.0 && off < 2e-4, "{off}");

    let [of_mesh, of_sphere] = [&mesh, &sphere].map(Surfaces::new);
    let below = radius * deviation(&triangles) * 1.1;
    let (mut links, mut worst) = (0, 0.0_f64);
    for n in 0..8000_isize {
        let cell = [n % 20, n / 20 % 20, n / 400];
        assert_eq!(of_mesh.is_solid(cell), of_sphere.is_solid(cell), "{cell:?}");
        for way in (0..27).map(|n: isize| [n % 3 - 1, n / 3 % 3 - 1, n / 9 - 1]) {
            let to: [isize; 3] = std::array::from_fn(|d| cell[d] + way[d]);
            if of_sphere.is_solid(cell) || !of_sphere.is_inside(to) {
                continue;
            }
            let walls = [&of_mesh, &of_sphere].map(|surfaces| surfaces.body_wall(cell, to));
            assert_eq!(walls[0].is_some(), walls[1].is_some(), "{cell:?} {way:?}");
            let [Some(wall), Some(_)] = walls else { continue };
            let [from, to] = [cell, to].map(|cell| mesh.grid.centre(cell));
            let met = std::array::from_fn(|d| from[d] + wall.share * (to[d] - from[d]));
            worst = worst.max(sphere.bodies[0].distance(met).abs());
            links += 1;
        }
    }
    assert!(links > 2000 && worst < below, "{links} links, {worst} of {below}");
}

#[test]
fn what_is_wrong_is_said_with_the_key() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    write("good.stl", &text(&TETRAHEDRON));
    write("open.stl", &text(&TETRAHEDRON[1..]));
    write("empty.stl", "");
    write("text.stl", "a letter");
    std::fs::create_dir(folder.path().join("folder.stl")).unwrap();
    for (stl, key, problem) in [
        ("file = 'none.stl', scale = 1", "stl.file", "`none.stl` cannot be read"),
        ("file = 'folder.stl', scale = 1", "stl.file", "cannot be read"),
        ("file = 'open.stl', scale = 1", "stl.file", "`open.stl` is open"),
        ("file = 'empty.stl', scale = 1", "stl.file", "is empty"),
        ("file = 'text.stl', scale = 1", "stl.file", "is no STL file"),
        ("file = 'good.stl'", "stl.scale", "missing"),
        ("file = 'good.stl', scale = 0", "stl.scale", "positive"),
        ("file = 'good.stl', scale = 1, rotate = [0, 0, inf]", "stl.rotate", "finite"),
        ("file = 'good.stl', scale = 1, move = [nan, 0, 0]", "stl.move", "finite"),
        ("file = 'good.stl', scale = 1e300, move = [1e308, 1, 1]", "", "outside"),
        ("file = 'good.stl', scale = 1, shift = [1, 0, 0]", "stl.shift", "no key"),
        ("file = 'good.stl', scale = 1, move = [5, 5, 5]", "", "lies outside the box"),
        ("file = 'good.stl', scale = 0.01, move = [1.01, 1.01, 1.01]", "", "no cell"),
    ] {
        let error = case(folder.path(), stl).expect_err(stl);
        let said = format!("{error}");
        let key = format!("body.part{}{key}: ", if key.is_empty() { "" } else { "." });
        assert!(said.starts_with(&key) && said.contains(problem), "{stl}: {said}");
        assert!(!error.remedy().is_empty() && error.place().is_some(), "{said}");
    }
    let source = case(folder.path(), "file = 'good.stl', scale = 1").unwrap().source;
    let error = Case::parse(&source, "case").expect_err("no folder");
    assert!(format!("{error}").contains("lies in no folder"), "{error}");
}
