//! Small flows with every boundary, and comparisons of states.
#![allow(dead_code, unreachable_pub, unused_imports)] // each test binary uses its own share

mod heated;
#[path = "../../../core/tests/states/mod.rs"]
mod states;

pub use heated::{Heated, heated};

pub use states::{bits, difference, expect_same, whole};

use std::sync::Arc;

use vortice_core::{Case, Communicator, Context, Solver, State, Threads};

/// How numbers are calculated with and stored.
pub const NUMBERS: [(&str, &str); 3] = [("f64", "precision"), ("f32", "precision"), ("f32", "f16")];

/// A small flow.
#[derive(Clone)]
pub struct Flow {
    pub name: &'static str,
    cells: [usize; 3],
    size: [f64; 3],
    faces: [&'static str; 6],
    extra: String,
    tables: String,
    precision: &'static str,
    until: &'static str,
    /// Of a channel between walls.
    force: &'static str,
    lbm: String,
}

const PERIODIC: &str = "'periodic'";
const WALL: &str = "'wall'";

impl Flow {
    fn new(name: &'static str, cells: [usize; 3], faces: [&'static str; 6]) -> Self {
        let size = cells.map(|n| n as f64 / 8.0);
        let (extra, tables) = (String::new(), String::new());
        let [precision, until, force] = ["f64", "1e9", "[0.4, 0.1, 0.0]"];
        let lbm = String::new();
        Self { name, cells, size, faces, extra, tables, precision, until, force, lbm }
    }

    fn extra(mut self, text: &str) -> Self {
        self.extra += text;
        self.extra += "\n";
        self
    }

    pub fn precision(&self, precision: &'static str) -> Self {
        Self { precision, ..self.clone() }
    }

    /// With these lines in the table `[lbm]`.
    pub fn with_lbm(&self, lines: &str) -> Self {
        Self { lbm: format!("{}{lines}", self.lbm), ..self.clone() }
    }

    /// With other lines in it.
    pub fn replacing(&self, from: &str, to: &str) -> Self {
        assert!(self.lbm.contains(from), "{} has no `{from}`", self.name);
        Self { lbm: self.lbm.replace(from, to), ..self.clone() }
    }

    pub fn is_plane(&self) -> bool {
        self.cells[2] == 1
    }

