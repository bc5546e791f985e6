//! A flow with heat and scalars on any ranks, saved and restored on the way: for the tests of every method.
#![allow(dead_code, unreachable_pub)] // each test binary uses its own share

use std::sync::Arc;

use vortice_core::{Case, Communicator, Context, Field, Method, Quantity, Threads, gather};

/// A channel with all kinds of ends for heat, so many cells deep, with these ends across and these keys of `run`.
pub fn channel(layers: usize, across: &str, run: &str) -> String {
    format!(
        "title = \"channel\"\ngrid = {{ cells = [12, 8, {layers}], size = [3.0, 1.0, 1.0] }}\n\
         fluid = {{ viscosity = 0.01 }}\n\
         heat = {{ prandtl = 0.7, expansion = 3e-3, gravity = [-9.81, 0.0, 0.0] }}\n\
         initial = {{ velocity = [0.5, 0.0, 0.0], temperature = {INITIAL} }}\n\
         [boundary]\n\
         x-low = {{ inflow = {{ velocity = [1.0, 0.0, 0.0], temperature = 300.0 }} }}\n\
         x-high = \"outflow\"\ny-low = {{ wall = {{ temperature = 320.0 }} }}\n\
         y-high = {{ wall = {{ heat-flux = 0.3 }} }}\n\
         z-low = \"{across}\"\nz-high = \"{across}\"\n\
         [run]\n{run}\n"
    )
}

/// A channel that warms up what enters it to `end`, where it is steady, with these keys of the method's table: all kinds of ends.
pub fn heated_channel(end: &str, table: &str) -> String {
    format!(
        "title = \"channel\"\ngrid = {{ cells = [18, 8, 1], size = [2.25, 1.0, 1.0] }}\n\
         fluid = {{ viscosity = 0.1 }}\n\
         heat = {{ prandtl = 0.7, expansion = 3e-3, gravity = [-9.81, 0.0, 0.0] }}\n\
         initial = {{ velocity = [1.0, 0.0, 0.0] }}\n\
         [boundary]\n\
         x-low = {{ inflow = {{ velocity = [1.0, 0.0, 0.0], temperature = 303.0 }} }}\n\
         x-high = \"outflow\"\ny-low = {{ wall = {{ temperature = 320.0 }} }}\n\
         y-high = {{ wall = {{ heat-flux = 0.3 }} }}\n\
         z-low = \"periodic\"\nz-high = \"periodic\"\n\
         [run]\n{end}\n{table}\n"
    )
}

/// Steps a flow until it is as near to its end as this, and returns what enters through faces and does not leave, as a share of
/// all that enters; on two ranks with the same bits.
pub fn heat_left(method: &'static Method, text: &str, error: f64, most: u64) -> f64 {
    let case = parsed(text);
    let fluxes = |size| {
        let answers = Threads::run(size, |rank| {
            let context = Context { layout: None, threads: 1, ranks: Arc::new(rank) };
            let mut solver = (method.build)(&case, &context)?;
            loop {
                let step = solver.step(f64::INFINITY)?;
                if step.iteration_error <= error {
                    break;
                }
                assert!(step.number < most, "{step:?}");
            }
            solver.surface_fluxes()
        });
        answers.unwrap_or_else(|error| panic!("{error}")).swap_remove(0).heat.expect("heat")
    };
    let told = fluxes(1);
    let heat = case.heat.as_ref().expect("heat");
    let edges = case.grid.axes.map(|axis| axis.length());
    let through = heat.iter().map(|(d, side, face)| {
        let area = edges[0] * edges[1] / edges[d];
        area * (told[d][side as usize] + face.flux())
    });
    let through: Vec<f64> = through.collect();
    let (sum, enters) =
        (through.iter().sum::<f64>(), through.iter().map(|heat| heat.max(0.0)).sum::<f64>());
    println!("{told:?} K m/s: of {enters} K m2/s {sum:.1e} stay");
    if method.name != "fvm" {
        assert_eq!(told, fluxes(2), "ranks");
    }
    sum / enters
}

