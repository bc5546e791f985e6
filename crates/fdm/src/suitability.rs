//! What this method cannot do, said before anything is built.

use vortice_core::{
    Case, ConvectiveOutlet, Device, Error, Result, Side, Surfaces, each_cell_of_grid,
};

use crate::options::{Kernel, NAME, Options};

/// Refuses a case that the method cannot compute.
///
/// # Errors
/// If a periodic direction has an odd number of cells, a solid is one cell thin, or the kernel is for
/// another device than the case's or for other steps.
pub(crate) fn check(case: &Case) -> Result<()> {
    check_grid(case)?;
    let options = Options::of(case)?;
    check_cycles(case, &options)?;
    let second_order = options.is_second_order(case);
    let mut named = case.run.device.list().iter().filter(|device| **device != Device::Auto);
    named.try_for_each(|device| check_kernel(options.kernel, device.is_gpu(), second_order))
}

/// Refuses a grid on which the method cannot compute the case.
///
/// # Errors
/// If a periodic direction has an odd number of cells, or a solid is one cell thin.
pub(crate) fn check_grid(case: &Case) -> Result<()> {
    ConvectiveOutlet::check(case)?;
    odd_rings(case)?;
    thin_solids(case)
}

/// Refuses what cycles over coarser grids cannot do, if they are asked for.
fn check_cycles(case: &Case, options: &Options) -> Result<()> {
    let untold = options.has_cycles(case).then(|| options.untold(case)).flatten();
    let Some((key, problem)) = untold else { return Ok(()) };
    Err(unsupported(
        &key,
        problem.into(),
        "set fdm.multigrid = false, which takes steps on one grid",
    ))
}

/// Refuses a kernel that the device does not have, or not for such steps.
///
/// # Errors
/// If it is for the other kind of device, or does Euler's steps alone and others are wanted.
pub(crate) fn check_kernel(kernel: Kernel, on_gpu: bool, second_order: bool) -> Result<()> {
    if on_gpu && second_order && kernel == Kernel::Resident {
        let problem = "has the kernel `resident` for Euler's steps only, and a flow followed to a \
                       time takes those of Adams and Bashforth";
        let remedy = "set fdm.kernel = \"auto\", or fdm.time-scheme = \"euler\"";
        return Err(unsupported("fdm.kernel", problem.into(), remedy));
    }
    let (name, home, device) = match kernel {
        Kernel::Fused if on_gpu => ("fused", "the processor", "a GPU"),
        Kernel::Tiled if !on_gpu => ("tiled", "a GPU", "the processor"),
        Kernel::Resident if !on_gpu => ("resident", "a GPU", "the processor"),
        _ => return Ok(()),
    };
    let problem = format!("has the kernel `{name}` for {home} only, and this run is on {device}");
    let remedy = "set fdm.kernel = \"auto\", which is right for every device, or run.device";
    Err(unsupported("fdm.kernel", problem, remedy))
}

/// The error for a kernel that cannot do the case: for what it is, and what else there is.
pub(crate) fn no_kernel(name: &str, made_for: &str) -> Error {
    let problem = format!("has the kernel `{name}` only for {made_for}");
    let remedy = "set fdm.kernel = \"auto\", which takes the fastest kernel that can";
    unsupported("fdm.kernel", problem, remedy)
}

fn unsupported(key: &str, problem: String, remedy: &str) -> Error {
    Error::Unsupported { method: NAME, key: key.into(), problem, remedy: remedy.into() }
}

/// Around a ring of odd length two neighbours have the same colour.
fn odd_rings(case: &Case) -> Result<()> {
    let periodic = case.boundaries.periodic();
    for d in case.grid.directions() {
        let n = case.grid.axes[d].len();
        if periodic[d] && n % 2 == 1 {
            let axis = ["x", "y", "z"][d];
            let problem = format!("needs an even number of cells in periodic {axis}, not {n}");
            return Err(unsupported("grid.cells", problem, "add or remove one cell there"));
        }
    }
    Ok(())
}