    /// Plane and spatial flows that have every boundary between them, with odd sizes.
    pub fn all() -> Vec<Self> {
        let lid = "{ wall = { velocity = [1.0, 0.0, 0.0] } }";
        let side = "{ wall = { velocity = [0.0, 0.6, 0.0] } }";
        let lid_z = "{ wall = { velocity = [0.8, 0.6, 0.0] } }";
        let inflow = "{ inflow = { velocity = [1.0, 0.0, 0.0], \
                      profile = { parabolic = { along = 'y', from = 0.5, to = 1.125 } } } }";
        let inflow_up = "{ inflow = { velocity = [0.0, 1.0, 0.0] } }";
        let pulse =
            "{ inflow = { velocity = ['2*y*(1.2 - y)*(1 + 0.5*sin(9*t))', '0.1*cos(7*t)', 0] } }";
        let shaken = "{ wall = { velocity = ['0.3*sin(8*t + x)', 0, 0] } }";
        let pulse_in_space =
            "{ inflow = { velocity = ['0.7 + 0.2*z*sin(9*t)', 0, 'y*cos(7*t)'] } }";
        let shaken_in_space = "{ wall = { velocity = ['0.3*sin(8*t)', 0, '0.1*t/(1 + t)'] } }";
        let convective = "{ outflow = { convective = true } }";
        let down = "{ inflow = { velocity = [0.0, -1.0, 0.0] } }";
        let central = "interpolation = 'central'\n";
        let flat = [PERIODIC, PERIODIC];
        let plane = |name, n: [usize; 2], f: [&'static str; 4]| {
            Self::new(name, [n[0], n[1], 1], [f[0], f[1], f[2], f[3], flat[0], flat[1]])
        };
        vec![
            plane("cavity", [19, 13], [WALL, side, WALL, lid]),
            plane("step", [37, 9], [inflow, "'outflow'", WALL, WALL])
                .extra("solid = [{ low = [0.0, 0.0, 0.0], high = [1.0, 0.5, 0.125] }]")
                .extra("initial = { velocity = [0.5, 0.0, 0.0] }"),
            plane("convective", [23, 10], [inflow, convective, WALL, WALL])
                .extra("initial = { velocity = [0.5, 0.0, 0.0] }"),
            plane("convective, downwards", [12, 17], [PERIODIC, PERIODIC, convective, down])
                .extra("initial = { velocity = [0.1, -0.9, 0.0] }"),
            plane("cylinder", [27, 14], [inflow, "'outflow'", WALL, WALL])
                .extra(
                    "body.turning = { circle = { centre = [0.9, 0.83], radius = 0.31 }, rotation = 2.0 }\n\
                     body.stairs = { circle = { centre = [2.1, 0.4], radius = 0.27 }, rotation = -1.0, \
                     walls = 'stairs' }",
                )
                .extra("initial = { velocity = [0.5, 0.0, 0.0] }"),
            plane("ring with a hole", [27, 19], [inflow, "'outflow'", WALL, WALL]).extra(
                "body.ring = { inside = '(x - 1.2)^2 + (y - 1.1)^2 < 0.5 and (x - 1.2)^2 + (y - 1.1)^2 > 0.1' }",
            )
            .with_lbm(central),
            plane("drum", [17, 18], [WALL, WALL, WALL, WALL]).extra(
                "body.drum = { circle = { centre = [1.07, 1.13], radius = 0.98 }, hollow = true }\n\
                 body.inner = { circle = { centre = [1.1, 1.1], radius = 0.4 }, rotation = 2.5 }",
            ),
            plane("drum, central", [17, 18], [WALL, WALL, WALL, WALL])
                .extra("body.drum = { circle = { centre = [1.07, 1.13], radius = 0.98 }, hollow = true }")
                .extra("initial = { velocity = ['y - 1.13', '1.07 - x', 0] }")
                .with_lbm(central),
            plane("wedge", [24, 16], [PERIODIC, PERIODIC, WALL, "'symmetry'"]).extra(
                "body.wedge = { polygon = { corners = [[0.4, 0.3], [2.9, 0.42], [0.5, 1.3]] } }",
            ),
            plane("vortices", [16, 16], [PERIODIC; 4]).extra("initial = { flow = 'taylor-green' }"),
            plane("half channel", [18, 7], [PERIODIC, PERIODIC, WALL, "'symmetry'"])
                .extra("solid = [{ low = [0.5, 0.0, 0.0], high = [1.0, 0.25, 0.125] }]"),
            plane("upwards", [9, 21], ["'symmetry'", "'symmetry'", inflow_up, "'outflow'"])
                .extra("initial = { velocity = [0.0, 0.9, 0.0] }"),
            plane("pulse", [27, 9], [pulse, "'outflow'", WALL, shaken]),
            Self::new(
                "pulse in a duct",
                [11, 6, 5],
                [pulse_in_space, "'outflow'", shaken_in_space, WALL, WALL, "'symmetry'"],
            ),
            Self::new("cube", [11, 10, 9], [WALL, WALL, WALL, WALL, WALL, lid_z]),
            Self::new(
                "obstacle",
                [12, 8, 7],
                [PERIODIC, PERIODIC, WALL, "'symmetry'", "'symmetry'", WALL],
            )
            .extra("solid = [{ low = [0.5, 0.25, 0.25], high = [0.875, 0.625, 0.5] }]"),
            Self::new("sphere", [13, 9, 8], [PERIODIC, PERIODIC, WALL, "'symmetry'", PERIODIC, PERIODIC])
                .extra("body.ball = { sphere = { centre = [0.8, 0.62, 0.47], radius = 0.33 }, rotation = 1.5 }")
                .with_lbm(central),
            Self::new(
                "convective duct",
                [14, 6, 5],
                [
                    "{ inflow = { velocity = [0.7, 0.0, 0.0] } }",
                    convective,
                    WALL,
                    "'symmetry'",
                    PERIODIC,
                    PERIODIC,
                ],
            ),
            Self::new(
                "duct",
                [14, 6, 5],
                [
                    "{ inflow = { velocity = [0.7, 0.0, 0.0] } }",
                    "'outflow'",
                    WALL,
                    WALL,
                    PERIODIC,
                    PERIODIC,
                ],
            ),
        ]
    }

