//! Any settings of a built-in case are computed for two steps on a small grid, by the method that the first byte chooses, or refused with an
//! error: no panic, whatever the numbers. The second byte chooses the case, the third the grid; then each line is a setting,
//! `fluid.viscosity=0.01` say.

use vortice_core::{Context, Quantity, Result, Simulation};
use vortice_study::{Simulate, built_in_cases, open_case};

/// What bounds the work, behind all that is set.
const SMALL: [&str; 4] = ["run.max-steps=2", "run.device=\"cpu\"", "output={}", "references=[]"];

/// Cells at the most: what is larger only takes longer.
const CELLS: usize = 2048;

fn run(name: &str, sets: &[String]) -> Result<()> {
    let case = open_case(name, sets)?;
    if case.grid.cells().iter().product::<usize>() > CELLS {
        return Ok(());
    }
    let mut simulation = Simulation::new(&case, &Context::alone())?;
    simulation.step()?;
    simulation.step()?;
    simulation.now().whole(Quantity::Velocity).map(drop)
}

/// Cells of a plane flow and of one in space, in boxes that fit bodies and cubes; or those of the case.
const GRIDS: [&str; 3] = [
    "grid={ cells = [8, 8, 1], size = [1.0, 1.0, 0.125] }",
    "grid={ cells = [8, 8, 8], size = [1.0, 1.0, 1.0] }",
    "grid.cells=[16,8,1]",
];

/// One input.
pub(crate) fn target(input: &[u8]) {
    let [method, case, grid, settings @ ..] = input else { return };
    let chosen = |byte: u8, of: usize| usize::from(byte) % of;
    let (name, _) = built_in_cases()[chosen(*case, built_in_cases().len())];
    let method = ["fdm", "fvm", "lbm"][chosen(*method, 3)];
    let mut sets = vec![GRIDS[chosen(*grid, 3)].to_owned(), format!("run.method=\"{method}\"")];
    let settings = String::from_utf8_lossy(settings);
    sets.extend(settings.lines().filter(|line| line.contains('=')).map(String::from));
    sets.extend(SMALL.map(String::from));
    if let Err(error) = run(name, &sets) {
        assert!(!error.to_string().is_empty() && !error.remedy().is_empty());
    }
}
