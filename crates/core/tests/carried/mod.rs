//! A flow with heat on any ranks, saved and restored on the way: for the tests of every method.
#![allow(dead_code, unreachable_pub)] // each test binary uses its own share

use std::sync::Arc;

use vortice_core::{Case, Communicator, Context, Field, Method, Quantity, Threads, gather};

/// A channel with all kinds of ends for heat, so many cells deep, with these ends across and these keys of `run`.
pub fn channel(layers: usize, across: &str, run: &str) -> String {
    format!(
        "title = \"channel\"\ngrid = {{ cells = [12, 8, {layers}], size = [3.0, 1.0, 1.0] }}\n\
         fluid = {{ viscosity = 0.01 }}\n\
         heat = {{ prandtl = 0.7, expansion = 3e-3, gravity = [-9.81, 0.0, 0.0] }}\n\
         initial = {{ velocity = [0.5, 0.0, 0.0], temperature = \"300 + x*y + sin(5*x)\" }}\n\
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
            solver.wall_heat()
        });
        answers.unwrap_or_else(|error| panic!("{error}")).swap_remove(0).expect("heat")
    };
    let told = fluxes(1);
    let heat = case.heat.as_ref().expect("heat");
    let edges = case.grid.axes.map(|axis| axis.length());
    let through = heat.iter().map(|(d, side, face)| {
        let area = edges[0] * edges[1] / edges[d];
        area * (told[d][side as usize] + face.heat_flux())
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

/// Temperature and velocity of the whole grid after some steps.
pub fn after(method: &'static Method, case: &Case, steps: usize, how: &How) -> [Field; 2] {
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
        Ok([whole(Quantity::Temperature)?, whole(Quantity::Velocity)?])
    });
    let fields = answers.unwrap_or_else(|error| panic!("{error}")).swap_remove(0);
    fields.map(|field| field.expect("on rank 0"))
}

/// Asserts that temperature and velocity of a case are the same bits on these ranks with so many threads each, and on two
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
    assert!(alone[0].values.iter().all(|t| t.is_finite() && *t > 290.0));
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
    let [_, velocity] = after(method, &parsed(&format!("{warm}{table}")), 20, &How::ALONE);
    let mut solver = (method.build)(&parsed(&format!("{cold}{table}")), &Context::alone());
    let solver = solver.as_mut().unwrap_or_else(|error| panic!("{error}"));
    for _ in 0..20 {
        solver.step(f64::INFINITY).expect("a step");
    }
    assert!(solver.field(Quantity::Velocity).expect("a velocity") == velocity);
    assert!(solver.field(Quantity::Temperature).is_err());
}

fn parsed(text: &str) -> Case {
    Case::parse(text, "test").unwrap_or_else(|error| panic!("{text}\n{error}"))
}