    /// Flows whose moments may be stored, several tiles and warps wide, with every end that is done.
    pub fn of_moments() -> Vec<Self> {
        let lid = "{ wall = { velocity = [1.0, 0.0, 0.0] } }";
        let lid_z = "{ wall = { velocity = [0.8, 0.6, 0.0] } }";
        let side = "{ wall = { velocity = [0.0, 0.6, 0.0] } }";
        let shaken = "{ wall = { velocity = ['0.3*sin(8*t + x)', 0, '0.1*t/(1 + t)'] } }";
        let flat = [PERIODIC, PERIODIC];
        let plane = |name, n: [usize; 2], f: [&'static str; 4]| {
            Self::new(name, [n[0], n[1], 1], [f[0], f[1], f[2], f[3], flat[0], flat[1]])
        };
        let vortices = "initial = { flow = 'taylor-green' }";
        let moving = "initial = { velocity = [0.5, 0.1, 0.0] }";
        let all = vec![
            plane("cavity", [19, 13], [WALL, side, WALL, lid]),
            plane("long cavity", [95, 22], [side, WALL, lid, WALL]),
            plane("vortices", [32, 16], [PERIODIC; 4]).extra(vortices),
            Self::new("cube", [33, 12, 9], [WALL, WALL, WALL, lid, WALL, lid_z]),
            Self::new(
                "shaken channel",
                [31, 10, 6],
                [PERIODIC, PERIODIC, WALL, shaken, PERIODIC, PERIODIC],
            )
            .extra(moving),
            Self::new("box", [62, 6, 5], [PERIODIC; 6]).extra(vortices),
            Self::new("upright", [30, 5, 8], [WALL, side, PERIODIC, PERIODIC, WALL, lid_z]),
            Self::new("plate", [9, 5, 2], [PERIODIC, PERIODIC, WALL, WALL, lid_z, WALL]),
        ];
        all.into_iter().map(|flow| flow.with_lbm("storage = 'moments'\n")).collect()
    }

    /// Flows by cycles on two grids and on three, with everything that coarser grids are told.
    pub fn of_cycles() -> Vec<Self> {
        let lid = "{ wall = { velocity = [1.0, 0.0, 0.0] } }";
        let flat = [PERIODIC, PERIODIC];
        let plane = |name, n: [usize; 2], f: [&'static str; 4]| {
            Self::new(name, [n[0], n[1], 1], [f[0], f[1], f[2], f[3], flat[0], flat[1]])
        };
        let cavity = |name, n| plane(name, [n, n], [WALL, WALL, WALL, lid]);
        let all = vec![
            cavity("cavity", 32).with_lbm("lattice = 'd2q9'\n"),
            plane("past a box", [64, 32], [PERIODIC, PERIODIC, WALL, "'symmetry'"])
                .extra("solid = [{ low = [2.0, 0.0, 0.0], high = [3.0, 1.0, 0.125] }]"),
            cavity("three grids", 64).precision("f32").with_lbm("lattice = 'd3q27'\n"),
            plane("vortices", [32, 32], [PERIODIC; 4])
                .extra("initial = { flow = 'taylor-green' }")
                .with_lbm("lattice = 'd2q9'\n"),
            Self::new("cube", [32; 3], [WALL, WALL, WALL, WALL, WALL, lid]).precision("f32"),
        ];
        let slow = |flow: Self| Self { force: "[2e-3, 1e-3, 0.0]", ..flow };
        let by_cycles = |flow: Self| slow(flow.with_lbm("multigrid = true\n").steady());
        all.into_iter().map(by_cycles).collect()
    }

