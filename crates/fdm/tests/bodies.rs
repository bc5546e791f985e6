//! Bodies whose walls are at their exact place: order, divergence, fluxes, ranks, rest and restart.

use crate::common::{after, annulus, case, past, row_of_circles, run_until, solver};
use crate::same_drag;
use vortice_core::{Case, Field, Solver, Surface, Values};

/// A turning circle in a hollow one at rest, both off the grid: their middle and radii in m.
const MIDDLE: [f64; 2] = [0.503, 0.497];
const RADII: [f64; 2] = [0.18, 0.42];

/// The staggered velocity, by component.
fn components(solver: &mut dyn Solver) -> Vec<Field> {
    let state = solver.state().expect("a state");
    let component = |name: &&str| match state.fields.get(*name) {
        Some(Values::F64(field)) => Some(field.clone()),
        _ => None,
    };
    ["velocity-x", "velocity-y", "velocity-z"].iter().filter_map(component).collect()
}

/// The exact velocity between the circles, whose inner one has the speed 1 m/s at its surface: A r + B / r around
/// the middle.
fn couette([x, y]: [f64; 2]) -> [f64; 2] {
    let [inner, outer] = RADII.map(|r| r * r);
    let speed = RADII[0] / (inner - outer);
    let [dx, dy] = [x - MIDDLE[0], y - MIDDLE[1]];
    let turning = speed - speed * outer / (dx * dx + dy * dy);
    [-turning * dy, turning * dx]
}

/// Errors of the velocity on the faces in the flow: their root mean square over that of the velocity, and the largest
/// over the speed of the wall.
fn errors(solver: &mut dyn Solver, case: &Case) -> [f64; 2] {
    let solids = case.solids();
    let (mut square, mut of, mut largest) = (0.0, 0.0, 0.0_f64);
    for (a, u) in components(solver).iter().enumerate() {
        for cell in u.own_cells() {
            let mut low = cell;
            low[a] -= 1;
            if solids.contains(cell) || solids.contains(low) {
                continue;
            }
            let [x, y, _] = case.grid.low_face(a, cell);
            let exact = couette([x, y])[a];
            let error = (u[cell] - exact).abs();
            (square, of) = (square + error * error, of + exact * exact);
            largest = largest.max(error);
        }
    }
    [(square / of).sqrt(), largest]
}

/// The steady flow between the circles on n x n cells.
fn steady(n: usize, walls: &str) -> [f64; 2] {
    let keys =
        "[fdm]\ntime-scheme = \"euler\"\nstop = { residual = 1e-5 }\nmax-iterations = 20000\n";
    let case = case(&annulus(n, &format!("walls = \"{walls}\""), keys));
    let mut solver = solver(&case);
    run_until(&mut *solver, 0.1);
    let errors = errors(&mut *solver, &case);
    println!("{walls} walls, {n} x {n} cells: error {:.2e}, largest {:.2e}", errors[0], errors[1]);
    // 4 pi mu Omega R1^2 R2^2 / (R2^2 - R1^2), of opposite sign.
    let [inner, outer] = RADII.map(|r| r * r);
    let exact = 4.0 * std::f64::consts::PI / RADII[0] * inner * outer / (outer - inner);
    let torques = [0, 1].map(|body| solver.forces().expect("forces")[body].torque);
    println!("torques {torques:?} of {exact}");
    let off = (torques[0] / exact + 1.0).abs().max((torques[1] / exact - 1.0).abs());
    assert!(off < 2.0 / n as f64, "{off}");
    errors
}

/// Order of convergence between two errors on grids of which the second is twice as fine.
fn order(coarse: f64, fine: f64) -> f64 {
    (coarse / fine).log2()
}

#[test]
fn the_flow_between_circles_is_of_second_order() {
    let exact = [20, 40, 80].map(|n| steady(n, "exact"));
    let stairs = [20, 40, 80].map(|n| steady(n, "stairs"));
    for (name, errors) in [("exact", &exact), ("stairs", &stairs)] {
        let orders = [0, 1].map(|norm| {
            let [coarse, middle, fine] = errors.map(|errors| errors[norm]);
            [order(coarse, middle), order(middle, fine), order(coarse, fine) / 2.0]
        });
        println!("{name}: orders of the mean {:.2?}, of the largest {:.2?}", orders[0], orders[1]);
    }
    let all = |norm: usize| order(exact[0][norm], exact[2][norm]) / 2.0;
    assert!(all(0) >= 1.8 && all(1) >= 1.5, "orders {} and {}", all(0), all(1));
    // Those of a prototype that was written apart from this, with room for another choice of probes.
    assert!(exact[1][0] < 4e-3 && exact[2][0] < 1e-3, "{exact:?}");
    assert!(stairs[2][0] > 5.0 * exact[2][0], "{stairs:?}");
}