/// The same channel with two scalars beside its heat: one with fluxes and values, one that only flows in.
pub fn with_scalars(channel: &str) -> String {
    let salt = "{ inflow = { velocity = [1.0, 0.0, 0.0], temperature = 300.0, \
                scalars = { dye = 300.0, salt = 1.0 } } }";
    channel
        .replace("{ inflow = { velocity = [1.0, 0.0, 0.0], temperature = 300.0 } }", salt)
        .replace("temperature = 320.0", "temperature = 320.0, scalars = { dye = 320.0 }")
        .replace("heat-flux = 0.3", "heat-flux = 0.3, scalar-fluxes = { dye = 0.3 }")
        .replace(
            &format!("temperature = {INITIAL}"),
            &format!("temperature = {INITIAL}, scalars = {{ dye = {INITIAL} }}"),
        )
        + "[[scalar]]\nname = \"salt\"\ndiffusivity = 0.004\nsource = 0.5\n[[scalar]]\nname = \"dye\"\ndiffusivity = 0.02\n"
}

/// The same channel, whose faces are given by formulas of place and time.
pub fn by_formulas(channel: &str) -> String {
    channel
        .replace("300.0,", "\"300 + 4*y*sin(50*t)\",")
        .replace("300.0 }", "\"300 + 4*y*sin(50*t)\" }")
        .replace("salt = 1.0", "salt = \"1 + 0.5*sin(60*t)\"")
        .replace("= 320.0", "= \"320 + 5*x*sin(40*t)\"")
        .replace("= 0.3", "= \"0.3*cos(30*t) + 0.1*x\"")
}

/// The same channel with a warm body that has these walls, and a solid box that lets heat in.
pub fn with_bodies(channel: &str, walls: &str) -> String {
    let salt = ", scalar-fluxes = { salt = '0.1*y' }";
    let dye = format!(", scalars = {{ dye = 305.0 }}{salt}");
    let [ball, step] = if channel.contains("[[scalar]]") { [&dye, salt] } else { [""; 2] };
    let bodies = format!(
        "body.ball = {{ polygon = {{ corners = [[1.05, 0.2], [1.7, 0.22], [1.74, 0.71], [1.02, 0.73]] }}, \
         walls = \"{walls}\", temperature = 310.0{ball} }}\n\
         solid = [{{ low = [2.25, 0.0, 0.0], high = [2.75, 0.25, 1.0], heat-flux = '0.2 + x - 2.5'{step} }}]\n[boundary]"
    );
    channel.replace("[boundary]", &bodies)
}

/// The same channel with a scalar in place of its temperature.
pub fn with_dye_instead(channel: &str) -> String {
    let lines = channel.lines().filter(|line| !line.starts_with("heat"));
    let dyed = lines.map(|line| {
        let line = line.replace("temperature = 300.0", "scalars = { dye = 300.0 }");
        let line = line.replace("temperature = 320.0", "scalars = { dye = 320.0 }");
        let line = line.replace("heat-flux = 0.3", "scalar-fluxes = { dye = 0.3 }");
        line.replace(
            &format!("temperature = {INITIAL}"),
            &format!("scalars = {{ dye = {INITIAL} }}"),
        ) + "\n"
    });
    let diffusivity = 0.01 / 0.7;
    dyed.collect::<String>()
        + &format!("[[scalar]]\nname = \"dye\"\ndiffusivity = {diffusivity:?}\n")
}

/// The channel's temperature at t = 0.
const INITIAL: &str = "\"300 + x*y + sin(5*x)\"";

/// How a flow is computed.
pub struct How {
    /// Ranks along each direction.
    pub layout: [usize; 3],
    /// Threads of each.
    pub threads: usize,
    /// After how many steps another solver goes on from its state.
    pub restart: Option<usize>,
}

impl How {
    /// By one rank and thread in one go.
    pub const ALONE: Self = Self { layout: [1; 3], threads: 1, restart: None };
}