    /// Flows of whole pairs of cells in each row, by threads of two cells each on a GPU.
    pub fn of_pairs() -> Vec<Self> {
        let lid = "{ wall = { velocity = [1.0, 0.0, 0.0] } }";
        let side = "{ wall = { velocity = [0.0, 0.6, 0.0] } }";
        let inflow = "{ inflow = { velocity = [0.7, 0.0, 0.0] } }";
        let all = vec![
            Self::new("long cavity", [134, 9, 1], [side, WALL, WALL, lid, PERIODIC, PERIODIC]),
            Self::new("cube", [70, 9, 8], [WALL, WALL, WALL, lid, WALL, WALL]),
            Self::new("box", [64, 6, 5], [PERIODIC; 6])
                .extra("initial = { flow = 'taylor-green' }"),
            Self::new(
                "duct",
                [66, 8, 7],
                [inflow, "'outflow'", WALL, "'symmetry'", PERIODIC, PERIODIC],
            )
            .extra("solid = [{ low = [0.5, 0.25, 0.25], high = [0.875, 0.625, 0.5] }]"),
        ];
        let in_pairs = |flow: Self| flow.with_lbm("cells-per-thread = 2\n");
        all.into_iter().map(in_pairs).collect()
    }

    /// On its way to a steady end.
    pub fn steady(self) -> Self {
        Self { until: "'steady', steady = 1e-9", ..self }
    }

    /// Cuts between ranks that the flow allows: total and per direction.
    pub fn layouts(&self) -> Vec<(usize, [usize; 3])> {
        let mut all = vec![[2, 1, 1], [1, 2, 1], [3, 1, 1], [1, 3, 1], [2, 2, 1], [4, 2, 1]];
        if !self.is_plane() {
            all.extend([[1, 1, 2], [2, 1, 2], [2, 2, 2], [1, 1, 3]]);
        }
        all.into_iter().map(|layout| (layout.iter().product(), layout)).collect()
    }

    pub fn case(&self) -> Case {
        let Self { name, cells, size, faces: f, extra, tables, precision, until, force, lbm } =
            self;
        let forced = if f[2] == WALL && f[0] == PERIODIC { force } else { "[0.0, 0.0, 0.0]" };
        let text = format!(
            "title = '{name}'\ngrid = {{ cells = {cells:?}, size = {size:?} }}\n\
             fluid = {{ density = 1.3, viscosity = 0.02, force = {forced} }}\n\
             scale = {{ length = 1.0, velocity = 1.0 }}\n\
             run = {{ method = 'lbm', until = {until}, precision = '{precision}', device = 'cpu' }}\n\
             {extra}\n[boundary]\nx-low = {}\nx-high = {}\ny-low = {}\ny-high = {}\n\
             z-low = {}\nz-high = {}\n{tables}\n[lbm]\n{lbm}",
            f[0], f[1], f[2], f[3], f[4], f[5]
        );
        Case::parse(&text, name)
            .unwrap_or_else(|error| panic!("{text}\n{error}: {}", error.remedy()))
    }
}

/// One rank on one thread.
pub fn alone() -> Context {
    Context { threads: 1, ..Context::alone() }
}

/// The state after some steps on one rank.
pub fn run(case: &Case, steps: usize) -> State {
    let mut solver = build(case, &alone());
    for _ in 0..steps {
        solver.step(f64::INFINITY).expect("a step");
    }
    solver.state().expect("a state")
}

pub fn build(case: &Case, context: &Context) -> Box<dyn Solver> {
    let built = (vortice_lbm::METHOD.build)(case, context);
    built.unwrap_or_else(|error| panic!("{error}: {}", error.remedy()))
}

/// The state of the whole grid after some steps on some ranks.
pub fn state(case: &Case, steps: usize, size: usize, layout: Option<[usize; 3]>) -> State {
    let states = Threads::run(size, |rank| {
        let ranks: Arc<dyn Communicator> = Arc::new(rank);
        let context = Context { ranks: Arc::clone(&ranks), layout, threads: 1 };
        let mut solver = build(case, &context);
        for _ in 0..steps {
            solver.step(f64::INFINITY)?;
        }
        whole(&solver.state()?, &*ranks, &context.decomposition(case)?)
    });
    states.unwrap_or_else(|error| panic!("{error}")).swap_remove(0)
}
