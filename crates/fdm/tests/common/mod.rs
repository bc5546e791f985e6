//! Small flows for the tests, and ways to run them.
#![allow(dead_code, unreachable_pub)] // each test binary uses its own share

use std::sync::Arc;

use vortice_core::{
    Case, Communicator, Context, Field, Quantity, Result, Solver, Step, SurfaceForce, Threads,
    gather,
};

/// A case from its text.
pub fn case(text: &str) -> Case {
    Case::parse(text, "test").unwrap_or_else(|error| panic!("{error}: {}", error.remedy()))
}

/// A cavity of n x m x l cells whose lid moves in x.
pub fn cavity(cells: [usize; 3], reynolds: f64, more: &str) -> String {
    let [n, m, l] = cells;
    let z = if l == 1 { "\"periodic\"" } else { "\"wall\"" };
    format!(
        "title = \"cavity\"\n\
         grid = {{ cells = [{n}, {m}, {l}], size = [1.0, 1.0, 1.0] }}\n\
         fluid = {{ viscosity = {} }}\n\
         [boundary]\nx-low = \"wall\"\nx-high = \"wall\"\ny-low = \"wall\"\n\
         y-high = {{ wall = {{ velocity = [1.0, 0.0, 0.0] }} }}\nz-low = {z}\nz-high = {z}\n\
         [run]\nmethod = \"fdm\"\nuntil = 1e9\n{more}",
        1.0 / reynolds
    )
}

/// A channel with a step, inflow and outflow, 2-D or 3-D with symmetric sides.
pub fn step(cells: [usize; 3], more: &str) -> String {
    let [n, m, l] = cells;
    let z = if l == 1 { "\"periodic\"" } else { "\"symmetry\"" };
    format!(
        "title = \"step\"\n\
         grid = {{ cells = [{n}, {m}, {l}], size = [4.0, 1.0, 1.0] }}\n\
         fluid = {{ viscosity = 0.01 }}\n\
         solid = [{{ low = [0.0, 0.0, 0.0], high = [1.0, 0.5, {}] }}]\n\
         [boundary]\nx-low = {{ inflow = {{ velocity = [1.0, 0.0, 0.0], \
         profile = {{ parabolic = {{ along = \"y\", from = 0.5, to = 1.0 }} }} }} }}\n\
         x-high = \"outflow\"\ny-low = \"wall\"\ny-high = \"wall\"\nz-low = {z}\nz-high = {z}\n\
         [run]\nmethod = \"fdm\"\nuntil = 1e9\n{more}",
        if l == 1 { 1.0 } else { 0.5 }
    )
}

/// A channel whose inflow and upper wall change with time.
pub fn pulse(cells: [usize; 3], more: &str) -> String {
    let solid = step(cells, more).lines().find(|line| line.starts_with("solid")).map(String::from);
    let inflow = "x-low = { inflow = { velocity = [\"4*y*(1 - y)*(1 + 0.5*sin(9*t)) + 0.1*z\", \
                  \"0.1*cos(7*t)\", 0] } }";
    let text = step(cells, more).replace(&solid.expect("a step"), "");
    let x_low =
        text.lines().find(|line| line.starts_with("x-low")).map(String::from).expect("a face");
    let shaken = "y-high = { wall = { velocity = [\"0.3*sin(8*t + x)\", 0, 0] } }";
    text.replace(&x_low, inflow).replace("y-high = \"wall\"", shaken)
}

/// A channel that flows out at x-low, from a uniform inflow at x-high.
pub fn backwards(cells: [usize; 3], more: &str) -> String {
    let solid = step(cells, more).lines().find(|line| line.starts_with("solid")).map(String::from);
    let inflow = "{ inflow = { velocity = [-1.0, 0.0, 0.0] } }";
    let text = step(cells, more)
        .replace(&solid.expect("a step"), "initial = { velocity = [-0.5, 0.1, 0.0] }");
    let x_low =
        text.lines().find(|line| line.starts_with("x-low")).map(String::from).expect("a face");
    text.replace(&x_low, "x-low = \"outflow\"")
        .replace("x-high = \"outflow\"", &format!("x-high = {inflow}"))
}