/// The velocity of the whole grid after some steps, and all that it carries.
pub fn after(method: &'static Method, case: &Case, steps: usize, how: &How) -> Vec<Field> {
    let answers = Threads::run(how.layout.iter().product(), |rank| {
        let ranks: Arc<dyn Communicator> = Arc::new(rank);
        let (layout, threads) = (Some(how.layout), how.threads);
        let context = Context { layout, threads, ranks: ranks.clone() };
        let cut = context.decomposition(case)?;
        let mut solver = (method.build)(case, &context)?;
        for step in 0..steps {
            if how.restart == Some(step) {
                let state = solver.state()?;
                solver = (method.build)(case, &context)?;
                solver.restore(&state)?;
            }
            solver.step(f64::INFINITY)?;
        }
        let mut whole = |quantity| gather(&*ranks, &cut, &solver.field(quantity)?);
        case.computed().filter(|one| *one != Quantity::Pressure).map(&mut whole).collect()
    });
    let fields: Vec<_> = answers.unwrap_or_else(|error| panic!("{error}")).swap_remove(0);
    fields.into_iter().map(|field| field.expect("on rank 0")).collect()
}

/// Asserts that the velocity of a case and all that it carries are the same bits on these ranks with so many threads each, and on two
/// ranks that begin anew from the state of the step `restart`.
pub fn assert_same_bits(
    method: &'static Method,
    text: &str,
    (steps, restart): (usize, usize),
    layouts: &[([usize; 3], usize)],
) {
    let case = parsed(text);
    let after = |layout, threads, restart| {
        self::after(method, &case, steps, &How { layout, threads, restart })
    };
    let alone = self::after(method, &case, steps, &How::ALONE);
    assert!(alone[1].values.iter().all(|t| t.is_finite() && *t > 290.0));
    for &(layout, threads) in layouts {
        assert!(after(layout, threads, None) == alone, "{layout:?} {threads}\n{text}");
    }
    assert!(after([2, 1, 1], 1, Some(restart)) == alone, "restart\n{text}");
}

/// Asserts that a channel whose heat moves nothing has the bits of the same flow without heat, with the time step that
/// `table` fixes.
pub fn assert_heat_moves_nothing(method: &'static Method, channel: &str, table: &str) {
    let warm = channel.replace(", expansion = 3e-3, gravity = [-9.81, 0.0, 0.0]", "");
    let cold: String = (warm.lines().filter(|line| !line.starts_with("heat")))
        .map(|line| match line.split_once(" = ").map(|(key, _)| key) {
            Some("initial") => "initial = { velocity = [0.5, 0.0, 0.0] }\n".into(),
            Some("x-low") => "x-low = { inflow = { velocity = [1.0, 0.0, 0.0] } }\n".into(),
            Some(key @ ("y-low" | "y-high")) => format!("{key} = \"wall\"\n"),
            _ => format!("{line}\n"),
        })
        .collect();
    let warm = after(method, &parsed(&format!("{warm}{table}")), 20, &How::ALONE);
    let mut solver = (method.build)(&parsed(&format!("{cold}{table}")), &Context::alone());
    let solver = solver.as_mut().unwrap_or_else(|error| panic!("{error}"));
    for _ in 0..20 {
        solver.step(f64::INFINITY).expect("a step");
    }
    assert!(solver.field(Quantity::Velocity).expect("a velocity") == warm[0]);
    assert!(solver.field(Quantity::Temperature).is_err());
}

/// Asserts that a scalar with the numbers of a channel's temperature has its bits where that moves nothing: alone, beside
/// it, and beside other scalars.
pub fn assert_scalar_is_a_temperature(method: &'static Method, channel: &str, table: &str) {
    let warm = channel.replace(", expansion = 3e-3, gravity = [-9.81, 0.0, 0.0]", "");
    let after = |text: &str| after(method, &parsed(&format!("{text}{table}")), 20, &How::ALONE);
    let [velocity, temperature] = &after(&warm)[..] else { panic!("velocity and temperature") };
    assert!(temperature.values.iter().any(|t| *t != temperature.values[0]));
    let alone = after(&with_dye_instead(&warm));
    assert!(alone[0] == *velocity && alone[1] == *temperature, "alone");
    let beside = with_scalars(&warm).replace("0.02\n", &format!("{:?}\n", 0.01 / 0.7));
    let beside = after(&beside);
    assert!(beside[0] == *velocity && beside[1] == *temperature, "others change nothing");
    assert!(beside[3] == *temperature && beside[2] != *temperature, "beside others");
}