/// A solid with flow on two opposite sides of one cell has no room for its ghost values.
fn thin_solids(case: &Case) -> Result<()> {
    let solids = case.solids();
    if solids.is_empty() {
        return Ok(());
    }
    let surfaces = Surfaces::new(case);
    let is_between = |cell: [isize; 3], d: usize| {
        Side::BOTH.iter().all(|side| surfaces.flows(side.next(cell, d)))
    };
    for (number, block) in solids.blocks().enumerate() {
        let body = number.checked_sub(case.solid.len()).map(|body| &case.bodies[body]);
        // A tip of one cell has no face inside that two sides would want; two cells in a row have.
        let is_thin = |cell: [isize; 3], d: usize| match body {
            None => is_between(cell, d),
            Some(_) => case.grid.directions().filter(|&a| a != d).any(|a| {
                let both = [cell, Side::Low.next(cell, a)];
                both.iter().all(|&cell| solids.contains(cell) && is_between(cell, d))
            }),
        };
        // A body may leave some of its block to the flow.
        let cells = each_cell_of_grid(block).filter(|&cell| solids.contains(cell));
        let mut places = cells.flat_map(|cell| case.grid.directions().map(move |d| (cell, d)));
        if let Some((cell, _)) = places.find(|&(cell, d)| is_thin(cell, d)) {
            let problem = format!("needs solids at least two cells thick, see cell {cell:?}");
            let key = body.map_or("solid".into(), |body| format!("body.{}", body.name));
            return Err(unsupported(&key, problem, "refine the grid or thicken it"));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use vortice_core::Until;

    use super::*;

    #[test]
    fn a_kernel_for_another_device_is_refused_with_key_and_remedy() {
        for (kernel, word, on_gpu) in [
            (Kernel::Fused, "`fused` for the processor only", true),
            (Kernel::Tiled, "`tiled` for a GPU only", false),
            (Kernel::Resident, "`resident` for a GPU only", false),
        ] {
            let error = check_kernel(kernel, on_gpu, false).unwrap_err();
            assert!(
                error.to_string().starts_with("fdm.kernel: ") && error.remedy().contains("auto")
            );
            assert!(error.to_string().contains(word), "{error}");
            assert!(check_kernel(kernel, !on_gpu, false).is_ok());
        }
        for on_gpu in [false, true] {
            assert!(check_kernel(Kernel::Auto, on_gpu, true).is_ok());
            assert!(check_kernel(Kernel::Plain, on_gpu, true).is_ok());
        }
    }

    #[test]
    fn the_resident_kernel_is_for_eulers_steps() {
        let text = include_str!("../../../cases/cavity.toml");
        let mut case = Case::parse(text, "cavity").expect("a case").device(Device::Cuda(0));
        case.source.push_str("\n[fdm]\nkernel = \"resident\"\n");
        assert!(check(&case).is_ok(), "a steady flow takes them");
        case.run.until = Until::Time(1.0);
        let error = check(&case).unwrap_err();
        assert!(error.to_string().contains("`resident` for Euler's steps only"), "{error}");
        assert!(error.remedy().contains("fdm.time-scheme = \"euler\""));
        case.source.push_str("time-scheme = \"euler\"\n");
        assert!(check(&case).is_ok());
    }

    #[test]
    fn thin_solids_and_bodies_are_refused_by_their_names_and_tips_are_not() {
        let text = include_str!("../../../cases/cavity.toml");
        let of = |solid: &str| check(&Case::parse(&format!("{solid}\n{text}"), "cavity")?);
        let h = 1.0 / 128.0;
        let thin = |wide: f64| {
            let [low, high] = [64.2 * h, (63.8 + wide) * h];
            format!("{{ low = [{low}, 0.25, 0], high = [{high}, 0.5, {h}] }}")
        };
        for wide in [1.0, 2.0] {
            let solid = of(&format!("solid = [{}]", thin(wide)));
            let body = of(&format!("body = {{ plate = {{ box = {} }} }}", thin(wide)));
            for (refused, key) in [(solid, "solid: "), (body, "body.plate: ")] {
                let said = refused.err().map(|error| error.to_string());
                assert_eq!(
                    said.as_ref().is_some_and(|said| said.starts_with(key)),
                    wide < 2.0,
                    "{said:?}"
                );
            }
        }
        // Its topmost row is one cell.
        let circle =
            format!("circle = {{ centre = [{c}, {c}], radius = {} }}", 5.05 * h, c = 64.5 * h);
        assert!(of(&format!("body = {{ ball = {{ {circle} }} }}")).is_ok());
    }

    #[test]
    fn the_kernel_is_compared_with_the_device_of_the_case() {
        let text = include_str!("../../../cases/cavity.toml");
        let mut case = Case::parse(text, "cavity").expect("a built-in case");
        case.source.push_str("\n[fdm]\nkernel = \"tiled\"\n");
        assert!(check(&case.clone().device(Device::Cpu)).is_err());
        assert!(check(&case.clone().device(Device::Auto)).is_ok());
        assert!(check(&case.device(Device::Cuda(0))).is_ok());
    }
}
