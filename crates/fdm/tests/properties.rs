//! What must hold exactly, or to the solver's tolerance, whatever the numbers.

use crate::common::{after, case, cavity, run_until, solver, step};
use vortice_core::{Field, Location, Quantity, Solver, Values};

fn velocity(solver: &mut dyn Solver) -> Field {
    solver.field(Quantity::Velocity).expect("a field")
}

/// Largest magnitude of a component's difference from a constant.
fn deviation(field: &Field, c: usize, from: f64) -> f64 {
    field.own_cells().map(|cell| (field.at(c, cell) - from).abs()).fold(0.0, f64::max)
}

#[test]
fn rest_stays_at_rest() {
    let still =
        |text: String| text.replace("velocity = [1.0, 0.0, 0.0]", "velocity = [0.0, 0.0, 0.0]");
    for cells in [[12, 9, 1], [6, 7, 8]] {
        let case = case(&still(cavity(cells, 100.0, "[fdm]\ndt = 0.001\n")));
        let mut solver = solver(&case);
        for _ in 0..20 {
            assert_eq!(solver.step(f64::INFINITY).expect("a step").residual, 0.0);
        }
        assert_eq!(deviation(&velocity(&mut *solver), 0, 0.0), 0.0);
    }
}

/// A box in which everything moves with (0.7, -0.4, 0.3) m/s.
fn uniform(faces: [&str; 6], cells: [usize; 3]) -> String {
    let names = ["x-low", "x-high", "y-low", "y-high", "z-low", "z-high"];
    let boundary: String =
        names.iter().zip(faces).map(|(name, face)| format!("{name} = {face}\n")).collect();
    let w = if cells[2] == 1 { 0.0 } else { 0.3 };
    format!(
        "title = \"uniform\"\ngrid = {{ cells = {cells:?}, size = [1.0, 1.0, 1.0] }}\n\
         fluid = {{ viscosity = 0.01 }}\ninitial = {{ velocity = [0.7, -0.4, {w:?}] }}\n\
         scale = {{ length = 1.0, velocity = 1.0 }}\n\
         [run]\nmethod = \"fdm\"\nuntil = 1e9\n[boundary]\n{boundary}"
    )
}

#[test]
fn uniform_flow_is_preserved() {
    let periodic = ["\"periodic\""; 6];
    let inflow = "{ inflow = { velocity = [0.7, -0.4, 0.0] } }";
    let out = "\"outflow\"";
    let through = [inflow, out, out, inflow, "\"periodic\"", "\"periodic\""];
    let inflow = "{ inflow = { velocity = [0.7, -0.4, 0.3] } }";
    let through_space = [inflow, out, out, inflow, inflow, out];
    let flows = [
        uniform(periodic, [8, 10, 1]),
        uniform(periodic, [8, 6, 4]),
        uniform(through, [9, 8, 1]),
        uniform(through_space, [7, 8, 5]),
    ];
    for text in flows {
        let case = case(&text);
        let mut solver = solver(&case);
        for _ in 0..30 {
            solver.step(f64::INFINITY).expect("a step");
        }
        let u = velocity(&mut *solver);
        let worst = deviation(&u, 0, 0.7).max(deviation(&u, 1, -0.4));
        println!("uniform flow: largest deviation {worst:.1e}");
        assert!(worst < 1e-13, "{text}");
    }
}

/// Largest divergence of the staggered velocity over the flow's cells, in 1/s.
fn divergence(solver: &mut dyn Solver, case: &vortice_core::Case) -> f64 {
    let state = solver.state().expect("a state");
    let solids = case.solids();
    let components: Vec<&Field> = ["velocity-x", "velocity-y", "velocity-z"]
        .iter()
        .filter_map(|name| state.fields.get(*name))
        .map(|values| if let Values::F64(field) = values { field } else { panic!("f64") })
        .collect();
    components[0]
        .own_cells()
        .filter(|&cell| !solids.contains(cell))
        .map(|cell| {
            let sum = |(d, u): (usize, &&Field)| {
                assert_eq!(u.location, Location::Face(d));
                let mut next = cell;
                next[d] += 1;
                (u[next] - u[cell]) / case.grid.spacing()[d]
            };
            components.iter().enumerate().map(sum).sum::<f64>().abs()
        })
        .fold(0.0, f64::max)
}

#[test]
fn after_projection_the_divergence_is_at_the_solver_tolerance() {
    for tolerance in [1e-3, 1e-6, 1e-9] {
        let more =
            format!("[fdm]\nstop = {{ residual = {tolerance:e} }}\nmax-iterations = 100000\n");
        for text in
            [cavity([24, 20, 1], 100.0, &more), step([40, 12, 1], &more), step([32, 8, 8], &more)]
        {
            let case = case(&text);
            let mut solver = solver(&case);
            for _ in 0..5 {
                solver.step(f64::INFINITY).expect("a step");
            }
            // What the residual r leaves is dt r; the right-hand side is at most the divergence
            // that an impulsively started boundary makes, U / h, over dt.
            let left = divergence(&mut *solver, &case);
            let scale = 1.5 / case.grid.spacing().iter().fold(f64::INFINITY, |a, &b| a.min(b));
            println!(
                "divergence {left:.1e} 1/s at tolerance {tolerance:.0e} ({:.1e} of U/h)",
                left / scale
            );
            assert!(left <= tolerance * scale, "{left:e} > {tolerance:e} x {scale}");
        }
    }
}

