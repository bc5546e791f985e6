use super::*;
use crate::Case;
use crate::case::apply_overrides;

/// A plane box of 4 m x 2 m with a body.
fn case(body: &str) -> Result<Case> {
    let text = "title = 'body'\ngrid = { cells = [40, 20, 1], size = [4.0, 2.0, 0.1] }\n\
        fluid = { viscosity = 0.01 }\nscale = { length = 1.0, velocity = 1.0 }\n\
        run = { until = 1.0 }\n[boundary]\nx-low = 'periodic'\nx-high = 'periodic'\n\
        y-low = 'wall'\ny-high = 'wall'\nz-low = 'periodic'\nz-high = 'periodic'\n";
    let text = apply_overrides(text, "box", &[format!("body={body}")])?;
    Case::parse(&text, "box")
}

#[test]
fn bodies_are_read_with_their_names_walls_and_areas() {
    let case = case(
        "{ ball = { circle = { centre = [1, 1], radius = 0.25 }, rotation = 2, walls = 'stairs' }, \
         wedge = { polygon = { corners = [[2, 0.5], [3, 0.5], [3, 1.25]] }, area = 7.0 } }",
    )
    .expect("bodies");
    let [ball, wedge] = &case.bodies[..] else { panic!("{:?}", case.bodies) };
    assert_eq!((&*ball.name, ball.walls, ball.area), ("ball", Walls::Stairs, 0.5));
    assert_eq!((ball.velocity([1.0, 0.75, 0.0]), ball.hollow), ([0.5, 0.0, 0.0], false));
    assert_eq!((&*wedge.name, wedge.walls, wedge.area), ("wedge", Walls::Exact, 7.0));
    assert!(case.solids().contains([9, 9, 0]) && case.solids().contains([28, 6, 0]));
    assert_eq!(case.solids().body_at([28, 6, 0]), Some(1));
}

#[test]
fn a_flow_can_be_inside_of_a_body() {
    let case = case("{ drum = { circle = { centre = [2, 1], radius = 0.9 }, hollow = true } }");
    let solids = case.expect("a drum").solids();
    assert!(solids.contains([0, 0, 0]) && !solids.contains([20, 10, 0]));
}

#[test]
fn a_body_can_be_a_condition() {
    let case = case(
        "{ ball = { inside = '(x - 2)^2 + (y - 1)^2 < 0.25' }, \
         waves = { inside = 'y < 0.2 + 0.1*sin(pi*x/2) or y > 1.9' } }",
    )
    .expect("bodies");
    let [ball, waves] = &case.bodies[..] else { panic!("{:?}", case.bodies) };
    // Between the two parts of the waves the flow passes.
    assert!((ball.area - 1.0).abs() < 1e-9 && (waves.area - 0.4).abs() < 1e-6);
    assert!(case.solids().contains([19, 9, 0]) && !case.solids().contains([25, 9, 0]));
    assert_eq!(case.solids().body_at([9, 2, 0]), Some(1));
}

#[test]
fn a_condition_in_space_shows_its_shadow_to_the_flow() {
    let space = ["grid={ cells = [40, 40, 40], size = [4.0, 4.0, 4.0] }".to_owned()];
    let bodies = "body={ ball = { inside = '(x - 2)^2 + (y - 2)^2 + (z - 2)^2 < 1' }, \
                  given = { inside = '(x - 2)^2 + (y - 2)^2 + (z - 3.5)^2 < 0.1', area = 3.0 } }";
    let case = case("{ }").expect("a box").with(&[&space[..], &[bodies.to_owned()]].concat());
    let case = case.expect("bodies");
    let off = case.bodies[0].area / std::f64::consts::PI - 1.0;
    assert!(off.abs() < 2e-3, "{off}");
    assert_eq!(case.bodies[1].area, 3.0);
}

#[test]
fn bodies_and_solid_boxes_may_leave_a_row_of_cells_and_not_nothing() {
    let with = |high: f64| {
        let body =
            format!("body={{ lid = {{ box = {{ low = [0, {high}, 0], high = [4, 2, 0.1] }} }} }}");
        let solid = "solid=[{ low = [0, 0, 0], high = [4, 1, 0.1] }]".to_owned();
        case("{ }").expect("a box").with(&[body, solid])
    };
    assert_eq!(with(1.1).expect("a gap").solids().count(), 40 * 19);
    let error = with(1.0).expect_err("no gap").to_string();
    assert!(error.starts_with("body: every cell"), "{error}");
}

