use super::*;

/// Points that repeat themselves late, between -2 and 2.
fn points() -> impl Iterator<Item = [f64; 3]> {
    let share = |n: usize, by: f64| (n as f64 * by).fract();
    (1..3000).map(move |n| [0.618034, 0.7548777, 0.5698403].map(|by| 4.0 * share(n, by) - 2.0))
}

#[test]
fn a_cube_of_triangles_is_a_box() {
    let placement = Placement { scale: 0.5, rotate: [90.0, 0.0, -90.0], shift: [0.25, 0.0, -0.75] };
    let mesh = of(&cube([0.0; 3]), placement);
    // About x: y to z; about z back: x to -y.
    let shape = Geometry::Box { low: [-0.25, -0.5, -0.75], high: [0.25, 0.0, -0.25] };
    assert_eq!(mesh.bounds(), shape.bounds());
    for (from, to) in points().zip(points().skip(7)) {
        let off = mesh.distance(from) - shape.distance(from);
        assert!(off.abs() < 1e-14, "{from:?}: {off}");
        match [mesh.crossing(from, to), shape.crossing(from, to)] {
            [Some(one), Some(other)] => assert!((one - other).abs() < 1e-13, "{one} {other}"),
            both => assert_eq!(both, [None, None]),
        }
    }
    let facts = mesh.facts();
    assert!((facts.volume - 0.125).abs() < 1e-15 && (facts.area - 1.5).abs() < 1e-14);
    assert_eq!((facts.triangles, facts.notes.len()), (12, 0));
    // Centres on faces, edges and corners, and lines along all of these.
    let grid = Grid::uniform([16, 16, 16], [1.0; 3], [-0.53125, -0.78125, -0.96875]);
    assert_eq!(covered(&mesh, &grid), 9 * 9 * 9);
}

#[test]
fn a_cube_that_lies_askew_is_a_box_seen_askew() {
    let placement = Placement { scale: 1.0, rotate: [0.0, 0.0, 30.0], shift: [0.1, -0.2, 0.3] };
    let mesh = of(&cube([-0.5; 3]), placement);
    let (sine, cosine) = 30.0_f64.to_radians().sin_cos();
    for point in points() {
        let [x, y, z] = [point[0] - 0.1, point[1] + 0.2, point[2] - 0.3];
        let seen = [cosine * x + sine * y, cosine * y - sine * x, z];
        let exact = Geometry::Box { low: [-0.5; 3], high: [0.5; 3] }.distance(seen);
        assert!((mesh.distance(point) - exact).abs() < 1e-14, "{point:?}");
    }
    covered(&mesh, &Grid::uniform([21, 23, 19], [2.0; 3], [-1.0; 3]));
}

#[test]
fn a_ball_of_triangles_becomes_a_sphere() {
    let centre = [0.03, -0.11, 0.07];
    let sphere = Geometry::Sphere { centre, radius: 1.0 };
    let mut before = f64::NAN;
    for times in 1..5 {
        let mesh = of(&ball(times), Placement { shift: centre, ..AS_IT_IS });
        assert_eq!(mesh.facts().triangles, 20 * 4_usize.pow(times as u32));
        let [mut distances, mut shares] = [0.0_f64; 2];
        for (from, to) in points().zip(points().skip(11)) {
            let [one, other] = [mesh.distance(from), sphere.distance(from)];
            distances = distances.max((one - other).abs());
            // Of lines that do not graze it.
            let middle: [f64; 3] = std::array::from_fn(|d| 0.5 * (from[d] + to[d]));
            let enters = sphere.distance(from) > 0.2 && sphere.distance(to) < -0.2;
            if enters && sphere.distance(middle).abs() < 0.5 {
                let both = [mesh.crossing(from, to), sphere.crossing(from, to)];
                let [one, other] = both.map(|share| share.expect("a wall"));
                shares = shares.max((one - other).abs());
            }
        }
        println!(
            "{} triangles: distances {distances:.1e}, walls {shares:.1e}",
            20 * 4_i32.pow(times as u32)
        );
        // How far a triangle lies below the sphere: a quarter each time.
        assert!(times == 1 || distances < 0.3 * before, "{distances} {before}");
        before = distances;
    }
    assert!(before < 2e-3);
}

#[test]
fn cells_of_a_fine_ball_fill_its_volume() {
    let mesh = of(&ball(6), AS_IT_IS);
    let grid = Grid::uniform([128; 3], [2.5; 3], [-1.25; 3]);
    let start = std::time::Instant::now();
    let rows = mesh.rows(&grid, &[0..128, 0..128, 0..128], false);
    let cells: usize = rows.iter().flat_map(|(_, ranges)| ranges).map(ExactSizeIterator::len).sum();
    println!("{} triangles on 128^3 cells: {:.2?}", mesh.facts().triangles, start.elapsed());
    let share = cells as f64 * (2.5_f64 / 128.0).powi(3) / mesh.facts().volume;
    assert!((share - 1.0).abs() < 2e-3, "{share}");
    assert!((mesh.facts().volume - 4.0 / 3.0 * std::f64::consts::PI).abs() < 1e-3);
}