/// The same flow out through a convective outlet.
pub fn convective(text: &str) -> String {
    text.replace("\"outflow\"", "{ outflow = { convective = true } }")
}

/// A doubly periodic box with Taylor-Green vortices of unit wave number.
pub fn taylor_green(n: usize, viscosity: f64, more: &str) -> String {
    let size = std::f64::consts::TAU;
    format!(
        "title = \"vortices\"\n\
         grid = {{ cells = [{n}, {n}, 1], size = [{size:?}, {size:?}, 1.0] }}\n\
         fluid = {{ viscosity = {viscosity:?} }}\ninitial = {{ flow = \"taylor-green\" }}\n\
         scale = {{ length = 1.0, velocity = 1.0 }}\n\
         [boundary]\nx-low = \"periodic\"\nx-high = \"periodic\"\ny-low = \"periodic\"\n\
         y-high = \"periodic\"\nz-low = \"periodic\"\nz-high = \"periodic\"\n\
         [run]\nmethod = \"fdm\"\nuntil = 1e9\n{more}"
    )
}

/// A closed box of n x n cells with the flow between a turning circle and a hollow one at rest, off the grid, whose
/// bodies have these keys too.
pub fn annulus(n: usize, of_bodies: &str, more: &str) -> String {
    let circle = |radius: f64| format!("circle = {{ centre = [0.503, 0.497], radius = {radius} }}");
    format!(
        "title = \"annulus\"\ngrid = {{ cells = [{n}, {n}, 1], size = [1.0, 1.0, 1.0] }}\n\
         fluid = {{ viscosity = 1.0 }}\nscale = {{ length = 1.0, velocity = 1.0 }}\n\
         [body.inner]\n{}\nrotation = {:?}\n{of_bodies}\n\
         [body.outer]\n{}\nhollow = true\n{of_bodies}\n\
         [boundary]\nx-low = \"wall\"\nx-high = \"wall\"\ny-low = \"wall\"\ny-high = \"wall\"\n\
         z-low = \"periodic\"\nz-high = \"periodic\"\n\
         [run]\nmethod = \"fdm\"\nuntil = 1e9\n{more}",
        circle(0.18),
        1.0 / 0.18,
        circle(0.42),
    )
}

/// The same flow on its way to a steady end, by cycles over coarser grids.
pub fn by_cycles(text: &str) -> String {
    let text = text.replace("until = 1e9", "until = \"steady\"\nsteady = 1e-9");
    let table = if text.contains("[fdm]") { "" } else { "[fdm]\n" };
    format!("{text}{table}multigrid = true\n")
}

/// A channel of 2 m x 1 m (x 1 m) past a body, which is a table of a case file.
pub fn past(body: &str, cells: [usize; 3], more: &str) -> String {
    let (z, depth) = if cells[2] == 1 { ("periodic", 0.1) } else { ("wall", 1.0) };
    format!(
        "title = \"body\"\ngrid = {{ cells = {cells:?}, size = [2.0, 1.0, {depth:?}] }}\n\
         fluid = {{ viscosity = 0.01 }}\nbody = {{ ball = {{ {body} }} }}\n\
         scale = {{ length = 1.0, velocity = 1.0 }}\n\
         [boundary]\nx-low = {{ inflow = {{ velocity = [1.0, 0.0, 0.0] }} }}\nx-high = \"outflow\"\n\
         y-low = \"wall\"\ny-high = \"wall\"\nz-low = \"{z}\"\nz-high = \"{z}\"\n\
         [run]\nmethod = \"fdm\"\nuntil = 1e9\n{more}"
    )
}

/// A periodic box whose flow a force drives past a circle beside the periodic end.
pub fn row_of_circles(cells: [usize; 2], more: &str) -> String {
    let text =
        past("circle = { centre = [0.22, 0.47], radius = 0.2 }", [cells[0], cells[1], 1], more);
    text.replace("x-low = { inflow = { velocity = [1.0, 0.0, 0.0] } }", "x-low = \"periodic\"")
        .replace("x-high = \"outflow\"", "x-high = \"periodic\"")
        .replace("viscosity = 0.01", "viscosity = 0.01, force = [0.3, 0.0, 0.0]")
}