#[test]
fn wrong_bodies_are_refused() {
    for (body, [key, problem]) in [
        ("{ a = { } }", ["body.a", "exactly one shape"]),
        (
            "{ a = { circle = { centre = [1, 1], radius = 1 }, sphere = { centre = [1, 1, 0], radius = 1 } } }",
            ["body.a", "exactly one shape"],
        ),
        ("{ a = { circle = { centre = [1, 1] } } }", ["body.a.circle.radius", "missing"]),
        (
            "{ a = { circle = { centre = [1, 1], radius = -1 } } }",
            ["body.a.circle.radius", "positive"],
        ),
        (
            "{ a = { circle = { centre = [1, nan], radius = 0.3 } } }",
            ["body.a.circle.centre", "finite"],
        ),
        (
            "{ a = { circle = { centre = [1, 1, 1], radius = 0.3 } } }",
            ["body.a.circle.centre", "two numbers"],
        ),
        ("{ a = { ball = 3 } }", ["body.a.ball", "ball"]),
        ("{ a = { circle = { centre = [1, 9], radius = 0.3 } } }", ["body.a", "outside"]),
        ("{ a = { circle = { centre = [1, 1], radius = 0.01 } } }", ["body.a", "no cell"]),
        (
            "{ a = { circle = { centre = [0.2, 1], radius = 0.3 } } }",
            ["body.a", "periodic end x-low"],
        ),
        (
            "{ a = { circle = { centre = [2, 1], radius = 0.3 }, walls = 'exakt' } }",
            ["body.a.walls", "exakt"],
        ),
        (
            "{ a = { circle = { centre = [2, 1], radius = 0.3 }, area = 0 } }",
            ["body.a.area", "positive"],
        ),
        (
            "{ a = { box = { low = [1, 1, 0], high = [2, 1.5, 1] }, rotation = 1 } }",
            ["body.a.rotation", "only a circle"],
        ),
        (
            "{ a = { box = { low = [1, 1, 0], high = [2, 0.5, 1] } } }",
            ["body.a.box.high", "not above"],
        ),
        (
            "{ a = { polygon = { corners = [[1, 1], [2, 1]] } } }",
            ["body.a.polygon.corners", "2 corners"],
        ),
        (
            "{ a = { cylinder = { centre = [1, 1, 0], radius = 0.3, along = 'y' } } }",
            ["body.a.cylinder.along", "plane"],
        ),
        ("{ a = { inside = 'x^2 +' } }", ["body.a.inside", "ends where a value"]),
        ("{ a = { inside = 'x^2 + y^2' } }", ["body.a.inside", "compares nothing"]),
        ("{ a = { inside = 'x < t' } }", ["body.a.inside", "time t"]),
        ("{ a = { inside = 'sqrt(x - 1) < 0.5' } }", ["body.a.inside", "no number at x = 0.05 m"]),
        ("{ a = { inside = '(x - 9)^2 + y^2 < 1' } }", ["body.a", "no cell"]),
        ("{ a = { inside = '(x - 1)^2 + (y - 1)^2 < 0.001' } }", ["body.a", "no cell"]),
        (
            "{ a = { inside = 'y < 0.2 + 0.1*x' } }",
            ["body.a.inside", "both periodic ends across x"],
        ),
        ("{ a = { inside = 'y < 3' } }", ["body", "every cell"]),
        (
            "{ a = { inside = 'x < 1', circle = { centre = [1, 1], radius = 1 } } }",
            ["body.a", "exactly one"],
        ),
        (
            "{ a = { inside = '(x-2)^2 + (y-1)^2 < 0.1', rotation = 1 } }",
            ["body.a.rotation", "only a circle"],
        ),
        (
            "{ a = { circle = { centre = [2, 1], radius = 0.5 }, hollow = true }, \
               b = { circle = { centre = [2, 1], radius = 0.6 } } }",
            ["body", "every cell"],
        ),
        // Each alone leaves half of the box.
        (
            "{ a = { box = { low = [0, 0, 0], high = [2, 2, 0.1] } }, \
               b = { box = { low = [2, 0, 0], high = [4, 2, 0.1] } } }",
            ["body", "every cell"],
        ),
    ] {
        let error = case(body).expect_err(body);
        let text = format!("{error}");
        assert!(text.starts_with(&format!("{key}: ")), "{body}: {text}");
        assert!(text.contains(problem) && !error.remedy().is_empty(), "{body}: {text}");
    }
}
