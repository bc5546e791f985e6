use super::*;

fn body(geometry: Geometry) -> Body {
    let name = "body".to_string();
    Body { name, geometry, hollow: false, rotation: 0.0, walls: Walls::Exact, area: 1.0 }
}

fn shapes() -> Vec<Body> {
    let centre = [0.31, -0.12, 0.07];
    let star = vec![[0.0, 0.0], [1.0, 0.2], [0.4, 0.4], [0.5, 1.1], [-0.3, 0.5]];
    let polygon = Polygon::new(star).expect("a polygon");
    let mut all: Vec<Body> = [
        Geometry::Cylinder { along: 2, centre, radius: 0.7 },
        Geometry::Cylinder { along: 0, centre, radius: 0.4 },
        Geometry::Sphere { centre, radius: 0.6 },
        Geometry::Box { low: [-0.3, -0.5, -0.6], high: [0.9, 0.4, 0.2] },
        Geometry::Polygon(polygon),
    ]
    .map(body)
    .into();
    let grid = Grid::uniform([48; 3], [3.0; 3], [-1.3; 3]);
    for condition in [
        "(x - 0.31)^2 + (y + 0.12)^2 + (z - 0.07)^2 < 0.36",
        "(x - 0.2)^2 + 2*y^2 + 3*(z + 0.1)^4 < 0.5",
    ] {
        let formula = crate::expression::Expression::parse_condition(condition).expect(condition);
        all.push(body(Geometry::LevelSet(LevelSet::new(formula, &grid).expect("numbers"))));
    }
    all.extend(all.clone().into_iter().map(|body| Body { hollow: true, ..body }));
    all
}

/// Points that repeat themselves late.
fn points() -> impl Iterator<Item = [f64; 3]> {
    let share = |n: usize, by: f64| (n as f64 * by).fract();
    (1..4000).map(move |n| [0.618034, 0.7548777, 0.5698403].map(|by| 3.0 * share(n, by) - 1.3))
}

#[test]
fn a_line_between_both_sides_of_a_surface_meets_it_where_the_distance_is_zero() {
    for body in shapes() {
        let mut count = 0;
        for (from, to) in points().zip(points().skip(7)) {
            let ends = [from, to].map(|point| body.distance(point));
            let meets = body.crossing(from, to);
            if (ends[0] > 0.0) != (ends[1] > 0.0) {
                let t = meets.unwrap_or_else(|| panic!("{:?}: {from:?} {to:?}", body.geometry));
                let at = |t: f64| std::array::from_fn(|d| from[d] + t * (to[d] - from[d]));
                let there = body.distance(at(t));
                assert!(there.abs() < 1e-12, "{:?}: {there}", body.geometry);
                // And nowhere before.
                let before = (1..20).map(|k| body.distance(at(t * f64::from(k) / 20.0)));
                assert!(before.into_iter().all(|s| (s > 0.0) == (ends[0] > 0.0)));
                assert_eq!(body.wall_distance(from, to, 0.0), t);
                count += 1;
            } else if let Some(t) = meets {
                assert!((0.0..=1.0).contains(&t));
            }
        }
        assert!(count > 200, "{:?}: {count}", body.geometry);
    }
}

#[test]
fn distances_change_by_one_along_the_normal() {
    for body in shapes() {
        for point in points().filter(|&point| body.distance(point).abs() < 0.05) {
            let normal = body.normal(point, 1e-3);
            let off: [f64; 3] = std::array::from_fn(|d| point[d] + 1e-6 * normal[d]);
            let slope = (body.distance(off) - body.distance(point)) / 1e-6;
            assert!((slope - 1.0).abs() < 1e-2, "{:?} at {point:?}: {slope}", body.geometry);
        }
    }
}

#[test]
fn a_turning_cylinder_moves_along_its_surface() {
    let turning = Geometry::Cylinder { along: 2, centre: [1.0, 2.0, 0.0], radius: 0.5 };
    let body = Body { rotation: 4.0, ..body(turning) };
    assert_eq!(body.velocity([1.5, 2.0, 7.0]), [0.0, 2.0, 0.0]);
    assert_eq!(body.velocity([1.0, 1.5, 0.0]), [2.0, 0.0, 0.0]);
    assert_eq!(body.speed(), 2.0);
}

#[test]
fn polygons_that_enclose_nothing_or_cross_themselves_are_refused() {
    for (corners, word) in [
        (vec![[0.0, 0.0], [1.0, 0.0]], "2 corners"),
        (vec![[0.0, 0.0], [1.0, 0.0], [1.0, 0.0], [0.0, 1.0]], "twice"),
        (vec![[0.0, 0.0], [1.0, 1.0], [1.0, 0.0], [0.0, 1.0]], "1 and 3 cross"),
    ] {
        let [problem, _] = Polygon::new(corners).expect_err("no polygon");
        assert!(problem.contains(word), "{problem}");
    }
}

#[test]
fn a_tangent_or_far_line_meets_no_circle() {
    let circle = body(Geometry::Cylinder { along: 2, centre: [0.0; 3], radius: 1.0 });
    assert_eq!(circle.crossing([-2.0, 1.1, 0.0], [2.0, 1.1, 0.0]), None);
    assert_eq!(circle.crossing([-2.0, 0.0, 0.0], [-1.5, 0.0, 0.0]), None);
    assert_eq!(circle.crossing([0.5, 0.5, 0.0], [0.5, 0.5, 1.0]), None);
    // From a point on the surface, at no distance.
    assert_eq!(circle.crossing([1.0, 0.0, 0.0], [0.0, 0.0, 0.0]), Some(0.0));
}
