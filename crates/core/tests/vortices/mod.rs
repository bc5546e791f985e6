//! Vortices that a stream carries out of a box, and what the outlet sends back: for the tests of every method.
#![allow(dead_code, unreachable_pub)] // each test uses its own share
#![allow(clippy::print_stdout)] // tests print the numbers that they judge

use vortice_core::{Case, Context, Field, Method, Quantity, Solver, State};

/// Where a vortex turns fastest, in m from its middle.
const RADIUS: f64 = 0.15;

/// Length in m of the box that is looked at.
const LENGTH: f64 = 3.0;

/// So long that what happens at its end is not felt in the first part of it while the vortices leave that.
const LONG: f64 = 6.0;

/// What leaves with the vortices in it.
const CONVECTIVE: &str = "{ outflow = { convective = true } }";

/// Times in s between looks, and how many there are.
pub const INTERVAL: f64 = 0.25;
/// How many looks follow the first.
pub const LOOKS: usize = 12;

/// Places in m and largest speeds in m/s: one vortex beside the middle of the stream, and a pair that is slower than it.
const ONE: &[[f64; 3]] = &[[2.0, 0.9, 0.3]];
const PAIR: &[[f64; 3]] = &[[2.0, 0.75, 0.3], [2.0, 1.25, -0.3]];

/// A stream of 1 m/s between mirrors 2 m apart, over `n` cells, out through x-high.
pub fn stream(method: &str, n: usize, length: f64, outflow: &str) -> Case {
    let (cells, h) = ((length * n as f64 / 2.0).round(), 2.0 / n as f64);
    let text = format!(
        "title = 'vortices'\ngrid = {{ cells = [{cells}, {n}, 1], size = [{length:?}, 2.0, {h:?}] }}\n\
         fluid = {{ viscosity = 0.002 }}\ninitial = {{ velocity = [1.0, 0.0, 0.0] }}\n\
         scale = {{ length = 1.0, velocity = 1.0 }}\n\
         run = {{ method = '{method}', until = 10.0, device = 'cpu' }}\n[boundary]\n\
         x-low = {{ inflow = {{ velocity = [1.0, 0.0, 0.0] }} }}\nx-high = {outflow}\n\
         y-low = 'symmetry'\ny-high = 'symmetry'\nz-low = 'periodic'\nz-high = 'periodic'\n"
    );
    Case::parse(&text, "vortices").unwrap_or_else(|error| panic!("{error}: {}", error.remedy()))
}

/// Velocity in m/s and pressure over the density in m2/s2 of the stream with vortices.
pub fn flow([x, y, _]: [f64; 3], vortices: &[[f64; 3]]) -> ([f64; 3], f64) {
    let (mut u, mut p) = ([1.0, 0.0, 0.0], 0.0);
    for [cx, cy, speed] in vortices {
        let [x, y] = [(x - cx) / RADIUS, (y - cy) / RADIUS];
        let turning = speed * (0.5 - 0.5 * (x * x + y * y)).exp();
        (u[0], u[1]) = (u[0] - y * turning, u[1] + x * turning);
        p -= 0.5 * turning * turning;
    }
    (u, p)
}

/// Vorticity in 1/s between the cells of the first [`LENGTH`].
pub fn vorticity(case: &Case, u: &Field) -> Vec<f64> {
    let h = case.grid.spacing();
    let [n, m] = [(LENGTH / h[0]).round() as isize, case.grid.cells()[1] as isize];
    let turning = |i: isize, j: isize| {
        let at = |c, di, dj| u.at(c, [i + di, j + dj, 0]);
        let dv = at(1, 1, 0) + at(1, 1, 1) - at(1, 0, 0) - at(1, 0, 1);
        let du = at(0, 0, 1) + at(0, 1, 1) - at(0, 0, 0) - at(0, 1, 0);
        0.5 * (dv / h[0] - du / h[1])
    };
    (0..m - 1).flat_map(|j| (0..n - 1).map(move |i| turning(i, j))).collect()
}

/// By how much the vorticity differs from that in the long box, at each look: squared, as a share of what there was.
fn shares(near: &[Vec<f64>], far: &[Vec<f64>]) -> Vec<f64> {
    let square = |values: &mut dyn Iterator<Item = f64>| values.map(|x| x * x).sum::<f64>();
    let all = square(&mut far[0].iter().copied());
    let pairs = near.iter().zip(far);
    pairs.map(|(a, b)| square(&mut a.iter().zip(b).map(|(a, b)| a - b)) / all).collect()
}

/// The largest of them.
fn largest(shares: &[f64]) -> f64 {
    shares.iter().copied().fold(0.0, f64::max)
}

/// For people: the largest one, and all.
fn text(shares: &[f64]) -> String {
    let all: Vec<_> = shares.iter().map(|share| format!("{share:.0e}")).collect();
    format!("{:.1e} ({})", largest(shares), all.join(" "))
}