/// A box of n x n cells and 1 m x 1 m, periodic all around, in which a uniform flow carries a pulse of a scalar.
pub fn pulse(method: &str, n: usize, more: &str) -> Case {
    let (method, squares) = (format!("method = \"{method}\""), 2.0 * WIDTH * WIDTH);
    parsed(&format!(
        "title = \"pulse\"\ngrid = {{ cells = [{n}, {n}, 1], size = [1.0, 1.0, 1.0] }}\n\
         fluid = {{ viscosity = 5e-3 }}\n[initial]\nvelocity = [1.0, 0.5, 0.0]\n\
         scalars = {{ dye = \"exp(-((x - 0.5)^2 + (y - 0.5)^2)/{squares})\" }}\n\
         [boundary]\nx-low = \"periodic\"\nx-high = \"periodic\"\ny-low = \"periodic\"\n\
         y-high = \"periodic\"\nz-low = \"periodic\"\nz-high = \"periodic\"\n\
         [run]\n{method}\nuntil = 0.5\n\
         [[scalar]]\nname = \"dye\"\ndiffusivity = {DIFFUSIVITY}\n{more}"
    ))
}

/// Of the pulse at t = 0, in m, and its diffusivity in m2/s.
const WIDTH: f64 = 0.1;
const DIFFUSIVITY: f64 = 2e-3;

/// What has become of the pulse at a point and time, with its images beyond the ends.
fn pulse_at([x, y, _]: [f64; 3], time: f64) -> f64 {
    let spread = WIDTH * WIDTH + 2.0 * DIFFUSIVITY * time;
    let line = |x: f64| -> f64 {
        (-3..=3).map(|i| (-(x - 0.5 - f64::from(i)).powi(2) / (2.0 * spread)).exp()).sum()
    };
    WIDTH * WIDTH / spread * line(x - time) * line(y - 0.5 * time)
}

/// The pulse after its run: its error as a share, by the root of squares, and by how much its sum has changed as a share.
pub fn run_pulse(method: &'static Method, case: &Case) -> [f64; 2] {
    let vortice_core::Until::Time(end) = case.run.until else { panic!("it ends at a time") };
    let mut solver = (method.build)(case, &Context { threads: 1, ..Context::alone() })
        .unwrap_or_else(|error| panic!("{error}"));
    let sum = |field: &Field| field.own_cells().map(|cell| field[cell]).sum::<f64>();
    let before = sum(&solver.field(Quantity::scalar("dye")).expect("a scalar"));
    while solver.now().time < (1.0 - 1e-9) * end {
        solver.step(end).expect("a step");
    }
    let (field, time) =
        (solver.field(Quantity::scalar("dye")).expect("a scalar"), solver.now().time);
    let squares = |value: &dyn Fn([isize; 3]) -> f64| {
        field.own_cells().map(|cell| value(cell).powi(2)).sum::<f64>()
    };
    let exact = |cell| pulse_at(case.grid.centre(cell), time);
    let error = squares(&|cell| field[cell] - exact(cell)) / squares(&exact);
    [error.sqrt(), (sum(&field) / before - 1.0).abs()]
}

