//! What this method cannot do, said before anything is built.

use vortice_core::{
    Boundary, Case, ConvectiveOutlet, Decomposition, Error, Result, Side, Surface, Surfaces,
    cells_near_surfaces, face_name,
};

use crate::moments;
use crate::options::{LatticeName, NAME, Options, Storage, Streaming};

/// Refuses what the method cannot do.
///
/// # Errors
/// If the flow is not plane and the lattice is.
pub(crate) fn check(case: &Case) -> Result<()> {
    let options = Options::of(case)?;
    if options.lattice == LatticeName::D2q9 && !case.grid.is_plane() {
        let n = case.grid.cells()[2];
        return Err(Error::Unsupported {
            method: NAME,
            key: "lbm.lattice".into(),
            problem: format!("has D2Q9 for plane flows, and this one has {n} cells in z"),
            remedy: "set lbm.lattice = \"d3q19\", or grid.cells with 1 in z".into(),
        });
    }
    let untold = options.has_cycles(case).then(|| options.untold(case)).flatten();
    if let Some((key, problem)) = untold {
        let remedy = "set lbm.multigrid = false, which takes steps on one grid".into();
        return Err(Error::Unsupported { method: NAME, key, problem: problem.into(), remedy });
    }
    if options.storage == Storage::Moments {
        moments::expect_done(case)?;
    }
    ConvectiveOutlet::check(case)?;
    check_scalars(case, &options)?;
    one_outflow_pressure(case)
}

/// Refuses heat and scalars where the method does not compute them.
fn check_scalars(case: &Case, options: &Options) -> Result<()> {
    if case.carried().next().is_none() {
        return Ok(());
    }
    if options.storage == Storage::F16 {
        let problem = "computes heat and scalars with populations as `run.precision` says only";
        return Err(Error::unsupported(NAME, "lbm.storage", problem, "leave it out"));
    }
    if options.streaming == Streaming::TwoLattice {
        let problem = "computes heat and scalars in place only";
        return Err(Error::unsupported(NAME, "lbm.streaming", problem, "leave it out"));
    }
    check_plates(case)
}

/// Refuses bodies that lie between the centres of two cells and let something pass: what would come back on both sides
/// has one place for both.
fn check_plates(case: &Case) -> Result<()> {
    let lets_pass = |body: usize| case.carried().any(|scalar| scalar.passes(Surface::Body(body)));
    if !(0..case.bodies.len()).any(lets_pass) {
        return Ok(());
    }
    let surfaces = Surfaces::new(case);
    let whole = Decomposition::new(case.grid.cells(), [1; 3], case.boundaries.periodic())?;
    let near = cells_near_surfaces(case, &whole.subdomain(0), [0; 3], 1);
    for cell in near.filter(|&cell| surfaces.flows(cell)) {
        for d in case.grid.directions() {
            let next = Side::High.next(cell, d);
            let plate = surfaces.flows(next).then(|| surfaces.body_wall(cell, next)).flatten();
            if let Some(wall) = plate.filter(|wall| lets_pass(wall.body)) {
                let problem =
                    "computes what passes a body only where it covers the centre of a cell";
                let remedy = "refine the grid or thicken it, or let nothing pass it";
                let key = format!("body.{}", case.bodies[wall.body].name);
                return Err(Error::unsupported(NAME, key, problem, remedy));
            }
        }
    }
    Ok(())
}

/// The density is measured from that at the outflows, so these must agree.
fn one_outflow_pressure(case: &Case) -> Result<()> {
    let outflow = |(d, side, face): (_, _, &Boundary)| Some((face_name(d, side), face.pressure()?));
    let mut outflows = case.boundaries.iter().filter_map(outflow);
    let Some((first, pressure)) = outflows.next() else { return Ok(()) };
    match outflows.find(|(_, other)| *other != pressure) {
        None => Ok(()),
        Some((second, other)) => Err(Error::Unsupported {
            method: NAME,
            key: format!("boundary.{second}"),
            problem: format!(
                "has one pressure at outflows: not {other} Pa beside {pressure} Pa at {first}"
            ),
            remedy: "give the outflows one pressure, or drive the flow by fluid.force or an inflow"
                .into(),
        }),
    }
}