/// A box that is hot at x-low and cold at x-high, Pr = 0.71 and Ra = 1e4; nu = 0.71 and alpha = 1.
pub fn heated_cavity(cells: [usize; 3], more: &str) -> String {
    let z = if cells[2] == 1 { "periodic" } else { "wall" };
    let [hot, cold] = ["0.5", "-0.5"].map(|t| format!("{{ wall = {{ temperature = {t} }} }}"));
    format!(
        "title = \"heated cavity\"\ngrid = {{ cells = {cells:?}, size = [1.0, 1.0, 1.0] }}\n\
         fluid = {{ viscosity = 0.71 }}\n\
         heat = {{ prandtl = 0.71, expansion = 1.0, gravity = [0.0, -7.1e3, 0.0] }}\n\
         [boundary]\nx-low = {hot}\nx-high = {cold}\ny-low = \"wall\"\ny-high = \"wall\"\n\
         z-low = \"{z}\"\nz-high = \"{z}\"\n[run]\nmethod = \"fdm\"\nuntil = 1e9\n{more}"
    )
}

/// A periodic layer that is heated from below by a flux, and cold above; in space between mirrors.
pub fn rolls(cells: [usize; 3], more: &str) -> String {
    let z = if cells[2] == 1 { "periodic" } else { "symmetry" };
    let [warm, cold] = ["heat-flux = 1.0", "temperature = -0.5"];
    format!(
        "title = \"rolls\"\ngrid = {{ cells = {cells:?}, size = [2.0, 1.0, 1.0] }}\n\
         fluid = {{ viscosity = 0.71 }}\n\
         heat = {{ prandtl = 0.71, expansion = 1.0, gravity = [1.0e3, -7.1e3, 0.0] }}\n\
         initial = {{ velocity = [3.0, 0.0, 0.0], \
         temperature = \"0.5 - y + 0.2*sin(3.14*x)*y*(1 - y)\" }}\n\
         [boundary]\nx-low = \"periodic\"\nx-high = \"periodic\"\n\
         y-low = {{ wall = {{ {warm} }} }}\ny-high = {{ wall = {{ {cold} }} }}\n\
         z-low = \"{z}\"\nz-high = \"{z}\"\n[run]\nmethod = \"fdm\"\nuntil = 1e9\n{more}"
    )
}

/// A solver on one rank with one thread.
pub fn solver(case: &Case) -> Box<dyn Solver> {
    (vortice_fdm::METHOD.build)(case, &Context { threads: 1, ..Context::alone() })
        .unwrap_or_else(|error| panic!("{error}: {}", error.remedy()))
}

/// Steps until a flow time.
pub fn run_until(solver: &mut dyn Solver, end: f64) -> Step {
    while solver.now().time < end {
        solver.step(end).expect("a step");
    }
    solver.now()
}

/// Velocity and pressure of the whole grid after some steps on a layout of ranks, with the time
/// reached and the forces on bodies.
pub fn after(text: &str, layout: [usize; 3], steps: u64) -> (Field, Field, f64, Vec<SurfaceForce>) {
    let case = case(text);
    let size = layout.iter().product();
    let answers = Threads::run(size, |rank| {
        let ranks: Arc<dyn Communicator> = Arc::new(rank);
        let context = Context { layout: Some(layout), threads: 1, ranks: ranks.clone() };
        let cut = context.decomposition(&case)?;
        let mut solver = (vortice_fdm::METHOD.build)(&case, &context)?;
        for _ in 0..steps {
            solver.step(f64::INFINITY)?;
        }
        let forces = solver.forces()?;
        let mut whole = |quantity| -> Result<_> { gather(&*ranks, &cut, &solver.field(quantity)?) };
        Ok((whole(Quantity::Velocity)?, whole(Quantity::Pressure)?, solver.now().time, forces))
    });
    let (velocity, pressure, time, forces) = answers.expect("a run").swap_remove(0);
    (velocity.expect("on rank 0"), pressure.expect("on rank 0"), time, forces)
}