/// The cavity flow under a change of axes, `[new x, new y] = swap/flip of [x, y]`.
fn cavity_seen(face: &str, lid: [f64; 3], n: usize) -> (Field, Field) {
    let text = cavity([n, n, 1], 400.0, "")
        .replace("y-high = { wall = { velocity = [1.0, 0.0, 0.0] } }", "y-high = \"wall\"");
    let lid = format!("{face} = {{ wall = {{ velocity = {lid:?} }} }}");
    let text = text.replace(&format!("{face} = \"wall\""), &lid);
    let (velocity, pressure, ..) = after(&text, [1, 1, 1], 40);
    (velocity, pressure)
}

#[test]
fn mirrored_and_rotated_cavities_give_mirrored_and_rotated_answers() {
    let n = 15; // odd, so that a mirror keeps the colours
    let last = n as isize - 1;
    let (u, p) = cavity_seen("y-high", [1.0, 0.0, 0.0], n);
    let (mirrored, mirrored_p) = cavity_seen("y-high", [-1.0, 0.0, 0.0], n);
    let (turned, turned_p) = cavity_seen("x-low", [0.0, 1.0, 0.0], n);
    let (transposed, transposed_p) = cavity_seen("x-high", [0.0, 1.0, 0.0], n);
    assert!(u.values.iter().any(|u| u.abs() > 0.1));
    for [i, j, k] in u.own_cells() {
        let (ux, uy) = (u.at(0, [i, j, k]), u.at(1, [i, j, k]));
        let there = [last - i, j, k];
        assert_eq!((mirrored.at(0, there), mirrored.at(1, there)), (-ux, uy));
        assert_eq!(mirrored_p[there], p[[i, j, k]]);
        // A quarter turn to the left: (x, y) becomes (-y, x), and the lid runs down the left side.
        let there = [last - j, i, k];
        assert_eq!((turned.at(0, there), turned.at(1, there)), (-uy, ux));
        assert_eq!(turned_p[there], p[[i, j, k]]);
        let there = [j, i, k];
        assert_eq!((transposed.at(0, there), transposed.at(1, there)), (uy, ux));
        assert_eq!(transposed_p[there], p[[i, j, k]]);
    }
}

#[test]
fn a_thick_plane_flow_equals_the_plane_flow() {
    let text = |l: usize| {
        let walls = "z-low = \"wall\"\nz-high = \"wall\"";
        let fdm = "[fdm]\nstop = { residual = 1e-9 }\nmax-iterations = 100000\n";
        cavity([12, 12, l], 100.0, fdm).replace(walls, &walls.replace("wall", "periodic"))
    };
    let mut plane = solver(&case(&(text(1) + "dt = 0.01\n")));
    let mut thick = solver(&case(&(text(4) + "dt = 0.01\n")));
    run_until(&mut *plane, 0.5);
    run_until(&mut *thick, 0.5);
    let (u, v) = (velocity(&mut *plane), velocity(&mut *thick));
    for [i, j, k] in v.own_cells() {
        assert!((v.at(0, [i, j, k]) - u.at(0, [i, j, 0])).abs() < 1e-8);
        assert!(v.at(2, [i, j, k]).abs() < 1e-14);
    }
}

#[test]
fn every_solver_finds_the_pressure_that_sor_finds() {
    for (name, flow) in [
        ("cavity", cavity as fn([usize; 3], f64, &str) -> String),
        ("step", |cells, _, more| step(cells, more)),
    ] {
        for cells in [[48, 32, 1], [16, 12, 10]] {
            let velocity_by = |keys: &str| {
                let keys = format!("[fdm]\ndt = 2e-3\n{keys}\n");
                let case = case(&flow(cells, 100.0, &keys));
                let mut solver = solver(&case);
                let iterations: u64 =
                    (0..10).map(|_| solver.step(f64::INFINITY).expect("a step").iterations).sum();
                (velocity(&mut *solver), iterations)
            };
            let (expected, of_sor) =
                velocity_by("stop = { residual = 1e-12 }\nmax-iterations = 9000");
            for how in ["multigrid-cg", "jacobi-cg", "cg"] {
                let keys = format!("pressure = {{ {how} = {{ retol = 1e-13 }} }}");
                let (found, iterations) = velocity_by(&keys);
                let differs = found.values.iter().zip(&expected.values);
                let largest = differs.map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
                println!("{name} {cells:?} {how}: {largest:.1e}, {iterations} for {of_sor}");
                assert!(largest < 1e-9, "{name} {cells:?} by {how} differs by {largest:e}");
                assert!(how != "multigrid-cg" || 10 * iterations < of_sor);
            }
            let (found, _) = velocity_by("pressure = { cycles = 12 }");
            let differs = found.values.iter().zip(&expected.values);
            let largest = differs.map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            assert!(largest < 1e-7, "{name} {cells:?} by cycles differs by {largest:e}");
        }
    }
}

#[test]
fn a_pressure_that_is_not_solved_is_told() {
    let text = cavity([32, 32, 1], 100.0, "[fdm]\npressure = { cg = { max = 2 } }\n");
    let mut solver = solver(&case(&text));
    for _ in 0..3 {
        solver.step(f64::INFINITY).expect("a step");
    }
    let warnings = solver.warnings().join("; ");
    assert!(warnings.contains("fdm.pressure ended 3 of 3 steps"), "{warnings}");
}

#[test]
fn a_pressure_that_keeps_a_flow_unsteady_is_told() {
    let text = cavity([16, 16, 1], 100.0, "[fdm]\nstop = { residual = 0.9 }\ntest-every = 1\n");
    let mut solver = solver(&case(&text));
    let steps = (0..40_000).take_while(|_| {
        solver.step(f64::INFINITY).expect("a step");
        solver.warnings().is_empty()
    });
    println!("warned after {} steps", steps.count());
    let warnings = solver.warnings().join("; ");
    assert!(warnings.contains("try { residual = 9e-2 }"), "{warnings}");
}