/// Poiseuille flow of Reynolds number 10 enters a channel of 2 m x 1 m over `n` cells, and leaves it.
fn channel(method: &str, n: usize, outflow: &str) -> Case {
    let h = 1.0 / n as f64;
    let text = format!(
        "title = 'channel'\ngrid = {{ cells = [{}, {n}, 1], size = [2.0, 1.0, {h:?}] }}\n\
         fluid = {{ viscosity = 0.1 }}\ninitial = {{ velocity = [1.0, 0.0, 0.0] }}\n\
         scale = {{ length = 1.0, velocity = 1.0 }}\n\
         run = {{ method = '{method}', until = 20.0, device = 'cpu' }}\n[boundary]\n\
         x-low = {{ inflow = {{ velocity = [1.0, 0.0, 0.0], profile = {{ parabolic = {{ along = 'y', \
         from = 0.0, to = 1.0 }} }} }} }}\nx-high = {outflow}\ny-low = 'wall'\ny-high = 'wall'\n\
         z-low = 'periodic'\nz-high = 'periodic'\n",
        2 * n
    );
    Case::parse(&text, "channel").unwrap_or_else(|error| panic!("{error}: {}", error.remedy()))
}

/// Largest error of the velocity in that channel, and what the flow rate through the last cells lacks.
fn errors(case: &Case, u: &Field) -> [f64; 2] {
    let [n, m, _] = case.grid.cells().map(|n| n as isize);
    let (mut worst, mut rate) = (0.0_f64, 0.0);
    for cell in u.own_cells() {
        let y = case.grid.centre(cell)[1];
        worst = worst.max((u.at(0, cell) - 6.0 * y * (1.0 - y)).abs()).max(u.at(1, cell).abs());
        rate += if cell[0] == n - 1 { u.at(0, cell) / m as f64 } else { 0.0 };
    }
    [worst, (rate - 1.0).abs()]
}

/// Vortices leave through a convective outflow, and what comes back is less than a hundredth of their enstrophy; `looks`
/// has the vorticity at each look, of so many cells, a length in m, an outflow and vortices.
pub fn expect_vortices_to_leave(
    method: &str,
    looks: impl Fn(usize, f64, &str, &[[f64; 3]]) -> Vec<Vec<f64>>,
) {
    for n in [32, 64] {
        for (name, vortices) in [("one", ONE), ("pair", PAIR)] {
            let far = looks(n, LONG, "'outflow'", vortices);
            let [plain, convective] = ["'outflow'", CONVECTIVE]
                .map(|outflow| shares(&looks(n, LENGTH, outflow, vortices), &far));
            println!("{method}, {n} cells, {name}: {}, {}", text(&plain), text(&convective));
            let [plain, convective] = [plain, convective].map(|shares| largest(&shares));
            assert!(
                convective < 0.01 && convective < 0.25 * plain,
                "{n}, {name}: {convective}, {plain}"
            );
        }
    }
}

/// A steady flow leaves through a convective outflow as through the other, and all that enters; `settled` has the
/// velocity of a case after 20 s.
pub fn expect_developed_flow_to_leave(method: &str, settled: impl Fn(&Case) -> Field) {
    let [plain, convective] = ["'outflow'", CONVECTIVE].map(|outflow| {
        let case = channel(method, 12, outflow);
        let [error, lacks] = errors(&case, &settled(&case));
        println!(
            "{method}, {outflow}: error {error:.2e} m/s, {lacks:.1e} of the flow rate missing"
        );
        assert!(lacks < 1e-5, "{outflow}: {lacks}");
        error
    });
    assert!(convective < 1.1 * plain, "{convective}, {plain}");
}

/// The solver of one rank and thread.
fn build(method: &Method, case: &Case) -> Box<dyn Solver> {
    (method.build)(case, &Context { threads: 1, ..Context::alone() }).expect("a solver")
}

fn velocity(solver: &mut dyn Solver) -> Field {
    solver.field(Quantity::Velocity).expect("a field")
}

/// Vorticity at each look of a stream that `begin` puts vortices into the state of.
pub fn looks(method: &Method, case: &Case, begin: impl FnOnce(&mut State)) -> Vec<Vec<f64>> {
    let mut solver = build(method, case);
    let mut state = solver.state().expect("a state");
    begin(&mut state);
    solver.restore(&state).expect("the state");
    let look = |number: usize| {
        let end = INTERVAL * number as f64;
        while solver.now().time < end {
            solver.step(end).expect("a step");
        }
        vorticity(case, &velocity(&mut *solver))
    };
    (0..=LOOKS).map(look).collect()
}

/// Velocity of a case after 20 s.
pub fn settled(method: &Method, case: &Case) -> Field {
    let mut solver = build(method, case);
    while solver.now().time < 20.0 {
        solver.step(20.0).expect("a step");
    }
    velocity(&mut *solver)
}