/// Flows past bodies in the plane and in space, in a closed box, with an outlet and with periodic sides, of both
/// precisions and schemes, and layouts of ranks to run them on: some are narrower than the rows reach.
fn flows() -> Vec<(&'static str, String, Vec<[usize; 3]>)> {
    let ball = "circle = { centre = [0.61, 0.47], radius = 0.21 }";
    let turning = format!("{ball}, rotation = 3.0");
    let stairs = format!("{turning}, walls = \"stairs\"");
    let sphere = "sphere = { centre = [0.61, 0.47, 0.52], radius = 0.28 }";
    let wedge = "polygon = { corners = [[0.4, 0.3], [1.1, 0.45], [0.5, 0.72]] }";
    let ring =
        "inside = \"(x - 0.61)^2 + (y - 0.47)^2 < 0.07 and (x - 0.61)^2 + (y - 0.47)^2 > 0.015\"";
    let plane = vec![[2, 1, 1], [3, 1, 1], [1, 3, 1], [2, 2, 1], [12, 1, 1]];
    let space = vec![[2, 1, 1], [1, 3, 1], [2, 2, 2], [1, 1, 4]];
    let f32s = "precision = \"f32\"\n";
    let euler = "[fdm]\ntime-scheme = \"euler\"\n";
    vec![
        ("annulus", annulus(24, "", euler), plane.clone()),
        ("circle", past(ball, [36, 18, 1], ""), plane.clone()),
        ("turning circle, f32", past(&turning, [36, 18, 1], f32s), plane.clone()),
        ("turning stairs", past(&stairs, [36, 18, 1], ""), plane.clone()),
        ("wedge", past(wedge, [40, 20, 1], euler), plane.clone()),
        ("ring with a hole", past(ring, [36, 18, 1], ""), plane.clone()),
        ("row of circles", row_of_circles([36, 18], ""), plane),
        ("sphere", past(sphere, [24, 12, 12], ""), space.clone()),
        (
            "sphere by multigrid",
            past(sphere, [24, 12, 12], "[fdm]\npressure = { multigrid-cg = {} }\n"),
            space,
        ),
    ]
}

#[test]
fn any_layout_gives_the_bits_of_one_rank() {
    for (name, text, layouts) in flows() {
        let alone = after(&text, [1, 1, 1], 9);
        assert!(alone.0.values.iter().any(|&u| u != 0.0), "{name} moves");
        for layout in layouts {
            assert!(after(&text, layout, 9) == alone, "{name} on {layout:?} ranks differs");
        }
    }
}

#[test]
fn stop_and_go_on_equals_one_long_run() {
    for (name, text, _) in flows() {
        let case = case(&text);
        let mut long = solver(&case);
        for _ in 0..5 {
            long.step(f64::INFINITY).expect("a step");
        }
        let mut resumed = solver(&case);
        resumed.restore(&long.state().expect("a state")).expect("the same case");
        for _ in 0..4 {
            long.step(f64::INFINITY).expect("a step");
            resumed.step(f64::INFINITY).expect("a step");
        }
        assert!(long.state().expect("a state") == resumed.state().expect("a state"), "{name}");
    }
}

#[test]
fn rest_stays_at_rest() {
    for (name, text, _) in flows() {
        let still = text.replace("{ inflow = { velocity = [1.0, 0.0, 0.0] } }", "\"wall\"");
        let still = still
            .replace(", force = [0.3, 0.0, 0.0]", "")
            .replace("rotation = 3.0", "rotation = 0");
        let still = still.lines().filter(|line| !line.starts_with("rotation")).collect::<Vec<_>>();
        let mut solver = solver(&case(&still.join("\n")));
        for _ in 0..4 {
            assert_eq!(solver.step(f64::INFINITY).expect("a step").residual, 0.0, "{name}");
        }
        let moving = components(&mut *solver).iter().any(|u| u.values.iter().any(|&u| u != 0.0));
        assert!(!moving, "{name}");
    }
}

