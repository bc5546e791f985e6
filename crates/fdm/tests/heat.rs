//! Heat: exact flows, orders of convergence, conservation, and the same bits on any ranks and after a restart.

use crate::carried;
use std::sync::Arc;

use crate::common::{case, run_until, solver};
use vortice_core::{Case, Context, Field, Quantity, Solver, Threads};

fn temperature(solver: &mut dyn Solver) -> Field {
    solver.field(Quantity::Temperature).expect("a temperature")
}

/// A box of 1 m x 1 m whose ends are these.
fn unit_box(n: [usize; 2], heat: &str, ends: [&str; 4], more: &str) -> String {
    let [x_low, x_high, y_low, y_high] = ends;
    format!(
        "title = \"box\"\ngrid = {{ cells = [{}, {}, 1], size = [1.0, 1.0, 1.0] }}\n\
         fluid = {{ viscosity = 0.71 }}\nheat = {{ {heat} }}\n{more}\n\
         [boundary]\nx-low = {x_low}\nx-high = {x_high}\ny-low = {y_low}\ny-high = {y_high}\n\
         z-low = \"periodic\"\nz-high = \"periodic\"\n\
         [run]\nmethod = \"fdm\"\nuntil = 1e9\n",
        n[0], n[1]
    )
}

const WALL: &str = "\"wall\"";
const PERIODIC: [&str; 4] = ["\"periodic\""; 4];

/// Temperature at each cell less that of a formula, the largest magnitude.
fn largest_error(field: &Field, case: &Case, exact: impl Fn([f64; 3]) -> f64) -> f64 {
    let errors = field.own_cells().map(|c| (field[c] - exact(case.grid.centre(c))).abs());
    errors.fold(0.0, f64::max)
}

#[test]
fn conduction_between_walls_is_exact() {
    // Between 310 and 300 K, and from a flux of 2 K m/s with alpha = 0.5 to 300 K: T = 300 + 4 (1 - x).
    let (hot, cold) = ("{ wall = { temperature = 310.0 } }", "{ wall = { temperature = 300.0 } }");
    let flux = "{ wall = { heat-flux = 2.0 } }";
    for (low, drop) in [(hot, 10.0), (flux, 4.0)] {
        for scheme in ["van-leer", "central"] {
            let more = format!("[fdm]\nscalar-convection = \"{scheme}\"");
            let text = unit_box([12, 4], "diffusivity = 0.5", [low, cold, WALL, WALL], &more);
            let case = case(&text);
            let mut solver = solver(&case);
            run_until(&mut *solver, 40.0);
            let field = temperature(&mut *solver);
            let error = largest_error(&field, &case, |[x, ..]| 300.0 + drop * (1.0 - x));
            println!("conduction, {scheme}, drop {drop} K: error {error:.1e} K");
            assert!(error < 1e-10, "{error}");
        }
    }
}

/// A warm spot that a uniform flow carries across a periodic box while it spreads, for 1 s; with its error.
fn spot(n: usize, scheme: &str) -> (Field, f64) {
    let (alpha, width) = (2e-3, 0.1);
    let more = format!(
        "initial = {{ velocity = [1.0, 1.0, 0.0], \
         temperature = \"exp(-((x - 0.5)^2 + (y - 0.5)^2)/{})\" }}\n\
         [fdm]\nscalar-convection = \"{scheme}\"",
        2.0 * width * width
    );
    let heat = format!("diffusivity = {alpha}, reference = 0.0");
    let text =
        unit_box([n, n], &heat, PERIODIC, &more).replace("viscosity = 0.71", "viscosity = 5e-3");
    let case = case(&text);
    let mut solver = solver(&case);
    run_until(&mut *solver, 1.0);
    let field = temperature(&mut *solver);
    let spread = width * width + 2.0 * alpha;
    let exact = |[x, y, _]: [f64; 3]| {
        // With its images beyond the ends.
        let line = |x: f64| -> f64 {
            (-2..=2).map(|i| (-(x - 0.5 - f64::from(i)).powi(2) / (2.0 * spread)).exp()).sum()
        };
        width * width / spread * line(x) * line(y)
    };
    let squares = |value: &dyn Fn([isize; 3]) -> f64| {
        field.own_cells().map(|cell| value(cell).powi(2)).sum::<f64>()
    };
    let error = squares(&|cell| field[cell] - exact(case.grid.centre(cell)));
    let whole = squares(&|cell| exact(case.grid.centre(cell)));
    (field, (error / whole).sqrt())
}

