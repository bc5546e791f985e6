//! Small flows with every boundary, and comparisons of states: what the tests of the engine for CUDA
//! share.
#![allow(dead_code, unreachable_pub, unused_imports)] // each test binary uses its own share

#[path = "../../../core/tests/states/mod.rs"]
mod states;

pub use states::{bits, difference, expect_same, whole};

use vortice_core::{Case, Context, Solver, Step};

/// A small flow.
#[derive(Clone)]
pub struct Flow {
    pub name: &'static str,
    cells: [usize; 3],
    size: [f64; 3],
    faces: [&'static str; 6],
    force: &'static str,
    extra: &'static str,
    /// Lines of its table `[fvm]`.
    own: &'static str,
}

const PERIODIC: &str = "'periodic'";
const WALL: &str = "'wall'";
const SYMMETRY: &str = "'symmetry'";
const OUTFLOW: &str = "'outflow'";
const CONVECTIVE: &str = "{ outflow = { convective = true } }";
const LID: &str = "{ wall = { velocity = [1.0, 0.0, 0.0] } }";
const PARABOLA: &str = "{ inflow = { velocity = [1.0, 0.0, 0.0], \
                        profile = { parabolic = { along = 'y', from = 0.5, to = 1.125 } } } }";

const PULSE: &str =
    "{ inflow = { velocity = ['2*y*(1.2 - y)*(1 + 0.5*sin(9*t))', '0.1*cos(7*t)', 0] } }";
const SHAKEN: &str = "{ wall = { velocity = ['0.3*sin(8*t + x)', 0, 0] } }";
const PULSE_IN_SPACE: &str =
    "{ inflow = { velocity = ['0.7 + 0.2*z*sin(9*t)', 0, 'y*cos(7*t)'] } }";
const SHAKEN_IN_SPACE: &str = "{ wall = { velocity = ['0.3*sin(8*t)', 0, '0.1*t/(1 + t)'] } }";

impl Flow {
    fn new(name: &'static str, cells: [usize; 3], faces: [&'static str; 6]) -> Self {
        let size = [0, 1, 2].map(|d| cells[d] as f64 / 8.0);
        Self { name, cells, size, faces, force: "[0.0, 0.0, 0.0]", extra: "", own: "" }
    }