/// The largest divergence of a cell of the flow in 1/s, and the largest net flux through a body's faces in m/s.
fn balance(solver: &mut dyn Solver, case: &Case) -> [f64; 2] {
    let (solids, components) = (case.solids(), components(solver));
    let (mut divergence, mut flux) = (0.0_f64, vec![0.0_f64; case.bodies.len()]);
    for cell in components[0].own_cells().filter(|&cell| !solids.contains(cell)) {
        let mut sum = 0.0;
        for (d, u) in components.iter().enumerate() {
            for (side, outward) in [(0, -1.0), (1, 1.0)] {
                let [mut face, mut beside] = [cell; 2];
                face[d] += side;
                beside[d] += 2 * side - 1;
                sum += outward * u[face] / case.grid.spacing()[d];
                if let Some(body) = solids.body_at(beside) {
                    flux[body] += outward * u[face];
                }
            }
        }
        divergence = divergence.max(sum.abs());
    }
    [divergence, flux.into_iter().fold(0.0, |most, flux| most.max(flux.abs()))]
}

#[test]
fn the_flow_has_no_divergence_and_nothing_passes_a_body() {
    let tight = "stop = { residual = 1e-9 }\nmax-iterations = 100000\n";
    for (name, text, _) in flows().into_iter().filter(|(_, text, _)| !text.contains("pre")) {
        let text =
            if text.contains("[fdm]") { text + tight } else { format!("{text}[fdm]\n{tight}") };
        let case = case(&text);
        let mut solver = solver(&case);
        for step in 0..6 {
            solver.step(f64::INFINITY).expect("a step");
            let [divergence, flux] = balance(&mut *solver, &case);
            let scale = 1.5 / case.grid.spacing()[0];
            if step == 5 {
                println!(
                    "{name}: divergence {:.1e} of U/h, net flux {flux:.1e} m/s",
                    divergence / scale
                );
            }
            assert!(divergence <= 1e-9 * scale && flux < 1e-13, "{name}: {divergence:e} {flux:e}");
        }
        let findings = solver.findings().expect("findings");
        println!("{name}: {:?}", &findings[findings.len() - 2..]);
        assert!(solver.warnings().is_empty(), "{name}: {:?}", solver.warnings());
    }
}

/// The walls of a body with a hole in it give the fluid there a net flux, so that no pressure stops it.
#[test]
fn a_hole_in_a_body_is_solid_and_does_not_hold_the_pressure_up() {
    let hole = "(x - 1)^2 + (y - 0.47)^2";
    let case = case(&format!(
        "title = 'ring'\ngrid = {{ cells = [40, 20, 1], size = [2.0, 1.0, 0.05] }}\n\
         fluid = {{ viscosity = 0.02 }}\nscale = {{ length = 1.0, velocity = 1.0 }}\n\
         run = {{ method = 'fdm', until = 1.0, device = 'cpu' }}\n\
         body = {{ ring = {{ inside = '{hole} < 0.09 and {hole} > 0.025' }} }}\n[boundary]\n\
         x-low = {{ inflow = {{ velocity = [1.0, 0.0, 0.0] }} }}\nx-high = 'outflow'\n\
         y-low = 'wall'\ny-high = 'wall'\nz-low = 'periodic'\nz-high = 'periodic'\n\
         [fdm]\nmax-iterations = 5000\n"
    ));
    assert!(case.solids().contains([20, 9, 0]) && case.warnings().len() == 1);
    let ended = |case: &Case| {
        let mut solver = solver(case);
        for _ in 0..5 {
            solver.step(f64::INFINITY).expect("a step");
        }
        let findings = solver.findings().expect("findings");
        let (_, steps) = findings.iter().find(|(name, _)| name.contains("max-iter")).expect("told");
        println!("{steps} steps ended by fdm.max-iterations");
        *steps
    };
    let open = Case { pockets: vortice_core::Pockets::default(), ..case.clone() };
    assert!(ended(&open) > 0.0 && ended(&case) == 0.0);
}