#[test]
fn a_surface_shows_its_shadow() {
    let endless = [[f64::NEG_INFINITY, f64::INFINITY]; 2];
    let shown = |triangles: &[Corners], placement| of(triangles, placement).silhouette(endless);
    for times in 2..6 {
        let off = 1.0 - shown(&ball(times), AS_IT_IS) / std::f64::consts::PI;
        println!("{} triangles: a disc less {off:.1e}", 20 * 4_i32.pow(times as u32));
        assert!(off > 0.0 && off < 0.7 / 4.0_f64.powi(times as i32), "{off}");
    }
    // One behind the other, side by side, and half beside the other.
    for (way, area) in [([3.0, 0.0, 0.0], 1.0), ([1.0, 2.5, 0.0], 2.0), ([3.0, 0.5, 0.0], 1.5)] {
        let both = [cube([0.0; 3]), cube(way)].concat();
        assert!((shown(&both, AS_IT_IS) - area).abs() < 1e-12, "{way:?}");
    }
    let askew = Placement { rotate: [0.0, 0.0, 30.0], ..AS_IT_IS };
    let width = 0.5 + 0.75_f64.sqrt();
    assert!((shown(&cube([0.0; 3]), askew) - width).abs() < 1e-12);
    let window = [[0.25, 9.0], [-9.0, 0.5]];
    assert!((of(&cube([0.0; 3]), AS_IT_IS).silhouette(window) - 0.375).abs() < 1e-12);
}

#[test]
fn shells_that_overlap_are_one_body_and_a_cavity_is_none_of_it() {
    let both = [cube([0.0; 3]), cube([0.5, 0.25, 0.0])].concat();
    let mesh = of(&both, AS_IT_IS);
    for (point, is_inside) in [
        ([0.2, 0.5, 0.5], true),
        ([0.7, 0.5, 0.5], true),
        ([1.2, 0.5, 0.5], true),
        ([0.2, 1.1, 0.5], false),
    ] {
        assert_eq!(mesh.distance(point) < 0.0, is_inside, "{point:?}");
    }
    covered(&mesh, &Grid::uniform([17, 15, 13], [2.0, 2.0, 1.5], [-0.2; 3]));
    let inner = cube([0.0; 3])
        .into_iter()
        .map(|[a, b, c]| [a, c, b].map(|point| point.map(|x| 0.25 + 0.5 * x)));
    let mesh = of(&[cube([0.0; 3]), inner.collect()].concat(), AS_IT_IS);
    assert!((mesh.facts().volume - 0.875).abs() < 1e-12 && mesh.facts().notes.is_empty());
    assert!((mesh.distance([0.5; 3]) - 0.25).abs() < 1e-15);
    assert!((mesh.distance([0.125, 0.5, 0.5]) + 0.125).abs() < 1e-15);
}

#[test]
fn a_plane_flow_meets_the_section_at_its_height() {
    let bytes = file(&ball(5));
    let mesh =
        Mesh::new(&bytes, Placement { scale: 2.0, ..AS_IT_IS }, Some(1.2)).expect("a section");
    let circle = Geometry::Cylinder { along: 2, centre: [0.0; 3], radius: 1.6 };
    for [x, y, _] in points() {
        let off = mesh.distance([x, y, 1.2]) - circle.distance([x, y, 1.2]);
        assert!(off.abs() < 3e-3, "{off}");
    }
    assert_eq!(mesh.bounds()[1][2], f64::INFINITY);
    assert!((mesh.bounds()[1][0] - 1.6).abs() < 3e-3 && mesh.facts().bounds[1][2] == 2.0);
    covered(&mesh, &Grid::uniform([31, 37, 1], [4.0, 4.0, 0.2], [-2.0, -2.0, 1.1]));
    let [problem, _] = Mesh::new(&bytes, AS_IT_IS, Some(1.2)).expect_err("too high");
    assert!(problem.contains("-1 m to 1 m in z"), "{problem}");
    // Through corners and along edges of a cube, exactly.
    let mesh = Mesh::new(&file(&cube([0.0; 3])), AS_IT_IS, Some(0.5)).expect("a square");
    let square = Geometry::Box { low: [0.0, 0.0, -9.0], high: [1.0, 1.0, 9.0] };
    for [x, y, _] in points() {
        assert!((mesh.distance([x, y, 0.5]) - square.distance([x, y, 0.5])).abs() < 1e-14);
    }
}