#[test]
fn a_carried_spot_converges_with_second_order_and_van_leer_keeps_its_bounds() {
    // Relative errors of shared prototypes of the scheme: 17, 4.5 and 12, 3.0 %.
    for (scheme, most) in [("central", [0.19, 0.050]), ("van-leer", [0.14, 0.035])] {
        let [(_, coarse), (field, fine)] = [32, 64].map(|n| spot(n, scheme));
        let order = (coarse / fine).log2();
        println!("spot, {scheme}: {coarse:.4}, {fine:.4}, order {order:.2}");
        assert!(order > 1.9 && coarse < most[0] && fine < most[1]);
        let [low, high] = field
            .values
            .iter()
            .fold([f64::INFINITY, f64::NEG_INFINITY], |[a, b], x| [a.min(*x), b.max(*x)]);
        println!("  between {low:.2e} and {high:.4}");
        assert!(scheme == "central" || (low > -1e-15 && high <= 1.0));
    }
}

/// A box that is heated and stirred, without a way out for heat.
fn stirred(more: &str) -> String {
    unit_box(
        [16, 12],
        "prandtl = 0.71, expansion = 1.0, gravity = [0.0, -7100.0, 0.0], reference = 0.4",
        [WALL, WALL, WALL, "{ wall = { velocity = [20.0, 0.0, 0.0] } }"],
        &format!("initial = {{ temperature = \"x + y^2\" }}\n{more}"),
    )
}

#[test]
fn a_closed_box_keeps_its_heat() {
    let tight = "[fdm]\nstop = { residual = 1e-12 }\nmax-iterations = 20000";
    let case = case(&stirred(tight));
    let mut solver = solver(&case);
    let mean = |field: &Field| {
        field.own_cells().map(|cell| field[cell]).sum::<f64>() / case.grid.n_cells() as f64
    };
    let before = temperature(&mut *solver);
    for _ in 0..200 {
        solver.step(f64::INFINITY).expect("a step");
    }
    let after = temperature(&mut *solver);
    let moved = largest_error(&after, &case, |[x, y, _]| x + y * y);
    println!(
        "heat of a closed box: changes by {:.1e}, in cells by {moved}",
        mean(&after) - mean(&before)
    );
    assert!(moved > 0.1);
    assert!((mean(&after) - mean(&before)).abs() < 1e-12);
}

#[test]
fn a_fluid_at_rest_under_a_temperature_that_changes_upwards_stays_at_rest() {
    // Ra = 1e6, warm below and above.
    let heat = "prandtl = 0.71, expansion = 1.0, gravity = [0.0, -710000.0, 0.0]";
    let ends = [WALL, WALL, "{ wall = { temperature = 0.0 } }", "{ wall = { temperature = 1.0 } }"];
    for profile in ["y", "0.5 + 0.5*tanh(10*(y - 0.5))"] {
        let more = format!(
            "initial = {{ temperature = \"{profile}\" }}\n\
             [fdm]\npressure = {{ multigrid-cg = {{ retol = 1e-13 }} }}"
        );
        let case = case(&unit_box([16, 16], heat, ends, &more));
        let mut solver = solver(&case);
        for _ in 0..50 {
            solver.step(f64::INFINITY).expect("a step");
        }
        let u = solver.field(Quantity::Velocity).expect("a velocity");
        let fastest = u.values.iter().fold(0.0_f64, |most, u| most.max(u.abs()));
        println!(
            "rest under T = {profile}: {fastest:.1e} m/s, {:.1e} of free fall",
            fastest / case.scale.velocity
        );
        assert!(fastest < 1e-9 * case.scale.velocity, "{fastest}");
    }
}

/// The square cavity that is hot at x-low and cold at x-high, Pr = 0.71; nu = 0.71, alpha = 1.
fn cavity(n: usize, rayleigh: f64, more: &str) -> String {
    unit_box(
        [n, n],
        &format!("prandtl = 0.71, expansion = 1.0, gravity = [0.0, -{}, 0.0]", 0.71 * rayleigh),
        ["{ wall = { temperature = 0.5 } }", "{ wall = { temperature = -0.5 } }", WALL, WALL],
        more,
    )
    .replace("until = 1e9", "until = \"steady\"")
}