/// A fluid at rest between walls with 1 and 3 of a scalar with the diffusivity 0.5 m2/s, of which so much comes in.
pub fn slab(method: &str, source: &str, more: &str) -> Case {
    parsed(&format!(
        "title = \"slab\"\ngrid = {{ cells = [16, 4, 1], size = [1.0, 0.25, 0.0625] }}\n\
         fluid = {{ viscosity = 0.5 }}\n[boundary]\nx-low = {{ wall = {{ scalars = {{ dye = 1.0 }} }} }}\n\
         x-high = {{ wall = {{ scalars = {{ dye = 3.0 }} }} }}\ny-low = \"periodic\"\ny-high = \"periodic\"\n\
         z-low = \"periodic\"\nz-high = \"periodic\"\n[run]\nmethod = \"{method}\"\nuntil = 8.0\n\
         [[scalar]]\nname = \"dye\"\ndiffusivity = 0.5\nsource = {source}\n{more}"
    ))
}

/// The largest error of a slab at its end with a source of 4/s, where the method is off by `offset` everywhere.
pub fn slab_error(method: &'static Method, case: &Case, offset: f64) -> f64 {
    let mut solver = (method.build)(case, &Context { threads: 1, ..Context::alone() })
        .unwrap_or_else(|error| panic!("{error}"));
    while solver.now().time < 8.0 - 1e-9 {
        solver.step(8.0).expect("a step");
    }
    let field = solver.field(Quantity::scalar("dye")).expect("a scalar");
    let error = |cell| {
        let [x, ..] = case.grid.centre(cell);
        (field[cell] - (1.0 + 2.0 * x + 4.0 * x * (1.0 - x) + offset)).abs()
    };
    field.own_cells().map(error).fold(0.0, f64::max)
}

/// A uniform flow along a channel of n x n cells and 1 m x 1 m, whose walls go with it and hold a scalar at zero. What comes in of it makes
/// `sin(2 pi x) sin(pi y)`, at which it starts.
pub fn sourced_channel(method: &str, n: usize, more: &str) -> Case {
    parsed(&format!(
        "title = \"channel\"\ngrid = {{ cells = [{n}, {n}, 1], size = [1.0, 1.0, 1.0] }}\n\
         fluid = {{ viscosity = 0.05 }}\n[initial]\nvelocity = [1.0, 0.0, 0.0]\n\
         scalars = {{ dye = \"sin(2*pi*x)*sin(pi*y)\" }}\n\
         [boundary]\nx-low = \"periodic\"\nx-high = \"periodic\"\n\
         y-low = {{ wall = {{ velocity = [1.0, 0.0, 0.0], scalars = {{ dye = 0.0 }} }} }}\n\
         y-high = {{ wall = {{ velocity = [1.0, 0.0, 0.0], scalars = {{ dye = 0.0 }} }} }}\n\
         z-low = \"periodic\"\nz-high = \"periodic\"\n\
         [run]\nmethod = \"{method}\"\nuntil = 0.5\n\
         [[scalar]]\nname = \"dye\"\ndiffusivity = 0.02\n\
         source = \"2*pi*cos(2*pi*x)*sin(pi*y) + 0.1*pi^2*sin(2*pi*x)*sin(pi*y)\"\n{more}"
    ))
}

/// Taylor and Green's vortices on n x n cells and 1 m x 1 m with a scalar that is the same all along each stream line, so that it
/// only spreads.
pub fn scalar_in_vortices(method: &str, n: usize, more: &str) -> Case {
    parsed(&format!(
        "title = \"vortices\"\ngrid = {{ cells = [{n}, {n}, 1], size = [1.0, 1.0, 1.0] }}\n\
         fluid = {{ viscosity = 0.01 }}\nscale = {{ length = 1.0, velocity = 1.0 }}\n[initial]\n\
         velocity = [\"-cos(2*pi*x)*sin(2*pi*y)\", \"sin(2*pi*x)*cos(2*pi*y)\", 0.0]\n\
         scalars = {{ dye = \"cos(2*pi*x)*cos(2*pi*y)\" }}\n\
         [boundary]\nx-low = \"periodic\"\nx-high = \"periodic\"\ny-low = \"periodic\"\n\
         y-high = \"periodic\"\nz-low = \"periodic\"\nz-high = \"periodic\"\n\
         [run]\nmethod = \"{method}\"\nuntil = 0.5\n\
         [[scalar]]\nname = \"dye\"\ndiffusivity = {DIFFUSIVITY}\n{more}"
    ))
}