/// Drag coefficient of the cylinder in a channel of Schaefer and Turek (1996), flow 2D-1, on cells of which `n` are its
/// diameter: the momentum that does not come out of two boxes around it, and what the method itself says.
fn drag(n: usize) -> [f64; 3] {
    let h = 0.1 / n as f64;
    let [nx, ny] = [2.2, 0.41].map(|length: f64| (length / h).round() as usize);
    let text = format!(
        "title = \"2D-1\"\ngrid = {{ cells = [{nx}, {ny}, 1], size = [2.2, 0.41, {h:?}] }}\n\
         fluid = {{ viscosity = 1e-3 }}\nscale = {{ length = 0.1, velocity = 0.2 }}\n\
         body = {{ cylinder = {{ circle = {{ centre = [0.2, 0.2], radius = 0.05 }} }} }}\n\
         [boundary]\nx-low = {{ inflow = {{ velocity = [0.2, 0.0, 0.0], \
         profile = {{ parabolic = {{ along = \"y\", from = 0.0, to = 0.41 }} }} }} }}\nx-high = \"outflow\"\n\
         y-low = \"wall\"\ny-high = \"wall\"\nz-low = \"periodic\"\nz-high = \"periodic\"\n\
         [run]\nmethod = \"fdm\"\nuntil = 1e9\n[fdm]\ntime-scheme = \"euler\"\nstop = {{ residual = 1e-6 }}\nmax-iterations = 20000\n"
    );
    let case = case(&text);
    let mut solver = solver(&case);
    run_until(&mut *solver, 8.0);
    let velocity = components(&mut *solver);
    let state = solver.state().expect("a state");
    let Some(Values::F64(p)) = state.fields.get("pressure") else { panic!("f64") };
    let own = solver.forces().expect("forces")[0].coefficients(&case, Surface::Body(0))[0];
    let [near, far] = [0.075, 0.15].map(|half| {
        let box_of =
            [0.2, 0.2].map(|middle| [-half, half].map(|x| ((middle + x) / h).round() as isize));
        2.0 * force(&velocity, p, box_of, h) / (0.2 * 0.2 * 0.1)
    });
    [near, far, own]
}

/// What a box takes of the momentum in x per density, by depth in m3/s2: from the centres of its first cells to those of its
/// last ones in x, as the momentum of the scheme is balanced.
fn force(
    velocity: &[Field],
    p: &Field,
    [[west, east], [south, north]]: [[isize; 2]; 2],
    h: f64,
) -> f64 {
    let (u, v, nu) = (&velocity[0], &velocity[1], 1e-3);
    let through_x = |i: isize| {
        let at = |j: isize| {
            let [low, high] = [u[[i, j, 0]], u[[i + 1, j, 0]]];
            h * ((0.5 * (low + high)).powi(2) + p[[i, j, 0]]) - nu * (high - low)
        };
        (south..north).map(at).sum::<f64>()
    };
    let through_y = |j: isize| {
        let at = |i: isize| {
            let [low, high] = [u[[i, j - 1, 0]], u[[i, j, 0]]];
            let across = 0.5 * (v[[i - 1, j, 0]] + v[[i, j, 0]]);
            h * across * 0.5 * (low + high) - nu * (high - low)
        };
        (west + 1..=east).map(at).sum::<f64>()
    };
    through_x(west) - through_x(east) + through_y(south) - through_y(north)
}

/// The drag of the cylinder of Schaefer and Turek on so many cells across it.
fn expect_published_drag(n: usize, tolerance: f64) {
    const PUBLISHED: f64 = 5.579_535;
    let [near, far, own] = drag(n);
    let off = near / PUBLISHED - 1.0;
    println!(
        "{n} cells: drag {near:.9} and {far:.9}, {own:.9} at the cylinder, {:+.2} %",
        100.0 * off
    );
    assert!(off.abs() < tolerance, "{n} cells: {near}");
    // The flow is steady, so any box balances the same.
    assert!((near - far).abs() < 1e-3 * near, "{near} {far}");
    let settled = (near - far).abs().max(1e-8 * near);
    assert!((near - own).abs() < settled, "{near} {own}");
}

#[test]
fn a_cylinder_in_a_channel_has_the_published_drag() {
    expect_published_drag(10, 0.008);
}

#[test]
#[ignore = "long suite"]
fn a_cylinder_of_more_cells_in_a_channel_has_the_published_drag() {
    expect_published_drag(20, 0.002);
}

#[test]
fn a_ball_of_triangles_feels_the_drag_of_a_sphere() {
    same_drag::expect_same_drag(|case| {
        let mut solver = solver(case);
        run_until(&mut *solver, 0.4);
        solver.forces().expect("forces")[0].force[0]
    });
}