    fn plane(name: &'static str, cells: [usize; 2], faces: [&'static str; 4]) -> Self {
        let [a, b, c, d] = faces;
        Self::new(name, [cells[0], cells[1], 1], [a, b, c, d, PERIODIC, PERIODIC])
    }

    fn extra(self, extra: &'static str) -> Self {
        Self { extra, ..self }
    }

    fn central(self) -> Self {
        Self { own: "scalar-convection = 'central'\n", ..self }
    }

    fn forced(self, force: &'static str) -> Self {
        Self { force, ..self }
    }

    fn size(self, size: [f64; 3]) -> Self {
        Self { size, ..self }
    }

    pub fn is_plane(&self) -> bool {
        self.cells[2] == 1
    }

    /// Whether a step takes many times as long as one of the others.
    pub fn is_large(&self) -> bool {
        self.cells.iter().product::<usize>() > 2500
    }

    /// Plane flows that have every boundary between them, with odd sizes, and some with more levels than
    /// one block does.
    pub fn in_plane() -> Vec<Self> {
        let side = "{ wall = { velocity = [0.0, 0.6, 0.0] } }";
        let inflow_up = "{ inflow = { velocity = [0.0, 1.0, 0.0] } }";
        let inflow_back = "{ inflow = { velocity = [-1.0, 0.0, 0.0] } }";
        vec![
            Self::plane("cavity", [19, 13], [WALL, side, WALL, LID]),
            Self::plane("large cavity", [97, 70], [WALL, WALL, WALL, LID]),
            Self::plane("step", [37, 9], [PARABOLA, OUTFLOW, WALL, WALL]).extra(
                "solid = [{ low = [0.0, 0.0, 0.0], high = [1.0, 0.5, 0.125] }]\n\
                 initial = { velocity = [0.5, 0.0, 0.0] }",
            ),
            Self::plane("vortices", [16, 14], [PERIODIC; 4])
                .extra("initial = { flow = 'taylor-green' }"),
            Self::plane("large vortices", [96, 64], [PERIODIC; 4])
                .extra("initial = { flow = 'taylor-green' }"),
            Self::plane("odd ring", [75, 71], [PERIODIC, PERIODIC, WALL, LID])
                .extra("initial = { velocity = [0.1, 0.3, 0.0] }"),
            Self::plane("half channel", [18, 7], [PERIODIC, PERIODIC, WALL, SYMMETRY])
                .forced("[0.4, 0.1, 0.0]")
                .extra("solid = [{ low = [0.5, 0.0, 0.0], high = [1.0, 0.25, 0.125] }]"),
            Self::plane("upwards", [9, 21], [SYMMETRY, SYMMETRY, inflow_up, OUTFLOW])
                .extra("initial = { velocity = [0.0, 0.9, 0.0] }"),
            Self::plane(
                "backwards",
                [66, 65],
                ["{ outflow = { pressure = 0.3 } }", inflow_back, WALL, SYMMETRY],
            )
            .extra(
                "solid = [{ low = [3.0, 2.0, 0.0], high = [3.5, 4.0, 0.125] }]\n\
                     initial = { velocity = [-0.7, 0.1, 0.0] }",
            ),
            Self::plane("flat", [150, 40], [WALL, WALL, WALL, LID]).size([4.0, 6.0, 1.0]),
            Self::plane("cylinders", [37, 22], [PARABOLA, OUTFLOW, WALL, WALL]).extra(
                "body = { turning = { circle = { centre = [1.2, 1.3], radius = 0.53 }, rotation = 1.5 }, \
                 stairs = { circle = { centre = [3.3, 1.41], radius = 0.4 }, rotation = -2.0, \
                 walls = 'stairs' } }\ninitial = { velocity = [0.3, 0.0, 0.0] }",
            ),
            Self::plane("ring with a hole", [34, 22], [PARABOLA, OUTFLOW, WALL, WALL]).extra(
                "body.ring = { inside = '(x - 1.3)^2 + (y - 1.3)^2 < 0.6 and (x - 1.3)^2 + (y - 1.3)^2 > 0.1' }",
            ),
            Self::plane("drum", [26, 22], [WALL; 4]).forced("[0.3, 0.2, 0.0]").extra(
                "body = { drum = { circle = { centre = [1.63, 1.36], radius = 1.3 }, hollow = true, \
                 rotation = 0.7 }, wedge = { polygon = { corners = [[1.1, 1.0], [2.2, 1.2], \
                 [1.4, 1.9]] } } }",
            ),
            // Their walls lie across the ends.
            Self::plane("lattice", [16, 14], [PERIODIC; 4]).forced("[0.4, 0.1, 0.0]").extra(
                "body = { one = { circle = { centre = [0.5, 0.51], radius = 0.5 }, rotation = 1.0 }, \
                 other = { box = { low = [1.27, 0.9, -1.0], high = [1.8, 1.72, 1.0] } } }",
            ),
            Self::plane("convective", [25, 11], [PARABOLA, CONVECTIVE, WALL, SYMMETRY])
                .extra("initial = { velocity = [0.5, 0.1, 0.0] }"),
            Self::plane(
                "convective, backwards",
                [24, 10],
                [CONVECTIVE, inflow_back, PERIODIC, PERIODIC],
            )
            .extra("initial = { velocity = [-0.5, 0.1, 0.0] }"),
        ]
    }

    /// Flows whose boundaries change with time.
    pub fn changing() -> Vec<Self> {
        vec![
            Self::plane("pulse", [37, 9], [PULSE, OUTFLOW, WALL, SHAKEN]),
            Self::new(
                "pulse in a duct",
                [14, 6, 5],
                [PULSE_IN_SPACE, OUTFLOW, SHAKEN_IN_SPACE, WALL, WALL, SYMMETRY],
            ),
        ]
    }

    /// The same in space.
    pub fn in_space() -> Vec<Self> {
        let lid = "{ wall = { velocity = [0.8, 0.6, 0.0] } }";
        let inflow = "{ inflow = { velocity = [0.7, 0.0, 0.0] } }";
        vec![
            Self::new("cube", [11, 10, 9], [WALL, WALL, WALL, WALL, WALL, lid]),
            Self::new("large cube", [21, 18, 17], [WALL, WALL, WALL, LID, SYMMETRY, WALL]),
            Self::new("obstacle", [12, 8, 7], [PERIODIC, PERIODIC, WALL, SYMMETRY, SYMMETRY, WALL])
                .forced("[0.4, 0.1, 0.0]")
                .extra("solid = [{ low = [0.5, 0.25, 0.25], high = [0.875, 0.625, 0.5] }]"),
            Self::new("duct", [14, 6, 5], [inflow, OUTFLOW, WALL, WALL, PERIODIC, PERIODIC]),
            Self::new(
                "large duct",
                [40, 12, 10],
                [inflow, OUTFLOW, WALL, WALL, PERIODIC, PERIODIC],
            )
            .extra("initial = { velocity = [0.5, 0.0, 0.1] }"),
            Self::new("ball", [15, 11, 10], [inflow, OUTFLOW, WALL, WALL, PERIODIC, PERIODIC])
                .extra(
                    "body = { ball = { sphere = { centre = [0.8, 0.7, 0.6], radius = 0.37 }, \
                     rotation = 2.0 } }\ninitial = { velocity = [0.5, 0.0, 0.1] }",
                ),
            Self::new(
                "convective duct",
                [14, 6, 5],
                [inflow, CONVECTIVE, WALL, WALL, WALL, SYMMETRY],
            ),
        ]
    }

    /// Flows with heat and all kinds of its ends, with one component of buoyancy and with two.
    pub fn heated() -> Vec<Self> {
        let [hot, cold] = ["{ wall = { temperature = 320 } }", "{ wall = { temperature = 300 } }"];
        let flux = "{ wall = { heat-flux = 0.3 } }";
        let inflow = "{ inflow = { velocity = [0.7, 0.0, 0.0], temperature = 300 } }";
        let still = "heat = { prandtl = 0.7, expansion = 3e-3, gravity = [0.0, -9.81, 0.0] }";
        let inclined = "heat = { prandtl = 0.7, expansion = 3e-3, gravity = [2.0, -9.81, 0.0] }\n\
                        initial = { velocity = [0.3, 0.0, 0.0], temperature = '300 + 9*y + sin(4*x)' }";
        let along = "heat = { prandtl = 0.7, expansion = 3e-3, gravity = [-9.81, 0.0, 0.0] }\n\
                     initial = { velocity = [0.5, 0.1, 0.0], temperature = '300 + 7*x*y + sin(9*x)' }";
        // By formulas of place and time.
        let swaying = "{ wall = { temperature = '320 + 5*x*sin(40*t)' } }";
        let swaying_flux = "{ wall = { heat-flux = '0.3*cos(30*t) + 0.1*x' } }";
        let swaying_inflow =
            "{ inflow = { velocity = [0.7, 0.0, 0.0], temperature = '300 + 4*y*sin(50*t)' } }";
        // With two scalars beside heat, and with them alone.
        let dyed_inflow = "{ inflow = { velocity = [0.7, 0.0, 0.0], temperature = 300, \
                           scalars = { dye = 1, salt = 2 } } }";
        let dyed = "{ wall = { temperature = 320, scalars = { dye = 4 } } }";
        let dye_flux = "{ wall = { heat-flux = 0.3, scalar-fluxes = { salt = 0.2 } } }";
        let dyed_along = "heat = { prandtl = 0.7, expansion = 3e-3, gravity = [-9.81, 0.0, 0.0] }\n\
             scalar = [{ name = 'dye', diffusivity = 0.03 }, { name = 'salt', diffusivity = 0.001 }]\n\
             initial = { velocity = [0.5, 0.1, 0.0], temperature = '300 + 7*x*y', \
             scalars = { dye = 'x*y' } }";
        let dyes = "{ inflow = { velocity = [0.7, 0.0, 0.0], scalars = { dye = 1, salt = 2 } } }";
        let dyed_only = "{ wall = { scalars = { dye = 4 } } }";
        let dye_along = "scalar = [{ name = 'dye', diffusivity = 0.03 }, { name = 'salt', diffusivity = 0.001, source = 'x' }]\n\
             initial = { velocity = [0.5, 0.1, 0.0], scalars = { salt = 'sin(3*x)' } }";
        vec![
            Self::plane("heated cavity", [19, 13], [hot, cold, WALL, WALL]).extra(still).central(),
            Self::plane(
                "heated channel by formulas",
                [22, 9],
                [swaying_inflow, OUTFLOW, swaying, swaying_flux],
            )
            .extra(along),
            Self::plane("rolls", [16, 14], [PERIODIC, PERIODIC, flux, cold])
                .extra(inclined)
                .central(),
            Self::plane("odd rolls", [15, 8], [PERIODIC, PERIODIC, flux, SYMMETRY]).extra(inclined),
            Self::new("heated cube", [11, 10, 9], [hot, cold, WALL, WALL, SYMMETRY, flux])
                .extra(still),
            Self::new("heated duct", [14, 6, 5], [inflow, OUTFLOW, hot, WALL, PERIODIC, PERIODIC])
                .extra(along)
                .central(),
            Self::new(
                "heated convective duct",
                [14, 6, 6],
                [inflow, CONVECTIVE, hot, cold, PERIODIC, PERIODIC],
            )
            .extra(along),
            Self::plane("dyed channel", [20, 9], [dyed_inflow, OUTFLOW, dyed, dye_flux])
                .extra(dyed_along),
            Self::plane("bodies", [20, 9], [dyed_inflow, OUTFLOW, dyed, dye_flux]).extra(
                "heat = { prandtl = 0.7, expansion = 3e-3, gravity = [-9.81, 0.0, 0.0] }\n\
                 scalar = [{ name = 'dye', diffusivity = 0.03 }, { name = 'salt', diffusivity = 0.001 }]\n\
                 body.ball = { circle = { centre = [0.74, 0.57], radius = 0.26 }, temperature = '310 + x', scalars = { dye = 2 }, scalar-fluxes = { salt = 0.2 } }\n\
                 solid = [{ low = [1.5, 0.0, 0.0], high = [1.75, 0.25, 0.125], heat-flux = 0.3 }]\n\
                 initial = { velocity = [0.5, 0.1, 0.0], temperature = '300 + 7*x*y', \
                 scalars = { dye = 'x*y' } }",
            ),
            Self::new("stairs", [14, 9, 7], [inflow, CONVECTIVE, hot, cold, PERIODIC, PERIODIC])
                .extra(
                    "heat = { prandtl = 0.7, expansion = 3e-3, gravity = [-9.81, 0.0, 0.0] }\n\
                     body.ball = { sphere = { centre = [0.74, 0.57, 0.43], radius = 0.26 }, walls = 'stairs', heat-flux = 0.5 }\n\
                     solid = [{ low = [1.25, 0.0, 0.0], high = [1.5, 0.25, 0.5], temperature = 305 }]\n\
                     initial = { velocity = [0.5, 0.1, 0.0], temperature = '300 + 7*x*y' }",
                )
                .central(),
            Self::new("dye", [10, 6, 5], [dyes, OUTFLOW, dyed_only, WALL, PERIODIC, PERIODIC])
                .extra(dye_along),
        ]
    }

    /// Flows with several levels of more than 4096 cells.
    pub fn huge() -> Vec<Self> {
        let inflow = "{ inflow = { velocity = [0.7, 0.0, 0.0] } }";
        vec![
            Self::plane("huge ring", [150, 131], [PERIODIC, PERIODIC, OUTFLOW, LID]),
            Self::plane("huge channel", [151, 134], [inflow, OUTFLOW, WALL, SYMMETRY]),
            Self::new("huge duct", [39, 34, 29], [inflow, OUTFLOW, WALL, WALL, PERIODIC, PERIODIC]),
        ]
    }

    /// Flows of so many cells that they can be halved, with every boundary that coarser grids take.
    pub fn halved() -> Vec<Self> {
        let lid = "{ wall = { velocity = [0.8, 0.6, 0.0] } }";
        let inflow_back = "{ inflow = { velocity = [-1.0, 0.0, 0.0] } }";
        vec![
            Self::plane("halved cavity", [64, 64], [WALL, WALL, WALL, LID]),
            Self::plane("halved step", [64, 32], [PARABOLA, OUTFLOW, WALL, WALL]).extra(
                "solid = [{ low = [0.0, 0.0, 0.0], high = [1.0, 0.5, 0.125] }]\n\
                 initial = { velocity = [0.5, 0.0, 0.0] }",
            ),
            Self::plane(
                "halved and backwards",
                [32, 48],
                ["{ outflow = { pressure = 0.3 } }", inflow_back, WALL, SYMMETRY],
            ),
            Self::plane("halved ring", [32, 64], [PERIODIC, PERIODIC, WALL, SYMMETRY])
                .forced("[0.4, 0.1, 0.0]")
                .extra("solid = [{ low = [0.5, 0.0, 0.0], high = [1.0, 0.25, 0.125] }]"),
            Self::new("halved cube", [32; 3], [WALL, WALL, SYMMETRY, WALL, PERIODIC, PERIODIC])
                .forced("[0.4, 0.1, 0.2]"),
            Self::new("halved cavity in space", [32; 3], [WALL, WALL, WALL, WALL, WALL, lid]),
        ]
    }

    pub fn all() -> Vec<Self> {
        [Self::in_plane(), Self::in_space(), Self::heated()].concat()
    }

    /// Cuts between ranks that the flow allows, per direction.
    pub fn layouts(&self) -> Vec<[usize; 3]> {
        let mut all = vec![[2, 1, 1], [1, 2, 1], [3, 1, 1], [2, 2, 1], [4, 1, 1]];
        if !self.is_plane() {
            all.extend([[1, 1, 2], [2, 1, 2]]);
        }
        let fits =
            |layout: &[usize; 3]| (0..3).all(|d| layout[d] == 1 || self.cells[d] / layout[d] >= 2);
        all.into_iter().filter(fits).collect()
    }

    /// As [`Self::case`], without coarser grids: neither before the first iteration nor in each.
    pub fn on_one_grid(&self, steady: bool, table: &str) -> Case {
        self.case(steady, &format!("multigrid = false\nsequence = false\n{table}"))
    }

    /// The case with these lines in its table `[fvm]`; steady, or in time.
    pub fn case(&self, steady: bool, table: &str) -> Case {
        let Self { name, cells, size, faces: f, force, extra, own } = self;
        let until = if steady { "until = 'steady', steady = 1e-12" } else { "until = 1e9" };
        let text = format!(
            "title = '{name}'\ngrid = {{ cells = {cells:?}, size = {size:?} }}\n\
             fluid = {{ density = 1.3, viscosity = 0.02, force = {force} }}\n\
             scale = {{ length = 1.0, velocity = 1.0 }}\n\
             run = {{ method = 'fvm', {until}, device = 'cpu' }}\n\
             {extra}\n[boundary]\nx-low = {}\nx-high = {}\ny-low = {}\ny-high = {}\n\
             z-low = {}\nz-high = {}\n[fvm]\n{own}{table}",
            f[0], f[1], f[2], f[3], f[4], f[5]
        );
        // A flow that becomes steady has no formulas of time.
        let text = if steady { text.replace("*t)", ")") } else { text };
        Case::parse(&text, name)
            .unwrap_or_else(|error| panic!("{text}\n{error}: {}", error.remedy()))
    }
}

/// One rank on one thread.
pub fn alone() -> Context {
    Context { threads: 1, ..Context::alone() }
}

pub fn build(case: &Case, context: &Context) -> Box<dyn Solver> {
    let built = (vortice_fvm::METHOD.build)(case, context);
    built.unwrap_or_else(|error| panic!("{error}: {}", error.remedy()))
}

pub fn advance(solver: &mut dyn Solver, steps: usize) -> Vec<Step> {
    (0..steps).map(|_| solver.step(f64::INFINITY).expect("a step")).collect()
}