/// Mean Nusselt numbers of the hot and the cold wall by the scheme's own flux; eq. (H4).
fn nusselt(field: &Field) -> [f64; 2] {
    let [n, m, _] = field.shape.cells.map(|n| n as isize);
    let mean = |i: isize, wall: f64| {
        let fluxes = (0..m).map(|j| 2.0 * (wall - field[[i, j, 0]]) * n as f64);
        fluxes.sum::<f64>() / m as f64
    };
    [mean(0, 0.5), -mean(n - 1, -0.5)]
}

#[test]
fn the_heated_cavity_is_as_good_as_its_prototypes() {
    // Errors in % of Nu, u and v on 24 x 24 against 1.1178, 3.6494 and 3.6974: +0.34, +0.58 and +0.60.
    let case = case(&cavity(24, 1e3, "[fdm]\nscalar-convection = \"central\""));
    let mut solver = solver(&case);
    while solver.step(f64::INFINITY).expect("a step").iteration_error > 1e-6 {}
    let field = temperature(&mut *solver);
    let [hot, cold] = nusselt(&field);
    println!(
        "cavity, Ra 1e3, 24 x 24: Nu {hot:.5} and {cold:.5} after {} steps",
        solver.now().number
    );
    assert!((hot / 1.1178 - 1.0).abs() < 1.1 * 0.0034 && (hot - cold).abs() < 1e-4);
    // It looks the same turned by half a turn.
    let turned = field.own_cells().map(|[i, j, k]| field[[i, j, k]] + field[[23 - i, 23 - j, k]]);
    assert!(turned.fold(0.0, |most: f64, sum| most.max(sum.abs())) < 1e-5);
}

/// A channel with all kinds of ends, in the plane or in space.
fn channel(layers: usize, precision: &str) -> String {
    let run = format!("method = \"fdm\"\nuntil = 1e9\nprecision = \"{precision}\"");
    carried::channel(layers, "periodic", &run)
}

#[test]
fn any_ranks_threads_and_restarts_give_the_same_bits() {
    for (layers, precision) in [(1, "f64"), (1, "f32"), (4, "f64")] {
        let text = channel(layers, precision);
        let plane = [([2, 1, 1], 1), ([3, 2, 1], 1), ([1, 1, 1], 3)];
        let in_space = [([2, 1, 2], 1), ([3, 2, 1], 2)];
        let layouts = if layers == 1 { &plane[..] } else { &in_space[..] };
        carried::assert_same_bits(&vortice_fdm::METHOD, &text, (20, 9), layouts);
    }
}

#[test]
fn without_expansion_the_flow_keeps_its_bits() {
    let table = "[fdm]\ndt = 1e-3\n";
    carried::assert_heat_moves_nothing(&vortice_fdm::METHOD, &channel(1, "f64"), table);
}

#[test]
fn what_cannot_be_computed_is_refused() {
    let thin = case(&unit_box([3, 16], "prandtl = 1.0", [WALL; 4], ""));
    let refused = Threads::run(2, |rank| {
        let context = Context { layout: Some([2, 1, 1]), threads: 1, ranks: Arc::new(rank) };
        Ok((vortice_fdm::METHOD.build)(&thin, &context).err().map(|error| error.to_string()))
    });
    for words in refused.expect("ranks") {
        assert!(words.is_some_and(|words| words.contains("two cells at least")));
    }
}

#[test]
fn what_enters_a_heated_channel_leaves_it() {
    let run = "method = \"fdm\"\nuntil = \"steady\"\n";
    for scheme in ["van-leer", "central"] {
        let table = format!(
            "[fdm]\nscalar-convection = \"{scheme}\"\nstop = {{ residual = 1e-12 }}\nmax-iterations = 20000"
        );
        let text = carried::heated_channel(run, &table);
        let share = carried::heat_left(&vortice_fdm::METHOD, &text, 1e-13, 60_000);
        println!("heat balance, {scheme}: {share:.1e} of what enters");
        assert!(share.abs() < 1e-10, "{share}");
    }
}