/// The error of the scalar in such vortices, whose amplitude falls by `exp(-8 pi^2 alpha t)`.
pub fn error_in_vortices(method: &'static Method, case: &Case) -> f64 {
    let squared = 8.0 * std::f64::consts::PI * std::f64::consts::PI;
    error_of_shape(method, case, (-squared * DIFFUSIVITY * 0.5).exp())
}

/// The error of the scalar in such a channel at its end, by the root of squares as a share of its own.
pub fn sourced_error(method: &'static Method, case: &Case) -> f64 {
    error_of_shape(method, case, 1.0)
}

/// The error of a scalar at 0.5 s that then is so many times what it was at first.
fn error_of_shape(method: &'static Method, case: &Case, times: f64) -> f64 {
    let mut solver = (method.build)(case, &Context { threads: 1, ..Context::alone() })
        .unwrap_or_else(|error| panic!("{error}"));
    while solver.now().time < 0.5 - 1e-9 {
        solver.step(0.5).expect("a step");
    }
    let field = solver.field(Quantity::scalar("dye")).expect("a scalar");
    let squares = |value: &dyn Fn([isize; 3]) -> f64| {
        field.own_cells().map(|cell| value(cell).powi(2)).sum::<f64>()
    };
    let exact = |cell| times * case.scalars[0].initial_value(case.grid.centre(cell));
    (squares(&|cell| field[cell] - exact(cell)) / squares(&exact)).sqrt()
}

/// By how much the mean of a scalar in a closed box of moving fluid differs from what has come in, as a share of that.
pub fn kept_of_source(method: &'static Method, case: &Case, steps: usize) -> f64 {
    let mut solver = (method.build)(case, &Context { threads: 1, ..Context::alone() })
        .unwrap_or_else(|error| panic!("{error}"));
    let mean = |value: &dyn Fn([isize; 3]) -> f64| {
        let n = case.grid.cells();
        let cells = (0..n[1]).flat_map(|j| (0..n[0]).map(move |i| [i as isize, j as isize, 0]));
        cells.map(value).sum::<f64>() / case.grid.n_cells() as f64
    };
    for _ in 0..steps {
        solver.step(f64::INFINITY).expect("a step");
    }
    let field = solver.field(Quantity::scalar("dye")).expect("a scalar");
    let came = mean(&|cell| case.scalars[0].source_at(case.grid.centre(cell))) * solver.now().time;
    (mean(&|cell| field[cell]) / came - 1.0).abs()
}

/// A cavity with a lid, into which a scalar comes.
pub fn sourced_cavity(method: &str, source: &str, more: &str) -> Case {
    parsed(&format!(
        "title = \"cavity\"\ngrid = {{ cells = [16, 12, 1], size = [1.0, 0.75, 0.0625] }}\n\
         fluid = {{ viscosity = 0.05 }}\n[boundary]\nx-low = \"wall\"\nx-high = \"wall\"\ny-low = \"wall\"\n\
         y-high = {{ wall = {{ velocity = [1.0, 0.0, 0.0] }} }}\nz-low = \"periodic\"\nz-high = \"periodic\"\n\
         [run]\nmethod = \"{method}\"\nuntil = 1e9\n\
         [[scalar]]\nname = \"dye\"\ndiffusivity = 0.02\nsource = {source}\n{more}"
    ))
}

fn parsed(text: &str) -> Case {
    Case::parse(text, "test").unwrap_or_else(|error| panic!("{text}\n{error}"))
}

/// Asserts that errors fall with second order from one grid to the next; the error on the finer one.
pub fn assert_second_order(what: &str, grids: [usize; 2], error: impl Fn(usize) -> f64) -> f64 {
    let [coarse, fine] = grids.map(error);
    let order = (coarse / fine).log2();
    println!("{what}, {grids:?} cells: errors {coarse:.2e}, {fine:.2e}, order {order:.2}");
    assert!(order > 1.9, "{what}: {order}");
    fine
}
